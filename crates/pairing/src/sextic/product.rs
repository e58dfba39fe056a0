//! The accumulator of one product: lines meet each other before they meet a full element.

use super::line::{Pattern, embed, line_times_line, times_line};
use super::{Fpk, Target};
use bilinear_field::tower::NonResidue;
use bilinear_field::{Extension, Field};

/// What a product has met so far.
#[derive(Clone, Default)]
pub(super) enum Product<E> {
    /// Nothing: f = 1.
    #[default]
    Nothing,
    /// A single line: f is that line.
    Line([E; 3]),
    /// More; the value is the caller's f.
    Value,
}

impl<T: Clone + Default> Product<T> {
    /// f ← f·line.
    pub(super) fn absorb<E: Extension<Elem = T>, X: NonResidue<E>>(
        &mut self,
        target: &Target<E, X>,
        pattern: Pattern,
        f: &mut Fpk<E>,
        line: [T; 3],
    ) {
        let mut out = Default::default();
        match std::mem::replace(self, Product::Value) {
            Product::Nothing => return *self = Product::Line(line),
            Product::Line(first) => line_times_line(target, pattern, &mut out, &first, Some(&line)),
            Product::Value => times_line(target, pattern, &mut out, f, &line),
        }
        *f = out;
    }

    /// f ← f².
    pub(super) fn square<E: Extension<Elem = T>, X: NonResidue<E>>(
        &mut self,
        target: &Target<E, X>,
        pattern: Pattern,
        f: &mut Fpk<E>,
    ) {
        let mut out = Default::default();
        match self {
            Product::Nothing => return,
            Product::Line(line) => line_times_line(target, pattern, &mut out, line, None),
            Product::Value => target.sqr(&mut out, f),
        }
        *self = Product::Value;
        *f = out;
    }

    /// Makes f a full element.
    pub(super) fn finish<E: Extension<Elem = T>>(&mut self, e: &E, pattern: Pattern, f: &mut Fpk<E>) {
        if let Product::Line(line) = std::mem::replace(self, Product::Value) {
            *f = embed(e, pattern, line);
        }
    }
}
