//! Linear forms of two and three terms in one pass.
//!
//! x86-64 assembly: a subtraction is the addition of the complement and one; the second and third terms run on the two carry
//! chains of ADX, which start from CF and OF and are independent, so a pass costs about one cycle per word for each term. Code: 20
//! to 30 bytes per word. On other processors the same sums go word by word through a 128-bit accumulator.
//!
//! Signs are constants: 0 for +, 1 for −. Results are modulo 2^(64·words), two's complement for negative values.
#![allow(unsafe_code)]

use crate::mont::kernels::{Isa, Wide};
#[cfg(target_arch = "x86_64")]
use core::arch::asm;
#[cfg(target_arch = "x86_64")]
use core::mem::MaybeUninit;

/// out = a ± b on N words.
#[inline]
pub(in crate::mont) fn two<const N: usize, const SB: usize>(isa: Isa, out: &mut [u64; N], a: &[u64; N], b: &[u64; N]) {
    match isa {
        Isa::Portable => {
            portable::<SB, 0>(&mut 0, out, a, b, None);
        }
        // SAFETY: three arrays of N words, `out` borrowed alone.
        #[cfg(target_arch = "x86_64")]
        Isa::Adx(_) => unsafe {
            asm_two::<N, 1, SB>(out.as_mut_ptr(), a.as_ptr(), b.as_ptr());
        },
    }
}

/// out + top·2^(64N) = a ± b ± c on N words; returns top.
#[inline]
pub(in crate::mont) fn three<const N: usize, const SB: usize, const SC: usize>(
    isa: Isa,
    out: &mut [u64; N],
    a: &[u64; N],
    b: &[u64; N],
    c: &[u64; N],
) -> i64 {
    match isa {
        Isa::Portable => {
            let mut carry = 0;
            portable::<SB, SC>(&mut carry, out, a, b, Some(c));
            carry as i64
        }
        // SAFETY: `Isa::Adx` proves ADX; four arrays of N words, `out` borrowed alone.
        #[cfg(target_arch = "x86_64")]
        Isa::Adx(_) => unsafe { asm_three::<N, 1, SB, SC>(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), c.as_ptr()) },
    }
}

/// out + top·2^(128N) = a ± b on 2N words; returns top.
#[inline]
pub(in crate::mont) fn wide_two<const N: usize, const SB: usize>(
    isa: Isa,
    out: &mut Wide<N>,
    a: &Wide<N>,
    b: &Wide<N>,
) -> i64 {
    match isa {
        Isa::Portable => {
            let mut carry = 0;
            portable::<SB, 0>(&mut carry, &mut out.lo, &a.lo, &b.lo, None);
            portable::<SB, 0>(&mut carry, &mut out.hi, &a.hi, &b.hi, None);
            carry as i64
        }
        // SAFETY: `Wide` is 2N consecutive words, `out` borrowed alone.
        #[cfg(target_arch = "x86_64")]
        Isa::Adx(_) => unsafe {
            asm_two::<N, 2, SB>((&raw mut *out).cast(), (&raw const *a).cast(), (&raw const *b).cast())
        },
    }
}

/// out + top·2^(128N) = a ± b ± c on 2N words; returns top.
#[inline]
pub(in crate::mont) fn wide_three<const N: usize, const SB: usize, const SC: usize>(
    isa: Isa,
    out: &mut Wide<N>,
    a: &Wide<N>,
    b: &Wide<N>,
    c: &Wide<N>,
) -> i64 {
    match isa {
        Isa::Portable => {
            let mut carry = 0;
            portable::<SB, SC>(&mut carry, &mut out.lo, &a.lo, &b.lo, Some(&c.lo));
            portable::<SB, SC>(&mut carry, &mut out.hi, &a.hi, &b.hi, Some(&c.hi));
            carry as i64
        }
        // SAFETY: `Isa::Adx` proves ADX; `Wide` is 2N consecutive words, `out` borrowed alone.
        #[cfg(target_arch = "x86_64")]
        Isa::Adx(_) => unsafe {
            let (a, b, c) = ((&raw const *a).cast(), (&raw const *b).cast(), (&raw const *c).cast());
            asm_three::<N, 2, SB, SC>((&raw mut *out).cast(), a, b, c)
        },
    }
}

