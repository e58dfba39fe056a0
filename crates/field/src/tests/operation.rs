//! The operations of the contract that the fuzz test of the range rules applies to extreme operands: on elements, and
//! on unreduced values that are made of them.

use super::{Rng, TURN};
use crate::bounds::{Bounds, Range, Rules};
use crate::contract::{Field, Prime};
use crate::term::{Term, minus, plus, times};
use num_bigint::BigUint;
use std::sync::Arc;

/// The construction of an unreduced value from four elements.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    Product,
    Square,
    /// The difference of two products.
    Difference,
    /// A coefficient of a product in F_p(i).
    ComplexMul(usize),
    ComplexSqr(usize),
    /// A coefficient of a product of sums in F_p(i).
    SumsMul(usize),
    SumSqr(usize),
    /// A coefficient of a product of sums plus a form; the second number selects the form in `FORMS`.
    SumsMulLin(usize, usize),
    SumSqrLin(usize, usize),
}

/// The coefficients of the forms for both halves of a product in F_p(i): forms that have kernels, and others.
const FORMS: [[&[i32]; 2]; 7] = [
    [&[-1, -1], &[-1, -1]],
    [&[1, -1, -1], &[1, -1, -1]],
    [&[1, -1, -1, -1], &[1, 1, -1, -1]],
    [&[-1, -1, -1, 2], &[1, -1, -1, 2]],
    [&[-1, -1, -1, 9], &[1, -1, -1, 9]],
    [&[1, -2], &[-1, 1]],
    [&[], &[]],
];

impl Source {
    fn draw(rng: &mut Rng) -> Self {
        let part = rng.below(2) as usize;
        let form = rng.below(FORMS.len() as u64) as usize;
        match rng.below(12) {
            0 | 1 => Source::Product,
            2 => Source::Square,
            3 => Source::Difference,
            4 => Source::ComplexMul(part),
            5 => Source::SumsMul(part),
            6 => Source::SumSqr(part),
            7 | 8 => Source::SumsMulLin(part, form),
            9 | 10 => Source::SumSqrLin(part, form),
            _ => Source::ComplexSqr(part),
        }
    }

    fn make<F: Field>(self, f: &F, x: &[F::Elem], out: &mut F::Wide) {
        let pair = |i: usize| [x[i].clone(), x[i + 1].clone()];
        let mut both: [F::Wide; 2] = Default::default();
        match self {
            Source::Product => f.mul_wide(out, &x[0], &x[1]),
            Source::Square => f.sqr_wide(out, &x[0]),
            Source::Difference => {
                let [first, second] = &mut both;
                f.mul_wide(first, &x[0], &x[1]);
                f.mul_wide(second, &x[2], &x[3]);
                f.lin(out, &[plus(&*first), minus(&*second)]);
            }
            Source::ComplexMul(part) => {
                f.complex_mul_wide(&mut both, &pair(0), &pair(2));
                out.clone_from(&both[part]);
            }
            Source::SumsMul(part) => {
                let crossed = |i: usize| [x[i].clone(), x[3 - i].clone()];
                f.complex_sums_mul_wide(&mut both, [&pair(0), &pair(2), &crossed(0), &crossed(2)]);
                out.clone_from(&both[part]);
            }
            Source::SumsMulLin(part, form) | Source::SumSqrLin(part, form) => {
                let values: Vec<F::Wide> = (0..8)
                    .map(|i| {
                        let mut w = F::Wide::default();
                        f.mul_wide(&mut w, &x[i % 4], &x[(i + i / 4) % 4]);
                        w
                    })
                    .collect();
                let terms: Vec<_> = FORMS[form].concat().into_iter().zip(&values).map(|(c, w)| times(c, w)).collect();
                let (first, second) = terms.split_at(FORMS[form][0].len());
                let crossed = |i: usize| [x[i].clone(), x[3 - i].clone()];
                match self {
                    Source::SumsMulLin(..) => {
                        let operands = [&pair(0), &pair(2), &crossed(0), &crossed(2)];
                        f.complex_sums_mul_lin(&mut both, operands, [first, second]);
                    }
                    _ => f.complex_sum_sqr_lin(&mut both, [&pair(0), &pair(2)], [first, second]),
                }
                out.clone_from(&both[part]);
            }
            Source::SumSqr(part) => {
                f.complex_sum_sqr_wide(&mut both, [&pair(0), &pair(2)]);
                out.clone_from(&both[part]);
            }
            Source::ComplexSqr(part) => {
                f.complex_sqr_wide(&mut both, &pair(0));
                out.clone_from(&both[part]);
            }
        }
    }
}

