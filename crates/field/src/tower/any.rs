//! Extensions whose shape is a run-time value: F_p², F_p³, quadratic extensions of them, and dense extensions of F_p.
//! Formulas over [`AnyTower`] are compiled once for all shapes; an operation takes one more comparison for each level, and an
//! allocation for each element that is not of F_p² or F_p³.

use super::{Cubic, Dense, Either, General, NonResidue, Quadratic, RootPlus, Scalar, Small};
use crate::blank::Blank;
use crate::collect_vec::CollectVec;
use crate::contract::{Field, Prime};
use crate::extension::Extension;
use crate::term::{List, Term};

/// A tower of quadratic extensions over F_p² or F_p³, or a dense extension of F_p.
#[derive(Clone)]
pub enum AnyTower<F: Prime> {
    /// F_p(r), r² = ν.
    Quadratic(Quadratic<F, Either<Small, General<F::Elem>>>),
    /// F_p(r), r³ = ν.
    Cubic(Cubic<F, Either<Small, General<F::Elem>>>),
    /// T(r), r² = ν, for a tower T.
    Above(Box<Quadratic<AnyTower<F>, AnyNonResidue<F>>>),
    /// F_p(x) by any polynomial.
    Dense(Dense<F>),
}

/// The non-residue ν of such a tower: the tower's last root plus a small integer, or any element.
pub type AnyNonResidue<F> = Either<RootPlus, General<AnyElem<<F as Field>::Elem>>>;

/// The coefficients of an element, or of an unreduced sum of products, over the level below.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnyElem<T> {
    /// The coefficients over F_p of an element of F_p².
    Two([T; 2]),
    /// The coefficients over F_p of an element of F_p³.
    Three([T; 3]),
    /// The coefficients over another tower.
    Above(Box<[AnyElem<T>; 2]>),
    /// The coefficients over F_p of an element of a dense extension.
    Dense(Vec<T>),
}

/// The constants of the p-th power in a tower.
#[derive(Clone, Debug)]
pub enum AnyFrobenius<T> {
    /// The constants of F_p².
    Quadratic(((), [T; 2])),
    /// The constants of F_p³.
    Cubic(((), [T; 3])),
    /// The constants of a quadratic extension.
    Above(Box<(AnyFrobenius<T>, [AnyElem<T>; 2])>),
    /// Nothing: a dense extension holds its own.
    Dense,
}

impl<T: Blank> Default for AnyElem<T> {
    fn default() -> Self {
        AnyElem::Two(Blank::blank())
    }
}

impl<T: Blank> Blank for AnyElem<T> {}

/// The coefficient array on which the arithmetic of a level works.
trait Coefficients<T>: Blank {
    /// Returns the coefficients of an element.
    ///
    /// # Panics
    /// Panics if the element belongs to a tower of another shape.
    fn of(x: &AnyElem<T>) -> &Self;
    /// Returns the place for the coefficients of a result, whatever its former content.
    fn place(x: &mut AnyElem<T>) -> &mut Self;
    /// Wraps the coefficients as an element.
    fn element(self) -> AnyElem<T>;
}

macro_rules! coefficients {
    ($coefficients:ty, $variant:ident, $element:expr) => {
        impl<T: Blank> Coefficients<T> for $coefficients {
            fn of(x: &AnyElem<T>) -> &Self {
                let AnyElem::$variant(x) = x else { panic!("the element belongs to another tower") };
                x
            }

            fn place(x: &mut AnyElem<T>) -> &mut Self {
                if !matches!(x, AnyElem::$variant(_)) {
                    *x = Self::blank().element();
                }
                let AnyElem::$variant(x) = x else { unreachable!("it was made above") };
                x
            }

            fn element(self) -> AnyElem<T> {
                AnyElem::$variant($element(self))
            }
        }
    };
}

coefficients!([T; 2], Two, std::convert::identity);
coefficients!([T; 3], Three, std::convert::identity);
coefficients!([AnyElem<T>; 2], Above, Box::new);
coefficients!(Vec<T>, Dense, std::convert::identity);

impl<F: Prime> AnyTower<F> {
    /// Creates T(r), r² = ν, over this tower T, in which ν must not be a square.
    pub fn square_root(self, nu: AnyNonResidue<F>) -> Self {
        AnyTower::Above(Box::new(Quadratic::new(self, nu)))
    }
}

/// Runs the same code with the arithmetic of whichever shape the tower has.
macro_rules! of_shape {
    ($tower:expr, |$field:ident| $work:expr) => {
        match $tower {
            AnyTower::Quadratic($field) => $work,
            AnyTower::Cubic($field) => $work,
            AnyTower::Above($field) => {
                let $field = &**$field;
                $work
            }
            AnyTower::Dense($field) => $work,
        }
    };
}

