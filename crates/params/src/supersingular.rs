//! Supersingular curves y^2 = x^3 + x over F_q, q = 3 mod 4, embedding degree 2 (PBC types A and A1).
//!
//! #E(F_q) = q + 1 and E(F_q) is cyclic, since x^3 + x has the single root 0. The pairing lives on the subgroup whose
//! order (r, or n for composite order) is odd and prime to the cofactor: q + 1 = order * cofactor. The second argument
//! goes through the distortion map (x, y) -> (-x, i y), i^2 = -1.

use std::borrow::Cow;

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, Zero};

use crate::extension::ExtensionField;
use crate::integer::{MAX_FIELD_BITS, is_prime};
use crate::origin::{KeyNames, Origin};
use crate::points::Points;
use crate::weierstrass::Equation;
use crate::{Error, Location};

/// Prime or composite order: PBC's types A and A1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SupersingularKind {
    /// Prime order r, q = h r - 1.
    A,
    /// Composite order n = p_1 p_2 ..., q = l n - 1; the factors are usually secret.
    A1,
}

/// The parameters of a supersingular curve of embedding degree 2, consistent as described in the crate's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supersingular {
    kind: SupersingularKind,
    q: BigUint,
    order: BigUint,
    cofactor: BigUint,
    factors: Option<Vec<BigUint>>,
    prime_bits: Option<Vec<u64>>,
    generator: Option<(BigUint, BigUint)>,
}

impl Supersingular {
    /// The kind of the order: prime (A) or composite (A1).
    pub fn kind(&self) -> SupersingularKind {
        self.kind
    }

    /// The field characteristic, 3 mod 4.
    pub fn q(&self) -> &BigUint {
        &self.q
    }

    /// The order of the pairing groups: r (A) or n (A1). Odd, at least 3, prime to the cofactor.
    pub fn order(&self) -> &BigUint {
        &self.order
    }

    /// (q + 1) / order: h (A) or l (A1). A multiple of 4.
    pub fn cofactor(&self) -> &BigUint {
        &self.cofactor
    }

    /// The prime factors of the order if they are public: `[r]` for A; for A1 only in test curves.
    /// [`crate::Factors`] holds secret factors.
    pub fn factors(&self) -> Option<&[BigUint]> {
        self.factors.as_deref()
    }

    /// The sizes in bits of the prime factors of the order, if they are known. Sizes are public even if the factors
    /// are not. In that case they are what the description says, and only checked to fit the size of the order.
    pub fn prime_bits(&self) -> Option<&[u64]> {
        self.prime_bits.as_deref()
    }

    /// Affine coordinates (x, y) of a generator of the pairing group, if the description has one.
    pub fn generator(&self) -> Option<(&BigUint, &BigUint)> {
        self.generator.as_ref().map(|(x, y)| (x, y))
    }

    /// The curve equation y^2 = x^3 + x.
    pub(crate) fn equation(&self) -> Equation<'_> {
        let (a, b) = (BigUint::one(), BigUint::zero());
        Equation { q: &self.q, a: Cow::Owned(a), b: Cow::Owned(b), text: "y^2 = x^3 + x" }
    }

    /// Returns true if the order is composite and its factors are in the description.
    pub(crate) fn published(&self) -> bool {
        self.kind == SupersingularKind::A1 && self.factors.is_some()
    }

    /// Sets the generator after checking range and curve equation.
    pub(crate) fn set_generator(&mut self, x: BigUint, y: BigUint, origin: &Origin, keys: &Keys) -> Result<(), Error> {
        let at = |of_y| origin.at(if of_y { keys.y } else { keys.x });
        self.equation().check(&x, &y, at)?;
        self.generator = Some((x, y));
        Ok(())
    }

    /// Sets the sizes of secret factors after checking that they are sizes of odd primes and fit the size of the order.
    pub(crate) fn set_prime_bits(&mut self, bits: Vec<u64>, at: impl Fn() -> Location) -> Result<(), Error> {
        let sum: u64 = bits.iter().fold(0, |sum, b| sum.saturating_add(*b));
        let short = bits.len() as u64 - u64::from(!bits.is_empty());
        let size = self.order.bits();
        if bits.is_empty() || bits.iter().any(|b| *b < 2) || size > sum || size < sum - short.min(sum) {
            return Err(Error::PrimeSizes { at: at(), bits: size });
        }
        self.prime_bits = Some(bits);
        Ok(())
    }

    /// Performs the costly half of validation: checks that q, a prime order and public factors are prime, and that
    /// the generator has the order of the group, as far as that can be seen without secret factors.
    pub(crate) fn verify(&self, origin: &Origin, keys: &Keys) -> Result<(), Error> {
        if !is_prime(&self.q) {
            return Err(Error::FieldComposite { at: origin.at(keys.q) });
        }
        if self.kind == SupersingularKind::A && !is_prime(&self.order) {
            return Err(Error::OrderComposite { at: origin.at(keys.order) });
        }
        if self.published() {
            for (index, p) in self.factors.iter().flatten().enumerate() {
                if !is_prime(p) {
                    return Err(Error::FactorComposite { at: origin.at(keys.factors), index });
                }
            }
        }
        let Some((x, y)) = &self.generator else { return Ok(()) };
        let curve = Points::new(ExtensionField::base(&self.q), vec![BigUint::ZERO]).with_a(vec![BigUint::one()]);
        let generator = (vec![x.clone()], vec![y.clone()]);
        let wrong = |reason| Err(Error::WrongOrder { at: origin.at(keys.x), reason });
        if !curve.has_order(&self.order, &generator) {
            return wrong("the generator is not in the group");
        }
        let public = self.factors.iter().flatten().filter(|_| self.published());
        if public.map(|p| &self.order / p).any(|part| curve.has_order(&part, &generator)) {
            return wrong("the generator generates only a subgroup");
        }
        Ok(())
    }
}

