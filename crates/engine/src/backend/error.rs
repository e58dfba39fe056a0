//! Errors, one variant per cause.

use crate::backend::encodings::{Encoding, GtEncoding};
use crate::backend::group::Side;
use bilinear_field::{Engine, EngineError};
use bilinear_pairing::encode::ResidueError;
use bilinear_pairing::names::{PairingKind, Power, list};
use bilinear_params::MAX_COMPLETED_BITS;
use bilinear_params::generate::MIN_FACTOR_BITS;

/// The reason why a system cannot be created for a curve.
#[derive(Debug, thiserror::Error)]
pub enum SystemError {
    /// The engine refuses the modulus.
    #[error("curve {curve}: {reason}")]
    Engine {
        /// The name of the curve.
        curve: String,
        /// The reason given by the engine.
        reason: EngineError,
    },
    /// The engine does not compute with this family.
    #[error("curve {curve}: no pairing is implemented for its family yet")]
    Family {
        /// The name of the curve.
        curve: String,
    },
    /// The curve is of small characteristic, and the caller has not stated that the use is research.
    #[error(
        "curve {curve}: for research only, since discrete logarithms in small characteristic take quasi-polynomial time: it needs the \
         option research (--research)"
    )]
    Research {
        /// The name of the curve.
        curve: String,
    },
    /// The curve is of small characteristic, and the program was built without the feature `research`.
    #[error(
        "curve {curve}: of small characteristic, for research only: this program was built without the feature research"
    )]
    WithoutResearch {
        /// The name of the curve.
        curve: String,
    },
    /// The family has no programs.
    #[error(
        "curve {curve}: pairings over fields of small characteristic are computed directly, so there is no program to count or to show"
    )]
    NotRecorded {
        /// The name of the curve.
        curve: String,
    },
    /// The description omits what the groups need, and it was not completed.
    #[error(
        "curve {curve}: its description has no b, twist or tower, and over fields of more than {MAX_COMPLETED_BITS} bits none is searched for without b"
    )]
    Incomplete {
        /// The name of the curve.
        curve: String,
    },
    /// The order of a curve of type A1, D, E or G has a small prime factor. The loop of the pairing, and functions of a prepared
    /// argument, are undefined where a multiple of P before the last one is O.
    #[error(
        "curve {curve}: its order has a prime factor of fewer than {MIN_FACTOR_BITS} bits, and for points of such a small order the \
         loop of the pairing reaches O before its end"
    )]
    SmallFactor {
        /// The name of the curve.
        curve: String,
    },
    /// The family has no such pairing.
    #[error("curve {curve}: no {asked} pairing is implemented for its family; available: {}", list(has))]
    Pairing {
        /// The name of the curve.
        curve: String,
        /// The pairing asked for.
        asked: PairingKind,
        /// The pairings that the family has.
        has: &'static [PairingKind],
    },
    /// The family has no such power of its pairing.
    #[error("curve {curve}: no {asked} power of the pairing is implemented for its family; available: {}", list(has))]
    Power {
        /// The name of the curve.
        curve: String,
        /// The power asked for.
        asked: Power,
        /// The powers that the family has.
        has: &'static [Power],
    },
    /// The engine might overflow.
    #[error("curve {curve}: engine {engine} cannot be shown to keep its values in range: {reason}")]
    Ranges {
        /// The name of the curve.
        curve: String,
        /// The engine.
        engine: Engine,
        /// The first value that may leave its range.
        reason: String,
    },
}

/// The reason why bytes are not a point of the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PointError {
    /// The length is that of neither x‖y nor the compressed form in this group.
    #[error("a point takes {full} bytes (x and y), or {compressed} compressed, not {given}")]
    Length {
        /// The number of bytes given.
        given: usize,
        /// The number of bytes of x‖y.
        full: usize,
        /// The number of bytes of the compressed form.
        compressed: usize,
    },
    /// A coordinate is not below q.
    #[error("coordinate {0} is not canonical: it is not below the field's modulus")]
    NotCanonical(char),
    /// A compressed point has a last byte that is neither 0 nor 1, or is 1 where y is 0.
    #[error("the sign byte of a compressed point is {0}: it must be 0 or 1, and 0 where y is 0")]
    Sign(u8),
    /// The last byte of a divisor has no valid value.
    #[error(
        "the last byte of a divisor is {0}: it must be the degree, 1 or 2, or in compressed form 0 to 3 \
         for degree 2 and 4 or 5 for degree 1"
    )]
    Degree(u8),
    /// A divisor of degree 1 has coefficients of degree 2.
    #[error("the coefficients u1 and v1 of a divisor of degree 1 are not 0")]
    Coefficients,
    /// The coordinates do not satisfy the curve equation, or no point has this x.
    #[error("not on the curve")]
    NotOnCurve,
    /// The point is on the curve, but outside the group.
    #[error("on the curve but not in the subgroup of the pairing's order")]
    NotInSubgroup,
    /// The curve has no such encoding.
    #[error("the curve has no {0} encoding")]
    Encoding(Encoding),
    /// The bytes have the wrong length for the encoding.
    #[error("the encoding of a point takes {wanted} bytes, not {given}")]
    EncodedLength {
        /// The number of bytes given.
        given: usize,
        /// The number of bytes of the encoding.
        wanted: usize,
    },
    /// The encoding does not have these flags, or they contradict y.
    #[error("the flag bits {0:#04x} are not those of this encoding, or contradict y")]
    Flags(u8),
    /// Padding bytes above a coefficient are not 0.
    #[error("coordinate {0}: the bytes above a coefficient are not zero")]
    Padding(char),
    /// The bytes are marked as the point at infinity, but other bits are set beside the mark.
    #[error("marked as the point at infinity, but the other bits are not zero")]
    Infinity,
    /// A product refers to points that were not given.
    #[error("the range {start}..{end} of a product does not lie within 0..{count}, the range of the points")]
    Range {
        /// The first index of the range.
        start: usize,
        /// The index behind the last one of the range.
        end: usize,
        /// The number of points given.
        count: usize,
    },
}

