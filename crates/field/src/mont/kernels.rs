//! Multi-precision kernels of the Montgomery engine: products, squares, reduction and linear steps on n 64-bit words.
//!
//! Little-endian words, n ≥ 1, any odd modulus below 2^(64n) known at run time. Everything is
//! constant time: no branch and no address depends on a word. Two implementations of each kernel:
//!
//! * `portable`: plain Rust, any processor;
//! * x86-64 assembly around MULX (BMI2), which multiplies without touching the carry flag. Products, squares and reductions are compiled
//!   for each number of words; what is linear takes the number of words when it runs.
//!
//! [`Isa`] chooses at run time; a value of [`Isa::Adx`] can only come from [`Isa::detect`], so holding one is the proof that
//! the processor has the instructions. Cost in word products: n² for a product, n(n + 1)/2 for a square, at most n² + n for a
//! reduction; a linear step is one pass of n add-with-carry.
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

use super::forms::{two, two_and_top_in, two_onto};
use super::modulus::Modulus;
use super::values::{MOST, Scratch};
use own::Own;
#[cfg(target_arch = "x86_64")]
pub(super) use words::Words;

/// Which instructions the kernels use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Isa {
    /// Plain Rust.
    Portable,
    /// x86-64 with BMI2 and ADX.
    #[cfg(target_arch = "x86_64")]
    Adx(Proof),
}

/// Made by [`Isa::detect`] alone: the processor has the instructions.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Proof(());

impl Isa {
    /// The fastest kernels that this processor can run.
    pub(super) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("bmi2") && std::is_x86_feature_detected!("adx") {
            return Isa::Adx(Proof(()));
        }
        Isa::Portable
    }

    /// Whether there are kernels of so many words that keep everything in registers.
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

    /// The assembly, if the operating system says that this processor has its instructions. Valgrind runs them, but does not name
    /// them to a program that asks.
    #[cfg(test)]
    pub(super) fn named_by_the_system() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        if let Ok(text) = std::fs::read_to_string("/proc/cpuinfo") {
            let flags: Vec<&str> = text.lines().find(|l| l.starts_with("flags"))?.split_whitespace().collect();
            return ["bmi2", "adx"].iter().all(|flag| flags.contains(flag)).then_some(Isa::Adx(Proof(())));
        }
        None
    }
}

/// What kernels of few words add to the word above the low half of a form, so that it is not negative; less than 2^(64n)·p with any
/// coefficients of 32 bits.
pub(super) const BIAS: u64 = 1 << 40;

/// The words from which on reductions in assembly have blocks.
const BLOCKS: usize = 17;

/// The numbers of words that have kernels, in ascending order.
pub(super) fn lengths() -> impl Iterator<Item = usize> {
    own::LENGTHS.iter().copied()
}

/// The kernels of a number of words.
#[derive(Clone, Copy)]
pub(super) struct Kernels {
    isa: Isa,
    words: usize,
    own: &'static Own,
}

impl Kernels {
    /// Of one of the [`lengths`].
    pub(super) fn new(isa: Isa, words: usize) -> Self {
        Kernels { isa, words, own: own::own(isa, words) }
    }

    #[inline(always)]
    pub(super) fn isa(&self) -> Isa {
        self.isa
    }

    /// n.
    #[inline(always)]
    pub(super) fn words(&self) -> usize {
        self.words
    }

    #[inline(always)]
    fn are_elements<const K: usize>(&self, operands: [&[u64]; K]) {
        assert!(operands.iter().all(|x| x.len() == self.words));
    }

    #[inline(always)]
    fn is_wide(&self, x: &[u64]) {
        assert_eq!(x.len(), 2 * self.words);
    }

