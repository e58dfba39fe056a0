//! Tokens: a predicate, and the key that evaluates it on encrypted rows.
//!
//! Body behind the header (`encoding.rs`): the ID of the public key (16 bytes), the length of vectors and the
//! number of places (2 bytes each), the places (2 bytes each, ascending), the points. Inner products have all places,
//! but with matrices only those of elements that are not 0.

use super::encrypt::check_vector;
use super::keys::SecretKey;
use super::scheme::Scheme;
use super::{PredicateError, dual_spaces, hidden_vector, inner_product, matrices};
use crate::encoding::{DecodeError, DecodeErrorReason, ObjectKind, Writer, belongs};
use crate::scalar::{Ring, Scalar};
use bilinear_engine::{Batch, Point};

/// The question that a token answers about a vector. Elements are residues modulo the order, of at most as many
/// bytes.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// Whether ⟨x, v⟩ = 0 for this v.
    InnerProduct(Vec<Scalar>),
    /// Whether x agrees with this pattern wherever it is not a wildcard (`None`).
    HiddenVector(Vec<Option<Scalar>>),
}

impl Pattern {
    /// The number of elements of the pattern.
    pub fn length(&self) -> usize {
        match self {
            Pattern::InnerProduct(v) => v.len(),
            Pattern::HiddenVector(elements) => elements.len(),
        }
    }

    fn elements(&self) -> Vec<Option<&Scalar>> {
        match self {
            Pattern::InnerProduct(v) => v.iter().map(Some).collect(),
            Pattern::HiddenVector(elements) => elements.iter().map(Option::as_ref).collect(),
        }
    }
}

/// A token: it tells whether a predicate holds of an encrypted vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub(super) scheme: Scheme,
    pub(super) curve: [u8; 16],
    pub(super) id: [u8; 16],
    pub(super) length: usize,
    /// The indices of the elements that the token reads.
    pub(super) places: Vec<usize>,
    pub(super) points: Vec<Point>,
}

impl SecretKey {
    /// Creates a token of a pattern, a different one each time. Constant time in the key and in the random values;
    /// timing may reveal the pattern, which is no secret.
    ///
    /// # Errors
    /// Returns [`PredicateError::Pattern`], [`PredicateError::VectorLength`], [`PredicateError::Element`],
    /// [`PredicateError::Curve`] or [`PredicateError::Randomness`].
    pub fn token(&self, batch: &Batch, pattern: &Pattern) -> Result<Token, PredicateError> {
        let (system, scheme) = (batch.system(), self.shape.scheme);
        belongs(system, &self.curve)?;
        let elements = pattern.elements();
        let given = elements.iter().enumerate().filter_map(|(i, element)| Some((i, (*element)?)));
        check_vector(system, 0, self.shape.length, elements.len(), given)?;
        let (own, seed) = (self.points(system), &self.seed[..]);
        let mut places: Vec<usize> =
            elements.iter().enumerate().filter_map(|(i, element)| element.map(|_| i)).collect();
        let points = match (scheme, pattern, &own[..]) {
            (Scheme::HiddenVector, Pattern::HiddenVector(pattern), [v]) => {
                hidden_vector::token(batch, &self.shape, seed, v, pattern)?
            }
            (Scheme::InnerProduct | Scheme::InnerProductOnly, Pattern::InnerProduct(x), [g_p, g_q, g_r]) => {
                inner_product::token(batch, &self.shape, seed, [g_p, g_q, g_r], x)?
            }
            (Scheme::DualSpaces, Pattern::InnerProduct(v), []) => dual_spaces::token(batch, &self.shape, seed, v)?,
            (Scheme::Matrices, Pattern::InnerProduct(v), []) => {
                let ring = Ring::new(system.order());
                places.retain(|i| !matrices::is_zero(&ring, &v[*i]));
                matrices::token(batch, &self.shape, seed, v, &places)?
            }
            _ => return Err(PredicateError::Pattern(scheme)),
        };
        Ok(Token { scheme, curve: self.curve, id: self.id, length: self.shape.length, places, points })
    }
}

impl Token {
    /// The scheme of the token.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The ID of the public key whose rows the token reads.
    pub fn id(&self) -> &[u8; 16] {
        &self.id
    }

    /// The number of pairings that a row costs.
    pub fn pairings(&self) -> usize {
        self.points.len()
    }

    /// Encodes the token as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = self.points.iter().map(|p| p.bytes().map_or(0, <[u8]>::len) + 2).sum::<usize>() + 32;
        let mut writer = Writer::new(ObjectKind::Token, self.scheme.byte(), &self.curve, body);
        writer.raw(&self.id).u16(self.length).u16(self.places.len());
        for place in &self.places {
            writer.u16(*place);
        }
        for p in &self.points {
            writer.point(p);
        }
        writer.finish().to_vec()
    }

    /// Decodes a token: header, curve, places and every point are checked in full, whatever the batch demands.
    ///
    /// # Errors
    /// Returns the error of the first check that fails.
    pub fn from_bytes(batch: &Batch, bytes: &[u8]) -> Result<Token, DecodeError> {
        let system = batch.system();
        let (curve, scheme, mut reader) = Scheme::read(system, ObjectKind::Token, bytes)?;
        let id = reader.array()?;
        let length = reader.u16("the length of vectors", 1..=scheme.most_length())?;
        let least = scheme.least_places(length);
        let count = reader.u16("the number of places", least..=length)?;
        let mut places = Vec::with_capacity(count);
        for _ in 0..count {
            let next = places.last().map_or(0, |last| last + 1);
            if next == length {
                return reader.refuse(2, DecodeErrorReason::Range("a place"));
            }
            places.push(reader.u16("a place", next..=length - 1)?);
        }
        let points = reader.points(batch, scheme.token_group(), scheme.paired_points(length, &places).len())?;
        reader.end()?;
        Ok(Token { scheme, curve, id, length, places, points })
    }
}
