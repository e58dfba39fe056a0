//! What a page of a Parquet file says of its own size, before anybody believes it: its header is a structure in Thrift's compact protocol,
//! of which a few fields are read and the rest is skipped.
//! <https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md>, `PageHeader` in parquet.thrift.

use std::io::{self, ErrorKind, Read};

/// The longest text in a header: the least and the greatest value of a page.
pub(crate) const MOST_TEXT: u64 = 1 << 20;

/// Structures and lists in each other.
const MOST_DEPTH: usize = 16;

/// The encoding whose values repeat the beginning of those before them.
const DELTA_BYTE_ARRAY: i64 = 7;

/// The header of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Header {
    /// Its own length.
    pub(super) length: u64,
    /// Bytes of the page in the file.
    pub(super) packed: i64,
    /// Bytes when it is decompressed.
    pub(super) unpacked: i64,
    /// How many of these are never compressed: the levels of a page of the second version.
    pub(super) levels: i64,
    /// Whether the rest is not compressed either.
    pub(super) is_plain: bool,
    /// Whether values may take more than the page.
    pub(super) repeats: bool,
}

impl Header {
    /// Reads a header.
    ///
    /// # Errors
    /// If it is none, or a text in it is longer than any should be.
    pub(super) fn read(input: impl Read) -> io::Result<Self> {
        let (mut compact, mut header) = (Compact { input, read: 0 }, Self::default());
        let mut last = 0;
        while let Some((id, kind)) = compact.field(&mut last)? {
            match (id, kind) {
                (2, Kind::Integer) => header.unpacked = compact.integer()?,
                (3, Kind::Integer) => header.packed = compact.integer()?,
                (5 | 8, Kind::Structure) => header.data_page(&mut compact, id == 8)?,
                _ => compact.skip(kind, MOST_DEPTH)?,
            }
        }
        header.length = compact.read;
        Ok(header)
    }

    /// The part for a page of values.
    fn data_page<R: Read>(&mut self, compact: &mut Compact<R>, is_second: bool) -> io::Result<()> {
        let mut last = 0;
        while let Some((id, kind)) = compact.field(&mut last)? {
            match (is_second, id, kind) {
                (false, 2, Kind::Integer) | (true, 4, Kind::Integer) => {
                    self.repeats = compact.integer()? == DELTA_BYTE_ARRAY;
                }
                (true, 5 | 6, Kind::Integer) => self.levels = self.levels.saturating_add(compact.integer()?),
                (true, 7, Kind::False) => self.is_plain = true,
                _ => compact.skip(kind, MOST_DEPTH - 1)?,
            }
        }
        Ok(())
    }
}

/// The types of the protocol, as far as their lengths differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    True,
    False,
    Byte,
    Integer,
    Double,
    Text,
    List,
    Map,
    Structure,
}

impl Kind {
    fn of(code: u8) -> io::Result<Self> {
        Ok(match code {
            1 => Self::True,
            2 => Self::False,
            3 => Self::Byte,
            4..=6 => Self::Integer,
            7 => Self::Double,
            8 => Self::Text,
            9 | 10 => Self::List,
            11 => Self::Map,
            12 => Self::Structure,
            other => return Err(bad(format!("a field of type {other}"))),
        })
    }
}

fn bad(reason: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, format!("bad page header: {reason}"))
}

struct Compact<R> {
    input: R,
    read: u64,
}

