//! The product in x86-64 assembly, N² MULX: N mod 4 single rows, then blocks of four rows; from 16 words on all
//! blocks but at most one are blocks of eight.
//!
//! At N = 65 a word product takes 1.10 cycles on Zen 5. Code: 1.4 KB at N = 15 (a block unrolled once), 1.5 to 4 KB
//! from 16 words on.
//! Karatsuba's method is not used.
#![allow(unsafe_code)]

use core::arch::asm;

/// out = a·b.
///
/// # Safety
/// The processor must have BMI2 and ADX. `out` must be 2N words that may be written, need not be initialised and are
/// not those of an operand; a and b must be N words.
pub(super) unsafe fn mul_wide<const N: usize>(out: *mut u64, a: *const u64, b: *const u64, _: usize) {
    // SAFETY: the caller's instructions; reads a[0..N], b[0..N], writes the 2N words of `out`; restores rbx, rbp and the stack.
    unsafe {
        called!(mul_wide, N);
        asm!(
            "push %rbx", "push %rbp",
            ".if {n} < 16", "push ${n}/4", ".else", "push ${n}/8", ".endif",
            ".if {n} < 4",
            "mov (%rsi), %rdx",
            first_row!("{n}"),
            "mov %r9, 8*{n}(%rdi)",
            ".rept {n}-1",
            "add $8, %rsi", "add $8, %rdi", "mov (%rsi), %rdx",
            row!("{n}"),
            "mov %r8, 8*{n}(%rdi)",
            ".endr",

            // the first block has nothing to add to
            ".elseif {n} < 8",
            block!(fresh "{n}"),
            ".rept {n}-4",
            "mov (%rsi), %rdx",
            row!("{n}"),
            "mov %r8, 8*{n}(%rdi)", "add $8, %rsi", "add $8, %rdi",
            ".endr",

            ".else",
            ".if {n}&3",
            "mov (%rsi), %rdx",
            first_row!("{n}"),
            "mov %r9, 8*{n}(%rdi)", "add $8, %rsi", "add $8, %rdi",
            ".rept ({n}&3)-1",
            "mov (%rsi), %rdx",
            row!("{n}"),
            "mov %r8, 8*{n}(%rdi)", "add $8, %rsi", "add $8, %rdi",
            ".endr",
            ".else",
            clear!("{n}"),
            ".endif",
            // (%rsp) counts the blocks
            ".if {n} < 16",
            "2:",
            block!(onto "{n}"),
            ".else",
            ".if {n}&4", block!(onto "{n}"), ".endif",
            "2:",
            block_of_eight!(onto "{n}"),
            ".endif",
            "decl (%rsp)",
            "jnz 2b",
            ".endif",

            "pop %rax", "pop %rbp", "pop %rbx",
            n = const N, inout("rdi") out => _, inout("rsi") a => _, inout("rcx") b => _,
            out("rax") _, out("rdx") _, out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _, out("r13") _,
            out("r14") _, out("r15") _, out("xmm0") _, options(att_syntax)
        );
    }
}
