//! Cofactor clearing: maps points of the curves to points of the groups, for the suites of RFC 9380 (section 7).
//!
//! BLS12: (1 − u)P is in G1 (Wahby and Boneh, CHES 2019, section 5). On the twist (u² − u − 1)P +
//! (u − 1)ψ(P) + ψ²(2P) is in G2 and equals 3(u² − 1)h₂·P (Budroni and Pintore, Applicable Algebra in Engineering, Communication
//! and Computing 33, 2022, section 4.1). Other families: multiplication by the cofactor.

use super::{E, SexticPairing, SexticParameters};
use crate::curve::{Affine, Jacobian};
use crate::msm::Digits;
use bilinear_field::Prime;
use bilinear_params::SexticKind;

/// The multiples that clear the cofactors.
#[derive(Clone, Debug)]
pub(super) struct Clearing {
    /// The digits of the factor c in cP.
    g1: Digits,
    g2: G2,
}

#[derive(Clone, Debug)]
enum G2 {
    /// The multiple cQ.
    Multiple(Digits),
    /// The sum u^n·Q + Σ_(j<n) u^j·Σ_i c_ij·ψ^i(Q) for these n rows, the highest j first.
    Polynomial(&'static [&'static [i32]]),
}

impl Clearing {
    pub(super) fn new(n: &SexticParameters) -> Self {
        match n.kind {
            SexticKind::Bls12 => {
                Clearing { g1: Digits::lightest(&(1 - &n.u)), g2: G2::Polynomial(&[&[-1, 1], &[-1, -1, 2]]) }
            }
            _ => {
                let [g1, g2] = n.cofactors.clone().map(|c| Digits::lightest(&c.into()));
                Clearing { g1, g2: G2::Multiple(g2) }
            }
        }
    }
}

impl<F: Prime> SexticPairing<F> {
    /// Returns a multiple of P in G1. On BLS12 this takes bits(u) doublings.
    pub(super) fn cleared_g1(&self, p: &Affine<F>) -> Jacobian<F> {
        self.g1.multiple(&self.clearing.g1, p)
    }

    /// Returns a multiple of Q in G2. On BLS12 this takes 2·bits(u) doublings.
    pub(super) fn cleared_g2(&self, q: &Affine<E<F>>) -> Jacobian<E<F>> {
        let g2 = &self.g2;
        let rows = match &self.clearing.g2 {
            G2::Multiple(c) => return g2.multiple(c, q),
            G2::Polynomial(rows) => rows,
        };
        // BLS12: Q, then uQ + (ψ − 1)Q, then u times this + (2ψ² − ψ − 1)Q
        let mut multiple = None;
        for row in *rows {
            let times_u = match multiple {
                None => g2.multiple(&self.seed[0], q),
                Some(multiple) => g2.mul_jacobian(&self.seed[1], &multiple),
            };
            multiple = Some(row.iter().enumerate().fold(times_u, |sum, (i, c)| g2.add_small(sum, *c, &self.psi(q, i))));
        }
        multiple.unwrap_or_else(|| g2.to_jacobian(q))
    }
}
