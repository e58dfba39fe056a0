//! The operations of a field by name: an executor calls them, and a program consists of them.
//!
//! The operations are those of [`Field`](crate::Field) and [`Prime`](crate::Prime), equation by equation. *Closed*
//! elements have the smallest range of the machine; *lazy* elements have the range that their operands give them. The
//! cost of an operation is what [`Count`](crate::count::Count) counts for the function of the same name.

use crate::named;
use std::borrow::Cow;

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// One residue per lane.
    Elem,
    /// An unreduced sum of products per lane.
    Wide,
    /// One truth value per lane.
    Mask,
}

impl Kind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Kind; 3] = [Kind::Elem, Kind::Wide, Kind::Mask];
}

named! {
    /// What an operation computes. Operands stand in the order of the formulas.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[repr(u8)]
    pub enum Code {
        /// a·b, closed.
        Mul = "mul",
        /// a², closed.
        Sqr = "sqr",
        /// a·b + Σ c·x, closed: a, b, then the terms.
        MulSum = "mul_sum",
        /// a² + Σ c·x, closed: a, then the terms.
        SqrSum = "sqr_sum",
        /// a·b, unreduced.
        MulWide = "mul_wide",
        /// a², unreduced.
        SqrWide = "sqr_wide",
        /// Σ c·w, unreduced.
        Lin = "lin",
        /// Σ c·w, reduced.
        Reduce = "reduce",
        /// Σ c·w for a form near 0, reduced, lazy.
        ReduceNear = "reduce_near",
        /// a + b, lazy.
        Add = "add",
        /// a − b, lazy.
        Sub = "sub",
        /// Σ c·x, closed.
        Sum = "sum",
        /// 3p + 2x, closed.
        ThreePlusTwo = "three_plus_two",
        /// 3p − 2x, closed.
        ThreeMinusTwo = "three_minus_two",
        /// 3·Σ c·w + 2x, reduced: x, then the terms.
        ReduceThreePlusTwo = "reduce_three_plus_two",
        /// 3·Σ c·w − 2x, reduced: x, then the terms.
        ReduceThreeMinusTwo = "reduce_three_minus_two",
        /// 3·Σ c·w + 2x for Σ c·w near 0, reduced.
        ReduceThreePlusTwoNear = "reduce_three_plus_two_near",
        /// 3·Σ c·w − 2x for Σ c·w near 0, reduced.
        ReduceThreeMinusTwoNear = "reduce_three_minus_two_near",
        /// (a0 + a1·i)(b0 + b1·i), closed: a0, a1, b0, b1.
        ComplexMul = "complex_mul",
        /// (a0 + a1·i)², closed.
        ComplexSqr = "complex_sqr",
        /// (a0 + a1·i)(b0 + b1·i), unreduced.
        ComplexMulWide = "complex_mul_wide",
        /// (a0 + a1·i)², unreduced.
        ComplexSqrWide = "complex_sqr_wide",
        /// (a + c)(b + d) in F_p(i), unreduced: a0, a1, c0, c1, b0, b1, d0, d1.
        ComplexSumsMulWide = "complex_sums_mul_wide",
        /// (a + c)² in F_p(i), unreduced: a0, a1, c0, c1.
        ComplexSumSqrWide = "complex_sum_sqr_wide",
        /// (a + c)(b + d) + Σ c·w in F_p(i), unreduced: a0, a1, c0, c1, b0, b1, d0, d1, the terms of the first half, then
        /// as many of the second.
        ComplexSumsMulLin = "complex_sums_mul_lin",
        /// (a + c)² + Σ c·w in F_p(i), unreduced: a0, a1, c0, c1, the terms of the first half, then as many of the second.
        ComplexSumSqrLin = "complex_sum_sqr_lin",
        /// The selection by a mask: a where the mask is set, else b. Operands: mask, a, b.
        Select = "select",
        /// The mask of a = 0.
        IsZero = "is_zero",
        /// The mask that is set where a, as an integer in [0, p), is odd.
        IsOdd = "is_odd",
        /// a ∧ b.
        And = "and",
        /// ¬a.
        Not = "not",
        /// A copy of a.
        Copy = "copy",
        /// 1/x for each x, 0 for 0. The inversion is shared by all vectors of a batch.
        Invert = "invert",
        /// c/x_i for each x_i, and a mask that is set where a product of the x_i is 0. Operands: c, then the x_i. The
        /// inversion is shared by all vectors of a batch; a zero spoils its lane in all vectors, and the mask says so.
        Quotients = "quotients",
    }
}

/// The number and the kinds of the operands of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// Exactly these kinds, with coefficient 1.
    Fixed(&'static [Kind]),
    /// A number of elements with coefficient 1, then terms of this kind.
    Form(usize, Kind),
    /// At least this number of elements.
    Shared(usize),
}

