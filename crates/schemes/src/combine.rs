//! Sums of secret multiples, many at a time: Σ k·P + Σ P for each list, constant time in the k but for their lengths, and for what
//! happens with probability 1/p for the smallest prime p of the order: that a multiple is O, or that points that meet in a sum are
//! equal. Callers see to it that no k is 0 for a reason.

use crate::scalar::Scalar;
use bilinear_engine::{Batch, Group, Point};
use std::collections::BTreeMap;
use std::ops::Range;

/// k·P, or P itself.
#[derive(Clone, Copy)]
pub(crate) enum Term<'a> {
    Multiple(&'a Scalar, &'a Point),
    Itself(&'a Point),
}

/// Terms of one length, and where they stand.
type Places<'a> = (Vec<usize>, Vec<(&'a Scalar, Point)>);

/// k·P.
pub(crate) fn times<'a>(k: &'a Scalar, p: &'a Point) -> Term<'a> {
    Term::Multiple(k, p)
}

/// The sum of each list of terms. Multiples by numbers of equal lengths are computed together: in lanes the longest decides.
pub(crate) fn combinations(batch: &Batch, group: Group, sums: &[Vec<Term<'_>>]) -> Vec<Point> {
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
        for (place, multiple) in places.into_iter().zip(batch.multiples(group, &some)) {
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
