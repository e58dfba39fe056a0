//! The attributes of a table, and the vectors that rows become.
//!
//! | | elements of an attribute |
//! |---|---|
//! | inner products | x, x², …, x^d, for predicates that ask for d values at most; and 1 once; for attributes that are joined, all products of these powers |
//! | hidden vectors, a text | a hash of 128 bits |
//! | hidden vectors, an integer from a to b | for each c from a to b an element, 1 where x ≥ c, else 0 (Boneh and Waters, section 4) |
//! | hidden vectors, one of t choices | 1, and for each choice an element, 1 where it is that, else 0 |
//!
//! A missing value is a number that no condition asks for. Texts of one attribute are distinct except for collisions
//! of SHA-256 truncated to 128 bits.

use super::error::{SchemaError, ValueError};
use crate::predicate::scheme::{MAX_LENGTH, Scheme};
use crate::scalar::{Ring, Scalar};
use bilinear_engine::BigUint;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// The number of a missing value in inner products; all other numbers are smaller.
const MISSING: u64 = u64::MAX;
/// Each element of a missing value in hidden vectors; other elements are 0 and 1.
const NEITHER: u64 = 2;

/// The most values of an attribute that one predicate may ask for.
pub(super) const MAX_VALUES: usize = u8::MAX as usize;

/// The number of choices that an error names.
const CHOICES_NAMED: usize = 10;

/// The possible first lines of the text of a schema.
pub(super) const KINDS: [(&str, Scheme); 4] = [
    ("hidden vector", Scheme::HiddenVector),
    ("inner product", Scheme::InnerProduct),
    ("inner product in dual spaces", Scheme::DualSpaces),
    ("inner product with matrices", Scheme::Matrices),
];

/// A value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A text, or one of the choices.
    Text(String),
    /// An integer.
    Integer(i64),
    /// A missing value; no condition but a wildcard holds of it.
    Null,
}

impl Value {
    /// Creates a text.
    pub fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }
}

/// The set of values of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Domain {
    Text,
    /// The integers from the first to the second, both included.
    Integer(i64, i64),
    Choice(Vec<String>),
}

/// A column that predicates may refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    pub(super) name: String,
    pub(super) domain: Domain,
    pub(super) most: usize,
}

impl Attribute {
    /// Creates an attribute of texts.
    pub fn text(name: &str) -> Attribute {
        Attribute { name: name.to_owned(), domain: Domain::Text, most: 1 }
    }

    /// Creates an attribute of integers from `from` to `to`, both included.
    pub fn integer(name: &str, from: i64, to: i64) -> Attribute {
        Attribute { name: name.to_owned(), domain: Domain::Integer(from, to), most: 1 }
    }

    /// Creates an attribute whose value is one of several texts.
    pub fn choice(name: &str, choices: &[&str]) -> Attribute {
        let choices = choices.iter().map(|choice| (*choice).to_owned()).collect();
        Attribute { name: name.to_owned(), domain: Domain::Choice(choices), most: 1 }
    }

    /// Sets, for inner products, how many values one predicate may ask for, which is the degree of its polynomial in
    /// this attribute. The default is 1. A range asks for each of its integers.
    #[must_use]
    pub fn most(mut self, values: usize) -> Attribute {
        self.most = values;
        self
    }

    /// The name of the attribute.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns true if the attribute holds integers, and not texts.
    pub fn is_integer(&self) -> bool {
        matches!(self.domain, Domain::Integer(..))
    }

