//! Sums of few multiples Σ k_i·P_i, and powers in GT, for public k_i, by interleaved signed windows with shared
//! doublings (Möller, SAC 2001), where one value is computed at a time. Scalars of points of the group, and
//! exponents, are split by automorphisms. Each part a has the digits of its non-adjacent form of width w, which
//! select from P, 3P, …, (2^(w − 1) − 1)P and the same multiples of its images.
//!
//! The host walks the digits and calls a program for some of its [`MAX`] doublings and the addition behind them.
//! Additions are chords: Z is 0 at the end where the sum is O or some chord had no slope, and then everything is
//! computed again by complete formulas. In the Edwards form of a curve additions are complete.
//!
//! Cost for n parts of b bits: b doublings, n·b/(w + 1) additions of 8M + 3S (in the Edwards form 9M + 1S), for each point
//! 2^(w − 2) more additions, and an inversion, or two for several points and in the Edwards form.

use super::RecordedBackend;
use super::buckets::{Term, bit_length, bits_from};
use super::job::{Job, PointJob};
use super::programs::Runnable;
use super::stored_points::StoredPoints;
use crate::backend::group::Group;
use bilinear_field::CollectVec;
use bilinear_program::{Batch, Calls, Store};
use std::cmp::Reverse;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The number of doublings of a program.
const MAX: usize = 8;
/// The widths of windows that are considered.
const WIDTHS: RangeInclusive<usize> = 2..=6;

/// The programs of points: doublings with an addition behind them, and doublings alone.
pub(super) fn advances(group: Group) -> [Job; 2] {
    [true, false].map(|adds| Job::Points(group, PointJob::Advance { doublings: MAX, adds }))
}

/// The programs of elements of GT: squarings with a multiplication behind them, and squarings alone.
pub(super) fn gt_advances() -> [Job; 2] {
    [true, false].map(|multiplies| Job::GtAdvance { squares: MAX, multiplies })
}

impl RecordedBackend {
    /// Computes Σ k·P of some terms; `None` if the sum is O, or if an addition by the chord was not that of two
    /// points with different x.
    pub(super) fn by_digits(&self, group: Group, images: usize, terms: &[Term<'_>]) -> Option<Arc<[u8]>> {
        let programs = advances(group).map(|job| self.ready.load(job));
        let calls = Step::of(&programs)?;
        let family = self.ready.programs.family();
        let split = |(k, _): &Term<'_>| std::mem::take(&mut *family.parts(group, images > 1, &k.to_bytes_be()));
        let parts: Vec<Vec<u64>> = terms.iter().flat_map(split).collect_vec();
        // including its affine coordinates, an entry of a table costs one and a half additions
        let picks = Picks::new(&parts, 5 + images);
        let mut kept = StoredPoints::new(self, group, (terms.len() * picks.count, images), terms.len() + 2);
        let points: Vec<&[u8]> = terms.iter().map(|(_, p)| *p).collect_vec();
        let (tables, one) = kept.odd_multiples(&points, (images, picks.count))?;
        let StoredPoints { store, degree, next, .. } = kept;
        let entry = |pick: &Pick| {
            let [plus, minus] = tables[pick.part][pick.place];
            if pick.negative { [minus.x, minus.y] } else { [plus.x, plus.y] }
        };
        let (first, rest) = picks.of_all.split_first()?;
        let [x, y] = entry(first);
        let mut walk = Walk::new(calls, (store?, next), degree, (&[x, y, one], first.at));
        rest.iter().for_each(|pick| walk.step(pick.at, &entry(pick)));
        let ([x, y, z], store) = walk.finish();
        let takes = [x, y, z, one + degree];
        let batch = self.take_one(Job::Points(group, PointJob::Affine), store, degree, &takes);
        self.get_point(&batch, (0, 0), group)
    }

    /// Computes x^e; `None` where e cannot be split.
    pub(super) fn gt_power_by_digits(&self, x: &[u8], e: &[u8]) -> Option<Arc<[u8]>> {
        if !self.machine().takes_calls() {
            return None;
        }
        let parts = self.ready.programs.family().decompose_gt(e);
        if parts.len() == 1 {
            return None;
        }
        let programs = gt_advances().map(|job| self.ready.load(job));
        let calls = Step::of(&programs)?;
        let picks = Picks::new(&parts, 3 + parts.len());
        let degree = self.order.len() as u32;
        let (own, len) = (2 * degree * (picks.count * parts.len()) as u32, 2 * (picks.count * parts.len()) + 1);
        let ready = self.ready.load(Job::GtOddPowers { count: picks.count });
        let store = self.ready.store(Job::GtShow, len * degree as usize);
        let batch = self.ready.run_loaded(&ready, 1, Some((store, false)), |batch| {
            self.set_gt(batch, (0, 0), 0, x);
            batch.save_to_store(0, 0..own as usize, 0, 0);
        });
        let entry = |pick: &Pick| {
            let number = 2 * (pick.part * picks.count + pick.place) + usize::from(pick.negative);
            [number as u32 * degree]
        };
        let (first, rest) = picks.of_all.split_first()?;
        let mut walk = Walk::new(calls, (batch.into_store()?, own), degree, (&entry(first), first.at));
        rest.iter().for_each(|pick| walk.step(pick.at, &entry(pick)));
        let ([at], store) = walk.finish();
        let batch = self.take_one(Job::GtShow, store, degree, &[at]);
        Some(self.get_gt(&batch, (0, 0)))
    }

    /// Runs a computation on one value whose coordinates, of `degree` residues each, begin at the numbers `takes`.
    fn take_one(&self, job: Job, store: Store, degree: u32, takes: &[u32]) -> Batch {
        self.ready.run_loaded(&self.ready.load(job), 1, Some((store, true)), |batch| {
            for (i, from) in takes.iter().enumerate() {
                batch.load_from_store(0, i * degree as usize..(i + 1) * degree as usize, 0, *from);
            }
        })
    }
}

/// The table entries that the digits of some integers select.
struct Picks {
    /// The number of odd multiples in a table: 2^(w − 2).
    count: usize,
    /// The selections, from the highest digit to the lowest.
    of_all: Vec<Pick>,
}

/// The selection by one digit: ±(2·place + 1) at 2^at.
struct Pick {
    at: usize,
    part: usize,
    place: usize,
    negative: bool,
}

impl Picks {
    /// Chooses the width with the fewest additions, if an entry of a table costs `quarters` quarters of an addition.
    fn new(parts: &[Vec<u64>], quarters: usize) -> Self {
        let bits = parts.iter().map(|part| bit_length(part)).max().unwrap_or(0);
        let cost = |w: &usize| (quarters << (w - 2)) + 4 * parts.len() * bits / (w + 1);
        let width = WIDTHS.min_by_key(cost).unwrap_or(4);
        let mut of_all = vec![];
        for (part, a) in parts.iter().enumerate() {
            expand(a, width, |at, d| {
                of_all.push(Pick { at, part, place: usize::from(d.unsigned_abs()) / 2, negative: d < 0 });
            });
        }
        of_all.sort_by_key(|pick| Reverse(pick.at));
        Picks { count: 1 << (width - 2), of_all }
    }
}

/// Calls `digit` for each non-zero digit of a in its non-adjacent form of width w, from the lowest: a = Σ d·2^i, each
/// d odd with |d| < 2^(w − 1).
fn expand(a: &[u64], w: usize, mut digit: impl FnMut(usize, i8)) {
    let length = bit_length(a);
    let (mut i, mut carry) = (0, 0);
    // a is the sum of the digits so far plus 2^i·(carry + the bits of a from i on)
    while i <= length {
        let bits = bits_from(a, i);
        if bits & 1 == carry {
            i += 1;
            continue;
        }
        let window = (bits & ((1 << w) - 1)) + carry;
        carry = window >> (w - 1);
        digit(i, (window as i64 - ((carry as i64) << w)) as i8);
        i += w;
    }
}

/// The two programs of a walk: with an addition (in GT: a multiplication), and without.
struct Step<'r> {
    with_pick: Box<dyn Calls + 'r>,
    alone: Box<dyn Calls + 'r>,
}

