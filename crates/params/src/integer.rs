//! Big integers of descriptions: parsing of decimal and hexadecimal text, size limits, primality.

use crypto_bigint::BoxedUint;
use crypto_primes::{Flavor, is_prime as is_prime_boxed};
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{Num, One, Zero};

use crate::{Error, Location};

/// Largest size of the field characteristic q, in bits.
pub const MAX_FIELD_BITS: u64 = 4096;

/// Largest size of a description file, in bytes.
pub const MAX_FILE_BYTES: usize = 1 << 20;

/// Returns the digits of an unsigned integer literal, without leading zeros, and its radix. Errors never quote the
/// digits, because this function reads secret factors as well.
pub(crate) fn digits(text: &str, max_bits: u64, at: impl Fn() -> Location) -> Result<(&str, u32), Error> {
    let (digits, radix) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) => (hex, 16),
        None => (text, 10),
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return Err(Error::NotAnInteger { at: at() });
    }
    let trimmed = digits.trim_start_matches('0');
    // 0.3011 < log10(2), so a decimal that passes has at most max_bits + 7 bits and conversion stays cheap
    let longest = if radix == 16 { max_bits.div_ceil(4) } else { max_bits * 3011 / 10_000 + 2 };
    if trimmed.len() as u64 > longest {
        return Err(Error::TooManyBits { at: at(), limit: max_bits });
    }
    Ok((if trimmed.is_empty() { "0" } else { trimmed }, radix))
}

/// Parses an unsigned integer of at most `max_bits` bits, decimal or `0x` hexadecimal.
pub(crate) fn parse(text: &str, max_bits: u64, at: impl Fn() -> Location) -> Result<BigUint, Error> {
    let (digits, radix) = digits(text, max_bits, &at)?;
    let value = BigUint::from_str_radix(digits, radix).map_err(|_| Error::NotAnInteger { at: at() })?;
    if value.bits() > max_bits {
        return Err(Error::TooManyBits { at: at(), limit: max_bits });
    }
    Ok(value)
}

/// Parses a signed integer of at most `max_bits` bits: an unsigned integer with or without a minus sign.
pub(crate) fn parse_signed(text: &str, max_bits: u64, at: impl Fn() -> Location) -> Result<BigInt, Error> {
    let (sign, digits) = text.strip_prefix('-').map_or((Sign::Plus, text), |digits| (Sign::Minus, digits));
    match parse(digits, max_bits, &at) {
        Ok(magnitude) => Ok(BigInt::from_biguint(sign, magnitude)),
        Err(Error::NotAnInteger { at }) => Err(Error::NotASignedInteger { at }),
        Err(error) => Err(error),
    }
}

/// Returns the residue of a signed integer modulo m, 0 to m - 1.
pub(crate) fn residue(value: &BigInt, m: &BigUint) -> BigUint {
    value.mod_floor(&BigInt::from(m.clone())).magnitude().clone()
}

/// Returns true if `value` is an n-th power modulo the prime p, where n divides p - 1 (Euler's criterion). 0 counts
/// as a power.
pub(crate) fn is_power(value: &BigUint, n: u32, p: &BigUint) -> bool {
    let power = value.modpow(&((p - 1u8) / n), p);
    power.is_zero() || power.is_one()
}

/// Computes the Jacobi symbol of a over an odd n: 1, -1, or 0 if they have a common factor. For a prime n it tells
/// whether a is a square.
pub(crate) fn jacobi(a: &BigUint, n: &BigUint) -> i8 {
    let low = |x: &BigUint| x.iter_u64_digits().next().unwrap_or(0);
    let (mut a, mut n, mut symbol) = (a % n, n.clone(), 1);
    while let Some(zeros) = a.trailing_zeros() {
        a >>= zeros;
        // (2/n) = -1 for n = 3, 5 mod 8; reciprocity for a = n = 3 mod 4
        let two = zeros % 2 == 1 && matches!(low(&n) % 8, 3 | 5);
        let both = low(&a) % 4 == 3 && low(&n) % 4 == 3;
        if two != both {
            symbol = -symbol;
        }
        (a, n) = (n % &a, a);
    }
    if n.is_one() { symbol } else { 0 }
}

/// Parses a small decimal integer.
pub(crate) fn parse_small(text: &str, at: impl Fn() -> Location) -> Result<u32, Error> {
    text.parse().map_err(|_| Error::NotAnInteger { at: at() })
}

