//! The schemes, and the shapes of their keys, tokens and ciphertexts.

use super::token::Pattern;
use super::{PredicateError, dual_spaces};
use crate::encoding::{DecodeError, ObjectKind, Reader, curve_id};
use crate::scalar::{Ring, Scalar};
use bilinear_engine::{FactorsError, Group, System};
use std::fmt;

/// The longest vector of any scheme.
pub const MAX_LENGTH: usize = 4096;

/// A scheme of predicate encryption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// Inner products of Katz, Sahai and Waters that reveal only whether the predicate holds (their section 4.2).
    /// Order p·q·r.
    InnerProductOnly = 1,
    /// Inner products of Katz, Sahai and Waters with a message in rows for which the predicate holds (their
    /// appendix). Order p·q·r.
    InnerProduct = 2,
    /// Hidden vectors of Boneh and Waters: patterns with wildcards, with a message. Order p·q.
    HiddenVector = 3,
    /// Inner products of Okamoto and Takashima in dual pairing vector spaces, with a message. Prime order.
    DualSpaces = 4,
    /// Inner products of Chen, Gong and Wee, with a message. Prime order, and a pairing of two different groups.
    Matrices = 5,
}

impl Scheme {
    pub(super) const ALL: [Scheme; 5] =
        [Scheme::InnerProductOnly, Scheme::InnerProduct, Scheme::HiddenVector, Scheme::DualSpaces, Scheme::Matrices];

    /// The byte of the scheme in headers (`encoding.rs`).
    pub(super) fn byte(self) -> u8 {
        self as u8
    }

    /// Reads the header of bytes. Returns the name of the system's curve, the scheme, and a reader of the rest.
    pub(super) fn read<'a>(
        system: &System,
        kind: ObjectKind,
        bytes: &'a [u8],
    ) -> Result<([u8; 16], Scheme, Reader<'a>), DecodeError> {
        let (curve, (byte, reader)) = (curve_id(system), Reader::new(kind, bytes)?);
        let scheme = Scheme::ALL.into_iter().find(|scheme| scheme.byte() == byte);
        let scheme = scheme.map_or_else(|| reader.refuse_scheme(byte), Ok)?;
        let reader = reader.of_curve(&curve)?;
        if scheme.check(system).is_ok() { Ok((curve, scheme, reader)) } else { reader.refuse_scheme(byte) }
    }

    /// The number of primes of the order of the groups.
    pub fn primes(self) -> usize {
        match self {
            Scheme::InnerProductOnly | Scheme::InnerProduct => 3,
            Scheme::HiddenVector => 2,
            Scheme::DualSpaces | Scheme::Matrices => 1,
        }
    }

    /// The longest vector of this scheme.
    pub fn most_length(self) -> usize {
        if self == Scheme::DualSpaces { dual_spaces::MAX_LENGTH } else { MAX_LENGTH }
    }

    /// The number of pairings that a row costs with the token of a pattern: 2n + 1 for an inner product over a
    /// composite order, 2s + 1 for a hidden vector with s positions that are not wildcards, 4n + 2 in dual spaces,
    /// 3m + 2 with matrices, for m elements that are not 0. Elements must be below the order, which is not known
    /// here; [`Token::pairings`](super::Token::pairings) counts those that are not 0 modulo the order.
    pub fn pairings(self, pattern: &Pattern) -> usize {
        match (self, pattern) {
            (Scheme::DualSpaces, _) => dual_spaces::dimension(pattern.length()),
            (Scheme::Matrices, Pattern::InnerProduct(v)) => {
                3 * v.iter().filter(|v| v.as_ref().iter().any(|byte| *byte != 0)).count() + 2
            }
            (_, Pattern::InnerProduct(v)) => 2 * v.len() + 1,
            (_, Pattern::HiddenVector(elements)) => 2 * elements.iter().flatten().count() + 1,
        }
    }

    /// Returns an error unless a curve has what the scheme needs, apart from the number of primes.
    pub(super) fn check(self, system: &System) -> Result<(), PredicateError> {
        let curve = || system.curve().name().to_owned();
        if self.primes() == 1 && system.curve().family().name() == "a1" {
            return Err(PredicateError::Composite { scheme: self, curve: curve() });
        }
        let one_field = system.curve().family().embedding_degree() == 1;
        if self == Scheme::Matrices && (system.is_symmetric() || one_field) {
            return Err(PredicateError::Symmetric { scheme: self, curve: curve() });
        }
        Ok(())
    }

    /// The group of a token's points; the points of rows are in G1.
    pub(super) fn token_group(self) -> Group {
        if self.primes() == 1 { Group::G2 } else { Group::G1 }
    }

    /// The indices of the points of a row that are paired with the points of a token with these places, in the
    /// token's order.
    pub(super) fn paired_points(self, length: usize, places: &[usize]) -> Vec<usize> {
        match self {
            Scheme::DualSpaces => (0..dual_spaces::dimension(length)).collect(),
            Scheme::Matrices => [0, 1].into_iter().chain(places.iter().flat_map(|i| 3 * i + 2..3 * i + 5)).collect(),
            _ => std::iter::once(0).chain(places.iter().flat_map(|i| [2 * i + 1, 2 * i + 2])).collect(),
        }
    }

    /// The fewest places of a token for vectors of this length.
    pub(super) fn least_places(self, length: usize) -> usize {
        if matches!(self, Scheme::HiddenVector | Scheme::Matrices) { 0 } else { length }
    }

    /// Returns true if ciphertexts carry a message, which may be empty.
    pub fn has_message(self) -> bool {
        self != Scheme::InnerProductOnly
    }

    /// The number of points of a ciphertext.
    pub(super) fn row_points(self, length: usize) -> usize {
        match self {
            Scheme::DualSpaces => dual_spaces::dimension(length),
            Scheme::Matrices => 3 * length + 2,
            _ => 2 * length + 1,
        }
    }

    /// The number of points of a public key.
    pub(super) fn public_points(self, length: usize) -> usize {
        match self {
            Scheme::HiddenVector => 2 + 3 * length,
            Scheme::DualSpaces => (length + 2) * dual_spaces::dimension(length),
            Scheme::Matrices => 5 + 3 * length,
            _ => 3 + 2 * length,
        }
    }

    /// The number of points of a secret key.
    pub(super) fn secret_points(self) -> usize {
        match self {
            Scheme::HiddenVector => 1,
            Scheme::DualSpaces | Scheme::Matrices => 0,
            _ => 3,
        }
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Scheme::InnerProductOnly => "inner-product encryption without messages",
            Scheme::InnerProduct => "inner-product encryption",
            Scheme::HiddenVector => "hidden vector encryption",
            Scheme::DualSpaces => "inner-product encryption in dual spaces",
            Scheme::Matrices => "inner-product encryption with matrices",
        })
    }
}

