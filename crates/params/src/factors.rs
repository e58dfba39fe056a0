//! The prime factors of a group order, kept apart from the public curve.
//!
//! The factors of n allow projecting onto its subgroups, which is the trapdoor of every composite-order scheme.
//! They have their own type and their own file (mode 0600 on Unix; a file that others can read is refused), are
//! zeroised when dropped, and do not appear in `Debug` output or error messages. Temporaries inside the primality
//! tests of `crypto-primes` and the powers of `crypto-bigint` are out of this crate's reach and are not zeroised.

use std::cell::RefCell;
use std::fmt;
use std::path::Path;

use crypto_bigint::modular::{BoxedMontyForm, BoxedMontyParams};
use crypto_bigint::{BoxedUint, ConcatenatingMul, Odd, Resize};
use crypto_primes::{Flavor, is_prime};
use num_bigint::BigUint;
use zeroize::Zeroizing;

use crate::integer::{MAX_FIELD_BITS, MAX_FILE_BYTES, bits, digits, from_boxed, to_boxed};
use crate::origin::Origin;
use crate::private::{self, PrivateError};
use crate::toml_reader::{Table, parse};
use crate::toml_writer::quoted;
use crate::{Curve, Error, Location};

/// A prime that is zeroised when dropped.
pub(crate) type Secret = Zeroizing<BoxedUint>;

/// The prime factors of the order of one curve. They are distinct and prime, and their product is the order.
#[derive(Clone)]
pub struct Factors {
    primes: Vec<Secret>,
    generators: Vec<(BigUint, BigUint)>,
    curve: String,
    fingerprint: String,
    order: BoxedUint,
}

impl Factors {
    /// Creates the factors of a curve's order and keeps their sequence.
    ///
    /// # Errors
    /// Returns [`Error::FactorRepeated`], [`Error::FactorProduct`] or [`Error::FactorComposite`] if they are not
    /// the distinct prime factors of the order.
    pub fn new(curve: &Curve, primes: impl IntoIterator<Item = BoxedUint>) -> Result<Self, Error> {
        Self::check(curve, primes.into_iter().map(Zeroizing::new).collect(), || Origin::argument().at("factors"))
    }

    /// Returns the factors that the description itself publishes: `[r]` for a prime order, those of n for a test curve.
    pub fn public(curve: &Curve) -> Option<Self> {
        curve
            .family()
            .factors()
            .map(|primes| Self::of(curve, primes.iter().map(|p| Zeroizing::new(to_boxed(p))).collect()))
    }

    /// The primes.
    pub fn primes(&self) -> impl ExactSizeIterator<Item = &BoxedUint> {
        self.primes.iter().map(|prime| &**prime)
    }

    /// Copies the primes to ordinary integers, which are not zeroised.
    pub fn to_biguints(&self) -> Vec<BigUint> {
        self.primes().map(from_boxed).collect()
    }

    /// Returns true if these are the factors of the order of `curve`.
    pub fn belong_to(&self, curve: &Curve) -> bool {
        self.fingerprint == curve.fingerprint()
    }

    /// Returns the i-th prime p_i, big-endian, in as many bytes as the order has. Constant time in the factors,
    /// except for their sizes.
    pub fn prime(&self, index: usize) -> Option<Zeroizing<Vec<u8>>> {
        Some(self.bytes(self.primes.get(index)?))
    }

    /// Returns n/p_i, the product of the other primes, big-endian, in as many bytes as the order has. Constant time
    /// in the factors, except for their sizes.
    pub fn cofactor(&self, index: usize) -> Option<Zeroizing<Vec<u8>>> {
        self.product_of_others(index).map(|others| self.bytes(&others))
    }

