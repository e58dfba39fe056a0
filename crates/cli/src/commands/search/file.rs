//! Files of keys and tokens, as text: what it is, the bytes in hexadecimal, the schema, the curve, and a hash of all that.
//!
//! ```text
//! bilinear search public key 1
//! key 42494c4e...
//! schema
//! hidden vector
//! "city" text
//! curve
//! name = "a1-2x1024"
//! ...
//! sha256 0f1e...
//! ```
//!
//! A token has no schema. The curve is its public parameters in TOML. The hash tells damage; it authenticates nothing.

use crate::error::CommandError;
use crate::hex;
use crate::secret::{self, Source};
use bilinear_params::{Curve, Description};
use bilinear_schemes::predicate::language::Schema;
use sha2::{Digest, Sha256};
use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;
use zeroize::Zeroizing;

/// Bytes of a file, at most: the longest public key has 2·(3·4096 + 2) coordinates of 512 bytes, with two digits a byte.
pub(crate) const MOST: u64 = 32 << 20;

/// Bytes of a file of a secret key, at most: its length does not grow with that of vectors, but for the schema.
const MOST_SECRET: usize = 1 << 20;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Public,
    Secret,
    Token,
}

impl Content {
    const ALL: [Content; 3] = [Content::Public, Content::Secret, Content::Token];

    fn name(self) -> &'static str {
        match self {
            Content::Public => "public key",
            Content::Secret => "secret key",
            Content::Token => "token",
        }
    }

    /// The first line, with the version of the layout.
    fn head(self) -> String {
        format!("bilinear search {} 1", self.name())
    }
}

/// A file that has been read. Wiped when it is dropped.
pub(super) struct KeyFile {
    name: String,
    key: Zeroizing<Vec<u8>>,
    schema: String,
    curve: String,
}

impl KeyFile {
    /// Reads a file. One of a secret key must be of mode 0600.
    ///
    /// # Errors
    /// If it cannot be read, is too long, damaged, or something else.
    pub(super) fn read(path: &Path, content: Content) -> Result<KeyFile, CommandError> {
        let name = path.display().to_string();
        let bytes = match content {
            Content::Secret => Source::File(path.to_owned()).read_at_most(MOST_SECRET)?,
            Content::Public | Content::Token => {
                let mut bytes = Zeroizing::new(Vec::new());
                let file = File::open(path).map_err(CommandError::io(&name, "open"))?;
                file.take(MOST + 1).read_to_end(&mut bytes).map_err(CommandError::io(&name, "read"))?;
                bytes
            }
        };
        if bytes.len() as u64 > MOST {
            return Err(CommandError::Usage(format!("{name}: more than {MOST} bytes: no key is that long")));
        }
        match parse(&bytes, content) {
            Ok((key, schema, curve)) => Ok(KeyFile { name, key, schema, curve }),
            Err(reason) => Err(CommandError::Usage(format!("{name}: {reason}"))),
        }
    }

    /// Writes a new file; one that only this user can read, unless it is a public key.
    ///
    /// # Errors
    /// If it exists or cannot be written.
    pub(super) fn write(
        path: &Path,
        content: Content,
        key: &[u8],
        curve: &Curve,
        schema: Option<&Schema>,
    ) -> Result<(), CommandError> {
        let schema = schema.map_or_else(String::new, |schema| format!("schema\n{schema}"));
        let (head, curve) = (content.head(), curve.to_toml());
        // taken once, so that no copy is left behind
        let most = head.len() + 2 * key.len() + schema.len() + curve.len() + 128;
        let mut text = Zeroizing::new(Vec::with_capacity(most));
        text.extend_from_slice(format!("{head}\nkey ").as_bytes());
        text.extend(key.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]));
        text.extend_from_slice(format!("\n{schema}curve\n{}\n", curve.trim_end()).as_bytes());
        let hash = hex::encode(&Sha256::digest(&text[..]));
        text.extend_from_slice(format!("sha256 {hash}\n").as_bytes());
        if content == Content::Public { create(path, &text) } else { secret::create(path, &text) }
    }

    /// The bytes of the key or token.
    pub(super) fn key(&self) -> &[u8] {
        &self.key
    }

    /// The schema.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn schema(&self) -> Result<Schema, CommandError> {
        self.schema.parse().map_err(|error| self.refused(format_args!("the schema: {error}")))
    }

    /// The curve, checked in full.
    ///
    /// # Errors
    /// If its parameters are not sound.
    pub(super) fn curve(&self) -> Result<Curve, CommandError> {
        Ok(Description::from_toml(&self.curve, &self.name)?.curve)
    }

    /// What is wrong with the file.
    pub(super) fn refused(&self, reason: impl Display) -> CommandError {
        CommandError::Usage(format!("{}: {reason}", self.name))
    }
}

