//! Curves with a quadratic twist for the tests.

use bilinear_params::{Curve, Family, QuadraticTwist};

/// The parameters of a shipped curve.
pub fn parameters(name: &str) -> QuadraticTwist {
    let curve = Curve::named(name).unwrap();
    let Family::QuadraticTwist(s) = curve.family() else { panic!("{name} has no quadratic twist") };
    s.clone()
}
