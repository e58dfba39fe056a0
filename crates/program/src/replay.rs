//! The meaning of each operation: a program executed over any field, value by value. Replay is slow, and it is the
//! specification of every machine.

use crate::op::Ref;
use crate::program::{Call, Program, Routine, Step};
use bilinear_field::{Blank, Field, Prime, Term};
use bilinear_field::{Code, Kind};

/// A value during a replay.
#[derive(Clone, Debug)]
pub enum Value<F: Field> {
    /// An element.
    Elem(F::Elem),
    /// An unreduced sum of products.
    Wide(F::Wide),
    /// A truth value.
    Mask(F::Mask),
}

impl<F: Field> Value<F> {
    /// The kind of the value.
    pub fn kind(&self) -> Kind {
        match self {
            Value::Elem(_) => Kind::Elem,
            Value::Wide(_) => Kind::Wide,
            Value::Mask(_) => Kind::Mask,
        }
    }

    /// The element.
    ///
    /// # Panics
    /// Panics if the value is not an element. A verified program reads every value as what it is.
    pub fn elem(&self) -> &F::Elem {
        if let Value::Elem(x) = self { x } else { panic!("an element is read") }
    }

    /// The unreduced value.
    ///
    /// # Panics
    /// Panics if the value is not an unreduced one.
    pub fn wide(&self) -> &F::Wide {
        if let Value::Wide(w) = self { w } else { panic!("an unreduced value is read") }
    }

    /// The truth value.
    ///
    /// # Panics
    /// Panics if the value is not a truth value.
    pub fn mask(&self) -> F::Mask {
        if let Value::Mask(m) = self { *m } else { panic!("a truth value is read") }
    }
}

