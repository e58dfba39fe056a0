//! The operations as functions of addresses, whose context is a [`Ring`]: what [`Mont`](super::Mont) and executors call.
//!
//! # Safety
//! Of all of them: the context is a ring; elements are n words, unreduced sums 2n + 1, terms as many as are said; what is read holds values
//! and does not overlap what is written. Elements of F_p(i) are two, `stride` bytes apart, and their unreduced sums 2·`stride` + 8.
#![allow(unsafe_code)]

use super::complex::Pair;
use super::ring::{Ring, Slack};
use super::values::{Item, Terms};
use crate::code::Code;
use crate::kernel::{Arguments, Function};

/// Values at addresses.
struct Values<'r> {
    ring: &'r Ring,
    n: usize,
}

impl<'r> Values<'r> {
    #[inline(always)]
    unsafe fn of(ring: *const ()) -> Self {
        // SAFETY: see the head
        let ring: &Ring = unsafe { &*ring.cast() };
        Values { ring, n: ring.words() }
    }

    #[inline(always)]
    unsafe fn elem<'a>(&self, at: *const ()) -> &'a [u64] {
        // SAFETY: see the head
        unsafe { std::slice::from_raw_parts(at.cast(), self.n) }
    }

    #[inline(always)]
    unsafe fn elem_mut<'a>(&self, at: *mut ()) -> &'a mut [u64] {
        // SAFETY: see the head
        unsafe { std::slice::from_raw_parts_mut(at.cast(), self.n) }
    }

    #[inline(always)]
    unsafe fn wide_mut<'a>(&self, at: *mut ()) -> &'a mut [u64] {
        // SAFETY: see the head
        unsafe { std::slice::from_raw_parts_mut(at.cast(), 2 * self.n + 1) }
    }

    #[inline(always)]
    unsafe fn elems<'a>(&self, first: *const (), len: usize) -> Terms<'a> {
        // SAFETY: see the head
        unsafe { Terms::at(first.cast(), len, self.n) }
    }

    #[inline(always)]
    unsafe fn wides<'a>(&self, first: *const (), len: usize) -> Terms<'a> {
        // SAFETY: see the head
        unsafe { Terms::at(first.cast(), len, 2 * self.n + 1) }
    }

    /// An element of F_p(i).
    #[inline(always)]
    unsafe fn pair<'a>(&self, at: *const (), stride: usize) -> Pair<'a> {
        // SAFETY: see the head
        unsafe { [self.elem(at), self.elem(at.byte_add(stride))] }
    }

    #[inline(always)]
    unsafe fn pair_mut<'a>(&self, at: *mut (), stride: usize) -> [&'a mut [u64]; 2] {
        // SAFETY: see the head
        unsafe { [self.elem_mut(at), self.elem_mut(at.byte_add(stride))] }
    }

    #[inline(always)]
    unsafe fn wide_pair<'a>(&self, at: *mut (), stride: usize) -> [&'a mut [u64]; 2] {
        // SAFETY: see the head
        unsafe { [self.wide_mut(at), self.wide_mut(at.byte_add(2 * stride + 8))] }
    }

    /// Number i of elements of F_p(i) that are listed by their halves.
    #[inline(always)]
    unsafe fn listed<'a>(&self, halves: *const (), i: usize) -> Pair<'a> {
        // SAFETY: see the head
        let half = |i: usize| unsafe { self.elem((*halves.cast::<Item>().add(i)).address()) };
        [half(2 * i), half(2 * i + 1)]
    }
}

