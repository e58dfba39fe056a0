//! Set-up, and the keys as bytes.
//!
//! Bodies behind the header (`encoding.rs`): of a public key the bits of q_1 (2 bytes), g and h; of a secret key the identity of the
//! public key (16 bytes), its g, and q_1 in as many bytes as N.

use super::logarithm::Table;
use crate::encoding::{DecodeError, Kind, OtherCurve, Reader, Reason, SchemeByte, Writer, belongs, curve_id};
use crate::scalar::Scalar;
use bilinear_engine::{Batch, BigUint, FactorsError, Group, Gt, Point};
use std::fmt;

/// Why there are no keys or no ciphertexts.
#[derive(Debug, thiserror::Error)]
pub enum BgnError {
    /// The factors of the order are not known, or there are none.
    #[error(transparent)]
    Factors(#[from] FactorsError),
    /// The order has another number of primes.
    #[error("an order of two primes is needed; that of curve {curve} has {found}")]
    Primes {
        /// The curve.
        curve: String,
        /// How many primes there are.
        found: usize,
    },
    /// A key or ciphertext of another curve than the batch's.
    #[error(transparent)]
    Curve(#[from] OtherCurve),
    /// A bound of which there is no table.
    #[error("numbers up to {0} cannot be told apart here: the bound is 1 to 2^40, and below a quarter of q_2")]
    Bound(u64),
    /// The operating system has no randomness.
    #[error(transparent)]
    Randomness(#[from] getrandom::Error),
}

/// What encrypts and computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    pub(super) curve: [u8; 16],
    pub(super) id: [u8; 16],
    /// Bits of q_1.
    pub(super) bits: usize,
    pub(super) g: Point,
    pub(super) h: Point,
    /// e(g, h).
    pub(super) blind: Gt,
}

/// What decrypts: q_1. Wiped when dropped and never printed.
#[derive(Clone)]
pub struct SecretKey {
    pub(super) curve: [u8; 16],
    pub(super) id: [u8; 16],
    pub(super) g: Point,
    pub(super) q: Scalar,
}

/// Makes keys. The batch's system must know the two factors of its order; the first is q_1.
///
/// # Errors
/// [`BgnError::Factors`], [`BgnError::Primes`], [`BgnError::Randomness`].
pub fn setup(batch: &Batch) -> Result<(PublicKey, SecretKey), BgnError> {
    let system = batch.system();
    let factors = system.factors()?;
    let (Some(q), [bits, _]) = (factors.prime(0), &factors.prime_bits()[..]) else {
        let (curve, found) = (system.curve().name().to_owned(), factors.primes().len());
        return Err(BgnError::Primes { curve, found });
    };
    let g = system.generator(Group::G1);
    // (n/q_1)·g, times a random number
    let h = system.mul_secret(Scalar::random(*bits as usize)?.as_ref(), &system.subgroup_generators()?[0]);
    let blind = system.pair(&g, &h);
    let mut public = PublicKey { curve: curve_id(system), id: [0; 16], bits: *bits as usize, g: g.clone(), h, blind };
    public.id = public.written().id();
    let secret = SecretKey { curve: public.curve, id: public.id, g, q: Scalar::new(&q) };
    Ok((public, secret))
}

impl PublicKey {
    fn written(&self) -> Writer {
        let mut writer = Writer::new(Kind::PublicKey, SchemeByte::Bgn, &self.curve, 4096);
        writer.u16(self.bits);
        writer.point(&self.g);
        writer.point(&self.h);
        writer
    }

    /// What names this key in ciphertexts.
    pub fn id(&self) -> &[u8; 16] {
        &self.id
    }

    /// The key as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.written().finish().to_vec()
    }

    /// The key of bytes; e(g, h) is computed anew.
    ///
    /// # Errors
    /// If the header or a point is wrong.
    pub fn read(batch: &Batch, bytes: &[u8]) -> Result<PublicKey, DecodeError> {
        let (system, curve) = (batch.system(), curve_id(batch.system()));
        let mut reader = Reader::of_scheme(SchemeByte::Bgn, Kind::PublicKey, &curve, bytes)?;
        let bits = reader.u16("the bits of q_1", 2..=system.order().bits() as usize)?;
        let (points, id) = (reader.points(batch, Group::G1, 2)?, reader.id());
        reader.end()?;
        let [g, h] = [&points[0], &points[1]].map(Clone::clone);
        Ok(PublicKey { curve, id, bits, blind: system.pair(&g, &h), g, h })
    }
}

impl SecretKey {
    /// The identity of the public key that belongs to it.
    pub fn id(&self) -> &[u8; 16] {
        &self.id
    }

    /// The key as bytes, for those who store it where nobody else can read.
    pub fn to_bytes(&self) -> zeroize::Zeroizing<Vec<u8>> {
        let mut writer = Writer::new(Kind::SecretKey, SchemeByte::Bgn, &self.curve, 4096);
        writer.raw(&self.id);
        writer.point(&self.g);
        writer.raw(self.q.as_ref());
        writer.finish()
    }

    /// The key of bytes. Variable time: q_1 is divided into N, by integers that are not wiped.
    ///
    /// # Errors
    /// If the header or the point is wrong, or q_1 is no proper factor of N.
    pub fn read(batch: &Batch, bytes: &[u8]) -> Result<SecretKey, DecodeError> {
        let (system, curve) = (batch.system(), curve_id(batch.system()));
        let mut reader = Reader::of_scheme(SchemeByte::Bgn, Kind::SecretKey, &curve, bytes)?;
        let (id, g) = (reader.array()?, reader.points(batch, Group::G1, 1)?.remove(0));
        let len = system.order().bits().div_ceil(8) as usize;
        let q = Scalar::new(reader.raw(len)?);
        let (number, one) = (BigUint::from_bytes_be(q.as_ref()), BigUint::from(1u8));
        if number <= one || number == *system.order() || system.order() % &number != BigUint::default() {
            return reader.refuse(len, Reason::Range("q_1"));
        }
        reader.end()?;
        Ok(SecretKey { curve, id, g, q })
    }

    /// What decrypts numbers up to a bound in absolute value: made once, in √B additions in each group. Who has it can
    /// decrypt: keep it as the key. Variable time: N is divided by q_1, by integers that are not wiped.
    ///
    /// # Errors
    /// [`BgnError::Bound`], [`BgnError::Curve`].
    pub fn table(&self, batch: &Batch, bound: u64) -> Result<Table, BgnError> {
        belongs(batch.system(), &self.curve)?;
        let q_2 = batch.system().order() / BigUint::from_bytes_be(self.q.as_ref());
        if !(1..=1 << 40).contains(&bound) || BigUint::from(bound) * 4u8 >= q_2 {
            return Err(BgnError::Bound(bound));
        }
        Ok(Table::new(batch, self, bound))
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey(…)")
    }
}
