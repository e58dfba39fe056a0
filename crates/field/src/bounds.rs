//! Interval analysis as a field: values are intervals, and every operation checks that its result stays within the
//! range that an engine allows.
//!
//! An engine states its [`Rules`]; [`Bounds`] runs the same generic code over intervals under those rules.
//! Intervals only ever grow with their operands, so one run covers all inputs.

use crate::at;
use crate::blank::Blank;
use crate::code::Code;
use crate::complex;
use crate::contract::{Field, Prime};
use crate::term::{List, Term, minus, plus, times};
use num_bigint::BigUint;
use std::sync::{Arc, Mutex, PoisonError};

/// An interval [low, high] in units that the rules define (p for elements; p·R or p² for unreduced values).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// The least value.
    pub low: i64,
    /// The greatest value.
    pub high: i64,
    /// The bounds of the columns of an unreduced value, in units of the columns of one product; 0 where an engine has
    /// no columns.
    pub columns: [i64; 2],
}

impl Blank for Range {}

impl Range {
    /// Creates the interval [low, high].
    pub const fn new(low: i64, high: i64) -> Self {
        Range { low, high, columns: [0; 2] }
    }

    /// Returns the range of Σ c·r. A bound beyond ±(2^63 − 1) is clamped to that value, which no engine allows.
    pub fn form(terms: &[Term<Range>]) -> Range {
        let sum = |interval: fn(&Range) -> [i64; 2]| {
            let ends = terms.iter().fold([0; 2], |[low, high], t| {
                let [a, b] = interval(t.value).map(|x| i128::from(t.coeff) * i128::from(x));
                [low + a.min(b), high + a.max(b)]
            });
            ends.map(saturated)
        };
        let [low, high] = sum(|r| [r.low, r.high]);
        Range { low, high, columns: sum(|r| r.columns) }
    }

    /// Returns the smallest interval that contains both intervals.
    pub fn hull(self, other: Range) -> Range {
        let ([a, b], [c, d]) = (self.columns, other.columns);
        Range { low: self.low.min(other.low), high: self.high.max(other.high), columns: [a.min(c), b.max(d)] }
    }
}

/// Returns x clamped to ±(2^63 − 1), so that every result has a negative.
pub(crate) fn saturated(x: i128) -> i64 {
    let most = i128::from(i64::MAX);
    x.clamp(-most, most) as i64
}

/// The rules of an engine: the range of each operation's result, or the reason why the operation overflows.
pub trait Rules: Send + Sync {
    /// Returns the range of a loaded value, a constant, or any closed result.
    fn closed(&self) -> Range;
    /// Returns the range of a·b, unreduced.
    fn product(&self, a: Range, b: Range) -> Result<Range, String>;
    /// Returns the range of a linear form of unreduced values.
    fn lin(&self, terms: &[Term<Range>]) -> Result<Range, String>;
    /// Returns the range of a linear form of unreduced values that is computed by the function that makes the products,
    /// in F_p(i).
    fn products(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        self.lin(terms)
    }
    /// Returns the range of a linear form of unreduced values where the function that makes one of them, a product in
    /// F_p(i), adds the others.
    fn added(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        self.lin(terms)
    }
    /// Returns the range of the reduction of a linear form of unreduced values.
    fn reduce(&self, terms: &[Term<Range>]) -> Result<Range, String>;
    /// Returns the range of a form of products that is reduced by the function that makes them: a product or a square
    /// in F_p or F_p(i).
    fn fused(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        self.reduce(terms)
    }
    /// Returns true if sums of elements and of products are exact as integers, not only modulo p.
    fn is_exact(&self) -> bool {
        false
    }
    /// Returns the range of a lazy sum, or of a lazy difference if `negative`.
    fn add(&self, a: Range, b: Range, negative: bool) -> Result<Range, String>;
    /// Returns the range of a closed linear form of elements.
    fn sum(&self, terms: &[Term<Range>]) -> Result<Range, String>;
    /// Returns true if everything that is added to a product or to a form is always added before the one reduction.
    /// Then [`mul_sum`](Rules::mul_sum) and [`three_forms`](Rules::three_forms) suffice; otherwise sums of reduced
    /// values are examined too.
    fn adds_first(&self) -> bool {
        false
    }
    /// Returns the range of a product plus a linear form of elements, reduced at once.
    fn mul_sum(&self, product: Range, terms: &[Term<Range>]) -> Result<Range, String> {
        let closed = self.fused(&[plus(&product)])?;
        self.sum(List::new().all(1, &[plus(&closed)]).all(1, terms).terms())
    }
    /// Returns the range of a residue of a prepared argument.
    fn kept(&self, x: Range) -> Range {
        x
    }
    /// Returns the range of a sum that is an operand of a fused product in F_p(i).
    fn loose(&self, a: Range, b: Range) -> Result<Range, String> {
        self.add(a, b, false)
    }
    /// Returns the range of a difference that is an operand of a fused square in F_p(i).
    fn loose_difference(&self, a: Range, b: Range) -> Result<Range, String> {
        self.add(a, b, true)
    }
    /// Returns the range of three times a form of unreduced values, plus ±2x, reduced at once.
    fn three_forms(&self, terms: &[Term<Range>], _x: Range) -> Result<Range, String> {
        self.reduce(terms).map(|_| self.closed())
    }
    /// Returns true if this [reduction of a form near 0](Code::near) has a kernel of its own, so that its ranges
    /// differ.
    fn has_near(&self, _near: Code) -> bool {
        false
    }
    /// Returns the range of a linear form of unreduced values near 0, reduced without an estimated quotient.
    fn reduce_near(&self, terms: &[Term<Range>]) -> Result<Range, String> {
        self.reduce(terms)
    }
    /// Returns the range of three times a form near 0, plus ±2x, reduced at once.
    fn three_forms_near(&self, terms: &[Term<Range>], x: Range) -> Result<Range, String> {
        self.three_forms(terms, x)
    }
}

