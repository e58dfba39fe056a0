//! Batches of points: decoded, hashed to, multiplied, added up, projected.

use super::{Form, common, each_group, point_in, quantum};
use crate::chunks::in_chunks;
use crate::column::{Cells, Column, Wanted};
use crate::curve::{Curve, checks};
use crate::error::Fault;
use crate::groups::Groups;
use crate::outcomes::{Outcome, Outcomes, Values, of_good};
use crate::point::named_encoding;
use crate::text::Text;
use bilinear_engine::BigUint;
use bilinear_engine::{self as engine, Batch, Encoding, PointRef};
use pyo3::prelude::*;

/// The points of some rows, as far as they can be read.
fn read(
    batch: &Batch,
    group: engine::Group,
    encoding: Option<Encoding>,
    cells: &Cells<'_>,
    rows: usize,
) -> Result<Vec<Result<engine::Point, Fault>>, Fault> {
    let cell = |i: usize| Ok::<_, Fault>(point_in(batch.system(), group, encoding, cells.get(i)?));
    let cells: Vec<Result<PointRef<'_>, Fault>> = (0..rows).map(cell).collect();
    let read = of_good(cells, |good| Ok(batch.decode(group, good)))?;
    Ok(read.into_iter().map(|decoded| Ok(decoded??)).collect())
}

/// Checks and decodes points.
pub(crate) fn points(curve: &Curve, points: &Bound<'_, PyAny>, check: bool, form: &Form<'_, '_>) -> PyResult<Outcomes> {
    let (py, group, encoding) = (points.py(), form.group.of_points()?, named_encoding(form.encoding)?);
    let points = Column::of_points(Wanted { curve, group, side: None }, points)?;
    let (rows, batch) = (points.rows().unwrap_or(1), curve.batch()?.validate(checks(check)));
    let mut outcomes = Outcome::new(rows);
    in_chunks(py, form.progress, rows, quantum(&batch), |chunk| {
        let cells = points.cells(py, &chunk)?;
        outcomes.extend(py.detach(|| read(&batch, group, encoding, &cells, chunk.len()))?);
        Ok(())
    })?;
    Ok(outcomes.finish(curve, |points| Values::Points(curve.group(group), encoding, points)))
}

/// x·P of every row, by the routine that is constant time in the x but for their lengths.
pub(crate) fn multiples(
    curve: &Curve,
    points: &Bound<'_, PyAny>,
    scalars: &Bound<'_, PyAny>,
    form: &Form<'_, '_>,
) -> PyResult<Outcomes> {
    let (py, group, encoding) = (points.py(), form.group.of_points()?, named_encoding(form.encoding)?);
    let points = Column::of_points(Wanted { curve, group, side: None }, points)?;
    let (scalars, batch) = (Column::of_scalars(curve, scalars)?, curve.batch()?);
    let rows = common(("points", &points), ("scalars", &scalars))?;
    let mut outcomes = Outcome::new(rows);
    in_chunks(py, form.progress, rows, quantum(&batch), |chunk| {
        let (p, x) = (points.cells(py, &chunk)?, scalars.cells(py, &chunk)?);
        let made = py.detach(|| {
            let points = read(&batch, group, encoding, &p, chunk.len())?.into_iter().enumerate();
            let terms = points.map(|(i, point)| Ok((x.get(i)?.bytes()?, point?))).collect();
            of_good(terms, |good: &[(&[u8], engine::Point)]| Ok(batch.multiples(group, good)))
        });
        outcomes.extend(made?);
        Ok(())
    })?;
    Ok(outcomes.finish(curve, |points| Values::Points(curve.group(group), encoding, points)))
}

/// The points that messages are hashed to.
pub(crate) fn hashes(
    curve: &Curve,
    messages: &Bound<'_, PyAny>,
    tag: &Text,
    form: &Form<'_, '_>,
) -> PyResult<Outcomes> {
    let (py, group, encoding) = (messages.py(), form.group.of_points()?, named_encoding(form.encoding)?);
    let (messages, batch) = (Column::new(messages)?, curve.batch()?);
    let rows = messages.rows().unwrap_or(1);
    let mut outcomes = Outcome::new(rows);
    in_chunks(py, form.progress, rows, quantum(&batch), |chunk| {
        let cells = messages.cells(py, &chunk)?;
        let made = py.detach(|| {
            let messages: Vec<Result<&[u8], Fault>> = (0..chunk.len()).map(|i| cells.get(i)?.bytes()).collect();
            of_good(messages, |good| Ok(batch.hash_to_points(group, good, tag.as_bytes())?))
        });
        outcomes.extend(made?);
        Ok(())
    })?;
    Ok(outcomes.finish(curve, |points| Values::Points(curve.group(group), encoding, points)))
}

