//! A fixed argument, whose lines are computed once.

use crate::curve::Curve;
use crate::point::Point;
use bilinear_engine as engine;
use pyo3::prelude::*;

/// A fixed argument of the pairing, prepared for batches of the curve that made it.
#[pyclass(frozen, module = "bilinear")]
pub(crate) struct Prepared {
    pub(crate) curve: Curve,
    pub(crate) point: engine::Point,
    pub(crate) prepared: engine::Prepared,
}

#[pymethods]
impl Prepared {
    /// The curve.
    #[getter]
    fn curve(&self) -> Curve {
        self.curve.clone()
    }

    /// The point.
    #[getter]
    fn point(&self) -> Point {
        Point::new(&self.curve, self.point.clone())
    }

    /// Which argument it is: `p` or `q`.
    #[getter]
    fn side(&self) -> String {
        self.prepared.side().to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Prepared {} of {}>", self.prepared.side(), self.curve.system().curve().name())
    }
}
