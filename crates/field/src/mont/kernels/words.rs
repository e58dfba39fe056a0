//! The kernels of few words of tight moduli, written by the build script (`build/mont`), and safe functions over them.
//!
//! A [`Words`] exists only where the processor has BMI2 and ADX, and every call goes through one, or through the
//! [`Kernel`](crate::kernel::Kernel)s that it hands out.
#![allow(unsafe_code)]

use super::{GUARD, Isa, Modulus};
#[cfg(not(windows))]
use crate::code::Code;
#[cfg(not(windows))]
use crate::kernel::{Arguments, Function, Kernel};
use crate::mont::values::{Place, Terms};
use crate::term::Item;
use arrayvec::ArrayVec;

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
    /// The kernels of products and squares in F_p(i) with forms, by their coefficients; `true` is for squares.
    complex_lin: fn(bool, &[i32]) -> Option<Form>,
    /// The kernels of operations with forms, here and below, by their coefficients.
    reduce: fn(&[i32]) -> Form,
    reduce_three_plus: fn(&[i32]) -> FormAndElement,
    reduce_three_minus: fn(&[i32]) -> FormAndElement,
    mul_sum: fn(&[i32]) -> Sum,
    sqr_sum: fn(&[i32]) -> Sum,
    sum: fn(&[i32]) -> Form,
    lin: fn(&[i32]) -> Form,
}

include!(concat!(env!("OUT_DIR"), "/mont.rs"));

/// Returns true if there are kernels of `words` words.
pub(in crate::mont) fn exist(words: usize) -> bool {
    kernels(words).is_some()
}

/// Returns the kernel for the coefficients of a form.
#[inline(always)]
fn with_coefficients<K>(terms: Terms, kernel: fn(&[i32]) -> K) -> K {
    // forms of at most 8 terms have kernels of their own
    let coefficients: ArrayVec<i32, 9> = terms.iter().take(9).map(|(c, _)| c).collect();
    kernel(&coefficients)
}

/// The kernels of a number of words.
#[derive(Clone, Copy)]
pub(in crate::mont) struct Words {
    kernels: Kernels,
    n: usize,
    /// Whether 4p < 2^(64n), so that the kernels of F_p(i) can be used.
    lazy: bool,
}

impl Words {
    /// Creates the kernels for p. Returns `None` if there are no kernels for as many words as p has, if p is too
    /// close to 2^(64n) for the guard, or if the processor lacks the instructions. `lazy` says whether 4p < 2^(64n).
    pub(in crate::mont) fn new(isa: Isa, p: &[u64], lazy: bool) -> Option<Self> {
        let n = p.len();
        // a row of a reduction adds less than 2^64·p to a form's low half, which has the guard and the terms' carries
        // above it
        if isa == Isa::Portable || p.last()?.checked_add(2 * GUARD).is_none() {
            return None;
        }
        Some(Words { kernels: kernels(n)?, n, lazy })
    }

    #[inline(always)]
    fn call<'t>(&self, kernel: Operands, mut out: impl Place<'t>, [a, b]: [&[u64]; 2], m: &Modulus) -> &'t mut [u64] {
        assert!([a.len(), b.len(), m.p().len()] == [self.n; 3]);
        // SAFETY: the kernel reads n words of a and b, and the modulus, and writes n words; its instructions exist, see `new`
        unsafe {
            kernel(out.places(self.n), a.as_ptr(), b.as_ptr(), m.words());
            out.written(self.n)
        }
    }

    #[inline(always)]
    fn form(&self, kernel: Form, out: &mut [u64], terms: Terms, m: &Modulus) {
        assert_eq!(m.p().len(), self.n);
        let range = terms.range();
        // SAFETY: the kernel reads as many words of each term as the caller has checked, writes as many of out, and reads the modulus
        unsafe { kernel(out.as_mut_ptr(), range.start, range.end.offset_from_unsigned(range.start), m.words()) }
    }

    /// a + b modulo p.
    #[inline(always)]
    pub(in crate::mont) fn add<'t>(&self, out: impl Place<'t>, a: &[u64], b: &[u64], m: &Modulus) -> &'t mut [u64] {
        self.call(self.kernels.add, out, [a, b], m)
    }

    /// a − b modulo p.
    #[inline(always)]
    pub(in crate::mont) fn sub<'t>(&self, out: impl Place<'t>, a: &[u64], b: &[u64], m: &Modulus) -> &'t mut [u64] {
        self.call(self.kernels.sub, out, [a, b], m)
    }

    /// a·b/R modulo p, canonical, of residues below p.
    #[inline(always)]
    pub(in crate::mont) fn mul(&self, out: &mut [u64], a: &[u64], b: &[u64], m: &Modulus) {
        self.call(self.kernels.mul, out, [a, b], m);
    }

    /// a²/R modulo p, canonical, of a residue below p.
    #[inline(always)]
    pub(in crate::mont) fn sqr(&self, out: &mut [u64], a: &[u64], m: &Modulus) {
        self.call(self.kernels.sqr, out, [a, a], m);
    }

    /// Σ c·w/R modulo p, canonical.
    #[inline(always)]
    pub(in crate::mont) fn reduce(&self, out: &mut [u64], terms: Terms, m: &Modulus) {
        assert!(out.len() == self.n && terms.words() > 2 * self.n);
        self.form(with_coefficients(terms, self.kernels.reduce), out, terms, m);
    }

    /// Σ c·w, unreduced.
    #[inline(always)]
    pub(in crate::mont) fn lin(&self, out: &mut [u64], terms: Terms, m: &Modulus) {
        assert!(out.len() > 2 * self.n && terms.words() > 2 * self.n);
        self.form(with_coefficients(terms, self.kernels.lin), out, terms, m);
    }

    /// Σ c·x modulo p, canonical.
    #[inline(always)]
    pub(in crate::mont) fn sum(&self, out: &mut [u64], terms: Terms, m: &Modulus) {
        assert!(out.len() == self.n && terms.words() == self.n);
        self.form(with_coefficients(terms, self.kernels.sum), out, terms, m);
    }

    /// 3·Σ c·w/R ± 2x modulo p, canonical.
    #[inline(always)]
    pub(in crate::mont) fn reduce_three(&self, out: &mut [u64], terms: Terms, x: &[u64], subtract: bool, m: &Modulus) {
        assert!([out.len(), x.len(), m.p().len()] == [self.n; 3] && terms.words() > 2 * self.n);
        let kernels = if subtract { self.kernels.reduce_three_minus } else { self.kernels.reduce_three_plus };
        let (kernel, range) = (with_coefficients(terms, kernels), terms.range());
        // SAFETY: as in `form`, and n words of x
        unsafe {
            let count = range.end.offset_from_unsigned(range.start);
            kernel(out.as_mut_ptr(), range.start, count, m.words(), x.as_ptr());
        }
    }

    /// Returns the kernel of an operation with a form of these coefficients, if there is one.
    #[cfg(not(windows))]
    pub(in crate::mont) fn kernel<F>(&self, code: Code, coefficients: &[i32], m: &Modulus) -> Option<Kernel<F>> {
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
        let stride = 8 * self.n;
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
