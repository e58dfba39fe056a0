//! The input of a batch: rows of two points, and the rows of a product whose other arguments are prepared.

use crate::point::PointRef;
use std::ops::Range;

/// A pair of points. Implemented for tuples of any two of: points, references to them, byte strings (`&[u8]`, arrays,
/// vectors), and [`PointRef`].
pub trait Row {
    /// The first argument, of G1.
    fn p(&self) -> PointRef<'_>;
    /// The second argument, of G2.
    fn q(&self) -> PointRef<'_>;
}

impl<P, Q> Row for (P, Q)
where
    for<'a> PointRef<'a>: From<&'a P> + From<&'a Q>,
{
    fn p(&self) -> PointRef<'_> {
        (&self.0).into()
    }
    fn q(&self) -> PointRef<'_> {
        (&self.1).into()
    }
}

/// The rows of one product with prepared arguments: row `rows.start + i` is paired with prepared argument `first_prepared + i`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreparedRows {
    /// The rows of the product.
    pub rows: Range<usize>,
    /// The index of the prepared argument that the first row is paired with.
    pub first_prepared: usize,
}
