//! Operations in the groups on many values at a time: hashes, sums, multiples and powers.

use super::{Batch, TERMS};
use crate::backend::{FactorsError, Group, GtEncoding, GtError};
use crate::point::{Gt, Point};
use bilinear_field::CollectVec;
use bilinear_pairing::hash::HashError;
use num_bigint::BigUint;
use std::ops::Range;

impl Batch {
    /// Checks and reads elements of the target group: as [`System::decode_gt_as`](crate::System::decode_gt_as) for each.
    pub fn decode_gt_as(&self, encoding: GtEncoding, values: &[&[u8]]) -> Vec<Result<Gt, GtError>> {
        self.tasks(values.len(), self.task(), |range| self.system.decode_gts_as(encoding, &values[range]))
    }

    /// Writes elements of the target group: as [`System::encode_gt_as`](crate::System::encode_gt_as) for each.
    ///
    /// # Errors
    /// If the curve has no such encoding.
    pub fn encode_gt_as(&self, encoding: GtEncoding, values: &[Gt]) -> Result<Vec<Vec<u8>>, GtError> {
        self.system.gt_encoded_len(encoding)?;
        Ok(self.tasks(values.len(), self.task(), |range| self.system.encode_gts_as(encoding, &values[range])))
    }

    /// Hashes messages to a group: as [`System::hash_to_point`](crate::System::hash_to_point) for each.
    ///
    /// # Errors
    /// As there, if there is a message.
    pub fn hash_to_points(&self, group: Group, messages: &[&[u8]], tag: &[u8]) -> Result<Vec<Point>, HashError> {
        self.hash_all(group, messages, tag, true)
    }

    /// Hashes messages to a group: as [`System::encode_to_point`](crate::System::encode_to_point) for each.
    ///
    /// # Errors
    /// As there, if there is a message.
    pub fn encode_to_points(&self, group: Group, messages: &[&[u8]], tag: &[u8]) -> Result<Vec<Point>, HashError> {
        self.hash_all(group, messages, tag, false)
    }

    /// kP for each (k, P) of a group, k as big-endian bytes: as [`System::mul_secret`](crate::System::mul_secret) for each,
    /// constant time in the k but for their lengths, of 1024 bytes at most, and variable time on curves of genus 2. Points that are not known to be in the group slow down those next to them as well.
    ///
    /// # Panics
    /// If a point is of another group, or a k is longer.
    pub fn multiples<K: AsRef<[u8]> + Sync>(&self, group: Group, terms: &[(K, Point)]) -> Vec<Point> {
        self.tasks(terms.len(), self.task(), |range| {
            let terms: Vec<(&[u8], &Point)> = terms[range].iter().map(|(k, p)| (k.as_ref(), p)).collect_vec();
            self.system.multiples(group, &terms)
        })
    }

    /// x^e for each (x, e), e as big-endian bytes: as [`System::gt_pow_secret`](crate::System::gt_pow_secret) for each,
    /// constant time in the e but for their lengths, of 1024 bytes at most.
    ///
    /// # Panics
    /// If an e is longer.
    pub fn powers<E: AsRef<[u8]> + Sync>(&self, terms: &[(Gt, E)]) -> Vec<Gt> {
        self.tasks(terms.len(), self.task(), |range| {
            let terms: Vec<(&Gt, &[u8])> = terms[range].iter().map(|(x, e)| (x, e.as_ref())).collect_vec();
            self.system.powers(&terms)
        })
    }

    /// Σ k·P as [`System::combination`](crate::System::combination), each thread a part of the terms.
    ///
    /// # Panics
    /// As there.
    pub fn combination(&self, group: Group, terms: &[(BigUint, Point)]) -> Point {
        let part = terms.len().div_ceil(self.thread_count()).max(TERMS);
        let parts = terms.chunks(part).collect_vec();
        let sums = self.threads.map(parts.len(), &|i| self.system.combination(group, parts[i])).into_iter();
        sums.reduce(|total, sum| self.system.add(&total, &sum)).unwrap_or_else(|| self.system.infinity(group))
    }

    /// The sum of the points in each range, each thread some of the ranges; O for an empty one.
    ///
    /// # Panics
    /// If a point is of another group, or a range is outside the points.
    pub fn sums(&self, group: Group, points: &[Point], ranges: &[Range<usize>]) -> Vec<Point> {
        self.tasks(ranges.len(), self.task(), |some| {
            let lists: Vec<&[Point]> = ranges[some].iter().map(|range| &points[range.clone()]).collect_vec();
            self.system.sums(group, &lists)
        })
    }

    /// The product of the values in each range, each thread some of the ranges; 1 for an empty one.
    ///
    /// # Panics
    /// If a range is outside the values.
    pub fn gt_products(&self, values: &[Gt], ranges: &[Range<usize>]) -> Vec<Gt> {
        self.tasks(ranges.len(), self.task(), |some| {
            self.system.gt_products(&ranges[some].iter().map(|range| values[range.clone()].to_vec()).collect_vec())
        })
    }

    /// The component of each point in the i-th prime-order subgroup: as [`System::project`](crate::System::project), constant time in
    /// the factors but for their sizes.
    ///
    /// # Errors
    /// As there.
    pub fn project(&self, index: usize, points: &[Point]) -> Result<Vec<Point>, FactorsError> {
        // what is wrong with the factors is so without points too
        self.system.projections(index, &[])?;
        let project = |range: Range<usize>| match self.system.projections(index, &points[range]) {
            Ok(points) => points.into_iter().map(Ok).collect_vec(),
            Err(reason) => vec![Err(reason)],
        };
        self.tasks(points.len(), self.task(), project).into_iter().collect()
    }

    fn hash_all(&self, group: Group, messages: &[&[u8]], tag: &[u8], uniform: bool) -> Result<Vec<Point>, HashError> {
        let hash = |message: Range<usize>| match self.system.hash_all(group, &messages[message], tag, uniform) {
            Ok(points) => points.into_iter().map(Ok).collect_vec(),
            Err(reason) => vec![Err(reason)],
        };
        self.tasks(messages.len(), self.task(), hash).into_iter().collect()
    }
}