    /// Returns the number modulo n that is 1 modulo p_i and 0 modulo the other primes, (n/p_i)^(p_i − 1) mod n
    /// (Fermat), big-endian, in as many bytes as the order has. Constant time in the factors, except for their
    /// sizes. Orders are odd.
    pub fn idempotent(&self, index: usize) -> Option<Zeroizing<Vec<u8>>> {
        let (prime, others) = (self.primes.get(index)?, self.product_of_others(index)?);
        let modulus = Odd::new(self.order.clone()).into_option()?;
        let n = BoxedMontyParams::new_vartime(modulus); // n is public
        let bits = n.bits_precision();
        let base = Zeroizing::new(BoxedMontyForm::new((&*others).resize_unchecked(bits), &n));
        let exponent = Zeroizing::new(prime.wrapping_sub(BoxedUint::one()));
        Some(self.bytes(&Zeroizing::new(Zeroizing::new(base.pow(&exponent)).retrieve())))
    }

    fn product_of_others(&self, index: usize) -> Option<Secret> {
        self.primes.get(index)?;
        let others = self.primes().enumerate().filter(|(i, _)| *i != index);
        Some(
            others.fold(Zeroizing::new(BoxedUint::one()), |product, (_, p)| {
                Zeroizing::new((*product).concatenating_mul(p))
            }),
        )
    }

    fn bytes(&self, x: &BoxedUint) -> Zeroizing<Vec<u8>> {
        let all = Zeroizing::new(x.to_be_bytes().into_vec());
        let mut bytes = Zeroizing::new(vec![0; self.order.bit_width_vartime().div_ceil(8) as usize]);
        let common = all.len().min(bytes.len());
        let from = bytes.len() - common;
        bytes[from..].copy_from_slice(&all[all.len() - common..]);
        bytes
    }

    /// Adds an affine generator of the subgroup of each prime order, in the sequence of the primes. Generators
    /// belong in the secret file: with one of them a pairing tells which points lie in the other subgroups.
    ///
    /// # Errors
    /// Returns [`Error::GeneratorCount`], [`Error::GeneratorRange`] or [`Error::GeneratorOffCurve`]. It remains to
    /// the caller to check that a generator has its prime order, which takes multiplying points.
    pub fn with_generators(self, curve: &Curve, generators: Vec<(BigUint, BigUint)>) -> Result<Self, Error> {
        self.accept_generators(curve, generators, || Origin::argument().at("generators"))
    }

    fn accept_generators(
        mut self,
        curve: &Curve,
        generators: Vec<(BigUint, BigUint)>,
        at: impl Fn() -> Location,
    ) -> Result<Self, Error> {
        if generators.len() != self.primes.len() {
            return Err(Error::GeneratorCount { at: at() });
        }
        for (x, y) in &generators {
            curve.family().check_point(x, y, &at)?;
        }
        self.generators = generators;
        Ok(self)
    }

    /// The affine generators of the prime-order subgroups, in the sequence of the primes; empty if the file has none.
    pub fn generators(&self) -> &[(BigUint, BigUint)] {
        &self.generators
    }

    /// The sizes of the primes in bits, in the sequence of the primes. Sizes are public.
    pub fn prime_bits(&self) -> Vec<u64> {
        self.primes().map(|prime| u64::from(prime.bit_width_vartime())).collect()
    }

    /// The name of the curve that these factors belong to.
    pub fn curve_name(&self) -> &str {
        &self.curve
    }