    /// The kind of values of the attribute, in words.
    pub(super) fn kind(&self) -> &'static str {
        match self.domain {
            Domain::Text => "texts",
            Domain::Integer(..) => "integers",
            Domain::Choice(_) => "choices",
        }
    }

    /// Checks that the attribute has values, fewer than 2^63, without repetitions, and that its texts have one line.
    fn check(&self) -> Result<(), SchemaError> {
        let choices = match &self.domain {
            Domain::Choice(choices) => &choices[..],
            _ => &[],
        };
        if choices.iter().chain([&self.name]).any(|text| text.contains(['\n', '\r'])) {
            return Err(SchemaError::Break(self.name.clone()));
        }
        match &self.domain {
            Domain::Integer(from, to) if !(1..1 << 63).contains(&(i128::from(*to) - i128::from(*from) + 1)) => {
                Err(SchemaError::Range(self.name.clone()))
            }
            Domain::Choice(choices)
                if choices.is_empty() || choices.iter().collect::<BTreeSet<_>>().len() < choices.len() =>
            {
                Err(SchemaError::Choices(self.name.clone()))
            }
            _ => Ok(()),
        }
    }

    /// The number of elements of the attribute in a hidden vector.
    pub(super) fn width(&self) -> usize {
        match &self.domain {
            Domain::Text => 1,
            Domain::Integer(from, to) => (i128::from(*to) - i128::from(*from) + 1) as usize,
            Domain::Choice(choices) => choices.len() + 1,
        }
    }

    /// Returns the number of a value, or a hash of 128 bits; `None` for a missing value.
    pub(super) fn number(&self, value: &Value) -> Result<Option<Number>, ValueError> {
        let wrong = |wanted| ValueError::Type { attribute: self.name.clone(), wanted };
        let outside = |domain| ValueError::Domain { attribute: self.name.clone(), domain };
        match (&self.domain, value) {
            (_, Value::Null) => Ok(None),
            (Domain::Text, Value::Text(text)) => Ok(Some(Number::Hash(self.hash(text)))),
            (Domain::Integer(from, to), Value::Integer(x)) if (from..=to).contains(&x) => {
                Ok(Some(Number::Index((i128::from(*x) - i128::from(*from)) as u64)))
            }
            (Domain::Integer(from, to), Value::Integer(_)) => Err(outside(format!("the integers from {from} to {to}"))),
            (Domain::Choice(choices), Value::Text(text)) => {
                let index = choices.iter().position(|choice| choice == text);
                let index = index.ok_or_else(|| outside(named(choices)))?;
                Ok(Some(Number::Index(index as u64)))
            }
            (Domain::Integer(..), _) => Err(wrong("an integer")),
            _ => Err(wrong("a text")),
        }
    }

    fn hash(&self, text: &str) -> [u8; 16] {
        let mut hash = Sha256::new();
        hash.update(b"bilinear attribute ");
        hash.update((self.name.len() as u64).to_be_bytes());
        hash.update(&self.name);
        hash.update(text);
        let digest = hash.finalize();
        std::array::from_fn(|i| digest[i])
    }
}

/// Lists choices in words, only the first ones if there are many.
fn named(choices: &[String]) -> String {
    let first = choices[..choices.len().min(CHOICES_NAMED)].join(", ");
    match choices.len() {
        ..=CHOICES_NAMED => format!("the choices {first}"),
        count => format!("the {count} choices {first}, …"),
    }
}

/// The representation of a value: its index, or its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Number {
    Index(u64),
    Hash([u8; 16]),
}

impl Number {
    pub(super) fn scalar(self) -> Scalar {
        match self {
            Number::Index(x) => x.into(),
            Number::Hash(hash) => Scalar::new(&hash),
        }
    }
}

/// A product of powers of attributes: the exponent of each. The exponents of a product of two monomials with
/// exponents of a byte fit too.
pub(super) type Monomial = Vec<u16>;

/// The way in which rows become vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    HiddenVector,
    /// The attributes that are joined, and the monomials in the order of the vector.
    InnerProduct(Vec<Vec<usize>>, Vec<Monomial>),
}

/// The most attributes of a schema: with a message they are the columns that `bilinear search` reads.
pub const MAX_ATTRIBUTES: usize = 15;

/// The most lists of joined attributes of a schema: each list that adds something makes vectors longer.
pub const MAX_JOINT: usize = MAX_LENGTH;

/// The attributes of a table and how they become vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    pub(super) attributes: Vec<Attribute>,
    pub(super) shape: Shape,
    scheme: Scheme,
}