/// Returns the results of one operation on operands c·x.
///
/// # Panics
/// Panics if the number or the kinds of the operands do not suit the operation.
pub(crate) fn apply<F: Prime>(f: &F, code: Code, operands: &[(i32, &Value<F>)]) -> Vec<Value<F>> {
    let e = |i: usize| operands[i].1.elem();
    let mut out = F::Elem::blank();
    let mut wide = F::Wide::blank();
    let elems = |from: usize| -> Vec<Term<'_, F::Elem>> {
        operands[from..].iter().map(|(coeff, x)| Term { coeff: *coeff, value: x.elem() }).collect()
    };
    let wides = |from: usize| -> Vec<Term<'_, F::Wide>> {
        operands[from..].iter().map(|(coeff, x)| Term { coeff: *coeff, value: x.wide() }).collect()
    };
    let pair = |i: usize| [e(i).clone(), e(i + 1).clone()];
    match code {
        Code::Mul => f.mul(&mut out, e(0), e(1)),
        Code::Sqr => f.sqr(&mut out, e(0)),
        Code::MulSum => f.mul_sum(&mut out, e(0), e(1), &elems(2)),
        Code::SqrSum => f.sqr_sum(&mut out, e(0), &elems(1)),
        Code::Reduce => f.reduce(&mut out, &wides(0)),
        Code::ReduceNear => f.reduce_near(&mut out, &wides(0)),
        Code::Add => f.add(&mut out, e(0), e(1)),
        Code::Sub => f.sub(&mut out, e(0), e(1)),
        Code::Sum => f.sum(&mut out, &elems(0)),
        Code::ThreePlusTwo => f.three_and_two(&mut out, e(0), e(1), false),
        Code::ThreeMinusTwo => f.three_and_two(&mut out, e(0), e(1), true),
        Code::ReduceThreePlusTwo => f.reduce_three_and_two(&mut out, &wides(1), e(0), false),
        Code::ReduceThreeMinusTwo => f.reduce_three_and_two(&mut out, &wides(1), e(0), true),
        Code::ReduceThreePlusTwoNear => f.reduce_three_and_two_near(&mut out, &wides(1), e(0), false),
        Code::ReduceThreeMinusTwoNear => f.reduce_three_and_two_near(&mut out, &wides(1), e(0), true),
        Code::Select => f.select(&mut out, operands[0].1.mask(), e(1), e(2)),
        Code::Copy => out.clone_from(e(0)),
        Code::MulWide => {
            f.mul_wide(&mut wide, e(0), e(1));
            return vec![Value::Wide(wide)];
        }
        Code::SqrWide => {
            f.sqr_wide(&mut wide, e(0));
            return vec![Value::Wide(wide)];
        }
        Code::Lin => {
            f.lin(&mut wide, &wides(0));
            return vec![Value::Wide(wide)];
        }
        Code::ComplexMul | Code::ComplexSqr => {
            let mut out: [F::Elem; 2] = Blank::blank();
            match code {
                Code::ComplexMul => f.complex_mul(&mut out, &pair(0), &pair(2)),
                _ => f.complex_sqr(&mut out, &pair(0)),
            }
            return out.map(Value::Elem).into();
        }
        Code::ComplexMulWide
        | Code::ComplexSqrWide
        | Code::ComplexSumsMulWide
        | Code::ComplexSumSqrWide
        | Code::ComplexSumsMulLin
        | Code::ComplexSumSqrLin => {
            let mut out: [F::Wide; 2] = Blank::blank();
            // the codes without a form have no terms
            let terms = wides(2 * code.pairs());
            let (first, second) = terms.split_at(terms.len() / 2);
            match code {
                Code::ComplexMulWide => f.complex_mul_wide(&mut out, &pair(0), &pair(2)),
                Code::ComplexSumsMulWide => {
                    f.complex_sums_mul_wide(&mut out, [&pair(0), &pair(2), &pair(4), &pair(6)]);
                }
                Code::ComplexSumSqrWide => f.complex_sum_sqr_wide(&mut out, [&pair(0), &pair(2)]),
                Code::ComplexSumsMulLin => {
                    f.complex_sums_mul_lin(&mut out, [&pair(0), &pair(2), &pair(4), &pair(6)], [first, second]);
                }
                Code::ComplexSumSqrLin => f.complex_sum_sqr_lin(&mut out, [&pair(0), &pair(2)], [first, second]),
                _ => f.complex_sqr_wide(&mut out, &pair(0)),
            }
            return out.map(Value::Wide).into();
        }
        Code::IsZero => return vec![Value::Mask(f.is_zero(e(0)))],
        Code::IsOdd => return vec![Value::Mask(f.is_odd(e(0)))],
        Code::And => return vec![Value::Mask(f.and(operands[0].1.mask(), operands[1].1.mask()))],
        Code::Not => return vec![Value::Mask(f.not(operands[0].1.mask()))],
        Code::Invert => {
            let mut xs: Vec<F::Elem> = (0..operands.len()).map(|i| e(i).clone()).collect();
            f.inv_many(&mut xs);
            return xs.into_iter().map(Value::Elem).collect();
        }
        Code::Quotients => {
            let xs: Vec<F::Elem> = (1..operands.len()).map(|i| e(i).clone()).collect();
            let mut out = vec![F::Elem::default(); xs.len()];
            let zero = f.quotients(&mut out, e(0), &xs);
            return out.into_iter().map(Value::Elem).chain([Value::Mask(zero)]).collect();
        }
    }
    vec![Value::Elem(out)]
}

impl Routine {
    /// Computes the routine on these parameters, and returns what callers may take, in the order of the routine's results.
    pub(crate) fn evaluate<F: Prime>(&self, f: &F, constants: &[Value<F>], params: &[Value<F>]) -> Vec<Value<F>> {
        self.evaluate_as(f, constants, params, |_, code, _| code)
    }

