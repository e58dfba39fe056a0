//! The sizes that a page of a Parquet file claims, read before they are trusted: a few fields of the page's
//! header are read, and the rest is skipped. The structure is `PageHeader` in parquet.thrift.

use super::compact::{Compact, Form, Kind};
use crate::input::bad;
use std::io::{self, ErrorKind, Read};

/// The code of the encoding in which values can repeat the beginning of earlier values.
const DELTA_BYTE_ARRAY: i32 = 7;

/// The header of an index page, which has no fields.
const INDEX: Form = Form::Structure(&[]);

/// The header of a dictionary page: the number of values, their encoding, and whether they are sorted.
const DICTIONARY: Form = Form::Structure(&[Form::Integer, Form::Integer, Form::Truth]);

/// The sizes in the header of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Header {
    /// The length of the header itself.
    pub(super) length: u64,
    /// The number of bytes of the page in the file.
    pub(super) packed: i32,
    /// The number of bytes of the decompressed page.
    pub(super) unpacked: i32,
    /// The number of values in a data page, including nulls.
    pub(super) values: i32,
    /// The number of bytes that are never compressed: the levels of a data page of version 2.
    pub(super) levels: i64,
    /// True if the values are not compressed either.
    pub(super) is_plain: bool,
    /// True if values may take more memory than the page.
    pub(super) repeats: bool,
}

impl Header {
    /// Reads a page header.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a page header, or if a text in the header is too long.
    pub(super) fn read(input: impl Read) -> io::Result<Self> {
        Self::of(Compact::new(input)).map_err(|error| match error.kind() {
            ErrorKind::InvalidData => bad(format!("bad page header: {error}")),
            _ => error,
        })
    }

    fn of(mut compact: Compact<impl Read>) -> io::Result<Self> {
        let (mut header, mut last, mut is_known) = (Self::default(), 0, false);
        while let Some((id, kind)) = compact.field(&mut last)? {
            match (id, kind) {
                (2, Kind::Integer) => header.unpacked = compact.integer()?,
                (3, Kind::Integer) => header.packed = compact.integer()?,
                (5 | 8, Kind::Structure) if is_known => return Err(bad("a page of both versions")),
                (5 | 8, Kind::Structure) => {
                    header.data_page(&mut compact, id == 8)?;
                    is_known = true;
                }
                (1..=4, _) => compact.pass(kind, &Form::Integer)?,
                (5 | 6 | 8, _) => compact.pass(kind, &INDEX)?,
                (7, _) => compact.pass(kind, &DICTIONARY)?,
                _ => compact.pass(kind, &Form::Any)?,
            }
        }
        header.length = compact.read;
        Ok(header)
    }

    /// Reads the part of the header that describes a data page.
    fn data_page<R: Read>(&mut self, compact: &mut Compact<R>, is_second: bool) -> io::Result<()> {
        let mut last = 0;
        while let Some((id, kind)) = compact.field(&mut last)? {
            match (is_second, id, kind) {
                (_, 1, Kind::Integer) => self.values = compact.integer()?,
                (false, 2, Kind::Integer) | (true, 4, Kind::Integer) => {
                    self.repeats = compact.integer()? == DELTA_BYTE_ARRAY;
                }
                (true, 5 | 6, Kind::Integer) => self.levels += i64::from(compact.integer()?),
                (true, 7, Kind::False) => self.is_plain = true,
                (true, 7, _) => compact.pass(kind, &Form::Truth)?,
                (false, 1..=4, _) | (true, 1..=6, _) => compact.pass(kind, &Form::Integer)?,
                _ => compact.pass(kind, &Form::Any)?,
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
        let wanted =
            Header { length: 24, packed: 7, unpacked: 300, values: 5, levels: 0, is_plain: false, repeats: true };
        assert_eq!(header, wanted);
        // type 3; 5 values, 0 nulls, 5 rows, encoding 0, levels of 4 and 6 bytes, not compressed
        let second = [
            0x15, 6, 0x15, 0xd8, 0x04, 0x15, 0x0e, 0x5c, 0x15, 0x0a, 0x15, 0, 0x15, 0x0a, 0x15, 0, 0x15, 8, 0x15, 0x0c,
            0x12, 0, 0,
        ];
        let header = Header::read(second.as_slice()).unwrap();
        let wanted =
            Header { length: 23, packed: 7, unpacked: 300, values: 5, levels: 10, is_plain: true, repeats: false };
        assert_eq!(header, wanted);
    }

    #[test]
    fn fields_of_every_type_are_skipped() {
        let fields = [
            0x01, 40, 0x13, 9, 0x17, 1, 2, 3, 4, 5, 6, 7, 8, 0x19, 0x23, 1, 0, 0x1b, 1, 0x58, 2, 1, b'x', 0x1b, 0,
            0x19, 0xf5, 2, 1, 1, 0x03, 80, 9, 0,
        ];
        assert_eq!(Header::read(fields.as_slice()).unwrap().length, fields.len() as u64);
    }

    #[test]
    fn what_is_no_header_is_refused() {
        let words = |bytes: &[u8]| Header::read(bytes).unwrap_err().to_string();
        assert_eq!(words(&[0x1d]), "bad page header: a field of type 13");
        assert_eq!(words(&[0x98, 0x81, 0x80, 0x40]), "bad page header: a text of 1048577 bytes");
        assert_eq!(words(&[0x9c; 40]), "bad page header: structures are nested too deeply");
        assert_eq!(
            words(&[0x15, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80]),
            "bad page header: an integer of more than 64 bits"
        );
        for bytes in [&[][..], &[0x15], &[0x98, 5, 1]] {
            assert!(Header::read(bytes).is_err());
        }
    }

    /// Headers that a reader could take for another length, encoding or compression than the one counted here
    /// are rejected.
    #[test]
    fn headers_that_can_be_read_in_two_ways() {
        let words = |bytes: &[u8]| Header::read(bytes).unwrap_err().to_string();
        let (first, second) = ([0x5c, 0x15, 2, 0x15, 14, 0], [0x3c, 0x15, 2, 0]);
        assert!(Header::read([&first[..], &[0]].concat().as_slice()).unwrap().repeats);
        assert_eq!(words(&[&first[..], &second, &[0]].concat()), "bad page header: a page of both versions");
        assert_eq!(words(&[&first[..], &[0x0c, 10], &first[1..]].concat()), "bad page header: field 5 behind field 5");
        assert_eq!(words(&[0x25, 2, 0x05, 4, 2]), "bad page header: field 2 behind field 2");
        // 2^16 + 2, whose low 16 bits are 2; and 2^32 + 7
        assert_eq!(words(&[0x05, 0x84, 0x80, 0x08, 2]), "bad page header: a field 65538");
        let wide = [0x5c, 0x15, 2, 0x15, 0x8e, 0x80, 0x80, 0x80, 0x20, 0, 0];
        assert_eq!(words(&wide), "bad page header: 4294967303, of more than 32 bits");
        let other = "bad page header: a field of the wrong type";
        for bytes in [&[0x23, 2][..], &[0x55, 2], &[0x5c, 0x23, 14], &[0x8c, 0x75, 2], &[0x7c, 0x11]] {
            assert_eq!(words(bytes), other, "{bytes:x?}");
        }
        assert_eq!(words(&[0x99, 0x21, 1, 1, 0]), "bad page header: truth values in a list");
    }
}
