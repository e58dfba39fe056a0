//! Sums of multiples Σ k_i·P_i for public k_i. The scalars decide which points are added to which; all additions that do not depend
//! on each other are one batch, which shares an inversion.
//!
//! Few terms: one multiple per lane, then a tree of additions. Many: for each window of c bits, every point goes to the bucket of
//! its digit (Pippenger, SIAM J. Computing 9, 1980; signed digits by Bos and Coster's remark), in affine coordinates, as batch
//! additions are in "batch-affine" implementations: about 6M per addition.

use super::RecordedBackend;
use super::job::Job;
use crate::backend::group::Group;
use crate::backend::interface::{Backend, Encoded, Owned};
use crate::backend::validate::Validate;
use bilinear_program::Batch;
use num_bigint::BigUint;
use num_traits::Zero;
use std::sync::Arc;

/// Terms from which on buckets take fewer additions than a multiple for each.
const MANY: usize = 32;

/// A pending sum: P and Q, either of which may be O.
pub(super) type Waiting = (Owned, Owned);

impl RecordedBackend {
    /// P + Q of each, one batch for those that take a chord and one for tangents.
    fn sums_of_two(&self, group: Group, terms: &[Waiting]) -> Vec<Owned> {
        let half = self.point_len(group) / 2;
        let mut out: Vec<Owned> = vec![None; terms.len()];
        let (mut chords, mut tangents) = (vec![], vec![]);
        for (i, (p, q)) in terms.iter().enumerate() {
            match (p, q) {
                (None, other) | (other, None) => out[i] = other.clone(),
                (Some(p), Some(q)) if p[..half] != q[..half] => chords.push((i, (p, q))),
                // P = −Q, which for y = 0 is P
                (Some(p), Some(q)) if p[half..] != q[half..] || p[half..].iter().all(|b| *b == 0) => {}
                (Some(p), Some(_)) => tangents.push((i, p)),
            }
        }
        let count = self.coordinates(group);
        let take = |batch: &Batch, at| Arc::<[u8]>::from(self.get(batch, at, 0, count));
        let (numbers, pairs): (Vec<usize>, Vec<_>) = chords.into_iter().unzip();
        let fill = |batch: &mut Batch, at, (p, q): &(&Arc<[u8]>, &Arc<[u8]>)| {
            self.set(batch, at, 0, Some(p));
            self.set(batch, at, count, Some(q));
        };
        for (i, sum) in numbers.into_iter().zip(self.each(Job::Add(group), &pairs, fill, take)) {
            out[i] = Some(sum);
        }
        let (numbers, points): (Vec<usize>, Vec<&Arc<[u8]>>) = tangents.into_iter().unzip();
        let fill = |batch: &mut Batch, at, p: &&Arc<[u8]>| self.set(batch, at, 0, Some(p));
        for (i, double) in numbers.into_iter().zip(self.each(Job::Double(group), &points, fill, take)) {
            out[i] = Some(double);
        }
        out
    }

