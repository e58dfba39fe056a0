//! Batches of elements of the target group: decoded, raised to powers, multiplied.

use super::{common, each_group};
use crate::chunks::{each_row, task_quantum};
use crate::column::{Cell, Cells, Column};
use crate::curve::Curve;
use crate::error::Fault;
use crate::groups::Groups;
use crate::outcomes::{Outcomes, Values};
use bilinear_engine::{Batch, Gt, GtEncoding, in_place};
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
    // in place of errors stand the values that are known, and faults
    let unknown = |i| match cells.get(i) {
        Err(fault) => Err(Err(fault)),
        Ok(Cell::Value(value)) => Err(Ok(value.clone())),
        Ok(Cell::Arrow([])) if encoding == GtEncoding::Plain => Err(Ok(batch.system().gt_one())),
        Ok(cell) => Ok(cell.bytes()),
    };
    let decoded = in_place((0..rows).map(unknown), |unknown| batch.decode_gt_as(encoding, &unknown));
    decoded.into_iter().map(|decoded| decoded.map_or_else(|known| known, |value| Ok(value?))).collect()
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
        Ok(py.detach(|| raised(&batch, encoding, (&y, &x), chunk.len())))
    });
    Ok(made?.finish(curve, Values::Targets))
}

/// Computes the powers of some rows.
fn raised(
    batch: &Batch,
    encoding: GtEncoding,
    (y, x): (&Cells<'_>, &Cells<'_>),
    rows: usize,
) -> Vec<Result<Gt, Fault>> {
    let values = read(batch, encoding, y, rows).into_iter().enumerate();
    in_place(values.map(|(i, value)| Ok((value?, x.get(i)?.secret()?))), |terms| batch.gt_pow_secret(&terms))
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
        Ok(py.detach(|| match &x {
            Some(x) => raised(&batch, encoding, (&y, x), rows.len()),
            None => read(&batch, encoding, &y, rows.len()),
        }))
    };
    let made = each_group(py, &batch, (&groups.ranges(rows)?, progress), factors, |values, ranges| {
        py.detach(|| batch.gt_products(values, ranges))
    });
    Ok(made?.finish(curve, Values::Targets))
}
