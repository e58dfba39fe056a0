//! The recording machine: a field whose operations are written down.
//!
//! Operations that depend on no input are computed at once (`constants`), so set-up leaves nothing but constants. The
//! recorder therefore knows the values of constants ([`Lanes`]), and the same generic code sets a curve up and is recorded.

mod ports;

use crate::build::build;
use crate::constants::{Constants, constants};
use crate::op::{Ref, Term};
use crate::pool::locked;
use crate::program::{Input, Output, Program};
use crate::trace::{Named, Trace};
use crate::verify::ProgramError;
use bilinear_field::{Blank, Field, Lanes, ModulusError, Prime, Term as FieldTerm, plus};
use bilinear_field::{Code, Kind};
use num_bigint::BigUint;
pub use ports::Ports;
use std::sync::{Arc, Mutex, MutexGuard};

/// The reference of a value that was never computed.
const NOTHING: Ref = Ref(u32::MAX);
/// The panic message for a read of a value that was never computed.
const NEVER: &str = "a value is read that was never computed";
/// The panic message for a request for the value of something that is not constant.
const KNOWN: &str = "the recorder knows the values of constants only";

/// A recorded element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elem(Ref);

/// A recorded sum of products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wide(Ref);

/// A recorded truth value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mask(Ref);

impl Default for Elem {
    fn default() -> Self {
        Elem(NOTHING)
    }
}

impl Default for Wide {
    fn default() -> Self {
        Wide(NOTHING)
    }
}

impl Blank for Elem {}

impl Blank for Wide {}

/// A field with the interface of F_p that records its operations. Clones record on the same tape.
#[derive(Clone)]
pub struct Recorder {
    p: Arc<BigUint>,
    tape: Arc<Mutex<Tape>>,
}

/// The recording so far.
struct Tape {
    trace: Trace,
    inputs: Vec<Input>,
    outputs: Vec<Output>,
    /// The constants, those of set-up included. Equal ones are merged by value when a program is built.
    constants: Box<dyn Constants>,
    /// The outermost step that is being recorded: its name and its first operation. `depth` is the depth of nesting.
    step: Option<(&'static str, u32)>,
    depth: u32,
    recording: bool,
}

impl Tape {
    /// Records an operation, or computes it where all its operands are constants. Returns the first result; the
    /// others follow it.
    fn push(&mut self, code: Code, operands: impl IntoIterator<Item = Term>) -> Ref {
        let operands = self.trace.list(operands);
        let own = &self.trace.operands[operands.clone()];
        let constants = own.iter().filter(|t| t.value.is_constant()).count();
        assert!(own.iter().all(|t| self.has(t.value)), "{NEVER}");
        if constants == own.len() {
            let folded = self.constants.fold(code, own);
            self.trace.operands.truncate(operands.start);
            return folded;
        }
        if constants > 0 {
            operands.clone().for_each(|i| self.put_in_place(i));
        }
        self.trace.operation(code, operands)
    }

    /// Returns true if this recording or set-up has computed the value, as far as its number tells.
    fn has(&self, x: Ref) -> bool {
        x != NOTHING && (x.is_constant() || x.number() < self.trace.kinds.len())
    }

    /// Prepares an operand for use beside values: an unreduced constant is replaced by a product that gives it.
    fn put_in_place(&mut self, operand: usize) {
        let x = self.trace.operands[operand].value;
        if !x.is_constant() || self.constants.kind(x.number()) != Kind::Wide {
            return;
        }
        let residue = self.constants.residue(x.number());
        let factors = [residue, BigUint::from(1u32)].map(|x| Term { coeff: 1, value: self.constants.elem(&x) });
        self.trace.operands[operand].value = self.trace.push(Code::MulWide, factors);
    }

    /// The truth value of a mask, if it is constant.
    fn truth(&self, mask: Mask) -> Option<bool> {
        mask.0.is_constant().then(|| self.constants.truth(mask.0.number()))
    }
}

impl Recorder {
    /// Creates a recorder over the field of p elements.
    ///
    /// # Errors
    /// Returns an error if p is even or below 3.
    pub fn new(p: &BigUint) -> Result<Self, ModulusError> {
        let tape = Tape {
            trace: Trace::default(),
            inputs: vec![],
            outputs: vec![],
            constants: constants(p)?,
            step: None,
            depth: 0,
            recording: false,
        };
        Ok(Recorder { p: Arc::new(p.clone()), tape: Arc::new(Mutex::new(tape)) })
    }

