//! Schemas as text, to be kept in files. One attribute per line, with names and values as in predicates:
//!
//! ```text
//! inner product
//! city text most 2
//! age integer 0 120 most 10
//! state choice 'new' 'paid'
//! join city age
//! ```
//!
//! `hidden vector` in the first line makes a schema for hidden vectors, without `most` and `join`; `inner product in
//! dual spaces` and `inner product with matrices` make inner products over a prime order.

use super::error::SchemaError;
use super::lex::{Lexeme, lexemes};
use super::schema::{Attribute, Domain, KINDS, Schema, Shape};
use crate::predicate::scheme::Scheme;
use std::fmt;
use std::str::FromStr;

impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_inner = matches!(self.shape, Shape::InnerProduct(..));
        writeln!(f, "{}", self.kind())?;
        let name = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
        for attribute in &self.attributes {
            write!(f, "{} ", name(&attribute.name))?;
            match &attribute.domain {
                Domain::Text => write!(f, "text")?,
                Domain::Integer(from, to) => write!(f, "integer {from} {to}")?,
                Domain::Choice(choices) => {
                    write!(f, "choice")?;
                    choices.iter().try_for_each(|choice| write!(f, " '{}'", choice.replace('\'', "''")))?;
                }
            }
            if is_inner {
                write!(f, " most {}", attribute.most)?;
            }
            writeln!(f)?;
        }
        if let Shape::InnerProduct(joint, _) = &self.shape {
            for list in joint {
                let names: Vec<String> = list.iter().map(|i| name(&self.attributes[*i].name)).collect();
                writeln!(f, "join {}", names.join(" "))?;
            }
        }
        Ok(())
    }
}

impl FromStr for Schema {
    type Err = SchemaError;

    fn from_str(text: &str) -> Result<Schema, SchemaError> {
        if text.starts_with('\u{feff}') {
            return wrong(1, "the schema begins with a byte-order mark: save it as UTF-8 without one");
        }
        let mut lines = text.lines().map(str::trim).zip(1..).filter(|(line, _)| !line.is_empty());
        let (kind, line) = lines.next().unwrap_or(("", 1));
        let Some((_, scheme)) = KINDS.iter().find(|(name, _)| *name == kind) else {
            return wrong(line, &format!("expected one of {}", KINDS.map(|(kind, _)| kind).join(", ")));
        };
        let is_inner = *scheme != Scheme::HiddenVector;
        let (mut attributes, mut joint) = (vec![], vec![]);
        for (text, line) in lines {
            let lexemes = lexemes(text).or_else(|error| wrong(line, &error.to_string()))?;
            let mut rest = lexemes.into_iter().map(|(_, lexeme)| lexeme);
            let first = rest.next();
            if is_inner && first == Some(Lexeme::Word("join".to_owned())) {
                joint.push(
                    rest.take_while(|lexeme| *lexeme != Lexeme::End)
                        .map(|lexeme| name(line, Some(lexeme)))
                        .collect::<Result<Vec<_>, _>>()?,
                );
            } else {
                attributes.push(attribute(line, &name(line, first)?, &mut rest, is_inner)?);
            }
        }
        if !is_inner {
            return Schema::hidden_vector(attributes);
        }
        let joint: Vec<Vec<&str>> = joint.iter().map(|list| list.iter().map(String::as_str).collect()).collect();
        let joint: Vec<&[&str]> = joint.iter().map(Vec::as_slice).collect();
        Schema::inner_product(attributes, &joint)?.with_scheme(*scheme)
    }
}

fn wrong<T>(line: usize, reason: &str) -> Result<T, SchemaError> {
    Err(SchemaError::Line { line, reason: reason.to_owned() })
}

fn name(line: usize, lexeme: Option<Lexeme>) -> Result<String, SchemaError> {
    match lexeme {
        Some(Lexeme::Word(name) | Lexeme::Name(name)) => Ok(name),
        _ => wrong(line, "expected the name of an attribute"),
    }
}

/// Parses the part of a line behind the name of an attribute.
fn attribute(
    line: usize,
    name: &str,
    rest: &mut impl Iterator<Item = Lexeme>,
    is_inner: bool,
) -> Result<Attribute, SchemaError> {
    let mut next = || rest.next().unwrap_or(Lexeme::End);
    let (mut attribute, mut after) = match next() {
        Lexeme::Word(word) if word == "text" => (Attribute::text(name), next()),
        Lexeme::Word(word) if word == "integer" => match (next(), next()) {
            (Lexeme::Integer(from), Lexeme::Integer(to)) => (Attribute::integer(name, from, to), next()),
            _ => return wrong(line, "expected two numbers after integer"),
        },
        Lexeme::Word(word) if word == "choice" => {
            let mut choices = vec![];
            let after = loop {
                match next() {
                    Lexeme::Text(choice) => choices.push(choice),
                    after => break after,
                }
            };
            let choices: Vec<&str> = choices.iter().map(String::as_str).collect();
            (Attribute::choice(name, &choices), after)
        }
        _ => return wrong(line, "expected text, integer or choice after the name"),
    };
    if is_inner && after == Lexeme::Word("most".to_owned()) {
        let Lexeme::Integer(most) = next() else { return wrong(line, "expected a number after most") };
        attribute = attribute.most(usize::try_from(most).unwrap_or_default());
        after = next();
    }
    if after == Lexeme::End { Ok(attribute) } else { wrong(line, &format!("expected the end, found {after}")) }
}
