//! Assembly text that the products, the squares and the reduction share: single rows, and blocks of four and of eight rows.
//!
//! Registers: rcx → y (the long operand), rdi → T (the words added to), rdx = the multiplier of a row. AT&T operand order.
//!
//! A row multiplies N words by one word. MULX leaves the flags alone, so the products of a group of four are summed
//! by one chain of add-with-carry while they are computed, and a second chain adds them to T: 2.5 additions per
//! product.
//!
//! A block multiplies by four words x[0..4] at once (rsi → x) and walks along y with a window of four words in registers.
//! Step j makes T_j + y_j·x (five words: "built") and adds the window to it: the low word is final and stored, the other
//! four are the next window. That is 2.5 additions per product too, but a quarter of the loads and stores of T, and the chains
//! of neighbouring steps are independent: 1.15 cycles per product on Zen 5, where rows take 1.3. The products of step j + 1 are
//! issued between the additions of step j. ADCX and ADOX in these chains are slower there (1.4): each ties a step to the flags
//! of the step before.
//!
//! A block of eight words x[0..8] keeps a window of eight words and adds y_j·x to it on the two carry chains of ADCX and ADOX: two
//! additions per product, 1.08 cycles on Zen 5, where a MULX and two additions that wait for nothing take 0.97.
//!
//! After Ozturk, Guilford and Gopal ("Large integer squaring on Intel architecture processors", Intel 2013), who multiply
//! row by row in two carry chains.

/// The first row of a product: T[0..len] = m·y. The carry word is left in r9.
macro_rules! first_row {
    ($len:literal) => {
        concat!(
            "mulx (%rcx), %rax, %r9\n mov %rax, (%rdi)\n xor %eax, %eax\n .set .Lk, 1\n .rept (", $len, "-1)/2\n",
            "mulx 8*.Lk(%rcx), %rax, %r10\n adc %r9, %rax\n mov %rax, 8*.Lk(%rdi)\n",
            "mulx 8*.Lk+8(%rcx), %rax, %r9\n adc %r10, %rax\n mov %rax, 8*.Lk+8(%rdi)\n .set .Lk, .Lk+2\n .endr\n",
            ".if (", $len, "-1)&1\n mulx 8*.Lk(%rcx), %rax, %r10\n adc %r9, %rax\n mov %rax, 8*.Lk(%rdi)\n",
            "mov %r10, %r9\n .endif\n adc $0, %r9\n"
        )
    };
}

/// The short group that starts a row: T[0..len mod 4] += m·y. The carry word is left in r8 (zero for an empty group), and
/// word 1, if there is one, in r10 too.
macro_rules! odd_group {
    ($len:literal) => {
        concat!(
            ".if (", $len, ")&3 == 0\n xor %r8d, %r8d\n .endif\n",
            ".if (", $len, ")&3 == 1\n mulx (%rcx), %rax, %r8\n add %rax, (%rdi)\n adc $0, %r8\n .endif\n",
            ".if (", $len, ")&3 == 2\n mulx (%rcx), %rax, %r9\n mulx 8(%rcx), %r10, %r8\n add %r9, %r10\n adc $0, %r8\n",
            "add %rax, (%rdi)\n adc 8(%rdi), %r10\n mov %r10, 8(%rdi)\n adc $0, %r8\n .endif\n",
            ".if (", $len, ")&3 == 3\n mulx (%rcx), %rax, %r9\n mulx 8(%rcx), %r10, %r11\n add %r9, %r10\n",
            "mulx 16(%rcx), %r12, %r8\n adc %r11, %r12\n adc $0, %r8\n",
            "add %rax, (%rdi)\n adc 8(%rdi), %r10\n mov %r10, 8(%rdi)\n adc %r12, 16(%rdi)\n adc $0, %r8\n .endif\n"
        )
    };
}

/// Four products m·y[.Lk..] and the carry word r8, as words rax, r10, r12, r14 and the new carry word r8.
macro_rules! four_products {
    () => {
        concat!(
            "mulx 8*.Lk(%rcx), %rax, %r9\n add %r8, %rax\n mulx 8*.Lk+8(%rcx), %r10, %r11\n adc %r9, %r10\n",
            "mulx 8*.Lk+16(%rcx), %r12, %r13\n adc %r11, %r12\n mulx 8*.Lk+24(%rcx), %r14, %r8\n adc %r13, %r14\n adc $0, %r8\n"
        )
    };
}

