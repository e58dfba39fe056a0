//! Linear forms: Σ c·x with small signed integers c, as slices of terms.
//!
//! Sums are handed to a field as lists, never pair by pair: a list is one pass over the limbs and one range check, where
//! pairwise additions would load, store and normalise every intermediate value.

mod list;

pub use list::{List, MAX_TERMS};

/// One term c·x of a linear form. The coefficient is a small public integer: |c| ≤ 96.
#[derive(Debug)]
#[repr(C)]
pub struct Term<'a, T> {
    /// The integer c.
    pub coeff: i32,
    /// The value x.
    pub value: &'a T,
}

impl<T> Clone for Term<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Term<'_, T> {}

/// A term as kernels read it: the layout of every [`Term`].
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Item {
    pub(crate) coeff: i32,
    /// The address of the value.
    pub(crate) value: *const (),
}

impl<T> From<&Term<'_, T>> for Item {
    fn from(t: &Term<'_, T>) -> Self {
        Item { coeff: t.coeff, value: std::ptr::from_ref(t.value).cast() }
    }
}

/// The term +x.
#[inline(always)]
pub fn plus<T>(value: &T) -> Term<'_, T> {
    Term { coeff: 1, value }
}

/// The term −x.
#[inline(always)]
pub fn minus<T>(value: &T) -> Term<'_, T> {
    Term { coeff: -1, value }
}

/// The term c·x.
#[inline(always)]
pub fn times<T>(coeff: i32, value: &T) -> Term<'_, T> {
    Term { coeff, value }
}

/// Returns true if Σ |c| > `most`. One branch per term, unlike an iterator's sum, is inlined everywhere and disappears
/// where c is a constant.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn outweighs<T>(terms: &[Term<'_, T>], most: u32) -> bool {
    let mut left = most;
    for t in terms {
        let Some(rest) = left.checked_sub(t.coeff.unsigned_abs()) else { return true };
        left = rest;
    }
    false
}
