//! PBC's types D and G.

use crate::backend::recorded::Groups;
use bilinear_pairing::quadratic::Parameters;
use bilinear_pairing::to_curve::Method;
use bilinear_params::QuadraticTwist;

/// The parameters of a curve with k = 2D.
pub(crate) fn parameters<const D: usize>(s: &QuadraticTwist) -> Parameters<D> {
    Parameters {
        p: s.q().clone(),
        r: s.r().clone(),
        t: s.t().clone(),
        a: s.a().clone(),
        b: s.b().clone(),
        coefficients: std::array::from_fn(|i| s.coefficients()[i].clone()),
        nonresidue: s.nqr().clone(),
        cofactors: [s.h().clone(), s.h2().clone()],
    }
}

/// What the description says about the groups.
pub(crate) fn groups(s: &QuadraticTwist) -> Groups {
    Groups {
        generators: [
            s.g1().map(|(x, y)| (vec![x.clone()], vec![y.clone()])),
            s.g2().map(|(x, y)| (x.to_vec(), y.to_vec())),
        ],
        // a non-square of F_p stays one in an extension of odd degree
        non_squares: [vec![s.nqr().clone()], vec![s.nqr().clone()]],
        maps: [Method::Svdw, Method::Svdw],
    }
}