    /// out = a·b, of 2n words.
    #[inline(always)]
    pub(super) fn mul_wide(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        self.is_wide(out);
        self.are_elements([a, b]);
        // SAFETY: of the lengths that the kernel takes
        unsafe { (self.own.mul_wide)(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), self.words) }
    }

    /// out = a², of 2n words.
    #[inline(always)]
    pub(super) fn sqr_wide(&self, out: &mut [u64], a: &[u64]) {
        self.is_wide(out);
        self.are_elements([a]);
        // SAFETY: of the lengths that the kernel takes
        unsafe { (self.own.sqr_wide)(out.as_mut_ptr(), a.as_ptr(), self.words) }
    }

    /// a·b in scratch.
    #[inline(always)]
    pub(super) fn product<'t>(&self, t: &'t mut Scratch, a: &[u64], b: &[u64]) -> &'t mut [u64] {
        self.are_elements([a, b]);
        // SAFETY: as above; a product is 2n words
        unsafe {
            (self.own.mul_wide)(t.places(2 * self.words), a.as_ptr(), b.as_ptr(), self.words);
            t.written(2 * self.words)
        }
    }

    /// a² in scratch.
    #[inline(always)]
    pub(super) fn square<'t>(&self, t: &'t mut Scratch, a: &[u64]) -> &'t mut [u64] {
        self.are_elements([a]);
        // SAFETY: as above
        unsafe {
            (self.own.sqr_wide)(t.places(2 * self.words), a.as_ptr(), self.words);
            t.written(2 * self.words)
        }
    }

    /// out + carry·2^(64n) = t/2^(64n) modulo p, below t/R + p + 2p/2^64; returns the carry. `t` is destroyed.
    #[inline(always)]
    pub(super) fn redc(&self, out: &mut [u64], t: &mut [u64], m: &Modulus) -> u64 {
        self.is_wide(t);
        self.are_elements([out, m.p()]);
        // SAFETY: of the lengths that the kernel takes
        unsafe { (self.own.redc)(out.as_mut_ptr(), t.as_mut_ptr(), m.words(), self.words) }
    }

    /// As [`Kernels::redc`] for t < pR, canonical.
    #[inline(always)]
    pub(super) fn redc_closed(&self, out: &mut [u64], t: &mut [u64], m: &Modulus) {
        if let Some(closed) = self.own.redc_closed {
            self.is_wide(t);
            self.are_elements([out, m.p()]);
            // SAFETY: of the lengths that the kernel takes
            unsafe { closed(out.as_mut_ptr(), t.as_mut_ptr(), m.words(), self.words) };
            return;
        }
        let carry = self.redc(out, t, m);
        // those by rows are below t/R + p; in blocks 2p may be exceeded
        if self.isa != Isa::Portable && self.words >= BLOCKS {
            m.canonical(self.isa, out, carry);
        } else {
            cond_sub(self.isa, out, carry, m.p());
        }
    }

    /// t/2^(64n) modulo a tight p, for t of 2n + 1 words in [0, 2^15·pR): canonical. `t` is destroyed.
    #[inline(always)]
    pub(super) fn redc_canonical(&self, out: &mut [u64], t: &mut [u64], m: &Modulus) {
        assert_eq!(t.len(), 2 * self.words + 1);
        if let Some(canonical) = self.own.redc_canonical {
            self.are_elements([out, m.p()]);
            // SAFETY: of the lengths that the kernel takes
            unsafe { canonical(out.as_mut_ptr(), t.as_mut_ptr(), m.words(), self.words) };
            return;
        }
        let (t, top) = t.split_at_mut(2 * self.words);
        let carry = self.redc(out, t, m);
        m.canonical(self.isa, out, top[0].wrapping_add(carry));
    }

    /// out = a + b mod p, for a and b in [0, p).
    #[inline(always)]
    pub(super) fn add_mod(&self, out: &mut [u64], a: &[u64], b: &[u64], p: &[u64]) {
        self.are_elements([out, a, b, p]);
        match self.own.add_mod {
            // SAFETY: of the lengths that the kernel takes
            Some(add) => unsafe { add(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), p.as_ptr()) },
            None => {
                let carry = two::<0>(self.isa, out, a, b);
                cond_sub(self.isa, out, carry as u64, p);
            }
        }
    }

    /// The same in scratch.
    #[inline(always)]
    pub(super) fn add_mod_in<'t>(&self, t: &'t mut Scratch, a: &[u64], b: &[u64], p: &[u64]) -> &'t [u64] {
        self.are_elements([a, b, p]);
        let (carry, t) = two_and_top_in::<0>(self.isa, t, a, b);
        cond_sub(self.isa, t, carry as u64, p);
        t
    }

    /// a ← a + b mod p.
    #[inline(always)]
    pub(super) fn add_mod_onto(&self, a: &mut [u64], b: &[u64], p: &[u64]) {
        let carry = two_onto::<0>(self.isa, a, b);
        cond_sub(self.isa, a, carry as u64, p);
    }

    /// a ← a − b mod p.
    #[inline(always)]
    pub(super) fn sub_mod_onto(&self, a: &mut [u64], b: &[u64], p: &[u64]) {
        let borrow = two_onto::<1>(self.isa, a, b);
        cond_add(self.isa, a, borrow as u64, p);
    }

    /// out = a − b mod p, for a and b in [0, p).
    #[inline(always)]
    pub(super) fn sub_mod(&self, out: &mut [u64], a: &[u64], b: &[u64], p: &[u64]) {
        self.are_elements([out, a, b, p]);
        match self.own.sub_mod {
            // SAFETY: of the lengths that the kernel takes
            Some(sub) => unsafe { sub(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), p.as_ptr()) },
            None => {
                let borrow = two::<1>(self.isa, out, a, b);
                cond_add(self.isa, out, borrow as u64, p);
            }
        }
    }

    /// The same in scratch.
    #[inline(always)]
    pub(super) fn sub_mod_in<'t>(&self, t: &'t mut Scratch, a: &[u64], b: &[u64], p: &[u64]) -> &'t [u64] {
        self.are_elements([a, b, p]);
        let (borrow, t) = two_and_top_in::<1>(self.isa, t, a, b);
        cond_add(self.isa, t, borrow as u64, p);
        t
    }

    /// a ← a − b, plus p·2^(64n) where that is negative, for a and b of 2n words in [0, p·2^(64n)).
    #[inline(always)]
    pub(super) fn sub_mod_wide(&self, a: &mut [u64], b: &[u64], p: &[u64]) {
        self.is_wide(a);
        let borrow = two_onto::<1>(self.isa, a, b);
        cond_add(self.isa, &mut a[self.words..], borrow as u64, p);
    }
}

