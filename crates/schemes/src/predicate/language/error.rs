//! Errors in a predicate, a schema or a row.

use super::schema::MAX_VALUES;
use crate::predicate::scheme::Scheme;

/// The error for a predicate that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("character {at}: expected {expected}, found {found}")]
pub struct SyntaxError {
    /// The position of the character, from 1.
    pub at: usize,
    /// The input that was expected.
    pub expected: String,
    /// The input found instead.
    pub found: String,
}

impl SyntaxError {
    /// Creates an error; `at` counts from 0.
    pub(super) fn new(at: usize, expected: &str, found: &str) -> SyntaxError {
        SyntaxError { at: at + 1, expected: expected.to_owned(), found: found.to_owned() }
    }
}

/// The reason why a schema is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// The schema has no attribute.
    #[error("a schema needs at least one attribute")]
    Empty,
    /// The schema has too many attributes.
    #[error("{given} attributes: at most {most} are allowed")]
    Attributes {
        /// The number of attributes.
        given: usize,
        /// The most attributes of a schema.
        most: usize,
    },
    /// Two attributes have one name.
    #[error("there are two attributes named {0}")]
    Repeated(String),
    /// The range of an attribute is empty, or has 2^63 numbers or more.
    #[error("attribute {0}: its range is empty, or has 2^63 numbers or more")]
    Range(String),
    /// The list of choices is empty or has a repetition.
    #[error("attribute {0}: it has no choices, or one of them is repeated")]
    Choices(String),
    /// A name or a choice has a line break.
    #[error("attribute {0}: names and choices must not contain line breaks")]
    Break(String),
    /// No predicate can ask for this number of values.
    #[error("attribute {name}: {most} values in one predicate: 1 to {limit} are allowed")]
    Most {
        /// The name of the attribute.
        name: String,
        /// The number asked for.
        most: usize,
        /// The greatest number that is allowed.
        limit: usize,
    },
    /// An attribute to be joined does not exist, or is joined with itself.
    #[error("cannot join attribute {0}: it does not exist, or is joined with itself")]
    Joint(String),
    /// There are too many lists of joined attributes.
    #[error("{given} lists of joined attributes: at most {most} are allowed")]
    Joints {
        /// The number of lists.
        given: usize,
        /// The most lists of a schema.
        most: usize,
    },
    /// The vectors would be too long.
    #[error("vectors of {length} elements: at most {most} are allowed")]
    Length {
        /// The length that the vectors would have.
        length: usize,
        /// The greatest length.
        most: usize,
    },
    /// The scheme needs vectors of another kind.
    #[error("the vectors of this schema do not suit {0}")]
    Scheme(
        /// The scheme asked for.
        Scheme,
    ),
    /// The text does not describe a schema.
    #[error("line {line}: {reason}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// The fault of the line.
        reason: String,
    },
}

/// The reason why a row does not fit its schema.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// The row has more or fewer values than the schema has attributes.
    #[error("the number of values is {given}: the schema has {wanted}, one for each attribute")]
    Count {
        /// The number of values given.
        given: usize,
        /// The number of attributes.
        wanted: usize,
    },
    /// A value has another type than its attribute.
    #[error("attribute {attribute}: expected {wanted}")]
    Type {
        /// The name of the attribute.
        attribute: String,
        /// The type that the attribute takes.
        wanted: &'static str,
    },
    /// A value is outside the range or the choices of its attribute.
    #[error("attribute {attribute}: the value is not one of {domain}")]
    Domain {
        /// The name of the attribute.
        attribute: String,
        /// The values that the attribute takes.
        domain: String,
    },
}

/// The reason why no token can be made for a predicate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PredicateTextError {
    /// The predicate cannot be parsed.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// The schema has no such attribute.
    #[error("character {at}: no attribute is called {name}; the schema has {known}")]
    Unknown {
        /// The position of the character, from 1.
        at: usize,
        /// The name in the predicate.
        name: String,
        /// The names of the schema's attributes.
        known: String,
    },
    /// A value does not fit its attribute.
    #[error("character {at}: {reason}")]
    Value {
        /// The position of the character, from 1.
        at: usize,
        /// Why the value does not fit.
        reason: ValueError,
    },
    /// The attribute does not have this comparison.
    #[error("character {at}: {attribute} holds {kind}, which cannot be compared by order")]
    Order {
        /// The position of the character, from 1.
        at: usize,
        /// The name of the attribute.
        attribute: String,
        /// The kind of values that the attribute holds.
        kind: &'static str,
    },
    /// The condition holds of no value.
    #[error("character {at}: no value of {attribute} satisfies this")]
    Nothing {
        /// The position of the character, from 1.
        at: usize,
        /// The name of the attribute.
        attribute: String,
    },
    /// The predicate asks for more values than the degree of the attribute.
    #[error("character {at}: {wanted} values of {attribute}, but the schema allows {most}: {}", remedy(*wanted))]
    Values {
        /// The position of the character, from 1.
        at: usize,
        /// The name of the attribute.
        attribute: String,
        /// The number of values asked for.
        wanted: u64,
        /// The most values that the schema allows.
        most: usize,
    },
    /// An OR of attributes that the schema does not join.
    #[error("character {at}: OR combines {attributes}, which the schema does not join")]
    Joint {
        /// The position of the character, from 1.
        at: usize,
        /// The names of the attributes.
        attributes: String,
    },
    /// A condition with several values of a text; hidden vectors allow one.
    #[error(
        "character {at}: hidden vectors allow only one value of the text {attribute}: make it a choice in the schema, or \
         use several tokens"
    )]
    Texts {
        /// The position of the character, from 1.
        at: usize,
        /// The name of the attribute.
        attribute: String,
    },
    /// An OR that hidden vectors cannot express.
    #[error("character {at}: hidden vectors allow OR only between values of one attribute; inner products allow more")]
    Or {
        /// The position of the character, from 1.
        at: usize,
    },
    /// A set of numbers that is not a range.
    #[error("character {at}: these values of {attribute} are not a range, and hidden vectors allow only ranges")]
    NoRange {
        /// The position of the character, from 1.
        at: usize,
        /// The name of the attribute.
        attribute: String,
    },
}

/// Returns advice for a predicate that asks for more values of an attribute than the schema allows.
fn remedy(wanted: u64) -> String {
    let what = if wanted <= MAX_VALUES as u64 {
        format!("add \"most {wanted}\" to the attribute in the schema before the keys are made")
    } else {
        format!("no schema allows more than {MAX_VALUES}")
    };
    what + " (a range counts each of its integers)"
}
