//! The accumulator f of a Miller loop. Its first lines are multiplied with each other (sparse times sparse) before it becomes a full
//! element.

use super::line::{Pattern, embed, line_times_line, times_line};
use super::{Fpk, Target};
use bilinear_field::tower::NonResidue;
use bilinear_field::{Blank, Extension, Field, at};

/// What a product has met so far.
#[derive(Clone)]
pub enum SparseProduct<E: Field> {
    /// Nothing: f = 1.
    One,
    /// A single line: f is that line.
    Line([E::Elem; 3]),
    /// More.
    Value(Fpk<E>),
}

impl<E: Extension> SparseProduct<E> {
    /// f·line.
    pub(super) fn absorb<X: NonResidue<E>>(
        &self,
        target: &Target<E, X>,
        pattern: Pattern,
        line: &[E::Elem; 3],
    ) -> SparseProduct<E> {
        let mut product = Blank::blank();
        match self {
            SparseProduct::One => return SparseProduct::Line(line.clone()),
            SparseProduct::Line(first) => line_times_line(target, pattern, &mut product, first, Some(line)),
            SparseProduct::Value(f) => times_line(target, pattern, &mut product, f, line),
        }
        SparseProduct::Value(product)
    }

    /// f².
    pub(super) fn square<X: NonResidue<E>>(&self, target: &Target<E, X>, pattern: Pattern) -> SparseProduct<E> {
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

    /// A function of f that 1 is left by as it is.
    pub(super) fn map(self, e: &E, pattern: Pattern, map: impl FnOnce(&Fpk<E>) -> Fpk<E>) -> SparseProduct<E> {
        self.value(e, pattern).map_or(SparseProduct::One, |f| SparseProduct::Value(map(&f)))
    }

    /// f, if it has met a line.
    pub(super) fn value(self, e: &E, pattern: Pattern) -> Option<Fpk<E>> {
        match self {
            SparseProduct::One => None,
            SparseProduct::Line(line) => Some(embed(e, pattern, line)),
            SparseProduct::Value(f) => Some(f),
        }
    }
}
