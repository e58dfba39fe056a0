//! Which scheme, and the shape of its keys, tokens and ciphertexts.

use super::PredicateError;
use crate::scalar::Scalar;
use bilinear_engine::System;
use bilinear_params::Factors;
use std::fmt;

/// The longest vector.
pub const MOST_LENGTH: usize = 4096;

/// A scheme of predicate encryption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// Inner products of Katz, Sahai and Waters, telling only whether the predicate holds (their section 4.2). Order p·q·r.
    InnerProductOnly,
    /// Inner products of Katz, Sahai and Waters with a message for those whose predicate holds (their appendix). Order p·q·r.
    InnerProduct,
    /// Hidden vectors of Boneh and Waters: patterns with wildcards, with a message. Order p·q.
    HiddenVector,
}

impl Scheme {
    const ALL: [Scheme; 3] = [Scheme::InnerProductOnly, Scheme::InnerProduct, Scheme::HiddenVector];

    pub(super) fn byte(self) -> u8 {
        self as u8 + 1
    }

    pub(super) fn of_byte(byte: u8) -> Option<Scheme> {
        Scheme::ALL.into_iter().find(|scheme| scheme.byte() == byte)
    }

    /// How many primes the order of the groups has.
    pub fn primes(self) -> usize {
        if self == Scheme::HiddenVector { 2 } else { 3 }
    }

    /// Whether a ciphertext carries a message, which may be empty.
    pub fn has_message(self) -> bool {
        self != Scheme::InnerProductOnly
    }

    /// Points of a ciphertext: C_0, and two for each element.
    pub(super) fn row_points(self, length: usize) -> usize {
        2 * length + 1
    }

    /// Points of a public key.
    pub(super) fn public_points(self, length: usize) -> usize {
        if self == Scheme::HiddenVector { 2 + 3 * length } else { 3 + 2 * length }
    }

    /// Points of a secret key.
    pub(super) fn secret_points(self) -> usize {
        if self == Scheme::HiddenVector { 1 } else { 3 }
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Scheme::InnerProductOnly => "inner-product encryption without messages",
            Scheme::InnerProduct => "inner-product encryption",
            Scheme::HiddenVector => "hidden vector encryption",
        })
    }
}

/// What keys of one scheme share: its name, the length of vectors, and the bits of the primes, which are public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) scheme: Scheme,
    pub(super) length: usize,
    pub(super) bits: Vec<usize>,
}

impl Shape {
    /// The shape for a system that knows its factors.
    pub(super) fn new(system: &System, scheme: Scheme, length: usize) -> Result<Shape, PredicateError> {
        let factors: &Factors = system.factors()?;
        let bits: Vec<usize> = factors.prime_bits().into_iter().map(|bits| bits as usize).collect();
        if bits.len() != scheme.primes() {
            let (curve, wanted, found) = (system.curve().name().to_owned(), scheme.primes(), bits.len());
            return Err(PredicateError::Primes { scheme, curve, wanted, found });
        }
        if !(1..=MOST_LENGTH).contains(&length) {
            return Err(PredicateError::Length(length));
        }
        Ok(Shape { scheme, length, bits })
    }

    /// A number that is uniform modulo the i-th prime.
    pub(super) fn random(&self, prime: usize) -> Result<Scalar, getrandom::Error> {
        Scalar::random(self.bits[prime])
    }

    /// Its bytes.
    pub(super) fn random_len(&self, prime: usize) -> usize {
        Scalar::random_len(self.bits[prime])
    }

    /// So many of them.
    pub(super) fn randoms(&self, prime: usize, count: usize) -> Result<Vec<Scalar>, getrandom::Error> {
        (0..count).map(|_| self.random(prime)).collect()
    }

    /// The i-th number of a label that a seed gives, uniform modulo the first prime.
    pub(super) fn derived(&self, seed: &[u8], label: &str, index: usize) -> Scalar {
        Scalar::derived(seed, label, index, self.bits[0])
    }
}
