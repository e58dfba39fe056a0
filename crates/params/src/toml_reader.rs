//! Reads curve descriptions from TOML.
//!
//! Top level: `name`, optional `aliases`, `family`, optional `source` and `note`; the table `[parameters]` with the
//! integers that define the curve, and optional generator tables. Integers are strings, decimal or 0x hexadecimal.
//! The family decides what `[parameters]` and the generator tables hold:
//!
//! * `a`: r and one or both of q, h (q + 1 = r h); `[g1]` with x, y.
//! * `a1`: n and one or both of q, l (q + 1 = n l); `prime_bits`, the sizes of the secret factors, or for test curves
//!   `factors` with `factors_public = true`; `[g1]` with x, y.

use std::cell::RefCell;

use num_bigint::BigUint;
use toml::de::{DeTable, DeValue};

use crate::curve::is_name;
use crate::integer::{self, MAX_FIELD_BITS, MAX_FILE_BYTES};
use crate::origin::Origin;
use crate::supersingular::{Keys, Parts};
use crate::{At, Curve, Error, Family, Kind, Supersingular};

/// Reads and checks a description, primality left out. The origin and keys serve later messages.
pub(crate) fn read(text: &str, file: &str) -> Result<(Curve, Origin, Keys), Error> {
    let document = parse(text, file)?;
    let origin = RefCell::new(Origin::file(file));
    let known = ["name", "aliases", "family", "source", "note", "parameters", "g1"];
    let top = Table::new(text, &document, String::new(), &origin, &known)?;
    let name = top.required("name", Table::string)?.to_owned();
    if !is_name(&name) {
        return Err(Error::BadName { at: top.at("name") });
    }
    let aliases: Vec<String> = top.strings("aliases")?.unwrap_or_default().into_iter().map(str::to_owned).collect();
    if !aliases.iter().all(|alias| is_name(alias)) {
        return Err(Error::BadName { at: top.at("aliases") });
    }
    let source = top.string("source")?.unwrap_or_default().to_owned();
    let note = top.string("note")?.unwrap_or_default().to_owned();
    let kind = match top.required("family", Table::string)? {
        "a" => Kind::A,
        "a1" => Kind::A1,
        other => return Err(Error::UnknownFamily { at: top.at("family"), value: other.chars().take(40).collect() }),
    };
    let keys = Keys::toml(kind);
    let family = Family::Supersingular(supersingular(kind, &keys, &top)?);
    let curve = Curve { name, aliases, family, source, note };
    Ok((curve, origin.into_inner(), keys))
}

/// The families `a` and `a1`.
fn supersingular(kind: Kind, keys: &Keys, top: &Table<'_>) -> Result<Supersingular, Error> {
    let (order, cofactor) = match kind {
        Kind::A => ("r", "h"),
        Kind::A1 => ("n", "l"),
    };
    let mut known = vec!["q", order, cofactor];
    if kind == Kind::A1 {
        known.extend(["factors", "factors_public", "prime_bits"]);
    }
    let parameters = top.required("parameters", |top, key| top.table(key, &known))?;
    let public = parameters.boolean("factors_public")?.unwrap_or(false);
    let public_factors = parameters.integers("factors")?;
    if public != public_factors.is_some() {
        let key = if public { "factors_public" } else { "factors" };
        return Err(Error::FactorsNotPublic { at: parameters.at(key) });
    }
    let generator = match top.table("g1", &["x", "y"])? {
        Some(g1) => Some((g1.required("x", Table::integer)?, g1.required("y", Table::integer)?)),
        None => None,
    };
    let parts = Parts {
        kind,
        q: parameters.integer("q")?,
        order: parameters.required(order, Table::integer)?,
        cofactor: parameters.integer(cofactor)?,
        public_factors,
        generator,
    };
    let prime_bits = parameters.sizes("prime_bits")?;
    let mut curve = parts.check(&parameters.origin.borrow(), keys)?;
    if let Some(bits) = prime_bits {
        // where the factors are there, their sizes can only repeat them
        if curve.prime_bits().is_some_and(|known| known != bits) {
            return Err(Error::PrimeSizes { at: parameters.at("prime_bits"), bits: curve.order().bits() });
        }
        curve.set_prime_bits(bits, || parameters.at("prime_bits"))?;
    }
    Ok(curve)
}

/// Parses TOML; the error holds the parser's reason and line, and none of the text.
pub(crate) fn parse<'a>(text: &'a str, file: &str) -> Result<DeTable<'a>, Error> {
    if text.len() > MAX_FILE_BYTES {
        return Err(Error::FileTooLarge { file: file.to_owned(), limit: MAX_FILE_BYTES });
    }
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
    /// Wraps a table and notes the lines of its keys in `origin`. Keys other than the known ones are refused, so that
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

    /// Place of a key of this table.
    pub(crate) fn at(&self, key: &str) -> At {
        self.origin.borrow().at(&format!("{}{key}", self.path))
    }

    /// The value that `read` finds, or the error that the key is missing.
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

    /// A string.
    pub(crate) fn string(&self, key: &'static str) -> Result<Option<&'a str>, Error> {
        self.typed(key, "a string", DeValue::as_str)
    }

    /// An array of strings.
    pub(crate) fn strings(&self, key: &'static str) -> Result<Option<Vec<&'a str>>, Error> {
        self.typed(key, "an array of strings", |v| v.as_array()?.iter().map(|item| item.get_ref().as_str()).collect())
    }

    fn boolean(&self, key: &'static str) -> Result<Option<bool>, Error> {
        self.typed(key, "true or false", DeValue::as_bool)
    }

    fn table(&self, key: &'static str, known: &[&str]) -> Result<Option<Self>, Error> {
        let map = self.typed(key, "a table", DeValue::as_table)?;
        map.map(|map| Self::new(self.text, map, format!("{}{key}.", self.path), self.origin, known)).transpose()
    }

    fn integer(&self, key: &'static str) -> Result<Option<BigUint>, Error> {
        let text = self.typed(key, "a string that holds an integer", DeValue::as_str)?;
        text.map(|text| integer::parse(text, MAX_FIELD_BITS, || self.at(key))).transpose()
    }

    pub(crate) fn integers(&self, key: &'static str) -> Result<Option<Vec<BigUint>>, Error> {
        let Some(texts) = self.strings(key)? else { return Ok(None) };
        texts
            .iter()
            .map(|text| integer::parse(text, MAX_FIELD_BITS, || self.at(key)))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    fn sizes(&self, key: &'static str) -> Result<Option<Vec<u64>>, Error> {
        self.typed(key, "an array of sizes in bits", |v| {
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
