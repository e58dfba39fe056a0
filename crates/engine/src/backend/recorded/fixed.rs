//! Sums of multiples of fixed points: the tables of their windows, which all lanes read, and one accumulator per
//! lane.

use super::job::{Job, PointJob};
use super::{Place, RecordedBackend};
use crate::backend::group::Group;
use crate::backend::interface::{Groups, MachineTables, Owned};
use crate::parts::parts;
use bilinear_field::CollectVec;
use bilinear_pairing::booth::{DIGIT_MASKS, ENTRIES, digit_bits, window_count};
use bilinear_program::{Batch, Uniforms};
use std::ops::Range;
use std::sync::Arc;
use zeroize::Zeroizing;

impl RecordedBackend {
    /// Computes the tables window after window, all points side by side.
    pub(super) fn tables_of_points(
        &self,
        group: Group,
        points: &[&[u8]],
        windows: usize,
    ) -> Vec<Option<Arc<MachineTables>>> {
        let family = self.ready.programs.family();
        let (len, entry) = (self.point_len(group), family.degree(group) * family.fixed_coordinates(group));
        let residues = self.coordinates(group) + ENTRIES * entry;
        let mut bases: Vec<Vec<u8>> = points.iter().map(|p| p.to_vec()).collect_vec();
        let mut tables: Vec<Option<Vec<Uniforms>>> = vec![Some(vec![]); points.len()];
        for _ in 0..windows {
            let fill = |batch: &mut Batch, at, base: &Vec<u8>| self.set(batch, at, 0, Some(base));
            let take = |batch: &Batch, at: Place| (self.get(batch, at, 0, residues), batch.get_mask(at.0, 0, at.1));
            let made = self.each(Job::Points(group, PointJob::Window), &bases, fill, take);
            for (((mut next, has_infinity), base), table) in made.into_iter().zip(&mut bases).zip(&mut tables) {
                let entries = next.split_off(len);
                *base = next;
                match table {
                    Some(windows) if !has_infinity => windows.push(self.kept(group, &entries)),
                    // multiples after O do not matter
                    _ => *table = None,
                }
            }
        }
        tables.into_iter().map(|table| Some(Arc::new(table?) as Arc<MachineTables>)).collect_vec()
    }

    /// Converts the table of a window to the machine's own form.
    fn kept(&self, group: Group, entries: &[u8]) -> Uniforms {
        let batch =
            self.ready.run(Job::Points(group, PointJob::Keep), 1, |batch| self.set(batch, (0, 0), 0, Some(entries)));
        batch.uniforms().unwrap_or_else(|| unreachable!("a table is kept"))
    }

    /// Sums all digits in one run, or on `rows` in parts for which the machine has enough places. Constant time in the scalars, but for
    /// which sums of parts are O.
    pub(super) fn sums_from_tables(&self, group: Group, tables: &[&MachineTables], sums: &[Vec<&[u8]>]) -> Vec<Owned> {
        let Some(first) = sums.first() else { return vec![] };
        let mut streams: Vec<Uniforms> = vec![];
        for (table, k) in tables.iter().zip(first) {
            let own: Option<&Vec<Uniforms>> = table.downcast_ref();
            let own = own.unwrap_or_else(|| unreachable!("tables of this machine"));
            streams.extend(own[..window_count(k.len())].iter().cloned());
        }
        let job = |digits| Job::Points(group, PointJob::FixedSum { digits });
        let mut most = streams.len();
        while most > 1 && !self.ready.can_run(job(most)) {
            most = most.div_ceil(2);
        }
        let part = |digits: Range<usize>| {
            let fill = |batch: &mut Batch, at: Place, ks: &Vec<&[u8]>| {
                if at.1 == 0 {
                    batch.set_streams(at.0, streams[digits.clone()].to_vec());
                }
                Self::set_bits(batch, at, &bits_of(ks)[DIGIT_MASKS * digits.start..DIGIT_MASKS * digits.end]);
            };
            self.each(job(digits.len()), sums, fill, |batch, at| self.get_point(batch, at, group))
        };
        let mut parts: Vec<Vec<Owned>> = parts(0..streams.len(), most).into_iter().map(part).collect_vec();
        if parts.len() == 1 {
            return parts.remove(0);
        }
        let list = |i: usize| parts.iter().map(|part| part[i].as_deref()).collect_vec();
        self.sums(group, &(0..sums.len()).map(list).collect_vec())
    }
}

/// The bits of the digits of scalars, one scalar after the other.
fn bits_of(ks: &[&[u8]]) -> Zeroizing<Vec<bool>> {
    let digits = ks.iter().map(|k| digit_bits(k)).collect_vec();
    let mut bits = Zeroizing::new(Vec::with_capacity(digits.iter().map(|bits| bits.len()).sum()));
    digits.iter().for_each(|digits| bits.extend_from_slice(digits));
    bits
}
