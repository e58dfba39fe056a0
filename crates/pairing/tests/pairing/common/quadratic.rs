//! Curves with a quadratic twist for the tests.

use bilinear_pairing::quadratic::Parameters;
use bilinear_params::{Curve, Family};

/// The parameters of a shipped curve.
pub fn parameters<const D: usize>(name: &str) -> Parameters<D> {
    let curve = Curve::named(name).unwrap();
    let Family::QuadraticTwist(s) = curve.family() else { panic!("{name} has no quadratic twist") };
    Parameters {
        p: s.q().clone(),
        r: s.r().clone(),
        t: s.t().clone(),
        a: s.a().clone(),
        b: s.b().clone(),
        coefficients: s.coefficients().to_vec().try_into().unwrap(),
        nonresidue: s.nqr().clone(),
        cofactors: [s.h().clone(), s.h2().clone()],
    }
}
