//! What is recorded: every computation of a backend, by its ports.

use crate::backend::group::Group;
use crate::backend::validate::Validate;
use bilinear_pairing::torus::Torus;
use bilinear_pairing::{LoopDigits, LoopPart};
use bilinear_program::{Program, ProgramError};
use num_bigint::BigUint;
use zeroize::Zeroizing;

/// A computation. A program is recorded for each that occurs.
///
/// A point is x and y, coefficient by coefficient; where O can occur a mask says so. What lanes hold that have no value is of no
/// consequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Job {
    /// Pairs of points to the Miller value of their product.
    Miller {
        /// How many.
        pairs: usize,
        /// Whether a mask for each pair says where it has an O.
        masked: bool,
        /// Whether points move in affine coordinates, which share their inversions; a mask says where slopes were undefined.
        affine: bool,
    },
    /// A point, the same in every lane, to its lines.
    Prepare,
    /// Pairs of lines and points to the Miller value of their product.
    MillerPrepared {
        /// How many.
        pairs: usize,
        /// As above.
        masked: bool,
    },
    /// A Miller value to its final exponentiation.
    Finish,
    /// Two points to the factor of their Miller value that steps of a loop make: with s steps behind them, their value to the power 2^s.
    MillerPart {
        /// The steps.
        part: LoopPart,
        /// Whether the s squarings come after the easy part of the final exponentiation, where they cost less.
        delayed: bool,
    },
    /// The same of lines and a point, of the loops over prepared arguments.
    MillerPreparedPart {
        /// As above.
        part: LoopPart,
        /// As above.
        delayed: bool,
    },
    /// Such factors to the final exponentiation of their product.
    FinishParts {
        /// How many.
        parts: usize,
        /// As above.
        delayed: bool,
    },

    /// What takes points of one group, or gives them.
    Points(Group, PointJob),

    /// Two elements of F_p^k to their product.
    GtMul,
    /// An element of F_p^k, or of GT (`cyclotomic`), to its square.
    GtSquare {
        /// Whether it is in GT.
        cyclotomic: bool,
    },
    /// An element of GT to its inverse.
    GtInv,
    /// An element of F_p^k to whether it is in GT.
    InGt,
    /// An element of GT and the digits of an exponent of so many bytes, as masks, to its power.
    GtPower {
        /// Bytes of the exponent.
        bytes: usize,
    },
    /// An element of GT to x, x³, x⁵, …, each with its inverse, kept, and of x^(p^i), which split exponents, the same.
    GtOddPowers {
        /// How many.
        count: usize,
    },
    /// A kept element x of GT, and where it `multiplies` another one, y, to x^(2^squares)·y, kept.
    GtAdvance {
        /// Squares.
        squares: usize,
        /// Whether there is a y.
        multiplies: bool,
    },
    /// A kept element of GT to itself.
    GtShow,
    /// An element of GT to a point of a torus.
    GtCompress(Torus),
    /// The reverse, and whether it is in GT.
    GtDecompress(Torus),
}

/// A computation on the points of one group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PointJob {
    /// x and y to whether they satisfy the curve's equation.
    OnCurve,
    /// x, whether y is wanted odd in the sense of RFC 9380, to y and whether there is one.
    Decompress,
    /// A point of the curve to whether it is in the group.
    InGroup,
    /// The same, multiplied by the cofactor, to a point or O.
    ClearCofactor,
    /// Elements of the field of the curve, one or two, to a point of the group or O.
    Map {
        /// How many elements.
        count: usize,
    },
    /// A point other than O to what sums take of it, kept: x, y and −y; with `images` also those of its images under the automorphisms
    /// that split scalars.
    Summand {
        /// As above.
        images: bool,
    },
    /// Two points other than O with different x to their sum, kept. Where a mask says that their x are one, it is the first instead.
    Add,
    /// Any two points other than O to their sum, kept, and whether it is O.
    AddAny,
    /// Points P_i, and masks where they are O, to Σ 2^(step·i)·P_i, kept, and whether it is O.
    PowersOfTwo {
        /// How many.
        count: usize,
        /// Doublings from one to the next.
        step: usize,
    },
    /// A kept point to itself.
    Show,
    /// A point other than O to P, 3P, 5P, …, xZ², yZ³ and −yZ³ of each, kept; with `images` also those of its images, one image after the
    /// other; then 1 and Z, kept, and whether Z = 0, since a multiple on the way is O.
    OddMultiples {
        /// How many.
        count: usize,
        /// As above.
        images: bool,
        /// Whether Z need not be 1.
        alone: bool,
    },
    /// X, Y and Z of a kept point, and where it `adds` another one in affine coordinates, to those of 2^doublings·P + Q, by chords.
    Advance {
        /// Doublings.
        doublings: usize,
        /// Whether there is a Q.
        adds: bool,
    },
    /// X, Y and Z of a kept point, and D, to the point X/(DZ)², Y/(DZ)³ or O.
    Affine,
    /// A point and the digits of a scalar of so many bytes, as masks, to the multiple or O.
    Multiple {
        /// What is known of the point.
        known: Validate,
        /// Bytes of the scalar.
        bytes: usize,
    },
    /// A point B other than O to B, 2B, …, 16B and 32B, and whether one of these is O.
    Window,
    /// B, 2B, …, 16B, the same in every lane, to the table of a window.
    Keep,
    /// As many tables of windows as digits, and the digits as masks, to the sum of what they pick, a point or O.
    FixedSum {
        /// How many digits.
        digits: usize,
    },
}