impl Schema {
    /// Creates a schema for hidden vectors: equality of texts, ranges of integers, any set of choices, and AND of
    /// these.
    ///
    /// # Errors
    /// Returns an error if there are no attributes or more than [`MAX_ATTRIBUTES`], if names are repeated, if a
    /// domain is empty, or if vectors have more than [`MAX_LENGTH`] elements.
    pub fn hidden_vector(attributes: Vec<Attribute>) -> Result<Schema, SchemaError> {
        check(&attributes)?;
        let mut length = 0;
        for attribute in &attributes {
            length += attribute.width();
            within(length)?;
        }
        Ok(Schema { attributes, shape: Shape::HiddenVector, scheme: Scheme::HiddenVector })
    }

    /// Creates a schema for inner products: any predicate of AND and OR of sets of values, where each attribute has
    /// at most as many values as its [`Attribute::most`], and OR combines only attributes that are in one list of
    /// `joint`.
    ///
    /// # Errors
    /// Returns an error if there are no attributes or more than [`MAX_ATTRIBUTES`], if names are repeated or
    /// unknown, if a domain is empty, if there are more than [`MAX_JOINT`] lists, or if vectors have more than
    /// [`MAX_LENGTH`] elements.
    pub fn inner_product(attributes: Vec<Attribute>, joint: &[&[&str]]) -> Result<Schema, SchemaError> {
        check(&attributes)?;
        for attribute in &attributes {
            if !(1..=MAX_VALUES).contains(&attribute.most) {
                let (name, most) = (attribute.name.clone(), attribute.most);
                return Err(SchemaError::Most { name, most, limit: MAX_VALUES });
            }
        }
        let index = |name: &&str| {
            attributes.iter().position(|a| a.name == *name).ok_or_else(|| SchemaError::Joint((*name).to_owned()))
        };
        if joint.len() > MAX_JOINT {
            return Err(SchemaError::Joints { given: joint.len(), most: MAX_JOINT });
        }
        let mut lists = Vec::with_capacity(joint.len());
        for names in joint {
            let list = names.iter().map(index).collect::<Result<Vec<usize>, _>>()?;
            if let Some(i) = (0..list.len()).find(|i| list[..*i].contains(&list[*i])) {
                return Err(SchemaError::Joint(names[i].to_owned()));
            }
            lists.push(list);
        }
        // the attributes of each list, and each attribute alone, as sets of bits; a set within another one adds
        // nothing
        let bits = |list: &Vec<usize>| list.iter().fold(0u32, |bits, i| bits | 1 << i);
        let sets: BTreeSet<u32> = lists.iter().map(bits).chain((0..attributes.len()).map(|i| 1 << i)).collect();
        let is_new = |set: &u32| !sets.iter().any(|other| other != set && other & set == *set);
        let mut monomials = BTreeSet::new();
        for set in sets.iter().copied().filter(is_new) {
            let mut products: Vec<Monomial> = vec![vec![0; attributes.len()]];
            for i in (0..attributes.len()).filter(|i| set >> i & 1 == 1) {
                within(products.len() * (attributes[i].most + 1))?;
                let times = |m: &Monomial, e: usize| {
                    m.iter().enumerate().map(|(j, d)| if j == i { e as u16 } else { *d }).collect()
                };
                products = products.iter().flat_map(|m| (0..=attributes[i].most).map(move |e| times(m, e))).collect();
            }
            monomials.extend(products);
            within(monomials.len())?;
        }
        let shape = Shape::InnerProduct(lists, monomials.into_iter().collect());
        Ok(Schema { attributes, shape, scheme: Scheme::InnerProduct })
    }

    /// Returns a schema of inner products for another scheme of inner products with messages: [`Scheme::DualSpaces`]
    /// or [`Scheme::Matrices`], whose groups have a prime order. Vectors and predicates stay the same.
    ///
    /// # Errors
    /// Returns an error if the schema or the scheme is of another kind, or if vectors are too long for the scheme.
    pub fn with_scheme(self, scheme: Scheme) -> Result<Schema, SchemaError> {
        let is_inner = matches!(scheme, Scheme::InnerProduct | Scheme::DualSpaces | Scheme::Matrices);
        if !is_inner || self.scheme == Scheme::HiddenVector {
            return Err(SchemaError::Scheme(scheme));
        }
        let (length, most) = (self.length(), scheme.most_length());
        if length > most { Err(SchemaError::Length { length, most }) } else { Ok(Schema { scheme, ..self }) }
    }

