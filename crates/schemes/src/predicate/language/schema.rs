//! The attributes of a table, and the vectors that rows become.
//!
//! | | elements of an attribute |
//! |---|---|
//! | inner products | x, x², …, x^d, for predicates that ask for d values at most; and 1 once; for attributes that are joined, all products of these powers |
//! | hidden vectors, a text | a hash of 128 bits |
//! | hidden vectors, an integer from a to b | for each c from a to b an element, 1 where x ≥ c, else 0 (Boneh and Waters, section 4) |
//! | hidden vectors, one of t choices | 1, and for each choice an element, 1 where it is that, else 0 |
//!
//! A missing value is a number that no condition asks for. Texts of one attribute are told apart but for collisions of SHA-256
//! cut to 128 bits.

use super::error::{SchemaError, ValueError};
use crate::predicate::scheme::{MOST_LENGTH, Scheme};
use crate::scalar::{Ring, Scalar};
use bilinear_engine::BigUint;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// The value of a missing number in inner products; every other is smaller.
const MISSING: u64 = u64::MAX;
/// An element of a missing value in hidden vectors; the others are 0 and 1.
const NEITHER: u64 = 2;

/// The values of an attribute that one predicate may ask for.
pub(super) const MOST_VALUES: usize = u8::MAX as usize;

/// Choices that an error names.
const CHOICES_NAMED: usize = 10;

/// What the text of a schema begins with.
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
    /// None; no condition but a wildcard holds of it.
    Null,
}

impl Value {
    /// A text.
    pub fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }
}

/// What an attribute holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Domain {
    Text,
    /// From, and to, with both ends.
    Integer(i64, i64),
    Choice(Vec<String>),
}

/// A column that predicates may speak of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    pub(super) name: String,
    pub(super) domain: Domain,
    pub(super) most: usize,
}

impl Attribute {
    /// Texts.
    pub fn text(name: &str) -> Attribute {
        Attribute { name: name.to_owned(), domain: Domain::Text, most: 1 }
    }

    /// Integers from `from` to `to`, both included.
    pub fn integer(name: &str, from: i64, to: i64) -> Attribute {
        Attribute { name: name.to_owned(), domain: Domain::Integer(from, to), most: 1 }
    }

    /// One of several texts.
    pub fn choice(name: &str, choices: &[&str]) -> Attribute {
        let choices = choices.iter().map(|choice| (*choice).to_owned()).collect();
        Attribute { name: name.to_owned(), domain: Domain::Choice(choices), most: 1 }
    }

    /// For inner products: how many values one predicate may ask for, which is the degree of its polynomial in this attribute. 1
    /// where nothing is said. A range asks for each of its integers.
    #[must_use]
    pub fn most(mut self, values: usize) -> Attribute {
        self.most = values;
        self
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it holds integers, and not texts.
    pub fn is_integer(&self) -> bool {
        matches!(self.domain, Domain::Integer(..))
    }

    /// What it holds, in words.
    pub(super) fn kind(&self) -> &'static str {
        match self.domain {
            Domain::Text => "texts",
            Domain::Integer(..) => "integers",
            Domain::Choice(_) => "choices",
        }
    }

    /// Whether there are values, fewer than 2^63, and each once, and texts that have one line.
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

    /// Elements of a hidden vector.
    pub(super) fn width(&self) -> usize {
        match &self.domain {
            Domain::Text => 1,
            Domain::Integer(from, to) => (i128::from(*to) - i128::from(*from) + 1) as usize,
            Domain::Choice(choices) => choices.len() + 1,
        }
    }

    /// The number of a value, or a hash of 128 bits; `None` for a missing one.
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

/// Choices in words, the first ones where there are many.
fn named(choices: &[String]) -> String {
    let first = choices[..choices.len().min(CHOICES_NAMED)].join(", ");
    match choices.len() {
        ..=CHOICES_NAMED => format!("the choices {first}"),
        count => format!("the {count} choices {first}, …"),
    }
}

/// What stands for a value.
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

/// A product of powers of attributes: the exponent of each. That of a product of two whose exponents are bytes fits.
pub(super) type Monomial = Vec<u16>;

/// How rows become vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    HiddenVector,
    /// The attributes that are joined, and the monomials in the sequence of the vector.
    InnerProduct(Vec<Vec<usize>>, Vec<Monomial>),
}

/// The attributes that a schema may have: with a message they are the columns that `bilinear search` reads.
pub const MOST_ATTRIBUTES: usize = 15;

/// The lists of joined attributes that a schema may have: each that brings something new makes vectors longer.
pub const MOST_JOINT: usize = MOST_LENGTH;

