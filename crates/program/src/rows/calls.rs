//! Calls of kernels, which a schedule becomes. The rows that they read and write have names, but no places yet.

use bilinear_field::CollectVec;
use bilinear_field::Kind;
use bilinear_field::rows::{Factors, Kernel};
use num_bigint::BigUint;

/// A row, or the rows of an unreduced value, before it has a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Name(pub(super) u32);

impl Name {
    /// 0, as an element and as an unreduced value: the row that lanes without a term add.
    pub(super) const ZERO: Name = Name(0);
    /// The row to which lanes without a result write.
    pub(super) const NOWHERE: Name = Name(1);
    /// The multiple of p that a lazy difference is biased by.
    pub(super) const BIAS: Name = Name(2);
    /// The number of the first constant.
    pub(super) const CONSTANTS: usize = 3;

    pub(super) fn number(self) -> usize {
        self.0 as usize
    }
}

/// A sum Σ plus − Σ minus.
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

    /// Returns true if the form has at most these numbers of added and of subtracted rows.
    pub(super) fn fits(&self, [plus, minus]: [usize; 2]) -> bool {
        self.plus.len() <= plus && self.minus.len() <= minus
    }
}

/// A sum x·2^shift + y.
#[derive(Clone, Copy, Debug)]
pub(super) struct Multiple {
    pub(super) x: Name,
    pub(super) shift: u16,
    pub(super) y: Name,
}

/// A call: operations that run at a time. Kernels read all their rows before they write one, except for forms and
/// multiples, which are computed one after the other.
#[derive(Clone, Debug)]
pub(super) enum Call {
    /// Up to eight products. The first `pairs` groups of three leave two results each, with [`Name::NOWHERE`] between them.
    Product { factors: Factors, pairs: usize, operands: Vec<[Form; 2]>, results: Vec<Name> },
    /// Up to eight reductions or closed sums.
    Gather { kernel: Kernel, forms: Vec<Form>, results: Vec<Name> },
    /// Up to eight reductions r, or 3r + 2(x − y) where x and y are given, one of which may be [`Name::ZERO`].
    Triples { forms: Vec<Form>, beside: Vec<Option<[Name; 2]>>, results: Vec<Name> },
    /// Sums of at most as many rows as the kernel takes.
    Forms { kernel: Kernel, forms: Vec<Form>, results: Vec<Name> },
    /// Sums x·2^s + y.
    Multiples { kernel: Kernel, terms: Vec<Multiple>, results: Vec<Name> },
    /// The inverse 1/x.
    Invert { x: Name, result: Name },
    /// The row a if the truth value with this number holds, otherwise b.
    Select { mask: u32, a: Name, b: Name, result: Name },
    /// Tests whether each of up to eight elements is 0, or odd, and sets the truth values with these numbers.
    Test { is_odd: bool, rows: Vec<Name>, results: Vec<u32> },
    /// The truth value "a and b".
    And { a: u32, b: u32, result: u32 },
    /// The truth value "not a".
    Not { a: u32, result: u32 },
}

/// A value that comes in or goes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Port {
    /// A row.
    Row(Name),
    /// The truth value with this number.
    Mask(u32),
}

/// A schedule as calls.
#[derive(Debug)]
pub(super) struct Lowered {
    pub(super) calls: Vec<Call>,
    /// The kind of each name.
    pub(super) kinds: Vec<Kind>,
    /// The residues that are in the rows from [`Name::CONSTANTS`] on from the beginning.
    pub(super) constants: Vec<BigUint>,
    pub(super) inputs: Vec<Port>,
    pub(super) outputs: Vec<Port>,
    /// The number of truth values.
    pub(super) masks: usize,
    /// The greatest number of carried rows of which the limbs of a sum that is read may be the sum.
    pub(super) heaviest: u64,
}

impl Call {
    /// Returns the rows that the call reads.
    pub(super) fn reads(&self) -> Vec<Name> {
        match self {
            Call::Product { operands, .. } => operands.iter().flatten().flat_map(Form::names).collect_vec(),
            Call::Gather { forms, .. } | Call::Forms { forms, .. } => forms.iter().flat_map(Form::names).collect_vec(),
            Call::Triples { forms, beside, .. } => {
                forms.iter().flat_map(Form::names).chain(beside.iter().flatten().flatten().copied()).collect_vec()
            }
            Call::Multiples { terms, .. } => terms.iter().flat_map(|term| [term.x, term.y]).collect_vec(),
            Call::Invert { x, .. } => vec![*x],
            Call::Select { a, b, .. } => vec![*a, *b],
            Call::Test { rows, .. } => rows.clone(),
            Call::And { .. } | Call::Not { .. } => vec![],
        }
    }

    /// Returns the rows that the call writes.
    pub(super) fn writes(&self) -> Vec<Name> {
        match self {
            Call::Product { results, .. }
            | Call::Gather { results, .. }
            | Call::Triples { results, .. }
            | Call::Multiples { results, .. }
            | Call::Forms { results, .. } => {
                results.iter().copied().filter(|name| *name != Name::NOWHERE).collect_vec()
            }
            Call::Invert { result, .. } | Call::Select { result, .. } => vec![*result],
            Call::Test { .. } | Call::And { .. } | Call::Not { .. } => vec![],
        }
    }
}
