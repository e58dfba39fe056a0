//! The names of groups: texts or integers.

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;

/// The longest name of a group in bytes: each group that is open, or that ends in a chunk, stores its name.
pub(crate) const MAX_NAME: usize = 1 << 16;

/// The error of a group name that is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the name of a group has {0} bytes: at most {MAX_NAME} are allowed")]
pub(super) struct LongName(usize);

/// The identity of a group. The text "1" and the integer 1 are two groups.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum GroupKey {
    /// A text.
    Text(Box<str>),
    /// An integer of the 64-bit types, signed or not.
    Integer(i128),
}

/// The type of the group column in columnar output: integers if the input's column holds integers, otherwise
/// text. Integers of JSON Lines are written in decimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupType {
    /// Texts, of the type Utf8.
    Text,
    /// Signed integers, of the type Int64.
    Signed,
    /// Unsigned integers, of the type UInt64.
    Unsigned,
}

impl GroupKey {
    /// Creates the key of a group with the given name.
    ///
    /// # Errors
    /// Returns an error if the name is too long.
    pub(super) fn named(text: &str) -> Result<Self, LongName> {
        if text.len() > MAX_NAME { Err(LongName(text.len())) } else { Ok(Self::Text(text.into())) }
    }
}

impl fmt::Display for GroupKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Integer(value) => write!(f, "{value}"),
        }
    }
}

impl<'de> Deserialize<'de> for GroupKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Key;
        impl Visitor<'_> for Key {
            type Value = GroupKey;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string or an integer")
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<GroupKey, E> {
                Ok(GroupKey::Text(text.into()))
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<GroupKey, E> {
                Ok(GroupKey::Integer(value.into()))
            }
            fn visit_u64<E: Error>(self, value: u64) -> Result<GroupKey, E> {
                Ok(GroupKey::Integer(value.into()))
            }
        }
        deserializer.deserialize_any(Key)
    }
}