/// The attributes of a table and how they become vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    pub(super) attributes: Vec<Attribute>,
    pub(super) shape: Shape,
    scheme: Scheme,
}

impl Schema {
    /// For hidden vectors: equality of texts, ranges of integers, any set of choices, and AND of these.
    ///
    /// # Errors
    /// If there are more than [`MOST_ATTRIBUTES`] or none, names are repeated, a domain is empty, or vectors have more than [`MOST_LENGTH`] elements.
    pub fn hidden_vector(attributes: Vec<Attribute>) -> Result<Schema, SchemaError> {
        check(&attributes)?;
        let mut length = 0;
        for attribute in &attributes {
            length += attribute.width();
            within(length)?;
        }
        Ok(Schema { attributes, shape: Shape::HiddenVector, scheme: Scheme::HiddenVector })
    }

    /// For inner products: any predicate of AND and OR of sets of values, where each attribute has as many values as its
    /// [`Attribute::most`] and OR brings together only attributes that are in one list of `joint`.
    ///
    /// # Errors
    /// If there are more than [`MOST_ATTRIBUTES`] or none, names are repeated or unknown, a domain is empty, there are more than [`MOST_JOINT`] lists, or vectors have more than [`MOST_LENGTH`] elements.
    pub fn inner_product(attributes: Vec<Attribute>, joint: &[&[&str]]) -> Result<Schema, SchemaError> {
        check(&attributes)?;
        for attribute in &attributes {
            if !(1..=MOST_VALUES).contains(&attribute.most) {
                let (name, most) = (attribute.name.clone(), attribute.most);
                return Err(SchemaError::Most { name, most, limit: MOST_VALUES });
            }
        }
        let index = |name: &&str| {
            attributes.iter().position(|a| a.name == *name).ok_or_else(|| SchemaError::Joint((*name).to_owned()))
        };
        if joint.len() > MOST_JOINT {
            return Err(SchemaError::Joints { given: joint.len(), most: MOST_JOINT });
        }
        let mut lists = Vec::with_capacity(joint.len());
        for names in joint {
            let list = names.iter().map(index).collect::<Result<Vec<usize>, _>>()?;
            if let Some(i) = (0..list.len()).find(|i| list[..*i].contains(&list[*i])) {
                return Err(SchemaError::Joint(names[i].to_owned()));
            }
            lists.push(list);
        }
        // the attributes of each list, and of each alone, as bits; those that another list has give nothing new
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

    /// A schema of inner products for another scheme of inner products with messages: [`Scheme::DualSpaces`] or [`Scheme::Matrices`],
    /// whose groups have a prime order. Vectors and predicates stay the same.
    ///
    /// # Errors
    /// If either is of another kind, or vectors are too long for the scheme.
    pub fn with_scheme(self, scheme: Scheme) -> Result<Schema, SchemaError> {
        let is_inner = matches!(scheme, Scheme::InnerProduct | Scheme::DualSpaces | Scheme::Matrices);
        if !is_inner || self.scheme == Scheme::HiddenVector {
            return Err(SchemaError::Scheme(scheme));
        }
        let (length, most) = (self.length(), scheme.most_length());
        if length > most { Err(SchemaError::Length { length, most }) } else { Ok(Schema { scheme, ..self }) }
    }

    /// The scheme, with messages.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The first line of its text: `hidden vector`, `inner product`, `inner product in dual spaces` or `inner product with matrices`.
    pub fn kind(&self) -> &'static str {
        KINDS.iter().find(|(_, scheme)| *scheme == self.scheme).map_or("", |(kind, _)| kind)
    }

    /// The attributes.
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

    /// The vector of a row, for groups of this order. Texts are hashed and integers compared with ranges in variable time.
    ///
    /// # Errors
    /// If there are more or fewer values than attributes, or one does not fit.
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

/// The elements of an attribute in a hidden vector.
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
    if attributes.len() > MOST_ATTRIBUTES {
        return Err(SchemaError::Attributes { given: attributes.len(), most: MOST_ATTRIBUTES });
    }
    let mut names = BTreeSet::new();
    attributes.iter().try_for_each(|attribute| {
        attribute.check()?;
        // predicates name attributes in any case
        let is_new = names.insert(attribute.name.to_ascii_lowercase());
        if is_new { Ok(()) } else { Err(SchemaError::Repeated(attribute.name.clone())) }
    })
}

fn within(length: usize) -> Result<(), SchemaError> {
    if length > MOST_LENGTH { Err(SchemaError::Length { length, most: MOST_LENGTH }) } else { Ok(()) }
}
