//! The recorded jobs: every computation of a backend, by its ports.

use crate::backend::group::Group;
use crate::backend::validate::Validate;
use bilinear_pairing::torus::Torus;
use bilinear_pairing::{LoopDigits, LoopPart};
use bilinear_program::{Program, ProgramError};
use num_bigint::BigUint;
use zeroize::Zeroizing;

/// A computation. A program is recorded for each job that occurs.
///
/// A point is x and y, coefficient by coefficient; where O can occur, a mask marks it. The contents of lanes without
/// a value do not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Job {
    /// Takes pairs of points to the Miller value of their product.
    MillerValue {
        /// The number of pairs.
        pairs: usize,
        /// Whether a mask for each pair marks a pair with O.
        masked: bool,
        /// Whether points move in affine coordinates, which share their inversions; then a mask marks lanes with an
        /// undefined slope.
        affine: bool,
    },
    /// Takes a point, the same in every lane, to its lines.
    Prepare,
    /// Takes pairs of lines and points to the Miller value of their product.
    MillerPrepared {
        /// The number of pairs.
        pairs: usize,
        /// Whether a mask for each pair marks a pair with O.
        masked: bool,
    },
    /// Takes a Miller value to its final exponentiation.
    Finish,
    /// Takes two points to the factor of their Miller value that some steps of a loop contribute: the value of the
    /// steps to the power 2^s, with s steps behind them.
    MillerPart {
        /// The steps of the loop.
        part: LoopPart,
        /// Whether the s squarings follow the easy part of the final exponentiation, where they cost less.
        delayed: bool,
    },
    /// Takes lines and a point to the factor that some steps of a loop over prepared arguments contribute.
    MillerPreparedPart {
        /// The steps of the loop.
        part: LoopPart,
        /// Whether the squarings follow the easy part of the final exponentiation.
        delayed: bool,
    },
    /// Takes the factors of all parts to the final exponentiation of their product.
    FinishParts {
        /// The number of parts.
        parts: usize,
        /// Whether the factors have passed the easy part of the final exponentiation.
        delayed: bool,
    },

    /// A computation that takes points of one group, or returns them.
    Points(Group, PointJob),

    /// Takes two elements of F_p^k to their product.
    GtMul,
    /// Takes an element of F_p^k, or of GT (`cyclotomic`), to its square.
    GtSquare {
        /// Whether the element is in GT.
        cyclotomic: bool,
    },
    /// Takes an element of GT to its inverse.
    GtInv,
    /// Takes an element of F_p^k to a mask: whether it is in GT.
    InGt,
    /// Takes an element of GT and the digits of an exponent of `bytes` bytes, as masks, to the power.
    GtPower {
        /// The number of bytes of the exponent.
        bytes: usize,
    },
    /// Takes an element x of GT to x, x³, x⁵, …, each with its inverse, kept, and to the same powers of the x^(p^i)
    /// by which exponents are split.
    GtOddPowers {
        /// The number of odd powers.
        count: usize,
    },
    /// Takes a kept element x of GT to x^(2^squares), kept; if it `multiplies`, takes another kept element y as well
    /// and returns x^(2^squares)·y.
    GtAdvance {
        /// The number of squarings.
        squares: usize,
        /// Whether a second element y is multiplied.
        multiplies: bool,
    },
    /// Takes a kept element of GT to its value as an output.
    GtShow,
    /// Takes an element of GT to a point of a torus.
    GtCompress(Torus),
    /// Takes a point of a torus to an element, and a mask: whether that is in GT.
    GtDecompress(Torus),
}