impl Job {
    /// The group whose points it takes from a store or leaves there, in one form with all other such computations.
    pub(super) fn stores(self) -> Option<Group> {
        use PointJob::{Add, AddAny, Advance, Affine, OddMultiples, PowersOfTwo, Show, Summand};
        match self {
            Job::Points(
                group,
                Summand { .. }
                | Add
                | AddAny
                | PowersOfTwo { .. }
                | Show
                | OddMultiples { .. }
                | Advance { .. }
                | Affine,
            ) => Some(group),
            _ => None,
        }
    }

    /// What its program takes of the memory for those of which there are as many as callers think of, in steps or digits; 0 of all others.
    pub(super) fn size(self) -> usize {
        match self {
            Job::MillerPart { part, .. } | Job::MillerPreparedPart { part, .. } => 32 + part.end - part.first,
            Job::FinishParts { parts, .. } => 32 + parts,
            Job::Points(_, PointJob::FixedSum { digits }) => digits,
            _ => 0,
        }
    }

    /// Whether it takes prepared arguments.
    pub(super) fn reads_lines(self) -> bool {
        matches!(self, Job::MillerPrepared { .. } | Job::MillerPreparedPart { .. })
    }

    /// Whether its masks are digits of a secret.
    pub(super) fn is_secret(self) -> bool {
        use PointJob::{FixedSum, Multiple};
        matches!(self, Job::Points(_, Multiple { .. } | FixedSum { .. }) | Job::GtPower { .. })
    }
}

/// A family's pairing over the recorder.
pub(crate) trait Recordable: Send + Sync {
    /// The program of a computation.
    fn record(&self, job: Job) -> Result<Program, ProgramError>;
    /// The order of the groups.
    fn order(&self) -> &BigUint;
    /// Whether a group is all points of its curve.
    fn is_whole_curve(&self, group: Group) -> bool;
    /// The coefficients of a coordinate of a group's points.
    fn degree(&self, group: Group) -> usize;
    /// A generator, x and y coefficient by coefficient.
    fn generator(&self, group: Group) -> Vec<BigUint>;
    /// Whether one mapped element gives a uniform point.
    fn maps_uniformly(&self) -> bool;
    /// Pairs, or vectors of pairs, from which on the loop in affine coordinates costs less, where there is one.
    fn many(&self) -> Option<usize>;
    /// The digits of the Miller loops of two points that vary.
    fn loops(&self) -> Vec<LoopDigits>;
    /// The digits of the loops over a prepared argument.
    fn prepared_loops(&self) -> Vec<LoopDigits>;
    /// Whether the lines of a pairing come from P.
    fn prepares_g1(&self) -> bool;
    /// The bits of the digits that [`PointJob::Multiple`] takes. Constant time in k.
    fn digits(&self, group: Group, known: Validate, k: &[u8]) -> Zeroizing<Vec<bool>>;
    /// Integers a_i with kP = Σ a_i·P_i for P and those images that [`PointJob::Summand`] gives, as words in two's complement; k is
    /// big-endian.
    fn parts(&self, group: Group, images: bool, k: &[u8]) -> Zeroizing<Vec<Vec<u64>>>;
    /// Integers a_i with x^e = Π x_i^(a_i) for x and those images that [`Job::GtOddPowers`] gives, as above.
    fn gt_parts(&self, e: &[u8]) -> Zeroizing<Vec<Vec<u64>>>;
    /// The bits of the digits that [`Job::GtPower`] takes. Constant time in e.
    fn gt_digits(&self, e: &[u8]) -> Zeroizing<Vec<bool>>;
}
