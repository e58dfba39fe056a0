//! Decoding of encrypted rows (`encrypt.rs` has their layout): header, checksum, key and lengths are checked here,
//! points later.

use super::scheme::Scheme;
use super::token::Token;
use crate::encoding::{DecodeError, HEADER, ObjectKind, Reader};

/// The number of bytes of a row before its points: header, ID of the key, length of vectors.
pub(super) const BEFORE: usize = HEADER + 18;

/// The common properties of the rows of a table, and of the tokens for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) scheme: Scheme,
    curve: [u8; 16],
    id: [u8; 16],
    length: usize,
}

/// The parts of a row.
pub(super) struct Row<'a> {
    pub(super) points: Vec<&'a [u8]>,
    /// The bytes that the tag authenticates beside the message, and the message with its tag.
    pub(super) sealed: Option<(&'a [u8], &'a [u8])>,
}

impl Form {
    /// The form of the rows that a token reads.
    pub(super) fn of(token: &Token) -> Form {
        Form { scheme: token.scheme, curve: token.curve, id: token.id, length: token.length }
    }

    /// Reads a row whose points have `point` bytes each.
    pub(super) fn read<'a>(&self, row: &'a [u8], point: usize) -> Result<Row<'a>, DecodeError> {
        let Form { scheme, curve, id, length } = self;
        let mut reader = Reader::of_scheme(scheme.byte(), ObjectKind::Ciphertext, curve, row)?;
        reader.key(id)?;
        reader.u16("the length of vectors", *length..=*length)?;
        let points = reader.encoded(scheme.row_points(*length), point)?;
        let sealed = if scheme.has_message() {
            let len = reader.u32()?;
            let before = reader.so_far();
            Some((before, reader.raw(len)?))
        } else {
            None
        };
        reader.end()?;
        Ok(Row { points, sealed })
    }
}