/// The common properties of the keys of one set-up: the scheme, the length of vectors, and the numbers of bits of the
/// primes, which are public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) scheme: Scheme,
    pub(super) length: usize,
    pub(super) bits: Vec<usize>,
}

impl Shape {
    /// Creates the shape for a system that knows its factors.
    pub(super) fn new(system: &System, scheme: Scheme, length: usize) -> Result<Shape, PredicateError> {
        scheme.check(system)?;
        let is_prime = scheme.primes() == 1 || matches!(system.factors(), Err(FactorsError::PrimeOrder { .. }));
        let bits: Vec<usize> = if is_prime {
            vec![system.order().bits() as usize]
        } else {
            system.factors()?.prime_bits().into_iter().map(|bits| bits as usize).collect()
        };
        if bits.len() != scheme.primes() {
            let (curve, wanted, found) = (system.curve().name().to_owned(), scheme.primes(), bits.len());
            return Err(PredicateError::Primes { scheme, curve, wanted, found });
        }
        if !(1..=scheme.most_length()).contains(&length) {
            return Err(PredicateError::Length { scheme, length, most: scheme.most_length() });
        }
        Ok(Shape { scheme, length, bits })
    }

    /// Draws a number that is uniform modulo the prime with index `prime`.
    pub(super) fn random(&self, prime: usize) -> Result<Scalar, getrandom::Error> {
        Scalar::random(self.bits[prime])
    }

    /// The number of bytes of a number drawn for the prime with index `prime`.
    pub(super) fn random_len(&self, prime: usize) -> usize {
        Scalar::random_len(self.bits[prime])
    }

    /// Draws `count` numbers that are uniform modulo the prime with index `prime`.
    pub(super) fn randoms(&self, prime: usize, count: usize) -> Result<Vec<Scalar>, getrandom::Error> {
        (0..count).map(|_| self.random(prime)).collect()
    }

    /// Draws a uniform residue modulo the order, which must be prime, in as many bytes as the order has.
    pub(super) fn residue(&self, ring: &Ring) -> Result<Scalar, getrandom::Error> {
        Ok(ring.reduced(&self.random(0)?))
    }

    /// Derives residues modulo the order, which must be prime, from a seed: those with a label and the first indices.
    pub(super) fn residues(&self, ring: &Ring, seed: &[u8], label: &str, count: usize) -> Vec<Scalar> {
        (0..count).map(|i| ring.reduced(&self.derived(seed, label, i))).collect()
    }

    /// Derives the number with an index and label from a seed, uniform modulo the first prime.
    pub(super) fn derived(&self, seed: &[u8], label: &str, index: usize) -> Scalar {
        Scalar::derived(seed, label, index, self.bits[0])
    }
}
