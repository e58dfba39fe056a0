//! Messages and field elements to points: RFC 9380's `map_to_curve`, by the suite of the curve's description where it has one,
//! else by the map of Shallue and van de Woestijne.

use crate::curve::{Curve, Jacobian};
use crate::{sswu, svdw};
use bilinear_field::{Extension, Lanes, SquareRoot};

/// The map of one curve.
#[derive(Clone)]
pub enum Map<E: Extension> {
    /// Of a suite.
    Sswu(sswu::Map<E>),
    /// The general one.
    Svdw(svdw::Map<E>),
}

impl<E> Map<E>
where
    E: Extension,
    E::Prime: Lanes,
{
    /// The map to a curve over a field with this non-square.
    pub fn new(curve: &Curve<E>, suite: Option<&sswu::Suite>, non_square: &E::Elem) -> Self {
        match suite {
            Some(suite) => Map::Sswu(sswu::Map::new(curve.field(), suite)),
            None => Map::Svdw(svdw::Map::new(curve, non_square)),
        }
    }

    /// The sum of the points of at least one u, on the curve.
    pub fn sum(&self, curve: &Curve<E>, us: &[E::Elem]) -> Jacobian<E> {
        match self {
            Map::Sswu(map) => map.sum(us),
            Map::Svdw(map) => {
                let first = curve.lift(&map.point(curve, &us[0]));
                us[1..].iter().fold(first, |sum, u| curve.add(&sum, &map.point(curve, u)))
            }
        }
    }

    /// Square roots in the field of the curve.
    pub fn root(&self) -> &SquareRoot<E> {
        match self {
            Map::Sswu(map) => map.root(),
            Map::Svdw(map) => map.root(),
        }
    }
}
