//! The functions of operations for which the engine has no single kernel: the engine's methods, called by address.
#![allow(unsafe_code)]

use super::link::Linear;
use bilinear_field::{Code, Function, Lanes, Term};

/// The operands and the result of an operation, by address.
///
/// Sound for operations that were linked for the current call (see the head of `execute`): the addresses are places
/// of the kinds that the operation takes, operands hold values, and no result overlaps one.
struct Places {
    out: *mut (),
    a: *const (),
    b: *const (),
    /// The terms of a form; the mask of a selection.
    terms: *const (),
    len: usize,
}

impl Places {
    #[inline(always)]
    fn a<T>(&self) -> &T {
        // SAFETY: see above
        unsafe { &*self.a.cast() }
    }

    #[inline(always)]
    fn b<T>(&self) -> &T {
        // SAFETY: see above
        unsafe { &*self.b.cast() }
    }

    #[inline(always)]
    fn mask<T>(&self) -> &T {
        // SAFETY: see above
        unsafe { &*self.terms.cast() }
    }

    #[inline(always)]
    #[allow(clippy::mut_from_ref)]
    fn out<T>(&self) -> &mut T {
        // SAFETY: see above
        unsafe { &mut *self.out.cast() }
    }

    #[inline(always)]
    fn form<T>(&self) -> &[Term<'_, T>] {
        // SAFETY: see above; a `Linear` has the layout of a term
        unsafe { std::slice::from_raw_parts(self.terms.cast(), self.len) }
    }

    /// The terms from number `from` on, in two halves.
    #[inline(always)]
    fn forms<T>(&self, from: usize) -> [&[Term<'_, T>]; 2] {
        // SAFETY: see above
        let terms = unsafe { std::slice::from_raw_parts(self.terms.cast::<Term<'_, T>>().add(from), self.len - from) };
        let (first, second) = terms.split_at(terms.len() / 2);
        [first, second]
    }

    /// The value that term i of a list points to.
    #[inline(always)]
    fn listed<T>(&self, i: usize) -> &T {
        // SAFETY: see above
        unsafe { &*(*self.terms.cast::<Linear>().add(i)).value.cast() }
    }
}

/// Returns the function of an operation over a field. The context is the address of the field.
pub(super) fn function<F: Lanes>(code: Code) -> Function {
    macro_rules! over {
        (|$f:ident, $op:ident| $body:expr) => {{
            unsafe extern "C-unwind" fn call<F: Lanes>(
                out: *mut (),
                a: *const (),
                b: *const (),
                f: *const (),
                terms: *const (),
                len: usize,
            ) {
                // SAFETY: the context is the field
                let $f: &F = unsafe { &*f.cast() };
                let $op = Places { out, a, b, terms, len };
                $body
            }
            call::<F>
        }};
    }
    match code {
        Code::Mul => over!(|f, op| f.mul(op.out(), op.a(), op.b())),
        Code::Sqr => over!(|f, op| f.sqr(op.out(), op.a())),
        Code::MulSum => over!(|f, op| f.mul_sum(op.out(), op.a(), op.b(), op.form())),
        Code::SqrSum => over!(|f, op| f.sqr_sum(op.out(), op.a(), op.form())),
        Code::MulWide => over!(|f, op| f.mul_wide(op.out(), op.a(), op.b())),
        Code::SqrWide => over!(|f, op| f.sqr_wide(op.out(), op.a())),
        Code::Lin => over!(|f, op| f.lin(op.out(), op.form())),
        Code::Reduce => over!(|f, op| f.reduce(op.out(), op.form())),
        Code::ReduceNear => over!(|f, op| f.reduce_near(op.out(), op.form())),
        Code::Add => over!(|f, op| f.add(op.out(), op.a(), op.b())),
        Code::Sub => over!(|f, op| f.sub(op.out(), op.a(), op.b())),
        Code::Sum => over!(|f, op| f.sum(op.out(), op.form())),
        Code::ThreePlusTwo => over!(|f, op| f.three_and_two(op.out(), op.a(), op.b(), false)),
        Code::ThreeMinusTwo => over!(|f, op| f.three_and_two(op.out(), op.a(), op.b(), true)),
        Code::ComplexMul => over!(|f, op| f.complex_mul(op.out(), op.a(), op.b())),
        Code::ComplexSqr => over!(|f, op| f.complex_sqr(op.out(), op.a())),
        Code::ComplexMulWide => over!(|f, op| f.complex_mul_wide(op.out(), op.a(), op.b())),
        Code::ComplexSqrWide => over!(|f, op| f.complex_sqr_wide(op.out(), op.a())),
        Code::ReduceThreePlusTwo => over!(|f, op| f.reduce_three_and_two(op.out(), op.form(), op.a(), false)),
        Code::ReduceThreeMinusTwo => over!(|f, op| f.reduce_three_and_two(op.out(), op.form(), op.a(), true)),
        Code::ReduceThreePlusTwoNear => {
            over!(|f, op| f.reduce_three_and_two_near(op.out(), op.form(), op.a(), false))
        }
        Code::ReduceThreeMinusTwoNear => over!(|f, op| f.reduce_three_and_two_near(op.out(), op.form(), op.a(), true)),
        Code::ComplexSumsMulWide => over!(|f, op| {
            f.complex_sums_mul_wide(op.out(), [op.listed(0), op.listed(2), op.listed(4), op.listed(6)]);
        }),
        Code::ComplexSumSqrWide => over!(|f, op| f.complex_sum_sqr_wide(op.out(), [op.listed(0), op.listed(2)])),
        Code::ComplexSumsMulLin => over!(|f, op| {
            let operands = [op.listed(0), op.listed(2), op.listed(4), op.listed(6)];
            f.complex_sums_mul_lin(op.out(), operands, op.forms(8));
        }),
        Code::ComplexSumSqrLin => over!(|f, op| {
            f.complex_sum_sqr_lin(op.out(), [op.listed(0), op.listed(2)], op.forms(4));
        }),
        Code::Select => over!(|f, op| f.select(op.out(), *op.mask(), op.a(), op.b())),
        Code::IsZero => over!(|f, op| *op.out::<F::Mask>() = f.is_zero(op.a())),
        Code::IsOdd => over!(|f, op| *op.out::<F::Mask>() = f.is_odd(op.a())),
        Code::And => over!(|f, op| *op.out::<F::Mask>() = f.and(*op.a(), *op.b())),
        Code::Not => over!(|f, op| *op.out::<F::Mask>() = f.not(*op.a())),
        Code::Copy => over!(|_f, op| op.out::<F::Elem>().clone_from(op.a())),
        Code::Invert => over!(|f, op| f.inv(op.out(), op.a())),
        Code::Quotients => unreachable!("vectors meet in the plan"),
    }
}
