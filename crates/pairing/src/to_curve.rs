//! Field elements to points: RFC 9380's `map_to_curve` by the suite of a curve's description where it has one, the map to odd
//! curves where the curve is one, else the map of Shallue and van de Woestijne.

use crate::curve::{Affine, Curve, Jacobian};
use crate::{odd, sswu, svdw};
use bilinear_field::{Extension, Lanes};
use bilinear_params::Suite;

/// How a curve's elements are mapped.
#[derive(Clone, Debug)]
pub enum MapMethod {
    /// By a suite.
    Sswu(Box<Suite>),
    /// By the map of Shallue and van de Woestijne.
    Svdw,
    /// By the map to odd curves, one to one: b = 0, and the non-square is −1.
    Odd,
}

/// The map of one curve.
#[derive(Clone)]
pub enum CurveMap<E: Extension> {
    /// Of a suite.
    Sswu(sswu::SswuMap<E>),
    /// The general one.
    Svdw(svdw::SvdwMap<E>),
    /// Of an odd curve.
    Odd(odd::OddMap<E>),
}

impl<E> CurveMap<E>
where
    E: Extension,
    E::Prime: Lanes,
{
    /// The map to a curve over a field with this non-square.
    pub fn new(curve: &Curve<E>, method: &MapMethod, non_square: &E::Elem) -> Self {
        match method {
            MapMethod::Sswu(suite) => CurveMap::Sswu(sswu::SswuMap::new(curve.field(), suite)),
            MapMethod::Svdw => CurveMap::Svdw(svdw::SvdwMap::new(curve, non_square)),
            MapMethod::Odd => CurveMap::Odd(odd::OddMap::new(curve.field(), non_square)),
        }
    }

    /// The sum of the points of at least one u, on the curve.
    pub fn sum(&self, curve: &Curve<E>, us: &[E::Elem]) -> Jacobian<E> {
        let point: &dyn Fn(&E::Elem) -> Affine<E> = match self {
            CurveMap::Sswu(map) => return map.sum(us),
            CurveMap::Svdw(map) => &|u| map.point(curve, u),
            CurveMap::Odd(map) => &|u| map.point(curve, u),
        };
        let first = curve.to_jacobian(&point(&us[0]));
        us[1..].iter().fold(first, |sum, u| curve.add(&sum, &point(u)))
    }
}
