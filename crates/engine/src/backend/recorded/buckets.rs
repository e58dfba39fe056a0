//! Sums of multiples Σ k_i·P_i for public k_i. The scalars decide which points are added to which; all additions that do not depend
//! on each other are one batch, which shares an inversion.
//!
//! Few terms are computed by digits (`digits.rs`) where one value is computed at a time, else by one multiple per
//! lane and a tree of additions. For many terms, scalars of points of the group are split by automorphisms, and for
//! each window of c bits every point goes to the bucket of its digit d, −2^(c − 1) ≤ d ≤ 2^(c − 1) (Pippenger, SIAM
//! J. Computing 9, 1980; Booth's digits, which need no carry). Σ d·S_d over the sums S_d of the buckets is
//! Σ_j 2^j·X_j, where X_j is the sum of the S_d whose d has bit j. It is computed by halves: X_0 = Σ S_(2i + 1), and
//! the rest is twice the same expression for the sums S_(2i) + S_(2i + 1). So everything is sums of lists, except
//! Σ 2^i·X_i at the end over all bits of the scalars.
//!
//! Cost for n parts of b bits: (⌊b/c⌋ + 1)·(n + 2^c) additions, b doublings, and as many inversions as lists have
//! levels.

use super::RecordedBackend;
use super::job::{Job, PointJob};
use super::stored_points::{Signed, StoredPoint, StoredPoints};
use crate::backend::group::Group;
use crate::backend::interface::{Encoded, Groups, Owned};
use crate::backend::validate::Validate;
use crate::system::MAX_SECRET;
use bilinear_field::CollectVec;
use bilinear_program::Batch;
use num_bigint::BigUint;
use num_traits::Zero;
use std::ops::Range;

/// The least number of terms for which buckets take less time than a multiple for each term.
const MANY: usize = 16;
/// The most bytes of the points of one sum by buckets, by the length of p (a machine may need more): more terms are
/// split into several sums.
const MAX_BYTES: usize = 16 << 20;
/// The number of points that go to buckets at a time: their sums stay in the cache.
const TOGETHER: usize = 1 << 14;
/// The number of bits of a scalar whose sums one lane adds up, and the number of such blocks that are added up at
/// once.
pub(super) const BLOCK: usize = 16;
pub(super) const BLOCKS: usize = 16;

/// A scalar, and a point that is not O.
pub(super) type Term<'a> = (BigUint, &'a [u8]);

