//! The accumulator f of a Miller loop. Its first lines are multiplied with each other (sparse times sparse) before it becomes a full
//! element.

use super::line::{Pattern, embed, line_times_line, times_line};
use super::{E, Elem, Fpk, Target};
use bilinear_field::{Blank, Field, Prime, at};

/// The accumulator f, by the number of lines multiplied into it so far.
#[derive(Clone)]
pub enum SparseProduct<F: Prime> {
    /// No line: f = 1.
    One,
    /// A single line: f is this line.
    Line([Elem<F>; 3]),
    /// More than one line: f is a full element.
    Value(Fpk<F>),
}

impl<F: Prime> SparseProduct<F> {
    /// Returns f·line.
    pub(super) fn mul_by_line(&self, target: &Target<F>, pattern: Pattern, line: &[Elem<F>; 3]) -> SparseProduct<F> {
        let mut product = Blank::blank();
        match self {
            SparseProduct::One => return SparseProduct::Line(line.clone()),
            SparseProduct::Line(first) => line_times_line(target, pattern, &mut product, first, Some(line)),
            SparseProduct::Value(f) => times_line(target, pattern, &mut product, f, line),
        }
        SparseProduct::Value(product)
    }

    /// Returns f².
    pub(super) fn square(&self, target: &Target<F>, pattern: Pattern) -> SparseProduct<F> {
        match self {
            SparseProduct::One => SparseProduct::One,
            SparseProduct::Line(line) => {
                let mut square = Blank::blank();
                line_times_line(target, pattern, &mut square, line, None);
                SparseProduct::Value(square)
            }
            SparseProduct::Value(f) => {
                at! {target; square = sqr(f);}
                SparseProduct::Value(square)
            }
        }
    }

    /// Applies to f a function that leaves 1 unchanged.
    pub(super) fn map(self, e: &E<F>, pattern: Pattern, map: impl FnOnce(&Fpk<F>) -> Fpk<F>) -> SparseProduct<F> {
        self.value(e, pattern).map_or(SparseProduct::One, |f| SparseProduct::Value(map(&f)))
    }

    /// Returns f as a full element, or `None` if no line has been multiplied into it.
    pub(super) fn value(self, e: &E<F>, pattern: Pattern) -> Option<Fpk<F>> {
        match self {
            SparseProduct::One => None,
            SparseProduct::Line(line) => Some(embed(e, pattern, line)),
            SparseProduct::Value(f) => Some(f),
        }
    }
}
