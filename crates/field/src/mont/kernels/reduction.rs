//! Montgomery reduction in x86-64 assembly (Montgomery 1985; separate from the product: the SOS method of Koç, Acar
//! and Kaliski 1996). Row by row it takes N² + N multiplications. From 17 words on blocks come before the rows, and
//! N² + 5 to N² + 8 multiplications suffice.
//!
//! * A row adds m·p·2^(64i), with the m that clears word i: it waits for the row before, a product by −1/p and one by
//!   p_0.
//! * A block adds four or eight rows at once. With B = 2^256 or 2^512 and k = −1/p modulo B let p'' = (k·p + 1)/B. Then
//!   for the lowest words c = t mod B of t, t + c·k·p = (t − c) + c·p''·B: the words that are cleared are multipliers as
//!   they are, nothing is waited for, and a block is like that of a product (Orup, "Simplifying quotient determination
//!   in high-radix modular multiplication", ARITH 1995).
//!
//! A block adds a multiple of p that is up to B times larger than needed. The steps that follow divide this multiple
//! by at least 2^64·B: after blocks of eight come one or two blocks of four, and after these five to eight rows. So
//! the result is below t/R + p + 2p/2^64.
//!
//! The carry word of row i belongs at word N + i. It waits in word i, which the row has cleared, for one addition at
//! the end.
#![allow(unsafe_code)]

use super::BLOCKS;
use core::arch::asm;

/// Row by row: out + carry·2^(64N) = t/2^(64N) modulo p, below t/R + p; returns the carry.
///
/// # Safety
/// The processor must have BMI2; `out` must be N words, t 2N words, and m the words of a `Modulus` of N words.
pub(super) unsafe fn rows<const N: usize>(out: *mut u64, t: *mut u64, m: *const u64, _: usize) -> u64 {
    let carry;
    // SAFETY: the caller's BMI2; reads p[0..N] and −1/p, reads and writes the 2N words of `t`, writes out[0..N]; restores rbx.
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
            add_carry_words!("0" "{n}"),
            n = const N, o = in(reg) out, inout("rdi") t => _, in("rsi") *m.add(2 * N + 2), in("rcx") m,
            out("rax") carry, out("rdx") _, out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _, out("r13") _,
            out("r14") _, out("r15") _, options(att_syntax)
        );
    }
    carry
}

/// Propagates the carry of the last block, in 8(%rsp), through $count words from word $first behind rsi; leaves the
/// last carry in rax, as 0 or −1.
#[rustfmt::skip]
macro_rules! carry_up {
    ($first:literal $count:literal) => {
        concat!(
            "mov 8(%rsp), %rax\n add %rax, %rax\n .set .Lk, ", $first, "\n",
            ".rept ", $count, "\n adcq $0, 8*.Lk(%rsi)\n .set .Lk, .Lk+1\n .endr\n sbb %rax, %rax\n"
        )
    };
}

/// Like [`rows`], with blocks before the rows: the result is below t/R + p + 2p/2^64.
///
/// # Safety
/// The requirements are those of [`rows`]; the processor must also have ADX, and N ≥ [`BLOCKS`].
pub(super) unsafe fn blocks<const N: usize>(out: *mut u64, t: *mut u64, m: *const u64, _: usize) -> u64 {
    let carry;
    // The frame, from rsp: 0 the blocks left, 4 the loop counter of a block, 8 the carry of a block, as 0 or −1, 16 out, 24 → p,
    // 32 −1/p, 40 → p'' of blocks of four, 48 the carry of the blocks of eight.
    // SAFETY: the caller's instructions and N; reads p and both p'', reads and writes the 2N words of `t`, writes out[0..N]; restores
    // rbx, rbp and the stack.
    unsafe {
        called!(blocks, N);
        asm!(
            // (no code for values of N that are never used: their counts would be negative)
            ".if {n} >= {least}",
            "push %rbx", "push %rbp", "sub $56, %rsp",
            "mov %r8, 16(%rsp)", "mov %r9, 24(%rsp)", "mov %rsi, 32(%rsp)", "mov %rcx, 40(%rsp)",
            "movq $0, 8(%rsp)",
            // the multipliers of a block are at rsi; the words that the block is added to lie behind them
            "mov %rdi, %rsi",
            ".set .Le, ({n}-9)/8",
            "movl $.Le, (%rsp)",
            "add $64, %rdi", "mov %r10, %rcx",
            "2:",
            block_of_eight!(into "{n}"),
            "decl (%rsp)",
            "jnz 2b",
            carry_up!("{n}+8" "{n}-8*.Le-8"), "mov %rax, 48(%rsp)",
            "movq $0, 8(%rsp)",
            ".set .Lb, ({n}-8*.Le-5)/4",
            "movl $.Lb, (%rsp)",
            "sub $32, %rdi", "mov 40(%rsp), %rcx",
            "2:",
            block!(into "{n}"),
            "decl (%rsp)",
            "jnz 2b",
            ".set .Lb, 2*.Le+.Lb",
            carry_up!("{n}+4" "{n}-4*.Lb-4"), "mov %rax, 8(%rsp)",
            // rows from word 4·.Lb on
            "mov %rsi, %rdi", "mov 24(%rsp), %rcx", "mov 32(%rsp), %rsi",
            "mov (%rdi), %rdx", "imul %rsi, %rdx",
            "mov $({n}-4*.Lb), %r15d",
            "3:",
            reducing_row!("{n}"),
            "dec %r15d",
            "jnz 3b",
            "mov 16(%rsp), %rdx",
            add_carry_words!("4*.Lb" "{n}"),
            "sub 8(%rsp), %rax", "sub 48(%rsp), %rax",
            "add $56, %rsp", "pop %rbp", "pop %rbx",
            ".endif",
            n = const N, least = const BLOCKS, inout("r8") out => _, inout("rdi") t => _,
            inout("rsi") *m.add(2 * N + 2) => _, inout("r9") m => _, inout("rcx") m.add(6 * N + 5) => _,
            inout("r10") m.add(7 * N + 5) => _,
            out("rax") carry, out("rdx") _, out("r11") _, out("r12") _, out("r13") _,
            out("r14") _, out("r15") _, options(att_syntax)
        );
    }
    carry
}