impl<R: Read> Compact<R> {
    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.input.read_exact(&mut byte)?;
        self.read += 1;
        Ok(byte[0])
    }

    fn unsigned(&mut self) -> io::Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(bad("an integer of more than 64 bits".to_owned()))
    }

    /// A signed integer: 0, −1, 1, −2, … in this order.
    fn integer(&mut self) -> io::Result<i64> {
        let value = self.unsigned()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// The next field's number and type; `None` at the end of the structure.
    fn field(&mut self, last: &mut i64) -> io::Result<Option<(i64, Kind)>> {
        let byte = self.byte()?;
        if byte == 0 {
            return Ok(None);
        }
        *last = match byte >> 4 {
            0 => self.integer()?,
            step => last.saturating_add(step.into()),
        };
        Ok(Some((*last, Kind::of(byte & 15)?)))
    }

    fn bytes(&mut self, count: u64) -> io::Result<()> {
        let skipped = io::copy(&mut (&mut self.input).take(count), &mut io::sink())?;
        self.read += skipped;
        if skipped == count { Ok(()) } else { Err(ErrorKind::UnexpectedEof.into()) }
    }

    fn skip(&mut self, kind: Kind, depth: usize) -> io::Result<()> {
        let Some(depth) = depth.checked_sub(1) else { return Err(bad("structures in structures".to_owned())) };
        match kind {
            Kind::True | Kind::False => Ok(()),
            Kind::Byte => self.bytes(1),
            Kind::Double => self.bytes(8),
            Kind::Integer => self.unsigned().map(drop),
            Kind::Text => match self.unsigned()? {
                length if length > MOST_TEXT => Err(bad(format!("a text of {length} bytes"))),
                length => self.bytes(length),
            },
            Kind::List => {
                let head = self.byte()?;
                let count = if head >> 4 == 15 { self.unsigned()? } else { u64::from(head >> 4) };
                self.elements(count, &[head & 15], depth)
            }
            Kind::Map => match self.unsigned()? {
                0 => Ok(()),
                count => {
                    let kinds = self.byte()?;
                    self.elements(count, &[kinds >> 4, kinds & 15], depth)
                }
            },
            Kind::Structure => {
                let mut last = 0;
                while let Some((_, kind)) = self.field(&mut last)? {
                    self.skip(kind, depth)?;
                }
                Ok(())
            }
        }
    }

    fn elements(&mut self, count: u64, codes: &[u8], depth: usize) -> io::Result<()> {
        for _ in 0..count {
            for code in codes {
                // outside of structures a truth value is a byte
                match Kind::of(*code)? {
                    Kind::True | Kind::False => self.bytes(1)?,
                    kind => self.skip(kind, depth)?,
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn headers_of_both_versions() {
        // type 0, 300 bytes of which 7 in the file; 5 values in encoding 7, levels in 3; statistics with a text
        let first = [
            0x15, 0, 0x15, 0xd8, 0x04, 0x15, 0x0e, 0x2c, 0x15, 0x0a, 0x15, 0x0e, 0x15, 6, 0x15, 6, 0x1c, 0x18, 2, b'a',
            b'b', 0, 0, 0,
        ];
        let header = Header::read(first.as_slice()).unwrap();
        let wanted = Header { length: 24, packed: 7, unpacked: 300, levels: 0, is_plain: false, repeats: true };
        assert_eq!(header, wanted);
        // type 3; 5 values, 0 nulls, 5 rows, encoding 0, levels of 4 and 6 bytes, not compressed
        let second = [
            0x15, 6, 0x15, 0xd8, 0x04, 0x15, 0x0e, 0x5c, 0x15, 0x0a, 0x15, 0, 0x15, 0x0a, 0x15, 0, 0x15, 8, 0x15, 0x0c,
            0x12, 0, 0,
        ];
        let header = Header::read(second.as_slice()).unwrap();
        let wanted = Header { length: 23, packed: 7, unpacked: 300, levels: 10, is_plain: true, repeats: false };
        assert_eq!(header, wanted);
    }

    #[test]
    fn fields_of_every_type_are_skipped() {
        let fields = [
            0x11, 0x13, 9, 0x17, 1, 2, 3, 4, 5, 6, 7, 8, 0x19, 0x21, 1, 0, 0x1b, 1, 0x58, 2, 1, b'x', 0x1b, 0, 0x19,
            0xf5, 2, 1, 1, 0x03, 80, 9, 0,
        ];
        assert_eq!(Header::read(fields.as_slice()).unwrap().length, fields.len() as u64);
    }

    #[test]
    fn what_is_no_header_is_refused() {
        let words = |bytes: &[u8]| Header::read(bytes).unwrap_err().to_string();
        assert_eq!(words(&[0x1d]), "bad page header: a field of type 13");
        assert_eq!(words(&[0x18, 0x81, 0x80, 0x40]), "bad page header: a text of 1048577 bytes");
        assert_eq!(words(&[0x1c; 40]), "bad page header: structures in structures");
        assert_eq!(
            words(&[0x15, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80]),
            "bad page header: an integer of more than 64 bits"
        );
        for bytes in [&[][..], &[0x15], &[0x18, 5, 1]] {
            assert!(Header::read(bytes).is_err());
        }
    }
}
