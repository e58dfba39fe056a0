//! Encodings of points that other systems use, each for the curves that it is defined for.
//!
//! The generic encoding of this library (x‖y or x‖sign, [`System::decode`]) serves every curve; these are exchanged with others.
//! Every encoding here is canonical: a point has one, and any other byte string is refused with its reason.

mod format;

use crate::error::PointError;
use crate::group::Group;
use crate::options::UnknownName;
use crate::point::{Point, PointRef, Validate};
use crate::system::System;
use format::{Flag, Format};
use std::fmt;
use std::str::FromStr;

/// How a point is written. An element of F_p² is c0 + c1·i; y is *large* where it is above −y, compared by c1, then by c0.
///
/// | encoding | curve | bytes in G1, G2 | order | O | large y |
/// |---|---|---|---|---|---|
/// | `Zcash` | BLS12-381 | 48, 96 | big-endian, c1 first | first byte c0, zeros | first byte +a0, else +80 |
/// | `ZcashUncompressed` | BLS12-381 | 96, 192 | big-endian, c1 first | first byte 40, zeros | |
/// | `Eip` | alt_bn128 (EIP-196, EIP-197) | 64, 128 | big-endian, c1 first | zeros | |
/// | `Eip` | BLS12-381 (EIP-2537) | 128, 256 | 16 zeros before each coefficient, big-endian, c0 first | zeros | |
/// | `Gnark` | alt_bn128 | 32, 64 | big-endian, c1 first | first byte 40, zeros | first byte +c0, else +80 |
/// | `GnarkUncompressed` | alt_bn128 | 64, 128 | big-endian, c1 first | zeros | |
/// | `Arkworks` | alt_bn128 | 32, 64 | little-endian, c0 first | zeros, last byte 40 | last byte +80 |
/// | `ArkworksUncompressed` | alt_bn128 | 64, 128 | little-endian, c0 first | zeros, last byte 40 | last byte +80 |
///
/// On BLS12-381 the compressed encoding is also that of the IETF (draft-irtf-cfrg-pairing-friendly-curves, appendix on point
/// serialization; draft-irtf-cfrg-bls-signature) and, since their versions of 2021 and 2022, of gnark and arkworks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// BLS12-381, compressed: Zcash, Ethereum, IETF.
    Zcash,
    /// BLS12-381, x and y.
    ZcashUncompressed,
    /// Ethereum's precompiled contracts: EIP-196 and EIP-197 on alt_bn128, EIP-2537 on BLS12-381.
    Eip,
    /// alt_bn128, compressed: gnark-crypto's `Bytes`.
    Gnark,
    /// alt_bn128: gnark-crypto's `RawBytes`.
    GnarkUncompressed,
    /// alt_bn128, compressed: `serialize_compressed` of ark-serialize.
    Arkworks,
    /// alt_bn128: `serialize_uncompressed` of ark-serialize.
    ArkworksUncompressed,
}

impl Encoding {
    /// All of them.
    pub const ALL: [Encoding; 7] = [
        Encoding::Zcash,
        Encoding::ZcashUncompressed,
        Encoding::Eip,
        Encoding::Gnark,
        Encoding::GnarkUncompressed,
        Encoding::Arkworks,
        Encoding::ArkworksUncompressed,
    ];

