//! Encodings of points that other systems use, each for the curves that define it.
//!
//! The generic encoding of this library (x‖y or x‖sign, [`System::decode`]) serves every curve; the encodings here
//! serve the exchange with other systems. Every encoding here is canonical: a point has exactly one, and any other
//! byte string is rejected with its reason.

mod format;
mod gt;

use crate::backend::{Encoded, Encoding, Group, Owned, PointError, Validate};
use crate::outcomes::in_place;
use crate::point::{Point, PointRef};
use crate::system::System;
use bilinear_field::CollectVec;
use format::{Flag, PointFormat};
use num_bigint::BigUint;
use std::borrow::Cow;

/// The error for a curve that does not have an encoding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("curve {curve} has no {encoding} encoding")]
pub struct EncodingError {
    /// The name of the curve.
    pub curve: String,
    /// The name of the encoding asked for.
    pub encoding: &'static str,
}

/// A point read into the generic encoding.
struct Read<'a> {
    /// The encoding; `None` for O.
    bytes: Option<Cow<'a, [u8]>>,
    /// Whether y is large, if the encoding tells.
    large: Option<bool>,
    /// The flags of an encoding with x and y, which y must not contradict.
    flags: Option<u8>,
}

impl System {
    /// Reads a point from outside in a format where O has the same length as any other point, as in arrays of one
    /// length. Without a named encoding, x‖y of zeros is O; a named encoding has its own mark for O. This holds also
    /// on curves where (0, 0) is a point (types A and A1, `ss2` with b = 0), whatever is validated: that point is in
    /// neither group. [`PointRef::Bytes`] of zeros is (0, 0) itself.
    pub fn point_ref<'a>(&self, group: Group, encoding: Option<Encoding>, bytes: &'a [u8]) -> PointRef<'a> {
        match encoding {
            Some(encoding) => PointRef::Encoded(encoding, bytes),
            None if bytes.len() == self.point_len(group) && bytes.iter().all(|byte| *byte == 0) => PointRef::Infinity,
            None => PointRef::Bytes(bytes),
        }
    }

    /// The number of bytes of a point of a group in an encoding.
    ///
    /// # Errors
    /// Returns an error if the curve has no such encoding.
    pub fn encoded_len(&self, group: Group, encoding: Encoding) -> Result<usize, EncodingError> {
        Ok(self.format(group, encoding)?.len())
    }

    /// Encodes a point, O included. Not constant time in the point.
    ///
    /// # Errors
    /// Returns an error if the curve has no such encoding.
    pub fn encode_as(&self, encoding: Encoding, point: &Point) -> Result<Vec<u8>, EncodingError> {
        self.owns_in(point.group(), point);
        let format = self.format(point.group(), encoding)?;
        Ok(match point.bytes() {
            None => format.infinity(),
            Some(xy) => format.write(xy, self.has_large_y(xy)),
        })
    }

    /// Checks and decodes a point of a group: length, flags, canonical coordinates, curve, and the subgroup unless
    /// the caller vouches for it. Not constant time. To decode many at once, use
    /// [`Batch::decode`](crate::Batch::decode) with [`PointRef::Encoded`].
    ///
    /// # Errors
    /// Returns the error of the first check that fails.
    pub fn decode_as(
        &self,
        group: Group,
        encoding: Encoding,
        bytes: &[u8],
        validate: Validate,
    ) -> Result<Point, PointError> {
        self.decode(group, PointRef::Encoded(encoding, bytes), validate)
    }

    /// Checks and decodes points in any of their encodings; points that have passed these checks before are used as
    /// they are. The group is G1 where both are one.
    pub(crate) fn decode_all(
        &self,
        group: Group,
        points: &[PointRef<'_>],
        validate: Validate,
    ) -> Vec<Result<Owned, PointError>> {
        // in place of errors stand the points that are known
        let unknown = points.iter().map(|point| match point {
            PointRef::Infinity => Err(None),
            PointRef::Known(point) if self.has_passed(group, point, validate) => Err(point.bytes.clone()),
            _ => Ok(*point),
        });
        let decoded = in_place(unknown, |unknown| self.decode_unknown(group, &unknown, validate));
        decoded.into_iter().map(|decoded| decoded.unwrap_or_else(Ok)).collect_vec()
    }

    /// Returns true if a point belongs to this group and has passed these checks.
    fn has_passed(&self, group: Group, point: &Point, validate: Validate) -> bool {
        self.is_of(group, point) && point.known.and(validate) == validate
    }

    fn decode_unknown(
        &self,
        group: Group,
        points: &[PointRef<'_>],
        validate: Validate,
    ) -> Vec<Result<Owned, PointError>> {
        if points.is_empty() {
            return Vec::new();
        }
        let read: Vec<Result<Read<'_>, PointError>> = points.iter().map(|p| self.read(group, *p)).collect_vec();
        // an encoding that cannot be read is replaced by O
        let generic: Vec<Encoded<'_>> =
            read.iter().map(|r| r.as_ref().ok().and_then(|r| r.bytes.as_deref())).collect_vec();
        let decoded = self.backend_for(points.len()).decode(group, &generic, validate);
        let finish = |(read, decoded): (&Result<Read<'_>, PointError>, Result<Owned, PointError>)| {
            let read = read.as_ref().map_err(|reason| *reason)?;
            let point = decoded?;
            match (&point, read.large) {
                (Some(xy), Some(large)) if large != self.has_large_y(xy) => match read.flags {
                    // either y served to find the other
                    None => Ok(self.backend().neg(group, point.as_deref())),
                    Some(flags) => Err(PointError::Flags(flags)),
                },
                _ => Ok(point),
            }
        };
        read.iter().zip(decoded).map(finish).collect_vec()
    }

    /// Reads a point into the generic encoding.
    fn read<'a>(&self, group: Group, point: PointRef<'a>) -> Result<Read<'a>, PointError> {
        let (encoding, bytes) = match point {
            PointRef::Infinity => return Ok(Read { bytes: None, large: None, flags: None }),
            PointRef::Known(point) => {
                return Ok(Read { bytes: point.bytes().map(Into::into), large: None, flags: None });
            }
            PointRef::Bytes(bytes) => return Ok(Read { bytes: Some(bytes.into()), large: None, flags: None }),
            PointRef::Encoded(encoding, bytes) => (encoding, bytes),
        };
        let format = self.format(group, encoding).map_err(|_| PointError::Encoding(encoding))?;
        let (given, wanted) = (bytes.len(), format.len());
        if given != wanted {
            return Err(PointError::EncodedLength { given, wanted });
        }
        Ok(match format.read(bytes)? {
            (Flag::Infinity, _) => Read { bytes: None, large: None, flags: None },
            (Flag::Point { large }, x) if format.is_compressed() => {
                Read { bytes: Some([&x[..], &[0]].concat().into()), large, flags: None }
            }
            (Flag::Point { large }, xy) => Read { bytes: Some(xy.into()), large, flags: Some(format.flags(bytes)) },
        })
    }

    fn format(&self, group: Group, encoding: Encoding) -> Result<PointFormat, EncodingError> {
        PointFormat::new(self.fingerprint(), group, encoding).ok_or_else(|| self.has_no(encoding.name()))
    }

    fn has_no(&self, encoding: &'static str) -> EncodingError {
        EncodingError { curve: self.curve().name().to_owned(), encoding }
    }

    /// Returns true if y > −y in x‖y, which is not O: the last coefficient of y that is not 0 is above (p − 1)/2.
    fn has_large_y(&self, xy: &[u8]) -> bool {
        let p = self.curve().family().field();
        let y = xy[xy.len() / 2..].chunks(p.bits().div_ceil(8) as usize);
        let decisive = y.rev().find(|c| c.iter().any(|byte| *byte != 0));
        decisive.is_some_and(|c| BigUint::from_bytes_be(c) > p >> 1u32)
    }
}