/// T[.Lk..][0..4] += m·y[.Lk..] + r8; the carry word is left in r8.
macro_rules! group {
    () => {
        concat!(
            four_products!(),
            "add %rax, 8*.Lk(%rdi)\n adc %r10, 8*.Lk+8(%rdi)\n adc %r12, 8*.Lk+16(%rdi)\n adc %r14, 8*.Lk+24(%rdi)\n",
            "adc $0, %r8\n .set .Lk, .Lk+4\n"
        )
    };
}

/// A row: T[0..len] += m·y. The carry word is left in r8.
macro_rules! row {
    ($len:literal) => {
        concat!(odd_group!($len), ".set .Lk, (", $len, ")&3\n .rept (", $len, ")/4\n", group!(), ".endr\n")
    };
}

/// A row of a reduction: T += m·p, which clears word 0. The carry word replaces word 0, rdi advances by one word, and
/// rdx is the next multiplier, computed from word 1 as soon as that word is known. rsi = −1/p mod 2^64; rbx is used.
macro_rules! reducing_row {
    ($len:literal) => {
        concat!(
            odd_group!($len), ".set .Lk, (", $len, ")&3\n",
            ".if (", $len, ")&3 > 1\n mov %r10, %rbx\n .elseif (", $len, ") >= 4\n",
            four_products!(),
            "add 8*.Lk(%rdi), %rax\n adc 8*.Lk+8(%rdi), %r10\n adc %r12, 8*.Lk+16(%rdi)\n adc %r14, 8*.Lk+24(%rdi)\n",
            "adc $0, %r8\n mov %rax, 8*.Lk(%rdi)\n mov %r10, 8*.Lk+8(%rdi)\n",
            ".if (", $len, ")&3\n mov %rax, %rbx\n .else\n mov %r10, %rbx\n .endif\n .set .Lk, .Lk+4\n .endif\n",
            "imul %rsi, %rbx\n .rept ((", $len, ")-.Lk)/4\n", group!(), ".endr\n",
            "mov %r8, (%rdi)\n mov %rbx, %rdx\n add $8, %rdi\n"
        )
    };
}

/// The end of a reduction: out (rdx) = the high half of t (at rdi) + the carry words below it, except for the first
/// $from words, which are no carry words; rax = the carry.
macro_rules! add_carry_words {
    ($from:literal $len:literal) => {
        concat!(
            ".set .Lk, 0\n .rept ", $from, "\n mov 8*.Lk(%rdi), %r8\n mov %r8, 8*.Lk(%rdx)\n .set .Lk, .Lk+1\n .endr\n",
            "xor %eax, %eax\n .rept ", $len, "-", $from, "\n",
            "mov 8*.Lk(%rdi), %r8\n adc 8*.Lk-8*", $len, "(%rdi), %r8\n mov %r8, 8*.Lk(%rdx)\n .set .Lk, .Lk+1\n .endr\n",
            "adc %rax, %rax\n"
        )
    };
}

/// The first additions of a built step: with T_j, or without it where T_j = 0 (`fresh`).
macro_rules! low_words {
    (fresh $at:literal $t1:literal) => {
        concat!("add %rax, ", $t1, "\n")
    };
    ($kind:ident $at:literal $t1:literal) => {
        concat!("add ", $at, "(%rdi), %rbx\n adc %rax, ", $t1, "\n")
    };
}

/// Builds step $at of a block: rbx and $t1..$t4 = T_j + y_j·x. Uses rax, rbp, rdx.
macro_rules! build {
    ($t:ident $at:literal, $t1:literal $t2:literal $t3:literal $t4:literal) => {
        concat!(
            "mov ", $at, "(%rcx), %rdx\n mulx (%rsi), %rbx, ", $t1, "\n mulx 8(%rsi), %rax, ", $t2, "\n",
            "mulx 16(%rsi), %rbp, ", $t3, "\n mulx 24(%rsi), %rdx, ", $t4, "\n",
            low_words!($t $at $t1), "adc %rbp, ", $t2, "\n adc %rdx, ", $t3, "\n adc $0, ", $t4, "\n"
        )
    };
}

