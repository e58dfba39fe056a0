//! x86-64 assembly and portable code for start + Σ c·w on many words.
//!
//! The result is made in blocks of eight words (the last one may have nine) that stay in registers while every term is
//! added: a term with c = ±1 costs one add-with-carry per word; any other c costs a MULX and two additions on the carry chains
//! of ADX, between two complements where c < 0, since x − v = ¬(¬x + v). What a block carries out is a signed word, and the
//! start of the next one.
//!
//! Branches depend on the coefficients, which are the formula's, never on the words.
#![allow(unsafe_code)]

use crate::mont::kernels::Isa;
use crate::mont::{Residue, Sum};
use crate::term::Term;
#[cfg(target_arch = "x86_64")]
use core::arch::asm;

/// out = start + Σ c·w modulo 2^(64(2N + 1)): two's complement.
#[inline]
pub(in crate::mont) fn sum_wide<const N: usize>(isa: Isa, out: &mut Sum<N>, start: &Sum<N>, terms: &[Term<Sum<N>>]) {
    match isa {
        Isa::Portable => portable_wide(out, start, terms),
        // SAFETY: `Isa::Adx` proves the instructions; a `Sum` is 2N + 1 consecutive words, `out` borrowed alone.
        #[cfg(target_arch = "x86_64")]
        Isa::Adx(_) => unsafe {
            let range = terms.as_ptr_range();
            asm_wide::<N>((&raw mut *out).cast(), (&raw const *start).cast(), range.start.cast(), range.end.cast());
        },
    }
}

/// out + top·2^(64N) = start + start_top·2^(64N) + Σ c·x in two's complement; returns the top word.
#[inline]
pub(in crate::mont) fn sum_elements<const N: usize>(
    isa: Isa,
    out: &mut [u64; N],
    (start, start_top): (&[u64; N], u64),
    terms: &[Term<Residue<N>>],
) -> u64 {
    match isa {
        Isa::Portable => {
            let mut carry = 0;
            for i in 0..N {
                let column = terms.iter().map(|t| (t.coeff, t.value.0[i]));
                out[i] = column_sum(&mut carry, start[i], column);
            }
            start_top.wrapping_add(carry as u64)
        }
        // SAFETY: `Isa::Adx` proves the instructions; arrays of N words, `out` borrowed alone.
        #[cfg(target_arch = "x86_64")]
        Isa::Adx(_) => unsafe {
            let range = terms.as_ptr_range();
            let (from, to) = (range.start.cast(), range.end.cast());
            asm_elements::<N>(out.as_mut_ptr(), start.as_ptr(), start_top, from, to)
        },
    }
}

fn portable_wide<const N: usize>(out: &mut Sum<N>, start: &Sum<N>, terms: &[Term<Sum<N>>]) {
    let mut carry = 0;
    for i in 0..N {
        let column = terms.iter().map(|t| (t.coeff, t.value.words.lo[i]));
        out.words.lo[i] = column_sum(&mut carry, start.words.lo[i], column);
    }
    for i in 0..N {
        let column = terms.iter().map(|t| (t.coeff, t.value.words.hi[i]));
        out.words.hi[i] = column_sum(&mut carry, start.words.hi[i], column);
    }
    out.top = column_sum(&mut carry, start.top as u64, terms.iter().map(|t| (t.coeff, t.value.top as u64))) as i64;
}

/// The low word of carry + start + Σ c·w; the rest, signed, is the new carry.
#[inline(always)]
fn column_sum(carry: &mut i128, start: u64, column: impl Iterator<Item = (i32, u64)>) -> u64 {
    *carry += start as i128;
    for (c, w) in column {
        *carry += c as i128 * w as i128;
    }
    let word = *carry as u64;
    *carry >>= 64;
    word
}

// Registers: the words of a block in r8..r15 and, for a ninth word or for what the block carries out, rbx; rsi walks along
// the terms to rcx; rax → the words of a term; rdx = |c|; rdi and rbp are scratch. Stack: the first term, start, out.

/// `$text` for each of the first $len registers, with `\r` for the register and .Lk for its number.
#[rustfmt::skip]
#[cfg(target_arch = "x86_64")]
macro_rules! each {
    ($len:literal, $text:expr) => {
        concat!(
            ".set .Lk, 0\n .irp r, %r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15, %rbx\n .if .Lk < ", $len, "\n",
            $text, ".endif\n .set .Lk, .Lk+1\n .endr\n"
        )
    };
}

