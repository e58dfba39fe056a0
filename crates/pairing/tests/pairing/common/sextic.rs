//! Shipped curves with a sextic twist.

use bilinear_field::mont::Mont;
use bilinear_field::{Extension, Field, Lanes};
use bilinear_pairing::curve::Affine;
use bilinear_pairing::sextic::{Fp2, Over, SexticParameters, SexticTower, SmallCubic, Square};
use bilinear_params::{Curve, Family, Sextic, SexticKind};
use num_bigint::BigInt;

/// Words for each of them. What is under test does not depend on the size, and every size is compiled.
pub type Words = Mont<10>;

/// The names of all of them.
pub fn names() -> Vec<&'static str> {
    Curve::names().filter(|name| matches!(Curve::named(name).unwrap().family(), Family::Sextic(_))).collect()
}

/// The description of a shipped curve.
pub fn description(name: &str) -> Sextic {
    let curve = Curve::named(name).unwrap();
    let Family::Sextic(s) = curve.family() else { panic!("{name} has no sextic twist") };
    s.clone()
}

/// What is done with a curve, whatever its tower.
pub trait Visit {
    fn visit<S: SexticTower>(&self, name: &str, shape: S);
}

/// Does it with the tower of a shipped curve.
pub fn visit(name: &str, work: &impl Visit) {
    let s = description(name);
    let tower = s.tower().unwrap();
    let small = |x: &BigInt| i32::try_from(x).ok();
    let a = tower.xi.as_ref().filter(|[_, c]| *c == 1.into()).and_then(|[a, _]| small(a));
    let beta = small(&tower.beta);
    let fp2 = match (beta, a) {
        (Some(beta), Some(a)) => Fp2::Small { beta, a },
        _ => Fp2::Any { beta: tower.beta_mod(s.p()), xi: tower.xi_mod(s.p()).unwrap_or_default() },
    };
    match s.kind() {
        SexticKind::Bn | SexticKind::Bls12 => work.visit(name, fp2),
        SexticKind::Kss18 => work.visit(name, SmallCubic(beta.unwrap())),
        SexticKind::Bls24 => work.visit(name, Square(fp2)),
        SexticKind::Bls48 => work.visit(name, Square(Square(fp2))),
    }
}

/// The generators of a shipped curve's groups.
pub fn generators<S: SexticTower, F: Lanes>(name: &str, over: &Over<S, F>) -> (Affine<F>, Affine<S::Twist<F>>) {
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
