//! The recording machine: a formula run over it becomes a program.
//!
//! A pairing's operations depend on the curve alone, so one recording serves every pair of points: replayed on any engine
//! with other inputs, it computes their pairing. This is what a processor or a GPU kernel executes.

use crate::blank::Blank;
use crate::contract::{Field, Prime};
use crate::term::Term;
use num_bigint::BigUint;
use std::sync::{Arc, Mutex, PoisonError};

/// A recorded element: the number of the operation that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elem(u32);

/// A recorded sum of products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wide(u32);

/// A recorded truth value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mask(u32);

impl Default for Elem {
    /// No operation's result: a program that reads it is refused by [`Recorder::program`].
    fn default() -> Self {
        Elem(u32::MAX)
    }
}

impl Default for Wide {
    fn default() -> Self {
        Wide(u32::MAX)
    }
}

impl Blank for Elem {}

impl Blank for Wide {}

/// A linear form over earlier results: (coefficient, operation).
pub type Form = Vec<(i32, u32)>;

/// One operation; operands are the numbers of earlier operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// The i-th input element.
    Input(u32),
    /// A constant of the curve.
    Constant(BigUint),
    /// a·b, unreduced.
    MulWide(u32, u32),
    /// a², unreduced.
    SqrWide(u32),
    /// A linear form over unreduced values.
    Lin(Form),
    /// A linear form over unreduced values, reduced.
    Reduce(Form),
    /// a + b, lazy.
    Add(u32, u32),
    /// a − b, lazy.
    Sub(u32, u32),
    /// A linear form over elements.
    Sum(Form),
    /// 1/a.
    Inv(u32),
    /// mask, a, b: a where the mask is set, else b.
    Select(u32, u32, u32),
    /// a = 0.
    IsZero(u32),
    /// A constant truth value.
    Truth(bool),
    /// a ∧ b.
    Both(u32, u32),
    /// ¬a.
    Not(u32),
}

impl Op {
    /// The operations whose results this one reads.
    pub fn operands(&self) -> Vec<u32> {
        match self {
            Op::Input(_) | Op::Constant(_) | Op::Truth(_) => vec![],
            Op::SqrWide(a) | Op::Inv(a) | Op::IsZero(a) | Op::Not(a) => vec![*a],
            Op::MulWide(a, b) | Op::Add(a, b) | Op::Sub(a, b) | Op::Both(a, b) => vec![*a, *b],
            Op::Select(m, a, b) => vec![*m, *a, *b],
            Op::Lin(form) | Op::Reduce(form) | Op::Sum(form) => form.iter().map(|(_, i)| *i).collect(),
        }
    }
}

/// A field of the shape of F_p that records. Clones write to the same tape.
#[derive(Clone)]
pub struct Recorder {
    p: Arc<BigUint>,
    tape: Arc<Mutex<Tape>>,
}

#[derive(Default)]
struct Tape {
    ops: Vec<Op>,
    inputs: u32,
}

/// A recorded computation: straight-line code over F_p.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The operations, in order; the result of operation i is value i.
    pub ops: Vec<Op>,
    /// How many elements it takes.
    pub inputs: usize,
    /// The values it returns.
    pub outputs: Vec<u32>,
}

impl Recorder {
    /// An empty tape over the field of p elements.
    pub fn new(p: &BigUint) -> Self {
        Recorder { p: Arc::new(p.clone()), tape: Arc::default() }
    }

    /// The next input.
    pub fn input(&self) -> Elem {
        let mut tape = self.tape.lock().unwrap_or_else(PoisonError::into_inner);
        let i = tape.inputs;
        tape.inputs += 1;
        tape.ops.push(Op::Input(i));
        Elem(tape.ops.len() as u32 - 1)
    }

