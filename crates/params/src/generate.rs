//! Generation of curves: types A and A1 from the operating system's randomness, curves with a sextic twist from a seed.
//!
//! ```no_run
//! use bilinear_params::generate::Generator;
//! let made = Generator::new("my-curve").a1(&[1024, 1024])?;
//! std::fs::write("my-curve.toml", made.curve.to_toml())?;
//! if let Some(factors) = &made.factors {
//!     factors.write("my-curve.secret.toml")?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Types A and A1 follow PBC's rules (`genaparam`, `gena1param`), which PBC's users know; a Montgomery-friendly
//! field ([`Generator::friendly`]) is an option. Generated curves of these types have no generator yet: finding one
//! takes curve arithmetic, and [`crate::Curve::with_generator`] sets it.

mod a;
mod a1;
mod friendly;
mod last_prime;
mod small_primes;

use crypto_bigint::BoxedUint;
use crypto_bigint::rand_core::{CryptoRng, UnwrapErr};
use getrandom::SysRng;
use num_bigint::{BigInt, BigUint};
use zeroize::Zeroizing;

use crate::curve::is_name;
use crate::factors::Secret;
use crate::integer::{MAX_FIELD_BITS, bits};
use crate::origin::{KeyNames, Origin};
use crate::security::{MIN_BITS, Security, estimate};
use crate::supersingular::{Keys, Parts};
use crate::{Curve, Description, Error, Factors, Family, Layout, SexticKind, SupersingularKind, sextic};

/// The smallest size of a prime order of type A, in bits.
pub const MIN_PRIME_BITS: usize = 16;

/// The smallest size of a prime factor of type A1, in bits. Miller loops and prepared arguments are wrong if they
/// meet a multiple of P that is O before the end. A point of small order has such a multiple, and by chance it
/// happens once in 2^(bits - 11).
pub const MIN_FACTOR_BITS: usize = 40;

/// The smallest number of bits by which q of type A is longer than r.
pub const MIN_COFACTOR_BITS: usize = 5;

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress {
    /// A prime factor of the order has been found.
    Factor {
        /// The number of factors found.
        found: usize,
        /// The number of factors wanted.
        wanted: usize,
    },
    /// A candidate for q is about to be tested for primality, after surviving trial division.
    Field {
        /// The number of the candidate, from 1.
        candidate: u64,
    },
}

/// A generator of curves. Each call of [`a`](Self::a), [`a1`](Self::a1), [`a1_with`](Self::a1_with) or
/// [`seed`](Self::seed) generates one curve.
pub struct Generator<'a> {
    name: String,
    insecure: bool,
    friendly: bool,
    progress: Box<dyn FnMut(Progress) + 'a>,
}

impl std::fmt::Debug for Generator<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Generator")
            .field("name", &self.name)
            .field("insecure", &self.insecure)
            .field("friendly", &self.friendly)
            .finish_non_exhaustive()
    }
}

