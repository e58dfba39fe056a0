//! The groups of PBC's types D and G.

use crate::backend::recorded::GroupDescriptions;
use bilinear_pairing::to_curve::MapMethod;
use bilinear_params::QuadraticTwist;

/// The groups as the description gives them.
pub(crate) fn groups(s: &QuadraticTwist) -> GroupDescriptions {
    GroupDescriptions {
        generators: [
            s.g1().map(|(x, y)| (vec![x.clone()], vec![y.clone()])),
            s.g2().map(|(x, y)| (x.to_vec(), y.to_vec())),
        ],
        first_x: [1, 1],
        // a non-square of F_p stays one in an extension of odd degree
        non_squares: [vec![s.nqr().clone()], vec![s.nqr().clone()]],
        maps: [MapMethod::Svdw, MapMethod::Svdw],
    }
}
