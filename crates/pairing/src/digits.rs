//! Signed digit expansions of loop lengths and scalars.

use num_bigint::BigUint;

/// Returns the width-w non-adjacent form of n, most significant digit first. Digits are 0 or odd with |d| < 2^(w−1),
/// and of any w consecutive digits at most one is not 0 (Solinas, Designs, Codes and Cryptography 2000). Width 2 is
/// the NAF. The expansion of n = 0 is empty.
///
/// # Panics
/// Panics if w is not in 2..=7.
pub fn wnaf(n: &BigUint, w: u32) -> Vec<i8> {
    assert!((2..=7).contains(&w), "a width of {w}: 2 to 7 are allowed");
    let bits = n.bits();
    let mut digits = Vec::with_capacity(bits as usize + w as usize);
    let (mut i, mut carry) = (0, 0i16);
    while i < bits || carry > 0 {
        let bit = i16::from(n.bit(i)) + carry;
        if bit % 2 == 0 {
            digits.push(0);
            carry = bit / 2;
            i += 1;
            continue;
        }
        // n has w bits in this window; the window is odd with the carry, and below 2^w
        let window = (0..u64::from(w)).fold(carry, |v, j| v + (i16::from(n.bit(i + j)) << j));
        carry = i16::from(window >= 1 << (w - 1));
        // |digit| < 64
        digits.push((window - (carry << w)) as i8);
        digits.extend(std::iter::repeat_n(0, w as usize - 1));
        i += u64::from(w);
    }
    let length = digits.iter().rposition(|d| *d != 0).map_or(0, |last| last + 1);
    digits.truncate(length);
    digits.reverse();
    digits
}

/// Returns the NAF of n with leading digits 10(−1) replaced by 11: the same weight, and one digit shorter.
pub fn short_naf(n: &BigUint) -> Vec<i8> {
    let mut digits = wnaf(n, 2);
    if digits.starts_with(&[1, 0, -1]) {
        digits.splice(..3, [1, 1]);
    }
    digits
}

/// Returns the powers x, x³, x⁵, … by which the digits of a [`wnaf`] multiply, `count` of them and at least one: a
/// square, and `count` − 1 products. For points, squares are doubles and products sums.
pub fn odd_powers<T: Clone, S>(x: &T, count: usize, square: &dyn Fn(&T) -> S, mul: &dyn Fn(&T, &S) -> T) -> Vec<T> {
    let mut odd = vec![x.clone()];
    if count > 1 {
        let square = square(x);
        for i in 1..count {
            odd.push(mul(&odd[i - 1], &square));
        }
    }
    odd
}

/// The number of non-zero digits.
pub fn weight(digits: &[i8]) -> usize {
    digits.iter().filter(|d| **d != 0).count()
}

/// Returns the base-2^w digit of weight 2^(wi) of a scalar in big-endian bytes, for w = 1, 2, 4 or 8. Digits above
/// the scalar's length are 0. Only the length decides which byte is read.
pub fn digit(bytes: &[u8], w: usize, i: usize) -> u8 {
    let byte = bytes.len().checked_sub(i * w / 8 + 1).map_or(0, |at| bytes[at]);
    byte >> (i * w % 8) & (u8::MAX >> (8 - w))
}

/// The number of base-2^w digits of the longest of some scalars.
pub fn digit_count(scalars: &[&[u8]], w: usize) -> usize {
    scalars.iter().map(|k| k.len()).max().unwrap_or(0) * 8 / w
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;
    use num_traits::{One, Zero};

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
            assert!(!digits.starts_with(&[1, 0, -1]), "{n}");
        }
    }

    #[test]
    fn digits_are_the_bytes() {
        let k = [0x1f, 0x02];
        assert_eq!((0..6).map(|i| digit(&k, 4, i)).collect::<Vec<_>>(), [2, 0, 15, 1, 0, 0]);
        assert_eq!((0..3).map(|i| digit(&k, 8, i)).collect::<Vec<_>>(), [0x02, 0x1f, 0]);
        assert_eq!((7..14).map(|i| digit(&k, 1, i)).collect::<Vec<_>>(), [0, 1, 1, 1, 1, 1, 0]);
        assert_eq!(digit_count(&[&k, &[], &[1, 2, 3]], 4), 6);
        assert_eq!(digit_count(&[], 4), 0);
    }
}
