//! Combinations Σ k_i·P_i of a few points with public scalars: interleaved signed windows with shared doublings
//! (Möller, SAC 2001). The running time depends only on the k_i, never on the points.

use crate::curve::{Affine, Curve, Jacobian};
use crate::digits::{weight, wnaf};
use bilinear_field::{CollectVec, Field, at};
use num_bigint::{BigInt, Sign};

/// The window widths to choose from.
const WIDTHS: std::ops::RangeInclusive<u32> = 2..=6;

/// The cost of an inversion, in additions. This is an estimate for a quadratic extension.
const INVERSION: usize = 6;

/// The signed digits of a scalar, most significant first. Each is odd or 0.
#[derive(Clone, Debug)]
pub(crate) struct Digits {
    digits: Vec<i8>,
    negative: bool,
}

impl Digits {
    /// Creates the NAF of width w of k.
    pub(crate) fn new(k: &BigInt, w: u32) -> Self {
        Digits { digits: wnaf(k.magnitude(), w), negative: k.sign() == Sign::Minus }
    }

    /// Creates the NAF of k whose width takes the fewest additions for this scalar. The table is made affine, which takes an
    /// inversion.
    pub(crate) fn lightest(k: &BigInt) -> Self {
        Self::lightest_with(k, INVERSION)
    }

    /// Creates the NAF of k whose width takes the fewest additions, if a table costs its entries and `inversion` additions.
    pub(crate) fn lightest_with(k: &BigInt, inversion: usize) -> Self {
        let cost = |d: &Digits| weight(&d.digits) + d.table() + if d.table() > 1 { inversion } else { 0 };
        let expansions = WIDTHS.map(|w| Digits::new(k, w));
        expansions.min_by_key(cost).unwrap_or_else(|| unreachable!("there are widths"))
    }

    pub(crate) fn len(&self) -> usize {
        self.digits.len()
    }

    /// The number of odd multiples that the digits refer to.
    pub(crate) fn table(&self) -> usize {
        self.digits.iter().map(|d| usize::from(d.unsigned_abs()).div_ceil(2)).max().unwrap_or(0)
    }

    /// Returns the table index of the digit of weight 2^i and whether it is negative, or `None` if the digit is 0.
    pub(crate) fn at(&self, i: usize) -> Option<(usize, bool)> {
        let d = self.digits.len().checked_sub(i + 1).map_or(0, |j| self.digits[j]);
        (d != 0).then(|| (usize::from(d.unsigned_abs()) / 2, (d < 0) != self.negative))
    }
}

impl<F: Field> Curve<F> {
    /// Returns Σ k_i·P_i for any points. Every point has a table of its own, so this suits few terms.
    pub fn msm(&self, terms: &[(BigInt, Affine<F>)]) -> Jacobian<F> {
        let digits: Vec<Digits> = terms.iter().map(|(k, _)| Digits::lightest(k)).collect_vec();
        let tables = self.odd_tables(terms.iter().zip(&digits).map(|((_, p), d)| (p, d.table())));
        self.interleaved(&digits.into_iter().zip(tables).collect_vec())
    }

    /// Returns kP from the digits of k.
    pub(crate) fn multiple(&self, k: &Digits, p: &Affine<F>) -> Jacobian<F> {
        let table = self.odd_tables(std::iter::once((p, k.table()))).remove(0);
        self.interleaved(&[(k.clone(), table)])
    }

    /// Returns the odd multiples P, 3P, 5P, … of each point, as many as requested for it. Takes one inversion, or
    /// none if no point needs more than P itself.
    pub(crate) fn odd_tables<'a>(
        &self,
        points: impl Iterator<Item = (&'a Affine<F>, usize)> + Clone,
    ) -> Vec<Vec<Affine<F>>>
    where
        F: 'a,
    {
        let above: Vec<_> =
            points.clone().flat_map(|(p, n)| self.odd_multiples(p, n).into_iter().skip(1)).collect_vec();
        let mut above = self.normalise(&above).into_iter();
        let table = |(p, n): (&Affine<F>, usize)| {
            let first = std::iter::repeat_n(p.clone(), n.min(1));
            first.chain(above.by_ref().take(n.saturating_sub(1))).collect_vec()
        };
        points.map(table).collect_vec()
    }

    /// Returns the sum of the multiples given by digits and the tables of odd multiples that they refer to.
    pub(crate) fn interleaved(&self, strands: &[(Digits, Vec<Affine<F>>)]) -> Jacobian<F> {
        let length = strands.iter().map(|(digits, _)| digits.len()).max().unwrap_or(0);
        let mut acc: Option<Jacobian<F>> = None;
        for i in (0..length).rev() {
            acc = acc.map(|acc| self.double(&acc));
            for (digits, table) in strands {
                let Some((place, negative)) = digits.at(i) else { continue };
                let negated = negative.then(|| self.negate(&table[place]));
                let point = negated.as_ref().unwrap_or(&table[place]);
                acc = Some(acc.map_or_else(|| self.to_jacobian(point), |acc| self.add(&acc, point)));
            }
        }
        acc.unwrap_or_else(|| self.infinity())
    }

    /// Returns kP from the NAF of k.
    pub(crate) fn mul_jacobian(&self, k: &Digits, p: &Jacobian<F>) -> Jacobian<F> {
        at! {self.field(); minus_y = neg(&p.y);}
        let negated = Jacobian { x: p.x.clone(), y: minus_y, z: p.z.clone() };
        let mut acc: Option<Jacobian<F>> = None;
        for i in (0..k.len()).rev() {
            acc = acc.map(|acc| self.double(&acc));
            if let Some((_, negative)) = k.at(i) {
                let term = if negative { &negated } else { p };
                acc = Some(acc.map_or_else(|| term.clone(), |acc| self.add_jacobian(&acc, term)));
            }
        }
        acc.unwrap_or_else(|| self.infinity())
    }

    /// Returns P + nQ for a small n.
    pub(crate) fn add_small(&self, p: Jacobian<F>, n: i32, q: &Affine<F>) -> Jacobian<F> {
        let term = if n < 0 { self.negate(q) } else { q.clone() };
        (0..n.unsigned_abs()).fold(p, |sum, _| self.add(&sum, &term))
    }
}
