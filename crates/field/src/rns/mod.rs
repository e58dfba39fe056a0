//! Residue number systems: for any modulus, without a carry between words.
//!
//! An element is an integer x ≡ a·A modulo p, represented by its residues modulo 2n + 1 primes below 2^32: n of the
//! base B, whose product is A, n of B', and a redundant one. Sums and products are computed in each residue alone.
//! Products are made small again by Montgomery reduction with two base extensions, which are products of a vector with
//! a constant matrix (`reduction.rs`).
//!
//! * `bases`: the choice and the number of primes; `word`: arithmetic modulo one of them.
//! * `residues`: the operations on each residue alone; `matrix`: the matrices of the extensions.
//! * `rules`: the ranges, which follow from one number, α = ⌊A/4p⌋.
//!
//! Sums of products are kept unreduced up to αp². A sum of elements is reduced too, unless the margin of the machine
//! says otherwise and the ranges of its programs are proved: then it is an integer that is not reduced at all.
//! Everything except the construction of the field runs in constant time. `docs/engines/rns.md` has counts.

mod bases;
mod matrix;
#[cfg(test)]
#[path = "tests/ranges.rs"]
mod ranges;
mod reduction;
mod residues;
mod rules;
#[cfg(test)]
mod tests;
mod word;

use crate::bounds::Rules;
use crate::choice::{Choice, choices, one_lane, only_value};
use crate::contract::{Field, Lanes, ModulusError, Prime, parity};
use crate::dispatch::Margin;
use crate::mont::Inverter;
use crate::term::{List, Term, times};
use crate::words::{from_words, pack, subtract_once, to_words};
use bases::Bases;
use num_bigint::BigUint;
use num_traits::One;
use reduction::Reduction;
pub use reduction::multiply_adds;
use residues::Channels;
pub use residues::Residues;
use rules::RnsRules;
use std::sync::Arc;
use word::canonical;
pub use word::{inverse, negative, product};

/// The number of words of twice the longest modulus.
const WORDS: usize = 66;

/// F_p with capacity for W residues, of which 2n + 1 are used.
#[derive(Clone)]
pub struct Rns<const W: usize>(Arc<Inner<W>>);

struct Inner<const W: usize> {
    bases: Bases,
    channels: Channels<W>,
    reduction: Reduction<W>,
    /// Whether sums of elements are left unreduced.
    lazy_sums: bool,
    /// A mod p.
    one: Residues<W>,
    /// A² mod p.
    r2: Residues<W>,
    /// p modulo each modulus, canonical.
    p: Residues<W>,
    /// The words of p.
    words: Vec<u64>,
    inverter: Inverter,
    modulus: BigUint,
}

/// The moduli of a field, and the limit of unreduced values that follows from them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moduli {
    /// The moduli of B.
    pub first: Vec<u32>,
    /// The moduli of B'.
    pub second: Vec<u32>,
    /// The redundant modulus.
    pub redundant: u32,
    /// ⌊A/4p⌋: unreduced values may reach αp².
    pub alpha: BigUint,
}

/// Returns the moduli for an odd p with this margin.
///
/// # Panics
/// Panics if p is even.
pub fn moduli(p: &BigUint, margin: Margin) -> Moduli {
    assert!(p.bit(0), "the modulus must be odd");
    let bases = Bases::new(p, margin.spare);
    let of = |range: std::ops::Range<usize>| range.map(|i| bases.modulus(i)).collect();
    let n = bases.n;
    Moduli { first: of(0..n), second: of(n..2 * n), redundant: bases.modulus(2 * n), alpha: bases.alpha.clone() }
}

/// Returns the range rules for an odd p with this margin, for [`Bounds`](crate::bounds::Bounds).
pub(crate) fn rules(p: &BigUint, margin: Margin) -> Arc<dyn Rules> {
    Arc::new(RnsRules::new(&Bases::new(p, margin.spare), margin.lazy_sums))
}

/// Returns the number of bits of the longest modulus for `places` residues and `spare` spare bits.
pub(crate) fn bits(places: usize, spare: u64) -> u64 {
    // a modulus has more than 31.999 bits, and α is a quarter of A/p
    ((places as u64 - 1) / 2 * 31_999 / 1_000).saturating_sub(spare + 2).min(64 * (WORDS as u64 - 1))
}