    /// The name in commands and messages: `zcash`, `zcash-uncompressed`, `eip`, `gnark`, `gnark-uncompressed`, `arkworks` or
    /// `arkworks-uncompressed`.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Zcash => "zcash",
            Encoding::ZcashUncompressed => "zcash-uncompressed",
            Encoding::Eip => "eip",
            Encoding::Gnark => "gnark",
            Encoding::GnarkUncompressed => "gnark-uncompressed",
            Encoding::Arkworks => "arkworks",
            Encoding::ArkworksUncompressed => "arkworks-uncompressed",
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Encoding {
    type Err = UnknownName;
    fn from_str(name: &str) -> Result<Encoding, UnknownName> {
        UnknownName::find("encoding", name, &Encoding::ALL)
    }
}

/// The curve has no such encoding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("curve {curve} has no {encoding} encoding")]
pub struct Unsuited {
    /// The curve.
    pub curve: String,
    /// The encoding.
    pub encoding: Encoding,
}

/// Why bytes are not the encoding of a point of the group.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodingError {
    /// The curve has no such encoding.
    #[error(transparent)]
    Unsuited(#[from] Unsuited),
    /// The wrong length.
    #[error("{given} bytes: the encoding of a point takes {wanted}")]
    Length {
        /// How many were given.
        given: usize,
        /// How many it takes.
        wanted: usize,
    },
    /// Flags that this encoding does not have, or that contradict y.
    #[error("the flag bits {0:#04x} are not those of this encoding")]
    Flags(u8),
    /// Bytes above a coefficient that must be 0.
    #[error("coordinate {0}: the bytes above a coefficient are not zero")]
    Padding(char),
    /// The point at infinity is marked, and something else is there too.
    #[error("the point at infinity is marked, but the other bits are not zero")]
    Infinity,
    /// The coordinates are not those of a point of the group.
    #[error(transparent)]
    Point(#[from] PointError),
}

impl EncodingError {
    /// A stable word for the cause: `encoding`, `length`, `flags`, `padding`, `infinity`, or [`PointError::code`].
    pub fn code(&self) -> &'static str {
        match self {
            EncodingError::Unsuited(_) => "encoding",
            EncodingError::Length { .. } => "length",
            EncodingError::Flags(_) => "flags",
            EncodingError::Padding(_) => "padding",
            EncodingError::Infinity => "infinity",
            EncodingError::Point(reason) => reason.code(),
        }
    }
}

impl System {
    /// Bytes of a point of a group.
    ///
    /// # Errors
    /// If the curve has no such encoding.
    pub fn encoded_len(&self, encoding: Encoding, group: Group) -> Result<usize, Unsuited> {
        Ok(self.format(encoding, group)?.len())
    }

    /// Writes a point, O too. Not constant time in the point.
    ///
    /// # Errors
    /// If the curve has no such encoding.
    pub fn encode_as(&self, encoding: Encoding, point: &Point) -> Result<Vec<u8>, Unsuited> {
        self.owns_in(point.group(), point);
        let format = self.format(encoding, point.group())?;
        Ok(match point.bytes() {
            None => format.infinity(),
            Some(xy) => format.write(xy, self.has_large_y(xy)),
        })
    }

    /// Checks and reads a point of a group: length, flags, canonical coordinates, curve, and the subgroup unless the caller
    /// vouches for it. Not constant time.
    ///
    /// # Errors
    /// The first of these that fails.
    pub fn decode_as(
        &self,
        encoding: Encoding,
        group: Group,
        bytes: &[u8],
        validate: Validate,
    ) -> Result<Point, EncodingError> {
        let format = self.format(encoding, group)?;
        let (given, wanted) = (bytes.len(), format.len());
        if given != wanted {
            return Err(EncodingError::Length { given, wanted });
        }
        let (flag, body) = format.read(bytes)?;
        let Flag::Point { large } = flag else { return Ok(self.infinity(group)) };
        if format.is_compressed() {
            // either y will do to find the other
            let point = self.decode(group, PointRef::Bytes(&[&body[..], &[0]].concat()), validate)?;
            let is_large = point.bytes().is_some_and(|xy| self.has_large_y(xy));
            return Ok(if Some(is_large) == large { point } else { self.neg(&point) });
        }
        let point = self.decode(group, PointRef::Bytes(&body), validate)?;
        match large {
            Some(large) if large != self.has_large_y(&body) => Err(EncodingError::Flags(format.flags(bytes))),
            _ => Ok(point),
        }
    }

    fn format(&self, encoding: Encoding, group: Group) -> Result<Format, Unsuited> {
        Format::new(self.fingerprint(), encoding, group)
            .ok_or_else(|| Unsuited { curve: self.curve().name().to_owned(), encoding })
    }

    /// Whether y > −y in x‖y, where O is none: the last coefficient of y that is not 0 is above (p − 1)/2.
    fn has_large_y(&self, xy: &[u8]) -> bool {
        let p = self.curve().family().field();
        let y = xy[xy.len() / 2..].chunks(p.bits().div_ceil(8) as usize);
        let decisive = y.rev().find(|c| c.iter().any(|byte| *byte != 0));
        decisive.is_some_and(|c| num_bigint::BigUint::from_bytes_be(c) > p >> 1u32)
    }
}
