//! Writes the public part of a description as TOML that [`crate::Description::from_toml`] reads back to an equal curve.

use std::fmt::{Display, Write};

use num_bigint::BigUint;

use crate::{
    Binary, Curve, DegreeOne, Family, Layout, QuadraticTwist, Sextic, Supersingular, SupersingularKind, Ternary, Twist,
};

impl Curve {
    /// Writes the description as TOML. It has the factors of a composite order only if the description itself made
    /// them public, and otherwise their sizes if they are known.
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        if self.is_test_only() {
            text.push_str("# TEST ONLY: the factors of n are public.\n\n");
        }
        line(&mut text, "name", &quoted(&self.name));
        if !self.aliases.is_empty() {
            line(&mut text, "aliases", &array(self.aliases.iter().map(|alias| quoted(alias))));
        }
        line(&mut text, "family", &quoted(self.family.name()));
        if self.layout != Layout::default() {
            line(&mut text, "layout", &quoted(self.layout.name()));
        }
        for (key, value) in [("source", &self.source), ("note", &self.note)] {
            if !value.is_empty() {
                line(&mut text, key, &quoted(value));
            }
        }
        text.push_str("\n[parameters]\n");
        match &self.family {
            Family::Supersingular(s) => supersingular(&mut text, s),
            Family::Sextic(s) => sextic(&mut text, s),
            Family::QuadraticTwist(s) => quadratic(&mut text, s),
            Family::DegreeOne(s) => degree_one(&mut text, s),
            Family::Binary(s) => binary(&mut text, s),
            Family::Ternary(s) => ternary(&mut text, s),
        }
        text
    }
}

fn supersingular(text: &mut String, s: &Supersingular) {
    match s.kind() {
        SupersingularKind::A => {
            line(text, "r", &integer(s.order()));
            line(text, "h", &integer(s.cofactor()));
        }
        SupersingularKind::A1 => {
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
    point(text, "g1", s.generator());
}

fn sextic(text: &mut String, s: &Sextic) {
    line(text, "u", &integer(s.u()));
    if let Some(b) = s.b() {
        line(text, "b", &integer(b));
    }
    if let Some(twist) = s.twist() {
        line(text, "twist", &quoted(if twist == Twist::D { "D" } else { "M" }));
    }
    if let Some(tower) = s.tower() {
        text.push_str("\n[tower]\n");
        line(text, "beta", &integer(&tower.beta));
        if let Some(xi) = &tower.xi {
            line(text, "xi", &array(xi.iter().map(integer)));
        }
    }
    point(text, "g1", s.g1());
    extension_point(text, s.g2());
    for (group, suite) in [("g1", s.g1_suite()), ("g2", s.g2_suite())] {
        let Some(suite) = suite else { continue };
        let _ = writeln!(text, "\n[hash.{group}]");
        for (key, values) in suite.primary() {
            line(text, key, &array(values.iter().map(integer)));
        }
    }
}

fn quadratic(text: &mut String, s: &QuadraticTwist) {
    for (key, value) in [("q", s.q()), ("n", s.n()), ("h", s.h()), ("r", s.r()), ("a", s.a()), ("b", s.b())] {
        line(text, key, &integer(value));
    }
    line(text, "coefficients", &array(s.coefficients().iter().map(integer)));
    line(text, "nqr", &integer(s.nqr()));
    point(text, "g1", s.g1());
    extension_point(text, s.g2());
}

fn degree_one(text: &mut String, s: &DegreeOne) {
    for (key, value) in [("q", s.q()), ("r", s.r()), ("h", s.h()), ("a", s.a()), ("b", s.b())] {
        line(text, key, &integer(value));
    }
    if let Some(form) = s.form() {
        line(text, "exp2", &form.exp2.to_string());
        line(text, "exp1", &form.exp1.to_string());
        line(text, "sign1", &form.sign1.to_string());
        line(text, "sign0", &form.sign0.to_string());
    }
    point(text, "g1", s.g1());
    point(text, "g2", s.g2());
}

fn binary(text: &mut String, s: &Binary) {
    line(text, "polynomial", &array(s.exponents().iter().map(u64::to_string)));
    line(text, s.genus().constant(), &u8::from(s.b()).to_string());
    line(text, "h", &integer(s.h()));
}

fn ternary(text: &mut String, s: &Ternary) {
    line(text, "polynomial", &array(s.exponents().iter().map(u64::to_string)));
    line(text, "coefficients", &array(s.coefficients().iter().map(u64::to_string)));
    line(text, "b", if s.b() { "1" } else { "-1" });
    line(text, "h", &integer(s.h()));
}

fn point(text: &mut String, table: &str, point: Option<(&BigUint, &BigUint)>) {
    if let Some((x, y)) = point {
        let _ = writeln!(text, "\n[{table}]");
        line(text, "x", &integer(x));
        line(text, "y", &integer(y));
    }
}

fn extension_point(text: &mut String, point: Option<(&[BigUint], &[BigUint])>) {
    if let Some((x, y)) = point {
        text.push_str("\n[g2]\n");
        line(text, "x", &array(x.iter().map(integer)));
        line(text, "y", &array(y.iter().map(integer)));
    }
}

fn line(text: &mut String, key: &str, value: &str) {
    // writing to a String cannot fail
    let _ = writeln!(text, "{key} = {value}");
}

fn integer(value: impl Display) -> String {
    format!("\"{value}\"")
}

fn array(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// Formats a text as a TOML basic string with the escapes that TOML requires.
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