/// x + top·2^(64·words) in [0, 2p) loses p if it is at least that.
#[inline(always)]
pub(super) fn cond_sub(isa: Isa, x: &mut [u64], top: u64, p: &[u64]) {
    assert!(x.len() == p.len() && p.len() <= MOST);
    match isa {
        Isa::Portable => portable::cond_sub(x, top, p),
        // SAFETY: of one length
        #[cfg(target_arch = "x86_64")]
        Isa::Adx(_) => unsafe { linear::cond_sub(x, top, p) },
    }
}

/// x gains p modulo 2^(64·words) where `mask` is all ones, and nothing where it is 0.
#[inline(always)]
fn cond_add(isa: Isa, x: &mut [u64], mask: u64, p: &[u64]) {
    assert!(x.len() == p.len() && p.len() <= MOST);
    match isa {
        Isa::Portable => portable::cond_add(x, mask, p),
        // SAFETY: of one length
        #[cfg(target_arch = "x86_64")]
        Isa::Adx(_) => unsafe { linear::cond_add(x, mask, p) },
    }
}

/// x −= q·y for a q that may be secret; returns the borrow word.
#[inline(always)]
pub(super) fn sub_scaled(isa: Isa, x: &mut [u64], q: u64, y: &[u64]) -> u64 {
    assert_eq!(x.len(), y.len());
    match isa {
        Isa::Portable => portable::scaled_sub_from(x, y, q),
        // SAFETY: `Isa::Adx` exists only where `Isa::detect` found BMI2 and ADX; of one length
        #[cfg(target_arch = "x86_64")]
        Isa::Adx(_) => unsafe { linear::scaled_sub_from(x, y, q) },
    }
}
