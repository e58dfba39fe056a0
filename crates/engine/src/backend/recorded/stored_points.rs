//! Points kept in the form of a machine, and their sums. Additions that do not depend on each other run together and
//! share inversions, in affine coordinates (about 6M an addition, as in "batch-affine" implementations).
//!
//! A sum takes the place of the first summand that was a sum itself, so that there are only as many places as sums
//! that are still to be read.

use super::job::{Job, PointJob};
use super::{Place, RecordedBackend};
use crate::backend::group::Group;
use crate::backend::interface::Owned;
use bilinear_field::CollectVec;
use bilinear_program::{Batch, Store};

/// A point in a store: the numbers of the first residues of its x and its y.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StoredPoint {
    pub(super) x: u32,
    pub(super) y: u32,
    /// Whether the point is a sum with a single reader, so that another sum may take its place.
    own: bool,
}

impl StoredPoint {
    /// The same point, marked as having several readers.
    pub(super) fn shared(self) -> Self {
        StoredPoint { own: false, ..self }
    }
}

/// An image of a point, and its negative.
pub(super) type Signed = [StoredPoint; 2];

/// Points of a group, kept in a store.
pub(super) struct StoredPoints<'b> {
    pub(super) backend: &'b RecordedBackend,
    pub(super) group: Group,
    /// The store; `None` while a batch has it.
    pub(super) store: Option<Store>,
    /// The number of residues of a coordinate.
    pub(super) degree: u32,
    /// The first number in the store that was never used.
    pub(super) next: u32,
    /// The places of sums that are no longer read.
    free: Vec<StoredPoint>,
}

/// The sum P + Q, and its destination.
struct Sum {
    p: StoredPoint,
    q: StoredPoint,
    to: StoredPoint,
}

/// The first mask that a lane outputs.
fn truth(batch: &Batch, (vector, lane): Place) -> bool {
    batch.get_mask(vector, 0, lane)
}

impl<'b> StoredPoints<'b> {
    /// Allocates a store for `points` points that come in with this many images, and for `sums` sums.
    pub(super) fn new(
        backend: &'b RecordedBackend,
        group: Group,
        (points, images): (usize, usize),
        sums: usize,
    ) -> Self {
        let degree = backend.coordinates(group) / 2;
        let len = degree * (3 * images * points + 2 * sums);
        assert!(len < u32::MAX as usize, "{len} residues have no numbers");
        let store = Some(backend.ready.store(Job::Points(group, PointJob::Show), len));
        StoredPoints { backend, group, store, degree: degree as u32, next: 0, free: vec![] }
    }

    /// Reads points given as x‖y. Returns their images, each with its negative.
    pub(super) fn load_points(&mut self, points: &[&[u8]], images: usize) -> Vec<Signed> {
        let (first, job) = (self.next, Job::Points(self.group, PointJob::Summand { images: images > 1 }));
        let residues = 3 * self.degree * images as u32;
        self.next += residues * points.len() as u32;
        let backend = self.backend;
        let fill = |batch: &mut Batch, at: Place, i: usize| {
            backend.set(batch, at, 0, Some(points[i]));
            batch.save_to_store(at.0, 0..residues as usize, at.1, first + residues * i as u32);
        };
        self.run(job, points.len(), false, fill, |_, _| ());
        let degree = self.degree;
        let image = |i: u32| {
            let (x, y) = (first + 3 * degree * i, first + 3 * degree * i + degree);
            [y, y + degree].map(|y| StoredPoint { x, y, own: false })
        };
        (0..(points.len() * images) as u32).map(image).collect_vec()
    }

