//! Linear steps in x86-64 assembly: a pass is one straight chain of N add-with-carry, and a choice is made by CMOV.
//!
//! A modular step computes both candidates, s and s ∓ p. The second chain follows the first one word behind, and only the
//! N moves of the choice wait for the last carry: 42 cycles at N = 17 on Zen 5, where the portable code takes 90. Every word
//! is loaded and stored whatever the choice. Any N ≥ 1; 40 to 60 bytes of code per word.
//! Sums and differences of 4, 5, 6 and 8 words keep the second candidate in registers: N stores and 2N loads less.
#![allow(unsafe_code)]

use super::Wide;
use core::arch::asm;
use core::mem::MaybeUninit;

/// x += y modulo 2^(64N).
///
/// # Safety
/// The processor is an x86-64.
#[inline(never)]
pub(super) unsafe fn add_to<const N: usize>(x: &mut [u64; N], y: &[u64; N]) {
    // SAFETY: reads y[0..N], reads and writes x[0..N].
    unsafe {
        called!(add_to, N);
        asm!(
            "xor {t:e}, {t:e}",
            ".set .Lk, 0", ".rept {n}",
            "mov 8*.Lk({y}), {t}", "adc 8*.Lk({x}), {t}", "mov {t}, 8*.Lk({x})",
            ".set .Lk, .Lk+1", ".endr",
            n = const N, x = in(reg) x, y = in(reg) y, t = out(reg) _, options(att_syntax, nostack)
        );
    }
}

/// x −= c·y; returns the borrow word.
///
/// # Safety
/// The processor has BMI2 and ADX.
#[inline(never)]
pub(super) unsafe fn scaled_sub_from<const N: usize>(x: &mut [u64; N], y: &[u64; N], c: u64) -> u64 {
    let mut high = 0u64;
    // x − v = ¬(¬x + v): the complemented words gain the low words of the products on one carry chain, the high words on the other
    // SAFETY: the caller's BMI2 and ADX; reads y[0..N], reads and writes x[0..N].
    unsafe {
        called!(scaled_sub_from, N);
        asm!(
            "xor {t:e}, {t:e}",
            ".set .Lk, 0", ".rept {n}",
            "mov 8*.Lk({x}), {v}", "not {v}", "adcx {v}, {h}", "mulx 8*.Lk({y}), {t}, {u}", "adox {t}, {h}", "not {h}",
            "mov {h}, 8*.Lk({x})", "mov {u}, {h}",
            ".set .Lk, .Lk+1", ".endr",
            "mov $0, {t:e}", "adcx {t}, {h}", "adox {t}, {h}",
            n = const N, x = in(reg) x, y = in(reg) y, h = inout(reg) high, t = out(reg) _, u = out(reg) _, v = out(reg) _,
            inout("rdx") c => _, options(att_syntax, nostack)
        );
    }
    high
}

/// x + top·2^(64N) in [0, 2p) loses p if it is at least that.
///
/// # Safety
/// The processor is an x86-64.
#[inline(never)]
pub(super) unsafe fn cond_sub<const N: usize>(x: &mut [u64; N], top: u64, p: &[u64; N]) {
    let mut difference = MaybeUninit::<[u64; N]>::uninit();
    // SAFETY: reads p[0..N], reads and writes x[0..N], writes difference[0..N] before it reads it.
    unsafe {
        called!(cond_sub, N);
        asm!(
            "xor {t:e}, {t:e}",
            ".set .Lk, 0", ".rept {n}",
            "mov 8*.Lk({x}), {t}", "sbb 8*.Lk({p}), {t}", "mov {t}, 8*.Lk({d})",
            ".set .Lk, .Lk+1", ".endr",
            "sbb $0, {top}",
            ".set .Lk, 0", ".rept {n}",
            "mov 8*.Lk({d}), {t}", "cmovc 8*.Lk({x}), {t}", "mov {t}, 8*.Lk({x})",
            ".set .Lk, .Lk+1", ".endr",
            n = const N, x = in(reg) x, p = in(reg) p, d = in(reg) difference.as_mut_ptr(), top = inout(reg) top => _,
            t = out(reg) _, options(att_syntax, nostack)
        );
    }
}