/// Converts a value to the representation that the primality tests take, with the value's own precision.
pub(crate) fn to_boxed(value: &BigUint) -> BoxedUint {
    BoxedUint::from_be_slice_vartime(&value.to_bytes_be())
}

/// Returns the number of bits of a value. This is 0 for 0, which `crypto-bigint` reads from text as a number
/// without limbs and would not count.
pub(crate) fn bits(value: &BoxedUint) -> u32 {
    if value.as_limbs().is_empty() { 0 } else { value.bit_width_vartime() }
}

/// Converts a value to an ordinary big integer.
pub(crate) fn from_boxed(value: &BoxedUint) -> BigUint {
    BigUint::from_bytes_be(&value.to_be_bytes())
}

/// Tests primality by Baillie-PSW (strong base-2 test, then the strengthened Lucas test of Baillie, Fiori and
/// Wagstaff, Math. Comp. 90, 2021). Never rejects a prime; no composite that passes is known. Measured cost: 20 to
/// 25 ms at 2060 bits.
pub(crate) fn is_prime(value: &BigUint) -> bool {
    is_prime_boxed(Flavor::Any, &to_boxed(value))
}

/// Returns number/h if it is an integer of at least 3 and prime to h, otherwise `None`.
pub(crate) fn without_cofactor(number: &BigUint, h: &BigUint) -> Option<BigUint> {
    if h.is_zero() {
        return None;
    }
    let (r, rest) = number.div_rem(h);
    (rest.is_zero() && r >= BigUint::from(3u8) && r.gcd(h).is_one()).then_some(r)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn all(numbers: &[&str]) -> Vec<BigUint> {
        numbers.iter().map(|n| n.parse().unwrap()).collect()
    }

    /// Composites that weaker tests take for primes.
    #[test]
    fn composites_that_look_prime_are_recognised() {
        let carmichael = ["561", "1105", "1729", "2465", "2821", "6601", "8911", "41041", "825265", "321197185"];
        let strong_to_base_2 = ["2047", "3277", "4033", "4681", "8321", "15841", "29341", "42799", "49141", "65281"];
        // to the first 4, 9, 12 and 13 primes (Jaeschke 1993; Jiang and Deng 2014; Sorenson and Webster 2017)
        let strong_to_many =
            ["3215031751", "3825123056546413051", "318665857834031151167461", "3317044064679887385961981"];
        let strong_lucas = ["5459", "5777", "10877", "16109", "18971", "22499", "24569", "25199", "40309", "58519"];
        for n in [&carmichael[..], &strong_to_base_2, &strong_to_many, &strong_lucas].into_iter().flat_map(all) {
            assert!(!is_prime(&n), "{n}");
        }
        let mersenne = |bits: u32| (BigUint::from(1u32) << bits) - 1u32;
        let close = [("1000000007", "1000000009"), ("4294967291", "4294967311"), ("65537", "65537")];
        for n in close.map(|(p, q)| all(&[p, q]).iter().product::<BigUint>()) {
            assert!(!is_prime(&n), "{n}");
        }
        assert!(!is_prime(&(mersenne(521) * mersenne(607))) && !is_prime(&mersenne(521).pow(2)));
        assert!(!is_prime(&mersenne(67)) && !is_prime(&mersenne(257)));
    }

    /// Compares Jacobi symbols with products of Legendre symbols over the prime factors, computed by Euler's criterion.
    #[test]
    fn jacobi_symbols_agree_with_legendre_symbols() {
        let legendre = |a: u32, p: u32| match BigUint::from(a).modpow(&((p - 1) / 2).into(), &p.into()) {
            power if power.is_zero() => 0,
            power if power.is_one() => 1,
            _ => -1,
        };
        for factors in [&[3][..], &[5], &[7], &[17], &[97], &[3, 3], &[3, 5], &[7, 11, 13]] {
            let n: u32 = factors.iter().product();
            for a in 0..2 * n {
                let known: i8 = factors.iter().map(|p| legendre(a, *p)).product();
                assert_eq!(jacobi(&a.into(), &n.into()), known, "({a}/{n})");
            }
        }
    }

    #[test]
    fn primality_agrees_with_trial_division() {
        for n in all(&["2", "3", "5", "1000000007", "4294967291", "4294967311"]) {
            assert!(is_prime(&n), "{n}");
        }
        for bits in [61, 89, 107, 127, 521, 607] {
            assert!(is_prime(&((BigUint::from(1u32) << bits) - 1u32)), "2^{bits} - 1");
        }
        assert!(!is_prime(&0u32.into()) && !is_prime(&1u32.into()));
    }
}