    /// Reads points given as x‖y. Returns `count` odd multiples of each of their images, each with its negative, and
    /// the number where 1 begins; Z lies behind it if there is one point. `None` if some multiple is O.
    pub(super) fn odd_multiples(
        &mut self,
        points: &[&[u8]],
        (images, count): (usize, usize),
    ) -> Option<(Vec<Vec<Signed>>, u32)> {
        let job =
            Job::Points(self.group, PointJob::OddMultiples { count, images: images > 1, alone: points.len() == 1 });
        let (first, degree, table) = (self.next, self.degree, 3 * self.degree * count as u32);
        let residues = table * images as u32 + 2 * degree;
        self.next += residues * points.len() as u32;
        let backend = self.backend;
        let fill = |batch: &mut Batch, at: Place, i: usize| {
            backend.set(batch, at, 0, Some(points[i]));
            batch.save_to_store(at.0, 0..residues as usize, at.1, first + residues * i as u32);
        };
        let infinite = self.run(job, points.len(), false, fill, truth);
        if infinite.contains(&true) {
            return None;
        }
        let signed = |x: u32| [x + degree, x + 2 * degree].map(|y| StoredPoint { x, y, own: false });
        let tables = (0..points.len() as u32)
            .flat_map(|i| (0..images as u32).map(move |image| first + residues * i + table * image))
            .map(|first| (0..count as u32).map(|entry| signed(first + 3 * degree * entry)).collect_vec());
        Some((tables.collect_vec(), first + residues - 2 * degree))
    }

    /// Runs a computation on items given by their numbers, and reads the output of each.
    fn run<T>(
        &mut self,
        job: Job,
        count: usize,
        reads: bool,
        fill: impl Fn(&mut Batch, Place, usize),
        read: impl Fn(&Batch, Place) -> T,
    ) -> Vec<T> {
        let mut out = Vec::with_capacity(count);
        let store = Some((&mut self.store, reads));
        self.backend.in_lanes(job, count, store, fill, |batch, at| out.push(read(batch, at)));
        out
    }

    /// Lets a lane take a point into its inputs from `input` on.
    #[inline]
    fn take(degree: usize, batch: &mut Batch, (vector, lane): Place, input: usize, p: StoredPoint) {
        batch.load_from_store(vector, input..input + degree, lane, p.x);
        batch.load_from_store(vector, input + degree..input + 2 * degree, lane, p.y);
    }

    /// Lets a lane leave its point in the store.
    #[inline]
    fn leave(degree: usize, batch: &mut Batch, (vector, lane): Place, p: StoredPoint) {
        batch.save_to_store(vector, 0..degree, lane, p.x);
        batch.save_to_store(vector, degree..2 * degree, lane, p.y);
    }

    /// Allocates a place for a sum.
    fn place(&mut self) -> StoredPoint {
        self.free.pop().unwrap_or_else(|| {
            let (x, y) = (self.next, self.next + self.degree);
            self.next += 2 * self.degree;
            StoredPoint { x, y, own: true }
        })
    }

    /// Computes sums none of which is a summand of another. Returns which of them are O.
    fn add(&mut self, sums: &[Sum]) -> Vec<bool> {
        let degree = self.degree as usize;
        let fill = |batch: &mut Batch, at: Place, sum: &Sum| {
            Self::take(degree, batch, at, 0, sum.p);
            Self::take(degree, batch, at, 2 * degree, sum.q);
            Self::leave(degree, batch, at, sum.to);
        };
        let sum = |batch: &mut Batch, at: Place, i: usize| fill(batch, at, &sums[i]);
        let mut infinite = self.run(Job::Points(self.group, PointJob::Add), sums.len(), true, sum, truth);
        // where both points have the same x, the first was left at the place of the sum
        let same: Vec<usize> = (0..sums.len()).filter(|i| infinite[*i]).collect_vec();
        let of_any = |batch: &mut Batch, at: Place, i: usize| {
            let Sum { q, to, .. } = sums[same[i]];
            fill(batch, at, &Sum { p: to, q, to });
        };
        let any = self.run(Job::Points(self.group, PointJob::AddAny), same.len(), true, of_any, truth);
        same.into_iter().zip(any).for_each(|(i, any)| infinite[i] = any);
        infinite
    }

    /// Computes P + Q of each pair; either may be O. No sum takes the place of a summand.
    pub(super) fn sums_of_two(&mut self, pairs: &[[Option<StoredPoint>; 2]]) -> Vec<Option<StoredPoint>> {
        let (mut sums, mut numbers) = (vec![], vec![]);
        let mut out: Vec<Option<StoredPoint>> = vec![];
        for (i, pair) in pairs.iter().enumerate() {
            out.push(match *pair {
                [Some(p), Some(q)] => {
                    let to = self.place();
                    sums.push(Sum { p, q, to });
                    numbers.push(i);
                    Some(to)
                }
                [p, q] => p.or(q),
            });
        }
        for (i, infinite) in numbers.into_iter().zip(self.add(&sums)) {
            if infinite {
                self.free.extend(out[i].take());
            }
        }
        out
    }

