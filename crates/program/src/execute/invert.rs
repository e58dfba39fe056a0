//! Inversions that all vectors of a batch share (P. L. Montgomery, "Speeding the Pollard and elliptic curve methods of
//! factorization", Math. Comp. 48 (1987)): one inversion and 3(n − 1) products for n values.
//!
//! A value is an address, and an operation is a method of the field called by address: nothing here is compiled for a field.
#![allow(unsafe_code)]

use super::arithmetic::{Arithmetic, Table};
use bilinear_field::{Code, Kind};
use num_bigint::BigUint;
use num_traits::One;

/// An inversion that all vectors share: values by number, one vector after the other.
pub(super) struct Inversion<'a> {
    /// The numerator, for quotients.
    pub(super) numerator: Option<*const ()>,
    /// The number of values that are inverted. `x` and `result` give the addresses of each value and of its result.
    pub(super) len: usize,
    pub(super) x: &'a dyn Fn(usize) -> *mut (),
    pub(super) result: &'a dyn Fn(usize) -> *mut (),
    /// The number of truth values that say whether the quotients are undefined. `undefined` gives their addresses.
    pub(super) truths: usize,
    pub(super) undefined: &'a dyn Fn(usize) -> *mut (),
}

impl Inversion<'_> {
    /// Writes 1/x for each x, 0 for 0; or c/x for each x, all 0 if one of them is 0, and whether one is.
    ///
    /// # Safety
    /// The addresses are those of values of this field, the x and the numerator hold values, and nothing else reads or writes what is
    /// written meanwhile.
    pub(super) unsafe fn run(&self, field: &dyn Arithmetic, scratch: &Scratch) {
        let undefined = (0..self.truths).map(self.undefined);
        if self.len == 0 {
            // SAFETY: the caller's promise
            return undefined.for_each(|to| unsafe { field.load_mask(to, 0) });
        }
        let work = scratch.with(field, self.len);
        // SAFETY: the caller's promise, and places of `work` that hold values when they are read: a result may lie where an x lay,
        // which has been copied by then
        unsafe {
            for i in 0..self.len {
                field.copy(work.x(i), (self.x)(i));
            }
            match self.numerator {
                Some(c) => work.quotients(c),
                None => work.inverses(),
            }
            for i in 0..self.len {
                field.copy((self.result)(i), work.x(i));
            }
            for to in undefined {
                work.call(Code::And, to, work.mask(), work.mask());
            }
        }
    }
}

/// The places for intermediate values.
pub(super) struct Scratch {
    pub(super) elems: Table,
    pub(super) masks: Table,
}

/// The first places of a scratch.
const ONE: usize = 0;
const ZERO: usize = 1;
const FACTOR: usize = 2;
const OWN: usize = 3;
/// Two places between which a running product alternates.
const RUNNING: [usize; 2] = [4, 5];
const BEHIND: usize = 6;

impl Scratch {
    /// The number of places of constants, which are not wiped.
    pub(super) const CONSTANTS: usize = FACTOR;

    /// Creates a scratch without places for values.
    pub(super) fn new(field: &dyn Arithmetic) -> Self {
        let scratch = Scratch { elems: field.table(Kind::Elem, BEHIND), masks: field.table(Kind::Mask, 1) };
        scratch.set_constants(field);
        scratch
    }

    /// Makes sure that there are places for this many values.
    pub(super) fn reserve(&mut self, field: &dyn Arithmetic, len: usize) {
        if self.elems.len() < BEHIND + 2 * len {
            self.elems = field.table(Kind::Elem, BEHIND + 2 * len);
            self.set_constants(field);
        }
    }

    fn set_constants(&self, field: &dyn Arithmetic) {
        // SAFETY: places of the table
        unsafe {
            field.constant(self.elems.at(ONE), &BigUint::one());
            field.constant(self.elems.at(ZERO), &BigUint::ZERO);
        }
    }

    /// Overwrites all values except constants.
    pub(super) fn wipe(&mut self, field: &dyn Arithmetic) {
        field.wipe(Kind::Elem, &mut self.elems, Self::CONSTANTS);
        field.wipe(Kind::Mask, &mut self.masks, 0);
    }

    /// Prepares to invert this many values, for which there must be places.
    fn with<'s>(&'s self, field: &'s dyn Arithmetic, len: usize) -> Work<'s> {
        assert!(BEHIND + 2 * len <= self.elems.len(), "places for {len} values");
        Work { field, elems: &self.elems, masks: &self.masks, len }
    }
}

