//! Prefetching of values that are read soon.
#![allow(unsafe_code)]

/// The length of a cache line in bytes.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 64;

/// Prefetches the memory of a value, on processors that have an instruction for it.
#[inline]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    for at in (0..size_of::<T>()).step_by(LINE) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let line = std::ptr::from_ref(value).cast::<i8>().wrapping_add(at);
        // SAFETY: every x86-64 processor has the instruction, and it reads nothing: the address is only a hint
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
