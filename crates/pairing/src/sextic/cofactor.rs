//! Points of the curves to points of the groups, for the suites of RFC 9380 (section 7).
//!
//! BLS12: (1 − u)P is in G1 (Wahby and Boneh, CHES 2019, section 5); on the twist (u² − u − 1)P + (u − 1)ψ(P) + ψ²(2P) is in G2
//! and equals 3(u² − 1)h₂·P (Budroni and Pintore, Applicable Algebra in Engineering, Communication and Computing 33, 2022,
//! section 4.1). Other families: the multiple by the cofactor.

use super::{Kind, Sextic};
use crate::curve::{Affine, Jacobian};
use bilinear_field::Extension;
use bilinear_field::tower::NonResidue;
use num_bigint::BigInt;

impl<E: Extension, X: NonResidue<E>> Sextic<E, X> {
    /// A multiple of P in G1. BLS12: bits(u) doublings.
    pub(super) fn cleared_g1(&self, p: &Affine<E::Prime>) -> Jacobian<E::Prime> {
        match self.kind {
            Kind::Bls12 => self.g1.combination(&[(1 - &self.u, p.clone())]),
            _ => self.g1.mul(&self.cofactors[0], p),
        }
    }

    /// A multiple of Q in G2. BLS12: 2·bits(u) doublings.
    pub(super) fn cleared_g2(&self, q: &Affine<E>) -> Jacobian<E> {
        let u = &self.u;
        match self.kind {
            Kind::Bls12 => self.g2.combination(&[
                (u * u - u - 1, q.clone()),
                (u - BigInt::from(1), self.psi(q, 1)),
                (BigInt::from(2), self.psi(q, 2)),
            ]),
            _ => self.g2.mul(&self.cofactors[1], q),
        }
    }
}
