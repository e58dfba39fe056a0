//! The product in x86-64 assembly: below 8 words row by row, else N mod 4 rows and then blocks of four rows.
//!
//! N² MULX. Code: one row, and for N ≥ 8 at most nine steps of a block; about 1.2 KB at N = 17.
#![allow(unsafe_code)]

use super::Wide;
use core::arch::asm;

/// out = a·b.
///
/// # Safety
/// The processor has BMI2.
#[inline(never)]
pub(super) unsafe fn mul_wide<const N: usize>(out: &mut Wide<N>, a: &[u64; N], b: &[u64; N]) {
    if N < 8 {
        // SAFETY: the caller's BMI2; reads a[0..N], b[0..N], writes the 2N words of `out`; restores what it saves.
        unsafe {
            asm!(
                "mov (%rsi), %rdx",
                first_row!("{n}"),
                "mov %r9, 8*{n}(%rdi)",
                ".if {n} > 1",
                "mov ${n}-1, %r15d",
                "2:",
                "add $8, %rsi",
                "add $8, %rdi",
                "mov (%rsi), %rdx",
                row!("{n}"),
                "mov %r8, 8*{n}(%rdi)",
                "dec %r15d",
                "jnz 2b",
                ".endif",
                n = const N, inout("rdi") out => _, inout("rsi") a => _, in("rcx") b,
                out("rax") _, out("rdx") _, out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _, out("r13") _,
                out("r14") _, out("r15") _, options(att_syntax, nostack)
            );
        }
    } else {
        // SAFETY: as above.
        unsafe {
            asm!(
                "push %rbx",
                "push %rbp",
                "sub $16, %rsp",
                // N mod 4 single rows
                ".if {n}&3",
                "mov (%rsi), %rdx",
                first_row!("{n}"),
                "mov %r9, 8*{n}(%rdi)",
                ".rept ({n}&3)-1",
                "add $8, %rsi",
                "add $8, %rdi",
                "mov (%rsi), %rdx",
                row!("{n}"),
                "mov %r8, 8*{n}(%rdi)",
                ".endr",
                "add $8, %rsi",
                "add $8, %rdi",
                ".else",
                clear!("{n}"),
                ".endif",
                // ⌊N/4⌋ blocks of four rows
                "movl ${n}/4, (%rsp)",
                "2:",
                // step 0 has no window before it; it and step 1 are built, and the window is in r8..r11
                ".if {n}&1",
                build!("0", "%r12" "%r13" "%r14" "%r15"),
                "mov %rbx, (%rdi)",
                build!("8", "%r8" "%r9" "%r10" "%r11"),
                odd!("8", "16"),
                "add $16, %rdi", "add $16, %rcx",
                ".else",
                build!("0", "%r8" "%r9" "%r10" "%r11"),
                "mov %rbx, (%rdi)",
                build!("8", "%r12" "%r13" "%r14" "%r15"),
                "add $8, %rdi", "add $8, %rcx",
                ".endif",
                ".if {n}/2 & 1 == 0",
                even!("0", "8"), odd!("8", "16"),
                "add $16, %rdi", "add $16, %rcx",
                ".endif",
                "movl $({n}/2-1)/2, 4(%rsp)",
                ".p2align 5",
                "3:",
                even!("0", "8"), odd!("8", "16"), even!("16", "24"), odd!("24", "32"),
                "add $32, %rdi", "add $32, %rcx",
                "decl 4(%rsp)",
                "jnz 3b",
                finish!("0", "%r8" "%r9" "%r10" "%r11", "%r12" "%r13" "%r14" "%r15"),
                "sub $8*{n}-8, %rcx", "sub $8*{n}-40, %rdi", "add $32, %rsi",
                "decl (%rsp)",
                "jnz 2b",
                "add $16, %rsp",
                "pop %rbp",
                "pop %rbx",
                n = const N, inout("rdi") out => _, inout("rsi") a => _, inout("rcx") b => _,
                out("rax") _, out("rdx") _, out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _, out("r13") _,
                out("r14") _, out("r15") _, out("xmm0") _, options(att_syntax)
            );
        }
    }
}
