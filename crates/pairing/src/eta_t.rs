//! The common interface of the pairings η_T over F_2^m ([`eta`](crate::eta)) and F_3^m ([`eta3`](crate::eta3)).

use crate::complete_group::CompleteGroup;
use crate::curve::Affine;
use crate::unitary_power::Unitary;
use bilinear_field::{Field, Lanes};
use std::ops::Range;

/// A coordinate of a point.
pub type Elem<E> = <<E as EtaT>::Field as Field>::Elem;
/// A pair in the Miller loop: the lines of a P, and the Q at which they are evaluated.
pub type LinesAndPoint<'a, E> = (&'a [<E as EtaT>::Line], &'a Affine<<E as EtaT>::Field>);

/// The costs of a pairing on one core and of joining its parts. The unit is a product or a reduction in the field,
/// which count as one each.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    /// The cost of the whole loop.
    pub whole: f64,
    /// The cost of multiplying two values.
    pub join: f64,
    /// The cost of the final exponentiation.
    pub finish: f64,
}

/// A supersingular curve over a field of small characteristic with its symmetric pairing.
pub trait EtaT: Send + Sync + 'static {
    /// The field of the coordinates.
    type Field: Lanes + 'static;
    /// The group of points.
    type Group: CompleteGroup<F = Self::Field>;
    /// The data that a P contributes to an iteration of the loop.
    type Line: Send + Sync + 'static;
    /// A value of the pairing.
    type Value: Clone;
    /// The data that takes P and Q to the first points of a part of the loop.
    type Start: Send + Sync + 'static;

    /// The group of points.
    fn group(&self) -> &Self::Group;
    /// Returns the mask of the lanes where (x, y) is on the curve.
    fn contains(&self, p: &Affine<Self::Field>) -> <Self::Field as Field>::Mask;
    /// Returns the sign of y, which tells it from the other y over the same x.
    fn sign(&self, y: &Elem<Self>) -> bool;
    /// Returns the point over x whose y has this sign, or `None` if there is none. Variable time.
    fn point(&self, x: &Elem<Self>, sign: bool) -> Option<Affine<Self::Field>>;
    /// Iterates over points in a fixed order, in which the search for a generator proceeds.
    fn points(&self) -> impl Iterator<Item = Affine<Self::Field>> + '_;
    /// Maps an element of the field to a point. Variable time.
    fn map(&self, u: &Elem<Self>) -> Affine<Self::Field>;

    /// Computes the lines of P.
    fn lines(&self, p: &Affine<Self::Field>) -> Vec<Self::Line>;
    /// Computes the value before the final exponentiation: a product over pairs of the lines of a P with a Q.
    fn miller(&self, pairs: &[LinesAndPoint<'_, Self>]) -> Self::Value;
    /// The number of steps of the loop.
    fn steps(&self) -> usize;
    /// The costs of a pairing.
    fn costs(&self) -> Costs;
    /// The cost of a part of the loop, of at least one step.
    fn part_cost(&self, part: &Range<usize>) -> f64;
    /// Returns the data with which a part of the loop, given by its steps, begins.
    fn start(&self, part: &Range<usize>) -> Self::Start;
    /// Computes the contribution of a part, of at least one step, to the value of P and Q. The value is the product
    /// of all parts.
    fn miller_part(&self, part: Range<usize>, start: &Self::Start, pair: [&Affine<Self::Field>; 2]) -> Self::Value;
    /// Applies the final exponentiation to several values, with one inversion for all.
    fn final_exponentiation(&self, values: &[Self::Value]) -> Vec<Self::Value>;
    /// Returns the reduced Tate pairing for a value of η_T.
    fn tate(&self, eta: &Self::Value) -> Self::Value;
    /// Returns true if x is unitary and x^N = 1, where N is the number of points.
    fn divides_points(&self, x: &Self::Value) -> bool;

    /// The field of the values.
    fn tower(&self) -> impl Unitary<Field = Self::Field, Elem = Self::Value>;
}

/// A task on a curve whose field is chosen at run time.
pub trait EtaJob {
    /// The result of the task.
    type Output;
    /// Runs the task.
    fn run<E: EtaT>(self, eta: E) -> Self::Output;
}
