//! The code that uses vectors: the generated kernels, and safe functions over them. An [`Ifma`](super::Ifma) exists only where the
//! processor has AVX-512 F and IFMA, and BMI1, and every call goes through one.
#![allow(unsafe_code)]

use super::forms::heavy;
use super::places::{Columns, Residues, Vector};
use super::rules::LaneRules;
use crate::rows::KERNELS;
use crate::term::{self, Item, Term, plus};

#[cfg(not(windows))]
mod address;
mod inline;

type Binary = unsafe extern "sysv64" fn(*mut Vector, *const Vector, *const Vector);
type Unary = unsafe extern "sysv64" fn(*mut Vector, *const Vector);
type Modular = unsafe extern "sysv64" fn(*mut Vector, *const Vector, *const Vector, *const Vector);
type Sum = unsafe extern "sysv64" fn(*mut Vector, *const Vector, *const Vector, *const Vector, *const Item, usize);
type List = unsafe extern "sysv64" fn(*mut Vector, *const Item, usize, *const Vector);
type FormAndElement = unsafe extern "sysv64" fn(*mut Vector, *const Item, usize, *const Vector, *const Vector);
type LinTable = fn(bool, &[i32]) -> Option<List>;
type Rows = unsafe extern "sysv64" fn(*mut Vector, *const u16, usize, *const Vector);
type Complex = unsafe extern "sysv64" fn(*mut Vector, *const Vector, *const Vector, *const Vector, usize);

/// The kernels for one number of limbs.
#[derive(Clone, Copy)]
pub(super) struct Kernels {
    mul_wide: Binary,
    sqr_wide: Unary,
    mul: Sum,
    sqr: Sum,
    add: Modular,
    sub: Modular,
    sum_of_two: Modular,
    difference: Modular,
    three_and_two: Modular,
    three_less_two: Modular,
    sum: List,
    lin: List,
    reduce: List,
    reduce_tight: List,
    /// Whether products and squares add a list of elements.
    sums: bool,
    lin_carried: Option<List>,
    /// Product and square in F_p(i), unreduced and reduced.
    complex_wide: Option<[Complex; 2]>,
    complex: Option<[Complex; 2]>,
    /// Product and square of sums in F_p(i), unreduced.
    complex_sums: Option<[List; 2]>,
    /// Product and square of sums in F_p(i) plus forms: finds the kernel of the square or of the product by the
    /// coefficients.
    complex_lin: Option<LinTable>,
    /// 3·Σ c·w ± 2x, without and with an estimated multiple of p·R subtracted from the form.
    reduce_three: Option<[[FormAndElement; 2]; 2]>,
    /// The kernels on rows, by the numbers of [`rows::Kernel`](crate::rows::Kernel).
    rows: Option<[Rows; KERNELS]>,
}

include!(concat!(env!("OUT_DIR"), "/ifma.rs"));

/// A kernel for the tests that read its code and that call it.
#[cfg(test)]
pub(super) struct Listed {
    pub(super) name: &'static str,
    /// The number of vpmadd52 instructions in the kernel.
    pub(super) ifma: usize,
    /// The number of vpmadd52 instructions that the kernel itself issues: more than it contains if it loops.
    pub(super) issued: usize,
    start: *const u8,
    /// How often the kernel was called.
    pub(super) called: &'static std::sync::atomic::AtomicU64,
}

#[cfg(test)]
impl Listed {
    /// The address at which the kernel begins.
    pub(super) fn address(&self) -> usize {
        self.start as usize
    }

    /// Returns as many bytes of the kernel's code as an instruction may have, from one of its instructions on.
    pub(super) fn instruction(&self, at: usize) -> &[u8] {
        // SAFETY: code can be read, and the bytes behind the instruction belong to the same section or to its padding
        unsafe { std::slice::from_raw_parts(self.start.add(at), 15) }
    }
}

/// Returns true if this processor has the instructions that the kernels use.
pub(super) fn detect() -> bool {
    is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512ifma") && is_x86_feature_detected!("bmi1")
}

/// The kernels for a number of limbs, with the constants of a modulus. Elements have a capacity of at least as many
/// limbs.
pub(super) struct Machine {
    kernels: Kernels,
    limbs: usize,
    /// Whether every form of unreduced values is carried.
    pub(super) carries: bool,
    constants: Box<[Vector]>,
}

