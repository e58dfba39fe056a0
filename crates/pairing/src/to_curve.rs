//! Field elements to points: RFC 9380's `map_to_curve` by the suite of a curve's description where it has one, the map to odd
//! curves where the curve is one, else the map of Shallue and van de Woestijne.

use crate::curve::{Affine, Curve, Jacobian};
use crate::{odd, sswu, svdw};
use bilinear_field::{Extension, Lanes, SquareRoot};

/// How a curve's elements are mapped.
#[derive(Clone, Debug)]
pub enum Method {
    /// By a suite.
    Sswu(Box<sswu::Suite>),
    /// By the map of Shallue and van de Woestijne.
    Svdw,
    /// By the map to odd curves, one to one: b = 0, and the non-square is −1.
    Odd,
}

/// The map of one curve.
#[derive(Clone)]
pub enum Map<E: Extension> {
    /// Of a suite.
    Sswu(sswu::Map<E>),
    /// The general one.
    Svdw(svdw::Map<E>),
    /// Of an odd curve.
    Odd(odd::Map<E>),
}

impl<E> Map<E>
where
    E: Extension,
    E::Prime: Lanes,
{
    /// The map to a curve over a field with this non-square.
    pub fn new(curve: &Curve<E>, method: &Method, non_square: &E::Elem) -> Self {
        match method {
            Method::Sswu(suite) => Map::Sswu(sswu::Map::new(curve.field(), suite)),
            Method::Svdw => Map::Svdw(svdw::Map::new(curve, non_square)),
            Method::Odd => Map::Odd(odd::Map::new(curve.field(), non_square)),
        }
    }

    /// The sum of the points of at least one u, on the curve.
    pub fn sum(&self, curve: &Curve<E>, us: &[E::Elem]) -> Jacobian<E> {
        let point: &dyn Fn(&E::Elem) -> Affine<E> = match self {
            Map::Sswu(map) => return map.sum(us),
            Map::Svdw(map) => &|u| map.point(curve, u),
            Map::Odd(map) => &|u| map.point(curve, u),
        };
        let first = curve.to_jacobian(&point(&us[0]));
        us[1..].iter().fold(first, |sum, u| curve.add(&sum, &point(u)))
    }

    /// Square roots in the field of the curve.
    pub fn root(&self) -> &SquareRoot<E> {
        match self {
            Map::Sswu(map) => map.root(),
            Map::Svdw(map) => map.root(),
            Map::Odd(map) => map.root(),
        }
    }
}
