//! The reasons why a row or a product has no value.

use std::borrow::Cow;
use std::fmt;

/// The stable error codes of the command itself. The codes for bad points (`length`, `canonical`, `curve`,
/// `subgroup`) come from the engine, those for encrypted rows (`key`, `ciphertext`) from the schemes.
pub(crate) mod code {
    macro_rules! codes {
        ($($(#[$about:meta])* $name:ident = $word:literal;)*) => {
            $($(#[$about])* pub(crate) const $name: &str = $word;)*
            /// All error codes of the command itself.
            #[cfg(test)]
            pub(crate) const ALL: &[&str] = &[$($word),*];
        };
    }

    codes! {
        /// A line is not a JSON object, or a field has a type that is not allowed for it.
        JSON = "json";
        /// A field is missing.
        MISSING = "missing";
        /// A field is null.
        NULL = "null";
        /// A text is not hexadecimal.
        HEX = "hex";
        /// A value is not an integer, or it is too long.
        INTEGER = "integer";
        /// The computed value differs from the expected one.
        MISMATCH = "mismatch";
        /// The rows of one group are not adjacent.
        GROUP_SPLIT = "group_split";
        /// A row has a point other than the fixed one.
        FIXED_POINT = "fixed_point";
        /// A public key is the point at infinity; or a row is marked as infinity but holds another point.
        INFINITY = "infinity";
        /// A message occurs twice where messages must be distinct.
        REPEATED = "repeated";
        /// A proof of possession does not belong to the public key beside it.
        POSSESSION = "possession";
        /// A group has more or fewer rows than there are fixed points.
        FIXED_COUNT = "fixed_count";
        /// An attribute does not take the value, the name of a group is too long, or an encrypted row would be
        /// too long.
        VALUE = "value";
        /// Another engine gives a different answer.
        DIFFERS = "differs";
    }
}

/// An error in one input row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The stable error code.
    pub(crate) code: &'static str,
    /// The input row, from 0.
    pub(crate) row: u64,
    /// The line of the file, from 1; None where the input has no lines.
    pub(crate) line: Option<u64>,
    /// The column or key that the error is about.
    pub(crate) field: Option<Box<str>>,
    /// A description of the error.
    pub(crate) reason: String,
}

impl Fault {
    /// Creates the fault of a row, without its line.
    pub(crate) fn new(code: &'static str, row: u64, field: Option<&str>, reason: impl ToString) -> Self {
        Self { code, row, line: None, field: field.map(Into::into), reason: reason.to_string() }
    }

    /// Returns the fault with the given line of its row, unless its line is known already.
    pub(crate) fn at(self, line: Option<u64>) -> Self {
        Self { line: self.line.or(line), ..self }
    }

    /// Returns the fault with the given field, unless its field is known already.
    pub(crate) fn of(self, field: Option<&str>) -> Self {
        Self { field: self.field.or_else(|| field.map(Into::into)), ..self }
    }

    /// Makes the fault of a group that begins again at a row.
    pub(crate) fn split(row: u64, line: Option<u64>) -> Self {
        let reason = "earlier rows belong to this group, and the rows of a group must be adjacent";
        Self::new(code::GROUP_SPLIT, row, None, reason).at(line)
    }

    /// Returns the fault as an output record states it; `file` is the input's name.
    pub(crate) fn failure(&self, file: &str) -> Failure {
        Failure { code: Cow::Borrowed(self.code), message: format!("{file}: {self}") }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}", self.row)?;
        if let Some(line) = self.line {
            write!(f, " (line {line})")?;
        }
        if let Some(field) = &self.field {
            write!(f, ", field {field}")?;
        }
        write!(f, ": {}", self.reason)
    }
}

/// The code and message of an output record without a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// The stable error code.
    pub(crate) code: Cow<'static, str>,
    /// The message: file, row, field and reason.
    pub(crate) message: String,
}
