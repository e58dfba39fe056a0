//! Arithmetic on constants: operations that a recording computes at once, since they depend on no input.
//!
//! Every constant but a truth value is a residue; an unreduced one is the residue that its reduction gives. The field computes
//! only products and sums of two closed elements, which are in range for every modulus. So set-up needs no proof.

use crate::op::{Ref, Term};
use bilinear_field::reference::Reference;
use bilinear_field::{Code, Kind};
use bilinear_field::{Engine, EngineError, Job, Lanes, ModulusError, at, dispatch, minus, plus};
use num_bigint::BigUint;
use std::collections::HashMap;

/// The constants of a recorder, by number. Equal constants share a number, so that a recorder that records again and
/// again does not collect more of them.
pub(crate) trait Constants: Send {
    /// Returns the constant with this residue as an element.
    fn elem(&mut self, residue: &BigUint) -> Ref;
    /// Returns the constant with this truth value.
    fn mask(&mut self, truth: bool) -> Ref;
    /// Computes an operation on constants. Its results are numbered one after the other; returns the first.
    fn fold(&mut self, code: Code, operands: &[Term]) -> Ref;
    /// The kind of a constant.
    fn kind(&self, number: usize) -> Kind;
    /// The residue of an element or of an unreduced value.
    fn residue(&self, number: usize) -> BigUint;
    /// The truth value of a mask.
    fn truth(&self, number: usize) -> bool;
}

/// Creates an empty set of constants over the field of p elements.
///
/// # Errors
/// Returns an error if p is even or below 3.
pub(crate) fn constants(p: &BigUint) -> Result<Box<dyn Constants>, ModulusError> {
    match dispatch(Engine::Mont, p, Make) {
        Ok(constants) => Ok(constants),
        Err(EngineError::Modulus(ModulusError::TooLarge { .. })) => Ok(Make.run(Reference::new(p)?)),
        Err(EngineError::Modulus(reason)) => Err(reason),
        Err(reason) => unreachable!("words are on every processor: {reason}"),
    }
}

struct Make;

impl Job for Make {
    type Output = Box<dyn Constants>;
    const ENGINES: &'static [Engine] = &[Engine::Mont];
    /// Only a few numbers of words, since set-up is short.
    const WORDS: &'static [usize] = &[4, 8, 17, 33, 65];

    fn run<F: Lanes + 'static>(self, field: F) -> Self::Output {
        Box::new(Over { field, values: vec![], known: HashMap::new() })
    }
}

/// A constant over a field.
#[derive(Clone)]
enum Constant<E> {
    Elem(E),
    Wide(E),
    Mask(bool),
}

/// Constants over a field.
struct Over<F: Lanes> {
    field: F,
    values: Vec<Constant<F::Elem>>,
    known: Known,
}

/// The first result of each operation, by the kinds and residues of all its results.
type Known = HashMap<Vec<(Kind, BigUint)>, Ref>;

/// Returns where these results stand: at `here`, if they are new.
fn known(all: &mut Known, results: Vec<(Kind, BigUint)>, here: usize) -> Ref {
    *all.entry(results).or_insert(Ref::constant(here))
}

impl<F: Lanes> Over<F> {
    /// The residue of an operand, without its coefficient.
    fn at(&self, t: &Term) -> &F::Elem {
        match &self.values[t.value.number()] {
            Constant::Elem(x) | Constant::Wide(x) => x,
            Constant::Mask(_) => panic!("a residue is read"),
        }
    }

    fn mul(&self, a: &F::Elem, b: &F::Elem) -> F::Elem {
        at!(self.field; mul(a, b))
    }

    fn sqr(&self, a: &F::Elem) -> F::Elem {
        at!(self.field; sqr(a))
    }

    fn add(&self, a: &F::Elem, b: &F::Elem) -> F::Elem {
        at!(self.field; sum(&[plus(a), plus(b)]))
    }

    fn sub(&self, a: &F::Elem, b: &F::Elem) -> F::Elem {
        at!(self.field; sum(&[plus(a), minus(b)]))
    }

    /// c·x, by doublings and additions.
    fn times(&self, c: i32, x: &F::Elem) -> F::Elem {
        let c = (c.is_negative(), c.unsigned_abs());
        let multiple = match c.1 {
            0 => self.field.zero(),
            n => (0..n.ilog2()).rev().fold(x.clone(), |sum, i| {
                let double = self.add(&sum, &sum);
                if n >> i & 1 == 1 { self.add(&double, x) } else { double }
            }),
        };
        if c.0 { self.sub(&self.field.zero(), &multiple) } else { multiple }
    }

    /// x + Σ c·y.
    fn form(&self, x: F::Elem, terms: &[Term]) -> F::Elem {
        terms.iter().fold(x, |sum, t| self.add(&sum, &self.times(t.coeff, self.at(t))))
    }

    /// (a0 + a1·i)(b0 + b1·i).
    fn complex_mul(&self, [a0, a1]: [&F::Elem; 2], [b0, b1]: [&F::Elem; 2]) -> [F::Elem; 2] {
        let (low, high) = (self.mul(a0, b0), self.mul(a1, b1));
        let both = self.mul(&self.add(a0, a1), &self.add(b0, b1));
        [
            self.sub(&low, &high),                   // a0·b0 − a1·b1
            self.sub(&both, &self.add(&low, &high)), // a0·b1 + a1·b0
        ]
    }

    /// (a0 + a1·i)².
    fn complex_sqr(&self, [a0, a1]: [&F::Elem; 2]) -> [F::Elem; 2] {
        let half = self.mul(a0, a1);
        [
            self.mul(&self.add(a0, a1), &self.sub(a0, a1)), // a0² − a1²
            self.add(&half, &half),                         // 2·a0·a1
        ]
    }

