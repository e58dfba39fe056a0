//! Rows: one residue as its limbs side by side in a vector, and kernels that compute with eight rows at a time.
//!
//! Engines in lanes hold eight independent values in a vector, one in each lane, and compute eight pairings together. Of a single
//! pairing most products do not depend on each other either: kernels on rows gather eight pairs of factors wherever they lie, transpose
//! them into lanes, multiply, and transpose the products back. What is gathered may be a sum of rows, so that most additions of a pairing
//! take no kernel of their own.
//!
//! A row of an element is one [`Row`]; of an unreduced value as many as its columns fill. Limbs of a row may be outside [0, 2^52), as sums
//! of rows have them: kernels carry what they read.

use crate::bounds::Rules;
use crate::dispatch::EngineError;
use num_bigint::BigUint;
use std::sync::Arc;

/// The rows that a kernel takes at a time.
pub const LANES: usize = 8;

/// The limbs, or some of the columns, of one value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Row(pub [i64; LANES]);

/// How many kernels there are.
pub const KERNELS: usize = 18;

/// A kernel on rows. Its list consists of offsets from the base to rows, in words, and of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kernel {
    /// Eight products: offsets of eight terms of the first factors for each of their terms, likewise of the second factors, and of eight
    /// unreduced results.
    Mul {
        /// What a factor is.
        factors: Factors,
        /// 0 to 2: of so many times three products u, v and w the results are u − v, nothing, and w − u − v. Of Karatsuba's method in F_p(i)
        /// these are the two coefficients.
        pairs: u8,
    },
    /// Eight reductions of sums of unreduced values, plus p·R: how many are added, at least one, how many subtracted, eight offsets for
    /// each, and those of eight elements.
    Reduce,
    /// The same; then, near [0, p), r or 3r + 2(x − y) of each: before the results eight offsets of x, eight of y, and a number whose bit i
    /// is set where lane i is tripled.
    ReduceThree,
    /// Eight sums of elements, near [0, p): as of reductions.
    Sum,
    /// As many sums of elements as the kernel is told, one after the other: offsets of [`Kernel::FORM`] rows and of the sum. Limbs are not
    /// carried.
    Form,
    /// The same of unreduced values, of [`Kernel::FORM_WIDE`] rows.
    FormWide,
    /// The same; every column but the last gives what is above its 52 bits to the next.
    FormCarried,
    /// As many x·2^s + y of elements as the kernel is told, one after the other: the offset of x, s, the offsets of y and of the sum. Limbs are
    /// not carried.
    Multiple,
    /// The same of unreduced values.
    MultipleWide,
    /// The same; every column but the last gives what is above its 52 bits to the next.
    MultipleCarried,
}

/// A factor as a sum of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Factors {
    /// A row.
    Rows,
    /// The sum of two.
    Sums,
    /// The sum of two less a third.
    Differences,
}

impl Factors {
    /// All, the cheapest first.
    pub const ALL: [Factors; 3] = [Factors::Rows, Factors::Sums, Factors::Differences];

    /// How many rows are added, and subtracted.
    pub fn terms(self) -> [usize; 2] {
        match self {
            Factors::Rows => [1, 0],
            Factors::Sums => [2, 0],
            Factors::Differences => [2, 1],
        }
    }
}

impl Kernel {
    /// The most times three products that leave two results.
    pub const PAIRS: u8 = 2;
    /// The rows that are added and subtracted for a sum of elements.
    pub const FORM: [usize; 2] = [2, 1];
    /// The same of unreduced values.
    pub const FORM_WIDE: [usize; 2] = [2, 2];

    /// All kernels, in the order of their numbers.
    pub fn all() -> impl Iterator<Item = Kernel> {
        let products = |factors| (0..=Kernel::PAIRS).map(move |pairs| Kernel::Mul { factors, pairs });
        let others = [
            Kernel::Reduce,
            Kernel::ReduceThree,
            Kernel::Sum,
            Kernel::Form,
            Kernel::FormWide,
            Kernel::FormCarried,
            Kernel::Multiple,
            Kernel::MultipleWide,
            Kernel::MultipleCarried,
        ];
        Factors::ALL.into_iter().flat_map(products).chain(others)
    }

