//! Polynomials over F_2 as big integers, bit i the coefficient of x^i: the slow reference for `Binary`. The functions
//! process one bit at a time and are not constant time.

use num_bigint::BigUint;
use num_traits::One;

/// Returns a·b as Σ b·x^i over the bits i of a.
pub fn mul(a: &BigUint, b: &BigUint) -> BigUint {
    (0..a.bits()).filter(|i| a.bit(*i)).fold(BigUint::ZERO, |sum, i| sum ^ (b << i))
}

/// Returns a²: the bits of a, a 0 after each.
pub fn square(a: &BigUint) -> BigUint {
    let spread = |byte: &u8| (0..8).fold(0u16, |out, i| out | u16::from(byte >> i & 1) << (2 * i)).to_le_bytes();
    BigUint::from_bytes_le(&a.to_bytes_le().iter().flat_map(spread).collect::<Vec<u8>>())
}

/// Returns a modulo f ≠ 0, by long division.
pub fn rem(a: &BigUint, f: &BigUint) -> BigUint {
    let mut rest = a.clone();
    while rest.bits() >= f.bits() {
        rest ^= f << (rest.bits() - f.bits());
    }
    rest
}

/// Returns 1/a modulo f, by Euclid's algorithm; `None` if a and f have a common factor.
pub fn inverse(a: &BigUint, f: &BigUint) -> Option<BigUint> {
    // s·a = r and t·a = v modulo f
    let (mut r, mut s) = (rem(a, f), BigUint::one());
    let (mut v, mut t) = (f.clone(), BigUint::ZERO);
    while r.bits() > 1 {
        if r.bits() < v.bits() {
            std::mem::swap(&mut r, &mut v);
            std::mem::swap(&mut s, &mut t);
        }
        let shift = r.bits() - v.bits();
        r ^= &v << shift;
        s ^= &t << shift;
    }
    // r = 0 if v is a common factor
    r.is_one().then(|| rem(&s, f))
}

/// Returns true if f is irreducible: x^(2^m) = x, and x^(2^(m/p)) − x has no factor in common with f for every prime p
/// that divides its degree m (Rabin, SIAM J. Computing 9, 1980).
pub fn is_irreducible(f: &BigUint) -> bool {
    let m = f.bits().saturating_sub(1);
    if m == 0 {
        return false;
    }
    let x = rem(&BigUint::from(2u32), f);
    let after = |n: u64| (0..n).fold(x.clone(), |power, _| rem(&square(&power), f));
    let primes = (2..=m).filter(|p| m.is_multiple_of(*p) && (2..*p).all(|d| !p.is_multiple_of(d)));
    after(m) == x && primes.into_iter().all(|p| inverse(&(after(m / p) ^ &x), f).is_some())
}
