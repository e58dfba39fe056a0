//! Encryption to identities, and decryption.
//!
//! Body behind the header (`encoding.rs`): the ID of the public key (16 bytes), U, V (32 bytes), the length of W (4 bytes), W.

use super::keys::{IbeError, PrivateKey, PublicKey, hashed};
use super::{DecodeError, DecodeErrorReason, ObjectKind};
use crate::encoding::{CURVE, HEADER, IBE, Reader, Writer};
use crate::scalar::Scalar;
use crate::sealed;
use bilinear_engine::{Batch, Group, Gt, Point, PointError, PointRef, in_place};
use bilinear_field::memcheck;
use zeroize::Zeroizing;

/// The number of bytes of σ.
const SIGMA: usize = 32;

type Sigma = Zeroizing<[u8; SIGMA]>;

/// Masks σ: the function H_2.
fn mask_sigma(value: &Gt, sigma: &[u8]) -> Sigma {
    let mut masked: Sigma = Zeroizing::new([0; SIGMA]);
    masked.copy_from_slice(sigma);
    sealed::mask(value.bytes(), "identity H2 ", &mut masked[..]);
    masked
}

/// Masks a message: the function H_4.
fn mask_message(sigma: &Sigma, message: &mut [u8]) {
    sealed::mask(&sigma[..], "identity H4 ", message);
}

/// Derives r, uniform modulo the order up to 2^−128: the function H_3.
fn multiplier(batch: &Batch, sigma: &Sigma, message: &[u8]) -> Scalar {
    let material = Zeroizing::new([&sigma[..], message].concat());
    Scalar::derived(&material, "identity r", 0, batch.system().order().bits() as usize)
}

impl PublicKey {
    /// Encrypts messages to identities, in lanes and on the batch's threads. `rows` holds pairs of an identity and a message.
    /// Constant time in the messages and in the random values; timing may reveal identities and lengths.
    ///
    /// # Errors
    /// Returns [`IbeError::Message`], [`IbeError::Curve`] or [`IbeError::Randomness`].
    pub fn encrypt(&self, batch: &Batch, rows: &[(&[u8], &[u8])]) -> Result<Vec<Vec<u8>>, IbeError> {
        let system = batch.system();
        self.groups.check(batch)?;
        if let Some((row, given)) =
            (0..).zip(rows).find_map(|(row, (_, m))| (m.len() > sealed::MAX).then_some((row, m.len())))
        {
            return Err(IbeError::Message { row, given });
        }
        let draw = |_: &(&[u8], &[u8])| {
            let mut sigma: Sigma = Zeroizing::new([0; SIGMA]);
            getrandom::fill(&mut sigma[..]).map(|()| sigma)
        };
        let sigmas: Vec<Sigma> = rows.iter().map(draw).collect::<Result<_, _>>()?;
        let r: Vec<Scalar> = sigmas.iter().zip(rows).map(|(sigma, (_, m))| multiplier(batch, sigma, m)).collect();
        let generator = system.generator(Group::G1);
        let u = batch.mul_secret(Group::G1, &r.iter().map(|r| (r, generator.clone())).collect::<Vec<_>>());
        // e(S, Q)^r
        let identities: Vec<&[u8]> = rows.iter().map(|(identity, _)| *identity).collect();
        let pairs: Vec<(Point, Point)> =
            hashed(batch, &identities).into_iter().map(|q| (self.point.clone(), q)).collect();
        let values =
            batch.pair(&pairs).into_iter().map(|x| x.unwrap_or_else(|e| unreachable!("points made here: {e}")));
        let keys = batch.gt_pow_secret(&values.zip(&r).collect::<Vec<_>>());
        let encode = |u: &Point, key: &Gt, sigma: &Sigma, message: &[u8]| {
            let mut writer = Writer::new(ObjectKind::Ciphertext, IBE, &self.groups.id, 1024 + message.len());
            writer.raw(&self.id);
            writer.point(u);
            writer.raw(&mask_sigma(key, &sigma[..])[..]);
            writer.u32(message.len());
            let mut w = Zeroizing::new(message.to_vec());
            mask_message(sigma, &mut w);
            writer.raw(&w);
            writer.finish().to_vec()
        };
        let made = u.iter().zip(&keys).zip(&sigmas).zip(rows);
        Ok(made.map(|(((u, key), sigma), (_, message))| encode(u, key, sigma, message)).collect())
    }
}

