//! Montgomery reduction in x86-64 assembly (Montgomery 1985; separate from the product: the SOS method of Koç, Acar and
//! Kaliski 1996). N² + N multiplications.
//!
//! Each multiplier m_i depends on the row before it: multiplication by −1/p, by p_0, and three additions, about 10 cycles on
//! Zen 5. The shapes differ in what runs meanwhile:
//!
//! * N < 25: rows, whose m_{i+1} is made after their first group of four words; 382 cycles at N = 17 (33 bytes of code a
//!   word, 0.6 KB there);
//! * above: blocks of four rows. The four multipliers of a block come from the square of its first four words with
//!   p[0..4], computed row by row between the steps of the block before. 6 % faster than rows at N = 33,
//!   20 % at 65; code 3.3 to 5.2 KB.
//!
//! The carry words of row i belong at word N + i. They wait in word i, which the row has cleared, for one addition at the end.
#![allow(unsafe_code)]

use super::Wide;
use core::arch::asm;

/// out + carry·2^(64N) = (t + m·p)/2^(64N); returns the carry.
///
/// # Safety
/// The processor has BMI2.
#[inline]
pub(super) unsafe fn redc<const N: usize>(out: &mut [u64; N], t: &mut Wide<N>, p: &[u64; N], ninv: u64) -> u64 {
    // SAFETY: the caller's BMI2, for each of them.
    unsafe {
        match N {
            ..25 => rows(out, t, p, ninv),
            _ => blocks(out, t, p, ninv),
        }
    }
}

/// Row by row. As [`redc`].
///
/// # Safety
/// The processor has BMI2.
#[inline(never)]
unsafe fn rows<const N: usize>(out: &mut [u64; N], t: &mut Wide<N>, p: &[u64; N], ninv: u64) -> u64 {
    let carry;
    // SAFETY: the caller's BMI2; reads p[0..N], reads and writes the 2N words of `t`, writes out[0..N]; restores rbx.
    unsafe {
        called!(rows, N);
        asm!(
            "push %rbx", "push {o}",
            "mov (%rdi), %rdx", "imul %rsi, %rdx",
            "mov ${n}, %r15d",
            "2:",
            reducing_row!("{n}"),
            "dec %r15d",
            "jnz 2b",
            "pop %rdx", "pop %rbx",
            add_carry_words!("{n}"),
            n = const N, o = in(reg) out, inout("rdi") t => _, in("rsi") ninv, in("rcx") p,
            out("rax") carry, out("rdx") _, out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _, out("r13") _,
            out("r14") _, out("r15") _, options(att_syntax)
        );
    }
    carry
}

/// Row i of the square that starts a block, $at = 8i: the words $w0..$w4 gain m_i·p[0..4], which clears $w0, and m_{i+1} is
/// made from $w1. Uses r12..r15, rax, rbx, rbp, rdx.
#[rustfmt::skip]
macro_rules! diagonal {
    ($at:literal, $w0:literal $w1:literal $w2:literal $w3:literal $w4:literal) => {
        concat!(
            "mov 120(%rsp), %rdx\n mov 112(%rsp), %rbp\n mov %rdx, ", $at, "(%rbp)\n",
            "mulx (%rcx), %rbx, %r12\n mulx 8(%rcx), %rax, %r13\n mulx 16(%rcx), %rbp, %r14\n mulx 24(%rcx), %rdx, %r15\n",
            "add %rax, %r12\n adc %rbp, %r13\n adc %rdx, %r14\n adc $0, %r15\n",
            "add ", $w0, ", %rbx\n adc ", $w1, ", %r12\n adc ", $w2, ", %r13\n adc ", $w3, ", %r14\n adc $0, %r15\n",
            "mov %r12, ", $w1, "\n mov %r13, ", $w2, "\n mov %r14, ", $w3, "\n mov %r15, ", $w4, "\n",
            "imul 104(%rsp), %r12\n mov %r12, 120(%rsp)\n"
        )
    };
}

/// Adds the window r12..r15 to the built step (rbx, r8..r11), which makes r8..r11 the window.
#[rustfmt::skip]
macro_rules! close {
    ($at:literal) => {
        concat!("add %r12, %rbx\n mov %rbx, ", $at, "(%rdi)\n adc %r13, %r8\n adc %r14, %r9\n adc %r15, %r10\n adc $0, %r11\n")
    };
}

/// Two steps from a window in r8..r11 to one there, all other registers free on either side.
#[rustfmt::skip]
macro_rules! two_steps {
    ($a:literal $b:literal) => {
        concat!(build!(onto $a, "%r12" "%r13" "%r14" "%r15"), even!(onto $a $b), close!($b))
    };
}

