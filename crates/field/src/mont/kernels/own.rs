//! The numbers of words that have kernels, and for each a table of the kernels in assembly.

#[cfg(target_arch = "x86_64")]
use super::{product, reduction, small, square};

/// A product: takes out, a, b and n. `out` is 2n words that need not be initialised, and none of the operands.
#[cfg(target_arch = "x86_64")]
type Product = unsafe fn(*mut u64, *const u64, *const u64, usize);
/// A square: takes out, a and n. `out` is 2n words that need not be initialised, and not a.
#[cfg(target_arch = "x86_64")]
type Square = unsafe fn(*mut u64, *const u64, usize);
/// A reduction: takes out of n words, t of 2n words, the words of a `Modulus`, and n; returns the carry.
#[cfg(target_arch = "x86_64")]
type Reduction = unsafe fn(*mut u64, *mut u64, *const u64, usize) -> u64;

/// The kernels in assembly of one number of words. All are unsafe to call without BMI2 and ADX, or on other lengths.
#[cfg(target_arch = "x86_64")]
pub(super) struct Own {
    pub(super) mul_wide: Product,
    /// The square, from 8 words on; for fewer words the portable square is faster.
    pub(super) sqr_wide: Option<Square>,
    pub(super) redc: Reduction,
    /// The reduction of t < pR to a canonical result, without a carry.
    pub(super) redc_closed: Option<Reduction>,
    /// The reduction of t of 2n + 1 words in [0, 2^15·pR) modulo a tight modulus to a canonical result, without a
    /// carry.
    pub(super) redc_canonical: Option<Reduction>,
}

/// The kernels in assembly of N words.
#[cfg(target_arch = "x86_64")]
struct Adx<const N: usize>;

#[cfg(target_arch = "x86_64")]
impl<const N: usize> Adx<N> {
    const OWN: Own = Own {
        mul_wide: match N {
            5 => small::product_5,
            6 => small::product_6,
            8 => small::product_8,
            10 => small::product_10,
            _ => product::mul_wide::<N>,
        },
        sqr_wide: if N < 8 { None } else { Some(square::sqr_wide::<N>) },
        redc: match N {
            10 => small::redc_10,
            ..super::BLOCKS => reduction::rows::<N>,
            _ => reduction::blocks::<N>,
        },
        redc_closed: match N {
            4 => Some(small::redc_closed_4),
            5 => Some(small::redc_closed_5),
            6 => Some(small::redc_closed_6),
            8 => Some(small::redc_closed_8),
            10 => Some(small::redc_closed_10),
            _ => None,
        },
        redc_canonical: if N == 10 { Some(small::redc_canonical_10) } else { None },
    };
}

macro_rules! lengths {
    ($($words:literal)*; of tests: $($test:literal)*) => {
        /// The numbers of words that have kernels, in ascending order.
        pub(super) const LENGTHS: &[usize] = &[$($words),*];

        /// More numbers of words, for tests: with these every form that the assembly takes is tested.
        #[cfg(test)]
        pub(super) const TESTED: &[usize] = &[$($test),*];

        /// Returns the kernels of a number of words.
        ///
        /// # Panics
        /// Panics if the number is none of [`LENGTHS`].
        #[cfg(target_arch = "x86_64")]
        pub(super) fn own(words: usize) -> &'static Own {
            match words {
                $($words => &Adx::<$words>::OWN,)*
                $(#[cfg(test)] $test => &Adx::<$test>::OWN,)*
                _ => unreachable!("no kernels of {words} words"),
            }
        }
    };
}

lengths! {
    1 2 3 4 5 6 7 8 10 12 14 16 17 20 24 25 29 33 38 43 48 54 60 65;
    of tests: 9 11 13 15 18 19 21 22 23 26 27 32 40 64
}
