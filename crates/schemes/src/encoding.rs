//! The bytes of keys, tokens and ciphertexts: a header, a body, a checksum.
//!
//! | bytes | what |
//! |---:|---|
//! | 4 | `BILN` |
//! | 1 | version, 1 |
//! | 1 | the scheme: that of `predicate::Scheme`, [`BGN`] or [`IBE`]; an assigned byte never changes |
//! | 1 | the kind: public key, secret key, … |
//! | 16 | the curve, the first half of its fingerprint; where values are in PBC's order, or with another pairing or power than the curve's own, of a hash of all these; for identity-based encryption see `ibe/groups.rs` |
//! | … | the body; points are x‖y, numbers big-endian |
//! | 16 | the first half of the SHA-256 of all before, which names a public key in what belongs to it |
//!
//! The checksum detects damage; it authenticates nothing. Keys and tokens are checked in full, and so are
//! ciphertexts, except for points that a [`Batch`] is told to check less thoroughly.

use bilinear_engine::params::Layout;
use bilinear_engine::{Batch, Group, GtError, Point, PointError, PointRef, System, Validate};
use bilinear_field::memcheck;
use sha2::{Digest, Sha256};
use std::fmt;
use zeroize::Zeroizing;

const MAGIC: &[u8; 4] = b"BILN";
const VERSION: u8 = 1;
/// The offset of the curve in the header.
pub(crate) const CURVE: usize = 7;
/// The number of bytes of the header.
pub(crate) const HEADER: usize = 23;
/// The number of bytes of the checksum.
const CHECKSUM: usize = 16;

/// The byte of the scheme of Boneh, Goh and Nissim.
pub(crate) const BGN: u8 = 16;
/// The byte of identity-based encryption.
pub(crate) const IBE: u8 = 17;

/// The kind of object that bytes hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    /// A key that encrypts.
    PublicKey,
    /// A key that creates tokens or decrypts.
    SecretKey,
    /// A key that tells whether a predicate holds.
    Token,
    /// An encrypted row, number or message.
    Ciphertext,
}

impl ObjectKind {
    fn byte(self) -> u8 {
        match self {
            ObjectKind::PublicKey => 1,
            ObjectKind::SecretKey => 2,
            ObjectKind::Token => 3,
            ObjectKind::Ciphertext => 4,
        }
    }
}

impl fmt::Display for ObjectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ObjectKind::PublicKey => "public key",
            ObjectKind::SecretKey => "secret key",
            ObjectKind::Token => "token",
            ObjectKind::Ciphertext => "ciphertext",
        })
    }
}

/// The reason why bytes could not be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}, byte {at}: {reason}")]
pub struct DecodeError {
    /// The kind of object that was expected.
    pub what: ObjectKind,
    /// The offset of the fault, from 0.
    pub at: usize,
    /// The fault.
    pub reason: DecodeErrorReason,
}

impl DecodeError {
    /// The words that [`DecodeError::code`] returns, besides those of [`PointError::CODES`].
    pub const CODES: [&str; 2] = ["key", "ciphertext"];

    /// A stable word for the cause: `key` for an object that belongs elsewhere, the code of a point, or `ciphertext`.
    pub fn code(&self) -> &'static str {
        match self.reason {
            DecodeErrorReason::Key | DecodeErrorReason::Curve | DecodeErrorReason::Scheme(_) => "key",
            DecodeErrorReason::Point(reason) => reason.code(),
            _ => "ciphertext",
        }
    }
}

