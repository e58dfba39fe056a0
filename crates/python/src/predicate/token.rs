//! Tokens, which tell for which rows a predicate holds.

use super::scan::Scan;
use super::{Pickled, pickled};
use crate::curve::Curve;
use crate::error::Fault;
use crate::number::at_least_one;
use crate::outcomes::Outcomes;
use crate::point::hex;
use crate::text::Text;
use bilinear_schemes::predicate::{self, Content, KeyFile};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// The token of a predicate, which tells for which rows the predicate holds.
#[pyclass(frozen, module = "bilinear.predicate")]
pub(crate) struct Token(pub(super) Scan);

impl Token {
    pub(super) fn new(curve: Curve, token: predicate::Token) -> Token {
        Token(Scan::new(curve, vec![token]))
    }

    pub(super) fn token(&self) -> &predicate::Token {
        &self.0.tokens[0]
    }

    fn of_file(py: Python<'_>, file: &KeyFile, engine: Option<&str>, threads: Option<NonZeroUsize>) -> PyResult<Token> {
        let curve = Curve::of_key(py, file, engine, threads)?;
        let batch = curve.batch()?;
        let token = py.detach(|| predicate::Token::from_bytes(&batch, file.key()));
        Ok(Token::new(curve, token.map_err(|error| Fault::from(file.refused(error)))?))
    }
}

#[pymethods]
impl Token {
    /// Reads a token from a file that `bilinear search token` or `save` wrote.
    #[staticmethod]
    #[pyo3(signature = (path, *, engine = None, threads = None))]
    fn load(
        py: Python<'_>,
        path: PathBuf,
        engine: Option<&str>,
        #[pyo3(from_py_with = at_least_one)] threads: Option<NonZeroUsize>,
    ) -> PyResult<Token> {
        let file = py.detach(|| KeyFile::read(&path, Content::Token)).map_err(Fault::from)?;
        Token::of_file(py, &file, engine, threads)
    }

    /// Reads a token from the bytes of a token file.
    #[staticmethod]
    #[pyo3(signature = (data, *, engine = None, threads = None))]
    fn from_bytes(
        py: Python<'_>,
        data: Text,
        engine: Option<&str>,
        #[pyo3(from_py_with = at_least_one)] threads: Option<NonZeroUsize>,
    ) -> PyResult<Token> {
        let file = KeyFile::parse("token", Content::Token, data.as_bytes()).map_err(Fault::from)?;
        Token::of_file(py, &file, engine, threads)
    }

    /// Writes the token to a new file that only the current user can read.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let curve = self.0.curve.system().curve();
        let write = || KeyFile::write(&path, Content::Token, &self.token().to_bytes(), curve, None);
        Ok(py.detach(write).map_err(Fault::from)?)
    }

    /// Returns the token as the bytes of a token file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &KeyFile::text(Content::Token, &self.token().to_bytes(), self.0.curve.system().curve(), None))
    }

    /// The curve of the token.
    #[getter]
    fn curve(&self) -> Curve {
        self.0.curve.clone()
    }

    /// The identifier of the public key whose rows the token can search, in hexadecimal.
    #[getter]
    fn id(&self) -> String {
        hex(self.token().id())
    }

    /// The number of pairings that a row costs.
    #[getter]
    fn pairings(&self) -> usize {
        self.token().pairings()
    }

    /// Finds out for which rows the predicate holds.
    #[pyo3(signature = (rows, *, progress = None))]
    fn matches(&self, rows: &Bound<'_, PyAny>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<Outcomes> {
        Ok(self.0.matches(rows, progress)?.remove(0))
    }

    /// Returns the messages of the rows for which the predicate holds, and `None` for the others.
    #[pyo3(signature = (rows, *, progress = None))]
    fn open(&self, rows: &Bound<'_, PyAny>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<Outcomes> {
        Ok(self.0.open(rows, progress)?.remove(0))
    }

    fn __eq__(&self, other: &Bound<'_, Token>) -> bool {
        self.token() == other.get().token()
    }

    fn __hash__(&self) -> u64 {
        self.0.curve.hash_of(self.token().id())
    }

    fn __repr__(&self) -> String {
        let (id, curve) = (&self.id()[..8], self.0.curve.system().curve().name());
        format!("<Token for rows of {id}, {curve}, pairings a row: {}>", self.pairings())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        pickled(&py.get_type::<Token>(), &self.0.curve, self.to_bytes(py))
    }
}
