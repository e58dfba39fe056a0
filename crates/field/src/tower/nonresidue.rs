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

/// The root that the level below adjoined, as ν (v, with v² or v³ = ν').
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Root;

/// A small integer a plus the root of the quadratic level below, as ν, for example ξ = 1 + i or 9 + i.
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

/// Implements (a + s)(x0 + x1·s) = (a·x0 + ν'·x1) + (x0 + a·x1)·s for s² = ν'. Terms with coefficient a = 0 are left
/// out.
macro_rules! root_plus_quadratic {
    ($name:ident, $kind:ident, $out:ident) => {
        #[inline]
        fn $name(
            &self,
            field: &Quadratic<C, N>,
            out: &mut [C::$out; 2],
            terms: &[Term<[C::$kind; 2]>],
            scaled: &[Term<[C::$kind; 2]>],
        ) {
            let (base, nr) = (field.base(), field.nonresidue());
            let (mut x0, mut x1) = (List::new(), List::new());
            x0.pick(1, terms, 0);
            x1.pick(1, terms, 1);
            if self.0 != 0 {
                x0.pick(self.0, scaled, 0);
                x1.pick(self.0, scaled, 1);
            }
            let [o0, o1] = out;
            nr.$name(base, o0, x0.terms(), List::new().pick(1, scaled, 1).terms());
            base.$name(o1, x1.pick(1, scaled, 0).terms());
        }
    };
}

impl<C: Field, N: NonResidue<C>> NonResidue<Quadratic<C, N>> for RootPlus {
    root_plus_quadratic!(lin, Wide, Wide);
    root_plus_quadratic!(reduce, Wide, Elem);
    root_plus_quadratic!(sum, Elem, Elem);
}

/// Implements (a + v)(x0 + x1·v + x2·v²) = (a·x0 + ν'·x2) + (x0 + a·x1)·v + (x1 + a·x2)·v² for v³ = ν', likewise
/// without terms of coefficient a = 0.
macro_rules! root_plus_cubic {
    ($name:ident, $kind:ident, $out:ident) => {
        #[inline]
        fn $name(
            &self,
            field: &Cubic<C, N>,
            out: &mut [C::$out; 3],
            terms: &[Term<[C::$kind; 3]>],
            scaled: &[Term<[C::$kind; 3]>],
        ) {
            let (base, nr) = (field.base(), field.nonresidue());
            let (mut x0, mut x1, mut x2) = (List::new(), List::new(), List::new());
            for (i, x) in [&mut x0, &mut x1, &mut x2].into_iter().enumerate() {
                x.pick(1, terms, i);
                if self.0 != 0 {
                    x.pick(self.0, scaled, i);
                }
            }
            nr.$name(base, &mut out[0], x0.terms(), List::new().pick(1, scaled, 2).terms());
            base.$name(&mut out[1], x1.pick(1, scaled, 0).terms());
            base.$name(&mut out[2], x2.pick(1, scaled, 1).terms());
        }
    };
}

impl<C: Field, N: NonResidue<C>> NonResidue<Cubic<C, N>> for RootPlus {
    root_plus_cubic!(lin, Wide, Wide);
    root_plus_cubic!(reduce, Wide, Elem);
    root_plus_cubic!(sum, Elem, Elem);
}

/// Implements the root as a + root with a = 0.
macro_rules! root {
    ($name:ident, $kind:ident, $out:ident) => {
        #[inline]
        fn $name(&self, base: &B, out: &mut B::$out, terms: &[Term<B::$kind>], scaled: &[Term<B::$kind>]) {
            RootPlus(0).$name(base, out, terms, scaled);
        }
    };
}

impl<B: Field> NonResidue<B> for Root
where
    RootPlus: NonResidue<B>,
{
    root!(lin, Wide, Wide);
    root!(reduce, Wide, Elem);
    root!(sum, Elem, Elem);
}
