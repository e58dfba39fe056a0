//! Assembly text that the products, the squares and the reduction share: single rows, and blocks of four rows.
//!
//! Registers: rcx → y (the long operand), rdi → T (the words added to), rdx = the multiplier of a row. AT&T operand order.
//!
//! A row multiplies N words by one. MULX leaves the flags alone, so the products of a group of four are summed by one chain
//! of add-with-carry while they are made, and a second chain adds them to T: 2.5 additions a product.
//!
//! A block multiplies by four words x[0..4] at once (rsi → x) and walks along y with a window of four words in registers.
//! Step j makes T_j + y_j·x (five words: "built") and adds the window to it: the low word is final and stored, the other
//! four are the next window. That is 2.5 additions a product too, but a quarter of the loads and stores of T, and the chains
//! of neighbouring steps are independent: 1.1 cycles a product on Zen 5, where rows take 1.3. The products of step j + 1 are
//! issued between the additions of step j. ADCX and ADOX in these chains are slower there (1.4): each ties a step to the flags
//! of the step before.
//! After Ozturk, Guilford and Gopal ("Large integer squaring on Intel architecture processors", Intel 2013), who multiply
//! row by row in two carry chains.

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

/// Step $at of a block from nothing: rbx and $t1..$t4 = T_j + y_j·x.
macro_rules! build {
    ($at:literal, $t1:literal $t2:literal $t3:literal $t4:literal) => {
        concat!(
            "mov ",
            $at,
            "(%rcx), %rdx\n mulx (%rsi), %rbx, ",
            $t1,
            "\n mulx 8(%rsi), %rax, ",
            $t2,
            "\n",
            "mulx 16(%rsi), %rbp, ",
            $t3,
            "\n mulx 24(%rsi), %rdx, ",
            $t4,
            "\n",
            "add ",
            $at,
            "(%rdi), %rbx\n adc %rax, ",
            $t1,
            "\n adc %rbp, ",
            $t2,
            "\n adc %rdx, ",
            $t3,
            "\n adc $0, ",
            $t4,
            "\n"
        )
    };
}

/// Adds the window $c to the built step $at (rbx, $t), which makes $t the window, and builds the step $next in rbx and $c.
macro_rules! step {
    ($at:literal, $next:literal, $c0:literal $c1:literal $c2:literal $c3:literal, $t1:literal $t2:literal $t3:literal $t4:literal) => {
        concat!(
            "add ",
            $c0,
            ", %rbx\n mov %rbx, ",
            $at,
            "(%rdi)\n mov ",
            $next,
            "(%rcx), %rdx\n adc ",
            $c1,
            ", ",
            $t1,
            "\n",
            "mulx (%rsi), %rbx, ",
            $c0,
            "\n adc ",
            $c2,
            ", ",
            $t2,
            "\n adc ",
            $c3,
            ", ",
            $t3,
            "\n",
            "mulx 8(%rsi), %rax, ",
            $c1,
            "\n mulx 16(%rsi), %rbp, ",
            $c2,
            "\n mulx 24(%rsi), %rdx, ",
            $c3,
            "\n",
            "adc $0, ",
            $t4,
            "\n",
            "add ",
            $next,
            "(%rdi), %rbx\n adc %rax, ",
            $c0,
            "\n adc %rbp, ",
            $c1,
            "\n adc %rdx, ",
            $c2,
            "\n adc $0, ",
            $c3,
            "\n"
        )
    };
}

/// A step that finds the window in r8..r11 and leaves it in r12..r15.
macro_rules! even {
    ($at:literal, $next:literal) => {
        step!($at, $next, "%r8" "%r9" "%r10" "%r11", "%r12" "%r13" "%r14" "%r15")
    };
}

/// A step that finds the window in r12..r15 and leaves it in r8..r11.
macro_rules! odd {
    ($at:literal, $next:literal) => {
        step!($at, $next, "%r12" "%r13" "%r14" "%r15", "%r8" "%r9" "%r10" "%r11")
    };
}

/// The end of a block: adds the window $c to the built step $at (rbx, $t) and stores all five words.
macro_rules! finish {
    ($at:literal, $c0:literal $c1:literal $c2:literal $c3:literal, $t1:literal $t2:literal $t3:literal $t4:literal) => {
        concat!(
            "add ",
            $c0,
            ", %rbx\n adc ",
            $c1,
            ", ",
            $t1,
            "\n adc ",
            $c2,
            ", ",
            $t2,
            "\n adc ",
            $c3,
            ", ",
            $t3,
            "\n",
            "adc $0, ",
            $t4,
            "\n mov %rbx, ",
            $at,
            "(%rdi)\n mov ",
            $t1,
            ", ",
            $at,
            "+8(%rdi)\n",
            "mov ",
            $t2,
            ", ",
            $at,
            "+16(%rdi)\n mov ",
            $t3,
            ", ",
            $at,
            "+24(%rdi)\n mov ",
            $t4,
            ", ",
            $at,
            "+32(%rdi)\n"
        )
    };
}

/// T[0..len] = 0.
macro_rules! clear {
    ($len:literal) => {
        concat!(
            "pxor %xmm0, %xmm0\n .set .Lk, 0\n .rept ",
            $len,
            "/2\n movups %xmm0, 16*.Lk(%rdi)\n .set .Lk, .Lk+1\n .endr\n"
        )
    };
}
