//! The kernels of few words of tight moduli, written by the build script (`build/mont`), and safe functions over them.
//!
//! A [`Words`] exists only where the processor has BMI2 and ADX, and every call goes through one, or through the
//! [`Kernel`](crate::kernel::Kernel)s that it hands out.
#![allow(unsafe_code)]

use super::{BIAS, Isa, Modulus};
#[cfg(not(windows))]
use crate::code::Code;
#[cfg(not(windows))]
use crate::kernel::{Arguments, Function, Kernel};
use crate::mont::{Residue, Sum as Wide};
use crate::term::{Term, plus};
use arrayvec::ArrayVec;

/// A term as the kernels read it: a coefficient and, at byte 8, the address of words.
type Item = Term<'static, ()>;

type Operands = unsafe extern "sysv64" fn(*mut u64, *const u64, *const u64, *const u64);
type Form = unsafe extern "sysv64" fn(*mut u64, *const Item, usize, *const u64);
type FormAndElement = unsafe extern "sysv64" fn(*mut u64, *const Item, usize, *const u64, *const u64);

type Sum = unsafe extern "sysv64" fn(*mut u64, *const u64, *const u64, *const u64, *const Item, usize);

/// The kernels for one number of words.
#[derive(Clone, Copy)]
struct Kernels {
    add: Operands,
    sub: Operands,
    mul: Operands,
    sqr: Operands,
    mul_wide: Operands,
    sqr_wide: Operands,
    complex_mul: Operands,
    complex_sqr: Operands,
    complex_mul_wide: Operands,
    complex_sqr_wide: Operands,
    complex_sums_mul_wide: Form,
    complex_sum_sqr_wide: Form,
    /// Of products and squares in F_p(i) with forms, by their coefficients; `true` for squares.
    complex_lin: fn(bool, &[i32]) -> Option<Form>,
    /// Of forms, by their coefficients.
    reduce: fn(&[i32]) -> Form,
    reduce_three_plus: fn(&[i32]) -> FormAndElement,
    reduce_three_minus: fn(&[i32]) -> FormAndElement,
    mul_sum: fn(&[i32]) -> Sum,
    sqr_sum: fn(&[i32]) -> Sum,
    sum: fn(&[i32]) -> Form,
    lin: fn(&[i32]) -> Form,
}

include!(concat!(env!("OUT_DIR"), "/mont.rs"));

/// The most words that have kernels.
pub(in crate::mont) const MOST_FEW: usize = 8;

/// Whether so many words have kernels.
pub(in crate::mont) fn exist(words: usize) -> bool {
    kernels(words).is_some()
}

/// The kernel for the coefficients of a form.
#[inline(always)]
fn with_coefficients<T, K>(terms: &[Term<T>], kernel: fn(&[i32]) -> K) -> K {
    // forms of at most 8 terms have kernels of their own
    let coefficients: ArrayVec<i32, 9> = terms.iter().take(9).map(|t| t.coeff).collect();
    kernel(&coefficients)
}

/// The kernels of N words.
#[derive(Clone, Copy)]
pub(in crate::mont) struct Words<const N: usize> {
    kernels: Kernels,
    /// Whether 4p < 2^(64N), so that the kernels of F_p(i) serve.
    lazy: bool,
}

impl<const N: usize> Words<N> {
    /// `None` without kernels for so many words, or without the instructions; `lazy`: whether 4p < 2^(64N).
    pub(in crate::mont) fn new(isa: Isa, p: &[u64; N], lazy: bool) -> Option<Self> {
        // a row of a reduction adds less than 2^64·p to a form's low half, which has the bias and what the terms carry above it
        if isa == Isa::Portable || p[N - 1].checked_add(2 * BIAS).is_none() {
            return None;
        }
        Some(Words { kernels: kernels(N)?, lazy })
    }

    /// Whether 4p < 2^(64N), so that the kernels of F_p(i) serve.
    #[inline(always)]
    pub(in crate::mont) fn lazy(&self) -> bool {
        self.lazy
    }

