//! Multi-precision kernels of the Montgomery engine: products, squares, reduction and linear steps on n 64-bit words.
//!
//! Little-endian words, n ≥ 1, any odd modulus below 2^(64n) known at run time. Everything is
//! constant time: no branch and no address depends on a word. Two implementations of each kernel:
//!
//! * `portable`: plain Rust, any processor;
//! * x86-64 assembly around MULX (BMI2), which multiplies without touching the carry flag. Products, squares and
//!   reductions are compiled for each number of words; linear steps take the number of words when they run.
//!
//! [`Isa`] chooses at run time. A value of [`Isa::Adx`] comes from [`Isa::detect`], or from kernels that were made
//! with one, so holding one proves that the processor has the instructions. Cost in word products: n² for a product,
//! n(n + 1)/2 for a square, at most n² + n for a reduction; a linear step is one pass of n add-with-carry.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
pub(super) mod linear;
mod own;
mod portable;
#[cfg(target_arch = "x86_64")]
#[macro_use]
#[rustfmt::skip]
mod rows;
#[cfg(target_arch = "x86_64")]
mod product;
#[cfg(target_arch = "x86_64")]
mod reduction;
#[cfg(target_arch = "x86_64")]
mod small;
#[cfg(target_arch = "x86_64")]
mod square;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod words;

use super::forms::{two, two_onto};
use super::modulus::Modulus;
#[cfg(target_arch = "x86_64")]
use super::values::MAX;
use super::values::Place;
#[cfg(target_arch = "x86_64")]
use own::Own;
pub(super) use portable::is_unrolled;
#[cfg(target_arch = "x86_64")]
pub(super) use words::Words;

/// The instructions that kernels use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Isa {
    /// Plain Rust.
    Portable,
    /// x86-64 with BMI2 and ADX.
    #[cfg(target_arch = "x86_64")]
    Adx(Proof),
}

/// A proof that the processor has the instructions. Only [`Isa::detect`] makes one, and kernels that were made with
/// one.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Proof(());

impl Isa {
    /// Returns the instructions of the fastest kernels that this processor can run.
    pub(super) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if has_adx() {
            return Isa::Adx(Proof(()));
        }
        Isa::Portable
    }

    /// Returns true if there are kernels of `words` words that keep everything in registers.
    pub(super) fn has_few(self, words: usize) -> bool {
        match self {
            Isa::Portable => {
                let _ = words;
                false
            }
            #[cfg(target_arch = "x86_64")]
            Isa::Adx(_) => words::exist(words),
        }
    }
}

/// Returns true if this processor has BMI2 and ADX. Valgrind runs these instructions, but does not report them to a
/// program that asks. Tests that run under Valgrind ask the operating system instead.
#[cfg(target_arch = "x86_64")]
fn has_adx() -> bool {
    #[cfg(feature = "paths")]
    if crate::memcheck::is_running() {
        let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let flags = text.lines().find(|line| line.starts_with("flags")).unwrap_or_default();
        return ["bmi2", "adx"].iter().all(|flag| flags.split_whitespace().any(|other| other == *flag));
    }
    std::is_x86_feature_detected!("bmi2") && std::is_x86_feature_detected!("adx")
}

/// What kernels of few words add to the word above the low half of a form, so that it is not negative; less than 2^(64n)·p with any
/// coefficients of 32 bits.
pub(super) const GUARD: u64 = 1 << 40;

/// The number of words from which on reductions in assembly have blocks.
const BLOCKS: usize = 17;

/// The numbers of words that have kernels, in ascending order.
pub(super) fn lengths() -> impl Iterator<Item = usize> {
    own::LENGTHS.iter().copied()
}

/// The kernels of a number of words. The lengths of slices give n, so that the compiler knows n where a caller knows
/// it.
#[derive(Clone, Copy)]
pub(super) struct Kernels {
    words: usize,
    /// The kernels in assembly.
    #[cfg(target_arch = "x86_64")]
    own: Option<&'static Own>,
}

