//! What the pairings η_T over F_2^m ([`eta`](crate::eta)) and F_3^m ([`eta3`](crate::eta3)) have in common.

use crate::complete_group::CompleteGroup;
use crate::curve::Affine;
use crate::unitary_power::Unitary;
use bilinear_field::{Field, Lanes};
use std::ops::Range;

/// The coordinates of points.
pub type Elem<E> = <<E as EtaT>::Field as Field>::Elem;
/// A P as the lines at which a Q is met.
pub type Meeting<'a, E> = (&'a [<E as EtaT>::Line], &'a Affine<<E as EtaT>::Field>);

/// What a pairing costs on one core, and what joins its parts, in products and reductions of the field, which count as one each.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// The loop as a whole.
    pub whole: f64,
    /// The product of two values.
    pub join: f64,
    /// The final exponentiation.
    pub finish: f64,
}

/// A supersingular curve over a field of small characteristic with its symmetric pairing.
pub trait EtaT: Send + Sync + 'static {
    /// The field of the coordinates.
    type Field: Lanes + 'static;
    /// The group of points.
    type Group: CompleteGroup<F = Self::Field>;
    /// What a P brings to an iteration of the loop.
    type Line: Send + Sync + 'static;
    /// A value of the pairing.
    type Value: Clone;
    /// What leads from P and Q to the first points of a part of the loop.
    type Start: Send + Sync + 'static;
    /// How many coefficients a value has.
    const COEFFICIENTS: usize;

    /// The group of points.
    fn group(&self) -> &Self::Group;
    /// Where (x, y) is on the curve.
    fn contains(&self, p: &Affine<Self::Field>) -> <Self::Field as Field>::Mask;
    /// Which of the two y over its x is this one.
    fn sign(&self, y: &Elem<Self>) -> bool;
    /// The point over x whose y has this sign. Variable time.
    fn point(&self, x: &Elem<Self>, sign: bool) -> Option<Affine<Self::Field>>;
    /// Points in an order of their own: where a search for a generator begins.
    fn points(&self) -> impl Iterator<Item = Affine<Self::Field>> + '_;
    /// The point of an element of the field. Variable time.
    fn map(&self, u: &Elem<Self>) -> Affine<Self::Field>;

    /// The lines of P.
    fn lines(&self, p: &Affine<Self::Field>) -> Vec<Self::Line>;
    /// The value before the final exponentiation, a product over pairs of the lines of a P and a Q.
    fn miller(&self, pairs: &[Meeting<'_, Self>]) -> Self::Value;
    /// How many steps the loop has.
    fn steps(&self) -> usize;
    /// What a pairing costs.
    fn costs(&self) -> Costs;
    /// What a part of the loop, at least one step, costs.
    fn part_cost(&self, part: &Range<usize>) -> f64;
    /// What a part of the loop, these steps, begins with.
    fn start(&self, part: &Range<usize>) -> Self::Start;
    /// What a part, at least one step, contributes to the value of P and Q, which is the product of all parts.
    fn miller_part(&self, part: Range<usize>, start: &Self::Start, pair: [&Affine<Self::Field>; 2]) -> Self::Value;
    /// Final exponentiations: one inversion for all.
    fn final_exponentiation(&self, values: &[Self::Value]) -> Vec<Self::Value>;
    /// The reduced Tate pairing of a value.
    fn tate(&self, eta: &Self::Value) -> Self::Value;
    /// Whether x is unitary and x^N = 1 for the number N of points.
    fn divides_points(&self, x: &Self::Value) -> bool;

    /// The field of the values.
    fn tower(&self) -> impl Unitary<Elem = Self::Value, Mask = <Self::Field as Field>::Mask>;
    /// The coefficients of a value.
    fn coefficients(x: &Self::Value) -> &[Elem<Self>];
    /// The value of these coefficients, one after the other.
    fn value(next: impl FnMut() -> Elem<Self>) -> Self::Value;
}

/// Work to be done on a curve over a field that is only chosen at run time.
pub trait EtaJob {
    /// What comes out.
    type Output;
    /// Does the work.
    fn run<E: EtaT>(self, eta: E) -> Self::Output;
}