impl<const W: usize> Rns<W> {
    /// Creates the field of p elements with the fewest moduli that leave the margin: α ≥ 2^`spare`. Sums of elements
    /// are reduced, as the contract requires, unless the margin makes them lazy: then they are integers, whose ranges
    /// have to be proved.
    ///
    /// # Errors
    /// Returns an error if p is even or below 3, above 4160 bits, or needs more moduli than W allows. The caller must
    /// ensure that p is prime.
    pub fn new(p: &BigUint, margin: Margin) -> Result<Self, ModulusError> {
        if !p.bit(0) || p.is_one() {
            return Err(ModulusError::NotOddPrime(p.clone()));
        }
        let max = bits(W, margin.spare);
        if p.bits() > max {
            return Err(ModulusError::TooLarge { bits: p.bits(), max });
        }
        let bases = Bases::new(p, margin.spare);
        let channels = Channels::new(&bases.all);
        let of = |x: BigUint| {
            let mut out = Residues::default();
            channels.integer(&mut out, x.to_u32_digits().into_iter().rev());
            out
        };
        let mut own = of(p.clone());
        own.0.iter_mut().zip(channels.c()).for_each(|(x, c)| *x = canonical(*x, *c));
        let words = to_words(p, WORDS);
        Ok(Rns(Arc::new(Inner {
            reduction: Reduction::new(&bases, p),
            one: of(&bases.product % p),
            r2: of(&bases.product * &bases.product % p),
            p: own,
            inverter: Inverter::new(&words),
            words,
            modulus: p.clone(),
            lazy_sums: margin.lazy_sums,
            channels,
            bases,
        })))
    }

    /// Computes T/A, closed. One reduction.
    #[inline(always)]
    fn reduced(&self, out: &mut Residues<W>, t: &Residues<W>) {
        self.0.reduction.reduce(&self.0.channels, out, t);
    }

    /// Computes sum + a·b, in place.
    #[inline(always)]
    fn add_product(&self, sum: &mut Residues<W>, a: &Residues<W>, b: &Residues<W>) {
        self.0.channels.add_product(sum, a, b);
    }

    /// Returns the residue in [0, p). Half a reduction and a product with a matrix.
    fn canonical(&self, a: &Residues<W>) -> [u64; WORDS] {
        // a/A modulo p, in [0, 2p): an element is above −A
        let mut s = Residues::default();
        self.0.reduction.extend_first(&self.0.channels, &mut s, a);
        let mut x = [0; WORDS];
        pack(&mut x, self.0.reduction.digits(&self.0.channels, &s).into_iter().map(u64::from), 32);
        subtract_once(&mut x, &self.0.words);
        x
    }

    /// Writes the element of the integer with these 32-bit digits, the highest first. One reduction.
    fn enter(&self, out: &mut Residues<W>, digits: impl Iterator<Item = u32>) {
        let mut x = Residues::default();
        self.0.channels.integer(&mut x, digits);
        self.mul(out, &x, &self.0.r2);
    }
}

/// Returns the 32-bit digits of words, the highest first.
fn digits(words: &[u64]) -> impl Iterator<Item = u32> {
    words.iter().rev().flat_map(|word| [(word >> 32) as u32, *word as u32])
}

impl<const W: usize> Field for Rns<W> {
    type Elem = Residues<W>;
    type Wide = Residues<W>;
    choices!();

    fn zero(&self) -> Residues<W> {
        Residues::default()
    }

    fn one(&self) -> Residues<W> {
        self.0.one
    }

    fn mul_wide(&self, out: &mut Residues<W>, a: &Residues<W>, b: &Residues<W>) {
        self.0.channels.product(out, a, b);
    }

    fn sqr_wide(&self, out: &mut Residues<W>, a: &Residues<W>) {
        self.mul_wide(out, a, a);
    }

    fn lin(&self, out: &mut Residues<W>, terms: &[Term<Residues<W>>]) {
        self.0.channels.form(out, terms);
    }

    fn reduce(&self, out: &mut Residues<W>, terms: &[Term<Residues<W>>]) {
        if let [Term { coeff: 1, value }] = terms {
            return self.reduced(out, value);
        }
        let mut form = Residues::default();
        self.lin(&mut form, terms);
        self.reduced(out, &form);
    }

    fn add(&self, out: &mut Residues<W>, a: &Residues<W>, b: &Residues<W>) {
        self.0.channels.sum(out, a, b);
    }

    fn sub(&self, out: &mut Residues<W>, a: &Residues<W>, b: &Residues<W>) {
        self.0.channels.difference(out, a, b);
    }

    /// Computes the sum as an integer where sums are lazy; else (Σ c·x)·A mod p, reduced.
    fn sum(&self, out: &mut Residues<W>, terms: &[Term<Residues<W>>]) {
        if self.0.lazy_sums {
            return self.0.channels.form(out, terms);
        }
        let mut form = Residues::default();
        self.lin(&mut form, terms);
        self.mul(out, &form, &self.0.one);
    }

    /// Inverts the residue in [0, p) as words. Two reductions.
    fn inv(&self, out: &mut Residues<W>, a: &Residues<W>) {
        let mut words = self.canonical(a);
        self.0.inverter.invert(&mut words);
        self.enter(out, digits(&words[..self.word_len()]));
    }

