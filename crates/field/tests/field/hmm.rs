//! Tests of the polynomial engine against the reference, on BN primes of several sizes and both signs, on BLS12 and
//! BLS24 primes, and on a polynomial of no family.

use crate::common::{self, conforms, extension_agrees};
use bilinear_field::hmm::{Hmm, ShapeError};
use bilinear_field::reference::Reference;
use bilinear_field::{Lanes, Prime};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::One;

/// Returns ±(2^m + s).
fn seed(negative: bool, m: u32, s: i64) -> BigInt {
    let z: BigInt = (BigInt::one() << m) + s;
    if negative { -z } else { z }
}

/// BN seeds for which p and r are prime, p ≡ 3 (mod 4): the seed of Fan, Vercauteren and Verbauwhede, then the seeds
/// nearest to powers of two, found by search.
const BN: [(bool, u32, i64); 6] =
    [(false, 63, 857), (true, 63, -113), (false, 62, -195), (true, 62, 4623), (false, 55, 403), (false, 48, 593)];

/// The polynomial z^6 − 2z^5 + 2z^3 + z + 1 = 3p.
const BLS12: [i64; 7] = [1, 1, 0, 2, 0, -2, 1];
/// The polynomial z^10 − 2z^9 + z^8 − z^6 + 2z^5 − z^4 + z^2 + z + 1 = 3p.
const BLS24: [i64; 11] = [1, 1, 1, 0, -1, 2, -1, 0, 1, -2, 1];
/// The polynomial 5z^3 + 2z^2 − 7z − 1, with constant term −1.
const CUBIC: [i64; 4] = [-1, -7, 2, 5];

fn value(polynomial: &[i64], m: u32, s: i64, divisor: u32) -> BigUint {
    let z = seed(false, m, s);
    let value = polynomial.iter().rev().fold(BigInt::default(), |sum, c| sum * &z + *c);
    assert_eq!(value.sign(), Sign::Plus);
    value.magnitude() / divisor
}

fn engine<const N: usize>(polynomial: &[i64; N], m: u32, s: i64, divisor: u32) -> Hmm<N> {
    Hmm::new(&value(polynomial, m, s, divisor), polynomial, m, s).unwrap()
}

#[test]
fn bn_primes_conform() {
    for (i, (negative, m, s)) in BN.into_iter().enumerate() {
        conforms(&Hmm::bn(&seed(negative, m, s)).unwrap(), 0xb111_0300 + i as u64, 24);
    }
}

#[test]
fn other_polynomials_conform() {
    conforms(&engine(&BLS12, 55, -88, 3), 0xb111_0310, 24);
    conforms(&engine(&BLS12, 63, -64, 3), 0xb111_0311, 24);
    conforms(&engine(&BLS24, 51, -484, 3), 0xb111_0312, 24);
    conforms(&engine(&CUBIC, 60, -13, 1), 0xb111_0313, 24);
    conforms(&engine(&CUBIC, 61, -40, 1), 0xb111_0314, 24);
    // p(z) = −p
    conforms(&Hmm::new(&value(&CUBIC, 60, -13, 1), &CUBIC.map(|c| -c), 60, -13).unwrap(), 0xb111_0315, 24);
}

/// Checks the tower over F_p² = F_p(i) with ξ = a + i, neither a square nor a cube.
fn tower_agrees<const N: usize>(f: &Hmm<N>, a: i32, seed: u64) {
    let p = f.modulus().clone();
    let r = Reference::new(&p).unwrap();
    extension_agrees(&common::fp12(f.clone(), a), &common::fp12(r.clone(), a), f, &p, seed + 1);
}

#[test]
fn extensions_agree_with_the_reference() {
    tower_agrees(&Hmm::bn(&seed(false, 63, 857)).unwrap(), 5, 0xb111_0320);
    tower_agrees(&Hmm::bn(&seed(true, 63, -113)).unwrap(), 9, 0xb111_0328);
    tower_agrees(&Hmm::bn(&seed(false, 62, -195)).unwrap(), 4, 0xb111_0330);
    tower_agrees(&engine(&BLS12, 55, -88, 3), 4, 0xb111_0338);
}

#[test]
fn a_bn_prime_is_recognised() {
    for (negative, m, s) in BN {
        let p = Hmm::bn(&seed(negative, m, s)).unwrap().modulus().clone();
        let f = Hmm::for_modulus(&p).unwrap();
        assert_eq!(f.value(&f.constant(&(&p - 1u32)), 0), &p - 1u32);
    }
    // the neighbours of a BN prime, and the Mersenne prime 2^127 − 1
    let p = Hmm::bn(&seed(false, 63, 857)).unwrap().modulus().clone();
    for other in [&p - 2u32, &p + 2u32, (BigUint::one() << 127u32) - 1u32] {
        assert_eq!(Hmm::for_modulus(&other).err(), Some(ShapeError::NotBn(other)));
    }
}

#[test]
fn bad_shapes_are_refused() {
    let bn = [1, 6, 24, 36, 36];
    let p = value(&bn, 63, 857, 1);
    let error = |p: &BigUint, polynomial: [i64; 5], m: u32, s: i64| Hmm::new(p, &polynomial, m, s).err().unwrap();
    assert!(matches!(error(&BigUint::from(10u32), bn, 63, 857), ShapeError::NotOddPrime(_)));
    assert_eq!(error(&p, [1, 6, 24, 36, 0], 63, 857), ShapeError::Degree(3));
    assert_eq!(error(&p, [2, 6, 24, 36, 36], 63, 857), ShapeError::ConstantTerm(2));
    assert_eq!(error(&p, bn, 64, 857), ShapeError::Word(64));
    assert!(matches!(error(&p, bn, 63, 859), ShapeError::Value { m: 63, s: 859, .. }));
    assert!(matches!(error(&(&p + 2u32), bn, 63, 857), ShapeError::Value { .. }));
    // the largest offsets for which carries still fit
    for (m, most) in [(63, MAX_63), (55, MAX_55)] {
        let s = i64::try_from(most).unwrap();
        assert!(Hmm::new(&value(&bn, m, s, 1), &bn, m, s).is_ok());
        assert!(Hmm::new(&value(&bn, m, -s, 1), &bn, m, -s).is_ok());
        let s = 2 * s + 1;
        assert_eq!(error(&value(&bn, m, s, 1), bn, m, s), ShapeError::Offset { m, s, most });
    }
    // the seeds of alt_bn128 and BN254N are not near a power of two; the seed of BN462 is longer than a word
    for z in ["4965661367192848881", "-4647714815446351873"] {
        let error = Hmm::bn(&z.parse().unwrap()).err().unwrap();
        assert!(matches!(error, ShapeError::Offset { m: 62, most: MAX_62, .. }), "{error}");
    }
    let z = (BigInt::one() << 114) + (BigInt::one() << 101) - (BigInt::one() << 14) - 1;
    assert_eq!(Hmm::bn(&z).err(), Some(ShapeError::Word(64)));
    // a z, and then coefficients, for which carries do not fit
    assert_eq!(error(&value(&bn, 44, 1, 1), bn, 44, 1), ShapeError::NoRoom(44));
    let steep = [1, 6, 24, 36, 1 << 50];
    assert_eq!(error(&value(&steep, 63, 857, 1), steep, 63, 857), ShapeError::NoRoom(63));
}

/// The largest |s| for BN polynomials: derived by the constructor, pinned here.
const MAX_63: u64 = (1 << 22) - 1;
const MAX_62: u64 = (1 << 21) - 1;
const MAX_55: u64 = (1 << 18) - 1;