/// Inverts elements of a field by the field's own arithmetic.
fn invert_many<T: Blank, F: Field<Elem: Coefficients<T>>>(field: &F, xs: &mut [AnyElem<T>]) {
    let mut all: Vec<F::Elem> = xs.iter().map(|x| F::Elem::of(x).clone()).collect_vec();
    field.inv_many(&mut all);
    for (x, inverse) in xs.iter_mut().zip(all) {
        *x = inverse.element();
    }
}

impl<F: Prime> Field for AnyTower<F> {
    type Elem = AnyElem<F::Elem>;
    type Wide = AnyElem<F::Wide>;
    type Mask = F::Mask;

    fn zero(&self) -> Self::Elem {
        of_shape!(self, |field| field.zero().element())
    }

    fn one(&self) -> Self::Elem {
        of_shape!(self, |field| field.one().element())
    }

    fn mul_wide(&self, out: &mut Self::Wide, a: &Self::Elem, b: &Self::Elem) {
        of_shape!(self, |field| field.mul_wide(Coefficients::place(out), Coefficients::of(a), Coefficients::of(b)));
    }

    fn sqr_wide(&self, out: &mut Self::Wide, a: &Self::Elem) {
        of_shape!(self, |field| field.sqr_wide(Coefficients::place(out), Coefficients::of(a)));
    }

    fn mul(&self, out: &mut Self::Elem, a: &Self::Elem, b: &Self::Elem) {
        of_shape!(self, |field| field.mul(Coefficients::place(out), Coefficients::of(a), Coefficients::of(b)));
    }

    fn sqr(&self, out: &mut Self::Elem, a: &Self::Elem) {
        of_shape!(self, |field| field.sqr(Coefficients::place(out), Coefficients::of(a)));
    }

    fn inv(&self, out: &mut Self::Elem, a: &Self::Elem) {
        of_shape!(self, |field| field.inv(Coefficients::place(out), Coefficients::of(a)));
    }

    fn add(&self, out: &mut Self::Elem, a: &Self::Elem, b: &Self::Elem) {
        of_shape!(self, |field| field.add(Coefficients::place(out), Coefficients::of(a), Coefficients::of(b)));
    }

    fn three_and_two(&self, out: &mut Self::Elem, p: &Self::Elem, x: &Self::Elem, subtract: bool) {
        of_shape!(self, |field| field.three_and_two(
            Coefficients::place(out),
            Coefficients::of(p),
            Coefficients::of(x),
            subtract
        ));
    }

    fn select(&self, out: &mut Self::Elem, mask: Self::Mask, a: &Self::Elem, b: &Self::Elem) {
        of_shape!(self, |field| field.select(Coefficients::place(out), mask, Coefficients::of(a), Coefficients::of(b)));
    }

    fn lin(&self, out: &mut Self::Wide, terms: &[Term<Self::Wide>]) {
        of_shape!(self, |field| field
            .lin(Coefficients::place(out), List::new().of_each(terms, Coefficients::of).terms()));
    }

    fn reduce(&self, out: &mut Self::Elem, terms: &[Term<Self::Wide>]) {
        of_shape!(self, |field| field
            .reduce(Coefficients::place(out), List::new().of_each(terms, Coefficients::of).terms()));
    }

    fn sum(&self, out: &mut Self::Elem, terms: &[Term<Self::Elem>]) {
        of_shape!(self, |field| field
            .sum(Coefficients::place(out), List::new().of_each(terms, Coefficients::of).terms()));
    }

    fn inv_many(&self, xs: &mut [Self::Elem]) {
        of_shape!(self, |field| invert_many(field, xs));
    }

    fn is_zero(&self, a: &Self::Elem) -> Self::Mask {
        of_shape!(self, |field| field.is_zero(Coefficients::of(a)))
    }

    fn mask(&self, value: bool) -> Self::Mask {
        self.prime().mask(value)
    }

    fn mask_from(&self, values: &[bool]) -> Self::Mask {
        self.prime().mask_from(values)
    }

    fn and(&self, a: Self::Mask, b: Self::Mask) -> Self::Mask {
        self.prime().and(a, b)
    }

    fn not(&self, a: Self::Mask) -> Self::Mask {
        self.prime().not(a)
    }

    fn routine<T>(&self, name: &'static str, step: impl FnOnce() -> T) -> T {
        self.prime().routine(name, step)
    }
}

impl<F: Prime> Extension for AnyTower<F> {
    type Prime = F;
    type Frobenius = AnyFrobenius<F::Elem>;
    const TOWER: bool = true;

    fn is_quadratic_tower(&self) -> bool {
        !matches!(self, AnyTower::Dense(_)) && self.degree().is_power_of_two()
    }

    fn degree(&self) -> usize {
        of_shape!(self, |field| field.degree())
    }

    fn prime(&self) -> &F {
        of_shape!(self, |field| field.prime())
    }