    /// What was recorded so far, with these results; `None` if an operation or a result reads a value that was never computed.
    pub fn program(&self, outputs: &[Elem]) -> Option<Program> {
        let tape = self.tape.lock().unwrap_or_else(PoisonError::into_inner);
        let outputs: Vec<u32> = outputs.iter().map(|e| e.0).collect();
        let len = tape.ops.len() as u32;
        let defined = tape.ops.iter().enumerate().all(|(i, op)| op.operands().iter().all(|o| *o < i as u32));
        (defined && outputs.iter().all(|o| *o < len)).then(|| Program {
            ops: tape.ops.clone(),
            inputs: tape.inputs as usize,
            outputs,
        })
    }

    fn push(&self, op: Op) -> u32 {
        let mut tape = self.tape.lock().unwrap_or_else(PoisonError::into_inner);
        tape.ops.push(op);
        tape.ops.len() as u32 - 1
    }
}

fn form_wide(terms: &[Term<Wide>]) -> Form {
    terms.iter().map(|t| (t.coeff, t.value.0)).collect()
}

impl Field for Recorder {
    type Elem = Elem;
    type Wide = Wide;
    type Mask = Mask;

    fn zero(&self) -> Elem {
        self.constant(&BigUint::ZERO)
    }

    fn one(&self) -> Elem {
        self.constant(&BigUint::from(1u32))
    }

    fn mul_wide(&self, out: &mut Wide, a: &Elem, b: &Elem) {
        *out = Wide(self.push(Op::MulWide(a.0, b.0)));
    }

    fn sqr_wide(&self, out: &mut Wide, a: &Elem) {
        *out = Wide(self.push(Op::SqrWide(a.0)));
    }

    fn lin(&self, out: &mut Wide, terms: &[Term<Wide>]) {
        *out = Wide(self.push(Op::Lin(form_wide(terms))));
    }

    fn reduce(&self, out: &mut Elem, terms: &[Term<Wide>]) {
        *out = Elem(self.push(Op::Reduce(form_wide(terms))));
    }

    fn add(&self, out: &mut Elem, a: &Elem, b: &Elem) {
        *out = Elem(self.push(Op::Add(a.0, b.0)));
    }

    fn sub(&self, out: &mut Elem, a: &Elem, b: &Elem) {
        *out = Elem(self.push(Op::Sub(a.0, b.0)));
    }

    fn sum(&self, out: &mut Elem, terms: &[Term<Elem>]) {
        *out = Elem(self.push(Op::Sum(terms.iter().map(|t| (t.coeff, t.value.0)).collect())));
    }

    fn inv(&self, out: &mut Elem, a: &Elem) {
        *out = Elem(self.push(Op::Inv(a.0)));
    }

    fn select(&self, out: &mut Elem, mask: Mask, a: &Elem, b: &Elem) {
        *out = Elem(self.push(Op::Select(mask.0, a.0, b.0)));
    }

    fn is_zero(&self, a: &Elem) -> Mask {
        Mask(self.push(Op::IsZero(a.0)))
    }

    fn mask(&self, value: bool) -> Mask {
        Mask(self.push(Op::Truth(value)))
    }

    fn mask_from(&self, values: &[bool]) -> Mask {
        self.mask(values.first().copied().unwrap_or(false))
    }

    fn both(&self, a: Mask, b: Mask) -> Mask {
        Mask(self.push(Op::Both(a.0, b.0)))
    }

    fn not(&self, a: Mask) -> Mask {
        Mask(self.push(Op::Not(a.0)))
    }
}

impl Prime for Recorder {
    type Uniform = Elem;

    fn modulus(&self) -> &BigUint {
        &self.p
    }

    fn constant(&self, x: &BigUint) -> Elem {
        Elem(self.push(Op::Constant(x % &*self.p)))
    }

    fn uniform(&self, a: &Elem) -> Elem {
        *a
    }

    fn spread(&self, out: &mut Elem, a: &Elem) {
        *out = *a;
    }
}

/// A value of a replay.
enum Value<F: Field> {
    Elem(F::Elem),
    Wide(F::Wide),
    Mask(F::Mask),
}

