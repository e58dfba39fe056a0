//! Products and reductions of few words in x86-64 assembly: all accumulators stay in registers.
//!
//! A row multiplies N words by one word and adds the products to N + 1 registers on the two carry chains of ADX, low
//! words on one and high words on the other; the registers rotate from row to row. A row costs N MULX and 2N
//! additions. On Sapphire Rapids a product of six words takes 43 cycles and one of eight words 78 (by blocks: 54,
//! 89), and the canonical reduction of six words takes 75.
#![allow(unsafe_code)]

use core::arch::asm;

// Registers: the words of a row in r8.. and then rbx, rsi, rdi; rdx the multiplier; rcx → the long operand or the modulus; rax
// and rbp are scratch. The other pointers wait on the stack: the short operand or the words to reduce at 0, the result at 8.

/// c_0.., the registers of $list, += rdx·y for the words y from .Lk on at rcx. CF and OF must be clear.
#[rustfmt::skip]
macro_rules! dual_row {
    ($c0:literal $c1:literal) => {
        concat!(dual_row!(@step $c0 $c1), "mov $0, %eax\n adcx %rax, ", $c1, "\n")
    };
    ($c0:literal $c1:literal $($c:literal)+) => {
        concat!(dual_row!(@step $c0 $c1), dual_row!($c1 $($c)+))
    };
    (@step $c0:literal $c1:literal) => {
        concat!("mulx 8*.Lk(%rcx), %rax, %rbp\n adcx %rax, ", $c0, "\n adox %rbp, ", $c1, "\n .set .Lk, .Lk+1\n")
    };
}

/// The text of one instruction around the last register of a list.
#[rustfmt::skip]
macro_rules! last {
    ($before:literal, $after:literal, $c:literal) => { concat!($before, $c, $after) };
    ($before:literal, $after:literal, $c0:literal $($c:literal)+) => { last!($before, $after, $($c)+) };
}

/// Clears the last register of a list, CF and OF.
#[rustfmt::skip]
macro_rules! clear_last {
    ($c:literal) => { concat!("xor ", $c, ", ", $c, "\n") };
    ($c0:literal $($c:literal)+) => { clear_last!($($c)+) };
}

/// Moves or adds all registers of a list but the last to or from consecutive words. `$op` is the instruction for the
/// first word, `$next` for the others; .Lk counts the words.
#[rustfmt::skip]
macro_rules! each {
    ($op:literal $next:literal, $left:literal, $right:literal, $c0:literal $c1:literal) => {
        concat!($op, $left, $c0, $right, "\n .set .Lk, .Lk+1\n")
    };
    ($op:literal $next:literal, $left:literal, $right:literal, $c0:literal $($c:literal)+) => {
        concat!($op, $left, $c0, $right, "\n .set .Lk, .Lk+1\n", each!($next $next, $left, $right, $($c)+))
    };
}

/// The first row of a product: c = rdx·y.
#[rustfmt::skip]
macro_rules! first_dual_row {
    ($c0:literal $c1:literal $($c:literal)+) => {
        concat!("mulx (%rcx), ", $c0, ", ", $c1, "\n .set .Lk, 1\n", first_dual_row!(@ "add" $c1 $($c)+))
    };
    (@ $op:literal $c1:literal) => { concat!("adc $0, ", $c1, "\n") };
    (@ $op:literal $c1:literal $c2:literal $($c:literal)*) => {
        concat!(
            "mulx 8*.Lk(%rcx), %rax, ", $c2, "\n ", $op, " %rax, ", $c1, "\n .set .Lk, .Lk+1\n",
            first_dual_row!(@ "adc" $c2 $($c)*)
        )
    };
}

/// The rows of a product, one for each marker: each multiplies by word .Li of the short operand, and stores a
/// finished word to the result. Then the last N words are stored.
#[rustfmt::skip]
macro_rules! product_rows {
    ([] $($c:literal)+) => { concat!(".set .Lk, 0\n", each!("mov " "mov ", "", ", 8*(.Li+.Lk)(%rbp)", $($c)+)) };
    ([$first:tt $($more:tt)*] $c0:literal $($c:literal)+) => {
        concat!(
            "mov (%rsp), %rax\n mov 8*.Li(%rax), %rdx\n", clear_last!($c0 $($c)+), ".set .Lk, 0\n", dual_row!($c0 $($c)+),
            "mov 8(%rsp), %rbp\n mov ", $c0, ", 8*.Li(%rbp)\n .set .Li, .Li+1\n", product_rows!([$($more)*] $($c)+ $c0)
        )
    };
}

/// out = a·b.
#[rustfmt::skip]
macro_rules! product {
    ([$first:tt $($more:tt)*] $c0:literal $($c:literal)+) => {
        concat!(
            "mov (%rsi), %rdx\n", first_dual_row!($c0 $($c)+), "mov 8(%rsp), %rbp\n mov ", $c0, ", (%rbp)\n .set .Li, 1\n",
            product_rows!([$($more)*] $($c)+ $c0)
        )
    };
}