impl<'a> Generator<'a> {
    /// Creates a generator of curves with this name (lower-case letters, digits, `.`, `_`, `-`).
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), insecure: false, friendly: false, progress: Box::new(|_| ()) }
    }

    /// Allows parameters below [`MIN_BITS`] bits of security.
    #[must_use]
    pub fn insecure(mut self, allow: bool) -> Self {
        self.insecure = allow;
        self
    }

    /// Asks for a Montgomery-friendly field: q = 3 mod 2^k for a multiple k of 52 and at least 104, the largest up to the
    /// following bounds. This makes Montgomery reduction in radix 2^52 cheaper and changes nothing else.
    ///
    /// - Type A: half of the bits of q beyond those of r. `r_bits` 160 and `q_bits` 512 give k = 156.
    /// - Type A1: half of the bits of n, and 44 less than the bits of the longest prime; l is 4. Two primes of 512 bits
    ///   give k = 468, two of 1024 bits 936.
    ///
    /// `docs/mathematics.md` says what stays random and what is known about the security of such fields.
    #[must_use]
    pub fn friendly(mut self, wanted: bool) -> Self {
        self.friendly = wanted;
        self
    }

    /// Calls `report` with the progress of a search.
    #[must_use]
    pub fn on_progress(mut self, report: impl FnMut(Progress) + 'a) -> Self {
        self.progress = Box::new(report);
        self
    }

    /// Generates a curve of type A1 with fresh distinct primes of these sizes (each of [`MIN_FACTOR_BITS`] bits
    /// or more, its two top bits set). n is their product, and l the smallest positive multiple of 4 for which
    /// q = l n - 1 is prime.
    ///
    /// # Errors
    /// Returns [`Error::NoPrimes`], [`Error::TooFewBits`], [`Error::FieldTooLarge`], [`Error::Insecure`],
    /// [`Error::BadName`] or [`Error::Randomness`], and [`Error::NothingFound`] if a friendly field was asked for
    /// and not found.
    pub fn a1(self, prime_bits: &[usize]) -> Result<Description, Error> {
        self.a1_from(prime_bits, &mut system_rng()?)
    }

    /// Generates a curve of type A1 from the caller's own distinct primes of [`MIN_FACTOR_BITS`] bits or more.
    ///
    /// # Errors
    /// Returns the errors of [`Generator::a1`], and [`Error::FactorRepeated`], [`Error::FactorsClose`],
    /// [`Error::FactorComposite`] or [`Error::NotFriendly`].
    pub fn a1_with(self, primes: impl IntoIterator<Item = BoxedUint>) -> Result<Description, Error> {
        let primes: Vec<Secret> = primes.into_iter().map(Zeroizing::new).collect();
        let sizes: Vec<usize> = primes.iter().map(|prime| bits(prime) as usize).collect();
        self.check_a1(&sizes)?;
        self.refuse_friendly("primes of your own")?;
        a1::check_primes(&primes)?;
        self.finish_a1(primes, None)
    }

    /// Generates a curve of type A from a random prime r = 2^a +- 2^b +- 1 of `r_bits` bits and a random multiple h
    /// of 12 for which q = h r - 1 is a prime of `q_bits` bits.
    ///
    /// # Errors
    /// Returns [`Error::TooFewBits`], [`Error::FieldTooLarge`], [`Error::Insecure`], [`Error::BadName`],
    /// [`Error::NothingFound`] or [`Error::Randomness`].
    pub fn a(self, r_bits: usize, q_bits: usize) -> Result<Description, Error> {
        self.a_from(r_bits, q_bits, &mut system_rng()?)
    }

    /// Generates the curve with a sextic twist that a seed determines, written out in full. Everything that a
    /// description may leave out is the least that serves ([`Description::from_toml`]).
    ///
    /// # Errors
    /// Returns the errors of a seed ([`Error::SeedCongruence`], [`Error::SeedTooLarge`], [`Error::SeedTooSmall`],
    /// [`Error::FieldComposite`], [`Error::OrderComposite`]), [`Error::NotFound`], [`Error::Insecure`],
    /// [`Error::BadName`] or [`Error::NotFriendly`].
    pub fn seed(self, kind: SexticKind, u: BigInt) -> Result<Description, Error> {
        self.refuse_friendly("a seed")?;
        let (origin, keys) = (Origin::argument(), sextic::Keys::new(KeyNames::Toml));
        let parts =
            sextic::Parts { kind, u, b: None, twist: None, tower: None, g1: None, g2: None, suites: [None, None] };
        let s = parts.check(&origin, &keys)?;
        s.verify(&origin, &keys)?;
        let s = s.complete(&origin, &keys)?;
        if s.b().is_none() {
            return Err(Error::NotFound {
                at: origin.at(keys.seed),
                key: keys.b,
                reason: "p(u) is too large to search for b",
            });
        }
        let source = "derived from the seed: the least tower, b and generators that serve".to_owned();
        let mut curve = Curve::new(self.name.clone(), Family::Sextic(s), Layout::Nested, source);
        let security = curve.security();
        self.check(security)?;
        curve.note = format!("Estimated when it was made: {security}.");
        Ok(Description { factors: Factors::public(&curve), curve })
    }

    fn a1_from<R: CryptoRng + ?Sized>(mut self, prime_bits: &[usize], rng: &mut R) -> Result<Description, Error> {
        self.check_a1(prime_bits)?;
        if !self.friendly {
            let primes = a1::primes(prime_bits, rng, &mut self.progress)?;
            return self.finish_a1(primes, None);
        }
        let k = friendly::exponent_a1(prime_bits)?;
        let primes = a1::friendly_primes(prime_bits, k, rng, &mut self.progress)?;
        self.finish_a1(primes, Some(k))
    }

    fn a_from<R: CryptoRng + ?Sized>(
        mut self,
        r_bits: usize,
        q_bits: usize,
        rng: &mut R,
    ) -> Result<Description, Error> {
        if r_bits < MIN_PRIME_BITS {
            return Err(Error::TooFewBits { what: "group order", bits: r_bits, least: MIN_PRIME_BITS });
        }
        if q_bits as u64 > MAX_FIELD_BITS {
            return Err(Error::FieldTooLarge { bits: q_bits, limit: MAX_FIELD_BITS });
        }
        if q_bits < r_bits.saturating_add(MIN_COFACTOR_BITS) {
            let least = r_bits.saturating_add(MIN_COFACTOR_BITS);
            return Err(Error::TooFewBits { what: "for this order, a field", bits: q_bits, least });
        }
        self.check(estimate(r_bits as u64, &[r_bits as u64], q_bits as u64))?;
        let k = self.friendly.then(|| friendly::exponent_a(r_bits, q_bits)).transpose()?;
        let r = a::solinas_prime(r_bits, rng)?;
        let h = a::cofactor(&r, q_bits, k, rng, &mut self.progress)?;
        let form = k.map(|k| format!(" with q = h r - 1 = 3 mod 2^{k} (Montgomery-friendly)")).unwrap_or_default();
        let source = format!("generated: r a random prime 2^a +- 2^b +- 1, h a random multiple of 12{form}");
        let curve = self.curve(SupersingularKind::A, r, h, source)?;
        Ok(Description { factors: Factors::public(&curve), curve })
    }

    /// Rejects the requests for type A1 that can be rejected before any search.
    fn check_a1(&self, prime_bits: &[usize]) -> Result<(), Error> {
        if prime_bits.len() < 2 {
            return Err(Error::NoPrimes);
        }
        if let Some(&bits) = prime_bits.iter().find(|bits| **bits < MIN_FACTOR_BITS) {
            return Err(Error::TooFewBits { what: "prime factor", bits, least: MIN_FACTOR_BITS });
        }
        // l is about 2 ln q on average, so that 16 bits are ample for it
        let bits = prime_bits.iter().fold(16, |sum: usize, bits| sum.saturating_add(*bits));
        if bits as u64 > MAX_FIELD_BITS {
            return Err(Error::FieldTooLarge { bits, limit: MAX_FIELD_BITS });
        }
        let sizes: Vec<u64> = prime_bits.iter().map(|bits| *bits as u64).collect();
        let order_bits = sizes.iter().sum();
        self.check(estimate(order_bits, &sizes, order_bits))
    }

    /// Creates the curve of these primes. If k is given, they are known to give a prime q = 4 n - 1 = 3 mod 2^k.
    fn finish_a1(mut self, primes: Vec<Secret>, k: Option<usize>) -> Result<Description, Error> {
        let n = crate::factors::product(primes.iter().map(|prime| &**prime), MAX_FIELD_BITS);
        let n = n.ok_or(Error::FieldTooLarge { bits: MAX_FIELD_BITS as usize + 1, limit: MAX_FIELD_BITS })?;
        let rule = "generated: n a product of secret random primes,";
        let (l, source) = match k {
            None => (
                a1::cofactor(&n, &mut self.progress)?,
                format!("{rule} l the smallest positive multiple of 4 with q = l n - 1 prime"),
            ),
            Some(k) => (
                friendly::COFACTOR,
                format!("{rule} the longest in the residue class with q = 4 n - 1 = 3 mod 2^{k} (Montgomery-friendly)"),
            ),
        };
        let mut curve = self.curve(SupersingularKind::A1, n, l.into(), source)?;
        let at = || Origin::argument().at("factors");
        let factors = Factors::check(&curve, primes, at)?;
        if let Family::Supersingular(s) = &mut curve.family {
            s.set_prime_bits(factors.prime_bits(), at)?;
        }
        let security = curve.security();
        self.check(security)?;
        curve.note = format!("Estimated when it was made: {security}.");
        Ok(Description { curve, factors: Some(factors) })
    }

    fn refuse_friendly(&self, what: &'static str) -> Result<(), Error> {
        if self.friendly { Err(Error::NotFriendly { what }) } else { Ok(()) }
    }

    fn check(&self, security: Security) -> Result<(), Error> {
        if !is_name(&self.name) {
            return Err(Error::BadName { at: Origin::argument().at("name") });
        }
        let Security { bits, limit, .. } = security;
        if bits < MIN_BITS && !self.insecure {
            return Err(Error::Insecure { bits, limit, least: MIN_BITS });
        }
        Ok(())
    }

    fn curve(
        &self,
        kind: SupersingularKind,
        order: BigUint,
        cofactor: BigUint,
        source: String,
    ) -> Result<Curve, Error> {
        let parts = Parts { kind, q: None, order, cofactor: Some(cofactor), public_factors: None, generator: None };
        let s = parts.check(&Origin::argument(), &Keys::new(KeyNames::Toml, kind))?;
        let mut curve = Curve::new(self.name.clone(), Family::Supersingular(s), Layout::Nested, source);
        curve.note = format!("Estimated when it was made: {}.", curve.security());
        Ok(curve)
    }
}

/// Returns the operating system's random number generator, after a first read that shows that it works.
fn system_rng() -> Result<UnwrapErr<SysRng>, Error> {
    getrandom::fill(&mut [0; 32]).map_err(|error| Error::Randomness { reason: error.to_string() })?;
    Ok(UnwrapErr(SysRng))
}

#[cfg(test)]
mod tests;
