//! Fixed arguments of the pairing, whose lines are computed once.

use crate::curve::Curve;
use crate::error::Fault;
use crate::point::Point;
use bilinear_engine::{self as engine, Side};
use pyo3::prelude::*;

/// A fixed argument of the pairing, prepared for the curve object that made it. An equal curve prepares the point anew for each call.
#[pyclass(frozen, module = "bilinear")]
pub(crate) struct Prepared {
    pub(crate) curve: Curve,
    pub(crate) point: engine::Point,
    pub(crate) prepared: engine::Prepared,
}

impl Prepared {
    /// Returns the prepared argument for use with `curve`. If `curve` equals the curve that prepared it but is another
    /// object, the point is prepared anew, on the engine and for the pairing of `curve`. On a symmetric curve, where
    /// e(P, Q) = e(Q, P), it can stand for either argument.
    pub(crate) fn of(&self, curve: &Curve, side: Side) -> Result<engine::Prepared, Fault> {
        curve.owns(&self.curve)?;
        let found = self.prepared.side();
        if found != side && !curve.system().is_symmetric() {
            return Err(Fault::new("argument", format!("an argument prepared as {found} was given as {side}")));
        }
        if curve.is_same(&self.curve) {
            return Ok(self.prepared.clone());
        }
        curve.system().prepare(found, &self.point).map_err(|error| Fault::new("prepare", error))
    }
}

#[pymethods]
impl Prepared {
    /// The curve of the point.
    #[getter]
    fn curve(&self) -> Curve {
        self.curve.clone()
    }

    /// The point that is prepared.
    #[getter]
    fn point(&self) -> Point {
        Point::new(&self.curve, self.point.clone())
    }

    /// The argument that the point stands for: `p` or `q`.
    #[getter]
    fn side(&self) -> String {
        self.prepared.side().to_string()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Point, String))> {
        Ok((Bound::new(py, self.curve())?.getattr("prepare")?, (self.point(), self.side())))
    }

    fn __repr__(&self) -> String {
        format!("<Prepared {} of {}>", self.prepared.side(), self.curve.system().curve().name())
    }
}