/// Returns the sign with which each element enters a form of such values.
fn of_sources(form: &[(i32, Source)]) -> impl Iterator<Item = i32> + '_ {
    form.iter().flat_map(|(c, source)| match source {
        Source::Product | Source::Square => [*c; 4],
        Source::Difference => [*c, *c, -c, -c],
        Source::ComplexMul(_) | Source::ComplexSqr(_) => [*c, -c, *c, -c],
        // half of the elements are in both parts
        Source::SumsMul(_) | Source::SumSqr(_) | Source::SumsMulLin(..) | Source::SumSqrLin(..) => [*c, *c, *c, -c],
    })
}

/// An operation of the contract, with its random parameters.
#[derive(Clone, Debug)]
pub(crate) enum Operation {
    Mul,
    Sqr,
    Add,
    Sub,
    Neg,
    ThreeAndTwo(bool),
    Sum(Vec<i32>),
    MulSum(Vec<i32>),
    SqrSum(Vec<i32>),
    ComplexMul,
    ComplexSqr,
    /// A form that is reduced immediately.
    Reduce(Vec<(i32, Source)>),
    /// Three times a form and ±2x, reduced at once.
    ReduceThree(Vec<(i32, Source)>, bool),
    /// A form near 0 that is reduced immediately.
    ReduceNear(Vec<(i32, Source)>),
    ReduceThreeNear(Vec<(i32, Source)>, bool),
    /// A form that is kept unreduced before it is reduced.
    Lin(Vec<(i32, Source)>),
    /// An inversion, modulo a number that need not be prime: only the range of the result is checked.
    Inv,
    /// A constant x mod p.
    Constant(BigUint),
}

impl Operation {
    /// Returns the k-th operation of a turn modulo p.
    pub(super) fn draw(rng: &mut Rng, k: usize, p: &BigUint) -> Self {
        let sign = rng.below(2) == 0;
        let form =
            |rng: &mut Rng| (0..1 + rng.below(4)).map(|_| (rng.coefficient(), Source::draw(rng))).collect::<Vec<_>>();
        match k % TURN {
            0 => Operation::Mul,
            1 => Operation::Sqr,
            2 => Operation::Add,
            3 => Operation::Sub,
            4 => Operation::Neg,
            5 => Operation::ThreeAndTwo(sign),
            6 => Operation::Sum(vec![1, if sign { 1 } else { -1 }]),
            7..10 => Operation::Sum(rng.coefficients()),
            10 => Operation::MulSum(rng.coefficients()),
            11 => Operation::SqrSum(rng.coefficients()),
            12 => Operation::ComplexMul,
            13 => Operation::ComplexSqr,
            14 => Operation::Reduce(vec![(1, Source::draw(rng))]),
            15..18 => Operation::Reduce(form(rng)),
            18 | 19 => Operation::ReduceThree(form(rng), sign),
            20 | 21 => Operation::ReduceNear(form(rng)),
            22 | 23 => Operation::ReduceThreeNear(form(rng), sign),
            24 => Operation::Inv,
            25 => Operation::Constant(if sign { p - 1u32 } else { rng.up_to(&(p - 1u32)) }),
            _ => Operation::Lin(form(rng)),
        }
    }

    /// Returns the sign of each operand.
    pub(super) fn signs(&self) -> Vec<i32> {
        let and = |first: &[i32], rest: &[i32]| [first, rest].concat();
        match self {
            Operation::Mul | Operation::Add => vec![1, 1],
            Operation::Sqr | Operation::Inv => vec![1],
            Operation::Constant(_) => vec![],
            Operation::Sub => vec![1, -1],
            Operation::Neg => vec![-1],
            Operation::ThreeAndTwo(subtract) => vec![1, if *subtract { -1 } else { 1 }],
            Operation::Sum(coefficients) => coefficients.clone(),
            Operation::MulSum(coefficients) => and(&[1, 1], coefficients),
            Operation::SqrSum(coefficients) => and(&[1], coefficients),
            Operation::ComplexMul | Operation::ComplexSqr => vec![1, -1, 1, -1],
            Operation::Reduce(form) | Operation::ReduceNear(form) | Operation::Lin(form) => of_sources(form).collect(),
            Operation::ReduceThree(form, subtract) | Operation::ReduceThreeNear(form, subtract) => {
                of_sources(form).chain([if *subtract { -1 } else { 1 }]).collect()
            }
        }
    }