    fn select(&self, out: &mut Residues<W>, mask: Choice, a: &Residues<W>, b: &Residues<W>) {
        for i in 0..W {
            out.0[i] = b.0[i] ^ (mask.word() as u32 & (a.0[i] ^ b.0[i]));
        }
    }

    /// a/A lies in [0, 2p) and is 0 modulo p if it is 0 or p, as its residues in B' show. Half a reduction.
    fn is_zero(&self, a: &Residues<W>) -> Choice {
        let n = self.0.bases.n;
        let mut s = Residues::default();
        self.0.reduction.extend_first(&self.0.channels, &mut s, a);
        let (mut zero, mut p) = (0, 0);
        for ((s, c), own) in s.0[n..=2 * n].iter().zip(&self.0.channels.c()[n..]).zip(&self.0.p.0[n..]) {
            let s = canonical(*s, *c);
            (zero, p) = (zero | s, p | (s ^ own));
        }
        // 0 if one of the two is 0
        Choice::is_zero(u64::from(zero) * u64::from(p))
    }

    fn mul(&self, out: &mut Residues<W>, a: &Residues<W>, b: &Residues<W>) {
        let mut product = Residues::default();
        self.mul_wide(&mut product, a, b);
        self.reduced(out, &product);
    }

    /// Computes (a·b + (Σ c·x)·(A mod p))/A with one reduction.
    fn mul_sum(&self, out: &mut Residues<W>, a: &Residues<W>, b: &Residues<W>, terms: &[Term<Residues<W>>]) {
        let (mut product, mut form) = (Residues::default(), Residues::default());
        self.mul_wide(&mut product, a, b);
        self.lin(&mut form, terms);
        self.add_product(&mut product, &form, &self.0.one);
        self.reduced(out, &product);
    }

    fn sqr_sum(&self, out: &mut Residues<W>, a: &Residues<W>, terms: &[Term<Residues<W>>]) {
        self.mul_sum(out, a, a, terms);
    }

    fn three_and_two(&self, out: &mut Residues<W>, p: &Residues<W>, x: &Residues<W>, subtract: bool) {
        self.sum(out, &[times(3, p), times(if subtract { -2 } else { 2 }, x)]);
    }

    /// Takes one reduction.
    fn reduce_three_and_two(
        &self,
        out: &mut Residues<W>,
        terms: &[Term<Residues<W>>],
        x: &Residues<W>,
        subtract: bool,
    ) {
        let (mut sum, mut twice) = (Residues::default(), Residues::default());
        self.lin(&mut sum, List::new().all(3, terms).terms());
        self.lin(&mut twice, &[times(if subtract { -2 } else { 2 }, x)]);
        self.add_product(&mut sum, &twice, &self.0.one);
        self.reduced(out, &sum);
    }

    fn dot(&self, out: &mut Residues<W>, a: &[Residues<W>], b: &[Residues<W>]) {
        debug_assert_eq!(a.len(), b.len());
        let mut sum = Residues::default();
        for (a, b) in a.iter().zip(b) {
            self.add_product(&mut sum, a, b);
        }
        self.reduced(out, &sum);
    }
}

impl<const W: usize> Prime for Rns<W> {
    type Uniform = Residues<W>;

    fn modulus(&self) -> &BigUint {
        &self.0.modulus
    }

    fn constant(&self, x: &BigUint) -> Residues<W> {
        let mut out = Residues::default();
        self.enter(&mut out, (x % &self.0.modulus).to_u32_digits().into_iter().rev());
        out
    }

    fn is_odd(&self, a: &Residues<W>) -> Choice {
        parity(self, a)
    }

    /// Returns a closed residue, since another program reads it: takes one reduction where sums are not reduced.
    fn uniform(&self, a: &Residues<W>) -> Residues<W> {
        if !self.0.lazy_sums {
            return *a;
        }
        let mut out = Residues::default();
        self.mul(&mut out, a, &self.0.one);
        out
    }

    fn broadcast(&self, out: &mut Residues<W>, a: &Residues<W>) {
        *out = *a;
    }
}

impl<const W: usize> Lanes for Rns<W> {
    one_lane!();

    fn load(&self, out: &mut Residues<W>, values: &[&[u64]]) {
        let words = only_value(values, self.word_len());
        debug_assert!(from_words(words) < self.0.modulus, "a value to load is not canonical");
        self.enter(out, digits(words));
    }

    fn store(&self, words: &mut [u64], a: &Residues<W>, lane: usize) {
        assert_eq!(lane, 0, "this field has one lane");
        let x = self.canonical(a);
        let len = self.word_len();
        words[..len].copy_from_slice(&x[..len]);
        words[len..].fill(0);
    }
}