    /// Returns 1/x, or 0 if x is 0.
    fn inverse(&self, x: &F::Elem) -> F::Elem {
        at!(self.field; inv(x))
    }

    /// Adds c/x for each x, all 0 if one of them is 0, and the truth value of whether one is.
    fn push_quotients(&mut self, c: &Term, xs: &[Term]) {
        let is_zero = |x: &Term| self.field.lane(self.field.is_zero(self.at(x)), 0);
        let undefined = xs.iter().any(is_zero);
        let c = if undefined { self.field.zero() } else { self.at(c).clone() };
        for x in xs {
            let quotient = self.mul(&c, &self.inverse(self.at(x)));
            self.values.push(Constant::Elem(quotient));
        }
        self.push_mask(undefined);
    }

    /// Adds the two coefficients of a product or square in F_p(i).
    fn push_two(&mut self, coefficients: [F::Elem; 2], kind: fn(F::Elem) -> Constant<F::Elem>) {
        let [re, im] = coefficients;
        self.values.push(kind(re));
        self.values.push(kind(im));
    }

    fn push_results(&mut self, code: Code, operands: &[Term]) {
        let at = |i: usize| self.at(&operands[i]);
        let truth = |i: usize| self.truth(operands[i].value.number());
        let three_and = |two: i32| self.add(&self.times(3, at(0)), &self.times(two, at(1)));
        let x = match code {
            Code::Mul | Code::MulWide => self.mul(at(0), at(1)),
            Code::Sqr | Code::SqrWide => self.sqr(at(0)),
            Code::MulSum => self.form(self.mul(at(0), at(1)), &operands[2..]),
            Code::SqrSum => self.form(self.sqr(at(0)), &operands[1..]),
            Code::Lin | Code::Reduce | Code::Sum => self.form(self.field.zero(), operands),
            Code::Add => self.add(at(0), at(1)),
            Code::Sub => self.sub(at(0), at(1)),
            Code::ThreePlusTwo => three_and(2),
            Code::ThreeMinusTwo => three_and(-2),
            Code::Select => (if truth(0) { at(1) } else { at(2) }).clone(),
            Code::Copy => at(0).clone(),
            Code::ComplexMul => {
                return self.push_two(self.complex_mul([at(0), at(1)], [at(2), at(3)]), Constant::Elem);
            }
            Code::ComplexSqr => return self.push_two(self.complex_sqr([at(0), at(1)]), Constant::Elem),
            Code::ComplexMulWide => {
                return self.push_two(self.complex_mul([at(0), at(1)], [at(2), at(3)]), Constant::Wide);
            }
            Code::ComplexSqrWide => return self.push_two(self.complex_sqr([at(0), at(1)]), Constant::Wide),
            Code::ReduceNear
            | Code::ReduceThreePlusTwo
            | Code::ReduceThreeMinusTwo
            | Code::ReduceThreePlusTwoNear
            | Code::ReduceThreeMinusTwoNear
            | Code::ComplexSumsMulWide
            | Code::ComplexSumSqrWide
            | Code::ComplexSumsMulLin
            | Code::ComplexSumSqrLin => unreachable!("made by passes, of what is not constant"),
            Code::IsZero => return self.push_mask(self.field.lane(self.field.is_zero(at(0)), 0)),
            Code::IsOdd => return self.push_mask(self.field.lane(self.field.is_odd(at(0)), 0)),
            Code::And => return self.push_mask(truth(0) && truth(1)),
            Code::Not => return self.push_mask(!truth(0)),
            Code::Invert => {
                for t in operands {
                    let inverse = self.inverse(self.at(t));
                    self.values.push(Constant::Elem(inverse));
                }
                return;
            }
            Code::Quotients => return self.push_quotients(&operands[0], &operands[1..]),
        };
        let is_wide = code.results(operands.len())[0] == Kind::Wide;
        self.values.push(if is_wide { Constant::Wide(x) } else { Constant::Elem(x) });
    }

    fn push_mask(&mut self, truth: bool) {
        self.values.push(Constant::Mask(truth));
    }

    /// Returns the first of the constants from this number on. If equal ones were there before, they are returned and
    /// the new ones are removed.
    fn known(&mut self, first: usize) -> Ref {
        let is = |number: usize| match self.kind(number) {
            Kind::Mask => (Kind::Mask, u32::from(self.truth(number)).into()),
            kind => (kind, self.residue(number)),
        };
        let results = (first..self.values.len()).map(is).collect();
        let known = known(&mut self.known, results, first);
        if known.number() < first {
            self.values.truncate(first);
        }
        known
    }
}

impl<F: Lanes> Constants for Over<F> {
    fn elem(&mut self, residue: &BigUint) -> Ref {
        let first = self.values.len();
        self.values.push(Constant::Elem(self.field.constant(residue)));
        self.known(first)
    }

    fn mask(&mut self, truth: bool) -> Ref {
        let first = self.values.len();
        self.push_mask(truth);
        self.known(first)
    }

    fn fold(&mut self, code: Code, operands: &[Term]) -> Ref {
        let first = self.values.len();
        self.push_results(code, operands);
        self.known(first)
    }

    fn kind(&self, number: usize) -> Kind {
        match self.values[number] {
            Constant::Elem(_) => Kind::Elem,
            Constant::Wide(_) => Kind::Wide,
            Constant::Mask(_) => Kind::Mask,
        }
    }

    fn residue(&self, number: usize) -> BigUint {
        self.field.value(self.at(&Term { coeff: 1, value: Ref::constant(number) }), 0)
    }

    fn truth(&self, number: usize) -> bool {
        let Constant::Mask(truth) = self.values[number] else { panic!("a truth value is read") };
        truth
    }
}
