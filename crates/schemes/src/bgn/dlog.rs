//! Small logarithms by baby steps and giant steps (Shanks), with a table that serves for every ciphertext of a key.
//!
//! With k = ⌊√B⌋ + 1 a number m of absolute value at most B is i·(2k + 1) + j, |j| ≤ k. An element and its inverse
//! have the same key in the table (the abscissa of a point, or the first coefficient of an element of GT, whose norm
//! is 1), so the table holds j·b only for 0 ≤ j ≤ k. The giant steps i = 0, 1, −1, 2, … are computed in runs, each in
//! lanes: a small number is found early.

use super::ciphertext::{Ciphertext, Product};
use super::keys::SecretKey;
use crate::scalar::Scalar;
use bilinear_engine::{Batch, BigUint, Group, Gt, Point};
use std::collections::HashMap;

/// The number of giant steps in each direction that are computed together.
const RUN: usize = 64;

/// The group operations that Shanks's method needs.
trait DlogGroup {
    type Element: Clone + PartialEq;
    /// Computes a + b for each pair.
    fn sums(&self, pairs: &[(Self::Element, Self::Element)]) -> Vec<Self::Element>;
    fn negative(&self, x: &Self::Element) -> Self::Element;
    fn multiple(&self, m: u64, x: &Self::Element) -> Self::Element;
    /// Returns 16 bytes that x and −x have in common.
    fn key(&self, x: &Self::Element) -> u128;
}

struct Points<'a>(&'a Batch);
struct Targets<'a>(&'a Batch);

/// Returns the last 16 bytes of a number.
fn key(bytes: &[u8]) -> u128 {
    bytes.iter().rev().take(16).rev().fold(0, |key, byte| key << 8 | u128::from(*byte))
}

impl DlogGroup for Points<'_> {
    type Element = Point;
    fn sums(&self, pairs: &[(Point, Point)]) -> Vec<Point> {
        let points: Vec<Point> = pairs.iter().flat_map(|(a, b)| [a.clone(), b.clone()]).collect();
        let ranges: Vec<_> = (0..pairs.len()).map(|i| 2 * i..2 * i + 2).collect();
        self.0.sums(Group::G1, &points, &ranges)
    }
    fn negative(&self, x: &Point) -> Point {
        self.0.system().neg(x)
    }
    fn multiple(&self, m: u64, x: &Point) -> Point {
        self.0.system().mul(&BigUint::from(m), x)
    }
    fn key(&self, x: &Point) -> u128 {
        x.bytes().map_or(0, |xy| key(&xy[..xy.len() / 2]))
    }
}

impl DlogGroup for Targets<'_> {
    type Element = Gt;
    fn sums(&self, pairs: &[(Gt, Gt)]) -> Vec<Gt> {
        let values: Vec<Gt> = pairs.iter().flat_map(|(a, b)| [a.clone(), b.clone()]).collect();
        let ranges: Vec<_> = (0..pairs.len()).map(|i| 2 * i..2 * i + 2).collect();
        self.0.gt_products(&values, &ranges)
    }
    fn negative(&self, x: &Gt) -> Gt {
        self.0.system().gt_inv(x)
    }
    fn multiple(&self, m: u64, x: &Gt) -> Gt {
        self.0.system().gt_pow(x, &BigUint::from(m))
    }
    fn key(&self, x: &Gt) -> u128 {
        key(&x.bytes()[..x.bytes().len() / 2])
    }
}

/// The baby steps of a base.
struct BabySteps<E> {
    base: E,
    /// The greatest j of a baby step.
    k: u64,
    /// The number j of each baby step, by the key of j·b.
    steps: HashMap<u128, u64>,
    /// The giant steps i·(2k + 1)·b and their negatives, for i from 1 to the length of a run.
    giants: Vec<[E; 2]>,
    bound: u64,
}

/// Computes x, 2·x, …, count·x.
fn multiples<E: Clone + PartialEq>(group: &impl DlogGroup<Element = E>, x: &E, count: usize) -> Vec<E> {
    let mut multiples = vec![x.clone()];
    while multiples.len() < count {
        // n·x + j·x for j from 1 to n, as many as are still needed
        let (n, missing) = (multiples.len(), count - multiples.len());
        let pairs: Vec<_> = multiples.iter().take(missing).map(|y| (y.clone(), multiples[n - 1].clone())).collect();
        multiples.extend(group.sums(&pairs));
    }
    multiples
}

