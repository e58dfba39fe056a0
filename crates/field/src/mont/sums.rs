//! x86-64 assembly and portable code for start + Σ c·w on many words.
//!
//! The result is computed in blocks of eight words (the last block has one to nine) that stay in registers while
//! every term is added. A term with c = ±1 costs one add-with-carry per word. Any other c costs a MULX and two
//! additions on the carry chains of ADX, between two complements where c < 0, since x − v = ¬(¬x + v). The carry of a
//! block is a signed word, with which the next block starts.
//!
//! Branches depend on the coefficients, which belong to the formula, and on the number of words, never on the words
//! themselves.
#![allow(unsafe_code)]

use super::kernels::Isa;
use super::values::{Place, Terms};
#[cfg(target_arch = "x86_64")]
use crate::term::Item;
#[cfg(target_arch = "x86_64")]
use core::arch::asm;

/// out = start + Σ c·w modulo 2^(64·words) in two's complement, for an odd number of words; returns out.
#[inline(always)]
pub(super) fn sum_wide<'t>(isa: Isa, mut out: impl Place<'t>, start: &[u64], terms: Terms) -> &'t mut [u64] {
    let words = terms.words();
    assert!(words % 2 == 1 && words > 1 && start.len() >= words);
    let to = out.places(words);
    match isa {
        // SAFETY: a place of as many words as the terms have
        Isa::Portable => _ = unsafe { portable(to, start, terms) },
        // SAFETY: the same; `Isa::Adx` proves the instructions; all have `words` words
        #[cfg(target_arch = "x86_64")]
        Isa::Adx(_) => unsafe {
            let kernel = match words % 8 {
                1 => asm_wide::<9>,
                3 => asm_wide::<3>,
                5 => asm_wide::<5>,
                _ => asm_wide::<7>,
            };
            kernel(to, start.as_ptr(), terms.range(), words);
        },
    }
    // SAFETY: as many words were written
    unsafe { out.written(words) }
}

/// out + top·2^(64·words) = start + start_top·2^(64·words) + Σ c·x in two's complement; returns the top word.
#[inline(always)]
pub(super) fn sum_elements(isa: Isa, out: &mut [u64], (start, start_top): (&[u64], u64), terms: Terms) -> u64 {
    let words = out.len();
    assert!(words > 0 && start.len() >= words && terms.words() == words);
    match isa {
        // SAFETY: `out`, `start` and the terms have `words` words
        Isa::Portable => start_top.wrapping_add(unsafe { portable(out.as_mut_ptr(), start, terms) }),
        // SAFETY: `Isa::Adx` proves the instructions; all have `words` words, `out` is borrowed alone.
        #[cfg(target_arch = "x86_64")]
        Isa::Adx(_) => unsafe {
            let kernel = match words % 8 {
                1 => asm_elements::<1>,
                2 => asm_elements::<2>,
                3 => asm_elements::<3>,
                4 => asm_elements::<4>,
                5 => asm_elements::<5>,
                6 => asm_elements::<6>,
                7 => asm_elements::<7>,
                _ => asm_elements::<8>,
            };
            kernel(out.as_mut_ptr(), start.as_ptr(), start_top, terms.range(), words)
        },
    }
}

/// Writes the words of out = start + Σ c·w, as many as the terms have; returns the word above.
///
/// # Safety
/// `out` must be valid for writes of as many words as the terms have.
#[inline(always)]
unsafe fn portable(out: *mut u64, start: &[u64], terms: Terms) -> u64 {
    let start = &start[..terms.words()];
    let mut carry = 0i128;
    for i in 0..start.len() {
        carry += start[i] as i128;
        for (c, w) in terms.iter() {
            carry += c as i128 * w[i] as i128;
        }
        // SAFETY: the caller's promise
        unsafe { out.add(i).write(carry as u64) };
        carry >>= 64;
    }
    carry as u64
}

// Registers: the words of a block in r8..r15 and, for a ninth word or for the carry of the block, rbx; rsi walks
// along the terms to rcx; rax → the words of a term; rdx = |c|; rdi and rbp are scratch, and between blocks rbp is
// the carry of the block before. Stack: 0 the first term, 8 start, 16 out, 24 the bytes before the block, 32 the
// blocks of eight that are left.

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

