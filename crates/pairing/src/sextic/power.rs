//! Powers with public exponents in the cyclotomic subgroup.
//!
//! There are two methods, both with signed windows. One squares full elements from the top digit down, with the odd
//! powers of f in a table. The other takes compressed squarings of f; those at non-zero digits are decompressed with
//! one inversion and multiplied, sorted by digit (Aranha et al., EUROCRYPT 2011, section 5.2). Operation counts and
//! costs decide which method is cheaper.

use super::compressed::{self, Compressed, compress, decompress, without_c0_c3};
use super::cyclotomic;
use super::{Fpk, SexticPairing, Target};
use crate::cost_model::CostModel;
use crate::digits::{odd_powers, weight, wnaf};
use bilinear_field::count::Count;
use bilinear_field::{Blank, Extension, Field, Prime};
use num_bigint::BigInt;
use num_traits::Signed;

/// The window widths to choose from.
const WIDTHS: std::ops::RangeInclusive<u32> = 2..=6;

/// The costs of operations, in products and reductions of F_p.
#[derive(Clone, Copy, Debug)]
pub(super) struct Costs {
    product: u64,
    square: u64,
    compressed: u64,
    /// The cost of decompressing one element, and of each further one.
    decompress: [u64; 2],
}

impl Costs {
    /// Counts the costs by this cost model.
    pub(super) fn new(target: &Target<Count>, cost_model: CostModel) -> Self {
        let count = target.base().base().prime();
        let (one, mut out, mut small) = (target.one(), target.zero(), Compressed::<Count>::blank());
        let decompressed = |n| cost_model.of(count.of(|| decompress(target, &mut vec![one.clone(); n])));
        let [first, two] = [1, 2].map(decompressed);
        Costs {
            product: cost_model.of(count.of(|| target.mul(&mut out, &one, &one))),
            square: cost_model.of(count.of(|| cyclotomic::square(target, &mut out, &one))),
            compressed: cost_model.of(count.of(|| compressed::square(target, &mut small, &compress::<Count>(&one)))),
            decompress: [first, two - first],
        }
    }
}

/// The method and the digits for raising to a fixed power.
#[derive(Clone, Debug)]
pub(super) struct PowerPlan {
    /// The digits of |e|, most significant first.
    pub(super) digits: Vec<i8>,
    pub(super) negative: bool,
    pub(super) compressed: bool,
}

impl PowerPlan {
    /// Creates the cheapest plan for the power e.
    pub(super) fn new(e: &BigInt, costs: &Costs) -> Self {
        let plans = WIDTHS.flat_map(|width| {
            [true, false].map(|compressed| PowerPlan {
                digits: wnaf(e.magnitude(), width),
                negative: e.is_negative(),
                compressed,
            })
        });
        plans.min_by_key(|plan| plan.cost(costs)).unwrap_or_else(|| unreachable!("there are widths"))
    }

    /// The largest (|d| − 1)/2 over the digits d.
    pub(super) fn tallest(&self) -> usize {
        self.digits.iter().map(|d| usize::from(d.unsigned_abs()) / 2).max().unwrap_or(0)
    }

    fn cost(&self, costs: &Costs) -> u64 {
        let (squarings, weight) = (self.digits.len().saturating_sub(1) as u64, weight(&self.digits) as u64);
        let tallest = self.tallest() as u64;
        if !self.compressed {
            let table = if tallest > 0 { costs.square + tallest * costs.product } else { 0 };
            return squarings * costs.square + weight.saturating_sub(1) * costs.product + table;
        }
        // f itself needs no decompression
        let apart = weight - u64::from(self.digits.last().is_some_and(|d| *d != 0));
        let decompress = if apart > 0 { costs.decompress[0] + (apart - 1) * costs.decompress[1] } else { 0 };
        // an upper bound: the product Q_d is empty if the digit ±d does not occur
        let sorting = if tallest > 0 { costs.square + 2 * tallest * costs.product } else { 0 };
        squarings * costs.compressed + decompress + weight.saturating_sub(1) * costs.product + sorting
    }
}

impl<F: Prime> SexticPairing<F> {
    /// Returns f^e for f in the cyclotomic subgroup and a public e.
    pub fn cyclotomic_pow(&self, f: &Fpk<F>, e: &BigInt) -> Fpk<F> {
        self.pow(f, &PowerPlan::new(e, &self.costs))
    }

    /// Raises f to the power of a plan, with at most one inversion.
    pub(super) fn pow(&self, f: &Fpk<F>, plan: &PowerPlan) -> Fpk<F> {
        let power = if plan.compressed { self.by_compression(f, plan) } else { self.by_window(f, plan) };
        let power = power.unwrap_or_else(|| self.groups.target.one());
        if plan.negative { self.conjugate(&power) } else { power }
    }

    /// Raises f to the power of a plan by squarings of full elements.
    fn by_window(&self, f: &Fpk<F>, plan: &PowerPlan) -> Option<Fpk<F>> {
        let odd = odd_powers(f, plan.tallest() + 1, &|f| self.cyclotomic_square(f), &|f, g| self.mul(f, g));
        plan.digits.iter().fold(None, |power, d| {
            let square = power.map(|power| self.cyclotomic_square(&power));
            let factor = (*d != 0).then(|| self.signed(&odd[usize::from(d.unsigned_abs()) / 2], *d));
            self.mul_some(square, factor.as_ref())
        })
    }

    /// Raises f to the power of a plan by compressed squarings. With Q_d = Π f^(±2^i) over the digits ±d and
    /// T_d = Q_d·Q_(d+2)⋯, the power is T_1·(T_3·T_5⋯)².
    fn by_compression(&self, f: &Fpk<F>, plan: &PowerPlan) -> Option<Fpk<F>> {
        let target = &self.groups.target;
        // f^(2^i) at the non-zero digits with i ≥ 1, and these digits
        let (mut powers, mut digits) = (vec![], vec![]);
        let mut running = compress::<F>(f);
        for d in plan.digits.iter().rev().skip(1) {
            let mut next = Compressed::<F>::blank();
            target.routine("compressed square", || compressed::square(target, &mut next, &running));
            running = next;
            if *d != 0 {
                powers.push(without_c0_c3::<F>(&running));
                digits.push(*d);
            }
        }
        decompress(target, &mut powers);
        if let Some(last) = plan.digits.last().filter(|d| **d != 0) {
            powers.insert(0, f.clone());
            digits.insert(0, *last);
        }
        // Q_1, Q_3, …
        let mut sums: Vec<Option<Fpk<F>>> = vec![None; plan.tallest() + 1];
        for (power, d) in powers.iter().zip(digits) {
            let sum = &mut sums[usize::from(d.unsigned_abs()) / 2];
            *sum = self.mul_some(sum.take(), Some(&self.signed(power, d)));
        }
        // tail = T_d, root = T_d·T_(d+2)⋯ down to d = 3
        let (mut tail, mut root) = (None, None);
        for sum in sums.drain(1..).rev() {
            tail = self.mul_some(tail, sum.as_ref());
            root = self.mul_some(root, tail.as_ref());
        }
        let root = root.map(|root| self.cyclotomic_square(&root)); // (T_3·T_5⋯)²
        let first = self.mul_some(sums.remove(0), tail.as_ref()); // T_1
        self.mul_some(first, root.as_ref())
    }

    /// Returns f, or 1/f for a negative digit.
    fn signed(&self, f: &Fpk<F>, d: i8) -> Fpk<F> {
        if d > 0 { f.clone() } else { self.conjugate(f) }
    }
}
