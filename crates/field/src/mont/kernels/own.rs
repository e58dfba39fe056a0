//! Which kernels a number of words has: a table of functions for each.

use super::{Isa, portable};
#[cfg(target_arch = "x86_64")]
use super::{product, reduction, small, square};

/// out, a, b and n. `out` is 2n words that need not be initialised, and none of the others.
type Product = unsafe fn(*mut u64, *const u64, *const u64, usize);
/// out, a and n: likewise.
type Square = unsafe fn(*mut u64, *const u64, usize);
/// out of n words, t of 2n, what a `Modulus` has, and n; returns the carry.
type Reduction = unsafe fn(*mut u64, *mut u64, *const u64, usize) -> u64;
/// out, a, b and p, of n words each.
type Modular = unsafe fn(*mut u64, *const u64, *const u64, *const u64);

/// The kernels of one number of words. All are unsafe to call without the instructions of their `Isa`, or on other lengths.
pub(super) struct Own {
    pub(super) mul_wide: Product,
    pub(super) sqr_wide: Square,
    pub(super) redc: Reduction,
    /// For t < pR, canonical; there is no carry.
    pub(super) redc_closed: Option<Reduction>,
    /// For t of 2n + 1 words in [0, 2^15·pR) and a tight modulus, canonical; there is no carry.
    pub(super) redc_canonical: Option<Reduction>,
    pub(super) add_mod: Option<Modular>,
    pub(super) sub_mod: Option<Modular>,
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
        // below 8 words the portable square is faster
        sqr_wide: if N < 8 { portable::few::sqr_wide::<N> } else { square::sqr_wide::<N> },
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
        add_mod: None,
        sub_mod: None,
    };
}

/// Portable kernels of N words, unrolled.
struct Portable<const N: usize>;

impl<const N: usize> Portable<N> {
    const OWN: Own = Own {
        mul_wide: portable::few::mul_wide::<N>,
        sqr_wide: portable::few::sqr_wide::<N>,
        redc: portable::few::redc::<N>,
        redc_closed: None,
        redc_canonical: None,
        add_mod: Some(portable::few::add_mod::<N>),
        sub_mod: Some(portable::few::sub_mod::<N>),
    };
}

/// Portable kernels of any number of words.
static MANY: Own = Own {
    mul_wide: portable::many::mul_wide,
    sqr_wide: portable::many::sqr_wide,
    redc: portable::many::redc,
    redc_closed: None,
    redc_canonical: None,
    add_mod: None,
    sub_mod: None,
};

macro_rules! lengths {
    (few: $($few:literal)*; many: $($many:literal)*; of tests: $($test:literal)*) => {
        /// The numbers of words that have kernels, in ascending order.
        pub(super) const LENGTHS: &[usize] = &[$($few,)* $($many),*];

        /// The kernels of a number of words.
        ///
        /// # Panics
        /// If it is none of [`LENGTHS`].
        pub(super) fn own(isa: Isa, words: usize) -> &'static Own {
            match isa {
                Isa::Portable => match words {
                    $($few => &Portable::<$few>::OWN,)*
                    _ => &MANY,
                },
                #[cfg(target_arch = "x86_64")]
                Isa::Adx(_) => match words {
                    $($few => &Adx::<$few>::OWN,)*
                    $($many => &Adx::<$many>::OWN,)*
                    $(#[cfg(test)] $test => &Adx::<$test>::OWN,)*
                    _ => unreachable!("no kernels of {words} words"),
                },
            }
        }
    };
}

lengths! {
    few: 1 2 3 4 5 6 7 8;
    many: 10 12 14 16 17 20 24 25 29 33 38 43 48 54 60 65;
    of tests: 9 11 13 15 18 19 21 22 23 26 27 32 40 64
}