/// Calls a kernel in assembly, if there is one, on operands whose lengths are checked: `$x` of n words, `$wide` of
/// 2n.
macro_rules! assembly {
    ($kernels:ident, |$own:ident, $n:ident| $call:expr, of $($x:expr),*; wide $($wide:expr),*) => {
        #[cfg(target_arch = "x86_64")]
        if let Some($own) = $kernels.own {
            let $n = $kernels.words;
            assert!($($x.len() == $n &&)* $($wide.len() == 2 * $n &&)* true);
            // SAFETY: the processor has the instructions, and operands are of the lengths that the kernel takes
            return unsafe { $call };
        }
    };
}

impl Kernels {
    /// Creates the kernels of one of the [`lengths`].
    pub(super) fn new(isa: Isa, words: usize) -> Self {
        let _ = isa;
        Kernels {
            words,
            #[cfg(target_arch = "x86_64")]
            own: (isa != Isa::Portable).then(|| own::own(words)),
        }
    }

    /// The instructions that the kernels use.
    #[inline(always)]
    pub(super) fn isa(&self) -> Isa {
        #[cfg(target_arch = "x86_64")]
        if self.own.is_some() {
            // the kernels were made for a processor that has the instructions
            return Isa::Adx(Proof(()));
        }
        Isa::Portable
    }

    /// The number n of words.
    #[inline(always)]
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// out = a·b, of 2n words; returns out.
    #[inline(always)]
    pub(super) fn mul_wide<'t>(&self, mut out: impl Place<'t>, a: &[u64], b: &[u64]) -> &'t mut [u64] {
        assembly!(self, |own, n| {
            (own.mul_wide)(out.places(2 * n), a.as_ptr(), b.as_ptr(), n);
            out.written(2 * n)
        }, of a, b; wide);
        let out = out.ready(2 * a.len());
        portable::mul_wide(out, a, b);
        out
    }

    /// out = a², of 2n words; returns out.
    #[inline(always)]
    pub(super) fn sqr_wide<'t>(&self, mut out: impl Place<'t>, a: &[u64]) -> &'t mut [u64] {
        #[cfg(target_arch = "x86_64")]
        if let Some(square) = self.own.and_then(|own| own.sqr_wide) {
            assert_eq!(a.len(), self.words);
            // SAFETY: the processor has the instructions; a is of the length that the kernel takes, and 2n words are
            // written
            return unsafe {
                square(out.places(2 * self.words), a.as_ptr(), self.words);
                out.written(2 * self.words)
            };
        }
        let out = out.ready(2 * a.len());
        portable::sqr_wide(out, a);
        out
    }

    /// out + carry·2^(64n) = t/2^(64n) modulo p, below t/R + p + 2p/2^64; returns the carry. `t` is destroyed.
    #[inline(always)]
    pub(super) fn redc(&self, out: &mut [u64], t: &mut [u64], m: &Modulus) -> u64 {
        assembly!(self, |own, n| (own.redc)(out.as_mut_ptr(), t.as_mut_ptr(), m.words(), n), of out, m.p(); wide t);
        portable::redc(out, t, &m.p()[..out.len()], m.ninv())
    }

    /// Like [`Kernels::redc`], for t < pR, with a canonical result.
    #[inline(always)]
    pub(super) fn redc_closed(&self, out: &mut [u64], t: &mut [u64], m: &Modulus) {
        #[cfg(target_arch = "x86_64")]
        if let Some(closed) = self.own.and_then(|own| own.redc_closed) {
            let n = self.words;
            assert!(out.len() == n && m.p().len() == n && t.len() == 2 * n);
            // SAFETY: the processor has the instructions, and operands are of the lengths that the kernel takes
            unsafe { closed(out.as_mut_ptr(), t.as_mut_ptr(), m.words(), n) };
            return;
        }
        let carry = self.redc(out, t, m);
        // reductions by rows are below t/R + p; those by blocks may exceed 2p
        if self.isa() != Isa::Portable && self.words >= BLOCKS {
            m.canonical(self.isa(), out, carry);
        } else {
            corrected::<0>(self.isa(), out, carry, m.p());
        }
    }

    /// t/2^(64n) modulo a tight p, for t of 2n + 1 words in [0, 2^15·pR): canonical. `t` is destroyed.
    #[inline(always)]
    pub(super) fn redc_canonical(&self, out: &mut [u64], t: &mut [u64], m: &Modulus) {
        #[cfg(target_arch = "x86_64")]
        if let Some(canonical) = self.own.and_then(|own| own.redc_canonical) {
            let n = self.words;
            assert!(out.len() == n && m.p().len() == n && t.len() == 2 * n + 1);
            // SAFETY: the processor has the instructions, and operands are of the lengths that the kernel takes
            unsafe { canonical(out.as_mut_ptr(), t.as_mut_ptr(), m.words(), n) };
            return;
        }
        let (t, top) = t.split_at_mut(2 * out.len());
        let carry = self.redc(out, t, m);
        m.canonical(self.isa(), out, top[0].wrapping_add(carry));
    }

    /// out = a ± b mod p, for a and b in [0, p); SIGN is 0 for +, 1 for −; returns out.
    #[inline(always)]
    pub(super) fn modular<'t, const SIGN: usize>(
        &self,
        out: impl Place<'t>,
        a: &[u64],
        b: &[u64],
        p: &[u64],
    ) -> &'t mut [u64] {
        let (top, out) = two::<SIGN>(self.isa(), out, a, b);
        corrected::<SIGN>(self.isa(), out, top as u64, p);
        out
    }

    /// a ← a ± b mod p, for a and b in [0, p); SIGN is 0 for +, 1 for −.
    #[inline(always)]
    pub(super) fn modular_onto<const SIGN: usize>(&self, a: &mut [u64], b: &[u64], p: &[u64]) {
        let top = two_onto::<SIGN>(self.isa(), a, b);
        corrected::<SIGN>(self.isa(), a, top as u64, p);
    }

    /// a ← a − b, plus p·2^(64n) where that is negative, for a and b of 2n words in [0, p·2^(64n)).
    #[inline(always)]
    pub(super) fn sub_mod_wide(&self, a: &mut [u64], b: &[u64], p: &[u64]) {
        let (top, n) = (two_onto::<1>(self.isa(), a, b), a.len() / 2);
        corrected::<1>(self.isa(), &mut a[n..], top as u64, p);
    }
}