/// A fault in encoded bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeErrorReason {
    /// The bytes end too early, or there are too many.
    #[error("{wanted} bytes are needed, not {given}")]
    Length {
        /// The number of bytes given.
        given: usize,
        /// The number of bytes needed.
        wanted: usize,
    },
    /// The bytes were not written by a scheme of this library.
    #[error("the bytes were not written by a scheme of this library")]
    Magic,
    /// The bytes were written by another version.
    #[error("version {0}: this library reads version {VERSION}")]
    Version(u8),
    /// The bytes are damaged.
    #[error("the checksum does not match: the bytes are damaged")]
    Checksum,
    /// The bytes hold another kind of object.
    #[error("the bytes hold an object of another kind ({0})")]
    Kind(u8),
    /// The bytes belong to another scheme.
    #[error("the object belongs to another scheme ({0})")]
    Scheme(u8),
    /// The bytes belong to another curve, or to another pairing or power.
    #[error("the object belongs to another curve, pairing or power")]
    Curve,
    /// The bytes were made with or for another key.
    #[error("the object belongs to another key")]
    Key,
    /// A number is outside its range.
    #[error("{0} is out of range")]
    Range(&'static str),
    /// The bytes are not a point of the group.
    #[error("{0}")]
    Point(PointError),
    /// The bytes are not an element of the target group.
    #[error("{0}")]
    Gt(GtError),
}

/// Returns the name of a curve with its pairing: [`id_of`] the curve. If pairing or power are not the curve's own, it is
/// the first half of a hash of these as well, since the values of the target group in keys are useless with another
/// pairing or in another layout.
pub(crate) fn curve_id(system: &System) -> [u8; 16] {
    let (fingerprint, layout) = (system.curve().fingerprint(), system.curve().layout());
    if system.is_default_pairing() {
        return id_of(&fingerprint, layout);
    }
    let [pairing, power] = [system.pairing().name(), system.power().name()];
    half_of_hash(format!("bilinear curve with a pairing v2\0{fingerprint} {layout} {pairing} {power}").as_bytes())
}

/// Returns the name of a curve with its own pairing, which depends on the layout: the first half of the curve's
/// fingerprint. If values are in PBC's order, it is the first half of a hash of fingerprint and layout.
pub(crate) fn id_of(fingerprint: &str, layout: Layout) -> [u8; 16] {
    if layout != Layout::Nested {
        return half_of_hash(format!("bilinear curve with a layout v1\0{fingerprint} {layout}").as_bytes());
    }
    let digits = |i| fingerprint.get(2 * i..2 * i + 2).unwrap_or_default();
    std::array::from_fn(|i| u8::from_str_radix(digits(i), 16).unwrap_or_default())
}

/// The error for a key or token that belongs to another curve than the batch's, or to another pairing or power.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the key or token belongs to a curve other than {0}, or to another pairing, power or description of it")]
pub struct OtherCurve(pub String);

/// Returns an error unless an object belongs to the curve of a system.
pub(crate) fn belongs(system: &System, curve: &[u8; 16]) -> Result<(), OtherCurve> {
    if *curve == curve_id(system) { Ok(()) } else { Err(OtherCurve(system.curve().name().to_owned())) }
}

/// Returns the first half of the SHA-256 of bytes.
pub(crate) fn half_of_hash(bytes: &[u8]) -> [u8; CHECKSUM] {
    let digest = Sha256::digest(bytes);
    std::array::from_fn(|i| digest[i])
}

/// A growing buffer of bytes. It is zeroized when dropped, since it may hold a secret key.
pub(crate) struct Writer(Zeroizing<Vec<u8>>);

impl Writer {
    /// Writes the header, and allocates capacity for a body of `body` bytes: a body within it is never copied to
    /// another allocation.
    pub(crate) fn new(kind: ObjectKind, scheme: u8, curve: &[u8; 16], body: usize) -> Writer {
        let mut bytes = Zeroizing::new(Vec::with_capacity(HEADER + body + CHECKSUM));
        bytes.extend_from_slice(MAGIC);
        bytes.extend([VERSION, scheme, kind.byte()]);
        bytes.extend_from_slice(curve);
        Writer(bytes)
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) -> &mut Writer {
        self.0.extend_from_slice(bytes);
        self
    }

    pub(crate) fn u16(&mut self, x: usize) -> &mut Writer {
        self.raw(&(x as u16).to_be_bytes())
    }

    pub(crate) fn u32(&mut self, x: usize) -> &mut Writer {
        self.raw(&(x as u32).to_be_bytes())
    }

