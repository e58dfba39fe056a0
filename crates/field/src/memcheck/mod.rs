//! Secrets marked for Valgrind's memcheck, which then reports branches and addresses that depend on them, since it
//! takes them for uninitialised memory (Langley, "Checking that functions are constant time with Valgrind", 2010).
//! Outside Valgrind, and on processors other than x86-64, nothing here has an effect.
//!
//! `scripts/secrets.sh` runs the tests that use this module.

mod request;

/// Returns true if the program runs under Valgrind.
pub fn is_running() -> bool {
    request::request(0x1001, [0; 2]) != 0
}

/// Marks the bytes of x as secret from here on, and with them everything that is computed from them.
#[inline(never)]
pub fn hide<T: Copy>(x: &mut T) {
    let bytes = request::address(x);
    request::request(MEMCHECK + 1, [bytes, size_of::<T>() as u64]);
}

/// Marks the bytes of x as public from here on: a result that may be disclosed.
#[inline(never)]
pub fn reveal<T: Copy>(x: &mut T) {
    let bytes = request::address(x);
    request::request(MEMCHECK + 2, [bytes, size_of::<T>() as u64]);
}

/// Marks all elements of a list as public, like [`reveal`].
#[inline(never)]
pub fn reveal_all<T: Copy>(xs: &mut [T]) {
    let bytes = request::address(&mut xs[..]);
    request::request(MEMCHECK + 2, [bytes, size_of_val(xs) as u64]);
}

/// Runs `job` and returns true if a branch or an address depended on a secret meanwhile.
pub fn leaks(job: impl FnOnce()) -> bool {
    let errors = || request::request(0x1201, [0; 2]);
    let before = errors();
    job();
    errors() != before
}

/// The base of the numbers of memcheck's own requests: "MC".
const MEMCHECK: u64 = 0x4d43_0000;
