//! Schemas: the attributes of a table, and the costs and results of predicates over them.

use crate::error::Fault;
use bilinear_schemes::predicate::language::{self, Attribute, Predicate, Value};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PyString};

/// The attributes of a table and how they become vectors.
#[pyclass(frozen, eq, from_py_object, module = "bilinear.predicate")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Schema(pub(crate) language::Schema);

/// Converts a Python object to the value of an attribute. An integer of more than 64 bits is a fault of the value.
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
    // an integer, or an object that converts to one, such as numpy's integers
    if item.is_instance_of::<PyString>() || !item.hasattr("__index__")? {
        return Err(wrong());
    }
    Ok(item.extract().map(Value::Integer).map_err(|_| too_long(attribute)))
}

/// Returns the fault of an integer of more than 64 bits.
pub(super) fn too_long(attribute: &Attribute) -> Fault {
    Fault::new("value", format!("attribute {}: an integer of more than 64 bits", attribute.name()))
}

#[pymethods]
impl Schema {
    /// Reads a schema from its text: `hidden vector` or `inner product`, then an attribute a line.
    #[new]
    fn new(text: &str) -> PyResult<Schema> {
        Ok(Schema(text.parse().map_err(Fault::from)?))
    }

    /// The kind of the schema: `hidden vector`, `inner product`, `inner product in dual spaces` or
    /// `inner product with matrices`.
    #[getter]
    fn scheme(&self) -> &'static str {
        self.0.kind()
    }

    /// The names of the attributes.
    #[getter]
    fn attributes(&self) -> Vec<&str> {
        self.0.attributes().iter().map(Attribute::name).collect()
    }

    /// The length of the vectors.
    #[getter]
    fn length(&self) -> usize {
        self.0.length()
    }

    /// Returns the number of pairings that a token of this predicate costs for each row.
    fn pairings(&self, predicate: &str) -> PyResult<usize> {
        Ok(Predicate::new(&self.0, predicate).map_err(Fault::from)?.pairings())
    }

    /// Returns true if a predicate holds for a plaintext row, a mapping from names to values.
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
