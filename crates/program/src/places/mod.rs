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

use crate::program::Program;
use bilinear_field::{Code, Kind};

pub(crate) use pool::Pairs;
pub(crate) use routine::pairs_of;

/// One item for each kind.
pub(crate) type ByKind<T> = [T; 3];

/// One operation as an executor takes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instruction {
    pub(crate) code: Code,
    /// The number of operands.
    pub(crate) len: u32,
    /// The place of its first result in the table of its kind.
    pub(crate) out: u32,
    /// The index of the first operand in the routine's list.
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

/// The place where the plan keeps a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Place {
    /// The place of a constant.
    Constant(u32),
    /// A place that all vectors share.
    Shared(u32),
    /// A place that each vector has of its own.
    Vector(u32),
}

/// One step of a placed plan, for one vector.
#[derive(Clone, Debug)]
pub(crate) enum PlacedStep {
    /// Loads the input of this number among elements.
    Load { input: u32, to: Place },
    /// Loads a residue of a prepared argument.
    LoadUniform { stream: u32, index: u32, to: Place },
    /// Loads the input of this number among masks.
    LoadMask { input: u32, to: Place },
    /// Loads what a call selects from a table.
    Select(Box<Selection>),
    /// Runs a routine on the arguments of a binding.
    Call { routine: u32, binding: u32 },
    /// Copies an element.
    Copy { from: Place, to: Place },
    /// Stores the output of this number among elements.
    Store { output: u32, from: Place },
    /// Stores the output of this number among uniform residues.
    StoreUniform { output: u32, from: Place },
    /// Stores the output of this number among masks.
    StoreMask { output: u32, from: Place },
}

/// The most bits of an index into a table.
pub(crate) const MAX_BITS: usize = 6;

/// The results of a call that does nothing but select from residues of a prepared argument, by masks: 2^n residues for
/// each result, of which the call takes the one whose index has the n masks as its bits.
#[derive(Clone, Debug)]
pub(crate) struct Selection {
    pub(crate) stream: u32,
    /// The number of residues from one entry of the table to the next.
    pub(crate) stride: u32,
    /// The places of the masks, the lowest bit first.
    pub(crate) bits: Vec<Place>,
    /// For each result that is taken: its number, the index of its first residue, and its place.
    pub(crate) results: Vec<(u32, u32, Place)>,
}

/// The places of the arguments of a call.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    pub(crate) places: Vec<Place>,
    /// Whether one of the places is a vector's own.
    pub(crate) own: bool,
}

/// The steps that vectors do one by one, and the operation on all vectors at their end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stage {
    pub(crate) steps: Vec<PlacedStep>,
    pub(crate) shared_inversion: Option<SharedInversion>,
}

/// An operation on all vectors of a batch at once.
#[derive(Clone, Debug)]
pub(crate) struct SharedInversion {
    pub(crate) code: Code,
    pub(crate) args: Vec<Place>,
    pub(crate) results: Vec<Place>,
}

impl SharedInversion {
    /// The number of values of each vector that are inverted.
    pub(crate) fn values(&self) -> usize {
        self.args.len() - usize::from(self.code == Code::Quotients)
    }
}

/// A program whose values have places.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    /// The constant in each place of a constant.
    pub(crate) constants: Vec<u32>,
    /// The numbers of places that routines have for intermediate values.
    pub(crate) locals: ByKind<u32>,
    /// The greatest numbers of arguments of a routine.
    pub(crate) arguments: ByKind<u32>,
    /// The numbers of places that all vectors share; `vector` counts those that each vector has of its own.
    pub(crate) shared: ByKind<u32>,
    pub(crate) vector: ByKind<u32>,
    pub(crate) routines: Vec<PlacedRoutine>,
    /// The bindings of all calls; those of each routine are distinct.
    pub(crate) bindings: Vec<Binding>,
    pub(crate) stages: Vec<Stage>,
}

impl Placed {
    /// Assigns places to the values of a program, and checks them. Calls that select from a table by at most `entry_bits` masks become
    /// selections.
    pub(crate) fn new(program: &Program, entry_bits: usize) -> Self {
        let (routines, constants) = routine::place(program);
        let placed = plan::place(program, routines, constants, entry_bits);
        check::check(program, &placed);
        placed
    }

    /// Returns the number at which the arguments of a kind begin in its table.
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
        let inputs = program.numbered_inputs().map(|(_, number)| number as u32).collect();
        let outputs = program.numbered_outputs().map(|(_, number)| number as u32).collect();
        Ports { inputs, outputs }
    }
}
