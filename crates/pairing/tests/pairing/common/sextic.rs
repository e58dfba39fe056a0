//! Shipped curves with a sextic twist.

use bilinear_field::tower::AnyTower;
use bilinear_field::{Extension, Field, Lanes};
use bilinear_pairing::curve::Affine;
use bilinear_pairing::sextic::{SexticPairing, SexticParameters, SexticTower};
use bilinear_params::{Curve, Family, Sextic, SexticKind};

/// Returns the names of all shipped curves with a sextic twist.
pub fn names() -> Vec<&'static str> {
    Curve::names().filter(|name| matches!(Curve::named(name).unwrap().family(), Family::Sextic(_))).collect()
}

/// The description of a shipped curve.
pub fn description(name: &str) -> Sextic {
    let curve = Curve::named(name).unwrap();
    let Family::Sextic(s) = curve.family() else { panic!("{name} has no sextic twist") };
    s.clone()
}

/// The tower of a shipped curve.
pub fn tower(name: &str) -> SexticTower {
    let s = description(name);
    let tower = s.tower().unwrap();
    let beta = tower.beta_least(s.p());
    match (s.kind(), tower.xi_least(s.p())) {
        (SexticKind::Bn | SexticKind::Bls12, Some(xi)) => SexticTower::Quadratic { beta, xi },
        (SexticKind::Bls24, Some(xi)) => SexticTower::Quadratic { beta, xi }.square_root(),
        (SexticKind::Bls48, Some(xi)) => SexticTower::Quadratic { beta, xi }.square_root().square_root(),
        (_, xi) => {
            assert_eq!((s.kind(), xi), (SexticKind::Kss18, None), "{name}");
            SexticTower::Cubic { beta }
        }
    }
}

/// The generators of a shipped curve's groups.
pub fn generators<F: Lanes>(name: &str, over: &SexticPairing<F>) -> (Affine<F>, Affine<AnyTower<F>>) {
    let s = description(name);
    let (f, e) = (over.fp(), over.e());
    let (x, y) = s.g1().unwrap();
    let p = Affine { x: f.constant(x), y: f.constant(y), infinity: f.mask(false) };
    let (x, y) = s.g2().unwrap();
    (p, Affine { x: e.element(x), y: e.element(y), infinity: e.mask(false) })
}

/// The parameters of a shipped curve.
pub fn parameters(name: &str) -> SexticParameters {
    SexticParameters::new(&description(name)).unwrap()
}
