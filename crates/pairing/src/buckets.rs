//! Sums Σ k_i·P_i of many terms for public scalars: the bucket method (Bernstein, Doumen, Lange and Oosterwijk, INDOCRYPT 2012,
//! section 4, after Pippenger) with signed digits of c bits: ⌈(bits + 1)/c⌉ windows of 2^(c−1) buckets.
//!
//! All points are affine: additions that do not depend on each other share an inversion, 5M + 2S each and complete by
//! selection, against 8M + 4S for a mixed addition. Which additions are done depends on the scalars alone.

use crate::curve::{Affine, Curve, Jacobian};
use bilinear_field::{Field, at, minus, plus};
use num_bigint::{BigInt, Sign};

/// Products of an addition that shares its inversion, of one that does not, of a doubling; and of an inversion.
const ADDITION: u64 = 7;
pub(crate) const MIXED: u64 = 12;
pub(crate) const DOUBLING: u64 = 7;
const INVERSION: u64 = 150;

/// Additions that share an inversion.
const BATCH: usize = 512;
/// Points in the buckets at a time: what fits a second-level cache.
const AT_ONCE: usize = 4096;

/// Products that the bucket method takes for n terms of so many bits, with windows of c bits.
fn cost(n: usize, bits: u64, c: u32) -> u64 {
    let (n, windows, buckets) = (n as u64, (bits + 1).div_ceil(c.into()), 1u64 << (c - 1));
    let filling = ADDITION * windows * (n - occupied(n, buckets));
    // running sums: two additions a bucket, those of all windows together
    let adding = buckets * (2 * windows * ADDITION + INVERSION);
    filling + adding + windows * (MIXED + u64::from(c) * DOUBLING)
}

/// How many of the buckets are expected to meet one of n points, b·(1 − e^(−n/b)).
fn occupied(n: u64, buckets: u64) -> u64 {
    let x = n as f64 / buckets as f64;
    (buckets as f64 * (1.0 - (-x).exp())) as u64
}

/// The width of windows that costs least, and the cost.
pub(crate) fn width(n: usize, bits: u64) -> (u32, u64) {
    let costs = (2..=16).map(|c| (c, cost(n, bits, c)));
    costs.min_by_key(|(_, cost)| *cost).unwrap_or((2, 0))
}

/// The digits −2^(c−1) ≤ d ≤ 2^(c−1) of k in base 2^c, least significant first.
fn digits(k: &BigInt, c: u32, windows: usize) -> Vec<i32> {
    let words = k.magnitude().to_u64_digits();
    let word = |i: usize| words.get(i).copied().unwrap_or(0);
    let mut carry = 0;
    let digit = |j: usize| {
        let at = j * c as usize;
        let (i, shift) = (at / 64, at % 64);
        // above·2^(64 − shift), without a shift by 64
        let bits = (word(i) >> shift | word(i + 1) << 1 << (63 - shift)) & ((1 << c) - 1);
        let d = bits as i32 + carry;
        carry = i32::from(d > 1 << (c - 1));
        let d = d - (carry << c);
        if k.sign() == Sign::Minus { -d } else { d }
    };
    (0..windows).map(digit).collect()
}

impl<F: Field> Curve<F> {
    /// Σ k_i·P_i for many terms and any points. The running time depends on the k_i alone, never on the points.
    pub(crate) fn sum_of_multiples(&self, terms: &[(BigInt, Affine<F>)]) -> Jacobian<F> {
        let bits = terms.iter().map(|(k, _)| k.bits()).max().unwrap_or(0);
        self.sum_in_windows(terms, width(terms.len(), bits).0)
    }

