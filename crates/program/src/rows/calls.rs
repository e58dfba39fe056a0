//! What a schedule becomes: calls of kernels on rows that have names and no places yet.

use bilinear_field::Kind;
use bilinear_field::rows::{Factors, Kernel};
use num_bigint::BigUint;

/// A row, or the rows of an unreduced value, before it has a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Name(pub(super) u32);

impl Name {
    /// 0, as an element and as an unreduced value: what lanes add that have no term.
    pub(super) const ZERO: Name = Name(0);
    /// Where lanes write that have no result.
    pub(super) const NOWHERE: Name = Name(1);
    /// The multiple of p that a lazy difference is biased by.
    pub(super) const BIAS: Name = Name(2);
    /// The first constant.
    pub(super) const CONSTANTS: usize = 3;

    pub(super) fn number(self) -> usize {
        self.0 as usize
    }
}

/// Σ plus − Σ minus.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) plus: Vec<Name>,
    pub(super) minus: Vec<Name>,
}

impl Form {
    pub(super) fn of(x: Name) -> Self {
        Form { plus: vec![x], minus: vec![] }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = Name> {
        self.plus.iter().chain(&self.minus).copied()
    }

    pub(super) fn len(&self) -> usize {
        self.plus.len() + self.minus.len()
    }

    /// Whether it takes no more rows than these.
    pub(super) fn fits(&self, [plus, minus]: [usize; 2]) -> bool {
        self.plus.len() <= plus && self.minus.len() <= minus
    }
}

/// x·2^shift + y.
#[derive(Clone, Copy, Debug)]
pub(super) struct Multiple {
    pub(super) x: Name,
    pub(super) shift: u16,
    pub(super) y: Name,
}

/// What runs at a time. Kernels read all their rows before they write one, but for forms and multiples, which are computed one after
/// the other.
#[derive(Clone, Debug)]
pub(super) enum Call {
    /// Up to eight products, of which the first `pairs` times three leave two results, and [`Name::NOWHERE`] between them.
    Product { factors: Factors, pairs: usize, operands: Vec<[Form; 2]>, results: Vec<Name> },
    /// Up to eight reductions or closed sums.
    Gather { kernel: Kernel, forms: Vec<Form>, results: Vec<Name> },
    /// Up to eight reductions r, or 3r + 2(x − y) where there are an x and a y, one of which may be [`Name::ZERO`].
    Triples { forms: Vec<Form>, beside: Vec<Option<[Name; 2]>>, results: Vec<Name> },
    /// Sums of no more rows than the kernel takes.
    Forms { kernel: Kernel, forms: Vec<Form>, results: Vec<Name> },
    /// Sums x·2^s + y.
    Multiples { kernel: Kernel, terms: Vec<Multiple>, results: Vec<Name> },
    /// 1/x.
    Invert { x: Name, result: Name },
    /// a where the truth value of this number holds, else b.
    Select { mask: u32, a: Name, b: Name, result: Name },
    /// Which of up to eight elements are 0, or odd, and the numbers of these truth values.
    Test { is_odd: bool, rows: Vec<Name>, results: Vec<u32> },
    /// a and b.
    And { a: u32, b: u32, result: u32 },
    /// Not a.
    Not { a: u32, result: u32 },
}

/// What comes in or goes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Port {
    /// A row.
    Row(Name),
    /// The truth value of this number.
    Mask(u32),
}

/// A schedule as calls.
#[derive(Debug)]
pub(super) struct Lowered {
    pub(super) calls: Vec<Call>,
    /// The kind of each name.
    pub(super) kinds: Vec<Kind>,
    /// Residues that are in the rows from [`Name::CONSTANTS`] on from the beginning.
    pub(super) constants: Vec<BigUint>,
    pub(super) inputs: Vec<Port>,
    pub(super) outputs: Vec<Port>,
    /// How many truth values there are.
    pub(super) masks: usize,
    /// How many carried rows the limbs of a sum that is read may be the sum of.
    pub(super) heaviest: u64,
}

impl Call {
    /// The rows that it reads.
    pub(super) fn reads(&self) -> Vec<Name> {
        match self {
            Call::Product { operands, .. } => operands.iter().flatten().flat_map(Form::names).collect(),
            Call::Gather { forms, .. } | Call::Forms { forms, .. } => forms.iter().flat_map(Form::names).collect(),
            Call::Triples { forms, beside, .. } => {
                forms.iter().flat_map(Form::names).chain(beside.iter().flatten().flatten().copied()).collect()
            }
            Call::Multiples { terms, .. } => terms.iter().flat_map(|term| [term.x, term.y]).collect(),
            Call::Invert { x, .. } => vec![*x],
            Call::Select { a, b, .. } => vec![*a, *b],
            Call::Test { rows, .. } => rows.clone(),
            Call::And { .. } | Call::Not { .. } => vec![],
        }
    }

    /// The rows that it writes.
    pub(super) fn writes(&self) -> Vec<Name> {
        match self {
            Call::Product { results, .. }
            | Call::Gather { results, .. }
            | Call::Triples { results, .. }
            | Call::Multiples { results, .. }
            | Call::Forms { results, .. } => results.iter().copied().filter(|name| *name != Name::NOWHERE).collect(),
            Call::Invert { result, .. } | Call::Select { result, .. } => vec![*result],
            Call::Test { .. } | Call::And { .. } | Call::Not { .. } => vec![],
        }
    }
}
