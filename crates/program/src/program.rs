//! Programs: straight-line routines, and a plan that calls them.
//!
//! There are no branches, no loops and no addresses: which operations run, and on which values, does not depend on the inputs.
//! Each value is made once and read afterwards, as in static single assignment (Cytron et al., TOPLAS 13, 1991).

use crate::op::{Ref, Term};
use crate::passes::suit;
use crate::replay::Value;
use bilinear_field::count::{Count, Tally};
use bilinear_field::{Code, Kind};
use num_bigint::BigUint;
use std::ops::Range;
use std::sync::Arc;

/// One operation of a routine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Op {
    /// What it computes.
    pub code: Code,
    /// Where its operands stand in the routine's list.
    pub operands: Range<u32>,
    /// The number of its first result; others follow.
    pub value: u32,
}

/// Straight-line code. Values are numbered: parameters first, then the results of the operations in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Routine {
    /// What it computes, as the formulas call it.
    pub name: &'static str,
    /// How many of its values are parameters.
    pub params: usize,
    /// The kind of each value.
    pub kinds: Vec<Kind>,
    /// The operations in order.
    pub ops: Vec<Op>,
    /// The operands of all operations.
    pub operands: Vec<Term>,
    /// The values that callers may take.
    pub results: Vec<u32>,
}

impl Routine {
    /// The operands of an operation.
    pub fn operands(&self, op: &Op) -> &[Term] {
        &self.operands[op.operands.start as usize..op.operands.end as usize]
    }
}

/// A call of a routine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Its number.
    pub routine: u32,
    /// The plan's value for each parameter.
    pub args: Vec<u32>,
    /// The plan's value for each result, where the plan takes it.
    pub results: Vec<Option<u32>>,
}

/// One step of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Runs a routine on each vector.
    Call(Call),
    /// An operation on all vectors of a batch at once, such as a shared inversion.
    Shared {
        /// [`Code::Invert`] or [`Code::Quotients`].
        code: Code,
        /// The operands.
        args: Vec<Ref>,
        /// The plan's values for its results.
        results: Vec<u32>,
    },
}

impl Step {
    /// What it does.
    pub fn operation(&self) -> Operation {
        match self {
            Step::Call(call) => Operation::Call(call.routine),
            Step::Shared { code, .. } => Operation::Shared(*code),
        }
    }

    /// What it reads, in order.
    pub fn operands(&self) -> Vec<Ref> {
        match self {
            Step::Call(call) => call.args.iter().map(|v| Ref::value(*v as usize)).collect(),
            Step::Shared { args, .. } => args.clone(),
        }
    }

    /// The plan's value for each of its results, where the plan takes it.
    pub fn results(&self) -> Vec<Option<u32>> {
        match self {
            Step::Call(call) => call.results.clone(),
            Step::Shared { results, .. } => results.iter().copied().map(Some).collect(),
        }
    }
}

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Calls the routine of this number.
    Call(u32),
    /// An operation on all vectors of a batch at once.
    Shared(Code),
}

/// An input port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// One residue per lane.
    Elem {
        /// The plan's value.
        value: u32,
    },
    /// A residue that is the same in every lane: the next one of a prepared argument.
    Uniform {
        /// The plan's value.
        value: u32,
        /// Which prepared argument.
        stream: u32,
        /// Which of its residues.
        index: u32,
    },
    /// One truth value per lane.
    Mask {
        /// The plan's value.
        value: u32,
    },
}

impl Input {
    /// The value of the plan that it sets.
    pub fn value(self) -> u32 {
        let (Input::Elem { value } | Input::Uniform { value, .. } | Input::Mask { value }) = self;
        value
    }

    /// The same port for another value.
    pub(crate) fn with(self, value: u32) -> Self {
        match self {
            Input::Elem { .. } => Input::Elem { value },
            Input::Uniform { stream, index, .. } => Input::Uniform { value, stream, index },
            Input::Mask { .. } => Input::Mask { value },
        }
    }
}

/// An output port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// One residue per lane.
    Elem(Ref),
    /// The same, closed, so that a [`Store`](crate::Store) can take it over in the machine's own form. It is numbered among the former.
    Kept(Ref),
    /// A residue that is the same in every lane: the next one of a prepared argument.
    Uniform(Ref),
    /// One truth value per lane.
    Mask(Ref),
}

impl Output {
    /// The outputs.
    pub fn value(self) -> Ref {
        let (Output::Elem(x) | Output::Kept(x) | Output::Uniform(x) | Output::Mask(x)) = self;
        x
    }

    /// The same port for another value.
    pub(crate) fn with(self, x: Ref) -> Self {
        match self {
            Output::Elem(_) => Output::Elem(x),
            Output::Kept(_) => Output::Kept(x),
            Output::Uniform(_) => Output::Uniform(x),
            Output::Mask(_) => Output::Mask(x),
        }
    }
}

/// The ports of one vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PortCounts {
    pub(crate) elems_in: usize,
    pub(crate) elems_out: usize,
    pub(crate) masks_in: usize,
    pub(crate) masks_out: usize,
    /// Prepared arguments.
    pub(crate) streams: u32,
    /// Residues of an argument that is being prepared.
    pub(crate) uniforms_out: usize,
}

