//! The representation of residues in an ALU, and the constants that the ALU needs for p.
//!
//! | reduction | representation of the residue x | its constant |
//! |---|---|---|
//! | Montgomery | x·R mod p, R = 2^(W·g·⌈k/g⌉) | −1/p mod 2^(W·g) |
//! | five stages | x | ⌊2^(W·S)/p⌋, S = ⌈(2N + 2)/W⌉ |
//! | polynomial | x·u⁵ mod p, as coefficients of 1, u, …, u⁴ with signs | none |

use crate::model::{Alu, COEFFICIENT, Reduction};
use num_bigint::{BigInt, BigUint, Sign};

/// The form of residues modulo p in an ALU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// The modulus p, odd.
    pub p: BigUint,
    /// The factor of the representation: R mod p, u⁵ mod p, or 1.
    pub one: BigUint,
    /// The start value of an inversion, chosen so that the result is in the representation again: the square of `one`
    /// modulo p.
    pub start: BigUint,
    /// The constant of the reduction.
    pub factor: BigUint,
    /// 2^(kW) − p, for limbs of W bits.
    pub complement: BigUint,
    /// The number of bits of a limb, or of a coefficient with its sign.
    width: u32,
    /// The number of limbs, or of coefficients.
    limbs: u32,
    /// u, if a residue is a polynomial in u.
    u: Option<BigUint>,
}

/// Returns u > 0 of the BN prime p = 36u⁴ + 36u³ + 24u² + 6u + 1; `None` if p is not of this form.
fn bn(p: &BigUint) -> Option<BigUint> {
    let near = (p / 36u32).nth_root(4);
    let prime = |u: &BigUint| u * (u * (u * (u * 36u32 + 36u32) + 24u32) + 6u32) + 1u32;
    [&near - 1u32, near].into_iter().find(|u| prime(u) == *p)
}

impl Form {
    /// Creates the form of residues modulo p. p must be odd, of N bits, and at least 37; for polynomials it must be a
    /// BN prime with u = 2^m + s, m from 22 to 63, s odd and 0 < s < 2^12. Otherwise returns `None`.
    pub fn new(alu: &Alu, p: &BigUint) -> Option<Self> {
        let one = BigUint::from(1u32);
        if !p.bit(0) || p.bits() != u64::from(alu.bits) || *p < BigUint::from(37u32) {
            return None;
        }
        let power = |bits: u32| BigUint::from(1u32) << bits;
        let mut width = alu.limb;
        let mut polynomial = None;
        let (unit, factor) = match alu.reduction {
            Reduction::Montgomery => {
                let digits = power(alu.limb * alu.generators);
                let steps = alu.limbs().div_ceil(alu.generators);
                let factor = &digits - p.modinv(&digits)?;
                (power(alu.limb * alu.generators * steps) % p, factor)
            }
            Reduction::FiveStage => {
                let digits = (2 * alu.bits + 2).div_ceil(alu.limb);
                (one, power(alu.limb * digits) / p)
            }
            Reduction::Polynomial => {
                width = Some(alu.coefficient()).filter(|width| COEFFICIENT.contains(width))?;
                // halving needs an odd u
                let u = bn(p).filter(|u| u.bit(0) && *u > power(width - 1) && *u < power(width - 1) + 4096u32)?;
                let unit = u.pow(5) % p;
                polynomial = Some(u);
                (unit, BigUint::default())
            }
        };

        let start = &unit * &unit % p;
        let complement = power(width * alu.limbs()) - p;
        Some(Form { p: p.clone(), one: unit, start, factor, complement, width, limbs: alu.limbs(), u: polynomial })
    }

    /// Returns a number as the words of a register, the lowest first. These are its limbs, of which the factor may have
    /// more than a residue; or, in two's complement, the coefficients of the polynomial with the value nearest to
    /// 0.
    pub fn words(&self, x: &BigUint) -> Vec<u64> {
        let mask = (BigInt::from(1) << self.width) - 1;
        let mut rest = BigInt::from_biguint(Sign::Plus, x.clone());
        let Some(u) = &self.u else {
            let limbs = self.limbs.max((x.bits() as u32).div_ceil(self.width));
            return (0..limbs).map(|j| low(&(&rest >> (j * self.width)), &mask)).collect();
        };
        let u = BigInt::from_biguint(Sign::Plus, u.clone());
        if x > &(&self.p >> 1u32) {
            rest -= BigInt::from_biguint(Sign::Plus, self.p.clone());
        }
        let mut words = vec![];
        for _ in 1..self.limbs {
            // the quotient that leaves the residue of `rest` modulo u that is nearest to 0
            let above: BigInt = (&rest + (&u >> 1u32)) / &u - i32::from((&rest + (&u >> 1u32)).sign() == Sign::Minus);
            words.push(low(&(&rest - &above * &u), &mask));
            rest = above;
        }
        words.push(low(&rest, &mask));
        words
    }

    /// Returns a residue in the representation of the ALU.
    pub fn enter(&self, x: &BigUint) -> BigUint {
        x * &self.one % &self.p
    }
}

/// Returns the lowest bits of a number in two's complement.
fn low(x: &BigInt, mask: &BigInt) -> u64 {
    (x & mask).iter_u64_digits().next().unwrap_or(0)
}
