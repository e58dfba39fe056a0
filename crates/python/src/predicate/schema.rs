//! The attributes of a table, and what predicates over them cost and say.

use crate::error::Fault;
use bilinear_schemes::predicate::language::{self, Attribute, Predicate, Value};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PyString};

/// The attributes of a table and how they become vectors.
#[pyclass(frozen, eq, from_py_object, module = "bilinear.predicate")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Schema(pub(crate) language::Schema);

/// The value of an attribute; an integer of more than 64 bits is none.
pub(super) fn value(attribute: &Attribute, item: &Bound<'_, PyAny>) -> PyResult<Result<Value, Fault>> {
    let (name, wanted) = (attribute.name(), if attribute.is_integer() { "an integer" } else { "a text" });
    let wrong =
        || PyTypeError::new_err(format!("attribute {name}: {wanted} or None is expected, not {}", item.get_type()));
    if item.is_none() {
        return Ok(Ok(Value::Null));
    }
    if !attribute.is_integer() {
        return item.extract().map(Value::Text).map(Ok).map_err(|_| wrong());
    }
    // what is an integer, or stands for one, as those of numpy
    if item.is_instance_of::<PyString>() || !item.hasattr("__index__")? {
        return Err(wrong());
    }
    Ok(item.extract().map(Value::Integer).map_err(|_| too_long(attribute)))
}

/// The fault of an integer.
pub(super) fn too_long(attribute: &Attribute) -> Fault {
    Fault::new("value", format!("attribute {}: an integer of more than 64 bits", attribute.name()))
}

#[pymethods]
impl Schema {
    /// A schema from its text: `hidden vector` or `inner product`, then an attribute a line.
    #[new]
    fn new(text: &str) -> PyResult<Schema> {
        Ok(Schema(text.parse().map_err(Fault::from)?))
    }

    /// `hidden vector`, `inner product`, `inner product in dual spaces` or `inner product with matrices`.
    #[getter]
    fn scheme(&self) -> &'static str {
        self.0.kind()
    }

    /// The names of the attributes.
    #[getter]
    fn attributes(&self) -> Vec<&str> {
        self.0.attributes().iter().map(Attribute::name).collect()
    }

    /// The length of vectors.
    #[getter]
    fn length(&self) -> usize {
        self.0.length()
    }

    /// The pairings a row that a token of this predicate costs.
    fn pairings(&self, predicate: &str) -> PyResult<usize> {
        Ok(Predicate::new(&self.0, predicate).map_err(Fault::from)?.pairings())
    }

    /// Whether a predicate holds of a row in the clear, a mapping from names to values.
    fn holds(&self, predicate: &str, row: &Bound<'_, PyMapping>) -> PyResult<bool> {
        let predicate = Predicate::new(&self.0, predicate).map_err(Fault::from)?;
        let mut values = Vec::new();
        for attribute in self.0.attributes() {
            values.push(value(attribute, &row.get_item(attribute.name())?)??);
        }
        Ok(predicate.holds(&values).map_err(Fault::from)?)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Schema of {}: {}>", self.scheme(), self.attributes().join(", "))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String,)) {
        (py.get_type::<Schema>().into_any(), (self.0.to_string(),))
    }
}