impl Code {
    /// Returns the number and the kinds of the operands.
    pub fn arity(self) -> Arity {
        use Kind::{Elem as E, Mask as M, Wide};
        match self {
            Code::Mul | Code::MulWide | Code::Add | Code::Sub | Code::ThreePlusTwo | Code::ThreeMinusTwo => {
                Arity::Fixed(&[E, E])
            }
            Code::Sqr | Code::SqrWide | Code::IsZero | Code::IsOdd | Code::Copy => Arity::Fixed(&[E]),
            Code::MulSum => Arity::Form(2, E),
            Code::SqrSum => Arity::Form(1, E),
            Code::Lin | Code::Reduce | Code::ReduceNear => Arity::Form(0, Wide),
            Code::ReduceThreePlusTwo | Code::ReduceThreeMinusTwo => Arity::Form(1, Wide),
            Code::ReduceThreePlusTwoNear | Code::ReduceThreeMinusTwoNear => Arity::Form(1, Wide),
            Code::Sum => Arity::Form(0, E),
            Code::ComplexMul | Code::ComplexMulWide | Code::ComplexSumSqrWide => Arity::Fixed(&[E; 4]),
            Code::ComplexSumsMulWide => Arity::Fixed(&[E; 8]),
            Code::ComplexSqr | Code::ComplexSqrWide => Arity::Fixed(&[E, E]),
            Code::ComplexSumsMulLin => Arity::Form(8, Wide),
            Code::ComplexSumSqrLin => Arity::Form(4, Wide),
            Code::Select => Arity::Fixed(&[M, E, E]),
            Code::And => Arity::Fixed(&[M, M]),
            Code::Not => Arity::Fixed(&[M]),
            Code::Invert => Arity::Shared(1),
            Code::Quotients => Arity::Shared(2),
        }
    }

    /// Returns the variant of this reduction for a form near 0, if it has one. Such a variant may have a kernel that
    /// estimates no quotient, or that does at once what takes several steps for other forms.
    pub fn near(self) -> Option<Code> {
        match self {
            Code::Reduce => Some(Code::ReduceNear),
            Code::ReduceThreePlusTwo => Some(Code::ReduceThreePlusTwoNear),
            Code::ReduceThreeMinusTwo => Some(Code::ReduceThreeMinusTwoNear),
            _ => None,
        }
    }

    /// Returns true if this operation reduces a form near 0.
    pub fn is_near(self) -> bool {
        matches!(self, Code::ReduceNear | Code::ReduceThreePlusTwoNear | Code::ReduceThreeMinusTwoNear)
    }

    /// Returns the kind of operand i.
    pub fn operand_kind(self, i: usize) -> Kind {
        match self.arity() {
            Arity::Fixed(kinds) => kinds[i],
            Arity::Form(n, _) if i < n => Kind::Elem,
            Arity::Form(_, kind) => kind,
            Arity::Shared(_) => Kind::Elem,
        }
    }

    /// Returns the index of the first operand that is passed in a list of terms; beyond all operands if there is no
    /// list.
    pub fn list_from(self) -> usize {
        match (self, self.arity()) {
            (Code::ComplexSumsMulWide | Code::ComplexSumSqrWide, _) => 0,
            (Code::ComplexSumsMulLin | Code::ComplexSumSqrLin, _) => 0,
            (_, Arity::Form(n, _)) => n,
            _ => usize::MAX,
        }
    }

    /// Returns the number of forms of equal length into which the terms are divided: one for each result.
    pub fn forms(self) -> usize {
        match (self, self.arity()) {
            (Code::ComplexSumsMulLin | Code::ComplexSumSqrLin, _) => 2,
            (_, Arity::Form(..)) => 1,
            _ => 0,
        }
    }

    /// Returns the kinds of the results, for a given number of operands.
    pub fn results(self, operands: usize) -> Cow<'static, [Kind]> {
        use Kind::{Elem, Mask, Wide};
        let kinds: &[Kind] = match self {
            Code::MulWide | Code::SqrWide | Code::Lin => &[Wide],
            Code::ComplexMul | Code::ComplexSqr => &[Elem; 2],
            Code::ComplexMulWide | Code::ComplexSqrWide | Code::ComplexSumsMulWide | Code::ComplexSumSqrWide => {
                &[Wide; 2]
            }
            Code::ComplexSumsMulLin | Code::ComplexSumSqrLin => &[Wide; 2],
            Code::IsZero | Code::IsOdd | Code::And | Code::Not => &[Mask],
            Code::Invert => return vec![Elem; operands].into(),
            Code::Quotients => return [vec![Elem; operands.saturating_sub(1)], vec![Mask]].concat().into(),
            _ => &[Elem],
        };
        kinds.into()
    }

    /// Returns true if the operation works on all vectors of a batch together.
    pub fn is_shared(self) -> bool {
        matches!(self, Code::Invert | Code::Quotients)
    }

    /// Returns the number of pairs of operands that are elements of F_p(i), whose halves stand side by side.
    pub fn pairs(self) -> usize {
        match self {
            Code::ComplexMul | Code::ComplexMulWide | Code::ComplexSumSqrWide | Code::ComplexSumSqrLin => 2,
            Code::ComplexSumsMulWide | Code::ComplexSumsMulLin => 4,
            Code::ComplexSqr | Code::ComplexSqrWide => 1,
            _ => 0,
        }
    }
}
