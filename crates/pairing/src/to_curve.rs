//! Maps from field elements to points. RFC 9380's `map_to_curve` uses the suite of the curve's description if it has
//! one, the map to odd curves if the curve is odd, and otherwise the map of Shallue and van de Woestijne.

use crate::curve::{Curve, Jacobian};
use crate::{odd, sswu, svdw};
use bilinear_field::{CollectVec, Extension, Lanes};
use bilinear_params::Suite;

/// The choice of the map to a curve.
#[derive(Clone, Debug)]
pub enum MapMethod {
    /// The simplified map and the isogeny of a suite.
    Sswu(Box<Suite>),
    /// The map of Shallue and van de Woestijne.
    Svdw,
    /// The one-to-one map to an odd curve: b = 0, and the non-square is −1.
    Odd,
}

/// The map to one curve, with its constants.
#[derive(Clone)]
pub enum CurveMap<E: Extension> {
    /// The map of a suite.
    Sswu(sswu::SswuMap<E>),
    /// The general map of Shallue and van de Woestijne.
    Svdw(svdw::SvdwMap<E>),
    /// The map to an odd curve.
    Odd(odd::OddMap<E>),
}

impl<E> CurveMap<E>
where
    E: Extension,
    E::Prime: Lanes,
{
    /// Creates the map to a curve, given a non-square of its field.
    pub fn new(curve: &Curve<E>, method: &MapMethod, non_square: &E::Elem) -> Self {
        match method {
            MapMethod::Sswu(suite) => CurveMap::Sswu(sswu::SswuMap::new(curve.field(), suite)),
            MapMethod::Svdw => CurveMap::Svdw(svdw::SvdwMap::new(curve, non_square)),
            MapMethod::Odd => CurveMap::Odd(odd::OddMap::new(curve.field(), non_square)),
        }
    }

    /// Maps each u to the curve and returns the sum of the points. There is at least one u.
    pub fn sum(&self, curve: &Curve<E>, us: &[E::Elem]) -> Jacobian<E> {
        let points = match self {
            CurveMap::Sswu(map) => return map.sum(us),
            CurveMap::Svdw(map) => map.points(curve, us),
            CurveMap::Odd(map) => us.iter().map(|u| map.point(curve, u)).collect_vec(),
        };
        let first = curve.to_jacobian(&points[0]);
        points[1..].iter().fold(first, |sum, point| curve.add(&sum, point))
    }
}
