//! Montgomery-friendly characteristics: q = 3 mod 2^k with k a multiple of 52.
//!
//! In radix 2^52 limb 0 of q is 3 and limbs 1 to k/52 - 1 are 0. With u = -1/3 mod 2^52 = (2^52 - 1)/3,
//! (q u + 1) / 2^52 = 1 + 2^(k-52) u (q - 3)/2^k, so that most columns of a Montgomery reduction vanish (for such moduli:
//! Knezevic, Vercauteren, Verbauwhede, "Speeding up bipartite modular multiplication", WAIFI 2010; the name is that of
//! Bos, Costello, Hisil, Lauter, "Fast cryptography in genus 2", Eurocrypt 2013).
//!
//! Why 3 and not -1: q + 1 is the order times the cofactor, and the order is odd, so q = -1 mod 2^k would put 2^k into the
//! cofactor. Type A1 has no cofactor that large; type A has one, but a single form serves both types.
//!
//! - Type A: h = 4/r mod 2^k, a multiple of 3, random beyond that.
//! - Type A1: l = 4 and n = 1 mod 2^(k-2). All primes but the longest are random; that one is random in its residue
//!   class mod 2^(k-2) (A. K. Lenstra, "Generating RSA moduli with a predetermined portion", Asiacrypt 1998).
//!
//! At most half of the bits of n (type A: of h) are prescribed. `docs/mathematics.md` says what that means for
//! security.

use num_bigint::BigUint;
use num_traits::One;

use crate::Error;

/// Bits of a limb in lanes.
const RADIX: usize = 52;

/// The smallest k: below it no limb is 0.
const MIN: usize = 2 * RADIX;

/// The number of bits of the longest prime that are not prescribed. They leave 2^44 candidates, and for one in
/// ln(p) ln(q)/2.6 < 2^22 of them both p and q are primes.
const FREE_PRIME_BITS: usize = 44;

/// The cofactor l of type A1.
pub(super) const COFACTOR: u64 = 4;

/// Returns the largest k for type A with r of `r_bits` and q of `q_bits` bits, `r_bits` below `q_bits`. 2^100
/// candidates for h remain, of which one in ln(q)/3 < 2^10 gives a prime.
pub(super) fn exponent_a(r_bits: usize, q_bits: usize) -> Result<usize, Error> {
    let k = (q_bits - r_bits) / 2 / RADIX * RADIX;
    if k < MIN {
        let least = r_bits + 2 * MIN;
        return Err(Error::TooFewBits {
            what: "for this order and a Montgomery-friendly q, a field",
            bits: q_bits,
            least,
        });
    }
    Ok(k)
}

/// Returns the largest k for type A1 with primes of these sizes, the two top bits of each set.
pub(super) fn exponent_a1(prime_bits: &[usize]) -> Result<usize, Error> {
    let longest = prime_bits.iter().copied().max().unwrap_or(0);
    if longest < MIN + FREE_PRIME_BITS {
        let least = MIN + FREE_PRIME_BITS;
        return Err(Error::TooFewBits {
            what: "for a Montgomery-friendly q, the longest prime factor",
            bits: longest,
            least,
        });
    }
    // m primes of at least 3/4 of their power of two, and (3/4)^m > 2^(-5m/12)
    let order_bits = prime_bits.iter().sum::<usize>().saturating_sub(5 * prime_bits.len() / 12);
    let k = (order_bits / 2).min(longest - FREE_PRIME_BITS) / RADIX * RADIX;
    if k < MIN {
        return Err(Error::TooFewBits {
            what: "for a Montgomery-friendly q, a group order",
            bits: order_bits,
            least: 2 * MIN,
        });
    }
    Ok(k)
}

/// Returns the multiples h of 12 with h r = 4 mod 2^k as (first, step): first + t step for t = 0, 1, ...
pub(super) fn cofactors(r: &BigUint, k: usize) -> Option<(BigUint, BigUint)> {
    let modulus = BigUint::one() << k;
    // 3x = 4/r mod 2^k for x = 4/(3r), and 3x is a multiple of 4 since x is one
    let x = (r * 3u8).modinv(&modulus)? * 4u8 % &modulus;
    Some((x * 3u8, modulus * 3u8))
}
