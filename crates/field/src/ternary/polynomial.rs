//! Polynomials over F_3 as integers, Σ c_i·3^i for Σ c_i·x^i: the slow reference for `Ternary`. The functions process
//! one coefficient at a time and are not constant time.

use num_bigint::BigUint;

/// Returns the coefficients, lowest first, without leading zeros.
pub fn coefficients(a: &BigUint) -> Vec<u8> {
    // the digits of 0 are [0]
    let mut digits = a.to_radix_le(3);
    trim(&mut digits);
    digits
}

/// Returns the integer for these coefficients, each below 3.
pub fn integer(coefficients: &[u8]) -> BigUint {
    BigUint::from_radix_le(coefficients, 3).unwrap_or_default()
}

fn trim(a: &mut Vec<u8>) {
    while a.last() == Some(&0) {
        a.pop();
    }
}

/// Returns a + c·b.
pub fn add_multiple(a: &BigUint, c: u8, b: &BigUint) -> BigUint {
    let (a, b) = (coefficients(a), coefficients(b));
    let at = |v: &[u8], i: usize| v.get(i).copied().unwrap_or(0);
    integer(&(0..a.len().max(b.len())).map(|i| (at(&a, i) + c % 3 * at(&b, i)) % 3).collect::<Vec<_>>())
}

/// Returns a·b.
pub fn mul(a: &BigUint, b: &BigUint) -> BigUint {
    let (a, b) = (coefficients(a), coefficients(b));
    let mut out = vec![0; a.len() + b.len()];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            out[i + j] = (out[i + j] + x * y) % 3;
        }
    }
    integer(&out)
}

/// Returns a modulo f ≠ 0, by long division.
pub fn rem(a: &BigUint, f: &BigUint) -> BigUint {
    let (mut rest, f) = (coefficients(a), coefficients(f));
    let leading = f[f.len() - 1];
    let terms: Vec<(usize, u8)> = f.iter().copied().enumerate().filter(|(_, c)| *c != 0).collect();
    while rest.len() >= f.len() {
        // the negative quotient of the leading coefficients: 1/c = c
        let c = 3 - rest[rest.len() - 1] * leading % 3;
        let shift = rest.len() - f.len();
        terms.iter().for_each(|(i, y)| rest[shift + i] = (rest[shift + i] + c * y) % 3);
        trim(&mut rest);
    }
    integer(&rest)
}

/// Returns a³: the coefficients of a, with two 0 after each.
pub fn cube(a: &BigUint) -> BigUint {
    integer(&coefficients(a).iter().flat_map(|c| [*c, 0, 0]).collect::<Vec<_>>())
}

/// Returns true if a and f have no common factor, by Euclid's algorithm.
fn are_coprime(a: &BigUint, f: &BigUint) -> bool {
    let (mut a, mut b) = (rem(a, f), f.clone());
    while a != BigUint::ZERO {
        (a, b) = (rem(&b, &a), a);
    }
    coefficients(&b).len() == 1
}

/// Returns true if f is irreducible: x^(3^m) = x, and x^(3^(m/p)) − x has no factor in common with f for every prime p
/// that divides its degree m (Rabin, SIAM J. Computing 9, 1980).
pub fn is_irreducible(f: &BigUint) -> bool {
    let m = coefficients(f).len().saturating_sub(1);
    if m == 0 {
        return false;
    }
    let x = rem(&BigUint::from(3u32), f);
    let after = |n: usize| (0..n).fold(x.clone(), |power, _| rem(&cube(&power), f));
    let primes = (2..=m).filter(|p| m.is_multiple_of(*p) && (2..*p).all(|d| !p.is_multiple_of(d)));
    after(m) == x && primes.into_iter().all(|p| are_coprime(&add_multiple(&after(m / p), 2, &x), f))
}