impl<E: Clone + PartialEq> BabySteps<E> {
    fn new(group: &impl DlogGroup<Element = E>, base: E, bound: u64) -> BabySteps<E> {
        let k = bound.isqrt() + 1;
        let multiples = multiples(group, &base, k as usize);
        let zero = (group.key(&group.multiple(0, &base)), 0);
        let steps = (1..).zip(&multiples).map(|(j, x)| (group.key(x), j)).chain([zero]).collect();
        let step = group.multiple(2 * k + 1, &base);
        let run = (bound / (2 * k + 1) + 1).min(RUN as u64);
        let giants =
            self::multiples(group, &step, run as usize).into_iter().map(|x| [x.clone(), group.negative(&x)]).collect();
        BabySteps { base, k, steps, giants, bound }
    }

    /// Finds m with x = m·b and |m| within the bound.
    fn dlog(&self, group: &impl DlogGroup<Element = E>, x: &E) -> Option<i64> {
        let step = 2 * self.k as i64 + 1;
        let last = (self.bound / step as u64) as i64 + 1;
        // the values from which the steps x − i·step·b and x + i·step·b of a run start
        let (mut down, mut up, mut taken) = (x.clone(), x.clone(), 0);
        let mut found = self.found(group, x, 0, x);
        while found.is_none() && taken < last {
            let run = self
                .giants
                .iter()
                .flat_map(|[giant, minus]| [(down.clone(), minus.clone()), (up.clone(), giant.clone())]);
            let sums = group.sums(&run.collect::<Vec<_>>());
            let moved = (taken + 1..).flat_map(|i| [i * step, -i * step]);
            found = sums.iter().zip(moved).find_map(|(y, moved)| self.found(group, x, moved, y));
            taken += self.giants.len() as i64;
            [down, up] = [sums[sums.len() - 2].clone(), sums[sums.len() - 1].clone()];
        }
        found
    }

    /// Finds m = moved ± j, where x − moved·b is ±j·b.
    fn found(&self, group: &impl DlogGroup<Element = E>, x: &E, moved: i64, y: &E) -> Option<i64> {
        let j = *self.steps.get(&group.key(y))? as i64;
        [moved + j, moved - j].into_iter().filter(|m| m.unsigned_abs() <= self.bound).find(|m| {
            let multiple = group.multiple(m.unsigned_abs(), &self.base);
            *x == if *m < 0 { group.negative(&multiple) } else { multiple }
        })
    }
}

/// A table that decrypts numbers up to a bound.
pub struct DlogTable {
    q: Scalar,
    points: BabySteps<Point>,
    targets: BabySteps<Gt>,
}

impl DlogTable {
    pub(super) fn new(batch: &Batch, key: &SecretKey, bound: u64) -> DlogTable {
        let system = batch.system();
        let point = system.mul_secret(key.q.as_ref(), &key.g);
        let target = system.gt_pow_secret(&system.pair(&key.g, &key.g), key.q.as_ref());
        let (points, targets) =
            (BabySteps::new(&Points(batch), point, bound), BabySteps::new(&Targets(batch), target, bound));
        DlogTable { q: key.q.clone(), points, targets }
    }

    /// Decrypts numbers; `None` for a number beyond the bound. Variable time in the numbers.
    ///
    /// # Panics
    /// Panics if the batch or a ciphertext belongs to another curve.
    pub fn decrypt(&self, batch: &Batch, ciphertexts: &[Ciphertext]) -> Vec<Option<i64>> {
        let terms: Vec<(&Scalar, Point)> = ciphertexts.iter().map(|c| (&self.q, c.0.clone())).collect();
        let points = batch.mul_secret(Group::G1, &terms);
        points.iter().map(|x| self.points.dlog(&Points(batch), x)).collect()
    }

    /// Decrypts the numbers of products; `None` for a number beyond the bound. Variable time in the numbers.
    ///
    /// # Panics
    /// Panics if the batch or a product belongs to another curve.
    pub fn decrypt_products(&self, batch: &Batch, products: &[Product]) -> Vec<Option<i64>> {
        let terms: Vec<(Gt, &Scalar)> = products.iter().map(|x| (x.0.clone(), &self.q)).collect();
        batch.gt_pow_secret(&terms).iter().map(|x| self.targets.dlog(&Targets(batch), x)).collect()
    }
}
