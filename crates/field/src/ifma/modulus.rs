//! The constants of a modulus, and the multiple of p that the engine computes with.

use super::places::{LANES, Vector};
use super::rules::LaneRules;
use crate::words::split;
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// The number of bits of a limb.
pub(super) const LIMB: u64 = 52;
/// The most spare bits that the estimate of a quotient allows: the highest limb of the modulus keeps 12 bits.
pub(super) const MAX_SPARE: u64 = 40;

/// Returns the multiplier c of the modulus N = c·p: 1, or an odd number that leaves at most 40 of the 52L bits
/// unused.
pub(super) fn multiplier(p: &BigUint, limbs: usize) -> BigUint {
    let spare = LIMB * limbs as u64 - p.bits();
    if spare <= MAX_SPARE { BigUint::one() } else { (BigUint::one() << (spare - MAX_SPARE)) - 1u32 }
}

/// Returns how Montgomery-friendly n is (build/shape.rs): the number of limbs that are 0 after a first limb of 3, or
/// 0 for any other first limb.
pub(super) fn zeros(n: &BigUint) -> usize {
    let rest = n - 3u32;
    let whole = rest.trailing_zeros().unwrap_or(0) / LIMB;
    whole.saturating_sub(1) as usize
}

/// Returns a vector with the same number in every lane.
pub(super) fn broadcast(x: u64) -> Vector {
    Vector([x; LANES])
}

/// Returns the limbs of x < 2^(52L), each in every lane.
pub(super) fn limbs(x: &BigUint, count: usize) -> Vec<Vector> {
    split(&x.to_u64_digits(), LIMB).take(count).map(broadcast).collect()
}

fn low_word(x: &BigUint) -> u64 {
    x.iter_u64_digits().next().unwrap_or(0)
}

/// Returns the constants of an odd n on L limbs, in the order of build/layout.rs.
pub(super) fn constants(n: &BigUint, count: usize, rules: LaneRules) -> Box<[Vector]> {
    let digit = BigUint::one() << LIMB;
    let u = &digit - n.modinv(&digit).unwrap_or_else(BigUint::zero);
    let r = BigUint::one() << (LIMB * count as u64);
    let shift = n.bits() - LIMB * (count as u64 - 1) - 1;
    // n/2^(52(L − 1)) need not be an integer
    let reciprocal = (&r << shift) / n;
    let tables = [
        n.clone(),
        (n * &u + 1u32) >> LIMB,
        &r - n,
        n * rules.bias(),
        n * rules.bias_wide(),
        n * rules.bias_difference(),
        n * rules.bias_three(),
    ];
    let scalars = [low_word(&u), (1 << LIMB) - 1, low_word(&reciprocal), shift];
    scalars.map(broadcast).into_iter().chain(tables.iter().flat_map(|x| limbs(x, count))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn friendly_moduli_are_recognised() {
        let with = |low: u32, power: u64| (BigUint::from(0x1_0001u32) << power) + low;
        let cases =
            [(3, 52, 0), (3, 103, 0), (3, 104, 1), (3, 52 * 9, 8), (3, 52 * 10 - 1, 8), (1, 52 * 9, 0), (7, 52 * 9, 0)];
        for (low, power, want) in cases {
            assert_eq!(zeros(&with(low, power)), want, "{low} + 2^{power}·…");
        }
        assert_eq!(zeros(&BigUint::from(3u32)), 0);
    }
}
