//! Type A: r = 2^a +- 2^b +- 1 prime, q = h r - 1 prime with h a random multiple of 12 (PBC's `genaparam`).
//!
//! 4 | h makes q = 3 mod 4; 3 | h makes q = 2 mod 3, so that q - 1 is prime to 3 (as in PBC).
//! Nothing here is secret.

use crypto_bigint::rand_core::CryptoRng;
use crypto_bigint::{BoxedUint, NonZero, RandomMod};
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, Zero};

use super::small_primes::odd_primes_below;
use super::{Progress, friendly};
use crate::Error;
use crate::integer::{from_boxed, is_prime, to_boxed};

/// The bound of trial division: before a primality test, candidates are divided by the odd primes below it.
const TRIAL: u32 = 2048;

/// Finds a random prime 2^a +- 2^b +- 1 of exactly `bits` bits by trying the candidates in random order. There is
/// one for every size from 16 to 1099 bits (found by exhaustive search).
pub(super) fn solinas_prime<R: CryptoRng + ?Sized>(bits: usize, rng: &mut R) -> Result<BigUint, Error> {
    let small = odd_primes_below(TRIAL);
    let mut candidates = Vec::with_capacity(4 * bits);
    for sign0 in [1i8, -1] {
        // 2^(bits-1) + 2^b +- 1, b <= bits - 2, and 2^bits - 2^b +- 1, b <= bits - 2, have exactly `bits` bits
        candidates.extend((1..bits - 1).map(|b| (bits - 1, 1i8, b, sign0)));
        candidates.extend((1..bits - 1).map(|b| (bits, -1i8, b, sign0)));
    }
    while !candidates.is_empty() {
        let pick = below(&BigUint::from(candidates.len()), rng).iter_u64_digits().next().unwrap_or(0);
        let (a, sign1, b, sign0) = candidates.swap_remove(pick as usize);
        let (high, low) = (BigUint::one() << a, BigUint::one() << b);
        let r = if sign1 > 0 { high + low } else { high - low };
        let r = if sign0 > 0 { r + 1u8 } else { r - 1u8 };
        if !has_small_factor(&r, &small) && is_prime(&r) {
            return Ok(r);
        }
    }
    Err(Error::NothingFound { what: "prime 2^a +- 2^b +- 1 of this size" })
}

/// Finds a random multiple h of 12, prime to r, for which h r - 1 is a prime of exactly `q_bits` bits. If k is
/// given, this prime is 3 mod 2^k.
pub(super) fn cofactor<R: CryptoRng + ?Sized>(
    r: &BigUint,
    q_bits: usize,
    k: Option<usize>,
    rng: &mut R,
    progress: &mut dyn FnMut(Progress),
) -> Result<BigUint, Error> {
    let small = odd_primes_below(TRIAL);
    let nothing = || Error::NothingFound { what: "cofactor with a prime field" };
    // h = first + m step with first < step, and step r < 2^(q_bits - 1)
    let (first, step) = match k {
        Some(k) => friendly::cofactors(r, k).ok_or_else(nothing)?,
        None => (BigUint::zero(), BigUint::from(12u8)),
    };
    // 2^(q_bits - 1) <= (first + m step) r - 1 < 2^q_bits
    let (offset, stride) = (&first * r, &step * r);
    let lowest = ((BigUint::one() << (q_bits - 1)) + 1u8 - &offset).div_ceil(&stride);
    let highest = ((BigUint::one() << q_bits) - &offset) / &stride;
    if lowest > highest {
        return Err(nothing());
    }
    let span = &highest - &lowest + 1u8;
    let mut candidate = 0;
    // a random q is prime with probability 3 / ln q, so failing this often has probability e^-277 where span is large
    for _ in 0..64 * q_bits {
        let m = &lowest + below(&span, rng);
        let h = &first + m * &step;
        let q = &h * r - 1u8;
        if has_small_factor(&q, &small) || !h.gcd(r).is_one() {
            continue;
        }
        candidate += 1;
        progress(Progress::Field { candidate });
        if is_prime(&q) {
            return Ok(h);
        }
    }
    Err(nothing())
}

fn has_small_factor(value: &BigUint, small: &[u32]) -> bool {
    small.iter().any(|&s| (value % s).is_zero() && *value != BigUint::from(s))
}

/// Draws a uniform number in 0..bound; bound must be positive.
fn below<R: CryptoRng + ?Sized>(bound: &BigUint, rng: &mut R) -> BigUint {
    let bound = NonZero::new(to_boxed(bound)).into_option().unwrap_or_else(|| unreachable!("a bound is positive"));
    from_boxed(&BoxedUint::random_mod_vartime(rng, &bound))
}
