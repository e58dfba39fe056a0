//! List scheduling (Graham 1969; priorities by the longest path to the end, Hu 1961): operations in bundles for one
//! unit at a time.
//!
//! A linear operation issues as soon as its operands are there, and so does a closed sum on the longest path. Among
//! products, reductions and other closed sums, the unit with the fuller bundle issues; if two are equally full, the one
//! on the longer path. A bundle takes the operations with the longest paths to the end. No operation is taken that stands
//! more than `ahead` operations behind the first remaining one in program order, so that little is live at a time.
//!
//! For n operations the time is O(n log n).

use super::{Bundle, Unit};
use crate::program::Routine;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The cost of an inversion, in products.
const INVERSION: u32 = 32;

/// Operations in a new order, and the bundles in which they issue.
pub(super) struct Order {
    pub(super) ops: Vec<u32>,
    pub(super) bundles: Vec<Bundle>,
}

/// Schedules a routine in bundles of at most this many products or reductions.
pub(super) fn list(routine: &Routine, width: usize, ahead: usize) -> Order {
    let mut list = List::new(routine, width, ahead);
    while list.issue() {}
    list.order
}

/// Returns the length of the longest path from each operation to the end, the operation included.
pub(super) fn heights(routine: &Routine, price: impl Fn(Unit) -> u32) -> Vec<u32> {
    let makers = routine.makers();
    let mut heights = vec![0; routine.ops.len()];
    for (i, op) in routine.ops.iter().enumerate().rev() {
        heights[i] += price(Unit::of(op.code));
        for t in routine.operands(op).iter().filter(|t| !t.value.is_constant()) {
            if let Some(maker) = makers[t.value.number()] {
                heights[maker] = heights[maker].max(heights[i]);
            }
        }
    }
    heights
}

/// An operation that can issue: its height and its number. Of equal heights, the lower number goes first.
type Ready = (u32, Reverse<u32>);

struct List<'r> {
    routine: &'r Routine,
    width: usize,
    ahead: usize,
    heights: Vec<u32>,
    /// For each operation, the operations that read its results, once for each operand.
    readers: Vec<Vec<u32>>,
    /// For each operation, the number of operands that are not there yet.
    missing: Vec<u32>,
    issued: Vec<bool>,
    /// The first remaining operation in program order.
    first: usize,
    /// The operations that can issue, by unit.
    ready: [BinaryHeap<Ready>; Unit::ALL.len()],
    /// The operations whose operands are there, but that stand too far behind as yet.
    later: BinaryHeap<Reverse<u32>>,
    order: Order,
}

impl<'r> List<'r> {
    fn new(routine: &'r Routine, width: usize, ahead: usize) -> Self {
        let count = routine.ops.len();
        let makers = routine.makers();
        let (mut readers, mut missing) = (vec![vec![]; count], vec![0; count]);
        for (op, i) in routine.ops.iter().zip(0..) {
            let operands = routine.operands(op).iter().map(|t| t.value).filter(|x| !x.is_constant());
            for maker in operands.filter_map(|x| makers[x.number()]) {
                readers[maker].push(i);
                missing[i as usize] += 1;
            }
        }
        let price = |unit| match unit {
            Unit::Linear => 0,
            Unit::Sum | Unit::Product | Unit::Reduction => 1,
            Unit::Inversion => INVERSION,
        };
        let mut list = List {
            routine,
            width,
            ahead,
            heights: heights(routine, price),
            readers,
            issued: vec![false; count],
            first: 0,
            ready: Default::default(),
            later: (0..).zip(&missing).filter(|(_, missing)| **missing == 0).map(|(i, _)| Reverse(i)).collect(),
            missing,
            order: Order { ops: vec![], bundles: vec![] },
        };
        list.reach();
        list
    }

    /// Makes the operations ready that no longer stand too far behind.
    fn reach(&mut self) {
        self.first += self.issued[self.first..].iter().take_while(|issued| **issued).count();
        while let Some(Reverse(i)) =
            self.later.peek().copied().filter(|i| i.0 as usize <= self.first.saturating_add(self.ahead))
        {
            self.later.pop();
            let unit = Unit::of(self.routine.ops[i as usize].code);
            self.ready[unit as usize].push((self.heights[i as usize], Reverse(i)));
        }
    }

    /// Returns the unit whose turn it is.
    fn unit(&self) -> Option<Unit> {
        let height = |unit: Unit| self.ready[unit as usize].peek().map(|(height, _)| *height);
        let longest = height(Unit::Product).max(height(Unit::Reduction));
        let turn = |unit: &Unit| {
            let (ready, height) = (&self.ready[*unit as usize], height(*unit)?);
            // linear operations hold nothing up, nor do sums on the longest path, nor an inversion for which
            // everything else waits
            let full = match unit {
                Unit::Linear => usize::MAX,
                Unit::Sum if Some(height) >= longest => usize::MAX,
                Unit::Sum | Unit::Product | Unit::Reduction => ready.len().min(self.width),
                Unit::Inversion => 1,
            };
            Some((full, height))
        };
        Unit::ALL
            .into_iter()
            .filter_map(|unit| Some((turn(&unit)?, unit)))
            .max_by_key(|(turn, _)| *turn)
            .map(|(_, unit)| unit)
    }

    /// Issues one bundle. Returns false if nothing is left.
    fn issue(&mut self) -> bool {
        let Some(unit) = self.unit() else { return false };
        let width = match unit {
            Unit::Linear => usize::MAX,
            Unit::Sum | Unit::Product | Unit::Reduction => self.width,
            Unit::Inversion => 1,
        };
        let from = self.order.ops.len();
        while self.order.ops.len() - from < width {
            let Some((_, Reverse(i))) = self.ready[unit as usize].pop() else { break };
            self.order.ops.push(i);
        }
        for at in from..self.order.ops.len() {
            let i = self.order.ops[at] as usize;
            self.issued[i] = true;
            for reader in std::mem::take(&mut self.readers[i]) {
                self.missing[reader as usize] -= 1;
                if self.missing[reader as usize] == 0 {
                    self.later.push(Reverse(reader));
                }
            }
        }
        self.reach();
        self.order.bundles.push(Bundle { unit, ops: from as u32..self.order.ops.len() as u32 });
        true
    }
}
