//! Linear steps in x86-64 assembly: a pass is one chain of add-with-carry in a loop that preserves the carry, and a
//! choice is made by CMOV.
//!
//! A modular step computes both candidates, s and s ∓ p; only the moves of the choice wait for the last carry. Every word is loaded
//! and stored whatever the choice.
#![allow(unsafe_code)]

use crate::mont::values::MAX;
use core::arch::asm;
use core::mem::MaybeUninit;

/// A pass over words: `$body` for each word, whose index is .Lk + {k}, in {turns} turns of eight words and for {rest}
/// words more. The pass uses {k} and rcx. Between words it preserves all flags (`all`), by LEA and JRCXZ, or the
/// carry flag alone (`carry`), by DEC.
#[rustfmt::skip]
macro_rules! each_word {
    (all $body:expr) => {
        each_word!(@ "lea -1(%rcx), %rcx\n jrcxz 3f\n jmp 2b\n", $body)
    };
    (carry $body:expr) => {
        each_word!(@ "dec %rcx\n jnz 2b\n", $body)
    };
    (@ $next:literal, $body:expr) => {
        concat!(
            "mov $0, {k:e}\n mov {turns}, %rcx\n jrcxz 1f\n jmp 2f\n 1: jmp 3f\n",
            "2: .set .Lk, 0\n .rept 8\n", $body, ".set .Lk, .Lk+1\n .endr\n lea 8({k}), {k}\n", $next,
            "3: .set .Lk, 0\n .rept {rest}\n", $body, ".set .Lk, .Lk+1\n .endr\n"
        )
    };
}
pub(in crate::mont) use each_word;

/// Selects the kernel for a number of words: there is one for each remainder modulo 8. The kernel is called by
/// address. Only inlined functions do so, since a call site that calls kernels of several lengths mispredicts one
/// call in many.
macro_rules! by_rest {
    ($words:expr, $kernel:ident $(, $sign:ident)*) => {
        match $words % 8 {
            0 => $kernel::<0, $($sign),*>,
            1 => $kernel::<1, $($sign),*>,
            2 => $kernel::<2, $($sign),*>,
            3 => $kernel::<3, $($sign),*>,
            4 => $kernel::<4, $($sign),*>,
            5 => $kernel::<5, $($sign),*>,
            6 => $kernel::<6, $($sign),*>,
            _ => $kernel::<7, $($sign),*>,
        }
    };
}
pub(in crate::mont) use by_rest;

/// x −= c·y; returns the borrow word.
///
/// # Safety
/// The processor must have BMI2 and ADX; y must be as long as x.
#[inline(always)]
pub(super) unsafe fn scaled_sub_from(x: &mut [u64], y: &[u64], c: u64) -> u64 {
    // SAFETY: the caller's promise
    unsafe { by_rest!(x.len(), scaled_sub_from_of)(x, y, c) }
}

/// # Safety
/// The requirements are those of [`scaled_sub_from`]; REST must be the number of words of x modulo 8.
#[inline(never)]
unsafe fn scaled_sub_from_of<const REST: usize>(x: &mut [u64], y: &[u64], c: u64) -> u64 {
    let mut high = 0u64;
    // x − v = ¬(¬x + v): to the complemented words, the low words of the products are added on one carry chain, the
    // high words on the other
    // SAFETY: the caller's BMI2 and ADX; reads all of y, reads and writes all of x.
    unsafe {
        called!(scaled_sub_from_of, REST);
        asm!(
            "xor {t:e}, {t:e}",
            each_word!(all concat!(
                "mov 8*.Lk({x},{k},8), {v}\n not {v}\n adcx {v}, {h}\n mulx 8*.Lk({y},{k},8), {t}, {u}\n adox {t}, {h}\n not {h}\n",
                "mov {h}, 8*.Lk({x},{k},8)\n mov {u}, {h}\n"
            )),
            "mov $0, {t:e}", "adcx {t}, {h}", "adox {t}, {h}",
            x = in(reg) x.as_mut_ptr(), y = in(reg) y.as_ptr(), h = inout(reg) high, t = out(reg) _, u = out(reg) _,
            v = out(reg) _, k = out(reg) _, turns = in(reg) x.len() / 8, rest = const REST, out("rcx") _,
            inout("rdx") c => _, options(att_syntax, nostack)
        );
    }
    high
}

