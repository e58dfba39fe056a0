//! Batches of points: decoded, hashed to, multiplied, added up, projected.

use super::{Form, common, each_group, point_in};
use crate::chunks::{each_row, task_quantum};
use crate::column::{Cells, Column, Wanted};
use crate::curve::Curve;
use crate::error::Fault;
use crate::groups::Groups;
use crate::number::Integer;
use crate::outcomes::{Outcome, Outcomes, Values};
use crate::point::encoding_of;
use crate::text::Text;
use bilinear_engine::{self as engine, Batch, BigUint, Encoding, Validate, in_place, try_in_place};
use pyo3::prelude::*;
use std::ops::Range;

/// The group of a computation, and the encoding of its points.
struct Points<'a> {
    curve: &'a Curve,
    batch: Batch,
    group: engine::Group,
    encoding: Option<Encoding>,
}

impl<'a> Points<'a> {
    fn new(curve: &'a Curve, validate: Validate, form: &Form<'_, '_>) -> PyResult<Points<'a>> {
        let group = form.group.of_points()?;
        let encoding = encoding_of(curve, group, form.encoding)?;
        Ok(Points { curve, batch: curve.batch()?.validate(validate), group, encoding })
    }

    fn column(&self, points: &Bound<'_, PyAny>) -> PyResult<Column> {
        Column::of_points(Wanted { curve: self.curve, group: self.group, side: None }, points)
    }

    /// Reads the points of some rows. A row that cannot be read gets a fault.
    fn read(&self, cells: &Cells<'_>, rows: usize) -> Vec<Result<engine::Point, Fault>> {
        let cell = |i| Ok::<_, Fault>(point_in(self.batch.system(), self.group, self.encoding, cells.get(i)?));
        let read = in_place((0..rows).map(cell), |cells| self.batch.decode(self.group, &cells));
        read.into_iter().map(|decoded| Ok(decoded??)).collect()
    }

    fn outcomes(&self, made: Outcome<engine::Point>) -> Outcomes {
        made.finish(self.curve, |points| Values::Points(self.curve.group(self.group), self.encoding, points))
    }
}

/// Checks and decodes points.
pub(crate) fn decoded(
    curve: &Curve,
    points: &Bound<'_, PyAny>,
    validate: Validate,
    form: &Form<'_, '_>,
) -> PyResult<Outcomes> {
    let (py, of) = (points.py(), Points::new(curve, validate, form)?);
    let points = of.column(points)?;
    let made = each_row(py, (points.rows().unwrap_or(1), form.progress), task_quantum(&of.batch), |chunk| {
        let cells = points.cells(py, &chunk)?;
        Ok(py.detach(|| of.read(&cells, chunk.len())))
    });
    Ok(of.outcomes(made?))
}

/// Computes x·P for every row, by the routine that is constant time in the x, except for their lengths.
pub(crate) fn multiples(
    curve: &Curve,
    points: &Bound<'_, PyAny>,
    scalars: &Bound<'_, PyAny>,
    form: &Form<'_, '_>,
) -> PyResult<Outcomes> {
    let (py, of) = (points.py(), Points::new(curve, Validate::Subgroup, form)?);
    let (points, scalars) = (of.column(points)?, Column::of_scalars(curve, scalars)?);
    let rows = common(("points", &points), ("scalars", &scalars))?;
    let made = each_row(py, (rows, form.progress), task_quantum(&of.batch), |chunk| {
        let (p, x) = (points.cells(py, &chunk)?, scalars.cells(py, &chunk)?);
        Ok(py.detach(|| {
            let points = of.read(&p, chunk.len()).into_iter().enumerate();
            let terms = points.map(|(i, point)| Ok((x.get(i)?.secret()?, point?)));
            in_place(terms, |terms| of.batch.mul_secret(of.group, &terms))
        }))
    });
    Ok(of.outcomes(made?))
}

/// Hashes messages to points.
pub(crate) fn hashes(
    curve: &Curve,
    messages: &Bound<'_, PyAny>,
    dst: &Text,
    form: &Form<'_, '_>,
) -> PyResult<Outcomes> {
    let (py, of) = (messages.py(), Points::new(curve, Validate::Subgroup, form)?);
    let messages = Column::new(messages)?;
    let made = each_row(py, (messages.rows().unwrap_or(1), form.progress), task_quantum(&of.batch), |chunk| {
        let cells = messages.cells(py, &chunk)?;
        let made = py.detach(|| {
            let messages = (0..chunk.len()).map(|i| Ok(cells.get(i)?.bytes()));
            try_in_place(messages, |messages| of.batch.hash_to_curve(of.group, &messages, dst.as_bytes()))
        });
        Ok(made.map_err(Fault::from)?)
    });
    Ok(of.outcomes(made?))
}

/// Computes the components of points in the subgroup of a prime factor of the order, by the routine that is constant
/// time in the factors.
pub(crate) fn projections(
    curve: &Curve,
    points: &Bound<'_, PyAny>,
    index: &Integer<'_>,
    form: &Form<'_, '_>,
) -> PyResult<Outcomes> {
    let (py, of) = (points.py(), Points::new(curve, Validate::Subgroup, form)?);
    let points = of.column(points)?;
    let index: usize =
        index.0.extract().map_err(|_| Fault::new("factors", format!("there is no factor {}", index.0)))?;
    let factors = |error| Fault::new("factors", error);
    // reports a fault of the factors even if there are no rows
    of.batch.project(index, &[]).map_err(factors)?;
    let made = each_row(py, (points.rows().unwrap_or(1), form.progress), task_quantum(&of.batch), |chunk| {
        let cells = points.cells(py, &chunk)?;
        let made = py.detach(|| try_in_place(of.read(&cells, chunk.len()), |points| of.batch.project(index, &points)));
        Ok(made.map_err(factors)?)
    });
    Ok(of.outcomes(made?))
}

/// Computes the sum of the points of each group of rows.
pub(crate) fn sums(
    curve: &Curve,
    points: &Bound<'_, PyAny>,
    groups: &Groups,
    validate: Validate,
    form: &Form<'_, '_>,
) -> PyResult<Outcomes> {
    let (py, of) = (points.py(), Points::new(curve, validate, form)?);
    let points = of.column(points)?;
    let groups = groups.ranges(points.rows().unwrap_or(1))?;
    let read = |rows: Range<usize>| {
        let cells = points.cells(py, &rows)?;
        Ok(py.detach(|| of.read(&cells, rows.len())))
    };
    let made = each_group(py, &of.batch, (&groups, form.progress), read, |points, ranges| {
        py.detach(|| of.batch.sums(of.group, points, ranges))
    });
    Ok(of.outcomes(made?))
}

/// Computes Σ x·P over each group of rows. Variable time in the x.
pub(crate) fn msms(
    curve: &Curve,
    (points, scalars): (&Bound<'_, PyAny>, &Bound<'_, PyAny>),
    groups: &Groups,
    validate: Validate,
    form: &Form<'_, '_>,
) -> PyResult<Outcomes> {
    let (py, of) = (points.py(), Points::new(curve, validate, form)?);
    let (points, scalars) = (of.column(points)?, Column::of_scalars(curve, scalars)?);
    let groups = groups.ranges(common(("points", &points), ("scalars", &scalars))?)?;
    let read = |rows: Range<usize>| {
        let (p, x) = (points.cells(py, &rows)?, scalars.cells(py, &rows)?);
        Ok(py.detach(|| {
            let points = of.read(&p, rows.len()).into_iter().enumerate();
            points.map(|(i, point)| Ok((BigUint::from_bytes_be(x.get(i)?.bytes()), point?))).collect()
        }))
    };
    let made = each_group(py, &of.batch, (&groups, form.progress), read, |terms: &[(BigUint, _)], ranges| {
        py.detach(|| ranges.iter().map(|range| of.batch.msm(of.group, &terms[range.clone()])).collect())
    });
    Ok(of.outcomes(made?))
}
