//! Self-describing files of values: a header with a version, a kind, the group and the curve, then the values.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `BILINEAR` |
//! | 2 | version, big-endian: 1 |
//! | 1 | kind: 1 points x‖y, 2 compressed points, 3 elements of the target group |
//! | 1 | group of points: 1 G1 (also where both groups are one), 2 G2; 0 for the target group |
//! | 32 | the curve: SHA-256 fingerprint of its parameters, with the last bit flipped if values have PBC's layout |
//! | 8 | number of values, big-endian |
//! | … | the values: a point is one byte, 1 (or 0 for O, followed by zeros), and its encoding; an element of the target group its encoding |

use crate::backend::{Group, GtError, PointError, Validate};
use crate::point::{Gt, Point, PointRef};
use crate::system::System;

const MAGIC: &[u8; 8] = b"BILINEAR";
const VERSION: u16 = 1;
const HEADER: usize = 52;
const FULL: u8 = 1;
const COMPRESSED: u8 = 2;
const TARGET: u8 = 3;
const NO_GROUP: u8 = 0;

/// The values of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// Points, checked.
    Points(Vec<Point>),
    /// Elements of the target group, checked.
    Gt(Vec<Gt>),
}

/// The reason why bytes are not a file of values of this curve.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// The bytes do not begin with the header of a file of values.
    #[error("not a file of values: it does not begin with a BILINEAR header of {HEADER} bytes")]
    NotOurs,
    /// The file has a version that this program does not read.
    #[error("file version {0}: this program reads version {VERSION}")]
    Version(u16),
    /// The kind of values is unknown.
    #[error("unknown kind of values: {0}")]
    Kind(u8),
    /// The group is unknown, or does not go with the kind of values.
    #[error("unknown group of values: {0}")]
    Group(u8),
    /// The values belong to another curve.
    #[error("the values belong to another curve (fingerprint {found}…, curve {curve} has {wanted}…)")]
    OtherCurve {
        /// The name of the curve asked for.
        curve: String,
        /// The beginning of the fingerprint of the curve asked for.
        wanted: String,
        /// The beginning of the fingerprint in the file.
        found: String,
    },
    /// The values belong to the curve, but have another layout: PBC's, or that of this library.
    #[error("the values have another layout than those of curve {curve}")]
    OtherLayout {
        /// The name of the curve asked for.
        curve: String,
    },
    /// The file is shorter or longer than its header says.
    #[error("the file takes {wanted} bytes for its number of values ({count}), not {given}")]
    Length {
        /// The number of bytes given.
        given: u64,
        /// The number of values that the header announces.
        count: u64,
        /// The number of bytes that a file with this number of values takes.
        wanted: u64,
    },
    /// The first byte of a point is neither 0 nor 1, or O is not followed by zeros.
    #[error("value {index}: malformed mark of the point at infinity")]
    Mark {
        /// The index of the value, from 0.
        index: usize,
    },
    /// A value is not a point of the group.
    #[error("value {index}: {reason}")]
    Point {
        /// The index of the value, from 0.
        index: usize,
        /// Why the value is not a point of the group.
        reason: PointError,
    },
    /// A value is not in the target group.
    #[error("value {index}: {reason}")]
    Gt {
        /// The index of the value, from 0.
        index: usize,
        /// Why the value is not in the target group.
        reason: GtError,
    },
}

impl System {
    /// Encodes a file of points of one group, in full or compressed.
    pub fn write_points(&self, group: Group, points: &[Point], compressed: bool) -> Vec<u8> {
        let group = self.group(group);
        let (kind, len) =
            if compressed { (COMPRESSED, self.compressed_len(group)) } else { (FULL, self.point_len(group)) };
        let mut out = self.header(kind, code(group), points.len());
        for point in points {
            self.owns_in(group, point);
            let bytes = if compressed { self.compressed(point) } else { point.bytes().map(<[u8]>::to_vec) };
            out.push(u8::from(bytes.is_some()));
            out.extend(bytes.unwrap_or_else(|| vec![0; len]));
        }
        out
    }

    /// Encodes a file of elements of the target group.
    pub fn write_gt(&self, values: &[Gt]) -> Vec<u8> {
        let mut out = self.header(TARGET, NO_GROUP, values.len());
        for value in values {
            self.owns(value.curve);
            out.extend(value.bytes());
        }
        out
    }

    /// Reads a file of values of this curve, and checks every value.
    ///
    /// # Errors
    /// Returns the first fault, naming the value.
    pub fn read_values(&self, bytes: &[u8], validate: Validate) -> Result<Values, FileError> {
        let (header, body) = bytes.split_at_checked(HEADER).ok_or(FileError::NotOurs)?;
        let rest = header.strip_prefix(MAGIC).ok_or(FileError::NotOurs)?;
        let version = u16::from_be_bytes([rest[0], rest[1]]);
        if version != VERSION {
            return Err(FileError::Version(version));
        }
        let (kind, group) = (rest[2], Group::ALL.into_iter().find(|group| code(*group) == rest[3]));
        let group = group.filter(|group| *group == Group::G1 || !self.is_symmetric());
        let entry = match (kind, group) {
            (FULL, Some(group)) => 1 + self.point_len(group),
            (COMPRESSED, Some(group)) => 1 + self.compressed_len(group),
            (TARGET, None) if rest[3] == NO_GROUP => self.gt_len(),
            (FULL | COMPRESSED | TARGET, _) => return Err(FileError::Group(rest[3])),
            (other, _) => return Err(FileError::Kind(other)),
        };
        let (found, count) = (&rest[4..36], rest[36..44].iter().fold(0, |n, b| n << 8 | u64::from(*b)));
        if found != self.fingerprint() {
            let short = |x: &[u8]| x[..8].iter().map(|b| format!("{b:02x}")).collect();
            let curve = self.curve().name().to_owned();
            if self.has_other_layout(found) {
                return Err(FileError::OtherLayout { curve });
            }
            return Err(FileError::OtherCurve { curve, wanted: short(self.fingerprint()), found: short(found) });
        }
        let wanted = count.saturating_mul(entry as u64).saturating_add(HEADER as u64);
        if wanted != bytes.len() as u64 {
            return Err(FileError::Length { given: bytes.len() as u64, count, wanted });
        }
        let entries = body.chunks_exact(entry).enumerate();
        let Some(group) = group else {
            let read = |(index, x)| self.decode_gt(x).map_err(|reason| FileError::Gt { index, reason });
            return entries.map(read).collect::<Result<_, _>>().map(Values::Gt);
        };
        let read = |(index, x): (usize, &[u8])| {
            let point = match x.split_first() {
                Some((1, encoding)) => PointRef::Bytes(encoding),
                Some((0, encoding)) if encoding.iter().all(|b| *b == 0) => PointRef::Infinity,
                _ => return Err(FileError::Mark { index }),
            };
            self.decode(group, point, validate).map_err(|reason| FileError::Point { index, reason })
        };
        entries.map(read).collect::<Result<_, _>>().map(Values::Points)
    }

    fn header(&self, kind: u8, group: u8, count: usize) -> Vec<u8> {
        let mut out = Vec::from(MAGIC);
        out.extend(VERSION.to_be_bytes());
        out.extend([kind, group]);
        out.extend(self.fingerprint());
        out.extend((count as u64).to_be_bytes());
        out
    }
}

/// The code of a group in a header.
fn code(group: Group) -> u8 {
    match group {
        Group::G1 => 1,
        Group::G2 => 2,
    }
}
