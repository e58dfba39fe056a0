//! Searches of rows with one or more tokens in one pass: each row is read once, and each of its points that a token
//! needs is checked once.

use crate::chunks::{in_chunks, lane_quantum};
use crate::column::Column;
use crate::curve::Curve;
use crate::error::Fault;
use crate::outcomes::{Outcome, Outcomes, Values};
use crate::per_process::PerProcess;
use bilinear_engine::{Validate, in_place};
use bilinear_schemes::predicate::{Opened, Searches, Token};
use pyo3::prelude::*;
use std::sync::Arc;

/// Tokens of one key that search in one pass.
pub(super) struct Scan {
    /// The curve of the first token, with its engine and threads.
    pub(super) curve: Curve,
    pub(super) tokens: Vec<Token>,
    /// The tokens, prepared when the first rows are searched.
    searches: PerProcess<Arc<Searches>>,
}

impl Scan {
    pub(super) fn new(curve: Curve, tokens: Vec<Token>) -> Scan {
        Scan { curve, tokens, searches: PerProcess::default() }
    }

    /// Finds out by token for which rows its predicate holds.
    pub(super) fn matches(
        &self,
        rows: &Bound<'_, PyAny>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Outcomes>> {
        self.scan(rows, progress, |opened| Ok(opened?.is_some()), Values::Truths)
    }

    /// Returns by token the messages of the rows for which its predicate holds, and `None` for the others.
    pub(super) fn open(&self, rows: &Bound<'_, PyAny>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Outcomes>> {
        self.scan(rows, progress, |opened| Ok(opened?), Values::messages)
    }

    /// Searches every row of a column with every token, and maps each result with `each`. Points are checked to be on
    /// the curve; the search checks them in full where it must ([`Search::new`](bilinear_schemes::predicate::Search)).
    fn scan<T>(
        &self,
        rows: &Bound<'_, PyAny>,
        progress: Option<&Bound<'_, PyAny>>,
        each: impl Fn(Opened) -> Result<T, Fault>,
        values: impl Fn(Vec<Option<T>>) -> Values,
    ) -> PyResult<Vec<Outcomes>> {
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
        Ok(outcomes.into_iter().map(|outcome| outcome.finish(&self.curve, &values)).collect())
    }
}