/// Hands a ± b on 2N words to `then`, without initialising or moving them.
#[inline(always)]
pub(in crate::mont) fn with_two<const N: usize, const SB: usize, R>(
    isa: Isa,
    a: &Wide<N>,
    b: &Wide<N>,
    then: impl FnOnce(&mut Wide<N>) -> R,
) -> R {
    match isa {
        Isa::Portable => {
            let mut t = Wide::default();
            wide_two::<N, SB>(isa, &mut t, a, b);
            then(&mut t)
        }
        #[cfg(target_arch = "x86_64")]
        Isa::Adx(_) => {
            let mut t = MaybeUninit::<Wide<N>>::uninit();
            // SAFETY: `Wide` is 2N consecutive words; the form fills `t`.
            let t = unsafe {
                asm_two::<N, 2, SB>(t.as_mut_ptr().cast(), (&raw const *a).cast(), (&raw const *b).cast());
                t.assume_init_mut()
            };
            then(t)
        }
    }
}

/// Hands a ± b ± c on 2N words to `then`, without initialising or moving them.
#[inline(always)]
pub(in crate::mont) fn with_three<const N: usize, const SB: usize, const SC: usize, R>(
    isa: Isa,
    a: &Wide<N>,
    b: &Wide<N>,
    c: &Wide<N>,
    then: impl FnOnce(&mut Wide<N>) -> R,
) -> R {
    match isa {
        Isa::Portable => {
            let mut t = Wide::default();
            wide_three::<N, SB, SC>(isa, &mut t, a, b, c);
            then(&mut t)
        }
        #[cfg(target_arch = "x86_64")]
        Isa::Adx(_) => {
            let mut t = MaybeUninit::<Wide<N>>::uninit();
            // SAFETY: `Isa::Adx` proves ADX; `Wide` is 2N consecutive words; the form fills `t`.
            let t = unsafe {
                let (a, b, c) = ((&raw const *a).cast(), (&raw const *b).cast(), (&raw const *c).cast());
                asm_three::<N, 2, SB, SC>(t.as_mut_ptr().cast(), a, b, c);
                t.assume_init_mut()
            };
            then(t)
        }
    }
}

/// out = a ± b ± c + carry, word by word; the carry is signed.
#[inline]
fn portable<const SB: usize, const SC: usize>(
    carry: &mut i128,
    out: &mut [u64],
    a: &[u64],
    b: &[u64],
    c: Option<&[u64]>,
) {
    let signed = |negative: usize, x: u64| if negative == 1 { -(x as i128) } else { x as i128 };
    for i in 0..out.len() {
        *carry += a[i] as i128 + signed(SB, b[i]) + c.map_or(0, |c| signed(SC, c[i]));
        out[i] = *carry as u64;
        *carry >>= 64;
    }
}

/// out + top·2^(64·L) = a + (−1)^SB·b, for SB in {0, 1} and L = K·N words; returns top.
///
/// # Safety
/// The processor is an x86-64; `out`, `a`, `b` point at K·N words, `out` at none of the others'.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
unsafe fn asm_two<const N: usize, const K: usize, const SB: usize>(out: *mut u64, a: *const u64, b: *const u64) -> i64 {
    let borrow: i64;
    // SAFETY: reads a[0..KN] and b[0..KN], writes out[0..KN].
    unsafe {
        called!(asm_two, N, K, SB);
        asm!(
            "xor {t:e}, {t:e}",
            ".set .Lk, 0", ".rept {n}*{k}",
            "mov 8*.Lk({a}), {t}",
            ".if {sb}", "sbb 8*.Lk({b}), {t}", ".else", "adc 8*.Lk({b}), {t}", ".endif",
            "mov {t}, 8*.Lk({o})",
            ".set .Lk, .Lk+1", ".endr",
            "sbb {t}, {t}",
            n = const N, k = const K, sb = const SB, o = in(reg) out, a = in(reg) a, b = in(reg) b, t = out(reg) borrow,
            options(att_syntax, nostack)
        );
    }
    // the carry flag: + what it carried, or − what it borrowed
    if SB == 1 { borrow } else { -borrow }
}

