//! Writes the public part of a description as TOML that [`crate::Description::from_toml`] reads back to an equal curve.

use std::fmt::Write;

use num_bigint::BigUint;

use crate::{Curve, Family, Kind, Supersingular};

impl Curve {
    /// The description as TOML. Factors of a composite order are in it only where the description itself made them
    /// public; otherwise their sizes are.
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        if self.is_test_only() {
            text.push_str("# TEST ONLY: the factors of n are public.\n\n");
        }
        let Family::Supersingular(s) = &self.family;
        line(&mut text, "name", &quoted(&self.name));
        if !self.aliases.is_empty() {
            line(&mut text, "aliases", &array(self.aliases.iter().map(|alias| quoted(alias))));
        }
        line(&mut text, "family", if s.kind() == Kind::A { "\"a\"" } else { "\"a1\"" });
        for (key, value) in [("source", &self.source), ("note", &self.note)] {
            if !value.is_empty() {
                line(&mut text, key, &quoted(value));
            }
        }
        supersingular(&mut text, s);
        text
    }
}

fn supersingular(text: &mut String, s: &Supersingular) {
    text.push_str("\n[parameters]\n");
    match s.kind() {
        Kind::A => {
            line(text, "r", &integer(s.order()));
            line(text, "h", &integer(s.cofactor()));
        }
        Kind::A1 => {
            line(text, "n", &integer(s.order()));
            line(text, "l", &integer(s.cofactor()));
            if let Some(factors) = s.factors() {
                line(text, "factors_public", "true");
                line(text, "factors", &array(factors.iter().map(integer)));
            } else if let Some(bits) = s.prime_bits() {
                line(text, "prime_bits", &array(bits.iter().map(u64::to_string)));
            }
        }
    }
    if let Some((x, y)) = s.generator() {
        text.push_str("\n[g1]\n");
        line(text, "x", &integer(x));
        line(text, "y", &integer(y));
    }
}

fn line(text: &mut String, key: &str, value: &str) {
    // writing to a String cannot fail
    let _ = writeln!(text, "{key} = {value}");
}

fn integer(value: &BigUint) -> String {
    format!("\"{value}\"")
}

fn array(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// A TOML basic string with the escapes that TOML requires.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