    /// The same with windows of c bits, 2 ≤ c ≤ 16.
    pub(crate) fn sum_in_windows(&self, terms: &[(BigInt, Affine<F>)], c: u32) -> Jacobian<F> {
        let bits = terms.iter().map(|(k, _)| k.bits()).max().unwrap_or(0);
        let windows = (bits + 1).div_ceil(c.into()) as usize;
        let digits: Vec<Vec<i32>> = terms.iter().map(|(k, _)| digits(k, c, windows)).collect();
        let buckets = 1 << (c - 1);
        let together = (AT_ONCE / terms.len().max(1)).max(1);
        let mut filled = Vec::with_capacity(windows * buckets);
        for first in (0..windows).step_by(together) {
            let mut lists = vec![vec![]; together.min(windows - first) * buckets];
            for ((_, p), digits) in terms.iter().zip(&digits) {
                for (j, d) in digits[first..].iter().take(together).enumerate().filter(|(_, d)| **d != 0) {
                    let point = if *d < 0 { self.negate(p) } else { p.clone() };
                    lists[j * buckets + d.unsigned_abs() as usize - 1].push(point);
                }
            }
            filled.extend(self.sums(lists));
        }
        let mut acc: Option<Jacobian<F>> = None;
        for window in self.weighted(&filled, buckets).iter().rev() {
            acc = Some(match acc {
                None => self.lift(window),
                Some(acc) => self.add(&(0..c).fold(acc, |acc, _| self.double(&acc)), window),
            });
        }
        acc.unwrap_or_else(|| self.infinity())
    }

    /// The sum of each list, pairs first.
    fn sums(&self, mut lists: Vec<Vec<Affine<F>>>) -> Vec<Affine<F>> {
        while lists.iter().any(|list| list.len() > 1) {
            let pairs: Vec<[&Affine<F>; 2]> =
                lists.iter().flat_map(|list| list.chunks_exact(2).map(|pair| [&pair[0], &pair[1]])).collect();
            let mut sums = pairs.chunks(BATCH).flat_map(|batch| self.add_pairs(batch)).collect::<Vec<_>>().into_iter();
            for list in &mut lists {
                let odd = if list.len() % 2 == 1 { list.pop() } else { None };
                let half = list.len() / 2;
                list.clear();
                list.extend(sums.by_ref().take(half).chain(odd));
            }
        }
        lists.into_iter().map(|mut list| list.pop().unwrap_or_else(|| self.affine_infinity())).collect()
    }

    /// Σ_b b·B_b over the buckets b = 1, … of each window: the running sums S of the buckets from above, and T of those; T lags
    /// a step behind, so that a step of all windows shares an inversion.
    fn weighted(&self, buckets: &[Affine<F>], a_window: usize) -> Vec<Affine<F>> {
        let windows: Vec<&[Affine<F>]> = buckets.chunks(a_window).collect();
        let mut s: Vec<Affine<F>> = windows.iter().map(|w| w[a_window - 1].clone()).collect();
        let mut t = vec![self.affine_infinity(); windows.len()];
        for b in (0..a_window).rev() {
            let above = t.iter().zip(&s).map(|(t, s)| [t, s]);
            let below = s.iter().zip(&windows).filter(|_| b > 0).map(|(s, w)| [s, &w[b - 1]]);
            let mut sums = self.add_pairs(&above.chain(below).collect::<Vec<_>>());
            s = sums.split_off(windows.len());
            t = sums;
        }
        t
    }

