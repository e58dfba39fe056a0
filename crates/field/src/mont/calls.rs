//! The operations as functions of addresses, whose context is a [`Ring`]. [`Mont`](super::Mont) and executors call
//! them.
//!
//! In plain Rust the operations on few words are compiled for each number of words, so that loops are unrolled.
//!
//! # Safety
//! For all of these functions: the context must be a ring whose `calls` they are. Elements must be as many words n as
//! the ring has, unreduced sums 2n + 1, and terms as many as the arguments say. Memory that is read must hold values,
//! and must not overlap memory that is written. An element of F_p(i) is two elements, `stride` bytes apart; its
//! unreduced sums are 2·`stride` + 8 bytes apart.
#![allow(unsafe_code)]

use super::arithmetic::Arithmetic;
use super::complex::Pair;
use super::kernels::{Isa, Kernels, is_unrolled};
use super::ring::Ring;
use super::values::Terms;
use crate::code::Code;
use crate::kernel::{Arguments, Function};
use crate::term::Item;
use std::ptr::{from_ref, null, without_provenance};

/// Access to the ring and to values at addresses.
impl Arithmetic<'_> {
    /// Returns the arithmetic of N words in plain Rust or, if N is 0, the arithmetic of the ring's kernels.
    #[inline(always)]
    unsafe fn of<const N: usize>(ring: *const ()) -> Self {
        // SAFETY: see the head
        let ring: &Ring = unsafe { &*ring.cast() };
        let kernels = if N == 0 { ring.kernels } else { Kernels::new(Isa::Portable, N) };
        // with this assertion the compiler leaves out the unrolled code
        assert!(N > 0 || kernels.isa() != Isa::Portable || !is_unrolled(kernels.words()));
        Arithmetic { kernels, ring }
    }

    #[inline(always)]
    unsafe fn elem<'a>(&self, at: *const ()) -> &'a [u64] {
        // SAFETY: see the head
        unsafe { std::slice::from_raw_parts(at.cast(), self.words()) }
    }

    #[inline(always)]
    unsafe fn elem_mut<'a>(&self, at: *mut ()) -> &'a mut [u64] {
        // SAFETY: see the head
        unsafe { std::slice::from_raw_parts_mut(at.cast(), self.words()) }
    }

    #[inline(always)]
    unsafe fn wide_mut<'a>(&self, at: *mut ()) -> &'a mut [u64] {
        // SAFETY: see the head
        unsafe { std::slice::from_raw_parts_mut(at.cast(), 2 * self.words() + 1) }
    }

    #[inline(always)]
    unsafe fn elems<'a>(&self, first: *const (), len: usize) -> Terms<'a> {
        // SAFETY: see the head
        unsafe { Terms::at(first.cast(), len, self.words()) }
    }

    #[inline(always)]
    unsafe fn wides<'a>(&self, first: *const (), len: usize) -> Terms<'a> {
        // SAFETY: see the head
        unsafe { Terms::at(first.cast(), len, 2 * self.words() + 1) }
    }

    /// Returns the element of F_p(i) at an address.
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

    /// Returns element i of a list of elements of F_p(i), which lists their halves.
    #[inline(always)]
    unsafe fn listed<'a>(&self, halves: *const (), i: usize) -> Pair<'a> {
        // SAFETY: see the head
        let half = |i: usize| unsafe { self.elem((*halves.cast::<Item>().add(i)).value) };
        [half(2 * i), half(2 * i + 1)]
    }
}