    /// Records `work`, and returns the program between the inputs and the outputs that `work` asks for. All clones of
    /// a recorder share one tape, so only one thread at a time may use them.
    ///
    /// # Errors
    /// Returns an error if the program cannot be run: see [`ProgramError`].
    ///
    /// # Panics
    /// Panics if a value is read or output that neither this recording nor set-up has computed, as far as its number tells.
    pub fn record(&self, work: impl FnOnce(&mut Ports<'_>)) -> Result<Program, ProgramError> {
        self.recorded(work, |trace, inputs, outputs, constants| {
            build(self.modulus(), trace, inputs, outputs, constants)
        })
    }

    /// Records `work`, and returns the result of `then` for the recording: its operations, its ports, and the constants.
    pub(crate) fn recorded<T>(
        &self,
        work: impl FnOnce(&mut Ports<'_>),
        then: impl FnOnce(&Trace, &[Input], &[Output], &dyn Constants) -> T,
    ) -> T {
        self.clear();
        self.tape().recording = true;
        let recording = Recording(self);
        work(&mut Ports { recorder: self, streams: vec![] });
        drop(recording);
        let tape = self.tape();
        then(&tape.trace, &tape.inputs, &tape.outputs, &*tape.constants)
    }

    /// Discards the recording, except for the constants.
    fn clear(&self) {
        let mut tape = self.tape();
        tape.trace.clear();
        tape.inputs.clear();
        tape.outputs.clear();
        (tape.step, tape.depth) = (None, 0);
    }

    /// Returns true if an element may exceed the closed range of a machine: the result of any operation but a sum may.
    fn is_lazy(&self, x: &Elem) -> bool {
        let tape = self.tape();
        let before = tape.trace.ops.partition_point(|op| op.value <= x.0.0);
        let op = before.checked_sub(1).map(|i| tape.trace.ops[i]).filter(|op| x.0.0 < op.value + op.results);
        !x.0.is_constant() && op.is_some_and(|op| op.code != Code::Sum)
    }

    fn mask_input(&self) -> Mask {
        let mut tape = self.tape();
        let value = tape.trace.input(Kind::Mask);
        tape.inputs.push(Input::Mask { value: value.0 });
        Mask(value)
    }

    /// Begins a step.
    fn begin(&self, name: &'static str) {
        let mut tape = self.tape();
        if tape.depth == 0 {
            tape.step = Some((name, tape.trace.ops.len() as u32));
        }
        tape.depth += 1;
    }

    /// Ends the step that began last.
    fn end(&self) {
        let mut tape = self.tape();
        tape.depth -= 1;
        if tape.depth == 0
            && let Some((name, from)) = tape.step.take()
        {
            let to = tape.trace.ops.len() as u32;
            tape.trace.named.push(Named { name, from, to });
        }
    }

    fn tape(&self) -> MutexGuard<'_, Tape> {
        locked(&self.tape)
    }

    fn push(&self, code: Code, operands: impl IntoIterator<Item = Term>) -> Ref {
        self.tape().push(code, operands)
    }

    fn elem(&self, code: Code, operands: impl IntoIterator<Item = Term>) -> Elem {
        Elem(self.push(code, operands))
    }

    /// Records an operation with two results, and returns both.
    fn two(&self, code: Code, operands: impl IntoIterator<Item = Term>) -> [Ref; 2] {
        let first = self.push(code, operands);
        [first, Ref(first.0 + 1)]
    }

    fn elem_of(&self, residue: &BigUint) -> Elem {
        Elem(self.tape().constants.elem(residue))
    }
}

/// A guard for a recording: it ends the recording when the work ends or panics.
struct Recording<'r>(&'r Recorder);

impl Drop for Recording<'_> {
    fn drop(&mut self) {
        self.0.tape().recording = false;
    }
}

fn one(x: &Elem) -> Term {
    Term { coeff: 1, value: x.0 }
}