/// Block by block. As [`redc`], for N ≥ 17.
///
/// # Safety
/// The processor has BMI2; N ≥ 17.
#[inline(never)]
unsafe fn blocks<const N: usize>(out: &mut [u64; N], t: &mut Wide<N>, p: &[u64; N], ninv: u64) -> u64 {
    let carry;
    // The frame, from rsp: 4 the loop counter, 8 and 40 the multipliers of this block (at rsi) and of the next (at [112]),
    // 72 the four words that the square leaves above it, 104 −1/p, 120 the next multiplier, 128 the multiplier of a row, then
    // the number of blocks left, 136 out.
    // SAFETY: the caller's BMI2 and N; reads p[0..N], reads and writes the 2N words of `t`, writes out[0..N]; restores rbx,
    // rbp and the stack.
    unsafe {
        called!(blocks, N);
        asm!(
            // (nothing for the N that never come here: their counts would be negative)
            ".if {n} >= 17",
            "push %rbx", "push %rbp", "sub $152, %rsp",
            "mov %rsi, 104(%rsp)", "mov %r8, 136(%rsp)",
            "lea 40(%rsp), %rax", "mov %rax, 112(%rsp)",
            "mov (%rdi), %rdx", "imul %rsi, %rdx",
            // (N − 1) mod 4 single rows
            ".if ({n}-1)&3",
            "mov $(({n}-1)&3), %r15d",
            "2:",
            reducing_row!("{n}"),
            "dec %r15d",
            "jnz 2b",
            ".endif",
            // one more row; once its first five words are known, the square of the first block between its groups
            odd_group!("{n}"),
            ".set .Lk, {n}&3",
            group!(),
            ".if {n}&3 == 0", group!(), ".endif",
            "mov %rdx, 128(%rsp)",
            "mov 8(%rdi), %rax", "imul %rsi, %rax", "mov %rax, 120(%rsp)",
            diagonal!("0", "8(%rdi)" "16(%rdi)" "24(%rdi)" "32(%rdi)" "72(%rsp)"),
            "mov 128(%rsp), %rdx",
            group!(),
            diagonal!("8", "16(%rdi)" "24(%rdi)" "32(%rdi)" "72(%rsp)" "80(%rsp)"),
            "mov 128(%rsp), %rdx",
            group!(),
            diagonal!("16", "24(%rdi)" "32(%rdi)" "72(%rsp)" "80(%rsp)" "88(%rsp)"),
            "mov 128(%rsp), %rdx",
            ".rept ({n}-.Lk)/4", group!(), ".endr",
            diagonal!("24", "32(%rdi)" "72(%rsp)" "80(%rsp)" "88(%rsp)" "96(%rsp)"),
            "mov %r8, (%rdi)",
            "add $8, %rdi",
            // ⌊(N − 1)/4⌋ blocks; the last has no next block
            "lea 8(%rsp), %rsi",
            "movl $(({n}-1)/4), 128(%rsp)",
            "3:",
            "mov 112(%rsp), %rax", "mov %rsi, 112(%rsp)", "mov %rax, %rsi",
            "mov 72(%rsp), %r8", "mov 80(%rsp), %r9", "mov 88(%rsp), %r10", "mov 96(%rsp), %r11",
            // words 4..8, which the square of the next block needs
            build!(onto "32", "%r12" "%r13" "%r14" "%r15"),
            even!(onto "32" "40"), odd!(onto "40" "48"), even!(onto "48" "56"),
            close!("56"),
            "cmpl $1, 128(%rsp)", "je 4f",
            "mov 32(%rdi), %rax", "imul 104(%rsp), %rax", "mov %rax, 120(%rsp)",
            diagonal!("0", "32(%rdi)" "40(%rdi)" "48(%rdi)" "56(%rdi)" "72(%rsp)"),
            "4:",
            two_steps!("64" "72"),
            "cmpl $1, 128(%rsp)", "je 4f",
            diagonal!("8", "40(%rdi)" "48(%rdi)" "56(%rdi)" "72(%rsp)" "80(%rsp)"),
            "4:",
            two_steps!("80" "88"),
            "cmpl $1, 128(%rsp)", "je 4f",
            diagonal!("16", "48(%rdi)" "56(%rdi)" "72(%rsp)" "80(%rsp)" "88(%rsp)"),
            "4:",
            two_steps!("96" "104"),
            "cmpl $1, 128(%rsp)", "je 4f",
            diagonal!("24", "56(%rdi)" "72(%rsp)" "80(%rsp)" "88(%rsp)" "96(%rsp)"),
            "4:",
            // N − 14 steps are left; for an odd number of them the window is in r8..r11 when the first is built
            "add $112, %rdi", "add $112, %rcx",
            ".if {n}&1",
            build!(onto "0", "%r12" "%r13" "%r14" "%r15"),
            ".else",
            "mov %r8, %r12", "mov %r9, %r13", "mov %r10, %r14", "mov %r11, %r15",
            build!(onto "0", "%r8" "%r9" "%r10" "%r11"),
            odd!(onto "0" "8"),
            "add $8, %rdi", "add $8, %rcx",
            ".endif",
            pairs!(onto "({n}-13)"),
            "add %r8, %rbx", "adc %r9, %r12", "adc %r10, %r13", "adc %r11, %r14", "adc $0, %r15", "mov %rbx, (%rdi)",
            "sub $8*({n}-1), %rdi", "sub $8*({n}-1), %rcx",
            "mov %r12, (%rdi)", "mov %r13, 8(%rdi)", "mov %r14, 16(%rdi)", "mov %r15, 24(%rdi)",
            "add $32, %rdi",
            "decl 128(%rsp)",
            "jnz 3b",
            "mov 136(%rsp), %rdx",
            "add $152, %rsp", "pop %rbp", "pop %rbx",
            add_carry_words!("{n}"),
            ".endif",
            n = const N, inout("r8") out => _, inout("rdi") t => _, inout("rsi") ninv => _, in("rcx") p,
            out("rax") carry, out("rdx") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _, out("r13") _,
            out("r14") _, out("r15") _, options(att_syntax)
        );
    }
    carry
}