/// out + top·2^(64·L) = a + (−1)^SB·b + (−1)^SC·c, for SB and SC in {0, 1} and L = K·N words; returns top.
///
/// # Safety
/// The processor has ADX; `out`, `a`, `b`, `c` point at K·N words, `out` at none of the others'.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
unsafe fn asm_three<const N: usize, const K: usize, const SB: usize, const SC: usize>(
    out: *mut u64,
    a: *const u64,
    b: *const u64,
    c: *const u64,
) -> i64 {
    let carries: i64;
    // SAFETY: the caller's ADX; reads a, b and c[0..KN], writes out[0..KN].
    unsafe {
        called!(asm_three, N, K, SB, SC);
        asm!(
            // CF = SB, OF = SC
            ".if {sb} && {sc}", "mov $1, {t:e}", "ror $1, {t}", "add {t}, {t}",
            ".elseif {sb}", "xor {t:e}, {t:e}", "stc",
            ".elseif {sc}", "mov $-1, {t}", "shr $1, {t}", "add $1, {t}",
            ".else", "xor {t:e}, {t:e}", ".endif",
            ".set .Lk, 0", ".rept {n}*{k}",
            "mov 8*.Lk({a}), {t}",
            ".if {sb}", "mov 8*.Lk({b}), {u}", "not {u}", "adcx {u}, {t}", ".else", "adcx 8*.Lk({b}), {t}", ".endif",
            ".if {sc}", "mov 8*.Lk({c}), {u}", "not {u}", "adox {u}, {t}", ".else", "adox 8*.Lk({c}), {t}", ".endif",
            "mov {t}, 8*.Lk({o})",
            ".set .Lk, .Lk+1", ".endr",
            "mov $0, {t:e}", "mov $0, {u:e}", "adcx {u}, {t}", "adox {u}, {t}",
            n = const N, k = const K, sb = const SB, sc = const SC,
            o = in(reg) out, a = in(reg) a, b = in(reg) b, c = in(reg) c, t = out(reg) carries, u = out(reg) _,
            options(att_syntax, nostack)
        );
    }
    // a complement stands for −x − 1 + 2^(64·L)
    carries - (SB + SC) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs every sign pattern on both implementations against wrapping 128-bit arithmetic on two words.
    fn agree(isa: Isa, a: [u64; 1], b: [u64; 1], c: [u64; 1], d: [u64; 1]) {
        let join = |lo: [u64; 1], hi: [u64; 1]| lo[0] as u128 | (hi[0] as u128) << 64;
        let (wa, wb, wc) = (Wide { lo: a, hi: b }, Wide { lo: c, hi: d }, Wide { lo: d, hi: a });
        let (x, y, z) = (join(a, b), join(c, d), join(d, a));
        let mut w = Wide::default();
        let value = |w: &Wide<1>| join(w.lo, w.hi);
        wide_two::<1, 0>(isa, &mut w, &wa, &wb);
        assert_eq!(value(&w), x.wrapping_add(y));
        wide_two::<1, 1>(isa, &mut w, &wa, &wb);
        assert_eq!(value(&w), x.wrapping_sub(y));
        wide_three::<1, 0, 0>(isa, &mut w, &wa, &wb, &wc);
        assert_eq!(value(&w), x.wrapping_add(y).wrapping_add(z));
        wide_three::<1, 1, 0>(isa, &mut w, &wa, &wb, &wc);
        assert_eq!(value(&w), x.wrapping_sub(y).wrapping_add(z));
        wide_three::<1, 0, 1>(isa, &mut w, &wa, &wb, &wc);
        assert_eq!(value(&w), x.wrapping_add(y).wrapping_sub(z));
        wide_three::<1, 1, 1>(isa, &mut w, &wa, &wb, &wc);
        assert_eq!(value(&w), x.wrapping_sub(y).wrapping_sub(z));
        let mut n = [0];
        two::<1, 1>(isa, &mut n, &a, &b);
        assert_eq!(n[0], a[0].wrapping_sub(b[0]));
        two::<1, 0>(isa, &mut n, &a, &b);
        assert_eq!(n[0], a[0].wrapping_add(b[0]));
        three::<1, 1, 0>(isa, &mut n, &a, &b, &c);
        assert_eq!(n[0], a[0].wrapping_sub(b[0]).wrapping_add(c[0]));
    }

    #[test]
    fn every_sign_pattern_is_exact() {
        let edges = [0, 1, 2, u64::MAX, u64::MAX - 1, 1 << 63, (1 << 63) - 1];
        for isa in [Isa::Portable, Isa::detect()] {
            for a in edges {
                for b in edges {
                    for c in edges {
                        for d in edges {
                            agree(isa, [a], [b], [c], [d]);
                        }
                    }
                }
            }
        }
    }
}
