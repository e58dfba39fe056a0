//! Schedules: one run of a program for a machine that computes several products, or several reductions, at a time.
//!
//! In lanes or in threads that work together, one pairing runs as fast as its longest chain of products allows: a BLS12-381 pairing has
//! about 24 products for each one on that chain. A program becomes one straight line of primitive operations (`straight`): products
//! of two elements, forms of unreduced values, reductions, sums. `list` puts them into bundles. The operations of a bundle are of one
//! unit, depend on nothing in it, and are, but for linear ones, no more than the width of the machine.
//!
//! [`Schedule::check`] says that every operand is there when its bundle begins; [`Schedule::replay`] executes it over any field, bundle
//! by bundle: the specification of every machine that takes schedules. [`Schedule::prove`] proves its ranges.

mod check;
mod counts;
mod list;
mod primitives;
mod replay;
mod straight;
#[cfg(test)]
mod tests;

pub use check::ScheduleError;
pub use counts::Counts;

use crate::op::{Ref, Term};
use crate::program::{Input, Op, Output, Program, Routine};
use bilinear_field::Code;
use num_bigint::BigUint;
use std::ops::Range;
use straight::Straight;

/// How many operations before its turn one may be taken, where nothing else is known: from about here on bundles get no fuller, and
/// many more values would be alive at a time.
pub const AHEAD: usize = 1000;

/// What computes a bundle.
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

    /// What computes a primitive operation.
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
    /// What computes them.
    pub unit: Unit,
    /// Their numbers in [`Schedule::routine`].
    pub ops: Range<u32>,
}

/// A program in bundles. Every one that is made is checked.
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
    /// The schedule of a program for so many products or reductions at a time, none of which is taken more than `ahead` operations
    /// before its turn.
    ///
    /// # Panics
    /// For a width of 0.
    pub fn new(program: &Program, width: usize, ahead: usize) -> Self {
        assert!(width > 0, "a width of at least 1");
        let Straight { routine, constants, outputs } = Straight::of(program);
        let order = list::list(&routine, width, ahead);
        let (routine, number) = reordered(&routine, &order.ops);
        let place = |x: &Ref| if x.is_constant() { *x } else { number[x.number()] };
        let schedule = Schedule {
            modulus: program.modulus().clone(),
            constants,
            inputs: program.inputs().iter().zip(0..).map(|(input, value)| input.with(value)).collect(),
            outputs: program.outputs().iter().zip(&outputs).map(|(output, x)| output.with(place(x))).collect(),
            routine,
            bundles: order.bundles,
            width,
        };
        if let Err(reason) = schedule.check() {
            unreachable!("the schedule of a verified program: {reason}");
        }
        schedule
    }

    /// p.
    pub fn modulus(&self) -> &BigUint {
        &self.modulus
    }

    /// Residues that it uses.
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

    /// Its operations as one straight line, bundle after bundle.
    pub fn routine(&self) -> &Routine {
        &self.routine
    }

    /// The bundles, one after the other.
    pub fn bundles(&self) -> &[Bundle] {
        &self.bundles
    }

    /// How many products or reductions a bundle may have.
    pub fn width(&self) -> usize {
        self.width
    }
}

/// The operations of a routine in another order, their results numbered as they are made, and the new numbers.
fn reordered(routine: &Routine, order: &[u32]) -> (Routine, Vec<Ref>) {
    let mut number: Vec<Ref> = (0..routine.kinds.len()).map(Ref::value).collect();
    let mut kinds = routine.kinds[..routine.params].to_vec();
    let (mut ops, mut operands) = (Vec::with_capacity(order.len()), Vec::with_capacity(routine.operands.len()));
    for i in order {
        let op = &routine.ops[*i as usize];
        let (value, first) = (kinds.len(), operands.len() as u32);
        operands.extend(routine.operands(op).iter().map(|t| match t.value.is_constant() {
            true => *t,
            false => Term { coeff: t.coeff, value: number[t.value.number()] },
        }));
        let made = op.code.results(operands.len() - first as usize);
        for (v, kind) in (op.value as usize..).zip(&*made) {
            number[v] = Ref::value(kinds.len());
            kinds.push(*kind);
        }
        ops.push(Op { code: op.code, operands: first..operands.len() as u32, value: value as u32 });
    }
    let results = routine.results.iter().map(|v| number[*v as usize].number() as u32).collect();
    (Routine { name: routine.name, params: routine.params, kinds, ops, operands, results }, number)
}