/// A computation on the points of one group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PointJob {
    /// Takes x and y to a mask: whether they satisfy the curve's equation.
    OnCurve,
    /// Takes x, and a mask for an odd y in the sense of RFC 9380, to y and a mask: whether there is one.
    Decompress,
    /// Takes a point of the curve to a mask: whether it is in the group.
    InGroup,
    /// Takes a point of the curve to its multiple by the cofactor, a point or O.
    ClearCofactor,
    /// Takes elements of the field of the curve, one or two, to a point of the group or O.
    Map {
        /// The number of elements.
        count: usize,
    },
    /// Takes a point other than O to the form that sums read, kept: x, y and −y; with `images` also those of its
    /// images under the automorphisms that split scalars.
    Summand {
        /// Whether the images under the automorphisms are included.
        images: bool,
    },
    /// Takes two points other than O with different x to their sum, kept. If their x are equal, a mask says so and
    /// the first point is returned instead.
    Add,
    /// Takes any two points other than O to their sum, kept, and a mask: whether it is O.
    AddAny,
    /// Takes points P_i, and masks where they are O, to Σ 2^(step·i)·P_i, kept, and a mask: whether it is O.
    PowersOfTwo {
        /// The number of points.
        count: usize,
        /// The number of doublings from one point to the next.
        step: usize,
    },
    /// Takes a kept point to its coordinates as outputs.
    Show,
    /// Takes a point other than O to P, 3P, 5P, …, as xZ², yZ³ and −yZ³ of each, kept, or v, u and −u of the Edwards
    /// form with Z = 1; with `images` also those of its images, one image after the other. Then follow 1 and Z, kept,
    /// and a mask: whether Z = 0, because a multiple on the way is O.
    OddMultiples {
        /// The number of odd multiples.
        count: usize,
        /// Whether the images under the automorphisms are included.
        images: bool,
        /// Whether Z may differ from 1.
        alone: bool,
    },
    /// Takes X, Y and Z of a kept point P, or V, U and Z, to those of 2^doublings·P; if it `adds`, takes an odd multiple
    /// Q as well and returns 2^doublings·P + Q.
    Advance {
        /// The number of doublings.
        doublings: usize,
        /// Whether a second point Q is added.
        adds: bool,
    },
    /// Takes X, Y and Z of a kept point, and D, to the point X/(DZ)², Y/(DZ)³ or O; in the Edwards form V, U and Z, and
    /// D = 1.
    Affine,
    /// Takes a point and the digits of a scalar of `bytes` bytes, as masks, to the multiple or O.
    Multiple {
        /// The check that the point has passed.
        known: Validate,
        /// The number of bytes of the scalar.
        bytes: usize,
    },
    /// Takes a point B other than O to 32B and the table of B, 2B, …, 16B, and a mask: whether one of these is O.
    Window,
    /// Takes the table of a window, in the first lane, to the machine's own form.
    Keep,
    /// Takes as many tables of windows as there are digits, and the digits as masks, to the sum of the selected
    /// entries, a point or O.
    FixedSum {
        /// The number of digits.
        digits: usize,
    },
}

impl Job {
    /// The group whose points the computation takes from a store or leaves there. All such computations share one
    /// form of the points.
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

    /// The size of the program in the cache, in steps or digits, for jobs that callers can ask for in any number; 0
    /// for all other jobs.
    pub(super) fn size(self) -> usize {
        match self {
            Job::MillerPart { part, .. } | Job::MillerPreparedPart { part, .. } => 32 + part.end - part.first,
            Job::FinishParts { parts, .. } => 32 + parts,
            Job::Points(_, PointJob::FixedSum { digits }) => digits,
            _ => 0,
        }
    }

    /// Returns true if the computation takes prepared arguments.
    pub(super) fn reads_lines(self) -> bool {
        matches!(self, Job::MillerPrepared { .. } | Job::MillerPreparedPart { .. })
    }

    /// Returns true if the masks of the computation are digits of a secret.
    pub(super) fn is_secret(self) -> bool {
        use PointJob::{FixedSum, Multiple};
        matches!(self, Job::Points(_, Multiple { .. } | FixedSum { .. }) | Job::GtPower { .. })
    }
}

/// A family's pairing over the recorder.
pub(crate) trait Recordable: Send + Sync {
    /// Records the program of a computation.
    fn record(&self, job: Job) -> Result<Program, ProgramError>;
    /// The order of the groups.
    fn order(&self) -> &BigUint;
    /// The cofactor h of a group: hP is in the group for every point P of the group's curve.
    fn cofactor(&self, group: Group) -> &BigUint;
    /// The number of coefficients of a coordinate of a group's points.
    fn degree(&self, group: Group) -> usize;
    /// The number of coordinates of an entry of a window's table.
    fn fixed_coordinates(&self, group: Group) -> usize;
    /// A generator of a group: x and y, coefficient by coefficient.
    fn generator(&self, group: Group) -> Vec<BigUint>;
    /// Returns true if one mapped element gives a uniform point.
    fn maps_uniformly(&self) -> bool;
    /// The least number of pairs, or vectors of pairs, for which the loop in affine coordinates costs less; `None` if
    /// the family has no such loop.
    fn many(&self) -> Option<usize>;
    /// The digits of the Miller loops of two points that vary.
    fn loops(&self) -> Vec<LoopDigits>;
    /// The digits of the loops over a prepared argument.
    fn prepared_loops(&self) -> Vec<LoopDigits>;
    /// Returns true if the lines of a pairing come from P.
    fn prepares_g1(&self) -> bool;
    /// The bits of the digits that [`PointJob::Multiple`] takes. Constant time in k.
    fn digits(&self, group: Group, known: Validate, k: &[u8]) -> Zeroizing<Vec<bool>>;
    /// Returns integers a_i with kP = Σ a_i·P_i for P and those images that [`PointJob::Summand`] returns, as words
    /// in two's complement; k is big-endian.
    fn parts(&self, group: Group, images: bool, k: &[u8]) -> Zeroizing<Vec<Vec<u64>>>;
    /// Returns integers a_i with x^e = Π x_i^(a_i) for x and those images that [`Job::GtOddPowers`] returns, as words
    /// in two's complement; e is big-endian.
    fn decompose_gt(&self, e: &[u8]) -> Zeroizing<Vec<Vec<u64>>>;
    /// The bits of the digits that [`Job::GtPower`] takes. Constant time in e.
    fn gt_digits(&self, e: &[u8]) -> Zeroizing<Vec<bool>>;
}
