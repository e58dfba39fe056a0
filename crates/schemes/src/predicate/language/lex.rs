//! The lexer: words, texts, numbers and signs of a predicate, each with its position.

use super::error::SyntaxError;
use std::fmt;

/// A lexeme of a predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Lexeme {
    /// A name or a word of the language.
    Word(String),
    /// A name in double quotes, which is not a word of the language.
    Name(String),
    /// A text in single quotes.
    Text(String),
    Integer(i64),
    /// = < <= > >= ( ) , *
    Sign(&'static str),
    End,
}

impl fmt::Display for Lexeme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lexeme::Word(word) => write!(f, "{word}"),
            Lexeme::Name(name) => write!(f, "\"{name}\""),
            Lexeme::Text(text) => write!(f, "'{text}'"),
            Lexeme::Integer(x) => write!(f, "{x}"),
            Lexeme::Sign(sign) => write!(f, "{sign}"),
            Lexeme::End => write!(f, "the end"),
        }
    }
}

const SIGNS: [&str; 9] = ["<=", ">=", "=", "<", ">", "(", ")", ",", "*"];

/// Splits a text into lexemes, each with the position of its first character, from 1; the last is the end.
pub(super) fn lexemes(text: &str) -> Result<Vec<(usize, Lexeme)>, SyntaxError> {
    let characters: Vec<char> = text.chars().collect();
    let (mut at, mut found) = (0, vec![]);
    while at < characters.len() {
        let (start, c) = (at, characters[at]);
        let lexeme = match c {
            _ if c.is_whitespace() => {
                at += 1;
                continue;
            }
            '\'' | '"' => {
                let quoted = quoted(&characters, &mut at)?;
                if c == '"' { Lexeme::Name(quoted) } else { Lexeme::Text(quoted) }
            }
            _ if c.is_ascii_digit() || c == '-' => {
                at += 1;
                take(&characters, &mut at, |c| c.is_ascii_digit());
                let digits: String = characters[start..at].iter().collect();
                let wrong = |_| SyntaxError::new(start, "a number from -2^63 to 2^63 - 1", &digits);
                Lexeme::Integer(digits.parse().map_err(wrong)?)
            }
            _ if c.is_alphabetic() || c == '_' => {
                take(&characters, &mut at, |c| c.is_alphanumeric() || c == '_' || c == '.');
                Lexeme::Word(characters[start..at].iter().collect())
            }
            _ => {
                let is_here = |sign: &&&str| sign.chars().eq(characters[at..].iter().take(sign.len()).copied());
                let sign = SIGNS.iter().find(is_here);
                let sign = sign.ok_or_else(|| SyntaxError::new(start, "a name, a value or a sign", &c.to_string()))?;
                at += sign.len();
                Lexeme::Sign(sign)
            }
        };
        found.push((start + 1, lexeme));
    }
    found.push((characters.len() + 1, Lexeme::End));
    Ok(found)
}

fn take(characters: &[char], at: &mut usize, belongs: impl Fn(char) -> bool) {
    while characters.get(*at).is_some_and(|c| belongs(*c)) {
        *at += 1;
    }
}

/// Returns the text between quotes, in which two quotes stand for one.
fn quoted(characters: &[char], at: &mut usize) -> Result<String, SyntaxError> {
    let (start, quote) = (*at, characters[*at]);
    let mut text = String::new();
    *at += 1;
    loop {
        match (characters.get(*at), characters.get(*at + 1)) {
            (Some(c), Some(next)) if *c == quote && *next == quote => {
                text.push(quote);
                *at += 2;
            }
            (Some(c), _) if *c == quote => {
                *at += 1;
                return Ok(text);
            }
            (Some(c), _) => {
                text.push(*c);
                *at += 1;
            }
            (None, _) => return Err(SyntaxError::new(start, &format!("a closing {quote}"), "the end")),
        }
    }
}
