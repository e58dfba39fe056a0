//! Curves with a sextic twist: from the non-residues of a description to a tower.

use crate::backend::error::SystemError;
use crate::backend::recorded::GroupDescriptions;
use bilinear_field::CollectVec;
use bilinear_pairing::sextic::{SexticParameters, SexticTower};
use bilinear_pairing::to_curve::MapMethod;
use bilinear_params::{Curve, Layout, Sextic, SexticKind, Suite, Tower};
use num_bigint::BigUint;

/// The tower, the curve and the groups as the description gives them.
///
/// # Errors
/// Returns an error if the description omits something that cannot be derived from the seed here.
pub(crate) fn parameters(
    curve: &Curve,
    sextic: &Sextic,
) -> Result<(SexticTower, SexticParameters, GroupDescriptions), SystemError> {
    let (Some(parameters), Some(tower)) = (SexticParameters::new(sextic), sextic.tower()) else {
        return Err(SystemError::Incomplete { curve: curve.name().to_owned() });
    };
    Ok((shape(sextic, tower), parameters, groups(sextic, tower)))
}

/// The shape of the tower below F_p^k.
fn shape(sextic: &Sextic, tower: &Tower) -> SexticTower {
    let beta = tower.beta_least(sextic.p());
    let Some(xi) = tower.xi_least(sextic.p()) else {
        return SexticTower::Cubic { beta };
    };
    let twelve = SexticTower::Quadratic { beta, xi };
    match sextic.kind() {
        SexticKind::Bn | SexticKind::Bls12 => twelve,
        SexticKind::Bls24 => twelve.square_root(),
        SexticKind::Bls48 => twelve.square_root().square_root(),
        SexticKind::Kss18 => unreachable!("a description of this family has no xi"),
    }
}

/// The groups as the description gives them.
fn groups(sextic: &Sextic, tower: &Tower) -> GroupDescriptions {
    let p = sextic.p();
    GroupDescriptions {
        generators: [
            sextic.g1().map(|(x, y)| (vec![x.clone()], vec![y.clone()])),
            sextic.g2().map(|(x, y)| (x.to_vec(), y.to_vec())),
        ],
        first_x: [1, 1],
        non_squares: [vec![tower.beta_mod(p)], xi(sextic.kind(), tower, p)],
        maps: [sextic.g1_suite(), sextic.g2_suite()].map(method),
    }
}

/// The map of a suite; without a suite the map of Shallue and van de Woestijne.
fn method(suite: Option<&Suite>) -> MapMethod {
    suite.map_or(MapMethod::Svdw, |suite| MapMethod::Sswu(Box::new(suite.clone())))
}

/// The coefficients of ξ, which is neither a square nor a cube in its field.
fn xi(kind: SexticKind, tower: &Tower, p: &BigUint) -> Vec<BigUint> {
    let basis = |i: usize| (0..=i).map(|j| BigUint::from(u32::from(i == j))).collect_vec();
    match (kind, tower.xi_mod(p)) {
        (SexticKind::Bn | SexticKind::Bls12, Some(xi)) => xi.to_vec(),
        // v is the second square root, after i
        (SexticKind::Bls24, _) => basis(2),
        // s is the third
        (SexticKind::Bls48, _) => basis(4),
        _ => basis(1),
    }
}

/// The position of each coefficient of F_p^k = E(v)(w), E of this degree, in an encoding.
pub(crate) fn order(layout: Layout, degree: usize) -> Vec<usize> {
    let power_of_w = match layout {
        Layout::Nested => [0, 1, 2, 3, 4, 5],
        Layout::Pbc => [0, 2, 4, 1, 3, 5],
    };
    power_of_w.iter().flat_map(|j| j * degree..(j + 1) * degree).collect_vec()
}
