//! Sums of secret multiples, many at a time: Σ k·P + Σ P for each list. Constant time in the k except for their
//! lengths, and except for two events of probability 1/p for the smallest prime p of the order: that a multiple is O,
//! or that the points of an addition are equal. Callers must ensure that no k is 0 systematically. With tables of the
//! points neither event matters.

use crate::scalar::Scalar;
use bilinear_engine::{Batch, FixedBase, Group, Point};
use std::collections::BTreeMap;
use std::ops::Range;

/// A term of a sum: k·P, or P itself, where P is a point alone or a point with tables.
pub(crate) enum Term<'a, P = Point> {
    Multiple(&'a Scalar, &'a P),
    Itself(&'a P),
}

impl<P> Clone for Term<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Term<'_, P> {}

/// Terms whose scalars have one length, and their positions.
type Places<'a> = (Vec<usize>, Vec<(&'a Scalar, Point)>);

/// Creates the term k·P.
pub(crate) fn times<'a, P>(k: &'a Scalar, p: &'a P) -> Term<'a, P> {
    Term::Multiple(k, p)
}

/// Computes the sum of each list of terms. Multiples by numbers of equal lengths are computed together: in lanes the
/// longest number determines the time.
pub(crate) fn msms(batch: &Batch, group: Group, sums: &[Vec<Term<'_>>]) -> Vec<Point> {
    let terms: Vec<Term<'_>> = sums.iter().flatten().copied().collect();
    let mut by_length: BTreeMap<usize, Places<'_>> = BTreeMap::new();
    let mut points = Vec::with_capacity(terms.len());
    for term in &terms {
        if let Term::Multiple(k, p) = term {
            let (places, some) = by_length.entry(k.byte_len()).or_default();
            places.push(points.len());
            some.push((*k, (*p).clone()));
        }
        let (Term::Multiple(_, p) | Term::Itself(p)) = term;
        points.push((*p).clone());
    }
    for (places, some) in by_length.into_values() {
        for (place, multiple) in places.into_iter().zip(batch.mul_secret(group, &some)) {
            points[place] = multiple;
        }
    }
    let mut start = 0;
    let range = |list: &Vec<Term<'_>>| {
        start += list.len();
        start - list.len()..start
    };
    let ranges: Vec<Range<usize>> = sums.iter().map(range).collect();
    batch.sums(group, &points, &ranges)
}

/// Computes k·P for each k.
pub(crate) fn multiples<'a>(
    batch: &Batch,
    group: Group,
    ks: impl IntoIterator<Item = &'a Scalar>,
    p: &'a Point,
) -> Vec<Point> {
    let sums: Vec<_> = ks.into_iter().map(|k| vec![times(k, p)]).collect();
    msms(batch, group, &sums)
}

/// Creates points with tables for scalars of up to the given number of bytes each.
pub(crate) fn fixed_bases(batch: &Batch, group: Group, points: &[Point], bytes: &[usize]) -> Vec<FixedBase> {
    let mut by_length: BTreeMap<usize, (Vec<usize>, Vec<Point>)> = BTreeMap::new();
    for (i, (point, bytes)) in points.iter().zip(bytes).enumerate() {
        let (places, some) = by_length.entry(*bytes).or_default();
        places.push(i);
        some.push(point.clone());
    }
    let made = by_length.iter().flat_map(|(bytes, (places, some))| {
        places.iter().copied().zip(batch.fixed_bases(group, some, *bytes)).collect::<Vec<_>>()
    });
    let in_order: BTreeMap<usize, FixedBase> = made.collect();
    in_order.into_values().collect()
}

/// Computes the sum of each list of terms, from tables.
pub(crate) fn fixed_combinations(batch: &Batch, group: Group, sums: &[Vec<Term<'_, FixedBase>>]) -> Vec<Point> {
    let sums: Vec<Vec<_>> = sums.iter().map(|list| list.iter().copied().map(fixed_term).collect()).collect();
    batch.fixed_sums(group, &sums)
}

/// The scalar of a term and its base.
fn fixed_term(term: Term<'_, FixedBase>) -> (&[u8], &FixedBase) {
    match term {
        Term::Multiple(k, base) => (k.as_ref(), base),
        Term::Itself(base) => (&[1], base),
    }
}