    fn coefficients<'a>(&'a self, a: &'a Self::Elem, visit: &mut dyn FnMut(&'a F::Elem)) {
        of_shape!(self, |field| field.coefficients(Coefficients::of(a), visit));
    }

    fn coefficients_mut(&self, a: &mut Self::Elem, visit: &mut dyn FnMut(&mut F::Elem)) {
        of_shape!(self, |field| field.coefficients_mut(Coefficients::place(a), visit));
    }

    fn scale(&self, out: &mut Self::Elem, a: &Self::Elem, s: &F::Elem) {
        of_shape!(self, |field| field.scale(Coefficients::place(out), Coefficients::of(a), s));
    }

    fn scale_two(&self, out: &mut Self::Elem, a: &Self::Elem, s: &F::Elem, b: &Self::Elem, t: &F::Elem) {
        of_shape!(self, |field| field.scale_two(
            Coefficients::place(out),
            Coefficients::of(a),
            s,
            Coefficients::of(b),
            t
        ));
    }

    fn mul_add(&self, out: &mut Self::Elem, a: &Self::Elem, b: &Self::Elem, c: &Self::Elem, s: &F::Elem) {
        use Coefficients as C;
        of_shape!(self, |field| field.mul_add(C::place(out), C::of(a), C::of(b), C::of(c), s));
    }

    fn times_small(&self, out: &mut Self::Elem, a: &Self::Elem, n: &[i32]) {
        of_shape!(self, |field| field.times_small(Coefficients::place(out), Coefficients::of(a), n));
    }

    fn frobenius_constants(&self) -> Self::Frobenius {
        match self {
            AnyTower::Quadratic(field) => AnyFrobenius::Quadratic(field.frobenius_constants()),
            AnyTower::Cubic(field) => AnyFrobenius::Cubic(field.frobenius_constants()),
            AnyTower::Above(field) => AnyFrobenius::Above(Box::new(field.frobenius_constants())),
            AnyTower::Dense(_) => AnyFrobenius::Dense,
        }
    }

    fn frobenius(&self, out: &mut Self::Elem, a: &Self::Elem, constants: &Self::Frobenius) {
        use Coefficients as C;
        match (self, constants) {
            (AnyTower::Quadratic(field), AnyFrobenius::Quadratic(c)) => field.frobenius(C::place(out), C::of(a), c),
            (AnyTower::Cubic(field), AnyFrobenius::Cubic(c)) => field.frobenius(C::place(out), C::of(a), c),
            (AnyTower::Above(field), AnyFrobenius::Above(c)) => field.frobenius(C::place(out), C::of(a), c),
            (AnyTower::Dense(field), AnyFrobenius::Dense) => field.frobenius(C::place(out), C::of(a), &()),
            _ => panic!("the constants belong to another tower"),
        }
    }
}

/// Runs the same code with the arithmetic of whichever tower of roots this is.
macro_rules! of_roots {
    ($tower:expr, |$field:ident| $work:expr) => {
        match $tower {
            AnyTower::Quadratic($field) => $work,
            AnyTower::Cubic($field) => $work,
            AnyTower::Above($field) => {
                let $field = &**$field;
                $work
            }
            AnyTower::Dense(_) => panic!("a root plus an integer above a dense extension"),
        }
    };
}

/// Runs the code with the arithmetic of a dense extension.
macro_rules! of_dense {
    ($tower:expr, |$field:ident| $work:expr) => {
        match $tower {
            AnyTower::Dense($field) => $work,
            _ => panic!("a scalar above a tower of roots"),
        }
    };
}

/// Implements the linear forms of a non-residue by the arithmetic of the last level.
macro_rules! forms {
    ($shape:ident; $($name:ident($kind:ident) -> $out:ident;)*) => {
        $(fn $name(
            &self,
            tower: &AnyTower<F>,
            out: &mut AnyElem<F::$out>,
            terms: &[Term<AnyElem<F::$kind>>],
            scaled: &[Term<AnyElem<F::$kind>>],
        ) {
            $shape!(tower, |field| self.$name(
                field,
                Coefficients::place(out),
                List::new().of_each(terms, Coefficients::of).terms(),
                List::new().of_each(scaled, Coefficients::of).terms(),
            ));
        })*
    };
}

/// The root is that of a tower's last level.
impl<F: Prime> NonResidue<AnyTower<F>> for RootPlus {
    forms! {
        of_roots;
        lin(Wide) -> Wide;
        reduce(Wide) -> Elem;
        sum(Elem) -> Elem;
    }
}

/// The extension below is dense.
impl<F: Prime> NonResidue<AnyTower<F>> for Scalar<F::Elem> {
    forms! {
        of_dense;
        lin(Wide) -> Wide;
        reduce(Wide) -> Elem;
        sum(Elem) -> Elem;
    }
}