    /// Writes a point as x‖y. O, which must not occur here, is written as no bytes.
    pub(crate) fn point(&mut self, p: &Point) -> &mut Writer {
        self.raw(p.bytes().unwrap_or_default())
    }

    /// Writes a point as x‖y; O as `len` zeros, the length of any other point.
    pub(crate) fn point_or_infinity(&mut self, p: &Point, len: usize) -> &mut Writer {
        match p.bytes() {
            Some(bytes) => self.raw(bytes),
            None => self.raw(&vec![0; len]),
        }
    }

    /// The bytes written so far.
    pub(crate) fn so_far(&self) -> &[u8] {
        &self.0
    }

    /// The ID of the public key written so far: its checksum.
    pub(crate) fn id(&self) -> [u8; 16] {
        half_of_hash(&self.0)
    }

    /// Returns all bytes, with the checksum.
    pub(crate) fn finish(mut self) -> Zeroizing<Vec<u8>> {
        self.raw(&half_of_hash(&self.0));
        self.0
    }
}

/// A reader of bytes, from the front.
pub(crate) struct Reader<'a> {
    what: ObjectKind,
    bytes: &'a [u8],
    checksum: [u8; CHECKSUM],
    at: usize,
}

impl<'a> Reader<'a> {
    /// Checks header and checksum, except for the curve. Returns the byte of the scheme and a reader of the body.
    pub(crate) fn new(what: ObjectKind, bytes: &'a [u8]) -> Result<(u8, Reader<'a>), DecodeError> {
        let fail = |at, reason| Err(DecodeError { what, at, reason });
        if bytes.len() < HEADER + CHECKSUM {
            return fail(bytes.len(), DecodeErrorReason::Length { given: bytes.len(), wanted: HEADER + CHECKSUM });
        }
        let (body, given) = bytes.split_at(bytes.len() - CHECKSUM);
        if body[..4] != MAGIC[..] {
            return fail(0, DecodeErrorReason::Magic);
        }
        if body[4] != VERSION {
            return fail(4, DecodeErrorReason::Version(body[4]));
        }
        // for a secret key the comparison reveals only whether the bytes are damaged
        let checksum = half_of_hash(body);
        let mut differs = checksum.iter().zip(given).fold(0, |all, (a, b)| all | (a ^ b));
        memcheck::reveal(&mut differs);
        if differs != 0 {
            return fail(body.len(), DecodeErrorReason::Checksum);
        }
        if body[6] != what.byte() {
            return fail(6, DecodeErrorReason::Kind(body[6]));
        }
        Ok((body[5], Reader { what, bytes: body, checksum, at: HEADER }))
    }

