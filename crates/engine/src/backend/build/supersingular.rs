//! PBC's types A and A1.

use crate::backend::recorded::Groups;
use bilinear_pairing::to_curve::Method;
use bilinear_params::Supersingular;
use num_bigint::BigUint;

/// What the description says about the groups, which are one.
pub(crate) fn groups(s: &Supersingular) -> Groups {
    let generator = || s.generator().map(|(x, y)| (vec![x.clone()], vec![y.clone()]));
    let minus_one: Vec<BigUint> = vec![s.q() - 1u32];
    Groups {
        generators: [generator(), generator()],
        non_squares: [minus_one.clone(), minus_one],
        maps: [Method::Odd, Method::Odd],
    }
}
