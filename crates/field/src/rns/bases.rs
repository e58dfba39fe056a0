//! The moduli: the largest primes 2^32 − c that do not divide p. The first n are the base B, of the product A, the next n the base
//! B', of the product A', and one more is the redundant modulus m_r.
//!
//! There are 271 primes with c ≤ 5775, which is more than the longest modulus takes: c < 2^13.

use super::word::{is_prime, modulus};
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// The bases for one p.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bases {
    /// Of each base.
    pub(super) n: usize,
    /// c of all moduli: B, B' and m_r.
    pub(super) all: Vec<u32>,
    /// A.
    pub(super) product: BigUint,
    /// ⌊A/4p⌋.
    pub(super) alpha: BigUint,
}

impl Bases {
    /// The fewest moduli with α ≥ 2^`spare`.
    pub(super) fn new(p: &BigUint, spare: u64) -> Self {
        let mut primes =
            (0..u32::MAX / 2).map(|k| 2 * k + 1).filter(|c| is_prime(modulus(*c)) && !(p % modulus(*c)).is_zero());
        let (mut all, mut product) = (vec![], BigUint::one());
        while product < p << (spare + 2) {
            let c = primes.next().unwrap_or_else(|| unreachable!("there are primes enough"));
            product *= modulus(c);
            all.push(c);
        }
        let n = all.len();
        all.extend(primes.take(n + 1));
        Bases { n, all, alpha: &product / (p * 4u32), product }
    }

    /// m_i, of all.
    pub(super) fn modulus(&self, i: usize) -> u32 {
        modulus(self.all[i])
    }

    /// A'.
    pub(super) fn second_product(&self) -> BigUint {
        (self.n..2 * self.n).map(|j| self.modulus(j)).product()
    }
}