impl PointError {
    /// The words that [`PointError::code`] returns.
    pub const CODES: [&str; 10] =
        ["length", "canonical", "sign", "curve", "subgroup", "encoding", "flags", "padding", "infinity", "range"];

    /// A stable word for the cause, one of [`PointError::CODES`].
    pub fn code(&self) -> &'static str {
        let index = match self {
            PointError::Length { .. } | PointError::EncodedLength { .. } => 0,
            PointError::NotCanonical(_) | PointError::Coefficients => 1,
            PointError::Sign(_) | PointError::Degree(_) => 2,
            PointError::NotOnCurve => 3,
            PointError::NotInSubgroup => 4,
            PointError::Encoding(_) => 5,
            PointError::Flags(_) => 6,
            PointError::Padding(_) => 7,
            PointError::Infinity => 8,
            PointError::Range { .. } => 9,
        };
        Self::CODES[index]
    }
}

/// The reason why numbers are not an element of the field of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MapError {
    /// There are too few or too many coefficients.
    #[error("the number of coefficients is {given}: an element of the field of the curve has {wanted}")]
    Count {
        /// The number of coefficients given.
        given: usize,
        /// The number of coefficients of an element.
        wanted: usize,
    },
    /// The coefficient with this index is not below q.
    #[error("coefficient {0} is not canonical: it is not below the field's modulus")]
    NotCanonical(usize),
}

/// The reason why a row has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("row {row}, {side}: {reason}")]
pub struct RowError {
    /// The row, counted from 0 within the call.
    pub row: usize,
    /// The argument at fault.
    pub side: Side,
    /// The fault of that argument.
    pub reason: PointError,
}

impl RowError {
    /// A stable word for the cause, as [`PointError::code`] returns it.
    pub fn code(&self) -> &'static str {
        self.reason.code()
    }
}

/// The reason why an argument cannot be prepared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("curve {curve}: the {pairing} pairing cannot be prepared for a fixed {asked}, only for a fixed {has}")]
pub struct PrepareError {
    /// The name of the curve.
    pub curve: String,
    /// The pairing in use.
    pub pairing: PairingKind,
    /// The argument that was to be fixed.
    pub asked: Side,
    /// The argument that can be fixed.
    pub has: Side,
}

/// The reason why bytes are not an element of the target group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GtError {
    /// The bytes have the wrong length.
    #[error("an element of the target group takes {wanted} bytes, not {given}")]
    Length {
        /// The number of bytes given.
        given: usize,
        /// The number of bytes of an element.
        wanted: usize,
    },
    /// A coefficient is not below q.
    #[error("coefficient {coefficient}: {reason}")]
    Coefficient {
        /// The index of the coefficient, from 0.
        coefficient: usize,
        /// Why the coefficient is not canonical.
        reason: ResidueError,
    },
    /// The norm of the value is not 1, or its order does not divide the order of the group.
    #[error("not in the target group")]
    NotInGroup,
    /// The curve has no such encoding.
    #[error("the curve has no {0} encoding of the target group")]
    Encoding(GtEncoding),
}

impl GtError {
    /// The words that [`GtError::code`] returns.
    pub const CODES: [&str; 4] = ["length", "canonical", "group", "encoding"];

    /// A stable word for the cause, one of [`GtError::CODES`].
    pub fn code(&self) -> &'static str {
        let index = match self {
            GtError::Length { .. } => 0,
            GtError::Coefficient { .. } => 1,
            GtError::NotInGroup => 2,
            GtError::Encoding(_) => 3,
        };
        Self::CODES[index]
    }
}

/// The reason why an operation on prime-order subgroups is impossible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FactorsError {
    /// The groups have prime order.
    #[error("curve {curve}: the groups have prime order, so there are no subgroups")]
    PrimeOrder {
        /// The name of the curve.
        curve: String,
    },
    /// The factors of the order are not known.
    #[error(
        "curve {curve}: this needs the secret factors of the group order: specify the factor file (--factors FILE; in the library, \
         System::with_factors)"
    )]
    Unknown {
        /// The name of the curve.
        curve: String,
    },
    /// The given factors are not those of the order.
    #[error("curve {curve}: the given factors are those of another curve")]
    Mismatch {
        /// The name of the curve.
        curve: String,
    },
    /// A factor is too small, as in [`SystemError::SmallFactor`].
    #[error("curve {curve}: factor {index} (counted from 0) has fewer than {MIN_FACTOR_BITS} bits")]
    Small {
        /// The name of the curve.
        curve: String,
        /// The index of the factor, from 0.
        index: usize,
    },
    /// The generator of the curve has no component in the subgroup of a factor.
    #[error("curve {curve}: the generator generates only a subgroup: its order lacks factor {index} (counted from 0)")]
    Generator {
        /// The name of the curve.
        curve: String,
        /// The index of the factor that the order of the generator lacks, from 0.
        index: usize,
    },
    /// The order has no factor with this index.
    #[error("curve {curve}: there is no factor {index} (counted from 0): the order has {count} factors")]
    Index {
        /// The name of the curve.
        curve: String,
        /// The index asked for, from 0.
        index: usize,
        /// The number of factors.
        count: usize,
    },
}
