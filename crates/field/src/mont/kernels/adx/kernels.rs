//! Products, squares and reductions in x86-64 assembly.
#![allow(unsafe_code)]

use super::Wide;
use core::arch::asm;

/// The first row of a product: T[0..len] = m·y, where rdx = m, rcx → y, rdi → T. The carry word is left in r9.
macro_rules! first_row {
    ($len:literal) => {
        concat!(
            "mulx (%rcx), %rax, %r9\n mov %rax, (%rdi)\n xor %eax, %eax\n .set .Lk, 1\n .rept (",
            $len,
            "-1)/2\n",
            "mulx 8*.Lk(%rcx), %rax, %r10\n adc %r9, %rax\n mov %rax, 8*.Lk(%rdi)\n",
            "mulx 8*.Lk+8(%rcx), %rax, %r9\n adc %r10, %rax\n mov %rax, 8*.Lk+8(%rdi)\n .set .Lk, .Lk+2\n .endr\n",
            ".if (",
            $len,
            "-1)&1\n mulx 8*.Lk(%rcx), %rax, %r10\n adc %r9, %rax\n mov %rax, 8*.Lk(%rdi)\n",
            "mov %r10, %r9\n .endif\n adc $0, %r9\n"
        )
    };
}

/// A short group that starts a row: T[0..len mod 4] += m·y. The carry word is left in r8 (zero for an empty group).
macro_rules! odd_group {
    ($len:literal) => {
        concat!(
            ".if (",
            $len,
            ")&3 == 0\n xor %r8d, %r8d\n .endif\n",
            ".if (",
            $len,
            ")&3 == 1\n mulx (%rcx), %rax, %r8\n add %rax, (%rdi)\n adc $0, %r8\n .endif\n",
            ".if (",
            $len,
            ")&3 == 2\n mulx (%rcx), %rax, %r9\n mulx 8(%rcx), %r10, %r8\n add %r9, %r10\n adc $0, %r8\n",
            "add %rax, (%rdi)\n adc 8(%rdi), %r10\n mov %r10, 8(%rdi)\n adc $0, %r8\n .endif\n",
            ".if (",
            $len,
            ")&3 == 3\n mulx (%rcx), %rax, %r9\n mulx 8(%rcx), %r10, %r11\n add %r9, %r10\n",
            "mulx 16(%rcx), %r12, %r8\n adc %r11, %r12\n adc $0, %r8\n",
            "add %rax, (%rdi)\n adc 8(%rdi), %r10\n mov %r10, 8(%rdi)\n adc %r12, 16(%rdi)\n adc $0, %r8\n .endif\n",
        )
    };
}

/// Four products m·y[k..k+4] and the carry word r8, as words rax, r10, r12, r14 and the new carry word r8.
macro_rules! four_products {
    () => {
        concat!(
            "mulx 8*.Lk(%rcx), %rax, %r9\n add %r8, %rax\n mulx 8*.Lk+8(%rcx), %r10, %r11\n adc %r9, %r10\n",
            "mulx 8*.Lk+16(%rcx), %r12, %r13\n adc %r11, %r12\n mulx 8*.Lk+24(%rcx), %r14, %r8\n adc %r13, %r14\n adc $0, %r8\n"
        )
    };
}

/// T[k..k+4] += m·y[k..k+4] + r8; the carry word is left in r8.
macro_rules! group {
    () => {
        concat!(
            four_products!(),
            "add %rax, 8*.Lk(%rdi)\n adc %r10, 8*.Lk+8(%rdi)\n adc %r12, 8*.Lk+16(%rdi)\n adc %r14, 8*.Lk+24(%rdi)\n",
            "adc $0, %r8\n .set .Lk, .Lk+4\n"
        )
    };
}

/// A row: T[0..len] += m·y, where rdx = m, rcx → y, rdi → T. The carry word is left in r8.
macro_rules! row {
    ($len:literal) => {
        concat!(odd_group!($len), ".set .Lk, (", $len, ")&3\n .rept (", $len, ")/4\n", group!(), ".endr\n")
    };
}

