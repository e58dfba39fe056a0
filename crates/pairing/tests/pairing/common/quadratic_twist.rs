//! Curves with a quadratic twist for the tests.

use bilinear_pairing::quadratic_twist::QuadraticTwistParameters;
use bilinear_params::{Curve, Family};

/// The parameters of a shipped curve.
pub fn parameters(name: &str) -> QuadraticTwistParameters {
    let curve = Curve::named(name).unwrap();
    let Family::QuadraticTwist(s) = curve.family() else { panic!("{name} has no quadratic twist") };
    s.into()
}