/// The number of rounds after which running products that still grow are taken to grow for ever.
const ROUNDS: usize = 32;

/// Returns the hull of values; `None` for an empty slice.
fn hull(all: &[Range]) -> Option<Range> {
    all.iter().copied().reduce(Range::hull)
}

/// The result of a run: the extremes that occurred, and the violations if there were any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The hull of all elements.
    pub elem: Range,
    /// The hull of all unreduced values.
    pub wide: Range,
    /// The hull of all linear forms that entered a reduction.
    pub reduced: Range,
    /// The number of operations examined.
    pub operations: u64,
    /// The operations that overflow; empty if the run is a proof.
    pub violations: Vec<String>,
}

/// A field of intervals with the interface of F_p. Clones share their report.
#[derive(Clone)]
pub struct Bounds {
    p: Arc<BigUint>,
    rules: Arc<dyn Rules>,
    report: Arc<Mutex<Report>>,
}

impl Bounds {
    /// Creates the field of intervals under these rules, over the field of p elements.
    pub fn new(p: &BigUint, rules: Arc<dyn Rules>) -> Self {
        Bounds { p: Arc::new(p.clone()), rules, report: Arc::default() }
    }

    /// Returns the report on all operations so far.
    pub fn report(&self) -> Report {
        self.report.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Examines a form that is reduced by the function that makes its products.
    fn fused(&self, out: &mut Range, terms: &[Term<Range>]) {
        self.note(Ok(Range::form(terms)), |r| &mut r.reduced);
        *out = self.note(self.rules.fused(terms), |r| &mut r.elem);
    }

    /// Examines an unreduced value x in F_p(i) plus the terms of each half, added by the function that makes x.
    fn added(&self, out: &mut [Range; 2], x: &[Range; 2], terms: [&[Term<Range>]; 2]) {
        for ((out, x), terms) in out.iter_mut().zip(x).zip(terms) {
            let form = self.rules.added(List::new().all(1, &[plus(x)]).all(1, terms).terms());
            *out = self.note(form, |r| &mut r.wide);
        }
    }

    /// Returns the ranges of a0·b1 and a1·b0, whose sum has these columns.
    fn cross(&self, a: &[Range; 2], b: &[Range; 2], columns: [i64; 2]) -> [Range; 2] {
        at! {self; p = mul_wide(&a[0], &b[1]); q = mul_wide(&a[1], &b[0]);}
        [Range { columns, ..p }, Range { columns: [0; 2], ..q }]
    }

    /// Examines a sum that is an operand of a fused product.
    fn loose(&self, a: Range, b: Range) -> Range {
        self.note(self.rules.loose(a, b), |r| &mut r.elem)
    }

    /// Examines (a0 + a1)(a0 − a1), whose second factor is a difference that is an operand of a fused square.
    fn sum_by_difference(&self, a: &[Range; 2]) -> Range {
        let difference = self.note(self.rules.loose_difference(a[0], a[1]), |r| &mut r.elem);
        at! {self; x = add(&a[0], &a[1]); product = mul_wide(&x, &difference);}
        product
    }

    /// Examines the squares of two elements.
    fn squares(&self, a: &[Range; 2]) -> [Range; 2] {
        at! {self; s0 = sqr_wide(&a[0]); s1 = sqr_wide(&a[1]);}
        [s0, s1]
    }

    /// Returns the range of a value that is multiplied by x any number of times.
    fn running(&self, mut value: Range, x: &Range) -> Range {
        for _ in 0..ROUNDS {
            at! {self; next = mul(&value, x);}
            let hull = value.hull(next);
            if hull == value {
                return value;
            }
            value = hull;
        }
        self.note(Err(format!("running products still grow after {ROUNDS} rounds")), |r| &mut r.elem)
    }

    /// Records the range of a result in `place` of the report, or the violation.
    fn note(&self, result: Result<Range, String>, place: fn(&mut Report) -> &mut Range) -> Range {
        let mut report = self.report.lock().unwrap_or_else(PoisonError::into_inner);
        report.operations += 1;
        match result {
            Ok(range) => {
                let seen = place(&mut report);
                *seen = seen.hull(range);
                range
            }
            Err(reason) => {
                report.violations.push(reason);
                self.rules.closed()
            }
        }
    }
}

impl Field for Bounds {
    type Elem = Range;
    type Wide = Range;
    type Mask = ();

