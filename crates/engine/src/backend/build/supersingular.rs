//! The groups of PBC's types A and A1.

use crate::backend::recorded::GroupDescriptions;
use bilinear_pairing::to_curve::MapMethod;
use bilinear_params::Supersingular;
use num_bigint::BigUint;

/// The two groups, which are one, as the description gives them.
pub(crate) fn groups(s: &Supersingular) -> GroupDescriptions {
    let generator = || s.generator().map(|(x, y)| (vec![x.clone()], vec![y.clone()]));
    let minus_one: Vec<BigUint> = vec![s.q() - 1u32];
    GroupDescriptions {
        generators: [generator(), generator()],
        first_x: [1, 1],
        non_squares: [minus_one.clone(), minus_one],
        maps: [MapMethod::Odd, MapMethod::Odd],
    }
}