/// The names of the integers in the format of a description, so that messages use the reader's words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keys {
    pub(crate) q: &'static str,
    pub(crate) order: &'static str,
    pub(crate) cofactor: &'static str,
    pub(crate) factors: &'static str,
    pub(crate) x: &'static str,
    pub(crate) y: &'static str,
}

impl Keys {
    /// Returns the names in a format.
    pub(crate) fn new(words: KeyNames, kind: SupersingularKind) -> Self {
        let (q, order, cofactor) = match (words, kind) {
            (KeyNames::Toml, SupersingularKind::A) => ("parameters.q", "parameters.r", "parameters.h"),
            (KeyNames::Toml, SupersingularKind::A1) => ("parameters.q", "parameters.n", "parameters.l"),
            (KeyNames::Pbc, SupersingularKind::A) => ("q", "r", "h"),
            (KeyNames::Pbc, SupersingularKind::A1) => ("p", "n", "l"),
        };
        let (factors, x, y) = match words {
            KeyNames::Toml => ("parameters.factors", "g1.x", "g1.y"),
            KeyNames::Pbc => ("n0", "x", "y"),
        };
        Self { q, order, cofactor, factors, x, y }
    }
}

/// The integers of a description before the consistency checks.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub(crate) kind: SupersingularKind,
    pub(crate) q: Option<BigUint>,
    pub(crate) order: BigUint,
    pub(crate) cofactor: Option<BigUint>,
    pub(crate) public_factors: Option<Vec<BigUint>>,
    pub(crate) generator: Option<(BigUint, BigUint)>,
}

impl Parts {
    /// Performs the cheap half of validation (multiplications and one gcd) and derives the numbers that are not given.
    pub(crate) fn check(self, origin: &Origin, keys: &Keys) -> Result<Supersingular, Error> {
        let Self { kind, q, order, cofactor, public_factors, generator } = self;
        if order.is_even() || order < BigUint::from(3u8) {
            return Err(Error::OrderNotOdd { at: origin.at(keys.order) });
        }
        let (q, cofactor) = complete(q, &order, cofactor, origin, keys)?;
        if q.bits() > MAX_FIELD_BITS {
            return Err(Error::TooManyBits { at: origin.at(keys.q), limit: MAX_FIELD_BITS });
        }
        if q.is_even() {
            return Err(Error::FieldEven { at: origin.at(keys.q) });
        }
        if !(q.bit(0) && q.bit(1)) {
            return Err(Error::FieldNotThreeModFour { at: origin.at(keys.q) });
        }
        if !order.gcd(&cofactor).is_one() {
            return Err(Error::CommonFactor { at: origin.at(keys.cofactor) });
        }
        let factors = match kind {
            SupersingularKind::A => Some(vec![order.clone()]),
            SupersingularKind::A1 => public_factors,
        };
        if let Some(primes) = &factors {
            check_factors(primes, &order, || origin.at(keys.factors))?;
        }
        let prime_bits = factors.as_ref().map(|primes| primes.iter().map(BigUint::bits).collect());
        let mut curve = Supersingular { kind, q, order, cofactor, factors, prime_bits, generator: None };
        if let Some((x, y)) = generator {
            curve.set_generator(x, y, origin, keys)?;
        }
        Ok(curve)
    }
}

/// Returns q and the cofactor, deriving one from the other if only one is given. If both are given, they must
/// satisfy q + 1 = order * cofactor.
fn complete(
    q: Option<BigUint>,
    order: &BigUint,
    cofactor: Option<BigUint>,
    origin: &Origin,
    keys: &Keys,
) -> Result<(BigUint, BigUint), Error> {
    let bare = |key: &'static str| key.rsplit('.').next().unwrap_or(key);
    let mismatch = || Error::CofactorMismatch {
        at: origin.at(keys.cofactor),
        order: bare(keys.order),
        cofactor: bare(keys.cofactor),
        q: bare(keys.q),
    };
    match (q, cofactor) {
        (None, None) => {
            Err(Error::MissingField { at: origin.at(keys.q), q: bare(keys.q), cofactor: bare(keys.cofactor) })
        }
        (Some(q), Some(cofactor)) if &q + 1u8 == order * &cofactor => Ok((q, cofactor)),
        (Some(_), Some(_)) => Err(mismatch()),
        (None, Some(cofactor)) if cofactor.is_zero() => Err(mismatch()),
        (None, Some(cofactor)) => Ok((order * &cofactor - 1u8, cofactor)),
        (Some(q), None) => match (&q + 1u8).div_rem(order) {
            (cofactor, rest) if rest.is_zero() => Ok((q, cofactor)),
            _ => Err(mismatch()),
        },
    }
}

/// Checks that the factors are distinct and multiply to the order; `verify` checks that they are prime.
fn check_factors(primes: &[BigUint], order: &BigUint, at: impl Fn() -> Location) -> Result<(), Error> {
    // there cannot be more than one factor per bit; this also bounds the quadratic search below
    if primes.len() as u64 > order.bits() {
        return Err(Error::FactorProduct { at: at() });
    }
    for (index, p) in primes.iter().enumerate() {
        if primes[..index].contains(p) {
            return Err(Error::FactorRepeated { at: at(), index });
        }
    }
    if primes.iter().any(|p| p.bits() < 2) || primes.iter().product::<BigUint>() != *order {
        return Err(Error::FactorProduct { at: at() });
    }
    Ok(())
}