    fn zero(&self) -> Range {
        self.rules.closed()
    }

    fn one(&self) -> Range {
        self.rules.closed()
    }

    fn mul_wide(&self, out: &mut Range, a: &Range, b: &Range) {
        *out = self.note(self.rules.product(*a, *b), |r| &mut r.wide);
    }

    fn sqr_wide(&self, out: &mut Range, a: &Range) {
        *out = self.note(self.rules.product(*a, *a), |r| &mut r.wide);
    }

    fn mul(&self, out: &mut Range, a: &Range, b: &Range) {
        at! {self; product = mul_wide(a, b);}
        self.fused(out, &[plus(&product)]);
    }

    fn sqr(&self, out: &mut Range, a: &Range) {
        self.mul(out, a, a);
    }

    fn lin(&self, out: &mut Range, terms: &[Term<Range>]) {
        *out = self.note(self.rules.lin(terms), |r| &mut r.wide);
    }

    fn reduce(&self, out: &mut Range, terms: &[Term<Range>]) {
        self.note(Ok(Range::form(terms)), |r| &mut r.reduced);
        *out = self.note(self.rules.reduce(terms), |r| &mut r.elem);
    }

    fn reduce_near(&self, out: &mut Range, terms: &[Term<Range>]) {
        self.note(Ok(Range::form(terms)), |r| &mut r.reduced);
        *out = self.note(self.rules.reduce_near(terms), |r| &mut r.elem);
    }

    fn add(&self, out: &mut Range, a: &Range, b: &Range) {
        *out = self.note(self.rules.add(*a, *b, false), |r| &mut r.elem);
    }

    fn sub(&self, out: &mut Range, a: &Range, b: &Range) {
        *out = self.note(self.rules.add(*a, *b, true), |r| &mut r.elem);
    }

    fn sum(&self, out: &mut Range, terms: &[Term<Range>]) {
        *out = self.note(self.rules.sum(terms), |r| &mut r.elem);
    }

    fn mul_sum(&self, out: &mut Range, a: &Range, b: &Range, terms: &[Term<Range>]) {
        at! {self; product = mul_wide(a, b);}
        if self.rules.adds_first() && !terms.is_empty() {
            self.note(Ok(product), |r| &mut r.reduced);
            *out = self.note(self.rules.mul_sum(product, terms), |r| &mut r.elem);
            return;
        }
        self.fused(out, &[plus(&product)]);
        if !terms.is_empty() {
            let closed = *out;
            self.sum(out, List::new().all(1, &[plus(&closed)]).all(1, terms).terms());
        }
    }

