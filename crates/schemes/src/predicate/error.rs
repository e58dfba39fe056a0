//! What can go wrong with keys, tokens and what is encrypted.

use super::scheme::Scheme;
use crate::encoding::OtherCurve;
use crate::sealed;
use bilinear_engine::FactorsError;

/// Why there are no keys, no token or no ciphertext.
#[derive(Debug, thiserror::Error)]
pub enum PredicateError {
    /// The factors of the order are not known, or there are none.
    #[error(transparent)]
    Factors(#[from] FactorsError),
    /// The scheme takes another number of primes.
    #[error("{scheme} takes an order of {wanted} primes; that of curve {curve} has {found}")]
    Primes {
        /// The scheme.
        scheme: Scheme,
        /// The curve.
        curve: String,
        /// How many primes the scheme takes.
        wanted: usize,
        /// How many there are.
        found: usize,
    },
    /// The scheme takes a prime order.
    #[error("{scheme} takes a prime order; that of curve {curve} is composite")]
    Composite {
        /// The scheme.
        scheme: Scheme,
        /// The curve.
        curve: String,
    },
    /// The scheme takes two groups in which decisional Diffie–Hellman is hard: no symmetric pairing, and none whose groups lie over one field.
    #[error("{scheme} takes groups in which decisional Diffie–Hellman is hard; curve {curve} has none")]
    Symmetric {
        /// The scheme.
        scheme: Scheme,
        /// The curve.
        curve: String,
    },
    /// Too long a vector, or an empty one.
    #[error("vectors of {length} elements: {scheme} takes 1 to {most}")]
    Length {
        /// The scheme.
        scheme: Scheme,
        /// How many elements.
        length: usize,
        /// How many there may be.
        most: usize,
    },
    /// A vector, or a pattern, of another length than the key's.
    #[error("row {row}: {given} elements: the key is for vectors of {wanted}")]
    VectorLength {
        /// Which, counted from 0 within the call.
        row: usize,
        /// How many elements it has.
        given: usize,
        /// How many the key takes.
        wanted: usize,
    },
    /// An element with more bytes than the order.
    #[error("row {row}, element {element}: {given} bytes: the order has {most}")]
    Element {
        /// Which row, counted from 0 within the call.
        row: usize,
        /// Which element, counted from 0.
        element: usize,
        /// Its bytes.
        given: usize,
        /// Those of the order.
        most: usize,
    },
    /// The scheme carries no message.
    #[error("row {row}: a message of {given} bytes: this scheme tells matches alone")]
    NoMessages {
        /// Which, counted from 0 within the call.
        row: usize,
        /// The bytes of the message.
        given: usize,
    },
    /// Too long a message.
    #[error("row {row}: a message of {given} bytes: there may be {}", sealed::MOST)]
    Message {
        /// Which, counted from 0 within the call.
        row: usize,
        /// The bytes of the message.
        given: usize,
    },
    /// The pattern is of the other scheme.
    #[error("the pattern is not one of {0}")]
    Pattern(Scheme),
    /// A token of another key than the first.
    #[error("token {0} belongs to another key than the first")]
    Token(
        /// Which, counted from 0.
        usize,
    ),
    /// A key or token of another curve than the batch's.
    #[error(transparent)]
    Curve(#[from] OtherCurve),
    /// The operating system has no randomness.
    #[error(transparent)]
    Randomness(#[from] getrandom::Error),
}
