//! A product that grows factor by factor: its value alternates between two places, since copying an element of eight lanes takes as
//! long as a few products in E.

use super::{Fpk, Sextic};
use bilinear_field::tower::NonResidue;
use bilinear_field::{Blank, Extension, Field};

/// A product of elements of F_p^k, so far.
pub(super) struct Accumulator<E: Field> {
    places: [Fpk<E>; 2],
    /// Which place the value is in; `None` as long as there is no factor.
    front: Option<usize>,
}

impl<E: Field> Accumulator<E> {
    /// The empty product.
    pub(super) fn new() -> Self {
        Accumulator { places: Blank::blank(), front: None }
    }

    /// The value, if there was a factor.
    pub(super) fn value(&self) -> Option<&Fpk<E>> {
        self.front.map(|front| &self.places[front])
    }

    /// x ← `map`(x), if there was a factor.
    fn update(&mut self, map: impl FnOnce(&mut Fpk<E>, &Fpk<E>)) {
        let [a, b] = self.places.each_mut();
        self.front = self.front.map(|front| {
            if front == 0 {
                map(b, a)
            } else {
                map(a, b)
            }
            1 - front
        });
    }
}

impl<E: Extension> Accumulator<E> {
    /// x ← x·factor.
    pub(super) fn times<X: NonResidue<E>>(&mut self, system: &Sextic<E, X>, factor: &Fpk<E>) {
        if self.front.is_none() {
            self.places[0].clone_from(factor);
            self.front = Some(0);
        } else {
            self.update(|out, x| system.target().mul(out, x, factor));
        }
    }

    /// x ← x·factor, if there is one.
    pub(super) fn times_any<X: NonResidue<E>>(&mut self, system: &Sextic<E, X>, factor: Option<&Fpk<E>>) {
        if let Some(factor) = factor {
            self.times(system, factor);
        }
    }

    /// x ← x², in the cyclotomic subgroup.
    pub(super) fn square<X: NonResidue<E>>(&mut self, system: &Sextic<E, X>) {
        self.update(|out, x| system.cyclotomic_square(out, x));
    }

    /// The value, or 1.
    pub(super) fn finish<X: NonResidue<E>>(&self, system: &Sextic<E, X>) -> Fpk<E> {
        self.value().cloned().unwrap_or_else(|| system.target().one())
    }
}
