//! Batches of elements of the target group: decoded, raised to powers, multiplied.

use super::{common, each_group};
use crate::chunks::{each_row, task_quantum};
use crate::column::{Cell, Cells, Column};
use crate::curve::Curve;
use crate::error::Fault;
use crate::groups::Groups;
use crate::outcomes::{Outcomes, Values, of_good};
use bilinear_engine::{Batch, Gt, GtEncoding};
use pyo3::prelude::*;
use std::ops::Range;

/// The encoding of values that are given as bytes, and the progress callback.
#[derive(Clone, Copy)]
pub(crate) struct ValueOptions<'a, 'py> {
    pub(crate) encoding: GtEncoding,
    pub(crate) progress: Option<&'a Bound<'py, PyAny>>,
}

/// Reads the values of some rows. A row that cannot be read gets a fault, and values that this package made are not
/// checked again. An empty Arrow value is 1 in the encoding of all coefficients, as an empty value is O in a column of
/// points.
fn read(batch: &Batch, encoding: GtEncoding, cells: &Cells<'_>, rows: usize) -> Vec<Result<Gt, Fault>> {
    let cells: Vec<Result<Cell<'_>, Fault>> = (0..rows).map(|i| cells.get(i)).collect();
    let is_one = |cell: &Cell<'_>| encoding == GtEncoding::Plain && matches!(cell, Cell::Arrow([]));
    let unknown = cells.iter().flatten().filter(|cell| !is_one(cell) && !matches!(cell, Cell::Value(_)));
    let unknown: Vec<&[u8]> = unknown.map(|cell| cell.bytes()).collect();
    let mut decoded = batch.decode_gt_as(encoding, &unknown).into_iter();
    let value = |cell: Result<Cell<'_>, Fault>| match cell? {
        Cell::Value(value) => Ok(value.clone()),
        cell if is_one(&cell) => Ok(batch.system().gt_one()),
        _ => Ok(decoded.next().unwrap_or_else(|| unreachable!("an outcome for every encoding"))?),
    };
    cells.into_iter().map(value).collect()
}

/// Checks and decodes elements of the target group.
pub(crate) fn decoded(
    curve: &Curve,
    values: &Bound<'_, PyAny>,
    ValueOptions { encoding, progress }: ValueOptions<'_, '_>,
) -> PyResult<Outcomes> {
    let (py, values, batch) = (values.py(), Column::of_values(curve, values)?, curve.batch()?);
    let made = each_row(py, (values.rows().unwrap_or(1), progress), task_quantum(&batch), |chunk| {
        let cells = values.cells(py, &chunk)?;
        Ok(py.detach(|| read(&batch, encoding, &cells, chunk.len())))
    });
    Ok(made?.finish(curve, Values::Targets))
}

/// Computes y^x for every row, by the routine that is constant time in the x, except for their lengths.
pub(crate) fn powers(
    curve: &Curve,
    values: &Bound<'_, PyAny>,
    scalars: &Bound<'_, PyAny>,
    ValueOptions { encoding, progress }: ValueOptions<'_, '_>,
) -> PyResult<Outcomes> {
    let (py, values, batch) = (values.py(), Column::of_values(curve, values)?, curve.batch()?);
    let scalars = Column::of_scalars(curve, scalars)?;
    let rows = common(("values", &values), ("scalars", &scalars))?;
    let made = each_row(py, (rows, progress), task_quantum(&batch), |chunk| {
        let (y, x) = (values.cells(py, &chunk)?, scalars.cells(py, &chunk)?);
        Ok(py.detach(|| raised(&batch, encoding, (&y, &x), chunk.len()))?)
    });
    Ok(made?.finish(curve, Values::Targets))
}

/// Computes the powers of some rows.
fn raised(
    batch: &Batch,
    encoding: GtEncoding,
    (y, x): (&Cells<'_>, &Cells<'_>),
    rows: usize,
) -> Result<Vec<Result<Gt, Fault>>, Fault> {
    let values = read(batch, encoding, y, rows).into_iter().enumerate();
    let terms = values.map(|(i, value)| Ok((value?, x.get(i)?.secret()?))).collect();
    of_good(terms, |good: &[(Gt, &[u8])]| Ok(batch.gt_pow_secret(good)))
}

/// Computes the product of the values of each group of rows, or of their powers.
pub(crate) fn products(
    curve: &Curve,
    (values, scalars): (&Bound<'_, PyAny>, Option<&Bound<'_, PyAny>>),
    groups: &Groups,
    ValueOptions { encoding, progress }: ValueOptions<'_, '_>,
) -> PyResult<Outcomes> {
    let (py, values, batch) = (values.py(), Column::of_values(curve, values)?, curve.batch()?);
    let scalars = scalars.map(|scalars| Column::of_scalars(curve, scalars)).transpose()?;
    let rows = match &scalars {
        Some(scalars) => common(("values", &values), ("scalars", scalars))?,
        None => values.rows().unwrap_or(1),
    };
    let factors = |rows: Range<usize>| {
        let y = values.cells(py, &rows)?;
        let x = scalars.as_ref().map(|scalars| scalars.cells(py, &rows)).transpose()?;
        let read = py.detach(|| match &x {
            Some(x) => raised(&batch, encoding, (&y, x), rows.len()),
            None => Ok(read(&batch, encoding, &y, rows.len())),
        });
        Ok(read?)
    };
    let made = each_group(py, &batch, (&groups.ranges(rows)?, progress), factors, |values, ranges| {
        py.detach(|| batch.gt_products(values, ranges))
    });
    Ok(made?.finish(curve, Values::Targets))
}
