//! Rows: one residue as its limbs side by side in a vector, and kernels that compute with eight rows at a time.
//!
//! Engines in lanes hold eight independent values in a vector, one in each lane, and compute eight pairings together.
//! Within a single pairing most products do not depend on each other either. Kernels on rows gather eight pairs of
//! factors from any places, transpose them into lanes, multiply, and transpose the products back. A gathered factor may
//! be a sum of rows, so that most additions of a pairing need no kernel of their own.
//!
//! An element takes one [`Row`]; an unreduced value takes as many as its columns fill. Limbs of a row may be outside
//! [0, 2^52), as they are in sums of rows: kernels carry the limbs that they read.

use crate::bounds::Rules;
use crate::dispatch::EngineError;
use num_bigint::BigUint;
use std::sync::Arc;

/// The number of rows that a kernel processes at a time.
pub const LANES: usize = 8;

/// The limbs, or some of the columns, of one value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Row(pub [i64; LANES]);

/// The number of kernels.
pub const KERNELS: usize = 18;

/// A kernel on rows. Its list consists of offsets in words from the base to rows, and of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kernel {
    /// Eight products. The list holds, for each term of the first factors, the offsets of eight rows, likewise for the
    /// second factors, and then the offsets of eight unreduced results.
    Mul {
        /// The form of each factor.
        factors: Factors,
        /// The number of product triples, 0 to 2: in place of the three products u, v and w of a triple, the results
        /// are u − v, nothing, and w − u − v. In Karatsuba's method in F_p(i) these are the two coefficients.
        pairs: u8,
    },
    /// Eight reductions of sums of unreduced values, plus p·R. The list holds the number of added terms, at least one,
    /// the number of subtracted terms, eight offsets for each term, and the offsets of eight elements.
    Reduce,
    /// Eight reductions like [`Kernel::Reduce`] to r; the result of each is r or 3r + 2(x − y), near [0, p). Before the
    /// results the list holds eight offsets of x, eight of y, and a number whose bit i is set where lane i is tripled.
    ReduceThree,
    /// Eight sums of elements, near [0, p): the list is as for [`Kernel::Reduce`].
    Sum,
    /// As many sums of elements as the kernel is told, one after the other: the offsets of [`Kernel::FORM`] rows, and
    /// of the sum. Limbs are not carried.
    Form,
    /// Sums like [`Kernel::Form`], of unreduced values: [`Kernel::FORM_WIDE`] rows.
    FormWide,
    /// Sums like [`Kernel::FormWide`]; every column but the last passes its bits above 52 to the next column.
    FormCarried,
    /// As many x·2^s + y of elements as the kernel is told, one after the other: the offset of x, s, and the offsets of
    /// y and of the sum. Limbs are not carried.
    Multiple,
    /// Multiples like [`Kernel::Multiple`], of unreduced values.
    MultipleWide,
    /// Multiples like [`Kernel::MultipleWide`]; every column but the last passes its bits above 52 to the next column.
    MultipleCarried,
}

/// A factor as a sum of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Factors {
    /// A row.
    Rows,
    /// The sum of two rows.
    Sums,
    /// The sum of two rows minus a third.
    Differences,
}

impl Factors {
    /// All forms of factors, the cheapest first.
    pub const ALL: [Factors; 3] = [Factors::Rows, Factors::Sums, Factors::Differences];

    /// Returns the numbers of rows that are added and subtracted.
    pub fn terms(self) -> [usize; 2] {
        match self {
            Factors::Rows => [1, 0],
            Factors::Sums => [2, 0],
            Factors::Differences => [2, 1],
        }
    }
}

impl Kernel {
    /// The largest number of product triples, each of which leaves two results.
    pub const PAIRS: u8 = 2;
    /// The numbers of rows that are added and subtracted for a sum of elements.
    pub const FORM: [usize; 2] = [2, 1];
    /// The numbers of unreduced values that are added and subtracted for a sum of them.
    pub const FORM_WIDE: [usize; 2] = [2, 2];

    /// Returns all kernels, in the order of their numbers.
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

    /// Returns true if a list is complete for `count` sums and all its offsets lead to the first `rows` rows, where an
    /// unreduced value takes `wide` rows. The safety of a call relies on this.
    pub fn is_sound(self, list: &[u16], count: usize, rows: usize, wide: usize) -> bool {
        // checks that `len` offsets from position `from` of the list on lead to values of `size` rows
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
                // x and y, and the number that marks the tripled lanes
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

    /// Returns the kernel's number.
    pub fn number(self) -> usize {
        Kernel::all().take_while(|kernel| *kernel != self).count()
    }
}

/// The code of a kernel: takes the base of all rows, the list, the number of sums if the kernel computes forms, and the
/// context of the field.
pub type Function = unsafe extern "C-unwind" fn(*mut Row, *const u16, usize, *const ());

/// The number of rows that offsets can reach.
pub const MAX_ROWS: usize = (1 << 16) / LANES;

/// The largest weight of a row: the number of carried rows whose sum its limbs may be.
pub const MAX_WEIGHT: u64 = 1 << 9;

/// F_p with elements as rows.
pub trait RowField: Send + Sync {
    /// The modulus p.
    fn modulus(&self) -> &BigUint;
    /// The number of rows of an unreduced value.
    fn wide(&self) -> usize;
    /// The code of a kernel.
    fn function(&self, kernel: Kernel) -> Function;
    /// The context, the last argument of the kernels. It lives as long as the field.
    fn context(&self) -> *const ();
    /// Returns the range rules for values where no form of unreduced values is carried, and nothing is fused.
    fn rules(&self) -> Arc<dyn Rules>;
    /// Returns the bias that is added to a lazy difference of two elements.
    fn bias(&self) -> Row;
    /// Loads up to eight residues in [0, p) from little-endian words.
    fn load(&self, rows: &mut [Row], values: &[&[u64]]);
    /// Stores the residues in [0, p) of up to eight rows, in equal numbers of words.
    fn store(&self, words: &mut [u64], rows: &[Row]);
    /// Returns 1/x, or 0 for 0.
    fn invert(&self, x: &Row) -> Row;
    /// Returns which of up to eight rows are 0 modulo p: bit i for row i.
    fn zeros(&self, rows: &[Row]) -> u8;
    /// Returns which of up to eight rows are odd as residues in [0, p): bit i for row i.
    fn odds(&self, rows: &[Row]) -> u8;
}

/// Returns F_p on rows, if this processor has kernels for p that leave at least `spare` bits of their limbs unused, and
/// never fewer than 14.
///
/// # Errors
/// Returns an error if p is even, below 3 or too long, or the processor lacks what the kernels need.
pub fn field(p: &BigUint, spare: u64) -> Result<Arc<dyn RowField>, EngineError> {
    #[cfg(all(target_arch = "x86_64", not(windows)))]
    return crate::ifma::field_of_rows(p, spare);
    #[cfg(not(all(target_arch = "x86_64", not(windows))))]
    {
        let _ = (p, spare);
        Err(EngineError::Unavailable(crate::dispatch::Engine::Rows))
    }
}