    /// Computes the sum of the points of each list, by a tree of additions, level by level. The lists follow each
    /// other in `points`, with these lengths.
    pub(super) fn sums_of_lists(
        &mut self,
        mut points: Vec<StoredPoint>,
        mut lengths: Vec<usize>,
    ) -> Vec<Option<StoredPoint>> {
        let (mut sums, mut last) = (vec![], vec![]);
        while lengths.iter().any(|length| *length > 1) {
            sums.clear();
            let mut next: Vec<StoredPoint> = Vec::with_capacity(points.len() / 2 + lengths.len());
            // the indices of the sums within `next`
            let mut numbers: Vec<usize> = vec![];
            let mut rest = &points[..];
            for length in &mut lengths {
                let (own, others) = rest.split_at(*length);
                rest = others;
                for pair in own.chunks(2) {
                    let [p, q] = match pair {
                        [p, q] if q.own && !p.own => [*q, *p],
                        [p, q] => [*p, *q],
                        odd => {
                            next.extend_from_slice(odd);
                            continue;
                        }
                    };
                    let to = if p.own { p } else { self.place() };
                    if p.own && q.own {
                        last.push(q);
                    }
                    numbers.push(next.len());
                    next.push(to);
                    sums.push(Sum { p, q, to });
                }
                *length = length.div_ceil(2);
            }
            let infinite = self.add(&sums);
            self.free.append(&mut last);
            if infinite.contains(&true) {
                let mut is_there = vec![true; next.len()];
                numbers.iter().zip(&infinite).for_each(|(i, infinite)| is_there[*i] = !infinite);
                self.free.extend(next.iter().zip(&is_there).filter(|(_, there)| !**there).map(|(p, _)| *p));
                let mut rest = &is_there[..];
                for length in &mut lengths {
                    let (own, others) = rest.split_at(*length);
                    rest = others;
                    *length = own.iter().filter(|there| **there).count();
                }
                next = next.into_iter().zip(is_there).filter(|(_, there)| *there).map(|(p, _)| p).collect_vec();
            }
            points = next;
        }
        let mut points = points.into_iter();
        lengths.iter().map(|length| if *length == 1 { points.next() } else { None }).collect_vec()
    }

    /// Computes Σ 2^(step·i)·P_i for each list; all lists have the same length.
    pub(super) fn powers_of_two(&mut self, lists: &[&[Option<StoredPoint>]], step: usize) -> Vec<Option<StoredPoint>> {
        let count = lists.first().map_or(0, |list| list.len());
        let places: Vec<StoredPoint> = lists.iter().map(|_| self.place()).collect_vec();
        let (degree, job) = (self.degree as usize, Job::Points(self.group, PointJob::PowersOfTwo { count, step }));
        let fill = |batch: &mut Batch, at: Place, i: usize| {
            for (j, p) in lists[i].iter().enumerate() {
                batch.set_mask(at.0, j, at.1, p.is_none());
                if let Some(p) = p {
                    Self::take(degree, batch, at, 2 * degree * j, *p);
                }
            }
            Self::leave(degree, batch, at, places[i]);
        };
        let infinite = self.run(job, lists.len(), true, fill, truth);
        places.into_iter().zip(infinite).map(|(p, infinite)| (!infinite).then_some(p)).collect_vec()
    }

    /// Returns x‖y of points.
    pub(super) fn encode_points(&mut self, points: &[Option<StoredPoint>]) -> Vec<Owned> {
        let there: Vec<StoredPoint> = points.iter().copied().flatten().collect_vec();
        let (backend, degree, count) = (self.backend, self.degree as usize, self.backend.coordinates(self.group));
        let take = |batch: &mut Batch, at: Place, i: usize| Self::take(degree, batch, at, 0, there[i]);
        let job = Job::Points(self.group, PointJob::Show);
        let mut out = self.run(job, there.len(), true, take, |batch, at| backend.get(batch, at, 0, count)).into_iter();
        points.iter().map(|p| p.and_then(|_| out.next().map(Into::into))).collect_vec()
    }
}