    fn sqr_sum(&self, out: &mut Range, a: &Range, terms: &[Term<Range>]) {
        self.mul_sum(out, a, a, terms);
    }

    /// Karatsuba's (a0 + a1)(b0 + b1) − a0·b0 − a1·b1 is a0·b1 + a1·b0, never negative, where sums are exact.
    fn complex_mul_wide(&self, out: &mut [Range; 2], a: &[Range; 2], b: &[Range; 2]) {
        at! {self;
            v0 = mul_wide(&a[0], &b[0]); v1 = mul_wide(&a[1], &b[1]);
            x = add(&a[0], &a[1]); y = add(&b[0], &b[1]); s = mul_wide(&x, &y);
        }
        out[0] = self.note(self.rules.products(&[plus(&v0), minus(&v1)]), |r| &mut r.wide);
        out[1] = self.note(self.rules.products(&[plus(&s), minus(&v0), minus(&v1)]), |r| &mut r.wide);
        if self.rules.is_exact() {
            out[1] = Range::form(&self.cross(a, b, out[1].columns).each_ref().map(plus));
        }
    }

    /// Examines each coefficient as a form that is reduced at once, in the order of the formulas.
    fn complex_mul(&self, out: &mut [Range; 2], a: &[Range; 2], b: &[Range; 2]) {
        at! {self;
            v0 = mul_wide(&a[0], &b[0]); v1 = mul_wide(&a[1], &b[1]);
            x = add(&a[0], &a[1]); y = add(&b[0], &b[1]); s = mul_wide(&x, &y);
        }
        self.fused(&mut out[0], &[plus(&v0), minus(&v1)]);
        let terms = [plus(&s), minus(&v0), minus(&v1)];
        if self.rules.is_exact() {
            self.fused(&mut out[1], &self.cross(a, b, Range::form(&terms).columns).each_ref().map(plus));
        } else {
            self.fused(&mut out[1], &terms);
        }
    }

    /// Machines compute (a0 + a1)(a0 − a1) and (2·a0)·a1, or a0² − a1² and 2·(a0·a1): both ways are examined.
    fn complex_sqr_wide(&self, out: &mut [Range; 2], a: &[Range; 2]) {
        at! {self; twice = add(&a[0], &a[0]); product = mul_wide(&a[0], &a[1]);}
        out[0] = self.sum_by_difference(a);
        self.mul_wide(&mut out[1], &twice, &a[1]);
        let other = self.squares(a);
        for (out, form) in out.iter_mut().zip([&[plus(&other[0]), minus(&other[1])][..], &[times(2, &product)]]) {
            *out = out.hull(self.note(self.rules.products(form), |r| &mut r.wide));
        }
    }

    /// Examines both ways to square, as in `complex_sqr_wide`; the value that is reduced may be the unreduced square.
    fn complex_sqr(&self, out: &mut [Range; 2], a: &[Range; 2]) {
        complex::sqr(self, out, a);
        at! {self; unreduced = reduce(&[plus(&self.sum_by_difference(a))]);}
        out[0] = out[0].hull(unreduced);
        let (squares, mut other) = (self.squares(a), [Range::default(); 2]);
        at! {self; product = mul_wide(&a[0], &a[1]);}
        self.fused(&mut other[0], &[plus(&squares[0]), minus(&squares[1])]);
        self.fused(&mut other[1], &[times(2, &product)]);
        *out = [out[0].hull(other[0]), out[1].hull(other[1])];
    }

    /// Machines add step by step or compute the sum at once: both ways are examined.
    fn three_and_two(&self, out: &mut Range, p: &Range, x: &Range, subtract: bool) {
        let mut t = Range::default();
        if subtract {
            self.sub(&mut t, p, x)
        } else {
            self.add(&mut t, p, x)
        }
        at! {self; twice = add(&t, &t);}
        let two = if subtract { -2 } else { 2 };
        self.sum(out, &[plus(&twice), plus(p)]);
        at! {self; at_once = sum(&[times(3, p), times(two, x)]);}
        *out = out.hull(at_once);
    }

    /// Machines reduce the form first, or reduce three times the form: both ways are examined.
    fn reduce_three_and_two(&self, out: &mut Range, terms: &[Term<Range>], x: &Range, subtract: bool) {
        at! {self; p = reduce(terms);}
        let at_once = self.note(self.rules.three_forms(terms, *x), |r| &mut r.elem);
        if self.rules.adds_first() {
            *out = at_once;
            return;
        }
        self.three_and_two(out, &p, x, subtract);
        *out = out.hull(at_once);
    }

