//! Linear steps in x86-64 assembly: a pass is one chain of add-with-carry in a loop that preserves the carry, and a
//! choice is made by CMOV.
//!
//! A correction computes both candidates, x and x ∓ p; only the moves of the choice wait for the last carry. Every word is loaded
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

/// Makes x + top·2^(64·words) canonical: a sum in [0, 2p) for SIGN 0, a difference in [−p, p) for SIGN 1.
///
/// # Safety
/// The processor must be an x86-64; p must be as long as x, at most [`MAX`] words.
#[inline(always)]
pub(super) unsafe fn corrected<const SIGN: usize>(x: &mut [u64], top: u64, p: &[u64]) {
    // SAFETY: the caller's promise
    unsafe { by_rest!(x.len(), corrected_of, SIGN)(x, top, p) }
}

/// # Safety
/// The requirements are those of [`corrected`]; REST must be the number of words of x modulo 8.
#[inline(never)]
unsafe fn corrected_of<const REST: usize, const SIGN: usize>(x: &mut [u64], top: u64, p: &[u64]) {
    let mut other = MaybeUninit::<[u64; MAX]>::uninit();
    // the carry flag is set where x remains: x − p is negative, or the top word of the difference is 0
    // SAFETY: reads all of p, reads and writes all of x, writes as many words of `other` before it reads them.
    unsafe {
        called!(corrected_of, REST, SIGN);
        asm!(
            "xor {t:e}, {t:e}",
            each_word!(carry concat!(
                "mov 8*.Lk({x},{k},8), {t}\n .if {sign}\n adc 8*.Lk({p},{k},8), {t}\n .else\n sbb 8*.Lk({p},{k},8), {t}\n .endif\n",
                "mov {t}, 8*.Lk({o},{k},8)\n"
            )),
            ".if {sign}", "cmp $1, {top}", ".else", "sbb $0, {top}", ".endif",
            each_word!(carry "mov 8*.Lk({o},{k},8), {t}\n cmovc 8*.Lk({x},{k},8), {t}\n mov {t}, 8*.Lk({x},{k},8)\n"),
            sign = const SIGN, x = in(reg) x.as_mut_ptr(), p = in(reg) p.as_ptr(), o = in(reg) other.as_mut_ptr(),
            top = inout(reg) top => _, t = out(reg) _, k = out(reg) _, turns = in(reg) x.len() / 8, rest = const REST,
            out("rcx") _, options(att_syntax, nostack)
        );
    }
}
