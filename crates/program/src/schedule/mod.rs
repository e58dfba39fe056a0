//! Schedules: one run of a program for a machine that computes several products, or several reductions, at a time.
//!
//! In lanes or in threads that work together, one pairing runs as fast as its longest chain of products allows: a
//! BLS12-381 pairing has about 24 products for each one on that chain. A program becomes one straight line of
//! primitive operations (`straight`): products of two elements, forms of unreduced values, reductions, sums. `list`
//! puts these into bundles. The operations of a bundle belong to one unit and do not depend on each other. Except for
//! linear operations, there are at most as many as the width of the machine.
//!
//! Every schedule is checked when it is made: every operand is there when its bundle begins. [`Schedule::replay`]
//! executes a schedule over any field, bundle by bundle: the specification of every machine that takes schedules.
//! [`Schedule::prove`] proves the ranges of a schedule.

mod check;
mod counts;
mod list;
mod primitives;
mod replay;
mod straight;
#[cfg(test)]
mod tests;

pub use counts::Counts;

use crate::op::Ref;
use crate::program::{Input, Output, Program, Routine};
use bilinear_field::Code;
use bilinear_field::CollectVec;
use num_bigint::BigUint;
use std::ops::Range;
use straight::Straight;

/// How many operations before its turn an operation may be taken, where nothing else is known: beyond about this
/// number bundles get no fuller, and many more values would be live at a time.
pub const AHEAD: usize = 1000;

/// The unit of a machine that computes a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Lazy sums, forms, selections, truth values.
    Linear,
    /// Closed sums of elements.
    Sum,
    /// Products and squares, unreduced.
    Product,
    /// Reductions of forms of unreduced values.
    Reduction,
    /// Inversions, one at a time.
    Inversion,
}

impl Unit {
    /// All units, in the order of their numbers.
    pub const ALL: [Unit; 5] = [Unit::Linear, Unit::Sum, Unit::Product, Unit::Reduction, Unit::Inversion];

    /// Returns the unit that computes a primitive operation.
    pub(crate) fn of(code: Code) -> Self {
        match code {
            Code::MulWide | Code::SqrWide => Unit::Product,
            Code::Reduce => Unit::Reduction,
            Code::Sum => Unit::Sum,
            Code::Invert => Unit::Inversion,
            _ => Unit::Linear,
        }
    }
}

/// Operations that issue together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundle {
    /// The unit that computes the operations.
    pub unit: Unit,
    /// The numbers of the operations in [`Schedule::routine`].
    pub ops: Range<u32>,
}

/// A program in bundles. Every schedule is checked when it is made.
#[derive(Clone, Debug)]
pub struct Schedule {
    modulus: BigUint,
    constants: Vec<BigUint>,
    inputs: Vec<Input>,
    outputs: Vec<Output>,
    routine: Routine,
    bundles: Vec<Bundle>,
    width: usize,
}

impl Schedule {
    /// Creates the schedule of a program for `width` products or reductions at a time. No operation is taken more
    /// than `ahead` operations before its turn.
    ///
    /// # Panics
    /// Panics if `width` is 0.
    pub fn new(program: &Program, width: usize, ahead: usize) -> Self {
        assert!(width > 0, "the width must be at least 1");
        let Straight { routine, constants, outputs } = Straight::of(program);
        let order = list::list(&routine, width, ahead);
        let (routine, number) = routine.renumbered(order.ops.iter().map(|i| &routine.ops[*i as usize]));
        let place = |x: &Ref| if x.is_constant() { *x } else { number[x.number()] };
        let schedule = Schedule {
            modulus: program.modulus().clone(),
            constants,
            inputs: program.inputs().iter().zip(0..).map(|(input, value)| input.with(value)).collect_vec(),
            outputs: program.outputs().iter().zip(&outputs).map(|(output, x)| output.with(place(x))).collect_vec(),
            routine,
            bundles: order.bundles,
            width,
        };
        if let Err(reason) = schedule.check() {
            unreachable!("the schedule of a verified program: {reason}");
        }
        schedule
    }

    /// The modulus p.
    pub fn modulus(&self) -> &BigUint {
        &self.modulus
    }

    /// The residues that the schedule uses as constants.
    pub fn constants(&self) -> &[BigUint] {
        &self.constants
    }

    /// The inputs of the program, in order: the first values of the routine.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The outputs of the program, as values of the routine.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// The operations as one straight line, bundle after bundle.
    pub fn routine(&self) -> &Routine {
        &self.routine
    }

    /// The bundles, one after the other.
    pub fn bundles(&self) -> &[Bundle] {
        &self.bundles
    }

    /// The greatest number of products or reductions in a bundle.
    pub fn width(&self) -> usize {
        self.width
    }
}