impl<'r> Step<'r> {
    /// Prepares both programs for calls; `None` where the machine runs batches only.
    fn of([with_pick, alone]: &'r [Runnable; 2]) -> Option<Self> {
        Some(Step { with_pick: with_pick.calls()?, alone: alone.calls()? })
    }
}

/// The state of a value while digits are walked.
struct Walk<'r, const N: usize> {
    programs: Step<'r>,
    store: Store,
    /// The number of residues of a coordinate.
    degree: u32,
    /// The number of the first residue of each coordinate.
    at: [u32; N],
    /// The digit that the value has reached.
    level: usize,
    /// The numbers of the residues that a call takes and leaves.
    takes: Vec<u32>,
    leaves: Vec<u32>,
}

impl<'r, const N: usize> Walk<'r, N> {
    /// Starts from a value at a digit. The store has places for one value from the number `own` on.
    fn new(programs: Step<'r>, (store, own): (Store, u32), degree: u32, (at, level): (&[u32; N], usize)) -> Self {
        let leaves = (own..).take(N * degree as usize).collect_vec();
        Walk { programs, store, degree, at: *at, level, takes: vec![], leaves }
    }

    /// Advances to a digit and adds (in GT: multiplies by) the entry that it selects.
    fn step(&mut self, to: usize, pick: &[u32]) {
        while self.level - to > MAX {
            self.call(MAX, &[]);
        }
        self.call(self.level - to, pick);
    }

    /// Runs this number of doublings (in GT: squarings), then adds (multiplies by) the selected entry if there is one.
    fn call(&mut self, doublings: usize, pick: &[u32]) {
        let Walk { programs: Step { with_pick, alone }, store, degree, at, takes, leaves, .. } = self;
        takes.clear();
        for first in at.iter().chain(pick) {
            for i in 0..*degree {
                takes.push(first + i);
            }
        }
        let program = if pick.is_empty() { alone } else { with_pick };
        program.call(MAX - doublings, store, takes, leaves);
        at.iter_mut().zip(leaves.iter().step_by(*degree as usize)).for_each(|(at, own)| *at = *own);
        self.level -= doublings;
    }

    /// Advances to the last digit, and returns the numbers where the coordinates begin, and the store.
    fn finish(mut self) -> ([u32; N], Store) {
        while self.level > 0 {
            self.call(self.level.min(MAX), &[]);
        }
        (self.at, self.store)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::recorded::buckets::tests::integers;

    #[test]
    fn digits_give_back_the_integer() {
        for (a, words) in integers() {
            for w in WIDTHS {
                let (mut value, mut next) = (0i128, 0);
                expand(&words, w, |i, d| {
                    assert!(d % 2 != 0 && u32::from(d.unsigned_abs()) < 1 << (w - 1), "{d} of {a}, width {w}");
                    assert!(i >= next, "digits of {a} nearer than {w}");
                    next = i + w;
                    value = value.wrapping_add(i128::from(d).wrapping_shl(i as u32).wrapping_mul(i128::from(i < 128)));
                });
                assert_eq!(value, a, "width {w}");
            }
        }
    }
}
