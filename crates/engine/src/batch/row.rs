//! What a batch takes: rows of two points, and the rows of a product whose other arguments are prepared.

use crate::point::{Point, PointRef};
use std::ops::Range;

/// A pair of points.
pub trait Row {
    /// The first argument, of G1.
    fn p(&self) -> PointRef<'_>;
    /// The second argument, of G2.
    fn q(&self) -> PointRef<'_>;
}

impl Row for (PointRef<'_>, PointRef<'_>) {
    fn p(&self) -> PointRef<'_> {
        self.0
    }
    fn q(&self) -> PointRef<'_> {
        self.1
    }
}

impl Row for (Point, Point) {
    fn p(&self) -> PointRef<'_> {
        self.0.as_ref()
    }
    fn q(&self) -> PointRef<'_> {
        self.1.as_ref()
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
