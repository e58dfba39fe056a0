//! Points of the curves to points of the groups, for the suites of RFC 9380 (section 7).
//!
//! BLS12: (1 − u)P is in G1 (Wahby and Boneh, CHES 2019, section 5); on the twist (u² − u − 1)P + (u − 1)ψ(P) + ψ²(2P) is in G2
//! and equals 3(u² − 1)h₂·P (Budroni and Pintore, Applicable Algebra in Engineering, Communication and Computing 33, 2022,
//! section 4.1). Other families: the multiple by the cofactor.

use super::{Kind, Parameters, Sextic};
use crate::curve::{Affine, Jacobian};
use bilinear_field::Extension;
use bilinear_field::tower::NonResidue;
use num_bigint::BigInt;

/// The multiples that lead to the groups.
#[derive(Clone, Debug)]
pub(super) struct Clearing {
    /// c of cP.
    g1: BigInt,
    /// c and i of Σ c·ψ^i(Q).
    g2: Vec<(BigInt, usize)>,
}

impl Clearing {
    pub(super) fn new(n: &Parameters) -> Self {
        let u = &n.u;
        match n.kind {
            Kind::Bls12 => Clearing { g1: 1 - u, g2: vec![(u * u - u - 1, 0), (u - 1, 1), (2.into(), 2)] },
            _ => {
                let [g1, g2] = n.cofactors.clone().map(BigInt::from);
                Clearing { g1, g2: vec![(g2, 0)] }
            }
        }
    }
}

impl<E: Extension, X: NonResidue<E>> Sextic<E, X> {
    /// A multiple of P in G1. BLS12: bits(u) doublings.
    pub(super) fn cleared_g1(&self, p: &Affine<E::Prime>) -> Jacobian<E::Prime> {
        self.g1.combination(&[(self.clearing.g1.clone(), p.clone())])
    }

    /// A multiple of Q in G2. BLS12: 2·bits(u) doublings.
    pub(super) fn cleared_g2(&self, q: &Affine<E>) -> Jacobian<E> {
        let term = |(c, i): &(BigInt, usize)| (c.clone(), if *i == 0 { q.clone() } else { self.psi(q, *i) });
        self.g2.combination(&self.clearing.g2.iter().map(term).collect::<Vec<_>>())
    }
}