    /// Runs the operation on the operands x: returns the elements, and the unreduced values on the way.
    pub(super) fn run<F: Prime>(&self, f: &F, x: &[F::Elem]) -> (Vec<F::Elem>, Vec<F::Wide>) {
        let (mut out, mut wides) = (F::Elem::default(), vec![]);
        let list = |coefficients: &[i32], from: usize| -> Vec<Term<'_, F::Elem>> {
            coefficients.iter().zip(&x[from..]).map(|(c, x)| times(*c, x)).collect()
        };
        match self {
            Operation::Mul => f.mul(&mut out, &x[0], &x[1]),
            Operation::Sqr => f.sqr(&mut out, &x[0]),
            Operation::Add => f.add(&mut out, &x[0], &x[1]),
            Operation::Sub => f.sub(&mut out, &x[0], &x[1]),
            Operation::Neg => f.neg(&mut out, &x[0]),
            Operation::Inv => f.inv(&mut out, &x[0]),
            Operation::Constant(x) => out = f.constant(x),
            Operation::ThreeAndTwo(subtract) => f.three_and_two(&mut out, &x[0], &x[1], *subtract),
            Operation::Sum(coefficients) => f.sum(&mut out, &list(coefficients, 0)),
            Operation::MulSum(coefficients) => f.mul_sum(&mut out, &x[0], &x[1], &list(coefficients, 2)),
            Operation::SqrSum(coefficients) => f.sqr_sum(&mut out, &x[0], &list(coefficients, 1)),
            Operation::ComplexMul | Operation::ComplexSqr => {
                let (a, b) = ([x[0].clone(), x[1].clone()], [x[2].clone(), x[3].clone()]);
                let mut both: [F::Elem; 2] = Default::default();
                match self {
                    Operation::ComplexMul => f.complex_mul(&mut both, &a, &b),
                    _ => f.complex_sqr(&mut both, &a),
                }
                return (both.into(), wides);
            }
            Operation::Reduce(form)
            | Operation::ReduceThree(form, _)
            | Operation::ReduceNear(form)
            | Operation::ReduceThreeNear(form, _)
            | Operation::Lin(form) => {
                wides = vec![F::Wide::default(); form.len()];
                for (i, (place, (_, source))) in wides.iter_mut().zip(form).enumerate() {
                    source.make(f, &x[4 * i..4 * i + 4], place);
                }
                let terms: Vec<_> = form.iter().zip(&wides).map(|((c, _), w)| times(*c, w)).collect();
                match self {
                    Operation::Reduce(_) => f.reduce(&mut out, &terms),
                    Operation::ReduceNear(_) => f.reduce_near(&mut out, &terms),
                    Operation::ReduceThreeNear(_, subtract) => {
                        f.reduce_three_and_two_near(&mut out, &terms, &x[4 * form.len()], *subtract);
                    }
                    Operation::ReduceThree(_, subtract) => {
                        f.reduce_three_and_two(&mut out, &terms, &x[4 * form.len()], *subtract);
                    }
                    _ => {
                        let mut kept = F::Wide::default();
                        f.lin(&mut kept, &terms);
                        f.reduce(&mut out, &[plus(&kept)]);
                        wides.push(kept);
                    }
                }
            }
        }
        (vec![out], wides)
    }

    /// Returns the ranges that the rules claim for operands of these ranges; `None` if the rules forbid them.
    pub(super) fn claim(
        &self,
        p: &BigUint,
        rules: &Arc<dyn Rules>,
        operands: &[Range],
    ) -> Option<(Vec<Range>, Vec<Range>)> {
        let bounds = Bounds::new(p, rules.clone());
        let claim = self.run(&bounds, operands);
        bounds.report().violations.is_empty().then_some(claim)
    }
}