/// Functions with the parameters of a [`Function`].
macro_rules! calls {
    ($($(#[$doc:meta])* fn $name:ident($out:ident, $a:ident, $b:ident, $c:ident, $d:ident, $e:ident) |$v:ident = $ring:ident| $body:expr;)*) => {
        $($(#[$doc])*
        pub(super) unsafe extern "C-unwind" fn $name(
            $out: *mut (), $a: *const (), $b: *const (), $c: *const (), $d: *const (), $e: usize,
        ) {
            // SAFETY: see the head
            unsafe {
                let $v = Values::of($ring);
                $body
            }
        })*
    };
}

calls! {
    /// out = a + b.
    fn add(out, a, b, f, _d, _e) |v = f| v.ring.add(v.elem_mut(out), v.elem(a), v.elem(b));
    /// out = a − b.
    fn sub(out, a, b, f, _d, _e) |v = f| v.ring.sub(v.elem_mut(out), v.elem(a), v.elem(b));
    /// out = a·b.
    fn mul(out, a, b, f, _d, _e) |v = f| v.ring.mul(v.elem_mut(out), v.elem(a), v.elem(b));
    /// out = a².
    fn sqr(out, a, _b, f, _d, _e) |v = f| v.ring.sqr(v.elem_mut(out), v.elem(a));
    /// out = a·b, unreduced.
    fn mul_wide(out, a, b, f, _d, _e) |v = f| v.ring.mul_wide(v.wide_mut(out), v.elem(a), v.elem(b));
    /// out = a², unreduced.
    fn sqr_wide(out, a, _b, f, _d, _e) |v = f| v.ring.sqr_wide(v.wide_mut(out), v.elem(a));
    /// out = a·b + Σ c·x.
    fn mul_sum(out, a, b, f, terms, len) |v = f|
        v.ring.mul_sum(v.elem_mut(out), v.elem(a), v.elem(b), v.elems(terms, len));
    /// out = a² + Σ c·x.
    fn sqr_sum(out, a, _b, f, terms, len) |v = f| v.ring.sqr_sum(v.elem_mut(out), v.elem(a), v.elems(terms, len));
    /// out = Σ c·x.
    fn sum(out, terms, len, f, _d, _e) |v = f| v.ring.sum(v.elem_mut(out), v.elems(terms, len.addr()));
    /// out = Σ c·w, unreduced.
    fn lin(out, terms, len, f, _d, _e) |v = f| v.ring.lin(v.wide_mut(out), v.wides(terms, len.addr()));
    /// out = Σ c·w.
    fn reduce(out, terms, len, f, _d, _e) |v = f| v.ring.reduce(v.elem_mut(out), v.wides(terms, len.addr()));
    /// out = 3·Σ c·w + 2x, for a tight modulus.
    fn reduce_three_plus_two(out, terms, len, f, x, _e) |v = f|
        v.ring.reduce_three_and_two(v.elem_mut(out), v.wides(terms, len.addr()), v.elem(x), false);
    /// out = 3·Σ c·w − 2x, for a tight modulus.
    fn reduce_three_minus_two(out, terms, len, f, x, _e) |v = f|
        v.ring.reduce_three_and_two(v.elem_mut(out), v.wides(terms, len.addr()), v.elem(x), true);
    /// out = a·b in F_p(i).
    fn complex_mul(out, a, b, f, stride, _e) |v = f|
        v.ring.complex_mul(v.pair_mut(out, stride.addr()), v.pair(a, stride.addr()), v.pair(b, stride.addr()));
    /// out = a² in F_p(i).
    fn complex_sqr(out, a, _b, f, stride, _e) |v = f|
        v.ring.complex_sqr(v.pair_mut(out, stride.addr()), v.pair(a, stride.addr()));
    /// out = a·b in F_p(i), unreduced.
    fn complex_mul_wide(out, a, b, f, stride, _e) |v = f|
        v.ring.complex_mul_wide(v.wide_pair(out, stride.addr()), v.pair(a, stride.addr()), v.pair(b, stride.addr()));
    /// out = a² in F_p(i), unreduced.
    fn complex_sqr_wide(out, a, _b, f, stride, _e) |v = f|
        v.ring.complex_sqr_wide(v.wide_pair(out, stride.addr()), v.pair(a, stride.addr()));
    /// out = (a + c)(b + d) in F_p(i), unreduced.
    fn complex_sums_mul_wide(out, halves, stride, f, _d, _e) |v = f|
        v.ring.complex_sums_mul_wide(v.wide_pair(out, stride.addr()), [v.listed(halves, 0), v.listed(halves, 1), v.listed(halves, 2), v.listed(halves, 3)]);
    /// out = (a + c)² in F_p(i), unreduced.
    fn complex_sum_sqr_wide(out, halves, stride, f, _d, _e) |v = f|
        v.ring.complex_sum_sqr_wide(v.wide_pair(out, stride.addr()), [v.listed(halves, 0), v.listed(halves, 1)]);
}

/// The function of an operation of a ring, and what it takes, for elements `stride` bytes long.
pub(super) fn function(ring: &Ring, code: Code, stride: usize) -> Option<(Function, Arguments)> {
    use Arguments::{Complex, Form, FormAndElement, Operands, Pairs};
    let is_tight = matches!(ring.slack, Slack::Tight(_));
    let (function, arguments): (Function, Arguments) = match code {
        Code::Add => (add, Operands),
        Code::Sub => (sub, Operands),
        Code::Mul => (mul, Operands),
        Code::Sqr => (sqr, Operands),
        Code::MulWide => (mul_wide, Operands),
        Code::SqrWide => (sqr_wide, Operands),
        Code::MulSum => (mul_sum, Operands),
        Code::SqrSum => (sqr_sum, Operands),
        Code::Sum => (sum, Form),
        Code::Lin => (lin, Form),
        Code::Reduce => (reduce, Form),
        Code::ReduceThreePlusTwo if is_tight => (reduce_three_plus_two, FormAndElement),
        Code::ReduceThreeMinusTwo if is_tight => (reduce_three_minus_two, FormAndElement),
        Code::ComplexMul => (complex_mul, Complex(stride)),
        Code::ComplexSqr => (complex_sqr, Complex(stride)),
        Code::ComplexMulWide => (complex_mul_wide, Complex(stride)),
        Code::ComplexSqrWide => (complex_sqr_wide, Complex(stride)),
        Code::ComplexSumsMulWide => (complex_sums_mul_wide, Pairs(stride)),
        Code::ComplexSumSqrWide => (complex_sum_sqr_wide, Pairs(stride)),
        _ => return None,
    };
    Some((function, arguments))
}
