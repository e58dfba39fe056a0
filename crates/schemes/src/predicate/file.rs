//! Files of keys and tokens, as text: the kind of content, the bytes in hexadecimal, the schema, the curve, and a
//! hash of all of these.
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
//! A token has no schema. The curve is given by its public parameters in TOML, and the pairing is the curve's own.
//! The hash detects damage; it authenticates nothing.

use super::language::Schema;
use crate::encoding::{ObjectKind, Reader, id_of};
use crate::hex;
use bilinear_params::private::{self, PrivateError};
use bilinear_params::{Curve, Description};
use sha2::{Digest, Sha256};
use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use zeroize::Zeroizing;

/// The most bytes of a file. The longest public keys have 2·(3·4096 + 5) coordinates, or 2·62·242 in dual spaces, of
/// 512 bytes, with two digits per byte.
pub const MAX_FILE: u64 = 32 << 20;

/// The most bytes of a file of a secret key: its length does not grow with that of vectors, except for the schema.
const MAX_SECRET: usize = 1 << 20;

/// The content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A public key, with the schema.
    Public,
    /// A secret key, with the schema.
    Secret,
    /// A token.
    Token,
}

impl Content {
    const ALL: [Content; 3] = [Content::Public, Content::Secret, Content::Token];

    /// The kind of the key's bytes.
    fn kind(self) -> ObjectKind {
        match self {
            Content::Public => ObjectKind::PublicKey,
            Content::Secret => ObjectKind::SecretKey,
            Content::Token => ObjectKind::Token,
        }
    }

    /// The first line of the file, with the version of the layout.
    fn head(self) -> String {
        format!("bilinear search {} 1", self.kind())
    }
}

/// The error for a file, with the file's name.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {reason}")]
pub struct KeyFileError {
    /// The name of the file.
    pub file: String,
    /// The fault of the file.
    pub reason: String,
}

/// A file that has been read. Zeroized when dropped.
pub struct KeyFile {
    name: String,
    key: Zeroizing<Vec<u8>>,
    schema: String,
    curve: String,
}

impl KeyFile {
    /// Reads a file. [`private::open`] must accept a file of a secret key.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is too long, damaged, or has other content.
    pub fn read(path: &Path, content: Content) -> Result<KeyFile, KeyFileError> {
        let name = path.display().to_string();
        let refused = |error: PrivateError| refused(&name, error);
        let bytes = match content {
            Content::Secret => private::read(private::open(path).map_err(refused)?, MAX_SECRET).map_err(refused)?,
            Content::Public | Content::Token => {
                let mut bytes = Zeroizing::new(Vec::new());
                let io = |action| move |source| PrivateError::Io { action, source };
                let file = File::open(path).map_err(io("open")).map_err(refused)?;
                file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(io("read")).map_err(refused)?;
                bytes
            }
        };
        KeyFile::parse(&name, content, &bytes)
    }

    /// Parses the bytes of a file, which has the name `name` in errors. The key must belong to the curve with the
    /// curve's own pairing, since a file states nothing else; the curve's parameters are checked in
    /// [`curve`](KeyFile::curve).
    ///
    /// # Errors
    /// Returns an error if there are too many bytes, or if they are damaged or have other content.
    pub fn parse(name: &str, content: Content, bytes: &[u8]) -> Result<KeyFile, KeyFileError> {
        if bytes.len() as u64 > MAX_FILE {
            return Err(refused(name, format_args!("more than {MAX_FILE} bytes, the limit for a key file")));
        }
        let (key, schema, curve) = parse(bytes, content).map_err(|reason| refused(name, reason))?;
        // this precedes the check of the curve, which takes longer; errors in the curve's text are left to `curve`
        if let Ok((fingerprint, layout)) = Description::fingerprint_and_layout(&curve, name) {
            let id = id_of(&fingerprint, layout);
            let read = Reader::new(content.kind(), &key).and_then(|(_, reader)| reader.of_curve(&id));
            read.map_err(|error| refused(name, error))?;
        }
        Ok(KeyFile { name: name.to_owned(), key, schema, curve })
    }

    /// Returns the text of a file, in memory that is allocated once.
    pub fn text(content: Content, key: &[u8], curve: &Curve, schema: Option<&Schema>) -> Zeroizing<Vec<u8>> {
        let schema = schema.map_or_else(String::new, |schema| format!("schema\n{schema}"));
        let (head, curve) = (content.head(), curve.to_toml());
        let most = head.len() + 2 * key.len() + schema.len() + curve.len() + 128;
        let mut text = Zeroizing::new(Vec::with_capacity(most));
        text.extend_from_slice(format!("{head}\nkey ").as_bytes());
        text.extend(hex::encode(key));
        text.extend_from_slice(format!("\n{schema}curve\n{}\n", curve.trim_end()).as_bytes());
        let hash = hash(&text);
        text.extend_from_slice(format!("sha256 {hash}\n").as_bytes());
        text
    }

    /// Writes a new file, which only this user can read unless it holds a public key.
    ///
    /// # Errors
    /// Returns an error if the file exists or cannot be written.
    pub fn write(
        path: &Path,
        content: Content,
        key: &[u8],
        curve: &Curve,
        schema: Option<&Schema>,
    ) -> Result<(), KeyFileError> {
        let create = if content == Content::Public { private::create_public } else { private::create };
        let written = create(path, &KeyFile::text(content, key, curve, schema));
        written.map_err(|error| refused(&path.display().to_string(), error))
    }

