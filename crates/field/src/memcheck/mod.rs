//! Secrets marked for Valgrind's memcheck, which then reports branches and addresses that depend on them: memcheck takes
//! them for uninitialised memory (Langley, "Checking that functions are constant time with Valgrind", 2010). Elsewhere, and on
//! processors other than x86-64, all this does nothing.
//!
//! `scripts/secrets.sh` runs the tests that use it.

mod request;

/// Whether the program runs under Valgrind.
pub fn is_running() -> bool {
    request::request(0x1001, [0; 2]) != 0
}

/// From here on the bytes of x are secret, and whatever is computed from them.
#[inline(never)]
pub fn hide<T: Copy>(x: &mut T) {
    let bytes = request::address(x);
    request::request(MEMCHECK + 1, [bytes, size_of::<T>() as u64]);
}

/// From here on the bytes of x are public: a result that everybody may see.
#[inline(never)]
pub fn reveal<T: Copy>(x: &mut T) {
    let bytes = request::address(x);
    request::request(MEMCHECK + 2, [bytes, size_of::<T>() as u64]);
}

/// The same of all of a list.
#[inline(never)]
pub fn reveal_all<T: Copy>(xs: &mut [T]) {
    let bytes = request::address(&mut xs[..]);
    request::request(MEMCHECK + 2, [bytes, size_of_val(xs) as u64]);
}

/// Whether a branch or an address depended on a secret while `job` ran.
pub fn leaks(job: impl FnOnce()) -> bool {
    let errors = || request::request(0x1201, [0; 2]);
    let before = errors();
    job();
    errors() != before
}

/// Where the numbers of memcheck's own requests begin: "MC".
const MEMCHECK: u64 = 0x4d43_0000;

#[cfg(test)]
mod secrets {
    use super::*;
    use std::hint::black_box;

    /// Memcheck sees what it is here for: a branch on a secret bit, and an entry of a table at a secret place.
    #[test]
    fn planted_leaks_are_seen() {
        assert!(is_running() || std::env::var_os("BILINEAR_MEMCHECK").is_none(), "this is not Valgrind");
        let mut secret = black_box(5u64);
        hide(&mut secret);
        let (mut sum, table) = (0, black_box([1u64, 2, 3, 4, 5, 6, 7, 8]));
        let branches = leaks(|| {
            if black_box(&secret) & 1 == 1 {
                sum = black_box(3);
            }
        });
        let looks_up = leaks(|| sum += table[(secret & 7) as usize]);
        let computes = leaks(|| sum = sum * secret + secret);
        reveal(&mut sum);
        black_box(sum);
        assert_eq!([branches, looks_up, computes], [is_running(), is_running(), false]);
    }
}