impl RecordedBackend {
    /// Computes the sum of the points of each list.
    pub(super) fn sums_of_points(&self, group: Group, lists: &[Vec<Encoded<'_>>]) -> Vec<Owned> {
        let there: Vec<Vec<&[u8]>> =
            lists.iter().map(|list| list.iter().copied().flatten().collect_vec()).collect_vec();
        if there.iter().all(|list| list.len() <= 2) {
            return self.sums_of_two(group, &there);
        }
        let points: Vec<&[u8]> = there.iter().flatten().copied().collect_vec();
        let mut kept = StoredPoints::new(self, group, (points.len(), 1), points.len());
        let signed = kept.load_points(&points, 1).into_iter().map(|[p, _]| p).collect_vec();
        let sums = kept.sums_of_lists(signed, there.iter().map(Vec::len).collect_vec());
        kept.encode_points(&sums)
    }

    /// Computes the sum of each list of at most two points.
    fn sums_of_two(&self, group: Group, lists: &[Vec<&[u8]>]) -> Vec<Owned> {
        let pairs: Vec<&Vec<&[u8]>> = lists.iter().filter(|list| list.len() == 2).collect_vec();
        let fill = |batch: &mut Batch, at, pair: &&Vec<&[u8]>| {
            self.set(batch, at, 0, Some(pair[0]));
            self.set(batch, at, self.coordinates(group), Some(pair[1]));
        };
        let mut sums = self
            .each(Job::Points(group, PointJob::AddAny), &pairs, fill, |batch, at| self.get_point(batch, at, group))
            .into_iter();
        let sum = |list: &Vec<&[u8]>| match list[..] {
            [_, _] => sums.next().flatten(),
            [p] => Some(p.into()),
            _ => None,
        };
        lists.iter().map(sum).collect_vec()
    }

    /// Computes Σ k·P for points that have passed the check `known`. Variable time in the k, which are public.
    pub(super) fn public_msm<'a>(&self, group: Group, known: Validate, terms: &[(&BigUint, Encoded<'a>)]) -> Owned {
        // a multiple of the order of every point: a curve has r times the cofactor's points, on type E r² times
        let order = match known {
            Validate::Subgroup => self.order().clone(),
            Validate::OnCurve => self.order() * self.order() * self.ready.programs.family().cofactor(group),
        };
        let reduced = |&(k, p): &(&BigUint, Encoded<'a>)| {
            let p = p?;
            let k = if *k >= order { k % &order } else { k.clone() };
            (!k.is_zero()).then_some((k, p))
        };
        let mut terms: Vec<Term<'_>> = terms.iter().filter_map(reduced).collect_vec();
        let by_digits = || self.by_digits(group, self.images(group, known, &terms, 4), &terms);
        if (1..MANY).contains(&terms.len())
            && self.machine().takes_calls()
            && let Some(sum) = by_digits()
        {
            return Some(sum);
        }
        // the length of a program grows with k
        let are_short = terms.iter().all(|(k, _)| k.bits() <= 8 * MAX_SECRET as u64);
        let few = if are_short && terms.len() < MANY { std::mem::take(&mut terms) } else { vec![] };
        let ks: Vec<Vec<u8>> = few.iter().map(|(k, _)| k.to_bytes_be()).collect_vec();
        let few: Vec<(&[u8], Encoded<'_>)> = ks.iter().zip(few).map(|(k, (_, p))| (&k[..], Some(p))).collect_vec();
        let mut sums = self.multiples(group, known, &few);
        let images = self.images(group, known, &terms, 7);
        let most = MAX_BYTES / (3 * images * self.coordinates(group) / 2 * self.modulus().bits().div_ceil(8) as usize);
        sums.extend(terms.chunks(most.max(1 << 8)).map(|terms| self.by_buckets(group, images, terms)));
        if let [sum] = &mut sums[..] {
            return sum.take();
        }
        self.sums_of_points(group, &[sums.iter().map(Option::as_deref).collect_vec()]).remove(0)
    }

    /// The number of images of each point that take part: all, or only the point itself where scalars are too short
    /// to be split, or where points are not known to be in the group. Scalars of at most `eighths` eighths of the
    /// order's bits are too short.
    fn images(&self, group: Group, known: Validate, terms: &[Term<'_>], eighths: u64) -> usize {
        let bits = terms.iter().map(|(k, _)| k.bits()).max().unwrap_or(0);
        let count = self.ready.programs.family().parts(group, known == Validate::Subgroup, &[1]).len();
        if bits * 8 > self.order().bits() * eighths { count } else { 1 }
    }

    fn by_buckets(&self, group: Group, images: usize, terms: &[Term<'_>]) -> Owned {
        let family = self.ready.programs.family();
        let split = |(k, _): &Term<'_>| std::mem::take(&mut *family.parts(group, images > 1, &k.to_bytes_be()));
        let parts: Vec<Vec<u64>> = terms.iter().flat_map(split).collect_vec();
        let windows = Windows::new(&parts);
        let Windows { half, count, .. } = windows;
        let (some, blocks) = ((TOGETHER / parts.len()).clamp(1, count), (count * windows.width).div_ceil(BLOCK));
        // half of the points of some windows are pending sums at one time; then come the sums of all buckets and two
        // more of each
        let space = some * parts.len() / 2 + 3 * half * count + 2 * blocks;
        let mut kept = StoredPoints::new(self, group, (terms.len(), images), space);
        let points = kept.load_points(&terms.iter().map(|(_, p)| *p).collect_vec(), images);
        let mut sums: Vec<Option<StoredPoint>> = Vec::with_capacity(half * count);
        for first in (0..count).step_by(some) {
            let (sorted, lengths) = windows.sorted(first..count.min(first + some), &parts, &points);
            sums.extend(kept.sums_of_lists(sorted, lengths));
        }
        let sums: Vec<Option<StoredPoint>> = sums.into_iter().map(|sum| sum.map(StoredPoint::shared)).collect_vec();
        let mut bits = windows.bits(&mut kept, &sums);
        bits.resize(blocks * BLOCK, None);
        // Σ 2^i·X_i, one block per lane
        let mut sums = kept.powers_of_two(&bits.chunks(BLOCK).collect_vec(), 1);
        while sums.len() > 1 {
            let last = sums.split_off(sums.len().saturating_sub(BLOCKS));
            sums.extend(kept.powers_of_two(&[&last], BLOCK));
        }
        kept.encode_points(&sums).remove(0)
    }
}

/// The windows of a sum's scalars.
struct Windows {
    /// The number of bits of a window, c.
    width: usize,
    /// The number of windows.
    count: usize,
    /// The number of buckets of a window, 2^(c − 1).
    half: usize,
}

impl Windows {
    /// Chooses the windows with the fewest additions.
    fn new(parts: &[Vec<u64>]) -> Self {
        let bits = parts.iter().map(|part| bit_length(part)).max().unwrap_or(0);
        let additions = |c: &usize| (bits / c + 1) * (parts.len() + (1 << c));
        let width = (2..=15).min_by_key(additions).unwrap_or(2);
        Windows { width, count: bits / width + 1, half: 1 << (width - 1) }
    }

    /// Returns the points in the order of their buckets, and the length of each bucket. Each window has its own
    /// buckets.
    fn sorted(&self, windows: Range<usize>, parts: &[Vec<u64>], points: &[Signed]) -> (Vec<StoredPoint>, Vec<usize>) {
        let mut lengths = vec![0; windows.len() * self.half];
        let mut digits = Vec::with_capacity(windows.len() * parts.len());
        for (buckets, window) in lengths.chunks_mut(self.half).zip(windows) {
            for part in parts {
                let d = digit(part, window * self.width, self.width);
                digits.push(d);
                if d != 0 {
                    buckets[d.unsigned_abs() as usize - 1] += 1;
                }
            }
        }
        let mut total = 0;
        let mut next: Vec<usize> = vec![];
        for length in &lengths {
            next.push(total);
            total += length;
        }
        let Some([first, _]) = points.first() else { return (vec![], lengths) };
        let mut sorted = vec![*first; total];
        for (next, digits) in next.chunks_mut(self.half).zip(digits.chunks(parts.len())) {
            for ([p, minus_p], d) in points.iter().zip(digits).filter(|(_, d)| **d != 0) {
                let place = &mut next[d.unsigned_abs() as usize - 1];
                sorted[*place] = if *d > 0 { *p } else { *minus_p };
                *place += 1;
            }
        }
        (sorted, lengths)
    }

    /// For each bit of the scalars, the sum of the S_d whose d has this bit. The bits of a window follow those of the
    /// window before.
    fn bits(&self, kept: &mut StoredPoints<'_>, sums: &[Option<StoredPoint>]) -> Vec<Option<StoredPoint>> {
        let low = self.width - 1;
        // the S_d of each window for d < 2^(c − 1), with None for d = 0
        let mut level: Vec<Vec<Option<StoredPoint>>> = sums
            .chunks(self.half)
            .map(|s| std::iter::once(None).chain(s[..self.half - 1].iter().copied()).collect_vec())
            .collect_vec();
        let mut odd: Vec<Vec<StoredPoint>> = vec![vec![]; low * self.count];
        for j in 0..low {
            for (window, s) in level.iter().enumerate() {
                odd[window * low + j] = s.iter().skip(1).step_by(2).copied().flatten().collect_vec();
            }
            // S_(2i) + S_(2i + 1), except for i = 0
            let pairs: Vec<[Option<StoredPoint>; 2]> =
                level.iter().flat_map(|s| s[2..].chunks_exact(2).map(|pair| [pair[0], pair[1]])).collect_vec();
            let mut next = kept.sums_of_two(&pairs).into_iter().map(|sum| sum.map(StoredPoint::shared));
            for s in &mut level {
                let half = s.len() / 2;
                *s = std::iter::once(None).chain(next.by_ref().take(half - 1)).collect_vec();
            }
        }
        let lengths = odd.iter().map(Vec::len).collect_vec();
        let low_bits = kept.sums_of_lists(odd.concat(), lengths);
        let highest = sums.chunks(self.half).map(|s| s[self.half - 1]);
        low_bits
            .chunks(low)
            .zip(highest)
            .flat_map(|(bits, highest)| bits.iter().copied().chain([highest]))
            .collect_vec()
    }
}

/// Returns the least b with −2^b ≤ a < 2^b.
pub(super) fn bit_length(a: &[u64]) -> usize {
    let sign = sign(a);
    let top = a.iter().rposition(|word| *word != sign);
    top.map_or(0, |i| 64 * i + 64 - (a[i] ^ sign).leading_zeros() as usize)
}

/// Returns a word with the value of all bits above those of a: the sign extension.
fn sign(a: &[u64]) -> u64 {
    a.last().map_or(0, |word| ((*word as i64) >> 63) as u64)
}

/// Returns the digit of a for the c bits that start at bit `from`: a = Σ d_i·2^(ci). Let y be the c + 1 bits that
/// start one bit lower; then d = ⌈y/2⌉, less 2^c where the highest bit of y is 1.
fn digit(a: &[u64], from: usize, c: usize) -> i32 {
    let y = if from == 0 { bits_from(a, 0) << 1 } else { bits_from(a, from - 1) } & ((2 << c) - 1);
    (y >> 1) as i32 + (y & 1) as i32 - (((y >> c) as i32) << c)
}

/// Returns 64 bits of a, starting at bit `from`.
pub(super) fn bits_from(a: &[u64], from: usize) -> u64 {
    let word = |i: usize| a.get(i).copied().unwrap_or_else(|| sign(a));
    let (i, shift) = (from / 64, from % 64);
    // above·2^(64 − shift), computed without a shift by 64
    word(i) >> shift | word(i + 1) << 1 << (63 - shift)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The integers −300 to 300, and integers around word boundaries, in two's complement.
    pub(in crate::backend::recorded) fn integers() -> Vec<(i128, Vec<u64>)> {
        let near = |x: i128| (x - 2)..=(x + 2);
        let all =
            (-300..=300).chain(near(1 << 63)).chain(near(-(1 << 63))).chain(near(1 << 64)).chain(near(i128::MAX - 2));
        all.flat_map(|a| {
            let words = [a as u64, (a >> 64) as u64, (a >> 127) as u64];
            let short = (i128::from(a as i64) == a).then(|| vec![a as u64]);
            [words.to_vec()].into_iter().chain(short).map(move |words| (a, words))
        })
        .collect_vec()
    }

    #[test]
    fn digits_give_back_the_integer() {
        for (a, words) in integers() {
            let bits = bit_length(&words);
            assert_eq!(bits, (0..).find(|b| *b > 126 || (-(1i128 << b) <= a && a < 1i128 << b)).unwrap_or(0), "{a}");
            for c in 2..=15 {
                let digits: Vec<i32> = (0..bits / c + 1).map(|i| digit(&words, i * c, c)).collect_vec();
                assert!(digits.iter().all(|d| d.unsigned_abs() <= 1 << (c - 1)), "{a} with windows of {c}: {digits:?}");
                let value =
                    digits.iter().rev().fold(0i128, |value, d| value.wrapping_mul(1 << c).wrapping_add((*d).into()));
                assert_eq!(value, a, "{a} with windows of {c}: {digits:?}");
            }
        }
    }
}