    /// The sum of the points of each list: a tree of additions, level by level.
    pub(super) fn sums_of_lists(&self, group: Group, mut lists: Vec<Vec<Owned>>) -> Vec<Owned> {
        while lists.iter().any(|list| list.len() > 1) {
            let pairs: Vec<Waiting> = lists
                .iter()
                .flat_map(|list| list.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())))
                .collect();
            let mut sums = self.sums_of_two(group, &pairs).into_iter();
            for list in &mut lists {
                let odd = (list.len() % 2 == 1).then(|| list.last().cloned()).flatten();
                let mut next: Vec<Owned> = sums.by_ref().take(list.len() / 2).collect();
                next.extend(odd);
                *list = next;
            }
        }
        lists.into_iter().map(|list| list.into_iter().next().flatten()).collect()
    }

    /// Σ k·P for points that have passed this check.
    pub(super) fn combination(&self, group: Group, known: Validate, terms: &[(&BigUint, Encoded<'_>)]) -> Owned {
        let there = |(k, p): &(&BigUint, Encoded<'_>)| Some(((*k).clone(), Arc::<[u8]>::from((*p)?)));
        let reduced = |(k, p): (BigUint, Arc<[u8]>)| {
            // of points of the group only k modulo its order counts
            let k = if known == Validate::Subgroup && k >= *self.order() { k % self.order() } else { k };
            (!k.is_zero()).then_some((k, p))
        };
        let terms: Vec<(BigUint, Arc<[u8]>)> = terms.iter().filter_map(there).filter_map(reduced).collect();
        if terms.len() < MANY {
            let multiples = self.public_multiples(group, known, &terms);
            return self.sums_of_lists(group, vec![multiples]).remove(0);
        }
        self.by_buckets(group, known, &terms)
    }

    /// kP of each, k public.
    fn public_multiples(&self, group: Group, known: Validate, terms: &[(BigUint, Arc<[u8]>)]) -> Vec<Owned> {
        let ks: Vec<Vec<u8>> = terms.iter().map(|(k, _)| k.to_bytes_be()).collect();
        let terms: Vec<(&[u8], Encoded<'_>)> = ks.iter().zip(terms).map(|(k, (_, p))| (&k[..], Some(&**p))).collect();
        self.multiples(group, known, &terms)
    }

    fn by_buckets(&self, group: Group, known: Validate, terms: &[(BigUint, Arc<[u8]>)]) -> Owned {
        let bits = terms.iter().map(|(k, _)| k.bits()).max().unwrap_or(0);
        let width = width(terms.len(), bits);
        let windows = bits.div_ceil(width) as usize + 1;
        let half = 1usize << (width - 1);
        let mut buckets: Vec<Vec<Owned>> = vec![vec![]; windows * half];
        for (k, p) in terms {
            let minus = self.neg(group, Some(p));
            let mut carry = 0;
            for window in 0..windows {
                // a digit from −2^(c − 1) to 2^(c − 1)
                let digit = digit(k, window as u64 * width, width) as i64 + carry;
                carry = i64::from(digit > half as i64);
                let digit = digit - (carry << width);
                if digit != 0 {
                    let point = if digit > 0 { Some(p.clone()) } else { minus.clone() };
                    buckets[window * half + digit.unsigned_abs() as usize - 1].push(point);
                }
            }
        }
        let sums = self.sums_of_lists(group, buckets);
        // Σ d·S_d = Σ_d (S_d + S_(d + 1) + …), for all windows at a time
        let (mut tails, mut totals): (Vec<Owned>, Vec<Owned>) = (vec![None; windows], vec![None; windows]);
        for d in (0..half).rev() {
            let add = |to: &[Owned], by: &dyn Fn(usize) -> Owned| {
                let waiting: Vec<Waiting> = (0..windows).map(|w| (to[w].clone(), by(w))).collect();
                self.sums_of_two(group, &waiting)
            };
            tails = add(&tails, &|w| sums[w * half + d].clone());
            totals = add(&totals, &|w| tails[w].clone());
        }
        let power = |w: usize| BigUint::from(1u32) << (w as u64 * width);
        let there = totals.into_iter().enumerate().filter_map(|(w, total)| Some((power(w), total?)));
        let multiples = self.public_multiples(group, known, &there.collect::<Vec<_>>());
        self.sums_of_lists(group, vec![multiples]).remove(0)
    }
}

/// The bits of a window for which so many scalars of so many bits take the fewest additions.
fn width(terms: usize, bits: u64) -> u64 {
    let additions = |c: &u64| (bits.div_ceil(*c) + 1) * (terms as u64 + (1 << c));
    (3..=14).min_by_key(additions).unwrap_or(3)
}

/// So many bits of k from this one on.
fn digit(k: &BigUint, from: u64, width: u64) -> u64 {
    (0..width).fold(0, |digit, i| digit | u64::from(k.bit(from + i)) << i)
}
