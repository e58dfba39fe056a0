//! TOML tables that know the location of every key and read values by type.

use std::cell::{Ref, RefCell};

use num_bigint::{BigInt, BigUint};
use toml::de::{DeTable, DeValue};

use crate::integer::{self, MAX_FIELD_BITS};
use crate::origin::Origin;
use crate::{Error, Location, text};

/// Parses TOML. An error has the parser's reason and line, and none of the text.
pub(crate) fn parse<'a>(text: &'a str, file: &str) -> Result<DeTable<'a>, Error> {
    text::check(text, file)?;
    let document = DeTable::parse(text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_of(text, span.start));
        Error::Syntax { at: Origin::file(file).at_line("", line), reason: format!("not TOML: {}", error.message()) }
    })?;
    Ok(document.into_inner())
}

fn line_of(text: &str, offset: usize) -> usize {
    1 + text.as_bytes().iter().take(offset).filter(|b| **b == b'\n').count()
}

/// A table of the document with the dotted path to it.
pub(crate) struct Table<'a> {
    text: &'a str,
    map: &'a DeTable<'a>,
    path: String,
    origin: &'a RefCell<Origin>,
}

impl<'a> Table<'a> {
    /// Wraps a table and records the lines of its keys in `origin`. Rejects keys other than the known ones, so that
    /// a misspelt key is not silently ignored.
    pub(crate) fn new(
        text: &'a str,
        map: &'a DeTable<'a>,
        path: String,
        origin: &'a RefCell<Origin>,
        known: &[&str],
    ) -> Result<Self, Error> {
        for key in map.keys() {
            let (name, line) = (format!("{path}{}", key.get_ref()), line_of(text, key.span().start));
            if !known.contains(&key.get_ref().as_ref()) {
                return Err(Error::UnknownKey { at: origin.borrow().at_line(&name, line) });
            }
            origin.borrow_mut().record(&name, line);
        }
        Ok(Self { text, map, path, origin })
    }

    /// The origin with the lines of all keys met so far.
    pub(super) fn origin(&self) -> Ref<'a, Origin> {
        self.origin.borrow()
    }

    /// Returns true if the table has the key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.map.contains_key(key)
    }

    /// Returns the location of a key of this table.
    pub(crate) fn at(&self, key: &str) -> Location {
        self.origin.borrow().at(&format!("{}{key}", self.path))
    }

    /// Returns the value that `read` finds, or an error if the key is missing.
    pub(crate) fn required<T>(
        &self,
        key: &'static str,
        read: impl Fn(&Self, &'static str) -> Result<Option<T>, Error>,
    ) -> Result<T, Error> {
        read(self, key)?.ok_or_else(|| Error::MissingKey { at: self.at(key) })
    }

    fn typed<T>(
        &self,
        key: &str,
        expected: &'static str,
        convert: impl FnOnce(&'a DeValue<'a>) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        let Some(value) = self.map.get(key) else { return Ok(None) };
        convert(value.get_ref()).map(Some).ok_or_else(|| Error::WrongType { at: self.at(key), expected })
    }

    /// Reads a string.
    pub(crate) fn string(&self, key: &'static str) -> Result<Option<&'a str>, Error> {
        self.typed(key, "a string", DeValue::as_str)
    }

    /// Reads an array of strings.
    pub(crate) fn strings(&self, key: &'static str) -> Result<Option<Vec<&'a str>>, Error> {
        self.typed(key, "an array of strings", |v| v.as_array()?.iter().map(|item| item.get_ref().as_str()).collect())
    }

    /// Reads true or false.
    pub(super) fn boolean(&self, key: &'static str) -> Result<Option<bool>, Error> {
        self.typed(key, "true or false", DeValue::as_bool)
    }

    /// Returns the table at a key of this table, which may have only the known keys.
    pub(super) fn table(&self, key: &'static str, known: &[&str]) -> Result<Option<Self>, Error> {
        let map = self.typed(key, "a table", DeValue::as_table)?;
        map.map(|map| Self::new(self.text, map, format!("{}{key}.", self.path), self.origin, known)).transpose()
    }

    /// Reads an unsigned integer from a string.
    pub(super) fn integer(&self, key: &'static str) -> Result<Option<BigUint>, Error> {
        let text = self.typed(key, "a string that holds an integer", DeValue::as_str)?;
        text.map(|text| integer::parse(text, MAX_FIELD_BITS, || self.at(key))).transpose()
    }

    /// Reads an array of unsigned integers from strings.
    pub(crate) fn integers(&self, key: &'static str) -> Result<Option<Vec<BigUint>>, Error> {
        let Some(texts) = self.strings(key)? else { return Ok(None) };
        texts
            .iter()
            .map(|text| integer::parse(text, MAX_FIELD_BITS, || self.at(key)))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    /// Reads a signed integer from a string.
    pub(super) fn signed(&self, key: &'static str) -> Result<Option<BigInt>, Error> {
        let text = self.typed(key, "a string that holds an integer", DeValue::as_str)?;
        text.map(|text| integer::parse_signed(text, MAX_FIELD_BITS, || self.at(key))).transpose()
    }

    /// Reads an array of signed integers from strings.
    pub(super) fn signeds(&self, key: &'static str) -> Result<Option<Vec<BigInt>>, Error> {
        let Some(texts) = self.strings(key)? else { return Ok(None) };
        let parse = |text: &&str| integer::parse_signed(text, MAX_FIELD_BITS, || self.at(key));
        texts.iter().map(parse).collect::<Result<_, _>>().map(Some)
    }

    /// Reads a small integer, written as a plain TOML integer.
    pub(super) fn small(&self, key: &'static str) -> Result<Option<i64>, Error> {
        self.typed(key, "an integer without quotes", |v| {
            let number = v.as_integer()?;
            i64::from_str_radix(number.as_str(), number.radix()).ok()
        })
    }

    /// Reads an array of non-negative integers, written as plain TOML integers.
    pub(super) fn naturals(&self, key: &'static str) -> Result<Option<Vec<u64>>, Error> {
        self.typed(key, "an array of integers without quotes, none negative", |v| {
            v.as_array()?
                .iter()
                .map(|item| {
                    let number = item.get_ref().as_integer()?;
                    u64::from_str_radix(number.as_str(), number.radix()).ok()
                })
                .collect()
        })
    }
}