/// A scratch in use.
struct Work<'s> {
    field: &'s dyn Arithmetic,
    elems: &'s Table,
    masks: &'s Table,
    /// The number of values that are inverted.
    len: usize,
}

impl Work<'_> {
    fn mask(&self) -> *mut () {
        self.masks.at(0)
    }

    /// The place of value i, and at the end of its result.
    fn x(&self, i: usize) -> *mut () {
        self.elems.at(BEHIND + i)
    }

    /// The place of the product of the values below i (for inverses), or of those up to i (for quotients).
    fn product(&self, i: usize) -> *mut () {
        self.elems.at(BEHIND + self.len + i)
    }

    /// # Safety
    /// The addresses are places of the operation's kinds, as [`Inversion::run`] requires.
    unsafe fn call(&self, code: Code, out: *mut (), a: *const (), b: *const ()) {
        let (function, field) = self.field.function(code);
        // SAFETY: the caller's promise; of these operations a selection alone reads more, a mask
        unsafe { function(out, a, b, field, self.mask(), 0) }
    }

    /// Sets out to a where the mask is set, and to b elsewhere.
    ///
    /// # Safety
    /// As for [`Work::call`].
    unsafe fn select(&self, out: *mut (), a: *const (), b: *const ()) {
        // SAFETY: the caller's promise
        unsafe { self.call(Code::Select, out, a, b) }
    }

    /// Sets the mask where x is 0, and sets FACTOR to 1 there and to x elsewhere.
    ///
    /// # Safety
    /// As for [`Work::call`].
    unsafe fn factor(&self, x: *const ()) {
        // SAFETY: the caller's promise
        unsafe {
            self.call(Code::IsZero, self.mask(), x, x);
            self.select(self.elems.at(FACTOR), self.elems.at(ONE), x);
        }
    }

    /// Replaces each x_i by 1/x_i, and 0 by 0.
    ///
    /// # Safety
    /// The values are set.
    unsafe fn inverses(&self) {
        let [mut running, mut next] = RUNNING.map(|i| self.elems.at(i));
        let own = self.elems.at(OWN);
        // SAFETY: the caller's promise; no result lies where an operand does
        unsafe {
            if self.len == 1 {
                self.call(Code::Invert, own, self.x(0), self.x(0));
                return self.field.copy(self.x(0), own);
            }
            self.field.copy(running, self.elems.at(ONE));
            for i in 0..self.len {
                // product_i = x_0 ⋯ x_{i−1}, zeros left out
                self.field.copy(self.product(i), running);
                self.factor(self.x(i));
                self.call(Code::Mul, running, self.product(i), self.elems.at(FACTOR));
            }
            self.call(Code::Invert, next, running, running);
            for i in (0..self.len).rev() {
                std::mem::swap(&mut running, &mut next);
                // running = 1/(x_0 ⋯ x_i), zeros left out
                self.factor(self.x(i));
                self.call(Code::Mul, own, running, self.product(i));
                self.call(Code::Mul, next, running, self.elems.at(FACTOR));
                self.select(self.x(i), self.elems.at(ZERO), own);
            }
        }
    }

    /// Replaces each x_i by c/x_i. If one was 0, all become 0 and the mask is set.
    ///
    /// # Safety
    /// The values are set.
    unsafe fn quotients(&self, c: *const ()) {
        let [mut running, mut next] = RUNNING.map(|i| self.elems.at(i));
        let (own, last) = (self.elems.at(OWN), self.len - 1);
        // SAFETY: the caller's promise; no result lies where an operand does
        unsafe {
            // product_i = x_0 ⋯ x_i
            self.field.copy(self.product(0), self.x(0));
            for i in 1..=last {
                self.call(Code::Mul, self.product(i), self.product(i - 1), self.x(i));
            }
            self.call(Code::IsZero, self.mask(), self.product(last), self.product(last));
            self.call(Code::Invert, own, self.product(last), self.product(last));
            self.call(Code::Mul, running, own, c);
            for i in (1..=last).rev() {
                // running = c/(x_0 ⋯ x_i)
                self.call(Code::Mul, own, running, self.product(i - 1));
                self.call(Code::Mul, next, running, self.x(i));
                self.field.copy(self.x(i), own);
                std::mem::swap(&mut running, &mut next);
            }
            self.field.copy(self.x(0), running);
        }
    }
}
