//! Places: the memory in which a machine keeps the values of a running program, as registers are assigned to variables.
//!
//! A routine has places of its own for its intermediate values (`locals`); each call says where its parameters and results are
//! (`arguments`). The plan keeps what passes between calls, either once for all vectors (`shared`: each vector writes it before it
//! reads it) or once for each vector, where an operation of all vectors comes in between (`vector`). Places are assigned by
//! lifetime, by a linear scan (Poletto and Sarkar, TOPLAS 21, 1999). The halves of an element of F_p(i) that a kernel takes as
//! one lie side by side; a value that has two such partners is copied.

mod check;
mod plan;
mod pool;
mod routine;
#[cfg(test)]
mod tests;

use crate::program::{Input, Output, Program};
use bilinear_field::{Code, Kind};

pub(crate) use pool::Pairs;

/// Numbers by kind.
pub(crate) type ByKind<T> = [T; 3];

/// One operation as an executor takes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instruction {
    pub(crate) code: Code,
    /// How many operands it has.
    pub(crate) len: u32,
    /// The place of its first result in the table of its kind.
    pub(crate) out: u32,
    /// Where its operands stand.
    pub(crate) first: u32,
}

/// An operand as an executor takes it: a coefficient, and a place in the table of its kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand {
    pub(crate) coeff: i32,
    pub(crate) place: u32,
}

/// A routine whose values have places. The table of a kind lists constants (of elements), locals, then arguments.
#[derive(Clone, Debug)]
pub(crate) struct PlacedRoutine {
    pub(crate) code: Vec<Instruction>,
    pub(crate) operands: Vec<Operand>,
    /// The kind of each argument: parameters, then results.
    pub(crate) arguments: Vec<Kind>,
    /// Arguments that lie side by side, by their numbers among those of their kind.
    pub(crate) pairs: Vec<(Kind, u32, u32)>,
}

/// Where the plan keeps a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Place {
    /// A constant's.
    Constant(u32),
    /// The same for all vectors.
    Shared(u32),
    /// One of each vector's own.
    Vector(u32),
}

/// One step of a placed plan, for one vector.
#[derive(Clone, Debug)]
pub(crate) enum PlacedStep {
    /// The input of this number among elements.
    Load { input: u32, to: Place },
    /// A residue of a prepared argument.
    LoadUniform { stream: u32, index: u32, to: Place },
    /// The input of this number among masks.
    LoadMask { input: u32, to: Place },
    /// A routine runs on arguments in these places.
    Call { routine: u32, binding: u32 },
    /// An element is copied.
    Copy { from: Place, to: Place },
    /// The output of this number among elements.
    Store { output: u32, from: Place },
    /// The output of this number among uniform residues.
    StoreUniform { output: u32, from: Place },
    /// The output of this number among masks.
    StoreMask { output: u32, from: Place },
}

/// The places of the arguments of a call.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    pub(crate) places: Vec<Place>,
    /// Whether one is a vector's own.
    pub(crate) own: bool,
}

/// What vectors do one by one, and the operation on all vectors at its end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stage {
    pub(crate) steps: Vec<PlacedStep>,
    pub(crate) meeting: Option<Meeting>,
}

/// An operation on all vectors of a batch at once.
#[derive(Clone, Debug)]
pub(crate) struct Meeting {
    pub(crate) code: Code,
    pub(crate) args: Vec<Place>,
    pub(crate) results: Vec<Place>,
}

impl Meeting {
    /// How many values of each vector are inverted.
    pub(crate) fn values(&self) -> usize {
        self.args.len() - usize::from(self.code == Code::Quotients)
    }
}

/// A program whose values have places.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    /// The constant in each constant's place.
    pub(crate) constants: Vec<u32>,
    /// How many places routines have for what they use up.
    pub(crate) locals: ByKind<u32>,
    /// The most arguments of a routine.
    pub(crate) arguments: ByKind<u32>,
    /// How many places the plan has, and how many for each vector.
    pub(crate) shared: ByKind<u32>,
    pub(crate) vector: ByKind<u32>,
    pub(crate) routines: Vec<PlacedRoutine>,
    /// All bindings of calls, those of each routine once.
    pub(crate) bindings: Vec<Binding>,
    pub(crate) stages: Vec<Stage>,
}

impl Placed {
    /// Places for the values of a program.
    pub(crate) fn new(program: &Program) -> Self {
        let (routines, constants) = routine::place(program);
        let placed = plan::place(program, routines, constants);
        check::check(program, &placed);
        placed
    }

    /// Where the arguments of a kind begin in its table.
    pub(crate) fn first_argument(&self, kind: Kind) -> u32 {
        let constants = if kind == Kind::Elem { self.constants.len() as u32 } else { 0 };
        constants + self.locals[kind as usize]
    }
}

/// The numbers of inputs and outputs among those of their kind.
pub(crate) struct Ports {
    pub(crate) inputs: Vec<u32>,
    pub(crate) outputs: Vec<u32>,
}

impl Ports {
    pub(crate) fn of(program: &Program) -> Self {
        let (mut elems, mut masks) = (0.., 0..);
        let inputs = program.inputs().iter().map(|input| match input {
            Input::Elem { .. } => elems.next(),
            Input::Uniform { index, .. } => Some(*index),
            Input::Mask { .. } => masks.next(),
        });
        let inputs = inputs.map(|i| i.unwrap_or_else(|| unreachable!("there are as many numbers as inputs"))).collect();
        let (mut elems, mut uniforms, mut masks) = (0.., 0.., 0..);
        let outputs = program.outputs().iter().map(|output| match output {
            Output::Elem(_) | Output::Kept(_) => elems.next(),
            Output::Uniform(_) => uniforms.next(),
            Output::Mask(_) => masks.next(),
        });
        let outputs =
            outputs.map(|i| i.unwrap_or_else(|| unreachable!("there are as many numbers as outputs"))).collect();
        Ports { inputs, outputs }
    }
}
