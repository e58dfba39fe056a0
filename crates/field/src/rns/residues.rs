//! Values as vectors of residues, and the operations on each residue alone. Everything here is constant time.

use super::word::{modulus, residue};
use crate::blank::Blank;
use crate::term::Term;

/// An element, or an unreduced sum of products: an integer, represented by its residues modulo the moduli of B, B' and
/// m_r, in this order. Each residue is any number below 2^32 in its class. There are W places; the content of those
/// beyond the last modulus is meaningless.
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

/// The moduli of the computation: c of each, and the number of places in use, rounded up to a multiple of eight.
#[derive(Clone)]
pub(super) struct Channels<const W: usize> {
    c: [u32; W],
    len: usize,
}

impl<const W: usize> Channels<W> {
    /// Creates the channels for the moduli 2^32 − c; places beyond the last modulus compute modulo 2^32 − 5.
    pub(super) fn new(all: &[u32]) -> Self {
        let c = std::array::from_fn(|i| all.get(i).copied().unwrap_or(5));
        Channels { c, len: all.len().next_multiple_of(8).min(W) }
    }

    /// The constants c of all places.
    #[inline(always)]
    pub(super) fn c(&self) -> &[u32; W] {
        &self.c
    }

    /// Computes f(a, b, c) modulo m at each place, for any result of f below 2^64.
    #[inline(always)]
    fn each(&self, out: &mut Residues<W>, [a, b]: [&Residues<W>; 2], f: impl Fn(u32, u32, u32) -> u64) {
        let len = self.len;
        let (out, a, b, c) = (&mut out.0[..len], &a.0[..len], &b.0[..len], &self.c[..len]);
        for i in 0..len {
            out[i] = residue(f(a[i], b[i], c[i]), c[i]);
        }
    }

    /// Computes a·b.
    #[inline(always)]
    pub(super) fn product(&self, out: &mut Residues<W>, a: &Residues<W>, b: &Residues<W>) {
        self.each(out, [a, b], |a, b, _| u64::from(a) * u64::from(b));
    }

    /// Computes sum + a·b, in place.
    #[inline(always)]
    pub(super) fn add_product(&self, sum: &mut Residues<W>, a: &Residues<W>, b: &Residues<W>) {
        let len = self.len;
        let (sum, a, b, c) = (&mut sum.0[..len], &a.0[..len], &b.0[..len], &self.c[..len]);
        for i in 0..len {
            sum[i] = residue(u64::from(a[i]) * u64::from(b[i]) + u64::from(sum[i]), c[i]);
        }
    }

    /// Computes a + b.
    #[inline(always)]
    pub(super) fn sum(&self, out: &mut Residues<W>, a: &Residues<W>, b: &Residues<W>) {
        self.each(out, [a, b], |a, b, _| u64::from(a) + u64::from(b));
    }

    /// Computes a − b, as a + (2m − b).
    #[inline(always)]
    pub(super) fn difference(&self, out: &mut Residues<W>, a: &Residues<W>, b: &Residues<W>) {
        self.each(out, [a, b], |a, b, c| u64::from(a) + complement(b, c));
    }

    /// Computes Σ c·x for Σ |c| < 2^31.
    #[inline(always)]
    pub(super) fn form(&self, out: &mut Residues<W>, terms: &[Term<Residues<W>>]) {
        let len = self.len;
        let mut sums = [0u64; W];
        let (out, sums, c) = (&mut out.0[..len], &mut sums[..len], &self.c[..len]);
        for Term { coeff, value } in terms {
            let (weight, x) = (u64::from(coeff.unsigned_abs()), &value.0[..len]);
            if *coeff < 0 {
                for i in 0..len {
                    sums[i] += weight * complement(x[i], c[i]);
                }
            } else {
                for i in 0..len {
                    sums[i] += weight * u64::from(x[i]);
                }
            }
        }
        for i in 0..len {
            out[i] = residue(sums[i], c[i]);
        }
    }

    /// Computes the integer with these 32-bit digits, the highest first: x ← x·2^32 + d, where 2^32 ≡ c.
    pub(super) fn integer(&self, out: &mut Residues<W>, digits: impl Iterator<Item = u32>) {
        out.0[..self.len].fill(0);
        for digit in digits {
            for (x, c) in out.0[..self.len].iter_mut().zip(&self.c[..self.len]) {
                *x = residue(u64::from(*x) * u64::from(*c) + u64::from(digit), *c);
            }
        }
    }
}

/// Returns 2m − x > 0.
#[inline(always)]
fn complement(x: u32, c: u32) -> u64 {
    2 * u64::from(modulus(c)) - u64::from(x)
}