/// The rows of a reduction, one for each marker: each adds m·p to c, which clears c_0. Then follows `$end` with the
/// registers that are left, the last of which is 0.
#[rustfmt::skip]
macro_rules! reduction_rows {
    ([] $end:ident $($c:literal)+) => { $end!($($c)+) };
    ([$first:tt $($more:tt)*] $end:ident $c0:literal $($c:literal)+) => {
        concat!(
            "mov ", $c0, ", %rdx\n imul 16*{n}+16(%rcx), %rdx\n xor %eax, %eax\n .set .Lk, 0\n", dual_row!($c0 $($c)+),
            reduction_rows!([$($more)*] $end $($c)+ $c0)
        )
    };
}

/// The reduction of 2N words: the low half in registers, the rows, then `$end`.
#[rustfmt::skip]
macro_rules! reduction {
    ([$($row:tt)+] $end:ident $($c:literal)+) => {
        concat!(
            "mov (%rsp), %rax\n .set .Lk, 0\n", each!("mov " "mov ", "8*.Lk(%rax), ", "", $($c)+), clear_last!($($c)+),
            reduction_rows!([$($row)+] $end $($c)+)
        )
    };
}

/// c = c + the high half; leaves the address of the words to reduce in rax.
#[rustfmt::skip]
macro_rules! add_high_half {
    ($($c:literal)+) => {
        concat!(
            "mov (%rsp), %rax\n .set .Lk, {n}\n", each!("add " "adc ", "8*.Lk(%rax), ", "", $($c)+),
            last!("adc $0, ", "\n", $($c)+)
        )
    };
}

/// The end of a plain reduction: stores c to the result, and leaves the carry in rax.
#[rustfmt::skip]
macro_rules! leave {
    ($($c:literal)+) => {
        concat!(
            add_high_half!($($c)+), "mov 8(%rsp), %rbp\n .set .Lk, 0\n", each!("mov " "mov ", "", ", 8*.Lk(%rbp)", $($c)+),
            last!("mov ", ", %rax\n", $($c)+)
        )
    };
}

/// Stores c, or c − p if that is not negative, to the result, for c in [0, 2p). The last register of c is the word
/// above.
#[rustfmt::skip]
macro_rules! close {
    ($($c:literal)+) => {
        concat!(
            "mov 8(%rsp), %rbp\n .set .Lk, 0\n", each!("mov " "mov ", "", ", 8*.Lk(%rbp)", $($c)+),
            // + (2^(64N) − p): carries if c ≥ p
            ".set .Lk, 0\n", each!("add " "adc ", "8*({n}+.Lk)(%rcx), ", "", $($c)+), last!("adc $0, ", "\n", $($c)+),
            last!("cmp $1, ", "\n", $($c)+),
            ".set .Lk, 0\n", each!("cmovc " "cmovc ", "8*.Lk(%rbp), ", "", $($c)+),
            ".set .Lk, 0\n", each!("mov " "mov ", "", ", 8*.Lk(%rbp)", $($c)+)
        )
    };
}

/// The end of the reduction of a product.
#[rustfmt::skip]
macro_rules! leave_closed {
    ($($c:literal)+) => { concat!(add_high_half!($($c)+), close!($($c)+)) };
}

/// The end of the reduction of a form below 2^16·pR of 2N + 1 words: the quotient times p is subtracted as in
/// [`Modulus::shrink`]. For a tight modulus the window lies in the last word of c and the word above.
#[rustfmt::skip]
macro_rules! leave_canonical {
    ($($c:literal)+) => {
        concat!(
            add_high_half!($($c)+), last!("add 16*{n}(%rax), ", "\n", $($c)+),
            "mov %rcx, %rbp\n mov 16*{n}+8(%rbp), %rcx\n", window!($($c)+),
            "mov %rbp, %rcx\n mulx 16*{n}(%rcx), %rax, %rdx\n shr $47, %rdx\n",
            // − q·p = q·(2^(64N) − p) − q·2^(64N)
            last!("sub %rdx, ", "\n", $($c)+), "xor %eax, %eax\n .set .Lk, {n}\n", dual_row!($($c)+),
            close!($($c)+)
        )
    };
}

/// rdx = 64 bits of the last two registers from bit cl on.
#[rustfmt::skip]
macro_rules! window {
    ($c:literal $top:literal) => { concat!("mov ", $c, ", %rdx\n shrd %cl, ", $top, ", %rdx\n") };
    ($c0:literal $c1:literal $($c:literal)+) => { window!($c1 $($c)+) };
}