    /// Like [`Routine::evaluate`], but with the operations that `choose` returns. `choose` takes the number of an
    /// operation in the routine, its code and its operands c·x.
    pub(crate) fn evaluate_as<F: Prime>(
        &self,
        f: &F,
        constants: &[Value<F>],
        params: &[Value<F>],
        mut choose: impl FnMut(usize, Code, &[(i32, &Value<F>)]) -> Code,
    ) -> Vec<Value<F>> {
        let mut values = params.to_vec();
        for (i, op) in self.ops.iter().enumerate() {
            let operands: Vec<(i32, &Value<F>)> =
                self.operands(op).iter().map(|t| (t.coeff, read(&values, constants, t.value))).collect();
            let results = apply(f, choose(i, op.code, &operands), &operands);
            values.extend(results);
        }
        self.results.iter().map(|local| values[*local as usize].clone()).collect()
    }
}

fn read<'v, F: Field>(values: &'v [Value<F>], constants: &'v [Value<F>], x: Ref) -> &'v Value<F> {
    if x.is_constant() { &constants[x.number()] } else { &values[x.number()] }
}

impl Program {
    /// Returns the program's constants as elements of a field.
    pub fn constants_over<F: Prime>(&self, f: &F) -> Vec<F::Elem> {
        self.constants().iter().map(|c| f.constant(c)).collect()
    }

    /// Executes the program over a field of p elements, and returns the outputs in order.
    ///
    /// # Panics
    /// Panics if the inputs do not suit the program in number or kind, or if the field has another modulus.
    pub fn replay<F: Prime>(&self, f: &F, inputs: &[Value<F>]) -> Vec<Value<F>> {
        assert_eq!(f.modulus(), self.modulus(), "the program is over another field");
        assert_eq!(inputs.len(), self.inputs().len(), "one value for each input is needed");
        let constants: Vec<Value<F>> = self.constants_over(f).into_iter().map(Value::Elem).collect();
        self.walk(f, &constants, inputs, |routine, params| self.routines()[routine].evaluate(f, &constants, params))
    }

    /// Walks the plan from the values of the inputs to those of the outputs. `call` takes the number of a routine and
    /// its parameters, and returns its results.
    ///
    /// # Panics
    /// Panics if an input is of another kind.
    pub(crate) fn walk<F: Prime>(
        &self,
        f: &F,
        constants: &[Value<F>],
        inputs: &[Value<F>],
        mut call: impl FnMut(usize, &[Value<F>]) -> Vec<Value<F>>,
    ) -> Vec<Value<F>> {
        let mut values: Vec<Option<Value<F>>> = vec![None; self.kinds().len()];
        for (input, value) in self.inputs().iter().zip(inputs) {
            let place = input.value() as usize;
            assert_eq!(value.kind(), self.kinds()[place], "the input is of another kind");
            values[place] = Some(value.clone());
        }
        let get = |values: &[Option<Value<F>>], x: Ref| -> Value<F> {
            let found = if x.is_constant() { Some(&constants[x.number()]) } else { values[x.number()].as_ref() };
            found.cloned().unwrap_or_else(|| unreachable!("a verified program defines what it reads"))
        };
        for step in self.plan() {
            match step {
                Step::Call(Call { routine, args, results }) => {
                    let params: Vec<Value<F>> = args.iter().map(|x| get(&values, Ref::value(*x as usize))).collect();
                    for (place, value) in results.iter().zip(call(*routine as usize, &params)) {
                        if let Some(place) = place {
                            values[*place as usize] = Some(value);
                        }
                    }
                }
                Step::Shared { code, args, results } => {
                    let args: Vec<Value<F>> = args.iter().map(|x| get(&values, *x)).collect();
                    let operands: Vec<(i32, &Value<F>)> = args.iter().map(|x| (1, x)).collect();
                    for (place, value) in results.iter().zip(apply(f, *code, &operands)) {
                        values[*place as usize] = Some(value);
                    }
                }
            }
        }
        self.outputs().iter().map(|output| get(&values, output.value())).collect()
    }
}