impl PortCounts {
    fn of(inputs: &[Input], outputs: &[Output]) -> Self {
        let number_in = |is: fn(&Input) -> bool| inputs.iter().filter(|i| is(i)).count();
        let number_out = |is: fn(&Output) -> bool| outputs.iter().filter(|o| is(o)).count();
        let stream =
            |input: &Input| if let Input::Uniform { stream, .. } = input { stream.saturating_add(1) } else { 0 };
        PortCounts {
            elems_in: number_in(|i| matches!(i, Input::Elem { .. })),
            elems_out: number_out(|o| matches!(o, Output::Elem(_) | Output::Kept(_))),
            masks_in: number_in(|i| matches!(i, Input::Mask { .. })),
            masks_out: number_out(|o| matches!(o, Output::Mask(_))),
            streams: inputs.iter().map(stream).max().unwrap_or(0),
            uniforms_out: number_out(|o| matches!(o, Output::Uniform(_))),
        }
    }
}

/// A program over F_p. Every one that exists is verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    modulus: BigUint,
    constants: Vec<BigUint>,
    routines: Vec<Routine>,
    kinds: Vec<Kind>,
    inputs: Vec<Input>,
    outputs: Vec<Output>,
    plan: Vec<Step>,
    ports: PortCounts,
}

/// The parts of a program, from which [`Parts::verify`] makes one.
#[derive(Clone, Debug)]
pub struct Parts {
    /// p.
    pub modulus: BigUint,
    /// Residues below p.
    pub constants: Vec<BigUint>,
    /// The routines.
    pub routines: Vec<Routine>,
    /// The kinds of the plan's values.
    pub kinds: Vec<Kind>,
    /// The inputs.
    pub inputs: Vec<Input>,
    /// The outputs.
    pub outputs: Vec<Output>,
    /// The steps.
    pub plan: Vec<Step>,
}

impl Program {
    /// From parts that were verified.
    pub(crate) fn verified(parts: Parts) -> Self {
        let Parts { modulus, constants, routines, kinds, inputs, outputs, plan } = parts;
        let ports = PortCounts::of(&inputs, &outputs);
        Program { modulus, constants, routines, kinds, inputs, outputs, plan, ports }
    }

    /// Its parts.
    pub fn into_parts(self) -> Parts {
        let Program { modulus, constants, routines, kinds, inputs, outputs, plan, .. } = self;
        Parts { modulus, constants, routines, kinds, inputs, outputs, plan }
    }

    /// p.
    pub fn modulus(&self) -> &BigUint {
        &self.modulus
    }

    /// Residues that it uses.
    pub fn constants(&self) -> &[BigUint] {
        &self.constants
    }

    /// Its routines.
    pub fn routines(&self) -> &[Routine] {
        &self.routines
    }

    /// The kind of each value of the plan.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// The inputs.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// How many prepared arguments it takes.
    pub fn streams(&self) -> u32 {
        self.ports.streams
    }

    /// How many ports it has of each kind.
    pub(crate) fn ports(&self) -> PortCounts {
        self.ports
    }

    /// The outputs.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// What is done, in order.
    pub fn plan(&self) -> &[Step] {
        &self.plan
    }

    /// How often the plan calls each routine.
    pub fn calls(&self) -> Vec<u64> {
        let mut calls = vec![0; self.routines.len()];
        for step in &self.plan {
            if let Step::Call(call) = step {
                calls[call.routine as usize] += 1;
            }
        }
        calls
    }

    /// The same program with the fused operations for which there are kernels: `has` says so of an operation and the coefficients of
    /// its operands.
    pub fn suited(self: &Arc<Self>, has: impl Fn(Code, &[i32]) -> bool) -> Arc<Self> {
        let routines: Vec<Routine> = self.routines.iter().map(|routine| suit(routine.clone(), &has)).collect();
        if routines == self.routines {
            return self.clone();
        }
        let parts = Parts { routines, ..Program::clone(self).into_parts() };
        Arc::new(parts.verify().unwrap_or_else(|e| unreachable!("a pass of a verified program: {e}")))
    }

    /// The operations on elements of F_p that one run takes.
    pub fn operations(&self) -> Tally {
        let calls = self.calls();
        let costs = self.routines.iter().map(|routine| self.cost(routine));
        let mut total = Tally::default();
        for (cost, n) in costs.zip(calls) {
            total = total + cost * n;
        }
        for step in &self.plan {
            if let Step::Shared { code, args, .. } = step {
                total = total + shared_cost(*code, args.len());
            }
        }
        total
    }

    /// What a call of a routine costs.
    pub fn cost(&self, routine: &Routine) -> Tally {
        let count = Count::new(&self.modulus);
        let nothing = |kind: &Kind| match kind {
            Kind::Elem => Value::Elem(()),
            Kind::Wide => Value::Wide(()),
            Kind::Mask => Value::Mask(()),
        };
        let params: Vec<Value<Count>> = routine.kinds[..routine.params].iter().map(nothing).collect();
        let constants = vec![Value::Elem(()); self.constants.len()];
        count.of(|| routine.evaluate(&count, &constants, &params))
    }
}

/// One inversion and Montgomery's trick.
fn shared_cost(code: Code, args: usize) -> Tally {
    let n = if code == Code::Quotients { args - 1 } else { args } as u64;
    let products = match code {
        Code::Quotients => 3 * (n - 1) + 1,
        _ if n == 1 => 0,
        // a factor 1 stands for the first
        _ => 3 * n,
    };
    Tally { mul: products, reduction: products, inversion: 1, ..Tally::default() }
}
