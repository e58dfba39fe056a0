//! Operations on many values at a time, in lanes where there are enough: the work that a [`Batch`](crate::Batch)
//! shares among threads.

use super::System;
use crate::backend::{Backend, Encoded, Group, GtError, Validate};
use crate::fixed_base::FixedBase;
use crate::parts::{longest_part, parts};
use crate::point::{Gt, Point, PreparedLines};
use crate::tree::multiplied;
use bilinear_field::CollectVec;
use bilinear_pairing::hash::HashError;
use std::sync::Arc;

/// The longest secret scalar or exponent, in bytes. The length of a program grows with that of the scalar, and each
/// length has its own program.
pub const MAX_SECRET: usize = 1024;

/// Checks the length of a secret scalar or exponent.
///
/// # Panics
/// Panics if the scalar or exponent is longer than [`MAX_SECRET`].
fn is_short(bytes: usize) {
    assert!(bytes <= MAX_SECRET, "a scalar or exponent of {bytes} bytes: at most {MAX_SECRET} are allowed");
}

impl System {
    /// Checks elements of the target group. Copies are checked, and these copies become the returned values.
    pub(crate) fn decode_gts(&self, values: &[&[u8]]) -> Vec<Result<Gt, GtError>> {
        let copies: Vec<Arc<[u8]>> = values.iter().map(|bytes| Arc::from(*bytes)).collect_vec();
        let given: Vec<&[u8]> = copies.iter().map(|bytes| &**bytes).collect_vec();
        let checked = self.backend_for(given.len()).check_gt(&given);
        checked.into_iter().zip(copies).map(|(checked, bytes)| checked.map(|()| self.gt(bytes))).collect_vec()
    }