    /// Like [`Reader::new`], for bytes of one scheme only, with a check of the curve.
    pub(crate) fn of_scheme(
        scheme: u8,
        what: ObjectKind,
        curve: &[u8; 16],
        bytes: &'a [u8],
    ) -> Result<Reader<'a>, DecodeError> {
        let (found, reader) = Reader::new(what, bytes)?;
        if found == scheme { reader.of_curve(curve) } else { reader.refuse_scheme(found) }
    }

    /// Returns the reader if the header names this curve, else an error.
    pub(crate) fn of_curve(self, curve: &[u8; 16]) -> Result<Reader<'a>, DecodeError> {
        let is_same = self.bytes[CURVE..HEADER] == curve[..];
        if is_same {
            Ok(self)
        } else {
            Err(DecodeError { what: self.what, at: CURVE, reason: DecodeErrorReason::Curve })
        }
    }

    /// The ID of the public key being read.
    pub(crate) fn id(&self) -> [u8; 16] {
        self.checksum
    }

    /// Reads the ID of a public key, which must be this one.
    pub(crate) fn key(&mut self, id: &[u8; 16]) -> Result<(), DecodeError> {
        if self.array::<16>()? == *id { Ok(()) } else { self.refuse(16, DecodeErrorReason::Key) }
    }

    /// Returns an error about the last `back` bytes read.
    pub(crate) fn refuse<T>(&self, back: usize, reason: DecodeErrorReason) -> Result<T, DecodeError> {
        Err(DecodeError { what: self.what, at: self.at - back, reason })
    }

    /// Returns an error about a scheme that does not have the expected object.
    pub(crate) fn refuse_scheme<T>(&self, scheme: u8) -> Result<T, DecodeError> {
        Err(DecodeError { what: self.what, at: 5, reason: DecodeErrorReason::Scheme(scheme) })
    }

    pub(crate) fn raw(&mut self, len: usize) -> Result<&'a [u8], DecodeError> {
        let left = self.bytes.len() - self.at;
        if left < len {
            return self.refuse(0, DecodeErrorReason::Length { given: left, wanted: len });
        }
        self.at += len;
        Ok(&self.bytes[self.at - len..self.at])
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let mut array = [0; N];
        array.copy_from_slice(self.raw(N)?);
        Ok(array)
    }

    /// Reads a number of two bytes, within a range.
    pub(crate) fn u16(
        &mut self,
        name: &'static str,
        range: std::ops::RangeInclusive<usize>,
    ) -> Result<usize, DecodeError> {
        let x = usize::from(u16::from_be_bytes(self.array()?));
        if range.contains(&x) { Ok(x) } else { self.refuse(2, DecodeErrorReason::Range(name)) }
    }

    pub(crate) fn u32(&mut self) -> Result<usize, DecodeError> {
        Ok(u32::from_be_bytes(self.array()?) as usize)
    }

    /// The bytes read so far.
    pub(crate) fn so_far(&self) -> &'a [u8] {
        &self.bytes[..self.at]
    }

    /// Reads `count` points of a group as bytes, unchecked.
    pub(crate) fn encoded(&mut self, count: usize, len: usize) -> Result<Vec<&'a [u8]>, DecodeError> {
        Ok(self.raw(count.saturating_mul(len))?.chunks(len).collect())
    }

    /// Reads `count` points of a group. They are checked in full, whatever the batch demands: keys and tokens consist
    /// of such points.
    pub(crate) fn points(&mut self, batch: &Batch, group: Group, count: usize) -> Result<Vec<Point>, DecodeError> {
        let (start, len) = (self.at, batch.system().point_len(group));
        let encoded = self.encoded(count, len)?;
        let points: Vec<PointRef<'_>> = encoded.iter().map(|bytes| PointRef::Bytes(bytes)).collect();
        let error = |(i, reason)| DecodeError {
            what: self.what,
            at: start + i * len,
            reason: DecodeErrorReason::Point(reason),
        };
        let decoded = batch.clone().validate(Validate::Subgroup).decode(group, &points).into_iter().enumerate();
        decoded.map(|(i, point)| point.map_err(|reason| error((i, reason)))).collect()
    }

    /// Reads and checks a point of a group, or zeros for O. No other point of the group has such bytes: where (0, 0)
    /// is on the curve, it has order 2.
    pub(crate) fn point_or_infinity(&mut self, batch: &Batch, group: Group) -> Result<Point, DecodeError> {
        let (at, system) = (self.at, batch.system());
        let point = system.point_ref(group, None, self.raw(system.point_len(group))?);
        let error = |reason| DecodeError { what: self.what, at, reason: DecodeErrorReason::Point(reason) };
        batch.decode(group, &[point]).remove(0).map_err(error)
    }

    /// Reads and checks an element of the target group.
    pub(crate) fn gt(&mut self, system: &System) -> Result<bilinear_engine::Gt, DecodeError> {
        let bytes = self.raw(system.gt_len())?;
        system.decode_gt(bytes).or_else(|reason| self.refuse(bytes.len(), DecodeErrorReason::Gt(reason)))
    }

    /// Returns an error if bytes are left.
    pub(crate) fn end(self) -> Result<(), DecodeError> {
        let (given, wanted) = (self.bytes.len() + CHECKSUM, self.at + CHECKSUM);
        if given == wanted { Ok(()) } else { self.refuse(0, DecodeErrorReason::Length { given, wanted }) }
    }
}
