//! What is wrong with a predicate, a schema or a row.

use super::schema::MOST_VALUES;
use crate::predicate::scheme::Scheme;

/// A predicate that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("character {at}: {expected} is expected, not {found}")]
pub struct SyntaxError {
    /// Where, counted from 1.
    pub at: usize,
    /// What could stand there.
    pub expected: String,
    /// What does.
    pub found: String,
}

impl SyntaxError {
    /// `at` counts from 0.
    pub(super) fn new(at: usize, expected: &str, found: &str) -> SyntaxError {
        SyntaxError { at: at + 1, expected: expected.to_owned(), found: found.to_owned() }
    }
}

/// A schema that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// No attribute.
    #[error("a schema has at least one attribute")]
    Empty,
    /// More attributes than there may be.
    #[error("{given} attributes: there may be {most}")]
    Attributes {
        /// How many there are.
        given: usize,
        /// How many there may be.
        most: usize,
    },
    /// Two attributes of one name.
    #[error("there are two attributes {0}")]
    Repeated(String),
    /// An empty range, or one of 2^63 numbers and more.
    #[error("attribute {0}: its range is empty or too long")]
    Range(String),
    /// A list of choices that is empty or has one twice.
    #[error("attribute {0}: its choices are none, or one is there twice")]
    Choices(String),
    /// A name or a choice with a line break.
    #[error("attribute {0}: names and choices have no line breaks")]
    Break(String),
    /// A number of values that no predicate can ask for.
    #[error("attribute {name}: {most} values in one predicate: there may be 1 to {limit}")]
    Most {
        /// The attribute.
        name: String,
        /// What was asked for.
        most: usize,
        /// What there may be.
        limit: usize,
    },
    /// Attributes that are to be joined and are not there.
    #[error("attributes are joined by their names: {0} is none, or is joined with itself")]
    Joint(String),
    /// More lists of joined attributes than there may be.
    #[error("{given} lists of joined attributes: there may be {most}")]
    Joints {
        /// How many there are.
        given: usize,
        /// How many there may be.
        most: usize,
    },
    /// Too long a vector.
    #[error("vectors of {length} elements: there may be {most}")]
    Length {
        /// How long it would be.
        length: usize,
        /// How long it may be.
        most: usize,
    },
    /// A scheme for vectors of another kind.
    #[error("the vectors of this schema are none of {0}")]
    Scheme(
        /// The scheme.
        Scheme,
    ),
    /// A text that describes no schema.
    #[error("line {line}: {reason}")]
    Line {
        /// Which, counted from 1.
        line: usize,
        /// Why.
        reason: String,
    },
}

/// A row that does not fit its schema.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// More or fewer values.
    #[error("{given} values: the schema has {wanted} attributes")]
    Count {
        /// How many were given.
        given: usize,
        /// How many attributes there are.
        wanted: usize,
    },
    /// A value of another type.
    #[error("attribute {attribute}: {wanted} is expected")]
    Type {
        /// The attribute.
        attribute: String,
        /// What it takes.
        wanted: &'static str,
    },
    /// A value outside the range or the choices.
    #[error("attribute {attribute}: the value is none of {domain}")]
    Domain {
        /// The attribute.
        attribute: String,
        /// What it takes.
        domain: String,
    },
}

/// A predicate that has no token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PredicateTextError {
    /// It cannot be read.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// An attribute that the schema does not have.
    #[error("character {at}: no attribute is called {name}; there are {known}")]
    Unknown {
        /// Where, counted from 1.
        at: usize,
        /// The name.
        name: String,
        /// The attributes.
        known: String,
    },
    /// A value that does not fit the attribute.
    #[error("character {at}: {reason}")]
    Value {
        /// Where, counted from 1.
        at: usize,
        /// Why.
        reason: ValueError,
    },
    /// A comparison that the attribute does not have.
    #[error("character {at}: {attribute} holds {kind}, which is not compared by order")]
    Order {
        /// Where, counted from 1.
        at: usize,
        /// The attribute.
        attribute: String,
        /// What it holds.
        kind: &'static str,
    },
    /// A condition that holds of no value.
    #[error("character {at}: no value of {attribute} satisfies this")]
    Nothing {
        /// Where, counted from 1.
        at: usize,
        /// The attribute.
        attribute: String,
    },
    /// More values than the degree of the attribute.
    #[error("character {at}: {wanted} values of {attribute}, and the schema allows {most}: {}", remedy(*wanted))]
    Values {
        /// Where, counted from 1.
        at: usize,
        /// The attribute.
        attribute: String,
        /// How many are asked for.
        wanted: u64,
        /// How many there may be.
        most: usize,
    },
    /// OR of attributes that are not joined.
    #[error("character {at}: OR brings {attributes} together, which the schema does not join")]
    Joint {
        /// Where, counted from 1.
        at: usize,
        /// The attributes.
        attributes: String,
    },
    /// Several values of a text, of which hidden vectors take one.
    #[error(
        "character {at}: hidden vectors take one value of the text {attribute}: make it a choice in the schema, or ask with \
         several tokens"
    )]
    Texts {
        /// Where, counted from 1.
        at: usize,
        /// The attribute.
        attribute: String,
    },
    /// OR that hidden vectors do not have.
    #[error("character {at}: hidden vectors have OR of the values of one attribute alone; inner products have more")]
    Or {
        /// Where, counted from 1.
        at: usize,
    },
    /// A set of numbers that is no range.
    #[error("character {at}: these values of {attribute} are no range, which hidden vectors take alone")]
    NoRange {
        /// Where, counted from 1.
        at: usize,
        /// The attribute.
        attribute: String,
    },
}

/// What to do about an attribute with too few values in one predicate.
fn remedy(wanted: u64) -> String {
    let what = if wanted <= MOST_VALUES as u64 {
        format!("write \"most {wanted}\" behind the attribute before the keys are made")
    } else {
        format!("no schema allows more than {MOST_VALUES}")
    };
    what + " (a range counts each of its integers)"
}
