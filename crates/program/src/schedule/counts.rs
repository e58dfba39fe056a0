//! The costs of a schedule: bundles by unit, how full they are, the chain that no width can shorten, and how much is
//! live at a time.

use super::{Schedule, Unit, list};
use crate::program::Op;
use bilinear_field::Kind;

/// The figures of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// The number of products or reductions at a time.
    pub width: usize,
    /// The number of products.
    pub products: usize,
    /// The number of bundles of products.
    pub product_bundles: usize,
    /// The number of reductions.
    pub reductions: usize,
    /// The number of bundles of reductions.
    pub reduction_bundles: usize,
    /// The number of sums of elements, selections and truth values.
    pub sums: usize,
    /// The number of forms of unreduced values that are not part of a reduction.
    pub forms: usize,
    /// The number of terms of the forms of unreduced values that are not part of a reduction.
    pub form_terms: usize,
    /// The number of terms of the forms that are reduced.
    pub reduced_terms: usize,
    /// The number of inversions.
    pub inversions: usize,
    /// The number of products on the longest chain.
    pub depth: usize,
    /// The number of products and reductions on the longest chain.
    pub chain: usize,
    /// The most that is live when a bundle ends, in elements; an unreduced value counts as two.
    pub live: usize,
}

impl Counts {
    /// How full the bundles of products are, from 0 to 1.
    pub fn product_fill(&self) -> f64 {
        self.products as f64 / (self.width * self.product_bundles).max(1) as f64
    }

    /// How full the bundles of reductions are, from 0 to 1.
    pub fn reduction_fill(&self) -> f64 {
        self.reductions as f64 / (self.width * self.reduction_bundles).max(1) as f64
    }
}

impl Schedule {
    /// Returns the figures of the schedule.
    pub fn counts(&self) -> Counts {
        let routine = &self.routine;
        let of = |unit: Unit| routine.ops.iter().filter(move |op| Unit::of(op.code) == unit);
        let bundles = |unit: Unit| self.bundles.iter().filter(|bundle| bundle.unit == unit).count();
        let is_form = |op: &&Op| *op.code.results(op.operands.len()) == [Kind::Wide];
        let terms = |op: &Op| op.operands.len();
        let long = |unit| u32::from(matches!(unit, Unit::Product | Unit::Reduction));
        Counts {
            width: self.width,
            products: of(Unit::Product).count(),
            product_bundles: bundles(Unit::Product),
            reductions: of(Unit::Reduction).count(),
            reduction_bundles: bundles(Unit::Reduction),
            sums: of(Unit::Linear).filter(|op| !is_form(op)).count() + of(Unit::Sum).count(),
            forms: of(Unit::Linear).filter(is_form).count(),
            form_terms: of(Unit::Linear).filter(is_form).map(terms).sum(),
            reduced_terms: of(Unit::Reduction).map(terms).sum(),
            inversions: of(Unit::Inversion).count(),
            depth: routine.depth(),
            chain: list::heights(routine, long).into_iter().max().unwrap_or(0) as usize,
            live: self.live(),
        }
    }

    /// Returns the most that is live when a bundle ends, in elements. A value lives from when it is made until it is read last.
    fn live(&self) -> usize {
        let routine = &self.routine;
        let end = self.bundles.len();
        let (mut from, mut to) = (vec![0; routine.params], vec![0; routine.kinds.len()]);
        for (i, bundle) in self.bundles.iter().enumerate() {
            for op in &routine.ops[bundle.ops.start as usize..bundle.ops.end as usize] {
                let operands = routine.operands(op);
                from.extend(op.results().map(|_| i));
                operands.iter().filter(|t| !t.value.is_constant()).for_each(|t| to[t.value.number()] = i);
            }
        }
        routine.results.iter().for_each(|v| to[*v as usize] = end);
        let mut change = vec![0isize; end + 2];
        for ((from, to), kind) in from.into_iter().zip(to).zip(&routine.kinds) {
            let size = match kind {
                Kind::Elem => 1,
                Kind::Wide => 2,
                Kind::Mask => 0,
            };
            // live only if the last read is in a later bundle than the one that makes the value
            if to > from {
                change[from] += size;
                change[to] -= size;
            }
        }
        let mut alive = 0;
        change
            .into_iter()
            .map(|change| {
                alive += change;
                alive as usize
            })
            .max()
            .unwrap_or(0)
    }
}