/// The terms of a form, without those whose coefficient is 0.
fn elems(terms: &[FieldTerm<'_, Elem>]) -> impl Iterator<Item = Term> {
    terms.iter().filter(|t| t.coeff != 0).map(|t| Term { coeff: t.coeff, value: t.value.0 })
}

fn wides(terms: &[FieldTerm<'_, Wide>]) -> impl Iterator<Item = Term> {
    terms.iter().filter(|t| t.coeff != 0).map(|t| Term { coeff: t.coeff, value: t.value.0 })
}

fn pair(a: &[Elem; 2]) -> [Term; 2] {
    a.each_ref().map(one)
}

impl Field for Recorder {
    type Elem = Elem;
    type Wide = Wide;
    type Mask = Mask;

    fn zero(&self) -> Elem {
        self.elem_of(&BigUint::ZERO)
    }

    fn one(&self) -> Elem {
        self.elem_of(&1u32.into())
    }

    fn mul_wide(&self, out: &mut Wide, a: &Elem, b: &Elem) {
        *out = Wide(self.push(Code::MulWide, [one(a), one(b)]));
    }

    fn sqr_wide(&self, out: &mut Wide, a: &Elem) {
        *out = Wide(self.push(Code::SqrWide, [one(a)]));
    }

    fn lin(&self, out: &mut Wide, terms: &[FieldTerm<'_, Wide>]) {
        *out = Wide(self.push(Code::Lin, wides(terms)));
    }

    fn reduce(&self, out: &mut Elem, terms: &[FieldTerm<'_, Wide>]) {
        *out = self.elem(Code::Reduce, wides(terms));
    }

    fn add(&self, out: &mut Elem, a: &Elem, b: &Elem) {
        *out = self.elem(Code::Add, [one(a), one(b)]);
    }

    fn sub(&self, out: &mut Elem, a: &Elem, b: &Elem) {
        *out = self.elem(Code::Sub, [one(a), one(b)]);
    }

    fn sum(&self, out: &mut Elem, terms: &[FieldTerm<'_, Elem>]) {
        *out = self.elem(Code::Sum, elems(terms));
    }

    fn inv(&self, out: &mut Elem, a: &Elem) {
        *out = self.elem(Code::Invert, [one(a)]);
    }

    fn mul(&self, out: &mut Elem, a: &Elem, b: &Elem) {
        *out = self.elem(Code::Mul, [one(a), one(b)]);
    }

    fn sqr(&self, out: &mut Elem, a: &Elem) {
        *out = self.elem(Code::Sqr, [one(a)]);
    }

    fn mul_sum(&self, out: &mut Elem, a: &Elem, b: &Elem, terms: &[FieldTerm<'_, Elem>]) {
        let mut terms = elems(terms).peekable();
        let code = if terms.peek().is_none() { Code::Mul } else { Code::MulSum };
        *out = self.elem(code, [one(a), one(b)].into_iter().chain(terms));
    }

    fn sqr_sum(&self, out: &mut Elem, a: &Elem, terms: &[FieldTerm<'_, Elem>]) {
        let mut terms = elems(terms).peekable();
        let code = if terms.peek().is_none() { Code::Sqr } else { Code::SqrSum };
        *out = self.elem(code, [one(a)].into_iter().chain(terms));
    }

    fn three_and_two(&self, out: &mut Elem, p: &Elem, x: &Elem, subtract: bool) {
        let code = if subtract { Code::ThreeMinusTwo } else { Code::ThreePlusTwo };
        *out = self.elem(code, [one(p), one(x)]);
    }

    fn complex_mul(&self, out: &mut [Elem; 2], a: &[Elem; 2], b: &[Elem; 2]) {
        let ([a0, a1], [b0, b1]) = (pair(a), pair(b));
        *out = self.two(Code::ComplexMul, [a0, a1, b0, b1]).map(Elem);
    }

    fn complex_sqr(&self, out: &mut [Elem; 2], a: &[Elem; 2]) {
        *out = self.two(Code::ComplexSqr, pair(a)).map(Elem);
    }

    fn complex_mul_wide(&self, out: &mut [Wide; 2], a: &[Elem; 2], b: &[Elem; 2]) {
        let ([a0, a1], [b0, b1]) = (pair(a), pair(b));
        *out = self.two(Code::ComplexMulWide, [a0, a1, b0, b1]).map(Wide);
    }

    fn complex_sqr_wide(&self, out: &mut [Wide; 2], a: &[Elem; 2]) {
        *out = self.two(Code::ComplexSqrWide, pair(a)).map(Wide);
    }

    fn select(&self, out: &mut Elem, mask: Mask, a: &Elem, b: &Elem) {
        let truth = self.tape().truth(mask);
        *out = match truth {
            Some(true) => *a,
            Some(false) => *b,
            None => self.elem(Code::Select, [Term { coeff: 1, value: mask.0 }, one(a), one(b)]),
        };
    }

    fn is_zero(&self, a: &Elem) -> Mask {
        Mask(self.push(Code::IsZero, [one(a)]))
    }

    fn mask(&self, value: bool) -> Mask {
        Mask(self.tape().constants.mask(value))
    }

    /// Adds an input among the masks while a program is recorded, because a program does not know values that differ
    /// between lanes. Otherwise returns the first value.
    fn mask_from(&self, values: &[bool]) -> Mask {
        if self.tape().recording { self.mask_input() } else { self.mask(values.first().copied().unwrap_or(false)) }
    }

    fn and(&self, a: Mask, b: Mask) -> Mask {
        let truths = {
            let tape = self.tape();
            [tape.truth(a), tape.truth(b)]
        };
        match truths {
            [Some(true), _] => b,
            [_, Some(true)] => a,
            [Some(false), _] | [_, Some(false)] => self.mask(false),
            _ => Mask(self.push(Code::And, [a, b].map(|m| Term { coeff: 1, value: m.0 }))),
        }
    }

    fn not(&self, a: Mask) -> Mask {
        Mask(self.push(Code::Not, [Term { coeff: 1, value: a.0 }]))
    }

    /// Records a named step. Of nested steps only the outermost counts.
    fn routine<T>(&self, name: &'static str, step: impl FnOnce() -> T) -> T {
        self.begin(name);
        let result = step();
        self.end();
        result
    }

    fn quotients(&self, out: &mut [Elem], c: &Elem, xs: &[Elem]) -> Mask {
        assert_eq!(out.len(), xs.len(), "one place for each quotient is needed");
        if xs.is_empty() {
            return self.mask(false);
        }
        let first = self.push(Code::Quotients, [one(c)].into_iter().chain(xs.iter().map(one)));
        for (out, i) in out.iter_mut().zip(0..) {
            *out = Elem(Ref(first.0 + i));
        }
        Mask(Ref(first.0 + xs.len() as u32))
    }

    fn inv_many(&self, xs: &mut [Elem]) {
        if xs.is_empty() {
            return;
        }
        let first = self.push(Code::Invert, xs.iter().map(one));
        for (x, i) in xs.iter_mut().zip(0..) {
            *x = Elem(Ref(first.0 + i));
        }
    }
}

impl Prime for Recorder {
    type Uniform = Elem;

    fn modulus(&self) -> &BigUint {
        &self.p
    }

    fn constant(&self, x: &BigUint) -> Elem {
        self.elem_of(&(x % self.modulus()))
    }

    fn is_odd(&self, a: &Elem) -> Mask {
        Mask(self.push(Code::IsOdd, [one(a)]))
    }

    fn uniform(&self, a: &Elem) -> Elem {
        // closed right where it is made, so that the step that makes it ends with the closed value
        let mut kept = *a;
        if self.is_lazy(a) {
            self.sum(&mut kept, &[plus(a)]);
        }
        kept
    }

    fn broadcast(&self, out: &mut Elem, a: &Elem) {
        *out = *a;
    }
}

/// Loads and stores values, which the recorder knows only of constants.
///
/// # Panics
/// Panics if a value depends on an input.
impl Lanes for Recorder {
    const LANES: usize = 1;

    fn load(&self, out: &mut Elem, values: &[&[u64]]) {
        let [words] = values else { panic!("{} values for one lane", values.len()) };
        *out = self.constant(&words.iter().rev().fold(BigUint::ZERO, |x, word| (x << 64u32) + *word));
    }

    fn store(&self, words: &mut [u64], a: &Elem, _: usize) {
        assert!(a.0.is_constant(), "{KNOWN}");
        let residue = self.tape().constants.residue(a.0.number());
        words.fill(0);
        words.iter_mut().zip(residue.iter_u64_digits()).for_each(|(word, digit)| *word = digit);
    }

    fn lane(&self, mask: Mask, _: usize) -> bool {
        assert!(mask.0.is_constant(), "{KNOWN}");
        self.tape().constants.truth(mask.0.number())
    }
}