fn create(path: &Path, text: &[u8]) -> Result<(), CommandError> {
    let name = path.display().to_string();
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    let mut file = file.map_err(CommandError::io(&name, "create"))?;
    let written = file.write_all(text).and_then(|()| file.sync_all());
    written.map_err(|error| {
        let _ = fs::remove_file(path);
        CommandError::io(&name, "write")(error)
    })
}

/// Key, schema and curve of a file, or why it has none.
fn parse(bytes: &[u8], content: Content) -> Result<(Zeroizing<Vec<u8>>, String, String), String> {
    let text = str::from_utf8(bytes).map_err(|_| format!("not a {} of bilinear search", content.name()))?;
    let (head, rest) = text.split_once('\n').unwrap_or((text, ""));
    if head != content.head() {
        let other = Content::ALL.into_iter().find(|other| other.head() == head);
        let found = other.map_or(String::new(), |other| format!(": it is a {}", other.name()));
        return Err(format!("not a {} of bilinear search{found}", content.name()));
    }
    let damaged = || "the file is damaged: its hash is another one".to_owned();
    // the last line, which begins behind the end of the one before
    let end = text.trim_end_matches('\n').rfind('\n').ok_or_else(damaged)? + 1;
    if text[end..] != *format!("sha256 {}\n", hex::encode(&Sha256::digest(&bytes[..end]))) {
        return Err(damaged());
    }
    let parts = || {
        let (key, rest) = rest[..end - head.len() - 1].strip_prefix("key ")?.split_once('\n')?;
        let (schema, curve) = match rest.strip_prefix("schema\n") {
            Some(rest) => rest.split_once("\ncurve\n")?,
            None => ("", rest.strip_prefix("curve\n")?),
        };
        Some((digits(key.as_bytes())?, schema.to_owned(), curve.to_owned()))
    };
    parts().ok_or_else(|| "lines are missing".to_owned())
}

/// The digit of a number below 16, in time that does not depend on it: from 10 on, 39 more lead to the letters.
fn digit(x: u8) -> u8 {
    let beyond = 9u8.wrapping_sub(x) >> 7;
    b'0' + x + 39 * beyond
}

/// The bytes of lower-case digits, in time that depends on their number alone; nothing if one is something else.
fn digits(text: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let mut wrong = u16::from(text.len() % 2 == 1);
    let mut value = |character: &u8| {
        let c = u16::from(*character);
        // 1 where the character is in the range, by the borrow of a difference
        let within = |from: u8, to: u8| 1 & !((c.wrapping_sub(from.into()) | u16::from(to).wrapping_sub(c)) >> 15);
        let (decimal, letter) = (within(b'0', b'9'), within(b'a', b'f'));
        wrong |= 1 ^ (decimal | letter);
        let x = (decimal * c.wrapping_sub(48)) | (letter * c.wrapping_sub(87));
        x as u8
    };
    let mut bytes = Zeroizing::new(Vec::with_capacity(text.len() / 2));
    bytes.extend(text.chunks_exact(2).map(|pair| value(&pair[0]) << 4 | value(&pair[1])));
    (wrong == 0).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_of_hexadecimal() {
        let all: Vec<u8> = (0..=255).collect();
        let text: Vec<u8> = all.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect();
        assert_eq!(text, hex::encode(&all).into_bytes());
        assert_eq!(digits(&text).as_deref(), Some(&all));
        assert_eq!(digits(b"0"), None);
        for c in (0..=255).filter(|c| !b"0123456789abcdef".contains(c)) {
            assert_eq!(digits(&[b'0', c]), None, "{c}");
            assert_eq!(digits(&[c, b'0']), None, "{c}");
        }
    }
}