/// Adds the window $c to the built step $at (rbx, $t), which makes $t the window, and builds the step $next in rbx and $c.
macro_rules! step {
    ($t:ident $at:literal $next:literal, $c0:literal $c1:literal $c2:literal $c3:literal, $t1:literal $t2:literal $t3:literal $t4:literal) => {
        concat!(
            "add ", $c0, ", %rbx\n mov %rbx, ", $at, "(%rdi)\n mov ", $next, "(%rcx), %rdx\n adc ", $c1, ", ", $t1, "\n",
            "mulx (%rsi), %rbx, ", $c0, "\n adc ", $c2, ", ", $t2, "\n adc ", $c3, ", ", $t3, "\n",
            "mulx 8(%rsi), %rax, ", $c1, "\n mulx 16(%rsi), %rbp, ", $c2, "\n mulx 24(%rsi), %rdx, ", $c3, "\n",
            "adc $0, ", $t4, "\n",
            low_words!($t $next $c0), "adc %rbp, ", $c1, "\n adc %rdx, ", $c2, "\n adc $0, ", $c3, "\n"
        )
    };
}

/// A step that finds the window in r8..r11 and leaves it in r12..r15.
macro_rules! even {
    ($t:ident $at:literal $next:literal) => {
        step!($t $at $next, "%r8" "%r9" "%r10" "%r11", "%r12" "%r13" "%r14" "%r15")
    };
}

/// A step that finds the window in r12..r15 and leaves it in r8..r11.
macro_rules! odd {
    ($t:ident $at:literal $next:literal) => {
        step!($t $at $next, "%r12" "%r13" "%r14" "%r15", "%r8" "%r9" "%r10" "%r11")
    };
}

/// The last step of a block: adds the window $c to the built step $at (rbx, $t) and stores its low word. The other
/// four words are beyond the words that the block is added to. They are stored there (`onto`, `fresh`), or added to
/// the words there with the carry that the block before has left in 8(%rsp) as 0 or −1 (`into`).
macro_rules! finish {
    ($kind:ident $at:literal, $c0:literal $c1:literal $c2:literal $c3:literal, $t1:literal $t2:literal $t3:literal $t4:literal) => {
        concat!(
            "add ", $c0, ", %rbx\n adc ", $c1, ", ", $t1, "\n adc ", $c2, ", ", $t2, "\n adc ", $c3, ", ", $t3, "\n",
            "adc $0, ", $t4, "\n mov %rbx, ", $at, "(%rdi)\n", carry_words!($kind $at, $t1 $t2 $t3 $t4)
        )
    };
}

/// Stores the words beyond a block, or adds them (`into`).
macro_rules! carry_words {
    (into $at:literal, $t1:literal $t2:literal $t3:literal $t4:literal) => {
        concat!(
            "mov 8(%rsp), %rax\n add %rax, %rax\n",
            "adc ", $t1, ", ", $at, "+8(%rdi)\n adc ", $t2, ", ", $at, "+16(%rdi)\n",
            "adc ", $t3, ", ", $at, "+24(%rdi)\n adc ", $t4, ", ", $at, "+32(%rdi)\n sbb %rax, %rax\n mov %rax, 8(%rsp)\n"
        )
    };
    ($kind:ident $at:literal, $t1:literal $t2:literal $t3:literal $t4:literal) => {
        concat!(
            "mov ", $t1, ", ", $at, "+8(%rdi)\n mov ", $t2, ", ", $at, "+16(%rdi)\n",
            "mov ", $t3, ", ", $at, "+24(%rdi)\n mov ", $t4, ", ", $at, "+32(%rdi)\n"
        )
    };
}

/// The steps 1.. of a block but the last: 2·(⌊len/2⌋ − 1) steps from a window in r8..r11 to a window there. rcx and
/// rdi move past them. Up to ten pairs are unrolled; more run in a loop of four pairs counted in 4(%rsp). (A loop of
/// two pairs costs 3 % on Zen 5.)
macro_rules! pairs {
    ($t:ident $len:literal) => {
        concat!(
            ".set .Lk, 0\n .if ", $len, " <= 23\n .rept ", $len, "/2-1\n",
            even!($t "8*.Lk" "8*.Lk+8"), odd!($t "8*.Lk+8" "8*.Lk+16"), ".set .Lk, .Lk+2\n .endr\n",
            "add $8*.Lk, %rdi\n add $8*.Lk, %rcx\n .else\n .rept (", $len, "/2-1)&3\n",
            even!($t "8*.Lk" "8*.Lk+8"), odd!($t "8*.Lk+8" "8*.Lk+16"), ".set .Lk, .Lk+2\n .endr\n",
            "add $8*.Lk, %rdi\n add $8*.Lk, %rcx\n movl $(", $len, "/2-1)/4, 4(%rsp)\n .p2align 5\n 7:\n",
            even!($t "0" "8"), odd!($t "8" "16"), even!($t "16" "24"), odd!($t "24" "32"),
            even!($t "32" "40"), odd!($t "40" "48"), even!($t "48" "56"), odd!($t "56" "64"),
            "add $64, %rdi\n add $64, %rcx\n decl 4(%rsp)\n jnz 7b\n .endif\n"
        )
    };
}

