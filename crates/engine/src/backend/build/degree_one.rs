//! The groups of PBC's type E.

use crate::backend::recorded::GroupDescriptions;
use bilinear_pairing::legendre::least_non_square;
use bilinear_pairing::to_curve::MapMethod;
use bilinear_params::DegreeOne;
use num_bigint::BigUint;

/// The x where the search for a generator of G2 begins. It differs from the start for G1, since the Weil pairing of a
/// point with itself is 1; that of two independent points is 1 with probability 1/r.
const SECOND: u32 = 1 << 16;

/// The groups as the description gives them.
pub(crate) fn groups(s: &DegreeOne) -> GroupDescriptions {
    let point = |(x, y): (&BigUint, &BigUint)| (vec![x.clone()], vec![y.clone()]);
    let non_square = least_non_square(s.q());
    GroupDescriptions {
        generators: [s.g1().map(point), s.g2().map(point)],
        first_x: [1, SECOND],
        non_squares: [vec![non_square.clone()], vec![non_square]],
        maps: [MapMethod::Svdw, MapMethod::Svdw],
    }
}