/// Makes x + top·2^(64·words) canonical: a sum in [0, 2p) for SIGN 0, a difference in [−p, p) for SIGN 1.
#[inline(always)]
pub(super) fn corrected<const SIGN: usize>(isa: Isa, x: &mut [u64], top: u64, p: &[u64]) {
    match isa {
        Isa::Portable if SIGN == 0 => portable::cond_sub(x, top, &p[..x.len()]),
        Isa::Portable => portable::cond_add(x, top, &p[..x.len()]),
        #[cfg(target_arch = "x86_64")]
        Isa::Adx(_) => {
            assert!(x.len() == p.len() && p.len() <= MAX);
            // SAFETY: x and p have one length
            unsafe { linear::corrected::<SIGN>(x, top, p) }
        }
    }
}

/// x −= q·y for a q that may be secret; returns the borrow word.
#[inline(always)]
pub(super) fn sub_scaled(isa: Isa, x: &mut [u64], q: u64, y: &[u64]) -> u64 {
    match isa {
        Isa::Portable => portable::scaled_sub_from(x, &y[..x.len()], q),
        #[cfg(target_arch = "x86_64")]
        Isa::Adx(_) => {
            assert_eq!(x.len(), y.len());
            // SAFETY: `Isa::Adx` exists only where `Isa::detect` found BMI2 and ADX; x and y have one length
            unsafe { linear::scaled_sub_from(x, y, q) }
        }
    }
}
