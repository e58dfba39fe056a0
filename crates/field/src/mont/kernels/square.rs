//! The square in x86-64 assembly: the products a_i·a_j with i < j, then doubled, and the squares a_i² added.
//!
//! N mod 4 rows and then blocks of four rows of decreasing length; a block starts from the six products inside it. When a
//! block is done, eight more words are final, and they are doubled and squared while the next block runs: a pass over all
//! 2N words at the end would be one chain of 2N carries. (Ozturk, Guilford and Gopal 2013 do it in such a pass.)
//!
//! N(N+1)/2 MULX, 208 cycles at N = 17 on Zen 5. Up to 20 words all steps are unrolled (3.1 KB at N = 17, 7 % faster than a
//! loop of four steps), above that a loop of eight, 1.2 to 2.3 KB. From 8 words on.
#![allow(unsafe_code)]

use core::arch::asm;

/// The start of a block: T[1..4] += the low words of the six products of rsi[0..4], whose upper words are the window r8..r11.
#[rustfmt::skip]
macro_rules! triangle {
    () => {
        concat!(
            "mov %rsi, %rcx\n",
            "mov (%rsi), %rdx\n mulx 8(%rsi), %r12, %r13\n mulx 16(%rsi), %rax, %r14\n add %rax, %r13\n",
            "mulx 24(%rsi), %rax, %r8\n adc %rax, %r14\n",
            "mov 8(%rsi), %rdx\n mulx 24(%rsi), %rax, %r9\n adc %rax, %r8\n adc $0, %r9\n",
            "mulx 16(%rsi), %rax, %rbx\n add %rax, %r14\n adc %rbx, %r8\n",
            "mov 16(%rsi), %rdx\n mulx 24(%rsi), %rax, %r10\n adc %rax, %r9\n adc $0, %r10\n xor %r11d, %r11d\n",
            "add %r12, 8(%rdi)\n adc %r13, 16(%rdi)\n adc %r14, 24(%rdi)\n",
            "adc $0, %r8\n adc $0, %r9\n adc $0, %r10\n adc $0, %r11\n"
        )
    };
}

/// Adds the square of word $at of rsi and the carry to two words in registers.
#[rustfmt::skip]
macro_rules! add_square {
    ($at:literal, $low:literal $high:literal) => {
        concat!("mov ", $at, "(%rsi), %rdx\n mulx %rdx, %rax, %rbx\n adc %rax, ", $low, "\n adc %rbx, ", $high, "\n")
    };
}

/// The end of a block: T[0..8] = 2·T[0..8] + the squares of rsi[0..4], and both pointers move on. Between blocks, 8(%rsp)
/// is the last word before doubling, whose top bit comes in, and 16(%rsp) is the carry as 0 or −1.
#[rustfmt::skip]
macro_rules! double_and_square {
    () => {
        concat!(
            "mov (%rdi), %r8\n mov 8(%rdi), %r9\n mov 16(%rdi), %r10\n mov 24(%rdi), %r11\n",
            "mov 32(%rdi), %r12\n mov 40(%rdi), %r13\n mov 48(%rdi), %r14\n mov 56(%rdi), %r15\n",
            "mov 8(%rsp), %rax\n mov %r15, 8(%rsp)\n add %rax, %rax\n",
            "adc %r8, %r8\n adc %r9, %r9\n adc %r10, %r10\n adc %r11, %r11\n",
            "adc %r12, %r12\n adc %r13, %r13\n adc %r14, %r14\n adc %r15, %r15\n",
            "mov 16(%rsp), %rax\n add %rax, %rax\n",
            add_square!("0", "%r8" "%r9"), add_square!("8", "%r10" "%r11"),
            add_square!("16", "%r12" "%r13"), add_square!("24", "%r14" "%r15"),
            "sbb %rax, %rax\n mov %rax, 16(%rsp)\n",
            "mov %r8, (%rdi)\n mov %r9, 8(%rdi)\n mov %r10, 16(%rdi)\n mov %r11, 24(%rdi)\n",
            "mov %r12, 32(%rdi)\n mov %r13, 40(%rdi)\n mov %r14, 48(%rdi)\n mov %r15, 56(%rdi)\n",
            "add $64, %rdi\n add $32, %rsi\n"
        )
    };
}