/// A modular sum and a modular difference of one size, the second candidate in registers: $k is the number of a word, $r its register.
#[rustfmt::skip]
macro_rules! modular_of_size {
    ($add:ident $sub:ident $n:literal $($k:literal $r:ident)+) => {
        /// [`add_mod`]. N is the size of this kernel.
        ///
        /// # Safety
        /// As [`add_mod`].
        #[inline(never)]
        unsafe fn $add<const N: usize>(out: &mut [u64; N], a: &[u64; N], b: &[u64; N], p: &[u64; N]) {
            debug_assert!(N == $n);
            // SAFETY: reads a[0..N], b[0..N], p[0..N], writes out[0..N] before it reads it.
            unsafe {
                called!($add, N);
                asm!(
                    // out = r = a + b, carry in the bit c
                    "xor {c:e}, {c:e}",
                    $(concat!("mov 8*", $k, "({a}), {", stringify!($r), "}\n adc 8*", $k, "({b}), {", stringify!($r),
                              "}\n mov {", stringify!($r), "}, 8*", $k, "({o})"),)+
                    "adc {c}, {c}",
                    // r = a + b − p; CF where a + b < p
                    $(concat!("sbb 8*", $k, "({p}), {", stringify!($r), "}"),)+
                    "sbb $0, {c}",
                    $(concat!("cmovc 8*", $k, "({o}), {", stringify!($r), "}\n mov {", stringify!($r), "}, 8*", $k, "({o})"),)+
                    o = in(reg) out, a = in(reg) a, b = in(reg) b, p = in(reg) p, c = out(reg) _, $($r = out(reg) _,)+
                    options(att_syntax, nostack)
                );
            }
        }

        /// [`sub_mod`]. N is the size of this kernel.
        ///
        /// # Safety
        /// As [`sub_mod`].
        #[inline(never)]
        unsafe fn $sub<const N: usize>(out: &mut [u64; N], a: &[u64; N], b: &[u64; N], p: &[u64; N]) {
            debug_assert!(N == $n);
            // SAFETY: reads a[0..N], b[0..N], p[0..N], writes out[0..N] before it reads it.
            unsafe {
                called!($sub, N);
                asm!(
                    // out = r = a − b, borrow in the mask c
                    "xor {c:e}, {c:e}",
                    $(concat!("mov 8*", $k, "({a}), {", stringify!($r), "}\n sbb 8*", $k, "({b}), {", stringify!($r),
                              "}\n mov {", stringify!($r), "}, 8*", $k, "({o})"),)+
                    "sbb {c}, {c}",
                    // r = a − b + p, from a clear CF
                    "test {c}, {c}",
                    $(concat!("adc 8*", $k, "({p}), {", stringify!($r), "}"),)+
                    "add {c}, {c}",
                    $(concat!("cmovnc 8*", $k, "({o}), {", stringify!($r), "}\n mov {", stringify!($r), "}, 8*", $k, "({o})"),)+
                    o = in(reg) out, a = in(reg) a, b = in(reg) b, p = in(reg) p, c = out(reg) _, $($r = out(reg) _,)+
                    options(att_syntax, nostack)
                );
            }
        }
    };
}

modular_of_size!(add_mod_4 sub_mod_4 4 0 r0 1 r1 2 r2 3 r3);
modular_of_size!(add_mod_5 sub_mod_5 5 0 r0 1 r1 2 r2 3 r3 4 r4);
modular_of_size!(add_mod_6 sub_mod_6 6 0 r0 1 r1 2 r2 3 r3 4 r4 5 r5);
modular_of_size!(add_mod_8 sub_mod_8 8 0 r0 1 r1 2 r2 3 r3 4 r4 5 r5 6 r6 7 r7);

/// out = a + b mod p for a and b in [0, p), by the kernel for its size.
///
/// # Safety
/// The processor is an x86-64.
#[inline(always)]
pub(super) unsafe fn add_mod<const N: usize>(out: &mut [u64; N], a: &[u64; N], b: &[u64; N], p: &[u64; N]) {
    // SAFETY: the caller's promise; each kernel gets its size.
    unsafe {
        match N {
            4 => add_mod_4(out, a, b, p),
            5 => add_mod_5(out, a, b, p),
            6 => add_mod_6(out, a, b, p),
            8 => add_mod_8(out, a, b, p),
            _ => add_mod_of_any_size(out, a, b, p),
        }
    }
}

/// out = a − b mod p for a and b in [0, p), by the kernel for its size.
///
/// # Safety
/// The processor is an x86-64.
#[inline(always)]
pub(super) unsafe fn sub_mod<const N: usize>(out: &mut [u64; N], a: &[u64; N], b: &[u64; N], p: &[u64; N]) {
    // SAFETY: the caller's promise; each kernel gets its size.
    unsafe {
        match N {
            4 => sub_mod_4(out, a, b, p),
            5 => sub_mod_5(out, a, b, p),
            6 => sub_mod_6(out, a, b, p),
            8 => sub_mod_8(out, a, b, p),
            _ => sub_mod_of_any_size(out, a, b, p),
        }
    }
}

