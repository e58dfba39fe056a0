//! Derives p, r, t and the cofactors from the seed.
//!
//! | family | p(u) | r(u) | t(u) | h1(u) |
//! |---|---|---|---|---|
//! | BN | 36u^4 + 36u^3 + 24u^2 + 6u + 1 | 36u^4 + 36u^3 + 18u^2 + 6u + 1 | 6u^2 + 1 | 1 |
//! | BLS12 | (u - 1)^2 r / 3 + u | u^4 - u^2 + 1 | u + 1 | (u - 1)^2 / 3 |
//! | BLS24 | (u - 1)^2 r / 3 + u | u^8 - u^4 + 1 | u + 1 | (u - 1)^2 / 3 |
//! | BLS48 | (u - 1)^2 r / 3 + u | u^16 - u^8 + 1 | u + 1 | (u - 1)^2 / 3 |
//! | KSS18 | see below | (u^6 + 37u^3 + 343) / 343 | (u^4 + 16u + 7) / 7 | (49u^2 + 245u + 343) / 3 |
//!
//! KSS18: p(u) = (u^8 + 5u^7 + 7u^6 + 37u^5 + 188u^4 + 259u^3 + 343u^2 + 1763u + 2401) / 21.
//!
//! All four are integers, and p + 1 - t = h1 r, always for BN, iff u = 1 mod 3 for BLS12, BLS24 and BLS48, iff u = 14 mod 21
//! for KSS18.
//!
//! With e = k / 6 and q = p^e, the trace over F_q is t_e, and 4 q - t_e^2 = 3 f^2 since the curves have j = 0. Their
//! sextic twists over F_q have orders q + 1 - (t_e +- 3 f) / 2 (Hess, Smart, Vercauteren, IEEE Trans. Inf. Theory 52,
//! 2006); one of them is divisible by r.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{Signed, Zero};

use super::SexticKind;
use crate::integer::MAX_FIELD_BITS;
use crate::weierstrass::trace;

/// The numbers that the seed determines.
pub(super) struct Numbers {
    pub(super) p: BigUint,
    pub(super) r: BigUint,
    pub(super) t: BigInt,
    pub(super) h1: BigUint,
    pub(super) h2: BigUint,
}

/// A reason why a seed gives no curve.
pub(super) enum Refusal {
    /// The name of a polynomial and its denominator, which does not divide the value of the numerator.
    Congruence(&'static str, u32),
    /// p(u) has more than [`MAX_FIELD_BITS`] bits.
    TooLarge,
    /// p(u) is below 5, or r(u) is not above k.
    TooSmall,
}

/// The name of a polynomial, its integer coefficients, constant term first, and their common denominator.
struct Polynomial(&'static str, &'static [i32], u32);

impl Polynomial {
    fn at(&self, u: &BigInt) -> Result<BigInt, Refusal> {
        let Self(name, coefficients, denominator) = *self;
        let value = coefficients.iter().rev().fold(BigInt::ZERO, |value, c| value * u + *c);
        let (quotient, rest) = value.div_rem(&BigInt::from(denominator));
        if rest.is_zero() { Ok(quotient) } else { Err(Refusal::Congruence(name, denominator)) }
    }
}

/// Returns the polynomials p, r, t and h1 of a family.
fn polynomials(kind: SexticKind) -> [Polynomial; 4] {
    let polynomials: [(&[i32], u32); 4] = match kind {
        SexticKind::Bn => [(&[1, 6, 24, 36, 36], 1), (&[1, 6, 18, 36, 36], 1), (&[1, 0, 6], 1), (&[1], 1)],
        SexticKind::Bls12 => [(&[1, 1, 0, 2, 0, -2, 1], 3), (&[1, 0, -1, 0, 1], 1), (&[1, 1], 1), (&[1, -2, 1], 3)],
        SexticKind::Bls24 => [
            (&[1, 1, 1, 0, -1, 2, -1, 0, 1, -2, 1], 3),
            (&[1, 0, 0, 0, -1, 0, 0, 0, 1], 1),
            (&[1, 1], 1),
            (&[1, -2, 1], 3),
        ],
        SexticKind::Bls48 => [
            (&[1, 1, 1, 0, 0, 0, 0, 0, -1, 2, -1, 0, 0, 0, 0, 0, 1, -2, 1], 3),
            (&[1, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 1], 1),
            (&[1, 1], 1),
            (&[1, -2, 1], 3),
        ],
        SexticKind::Kss18 => [
            (&[2401, 1763, 343, 259, 188, 37, 7, 5, 1], 21),
            (&[343, 0, 0, 37, 0, 0, 1], 343),
            (&[7, 16, 0, 0, 1], 7),
            (&[343, 245, 49], 3),
        ],
    };
    let [p, r, t, h1] = polynomials;
    [Polynomial("p", p.0, p.1), Polynomial("r", r.0, r.1), Polynomial("t", t.0, t.1), Polynomial("h1", h1.0, h1.1)]
}

/// Evaluates p, r, t and h1 at a seed.
fn evaluate(kind: SexticKind, u: &BigInt) -> Result<(BigUint, BigUint, BigInt, BigUint), Refusal> {
    let [p, r, t, h1] = polynomials(kind);
    // |p(u)| is at least 2^(d (bits - 1) - 6) for degree d, so that only small values are evaluated
    let degree = p.1.len() as u64 - 1;
    if degree * u.bits().saturating_sub(1) > MAX_FIELD_BITS + 6 {
        return Err(Refusal::TooLarge);
    }
    let (p, r, t, h1) = (p.at(u)?, r.at(u)?, t.at(u)?, h1.at(u)?);
    if p < BigInt::from(5u8) || r <= BigInt::from(kind.k()) {
        return Err(Refusal::TooSmall);
    }
    if p.bits() > MAX_FIELD_BITS {
        return Err(Refusal::TooLarge);
    }
    Ok((p.magnitude().clone(), r.magnitude().clone(), t, h1.magnitude().clone()))
}

/// Returns true if the seed u gives this p and r.
pub(crate) fn is_seed(kind: SexticKind, u: &BigInt, p: &BigUint, r: &BigUint) -> bool {
    evaluate(kind, u).is_ok_and(|numbers| (&numbers.0, &numbers.1) == (p, r))
}

/// Computes all numbers that the seed determines.
pub(super) fn numbers(kind: SexticKind, u: &BigInt) -> Result<Numbers, Refusal> {
    let (p, r, t, h1) = evaluate(kind, u)?;
    let q = BigInt::from(p.pow(kind.twist_degree()));
    let t_e = trace(&p, &t, kind.twist_degree());
    let f = ((BigInt::from(4u8) * &q - &t_e * &t_e) / 3u8).abs().sqrt();
    let order = |f: BigInt| (&q + 1u8 - (&t_e + f * 3u8) / 2u8).magnitude().clone();
    let (one, other) = (order(f.clone()), order(-f));
    let h2 = if (&one % &r).is_zero() { one } else { other } / &r;
    Ok(Numbers { p, r, t, h1, h2 })
}