    fn reduce_three_and_two_near(&self, out: &mut Range, terms: &[Term<Range>], x: &Range, subtract: bool) {
        let near = if subtract { Code::ReduceThreeMinusTwoNear } else { Code::ReduceThreePlusTwoNear };
        if !self.rules.has_near(near) {
            return self.reduce_three_and_two(out, terms, x, subtract);
        }
        self.note(Ok(Range::form(terms)), |r| &mut r.reduced);
        *out = self.note(self.rules.three_forms_near(terms, *x), |r| &mut r.elem);
    }

    /// Machines may leave the sums of the operands uncorrected.
    fn complex_sums_mul_wide(&self, out: &mut [Range; 2], [a, c, b, d]: [&[Range; 2]; 4]) {
        let sums = |a: &[Range; 2], c: &[Range; 2]| [self.loose(a[0], c[0]), self.loose(a[1], c[1])];
        self.complex_mul_wide(out, &sums(a, c), &sums(b, d));
    }

    /// Machines may leave the sum of the operands uncorrected.
    fn complex_sum_sqr_wide(&self, out: &mut [Range; 2], [a, c]: [&[Range; 2]; 2]) {
        self.complex_sqr_wide(out, &[self.loose(a[0], c[0]), self.loose(a[1], c[1])]);
    }

    fn complex_sums_mul_lin(&self, out: &mut [Range; 2], operands: [&[Range; 2]; 4], terms: [&[Term<Range>]; 2]) {
        let mut product = [Range::default(); 2];
        self.complex_sums_mul_wide(&mut product, operands);
        self.added(out, &product, terms);
    }

    fn complex_sum_sqr_lin(&self, out: &mut [Range; 2], operands: [&[Range; 2]; 2], terms: [&[Term<Range>]; 2]) {
        let mut square = [Range::default(); 2];
        self.complex_sum_sqr_wide(&mut square, operands);
        self.added(out, &square, terms);
    }

    /// Examines quotients of any number of values, possibly more than are in `xs`: vectors share inversions.
    fn quotients(&self, out: &mut [Range], c: &Range, xs: &[Range]) {
        assert_eq!(out.len(), xs.len(), "one place for each quotient is needed");
        let Some(x) = hull(xs) else { return };
        let products = self.running(x, &x);
        at! {self; inverse = inv(&products); scaled = mul(&inverse, c);}
        let so_far = self.running(scaled, &x);
        at! {self; quotient = mul(&so_far, &products);}
        out.fill(so_far.hull(quotient));
    }

    /// Examines inversions of any number of values, as in `quotients`; also covers a single value, for which there are
    /// no products.
    fn inv_many(&self, xs: &mut [Range]) {
        let Some(x) = hull(xs).map(|x| x.hull(self.one())) else { return };
        let products = self.running(self.one(), &x);
        at! {self; inverse = inv(&products);}
        let inverse = self.running(inverse, &x);
        at! {self; own = mul(&inverse, &products);}
        xs.fill(own.hull(self.zero()));
    }

    /// Machines first multiply the value by another of the same range.
    fn inv(&self, out: &mut Range, a: &Range) {
        at! {self; square = mul_wide(a, a);}
        self.fused(out, &[plus(&square)]);
        *out = self.rules.closed();
    }

    fn select(&self, out: &mut Range, (): (), a: &Range, b: &Range) {
        *out = a.hull(*b);
    }

    fn is_zero(&self, _: &Range) {}

    fn mask(&self, _: bool) {}

    fn mask_from(&self, _: &[bool]) {}

    fn and(&self, (): (), (): ()) {}

    fn not(&self, (): ()) {}
}

impl Prime for Bounds {
    type Uniform = Range;

    fn modulus(&self) -> &BigUint {
        &self.p
    }

    fn constant(&self, _: &BigUint) -> Range {
        self.rules.closed()
    }

    fn is_odd(&self, _: &Range) {}

    fn uniform(&self, a: &Range) -> Range {
        self.rules.kept(*a)
    }

    fn broadcast(&self, out: &mut Range, a: &Range) {
        *out = *a;
    }
}
