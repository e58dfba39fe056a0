//! Points of G1 and G2, with the operators that Charm's users know. The groups are written multiplicatively: `g * h` is
//! the sum of two points, and `g ** x` is a multiple of a point.

use crate::curve::{Curve, Pickled, parsed};
use crate::error::Fault;
use crate::group::Group;
use crate::number::magnitude;
use crate::scalar::{Number, no_modulo};
use bilinear_engine::{self as engine, Encoding};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A point of G1 or G2.
#[pyclass(frozen, module = "bilinear")]
pub(crate) struct Point {
    pub(crate) curve: Curve,
    pub(crate) point: engine::Point,
}

impl Point {
    pub(crate) fn new(curve: &Curve, point: engine::Point) -> Point {
        Point { curve: curve.clone(), point }
    }

    /// Returns the other operand, or an error unless it is in the same group.
    fn operand<'a>(&self, other: &'a Bound<'_, Point>) -> PyResult<&'a engine::Point> {
        let other = other.get();
        self.curve.owns(&other.curve)?;
        if self.point.group() != other.point.group() {
            return Err(Fault::new("argument", "the points are of different groups").into());
        }
        Ok(&other.point)
    }

    fn with(&self, py: Python<'_>, compute: impl FnOnce(&engine::System) -> engine::Point + Send) -> Point {
        let system = self.curve.system();
        Point::new(&self.curve, py.detach(|| compute(system)))
    }
}

/// Encodes a point like [`engine::System::encode`], except for the point (0, 0) that some curves have outside the groups. That point is
/// compressed, so that it differs from O.
pub(crate) fn pickled(curve: &Curve, point: &engine::Point) -> Vec<u8> {
    let bytes = curve.system().encode(point);
    if point.is_infinity() || bytes.iter().any(|byte| *byte != 0) {
        return bytes;
    }
    curve.system().compressed(point).unwrap_or(bytes)
}

#[pymethods]
impl Point {
    /// The curve of the point.
    #[getter]
    fn curve(&self) -> Curve {
        self.curve.clone()
    }

    /// The group of the point, `G1` or `G2`. If both are one group, `G1`.
    #[getter]
    fn group(&self) -> Group {
        self.point.group().into()
    }

    /// True if this is the neutral element, the point at infinity.
    #[getter]
    fn is_identity(&self) -> bool {
        self.point.is_infinity()
    }

    fn __mul__(&self, py: Python<'_>, other: &Bound<'_, Point>) -> PyResult<Point> {
        let other = self.operand(other)?;
        Ok(self.with(py, |system| system.add(&self.point, other)))
    }

    fn __truediv__(&self, py: Python<'_>, other: &Bound<'_, Point>) -> PyResult<Point> {
        let other = self.operand(other)?;
        Ok(self.with(py, |system| system.add(&self.point, &system.neg(other))))
    }

    /// Computes a multiple of the point. A residue goes to the routine that is constant time in the exponent. An
    /// integer goes to the variable-time routine, which takes it as it is.
    fn __pow__(&self, py: Python<'_>, exponent: Number<'_>, modulo: Option<&Bound<'_, PyAny>>) -> PyResult<Point> {
        no_modulo(modulo)?;
        match exponent {
            Number::Scalar(x) => {
                self.curve.owns(&x.get().curve)?;
                let x = x.get().bytes();
                Ok(self.with(py, |system| system.mul_secret(&x, &self.point)))
            }
            Number::Integer(x) => {
                let (k, is_negative) = magnitude(&x)?;
                Ok(self.with(py, |system| {
                    let multiple = system.mul(&k, &self.point);
                    if is_negative { system.neg(&multiple) } else { multiple }
                }))
            }
        }
    }

    fn __invert__(&self, py: Python<'_>) -> Point {
        self.with(py, |system| system.neg(&self.point))
    }

    fn __eq__(&self, other: &Bound<'_, Point>) -> bool {
        self.point == other.get().point
    }

    fn __hash__(&self) -> u64 {
        self.curve.hash_of(&(self.point.group(), self.point.bytes()))
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.curve.system().encode(&self.point))
    }

    /// Encodes the point: x and y, with `compressed` x and the sign of y, or another system's `encoding`.
    #[pyo3(signature = (encoding = None, *, compressed = false))]
    fn to_bytes<'py>(
        &self,
        py: Python<'py>,
        encoding: Option<&str>,
        compressed: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let system = self.curve.system();
        let bytes = match (named_encoding(encoding)?, compressed) {
            (None, false) => self.curve.system().encode(&self.point),
            (None, true) => system
                .compressed(&self.point)
                .ok_or_else(|| Fault::new("infinity", "the point at infinity has no compressed encoding"))?,
            (Some(encoding), false) => system.encode_as(encoding, &self.point).map_err(Fault::from)?,
            (Some(_), true) => {
                return Err(
                    Fault::new("encoding", "a named encoding itself determines whether points are compressed").into()
                );
            }
        };
        Ok(PyBytes::new(py, &bytes))
    }

    fn __repr__(&self) -> String {
        let group = self.point.group().name().to_uppercase();
        let name = self.curve.system().curve().name();
        match self.point.bytes() {
            None => format!("<identity of {group}, {name}>"),
            Some(bytes) => format!("<Point of {group}, {name}: {}…>", hex(&bytes[..bytes.len().min(8)])),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        self.curve.reader(
            py,
            PyBytes::new(py, &pickled(&self.curve, &self.point)),
            self.group(),
            self.point.validated(),
        )
    }
}

pub(crate) fn named_encoding(name: Option<&str>) -> Result<Option<Encoding>, Fault> {
    name.map(parsed).transpose()
}

/// Returns the encoding of a name, or an error unless the curve has that encoding for the points of `group`.
pub(crate) fn encoding_of(curve: &Curve, group: engine::Group, name: Option<&str>) -> Result<Option<Encoding>, Fault> {
    let encoding = named_encoding(name)?;
    if let Some(encoding) = encoding {
        curve.system().encoded_len(group, encoding)?;
    }
    Ok(encoding)
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
