//! PBC's types D and G.

use crate::asymmetric::{Edge, Plain};
use crate::seam::Backend;
use bilinear_field::{Job, Lanes};
use bilinear_pairing::asymmetric::Pairing;
use bilinear_pairing::quadratic::{Parameters, system};
use bilinear_params::QuadraticTwist;
use std::sync::Arc;

/// The word counts of the shipped curves, and one for any of up to 1024 bits.
pub const WORDS: &[usize] = &[3, 4, 16];
/// Places for 52-bit limbs: those of the shipped curves.
pub const LIMBS: &[usize] = &[5];

/// The parameters of a curve with k = 2D.
pub fn parameters<const D: usize>(s: &QuadraticTwist) -> Parameters<D> {
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

/// Builds the backend of a curve of type D (K = 6) or G (K = 10).
pub(super) struct Build<'a, const K: u32> {
    pub(super) curve: &'a QuadraticTwist,
    pub(super) pairing: Pairing,
}

fn edge(s: &QuadraticTwist) -> Edge {
    Edge {
        generators: [
            s.g1().map(|(x, y)| (vec![x.clone()], vec![y.clone()])),
            s.g2().map(|(x, y)| (x.to_vec(), y.to_vec())),
        ],
        // a non-square of F_p stays one in an extension of odd degree
        non_squares: [vec![s.nqr().clone()], vec![s.nqr().clone()]],
        suites: [None, None],
        order: (0..s.k() as usize).collect(),
        sextic: false,
    }
}

impl Job for Build<'_, 6> {
    type Output = Arc<dyn Backend>;
    const WORDS: &'static [usize] = WORDS;
    const LIMBS: &'static [usize] = LIMBS;
    fn run<F: Lanes + 'static>(self, field: F) -> Arc<dyn Backend> {
        let system = system(&parameters::<3>(self.curve), field);
        Arc::new(Plain::new(system, self.pairing, edge(self.curve)))
    }
}

impl Job for Build<'_, 10> {
    type Output = Arc<dyn Backend>;
    const WORDS: &'static [usize] = WORDS;
    const LIMBS: &'static [usize] = LIMBS;
    fn run<F: Lanes + 'static>(self, field: F) -> Arc<dyn Backend> {
        let system = system(&parameters::<5>(self.curve), field);
        Arc::new(Plain::new(system, self.pairing, edge(self.curve)))
    }
}
