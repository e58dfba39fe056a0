//! The accumulator of one product: lines meet each other before they meet a full element.

use super::line::{Pattern, embed, line_times_line, times_line};
use super::{Fpk, Target};
use crate::alternating::Alternating;
use bilinear_field::tower::NonResidue;
use bilinear_field::{Blank, Extension, Field};

/// What a product has met so far.
#[derive(Clone, Copy, Default)]
enum Met {
    /// Nothing: f = 1.
    #[default]
    Nothing,
    /// A single line: f is that line.
    Line,
    /// More.
    Value,
}

/// A product on its way.
#[derive(Clone, Default)]
pub(super) struct Product<T> {
    met: Met,
    line: [T; 3],
    value: Alternating<[[T; 3]; 2]>,
}

impl<T: Clone + Blank> Product<T> {
    /// Makes f = 1.
    pub(super) fn clear(&mut self) {
        self.met = Met::Nothing;
        self.value.restart();
    }

    /// f ← f·line.
    pub(super) fn absorb<E: Extension<Elem = T>, X: NonResidue<E>>(
        &mut self,
        target: &Target<E, X>,
        pattern: Pattern,
        f: &mut Fpk<E>,
        line: &[T; 3],
    ) {
        self.met = match self.met {
            Met::Nothing => {
                self.line.clone_from(line);
                Met::Line
            }
            Met::Line => {
                line_times_line(target, pattern, f, &self.line, Some(line));
                Met::Value
            }
            Met::Value => {
                self.value.update(f, |out, f| times_line(target, pattern, out, f, line));
                Met::Value
            }
        };
    }

    /// f ← f².
    pub(super) fn square<E: Extension<Elem = T>, X: NonResidue<E>>(
        &mut self,
        target: &Target<E, X>,
        pattern: Pattern,
        f: &mut Fpk<E>,
    ) {
        match self.met {
            Met::Nothing => {}
            Met::Line => {
                line_times_line(target, pattern, f, &self.line, None);
                self.met = Met::Value;
            }
            Met::Value => self.value.update(f, |out, f| target.sqr(out, f)),
        }
    }

    /// Puts the value in f. Without any line, f is the caller's affair.
    pub(super) fn finish<E: Extension<Elem = T>>(&mut self, e: &E, pattern: Pattern, f: &mut Fpk<E>) {
        match self.met {
            Met::Nothing => {}
            Met::Line => *f = embed(e, pattern, self.line.clone()),
            Met::Value => self.value.finish(f),
        }
        self.met = Met::Value;
    }
}
