//! Extension fields: fields over fields.
//!
//! `Wide` of an extension is an array of the base field's `Wide`, so a product in F_p^k, however deep the tower, ends in
//! exactly k calls of the base field's `reduce` (generalised lazy reduction, Aranha, Karabina, Longa, Gebotys, López,
//! EUROCRYPT 2011, section 3). The non-residue of a level only rearranges lists. A [`Dense`] extension is the exception: its
//! polynomial has coefficients to multiply by.

mod any;
mod cubic;
mod dense;
mod nonresidue;
mod quadratic;

pub use any::{AnyElem, AnyFrobenius, AnyNonResidue, AnyTower};
pub use cubic::Cubic;
pub use dense::{Dense, Scalar};
pub use nonresidue::{Either, General, NonResidue, RootPlus, Small};
pub use quadratic::{Complex, Quadratic};

use crate::contract::Field;
use crate::term::{List, Term};

/// Delegates masks and named steps to the base field.
macro_rules! masks {
    () => {
        #[inline]
        fn mask(&self, value: bool) -> Self::Mask {
            self.base.mask(value)
        }

        #[inline]
        fn mask_from(&self, values: &[bool]) -> Self::Mask {
            self.base.mask_from(values)
        }

        #[inline]
        fn and(&self, a: Self::Mask, b: Self::Mask) -> Self::Mask {
            self.base.and(a, b)
        }

        #[inline]
        fn not(&self, a: Self::Mask) -> Self::Mask {
            self.base.not(a)
        }

        #[inline]
        fn routine<T>(&self, name: &'static str, step: impl FnOnce() -> T) -> T {
            self.base.routine(name, step)
        }
    };
}
use masks;

/// Implements the operations that act coefficient by coefficient, for every extension of degree D by a root.
macro_rules! componentwise {
    ($d:literal) => {
        $crate::tower::masks!();

        #[inline]
        fn zero(&self) -> Self::Elem {
            let mut zero = Self::Elem::blank();
            zero.fill(self.base.zero());
            zero
        }

        #[inline]
        fn one(&self) -> Self::Elem {
            let mut one = self.zero();
            one[0] = self.base.one();
            one
        }

        #[inline]
        fn lin(&self, out: &mut Self::Wide, terms: &[Term<Self::Wide>]) {
            for (i, o) in out.iter_mut().enumerate() {
                self.base.lin(o, List::new().pick(1, terms, i).terms());
            }
        }

        #[inline]
        fn add(&self, out: &mut Self::Elem, a: &Self::Elem, b: &Self::Elem) {
            for i in 0..$d {
                self.base.add(&mut out[i], &a[i], &b[i]);
            }
        }

        #[inline]
        fn three_and_two(&self, out: &mut Self::Elem, p: &Self::Elem, x: &Self::Elem, subtract: bool) {
            for i in 0..$d {
                self.base.three_and_two(&mut out[i], &p[i], &x[i], subtract);
            }
        }

        #[inline]
        fn sum(&self, out: &mut Self::Elem, terms: &[Term<Self::Elem>]) {
            for (i, o) in out.iter_mut().enumerate() {
                self.base.sum(o, List::new().pick(1, terms, i).terms());
            }
        }

        #[inline]
        fn select(&self, out: &mut Self::Elem, mask: Self::Mask, a: &Self::Elem, b: &Self::Elem) {
            for i in 0..$d {
                self.base.select(&mut out[i], mask, &a[i], &b[i]);
            }
        }

        #[inline]
        fn is_zero(&self, a: &Self::Elem) -> Self::Mask {
            let mut zero = self.base.is_zero(&a[0]);
            for x in &a[1..] {
                zero = self.base.and(zero, self.base.is_zero(x));
            }
            zero
        }
    };
}
use componentwise;

/// Reduces the list of each coefficient separately.
#[inline]
fn reduce_each<B: Field, const D: usize>(base: &B, out: &mut [B::Elem; D], terms: &[Term<[B::Wide; D]>]) {
    for (i, o) in out.iter_mut().enumerate() {
        base.reduce(o, List::new().pick(1, terms, i).terms());
    }
}
