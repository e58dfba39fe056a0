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
        let decompressed = |n| weigh(count.of(|| decompress(target, &mut vec![one.clone(); n])));
        let [first, two] = [1, 2].map(decompressed);
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
    pub(super) digits: Vec<i8>,
    pub(super) negative: bool,
    pub(super) compressed: bool,
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
        // f itself is at hand
        let apart = weight - u64::from(self.digits.last().is_some_and(|d| *d != 0));
        let decompress = if apart > 0 { costs.decompress[0] + (apart - 1) * costs.decompress[1] } else { 0 };
        // at most: one sum of digits is empty where a digit does not occur
        let sorting = if tallest > 0 { costs.square + 2 * tallest * costs.product } else { 0 };
        squarings * costs.compressed + decompress + weight.saturating_sub(1) * costs.product + sorting
    }
}

impl<E: Extension, X: NonResidue<E>> Sextic<E, X> {
    /// Squarings of full elements.
    pub(super) fn by_window(&self, f: &Fpk<E>, plan: &Plan) -> Fpk<E> {
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

    /// f, or 1/f for a negative digit.
    pub(super) fn signed<'f>(&self, f: &'f Fpk<E>, d: i8) -> Cow<'f, Fpk<E>> {
        if d > 0 { Cow::Borrowed(f) } else { Cow::Owned(self.conjugate(f)) }
    }
}
