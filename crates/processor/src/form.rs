//! How an ALU keeps residues, and the constants that it needs for p.
//!
//! | reduction | the residue x is kept as | its constant |
//! |---|---|---|
//! | Montgomery | x·R mod p, R = 2^(W·g·⌈k/g⌉) | −1/p mod 2^(W·g) |
//! | five stages | x | ⌊2^(W·S)/p⌋, S = ⌈(2N + 2)/W⌉ |

use crate::model::{Alu, Reduction};
use num_bigint::BigUint;

/// The form of residues modulo p in an ALU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// p, odd.
    pub p: BigUint,
    /// What a residue is multiplied by: R mod p, or 1.
    pub one: BigUint,
    /// What an inversion starts from, so that its result has the form again: R² mod p, or 1.
    pub start: BigUint,
    /// The constant of the reduction.
    pub factor: BigUint,
    /// 2^(kW) − p.
    pub complement: BigUint,
    /// 1/R mod p.
    back: BigUint,
}

impl Form {
    /// The form of residues modulo p, which is odd, of at most N bits and at least 3; otherwise `None`.
    pub fn new(alu: &Alu, p: &BigUint) -> Option<Self> {
        let one = BigUint::from(1u32);
        if !p.bit(0) || p.bits() > u64::from(alu.bits) || *p == one {
            return None;
        }
        let power = |bits: u32| BigUint::from(1u32) << bits;
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
        };
        let start = &unit * &unit % p;
        let back = unit.modinv(p)?;
        Some(Form { p: p.clone(), one: unit, start, factor, complement: power(alu.limb * alu.limbs()) - p, back })
    }

    /// A residue as the ALU keeps it.
    pub fn enter(&self, x: &BigUint) -> BigUint {
        x * &self.one % &self.p
    }

    /// The residue that the ALU keeps as this.
    pub fn leave(&self, x: &BigUint) -> BigUint {
        x * &self.back % &self.p
    }
}