    /// The bytes of the key or token.
    pub fn key(&self) -> &[u8] {
        &self.key
    }

    /// Parses the schema.
    ///
    /// # Errors
    /// Returns an error if the schema cannot be read.
    pub fn schema(&self) -> Result<Schema, KeyFileError> {
        self.schema.parse().map_err(|error| self.refused(format_args!("the schema: {error}")))
    }

    /// Returns the curve's parameters in TOML, as they stand in the file.
    pub fn parameters(&self) -> &str {
        &self.curve
    }

    /// Parses the curve and checks it in full.
    ///
    /// # Errors
    /// Returns an error if the parameters are not sound.
    pub fn curve(&self) -> Result<Curve, bilinear_params::Error> {
        Ok(Description::from_toml(&self.curve, &self.name)?.curve)
    }

    /// Creates an error about this file.
    pub fn refused(&self, reason: impl Display) -> KeyFileError {
        refused(&self.name, reason)
    }
}

fn refused(file: &str, reason: impl Display) -> KeyFileError {
    KeyFileError { file: file.to_owned(), reason: reason.to_string() }
}

/// Returns the SHA-256 of bytes, in hexadecimal.
fn hash(bytes: &[u8]) -> String {
    hex::encode(&Sha256::digest(bytes)).map(char::from).collect()
}

/// Returns key, schema and curve of a file, or the reason why they cannot be read.
fn parse(bytes: &[u8], content: Content) -> Result<(Zeroizing<Vec<u8>>, String, String), String> {
    let text = str::from_utf8(bytes).map_err(|_| format!("not a {} of bilinear search", content.kind()))?;
    let (head, rest) = text.split_once('\n').unwrap_or((text, ""));
    if head != content.head() {
        let other = Content::ALL.into_iter().find(|other| other.head() == head);
        let found = other.map_or(String::new(), |other| format!(": it is a {}", other.kind()));
        return Err(format!("not a {} of bilinear search{found}", content.kind()));
    }
    let damaged = || "the file is damaged: its hash does not match".to_owned();
    // the last line begins behind the end of the line before
    let end = text.trim_end_matches('\n').rfind('\n').ok_or_else(damaged)? + 1;
    if text[end..] != *format!("sha256 {}\n", hash(&bytes[..end])) {
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
    parts().ok_or_else(|| "lines are missing or malformed".to_owned())
}

/// Decodes digits to bytes, in time that depends only on their number; `None` if a character is not a digit or the
/// number is odd.
fn digits(text: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let mut bytes = Zeroizing::new(vec![0; text.len() / 2]);
    (hex::decode(text, &mut bytes) == 0 && text.len().is_multiple_of(2)).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Writer;
    use crate::predicate::Scheme;

    /// The rejection precedes the check of the curve's parameters.
    #[test]
    fn a_key_of_another_curve_is_refused() {
        let curve = Curve::named("a-512").unwrap_or_else(|e| unreachable!("a shipped curve: {e}"));
        let (id, other) = (id_of(&curve.fingerprint(), curve.layout()), [7; 16]);
        for (kind, curve_id, words) in [
            (ObjectKind::Token, other, "token, byte 7: the object belongs to another curve, pairing or power"),
            (ObjectKind::Ciphertext, id, "token, byte 6: the bytes hold an object of another kind (4)"),
        ] {
            let text = KeyFile::text(
                Content::Token,
                &Writer::new(kind, Scheme::HiddenVector.byte(), &curve_id, 0).finish(),
                &curve,
                None,
            );
            let refused = KeyFile::parse("f", Content::Token, &text).err().map(|error| error.to_string());
            assert_eq!(refused.as_deref(), Some(&*format!("f: {words}")));
        }
    }

    /// Flips every bit of every byte, in a file of each kind.
    #[test]
    fn a_file_with_one_bit_flipped_is_refused() {
        let curve = Curve::named("a1-2x512").unwrap_or_else(|e| unreachable!("a shipped curve: {e}"));
        let schema = "hidden vector\ncity text\n".parse().unwrap_or_else(|e| unreachable!("a schema: {e}"));
        for content in Content::ALL {
            let key = Writer::new(
                content.kind(),
                Scheme::HiddenVector.byte(),
                &id_of(&curve.fingerprint(), curve.layout()),
                0,
            )
            .finish();
            let text = KeyFile::text(content, &key, &curve, Some(&schema));
            assert_eq!(KeyFile::parse("f", content, &text).ok().as_ref().map(KeyFile::key), Some(&key[..]));
            for bit in 0..8 * text.len() {
                let mut damaged = text.to_vec();
                damaged[bit / 8] ^= 1 << (bit % 8);
                assert!(KeyFile::parse("f", content, &damaged).is_err(), "{content:?}, bit {bit}");
            }
        }
    }

    #[test]
    fn digits_come_in_pairs() {
        assert_eq!(digits(b"0a").as_deref(), Some(&vec![10]));
        assert!(digits(b"0").is_none() && digits(b"0a1").is_none() && digits(b"0x").is_none());
    }
}
