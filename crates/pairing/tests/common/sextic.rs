//! Shipped curves with a sextic twist.

use bilinear_pairing::sextic::{Kind, Parameters, Twist};
use bilinear_params::{Curve, Family, SexticKind};

/// The parameters of a shipped curve.
pub fn parameters(name: &str) -> Parameters {
    let curve = Curve::named(name).unwrap();
    let Family::Sextic(s) = curve.family() else { panic!("{name} has no sextic twist") };
    Parameters {
        kind: match s.kind() {
            SexticKind::Bn => Kind::Bn,
            SexticKind::Bls12 => Kind::Bls12,
            SexticKind::Bls24 => Kind::Bls24,
            SexticKind::Bls48 => Kind::Bls48,
            SexticKind::Kss18 => Kind::Kss18,
        },
        u: s.u().clone(),
        p: s.p().clone(),
        r: s.r().clone(),
        t: s.t().clone(),
        cofactors: [s.h1().clone(), s.h2().clone()],
        b: s.b().unwrap().clone(),
        twist: match s.twist().unwrap() {
            bilinear_params::Twist::D => Twist::D,
            bilinear_params::Twist::M => Twist::M,
        },
    }
}
