//! Powers with public exponents in the cyclotomic subgroup.
//!
//! Two ways, in signed windows: squarings of full elements from the top digit down, with the odd powers of f in a table; or
//! compressed squarings of f, of which those at the digits are decompressed with one inversion and multiplied (Aranha et al.,
//! EUROCRYPT 2011, section 5.2), sorted by digit. The lighter one is chosen by counts.

use super::accumulator::Accumulator;
use super::compressed::{self, Compressed, compress, decompress};
use super::cyclotomic;
use super::{Fpk, Sextic, Target};
use crate::digits::{weight, wnaf};
use bilinear_field::count::{Count, Tally};
use bilinear_field::tower::NonResidue;
use bilinear_field::{Blank, Extension, Field, at};
use num_bigint::BigInt;
use num_traits::Signed;
use std::borrow::Cow;

/// An inversion in F_p, in products and reductions: what one takes on words of 64 bits, within a half either way.
pub(super) const INVERSION: u64 = 150;
/// Window widths in question.
const WIDTHS: std::ops::RangeInclusive<u32> = 2..=6;

/// Costs in products and reductions of F_p.
#[derive(Clone, Copy, Debug)]
pub(super) struct Costs {
    product: u64,
    square: u64,
    compressed: u64,
    /// Of two elements and of one more.
    decompress: [u64; 2],
}

impl Costs {
    /// Counted.
    pub(super) fn new<E: Extension<Prime = Count>, X: NonResidue<E>>(target: &Target<E, X>) -> Self {
        let count = target.base().base().prime();
        let (one, mut out, mut small) = (target.one(), target.zero(), Compressed::<E>::blank());
        let weigh = |t: Tally| t.mul + t.sqr + t.reduction + INVERSION * t.inversion;
        let elements = |n| vec![compress::<E>(&one); n];
        let first = weigh(count.of(|| decompress(target, &elements(1))));
        let two = weigh(count.of(|| decompress(target, &elements(2))));
        Costs {
            product: weigh(count.of(|| target.mul(&mut out, &one, &one))),
            square: weigh(count.of(|| cyclotomic::square(target, &mut out, &one))),
            compressed: weigh(count.of(|| compressed::square(target, &mut small, &compress::<E>(&one)))),
            decompress: [first, two - first],
        }
    }
}

/// How to raise to a power.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Of |e|, most significant first.
    digits: Vec<i8>,
    negative: bool,
    compressed: bool,
}

impl Plan {
    /// The lightest.
    pub(super) fn new(e: &BigInt, costs: &Costs) -> Self {
        let plans = WIDTHS.flat_map(|width| {
            [true, false].map(|compressed| Plan {
                digits: wnaf(e.magnitude(), width),
                negative: e.is_negative(),
                compressed,
            })
        });
        plans.min_by_key(|plan| plan.cost(costs)).unwrap_or_else(|| unreachable!("there are widths"))
    }

    /// (|d| − 1)/2 for the greatest digit.
    fn tallest(&self) -> usize {
        self.digits.iter().map(|d| usize::from(d.unsigned_abs()) / 2).max().unwrap_or(0)
    }

    fn cost(&self, costs: &Costs) -> u64 {
        let (squarings, weight) = (self.digits.len().saturating_sub(1) as u64, weight(&self.digits) as u64);
        let tallest = self.tallest() as u64;
        if !self.compressed {
            let table = if tallest > 0 { costs.square + tallest * costs.product } else { 0 };
            return squarings * costs.square + weight.saturating_sub(1) * costs.product + table;
        }
        // f itself is at hand
        let apart = weight - u64::from(self.digits.last().is_some_and(|d| *d != 0));
        let decompress = if apart > 0 { costs.decompress[0] + (apart - 1) * costs.decompress[1] } else { 0 };
        // at most: one sum of digits is empty where a digit does not occur
        let sorting = if tallest > 0 { costs.square + 2 * tallest * costs.product } else { 0 };
        squarings * costs.compressed + decompress + weight.saturating_sub(1) * costs.product + sorting
    }
}

impl<E: Extension, X: NonResidue<E>> Sextic<E, X> {
    /// The powers of elements of the cyclotomic subgroup; at most one inversion for all.
    pub(super) fn powers(&self, fs: &[Fpk<E>], plan: &Plan) -> Vec<Fpk<E>> {
        let mut out = if plan.compressed {
            self.by_compression(fs, plan)
        } else {
            fs.iter().map(|f| self.by_window(f, plan)).collect()
        };
        if plan.negative {
            for x in &mut out {
                *x = self.conjugate(x);
            }
        }
        out
    }

    fn by_window(&self, f: &Fpk<E>, plan: &Plan) -> Fpk<E> {
        let target = self.target();
        let mut odd = vec![f.clone()];
        if plan.tallest() > 0 {
            at! {self; square = cyclotomic_square(f);}
            for i in 0..plan.tallest() {
                at! {target; next = mul(&odd[i], &square);}
                odd.push(next);
            }
        }
        let mut power = Accumulator::new();
        for d in &plan.digits {
            power.square(self);
            if *d != 0 {
                power.times(self, &self.signed(&odd[usize::from(d.unsigned_abs()) / 2], *d));
            }
        }
        power.finish(self)
    }

    /// With Q_d = Π f^(±2^i) over the digits ±d and T_d = Q_d·Q_(d+2)⋯, the power is T_1·(T_3·T_5⋯)².
    fn by_compression(&self, fs: &[Fpk<E>], plan: &Plan) -> Vec<Fpk<E>> {
        let target = self.target();
        // the digits ≠ 0 of i ≥ 1, and f^(2^i) there
        let apart: Vec<i8> = plan.digits.iter().rev().skip(1).copied().filter(|d| *d != 0).collect();
        let mut kept = Vec::with_capacity(fs.len() * apart.len());
        for f in fs {
            let mut places = [compress::<E>(f), Compressed::<E>::blank()];
            let [mut running, mut next] = places.each_mut();
            for d in plan.digits.iter().rev().skip(1) {
                compressed::square(target, next, running);
                std::mem::swap(&mut running, &mut next);
                if *d != 0 {
                    kept.push(running.clone());
                }
            }
        }
        let kept = decompress(target, &kept);
        let last = plan.digits.last().copied().filter(|d| *d != 0);
        let combine = |(i, f): (usize, &Fpk<E>)| {
            let powers = &kept[i * apart.len()..][..apart.len()];
            let factors = last.iter().map(|d| (*d, f)).chain(apart.iter().copied().zip(powers));
            let mut sums: Vec<Accumulator<E>> = (0..=plan.tallest()).map(|_| Accumulator::new()).collect();
            for (d, power) in factors {
                sums[usize::from(d.unsigned_abs()) / 2].times(self, &self.signed(power, d));
            }
            // tail = T_d, root = T_d·T_(d+2)⋯
            let (mut tail, mut root) = (Accumulator::new(), Accumulator::new());
            for sum in sums.drain(1..).rev() {
                tail.times_any(self, sum.value());
                root.times_any(self, tail.value());
            }
            root.square(self);
            sums[0].times_any(self, tail.value());
            sums[0].times_any(self, root.value());
            sums[0].finish(self)
        };
        fs.iter().enumerate().map(combine).collect()
    }

    /// f, or 1/f for a negative digit.
    fn signed<'f>(&self, f: &'f Fpk<E>, d: i8) -> Cow<'f, Fpk<E>> {
        if d > 0 { Cow::Borrowed(f) } else { Cow::Owned(self.conjugate(f)) }
    }
}
