//! Encoded points: x‖y, or x‖sign, told apart by their length.

use super::RecordedBackend;
use super::job::{Job, PointJob};
use crate::backend::error::PointError;
use crate::backend::group::Group;
use crate::backend::interface::{Backend, Encoded, Owned};
use crate::backend::residues::Parsed;
use crate::backend::validate::Validate;
use bilinear_program::Batch;
use std::sync::Arc;

impl RecordedBackend {
    /// y of this sign over each x, where there is one.
    pub(super) fn decompressed(&self, group: Group, xs: &[(&[u8], bool)]) -> Vec<Option<Vec<u8>>> {
        let fill = |batch: &mut Batch, (v, lane): (usize, usize), (x, odd): &(&[u8], bool)| {
            self.set(batch, (v, lane), 0, Some(x));
            batch.set_mask(v, 0, lane, *odd);
        };
        let count = self.coordinates(group) / 2;
        let take = |batch: &Batch, (v, lane): (usize, usize)| {
            batch.get_mask(v, 0, lane).then(|| self.get(batch, (v, lane), 0, count))
        };
        self.each(Job::Points(group, PointJob::Decompress), xs, fill, take)
    }

    /// Checks and decodes points, each step for all that are good so far.
    pub(super) fn decode_points(
        &self,
        group: Group,
        points: &[Encoded<'_>],
        validate: Validate,
    ) -> Vec<Result<Owned, PointError>> {
        let len = self.point_len(group) / 2;
        let parsed = points.iter().map(|p| Parsed::new(self.modulus(), self.len, len, *p));
        let parsed: Vec<Result<Parsed<'_>, PointError>> = parsed.collect();
        let mut out: Vec<Result<Owned, PointError>> = vec![];
        let (mut full, mut compressed) = (vec![], vec![]);
        for (i, parsed) in parsed.iter().enumerate() {
            out.push(match parsed {
                Err(reason) => Err(*reason),
                Ok(Parsed::Infinity) => Ok(None),
                Ok(Parsed::Full(xy)) => {
                    full.push((i, *xy));
                    Ok(None)
                }
                Ok(Parsed::Compressed(x, odd)) => {
                    compressed.push((i, (*x, *odd)));
                    Ok(None)
                }
            });
        }
        let (numbers, given): (Vec<usize>, Vec<&[u8]>) = full.into_iter().unzip();
        let masked = |batch: &Batch, (v, lane): (usize, usize)| batch.get_mask(v, 0, lane);
        let on_curve = self.each(
            Job::Points(group, PointJob::OnCurve),
            &given,
            |batch, at, xy| self.set(batch, at, 0, Some(xy)),
            masked,
        );
        for ((i, xy), good) in numbers.into_iter().zip(given).zip(on_curve) {
            out[i] = if good { Ok(Some(xy.into())) } else { Err(PointError::NotOnCurve) };
        }
        let (numbers, given): (Vec<usize>, Vec<(&[u8], bool)>) = compressed.into_iter().unzip();
        for ((i, (x, _)), y) in numbers.into_iter().zip(&given).zip(self.decompressed(group, &given)) {
            out[i] = y.map(|y| Some([*x, &y[..]].concat().into())).ok_or(PointError::NotOnCurve);
        }
        if validate == Validate::Subgroup {
            let found = out.iter().enumerate().filter_map(|(i, p)| Some((i, p.as_ref().ok()?.clone()?)));
            let (numbers, there): (Vec<usize>, Vec<Arc<[u8]>>) = found.unzip();
            let fill = |batch: &mut Batch, at, xy: &Arc<[u8]>| self.set(batch, at, 0, Some(xy));
            for (i, good) in
                numbers.into_iter().zip(self.each(Job::Points(group, PointJob::InGroup), &there, fill, masked))
            {
                if !good {
                    out[i] = Err(PointError::NotInSubgroup);
                }
            }
        }
        out
    }
}