/// A whole block, for len ≥ 4: T[0..len + 4] = T[0..len] + x·y (`onto`), or x·y (`fresh`), or T[0..len + 4] += x·y
/// (`into`). Afterwards rsi and rdi have advanced by four words, and rcx is unchanged.
macro_rules! block {
    ($t:ident $len:literal) => {
        concat!(
            // step 0 has no window before it; the window of step 1 is built in r8..r11
            ".if ", $len, "&1\n", build!($t "0", "%r12" "%r13" "%r14" "%r15"), "mov %rbx, (%rdi)\n",
            build!($t "8", "%r8" "%r9" "%r10" "%r11"), odd!($t "8" "16"),
            "add $16, %rdi\n add $16, %rcx\n .else\n",
            build!($t "0", "%r8" "%r9" "%r10" "%r11"), "mov %rbx, (%rdi)\n",
            build!($t "8", "%r12" "%r13" "%r14" "%r15"), "add $8, %rdi\n add $8, %rcx\n .endif\n",
            pairs!($t $len),
            finish!($t "0", "%r8" "%r9" "%r10" "%r11", "%r12" "%r13" "%r14" "%r15"),
            "sub $8*", $len, "-8, %rcx\n sub $8*", $len, "-40, %rdi\n add $32, %rsi\n"
        )
    };
}

/// Passes the registers of a block of eight before its first row to the macro `$then`: the window, and the word that
/// comes above it. From row to row they rotate by one.
macro_rules! window_of_eight {
    ($then:ident $($arguments:tt)*) => {
        $then!($($arguments)* "%r8" "%r9" "%r10" "%r11" "%r12" "%r13" "%r14" "%r15" "%rbx")
    };
}

/// A row of a block of eight: with c for the window, c += T_j + y_j·x, whose low word is final. The low words of the
/// products are added on the carry chain of ADCX, T_j and the high words of the products on that of ADOX. The word
/// above cannot overflow: (2^512 − 1) + (2^64 − 1) + (2^512 − 1)(2^64 − 1) = 2^576 − 1.
macro_rules! row_of_eight {
    ($c0:literal $c1:literal $c2:literal $c3:literal $c4:literal $c5:literal $c6:literal $c7:literal $c8:literal) => {
        concat!(
            "mov 8*.Lk(%rcx), %rdx\n xor ", $c8, ", ", $c8, "\n adox 8*.Lk(%rdi), ", $c0, "\n",
            "mulx (%rsi), %rax, %rbp\n adcx %rax, ", $c0, "\n adox %rbp, ", $c1, "\n",
            "mulx 8(%rsi), %rax, %rbp\n adcx %rax, ", $c1, "\n adox %rbp, ", $c2, "\n",
            "mulx 16(%rsi), %rax, %rbp\n adcx %rax, ", $c2, "\n adox %rbp, ", $c3, "\n",
            "mulx 24(%rsi), %rax, %rbp\n adcx %rax, ", $c3, "\n adox %rbp, ", $c4, "\n",
            "mulx 32(%rsi), %rax, %rbp\n adcx %rax, ", $c4, "\n adox %rbp, ", $c5, "\n",
            "mulx 40(%rsi), %rax, %rbp\n adcx %rax, ", $c5, "\n adox %rbp, ", $c6, "\n",
            "mulx 48(%rsi), %rax, %rbp\n adcx %rax, ", $c6, "\n adox %rbp, ", $c7, "\n",
            "mulx 56(%rsi), %rax, %rbp\n adcx %rax, ", $c7, "\n adox %rbp, ", $c8, "\n",
            "adc $0, ", $c8, "\n mov ", $c0, ", 8*.Lk(%rdi)\n .set .Lk, .Lk+1\n"
        )
    };
}

