//! What a batch takes: rows of two points, and the rows of a product whose other arguments are prepared.

use crate::point::PointRef;
use std::ops::Range;

/// A pair of points. Tuples of two of these are: points, references to them, byte strings (`&[u8]`, arrays, vectors), and [`PointRef`].
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

/// The rows of one product whose fixed arguments are prepared: row `rows.start + i` is paired with fixed point `first_fixed + i`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedRows {
    /// The rows.
    pub rows: Range<usize>,
    /// The fixed point that the first of them is paired with.
    pub first_fixed: usize,
}
