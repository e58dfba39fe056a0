//! PBC's type E.

use crate::asymmetric::{Edge, Plain};
use crate::seam::Backend;
use bilinear_field::{Job, Lanes};
use bilinear_pairing::asymmetric::Pairing;
use bilinear_pairing::unit::{Parameters, system};
use bilinear_params::Unit;
use num_bigint::BigUint;
use num_traits::One;
use std::sync::Arc;

/// The word counts that it is compiled for.
pub const WORDS: &[usize] = &[16, 33];
/// Places for 52-bit limbs.
pub const LIMBS: &[usize] = &[21];

/// The parameters of a curve.
pub fn parameters(s: &Unit) -> Parameters {
    Parameters { p: s.q().clone(), r: s.r().clone(), h: s.h().clone(), a: s.a().clone(), b: s.b().clone() }
}

/// Builds the backend of a curve.
pub(super) struct Build<'a> {
    pub(super) curve: &'a Unit,
    pub(super) pairing: Pairing,
}

impl Job for Build<'_> {
    type Output = Arc<dyn Backend>;
    const WORDS: &'static [usize] = WORDS;
    const LIMBS: &'static [usize] = LIMBS;
    fn run<F: Lanes + 'static>(self, field: F) -> Arc<dyn Backend> {
        let point = |(x, y): (&BigUint, &BigUint)| (vec![x.clone()], vec![y.clone()]);
        let non_square = least_non_square(self.curve.q());
        let edge = Edge {
            generators: [self.curve.g1().map(point), self.curve.g2().map(point)],
            non_squares: [vec![non_square.clone()], vec![non_square]],
            suites: [None, None],
            order: vec![0],
            sextic: false,
        };
        Arc::new(Plain::new(system(&parameters(self.curve), field), self.pairing, edge))
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
