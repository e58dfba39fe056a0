//! Sums Σ k_i·P_i for public scalars: interleaved signed windows with shared doublings (Möller, SAC 2001). The running time
//! depends on the k_i alone, never on the points.

use crate::buckets::{self, DOUBLING, MIXED};
use crate::curve::{Affine, Curve, Jacobian};
use crate::digits::{weight, wnaf};
use bilinear_field::{Field, at};
use num_bigint::{BigInt, BigUint, Sign};

/// Widths of windows in question.
const WIDTHS: std::ops::RangeInclusive<u32> = 2..=6;

/// An inversion, in additions: about what one takes in a quadratic extension.
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

/// The width for this many uniform scalars of so many bits that share a table, and the additions that it takes, in quarters,
/// with so many for each entry of the table.
pub(crate) fn uniform_width(scalars: usize, bits: u64, entry: usize) -> (u32, u64) {
    let quarters = |w: u32| 4 * scalars as u64 * bits / u64::from(w + 1) + ((entry as u64) << (w - 2));
    WIDTHS.map(|w| (w, quarters(w))).min_by_key(|(_, cost)| *cost).unwrap_or((2, 0))
}

/// Quarters of an addition for an entry of a table: one and a half with its affine coordinates, one for each image.
fn entry(parts: usize) -> usize {
    5 + parts
}

impl<F: Field> Curve<F> {
    /// Σ k_i·P_i for few terms and any points.
    pub fn combination(&self, terms: &[(BigInt, Affine<F>)]) -> Jacobian<F> {
        let digits: Vec<Digits> = terms.iter().map(|(k, _)| Digits::lightest(k)).collect();
        let tables = self.odd_tables(terms.iter().zip(&digits).map(|((_, p), d)| (p, d.table())));
        self.interleaved(&digits.into_iter().zip(tables).collect::<Vec<_>>())
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
        let above: Vec<_> = points.clone().flat_map(|(p, n)| self.odd_multiples(p, n).into_iter().skip(1)).collect();
        let mut above = if above.is_empty() { vec![] } else { self.normalise(&above) }.into_iter();
        let table = |(p, n): (&Affine<F>, usize)| {
            let first = std::iter::repeat_n(p.clone(), n.min(1));
            first.chain(above.by_ref().take(n.saturating_sub(1))).collect()
        };
        points.map(table).collect()
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
                acc = Some(acc.map_or_else(|| self.lift(point), |acc| self.add(&acc, point)));
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

    /// Σ k_i·P_i for any number of terms and any points.
    pub fn sum(&self, terms: &[(BigUint, Affine<F>)]) -> Jacobian<F> {
        let alone = |(k, p): &(BigUint, Affine<F>)| (vec![k.clone().into()], p.clone());
        self.sum_images(&terms.iter().map(alone).collect::<Vec<_>>(), |p, _| p.clone())
    }

    /// Σ_j Σ_i k_ij·α^i(P_j) for public scalars that an automorphism α splits, or with one k_j0 each: interleaved windows, one
    /// table and its images a point, or buckets, whichever takes fewer products.
    pub(crate) fn sum_images(
        &self,
        terms: &[(Vec<BigInt>, Affine<F>)],
        image: impl Fn(&Affine<F>, usize) -> Affine<F>,
    ) -> Jacobian<F> {
        let bits = |parts: &[BigInt]| parts.iter().map(BigInt::bits).max().unwrap_or(0);
        let most = terms.iter().map(|(parts, _)| bits(parts)).max().unwrap_or(0);
        let parts = terms.iter().map(|(parts, _)| parts.len()).max().unwrap_or(0);
        let moved = |p: &Affine<F>, i: usize| if i == 0 { p.clone() } else { image(p, i) };
        let interleaved = terms.len() as u64 * uniform_width(parts, most, entry(parts)).1 * MIXED / 4 + most * DOUBLING;
        if buckets::width(terms.len() * parts, most).1 < interleaved {
            let single = |(parts, p): &(Vec<BigInt>, Affine<F>)| {
                let used = parts.iter().enumerate().filter(|(_, k)| k.sign() != Sign::NoSign);
                used.map(|(i, k)| (k.clone(), moved(p, i))).collect::<Vec<_>>()
            };
            return self.sum_of_multiples(&terms.iter().flat_map(single).collect::<Vec<_>>());
        }
        let digits = |(parts, _): &(Vec<BigInt>, _)| {
            let used = parts.iter().filter(|k| k.sign() != Sign::NoSign).count();
            let (width, _) = uniform_width(used, bits(parts), entry(used));
            parts.iter().map(|k| Digits::new(k, width)).collect::<Vec<_>>()
        };
        let digits: Vec<Vec<Digits>> = terms.iter().map(digits).collect();
        let tallest = |digits: &[Digits]| digits.iter().map(Digits::table).max().unwrap_or(0);
        let tables = self.odd_tables(terms.iter().zip(&digits).map(|((_, p), digits)| (p, tallest(digits))));
        let strands = digits.into_iter().zip(&tables).flat_map(|(digits, table)| {
            let strand = |(i, digits): (usize, Digits)| {
                let images = table[..digits.table()].iter().map(|p| moved(p, i)).collect();
                (digits, images)
            };
            digits.into_iter().enumerate().map(strand).collect::<Vec<_>>()
        });
        self.interleaved(&strands.collect::<Vec<_>>())
    }
}
