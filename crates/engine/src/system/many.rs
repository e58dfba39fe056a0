//! Operations on many values at a time, in lanes where there are enough: what a [`Batch`](crate::Batch) shares among threads.

use super::System;
use crate::backend::{Encoded, Group, GtError, Validate};
use crate::fixed_base::FixedBase;
use crate::point::{Gt, Point, PreparedLines};
use bilinear_pairing::hash::HashError;
use std::iter::repeat_n;

impl System {
    /// Checks elements of the target group.
    pub(crate) fn decode_gts(&self, values: &[&[u8]]) -> Vec<Result<Gt, GtError>> {
        let checked = self.backend_for(values.len()).check_gt(values);
        checked.into_iter().zip(values).map(|(checked, bytes)| checked.map(|()| self.gt((*bytes).into()))).collect()
    }

    /// e(P, Q) of each pair. Those with an O take the engines that have programs for it.
    pub(crate) fn pairings(&self, pairs: &[[Encoded<'_>; 2]]) -> Vec<Gt> {
        let any = |[p, q]: &[Encoded<'_>; 2]| p.is_some() && q.is_some();
        let few = self.few().filter(|few| pairs.iter().all(any) && few.asks_for_pairs(repeat_n(1, pairs.len())));
        let few = few.and_then(|few| few.for_pairs(repeat_n(1, pairs.len())));
        let backend = few.as_deref().unwrap_or_else(|| self.backend_for(pairs.len()));
        let products: Vec<Vec<[Encoded<'_>; 2]>> = pairs.iter().map(|pair| vec![*pair]).collect();
        let values = backend.miller(&products);
        self.finish(&values.iter().map(|value| &**value).collect::<Vec<_>>())
    }

    /// e(P, Q) of a prepared argument and the other one.
    pub(crate) fn pairing_with(&self, lines: &PreparedLines, other: &[u8]) -> Gt {
        let few = self.few().filter(|few| few.asks_for_lines([1].into_iter()));
        let few = few.and_then(|few| few.for_lines([1].into_iter()));
        let backend = few.as_deref().unwrap_or_else(|| self.backend());
        let lines = few.as_deref().map_or_else(|| lines.of(self, 1), |few| lines.of_few(few));
        let values = backend.miller_prepared(&[vec![(Some(lines), Some(other))]]);
        self.finish(&[&*values[0]]).remove(0)
    }

    /// The final exponentiations of Miller values.
    pub(crate) fn finish(&self, values: &[&[u8]]) -> Vec<Gt> {
        let few = self.few().and_then(|few| few.for_finish(values.len()));
        let backend = few.as_deref().unwrap_or_else(|| self.backend_for(values.len()));
        backend.finish(values).into_iter().map(|bytes| self.gt(bytes)).collect()
    }

    /// Which Miller values are 1 then.
    pub(crate) fn are_one(&self, values: &[&[u8]]) -> Vec<bool> {
        let few = self.few().and_then(|few| few.for_finish(values.len()));
        few.as_deref().unwrap_or_else(|| self.backend_for(values.len())).are_one(values)
    }

    /// Hashes messages.
    pub(crate) fn hash_all(
        &self,
        group: Group,
        messages: &[&[u8]],
        tag: &[u8],
        uniform: bool,
    ) -> Result<Vec<Point>, HashError> {
        let group = self.group(group);
        let points = self.backend_for(messages.len()).hash(group, messages, tag, uniform)?;
        Ok(points.into_iter().map(|bytes| self.point(group, Validate::Subgroup, bytes)).collect())
    }

    /// kP for each (k, P) of a group.
    pub(crate) fn multiples(&self, group: Group, terms: &[(&[u8], &Point)]) -> Vec<Point> {
        let group = self.group(group);
        terms.iter().for_each(|(_, p)| self.owns_in(group, p));
        let known = terms.iter().fold(Validate::Subgroup, |known, (_, p)| known.and(p.known));
        let raw: Vec<_> = terms.iter().map(|(k, p)| (*k, p.bytes())).collect();
        let multiples = self.backend_for(terms.len()).multiples(group, known, &raw);
        multiples.into_iter().zip(terms).map(|(bytes, (_, p))| self.point(group, p.known, bytes)).collect()
    }

    /// Points of a group with tables for scalars of so many bytes.
    pub(crate) fn fixed_bases(&self, group: Group, points: &[Point], bytes: usize) -> Vec<FixedBase> {
        let group = self.group(group);
        points.iter().for_each(|p| self.owns_in(group, p));
        FixedBase::of_points(self, group, points, bytes)
    }

    /// Σ k·P of each list of k, which have the same lengths in all.
    pub(crate) fn fixed_sums(&self, group: Group, bases: &[&FixedBase], sums: &[Vec<&[u8]>]) -> Vec<Point> {
        let group = self.group(group);
        bases.iter().for_each(|base| self.owns_base(group, base));
        let points: Vec<&Point> = bases.iter().map(|base| base.point()).collect();
        let is_served = |ks: &Vec<&[u8]>| bases.iter().zip(ks).all(|(base, k)| base.serves(k.len()));
        if points.is_empty() || !sums.first().is_some_and(is_served) {
            let terms: Vec<(&[u8], &Point)> =
                sums.iter().flat_map(|ks| ks.iter().copied().zip(points.iter().copied())).collect();
            let multiples = self.multiples(group, &terms);
            let list = |i: usize| &multiples[i * points.len()..(i + 1) * points.len()];
            return self.sums(group, &(0..sums.len()).map(list).collect::<Vec<_>>());
        }
        let tables: Vec<_> = bases.iter().map(|base| base.tables(self, sums.len())).collect();
        let known = points.iter().fold(Validate::Subgroup, |known, p| known.and(p.known));
        let sums = self.backend_for(sums.len()).fixed_sums(group, &tables, sums);
        sums.into_iter().map(|bytes| self.point(group, known, bytes)).collect()
    }

    /// The sum of the points of each list.
    pub(crate) fn sums(&self, group: Group, lists: &[&[Point]]) -> Vec<Point> {
        let group = self.group(group);
        lists.iter().copied().flatten().for_each(|p| self.owns_in(group, p));
        let raw: Vec<Vec<_>> = lists.iter().map(|list| list.iter().map(Point::bytes).collect()).collect();
        let additions = lists.iter().map(|list| list.len() / 2).sum();
        let sums = self.backend_for(additions).sums(group, &raw);
        let known = |list: &[Point]| list.iter().fold(Validate::Subgroup, |known, p| known.and(p.known));
        sums.into_iter().zip(lists).map(|(bytes, list)| self.point(group, known(list), bytes)).collect()
    }

    /// The product of the values of each list: a tree, level by level.
    pub(crate) fn gt_products(&self, mut lists: Vec<Vec<Gt>>) -> Vec<Gt> {
        lists.iter().flatten().for_each(|x| self.owns(x.curve));
        while lists.iter().any(|list| list.len() > 1) {
            let pairs = lists.iter().flat_map(|list| list.chunks_exact(2));
            let pairs: Vec<[&[u8]; 2]> = pairs.map(|xy| [xy[0].bytes(), xy[1].bytes()]).collect();
            let mut products = self.backend_for(pairs.len()).gt_mul(&pairs).into_iter().map(|bytes| self.gt(bytes));
            let level = |list: &Vec<Gt>| {
                let odd = list.chunks_exact(2).remainder().first().cloned();
                products.by_ref().take(list.len() / 2).chain(odd).collect()
            };
            lists = lists.iter().map(level).collect();
        }
        lists.into_iter().map(|list| list.into_iter().next().unwrap_or_else(|| self.gt_one())).collect()
    }

    /// x^e for each (x, e).
    pub(crate) fn powers(&self, terms: &[(&Gt, &[u8])]) -> Vec<Gt> {
        let raw: Vec<_> = terms.iter().map(|(x, e)| (self.raw_gt(x), *e)).collect();
        self.backend_for(terms.len()).gt_powers(&raw).into_iter().map(|bytes| self.gt(bytes)).collect()
    }
}
