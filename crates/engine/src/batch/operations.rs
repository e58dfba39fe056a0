//! Operations in the groups on many values at a time: hashes, sums, multiples and powers.

use super::{Batch, TERMS};
use crate::backend::{FactorsError, Group, GtEncoding, GtError};
use crate::encoding::EncodingError;
use crate::point::{Gt, Point};
use bilinear_field::CollectVec;
use bilinear_pairing::hash::HashError;
use num_bigint::BigUint;
use std::ops::Range;

impl Batch {
    /// Checks and decodes elements of the target group, each as [`System::decode_gt_as`](crate::System::decode_gt_as)
    /// does.
    pub fn decode_gt_as(&self, encoding: GtEncoding, values: &[&[u8]]) -> Vec<Result<Gt, GtError>> {
        self.tasks(values.len(), self.task(), |range| self.system.decode_gts_as(encoding, &values[range]))
    }

    /// Encodes elements of the target group, each as [`System::encode_gt_as`](crate::System::encode_gt_as) does.
    ///
    /// # Errors
    /// Returns an error if the curve has no such encoding.
    pub fn encode_gt_as(&self, encoding: GtEncoding, values: &[Gt]) -> Result<Vec<Vec<u8>>, EncodingError> {
        self.system.gt_encoded_len(encoding)?;
        Ok(self.tasks(values.len(), self.task(), |range| self.system.encode_gts_as(encoding, &values[range])))
    }

    /// Hashes messages to a group, each as [`System::hash_to_curve`](crate::System::hash_to_curve) does.
    ///
    /// # Errors
    /// Returns an error as [`System::hash_to_curve`](crate::System::hash_to_curve) does, if there is at least one
    /// message.
    pub fn hash_to_curve(&self, group: Group, messages: &[&[u8]], dst: &[u8]) -> Result<Vec<Point>, HashError> {
        self.hash_all(group, messages, dst, true)
    }

    /// Hashes messages to a group, each as [`System::encode_to_curve`](crate::System::encode_to_curve) does.
    ///
    /// # Errors
    /// Returns an error as [`System::encode_to_curve`](crate::System::encode_to_curve) does, if there is at least one
    /// message.
    pub fn encode_to_curve(&self, group: Group, messages: &[&[u8]], dst: &[u8]) -> Result<Vec<Point>, HashError> {
        self.hash_all(group, messages, dst, false)
    }

    /// Computes kP for each (k, P) of a group, k as big-endian bytes, each as
    /// [`System::mul_secret`](crate::System::mul_secret) does. Constant time in the k except for their lengths, of at
    /// most 1024 bytes, and variable time on curves of genus 2. Points that are not known to be in the group slow
    /// down their neighbours as well.
    ///
    /// # Panics
    /// Panics if a point belongs to another group, or if a k is longer.
    pub fn mul_secret<K: AsRef<[u8]> + Sync>(&self, group: Group, terms: &[(K, Point)]) -> Vec<Point> {
        self.tasks(terms.len(), self.task(), |range| {
            let terms: Vec<(&[u8], &Point)> = terms[range].iter().map(|(k, p)| (k.as_ref(), p)).collect_vec();
            self.system.multiples(group, &terms)
        })
    }

    /// Computes x^e for each (x, e), e as big-endian bytes, each as
    /// [`System::gt_pow_secret`](crate::System::gt_pow_secret) does. Constant time in the e except for their lengths,
    /// of at most 1024 bytes.
    ///
    /// # Panics
    /// Panics if an e is longer.
    pub fn gt_pow_secret<E: AsRef<[u8]> + Sync>(&self, terms: &[(Gt, E)]) -> Vec<Gt> {
        self.tasks(terms.len(), self.task(), |range| {
            let terms: Vec<(&Gt, &[u8])> = terms[range].iter().map(|(x, e)| (x, e.as_ref())).collect_vec();
            self.system.powers(&terms)
        })
    }

    /// Computes Σ k·P as [`System::msm`](crate::System::msm) does; each thread takes a part of the
    /// terms.
    ///
    /// # Panics
    /// Panics as [`System::msm`](crate::System::msm) does.
    pub fn msm(&self, group: Group, terms: &[(BigUint, Point)]) -> Point {
        let part = terms.len().div_ceil(self.thread_count()).max(TERMS);
        let parts = terms.chunks(part).collect_vec();
        let sums = self.threads.map(parts.len(), &|i| self.system.msm(group, parts[i])).into_iter();
        sums.reduce(|total, sum| self.system.add(&total, &sum)).unwrap_or_else(|| self.system.infinity(group))
    }

    /// Computes the sum of the points in each range; O for an empty range. Each thread takes some of the ranges.
    ///
    /// # Panics
    /// Panics if a point belongs to another group, or if a range does not lie within the points.
    pub fn sums(&self, group: Group, points: &[Point], ranges: &[Range<usize>]) -> Vec<Point> {
        self.tasks(ranges.len(), self.task(), |some| {
            let lists: Vec<&[Point]> = ranges[some].iter().map(|range| &points[range.clone()]).collect_vec();
            self.system.sums(group, &lists)
        })
    }

    /// Computes the product of the values in each range; 1 for an empty range. Each thread takes some of the ranges.
    ///
    /// # Panics
    /// Panics if a range does not lie within the values.
    pub fn gt_products(&self, values: &[Gt], ranges: &[Range<usize>]) -> Vec<Gt> {
        self.tasks(ranges.len(), self.task(), |some| {
            self.system.gt_products(&ranges[some].iter().map(|range| values[range.clone()].to_vec()).collect_vec())
        })
    }

    /// Computes the component of each point in the i-th prime-order subgroup, as
    /// [`System::project`](crate::System::project) does: constant time in the factors except for their sizes.
    ///
    /// # Errors
    /// Returns an error as [`System::project`](crate::System::project) does.
    pub fn project(&self, index: usize, points: &[Point]) -> Result<Vec<Point>, FactorsError> {
        // an error of the factors must show even if there are no points
        self.system.projections(index, &[])?;
        let project = |range: Range<usize>| match self.system.projections(index, &points[range]) {
            Ok(points) => points.into_iter().map(Ok).collect_vec(),
            Err(reason) => vec![Err(reason)],
        };
        self.tasks(points.len(), self.task(), project).into_iter().collect()
    }

    fn hash_all(&self, group: Group, messages: &[&[u8]], dst: &[u8], uniform: bool) -> Result<Vec<Point>, HashError> {
        let hash = |message: Range<usize>| match self.system.hash_all(group, &messages[message], dst, uniform) {
            Ok(points) => points.into_iter().map(Ok).collect_vec(),
            Err(reason) => vec![Err(reason)],
        };
        self.tasks(messages.len(), self.task(), hash).into_iter().collect()
    }
}
