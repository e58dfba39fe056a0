//! Multiples by the cofactor h₂ of G2, and cofactor clearing for the suites of RFC 9380 (section 7).
//!
//! h₂ in terms of ψ (after Fuentes-Castañeda, Knapp, Rodríguez-Henríquez, SAC 2011, who take a multiple of h₂): with
//! e = k/6, ψ^e = ζ is an automorphism of order 6 on the points over E, and ψ = A + Bζ with 2A + B = t,
//! 3B² = 4p − t². So α = x − A − Bx^e in Z[x]/Φ_k(x) is 0 for x = ψ, and h₂ − αq has coefficients of about bits(p)/2
//! bits for the q that is closest to h₂/α:
//!
//! * BN: h₂ = 6u²(1 + ψ) + ψ − ψ².
//! * BLS: h₂ = (u − 1)/3·(u^e·Σ_(i<e) (ψ^(e + i) − ψ^i) − Σ_(i<e) (u^(e − 1 − i) + 1)·ψ^(e + i)).
//!
//! Clearing on BLS12: (1 − u)P is in G1 (Wahby and Boneh, CHES 2019, section 5). On the twist (u² − u − 1)P +
//! (u − 1)ψ(P) + ψ²(2P) is in G2 and equals 3(u² − 1)h₂·P (Budroni and Pintore, Applicable Algebra in Engineering,
//! Communication and Computing 33, 2022, section 4.1). Other families: the multiples by the cofactors.

use super::{E, SexticPairing, SexticParameters};
use crate::curve::{Affine, Jacobian};
use crate::msm::Digits;
use bilinear_field::{CollectVec, Prime};
use bilinear_params::SexticKind;
use num_bigint::BigInt;

/// The multiples that lead from the curves to the groups.
#[derive(Clone, Debug)]
pub(super) struct Cofactors {
    /// The digits of the factor that clears the cofactor of G1. On BLS12 it takes bits(u) doublings.
    pub(super) clears_g1: Digits,
    /// The combination that clears the cofactor of G2. On BLS12 it takes 2·bits(u) doublings.
    pub(super) clears_g2: Combination,
    /// The multiple by h₂, with half as many doublings as p has bits; on KSS18 with as many as h₂ has.
    pub(super) h2: Combination,
}

/// The combination ((S_0·k_1 + S_1)·k_2 + …)·k_n + S_n of a point Q with small sums S_j = Σ_i c_ij·ψ^i(Q).
#[derive(Clone, Debug)]
pub(super) struct Combination {
    /// The coefficients of S_0.
    first: Vec<i32>,
    /// The digits of k_j and the coefficients of S_j.
    steps: Vec<(Digits, Vec<i32>)>,
}

impl Combination {
    fn new(first: &[i32], steps: &[(&BigInt, &[i32])]) -> Self {
        let steps = steps.iter().map(|(k, sum)| (Digits::lightest(k), sum.to_vec())).collect_vec();
        Combination { first: first.to_vec(), steps }
    }

    /// The multiple by h₂.
    fn h2(n: &SexticParameters) -> Self {
        let (u, e) = (&n.u, n.kind.twist_degree() as usize);
        match n.kind {
            SexticKind::Bn => Combination::new(&[1, 1], &[(u, &[]), (&(6 * u), &[0, 1, -1])]),
            SexticKind::Bls12 | SexticKind::Bls24 | SexticKind::Bls48 => {
                let powers = 0..2 * e;
                let first = powers.clone().map(|i| if i < e { -1 } else { 1 }).collect_vec();
                // −ψ^(2e − 1 − j) for u^j, and −Σ_(i<e) ψ^(e + i) for u^0 too
                let sum = |j| powers.clone().map(move |i| -i32::from(i + j + 1 == 2 * e) - i32::from(j == 0 && i >= e));
                let sums = (0..e).rev().map(|j| sum(j).collect_vec()).collect_vec();
                let mut steps = sums.iter().map(|sum| (u, &sum[..])).collect_vec();
                let third = (u - 1) / 3;
                steps.push((&third, &[]));
                Combination::new(&first, &steps)
            }
            SexticKind::Kss18 => Combination::new(&[1], &[(&n.cofactors[1].clone().into(), &[])]),
        }
    }
}

impl Cofactors {
    pub(super) fn new(n: &SexticParameters) -> Self {
        let (u, h2) = (&n.u, Combination::h2(n));
        let (g1, clears_g2) = match n.kind {
            SexticKind::Bls12 => (1 - u, Combination::new(&[1], &[(u, &[-1, 1]), (u, &[-1, -1, 2])])),
            _ => (n.cofactors[0].clone().into(), h2.clone()),
        };
        Cofactors { clears_g1: Digits::lightest(&g1), clears_g2, h2 }
    }
}

impl<F: Prime> SexticPairing<F> {
    /// Returns a combination of Q.
    pub(super) fn combination(&self, combination: &Combination, q: &Affine<E<F>>) -> Jacobian<E<F>> {
        let g2 = &self.groups.g2;
        let plus = |sum: Option<Jacobian<E<F>>>, coefficients: &[i32]| {
            let terms = coefficients.iter().enumerate().filter(|(_, c)| **c != 0);
            terms.fold(sum, |sum, (i, c)| {
                let term = self.psi(q, i);
                // S_0 has coefficients 1 and −1 alone
                let Some(sum) = sum else {
                    return Some(g2.to_jacobian(&if *c < 0 { g2.negate(&term) } else { term }));
                };
                Some(g2.add_small(sum, *c, &term))
            })
        };
        let times = |k: &Digits, p: &Jacobian<E<F>>| match k.table() {
            ..=1 => g2.mul_jacobian(k, p),
            _ => g2.multiple(k, &g2.normalise(std::slice::from_ref(p))[0]),
        };
        let mut sum = plus(None, &combination.first);
        for (i, (k, coefficients)) in combination.steps.iter().enumerate() {
            let affine = i == 0 && combination.first == [1];
            let multiple = sum.map(|sum| if affine { g2.multiple(k, q) } else { times(k, &sum) });
            sum = plus(multiple, coefficients);
        }
        sum.unwrap_or_else(|| g2.infinity())
    }
}
