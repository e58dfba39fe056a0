//! Curves with a sextic twist: from the non-residues of a description to the tower that is compiled for them.

use super::Machines;
use crate::asymmetric::{Edge, Plain};
use crate::error::SystemError;
use crate::family::Choice;
use crate::seam::Backend;
use bilinear_field::{Engine, EngineError, Job, Lanes};
use bilinear_pairing::asymmetric::Pairing;
use bilinear_pairing::sextic::{
    AnyQuadratic, Gaussian, Kind, Parameters, Power, Shape, SmallCubic, SmallQuadratic, Square, Twist, system,
};
use bilinear_pairing::sswu::Suite;
use bilinear_params::{Curve, Layout, Sextic, SexticKind, Tower};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive};
use std::sync::Arc;

/// The backend of a curve.
///
/// # Errors
/// As [`with_tower`]; inside, the engine's.
pub(super) fn build(
    curve: &Curve,
    sextic: &Sextic,
    choice: &Choice<'_>,
    engine: Engine,
    machines: impl Machines,
) -> Result<Result<Arc<dyn Backend>, EngineError>, SystemError> {
    let (pairing, power) = (choice.pairing.into(), choice.power.into());
    with_tower(curve, sextic, engine, BuildTower { layout: curve.layout(), sextic, pairing, power, engine, machines })
}

/// What is done with a tower once it is known.
pub trait Visit {
    /// What comes out.
    type Output;
    /// Does it.
    fn visit<S: Compiled>(self, shape: S, parameters: Parameters, tower: &Tower) -> Self::Output;
}

/// A tower and what it is compiled for: the sizes of the shipped curves, rounded up, and one general tower for each k up to
/// 1024 bits and on the reference engine. Values do not depend on the tower's type; compile time is why there are not more, and why
/// the engine in lanes has fewer.
pub trait Compiled: Shape + 'static {
    /// Word counts of 64-bit engines.
    const WORDS: &'static [usize];
    /// Places for limbs of the engine in lanes.
    const LIMBS: &'static [usize];
    /// The reference engine.
    const REFERENCE: bool;
}

impl Compiled for Gaussian {
    const WORDS: &'static [usize] = &[4, 5, 6, 8, 10];
    const LIMBS: &'static [usize] = &[5, 8, 13];
    const REFERENCE: bool = false;
}

impl Compiled for SmallQuadratic {
    const WORDS: &'static [usize] = &[6];
    const LIMBS: &'static [usize] = &[8];
    const REFERENCE: bool = false;
}

impl Compiled for AnyQuadratic {
    const WORDS: &'static [usize] = &[4, 16];
    const LIMBS: &'static [usize] = &[21];
    const REFERENCE: bool = true;
}

impl Compiled for SmallCubic {
    const WORDS: &'static [usize] = &[8, 16];
    const LIMBS: &'static [usize] = &[10];
    const REFERENCE: bool = true;
}

impl Compiled for Square<Gaussian> {
    const WORDS: &'static [usize] = &[8];
    const LIMBS: &'static [usize] = &[10];
    const REFERENCE: bool = false;
}

impl Compiled for Square<SmallQuadratic> {
    const WORDS: &'static [usize] = &[5, 16];
    const LIMBS: &'static [usize] = &[8];
    const REFERENCE: bool = true;
}

impl Compiled for Square<Square<SmallQuadratic>> {
    const WORDS: &'static [usize] = &[10];
    const LIMBS: &'static [usize] = &[13];
    const REFERENCE: bool = true;
}

/// Finds the tower of a curve: small non-residues get the towers that multiply by them without a product.
///
/// # Errors
/// If the description leaves out what cannot be derived from the seed here, or no tower is compiled for its non-residues.
pub fn with_tower<V: Visit>(
    curve: &Curve,
    sextic: &Sextic,
    engine: Engine,
    visit: V,
) -> Result<V::Output, SystemError> {
    let fits =
        |words: &[usize]| engine != Engine::Reference && words.iter().any(|n| sextic.p().bits() <= 64 * *n as u64);
    with_tower_of(curve, sextic, fits, visit)
}

