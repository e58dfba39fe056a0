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
