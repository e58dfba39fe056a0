//! Searches with several tokens in one pass.

use super::scan::Scan;
use super::token::Token;
use crate::error::Fault;
use crate::outcomes::Outcomes;
use crate::point::hex;
use bilinear_schemes::predicate::{self, PredicateError};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

/// Tokens of one key that search in one pass.
#[pyclass(frozen, sequence, module = "bilinear.predicate")]
pub(crate) struct Tokens {
    scan: Scan,
    /// The token objects that the caller passed.
    given: Vec<Py<Token>>,
}

#[pymethods]
impl Tokens {
    /// Creates a search with several tokens of one key, on the engine and the threads of the first token.
    #[new]
    fn new(tokens: &Bound<'_, PyAny>) -> PyResult<Tokens> {
        let given = tokens.try_iter()?.map(|token| Ok(token?.cast_into::<Token>()?.unbind()));
        let given = given.collect::<PyResult<Vec<Py<Token>>>>()?;
        let Some(first) = given.first() else { return Err(Fault::new("value", "at least one token is needed").into()) };
        let curve = first.get().0.curve.clone();
        let tokens: Vec<predicate::Token> = given.iter().map(|token| token.get().token().clone()).collect();
        match tokens.iter().position(|token| token.id() != tokens[0].id()) {
            Some(foreign) => Err(Fault::from(PredicateError::Token(foreign)).into()),
            None => Ok(Tokens { scan: Scan::new(curve, tokens), given }),
        }
    }

    /// Finds out for which rows each predicate holds.
    #[pyo3(signature = (rows, *, progress = None))]
    fn matches(&self, rows: &Bound<'_, PyAny>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Outcomes>> {
        self.scan.matches(rows, progress)
    }

    /// Returns for each token the messages of the rows for which its predicate holds, and `None` for the others.
    #[pyo3(signature = (rows, *, progress = None))]
    fn open(&self, rows: &Bound<'_, PyAny>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Outcomes>> {
        self.scan.open(rows, progress)
    }

    fn __len__(&self) -> usize {
        self.given.len()
    }

    fn __getitem__(&self, py: Python<'_>, index: isize) -> PyResult<Py<Token>> {
        let at = if index < 0 { index + self.given.len() as isize } else { index };
        let token = usize::try_from(at).ok().and_then(|at| self.given.get(at));
        let none = || {
            let count = self.given.len();
            PyIndexError::new_err(format!("index {index} is out of range: the number of tokens is {count}"))
        };
        Ok(token.ok_or_else(none)?.clone_ref(py))
    }

    fn __repr__(&self) -> String {
        let Scan { tokens, curve, .. } = &self.scan;
        let (count, id, curve) = (tokens.len(), hex(tokens[0].id()), curve.system().curve().name());
        let pairings: usize = tokens.iter().map(predicate::Token::pairings).sum();
        format!("<Tokens for rows of {}, {curve}: {count}, pairings a row: {pairings}>", &id[..8])
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (Vec<Py<Token>>,)) {
        let given = self.given.iter().map(|token| token.clone_ref(py)).collect();
        (py.get_type::<Tokens>().into_any(), (given,))
    }
}
