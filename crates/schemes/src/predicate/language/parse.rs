//! The grammar of predicates, by recursive descent:
//!
//! ```text
//! predicate = term {OR term}          term  = factor {AND factor}
//! factor    = ( predicate ) | * | name condition
//! condition = = value | = * | < integer | <= integer | > integer | >= integer
//!           | IN ( value {, value} ) | BETWEEN integer AND integer
//! value     = 'text' | integer        name  = word | "any name"
//! ```
//!
//! AND, OR, IN and BETWEEN are accepted in any case; a quote within quotes is written twice. `*` stands for
//! everything.

use super::error::SyntaxError;
use super::lex::{Lexeme, lexemes};
use super::schema::Value;

/// The greatest depth of nested parentheses.
const DEEPEST: usize = 64;

/// A predicate as it was written. Positions count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expression {
    /// Every row satisfies this.
    All,
    And(Vec<Expression>),
    /// A disjunction, with the position of the first OR.
    Or(usize, Vec<Expression>),
    /// The position, the name of an attribute, and the condition.
    Is(usize, String, Condition),
}

/// A condition on an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    Any,
    /// The attribute has one of these values, each with its position.
    In(Vec<(usize, Value)>),
    /// The attribute is between two integers, both included; the first field is the position.
    Between(usize, i64, i64),
}

struct Parser {
    lexemes: Vec<(usize, Lexeme)>,
    next: usize,
    depth: usize,
}

/// Parses the expression of a text.
pub(super) fn parse(text: &str) -> Result<Expression, SyntaxError> {
    let mut parser = Parser { lexemes: lexemes(text)?, next: 0, depth: 0 };
    let expression = parser.predicate()?;
    if *parser.peek() != Lexeme::End {
        return parser.wrong("AND, OR or the end");
    }
    Ok(expression)
}

impl Parser {
    fn peek(&self) -> &Lexeme {
        &self.lexemes[self.next].1
    }

    fn at(&self) -> usize {
        self.lexemes[self.next].0
    }

    /// Advances by one lexeme, but never beyond the end.
    fn step(&mut self) {
        self.next = (self.next + 1).min(self.lexemes.len() - 1);
    }

    fn wrong<T>(&self, expected: &str) -> Result<T, SyntaxError> {
        Err(SyntaxError::new(self.at() - 1, expected, &self.peek().to_string()))
    }

    /// Advances over a word of the language, or a sign, if it is next. Returns true if so.
    fn has(&mut self, wanted: &str) -> bool {
        let here = match self.peek() {
            Lexeme::Word(word) => word.eq_ignore_ascii_case(wanted),
            Lexeme::Sign(sign) => *sign == wanted,
            _ => false,
        };
        if here {
            self.step();
        }
        here
    }

    fn must(&mut self, wanted: &str) -> Result<(), SyntaxError> {
        if self.has(wanted) { Ok(()) } else { self.wrong(wanted) }
    }

    fn predicate(&mut self) -> Result<Expression, SyntaxError> {
        let mut terms = vec![self.term()?];
        let at = self.at();
        while self.has("OR") {
            terms.push(self.term()?);
        }
        Ok(if terms.len() == 1 { terms.remove(0) } else { Expression::Or(at, terms) })
    }

    fn term(&mut self) -> Result<Expression, SyntaxError> {
        let mut factors = vec![self.factor()?];
        while self.has("AND") {
            factors.push(self.factor()?);
        }
        Ok(if factors.len() == 1 { factors.remove(0) } else { Expression::And(factors) })
    }

    fn factor(&mut self) -> Result<Expression, SyntaxError> {
        if self.has("*") {
            return Ok(Expression::All);
        }
        let at = self.at();
        if self.has("(") {
            if self.depth == DEEPEST {
                let expected = format!("a condition with at most {DEEPEST} parentheses around it");
                return Err(SyntaxError::new(at - 1, &expected, "("));
            }
            self.depth += 1;
            let inner = self.predicate()?;
            self.depth -= 1;
            self.must(")")?;
            return Ok(inner);
        }
        let name = match self.peek() {
            Lexeme::Word(word) if !["and", "or", "in", "between"].contains(&&*word.to_lowercase()) => word.clone(),
            Lexeme::Name(name) => name.clone(),
            _ => return self.wrong("the name of an attribute, ( or *"),
        };
        self.step();
        Ok(Expression::Is(at, name, self.condition()?))
    }

    fn condition(&mut self) -> Result<Condition, SyntaxError> {
        let at = self.at();
        if self.has("=") {
            return Ok(if self.has("*") { Condition::Any } else { Condition::In(vec![self.value()?]) });
        }
        if self.has("IN") {
            self.must("(")?;
            let mut values = vec![self.value()?];
            while self.has(",") {
                values.push(self.value()?);
            }
            self.must(")")?;
            return Ok(Condition::In(values));
        }
        // a comparison beyond the least or the greatest integer gives an empty range
        let (from, to) = if self.has("BETWEEN") {
            let from = self.integer()?;
            self.must("AND")?;
            (from, self.integer()?)
        } else if self.has("<=") {
            (i64::MIN, self.integer()?)
        } else if self.has(">=") {
            (self.integer()?, i64::MAX)
        } else if self.has("<") {
            self.integer()?.checked_sub(1).map_or((1, 0), |to| (i64::MIN, to))
        } else if self.has(">") {
            self.integer()?.checked_add(1).map_or((1, 0), |from| (from, i64::MAX))
        } else {
            return self.wrong("=, <, <=, >, >=, IN or BETWEEN");
        };
        Ok(Condition::Between(at, from, to))
    }

    fn value(&mut self) -> Result<(usize, Value), SyntaxError> {
        let value = match self.peek() {
            Lexeme::Text(text) => Value::Text(text.clone()),
            Lexeme::Integer(x) => Value::Integer(*x),
            _ => return self.wrong("a value ('text' or a number)"),
        };
        let at = self.at();
        self.step();
        Ok((at, value))
    }

    fn integer(&mut self) -> Result<i64, SyntaxError> {
        let Lexeme::Integer(x) = *self.peek() else { return self.wrong("a number") };
        self.step();
        Ok(x)
    }
}
