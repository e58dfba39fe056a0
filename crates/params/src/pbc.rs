//! Reads the `.param` files of PBC (Lynn, "On the implementation of pairing-based cryptosystems", 2007; PBC 1.0.0).
//!
//! A file is lines of `key value`, one key being `type`; every other value is an integer. All of PBC's types, a, a1, d,
//! e, f, g and i, become curves. As in PBC, keys that a type does not have are ignored, with one exception: n0, n1, ... of type a1 are
//! taken as the prime factors of n.

mod describe;

use std::collections::BTreeMap;

use num_bigint::BigUint;

pub(crate) use describe::describe;

use crate::factors::{Secret, parse_secret};
use crate::integer::{self, MAX_FIELD_BITS};
use crate::origin::Origin;
use crate::solinas::Solinas;
use crate::{Error, text};

/// Largest group order over an extension field, in bits: that of type g, k = 10.
const MAX_EXTENSION_BITS: u64 = 10 * MAX_FIELD_BITS;

/// Returns true if the first line with content is not TOML (no `=`, no leading `[`).
pub(crate) fn looks_like(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| !line.contains('=') && !line.starts_with('['))
}

/// The keys of a file with their values and lines.
struct ParamLines<'a> {
    values: BTreeMap<&'a str, &'a str>,
    origin: Origin,
}

impl<'a> ParamLines<'a> {
    fn read(text: &'a str, file: &str) -> Result<Self, Error> {
        text::check(text, file)?;
        let mut lines = Self { values: BTreeMap::new(), origin: Origin::file(file) };
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let mut words = line.split_whitespace();
            let (Some(key), Some(value), None) = (words.next(), words.next(), words.next()) else {
                let at = lines.origin.at_line("", number);
                return Err(Error::Syntax { at, reason: "not a line of the form `key value`".to_owned() });
            };
            if lines.values.insert(key, value).is_some() {
                return Err(Error::DuplicateKey { at: lines.origin.at_line(key, number) });
            }
            lines.origin.record(key, number);
        }
        Ok(lines)
    }

    fn solinas(&self) -> Result<Solinas, Error> {
        let sign = |key: &str| match self.text(key)? {
            "1" | "+1" => Ok(1),
            "-1" => Ok(-1),
            _ => Err(Error::WrongType { at: self.origin.at(key), expected: "1 or -1" }),
        };
        Ok(Solinas {
            exp2: self.small("exp2")?,
            exp1: self.small("exp1")?,
            sign1: sign("sign1")?,
            sign0: sign("sign0")?,
        })
    }

    /// Reads the four keys of the form of r, or none of them, since r is given in full as well.
    fn solinas_if_any(&self) -> Result<Option<Solinas>, Error> {
        let any = ["exp2", "exp1", "sign1", "sign0"].iter().any(|key| self.values.contains_key(key));
        any.then(|| self.solinas()).transpose()
    }

    /// Reads the factors n0, n1, ... up to the first missing key.
    fn factors(&self) -> Result<Vec<Secret>, Error> {
        let keys = (0..).map(|i| format!("n{i}"));
        keys.map_while(|key| {
            let text = self.values.get(key.as_str())?;
            Some(parse_secret(text, || self.origin.at(&key)))
        })
        .collect()
    }

    fn text(&self, key: &str) -> Result<&'a str, Error> {
        self.values.get(key).copied().ok_or_else(|| Error::MissingKey { at: self.origin.at(key) })
    }

    fn integer(&self, key: &str) -> Result<BigUint, Error> {
        integer::parse(self.text(key)?, MAX_FIELD_BITS, || self.origin.at(key))
    }

    fn extension(&self, key: &str) -> Result<BigUint, Error> {
        integer::parse(self.text(key)?, MAX_EXTENSION_BITS, || self.origin.at(key))
    }

    fn small(&self, key: &str) -> Result<u32, Error> {
        integer::parse_small(self.text(key)?, || self.origin.at(key))
    }
}
