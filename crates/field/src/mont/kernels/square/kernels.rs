//! The square in x86-64 assembly: the products a_i·a_j with i < j, then one pass that doubles them and adds the squares.
//!
//! N mod 4 rows and then blocks of four rows of decreasing length; each block starts from the six products inside it.
//! N(N+1)/2 MULX. Code: about 1 KB and 36 bytes a word. Below 8 words the product serves.
#![allow(unsafe_code)]

use super::Wide;
use super::product::mul_wide;
use core::arch::asm;

/// out = a²: the products a_i·a_j with i < j as a triangle of four-row blocks, then doubled, and the squares added.
///
/// # Safety
/// The processor has BMI2 and ADX.
#[inline(never)]
pub(super) unsafe fn sqr_wide<const N: usize>(out: &mut Wide<N>, a: &[u64; N]) {
    if N < 8 {
        // SAFETY: the caller's.
        return unsafe { mul_wide(out, a, a) };
    }
    // SAFETY: the caller's BMI2 and ADX; reads a[0..N], writes the 2N words of `out`; restores what it saves.
    unsafe {
        asm!(
            "push %rbx", "push %rbp", "push %rdi", "push %rsi",
            // N mod 4 single rows a_i·a[i+1..N]
            ".if {n}&3",
            "movq $0, (%rdi)",
            "mov (%rsi), %rdx", "lea 8(%rsi), %rcx", "add $8, %rdi",
            first_row!("{n}-1"),
            "mov %r9, 8*{n}-8(%rdi)",
            ".if {n}&3 > 1",
            "mov 8(%rsi), %rdx", "add $8, %rcx", "add $16, %rdi",
            row!("{n}-2"),
            "mov %r8, 8*{n}-16(%rdi)",
            ".endif",
            ".if {n}&3 > 2",
            "mov 16(%rsi), %rdx", "add $8, %rcx", "add $16, %rdi",
            row!("{n}-3"),
            "mov %r8, 8*{n}-24(%rdi)",
            ".endif",
            "add $8*({n}&3), %rsi", "add $8, %rdi",
            ".else",
            clear!("{n}"),
            ".endif",
            // ⌊N/4⌋ blocks of four rows; the stack holds how many groups of four steps the block has
            "push ${n}/4-1",
            "2:",
            // the six products inside the block, at words 1..7
            "mov (%rsi), %rdx", "mulx 8(%rsi), %r12, %r13", "mulx 16(%rsi), %rax, %r14", "add %rax, %r13",
            "mulx 24(%rsi), %rax, %r8", "adc %rax, %r14",
            "mov 8(%rsi), %rdx", "mulx 24(%rsi), %rax, %r9", "adc %rax, %r8", "adc $0, %r9",
            "mulx 16(%rsi), %rax, %rbx", "add %rax, %r14", "adc %rbx, %r8",
            "mov 16(%rsi), %rdx", "mulx 24(%rsi), %rax, %r10", "adc %rax, %r9", "adc $0, %r10",
            "xor %r11d, %r11d",
            "add %r12, 8(%rdi)", "adc %r13, 16(%rdi)", "adc %r14, 24(%rdi)",
            "adc $0, %r8", "adc $0, %r9", "adc $0, %r10", "adc $0, %r11",
            "add $32, %rdi", "lea 32(%rsi), %rcx", "mov (%rsp), %ebp", "test %ebp, %ebp", "jz 5f",
            "mov %ebp, 4(%rsp)",
            build!("0", "%r12" "%r13" "%r14" "%r15"),
            ".p2align 5",
            "3:",
            even!("0", "8"), odd!("8", "16"), even!("16", "24"),
            "decl 4(%rsp)",
            "jz 4f",
            odd!("24", "32"),
            "add $32, %rdi", "add $32, %rcx",
            "jmp 3b",
            "4:",
            finish!("24", "%r12" "%r13" "%r14" "%r15", "%r8" "%r9" "%r10" "%r11"),
            // the next block starts eight words above this one
            "add $32, %rsi", "add $64, %rdi", "mov (%rsp), %eax", "dec %eax", "mov %eax, (%rsp)", "inc %eax",
            "shl $5, %eax", "sub %rax, %rdi",
            "jmp 2b",
            "5:",
            "mov %r8, (%rdi)", "mov %r9, 8(%rdi)", "mov %r10, 16(%rdi)", "mov %r11, 24(%rdi)",
            // out = 2·out (carries in CF) + Σ a_i²·2^(128i) (carries in OF)
            "pop %rax", "pop %rsi", "pop %rdi",
            "xor %eax, %eax",
            ".set .Lk, 0",
            ".rept {n}",
            "mov 8*.Lk(%rsi), %rdx", "mulx %rdx, %r8, %r9",
            "mov 16*.Lk(%rdi), %r10", "adcx %r10, %r10", "adox %r8, %r10", "mov %r10, 16*.Lk(%rdi)",
            "mov 16*.Lk+8(%rdi), %r11", "adcx %r11, %r11", "adox %r9, %r11", "mov %r11, 16*.Lk+8(%rdi)",
            ".set .Lk, .Lk+1",
            ".endr",
            "pop %rbp", "pop %rbx",
            n = const N, inout("rdi") out => _, inout("rsi") a => _, out("rcx") _,
            out("rax") _, out("rdx") _, out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _, out("r13") _,
            out("r14") _, out("r15") _, out("xmm0") _, options(att_syntax)
        );
    }
}
