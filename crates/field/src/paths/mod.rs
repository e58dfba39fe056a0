//! The paths that a job takes through machine code for several secrets: each instruction that it executes, and each address that
//! this reads or writes (as MicroWalk compares traces: Wichelmann et al., ACSAC 2018). The processor runs
//! the job as it is, in a child process that traps after every instruction: Valgrind, see [`memcheck`](crate::memcheck), does not
//! support AVX-512.
//!
//! For tests: the feature `paths` brings it. On other systems than Linux on x86-64 jobs only run.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod process;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod step;

/// The first instruction at which the paths of a job for these secrets part, or `None`. The job runs before that: what is made
/// once is made then.
///
/// # Panics
/// If no step is seen, a job takes more steps than are kept, takes an address from a vector, or panics.
pub fn parting<S: Copy, const N: usize>(secrets: [S; N], job: impl Fn(S)) -> Option<String> {
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

    /// A branch on a bit of a secret, and a table read at a place that it tells.
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
        assert!(parting(secrets, branch).is_some(), "a branch");
        assert!(parting(secrets, reading).is_some(), "a table");
        assert_eq!(parting(secrets, computing), None);
    }
}
