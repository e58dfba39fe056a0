//! Linear forms of two and three terms in one pass.
//!
//! x86-64 assembly: a subtraction is the addition of the complement and one; the second and third terms run on the two carry
//! chains of ADX, which start from CF and OF and are independent, so a pass costs about one cycle per word for each
//! term. On other processors the same sums are computed word by word.
//!
//! Signs are constants: 0 for +, 1 for −. Results are modulo 2^(64·words), two's complement for negative values.
#![allow(unsafe_code)]

use super::kernels::Isa;
#[cfg(target_arch = "x86_64")]
use super::kernels::linear::{by_rest, each_word};
use super::values::Place;
#[cfg(target_arch = "x86_64")]
use core::arch::asm;

/// out + top·2^(64·words) = a ± b; returns top and out.
#[inline(always)]
pub(super) fn two<'t, const SB: usize>(
    isa: Isa,
    mut out: impl Place<'t>,
    a: &[u64],
    b: &[u64],
) -> (i64, &'t mut [u64]) {
    assert_eq!(a.len(), b.len());
    let (to, words) = (out.places(a.len()), a.len());
    let top = match isa {
        // SAFETY: operands and place of `words` words
        Isa::Portable => unsafe { portable_two::<SB>(to, a.as_ptr(), b.as_ptr(), words) },
        // SAFETY: the same
        #[cfg(target_arch = "x86_64")]
        Isa::Adx(_) => unsafe { by_rest!(words, asm_two, SB)(to, a.as_ptr(), b.as_ptr(), words) },
    };
    // SAFETY: as many words were written
    (top, unsafe { out.written(words) })
}

/// a + top·2^(64·words) = a ± b, in place; returns top.
#[inline(always)]
pub(super) fn two_onto<const SB: usize>(isa: Isa, a: &mut [u64], b: &[u64]) -> i64 {
    assert_eq!(a.len(), b.len());
    let (out, words) = (a.as_mut_ptr(), a.len());
    match isa {
        // SAFETY: both operands are `words` words; each word is read before it is written
        Isa::Portable => unsafe { portable_two::<SB>(out, out, b.as_ptr(), words) },
        // SAFETY: the same
        #[cfg(target_arch = "x86_64")]
        Isa::Adx(_) => unsafe { by_rest!(words, asm_two, SB)(out, out, b.as_ptr(), words) },
    }
}

/// out + top·2^(64·words) = a ± b ± c; returns top and out.
#[inline(always)]
pub(super) fn three<'t, const SB: usize, const SC: usize>(
    isa: Isa,
    mut out: impl Place<'t>,
    a: &[u64],
    b: &[u64],
    c: &[u64],
) -> (i64, &'t mut [u64]) {
    assert!(a.len() == b.len() && a.len() == c.len());
    let (to, words) = (out.places(a.len()), a.len());
    let operands = [a.as_ptr(), b.as_ptr(), c.as_ptr()];
    let top = match isa {
        // SAFETY: operands and place of `words` words
        Isa::Portable => unsafe { portable_three::<SB, SC>(to, operands, words) },
        // SAFETY: the same; `Isa::Adx` proves ADX
        #[cfg(target_arch = "x86_64")]
        Isa::Adx(_) => unsafe { by_rest!(words, asm_three, SB, SC)(to, operands, words) },
    };
    // SAFETY: as many words were written
    (top, unsafe { out.written(words) })
}

/// out + top·2^(64·words) = a ± b, word by word.
///
/// # Safety
/// All pointers must point at `words` words; `out` may be an operand, too.
#[inline(always)]
unsafe fn portable_two<const SB: usize>(out: *mut u64, a: *const u64, b: *const u64, words: usize) -> i64 {
    let mut carry = false;
    for i in 0..words {
        // SAFETY: the caller's promise
        unsafe {
            let (a, b) = (*a.add(i), *b.add(i));
            let word;
            (word, carry) = if SB == 1 { a.borrowing_sub(b, carry) } else { a.carrying_add(b, carry) };
            out.add(i).write(word);
        }
    }
    if SB == 1 { -i64::from(carry) } else { i64::from(carry) }
}

