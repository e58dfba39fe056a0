//! Signed digit expansions of loop lengths and scalars.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The width-w non-adjacent form of n, most significant digit first: digits are 0 or odd with |d| < 2^(w−1), and of any w
/// consecutive digits at most one is not 0 (Solinas, Designs, Codes and Cryptography 2000). Width 2 is the NAF. For n = 0
/// the expansion is empty.
///
/// # Panics
/// If w is not in 2..=7, the widths whose digits fit the result.
pub fn wnaf(n: &BigUint, w: u32) -> Vec<i8> {
    assert!((2..=7).contains(&w), "a width in 2..=7");
    let mut k = BigInt::from(n.clone());
    let (modulus, half) = (BigInt::one() << w, BigInt::one() << (w - 1));
    let mut digits = Vec::with_capacity(n.bits() as usize + 1);
    while k.is_positive() {
        let mut digit = BigInt::zero();
        if k.is_odd() {
            digit = k.mod_floor(&modulus);
            if digit >= half {
                digit -= &modulus;
            }
            k -= &digit;
        }
        // |digit| < 64
        digits.push(digit.to_i8().unwrap_or_default());
        k >>= 1;
    }
    digits.reverse();
    digits
}

/// The NAF of n with 11 for leading digits 10(−1): as light, and one digit shorter.
pub fn short_naf(n: &BigUint) -> Vec<i8> {
    let mut digits = wnaf(n, 2);
    if digits.starts_with(&[1, 0, -1]) {
        digits.splice(..3, [1, 1]);
    }
    digits
}

/// How many digits are not zero.
pub fn weight(digits: &[i8]) -> usize {
    digits.iter().filter(|d| **d != 0).count()
}

/// Base-16 digits of a scalar given as big-endian bytes, most significant first: two a byte, so their number depends on
/// the length alone.
pub fn nibbles(bytes: &[u8]) -> impl Iterator<Item = u8> + '_ {
    bytes.iter().flat_map(|b| [b >> 4, b & 15])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expansions_give_back_the_number() {
        let n = BigUint::parse_bytes(b"123456789012345678901234567890123456789", 10).unwrap_or_default();
        for n in [BigUint::zero(), BigUint::one(), BigUint::from(255u32), &n << 7u32, n] {
            for w in 2..=7 {
                let digits = wnaf(&n, w);
                let value = digits.iter().fold(BigInt::zero(), |v, d| v * 2 + *d);
                assert_eq!(value, BigInt::from(n.clone()), "w = {w}");
                assert!(digits.iter().all(|d| *d == 0 || (d % 2 != 0 && (*d as i32).abs() < 1 << (w - 1))));
                for window in digits.windows(w as usize) {
                    assert!(weight(window) <= 1, "non-adjacent, w = {w}");
                }
            }
        }
    }

    #[test]
    fn the_short_form_is_no_longer_than_the_number() {
        for n in (0u32..1000).map(BigUint::from) {
            let digits = short_naf(&n);
            assert_eq!(digits.iter().fold(BigInt::zero(), |v, d| v * 2 + *d), BigInt::from(n.clone()));
            assert_eq!(weight(&digits), weight(&wnaf(&n, 2)));
            // 2^m − 1 and 2^m − 3 for m > 2 alone keep a longer one
            assert!(digits.len() as u64 <= n.bits() + 1, "{n}");
        }
    }

    #[test]
    fn nibbles_are_the_bytes() {
        assert_eq!(nibbles(&[0x1f, 0x02]).collect::<Vec<_>>(), [1, 15, 0, 2]);
    }
}
