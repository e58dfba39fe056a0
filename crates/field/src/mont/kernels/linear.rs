//! Linear steps in x86-64 assembly: a pass is one straight chain of N add-with-carry, and a choice is made by CMOV.
//!
//! A modular step computes both candidates, s and s ∓ p. The second chain follows the first one word behind, and only the
//! N moves of the choice wait for the last carry: 42 cycles at N = 17 on Zen 5, where the portable code takes 90. Every word
//! is loaded and stored whatever the choice. Any N ≥ 1; 40 to 60 bytes of code per word.
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

/// out = a + b mod p, for a and b in [0, p).
///
/// # Safety
/// The processor is an x86-64.
#[inline(never)]
pub(super) unsafe fn add_mod<const N: usize>(out: &mut [u64; N], a: &[u64; N], b: &[u64; N], p: &[u64; N]) {
    let mut difference = MaybeUninit::<[u64; N]>::uninit();
    // SAFETY: reads a[0..N], b[0..N], p[0..N], writes out[0..N] and difference[0..N] before it reads them.
    unsafe {
        called!(add_mod, N);
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
pub(super) unsafe fn sub_mod<const N: usize>(out: &mut [u64; N], a: &[u64; N], b: &[u64; N], p: &[u64; N]) {
    let mut sum = MaybeUninit::<[u64; N]>::uninit();
    // SAFETY: reads a[0..N], b[0..N], p[0..N], writes out[0..N] and sum[0..N] before it reads them.
    unsafe {
        called!(sub_mod, N);
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
