//! The origin of a value: the file, the key and the line that an error message names.

use std::collections::BTreeMap;
use std::fmt;

/// The most characters of a key, or of a value in its place, that a message shows.
pub(crate) const MAX_SHOWN: usize = 80;

/// A location in a description: file, line (from 1) and key, each only if it is known.
///
/// Displays as ``file:line: `key` ``, leaving out what is not known. A long key is cut, and its control characters are
/// escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// File name as the caller gave it; empty for values that come from no file.
    pub file: String,
    /// Line in the file, from 1.
    pub line: Option<usize>,
    /// Key, dotted where it sits in a table (`parameters.q`); empty when the whole file is meant.
    pub key: String,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        if !self.file.is_empty() {
            f.write_str(&self.file)?;
            separator = ": ";
        }
        if let Some(line) = self.line {
            write!(f, "{}line {line}", if self.file.is_empty() { "" } else { ", " })?;
            separator = ": ";
        }
        if !self.key.is_empty() {
            let shown: String = self.key.chars().take(MAX_SHOWN).flat_map(char::escape_debug).collect();
            write!(f, "{separator}`{shown}`")?;
        }
        Ok(())
    }
}

/// The file that a description is read from, with the lines of the keys met so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origin {
    file: String,
    lines: BTreeMap<String, usize>,
}

impl Origin {
    /// Creates the origin of a file, with no lines yet.
    pub(crate) fn file(name: &str) -> Self {
        Self { file: name.to_owned(), lines: BTreeMap::new() }
    }

    /// Creates the origin of values handed over by a caller, which come from no file.
    pub(crate) fn argument() -> Self {
        Self::default()
    }

    /// Records the line of a key.
    pub(crate) fn record(&mut self, key: &str, line: usize) {
        self.lines.insert(key.to_owned(), line);
    }

    /// Returns the location of a key; the empty key stands for the file itself.
    pub(crate) fn at(&self, key: &str) -> Location {
        Location { file: self.file.clone(), line: self.lines.get(key).copied(), key: key.to_owned() }
    }

    /// Returns the location of a key on a given line, recorded or not.
    pub(crate) fn at_line(&self, key: &str, line: usize) -> Location {
        Location { file: self.file.clone(), line: Some(line), key: key.to_owned() }
    }
}

/// The format whose names the keys of a description have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyNames {
    /// TOML files, and values handed over by a caller.
    Toml,
    /// PBC `.param` files.
    Pbc,
}

impl KeyNames {
    /// Returns the key of a parameter that has the same name in both formats.
    pub(crate) fn parameter(self, name: &str) -> String {
        match self {
            Self::Toml => format!("parameters.{name}"),
            Self::Pbc => name.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_files_are_shown_in_short_and_escaped() {
        let key = format!("a\u{1b}[31m{}", "b".repeat(1000));
        let shown = Origin::file("f").at_line(&key, 2).to_string();
        assert_eq!(shown, format!("f, line 2: `a\\u{{1b}}[31m{}`", "b".repeat(74)));
    }
}
