//! Sums of multiples of fixed points by secret scalars.

use super::Batch;
use crate::backend::Group;
use crate::fixed_base::FixedBase;
use crate::point::Point;
use bilinear_field::CollectVec;
use std::collections::HashMap;
use std::ops::Range;

/// The properties shared by sums that are computed together: the bases in order, each with the length of its scalar.
type Shape = Vec<(usize, usize)>;

impl Batch {
    /// Creates tables of multiples for points of a group, for scalars of up to `bytes` bytes. A point takes about as long as 6 to 16 single
    /// multiples by [`System::mul_secret`](crate::System::mul_secret) if `bytes` is the length of the order, less if it is one of many, and
    /// the memory that [`FixedBase`] states.
    ///
    /// # Panics
    /// Panics if a point belongs to another group, or if scalars have more than 1024 bytes.
    pub fn fixed_bases(&self, group: Group, points: &[Point], bytes: usize) -> Vec<FixedBase> {
        self.tasks(points.len(), self.task(), |range| self.system.fixed_bases(group, &points[range], bytes))
    }

    /// Computes Σ k·P for each list of (k, P), k as big-endian bytes; O for an empty list. The sums need no
    /// doublings, only one addition for 5 bits of each k. Sums of the same bases in the same order, with scalars of
    /// the same lengths, are computed together, in lanes where there are any. A program is recorded for each total
    /// number of digits of a sum; the most recent programs are kept.
    ///
    /// Constant time in the k except for their lengths, also if a k, a part of a sum or the whole sum is 0. Some sums
    /// are computed as by [`Batch::mul_secret`] and [`Batch::sums`]: those with a base that has no tables
    /// ([`FixedBase::has_tables`]), or with a k longer than its base was made for. Such sums are slower, and timing
    /// reveals where multiples are O or equal. The engine `rows` may compute a sum in parts; timing then reveals which parts are O.
    ///
    /// # Panics
    /// Panics if a base belongs to another group or to a system with another engine, or if a k has more than 1024
    /// bytes.
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
