//! The addresses of kernels, through which programs call them directly.
#![allow(unsafe_code)]

use super::{Binary, Complex, FormAndElement, List, Machine, Modular, Rows, Sum, Unary};
use crate::code::Code;
use crate::kernel::{Arguments, Function, Kernel};
use crate::rows;
use crate::term::Term;

impl Machine {
    /// Returns the kernel of an operation with a form of these terms, if there is one. `tight` is as in
    /// [`reduce`](Self::reduce). The form must have no large coefficient, see [`forms`](crate::ifma::forms). An
    /// element of F_p(i) is two elements of F_p, `stride` bytes apart.
    pub(in crate::ifma) fn kernel<F>(
        &self,
        code: Code,
        terms: &[Term<'_, ()>],
        tight: bool,
        stride: usize,
    ) -> Option<Kernel<F>> {
        let kernels = &self.kernels;
        macro_rules! address {
            ($kernel:expr => $type:ty) => {
                // SAFETY: "C-unwind" is "sysv64" here, and no kernel unwinds; a kernel reads no more registers than it has parameters
                unsafe { std::mem::transmute::<$type, Function>($kernel) }
            };
        }
        use Arguments::{Form, Operands};
        let (function, arguments) = match code {
            Code::Mul | Code::MulSum => (address!(kernels.mul => Sum), Operands),
            Code::Sqr | Code::SqrSum => (address!(kernels.sqr => Sum), Operands),
            Code::MulWide => (address!(kernels.mul_wide => Binary), Operands),
            Code::SqrWide => (address!(kernels.sqr_wide => Unary), Operands),
            Code::Add => (address!(kernels.add => Modular), Operands),
            Code::Sub => (address!(if tight { kernels.difference } else { kernels.sub } => Modular), Operands),
            Code::ThreePlusTwo => (address!(kernels.three_and_two => Modular), Operands),
            Code::ThreeMinusTwo => (address!(kernels.three_less_two => Modular), Operands),
            Code::Sum => match terms {
                [Term { coeff: 1, .. }, Term { coeff: 1, .. }] => (address!(kernels.sum_of_two => Modular), Operands),
                [Term { coeff: 1, .. }, Term { coeff: -1, .. }] => (address!(kernels.difference => Modular), Operands),
                _ => (address!(kernels.sum => List), Form),
            },
            Code::Lin => (address!(self.form(terms) => List), Form),
            Code::Reduce | Code::ReduceNear => {
                (address!(if tight { kernels.reduce_tight } else { kernels.reduce } => List), Form)
            }
            Code::ComplexMulWide | Code::ComplexSqrWide | Code::ComplexMul | Code::ComplexSqr => {
                let unreduced = matches!(code, Code::ComplexMulWide | Code::ComplexSqrWide);
                let [mul, sqr] = if unreduced { kernels.complex_wide } else { kernels.complex }?;
                let is_product = matches!(code, Code::ComplexMulWide | Code::ComplexMul);
                let kernel = if is_product { mul } else { sqr };
                (address!(kernel => Complex), Arguments::Complex(stride))
            }
            Code::ComplexSumsMulWide | Code::ComplexSumSqrWide => {
                let [mul, sqr] = kernels.complex_sums?;
                let kernel = if code == Code::ComplexSumsMulWide { mul } else { sqr };
                (address!(kernel => List), Arguments::Pairs(stride))
            }
            Code::ComplexSumsMulLin | Code::ComplexSumSqrLin => {
                let coefficients: Vec<i32> = terms[2 * code.pairs()..].iter().map(|t| t.coeff).collect();
                let kernel = self.lin_kernel(code == Code::ComplexSumSqrLin, &coefficients)?;
                (address!(kernel => List), Arguments::Pairs(stride))
            }
            Code::ReduceThreePlusTwo | Code::ReduceThreePlusTwoNear => {
                (address!(self.three_kernels(tight)?[0] => FormAndElement), Arguments::FormAndElement)
            }
            Code::ReduceThreeMinusTwo | Code::ReduceThreeMinusTwoNear => {
                (address!(self.three_kernels(tight)?[1] => FormAndElement), Arguments::FormAndElement)
            }
            _ => return None,
        };
        Some(Kernel::new(function, self.modulus().cast(), arguments))
    }

    /// Calls a kernel on rows for `count` sums.
    ///
    /// # Panics
    /// Panics if the list is incomplete or leads outside of `rows`, or if there are no kernels on rows for these
    /// limbs.
    #[cfg(test)]
    pub(in crate::ifma) fn call_on_rows(
        &self,
        kernel: rows::Kernel,
        rows: &mut [rows::Row],
        list: &[u16],
        count: usize,
    ) {
        let wide = (2 * self.limbs).div_ceil(rows::LANES);
        assert!(kernel.is_sound(list, count, rows.len(), wide), "a list of {kernel:?}");
        let Some((functions, context)) = self.rows() else { panic!("{} limbs have no kernels on rows", self.limbs) };
        // SAFETY: the list leads to these rows, and the context is this machine's
        unsafe { functions[kernel.number()](rows.as_mut_ptr(), list.as_ptr(), count, context) };
    }

    /// Returns the kernels on rows, if there are any, and the constants that they take.
    pub(in crate::ifma) fn rows(&self) -> Option<([rows::Function; rows::KERNELS], *const ())> {
        let kernels = self.kernels.rows?;
        // SAFETY: "C-unwind" is "sysv64" here, no kernel unwinds, and a `Row` is laid out as a vector
        let functions = kernels.map(|kernel| unsafe { std::mem::transmute::<Rows, rows::Function>(kernel) });
        Some((functions, self.modulus().cast()))
    }
}
