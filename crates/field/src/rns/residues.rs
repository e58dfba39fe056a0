//! Values as vectors of residues, and what is done to each residue alone. Everything here is constant time.

use super::word::{modulus, residue};
use crate::blank::Blank;
use crate::term::Term;

/// An element, or an unreduced sum of products: an integer, by its residues modulo the moduli of B, B' and m_r, in this order, each
/// any number below 2^32 of its class. There is place for W; what is behind the last modulus has no meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(32))]
pub struct Residues<const W: usize>(pub(super) [u32; W]);

impl<const W: usize> Default for Residues<W> {
    #[inline]
    fn default() -> Self {
        Residues([0; W])
    }
}

impl<const W: usize> Blank for Residues<W> {}

/// The moduli that values are computed with: c of each, for as many places as are in use, a multiple of eight.
#[derive(Clone)]
pub(super) struct Channels<const W: usize> {
    c: [u32; W],
    len: usize,
}

impl<const W: usize> Channels<W> {
    /// For the moduli 2^32 − c; places behind them compute modulo 2^32 − 5.
    pub(super) fn new(all: &[u32]) -> Self {
        let c = std::array::from_fn(|i| all.get(i).copied().unwrap_or(5));
        Channels { c, len: all.len().next_multiple_of(8).min(W) }
    }

    /// c of each.
    #[inline(always)]
    pub(super) fn c(&self) -> &[u32; W] {
        &self.c
    }

    /// a·b.
    #[inline(always)]
    pub(super) fn product(&self, out: &mut Residues<W>, a: &Residues<W>, b: &Residues<W>) {
        let len = self.len;
        for (((out, a), b), c) in out.0[..len].iter_mut().zip(&a.0[..len]).zip(&b.0[..len]).zip(&self.c[..len]) {
            *out = residue(u64::from(*a) * u64::from(*b), *c);
        }
    }

    /// sum + a·b.
    #[inline(always)]
    pub(super) fn add_product(&self, sum: &mut Residues<W>, a: &Residues<W>, b: &Residues<W>) {
        let len = self.len;
        for (((sum, a), b), c) in sum.0[..len].iter_mut().zip(&a.0[..len]).zip(&b.0[..len]).zip(&self.c[..len]) {
            *sum = residue(u64::from(*a) * u64::from(*b) + u64::from(*sum), *c);
        }
    }

    /// a + b.
    #[inline(always)]
    pub(super) fn sum(&self, out: &mut Residues<W>, a: &Residues<W>, b: &Residues<W>) {
        let len = self.len;
        for (((out, a), b), c) in out.0[..len].iter_mut().zip(&a.0[..len]).zip(&b.0[..len]).zip(&self.c[..len]) {
            *out = residue(u64::from(*a) + u64::from(*b), *c);
        }
    }

    /// a − b, as a + (2m − b).
    #[inline(always)]
    pub(super) fn difference(&self, out: &mut Residues<W>, a: &Residues<W>, b: &Residues<W>) {
        let len = self.len;
        for (((out, a), b), c) in out.0[..len].iter_mut().zip(&a.0[..len]).zip(&b.0[..len]).zip(&self.c[..len]) {
            *out = residue(u64::from(*a) + negative(*b, *c), *c);
        }
    }

    /// Σ c·x for Σ |c| < 2^31.
    #[inline(always)]
    pub(super) fn form(&self, out: &mut Residues<W>, terms: &[Term<Residues<W>>]) {
        let mut sums = [0u64; W];
        let len = self.len;
        for Term { coeff, value } in terms {
            let weight = u64::from(coeff.unsigned_abs());
            let places = sums[..len].iter_mut().zip(&value.0[..len]);
            if *coeff < 0 {
                places.zip(&self.c[..len]).for_each(|((sum, x), c)| *sum += weight * negative(*x, *c));
            } else {
                places.for_each(|(sum, x)| *sum += weight * u64::from(*x));
            }
        }
        for ((out, sum), c) in out.0[..len].iter_mut().zip(&sums[..len]).zip(&self.c[..len]) {
            *out = residue(*sum, *c);
        }
    }

    /// The integer of these 32-bit digits, the highest first: x ← x·2^32 + d, where 2^32 ≡ c.
    pub(super) fn integer(&self, out: &mut Residues<W>, digits: impl Iterator<Item = u32>) {
        out.0[..self.len].fill(0);
        for digit in digits {
            for (x, c) in out.0[..self.len].iter_mut().zip(&self.c[..self.len]) {
                *x = residue(u64::from(*x) * u64::from(*c) + u64::from(digit), *c);
            }
        }
    }
}

/// 2m − x > 0.
#[inline(always)]
fn negative(x: u32, c: u32) -> u64 {
    2 * u64::from(modulus(c)) - u64::from(x)
}