/// The block of words at..at + len: start, terms, store. With $keep = 1 what it carries out is added to rbx.
///
/// A block but the first takes in rbp what the one before carried out.
#[rustfmt::skip]
#[cfg(target_arch = "x86_64")]
macro_rules! block {
    ($at:literal, $len:literal, $keep:literal) => {
        concat!(
            "mov 8(%rsp), %rax\n",
            each!($len, concat!("mov 8*(", $at, "+.Lk)(%rax), \\r\n")),
            // what the block before carried out, with its sign
            ".if ", $at, " > 0\n mov %rbp, %rdx\n sar $63, %rdx\n",
            each!($len, ".if .Lk == 0\n add %rbp, \\r\n .else\n adc %rdx, \\r\n .endif\n"),
            ".if ", $keep, "\n adc %rdx, %rbx\n .endif\n .endif\n",
            "mov (%rsp), %rsi\n cmp %rsi, %rcx\n je 9f\n",
            "2: movslq (%rsi), %rdx\n mov 8(%rsi), %rax\n add $16, %rsi\n cmp $1, %rdx\n jne 3f\n",
            each!($len, concat!(
                ".if .Lk == 0\n add 8*", $at, "(%rax), \\r\n .else\n adc 8*(", $at, "+.Lk)(%rax), \\r\n .endif\n")),
            ".if ", $keep, "\n adc $0, %rbx\n .endif\n",
            "cmp %rsi, %rcx\n jne 2b\n jmp 9f\n",
            "3: cmp $-1, %rdx\n jne 4f\n",
            each!($len, concat!(
                ".if .Lk == 0\n sub 8*", $at, "(%rax), \\r\n .else\n sbb 8*(", $at, "+.Lk)(%rax), \\r\n .endif\n")),
            ".if ", $keep, "\n sbb $0, %rbx\n .endif\n",
            "cmp %rsi, %rcx\n jne 2b\n jmp 9f\n",
            // any other coefficient; r = ¬r around it where it is negative
            "4: test %rdx, %rdx\n jns 5f\n neg %rdx\n",
            each!($len, "not \\r\n"), ".if ", $keep, "\n not %rbx\n .endif\n",
            "5: xor %edi, %edi\n",
            each!($len, concat!("adox %rdi, \\r\n mulx 8*(", $at, "+.Lk)(%rax), %rbp, %rdi\n adcx %rbp, \\r\n")),
            ".if ", $keep, "\n adox %rdi, %rbx\n mov $0, %ebp\n adcx %rbp, %rbx\n .endif\n",
            "cmpl $0, -16(%rsi)\n jns 6f\n",
            each!($len, "not \\r\n"), ".if ", $keep, "\n not %rbx\n .endif\n",
            "6: cmp %rsi, %rcx\n jne 2b\n",
            "9: mov 16(%rsp), %rdi\n",
            each!($len, concat!("mov \\r, 8*(", $at, "+.Lk)(%rdi)\n")),
        )
    };
}

/// Blocks of eight words at 0, 8, … below $until, each handing what it carries out to the next in rbp.
#[rustfmt::skip]
#[cfg(target_arch = "x86_64")]
macro_rules! blocks {
    ($until:literal) => {
        concat!(
            ".set .Lat, 0\n .rept ", $until, "/8\n xor %ebx, %ebx\n",
            block!(".Lat", "8", "1"), "mov %rbx, %rbp\n .set .Lat, .Lat+8\n .endr\n"
        )
    };
}

/// The words of `out` = start + Σ c·w, 2N + 1 of them.
///
/// # Safety
/// The processor has BMI2 and ADX; `out`, `start` and the values of the terms from `terms` to `end` are 2N + 1 words.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
unsafe fn asm_wide<const N: usize>(out: *mut u64, start: *const u64, terms: *const u64, end: *const u64) {
    // SAFETY: the caller's instructions; reads and writes what the caller promises; restores rbx, rbp and the stack.
    unsafe {
        called!(asm_wide, N);
        asm!(
            "push %rbx", "push %rbp", "push %rdi", "push %rdx", "push %rsi",
            // all blocks but the last, which has one to nine words
            ".set .Llast, (2*{n})%8 + 1", ".if .Llast == 1", ".set .Llast, 9", ".endif",
            blocks!("(2*{n}+1-.Llast)"),
            block!("(2*{n}+1-.Llast)", ".Llast", "0"),
            "add $24, %rsp", "pop %rbp", "pop %rbx",
            n = const N, inout("rdi") out => _, inout("rsi") terms => _, inout("rdx") start => _, in("rcx") end,
            out("rax") _, out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _, out("r13") _,
            out("r14") _, out("r15") _, options(att_syntax)
        );
    }
}