    /// P + Q of each pair, with one inversion: 5M + 2S, of which 3M share it out.
    fn add_pairs(&self, pairs: &[[&Affine<F>; 2]]) -> Vec<Affine<F>> {
        let f = self.field();
        let mut inverses = Vec::with_capacity(pairs.len());
        let mut tangents = Vec::with_capacity(pairs.len());
        for [p, q] in pairs {
            at! {f; dx = sum(&[plus(&q.x), minus(&p.x)]); dy = sum(&[plus(&q.y), minus(&p.y)]); twice_y = sum(&[plus(&p.y), plus(&p.y)]);}
            let same = f.both(f.is_zero(&dx), f.is_zero(&dy));
            at! {f; denominator = select(same, &twice_y, &dx);}
            inverses.push(denominator);
            tangents.push(same);
        }
        // 0 where Q = −P, and stays 0
        f.inv_many(&mut inverses);
        let sum = |[p, q]: &[&Affine<F>; 2], same: &F::Mask, inverse: &F::Elem| {
            let mut tangent = f.zero();
            self.slope(&mut tangent, &p.x, &f.one());
            at! {f;
                dy = sum(&[plus(&q.y), minus(&p.y)]);
                numerator = select(*same, &tangent, &dy);
                slope = mul(&numerator, inverse);
                square = sqr(&slope);
                x = sum(&[plus(&square), minus(&p.x), minus(&q.x)]);
                d = sum(&[plus(&p.x), minus(&x)]);
                product = mul(&slope, &d);
                y = sum(&[plus(&product), minus(&p.y)]);
            }
            let chosen = self.choose_affine(p.infinity, q, &Affine { x, y, infinity: f.is_zero(inverse) });
            self.choose_affine(q.infinity, p, &chosen)
        };
        pairs.iter().zip(&tangents).zip(&inverses).map(|((pair, same), inverse)| sum(pair, same, inverse)).collect()
    }

    /// O.
    fn affine_infinity(&self) -> Affine<F> {
        let f = self.field();
        Affine { x: f.zero(), y: f.zero(), infinity: f.mask(true) }
    }

    /// `a` where the mask is set, else `b`.
    fn choose_affine(&self, mask: F::Mask, a: &Affine<F>, b: &Affine<F>) -> Affine<F> {
        let f = self.field();
        at! {f; x = select(mask, &a.x, &b.x); y = select(mask, &a.y, &b.y);}
        Affine { x, y, infinity: f.either(f.both(mask, a.infinity), f.both(f.not(mask), b.infinity)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::CoefficientA;
    use bilinear_field::count::Count;
    use num_bigint::BigUint;

    /// Uniform enough for counts.
    fn scalars(n: usize, bits: u64) -> Vec<BigInt> {
        let modulus = BigUint::from(1u32) << bits;
        let step = BigUint::from(0x9e37_79b9_7f4a_7c15u64).pow(7) % &modulus;
        let mut x = BigUint::from(1u32);
        let mut next = || {
            x = (&x * &step + 0x1234_5677u32) % &modulus;
            BigInt::from(&x ^ (&x >> (bits / 2)))
        };
        (0..n).map(|_| next()).collect()
    }

    #[test]
    fn digits_give_back_the_number() {
        for k in scalars(20, 130).into_iter().flat_map(|k| [-&k, k]) {
            for c in 2..=16 {
                let windows = 131u32.div_ceil(c) as usize;
                let digits = digits(&k, c, windows);
                assert!(digits.iter().all(|d| d.abs() <= 1 << (c - 1)));
                assert_eq!(digits.iter().rev().fold(BigInt::ZERO, |v, d| (v << c) + *d), k, "c = {c}");
            }
        }
    }

    #[test]
    fn the_width_is_within_a_twentieth_of_the_best() {
        let count = Count::new(&BigUint::from(7u32));
        let curve = Curve::new(count.clone(), CoefficientA::Zero, ());
        let p = Affine { x: (), y: (), infinity: () };
        for (n, bits) in [(32, 128), (256, 128), (512, 64), (2000, 128)] {
            let terms: Vec<_> = scalars(n, bits).into_iter().map(|k| (k, p.clone())).collect();
            let products = |c| {
                let t = count.of(|| curve.sum_in_windows(&terms, c));
                t.mul + t.sqr + INVERSION * t.inversion
            };
            let (chosen, estimate) = width(n, bits);
            let (best, found) = ((2..=11).map(products).min().unwrap_or(0), products(chosen));
            assert!(20 * found <= 21 * best, "{n} terms: {found} with {chosen} bits, {best} at best");
            assert!(estimate.abs_diff(found) * 10 <= found, "{n} terms: {estimate} estimated, {found} counted");
        }
    }
}