/// A block of $len words: start, the carry of the block before, terms, store. With $keep = 1 the carry of this block
/// is added to rbx.
#[rustfmt::skip]
#[cfg(target_arch = "x86_64")]
macro_rules! block {
    ($len:literal, $keep:literal) => {
        concat!(
            "mov 8(%rsp), %rax\n add 24(%rsp), %rax\n",
            each!($len, "mov 8*.Lk(%rax), \\r\n"),
            // the carry of the block before, with its sign
            "mov %rbp, %rdx\n sar $63, %rdx\n",
            each!($len, ".if .Lk == 0\n add %rbp, \\r\n .else\n adc %rdx, \\r\n .endif\n"),
            ".if ", $keep, "\n adc %rdx, %rbx\n .endif\n",
            "mov (%rsp), %rsi\n cmp %rsi, %rcx\n je 9f\n",
            "2: movslq (%rsi), %rdx\n mov 8(%rsi), %rax\n add 24(%rsp), %rax\n add $16, %rsi\n cmp $1, %rdx\n jne 3f\n",
            each!($len, ".if .Lk == 0\n add (%rax), \\r\n .else\n adc 8*.Lk(%rax), \\r\n .endif\n"),
            ".if ", $keep, "\n adc $0, %rbx\n .endif\n",
            "cmp %rsi, %rcx\n jne 2b\n jmp 9f\n",
            "3: cmp $-1, %rdx\n jne 4f\n",
            each!($len, ".if .Lk == 0\n sub (%rax), \\r\n .else\n sbb 8*.Lk(%rax), \\r\n .endif\n"),
            ".if ", $keep, "\n sbb $0, %rbx\n .endif\n",
            "cmp %rsi, %rcx\n jne 2b\n jmp 9f\n",
            // any other coefficient; r = ¬r around it where it is negative
            "4: test %rdx, %rdx\n jns 5f\n neg %rdx\n",
            each!($len, "not \\r\n"), ".if ", $keep, "\n not %rbx\n .endif\n",
            "5: xor %edi, %edi\n",
            each!($len, "adox %rdi, \\r\n mulx 8*.Lk(%rax), %rbp, %rdi\n adcx %rbp, \\r\n"),
            ".if ", $keep, "\n adox %rdi, %rbx\n mov $0, %ebp\n adcx %rbp, %rbx\n .endif\n",
            "cmpl $0, -16(%rsi)\n jns 6f\n",
            each!($len, "not \\r\n"), ".if ", $keep, "\n not %rbx\n .endif\n",
            "6: cmp %rsi, %rcx\n jne 2b\n",
            "9: mov 16(%rsp), %rdi\n add 24(%rsp), %rdi\n",
            each!($len, "mov \\r, 8*.Lk(%rdi)\n"),
        )
    };
}

/// The blocks of eight words. Each passes its carry in rbp to the next block, and the last one to the code that
/// follows.
#[rustfmt::skip]
#[cfg(target_arch = "x86_64")]
macro_rules! blocks {
    () => {
        concat!(
            "push $0\n push %rdi\n push %rdx\n push %rsi\n xor %ebp, %ebp\n cmpq $0, 32(%rsp)\n je 7f\n",
            "8: xor %ebx, %ebx\n", block!("8", "1"), "mov %rbx, %rbp\n addq $64, 24(%rsp)\n decq 32(%rsp)\n jnz 8b\n 7:\n"
        )
    };
}

/// Writes the words of `out` = start + Σ c·w, of which the last block has LAST, an odd number from 3 to 9.
///
/// # Safety
/// The processor must have BMI2 and ADX; `out`, `start` and the values of the terms must be `words` words.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
unsafe fn asm_wide<const LAST: usize>(
    out: *mut u64,
    start: *const u64,
    terms: std::ops::Range<*const Item>,
    words: usize,
) {
    // SAFETY: the caller's instructions; reads and writes what the caller promises; restores rbx, rbp and the stack.
    unsafe {
        called!(asm_wide, LAST);
        asm!(
            "push %rbx", "push %rbp", "push %r8",
            blocks!(),
            block!("{last}", "0"),
            "add $40, %rsp", "pop %rbp", "pop %rbx",
             last = const LAST, inout("rdi") out => _, inout("rsi") terms.start => _, inout("rdx") start => _,
            in("rcx") terms.end, inout("r8") (words - LAST) / 8 => _, out("rax") _, out("r9") _, out("r10") _,
            out("r11") _, out("r12") _, out("r13") _, out("r14") _, out("r15") _, options(att_syntax)
        );
    }
}

