//! Sums of multiples of points that do not change, by secret scalars.

use super::Batch;
use crate::backend::Group;
use crate::fixed_base::FixedBase;
use crate::point::Point;
use bilinear_field::CollectVec;
use std::collections::HashMap;
use std::ops::Range;

/// What sums that are computed together share: the bases in order, and the lengths of their scalars.
type Shape = Vec<(usize, usize)>;

impl Batch {
    /// Points of a group with tables of their multiples, for scalars of up to so many bytes. That takes as long as some
    /// seven multiples of each by [`Batch::multiples`], and the memory that [`FixedBase`] tells.
    ///
    /// # Panics
    /// If a point is of another group, or scalars have more than 1024 bytes.
    pub fn fixed_bases(&self, group: Group, points: &[Point], bytes: usize) -> Vec<FixedBase> {
        self.tasks(points.len(), self.task(), |range| self.system.fixed_bases(group, &points[range], bytes))
    }

    /// Σ k·P of each list of (k, P), k as big-endian bytes, O for an empty one: without doublings, an addition for 5 bits of each k. Sums
    /// of the same bases in the same order, with scalars of the same lengths, are computed together, in lanes where there are
    /// any. A program is recorded for each number of digits that sums have in all; the last ones are kept.
    ///
    /// Constant time in the k but for their lengths, also where a k, a part of a sum or all of it is 0. Sums with a base that has no tables
    /// ([`FixedBase::has_tables`]), or with a k that is longer than its base was made for, are computed as [`Batch::multiples`] and
    /// [`Batch::sums`] do: slower, and then time tells where multiples are O or equal.
    ///
    /// # Panics
    /// If a base is of another group, or of a system with another engine, or a k has more than 1024 bytes.
    pub fn fixed_sums<K: AsRef<[u8]> + Sync>(&self, group: Group, sums: &[Vec<(K, &FixedBase)>]) -> Vec<Point> {
        let mut shapes: HashMap<Shape, Vec<usize>> = HashMap::new();
        for (i, sum) in sums.iter().enumerate() {
            let shape = sum.iter().map(|(k, base)| (base.id(), k.as_ref().len())).collect_vec();
            shapes.entry(shape).or_default().push(i);
        }
        let size = self.size(sums.len(), self.task());
        let runs: Vec<&[usize]> = shapes.values().flat_map(|alike| alike.chunks(size)).collect_vec();
        let run = |alike: &[usize]| {
            let bases: Vec<&FixedBase> = sums[alike[0]].iter().map(|(_, base)| *base).collect_vec();
            let scalars = |i: &usize| sums[*i].iter().map(|(k, _)| k.as_ref()).collect_vec();
            self.system.fixed_sums(group, &bases, &alike.iter().map(scalars).collect_vec())
        };
        let made = self.tasks(runs.len(), 1, |range: Range<usize>| range.flat_map(|i| run(runs[i])).collect_vec());
        let mut points = vec![self.system.infinity(group); sums.len()];
        for (i, point) in runs.into_iter().flatten().zip(made) {
            points[*i] = point;
        }
        points
    }
}