/// The N words of `out` and, returned, the word above of start + top·2^(64N) + Σ c·x.
///
/// # Safety
/// The processor has BMI2 and ADX; `out`, `start` and the values of the terms from `terms` to `end` are N words.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
unsafe fn asm_elements<const N: usize>(
    out: *mut u64,
    start: *const u64,
    top: u64,
    terms: *const u64,
    end: *const u64,
) -> u64 {
    let new_top;
    // SAFETY: the caller's instructions; reads and writes what the caller promises; restores rbx, rbp and the stack.
    unsafe {
        called!(asm_elements, N);
        asm!(
            "push %rax", "push %rbx", "push %rbp", "push %rdi", "push %rdx", "push %rsi",
            ".set .Llast, ({n}-1)%8 + 1",
            blocks!("({n}-1)"),
            "mov 40(%rsp), %rbx",
            block!("({n}-.Llast)", ".Llast", "1"),
            "mov %rbx, %rax",
            "add $24, %rsp", "pop %rbp", "pop %rbx", "lea 8(%rsp), %rsp",
            n = const N, inout("rdi") out => _, inout("rsi") terms => _, inout("rdx") start => _, in("rcx") end,
            inout("rax") top => new_top, out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _,
            out("r13") _, out("r14") _, out("r15") _, options(att_syntax)
        );
    }
    new_top
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{minus, plus, times};

    /// SplitMix64 with edges.
    struct Rng(u64);

    impl Rng {
        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ z >> 31
        }

        fn word(&mut self) -> u64 {
            match self.next() % 4 {
                0 => 0,
                1 => u64::MAX,
                _ => self.next(),
            }
        }

        fn sum<const N: usize>(&mut self) -> Sum<N> {
            let mut s = Sum::<N>::default();
            s.words.lo = core::array::from_fn(|_| self.word());
            s.words.hi = core::array::from_fn(|_| self.word());
            s.top = (self.word() >> 48) as i64 - (1 << 15);
            s
        }
    }

    fn agree<const N: usize>(seed: u64) {
        let mut rng = Rng(seed);
        let values: Vec<Sum<N>> = (0..7).map(|_| rng.sum()).collect();
        let elements: Vec<Residue<N>> = values.iter().map(|v| Residue(v.words.lo)).collect();
        let start = rng.sum::<N>();
        let coefficients = [1, -1, 2, -3, 36, 1, -64, 0];
        for len in 0..values.len() {
            let rotate = rng.next() as usize;
            let coeff = |i: usize| coefficients[(i + rotate) % coefficients.len()];
            let terms: Vec<_> = values[..len].iter().enumerate().map(|(i, v)| times(coeff(i), v)).collect();
            let (mut want, mut got) = (Sum::default(), Sum::default());
            sum_wide(Isa::Portable, &mut want, &start, &terms);
            sum_wide(Isa::detect(), &mut got, &start, &terms);
            let all = |s: &Sum<N>| (s.words.lo, s.words.hi, s.top);
            assert_eq!(all(&got), all(&want), "N = {N}, {len} terms, seed {seed}");

            let terms: Vec<_> = elements[..len].iter().enumerate().map(|(i, v)| times(coeff(i), v)).collect();
            let (mut want, mut got) = ([0; N], [0; N]);
            let from = (&start.words.hi, 5);
            let want_top = sum_elements(Isa::Portable, &mut want, from, &terms);
            let got_top = sum_elements(Isa::detect(), &mut got, from, &terms);
            assert_eq!((got, got_top), (want, want_top), "elements, N = {N}, {len} terms, seed {seed}");
        }
    }

    #[test]
    fn portable_sums_are_exact() {
        let x = Sum::<1> { words: crate::mont::kernels::Wide { lo: [3], hi: [u64::MAX] }, top: -1 };
        let y = Sum::<1> { words: crate::mont::kernels::Wide { lo: [5], hi: [0] }, top: 0 };
        let mut out = Sum::default();
        // x = 3 − 2^64: 2x − y + y·7 = 36 − 2^65
        sum_wide(Isa::Portable, &mut out, &Sum::default(), &[times(2, &x), minus(&y), times(7, &y)]);
        assert_eq!((out.words.lo, out.words.hi, out.top), ([36], [u64::MAX - 1], -1));
        let (a, b) = (Residue([7u64]), Residue([9u64]));
        let mut low = [0];
        let top = sum_elements(Isa::Portable, &mut low, (&[1], 4), &[plus(&a), minus(&b)]);
        assert_eq!((low, top), ([u64::MAX], 3));
    }

    #[test]
    fn every_implementation_agrees() {
        for seed in 0..200 {
            agree::<1>(seed);
            agree::<2>(seed);
            agree::<3>(seed);
            agree::<4>(seed);
            agree::<5>(seed);
            agree::<6>(seed);
            agree::<8>(seed);
            agree::<9>(seed);
            agree::<10>(seed);
            agree::<16>(seed);
            agree::<17>(seed);
        }
    }
}