/// out + top·2^(64·words) = a ± b ± c, word by word.
///
/// # Safety
/// All pointers must point at `words` words.
#[inline(always)]
unsafe fn portable_three<const SB: usize, const SC: usize>(
    out: *mut u64,
    [a, b, c]: [*const u64; 3],
    words: usize,
) -> i64 {
    let signed = |negative: usize, x: u64| if negative == 1 { -(x as i128) } else { x as i128 };
    let mut carry = 0i128;
    for i in 0..words {
        // SAFETY: the caller's promise
        unsafe {
            carry += *a.add(i) as i128 + signed(SB, *b.add(i)) + signed(SC, *c.add(i));
            out.add(i).write(carry as u64);
        }
        carry >>= 64;
    }
    carry as i64
}

/// out + top·2^(64·words) = a + (−1)^SB·b, for SB in {0, 1}; returns top.
///
/// # Safety
/// The processor must be an x86-64; all pointers must point at `words` words, and `words` must be REST modulo 8;
/// `out` may be an operand, too.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
unsafe fn asm_two<const REST: usize, const SB: usize>(
    out: *mut u64,
    a: *const u64,
    b: *const u64,
    words: usize,
) -> i64 {
    let borrow: i64;
    // SAFETY: reads `words` words of a and b, writes as many of out.
    unsafe {
        called!(asm_two, REST, SB);
        asm!(
            "xor {t:e}, {t:e}",
            each_word!(carry concat!(
                "mov 8*.Lk({a},{k},8), {t}\n .if {sb}\n sbb 8*.Lk({b},{k},8), {t}\n .else\n adc 8*.Lk({b},{k},8), {t}\n .endif\n",
                "mov {t}, 8*.Lk({o},{k},8)\n"
            )),
            "sbb {t}, {t}",
            sb = const SB, o = in(reg) out, a = in(reg) a, b = in(reg) b, t = out(reg) borrow,
            k = out(reg) _, turns = in(reg) words / 8, rest = const REST, out("rcx") _, options(att_syntax, nostack)
        );
    }
    // the carry flag as 0 or −1: a borrow as it is, a carry negated
    if SB == 1 { borrow } else { -borrow }
}

