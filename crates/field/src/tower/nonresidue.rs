//! Non-residues ν, whose roots the levels of a tower adjoin. Multiplication by ν costs no product, except by a
//! [`General`] or a [`Scalar`](super::Scalar).

use super::{Cubic, Quadratic};
use crate::at;
use crate::contract::Field;
use crate::term::{List, Term, plus};

/// Linear forms Σ c·x + ν·Σ d·y over a field `B`, in one pass.
pub trait NonResidue<B: Field>: Clone + Send + Sync {
    /// Returns true if ν is written as −1: engines have kernels for products in F_p(i).
    fn is_minus_one(&self) -> bool {
        false
    }
    /// Computes Σ `terms` + ν·Σ `scaled`, unreduced.
    fn lin(&self, base: &B, out: &mut B::Wide, terms: &[Term<B::Wide>], scaled: &[Term<B::Wide>]);
    /// Computes Σ `terms` + ν·Σ `scaled`, reduced.
    fn reduce(&self, base: &B, out: &mut B::Elem, terms: &[Term<B::Wide>], scaled: &[Term<B::Wide>]);
    /// Computes Σ `terms` + ν·Σ `scaled` on elements, closed.
    fn sum(&self, base: &B, out: &mut B::Elem, terms: &[Term<B::Elem>], scaled: &[Term<B::Elem>]);
}

/// A non-residue ν that is a small integer, for example −1 or 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Small(pub i32);

/// A small integer a plus the root s that the level below adjoined (s² or s³ = ν'), as ν: for example ξ = 1 + i or
/// 9 + i, or for a = 0 the root itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootPlus(pub i32);

/// Any element of the level below, as ν. A product by ν costs a reduction and a product of that level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct General<E>(pub E);

/// A non-residue of one of two kinds, chosen by a description at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Either<X, Y> {
    /// A non-residue of the first kind.
    First(X),
    /// A non-residue of the second kind.
    Second(Y),
}

/// Delegates to the method of the kind that the value has.
macro_rules! either {
    ($name:ident, $kind:ident, $out:ident) => {
        fn $name(&self, base: &B, out: &mut B::$out, terms: &[Term<B::$kind>], scaled: &[Term<B::$kind>]) {
            match self {
                Either::First(nu) => nu.$name(base, out, terms, scaled),
                Either::Second(nu) => nu.$name(base, out, terms, scaled),
            }
        }
    };
}

impl<B: Field, X: NonResidue<B>, Y: NonResidue<B>> NonResidue<B> for Either<X, Y> {
    fn is_minus_one(&self) -> bool {
        match self {
            Either::First(nu) => nu.is_minus_one(),
            Either::Second(nu) => nu.is_minus_one(),
        }
    }

    either!(lin, Wide, Wide);
    either!(reduce, Wide, Elem);
    either!(sum, Elem, Elem);
}

impl<B: Field> NonResidue<B> for Small {
    #[inline]
    fn is_minus_one(&self) -> bool {
        self.0 == -1
    }

    #[inline]
    fn lin(&self, base: &B, out: &mut B::Wide, terms: &[Term<B::Wide>], scaled: &[Term<B::Wide>]) {
        base.lin(out, List::new().all(1, terms).all(self.0, scaled).terms());
    }

    #[inline]
    fn reduce(&self, base: &B, out: &mut B::Elem, terms: &[Term<B::Wide>], scaled: &[Term<B::Wide>]) {
        base.reduce(out, List::new().all(1, terms).all(self.0, scaled).terms());
    }

    #[inline]
    fn sum(&self, base: &B, out: &mut B::Elem, terms: &[Term<B::Elem>], scaled: &[Term<B::Elem>]) {
        base.sum(out, List::new().all(1, terms).all(self.0, scaled).terms());
    }
}

impl<B: Field> NonResidue<B> for General<B::Elem> {
    fn lin(&self, base: &B, out: &mut B::Wide, terms: &[Term<B::Wide>], scaled: &[Term<B::Wide>]) {
        at! {base; x = reduce(scaled); product = mul_wide(&x, &self.0);}
        base.lin(out, List::new().all(1, terms).all(1, &[plus(&product)]).terms());
    }

    fn reduce(&self, base: &B, out: &mut B::Elem, terms: &[Term<B::Wide>], scaled: &[Term<B::Wide>]) {
        at! {base; x = reduce(scaled); product = mul_wide(&x, &self.0);}
        base.reduce(out, List::new().all(1, terms).all(1, &[plus(&product)]).terms());
    }

    fn sum(&self, base: &B, out: &mut B::Elem, terms: &[Term<B::Elem>], scaled: &[Term<B::Elem>]) {
        at! {base; x = sum(scaled); product = mul(&x, &self.0);}
        base.sum(out, List::new().all(1, terms).all(1, &[plus(&product)]).terms());
    }
}

/// Implements (a + s)·Σ x_i·s^i = (a·x_0 + ν'·x_(d − 1)) + (a·x_1 + x_0)·s + … for s^d = ν'. Terms with coefficient
/// a = 0 are left out.
macro_rules! root_plus {
    ($field:ident, $d:literal) => {
        impl<C: Field, N: NonResidue<C>> NonResidue<$field<C, N>> for RootPlus {
            root_plus!(lin, Wide, Wide, $field, $d);
            root_plus!(reduce, Wide, Elem, $field, $d);
            root_plus!(sum, Elem, Elem, $field, $d);
        }
    };
    ($name:ident, $kind:ident, $out:ident, $field:ident, $d:literal) => {
        #[inline]
        fn $name(
            &self,
            field: &$field<C, N>,
            out: &mut [C::$out; $d],
            terms: &[Term<[C::$kind; $d]>],
            scaled: &[Term<[C::$kind; $d]>],
        ) {
            let (base, nr) = (field.base(), field.nonresidue());
            for (i, out) in out.iter_mut().enumerate() {
                let mut x = List::new();
                x.pick(1, terms, i);
                if self.0 != 0 {
                    x.pick(self.0, scaled, i);
                }
                if i == 0 {
                    nr.$name(base, out, x.terms(), List::new().pick(1, scaled, $d - 1).terms());
                } else {
                    base.$name(out, x.pick(1, scaled, i - 1).terms());
                }
            }
        }
    };
}

root_plus!(Quadratic, 2);
root_plus!(Cubic, 3);
