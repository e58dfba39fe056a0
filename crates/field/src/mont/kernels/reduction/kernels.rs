//! Montgomery reduction in x86-64 assembly, row by row.
//!
//! Montgomery 1985; separated from the product (SOS) in the terms of Koç, Acar and Kaliski 1996. N² + N multiplications.
//! Code: one row and one addition, about 45 bytes a word.
#![allow(unsafe_code)]

use super::Wide;
use core::arch::asm;

/// out + carry·2^(64N) = (t + m·p)/2^(64N), row by row; returns the carry.
///
/// The carry word of row i belongs at word N + i. It is kept in word i, which the row has cleared, until one addition at the
/// end. The next multiplier is computed as soon as its word is known, in the row's first group.
///
/// # Safety
/// The processor has BMI2.
#[inline(never)]
pub(super) unsafe fn redc<const N: usize>(out: &mut [u64; N], t: &mut Wide<N>, p: &[u64; N], ninv: u64) -> u64 {
    let carry;
    // SAFETY: the caller's BMI2; reads p[0..N], reads and writes the 2N words of `t`, writes out[0..N]; restores rbx.
    unsafe {
        asm!(
            "push %rbx", "push {o}",
            "mov (%rdi), %rdx", "imul %rsi, %rdx",
            "mov ${n}, %r15d",
            "2:",
            odd_group!("{n}"),
            ".set .Lk, {n}&3",
            ".if {n}&3 > 1",
            "mov %r10, %rbx",
            ".elseif {n} >= 4",
            four_products!(),
            "add 8*.Lk(%rdi), %rax", "adc 8*.Lk+8(%rdi), %r10", "adc %r12, 8*.Lk+16(%rdi)", "adc %r14, 8*.Lk+24(%rdi)",
            "adc $0, %r8",
            "mov %rax, 8*.Lk(%rdi)", "mov %r10, 8*.Lk+8(%rdi)",
            ".if {n}&3",
            "mov %rax, %rbx",
            ".else",
            "mov %r10, %rbx",
            ".endif",
            ".set .Lk, .Lk+4",
            ".endif",
            // rbx was word 1: it becomes the next multiplier
            "imul %rsi, %rbx",
            ".rept ({n}-.Lk)/4",
            group!(),
            ".endr",
            "mov %r8, (%rdi)",
            "mov %rbx, %rdx",
            "add $8, %rdi",
            "dec %r15d",
            "jnz 2b",
            "pop %rdx", "pop %rbx",
            "xor %eax, %eax",
            ".set .Lk, 0",
            ".rept {n}",
            "mov 8*.Lk(%rdi), %r8", "adc 8*.Lk-8*{n}(%rdi), %r8", "mov %r8, 8*.Lk(%rdx)",
            ".set .Lk, .Lk+1",
            ".endr",
            "adc %rax, %rax",
            n = const N, o = inout(reg) out => _, inout("rdi") t => _, inout("rsi") ninv => _, in("rcx") p,
            out("rax") carry, out("rdx") _, out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _, out("r13") _,
            out("r14") _, out("r15") _, options(att_syntax)
        );
    }
    carry
}