/// Subtracts p from x + top·2^(64·words), a value in [0, 2p), if the value is at least p.
///
/// # Safety
/// The processor must be an x86-64; p must be as long as x, at most [`MAX`] words.
#[inline(always)]
pub(super) unsafe fn cond_sub(x: &mut [u64], top: u64, p: &[u64]) {
    // SAFETY: the caller's promise
    unsafe { by_rest!(x.len(), cond_sub_of)(x, top, p) }
}

/// # Safety
/// The requirements are those of [`cond_sub`]; REST must be the number of words of x modulo 8.
#[inline(never)]
unsafe fn cond_sub_of<const REST: usize>(x: &mut [u64], top: u64, p: &[u64]) {
    let mut difference = MaybeUninit::<[u64; MAX]>::uninit();
    // SAFETY: reads all of p, reads and writes all of x, writes as many words of the difference before it reads them.
    unsafe {
        called!(cond_sub_of, REST);
        asm!(
            "xor {t:e}, {t:e}",
            each_word!(carry "mov 8*.Lk({x},{k},8), {t}\n sbb 8*.Lk({p},{k},8), {t}\n mov {t}, 8*.Lk({d},{k},8)\n"),
            "sbb $0, {top}",
            each_word!(carry "mov 8*.Lk({d},{k},8), {t}\n cmovc 8*.Lk({x},{k},8), {t}\n mov {t}, 8*.Lk({x},{k},8)\n"),
            x = in(reg) x.as_mut_ptr(), p = in(reg) p.as_ptr(), d = in(reg) difference.as_mut_ptr(),
            top = inout(reg) top => _, t = out(reg) _, k = out(reg) _, turns = in(reg) x.len() / 8, rest = const REST,
            out("rcx") _, options(att_syntax, nostack)
        );
    }
}

/// Adds p to x modulo 2^(64·words) where `mask` is all ones, and nothing where `mask` is 0.
///
/// # Safety
/// The processor must be an x86-64; p must be as long as x, at most [`MAX`] words.
#[inline(always)]
pub(super) unsafe fn cond_add(x: &mut [u64], mask: u64, p: &[u64]) {
    // SAFETY: the caller's promise
    unsafe { by_rest!(x.len(), cond_add_of)(x, mask, p) }
}

/// # Safety
/// The requirements are those of [`cond_add`]; REST must be the number of words of x modulo 8.
#[inline(never)]
unsafe fn cond_add_of<const REST: usize>(x: &mut [u64], mask: u64, p: &[u64]) {
    let mut sum = MaybeUninit::<[u64; MAX]>::uninit();
    // SAFETY: reads all of p, reads and writes all of x, writes as many words of the sum before it reads them.
    unsafe {
        called!(cond_add_of, REST);
        asm!(
            "xor {t:e}, {t:e}",
            each_word!(carry "mov 8*.Lk({x},{k},8), {t}\n adc 8*.Lk({p},{k},8), {t}\n mov {t}, 8*.Lk({s},{k},8)\n"),
            "add {c}, {c}",
            each_word!(carry "mov 8*.Lk({x},{k},8), {t}\n cmovc 8*.Lk({s},{k},8), {t}\n mov {t}, 8*.Lk({x},{k},8)\n"),
            x = in(reg) x.as_mut_ptr(), p = in(reg) p.as_ptr(), s = in(reg) sum.as_mut_ptr(), c = inout(reg) mask => _,
            t = out(reg) _, k = out(reg) _, turns = in(reg) x.len() / 8, rest = const REST, out("rcx") _,
            options(att_syntax, nostack)
        );
    }
}
