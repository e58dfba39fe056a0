//! PBC's type E.

use crate::backend::recorded::Groups;
use bilinear_pairing::to_curve::Method;
use bilinear_pairing::unit::Parameters;
use bilinear_params::Unit;
use num_bigint::BigUint;
use num_traits::One;

/// The parameters of a curve.
pub(crate) fn parameters(s: &Unit) -> Parameters {
    Parameters { p: s.q().clone(), r: s.r().clone(), h: s.h().clone(), a: s.a().clone(), b: s.b().clone() }
}

/// What the description says about the groups.
pub(crate) fn groups(s: &Unit) -> Groups {
    let point = |(x, y): (&BigUint, &BigUint)| (vec![x.clone()], vec![y.clone()]);
    let non_square = least_non_square(s.q());
    Groups {
        generators: [s.g1().map(point), s.g2().map(point)],
        non_squares: [vec![non_square.clone()], vec![non_square]],
        maps: [Method::Svdw, Method::Svdw],
    }
}

/// By Euler's criterion.
fn least_non_square(p: &BigUint) -> BigUint {
    let half = (p - 1u32) >> 1u32;
    let mut n = BigUint::from(2u32);
    while n.modpow(&half, p).is_one() {
        n += 1u32;
    }
    n
}
