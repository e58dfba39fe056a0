//! The map to an odd curve E: y² = g(x) = x³ + ax over a field in which −1 is not a square (Fouque and Tibouchi, "Deterministic encoding and
//! hashing to odd hyperelliptic curves", Pairing 2010): 1 square root.
//!
//! g(−u) = −g(u), so exactly one of u and −u is the abscissa of a point (both are if g(u) = 0). Giving y the parity
//! of u makes the map a bijection from the u with g(u) ≠ 0 to the points of order greater than 2.

use crate::curve::{Affine, Curve};
use crate::svdw::{sign, with_sign};
use bilinear_field::{Extension, NonSquare, SquareRoot, at};

/// The constants of the map to one odd curve.
#[derive(Clone)]
pub struct OddMap<E: Extension> {
    root: SquareRoot<E>,
    minus_one: NonSquare<E>,
}

impl<E: Extension> OddMap<E> {
    /// Creates the map over a field in which the argument, −1, is not a square.
    pub fn new(e: &E, minus_one: &E::Elem) -> Self {
        let root = SquareRoot::new(e, minus_one);
        OddMap { minus_one: root.non_square(e, minus_one), root }
    }

    /// Maps u to a point of the curve. The point is never O.
    pub fn point(&self, curve: &Curve<E>, u: &E::Elem) -> Affine<E> {
        let e = curve.field();
        let (g, mut y) = (curve.rhs(u), e.zero());
        // y² = g(u), or else −g(u) = g(−u)
        let square = self.root.root_of_either(e, &mut y, &g, &self.minus_one);
        at! {e; minus_u = neg(u); x = select(square, u, &minus_u);}
        Affine { x, y: with_sign(e, &y, sign(e, u)), infinity: e.mask(false) }
    }
}
