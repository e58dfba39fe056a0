//! Decoding of points: x‖y, or x‖sign, told apart by their length.

use super::job::{Job, PointJob};
use super::{Place, RecordedBackend};
use crate::backend::error::PointError;
use crate::backend::group::Group;
use crate::backend::interface::{Encoded, Groups, Owned};
use crate::backend::residues::Parsed;
use crate::backend::validate::Validate;
use bilinear_field::CollectVec;
use bilinear_program::Batch;
use num_traits::One;
use std::sync::Arc;

impl RecordedBackend {
    /// Computes the y of this sign over each x; `None` where x has none.
    pub(super) fn decompressed(&self, group: Group, xs: &[(&[u8], bool)]) -> Vec<Option<Vec<u8>>> {
        let fill = |batch: &mut Batch, (v, lane): Place, (x, odd): &(&[u8], bool)| {
            self.set(batch, (v, lane), 0, Some(x));
            batch.set_mask(v, 0, lane, *odd);
        };
        let count = self.coordinates(group) / 2;
        let take =
            |batch: &Batch, (v, lane): Place| batch.get_mask(v, 0, lane).then(|| self.get(batch, (v, lane), 0, count));
        self.each(Job::Points(group, PointJob::Decompress), xs, fill, take)
    }

    /// Checks and decodes points; each step runs on all points that are valid so far. Copies are checked, and these
    /// copies become the returned points.
    pub(super) fn decode_points(
        &self,
        group: Group,
        points: &[Encoded<'_>],
        validate: Validate,
    ) -> Vec<Result<Owned, PointError>> {
        let len = self.point_len(group) / 2;
        let points: Vec<Owned> = points.iter().map(|point| point.map(Arc::from)).collect_vec();
        let (mut full, mut compressed) = (vec![], vec![]);
        let mut out: Vec<Result<Owned, PointError>> = Vec::with_capacity(points.len());
        for (i, point) in points.iter().enumerate() {
            let parsed = Parsed::new(self.modulus(), self.len, len, point.as_deref());
            match parsed {
                Ok(Parsed::Full(xy)) => full.push((i, xy)),
                Ok(Parsed::Compressed(x, odd)) => compressed.push((i, (x, odd))),
                _ => {}
            }
            out.push(parsed.map(|_| None));
        }
        let masked = |batch: &Batch, (v, lane): Place| batch.get_mask(v, 0, lane);
        let on_curve = self.each(
            Job::Points(group, PointJob::OnCurve),
            &full,
            |batch, at, (_, xy)| self.set(batch, at, 0, Some(xy)),
            masked,
        );
        for ((i, _), good) in full.into_iter().zip(on_curve) {
            out[i] = if good { Ok(points[i].clone()) } else { Err(PointError::NotOnCurve) };
        }
        let (numbers, given): (Vec<usize>, Vec<(&[u8], bool)>) = compressed.into_iter().unzip();
        for ((i, (x, odd)), y) in numbers.into_iter().zip(&given).zip(self.decompressed(group, &given)) {
            out[i] = match y {
                None => Err(PointError::NotOnCurve),
                Some(y) if *odd && y.iter().all(|byte| *byte == 0) => Err(PointError::Sign(1)),
                Some(y) => Ok(Some([*x, &y[..]].concat().into())),
            };
        }
        if validate == Validate::Subgroup && !self.ready.programs.family().cofactor(group).is_one() {
            let found = out.iter().enumerate().filter_map(|(i, p)| Some((i, p.as_ref().ok()?.clone()?)));
            let found: Vec<(usize, Arc<[u8]>)> = found.collect_vec();
            let fill = |batch: &mut Batch, at, (_, xy): &(usize, Arc<[u8]>)| self.set(batch, at, 0, Some(xy));
            let good = self.each(Job::Points(group, PointJob::InGroup), &found, fill, masked);
            for (i, _) in found.into_iter().zip(good).filter_map(|(found, good)| (!good).then_some(found)) {
                out[i] = Err(PointError::NotInSubgroup);
            }
        }
        out
    }
}