impl Machine {
    /// Creates a machine. Returns `None` if there are no kernels for `limbs` limbs, or if the processor lacks the
    /// instructions. `zeros` is the number of limbs of the modulus from the second on that are 0, if the first is 3.
    pub(super) fn new(limbs: usize, zeros: usize, rules: LaneRules, constants: Box<[Vector]>) -> Option<Self> {
        assert_eq!(constants.len(), CONSTANTS * limbs + SCALARS, "the layout of the constants");
        let kernels = kernels(limbs, zeros).filter(|_| detect())?;
        Some(Machine { kernels, limbs, carries: rules.carries, constants })
    }

    /// The number of limbs of an element.
    pub(super) fn limbs(&self) -> usize {
        self.limbs
    }

    fn modulus(&self) -> *const Vector {
        self.constants.as_ptr()
    }

    /// a·b.
    #[inline(always)]
    pub(super) fn mul_wide<const C: usize>(&self, out: &mut Columns<C>, a: &Residues<C>, b: &Residues<C>) {
        // SAFETY: the kernel reads L ≤ C vectors of a and b and writes 2L of out; its instructions exist, see `new`
        unsafe { (self.kernels.mul_wide)(place(out), vectors(a), vectors(b)) }
    }

    /// a².
    #[inline(always)]
    pub(super) fn sqr_wide<const C: usize>(&self, out: &mut Columns<C>, a: &Residues<C>) {
        // SAFETY: as above
        unsafe { (self.kernels.sqr_wide)(place(out), vectors(a)) }
    }

    /// a·b/R.
    #[inline(always)]
    pub(super) fn mul<const C: usize>(&self, out: &mut Residues<C>, a: &Residues<C>, b: &Residues<C>) {
        self.product(self.kernels.mul, out, [a, b], &[]);
    }

    /// a²/R.
    #[inline(always)]
    pub(super) fn sqr<const C: usize>(&self, out: &mut Residues<C>, a: &Residues<C>) {
        self.product(self.kernels.sqr, out, [a, a], &[]);
    }

    /// Returns true if products and squares can add a list of elements.
    #[inline(always)]
    pub(super) fn has_sums(&self) -> bool {
        self.kernels.sums
    }

    /// a·b/R + Σ c·x plus a multiple of p, near [0, p), for sizes whose products can add elements.
    #[inline(always)]
    pub(super) fn mul_sum<const C: usize>(
        &self,
        out: &mut Residues<C>,
        a: &Residues<C>,
        b: &Residues<C>,
        terms: &[Term<Residues<C>>],
    ) {
        self.product(self.kernels.mul, out, [a, b], terms);
    }

    /// a²/R + Σ c·x plus a multiple of p, near [0, p), for sizes whose squares can add elements.
    #[inline(always)]
    pub(super) fn sqr_sum<const C: usize>(&self, out: &mut Residues<C>, a: &Residues<C>, terms: &[Term<Residues<C>>]) {
        self.product(self.kernels.sqr, out, [a, a], terms);
    }

    #[inline(always)]
    fn product<const C: usize>(
        &self,
        kernel: Sum,
        out: &mut Residues<C>,
        [a, b]: [&Residues<C>; 2],
        terms: &[Term<Residues<C>>],
    ) {
        debug_assert!(terms.is_empty() || self.kernels.sums, "no sums with products of {} limbs", self.limbs);
        // SAFETY: the kernel reads L vectors of a, b and each term (an i32 and, at byte 8, an address), and the constants; it writes
        // L vectors of out
        unsafe {
            kernel(place(out), vectors(a), vectors(b), self.modulus(), terms.as_ptr().cast(), terms.len());
        }
    }

    /// a + b, limbs carried.
    #[inline(always)]
    pub(super) fn add<const C: usize>(&self, out: &mut Residues<C>, a: &Residues<C>, b: &Residues<C>) {
        // SAFETY: as above
        unsafe { (self.kernels.add)(place(out), vectors(a), vectors(b), self.modulus()) }
    }

    /// a − b + bias, limbs carried.
    #[inline(always)]
    pub(super) fn sub<const C: usize>(&self, out: &mut Residues<C>, a: &Residues<C>, b: &Residues<C>) {
        // SAFETY: as above
        unsafe { (self.kernels.sub)(place(out), vectors(a), vectors(b), self.modulus()) }
    }

