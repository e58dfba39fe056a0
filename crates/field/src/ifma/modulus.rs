//! The constants of a modulus, and the multiple of p that the engine computes with.

use super::kernels::{LANES, Modulus, Vector};
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// Bits of a limb.
pub(super) const LIMB: u64 = 52;
/// The most spare bits that the estimate of a quotient allows: the highest limb of the modulus keeps 12 bits.
pub(super) const MOST_SPARE: u64 = 40;

/// The multiplier c of the modulus N = c·p: 1, or an odd number that leaves at most 40 of the 52L bits unused.
pub(super) fn multiplier(p: &BigUint, limbs: usize) -> BigUint {
    let spare = LIMB * limbs as u64 - p.bits();
    if spare <= MOST_SPARE { BigUint::one() } else { (BigUint::one() << (spare - MOST_SPARE)) - 1u32 }
}

/// The same number in every lane.
pub(super) fn broadcast(x: u64) -> Vector {
    Vector([x; LANES])
}

/// The limbs of x < 2^(52L), in every lane.
pub(super) fn limbs<const L: usize>(x: &BigUint) -> [Vector; L] {
    let mask = BigUint::from((1u64 << LIMB) - 1);
    std::array::from_fn(|j| broadcast(low_word(&((x >> (LIMB * j as u64)) & &mask))))
}

pub(super) fn low_word(x: &BigUint) -> u64 {
    x.iter_u64_digits().next().unwrap_or(0)
}

/// The constants of an odd n with lifts of `lift`·n and `lift_wide`·n.
pub(super) fn modulus<const L: usize>(n: &BigUint, lift: u64, lift_wide: u64) -> Modulus<L> {
    let digit = BigUint::one() << LIMB;
    let inverse = n.modinv(&digit).unwrap_or_else(BigUint::zero);
    let u = &digit - inverse;
    let shift = n.bits() - LIMB * (L as u64 - 1) - 1;
    // p' = n/2^(52(L − 1)) need not be whole
    let reciprocal = (BigUint::one() << (LIMB * L as u64 + shift)) / n;
    Modulus {
        p: limbs(n),
        friendly: limbs(&((n * &u + 1u32) >> LIMB)),
        complement: limbs(&((BigUint::one() << (LIMB * L as u64)) - n)),
        lift: limbs(&(n * lift)),
        lift_wide: limbs(&(n * lift_wide)),
        u: broadcast(low_word(&u)),
        mask: broadcast((1 << LIMB) - 1),
        reciprocal: broadcast(low_word(&reciprocal)),
        shift: broadcast(shift),
    }
}