/// The same, where `fits` says whether a tower is there for the sizes that it is compiled for.
pub(crate) fn with_tower_of<V: Visit>(
    curve: &Curve,
    sextic: &Sextic,
    fits: impl Fn(&[usize]) -> bool,
    visit: V,
) -> Result<V::Output, SystemError> {
    let name = || curve.name().to_owned();
    let (Some(b), Some(twist), Some(tower)) = (sextic.b(), sextic.twist(), sextic.tower()) else {
        return Err(SystemError::Incomplete { curve: name() });
    };
    let parameters = Parameters {
        kind: match sextic.kind() {
            SexticKind::Bn => Kind::Bn,
            SexticKind::Bls12 => Kind::Bls12,
            SexticKind::Bls24 => Kind::Bls24,
            SexticKind::Bls48 => Kind::Bls48,
            SexticKind::Kss18 => Kind::Kss18,
        },
        u: sextic.u().clone(),
        p: sextic.p().clone(),
        r: sextic.r().clone(),
        t: sextic.t().clone(),
        cofactors: [sextic.h1().clone(), sextic.h2().clone()],
        b: b.clone(),
        twist: match twist {
            bilinear_params::Twist::D => Twist::D,
            bilinear_params::Twist::M => Twist::M,
        },
    };
    let small = |x: &BigInt| x.to_i32().filter(|x| x.abs() < 32);
    // the a of ξ = a + i
    let beside_root = tower.xi_least(sextic.p()).filter(|[_, c]| c.is_one()).and_then(|[a, _]| small(&a));
    let beta = small(&tower.beta_least(sextic.p()));
    let with_any = |visit: V, parameters| {
        let any = AnyQuadratic { beta: tower.beta_mod(sextic.p()), xi: tower.xi_mod(sextic.p()).unwrap_or_default() };
        visit.visit(any, parameters, tower)
    };
    Ok(match (sextic.kind(), beta, beside_root) {
        (SexticKind::Bn | SexticKind::Bls12, Some(-1), Some(a)) if fits(Gaussian::WORDS) => {
            visit.visit(Gaussian(a), parameters, tower)
        }
        (SexticKind::Bn | SexticKind::Bls12, Some(beta), Some(a)) if fits(SmallQuadratic::WORDS) => {
            visit.visit(SmallQuadratic { beta, a }, parameters, tower)
        }
        (SexticKind::Bn | SexticKind::Bls12, ..) => with_any(visit, parameters),
        (SexticKind::Kss18, Some(beta), _) => visit.visit(SmallCubic(beta), parameters, tower),
        (SexticKind::Bls24, Some(-1), Some(a)) if fits(Square::<Gaussian>::WORDS) => {
            visit.visit(Square(Gaussian(a)), parameters, tower)
        }
        (SexticKind::Bls24, Some(beta), Some(a)) => visit.visit(Square(SmallQuadratic { beta, a }), parameters, tower),
        (SexticKind::Bls48, Some(beta), Some(a)) => {
            visit.visit(Square(Square(SmallQuadratic { beta, a })), parameters, tower)
        }
        _ => return Err(SystemError::Tower { curve: name() }),
    })
}

struct BuildTower<'a, M> {
    layout: Layout,
    sextic: &'a Sextic,
    pairing: Pairing,
    power: Power,
    engine: Engine,
    machines: M,
}

impl<M: Machines> Visit for BuildTower<'_, M> {
    type Output = Result<Arc<dyn Backend>, EngineError>;
    fn visit<S: Compiled>(self, shape: S, parameters: Parameters, tower: &Tower) -> Self::Output {
        let p = self.sextic.p();
        let edge = Edge {
            generators: [
                self.sextic.g1().map(|(x, y)| (vec![x.clone()], vec![y.clone()])),
                self.sextic.g2().map(|(x, y)| (x.to_vec(), y.to_vec())),
            ],
            non_squares: [vec![tower.beta_mod(p)], xi(self.sextic.kind(), tower, p)],
            suites: [self.sextic.g1_suite(), self.sextic.g2_suite()].map(|suite| suite.map(residues)),
            order: order(self.layout, self.sextic.k() as usize / 6),
            sextic: true,
        };
        let (pairing, power) = (self.pairing, self.power);
        self.machines.run(self.engine, p, BuildSextic { shape, parameters, pairing, power, edge })
    }
}

/// A suite as the map takes it.
fn residues(suite: &bilinear_params::Suite) -> Suite {
    Suite {
        z: suite.z().to_vec(),
        a: suite.a().to_vec(),
        b: suite.b().to_vec(),
        kernel: suite.kernel().to_vec(),
        x_numerator: suite.x_numerator().to_vec(),
        y_numerator: suite.y_numerator().to_vec(),
    }
}

/// The coefficients of ξ, which is neither a square nor a cube.
fn xi(kind: SexticKind, tower: &Tower, p: &BigUint) -> Vec<BigUint> {
    let basis = |i: usize| (0..=i).map(|j| BigUint::from(u32::from(i == j))).collect();
    match (kind, tower.xi_mod(p)) {
        (SexticKind::Bn | SexticKind::Bls12, Some(xi)) => xi.to_vec(),
        // v is the second square root, after i
        (SexticKind::Bls24, _) => basis(2),
        // s is the third
        (SexticKind::Bls48, _) => basis(4),
        _ => basis(1),
    }
}

/// The place of each coefficient of F_p^k = E(v)(w), E of this degree, in an encoding.
pub(crate) fn order(layout: Layout, degree: usize) -> Vec<usize> {
    let power_of_w = match layout {
        Layout::Nested => [0, 1, 2, 3, 4, 5],
        Layout::Pbc => [0, 2, 4, 1, 3, 5],
    };
    power_of_w.iter().flat_map(|j| j * degree..(j + 1) * degree).collect()
}

struct BuildSextic<S> {
    shape: S,
    parameters: Parameters,
    pairing: Pairing,
    power: Power,
    edge: Edge,
}

impl<S: Compiled> Job for BuildSextic<S> {
    type Output = Arc<dyn Backend>;
    const WORDS: &'static [usize] = S::WORDS;
    const LIMBS: &'static [usize] = S::LIMBS;
    const REFERENCE: bool = S::REFERENCE;
    fn run<F: Lanes + 'static>(self, field: F) -> Arc<dyn Backend> {
        let system = system(&self.shape, &self.parameters, field).with_power(self.power);
        Arc::new(Plain::new(system, self.pairing, self.edge))
    }
}
