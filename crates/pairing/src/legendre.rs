//! The Legendre symbol of a small integer by quadratic reciprocity (Cohen, A Course in Computational Algebraic Number
//! Theory, algorithm 1.4.10): one remainder of a long integer, then steps on words. Not constant time; for public
//! values only.

use num_bigint::BigUint;
use num_traits::ToPrimitive;

/// Returns the Legendre symbol (a | q) for a > 0 and an odd prime q: 1 for squares modulo q, −1 for non-squares, 0
/// for multiples of q.
pub fn legendre(a: u64, q: &BigUint) -> i8 {
    let twos = a.trailing_zeros();
    let odd = a >> twos;
    let word = |x: BigUint| x.to_u64().unwrap_or_else(|| unreachable!("less than the divisor"));
    let sign = flipped(twos, odd, word(q % 8u32));
    sign * jacobi(word(q % odd), odd)
}

/// Returns the least positive integer that is not a square modulo an odd prime p.
pub fn least_non_square(p: &BigUint) -> BigUint {
    let found = (2..).find(|n| legendre(*n, p) == -1);
    found.unwrap_or_else(|| unreachable!("half of F_p* are not squares")).into()
}

/// Returns the Jacobi symbol (a | n) for an odd n.
fn jacobi(mut a: u64, mut n: u64) -> i8 {
    let mut sign = 1;
    while a != 0 {
        let twos = a.trailing_zeros();
        a >>= twos;
        sign *= flipped(twos, a, n);
        (a, n) = (n % a, a);
    }
    if n == 1 { sign } else { 0 }
}

/// Returns the sign between (2^twos·a | n) and (n | a) for odd a and n: (2 | n) = −1 for n ≡ ±3 (mod 8), and
/// (a | n) = −(n | a) if both are 3 (mod 4).
fn flipped(twos: u32, a: u64, n: u64) -> i8 {
    let by_twos = twos % 2 == 1 && matches!(n % 8, 3 | 5);
    let by_odd = a % 4 == 3 && n % 4 == 3;
    if by_twos == by_odd { 1 } else { -1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::One;

    #[test]
    fn symbols_agree_with_eulers_criterion() {
        for q in [3u32, 5, 7, 11, 13, 17, 23, 83, 103, 1_000_003, 2_147_483_647].map(BigUint::from) {
            let euler = |a: u64| {
                let power = BigUint::from(a).modpow(&(&q >> 1u32), &q);
                if power.is_one() { 1 } else { -i8::from(power != BigUint::ZERO) }
            };
            for a in (1..200).chain((1..60).map(|m: u64| m.pow(4) + 1)).chain([u64::MAX, 1 << 63]) {
                assert_eq!(legendre(a, &q), euler(a), "({a} | {q})");
            }
            let least = (1..).find(|a| euler(*a) == -1).map(BigUint::from);
            assert_eq!(Some(least_non_square(&q)), least, "modulo {q}");
        }
    }
}