    /// a + b or a − b, plus a multiple of p, near [0, p).
    #[inline(always)]
    pub(super) fn sum_of_two<const C: usize>(
        &self,
        out: &mut Residues<C>,
        a: &Residues<C>,
        b: &Residues<C>,
        subtract: bool,
    ) {
        let kernel = if subtract { self.kernels.difference } else { self.kernels.sum_of_two };
        // SAFETY: as above
        unsafe { kernel(place(out), vectors(a), vectors(b), self.modulus()) }
    }

    /// 3a + 2b or 3a − 2b, plus a multiple of p, near [0, p).
    #[inline(always)]
    pub(super) fn three_and_two<const C: usize>(
        &self,
        out: &mut Residues<C>,
        a: &Residues<C>,
        b: &Residues<C>,
        subtract: bool,
    ) {
        let kernel = if subtract { self.kernels.three_less_two } else { self.kernels.three_and_two };
        // SAFETY: as above
        unsafe { kernel(place(out), vectors(a), vectors(b), self.modulus()) }
    }

    /// bias + Σ c·x less a multiple of p, near [0, p).
    #[inline(always)]
    pub(super) fn sum<const C: usize>(&self, out: &mut Residues<C>, terms: &[Term<Residues<C>>]) {
        // SAFETY: a term is an i32 and, at byte 8, the address of L vectors; the kernel reads all of them, and the constants
        unsafe { (self.kernels.sum)(place(out), terms.as_ptr().cast(), terms.len(), self.modulus()) }
    }

    /// Σ c·w; columns are carried where the coefficients are `heavy`.
    #[inline(always)]
    pub(super) fn lin<const C: usize>(&self, out: &mut Columns<C>, terms: &[Term<Columns<C>>]) {
        // SAFETY: a term is an i32 and, at byte 8, the address of 2L vectors; the kernel writes 2L vectors of out
        unsafe { (self.form(terms))(place(out), terms.as_ptr().cast(), terms.len(), self.modulus()) }
    }

    /// Returns the kernel for a form of unreduced values.
    #[inline(always)]
    fn form<T>(&self, terms: &[Term<T>]) -> List {
        let carries = self.carries || heavy(terms, self.limbs);
        self.kernels.lin_carried.filter(|_| carries).unwrap_or(self.kernels.lin)
    }

    /// Σ c·w, with carried columns where there is a kernel for it.
    pub(super) fn lin_carried<const C: usize>(&self, out: &mut Columns<C>, terms: &[Term<Columns<C>>]) {
        let kernel = self.kernels.lin_carried.unwrap_or(self.kernels.lin);
        // SAFETY: as above
        unsafe { kernel(place(out), terms.as_ptr().cast(), terms.len(), self.modulus()) }
    }

    /// (bias·R + Σ c·w)/R. With `tight`, a multiple of p is subtracted; without, the form must be near 0.
    #[inline(always)]
    pub(super) fn reduce<const C: usize>(&self, out: &mut Residues<C>, terms: &[Term<Columns<C>>], tight: bool) {
        let kernel = if tight { self.kernels.reduce_tight } else { self.kernels.reduce };
        // SAFETY: as above, with L vectors of out
        unsafe { kernel(place(out), terms.as_ptr().cast(), terms.len(), self.modulus()) }
    }

    /// Computes 3·Σ c·w/R ± 2x plus a multiple of p, near [0, p), and returns true, if there is a kernel for it.
    /// `tight` is as in [`reduce`](Self::reduce).
    #[inline(always)]
    pub(super) fn reduce_three_and_two<const C: usize>(
        &self,
        out: &mut Residues<C>,
        terms: &[Term<Columns<C>>],
        x: &Residues<C>,
        [subtract, tight]: [bool; 2],
    ) -> bool {
        let Some(kernels) = self.three_kernels(tight) else { return false };
        let kernel = kernels[usize::from(subtract)];
        // SAFETY: as `reduce`, and L vectors of x
        unsafe { kernel(place(out), terms.as_ptr().cast(), terms.len(), self.modulus(), vectors(x)) }
        true
    }

    /// Returns the kernels of 3·Σ c·w/R + 2x and 3·Σ c·w/R − 2x, if there are any.
    #[inline(always)]
    fn three_kernels(&self, tight: bool) -> Option<[FormAndElement; 2]> {
        self.kernels.reduce_three.map(|kernels| kernels[usize::from(tight)])
    }