/// The components of points in the subgroup of a prime factor of the order, by the routine that is constant time in the factors.
pub(crate) fn projections(
    curve: &Curve,
    points: &Bound<'_, PyAny>,
    index: usize,
    form: &Form<'_, '_>,
) -> PyResult<Outcomes> {
    let (py, group, encoding) = (points.py(), form.group.of_points()?, named_encoding(form.encoding)?);
    let points = Column::of_points(Wanted { curve, group, side: None }, points)?;
    let (rows, batch) = (points.rows().unwrap_or(1), curve.batch()?);
    let factors = |error| Fault::new("factors", error);
    // what is wrong with the factors is so without rows too
    batch.project(index, &[]).map_err(factors)?;
    let mut outcomes = Outcome::new(rows);
    in_chunks(py, form.progress, rows, quantum(&batch), |chunk| {
        let cells = points.cells(py, &chunk)?;
        let made = py.detach(|| {
            let points = read(&batch, group, encoding, &cells, chunk.len())?;
            of_good(points, |good| batch.project(index, good).map_err(factors))
        });
        outcomes.extend(made?);
        Ok(())
    })?;
    Ok(outcomes.finish(curve, |points| Values::Points(curve.group(group), encoding, points)))
}

/// The sum of the points of each group of rows.
pub(crate) fn sums(
    curve: &Curve,
    points: &Bound<'_, PyAny>,
    groups: &Groups,
    check: bool,
    form: &Form<'_, '_>,
) -> PyResult<Outcomes> {
    let (py, group, encoding) = (points.py(), form.group.of_points()?, named_encoding(form.encoding)?);
    let points = Column::of_points(Wanted { curve, group, side: None }, points)?;
    let groups = groups.ranges(points.rows().unwrap_or(1))?;
    let batch = curve.batch()?.validate(checks(check));
    let mut outcomes = Outcome::new(groups.len());
    in_chunks(py, form.progress, groups.len(), quantum(&batch), |chunk| {
        let made = each_group(
            &groups[chunk],
            |rows| {
                let cells = points.cells(py, &rows)?;
                Ok(py.detach(|| read(&batch, group, encoding, &cells, rows.len()))?)
            },
            |points, ranges| py.detach(|| batch.sums(group, points, ranges)),
        )?;
        made.into_iter().for_each(|outcome| outcomes.push(outcome));
        Ok(())
    })?;
    Ok(outcomes.finish(curve, |points| Values::Points(curve.group(group), encoding, points)))
}

/// Σ x·P over each group of rows. Variable time in the x.
pub(crate) fn combinations(
    curve: &Curve,
    (points, scalars): (&Bound<'_, PyAny>, &Bound<'_, PyAny>),
    groups: &Groups,
    check: bool,
    form: &Form<'_, '_>,
) -> PyResult<Outcomes> {
    let (py, group, encoding) = (points.py(), form.group.of_points()?, named_encoding(form.encoding)?);
    let points = Column::of_points(Wanted { curve, group, side: None }, points)?;
    let scalars = Column::of_scalars(curve, scalars)?;
    let groups = groups.ranges(common(("points", &points), ("scalars", &scalars))?)?;
    let batch = curve.batch()?.validate(checks(check));
    let mut outcomes = Outcome::new(groups.len());
    in_chunks(py, form.progress, groups.len(), 1, |chunk| {
        let made = each_group(
            &groups[chunk],
            |rows| {
                let (p, x) = (points.cells(py, &rows)?, scalars.cells(py, &rows)?);
                let terms = py.detach(|| {
                    let points = read(&batch, group, encoding, &p, rows.len())?.into_iter().enumerate();
                    let term = |(i, point): (usize, Result<_, Fault>)| {
                        Ok((BigUint::from_bytes_be(x.get(i)?.bytes()?), point?))
                    };
                    Ok::<_, Fault>(points.map(term).collect())
                });
                Ok(terms?)
            },
            |terms: &[(BigUint, engine::Point)], ranges| {
                py.detach(|| ranges.iter().map(|range| batch.combination(group, &terms[range.clone()])).collect())
            },
        )?;
        made.into_iter().for_each(|outcome| outcomes.push(outcome));
        Ok(())
    })?;
    Ok(outcomes.finish(curve, |points| Values::Points(curve.group(group), encoding, points)))
}