    /// Writes the text of the secret file: curve name, curve fingerprint, primes, generators of their subgroups.
    pub fn to_toml(&self) -> Zeroizing<String> {
        let primes: Vec<Zeroizing<String>> =
            self.primes().map(|p| Zeroizing::new(p.to_string_radix_vartime(10))).collect();
        let mut text = Zeroizing::new(String::with_capacity(self.most_text()));
        text.push_str(
            "# SECRET: the factors of the group order. Whoever holds them undoes every scheme on this curve.\n",
        );
        text.push_str("curve = ");
        text.push_str(&quoted(&self.curve));
        text.push_str("\nfingerprint = ");
        text.push_str(&quoted(&self.fingerprint));
        text.push_str("\nprimes = [\n");
        for prime in &primes {
            text.push_str("    \"");
            text.push_str(prime);
            text.push_str("\",\n");
        }
        text.push_str("]\n");
        if !self.generators.is_empty() {
            text.push_str("# generators of the subgroups of these orders\n");
            let coordinate = |of_y: bool| self.generators.iter().map(move |(x, y)| if of_y { y } else { x });
            for (key, of_y) in [("generators_x", false), ("generators_y", true)] {
                text.push_str(key);
                text.push_str(" = [\n");
                for value in coordinate(of_y) {
                    text.push_str("    \"");
                    text.push_str(&Zeroizing::new(value.to_string()));
                    text.push_str("\",\n");
                }
                text.push_str("]\n");
            }
        }
        text
    }

    /// Returns an upper bound of the text's length in bytes, so that the text is not moved while it grows: numbers
    /// have up to 1234 digits.
    fn most_text(&self) -> usize {
        512 + self.curve.len() + 1300 * (self.primes.len() + 2 * self.generators.len())
    }

    /// Reads the text of a secret file and checks it against the curve that it must belong to. `file` is for messages.
    ///
    /// # Errors
    /// Returns a syntax variant of [`Error`], [`Error::FingerprintMismatch`], an error of [`Factors::new`], or an
    /// error of [`Factors::with_generators`].
    pub fn from_toml(text: &str, file: &str, curve: &Curve) -> Result<Self, Error> {
        let document = parse(text, file)?;
        let origin = RefCell::new(Origin::file(file));
        let known = ["curve", "fingerprint", "primes", "generators_x", "generators_y"];
        let top = Table::new(text, &document, String::new(), &origin, &known)?;
        top.required("curve", Table::string)?;
        if top.required("fingerprint", Table::string)? != curve.fingerprint() {
            return Err(Error::FingerprintMismatch { at: top.at("fingerprint") });
        }
        let at = || top.at("primes");
        let texts = top.required("primes", Table::strings)?;
        let primes = texts.iter().map(|text| parse_secret(text, at)).collect::<Result<_, _>>()?;
        let factors = Self::check(curve, primes, at)?;
        match (top.integers("generators_x")?, top.integers("generators_y")?) {
            (None, None) => Ok(factors),
            (x, y) => {
                let (x, y) = (x.unwrap_or_default(), y.unwrap_or_default());
                if x.len() != y.len() {
                    return Err(Error::GeneratorCount { at: top.at("generators_y") });
                }
                factors.accept_generators(curve, x.into_iter().zip(y).collect(), || top.at("generators_x"))
            }
        }
    }

    /// Writes the secret file. It must not exist yet, since an existing one may be readable by others; on Unix its
    /// mode is 0600.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if the file exists or cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        private::create(path, self.to_toml().as_bytes()).map_err(|error| refused(path.display().to_string(), error))
    }

    /// Reads a secret file, which [`private::open`] must accept.
    ///
    /// # Errors
    /// Returns the errors of [`Factors::from_toml`], and [`Error::Io`], [`Error::NotPrivate`],
    /// [`Error::FileTooLarge`] or [`Error::NotUtf8`].
    pub fn load(path: impl AsRef<Path>, curve: &Curve) -> Result<Self, Error> {
        let file = path.as_ref().display().to_string();
        let bytes = private::open(path.as_ref()).and_then(|opened| private::read(opened, MAX_FILE_BYTES));
        let bytes = bytes.map_err(|error| refused(file.clone(), error))?;
        let text = str::from_utf8(&bytes).map_err(|_| Error::NotUtf8 { file: file.clone() })?;
        Self::from_toml(text, &file, curve)
    }

    fn of(curve: &Curve, primes: Vec<Secret>) -> Self {
        let order = to_boxed(curve.family().order());
        Self { primes, generators: vec![], curve: curve.name().to_owned(), fingerprint: curve.fingerprint(), order }
    }

    /// Creates the factors after checking that they are distinct and prime and multiply to the order.
    pub(crate) fn check(curve: &Curve, primes: Vec<Secret>, at: impl Fn() -> Location) -> Result<Self, Error> {
        let order = curve.family().order();
        let factors = Self::of(curve, primes);
        if factors.primes.len() as u64 > order.bits() {
            return Err(Error::FactorProduct { at: at() });
        }
        if let Some(index) = repeated(&factors.primes) {
            return Err(Error::FactorRepeated { at: at(), index });
        }
        let large_enough = factors.primes().all(|p| bits(p) > 1);
        if !large_enough || product(factors.primes(), order.bits()).as_ref() != Some(order) {
            return Err(Error::FactorProduct { at: at() });
        }
        if let Some(index) = factors.primes().position(|p| !is_prime(Flavor::Any, p)) {
            return Err(Error::FactorComposite { at: at(), index });
        }
        Ok(factors)
    }
}

