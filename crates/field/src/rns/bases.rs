//! The moduli of the residue number system: the largest primes 2^32 − c that do not divide p. The first n form the base
//! B with the product A, the next n form the base B' with the product A', and one more is the redundant modulus m_r.
//!
//! There are 271 primes with c ≤ 5775, more than the longest modulus needs: c < 2^13.

use super::word::{is_prime, modulus};
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// The bases for one p.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bases {
    /// The number of moduli of each base.
    pub(super) n: usize,
    /// The constants c of all moduli: of B, B' and m_r.
    pub(super) all: Vec<u32>,
    /// The product A of the first base.
    pub(super) product: BigUint,
    /// α = ⌊A/4p⌋.
    pub(super) alpha: BigUint,
}

impl Bases {
    /// Creates the bases with the fewest moduli for which α ≥ 2^`spare`.
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

    /// Returns modulus i among all moduli.
    pub(super) fn modulus(&self, i: usize) -> u32 {
        modulus(self.all[i])
    }

    /// Returns A', the product of the second base.
    pub(super) fn second_product(&self) -> BigUint {
        (self.n..2 * self.n).map(|j| self.modulus(j)).product()
    }
}