    /// Computes e(P, Q) of each pair. Pairs with an O run on the engines that have programs for O.
    pub(crate) fn pairings(&self, pairs: &[[Encoded<'_>; 2]]) -> Vec<Gt> {
        let values = self.miller_values(&pairs.iter().map(|pair| vec![*pair]).collect_vec());
        self.final_exponentiation(&values.iter().map(|value| &**value).collect_vec())
    }

    /// Computes the Miller value of each product.
    pub(crate) fn miller_values(&self, products: &[Vec<[Encoded<'_>; 2]>]) -> Vec<Arc<[u8]>> {
        self.few_for(products).as_deref().unwrap_or_else(|| self.backend_for(products.len())).miller(products)
    }

    /// Computes the Miller value of one product. If its pairs are not few, it is cut into parts that fill the lanes
    /// of batches.
    pub(crate) fn miller_value(&self, product: Vec<[Encoded<'_>; 2]>) -> Arc<[u8]> {
        let whole = [product];
        if let Some(few) = self.few_for(&whole) {
            return few.miller(&whole).remove(0);
        }
        let [product] = whole;
        let backend = self.backend_in_lanes(product.len());
        let ranges = parts(0..product.len(), longest_part(product.len(), 1, backend.lanes()));
        let values = backend.miller(&ranges.into_iter().map(|range| product[range].to_vec()).collect_vec());
        let product = values.into_iter().reduce(|product, part| self.backend().join(&product, &part));
        product.unwrap_or_else(|| unreachable!("an empty product is one part"))
    }

    /// The engine for few values, if it is ready for the Miller values of these products. Counts the call.
    fn few_for(&self, products: &[Vec<[Encoded<'_>; 2]>]) -> Option<Arc<dyn Backend>> {
        let any = |[p, q]: &[Encoded<'_>; 2]| p.is_some() && q.is_some();
        let few = self.few().filter(|_| products.iter().flatten().all(any))?;
        few.serve(few.pairs(products.iter().map(Vec::len)))
    }

    /// Computes e(P, Q) of a prepared argument and the other argument.
    pub(crate) fn pairing_with(&self, lines: &PreparedLines, other: &[u8]) -> Gt {
        let few = self.few().and_then(|few| few.serve(few.lines([1].into_iter())));
        let backend = few.as_deref().unwrap_or_else(|| self.backend());
        let lines = few.as_deref().map_or_else(|| lines.of(self, 1), |few| lines.of_few(few));
        let values = backend.miller_prepared(&[vec![(Some(lines), Some(other))]]);
        self.final_exponentiation(&[&*values[0]]).remove(0)
    }

    /// Computes the final exponentiations of Miller values.
    pub(crate) fn final_exponentiation(&self, values: &[&[u8]]) -> Vec<Gt> {
        let few = self.few().and_then(|few| few.serve(few.finish(values.len())));
        let backend = few.as_deref().unwrap_or_else(|| self.backend_for(values.len()));
        backend.final_exponentiation(values).into_iter().map(|bytes| self.gt(bytes)).collect_vec()
    }

    /// Returns which Miller values become 1 by the final exponentiation.
    pub(crate) fn are_one(&self, values: &[&[u8]]) -> Vec<bool> {
        let few = self.few().and_then(|few| few.serve(few.finish(values.len())));
        few.as_deref().unwrap_or_else(|| self.backend_for(values.len())).are_one(values)
    }

    /// Hashes messages to a group: as a random oracle if `uniform`, else with one evaluation of the map.
    pub(crate) fn hash_all(
        &self,
        group: Group,
        messages: &[&[u8]],
        dst: &[u8],
        uniform: bool,
    ) -> Result<Vec<Point>, HashError> {
        let group = self.group(group);
        let points = self.backend_for(messages.len()).hash(group, messages, dst, uniform)?;
        Ok(points.into_iter().map(|bytes| self.point(group, Validate::Subgroup, bytes)).collect_vec())
    }

    /// Computes kP for each (k, P) of a group.
    pub(crate) fn multiples(&self, group: Group, terms: &[(&[u8], &Point)]) -> Vec<Point> {
        let group = self.group(group);
        terms.iter().for_each(|(k, _)| is_short(k.len()));
        terms.iter().for_each(|(_, p)| self.owns_in(group, p));
        let known = terms.iter().fold(Validate::Subgroup, |known, (_, p)| known.and(p.known));
        let raw = terms.iter().map(|(k, p)| (*k, p.bytes())).collect_vec();
        let multiples = self.backend_for(terms.len()).multiples(group, known, &raw);
        multiples.into_iter().zip(terms).map(|(bytes, (_, p))| self.point(group, p.known, bytes)).collect_vec()
    }

    /// Prepares points of a group with tables for scalars of up to `bytes` bytes.
    pub(crate) fn fixed_bases(&self, group: Group, points: &[Point], bytes: usize) -> Vec<FixedBase> {
        let group = self.group(group);
        points.iter().for_each(|p| self.owns_in(group, p));
        is_short(bytes);
        FixedBase::of_points(self, group, points, bytes)
    }

    /// Computes Σ k·P for each list of k. The lengths of the k are the same in all lists.
    pub(crate) fn fixed_sums(&self, group: Group, bases: &[&FixedBase], sums: &[Vec<&[u8]>]) -> Vec<Point> {
        let group = self.group(group);
        bases.iter().for_each(|base| self.owns_base(group, base));
        let points: Vec<&Point> = bases.iter().map(|base| base.point()).collect_vec();
        let is_served = |ks: &Vec<&[u8]>| bases.iter().zip(ks).all(|(base, k)| base.serves(k.len()));
        if points.is_empty() || !sums.first().is_some_and(is_served) {
            let terms: Vec<(&[u8], &Point)> =
                sums.iter().flat_map(|ks| ks.iter().copied().zip(points.iter().copied())).collect_vec();
            let multiples = self.multiples(group, &terms);
            let list = |i: usize| &multiples[i * points.len()..(i + 1) * points.len()];
            return self.sums(group, &(0..sums.len()).map(list).collect_vec());
        }
        let tables = bases.iter().map(|base| base.tables(self, sums.len())).collect_vec();
        let known = points.iter().fold(Validate::Subgroup, |known, p| known.and(p.known));
        let sums = self.backend_for(sums.len()).fixed_sums(group, &tables, sums);
        sums.into_iter().map(|bytes| self.point(group, known, bytes)).collect_vec()
    }

    /// Computes the sum of the points of each list.
    pub(crate) fn sums(&self, group: Group, lists: &[&[Point]]) -> Vec<Point> {
        let group = self.group(group);
        lists.iter().copied().flatten().for_each(|p| self.owns_in(group, p));
        let raw: Vec<Vec<_>> = lists.iter().map(|list| list.iter().map(Point::bytes).collect_vec()).collect_vec();
        let additions = lists.iter().map(|list| list.len() / 2).sum();
        let sums = self.backend_for(additions).sums(group, &raw);
        let known = |list: &[Point]| list.iter().fold(Validate::Subgroup, |known, p| known.and(p.known));
        sums.into_iter().zip(lists).map(|(bytes, list)| self.point(group, known(list), bytes)).collect_vec()
    }

    /// Computes the product of the values of each list, by a tree, level by level.
    pub(crate) fn gt_products(&self, lists: &[Vec<Gt>]) -> Vec<Gt> {
        lists.iter().flatten().for_each(|x| self.owns(x.curve));
        let lists = lists.iter().map(|list| list.iter().map(|x| x.bytes.clone()).collect_vec()).collect_vec();
        let products = multiplied(lists, &|pairs| self.backend_for(pairs.len()).gt_mul(pairs));
        products.into_iter().map(|bytes| bytes.map_or_else(|| self.gt_one(), |bytes| self.gt(bytes))).collect_vec()
    }

    /// Computes x^e for each (x, e).
    pub(crate) fn powers(&self, terms: &[(&Gt, &[u8])]) -> Vec<Gt> {
        terms.iter().for_each(|(_, e)| is_short(e.len()));
        let raw = terms.iter().map(|(x, e)| (self.raw_gt(x), *e)).collect_vec();
        self.backend_for(terms.len()).gt_powers(&raw).into_iter().map(|bytes| self.gt(bytes)).collect_vec()
    }
}