/// One step of four rows: (c0..c3) + T_j + y_j·x[0..4], whose low word becomes rbx (and is stored) and whose upper words
/// t1..t4 are the next window. rcx → y, rdi → T, $x → x.
macro_rules! step {
    ($c0:literal $c1:literal $c2:literal $c3:literal, $t1:literal $t2:literal $t3:literal $t4:literal, $x:literal, $at:literal) => {
        concat!(
            "mov ",
            $at,
            "(%rcx), %rdx\n mulx (",
            $x,
            "), %rbx, ",
            $t1,
            "\n mulx 8(",
            $x,
            "), %rax, ",
            $t2,
            "\n",
            "add ",
            $at,
            "(%rdi), %rbx\n adc %rax, ",
            $t1,
            "\n mulx 16(",
            $x,
            "), %rax, ",
            $t3,
            "\n adc %rax, ",
            $t2,
            "\n",
            "mulx 24(",
            $x,
            "), %rax, ",
            $t4,
            "\n adc %rax, ",
            $t3,
            "\n adc $0, ",
            $t4,
            "\n",
            "add ",
            $c0,
            ", %rbx\n mov %rbx, ",
            $at,
            "(%rdi)\n adc ",
            $c1,
            ", ",
            $t1,
            "\n adc ",
            $c2,
            ", ",
            $t2,
            "\n",
            "adc ",
            $c3,
            ", ",
            $t3,
            "\n adc $0, ",
            $t4,
            "\n"
        )
    };
}

/// A step whose window is r8..r11 before and r12..r15 after.
macro_rules! even {
    ($x:literal, $at:literal) => {
        step!("%r8" "%r9" "%r10" "%r11", "%r12" "%r13" "%r14" "%r15", $x, $at)
    };
}

/// A step whose window is r12..r15 before and r8..r11 after.
macro_rules! odd {
    ($x:literal, $at:literal) => {
        step!("%r12" "%r13" "%r14" "%r15", "%r8" "%r9" "%r10" "%r11", $x, $at)
    };
}

/// Four steps, and the pointers moved past them.
macro_rules! four_steps {
    ($x:literal) => {
        concat!(even!($x, "0"), odd!($x, "8"), even!($x, "16"), odd!($x, "24"), "add $32, %rdi\n add $32, %rcx\n")
    };
}

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
                "pxor %xmm0, %xmm0",
                ".set .Lk, 0",
                ".rept {n}/2",
                "movups %xmm0, 16*.Lk(%rdi)",
                ".set .Lk, .Lk+1",
                ".endr",
                ".endif",
                // ⌊N/4⌋ blocks of four rows
                "push ${n}/4",
                "2:",
                ".if {n}&1",
                "xor %r12d, %r12d", "xor %r13d, %r13d", "xor %r14d, %r14d", "xor %r15d, %r15d",
                odd!("%rsi", "0"),
                "add $8, %rdi", "add $8, %rcx",
                ".else",
                "xor %r8d, %r8d", "xor %r9d, %r9d", "xor %r10d, %r10d", "xor %r11d, %r11d",
                ".endif",
                ".if {n}&2",
                even!("%rsi", "0"), odd!("%rsi", "8"),
                "add $16, %rdi", "add $16, %rcx",
                ".endif",
                "mov ${n}/4, %ebp",
                "3:",
                four_steps!("%rsi"),
                "dec %ebp",
                "jnz 3b",
                "mov %r8, (%rdi)", "mov %r9, 8(%rdi)", "mov %r10, 16(%rdi)", "mov %r11, 24(%rdi)",
                "sub $8*{n}, %rcx", "sub $8*{n}-32, %rdi", "add $32, %rsi",
                "decl (%rsp)",
                "jnz 2b",
                "pop %rax",
                "pop %rbp",
                "pop %rbx",
                n = const N, inout("rdi") out => _, inout("rsi") a => _, inout("rcx") b => _,
                out("rax") _, out("rdx") _, out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _, out("r13") _,
                out("r14") _, out("r15") _, out("xmm0") _, options(att_syntax)
            );
        }
    }
}

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
            "pxor %xmm0, %xmm0",
            // N mod 4 single rows a_i·a[i+1..N]
            ".if {n}&3",
            "movups %xmm0, (%rdi)",
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
            ".set .Lk, 0", ".rept {n}/2", "movups %xmm0, 16*.Lk(%rdi)", ".set .Lk, .Lk+1", ".endr",
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
            "add $32, %rdi", "lea 32(%rsi), %rcx", "mov (%rsp), %ebp", "test %ebp, %ebp", "jz 4f",
            "3:",
            four_steps!("%rsi"),
            "dec %ebp",
            "jnz 3b",
            "mov %r8, (%rdi)", "mov %r9, 8(%rdi)", "mov %r10, 16(%rdi)", "mov %r11, 24(%rdi)",
            // the next block starts eight words above this one
            "add $32, %rsi", "mov (%rsp), %eax", "dec %eax", "mov %eax, (%rsp)", "shl $5, %eax", "sub %rax, %rdi",
            "jmp 2b",
            "4:",
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
