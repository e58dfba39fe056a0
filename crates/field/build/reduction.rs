//! Montgomery reduction of 2L columns, and the estimated quotient that brings a value near [0, p).
//!
//! A row adds the multiple of p that clears the lowest column. For most rows that is a multiple of p·u ≡ −1 (mod 2^52), whose
//! quotient digit is the column itself (Orup, "Simplifying quotient determination in high-radix modular multiplication",
//! ARITH 1995): no multiplication is needed to find it, and the carry is a shift of the column. The latency of 5 cycles per row
//! is hidden by the 2L instructions of the row. The last two rows are Montgomery's own, so that the result grows by p
//! and not by p·u: t becomes (t + m)/R < t/R + (1 + 2^-51)·p.
//!
//! With a Montgomery-friendly modulus (`shape`), p·u + 1 = 2^52·(1 + 2^(52z)·v): a row adds the digit to the next
//! column, and multiplies the digit by only L − z limbs.

use crate::columns::{Columns, Limbs, normalise, row};
use crate::function::{At, Function, Z};
use crate::layout::Layout;
use crate::shape::Shape;

/// The number of rows in Montgomery's own form: the last rows of a reduction.
const PLAIN: usize = 2;

/// A reduction of 2L columns under construction, with the constants that its rows multiply.
pub(crate) struct Reduction {
    shape: Shape,
    layout: Layout,
    /// The limbs of (p·u + 1)/2^52; for the last rows, the limbs of p from limb 1 on.
    limbs: Limbs,
}

impl Reduction {
    /// Creates a reduction. With `held`, the constants are loaded into registers, which must suffice for the columns
    /// as well.
    pub(crate) fn new(f: &mut Function, shape: Shape, held: bool) -> Self {
        let layout = Layout(shape.limbs);
        let At(base, first) = layout.friendly();
        let limbs = shape.zeros..shape.limbs;
        let limbs = if held { Limbs::hold(f, base, first, limbs) } else { Limbs::Read(base, first) };
        Reduction { shape, layout, limbs }
    }

    /// Clears column i, which must be complete, by additions to the columns above. Rows must be written in order.
    pub(crate) fn row(&mut self, f: &mut Function, columns: &mut Columns, i: usize) {
        let limbs = self.shape.limbs;
        if i + PLAIN < limbs {
            return self.friendly_row(f, columns, i);
        }
        if i + PLAIN == limbs {
            self.load_p(f);
        }
        self.plain_row(f, columns, i);
    }

    /// Clears the L lower columns, row by row.
    pub(crate) fn rows(&mut self, f: &mut Function, columns: &mut Columns) {
        (0..self.shape.limbs).for_each(|i| self.row(f, columns, i));
    }

    /// Replaces the friendly limbs by the limbs of p.
    fn load_p(&mut self, f: &mut Function) {
        let At(base, first) = self.layout.p();
        let friendly = std::mem::replace(&mut self.limbs, Limbs::Read(base, first));
        if let Limbs::Held(..) = friendly {
            friendly.release(f);
            self.limbs = Limbs::hold(f, base, first, self.shape.zeros + 1..self.shape.limbs);
        }
    }

    fn friendly_row(&self, f: &mut Function, columns: &mut Columns, i: usize) {
        // the digit is the low 52 bits of the column
        let digit = columns.remove(f, i);
        let Shape { limbs, zeros } = self.shape;
        let next = columns.touch(f, i + 1);
        if zeros > 0 {
            // limb 0 is 1
            f.lo(next, digit, self.layout.friendly());
        } else {
            row(f, columns, i + 1, &self.limbs, 0..1, digit);
        }
        let carry = f.take();
        f.carry(carry, digit);
        f.add(next, next, carry);
        f.give(carry);
        row(f, columns, i + 1, &self.limbs, zeros.max(1)..limbs, digit);
        f.give(digit);
    }

    fn plain_row(&self, f: &mut Function, columns: &mut Columns, i: usize) {
        let At(base, first) = self.layout.p();
        let (column, digit) = (columns.remove(f, i), f.zero());
        f.lo(digit, column, self.layout.u());
        // column + lo(p_0·digit) is a multiple of 2^52: its carry is that of column + 2^52 − 1
        f.add(column, column, self.layout.mask());
        f.carry(column, column);
        f.hi(column, digit, At(base, first));
        let Shape { limbs, zeros } = self.shape;
        if zeros == 0 {
            row(f, columns, i, &self.limbs, 1..2, digit);
        }
        let next = columns.touch(f, i + 1);
        f.add(next, next, column);
        row(f, columns, i, &self.limbs, 2.max(zeros + 1)..limbs, digit);
        f.give(column);
        f.give(digit);
    }

    /// Clears the L lower of 2L columns. `next` sets each column when a row reaches it.
    pub(crate) fn rows_as_read(
        &mut self,
        f: &mut Function,
        columns: &mut Columns,
        next: &mut dyn FnMut(&mut Function, &mut Columns, usize),
    ) {
        let limbs = self.shape.limbs;
        (0..=limbs).for_each(|k| next(f, columns, k));
        for i in 0..limbs {
            // row i reaches column L + i + 1
            if i + 1 < limbs {
                next(f, columns, limbs + i + 1);
            }
            self.row(f, columns, i);
        }
    }

    /// Stores columns L to 2L as limbs.
    pub(crate) fn finish(self, f: &mut Function, columns: &mut Columns, out: &'static str) {
        let layout = self.release(f);
        normalise(f, columns, layout.0, layout.0, At(out, 0), layout.mask());
    }

    /// Gives back the registers of the constants, and returns the layout.
    pub(crate) fn release(self, f: &mut Function) -> Layout {
        self.limbs.release(f);
        self.layout
    }
}

/// Subtracts q·p·2^(52·first) for q = ⌊t/p⌋ or one less, where t ≥ p is the value of the columns from `first` on: adds
/// q·(2^(52L) − p) and subtracts q above these columns.
///
/// The window ⌊t/2^(52(L − 1))⌋ is read one too high where the lower columns sum to a negative number. The −1 from
/// which the estimate of q starts makes up for that.
pub(crate) fn shrink(f: &mut Function, columns: &mut Columns, limbs: usize, first: usize) {
    let layout = Layout(limbs);
    let (top, below) = (columns.touch(f, first + limbs - 1), columns.touch(f, first + limbs - 2));
    let q = quotient(f, layout, top, below);
    let At(base, at) = layout.complement();
    let complement = Limbs::Read(base, at);
    row(f, columns, first, &complement, 0..limbs - 1, q);
    f.lo(top, q, At(base, at + limbs - 1));
    let high: Z = f.zero();
    f.hi(high, q, At(base, at + limbs - 1));
    f.sub(high, high, q);
    f.line(format_args!("vpsllq {high}, {high}, 52"));
    f.add(top, top, high);
    f.give(high);
    f.give(q);
}

/// Estimates the q of [`shrink`] from the two highest columns.
pub(crate) fn quotient(f: &mut Function, layout: Layout, top: Z, below: Z) -> Z {
    let (window, q) = (f.take(), f.take());
    f.line(format_args!("vpternlogq {q}, {q}, {q}, 255"));
    f.carry(window, below);
    f.add(window, window, top);
    f.hi(q, window, layout.reciprocal());
    f.line(format_args!("vpsrlvq {q}, {q}, {}", layout.shift()));
    f.give(window);
    q
}
