//! What can go wrong, one variant a cause.

use bilinear_field::{Engine, EngineError};
use bilinear_pairing::encode::ResidueError;
use std::fmt;

/// Why a curve cannot be computed with.
#[derive(Debug, thiserror::Error)]
pub enum SystemError {
    /// The engine refuses the modulus.
    #[error("curve {curve}: {reason}")]
    Engine {
        /// The curve.
        curve: String,
        /// The engine's word.
        reason: EngineError,
    },
    /// The engine does not know this family.
    #[error("curve {curve}: its family has no pairing here yet")]
    Family {
        /// The curve.
        curve: String,
    },
    /// The engine computes with exact integers.
    #[error("engine {engine} has no ranges to prove: its integers are exact")]
    NoRanges {
        /// The engine.
        engine: Engine,
    },
}

/// Why bytes are not a point of the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PointError {
    /// Neither x‖y nor x‖sign.
    #[error("{given} bytes: a point takes {full} (x and y), or {compressed} compressed (x and a sign byte)")]
    Length {
        /// How many were given.
        given: usize,
        /// Bytes of x‖y.
        full: usize,
        /// Bytes of x‖sign.
        compressed: usize,
    },
    /// A coordinate is not below q.
    #[error("coordinate {0} is not canonical: it is not below the field's modulus")]
    NotCanonical(char),
    /// A compressed point whose last byte is neither 0 nor 1.
    #[error("the sign byte of a compressed point is {0}: it must be 0 or 1")]
    Sign(u8),
    /// The coordinates do not satisfy the curve equation, or no point has this x.
    #[error("not on the curve")]
    NotOnCurve,
    /// On the curve, outside the group.
    #[error("on the curve but not in the subgroup of the pairing's order")]
    NotInSubgroup,
}

impl PointError {
    /// A stable word for the cause: `length`, `canonical`, `sign`, `curve` or `subgroup`.
    pub fn code(&self) -> &'static str {
        match self {
            PointError::Length { .. } => "length",
            PointError::NotCanonical(_) => "canonical",
            PointError::Sign(_) => "sign",
            PointError::NotOnCurve => "curve",
            PointError::NotInSubgroup => "subgroup",
        }
    }
}

/// An argument of the pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first.
    P,
    /// The second.
    Q,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::P => "p",
            Side::Q => "q",
        })
    }
}

/// Why a row has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{side}: {reason}")]
pub struct RowError {
    /// The row, counted from 0 within the call.
    pub row: usize,
    /// Which of its points is at fault.
    pub side: Side,
    /// The fault.
    pub reason: PointError,
}

impl RowError {
    /// A stable word for the cause, as [`PointError::code`].
    pub fn code(&self) -> &'static str {
        self.reason.code()
    }
}

/// Why bytes are not an element of the target group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GtError {
    /// The wrong length.
    #[error("{given} bytes: an element of the target group takes {wanted}")]
    Length {
        /// How many were given.
        given: usize,
        /// How many it takes.
        wanted: usize,
    },
    /// A coefficient is not below q.
    #[error("coefficient {coefficient}: {reason}")]
    Coefficient {
        /// Which, from 0.
        coefficient: usize,
        /// Why.
        reason: ResidueError,
    },
    /// Its norm is not 1 or its order does not divide the group's.
    #[error("not in the target group")]
    NotInGroup,
}

/// Why an operation on prime-order subgroups is impossible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FactorsError {
    /// Nobody told the factors of the order.
    #[error("curve {curve}: the factors of the group order are not known here; only who made the parameters has them")]
    Unknown {
        /// The curve.
        curve: String,
    },
    /// The given factors are not those of the order.
    #[error("curve {curve}: the given factors do not multiply to the group order")]
    Mismatch {
        /// The curve.
        curve: String,
    },
    /// There is no such factor.
    #[error("curve {curve}: factor {index} was asked for, the order has {count} (counted from 0)")]
    Index {
        /// The curve.
        curve: String,
        /// Which was asked for.
        index: usize,
        /// How many there are.
        count: usize,
    },
}
