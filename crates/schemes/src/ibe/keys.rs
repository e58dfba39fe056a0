//! Set-up, the keys of identities, and all keys as bytes.
//!
//! Bodies behind the header (`encoding.rs`): of the public key S; of the master key the identity of the public key (16 bytes) and s; of a
//! name's key, which is a token there, the identity and d. The names are not part of them.

use super::groups::Groups;
use crate::encoding::{DecodeError, Kind, OtherCurve, Reader, SchemeByte, Writer};
use crate::scalar::Scalar;
use crate::sealed;
use bilinear_engine::{Batch, Group, Point};
use std::fmt;
use zeroize::Zeroizing;

/// What names are hashed under.
const TAG: &[u8] = b"BILINEAR-IBE-V01-CS01-H1";

/// Why there is no key or no ciphertext.
#[derive(Debug, thiserror::Error)]
pub enum IbeError {
    /// A key of another curve than the batch's, or of other generators, another map to the curve, another pairing or power.
    #[error(transparent)]
    Curve(#[from] OtherCurve),
    /// Too long a message.
    #[error("row {row}: a message of {given} bytes: there may be {}", sealed::MOST)]
    Message {
        /// Which, counted from 0 within the call.
        row: usize,
        /// The bytes of the message.
        given: usize,
    },
    /// The operating system has no randomness.
    #[error(transparent)]
    Randomness(#[from] getrandom::Error),
}

/// What encrypts to names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    pub(super) groups: Groups,
    pub(super) id: [u8; 16],
    pub(super) point: Point,
}

/// What gives names their keys. Wiped when dropped and never printed.
#[derive(Clone)]
pub struct MasterKey {
    groups: Groups,
    id: [u8; 16],
    s: Scalar,
}

/// What decrypts what was encrypted to a name. Never printed; it is a point, whose bytes are not wiped.
#[derive(Clone)]
pub struct UserKey {
    pub(super) groups: Groups,
    pub(super) id: [u8; 16],
    pub(super) point: Point,
}

/// Makes the keys of a system.
///
/// # Errors
/// If the operating system has no randomness.
pub fn setup(batch: &Batch) -> Result<(PublicKey, MasterKey), IbeError> {
    let system = batch.system();
    let s = Scalar::random(system.order().bits() as usize)?;
    let point = system.mul_secret(s.as_ref(), &system.generator(Group::G1));
    let mut public = PublicKey { groups: Groups::of(batch), id: [0; 16], point };
    public.id = public.written().id();
    let master = MasterKey { groups: public.groups.clone(), id: public.id, s };
    Ok((public, master))
}

/// H_1 of names. Variable time: names are public.
pub(super) fn hashed(batch: &Batch, names: &[&[u8]]) -> Vec<Point> {
    batch.hash_to_points(Group::G2, names, TAG).unwrap_or_else(|e| unreachable!("the tag is not empty: {e}"))
}

fn reader<'a>(batch: &Batch, kind: Kind, bytes: &'a [u8]) -> Result<(Groups, Reader<'a>), DecodeError> {
    let groups = Groups::of(batch);
    let reader = Reader::of_scheme(SchemeByte::Ibe, kind, &groups.id, bytes)?;
    Ok((groups, reader))
}

impl PublicKey {
    fn written(&self) -> Writer {
        let mut writer = Writer::new(Kind::PublicKey, SchemeByte::Ibe, &self.groups.id, 1024);
        writer.point(&self.point);
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

    /// The key of bytes.
    ///
    /// # Errors
    /// If the header or the point is wrong.
    pub fn read(batch: &Batch, bytes: &[u8]) -> Result<PublicKey, DecodeError> {
        let (groups, mut reader) = reader(batch, Kind::PublicKey, bytes)?;
        let (point, id) = (reader.points(batch, Group::G1, 1)?.remove(0), reader.id());
        reader.end()?;
        Ok(PublicKey { groups, id, point })
    }
}

impl MasterKey {
    /// The key of a name. Constant time in the master key.
    ///
    /// # Errors
    /// [`IbeError::Curve`].
    pub fn extract(&self, batch: &Batch, name: &[u8]) -> Result<UserKey, IbeError> {
        self.groups.check(batch)?;
        let q = hashed(batch, &[name]).remove(0);
        Ok(UserKey { groups: self.groups.clone(), id: self.id, point: batch.system().mul_secret(self.s.as_ref(), &q) })
    }

    /// The identity of the public key that belongs to it.
    pub fn id(&self) -> &[u8; 16] {
        &self.id
    }

    /// The key as bytes, for those who store it where nobody else can read.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let mut writer = Writer::new(Kind::SecretKey, SchemeByte::Ibe, &self.groups.id, 1024);
        writer.raw(&self.id);
        writer.raw(self.s.as_ref());
        writer.finish()
    }

    /// The key of bytes. Constant time in s, but for whether the bytes are whole.
    ///
    /// # Errors
    /// If the header is wrong, or the length.
    pub fn read_secret(batch: &Batch, bytes: &[u8]) -> Result<MasterKey, DecodeError> {
        let (groups, mut reader) = reader(batch, Kind::SecretKey, bytes)?;
        let id = reader.array()?;
        let s = Scalar::new(reader.raw(Scalar::random_len(batch.system().order().bits() as usize))?);
        reader.end()?;
        Ok(MasterKey { groups, id, s })
    }
}

impl UserKey {
    /// The identity of the public key that belongs to it.
    pub fn id(&self) -> &[u8; 16] {
        &self.id
    }

    /// The key as bytes, for those who store it where nobody else can read.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let mut writer = Writer::new(Kind::Token, SchemeByte::Ibe, &self.groups.id, 1024);
        writer.raw(&self.id);
        writer.point(&self.point);
        writer.finish()
    }

    /// The key of bytes. Variable time.
    ///
    /// # Errors
    /// If the header or the point is wrong.
    pub fn read(batch: &Batch, bytes: &[u8]) -> Result<UserKey, DecodeError> {
        let (groups, mut reader) = reader(batch, Kind::Token, bytes)?;
        let id = reader.array()?;
        let point = reader.points(batch, Group::G2, 1)?.remove(0);
        reader.end()?;
        Ok(UserKey { groups, id, point })
    }
}

impl fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MasterKey(…)")
    }
}

impl fmt::Debug for UserKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("UserKey(…)")
    }
}
