//! Why a row or a product has no value.

use std::borrow::Cow;
use std::fmt;

/// The stable words of the command's own findings; the words for bad points (`length`, `canonical`, `curve`,
/// `subgroup`) come from the engine.
pub(crate) mod code {
    macro_rules! codes {
        ($($(#[$about:meta])* $name:ident = $word:literal;)*) => {
            $($(#[$about])* pub(crate) const $name: &str = $word;)*
            /// All of them.
            #[cfg(test)]
            pub(crate) const ALL: &[&str] = &[$($word),*];
        };
    }

    codes! {
        /// A line is not a JSON object, or a field has a type that it cannot have.
        JSON = "json";
        /// A field is not there.
        MISSING = "missing";
        /// A field is null.
        NULL = "null";
        /// A text is not hexadecimal.
        HEX = "hex";
        /// A value is not an integer, or it is too long.
        INTEGER = "integer";
        /// The value is not the expected one.
        MISMATCH = "mismatch";
        /// The rows of one group are not adjacent.
        GROUP_SPLIT = "group_split";
        /// A row has another point than the one that is fixed.
        FIXED_POINT = "fixed_point";
        /// A public key is the point at infinity; or a row is marked as infinity and has another point.
        INFINITY = "infinity";
        /// A message is there twice where messages must differ.
        REPEATED = "repeated";
        /// A proof of possession is not one of the public key beside it.
        POSSESSION = "possession";
        /// A group has more or fewer rows than there are fixed points.
        FIXED_COUNT = "fixed_count";
        /// A value that its attribute does not take, the name of a group that is too long, or an encrypted row that would be.
        VALUE = "value";
        /// An encrypted row of another key, scheme or curve.
        KEY = "key";
        /// Another engine gives another answer.
        DIFFERS = "differs";
        /// Bytes that are no encrypted row.
        CIPHERTEXT = "ciphertext";
    }
}

/// A finding about one input row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// A stable word.
    pub(crate) code: &'static str,
    /// The input row, from 0.
    pub(crate) row: u64,
    /// The line of the file, from 1, where the input has lines.
    pub(crate) line: Option<u64>,
    /// The column or key.
    pub(crate) field: Option<Box<str>>,
    /// What is wrong.
    pub(crate) reason: String,
}

impl Fault {
    /// The same with the line of its row, if that is known and was not before.
    pub(crate) fn at(self, line: Option<u64>) -> Self {
        Self { line: self.line.or(line), ..self }
    }

    /// The finding as it stands in the output; `file` is the input's name.
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

/// Code and message of one output record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// A stable word.
    pub(crate) code: Cow<'static, str>,
    /// File, row, field and reason.
    pub(crate) message: String,
}