/// Defines the product of one size.
macro_rules! product_of_size {
    ($product:ident $n:literal [$($row:tt)+] $($c:literal)+) => {
        /// out = a·b.
        ///
        /// # Safety
        /// The processor must have BMI2 and ADX. `out` must be twice as many words as this kernel's, which may be
        /// written and need not be initialised; a and b must be as many words as this kernel's.
        pub(super) unsafe fn $product(out: *mut u64, a: *const u64, b: *const u64, n: usize) {
            debug_assert!(n == $n);
            // SAFETY: the caller's instructions; reads a[0..n], b[0..n], writes the 2n words of `out`; restores rbx and rbp.
            unsafe {
                called!($product, n);
                asm!(
                    "push %rbx", "push %rbp", "push %rdi", "push %rsi",
                    product!([$($row)+] $($c)+),
                    "add $16, %rsp", "pop %rbp", "pop %rbx",
                    inout("rdi") out => _, inout("rsi") a => _, in("rcx") b,
                    out("rax") _, out("rdx") _, out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _,
                    out("r13") _, out("r14") _, out("r15") _, options(att_syntax)
                );
            }
        }
    };
}

/// Defines the reduction of one size: its rows, and the end `$leave`.
macro_rules! reduction_of_size {
    ($name:ident $n:literal $leave:ident [$($row:tt)+] $($c:literal)+) => {
        /// Returns the carry, if `leave` leaves one.
        ///
        /// # Safety
        /// The processor must have BMI2 and ADX. `out` must be as many words as this kernel's, and t twice as many,
        /// or one more for a sum; m must be the words of a `Modulus`.
        pub(super) unsafe fn $name(out: *mut u64, t: *mut u64, m: *const u64, n: usize) -> u64 {
            debug_assert!(n == $n);
            let carry;
            // SAFETY: the caller's instructions; reads the 2n words of `t`, for a sum also the word above them, and
            // `m`, writes out[0..n]; restores rbx and rbp.
            unsafe {
                called!($name, n);
                asm!(
                    "push %rbx", "push %rbp", "push %rdi", "push %rsi",
                    reduction!([$($row)+] $leave $($c)+),
                    "add $16, %rsp", "pop %rbp", "pop %rbx",
                    n = const $n, inout("rsi") t => _, inout("rdi") out => _, in("rcx") m, out("rdx") _,
                    out("rax") carry, out("r8") _, out("r9") _, out("r10") _, out("r11") _, out("r12") _, out("r13") _,
                    out("r14") _, out("r15") _, options(att_syntax)
                );
            }
            carry
        }
    };
}

// The product of four words is that by a block (`product`): it takes 6.4 ns, and 7.2 ns here, on Sapphire Rapids at
// 2.9 GHz.
product_of_size!(product_5 5 [. . . . .] "%r8" "%r9" "%r10" "%r11" "%r12" "%r13");
product_of_size!(product_6 6 [. . . . . .] "%r8" "%r9" "%r10" "%r11" "%r12" "%r13" "%r14");
product_of_size!(product_8 8 [. . . . . . . .] "%r8" "%r9" "%r10" "%r11" "%r12" "%r13" "%r14" "%r15" "%rbx");
product_of_size!(product_10 10 [. . . . . . . . . .]
    "%r8" "%r9" "%r10" "%r11" "%r12" "%r13" "%r14" "%r15" "%rbx" "%rsi" "%rdi");

reduction_of_size!(redc_closed_4 4 leave_closed [. . . .] "%r8" "%r9" "%r10" "%r11" "%r12");
reduction_of_size!(redc_closed_5 5 leave_closed [. . . . .] "%r8" "%r9" "%r10" "%r11" "%r12" "%r13");
reduction_of_size!(redc_closed_6 6 leave_closed [. . . . . .]
    "%r8" "%r9" "%r10" "%r11" "%r12" "%r13" "%r14");
reduction_of_size!(redc_closed_8 8 leave_closed [. . . . . . . .]
    "%r8" "%r9" "%r10" "%r11" "%r12" "%r13" "%r14" "%r15" "%rbx");
reduction_of_size!(redc_closed_10 10 leave_closed [. . . . . . . . . .]
    "%r8" "%r9" "%r10" "%r11" "%r12" "%r13" "%r14" "%r15" "%rbx" "%rsi" "%rdi");
// Roomy moduli of fewer words are replaced by tight multiples, whose sums are reduced by kernels of few words.
reduction_of_size!(redc_10 10 leave [. . . . . . . . . .]
    "%r8" "%r9" "%r10" "%r11" "%r12" "%r13" "%r14" "%r15" "%rbx" "%rsi" "%rdi");
reduction_of_size!(redc_canonical_10 10 leave_canonical [. . . . . . . . . .]
    "%r8" "%r9" "%r10" "%r11" "%r12" "%r13" "%r14" "%r15" "%rbx" "%rsi" "%rdi");