/// Converts an error of reading or writing a file of factors.
fn refused(file: String, error: PrivateError) -> Error {
    match error {
        PrivateError::Io { source, .. } => Error::Io { file, source },
        PrivateError::Refused(reason) => Error::NotPrivate { file, reason },
        PrivateError::TooLong(limit) => Error::FileTooLarge { file, limit },
    }
}

/// Computes the product, which is public, or returns `None` if it has more than `limit` bits.
pub(crate) fn product<'a>(primes: impl Iterator<Item = &'a BoxedUint>, limit: u64) -> Option<BigUint> {
    secret_product(primes, limit).map(|product| from_boxed(&product))
}

/// Computes the product, or returns `None` if it has more than `limit` bits. The partial products are zeroised.
pub(crate) fn secret_product<'a>(primes: impl Iterator<Item = &'a BoxedUint>, limit: u64) -> Option<Secret> {
    let mut product = Zeroizing::new(BoxedUint::one());
    for prime in primes {
        product = Zeroizing::new((*product).concatenating_mul(prime));
        if u64::from(product.bit_width_vartime()) > limit {
            return None;
        }
    }
    Some(product)
}

/// Returns the index of the first factor that has occurred before.
pub(crate) fn repeated(primes: &[Secret]) -> Option<usize> {
    (0..primes.len()).find(|&index| primes[..index].contains(&primes[index]))
}

/// Parses an integer directly into a representation that can be zeroised.
pub(crate) fn parse_secret(text: &str, at: impl Fn() -> Location) -> Result<Secret, Error> {
    let (digits, radix) = digits(text, MAX_FIELD_BITS, &at)?;
    BoxedUint::from_str_radix_vartime(digits, radix).map(Zeroizing::new).map_err(|_| Error::NotAnInteger { at: at() })
}

impl fmt::Debug for Factors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Factors {{ curve: {:?}, primes: {} x <secret> }}", self.curve, self.primes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes the largest numbers, which need not be factors here.
    #[test]
    fn the_text_of_a_secret_file_is_not_moved_while_it_grows() {
        let curve = Curve::named("a1-2x512").unwrap_or_else(|e| unreachable!("a shipped curve: {e}"));
        let mut factors = Factors::public(&curve).unwrap_or_else(|| unreachable!("a curve with public factors"));
        let largest = (BigUint::from(1u8) << MAX_FIELD_BITS) - 1u8;
        factors.primes.iter_mut().for_each(|prime| *prime = Zeroizing::new(to_boxed(&largest)));
        for generators in [0, 2] {
            factors.generators = vec![(largest.clone(), largest.clone()); generators];
            let text = factors.to_toml();
            assert!(text.len() > 1234 * (2 + 2 * generators), "{}", text.len());
            assert_eq!(text.capacity(), String::with_capacity(factors.most_text()).capacity(), "{}", text.len());
        }
    }
}