    /// The scheme of the schema, with messages.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The first line of the schema's text: `hidden vector`, `inner product`, `inner product in dual spaces` or
    /// `inner product with matrices`.
    pub fn kind(&self) -> &'static str {
        KINDS.iter().find(|(_, scheme)| *scheme == self.scheme).map_or("", |(kind, _)| kind)
    }

    /// The attributes of the schema.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// The length of vectors.
    pub fn length(&self) -> usize {
        match &self.shape {
            Shape::HiddenVector => self.attributes.iter().map(Attribute::width).sum(),
            Shape::InnerProduct(_, monomials) => monomials.len(),
        }
    }

    /// Computes the vector of a row, for groups of this order. Texts are hashed and integers compared with ranges in
    /// variable time.
    ///
    /// # Errors
    /// Returns an error if there are more or fewer values than attributes, or if a value does not fit its attribute.
    pub fn vector(&self, order: &BigUint, row: &[Value]) -> Result<Vec<Scalar>, ValueError> {
        if row.len() != self.attributes.len() {
            return Err(ValueError::Count { given: row.len(), wanted: self.attributes.len() });
        }
        let numbers = self.attributes.iter().zip(row).map(|(attribute, value)| attribute.number(value));
        let numbers: Vec<Option<Number>> = numbers.collect::<Result<_, _>>()?;
        Ok(match &self.shape {
            Shape::HiddenVector => {
                let elements = self.attributes.iter().zip(&numbers).flat_map(|(a, number)| hidden(a, *number));
                elements.collect()
            }
            Shape::InnerProduct(_, monomials) => {
                let ring = Ring::new(order);
                let values: Vec<Scalar> =
                    numbers.iter().map(|number| number.map_or_else(|| MISSING.into(), Number::scalar)).collect();
                let power = |m: &Monomial| {
                    let factors = values.iter().zip(m).flat_map(|(x, e)| (0..*e).map(move |_| x));
                    factors.fold(Scalar::new(&[1]), |product, x| ring.product(&product, x))
                };
                monomials.iter().map(power).collect()
            }
        })
    }
}

/// Returns the elements of an attribute in a hidden vector.
fn hidden(attribute: &Attribute, number: Option<Number>) -> Vec<Scalar> {
    let width = attribute.width() as u64;
    match (number, &attribute.domain) {
        (Some(hash @ Number::Hash(_)), _) => vec![hash.scalar()],
        (Some(Number::Index(x)), Domain::Choice(_)) => {
            (0..width).map(|i| u64::from(i == 0 || i == x + 1).into()).collect()
        }
        (Some(Number::Index(x)), _) => (0..width).map(|i| u64::from(x >= i).into()).collect(),
        (None, _) => (0..width).map(|_| NEITHER.into()).collect(),
    }
}

fn check(attributes: &[Attribute]) -> Result<(), SchemaError> {
    if attributes.is_empty() {
        return Err(SchemaError::Empty);
    }
    if attributes.len() > MAX_ATTRIBUTES {
        return Err(SchemaError::Attributes { given: attributes.len(), most: MAX_ATTRIBUTES });
    }
    let mut names = BTreeSet::new();
    attributes.iter().try_for_each(|attribute| {
        attribute.check()?;
        // predicates may name attributes in any case
        let is_new = names.insert(attribute.name.to_ascii_lowercase());
        if is_new { Ok(()) } else { Err(SchemaError::Repeated(attribute.name.clone())) }
    })
}

fn within(length: usize) -> Result<(), SchemaError> {
    if length > MAX_LENGTH { Err(SchemaError::Length { length, most: MAX_LENGTH }) } else { Ok(()) }
}