impl Program {
    /// Executes the program on another engine over the same field.
    ///
    /// # Errors
    /// If the number of inputs differs, or an operand is not of the kind that its operation takes.
    pub fn replay<F: Prime>(&self, f: &F, inputs: &[F::Elem]) -> Result<Vec<F::Elem>, ReplayError> {
        if inputs.len() != self.inputs {
            return Err(ReplayError::Inputs { given: inputs.len(), wanted: self.inputs });
        }
        let mut values: Vec<Value<F>> = Vec::with_capacity(self.ops.len());
        for (number, op) in self.ops.iter().enumerate() {
            let value = step(f, op, inputs, &values).ok_or(ReplayError::Operand { number })?;
            values.push(value);
        }
        let elem = |i: &u32| elem(&values, *i).cloned().ok_or(ReplayError::Operand { number: *i as usize });
        self.outputs.iter().map(elem).collect()
    }
}

fn elem<F: Field>(values: &[Value<F>], i: u32) -> Option<&F::Elem> {
    if let Some(Value::Elem(x)) = values.get(i as usize) { Some(x) } else { None }
}

fn wide<F: Field>(values: &[Value<F>], i: u32) -> Option<&F::Wide> {
    if let Some(Value::Wide(x)) = values.get(i as usize) { Some(x) } else { None }
}

fn mask<F: Field>(values: &[Value<F>], i: u32) -> Option<F::Mask> {
    if let Some(Value::Mask(x)) = values.get(i as usize) { Some(*x) } else { None }
}

fn step<F: Prime>(f: &F, op: &Op, inputs: &[F::Elem], v: &[Value<F>]) -> Option<Value<F>> {
    let (mut x, mut w) = (F::Elem::blank(), F::Wide::default());
    let wides = |form: &Form| -> Option<Vec<Term<F::Wide>>> {
        form.iter().map(|(coeff, i)| Some(Term { coeff: *coeff, value: wide(v, *i)? })).collect()
    };
    match op {
        Op::Input(i) => x = inputs.get(*i as usize)?.clone(),
        Op::Constant(c) => x = f.constant(c),
        Op::Reduce(form) => f.reduce(&mut x, &wides(form)?),
        Op::Add(a, b) => f.add(&mut x, elem(v, *a)?, elem(v, *b)?),
        Op::Sub(a, b) => f.sub(&mut x, elem(v, *a)?, elem(v, *b)?),
        Op::Sum(form) => {
            let terms: Option<Vec<_>> =
                form.iter().map(|(coeff, i)| Some(Term { coeff: *coeff, value: elem(v, *i)? })).collect();
            f.sum(&mut x, &terms?);
        }
        Op::Inv(a) => f.inv(&mut x, elem(v, *a)?),
        Op::Select(m, a, b) => f.select(&mut x, mask(v, *m)?, elem(v, *a)?, elem(v, *b)?),
        Op::MulWide(a, b) => {
            f.mul_wide(&mut w, elem(v, *a)?, elem(v, *b)?);
            return Some(Value::Wide(w));
        }
        Op::SqrWide(a) => {
            f.sqr_wide(&mut w, elem(v, *a)?);
            return Some(Value::Wide(w));
        }
        Op::Lin(form) => {
            f.lin(&mut w, &wides(form)?);
            return Some(Value::Wide(w));
        }
        Op::IsZero(a) => return Some(Value::Mask(f.is_zero(elem(v, *a)?))),
        Op::Truth(t) => return Some(Value::Mask(f.mask(*t))),
        Op::Both(a, b) => return Some(Value::Mask(f.both(mask(v, *a)?, mask(v, *b)?))),
        Op::Not(a) => return Some(Value::Mask(f.not(mask(v, *a)?))),
    }
    Some(Value::Elem(x))
}

/// Why a program cannot be executed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The program takes another number of inputs.
    #[error("the program takes {wanted} inputs, {given} were given")]
    Inputs {
        /// How many were given.
        given: usize,
        /// How many it takes.
        wanted: usize,
    },
    /// An operand is missing or of the wrong kind.
    #[error("operation {number}: an operand is missing or of the wrong kind")]
    Operand {
        /// The operation.
        number: usize,
    },
}
