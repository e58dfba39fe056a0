//! The groups under the names that Charm uses.

use crate::error::Fault;
use bilinear_engine as engine;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// A group: `G1` and `G2` are the groups of points, `GT` is the target group, and `Zr` the residues modulo the order.
#[pyclass(eq, frozen, hash, from_py_object, module = "bilinear")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Group {
    G1,
    G2,
    GT,
    Zr,
}

impl Group {
    fn name(self) -> &'static str {
        match self {
            Group::G1 => "G1",
            Group::G2 => "G2",
            Group::GT => "GT",
            Group::Zr => "Zr",
        }
    }

    /// Returns the group of points that `self` names, or an error for GT and Zr.
    pub(crate) fn of_points(self) -> Result<engine::Group, Fault> {
        match self {
            Group::G1 => Ok(engine::Group::G1),
            Group::G2 => Ok(engine::Group::G2),
            Group::GT | Group::Zr => Err(Fault::new("argument", format!("G1 or G2 is expected, not {}", self.name()))),
        }
    }
}

impl From<engine::Group> for Group {
    fn from(group: engine::Group) -> Group {
        match group {
            engine::Group::G1 => Group::G1,
            engine::Group::G2 => Group::G2,
        }
    }
}

#[pymethods]
impl Group {
    fn __repr__(&self) -> &'static str {
        self.name()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Named<'py>)> {
        let getattr = py.import("builtins")?.getattr("getattr")?;
        Ok((getattr, (py.get_type::<Group>().into_any(), PyString::new(py, self.name()))))
    }
}

/// An object and the name of its attribute.
type Named<'py> = (Bound<'py, PyAny>, Bound<'py, PyString>);
