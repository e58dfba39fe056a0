//! Elements of the target group, written multiplicatively.

use crate::curve::{Curve, Pickled, parsed};
use crate::error::Fault;
use crate::group::Group;
use crate::number::magnitude;
use crate::point::hex;
use crate::scalar::{Number, no_modulo};
use bilinear_engine::{self as engine, GtEncoding, Validate};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// An element of the target group.
#[pyclass(frozen, module = "bilinear")]
pub(crate) struct Target {
    pub(crate) curve: Curve,
    pub(crate) value: engine::Gt,
}

impl Target {
    pub(crate) fn new(curve: &Curve, value: engine::Gt) -> Target {
        Target { curve: curve.clone(), value }
    }

    fn with(&self, py: Python<'_>, compute: impl FnOnce(&engine::System) -> engine::Gt + Send) -> Target {
        let system = self.curve.system();
        Target::new(&self.curve, py.detach(|| compute(system)))
    }

    fn operand<'a>(&self, other: &'a Bound<'_, Target>) -> PyResult<&'a engine::Gt> {
        self.curve.owns(&other.get().curve)?;
        Ok(&other.get().value)
    }
}

#[pymethods]
impl Target {
    /// The curve of the element.
    #[getter]
    fn curve(&self) -> Curve {
        self.curve.clone()
    }

    /// The group `GT`.
    #[getter]
    fn group(&self) -> Group {
        Group::GT
    }

    /// True if this is the neutral element, 1.
    #[getter]
    fn is_identity(&self) -> bool {
        self.value == self.curve.system().gt_one()
    }

    fn __mul__(&self, py: Python<'_>, other: &Bound<'_, Target>) -> PyResult<Target> {
        let other = self.operand(other)?;
        Ok(self.with(py, |system| system.gt_mul(&self.value, other)))
    }

    fn __truediv__(&self, py: Python<'_>, other: &Bound<'_, Target>) -> PyResult<Target> {
        let other = self.operand(other)?;
        Ok(self.with(py, |system| system.gt_mul(&self.value, &system.gt_inv(other))))
    }

    /// Computes a power. A residue goes to the routine that is constant time in the exponent. An integer goes to the
    /// variable-time routine, which takes it as it is.
    fn __pow__(&self, py: Python<'_>, exponent: Number<'_>, modulo: Option<&Bound<'_, PyAny>>) -> PyResult<Target> {
        no_modulo(modulo)?;
        match exponent {
            Number::Scalar(x) => {
                self.curve.owns(&x.get().curve)?;
                let x = x.get().bytes();
                Ok(self.with(py, |system| system.gt_pow_secret(&self.value, &x)))
            }
            Number::Integer(x) => {
                let (e, is_negative) = magnitude(&x)?;
                Ok(self.with(py, |system| {
                    let power = system.gt_pow(&self.value, &e);
                    if is_negative { system.gt_inv(&power) } else { power }
                }))
            }
        }
    }

    fn __invert__(&self, py: Python<'_>) -> Target {
        self.with(py, |system| system.gt_inv(&self.value))
    }

    fn __eq__(&self, other: &Bound<'_, Target>) -> bool {
        self.value == other.get().value
    }

    fn __hash__(&self) -> u64 {
        self.curve.hash_of(&self.value.bytes())
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.value.bytes())
    }

    /// Encodes the element: all coefficients, or those of a point of a torus, which are half (`torus2`) or a third
    /// (`torus6`) as many.
    #[pyo3(signature = (encoding = "plain"))]
    fn to_bytes<'py>(&self, py: Python<'py>, encoding: &str) -> PyResult<Bound<'py, PyBytes>> {
        let encoding = named_encoding(encoding)?;
        let bytes = py.detach(|| self.curve.system().encode_gt_as(encoding, &self.value)).map_err(Fault::from)?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn __repr__(&self) -> String {
        let name = self.curve.system().curve().name();
        let bytes = self.value.bytes();
        format!("<Target of {name}: {}…>", hex(&bytes[..bytes.len().min(8)]))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        self.curve.reader(py, self.__bytes__(py), Group::GT, Validate::Subgroup)
    }
}

pub(crate) fn named_encoding(name: &str) -> Result<GtEncoding, Fault> {
    parsed(name)
}