/// Defines functions with the parameters of a [`Function`], for N words in plain Rust or, if N is 0, for all other
/// rings, and the table of these functions, with the operation and the arguments of each. An operation may have a
/// condition.
macro_rules! calls {
    (|$stride:ident, $is_tight:ident| $(
        $(#[$doc:meta])* $code:ident $(if $condition:expr)? => $arguments:expr;
        fn $name:ident($out:ident, $a:ident, $b:ident, $c:ident, $d:ident, $e:ident) |$arithmetic:ident = $ring:ident| $body:expr;
    )*) => {
        $($(#[$doc])*
        unsafe extern "C-unwind" fn $name<const N: usize>(
            $out: *mut (), $a: *const (), $b: *const (), $c: *const (), $d: *const (), $e: usize,
        ) {
            // SAFETY: see the head
            unsafe {
                let $arithmetic = Arithmetic::of::<N>($ring);
                $body;
            }
        })*

        /// The functions for a number of words.
        pub(super) struct Calls {
            $(pub(super) $name: Function,)*
        }

        impl Calls {
            const fn of<const N: usize>() -> Self {
                Calls { $($name: $name::<N>),* }
            }

            /// Returns the function of an operation and the arguments that it takes, for elements of `stride` bytes
            /// of a ring with a tight or a roomy modulus.
            pub(super) fn function(&self, code: Code, $stride: usize, $is_tight: bool) -> Option<(Function, Arguments)> {
                use Arguments::{Complex, Form, FormAndElement, Operands, Pairs};
                Some(match code {
                    $(Code::$code $(if $condition)? => (self.$name, $arguments),)*
                    _ => return None,
                })
            }
        }
    };
}

calls! { |stride, is_tight|
    /// out = a + b.
    Add => Operands; fn add(out, a, b, f, _d, _e) |r = f| r.add(r.elem_mut(out), r.elem(a), r.elem(b));
    /// out = a − b.
    Sub => Operands; fn sub(out, a, b, f, _d, _e) |r = f| r.sub(r.elem_mut(out), r.elem(a), r.elem(b));
    /// out = a·b.
    Mul => Operands; fn mul(out, a, b, f, _d, _e) |r = f| r.mul(r.elem_mut(out), r.elem(a), r.elem(b));
    /// out = a².
    Sqr => Operands; fn sqr(out, a, _b, f, _d, _e) |r = f| r.sqr(r.elem_mut(out), r.elem(a));
    /// out = a·b, unreduced.
    MulWide => Operands; fn mul_wide(out, a, b, f, _d, _e) |r = f| r.mul_wide(r.wide_mut(out), r.elem(a), r.elem(b));
    /// out = a², unreduced.
    SqrWide => Operands; fn sqr_wide(out, a, _b, f, _d, _e) |r = f| r.sqr_wide(r.wide_mut(out), r.elem(a));
    /// out = a·b + Σ c·x.
    MulSum => Operands; fn mul_sum(out, a, b, f, terms, len) |r = f|
        r.mul_sum(r.elem_mut(out), r.elem(a), r.elem(b), r.elems(terms, len));
    /// out = a² + Σ c·x.
    SqrSum => Operands; fn sqr_sum(out, a, _b, f, terms, len) |r = f|
        r.sqr_sum(r.elem_mut(out), r.elem(a), r.elems(terms, len));
    /// out = Σ c·x.
    Sum => Form; fn sum(out, terms, len, f, _d, _e) |r = f| r.sum(r.elem_mut(out), r.elems(terms, len.addr()));
    /// out = Σ c·w, unreduced.
    Lin => Form; fn lin(out, terms, len, f, _d, _e) |r = f| r.lin(r.wide_mut(out), r.wides(terms, len.addr()));
    /// out = Σ c·w.
    Reduce => Form; fn reduce(out, terms, len, f, _d, _e) |r = f| r.reduce(r.elem_mut(out), r.wides(terms, len.addr()));
    /// out = 3·Σ c·w + 2x, for a tight modulus.
    ReduceThreePlusTwo if is_tight => FormAndElement; fn reduce_three_plus_two(out, terms, len, f, x, _e) |r = f|
        r.reduce_three_and_two(r.elem_mut(out), r.wides(terms, len.addr()), r.elem(x), false);
    /// out = 3·Σ c·w − 2x, for a tight modulus.
    ReduceThreeMinusTwo if is_tight => FormAndElement; fn reduce_three_minus_two(out, terms, len, f, x, _e) |r = f|
        r.reduce_three_and_two(r.elem_mut(out), r.wides(terms, len.addr()), r.elem(x), true);
    /// out = a·b in F_p(i).
    ComplexMul => Complex(stride); fn complex_mul(out, a, b, f, stride, _e) |r = f|
        r.complex_mul(r.pair_mut(out, stride.addr()), r.pair(a, stride.addr()), r.pair(b, stride.addr()));
    /// out = a² in F_p(i).
    ComplexSqr => Complex(stride); fn complex_sqr(out, a, _b, f, stride, _e) |r = f|
        r.complex_sqr(r.pair_mut(out, stride.addr()), r.pair(a, stride.addr()));
    /// out = a·b in F_p(i), unreduced.
    ComplexMulWide => Complex(stride); fn complex_mul_wide(out, a, b, f, stride, _e) |r = f|
        r.complex_mul_wide(r.wide_pair(out, stride.addr()), r.pair(a, stride.addr()), r.pair(b, stride.addr()));
    /// out = a² in F_p(i), unreduced.
    ComplexSqrWide => Complex(stride); fn complex_sqr_wide(out, a, _b, f, stride, _e) |r = f|
        r.complex_sqr_wide(r.wide_pair(out, stride.addr()), r.pair(a, stride.addr()));
    /// out = (a + c)(b + d) in F_p(i), unreduced.
    ComplexSumsMulWide => Pairs(stride); fn complex_sums_mul_wide(out, halves, stride, f, _d, _e) |r = f|
        r.complex_sums_mul_wide(r.wide_pair(out, stride.addr()), [r.listed(halves, 0), r.listed(halves, 1), r.listed(halves, 2), r.listed(halves, 3)]);
    /// out = (a + c)² in F_p(i), unreduced.
    ComplexSumSqrWide => Pairs(stride); fn complex_sum_sqr_wide(out, halves, stride, f, _d, _e) |r = f|
        r.complex_sum_sqr_wide(r.wide_pair(out, stride.addr()), [r.listed(halves, 0), r.listed(halves, 1)]);
}

impl Ring {
    /// out = a·b, by a call of the ring's function.
    pub(super) fn mul(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        assert!([out.len(), a.len(), b.len()] == [self.words(); 3]);
        let [a, b] = [a, b].map(|x| x.as_ptr().cast());
        // SAFETY: the operands have the lengths that the function takes
        unsafe { (self.calls.mul)(out.as_mut_ptr().cast(), a, b, from_ref(self).cast(), null(), 0) }
    }

    /// out = Σ c·w, by a call of the ring's function.
    pub(super) fn reduce(&self, out: &mut [u64], terms: Terms) {
        assert!(out.len() == self.words() && terms.words() == 2 * out.len() + 1);
        let (first, len) = (terms.range().start.cast(), without_provenance(terms.len()));
        // SAFETY: the operands have the lengths that the function takes
        unsafe { (self.calls.reduce)(out.as_mut_ptr().cast(), first, len, from_ref(self).cast(), null(), 0) }
    }
}

impl Calls {
    /// Returns the functions for a ring of `words` words on these instructions.
    pub(super) fn new(isa: Isa, words: usize) -> &'static Calls {
        match words {
            _ if isa != Isa::Portable => const { &Calls::of::<0>() },
            3 => const { &Calls::of::<3>() },
            4 => const { &Calls::of::<4>() },
            5 => const { &Calls::of::<5>() },
            6 => const { &Calls::of::<6>() },
            7 => const { &Calls::of::<7>() },
            8 => const { &Calls::of::<8>() },
            _ => const { &Calls::of::<0>() },
        }
    }
}
