//! Errors of keys, tokens and encryption.

use super::scheme::Scheme;
use crate::encoding::OtherCurve;
use crate::sealed;
use bilinear_engine::FactorsError;

/// The reason why keys, a token or a ciphertext cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum PredicateError {
    /// The factors of the order are not known, or the order is prime.
    #[error(transparent)]
    Factors(#[from] FactorsError),
    /// The order has another number of prime factors than the scheme needs.
    #[error("{scheme} needs an order of {wanted} primes, but that of curve {curve} has {found}")]
    Primes {
        /// The scheme asked for.
        scheme: Scheme,
        /// The name of the curve.
        curve: String,
        /// The number of primes that the scheme needs.
        wanted: usize,
        /// The number of primes of the order.
        found: usize,
    },
    /// The scheme needs a prime order.
    #[error("{scheme} needs a prime order, but that of curve {curve} is composite")]
    Composite {
        /// The scheme asked for.
        scheme: Scheme,
        /// The name of the curve.
        curve: String,
    },
    /// The scheme needs two groups in which decisional Diffie–Hellman is hard: neither a symmetric pairing, nor
    /// groups over one field.
    #[error("{scheme} needs groups in which decisional Diffie–Hellman is hard, but curve {curve} has none")]
    Symmetric {
        /// The scheme asked for.
        scheme: Scheme,
        /// The name of the curve.
        curve: String,
    },
    /// The vectors are too long, or empty.
    #[error("vectors of {length} elements: {scheme} takes 1 to {most}")]
    Length {
        /// The scheme asked for.
        scheme: Scheme,
        /// The number of elements.
        length: usize,
        /// The most elements that the scheme supports.
        most: usize,
    },
    /// A vector, or a pattern, has another length than the key's.
    #[error("row {row}: a vector of length {given}: the key is for length {wanted}")]
    VectorLength {
        /// The index of the row, from 0 within the call.
        row: usize,
        /// The number of elements given.
        given: usize,
        /// The number of elements that the key needs.
        wanted: usize,
    },
    /// An element has more bytes than the order.
    #[error("row {row}, element {element}: {given} bytes: the order has {most}")]
    Element {
        /// The index of the row, from 0 within the call.
        row: usize,
        /// The index of the element, from 0.
        element: usize,
        /// The number of bytes of the element.
        given: usize,
        /// The number of bytes of the order.
        most: usize,
    },
    /// The scheme carries no message, but one was given.
    #[error("row {row}: a message of length {given}: this scheme carries no messages, it only finds matches")]
    NoMessages {
        /// The index of the row, from 0 within the call.
        row: usize,
        /// The number of bytes of the message.
        given: usize,
    },
    /// A message is too long.
    #[error("row {row}: a message of {given} bytes: at most {} are allowed", sealed::MAX)]
    Message {
        /// The index of the row, from 0 within the call.
        row: usize,
        /// The number of bytes of the message.
        given: usize,
    },
    /// The pattern belongs to another scheme.
    #[error("the pattern is not one for {0}")]
    Pattern(Scheme),
    /// A token belongs to another key than the first.
    #[error("token {0} belongs to a different key than the first")]
    Token(
        /// The index of the token, from 0.
        usize,
    ),
    /// The key or token belongs to another curve than the batch's.
    #[error(transparent)]
    Curve(#[from] OtherCurve),
    /// The operating system provides no randomness.
    #[error(transparent)]
    Randomness(#[from] getrandom::Error),
}
