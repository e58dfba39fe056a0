//! Combinations Σ k_i·P_i of few points for public scalars: interleaved signed windows with shared doublings (Möller, SAC 2001). The running time
//! depends on the k_i alone, never on the points.

use crate::curve::{Affine, Curve, Jacobian};
use crate::digits::{weight, wnaf};
use bilinear_field::{CollectVec, Field, at};
use num_bigint::{BigInt, Sign};

/// Widths of windows in question.
const WIDTHS: std::ops::RangeInclusive<u32> = 2..=6;

/// The cost of an inversion, in additions: an estimate for a quadratic extension.
const INVERSION: usize = 6;

/// A scalar's digits, most significant first: odd or 0.
#[derive(Clone, Debug)]
pub(crate) struct Digits {
    digits: Vec<i8>,
    negative: bool,
}

impl Digits {
    /// The NAF of width w.
    pub(crate) fn new(k: &BigInt, w: u32) -> Self {
        Digits { digits: wnaf(k.magnitude(), w), negative: k.sign() == Sign::Minus }
    }

    /// The width that takes the fewest additions for this very scalar.
    pub(crate) fn lightest(k: &BigInt) -> Self {
        // the affine coordinates of a table take an inversion
        let cost = |d: &Digits| weight(&d.digits) + d.table() + if d.table() > 1 { INVERSION } else { 0 };
        let expansions = WIDTHS.map(|w| Digits::new(k, w));
        expansions.min_by_key(cost).unwrap_or_else(|| unreachable!("there are widths"))
    }

    pub(crate) fn len(&self) -> usize {
        self.digits.len()
    }

    /// How many odd multiples the digits ask for.
    pub(crate) fn table(&self) -> usize {
        self.digits.iter().map(|d| usize::from(d.unsigned_abs()).div_ceil(2)).max().unwrap_or(0)
    }

    /// The digit of 2^i: where it is not 0, its place in the table and whether it is negative.
    pub(crate) fn at(&self, i: usize) -> Option<(usize, bool)> {
        let d = self.digits.len().checked_sub(i + 1).map_or(0, |j| self.digits[j]);
        (d != 0).then(|| (usize::from(d.unsigned_abs()) / 2, (d < 0) != self.negative))
    }
}

impl<F: Field> Curve<F> {
    /// Σ k_i·P_i for any points: a table of each, so few.
    pub fn combination(&self, terms: &[(BigInt, Affine<F>)]) -> Jacobian<F> {
        let digits: Vec<Digits> = terms.iter().map(|(k, _)| Digits::lightest(k)).collect_vec();
        let tables = self.odd_tables(terms.iter().zip(&digits).map(|((_, p), d)| (p, d.table())));
        self.interleaved(&digits.into_iter().zip(tables).collect_vec())
    }

    /// kP from the digits of k.
    pub(crate) fn multiple(&self, k: &Digits, p: &Affine<F>) -> Jacobian<F> {
        let table = self.odd_tables(std::iter::once((p, k.table()))).remove(0);
        self.interleaved(&[(k.clone(), table)])
    }

    /// P, 3P, 5P, … of each point, as many as asked for: one inversion, or none where P alone will do.
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

    /// Σ over digits and the odd multiples that they ask for.
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

    /// kP from the NAF of k.
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

    /// P + nQ for a small n.
    pub(crate) fn add_small(&self, p: Jacobian<F>, n: i32, q: &Affine<F>) -> Jacobian<F> {
        let term = if n < 0 { self.negate(q) } else { q.clone() };
        (0..n.unsigned_abs()).fold(p, |sum, _| self.add(&sum, &term))
    }
}