/// out = a + b mod p, for a and b in [0, p).
///
/// # Safety
/// The processor is an x86-64.
#[inline(never)]
unsafe fn add_mod_of_any_size<const N: usize>(out: &mut [u64; N], a: &[u64; N], b: &[u64; N], p: &[u64; N]) {
    let mut difference = MaybeUninit::<[u64; N]>::uninit();
    // SAFETY: reads a[0..N], b[0..N], p[0..N], writes out[0..N] and difference[0..N] before it reads them.
    unsafe {
        called!(add_mod_of_any_size, N);
        asm!(
            // out = a + b, carry in the bit c
            "xor {t:e}, {t:e}",
            ".set .Lk, 0", ".rept {n}",
            "mov 8*.Lk({a}), {t}", "adc 8*.Lk({b}), {t}", "mov {t}, 8*.Lk({o})",
            ".set .Lk, .Lk+1", ".endr",
            "mov $0, {c:e}", "adc {c}, {c}",
            // difference = a + b − p; CF where a + b < p
            "xor {t:e}, {t:e}",
            ".set .Lk, 0", ".rept {n}",
            "mov 8*.Lk({o}), {t}", "sbb 8*.Lk({p}), {t}", "mov {t}, 8*.Lk({d})",
            ".set .Lk, .Lk+1", ".endr",
            "sbb $0, {c}",
            ".set .Lk, 0", ".rept {n}",
            "mov 8*.Lk({d}), {t}", "cmovc 8*.Lk({o}), {t}", "mov {t}, 8*.Lk({o})",
            ".set .Lk, .Lk+1", ".endr",
            n = const N, o = in(reg) out, a = in(reg) a, b = in(reg) b, p = in(reg) p, d = in(reg) difference.as_mut_ptr(),
            t = out(reg) _, c = out(reg) _, options(att_syntax, nostack)
        );
    }
}

/// out = a − b mod p, for a and b in [0, p).
///
/// # Safety
/// The processor is an x86-64.
#[inline(never)]
unsafe fn sub_mod_of_any_size<const N: usize>(out: &mut [u64; N], a: &[u64; N], b: &[u64; N], p: &[u64; N]) {
    let mut sum = MaybeUninit::<[u64; N]>::uninit();
    // SAFETY: reads a[0..N], b[0..N], p[0..N], writes out[0..N] and sum[0..N] before it reads them.
    unsafe {
        called!(sub_mod_of_any_size, N);
        asm!(
            // out = a − b, borrow in the mask c
            "xor {t:e}, {t:e}",
            ".set .Lk, 0", ".rept {n}",
            "mov 8*.Lk({a}), {t}", "sbb 8*.Lk({b}), {t}", "mov {t}, 8*.Lk({o})",
            ".set .Lk, .Lk+1", ".endr",
            "sbb {c}, {c}",
            // sum = a − b + p
            "xor {t:e}, {t:e}",
            ".set .Lk, 0", ".rept {n}",
            "mov 8*.Lk({o}), {t}", "adc 8*.Lk({p}), {t}", "mov {t}, 8*.Lk({s})",
            ".set .Lk, .Lk+1", ".endr",
            "add {c}, {c}",
            ".set .Lk, 0", ".rept {n}",
            "mov 8*.Lk({o}), {t}", "cmovc 8*.Lk({s}), {t}", "mov {t}, 8*.Lk({o})",
            ".set .Lk, .Lk+1", ".endr",
            n = const N, o = in(reg) out, a = in(reg) a, b = in(reg) b, p = in(reg) p, s = in(reg) sum.as_mut_ptr(),
            t = out(reg) _, c = out(reg) _, options(att_syntax, nostack)
        );
    }
}

/// out = a − b, plus p·2^(64N) where that is negative, for a and b in [0, p·2^(64N)).
///
/// # Safety
/// The processor is an x86-64.
#[inline(never)]
pub(super) unsafe fn sub_mod_wide<const N: usize>(out: &mut Wide<N>, a: &Wide<N>, b: &Wide<N>, p: &[u64; N]) {
    let mut sum = MaybeUninit::<[u64; N]>::uninit();
    let (a, b): (*const u64, *const u64) = ((&raw const *a).cast(), (&raw const *b).cast());
    // SAFETY: reads a[0..2N], b[0..2N], p[0..N], writes out[0..2N] and sum[0..N] before it reads them.
    unsafe {
        called!(sub_mod_wide, N);
        asm!(
            // out = a − b, borrow in the mask c
            "xor {t:e}, {t:e}",
            ".set .Lk, 0", ".rept 2*{n}",
            "mov 8*.Lk({a}), {t}", "sbb 8*.Lk({b}), {t}", "mov {t}, 8*.Lk({o})",
            ".set .Lk, .Lk+1", ".endr",
            "sbb {c}, {c}",
            // sum = the high half + p
            "xor {t:e}, {t:e}",
            ".set .Lk, 0", ".rept {n}",
            "mov 8*(.Lk+{n})({o}), {t}", "adc 8*.Lk({p}), {t}", "mov {t}, 8*.Lk({s})",
            ".set .Lk, .Lk+1", ".endr",
            "add {c}, {c}",
            ".set .Lk, 0", ".rept {n}",
            "mov 8*(.Lk+{n})({o}), {t}", "cmovc 8*.Lk({s}), {t}", "mov {t}, 8*(.Lk+{n})({o})",
            ".set .Lk, .Lk+1", ".endr",
            n = const N, o = in(reg) (&raw mut *out).cast::<u64>(), a = in(reg) a, b = in(reg) b, p = in(reg) p,
            s = in(reg) sum.as_mut_ptr(), t = out(reg) _, c = out(reg) _, options(att_syntax, nostack)
        );
    }
}
