//! Ciphertexts of numbers, of products, and what can be computed with them.
//!
//! Body behind the header (`encoding.rs`): the ID of the public key (16 bytes); 1 and a point, which is
//! O as zeros, or 2 and an element of GT.

use super::keys::{BgnError, PublicKey};
use super::{DecodeError, DecodeErrorReason, ObjectKind};
use crate::combine::{Term, msms, times};
use crate::encoding::{BGN, Reader, Writer, belongs, curve_id};
use crate::scalar::Scalar;
use bilinear_engine::{Batch, BigUint, Group, Gt, Point};

/// The offset that makes an i64 a number without sign.
const SHIFT: u64 = 1 << 63;

/// An encrypted number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ciphertext(pub(super) Point);

/// An encrypted number that is a product, or a sum of products.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product(pub(super) Gt);

impl PublicKey {
    /// Encrypts numbers. Constant time in the numbers and in the random values.
    ///
    /// # Errors
    /// Returns [`BgnError::Curve`] or [`BgnError::Randomness`].
    pub fn encrypt(&self, batch: &Batch, numbers: &[i64]) -> Result<Vec<Ciphertext>, BgnError> {
        belongs(batch.system(), &self.curve)?;
        let system = batch.system();
        // m + 2^63 + 2^64 is positive for every m; the excess is a constant, subtracted afterwards
        let back = system.neg(&system.mul(&(BigUint::from(SHIFT) * 3u8), &self.g));
        let shifted = |m: i64| Scalar::new(&[&[1][..], &(m as u64 ^ SHIFT).to_be_bytes()].concat());
        let draw = |m: &i64| Ok((shifted(*m), Scalar::random(self.bits)?));
        let drawn: Vec<(Scalar, Scalar)> = numbers.iter().map(draw).collect::<Result<_, getrandom::Error>>()?;
        let sum = |(m, r)| vec![times(m, &self.g), times(r, &self.h), Term::Itself(&back)];
        let sums: Vec<_> = drawn.iter().map(|(m, r): &(Scalar, Scalar)| sum((m, r))).collect();
        Ok(msms(batch, Group::G1, &sums).into_iter().map(Ciphertext).collect())
    }

    /// Rerandomises ciphertexts: returns the same numbers in ciphertexts that cannot be told from new ones. Constant
    /// time in the random values.
    ///
    /// # Errors
    /// Returns [`BgnError::Curve`] or [`BgnError::Randomness`].
    ///
    /// # Panics
    /// Panics if a ciphertext belongs to another curve.
    pub fn rerandomize(&self, batch: &Batch, ciphertexts: &[Ciphertext]) -> Result<Vec<Ciphertext>, BgnError> {
        belongs(batch.system(), &self.curve)?;
        let r = self.randoms(ciphertexts.len())?;
        let sums: Vec<_> =
            ciphertexts.iter().zip(&r).map(|(c, r)| vec![Term::Itself(&c.0), times(r, &self.h)]).collect();
        Ok(msms(batch, Group::G1, &sums).into_iter().map(Ciphertext).collect())
    }

    /// Adds ciphertexts. For no ciphertexts the sum is 0, in a ciphertext that shows it.
    ///
    /// # Panics
    /// Panics if the batch or a ciphertext belongs to another curve.
    pub fn add(&self, batch: &Batch, ciphertexts: &[Ciphertext]) -> Ciphertext {
        let points: Vec<Point> = ciphertexts.iter().map(|c| c.0.clone()).collect();
        Ciphertext(batch.sums(Group::G1, &points, std::slice::from_ref(&(0..points.len()))).remove(0))
    }

    /// Multiplies the number by k, for a public k. Variable time in k.
    ///
    /// # Panics
    /// Panics if the batch or the ciphertext belongs to another curve.
    pub fn scale(&self, batch: &Batch, k: i64, c: &Ciphertext) -> Ciphertext {
        let multiple = batch.system().mul(&BigUint::from(k.unsigned_abs()), &c.0);
        Ciphertext(if k < 0 { batch.system().neg(&multiple) } else { multiple })
    }