    /// Computes the product of two sums of elements of F_p(i), or the square of one sum, unreduced, and returns true,
    /// if there is a kernel for it.
    #[inline(always)]
    pub(super) fn complex_sums<const C: usize, const K: usize>(
        &self,
        out: &mut [Columns<C>; 2],
        operands: [&[Residues<C>; 2]; K],
    ) -> bool {
        const { assert!(K == 2 || K == 4, "one sum or two") };
        let Some([mul, sqr]) = self.kernels.complex_sums else { return false };
        let kernel = if K == 4 { mul } else { sqr };
        let mut halves = term::List::new();
        let halves = halves.halves(&operands).terms();
        // SAFETY: every other term is the address of an element of F_p(i), whose components lie as in `complex_by`
        unsafe { kernel(place(out), halves.as_ptr().cast(), size_of::<Residues<C>>(), self.modulus()) }
        true
    }

    /// Computes the product of two sums of elements of F_p(i), or the square of one sum, plus the terms of each half,
    /// unreduced, and returns true. Returns false if the halves have different numbers of terms, if there is no
    /// kernel for their coefficients, or if every form is carried.
    #[inline(always)]
    pub(super) fn complex_lin<const C: usize, const K: usize>(
        &self,
        out: &mut [Columns<C>; 2],
        operands: [&[Residues<C>; 2]; K],
        terms: [&[Term<Columns<C>>]; 2],
    ) -> bool {
        const { assert!(K == 2 || K == 4, "one sum or two") };
        if terms[0].len() != terms[1].len() {
            return false;
        }
        let mut coefficients = vec![];
        for form in terms {
            for t in form {
                coefficients.push(t.coeff);
            }
        }
        let Some(kernel) = self.lin_kernel(K == 2, &coefficients) else { return false };
        let mut items = vec![];
        for [re, im] in operands {
            items.extend([Item::from(&plus(re)), Item::from(&plus(im))]);
        }
        for form in terms {
            for t in form {
                items.push(Item::from(t));
            }
        }
        // SAFETY: as above, and behind the halves the addresses of 2L vectors, as many as the kernel has coefficients
        unsafe { kernel(place(out), items.as_ptr().cast(), size_of::<Residues<C>>(), self.modulus()) }
        true
    }

    /// Returns the kernel of a product of sums, or of a square, with forms of these coefficients, if there is one.
    fn lin_kernel(&self, is_square: bool, coefficients: &[i32]) -> Option<List> {
        self.kernels.complex_lin.filter(|_| !self.carries)?(is_square, coefficients)
    }

    /// Computes a·b in F_p(i), or a² without b, unreduced, and returns true, if there is a kernel for it.
    #[inline(always)]
    pub(super) fn complex_wide<const C: usize>(
        &self,
        out: &mut [Columns<C>; 2],
        a: &[Residues<C>; 2],
        b: Option<&[Residues<C>; 2]>,
    ) -> bool {
        self.complex_by(self.kernels.complex_wide, out, a, b)
    }

    /// Computes a·b/R in F_p(i), or a²/R without b, and returns true, if there is a kernel for it.
    #[inline(always)]
    pub(super) fn complex<const C: usize>(
        &self,
        out: &mut [Residues<C>; 2],
        a: &[Residues<C>; 2],
        b: Option<&[Residues<C>; 2]>,
    ) -> bool {
        self.complex_by(self.kernels.complex, out, a, b)
    }

    #[inline(always)]
    fn complex_by<const C: usize, T>(
        &self,
        kernels: Option<[Complex; 2]>,
        out: &mut [T; 2],
        a: &[Residues<C>; 2],
        b: Option<&[Residues<C>; 2]>,
    ) -> bool {
        let Some([mul, sqr]) = kernels else { return false };
        let kernel = if b.is_some() { mul } else { sqr };
        // SAFETY: components lie size_of::<Residues<C>>() bytes apart, unreduced ones twice as far, and have room for L limbs or
        // 2L columns; out is of the kind that the kernels write
        unsafe {
            kernel(place(out), vectors(a), vectors(b.unwrap_or(a)), self.modulus(), size_of::<Residues<C>>());
        }
        true
    }
}

#[inline(always)]
fn vectors<T>(x: &T) -> *const Vector {
    (x as *const T).cast()
}

#[inline(always)]
fn place<T>(x: &mut T) -> *mut Vector {
    (x as *mut T).cast()
}
