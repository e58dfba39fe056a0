//! The paths that a job takes through machine code for several secrets: each executed instruction, and each address
//! that it reads or writes (MicroWalk compares traces in this way: Wichelmann et al., ACSAC 2018). The processor runs
//! the unmodified job in a child process that traps after every instruction: Valgrind, see
//! [`memcheck`](crate::memcheck), does not support AVX-512.
//!
//! For tests: available with the feature `paths`. On systems other than Linux on x86-64 jobs run without being traced.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod process;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod step;

/// Returns the first instruction at which the paths of a job for these secrets differ, or `None`. The job runs
/// beforehand, so that everything that is initialised once is already initialised.
///
/// # Panics
/// Panics if no step is seen, or if a job takes more steps than are kept, takes an address from a vector, or panics.
pub fn first_difference<S: Copy, const N: usize>(secrets: [S; N], job: impl Fn(S)) -> Option<String> {
    job(secrets[0]);
    job(secrets[0]);
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    if let [first, others @ ..] = &process::paths(secrets, job)[..] {
        assert!(!first.is_empty(), "no step was seen");
        return others.iter().find_map(|other| step::differ(first, other));
    }
    None
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    use super::*;
    use std::hint::black_box;

    /// Plants a branch on a bit of a secret, and a table read at an index that depends on a secret.
    #[test]
    fn planted_leaks_are_seen() {
        let table: Vec<u32> = (1..=256u32).map(|i| i * i).collect();
        let branch = |k: [u8; 4]| {
            if black_box(k)[3] & 1 == 1 {
                black_box(&table);
            }
        };
        let reading = |k: [u8; 4]| {
            black_box(table[usize::from(black_box(k)[1])]);
        };
        let computing = |k: [u8; 4]| {
            black_box(u32::from_le_bytes(black_box(k)) % 7);
        };
        let secrets = [[0; 4], [1; 4]];
        assert!(first_difference(secrets, branch).is_some(), "a branch");
        assert!(first_difference(secrets, reading).is_some(), "a table");
        assert_eq!(first_difference(secrets, computing), None);
    }
}
