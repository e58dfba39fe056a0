//! Set-up, private keys, and all keys as bytes.
//!
//! Bodies behind the header (`encoding.rs`). Public key: S. Master key: the ID of the public key (16 bytes) and
//! s. Private key, which is a token there: the ID of the public key and d. The identity is not part of it.

use super::groups::Groups;
use crate::encoding::{DecodeError, IBE, ObjectKind, OtherCurve, Reader, Writer};
use crate::scalar::Scalar;
use crate::sealed;
use bilinear_engine::{Batch, Group, Point};
use std::fmt;
use zeroize::Zeroizing;

/// The domain separation tag for hashing identities.
const DST: &[u8] = b"BILINEAR-IBE-V01-CS01-H1";

/// The reason why a key or ciphertext cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum IbeError {
    /// The key belongs to another curve than the batch's, or to other generators, another map to the curve, another
    /// pairing or power.
    #[error(transparent)]
    Curve(#[from] OtherCurve),
    /// A message is too long.
    #[error("row {row}: a message of {given} bytes: at most {} are allowed", sealed::MAX)]
    Message {
        /// The index of the row, from 0 within the call.
        row: usize,
        /// The number of bytes of the message.
        given: usize,
    },
    /// The operating system provides no randomness.
    #[error(transparent)]
    Randomness(#[from] getrandom::Error),
}

/// A public key: it encrypts to identities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    pub(super) groups: Groups,
    pub(super) id: [u8; 16],
    pub(super) point: Point,
}

/// A master key: it extracts the private keys of identities. Zeroized when dropped and never printed.
#[derive(Clone)]
pub struct MasterKey {
    groups: Groups,
    id: [u8; 16],
    s: Scalar,
}

/// The private key of an identity: it decrypts messages encrypted to the identity. Never printed; the key is a point, whose bytes are
/// not zeroized.
#[derive(Clone)]
pub struct PrivateKey {
    pub(super) groups: Groups,
    pub(super) id: [u8; 16],
    pub(super) point: Point,
}

/// Creates the keys of a system.
///
/// # Errors
/// Returns an error if the operating system provides no randomness.
pub fn setup(batch: &Batch) -> Result<(PublicKey, MasterKey), IbeError> {
    let system = batch.system();
    let s = Scalar::random(system.order().bits() as usize)?;
    let point = system.mul_secret(s.as_ref(), &system.generator(Group::G1));
    let mut public = PublicKey { groups: Groups::of(batch), id: [0; 16], point };
    public.id = public.written().id();
    let master = MasterKey { groups: public.groups.clone(), id: public.id, s };
    Ok((public, master))
}

/// Hashes identities: the function H_1. Variable time: identities are public.
pub(super) fn hashed(batch: &Batch, identities: &[&[u8]]) -> Vec<Point> {
    batch.hash_to_curve(Group::G2, identities, DST).unwrap_or_else(|e| unreachable!("the DST is not empty: {e}"))
}

fn reader<'a>(batch: &Batch, kind: ObjectKind, bytes: &'a [u8]) -> Result<(Groups, Reader<'a>), DecodeError> {
    let groups = Groups::of(batch);
    let reader = Reader::of_scheme(IBE, kind, &groups.id, bytes)?;
    Ok((groups, reader))
}

impl PublicKey {
    fn written(&self) -> Writer {
        let mut writer = Writer::new(ObjectKind::PublicKey, IBE, &self.groups.id, 1024);
        writer.point(&self.point);
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

    /// Decodes a public key.
    ///
    /// # Errors
    /// Returns an error if the header or the point is wrong.
    pub fn from_bytes(batch: &Batch, bytes: &[u8]) -> Result<PublicKey, DecodeError> {
        let (groups, mut reader) = reader(batch, ObjectKind::PublicKey, bytes)?;
        let (point, id) = (reader.points(batch, Group::G1, 1)?.remove(0), reader.id());
        reader.end()?;
        Ok(PublicKey { groups, id, point })
    }
}

impl MasterKey {
    /// Extracts the private key of an identity. Constant time in the master key.
    ///
    /// # Errors
    /// Returns [`IbeError::Curve`].
    pub fn extract(&self, batch: &Batch, identity: &[u8]) -> Result<PrivateKey, IbeError> {
        self.groups.check(batch)?;
        let q = hashed(batch, &[identity]).remove(0);
        Ok(PrivateKey {
            groups: self.groups.clone(),
            id: self.id,
            point: batch.system().mul_secret(self.s.as_ref(), &q),
        })
    }

    /// The ID of the public key that belongs to this key.
    pub fn id(&self) -> &[u8; 16] {
        &self.id
    }

    /// Encodes the key as bytes. Store them where nobody else can read them.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let mut writer = Writer::new(ObjectKind::SecretKey, IBE, &self.groups.id, 1024);
        writer.raw(&self.id);
        writer.raw(self.s.as_ref());
        writer.finish()
    }

    /// Decodes a master key. Constant time in s, except for whether the bytes are intact.
    ///
    /// # Errors
    /// Returns an error if the header or the length is wrong.
    pub fn from_bytes(batch: &Batch, bytes: &[u8]) -> Result<MasterKey, DecodeError> {
        let (groups, mut reader) = reader(batch, ObjectKind::SecretKey, bytes)?;
        let id = reader.array()?;
        let s = Scalar::new(reader.raw(Scalar::random_len(batch.system().order().bits() as usize))?);
        reader.end()?;
        Ok(MasterKey { groups, id, s })
    }
}

impl PrivateKey {
    /// The ID of the public key that belongs to this key.
    pub fn id(&self) -> &[u8; 16] {
        &self.id
    }

    /// Encodes the key as bytes. Store them where nobody else can read them.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let mut writer = Writer::new(ObjectKind::Token, IBE, &self.groups.id, 1024);
        writer.raw(&self.id);
        writer.point(&self.point);
        writer.finish()
    }

    /// Decodes a private key. Variable time.
    ///
    /// # Errors
    /// Returns an error if the header or the point is wrong.
    pub fn from_bytes(batch: &Batch, bytes: &[u8]) -> Result<PrivateKey, DecodeError> {
        let (groups, mut reader) = reader(batch, ObjectKind::Token, bytes)?;
        let id = reader.array()?;
        let point = reader.points(batch, Group::G2, 1)?.remove(0);
        reader.end()?;
        Ok(PrivateKey { groups, id, point })
    }
}

impl fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MasterKey(…)")
    }
}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PrivateKey(…)")
    }
}
