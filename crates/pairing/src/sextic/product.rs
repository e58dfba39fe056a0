//! The accumulator f of a Miller loop. Its first lines are multiplied with each other (sparse times sparse) before it becomes a full
//! element.

use super::line::{Pattern, embed, line_times_line, times_line};
use super::{Fpk, Target};
use bilinear_field::tower::NonResidue;
use bilinear_field::{Blank, Extension, Field, at};

/// What a product has met so far.
#[derive(Clone)]
pub enum Product<E: Field> {
    /// Nothing: f = 1.
    One,
    /// A single line: f is that line.
    Line([E::Elem; 3]),
    /// More.
    Value(Fpk<E>),
}

impl<E: Extension> Product<E> {
    /// f·line.
    pub(super) fn absorb<X: NonResidue<E>>(
        &self,
        target: &Target<E, X>,
        pattern: Pattern,
        line: &[E::Elem; 3],
    ) -> Product<E> {
        let mut product = Blank::blank();
        match self {
            Product::One => return Product::Line(line.clone()),
            Product::Line(first) => line_times_line(target, pattern, &mut product, first, Some(line)),
            Product::Value(f) => times_line(target, pattern, &mut product, f, line),
        }
        Product::Value(product)
    }

    /// f².
    pub(super) fn square<X: NonResidue<E>>(&self, target: &Target<E, X>, pattern: Pattern) -> Product<E> {
        match self {
            Product::One => Product::One,
            Product::Line(line) => {
                let mut square = Blank::blank();
                line_times_line(target, pattern, &mut square, line, None);
                Product::Value(square)
            }
            Product::Value(f) => {
                at! {target; square = sqr(f);}
                Product::Value(square)
            }
        }
    }

    /// f, if it has met a line.
    pub(super) fn value(self, e: &E, pattern: Pattern) -> Option<Fpk<E>> {
        match self {
            Product::One => None,
            Product::Line(line) => Some(embed(e, pattern, line)),
            Product::Value(f) => Some(f),
        }
    }
}
