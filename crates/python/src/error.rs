//! `bilinear.Error`: a `ValueError` with a code. An error of a row of a batch also has the row and the outcome.

use bilinear_engine::params;
use bilinear_engine::{EncodingError, GtError, HashError, OutsideG2Error, PointError, Side};
use bilinear_schemes::bgn::BgnError;
use bilinear_schemes::ibe::IbeError;
use bilinear_schemes::predicate::language::{PredicateTextError, SchemaError, ValueError};
use bilinear_schemes::predicate::{DecodeError, KeyFileError, PredicateError};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use std::borrow::Cow;
use std::fmt::Display;

pyo3::create_exception!(
    bilinear,
    Error,
    PyValueError,
    "A value is not what it should be.

`code` is a stable word for the cause, `row` the row of the input that is at fault, from 0, and `index` the outcome that has this error in
place of a value, from 0; the last two are None where there is none."
);

/// An error before it is raised in Python.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    /// A stable word for the cause.
    code: Cow<'static, str>,
    /// The row and the part of it that are at fault, in words.
    place: Option<String>,
    message: String,
    /// The row of the input that is at fault, from 0.
    row: Option<usize>,
}

/// The pickled form of a fault: code, message and row.
pub(crate) type Saved = (String, String, Option<usize>);

impl Fault {
    pub(crate) fn new(code: &'static str, message: impl Display) -> Fault {
        Fault { code: Cow::Borrowed(code), place: None, message: message.to_string(), row: None }
    }

    /// Names the argument of the pairing that is at fault.
    pub(crate) fn of(self, side: Side) -> Fault {
        self.within(&side)
    }

    /// Names the part that is at fault.
    pub(crate) fn within(self, name: &impl Display) -> Fault {
        Fault { place: Some(name.to_string()), ..self }
    }

    /// Names the row that is at fault.
    pub(crate) fn at(self, row: usize) -> Fault {
        let place = self.place.map_or(format!("row {row}"), |part| format!("row {row}, {part}"));
        Fault { place: Some(place), row: Some(row), ..self }
    }

    /// Returns the message with the place that is at fault.
    fn text(&self) -> String {
        self.place.as_ref().map_or(self.message.clone(), |place| format!("{place}: {}", self.message))
    }

    /// Returns the pickled form of the fault.
    pub(crate) fn saved(&self) -> Saved {
        (self.code.clone().into_owned(), self.text(), self.row)
    }

    pub(crate) fn read((code, message, row): Saved) -> Fault {
        Fault { code: Cow::Owned(code), place: None, message, row }
    }

    /// Returns the Python exception. `index` is the outcome that the error replaces.
    pub(crate) fn raised(&self, py: Python<'_>, index: Option<usize>) -> PyErr {
        let error = Error::new_err(self.text());
        let value = error.value(py);
        let set = value
            .setattr("code", &*self.code)
            .and_then(|()| value.setattr("row", self.row))
            .and_then(|()| value.setattr("index", index));
        set.err().unwrap_or(error)
    }
}

/// Allocates a vector for `count` outcomes, or fails: a table can claim more rows than memory can hold.
pub(crate) fn reserved<T>(count: usize) -> PyResult<Vec<T>> {
    let mut values = Vec::new();
    let wrong = |_| PyMemoryError::new_err(format!("there is no memory for {count} outcomes"));
    values.try_reserve_exact(count).map_err(wrong)?;
    Ok(values)
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> PyErr {
        Python::attach(|py| fault.raised(py, None))
    }
}

impl From<PointError> for Fault {
    fn from(error: PointError) -> Fault {
        Fault::new(error.code(), error)
    }
}

impl From<GtError> for Fault {
    fn from(error: GtError) -> Fault {
        Fault::new(error.code(), error)
    }
}

/// Gives every error of a type one code.
macro_rules! codes {
    ($($error:ty => $code:literal),+ $(,)?) => {$(
        impl From<$error> for Fault {
            fn from(error: $error) -> Fault {
                Fault::new($code, error)
            }
        }
    )+};
}

codes! {
    EncodingError => "encoding",
    OutsideG2Error => "argument",
    HashError => "dst",
    params::Error => "parameters",
    KeyFileError => "file",
    SchemaError => "schema",
    PredicateTextError => "predicate",
    ValueError => "value",
    getrandom::Error => "randomness",
}

impl From<PredicateError> for Fault {
    fn from(error: PredicateError) -> Fault {
        let code = match &error {
            PredicateError::Factors(_) | PredicateError::Primes { .. } => "factors",
            PredicateError::Curve(_) => "context",
            PredicateError::Randomness(_) => "randomness",
            _ => "value",
        };
        Fault::new(code, error)
    }
}

impl From<BgnError> for Fault {
    fn from(error: BgnError) -> Fault {
        let code = match &error {
            BgnError::Factors(_) | BgnError::Primes { .. } => "factors",
            BgnError::Curve(_) => "context",
            BgnError::Bound(_) => "range",
            BgnError::Randomness(_) => "randomness",
        };
        Fault::new(code, error)
    }
}

impl From<IbeError> for Fault {
    fn from(error: IbeError) -> Fault {
        let code = match &error {
            IbeError::Curve(_) => "context",
            IbeError::Message { .. } => "value",
            IbeError::Randomness(_) => "randomness",
        };
        Fault::new(code, error)
    }
}

/// Converts the error of an encrypted row, with the codes of `bilinear search scan`.
impl From<DecodeError> for Fault {
    fn from(error: DecodeError) -> Fault {
        Fault::new(error.code(), error)
    }
}
