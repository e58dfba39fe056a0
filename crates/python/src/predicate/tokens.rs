//! Searches with several tokens in one pass: each row is read once, and each of its points that a token needs is
//! checked once.

use super::token::Token;
use crate::chunks::{in_chunks, lane_quantum};
use crate::column::Column;
use crate::curve::Curve;
use crate::error::Fault;
use crate::outcomes::{Outcome, Outcomes, Values};
use crate::per_process::PerProcess;
use crate::point::hex;
use bilinear_engine::{Validate, in_place};
use bilinear_schemes::predicate::{self, Opened, PredicateError, Searches};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use std::sync::Arc;

/// Tokens of one key that search in one pass.
#[pyclass(frozen, sequence, module = "bilinear.predicate")]
pub(crate) struct Tokens {
    /// The curve of the first token, with its engine and threads.
    curve: Curve,
    tokens: Vec<predicate::Token>,
    /// The token objects that the caller passed.
    given: Vec<Py<Token>>,
    /// The tokens, prepared when the first rows are searched.
    searches: PerProcess<Arc<Searches>>,
}

impl Tokens {
    /// Searches every row of a column with every token, and maps each result with `each`. Returns the outcomes by
    /// token. Points are checked as `Token` checks them.
    fn scan<T>(
        &self,
        rows: &Bound<'_, PyAny>,
        progress: Option<&Bound<'_, PyAny>>,
        each: impl Fn(Opened) -> Result<T, Fault>,
    ) -> PyResult<Vec<Outcome<T>>> {
        let (py, column, batch) = (rows.py(), Column::new(rows)?, self.curve.batch()?.validate(Validate::OnCurve));
        let (count, step) = (column.rows().unwrap_or(1), lane_quantum(&batch));
        let searches = py.detach(|| self.searches.get(|| Searches::new(batch, &self.tokens).map(Arc::new)));
        let searches = searches.map_err(Fault::from)?;
        let outcomes = self.tokens.iter().map(|_| Outcome::new(count));
        let mut outcomes: Vec<Outcome<T>> = outcomes.collect::<PyResult<_>>()?;
        in_chunks(py, progress, count, step, |chunk| {
            let cells = column.cells(py, &chunk)?;
            let (rows, found) = py.detach(|| {
                let rows: Vec<Result<&[u8], Fault>> = (0..chunk.len()).map(|i| Ok(cells.get(i)?.bytes())).collect();
                let good: Vec<&[u8]> = rows.iter().flatten().copied().collect();
                let found = searches.open(&good);
                (rows, found)
            });
            for (outcome, found) in outcomes.iter_mut().zip(found) {
                let found = in_place(rows.iter().cloned(), |_| found);
                outcome.extend(found.into_iter().map(|opened| each(opened?)));
            }
            Ok(())
        })?;
        Ok(outcomes)
    }
}

#[pymethods]
impl Tokens {
    /// Creates a search with several tokens of one key, on the engine and the threads of the first token.
    #[new]
    fn new(tokens: &Bound<'_, PyAny>) -> PyResult<Tokens> {
        let given = tokens.try_iter()?.map(|token| Ok(token?.cast_into::<Token>()?.unbind()));
        let given = given.collect::<PyResult<Vec<Py<Token>>>>()?;
        let Some(first) = given.first() else { return Err(Fault::new("value", "at least one token is needed").into()) };
        let curve = first.get().curve.clone();
        let tokens: Vec<predicate::Token> = given.iter().map(|token| token.get().token.clone()).collect();
        match tokens.iter().position(|token| token.id() != tokens[0].id()) {
            Some(foreign) => Err(Fault::from(PredicateError::Token(foreign)).into()),
            None => Ok(Tokens { curve, tokens, given, searches: PerProcess::default() }),
        }
    }

    /// Finds out for which rows each predicate holds.
    #[pyo3(signature = (rows, *, progress = None))]
    fn matches(&self, rows: &Bound<'_, PyAny>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Outcomes>> {
        let found = self.scan(rows, progress, |opened| Ok(opened?.is_some()))?;
        Ok(found.into_iter().map(|found| found.finish(&self.curve, Values::Truths)).collect())
    }

    /// Returns for each token the messages of the rows for which its predicate holds, and `None` for the others.
    #[pyo3(signature = (rows, *, progress = None))]
    fn open(&self, rows: &Bound<'_, PyAny>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Outcomes>> {
        let found = self.scan(rows, progress, |opened| Ok(opened?))?;
        Ok(found.into_iter().map(|found| found.finish(&self.curve, Values::messages)).collect())
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
        let (count, id) = (self.tokens.len(), hex(self.tokens[0].id()));
        let pairings: usize = self.tokens.iter().map(predicate::Token::pairings).sum();
        let curve = self.curve.system().curve().name();
        format!("<Tokens for rows of {}, {curve}: {count}, pairings a row: {pairings}>", &id[..8])
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (Vec<Py<Token>>,)) {
        let given = self.given.iter().map(|token| token.clone_ref(py)).collect();
        (py.get_type::<Tokens>().into_any(), (given,))
    }
}