    /// Whether a list is whole for so many sums, and leads to nothing but rows of so many, of which an unreduced value takes `wide`: what
    /// a call relies on.
    pub fn is_sound(self, list: &[u16], count: usize, rows: usize, wide: usize) -> bool {
        // offsets from one number of the list on lead to values of so many rows
        let lead = |from: usize, len: usize, size: usize| {
            let offsets = list.get(from..from + len);
            let leads = |offset: &u16| {
                let (row, rest) = (usize::from(*offset) / LANES, usize::from(*offset) % LANES);
                rest == 0 && row + size <= rows
            };
            offsets.is_some_and(|offsets| offsets.iter().all(leads))
        };
        let sums = |terms: [usize; 2], size: usize| count > 0 && lead(0, count * (terms[0] + terms[1] + 1), size);
        let multiples = |size: usize| {
            let multiple = |at: usize| lead(at, 1, size) && lead(at + 2, 2, size);
            count > 0 && (0..count).all(|i| multiple(4 * i))
        };
        match self {
            Kernel::Mul { factors, .. } => {
                let read = 2 * LANES * factors.terms().iter().sum::<usize>();
                lead(0, read, 1) && lead(read, LANES, wide)
            }
            Kernel::Reduce | Kernel::ReduceThree | Kernel::Sum => {
                let [plus, minus, ..] = *list else { return false };
                let size = if self == Kernel::Sum { 1 } else { wide };
                let read = LANES * (usize::from(plus) + usize::from(minus));
                // x and y, and which lanes are tripled
                let beside = if self == Kernel::ReduceThree { 2 * LANES } else { 0 };
                let results = 2 + read + beside + beside.min(1);
                plus > 0 && lead(2, read, size) && lead(2 + read, beside, 1) && lead(results, LANES, 1)
            }
            Kernel::Form => sums(Kernel::FORM, 1),
            Kernel::FormWide | Kernel::FormCarried => sums(Kernel::FORM_WIDE, wide),
            Kernel::Multiple => multiples(1),
            Kernel::MultipleWide | Kernel::MultipleCarried => multiples(wide),
        }
    }

    /// Its number.
    pub fn number(self) -> usize {
        match self {
            Kernel::Mul { factors, pairs } => factors as usize * (usize::from(Kernel::PAIRS) + 1) + usize::from(pairs),
            Kernel::Reduce => 9,
            Kernel::ReduceThree => 10,
            Kernel::Sum => 11,
            Kernel::Form => 12,
            Kernel::FormWide => 13,
            Kernel::FormCarried => 14,
            Kernel::Multiple => 15,
            Kernel::MultipleWide => 16,
            Kernel::MultipleCarried => 17,
        }
    }
}

/// A kernel's code: takes the base of all rows, the list, how many sums it makes if it is one of forms, and the context of the field.
pub type Function = unsafe extern "C-unwind" fn(*mut Row, *const u16, usize, *const ());

/// How many rows offsets reach.
pub const MOST_ROWS: usize = (1 << 16) / LANES;

/// The largest weight of a row: how many carried rows its limbs may be the sum of.
pub const MOST_WEIGHT: u64 = 1 << 9;

/// F_p on rows.
pub trait RowField: Send + Sync {
    /// p.
    fn modulus(&self) -> &BigUint;
    /// The rows of an unreduced value.
    fn wide(&self) -> usize;
    /// The code of a kernel.
    fn function(&self, kernel: Kernel) -> Function;
    /// What the kernels take last. It lives as long as the field.
    fn context(&self) -> *const ();
    /// What values may be where no form of unreduced values is carried, and nothing is fused.
    fn rules(&self) -> Arc<dyn Rules>;
    /// What a lazy difference of two elements is biased by.
    fn bias(&self) -> Row;
    /// Residues in [0, p), up to eight, from little-endian words.
    fn load(&self, rows: &mut [Row], values: &[&[u64]]);
    /// The residues in [0, p) of up to eight rows, as so many words each.
    fn store(&self, words: &mut [u64], rows: &[Row]);
    /// 1/x, or 0 for 0.
    fn invert(&self, x: &Row) -> Row;
    /// Which of up to eight rows are 0 modulo p: bit i of row i.
    fn zeros(&self, rows: &[Row]) -> u8;
    /// Which of them are odd as residues in [0, p).
    fn odds(&self, rows: &[Row]) -> u8;
}

/// F_p on rows, where this processor has kernels for p that leave at least so many bits of their limbs unused, and never fewer than 14.
///
/// # Errors
/// If p is even, below 3 or too long, or the processor lacks what the kernels need.
pub fn field(p: &BigUint, spare: u64) -> Result<Arc<dyn RowField>, EngineError> {
    #[cfg(all(target_arch = "x86_64", not(windows)))]
    return crate::ifma::field_of_rows(p, spare);
    #[cfg(not(all(target_arch = "x86_64", not(windows))))]
    {
        let _ = (p, spare);
        Err(EngineError::Unavailable(crate::dispatch::Engine::Rows))
    }
}
