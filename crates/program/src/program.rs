//! Programs: straight-line routines, and a plan that calls them.
//!
//! There are no branches, no loops and no addresses: which operations run, and on which values, does not depend on the inputs.
//! Each value is made once and read afterwards, as in static single assignment (Cytron et al., TOPLAS 13, 1991).

use crate::op::{Ref, Term};
use crate::passes::suit;
use crate::replay::Value;
use bilinear_field::count::{Count, Tally};
use bilinear_field::{Arity, Code, CollectVec, Kind};
use num_bigint::BigUint;
use std::ops::Range;
use std::sync::Arc;

/// One operation of a routine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Op {
    /// The code of the operation.
    pub code: Code,
    /// The range of the operands in the routine's list of operands.
    pub operands: Range<u32>,
    /// The number of the first result. The other results follow it.
    pub value: u32,
}

impl Op {
    /// The numbers of the results.
    pub(crate) fn results(&self) -> Range<u32> {
        self.value..self.value + self.code.results(self.operands.len()).len() as u32
    }

    /// Returns where among the operands the form of unreduced values begins, if the operation has one form of such
    /// values.
    pub(crate) fn form(&self) -> Option<usize> {
        match self.code.arity() {
            Arity::Form(elements, Kind::Wide) if self.code.forms() == 1 => Some(elements),
            _ => None,
        }
    }
}

/// A routine: straight-line code. Its values are numbered: parameters first, then the results of the operations in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Routine {
    /// The name of the computation, as the formulas give it.
    pub name: &'static str,
    /// The number of parameters.
    pub params: usize,
    /// The kind of each value of the routine.
    pub kinds: Vec<Kind>,
    /// The operations of the routine, in order.
    pub ops: Vec<Op>,
    /// The operands of all operations.
    pub operands: Vec<Term>,
    /// The numbers of the values that callers may take.
    pub results: Vec<u32>,
}

impl Routine {
    /// The operands of an operation of this routine.
    pub fn operands(&self, op: &Op) -> &[Term] {
        &self.operands[op.operands.start as usize..op.operands.end as usize]
    }

    /// Returns the parameter that becomes each result if mask number k among the parameters is bit k of `index`; `None` if
    /// the routine does anything but select parameters.
    pub(crate) fn selected(&self, index: usize) -> Option<Vec<usize>> {
        let mut masks = 0..;
        let mut bit = || masks.next().map(|k: u32| index.checked_shr(k).unwrap_or(0) & 1 == 1);
        // the parameter, and the truth value, that each value is
        let mut values: Vec<(usize, Option<bool>)> =
            (0..self.params).map(|v| (v, (self.kinds[v] == Kind::Mask).then(&mut bit).flatten())).collect_vec();
        for op in &self.ops {
            let [mask, a, b] = self.operands(op) else { return None };
            let number = |t: &Term| (!t.value.is_constant()).then(|| t.value.number());
            let (truth, a, b) = (values[number(mask)?].1, number(a)?, number(b)?);
            match truth {
                Some(truth) if op.code == Code::Select => values.push(values[if truth { a } else { b }]),
                _ => return None,
            }
        }
        Some(self.results.iter().map(|v| values[*v as usize].0).collect_vec())
    }

    /// Returns the operation that makes each value; `None` for parameters.
    pub(crate) fn makers(&self) -> Vec<Option<usize>> {
        let mut makers = vec![None; self.kinds.len()];
        for (i, op) in self.ops.iter().enumerate() {
            op.results().for_each(|v| makers[v as usize] = Some(i));
        }
        makers
    }

    /// Returns, for each value, the operations whose form reads it; `None` if it is read in another way as well, or
    /// callers may take it.
    pub(crate) fn form_readers(&self) -> Vec<Option<Vec<usize>>> {
        let mut readers = vec![Some(vec![]); self.kinds.len()];
        for (i, op) in self.ops.iter().enumerate() {
            let operands = self.operands(op);
            let form = op.form().unwrap_or(operands.len());
            for (k, t) in operands.iter().enumerate().filter(|(_, t)| !t.value.is_constant()) {
                match &mut readers[t.value.number()] {
                    Some(own) if k >= form && own.last() == Some(&i) => {}
                    Some(own) if k >= form => own.push(i),
                    own => *own = None,
                }
            }
        }
        self.results.iter().for_each(|v| readers[*v as usize] = None);
        readers
    }

