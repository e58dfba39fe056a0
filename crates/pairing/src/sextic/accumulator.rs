//! A product that grows factor by factor: its value alternates between two places, since copying an element of eight lanes takes as
//! long as a few products in E.

use super::{Fpk, Sextic};
use crate::alternating::Alternating;
use bilinear_field::tower::NonResidue;
use bilinear_field::{Blank, Extension, Field};

/// A product of elements of F_p^k, so far.
pub(super) struct Accumulator<E: Field> {
    place: Fpk<E>,
    second: Alternating<Fpk<E>>,
    /// Whether there was a factor.
    any: bool,
}

impl<E: Extension> Accumulator<E> {
    /// The empty product.
    pub(super) fn new() -> Self {
        Accumulator { place: Blank::blank(), second: Alternating::default(), any: false }
    }

    /// The value, if there was a factor.
    pub(super) fn value(&self) -> Option<&Fpk<E>> {
        self.any.then(|| self.second.value(&self.place))
    }

    /// x ← x·factor.
    pub(super) fn times<X: NonResidue<E>>(&mut self, system: &Sextic<E, X>, factor: &Fpk<E>) {
        if self.any {
            self.second.update(&mut self.place, |out, x| system.target().mul(out, x, factor));
        } else {
            self.place.clone_from(factor);
            self.any = true;
        }
    }

    /// x ← x·factor, if there is one.
    pub(super) fn times_any<X: NonResidue<E>>(&mut self, system: &Sextic<E, X>, factor: Option<&Fpk<E>>) {
        if let Some(factor) = factor {
            self.times(system, factor);
        }
    }

    /// x ← x², in the cyclotomic subgroup, if there was a factor.
    pub(super) fn square<X: NonResidue<E>>(&mut self, system: &Sextic<E, X>) {
        if self.any {
            self.second.update(&mut self.place, |out, x| system.cyclotomic_square(out, x));
        }
    }

    /// The value, or 1.
    pub(super) fn finish<X: NonResidue<E>>(&self, system: &Sextic<E, X>) -> Fpk<E> {
        self.value().cloned().unwrap_or_else(|| system.target().one())
    }
}
