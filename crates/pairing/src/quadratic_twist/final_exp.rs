//! The final exponentiation f ↦ f^((p^k − 1)/r), k = 2d, d an odd prime: (p^d − 1)(p + 1)·Φ_k(p)/r.

use super::{Fpk, QuadraticTwistPairing};
use bilinear_field::{Field, Prime, at};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::Zero;

/// Returns Φ_2d(p) for an odd prime d.
pub(super) fn cyclotomic(p: &BigUint, d: usize) -> BigUint {
    (p.pow(d as u32) + 1u32) / (p + 1u32)
}

/// Returns the digits of Φ_2d(p)/r to the base p, lowest first, each at most p/2 in absolute value. Since p ≡ t − 1
/// (mod r), they are shorter than p: for k = 6, where hr = p + 1 − t and the curve is an MNT curve, Φ_6(p)/r =
/// h(p + t − 1).
pub(super) fn hard_digits(p: &BigUint, r: &BigUint, d: usize) -> Vec<BigInt> {
    let base = BigInt::from(p.clone());
    let mut rest = BigInt::from(cyclotomic(p, d) / r);
    let mut digits = vec![];
    while !rest.is_zero() {
        let mut digit = rest.mod_floor(&base);
        if &digit * 2 > base {
            digit -= &base;
        }
        rest = (rest - &digit) / &base;
        digits.push(digit);
    }
    digits
}

impl<F: Prime> QuadraticTwistPairing<F> {
    /// Returns f^((p^d − 1)(p + 1)) for f ≠ 0, with one inversion. The rest of the exponent is Φ_k(p)/r.
    pub(super) fn easy_power(&self, f: &Fpk<F>) -> Fpk<F> {
        let target = &self.groups.target;
        at! {target;
            inverse = inv(f);
            g = mul(&self.conjugate(f), &inverse);  // g = f^(p^d − 1), of norm 1
            easy = mul(&self.frobenius(&g), &g);    // g^(p + 1), of an order that divides Φ_k(p)
        }
        easy
    }
}
