//! Residues modulo the order of the groups: exponents, as in Charm's ZR. A residue is an integer of variable length.
//! The time of its arithmetic and of its conversion to bytes depends on its value, and it is not zeroized.

use crate::curve::{Curve, Pickled};
use crate::error::Fault;
use crate::group::Group;
use crate::number::{Integer, residue, to_int};
use bilinear_engine::{BigUint, Validate};
use pyo3::exceptions::{PyTypeError, PyZeroDivisionError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};

/// A residue modulo the order of a curve's groups.
#[pyclass(frozen, module = "bilinear")]
pub(crate) struct Scalar {
    pub(crate) curve: Curve,
    value: BigUint,
}

/// A residue, or an integer that stands for one.
pub(crate) enum Number<'py> {
    Scalar(Bound<'py, Scalar>),
    Integer(Bound<'py, PyInt>),
}

impl<'py> FromPyObject<'_, 'py> for Number<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Number<'py>> {
        if let Ok(x) = object.cast::<Scalar>() {
            return Ok(Number::Scalar(x.to_owned()));
        }
        let wrong = |_| PyTypeError::new_err(format!("an integer or a residue is expected, not {}", object.get_type()));
        object.extract().map(|Integer(x)| Number::Integer(x)).map_err(wrong)
    }
}

impl Number<'_> {
    /// Returns an error if the number is a residue of another curve.
    pub(crate) fn belongs(&self, curve: &Curve) -> Result<(), Fault> {
        match self {
            Number::Scalar(x) => curve.owns(&x.get().curve),
            Number::Integer(_) => Ok(()),
        }
    }

    /// Converts the number to a residue of this curve.
    pub(crate) fn modulo(&self, curve: &Curve) -> PyResult<BigUint> {
        self.belongs(curve)?;
        match self {
            Number::Scalar(x) => Ok(x.get().value.clone()),
            Number::Integer(x) => residue(x, curve.system().order()),
        }
    }
}

impl Scalar {
    pub(crate) fn new(curve: &Curve, value: BigUint) -> Scalar {
        Scalar { value: value % curve.system().order(), curve: curve.clone() }
    }

    /// Draws a uniformly random residue.
    pub(crate) fn random(curve: &Curve) -> Result<Scalar, Fault> {
        Ok(Scalar::new(curve, BigUint::from_bytes_be(&curve.system().random_scalar()?)))
    }

    /// Reads a canonical residue from big-endian bytes, which must have the length of the order.
    pub(crate) fn decode(curve: &Curve, bytes: &[u8]) -> Result<Scalar, Fault> {
        let (given, wanted) = (bytes.len(), curve.system().scalar_len());
        if given != wanted {
            return Err(Fault::new("length", format!("a residue takes {wanted} bytes, not {given}")));
        }
        let value = BigUint::from_bytes_be(bytes);
        if value >= *curve.system().order() {
            return Err(Fault::new("canonical", "the residue is not below the order of the groups"));
        }
        Ok(Scalar::new(curve, value))
    }

    /// Encodes the residue in big-endian bytes, as many as the order has.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.curve.system().scalar_bytes(&self.value)
    }

    fn inverted(&self) -> PyResult<BigUint> {
        self.value
            .modinv(self.curve.system().order())
            .ok_or_else(|| PyZeroDivisionError::new_err("the residue has no inverse modulo the order of the groups"))
    }
}

#[pymethods]
impl Scalar {
    /// The curve whose group order is the modulus.
    #[getter]
    fn curve(&self) -> Curve {
        self.curve.clone()
    }

    /// The group `Zr`.
    #[getter]
    fn group(&self) -> Group {
        Group::Zr
    }

    fn __add__(&self, other: Number<'_>) -> PyResult<Scalar> {
        Ok(Scalar::new(&self.curve, &self.value + other.modulo(&self.curve)?))
    }

    fn __radd__(&self, other: Number<'_>) -> PyResult<Scalar> {
        self.__add__(other)
    }

    fn __sub__(&self, other: Number<'_>) -> PyResult<Scalar> {
        let order = self.curve.system().order();
        Ok(Scalar::new(&self.curve, &self.value + (order - other.modulo(&self.curve)?)))
    }

    fn __rsub__(&self, other: Number<'_>) -> PyResult<Scalar> {
        let order = self.curve.system().order();
        Ok(Scalar::new(&self.curve, other.modulo(&self.curve)? + (order - &self.value)))
    }

    fn __mul__(&self, other: Number<'_>) -> PyResult<Scalar> {
        Ok(Scalar::new(&self.curve, &self.value * other.modulo(&self.curve)?))
    }

    fn __rmul__(&self, other: Number<'_>) -> PyResult<Scalar> {
        self.__mul__(other)
    }

    fn __truediv__(&self, other: Number<'_>) -> PyResult<Scalar> {
        let other = Scalar::new(&self.curve, other.modulo(&self.curve)?);
        Ok(Scalar::new(&self.curve, &self.value * other.inverted()?))
    }

    fn __rtruediv__(&self, other: Number<'_>) -> PyResult<Scalar> {
        Ok(Scalar::new(&self.curve, other.modulo(&self.curve)? * self.inverted()?))
    }

    fn __pow__(&self, exponent: Integer<'_>, modulo: Option<&Bound<'_, PyAny>>) -> PyResult<Scalar> {
        no_modulo(modulo)?;
        let (magnitude, is_negative) = crate::number::magnitude(&exponent.0)?;
        let base = if is_negative { self.inverted()? } else { self.value.clone() };
        Ok(Scalar::new(&self.curve, base.modpow(&magnitude, self.curve.system().order())))
    }

    fn __invert__(&self) -> PyResult<Scalar> {
        Ok(Scalar::new(&self.curve, self.inverted()?))
    }

    fn __neg__(&self) -> Scalar {
        Scalar::new(&self.curve, self.curve.system().order() - &self.value)
    }

    fn __int__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyInt>> {
        to_int(py, &self.value)
    }

    fn __bool__(&self) -> bool {
        self.value != BigUint::default()
    }

    /// Compares with a residue, or with an integer modulo the order.
    fn __eq__(&self, other: Number<'_>) -> PyResult<bool> {
        Ok(other.belongs(&self.curve).is_ok() && self.value == other.modulo(&self.curve)?)
    }

    /// Returns the hash of the representative from 0 to below the order.
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        to_int(py, &self.value)?.hash()
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.bytes())
    }

    /// Encodes the residue in big-endian bytes, as many as the order has.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.__bytes__(py)
    }

    fn __repr__(&self) -> String {
        format!("<Scalar {} of {}>", self.value, self.curve.system().curve().name())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        self.curve.reader(py, self.__bytes__(py), Group::Zr, Validate::Subgroup)
    }
}

/// Returns an error if `pow` was called with a third argument.
pub(crate) fn no_modulo(modulo: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    match modulo {
        None => Ok(()),
        Some(_) => Err(PyTypeError::new_err("pow() takes no modulus here: it is the order of the groups")),
    }
}