    /// Returns the routine with these of its operations, in this order, and the new numbers of its values: they are
    /// numbered as they are made. No two operations share operands.
    pub(crate) fn renumbered<'a>(&self, order: impl Iterator<Item = &'a Op>) -> (Routine, Vec<Ref>) {
        let mut number: Vec<Ref> = (0..self.kinds.len()).map(Ref::value).collect_vec();
        let mut kinds = self.kinds[..self.params].to_vec();
        let mut ops = Vec::with_capacity(self.ops.len());
        let mut operands = Vec::with_capacity(self.operands.len());
        for op in order {
            let (value, first) = (kinds.len() as u32, operands.len() as u32);
            operands.extend(self.operands(op).iter().map(|t| match t.value.is_constant() {
                true => *t,
                false => Term { coeff: t.coeff, value: number[t.value.number()] },
            }));
            for v in op.results() {
                number[v as usize] = Ref::value(kinds.len());
                kinds.push(self.kinds[v as usize]);
            }
            ops.push(Op { code: op.code, operands: first..operands.len() as u32, value });
        }
        let results = self.results.iter().map(|v| number[*v as usize].number() as u32).collect_vec();
        (Routine { name: self.name, params: self.params, kinds, ops, operands, results }, number)
    }
}

/// A call of a routine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The number of the routine.
    pub routine: u32,
    /// For each parameter, the plan's value that is passed.
    pub args: Vec<u32>,
    /// For each result, the plan's value that receives it; `None` where the plan does not take the result.
    pub results: Vec<Option<u32>>,
}

/// One step of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A call of a routine, which runs on each vector.
    Call(Call),
    /// An operation on all vectors of a batch at once, such as a shared inversion.
    Shared {
        /// The operation: [`Code::Invert`] or [`Code::Quotients`].
        code: Code,
        /// The operands of the operation.
        args: Vec<Ref>,
        /// The plan's values that receive the results.
        results: Vec<u32>,
    },
}

impl Step {
    /// Returns the operation that the step performs.
    pub fn operation(&self) -> Operation {
        match self {
            Step::Call(call) => Operation::Call(call.routine),
            Step::Shared { code, .. } => Operation::Shared(*code),
        }
    }

    /// Returns the values and constants that the step reads, in order.
    pub fn operands(&self) -> Vec<Ref> {
        match self {
            Step::Call(call) => call.args.iter().map(|v| Ref::value(*v as usize)).collect(),
            Step::Shared { args, .. } => args.clone(),
        }
    }

    /// Returns the plan's value for each result of the step, `None` where the plan does not take the result.
    pub fn results(&self) -> Vec<Option<u32>> {
        match self {
            Step::Call(call) => call.results.clone(),
            Step::Shared { results, .. } => results.iter().copied().map(Some).collect(),
        }
    }
}

/// The operation of a step, without its operands and results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// A call of the routine with this number.
    Call(u32),
    /// An operation on all vectors of a batch at once.
    Shared(Code),
}

/// An input port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// A residue for each lane.
    Elem {
        /// The plan's value that the port sets.
        value: u32,
    },
    /// A residue of a prepared argument, the same in every lane.
    Uniform {
        /// The plan's value that the port sets.
        value: u32,
        /// The number of the prepared argument.
        stream: u32,
        /// The index of the residue in the prepared argument.
        index: u32,
    },
    /// A truth value for each lane.
    Mask {
        /// The plan's value that the port sets.
        value: u32,
    },
}

impl Input {
    /// The plan's value that the port sets.
    pub fn value(self) -> u32 {
        let (Input::Elem { value } | Input::Uniform { value, .. } | Input::Mask { value }) = self;
        value
    }

    /// Returns this port with another value in place of its own.
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
    /// A residue for each lane.
    Elem(Ref),
    /// A residue for each lane, closed, so that a [`Store`](crate::Store) can take it over in the machine's own form.
    /// It is numbered among the outputs `Elem`.
    Stored(Ref),
    /// The next residue of a prepared argument that the program makes, the same in every lane.
    Uniform(Ref),
    /// A truth value for each lane.
    Mask(Ref),
}

impl Output {
    /// The value or constant that the port outputs.
    pub fn value(self) -> Ref {
        let (Output::Elem(x) | Output::Stored(x) | Output::Uniform(x) | Output::Mask(x)) = self;
        x
    }

    /// Returns this port with another value in place of its own.
    pub(crate) fn with(self, x: Ref) -> Self {
        match self {
            Output::Elem(_) => Output::Elem(x),
            Output::Stored(_) => Output::Stored(x),
            Output::Uniform(_) => Output::Uniform(x),
            Output::Mask(_) => Output::Mask(x),
        }
    }
}

/// The numbers of ports of each kind, for one vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PortCounts {
    pub(crate) elems_in: usize,
    pub(crate) elems_out: usize,
    pub(crate) masks_in: usize,
    pub(crate) masks_out: usize,
    /// The number of prepared arguments that the program takes.
    pub(crate) streams: u32,
    /// The number of residues of the argument that the program prepares.
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
            elems_out: number_out(|o| matches!(o, Output::Elem(_) | Output::Stored(_))),
            masks_in: number_in(|i| matches!(i, Input::Mask { .. })),
            masks_out: number_out(|o| matches!(o, Output::Mask(_))),
            streams: inputs.iter().map(stream).max().unwrap_or(0),
            uniforms_out: number_out(|o| matches!(o, Output::Uniform(_))),
        }
    }
}