    #[inline(always)]
    fn call(kernel: Operands, out: &mut [u64; N], a: &[u64; N], b: &[u64; N], m: &Modulus<N>) {
        // SAFETY: the kernel reads N words of a and b, and the modulus, and writes N words of out; its instructions exist, see `new`
        unsafe { kernel(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), m.words()) }
    }

    /// a + b modulo p.
    #[inline(always)]
    pub(in crate::mont) fn add(&self, out: &mut [u64; N], a: &[u64; N], b: &[u64; N], m: &Modulus<N>) {
        Self::call(self.kernels.add, out, a, b, m);
    }

    /// a − b modulo p.
    #[inline(always)]
    pub(in crate::mont) fn sub(&self, out: &mut [u64; N], a: &[u64; N], b: &[u64; N], m: &Modulus<N>) {
        Self::call(self.kernels.sub, out, a, b, m);
    }

    /// a·b/R modulo p, canonical, of residues below p.
    #[inline(always)]
    pub(in crate::mont) fn mul(&self, out: &mut [u64; N], a: &[u64; N], b: &[u64; N], m: &Modulus<N>) {
        Self::call(self.kernels.mul, out, a, b, m);
    }

    /// a²/R modulo p, canonical, of a residue below p.
    #[inline(always)]
    pub(in crate::mont) fn sqr(&self, out: &mut [u64; N], a: &[u64; N], m: &Modulus<N>) {
        Self::call(self.kernels.sqr, out, a, a, m);
    }

    /// Σ c·w/R modulo p, canonical.
    #[inline(always)]
    pub(in crate::mont) fn reduce(&self, out: &mut Residue<N>, terms: &[Term<Wide<N>>], m: &Modulus<N>) {
        let kernel = with_coefficients(terms, self.kernels.reduce);
        // SAFETY: a term is an i32 and, at byte 8, the address of a sum, of 2N + 1 words; the kernel writes N words of out
        unsafe { kernel(out.0.as_mut_ptr(), terms.as_ptr().cast(), terms.len(), m.words()) }
    }

    /// a·b in F_p(i), canonical, where 4p < 2^(64N), as all products in F_p(i).
    #[inline(always)]
    pub(in crate::mont) fn complex_mul(
        &self,
        out: &mut [Residue<N>; 2],
        a: &[Residue<N>; 2],
        b: &[Residue<N>; 2],
        m: &Modulus<N>,
    ) {
        debug_assert!(self.lazy);
        let (a, b) = (a.as_ptr().cast(), b.as_ptr().cast());
        // SAFETY: the kernel reads 2N words of a and b and writes 2N words of out
        unsafe { (self.kernels.complex_mul)(out.as_mut_ptr().cast(), a, b, m.words()) }
    }

    /// a² in F_p(i), canonical.
    #[inline(always)]
    pub(in crate::mont) fn complex_sqr(&self, out: &mut [Residue<N>; 2], a: &[Residue<N>; 2], m: &Modulus<N>) {
        debug_assert!(self.lazy);
        let a = a.as_ptr().cast();
        // SAFETY: as above; a square ignores b
        unsafe { (self.kernels.complex_sqr)(out.as_mut_ptr().cast(), a, a, m.words()) }
    }

    /// a·b in F_p(i), unreduced.
    #[inline(always)]
    pub(in crate::mont) fn complex_mul_wide(
        &self,
        out: &mut [Wide<N>; 2],
        a: &[Residue<N>; 2],
        b: &[Residue<N>; 2],
        m: &Modulus<N>,
    ) {
        debug_assert!(self.lazy);
        let (a, b) = (a.as_ptr().cast(), b.as_ptr().cast());
        // SAFETY: the kernel reads 2N words of a and b and writes two sums, of 2N + 1 words each
        unsafe { (self.kernels.complex_mul_wide)(out.as_mut_ptr().cast(), a, b, m.words()) }
    }

    /// a² in F_p(i), unreduced.
    #[inline(always)]
    pub(in crate::mont) fn complex_sqr_wide(&self, out: &mut [Wide<N>; 2], a: &[Residue<N>; 2], m: &Modulus<N>) {
        debug_assert!(self.lazy);
        let a = a.as_ptr().cast();
        // SAFETY: as above; a square ignores b
        unsafe { (self.kernels.complex_sqr_wide)(out.as_mut_ptr().cast(), a, a, m.words()) }
    }

    /// The product (a + c)(b + d) or the square (a + c)² in F_p(i), unreduced.
    #[inline(always)]
    pub(in crate::mont) fn complex_of_sums<const K: usize>(
        &self,
        out: &mut [Wide<N>; 2],
        operands: [&[Residue<N>; 2]; K],
        m: &Modulus<N>,
    ) {
        let kernel = if K == 4 { self.kernels.complex_sums_mul_wide } else { self.kernels.complex_sum_sqr_wide };
        debug_assert!(self.lazy);
        let halves = operands.map(|x| x.each_ref().map(plus));
        // SAFETY: as above, of four or two operands, whose halves lie side by side
        unsafe { kernel(out.as_mut_ptr().cast(), halves.as_ptr().cast(), 0, m.words()) }
    }

    /// Σ c·w, unreduced.
    #[inline(always)]
    pub(in crate::mont) fn lin(&self, out: &mut Wide<N>, terms: &[Term<Wide<N>>], m: &Modulus<N>) {
        let kernel = with_coefficients(terms, self.kernels.lin);
        // SAFETY: as above, with 2N + 1 words of out
        unsafe { kernel((&raw mut *out).cast(), terms.as_ptr().cast(), terms.len(), m.words()) }
    }

    /// Σ c·x modulo p, canonical.
    #[inline(always)]
    pub(in crate::mont) fn sum(&self, out: &mut Residue<N>, terms: &[Term<Residue<N>>], m: &Modulus<N>) {
        let kernel = with_coefficients(terms, self.kernels.sum);
        // SAFETY: as above, with N words of each term
        unsafe { kernel(out.0.as_mut_ptr(), terms.as_ptr().cast(), terms.len(), m.words()) }
    }

    /// 3·Σ c·w/R ± 2x modulo p, canonical.
    #[inline(always)]
    pub(in crate::mont) fn reduce_three(
        &self,
        out: &mut Residue<N>,
        terms: &[Term<Wide<N>>],
        x: &Residue<N>,
        subtract: bool,
        m: &Modulus<N>,
    ) {
        let kernels = if subtract { self.kernels.reduce_three_minus } else { self.kernels.reduce_three_plus };
        let kernel = with_coefficients(terms, kernels);
        // SAFETY: as above, and N words of x
        unsafe { kernel(out.0.as_mut_ptr(), terms.as_ptr().cast(), terms.len(), m.words(), x.0.as_ptr()) }
    }

    /// The kernel of an operation with a form of these coefficients, if it has one.
    #[cfg(not(windows))]
    pub(in crate::mont) fn kernel(&self, code: Code, coefficients: &[i32], m: &Modulus<N>) -> Option<Kernel> {
        let kernels = &self.kernels;
        macro_rules! address {
            ($kernel:expr => $type:ty) => {
                // SAFETY: "C-unwind" is "sysv64" here, and no kernel unwinds; a kernel reads no more registers than it has parameters
                unsafe { std::mem::transmute::<$type, Function>($kernel) }
            };
        }
        let form = |kernel: Form| (address!(kernel => Form), Arguments::Form);
        let operands = |kernel: Operands| (address!(kernel => Operands), Arguments::Operands);
        let sum = |kernel: Sum| (address!(kernel => Sum), Arguments::Operands);
        let beside = |kernel: FormAndElement| (address!(kernel => FormAndElement), Arguments::FormAndElement);
        let stride = size_of::<Residue<N>>();
        let complex = |kernel: Operands| (address!(kernel => Operands), Arguments::Complex(stride));
        let pairs = |kernel: Form| (address!(kernel => Form), Arguments::Pairs(stride));
        let (function, arguments) = match code {
            Code::Add => operands(kernels.add),
            Code::Sub => operands(kernels.sub),
            Code::Mul => operands(kernels.mul),
            Code::Sqr => operands(kernels.sqr),
            Code::MulWide => operands(kernels.mul_wide),
            Code::SqrWide => operands(kernels.sqr_wide),
            Code::Lin => form((kernels.lin)(coefficients)),
            Code::Reduce => form((kernels.reduce)(coefficients)),
            Code::MulSum => sum((kernels.mul_sum)(coefficients)),
            Code::SqrSum => sum((kernels.sqr_sum)(coefficients)),
            // elements are canonical
            Code::Sum if coefficients == [1, 1] => operands(kernels.add),
            Code::Sum if coefficients == [1, -1] => operands(kernels.sub),
            Code::Sum => form((kernels.sum)(coefficients)),
            Code::ReduceThreePlusTwo => beside((kernels.reduce_three_plus)(coefficients)),
            Code::ReduceThreeMinusTwo => beside((kernels.reduce_three_minus)(coefficients)),
            Code::ComplexMul if self.lazy => complex(kernels.complex_mul),
            Code::ComplexSqr if self.lazy => complex(kernels.complex_sqr),
            Code::ComplexMulWide if self.lazy => complex(kernels.complex_mul_wide),
            Code::ComplexSqrWide if self.lazy => complex(kernels.complex_sqr_wide),
            Code::ComplexSumsMulWide if self.lazy => pairs(kernels.complex_sums_mul_wide),
            Code::ComplexSumSqrWide if self.lazy => pairs(kernels.complex_sum_sqr_wide),
            Code::ComplexSumsMulLin if self.lazy => pairs((kernels.complex_lin)(false, &coefficients[8..])?),
            Code::ComplexSumSqrLin if self.lazy => pairs((kernels.complex_lin)(true, &coefficients[4..])?),
            _ => return None,
        };
        Some(Kernel::new(function, m.words().cast(), arguments))
    }
}

#[cfg(test)]
mod tests;