/// Writes the words of `out` = start + top·2^(64·words) + Σ c·x, of which the last block has LAST, and returns the
/// word above.
///
/// # Safety
/// The processor must have BMI2 and ADX; `out`, `start` and the values of the terms must be `words` words.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
unsafe fn asm_elements<const LAST: usize>(
    out: *mut u64,
    start: *const u64,
    top: u64,
    terms: std::ops::Range<*const Item>,
    words: usize,
) -> u64 {
    let new_top;
    // SAFETY: the caller's instructions; reads and writes what the caller promises; restores rbx, rbp and the stack.
    unsafe {
        called!(asm_elements, LAST);
        asm!(
            "push %rax", "push %rbx", "push %rbp", "push %r8",
            blocks!(),
            "mov 56(%rsp), %rbx",
            block!("{last}", "1"),
            "mov %rbx, %rax",
            "add $40, %rsp", "pop %rbp", "pop %rbx", "lea 8(%rsp), %rsp",
             last = const LAST, inout("rdi") out => _, inout("rsi") terms.start => _, inout("rdx") start => _,
            in("rcx") terms.end, inout("rax") top => new_top, inout("r8") (words - LAST) / 8 => _, out("r9") _,
            out("r10") _, out("r11") _, out("r12") _, out("r13") _, out("r14") _, out("r15") _, options(att_syntax)
        );
    }
    new_top
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mont::values::Scratch;
    use crate::ranges::Rng;
    use crate::term::times;

    impl Rng {
        fn edge(&mut self) -> u64 {
            match self.word() % 4 {
                0 => 0,
                1 => u64::MAX,
                _ => self.word(),
            }
        }

        /// Draws `words` words, the last of them a small number in two's complement.
        fn sum(&mut self, words: usize) -> Vec<u64> {
            let top = (self.edge() >> 48).wrapping_sub(1 << 15);
            (1..words).map(|_| self.edge()).chain([top]).collect()
        }
    }

    fn scratch(words: &[u64]) -> Scratch {
        let mut scratch = Scratch::new();
        scratch.copy(words);
        scratch
    }

    fn agree(n: usize, seed: u64) {
        let mut rng = Rng::new(seed);
        let wide = 2 * n + 1;
        let values: Vec<Scratch> = (0..7).map(|_| scratch(&rng.sum(wide))).collect();
        let start = rng.sum(wide);
        let coefficients = [1, -1, 2, -3, 36, 1, -64, 0];
        for len in 0..values.len() {
            let rotate = rng.word() as usize;
            let coeff = |i: usize| coefficients[(i + rotate) % coefficients.len()];
            let terms: Vec<_> = values[..len].iter().enumerate().map(|(i, v)| times(coeff(i), v)).collect();
            let (mut want, mut got) = (vec![0; wide], vec![0; wide]);
            sum_wide(Isa::Portable, &mut want[..], &start, Terms::new(&terms, wide));
            sum_wide(Isa::detect(), &mut got[..], &start, Terms::new(&terms, wide));
            assert_eq!(got, want, "{n} words, {len} terms, seed {seed}");

            let (mut want, mut got) = (vec![0; n], vec![0; n]);
            let want_top = sum_elements(Isa::Portable, &mut want, (&start, 5), Terms::new(&terms, n));
            let got_top = sum_elements(Isa::detect(), &mut got, (&start, 5), Terms::new(&terms, n));
            assert_eq!((got, got_top), (want, want_top), "elements, {n} words, {len} terms, seed {seed}");
        }
    }

    #[test]
    fn portable_sums_are_exact() {
        let (x, y) = (scratch(&[3, u64::MAX, u64::MAX]), scratch(&[5, 0, 0]));
        let mut out = [0; 3];
        // x = 3 − 2^64: 2x − y + y·7 = 36 − 2^65
        sum_wide(Isa::Portable, &mut out[..], &[0; 3], Terms::new(&[times(2, &x), times(-1, &y), times(7, &y)], 3));
        assert_eq!(out, [36, u64::MAX - 1, u64::MAX]);
        let (a, b) = (scratch(&[7]), scratch(&[9]));
        let mut low = [0];
        let top = sum_elements(Isa::Portable, &mut low, (&[1], 4), Terms::new(&[times(1, &a), times(-1, &b)], 1));
        assert_eq!((low, top), ([u64::MAX], 3));
    }

    #[test]
    fn every_implementation_agrees() {
        for seed in 0..60 {
            for n in (1..=20).chain([33, 65]) {
                agree(n, seed);
            }
        }
    }
}