/// out + top·2^(64·words) = a + (−1)^SB·b + (−1)^SC·c, for SB and SC in {0, 1}; returns top.
///
/// # Safety
/// The processor must have ADX; all pointers must point at `words` words, and `words` must be REST modulo 8.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
unsafe fn asm_three<const REST: usize, const SB: usize, const SC: usize>(
    out: *mut u64,
    [a, b, c]: [*const u64; 3],
    words: usize,
) -> i64 {
    let carries: i64;
    // SAFETY: the caller's ADX; reads `words` words of a, b and c, writes as many of out.
    unsafe {
        called!(asm_three, REST, SB, SC);
        asm!(
            // CF = SB, OF = SC
            ".if {sb} && {sc}", "mov $1, {t:e}", "ror $1, {t}", "add {t}, {t}",
            ".elseif {sb}", "xor {t:e}, {t:e}", "stc",
            ".elseif {sc}", "mov $-1, {t}", "shr $1, {t}", "add $1, {t}",
            ".else", "xor {t:e}, {t:e}", ".endif",
            each_word!(all concat!(
                "mov 8*.Lk({a},{k},8), {t}\n",
                ".if {sb}\n mov 8*.Lk({b},{k},8), {u}\n not {u}\n adcx {u}, {t}\n .else\n adcx 8*.Lk({b},{k},8), {t}\n .endif\n",
                ".if {sc}\n mov 8*.Lk({c},{k},8), {u}\n not {u}\n adox {u}, {t}\n .else\n adox 8*.Lk({c},{k},8), {t}\n .endif\n",
                "mov {t}, 8*.Lk({o},{k},8)\n"
            )),
            "mov $0, {t:e}", "mov $0, {u:e}", "adcx {u}, {t}", "adox {u}, {t}",
            sb = const SB, sc = const SC,
            o = in(reg) out, a = in(reg) a, b = in(reg) b, c = in(reg) c, t = out(reg) carries, u = out(reg) _,
            k = out(reg) _, turns = in(reg) words / 8, rest = const REST, out("rcx") _, options(att_syntax, nostack)
        );
    }
    // a complement stands for −x − 1 + 2^(64·words)
    carries - (SB + SC) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs every sign pattern on words against wrapping 128-bit arithmetic.
    fn agree(isa: Isa, [x, y, z]: [u128; 3]) {
        let words = |x: u128| [x as u64, (x >> 64) as u64];
        let (a, b, c) = (words(x), words(y), words(z));
        let value = |out: [u64; 2]| out[0] as u128 | (out[1] as u128) << 64;
        let mut out = [0; 2];
        let (top, _) = two::<0>(isa, &mut out[..], &a, &b);
        assert_eq!((value(out), top), (x.wrapping_add(y), i64::from(x.checked_add(y).is_none())));
        let (top, _) = two::<1>(isa, &mut out[..], &a, &b);
        assert_eq!((value(out), top), (x.wrapping_sub(y), -i64::from(x < y)));
        let mut onto = a;
        two_onto::<1>(isa, &mut onto, &b);
        assert_eq!(value(onto), x.wrapping_sub(y));
        let (top, _) = three::<0, 0>(isa, &mut out[..], &a, &b, &c);
        let carries = i64::from(x.checked_add(y).is_none()) + i64::from(x.wrapping_add(y).checked_add(z).is_none());
        assert_eq!((value(out), top), (x.wrapping_add(y).wrapping_add(z), carries));
        three::<1, 0>(isa, &mut out[..], &a, &b, &c);
        assert_eq!(value(out), x.wrapping_sub(y).wrapping_add(z));
        three::<0, 1>(isa, &mut out[..], &a, &b, &c);
        assert_eq!(value(out), x.wrapping_add(y).wrapping_sub(z));
        let (top, _) = three::<1, 1>(isa, &mut out[..], &a, &b, &c);
        let borrows = i64::from(x < y) + i64::from(x.wrapping_sub(y) < z);
        assert_eq!((value(out), top), (x.wrapping_sub(y).wrapping_sub(z), -borrows));
        let word = |x: u64| [x];
        let mut one = [0];
        two::<1>(isa, &mut one[..], &word(a[0]), &word(b[0]));
        assert_eq!(one[0], a[0].wrapping_sub(b[0]));
        three::<1, 0>(isa, &mut one[..], &word(a[0]), &word(b[0]), &word(c[0]));
        assert_eq!(one[0], a[0].wrapping_sub(b[0]).wrapping_add(c[0]));
    }

    #[test]
    fn every_sign_pattern_is_exact() {
        let edges = [0, 1, 2, u64::MAX, u64::MAX - 1, 1 << 63, (1 << 63) - 1];
        let numbers: Vec<u128> =
            edges.iter().flat_map(|low| edges.map(|high| u128::from(*low) | u128::from(high) << 64)).collect();
        for isa in [Isa::Portable, Isa::detect()] {
            for x in &numbers {
                for y in &numbers {
                    // a third number for each pair
                    let z = numbers[(*x ^ y.rotate_left(7)) as usize % numbers.len()];
                    agree(isa, [*x, *y, z]);
                    agree(isa, [z, *x, *y]);
                }
            }
        }
    }

    /// Passes of every length agree with the portable ones, word by word.
    #[test]
    fn every_length_is_one_pass() {
        let word = |i: usize, seed: u64| (seed + i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31);
        for len in 1..=131 {
            let [a, b, c] = [1, 500, 900].map(|seed| (0..len).map(|i| word(i, seed)).collect::<Vec<_>>());
            let run = |isa| {
                let mut out = vec![0; len];
                let mut all = vec![];
                let mut keep = |(top, out): (i64, &mut [u64])| all.push((top, out.to_vec()));
                keep(two::<0>(isa, &mut out[..], &a, &b));
                keep(two::<1>(isa, &mut out[..], &a, &b));
                keep(three::<0, 0>(isa, &mut out[..], &a, &b, &c));
                keep(three::<0, 1>(isa, &mut out[..], &a, &b, &c));
                keep(three::<1, 0>(isa, &mut out[..], &a, &b, &c));
                keep(three::<1, 1>(isa, &mut out[..], &a, &b, &c));
                all
            };
            assert_eq!(run(Isa::detect()), run(Isa::Portable), "{len} words");
        }
    }
}
