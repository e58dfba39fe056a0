//! Thrift's compact protocol, as far as needed to find a few fields and to skip the rest. Fields are skipped
//! exactly as by the reader that reads them afterwards: an input that the reader could take in another way is
//! rejected.
//! <https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md>

use crate::input::bad;
use std::io::{self, ErrorKind, Read};

/// The most bytes of a text. The longest texts are the least and the greatest value of a page.
pub(crate) const MAX_TEXT: u64 = 1 << 20;

/// The deepest nesting of structures and lists.
const MAX_DEPTH: usize = 16;

/// The types of the protocol, distinguished as far as their lengths differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
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

/// The declared type of a field. Readers go by this type, whatever type stands before the field's value.
pub(super) enum Form {
    /// A field that readers skip.
    Any,
    Truth,
    Byte,
    Integer,
    Text,
    /// A structure with these fields, numbered from 1. Further fields are unknown.
    Structure(&'static [Form]),
}

/// A reader of structures in the compact protocol.
pub(super) struct Compact<R> {
    input: R,
    /// The number of bytes read so far.
    pub(super) read: u64,
}

impl<R: Read> Compact<R> {
    /// Creates a reader at the input's current position.
    pub(super) fn new(input: R) -> Self {
        Self { input, read: 0 }
    }

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
        Err(bad("an integer of more than 64 bits"))
    }

    /// Reads a signed integer in zigzag encoding: 0, −1, 1, −2, … in this order.
    pub(super) fn integer(&mut self) -> io::Result<i32> {
        let value = self.unsigned()?;
        let value = (value >> 1) as i64 ^ -((value & 1) as i64);
        i32::try_from(value).map_err(|_| bad(format!("{value}, of more than 32 bits")))
    }

    /// Reads the next field's number and type; `None` is the end of the structure. Numbers must ascend, so that
    /// no field occurs twice.
    pub(super) fn field(&mut self, last: &mut i16) -> io::Result<Option<(i16, Kind)>> {
        let byte = self.byte()?;
        if byte == 0 {
            return Ok(None);
        }
        let number = match byte >> 4 {
            0 => self.integer()?,
            step => i32::from(*last) + i32::from(step),
        };
        let before = std::mem::replace(last, i16::try_from(number).map_err(|_| bad(format!("a field {number}")))?);
        if *last <= before {
            return Err(bad(format!("field {number} behind field {before}")));
        }
        Ok(Some((*last, Kind::of(byte & 15)?)))
    }

    /// Reads the number of a list's elements, and the code of their type.
    pub(super) fn list(&mut self) -> io::Result<(u64, u8)> {
        let head = self.byte()?;
        let count = if head >> 4 == 15 { self.unsigned()? } else { u64::from(head >> 4) };
        Ok((count, head & 15))
    }

    /// Skips the value of a field, which must have its declared type.
    pub(super) fn pass(&mut self, kind: Kind, form: &Form) -> io::Result<()> {
        match (form, kind) {
            (Form::Structure(fields), Kind::Structure) => {
                let mut last = 0;
                while let Some((id, kind)) = self.field(&mut last)? {
                    let form = usize::try_from(id - 1).ok().and_then(|index| fields.get(index));
                    self.pass(kind, form.unwrap_or(&Form::Any))?;
                }
                Ok(())
            }
            (Form::Any, _)
            | (Form::Truth, Kind::True | Kind::False)
            | (Form::Byte, Kind::Byte)
            | (Form::Integer, Kind::Integer)
            | (Form::Text, Kind::Text) => self.skip(kind, MAX_DEPTH),
            _ => Err(bad("a field of the wrong type")),
        }
    }

    fn bytes(&mut self, count: u64) -> io::Result<()> {
        let skipped = io::copy(&mut (&mut self.input).take(count), &mut io::sink())?;
        self.read += skipped;
        if skipped == count { Ok(()) } else { Err(ErrorKind::UnexpectedEof.into()) }
    }

    fn skip(&mut self, kind: Kind, depth: usize) -> io::Result<()> {
        let Some(depth) = depth.checked_sub(1) else { return Err(bad("structures are nested too deeply")) };
        match kind {
            Kind::True | Kind::False => Ok(()),
            Kind::Byte => self.bytes(1),
            Kind::Double => self.bytes(8),
            Kind::Integer => self.unsigned().map(drop),
            Kind::Text => match self.unsigned()? {
                length if length > MAX_TEXT => Err(bad(format!("a text of {length} bytes"))),
                length => self.bytes(length),
            },
            Kind::List => {
                let (count, code) = self.list()?;
                self.elements(count, &[code], depth)
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
                match Kind::of(*code)? {
                    // a truth value takes a byte or none: readers differ
                    Kind::True | Kind::False => return Err(bad("truth values in a list")),
                    kind => self.skip(kind, depth)?,
                }
            }
        }
        Ok(())
    }
}