    /// Computes the product of each pair, rerandomised like a new ciphertext.
    ///
    /// # Errors
    /// Returns [`BgnError::Curve`] or [`BgnError::Randomness`].
    ///
    /// # Panics
    /// Panics if a ciphertext belongs to another curve.
    pub fn products(&self, batch: &Batch, pairs: &[(&Ciphertext, &Ciphertext)]) -> Result<Vec<Product>, BgnError> {
        belongs(batch.system(), &self.curve)?;
        let rows: Vec<(Point, Point)> = pairs.iter().map(|(a, b)| (a.0.clone(), b.0.clone())).collect();
        let values: Vec<Gt> = batch.pair(&rows).into_iter().map(known).collect();
        let r = self.randoms(pairs.len())?;
        let blinds = batch.gt_pow_secret(&r.iter().map(|r| (self.blind.clone(), r)).collect::<Vec<_>>());
        let both: Vec<Gt> = values.into_iter().zip(blinds).flat_map(|(value, blind)| [value, blind]).collect();
        let ranges: Vec<_> = (0..pairs.len()).map(|i| 2 * i..2 * i + 2).collect();
        Ok(batch.gt_products(&both, &ranges).into_iter().map(Product).collect())
    }

    /// Converts a ciphertext of a number to a product, so that it can be added to products.
    ///
    /// # Panics
    /// Panics if the batch or the ciphertext belongs to another curve.
    pub fn as_product(&self, batch: &Batch, c: &Ciphertext) -> Product {
        Product(batch.system().pair(&c.0, &self.g))
    }

    /// Adds products.
    ///
    /// # Panics
    /// Panics if the batch or a product belongs to another curve.
    pub fn add_products(&self, batch: &Batch, products: &[Product]) -> Product {
        let values: Vec<Gt> = products.iter().map(|x| x.0.clone()).collect();
        Product(batch.gt_products(&values, std::slice::from_ref(&(0..values.len()))).remove(0))
    }

    /// Multiplies the product by k, for a public k. Variable time in k.
    ///
    /// # Panics
    /// Panics if the batch or the product belongs to another curve.
    pub fn scale_product(&self, batch: &Batch, k: i64, x: &Product) -> Product {
        let power = batch.system().gt_pow(&x.0, &BigUint::from(k.unsigned_abs()));
        Product(if k < 0 { batch.system().gt_inv(&power) } else { power })
    }

    /// Encodes a ciphertext as bytes.
    pub fn ciphertext_bytes(&self, c: &Ciphertext) -> Vec<u8> {
        let len = self.g.bytes().map_or(0, <[u8]>::len);
        let mut writer = self.writer(1, len);
        writer.point_or_infinity(&c.0, len);
        writer.finish().to_vec()
    }

    /// Encodes a product as bytes.
    pub fn product_bytes(&self, x: &Product) -> Vec<u8> {
        let mut writer = self.writer(2, x.0.bytes().len());
        writer.raw(x.0.bytes());
        writer.finish().to_vec()
    }

    /// Decodes a ciphertext.
    ///
    /// # Errors
    /// Returns an error if the header, the key or the point is wrong.
    pub fn read_ciphertext(&self, batch: &Batch, bytes: &[u8]) -> Result<Ciphertext, DecodeError> {
        let mut reader = self.reader(batch, 1, bytes)?;
        let point = reader.point_or_infinity(batch, Group::G1)?;
        reader.end()?;
        Ok(Ciphertext(point))
    }

    /// Decodes a product.
    ///
    /// # Errors
    /// Returns an error if the header, the key or the element is wrong.
    pub fn read_product(&self, batch: &Batch, bytes: &[u8]) -> Result<Product, DecodeError> {
        let mut reader = self.reader(batch, 2, bytes)?;
        let value = reader.gt(batch.system())?;
        reader.end()?;
        Ok(Product(value))
    }

    /// Writes the bytes before a value of `len` bytes.
    fn writer(&self, level: u8, len: usize) -> Writer {
        let mut writer = Writer::new(ObjectKind::Ciphertext, BGN, &self.curve, len + 17);
        writer.raw(&self.id);
        writer.raw(&[level]);
        writer
    }

    fn reader<'a>(&self, batch: &Batch, level: u8, bytes: &'a [u8]) -> Result<Reader<'a>, DecodeError> {
        let mut reader = Reader::of_scheme(BGN, ObjectKind::Ciphertext, &curve_id(batch.system()), bytes)?;
        reader.key(&self.id)?;
        if reader.array()? != [level] {
            return reader.refuse(1, DecodeErrorReason::Range("the byte that distinguishes numbers from products"));
        }
        Ok(reader)
    }

    fn randoms(&self, count: usize) -> Result<Vec<Scalar>, getrandom::Error> {
        (0..count).map(|_| Scalar::random(self.bits)).collect()
    }
}

/// Unwraps the pairing of points that were computed or checked here.
fn known(value: Result<Gt, bilinear_engine::RowError>) -> Gt {
    value.unwrap_or_else(|e| unreachable!("points that are known: {e}"))
}
