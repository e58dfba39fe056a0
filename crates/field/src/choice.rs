//! What all machines with one lane have in common, above all their truth values.

use std::hint::black_box;

/// A truth value as a mask of ones or zeros, so that selecting never branches.
#[derive(Clone, Copy, Debug)]
pub struct Choice(u64);

impl Choice {
    /// Creates a mask: all ones for 1, all zeros for 0. The compiler must not know that there are only these two
    /// values: it would branch, or select the address of an operand and read from that address.
    #[inline]
    pub(crate) fn new(bit: u64) -> Self {
        Choice(black_box(bit.wrapping_neg()))
    }

    /// Returns the mask of x = 0.
    #[inline]
    pub(crate) fn is_zero(x: u64) -> Self {
        // the top bit of x | −x is set unless x = 0
        Choice::new(((x | x.wrapping_neg()) >> 63) ^ 1)
    }

    /// Returns the mask as a word: all ones or all zeros.
    #[inline]
    pub(crate) fn word(self) -> u64 {
        self.0
    }
}

impl std::ops::BitAnd for Choice {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Choice(self.0 & other.0)
    }
}

impl std::ops::Not for Choice {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Choice(!self.0)
    }
}

/// The mask type and the mask operations of a [`Field`](crate::Field) of one lane.
macro_rules! choices {
    () => {
        type Mask = $crate::choice::Choice;

        #[inline]
        fn mask(&self, value: bool) -> Self::Mask {
            $crate::choice::Choice::new(u64::from(value))
        }

        #[inline]
        fn mask_from(&self, values: &[bool]) -> Self::Mask {
            self.mask(values.first().copied().unwrap_or(false))
        }

        #[inline]
        fn and(&self, a: Self::Mask, b: Self::Mask) -> Self::Mask {
            a & b
        }

        #[inline]
        fn not(&self, a: Self::Mask) -> Self::Mask {
            !a
        }
    };
}

/// The number of lanes of a field whose masks are [`Choice`]s, and the truth value of its lane.
macro_rules! one_lane {
    () => {
        const LANES: usize = 1;

        fn lane(&self, mask: Self::Mask, lane: usize) -> bool {
            assert_eq!(lane, 0, "this field has one lane");
            mask.word() != 0
        }
    };
}

/// The functions of a [`Prime`](crate::Prime) whose elements are one value each, as they are stored.
macro_rules! own_values {
    () => {
        type Uniform = Self::Elem;

        fn is_odd(&self, a: &Self::Elem) -> Self::Mask {
            $crate::contract::parity(self, a)
        }

        fn uniform(&self, a: &Self::Elem) -> Self::Elem {
            a.clone()
        }

        fn broadcast(&self, out: &mut Self::Elem, a: &Self::Elem) {
            out.clone_from(a);
        }
    };
}

/// Returns the words of the value that a field of one lane loads; none if there is no value.
///
/// # Panics
/// Panics if there are several values, or if the value has more than `most` words.
pub(crate) fn only_value<'a>(values: &[&'a [u64]], most: usize) -> &'a [u64] {
    assert!(values.len() <= 1, "this field has one lane");
    let words = values.first().copied().unwrap_or_default();
    assert!(words.len() <= most, "a value to load is longer than p");
    words
}

pub(crate) use {choices, one_lane, own_values};