/// Creates the error of a point U.
fn bad_point(reason: PointError) -> DecodeError {
    DecodeError { what: ObjectKind::Ciphertext, at: HEADER + 16, reason: DecodeErrorReason::Point(reason) }
}

/// The parts of a ciphertext.
struct Read<'a> {
    u: &'a [u8],
    v: &'a [u8],
    w: &'a [u8],
}

impl PrivateKey {
    /// Decrypts messages; `None` for a message that was encrypted to another identity, or was changed. An error belongs
    /// to its row. If the batch has other groups than the key, every row has an error ([`DecodeErrorReason::Curve`]). Constant
    /// time in the decrypted messages, except for whether decryption succeeds.
    pub fn decrypt(&self, batch: &Batch, rows: &[&[u8]]) -> Vec<Result<Option<Zeroizing<Vec<u8>>>, DecodeError>> {
        if self.groups.check(batch).is_err() {
            let error = DecodeError { what: ObjectKind::Ciphertext, at: CURVE, reason: DecodeErrorReason::Curve };
            return rows.iter().map(|_| Err(error)).collect();
        }
        let read = in_place(rows.iter().map(|row| self.read_row(batch, row)), |rows| {
            let points: Vec<PointRef<'_>> = rows.iter().map(|row| PointRef::Bytes(row.u)).collect();
            let points = batch.decode(Group::G1, &points);
            rows.into_iter().zip(points).map(|(row, u)| Ok((row, u.map_err(bad_point)?))).collect()
        });
        in_place(read.into_iter().map(Result::flatten), |rows| self.opened(batch, &rows))
    }

    /// Decrypts rows whose points U have been checked.
    fn opened(&self, batch: &Batch, rows: &[(Read<'_>, Point)]) -> Vec<Option<Zeroizing<Vec<u8>>>> {
        let pairs: Vec<(Point, Point)> = rows.iter().map(|(_, u)| (u.clone(), self.point.clone())).collect();
        let values =
            batch.pair(&pairs).into_iter().map(|x| x.unwrap_or_else(|e| unreachable!("points decoded here: {e}")));
        // the message of each row if it is for this key, and the r with which it was then encrypted
        let unmask = |((row, _), value): (&(Read<'_>, Point), Gt)| {
            let sigma = mask_sigma(&value, row.v);
            let mut message = Zeroizing::new(row.w.to_vec());
            mask_message(&sigma, &mut message);
            (multiplier(batch, &sigma, &message), message)
        };
        let (r, messages): (Vec<Scalar>, Vec<_>) = rows.iter().zip(values).map(unmask).unzip();
        let generator = batch.system().generator(Group::G1);
        let again = batch.mul_secret(Group::G1, &r.iter().map(|r| (r, generator.clone())).collect::<Vec<_>>());
        let is_right = |u: &Point, again: &Point| {
            let [given, wanted] = [u, again].map(|p| p.bytes().unwrap_or_default());
            let mut differs =
                given.iter().zip(wanted).fold(u8::from(given.len() != wanted.len()), |all, (a, b)| all | (a ^ b));
            memcheck::reveal(&mut differs);
            differs == 0
        };
        let opened = rows.iter().zip(messages).zip(&again);
        opened.map(|(((_, u), message), again)| is_right(u, again).then_some(message)).collect()
    }

    fn read_row<'a>(&self, batch: &Batch, row: &'a [u8]) -> Result<Read<'a>, DecodeError> {
        let mut reader = Reader::of_scheme(IBE, ObjectKind::Ciphertext, &self.groups.id, row)?;
        reader.key(&self.id)?;
        let u = reader.raw(batch.system().point_len(Group::G1))?;
        let v = reader.raw(SIGMA)?;
        let len = reader.u32()?;
        let w = reader.raw(len)?;
        reader.end()?;
        Ok(Read { u, v, w })
    }
}
