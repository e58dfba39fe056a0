//! Fields F_2^m of descriptions, defined by polynomials over F_2. A polynomial is given by the exponents of its
//! terms, the highest first.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use crate::integer::is_prime;
use crate::origin::{KeyNames, Origin};
use crate::{Error, Location};

/// The largest degree of a field.
const MAX_DEGREE: u64 = 1280;
/// The largest number of shifts that a reduction may take.
const MAX_SHIFTS: u64 = 256;

/// Performs the cheap half of validation: checks that these are the exponents of a polynomial without linear
/// factors whose degree is a prime that suits. Returns the degree.
pub(crate) fn check(
    exponents: &[u64],
    suits: impl Fn(u64) -> bool,
    expected: &'static str,
    origin: &Origin,
    words: KeyNames,
) -> Result<u64, Error> {
    let at = || origin.at(&words.parameter("polynomial"));
    let m = exponents.first().copied().unwrap_or(0);
    if m > MAX_DEGREE {
        return Err(Error::WrongType { at: at(), expected: "of degree at most 1280" });
    }
    let falls = exponents.windows(2).all(|pair| pair[0] > pair[1]);
    // no factor x, and no factor x + 1, which a polynomial of an even number of terms has
    let no_linear_factor = exponents.last() == Some(&0) && !exponents.len().is_multiple_of(2);
    if !falls || !no_linear_factor || !suits(m) || !is_prime(&BigUint::from(m)) {
        return Err(Error::WrongType { at: at(), expected });
    }
    check_shifts(exponents, at)?;
    Ok(m)
}

/// Checks that few shifts reduce a product: one for each term below x^m, as often as the part above x^m is folded
/// down. The polynomials of shipped curves take 4 to 24.
pub(crate) fn check_shifts(exponents: &[u64], at: impl Fn() -> Location) -> Result<(), Error> {
    let [m, e, ..] = *exponents else { return Ok(()) };
    let terms = exponents.len() as u64 - 1;
    if terms * (m - 1).div_ceil(m - e) > MAX_SHIFTS {
        let expected =
            "a polynomial that reduces in at most 256 shifts, such as a trinomial or pentanomial with low exponents";
        return Err(Error::WrongType { at: at(), expected });
    }
    Ok(())
}

/// Performs the costly half of validation: checks that the polynomial is irreducible and r prime.
pub(crate) fn verify(exponents: &[u64], r: &BigUint, origin: &Origin, words: KeyNames) -> Result<(), Error> {
    if !is_irreducible(exponents) {
        return Err(Error::Reducible { at: origin.at(&words.parameter("polynomial")) });
    }
    if !is_prime(r) {
        return Err(Error::OrderComposite { at: origin.at(&words.parameter("h")) });
    }
    Ok(())
}

/// Returns the polynomial of these exponents, with the coefficient of x^i in bit i.
pub(crate) fn polynomial(exponents: &[u64]) -> BigUint {
    exponents.iter().fold(BigUint::zero(), |f, i| f | (BigUint::one() << *i))
}

/// Returns true if a polynomial f without linear factors, of prime degree m, is irreducible: x^(2^m) = x modulo f
/// leaves only factors of degrees 1 and m.
fn is_irreducible(exponents: &[u64]) -> bool {
    let (f, m) = (polynomial(exponents), exponents.first().copied().unwrap_or(0));
    let x = BigUint::from(2u8);
    let mut power = x.clone();
    for _ in 0..m {
        let mut square = spread(&power);
        while square.bits() > m {
            square ^= &f << (square.bits() - 1 - m);
        }
        power = square;
    }
    power == x
}

/// Returns the square of a polynomial, which has a 0 after each bit.
fn spread(a: &BigUint) -> BigUint {
    let word = |byte: u8| (0..8).filter(|i| byte >> i & 1 == 1).fold(0u16, |out, i| out | 1 << (2 * i));
    let bytes: Vec<u8> = a.to_bytes_le().into_iter().flat_map(|byte| word(byte).to_le_bytes()).collect();
    BigUint::from_bytes_le(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_of_degree_5_and_7_by_trial_division() {
        for m in [5u64, 7] {
            for bits in 0..1u64 << (m - 1) {
                let f = 1 << m | bits << 1 | 1;
                let exponents: Vec<u64> = (0..=m).rev().filter(|i| f >> i & 1 == 1).collect();
                let divides = |d: u64| {
                    let (mut rest, top) = (f, d.ilog2());
                    while rest > 0 && rest.ilog2() >= top {
                        rest ^= d << (rest.ilog2() - top);
                    }
                    rest == 0
                };
                let irreducible = !(2..1 << (m / 2 + 1)).any(divides);
                // an even number of terms has the factor x + 1
                assert_eq!(exponents.len() % 2 == 1 && is_irreducible(&exponents), irreducible, "{f:b}");
            }
        }
    }
}
