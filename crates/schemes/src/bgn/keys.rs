//! Set-up, and the keys as bytes.
//!
//! Bodies behind the header (`encoding.rs`). Public key: the number of bits of q_1 (2 bytes), g and h. Secret key:
//! the ID of the public key (16 bytes), its g, and q_1 in as many bytes as N.

use super::dlog::DlogTable;
use crate::encoding::{BGN, DecodeError, DecodeErrorReason, ObjectKind, OtherCurve, Reader, Writer, belongs, curve_id};
use crate::scalar::Scalar;
use bilinear_engine::{Batch, BigUint, FactorsError, Group, Gt, Point};
use std::fmt;

/// The reason why keys or ciphertexts cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum BgnError {
    /// The factors of the order are not known, or the order is prime.
    #[error(transparent)]
    Factors(#[from] FactorsError),
    /// The order does not have two prime factors.
    #[error("an order of two primes is needed, but that of curve {curve} has {found}")]
    Primes {
        /// The name of the curve.
        curve: String,
        /// The number of prime factors found.
        found: usize,
    },
    /// The key or ciphertext belongs to another curve than the batch's.
    #[error(transparent)]
    Curve(#[from] OtherCurve),
    /// No table can be made for this bound.
    #[error("no table can be made for numbers up to {0}: the bound must be 1 to 2^40, and below a quarter of q_2")]
    Bound(u64),
    /// The operating system provides no randomness.
    #[error(transparent)]
    Randomness(#[from] getrandom::Error),
}

/// A public key: it encrypts and computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    pub(super) curve: [u8; 16],
    pub(super) id: [u8; 16],
    /// The number of bits of q_1.
    pub(super) bits: usize,
    pub(super) g: Point,
    pub(super) h: Point,
    /// The value e(g, h).
    pub(super) blind: Gt,
}

/// A secret key, q_1: it decrypts. Zeroized when dropped and never printed.
#[derive(Clone)]
pub struct SecretKey {
    pub(super) curve: [u8; 16],
    pub(super) id: [u8; 16],
    pub(super) g: Point,
    pub(super) q: Scalar,
}

/// Creates keys. The batch's system must know the two factors of its order; the first is q_1.
///
/// # Errors
/// Returns [`BgnError::Factors`], [`BgnError::Primes`] or [`BgnError::Randomness`].
pub fn setup(batch: &Batch) -> Result<(PublicKey, SecretKey), BgnError> {
    let system = batch.system();
    let factors = system.factors()?;
    let (Some(q), [bits, _]) = (factors.prime(0), &factors.prime_bits()[..]) else {
        let (curve, found) = (system.curve().name().to_owned(), factors.primes().len());
        return Err(BgnError::Primes { curve, found });
    };
    let g = system.generator(Group::G1);
    // (n/q_1)·g, multiplied by a random number
    let h = system.mul_secret(Scalar::random(*bits as usize)?.as_ref(), &system.subgroup_generators()?[0]);
    let blind = system.pair(&g, &h);
    let mut public = PublicKey { curve: curve_id(system), id: [0; 16], bits: *bits as usize, g: g.clone(), h, blind };
    public.id = public.written().id();
    let secret = SecretKey { curve: public.curve, id: public.id, g, q: Scalar::new(&q) };
    Ok((public, secret))
}

impl PublicKey {
    fn written(&self) -> Writer {
        let mut writer = Writer::new(ObjectKind::PublicKey, BGN, &self.curve, 4096);
        writer.u16(self.bits);
        writer.point(&self.g);
        writer.point(&self.h);
        writer
    }

    /// The ID of the key in ciphertexts.
    pub fn id(&self) -> &[u8; 16] {
        &self.id
    }

    /// Encodes the key as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.written().finish().to_vec()
    }

    /// Decodes a public key; e(g, h) is computed anew.
    ///
    /// # Errors
    /// Returns an error if the header or a point is wrong.
    pub fn from_bytes(batch: &Batch, bytes: &[u8]) -> Result<PublicKey, DecodeError> {
        let (system, curve) = (batch.system(), curve_id(batch.system()));
        let mut reader = Reader::of_scheme(BGN, ObjectKind::PublicKey, &curve, bytes)?;
        let bits = reader.u16("the bit length of q_1", 2..=system.order().bits() as usize)?;
        let (points, id) = (reader.points(batch, Group::G1, 2)?, reader.id());
        reader.end()?;
        let [g, h] = [&points[0], &points[1]].map(Clone::clone);
        Ok(PublicKey { curve, id, bits, blind: system.pair(&g, &h), g, h })
    }
}

impl SecretKey {
    /// The ID of the public key that belongs to this key.
    pub fn id(&self) -> &[u8; 16] {
        &self.id
    }

    /// Encodes the key as bytes. Store them where nobody else can read them.
    pub fn to_bytes(&self) -> zeroize::Zeroizing<Vec<u8>> {
        let mut writer = Writer::new(ObjectKind::SecretKey, BGN, &self.curve, 4096);
        writer.raw(&self.id);
        writer.point(&self.g);
        writer.raw(self.q.as_ref());
        writer.finish()
    }

    /// Decodes a secret key. Variable time: N is divided by q_1, with integers that are not zeroized.
    ///
    /// # Errors
    /// Returns an error if the header or the point is wrong, or if q_1 is no proper factor of N.
    pub fn from_bytes(batch: &Batch, bytes: &[u8]) -> Result<SecretKey, DecodeError> {
        let (system, curve) = (batch.system(), curve_id(batch.system()));
        let mut reader = Reader::of_scheme(BGN, ObjectKind::SecretKey, &curve, bytes)?;
        let (id, g) = (reader.array()?, reader.points(batch, Group::G1, 1)?.remove(0));
        let len = system.order().bits().div_ceil(8) as usize;
        let q = Scalar::new(reader.raw(len)?);
        let (number, one) = (BigUint::from_bytes_be(q.as_ref()), BigUint::from(1u8));
        if number <= one || number == *system.order() || system.order() % &number != BigUint::default() {
            return reader.refuse(len, DecodeErrorReason::Range("q_1"));
        }
        reader.end()?;
        Ok(SecretKey { curve, id, g, q })
    }

    /// Creates a table that decrypts numbers up to a bound B in absolute value. It is made once, in √B additions in
    /// each group. Its holder can decrypt: keep it as secret as the key. Variable time: N is divided by q_1, with
    /// integers that are not zeroized.
    ///
    /// # Errors
    /// Returns [`BgnError::Bound`] or [`BgnError::Curve`].
    pub fn dlog_table(&self, batch: &Batch, bound: u64) -> Result<DlogTable, BgnError> {
        belongs(batch.system(), &self.curve)?;
        let q_2 = batch.system().order() / BigUint::from_bytes_be(self.q.as_ref());
        if !(1..=1 << 40).contains(&bound) || BigUint::from(bound) * 4u8 >= q_2 {
            return Err(BgnError::Bound(bound));
        }
        Ok(DlogTable::new(batch, self, bound))
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey(…)")
    }
}