/// A program over F_p. Every program that exists has been verified.
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

/// The parts of a program. [`Parts::verify`] makes a program of them.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The modulus p.
    pub modulus: BigUint,
    /// The constants: residues below p.
    pub constants: Vec<BigUint>,
    /// The routines that the plan calls.
    pub routines: Vec<Routine>,
    /// The kind of each value of the plan.
    pub kinds: Vec<Kind>,
    /// The input ports, in order.
    pub inputs: Vec<Input>,
    /// The output ports, in order.
    pub outputs: Vec<Output>,
    /// The steps of the plan, in order.
    pub plan: Vec<Step>,
}

impl Program {
    /// Creates a program of parts that have been verified.
    pub(crate) fn verified(parts: Parts) -> Self {
        let Parts { modulus, constants, routines, kinds, inputs, outputs, plan } = parts;
        let ports = PortCounts::of(&inputs, &outputs);
        Program { modulus, constants, routines, kinds, inputs, outputs, plan, ports }
    }

    /// Takes the program apart.
    pub fn into_parts(self) -> Parts {
        let Program { modulus, constants, routines, kinds, inputs, outputs, plan, .. } = self;
        Parts { modulus, constants, routines, kinds, inputs, outputs, plan }
    }

    /// The modulus p.
    pub fn modulus(&self) -> &BigUint {
        &self.modulus
    }

    /// The residues that the program uses as constants.
    pub fn constants(&self) -> &[BigUint] {
        &self.constants
    }

    /// The routines of the program.
    pub fn routines(&self) -> &[Routine] {
        &self.routines
    }

    /// The kind of each value of the plan.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// The input ports, in order.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The number of prepared arguments that the program takes.
    pub fn streams(&self) -> u32 {
        self.ports.streams
    }

    /// The numbers of ports of each kind, for one vector.
    pub(crate) fn ports(&self) -> PortCounts {
        self.ports
    }

    /// The output ports, in order.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// Returns each input with its number: among the elements or the masks, or of a residue in its prepared argument.
    pub fn numbered_inputs(&self) -> impl Iterator<Item = (Input, usize)> + '_ {
        let (mut elems, mut masks) = (0, 0);
        self.inputs.iter().map(move |input| match *input {
            Input::Elem { .. } => (*input, post_increment(&mut elems)),
            Input::Uniform { index, .. } => (*input, index as usize),
            Input::Mask { .. } => (*input, post_increment(&mut masks)),
        })
    }

    /// Returns each output with its number among the elements, the residues of a prepared argument, or the masks.
    pub fn numbered_outputs(&self) -> impl Iterator<Item = (Output, usize)> + '_ {
        let (mut elems, mut uniforms, mut masks) = (0, 0, 0);
        self.outputs.iter().map(move |output| match output {
            Output::Elem(_) | Output::Stored(_) => (*output, post_increment(&mut elems)),
            Output::Uniform(_) => (*output, post_increment(&mut uniforms)),
            Output::Mask(_) => (*output, post_increment(&mut masks)),
        })
    }

    /// The steps of the plan, in order.
    pub fn plan(&self) -> &[Step] {
        &self.plan
    }

    /// Returns how often the plan calls each routine.
    pub fn calls(&self) -> Vec<u64> {
        let mut calls = vec![0; self.routines.len()];
        for step in &self.plan {
            if let Step::Call(call) = step {
                calls[call.routine as usize] += 1;
            }
        }
        calls
    }

    /// Returns the program with the fused operations for which a machine has kernels. `has` returns true if there is
    /// a kernel for an operation with these coefficients of its operands.
    pub fn suited(self: &Arc<Self>, has: impl Fn(Code, &[i32]) -> bool) -> Arc<Self> {
        let routines: Vec<Routine> = self.routines.iter().map(|routine| suit(routine, &has)).collect();
        if routines == self.routines {
            return self.clone();
        }
        let parts = Parts { routines, ..Program::clone(self).into_parts() };
        Arc::new(parts.verify().unwrap_or_else(|e| unreachable!("a pass of a verified program: {e}")))
    }

    /// Returns the number of operations on elements of F_p that one run takes.
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

    /// Returns the number of operations on elements of F_p that one call of a routine takes.
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

fn post_increment(number: &mut usize) -> usize {
    std::mem::replace(number, *number + 1)
}

/// The cost of an operation on all vectors: one inversion and the products of Montgomery's trick.
fn shared_cost(code: Code, args: usize) -> Tally {
    let n = if code == Code::Quotients { args - 1 } else { args } as u64;
    let products = match code {
        Code::Quotients => 3 * (n - 1) + 1,
        _ if n == 1 => 0,
        // the running product begins as 1, and the product by 1 counts as well
        _ => 3 * n,
    };
    Tally { mul: products, reduction: products, inversion: 1, ..Tally::default() }
}