/// Nine rows, after which the window is in the registers where it was. The label is the entry for $len rows if $len
/// is not a multiple of nine.
macro_rules! nine_rows {
    ([] $len:literal $($c:literal)+) => { "" };
    ([$first:tt $($more:tt)*] $len:literal $c0:literal $($c:literal)+) => {
        concat!(
            ".if .Lk == (9-(", $len, ")%9)%9\n 8:\n .endif\n", row_of_eight!($c0 $($c)+),
            nine_rows!([$($more)*] $len $($c)+ $c0)
        )
    };
}

/// A block of eight words x[0..8]: T[0..len + 8] = T[0..len] + x·y (`onto`), or T[0..len + 8] += x·y (`into`).
/// Afterwards rsi and rdi have advanced by eight words, and rcx is unchanged. Uses 4(%rsp).
macro_rules! block_of_eight {
    ($kind:ident $len:literal) => {
        concat!(
            window_of_eight!(clear_window), "movl $(", $len, "+8)/9, 4(%rsp)\n",
            ".if (", $len, ")%9\n sub $8*(9-(", $len, ")%9), %rcx\n sub $8*(9-(", $len, ")%9), %rdi\n jmp 8f\n .endif\n",
            ".p2align 5\n 7:\n .set .Lk, 0\n", window_of_eight!(nine_rows [. . . . . . . . .] $len),
            "add $72, %rcx\n add $72, %rdi\n decl 4(%rsp)\n jnz 7b\n",
            window_of_eight!(carries_of_eight $kind),
            "sub $8*(", $len, "), %rcx\n sub $8*(", $len, ")-64, %rdi\n add $64, %rsi\n"
        )
    };
}

/// Clears a window.
macro_rules! clear_window {
    ($c0:literal $c1:literal $c2:literal $c3:literal $c4:literal $c5:literal $c6:literal $c7:literal $c8:literal) => {
        concat!(
            "xor ", $c0, ", ", $c0, "\n xor ", $c1, ", ", $c1, "\n xor ", $c2, ", ", $c2, "\n xor ", $c3, ", ", $c3, "\n",
            "xor ", $c4, ", ", $c4, "\n xor ", $c5, ", ", $c5, "\n xor ", $c6, ", ", $c6, "\n xor ", $c7, ", ", $c7, "\n",
            "xor ", $c8, ", ", $c8, "\n"
        )
    };
}

/// Stores the words beyond a block of eight, or adds them (`into`), as [`carry_words`] does.
macro_rules! carries_of_eight {
    (into $c0:literal $c1:literal $c2:literal $c3:literal $c4:literal $c5:literal $c6:literal $c7:literal $c8:literal) => {
        concat!(
            "mov 8(%rsp), %rax\n add %rax, %rax\n",
            "adc ", $c0, ", (%rdi)\n adc ", $c1, ", 8(%rdi)\n adc ", $c2, ", 16(%rdi)\n adc ", $c3, ", 24(%rdi)\n",
            "adc ", $c4, ", 32(%rdi)\n adc ", $c5, ", 40(%rdi)\n adc ", $c6, ", 48(%rdi)\n adc ", $c7, ", 56(%rdi)\n",
            "sbb %rax, %rax\n mov %rax, 8(%rsp)\n"
        )
    };
    ($kind:ident $c0:literal $c1:literal $c2:literal $c3:literal $c4:literal $c5:literal $c6:literal $c7:literal $c8:literal) => {
        concat!(
            "mov ", $c0, ", (%rdi)\n mov ", $c1, ", 8(%rdi)\n mov ", $c2, ", 16(%rdi)\n mov ", $c3, ", 24(%rdi)\n",
            "mov ", $c4, ", 32(%rdi)\n mov ", $c5, ", 40(%rdi)\n mov ", $c6, ", 48(%rdi)\n mov ", $c7, ", 56(%rdi)\n"
        )
    };
}

/// T[0..len] = 0, for even len.
macro_rules! clear {
    ($len:literal) => {
        concat!("pxor %xmm0, %xmm0\n .set .Lk, 0\n .rept ", $len, "/2\n movups %xmm0, 16*.Lk(%rdi)\n .set .Lk, .Lk+1\n .endr\n")
    };
}