/// out = a².
///
/// # Safety
/// The processor must have BMI2 and ADX. `out` must be 2N words that may be written, need not be initialised and are
/// not those of `a`; `a` must be N ≥ 8 words.
pub(super) unsafe fn sqr_wide<const N: usize>(out: *mut u64, a: *const u64, _: usize) {
    // SAFETY: the caller's BMI2 and ADX; reads a[0..N], writes the 2N words of `out`; restores rbx, rbp and the stack.
    unsafe {
        called!(sqr_wide, N);
        asm!(
            // (no code for values of N that are never used: their counts would be negative)
            ".if {n} >= 8",
            "push %rbx", "push %rbp", "sub $32, %rsp",
            "movq $0, 8(%rsp)", "movq $0, 16(%rsp)",
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
            // their words are final: doubled (carries in CF), with the squares added (carries in OF)
            "sub $16*({n}&3)-8, %rdi",
            "xor %r10d, %r10d",
            ".set .Lk, 0",
            ".rept {n}&3",
            "mov 8*.Lk(%rsi), %rdx", "mulx %rdx, %rax, %rbx",
            "mov 16*.Lk(%rdi), %r8", "mov 16*.Lk+8(%rdi), %r9", "mov %r9, %r11",
            "adcx %r8, %r8", "adox %rax, %r8", "mov %r8, 16*.Lk(%rdi)",
            "adcx %r9, %r9", "adox %rbx, %r9", "mov %r9, 16*.Lk+8(%rdi)",
            ".set .Lk, .Lk+1",
            ".endr",
            "mov $0, %eax", "adox %rax, %r10", "neg %r10",
            "mov %r11, 8(%rsp)", "mov %r10, 16(%rsp)",
            "add $8*({n}&3), %rsi", "add $16*({n}&3), %rdi",
            ".else",
            clear!("{n}"),
            ".endif",
            // ⌊N/4⌋ blocks of four rows, of .Lg groups of four steps
            ".if {n} <= 20",
            ".set .Lg, {n}/4-1",
            ".rept {n}/4",
            triangle!(),
            ".if .Lg",
            build!(onto "32", "%r12" "%r13" "%r14" "%r15"),
            ".set .Lk, 4",
            ".rept 2*.Lg-1",
            even!(onto "8*.Lk" "8*.Lk+8"), odd!(onto "8*.Lk+8" "8*.Lk+16"),
            ".set .Lk, .Lk+2",
            ".endr",
            even!(onto "8*.Lk" "8*.Lk+8"),
            finish!(onto "8*.Lk+8", "%r12" "%r13" "%r14" "%r15", "%r8" "%r9" "%r10" "%r11"),
            ".else",
            "mov %r8, 32(%rdi)", "mov %r9, 40(%rdi)", "mov %r10, 48(%rdi)", "mov %r11, 56(%rdi)",
            ".endif",
            double_and_square!(),
            ".set .Lg, .Lg-1",
            ".endr",
            // the same with the groups counted in (%rsp), two per turn; an odd block enters at the second
            ".else",
            "movl ${n}/4-1, (%rsp)",
            "2:",
            triangle!(),
            "mov %rdi, 24(%rsp)",
            "mov (%rsp), %ebp",
            "lea 1(%rbp), %eax", "shr $1, %eax", "jz 5f",
            "mov %eax, 4(%rsp)",
            "test $1, %ebp", "jz 6f",
            build!(onto "32", "%r12" "%r13" "%r14" "%r15"),
            "sub $32, %rdi", "sub $32, %rcx",
            "jmp 4f",
            "6:",
            build!(onto "32", "%r12" "%r13" "%r14" "%r15"),
            ".p2align 5",
            "3:",
            even!(onto "32" "40"), odd!(onto "40" "48"), even!(onto "48" "56"), odd!(onto "56" "64"),
            "4:",
            even!(onto "64" "72"), odd!(onto "72" "80"), even!(onto "80" "88"),
            "decl 4(%rsp)",
            "jz 7f",
            odd!(onto "88" "96"),
            "add $64, %rdi", "add $64, %rcx",
            "jmp 3b",
            "7:",
            finish!(onto "88", "%r12" "%r13" "%r14" "%r15", "%r8" "%r9" "%r10" "%r11"),
            "mov 24(%rsp), %rdi",
            "jmp 6f",
            "5:",
            "mov %r8, 32(%rdi)", "mov %r9, 40(%rdi)", "mov %r10, 48(%rdi)", "mov %r11, 56(%rdi)",
            "6:",
            double_and_square!(),
            "decl (%rsp)",
            "jns 2b",
            ".endif",
            "add $32, %rsp", "pop %rbp", "pop %rbx",
            ".endif",
            n = const N, inout("rdi") out => _, inout("rsi") a => _, out("rcx") _,
            out("rax") _, out("rdx") _, out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _, out("r13") _,
            out("r14") _, out("r15") _, out("xmm0") _, options(att_syntax)
        );
    }
}
