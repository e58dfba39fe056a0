//! Batches: rows from columns, the engine's work on them while other threads of Python run, and an outcome for every row.

pub(crate) mod points;
pub(crate) mod values;

use crate::chunks::{in_chunks, in_chunks_of_groups};
use crate::column::{Cell, Cells, Column, Wanted};
use crate::curve::{Curve, checks};
use crate::error::Fault;
use crate::group::Group;
use crate::groups::Groups;
use crate::outcomes::{Outcome, Outcomes, Values};
use crate::point::encoding_of;
use crate::prepared::Prepared;
use bilinear_engine::{self as engine, Batch, Encoding, FixedRows, Gt, PointRef, RowError, Side, System};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::ops::Range;

/// Points of one argument of the pairing: a column, or fixed ones.
enum Argument {
    Column(Column),
    Fixed(Vec<engine::Prepared>),
}

impl Argument {
    fn new(curve: &Curve, side: Side, object: &Bound<'_, PyAny>) -> PyResult<Argument> {
        let one = |prepared: &Bound<'_, Prepared>| prepared.get().of(curve, side);
        if let Ok(prepared) = object.cast::<Prepared>() {
            return Ok(Argument::Fixed(vec![one(prepared)?]));
        }
        // what is made a vector first has room for all of its rows, be they any number
        let is_list = object.get_item(0).is_ok_and(|first| first.is_instance_of::<Prepared>());
        match is_list.then(|| object.extract::<Vec<Bound<'_, Prepared>>>()) {
            Some(Ok(list)) => Ok(Argument::Fixed(list.iter().map(one).collect::<Result<_, Fault>>()?)),
            _ => {
                let wanted = Wanted { curve, group: side.group(), side: Some(side) };
                Ok(Argument::Column(Column::of_points(wanted, object)?))
            }
        }
    }
}

/// What the engine computes of products, of which each has an outcome.
pub(crate) struct Work<T> {
    moving: Moving<T>,
    fixed: Fixed<T>,
    values: fn(Vec<Option<T>>) -> Values,
}

type Pair<'a> = (PointRef<'a>, PointRef<'a>);
type Each<T> = Vec<Result<T, RowError>>;
type Moving<T> = fn(&Batch, &[Pair<'_>], &[Range<usize>]) -> Each<T>;
type Fixed<T> = fn(&Batch, &[engine::Prepared], &[PointRef<'_>], &[FixedRows]) -> Each<T>;

/// e(P, Q) of every row.
const PAIRINGS: Work<Gt> =
    Work { moving: |batch, rows, _| batch.pair(rows), fixed: Batch::product_with, values: Values::Targets };
/// The product of e(P, Q) over every group.
pub(crate) const PRODUCTS: Work<Gt> = Work {
    moving: |batch, rows, groups| batch.product(rows, groups),
    fixed: Batch::product_with,
    values: Values::Targets,
};
/// Whether it is 1.
pub(crate) const CHECKS: Work<bool> =
    Work { moving: |batch, rows, groups| batch.check(rows, groups), fixed: Batch::check_with, values: Values::Truths };

/// The rows of two columns, by their names, of which one may have the same value in all.
fn common((first, p): (&str, &Column), (second, q): (&str, &Column)) -> Result<usize, Fault> {
    match (p.rows(), q.rows()) {
        (Some(p), Some(q)) if p != q => Err(Fault::new("length", format!("{p} rows of {first}, and {q} of {second}"))),
        (Some(rows), _) | (None, Some(rows)) => Ok(rows),
        (None, None) => Ok(1),
    }
}

/// Rows that a chunk is a multiple of: full tasks for every thread.
fn quantum(batch: &Batch) -> usize {
    batch.task() * batch.thread_count()
}

/// The arguments of a call that computes pairings.
pub(crate) struct Call<'a, 'py> {
    pub(crate) p: &'a Bound<'py, PyAny>,
    pub(crate) q: &'a Bound<'py, PyAny>,
    pub(crate) encoding: Option<&'a str>,
    pub(crate) check: bool,
    pub(crate) progress: Option<&'a Bound<'py, PyAny>>,
}

/// Products to be computed.
struct Products {
    batch: Batch,
    p: Argument,
    q: Argument,
    encoding: Option<Encoding>,
    groups: Vec<Range<usize>>,
}

impl Products {
    fn new(curve: &Curve, call: &Call<'_, '_>, groups: &Groups) -> PyResult<Products> {
        let (p, q) = (Argument::new(curve, Side::P, call.p)?, Argument::new(curve, Side::Q, call.q)?);
        let rows = match (&p, &q) {
            (Argument::Column(p), Argument::Column(q)) => common(("p", p), ("q", q))?,
            (Argument::Column(column), Argument::Fixed(_)) | (Argument::Fixed(_), Argument::Column(column)) => {
                column.rows().unwrap_or(1)
            }
            (Argument::Fixed(_), Argument::Fixed(_)) => {
                return Err(PyTypeError::new_err("one argument is prepared, the other one is a column"));
            }
        };
        let groups = groups.ranges(rows)?;
        let batch = curve.batch()?.validate(checks(call.check));
        // a curve has an encoding in both groups
        let encoding = encoding_of(curve, engine::Group::G1, call.encoding)?;
        Ok(Products { batch, p, q, encoding, groups })
    }

    /// The arguments that are prepared.
    fn fixed(&self) -> Option<&[engine::Prepared]> {
        match (&self.p, &self.q) {
            (Argument::Fixed(fixed), _) | (_, Argument::Fixed(fixed)) => Some(fixed),
            _ => None,
        }
    }

    /// Makes sure that each row of a group meets a prepared argument and each of them a row. A product of no rows is 1 beside any of them.
    fn meets(&self, group: &Range<usize>) -> Result<(), Fault> {
        let (Some(fixed), rows) = (self.fixed().map(<[_]>::len), group.len()) else { return Ok(()) };
        if rows == 0 || rows == fixed {
            return Ok(());
        }
        let reason = if rows < fixed {
            format!("the group ends after {rows} rows, but there are {fixed} fixed points")
        } else {
            format!("the group has more rows than the {fixed} fixed points")
        };
        Err(Fault::new("fixed_count", reason).at(group.start + fixed.min(rows - 1)))
    }

    /// All of them.
    fn computed<T: Send>(&self, curve: &Curve, call: &Call<'_, '_>, work: &Work<T>) -> PyResult<Outcomes> {
        let py = call.p.py();
        let mut outcomes = Outcome::new(self.groups.len())?;
        in_chunks_of_groups(py, call.progress, &self.groups, quantum(&self.batch), |chunk| {
            self.chunk(py, &self.groups[chunk], work)?.into_iter().for_each(|outcome| outcomes.push(outcome));
            Ok(())
        })?;
        Ok(outcomes.finish(curve, work.values))
    }

    /// Some of the products. What no point stands in is the fault of its row; the engine takes the rows of the other groups.
    fn chunk<T: Send>(
        &self,
        py: Python<'_>,
        groups: &[Range<usize>],
        work: &Work<T>,
    ) -> PyResult<Vec<Result<T, Fault>>> {
        let first = groups.first().map_or(0, |group| group.start);
        let rows = first..groups.last().map_or(0, |group| group.end);
        let mut columns = Vec::with_capacity(2);
        for (side, argument) in [(Side::P, &self.p), (Side::Q, &self.q)] {
            if let Argument::Column(column) = argument {
                columns.push((side, column.cells(py, &rows)?));
            }
        }
        let whole: Vec<Result<&Range<usize>, Fault>> = groups
            .iter()
            .map(|group| {
                self.meets(group)?;
                group.clone().try_for_each(|row| {
                    columns.iter().try_for_each(|column| self.point(column, row, first).map(|_| ()))
                })?;
                Ok(group)
            })
            .collect();
        let rows: Vec<usize> = whole.iter().flatten().flat_map(|group| (*group).clone()).collect();
        let mut end = 0;
        let ranges: Vec<Range<usize>> = whole
            .iter()
            .flatten()
            .map(|group| {
                end += group.len();
                end - group.len()..end
            })
            .collect();
        let points = |column| -> Result<Vec<PointRef<'_>>, Fault> {
            rows.iter().map(|row| self.point(column, *row, first)).collect()
        };
        let computed = match (self.fixed(), &columns[..]) {
            (Some(fixed), [others]) => {
                let (others, groups) =
                    (points(others)?, ranges.into_iter().map(|rows| FixedRows { rows, first_fixed: 0 }));
                let groups: Vec<FixedRows> = groups.collect();
                py.detach(|| (work.fixed)(&self.batch, fixed, &others, &groups))
            }
            (_, [p, q]) => {
                let pairs: Vec<Pair<'_>> = points(p)?.into_iter().zip(points(q)?).collect();
                py.detach(|| (work.moving)(&self.batch, &pairs, &ranges))
            }
            _ => unreachable!("one column, or two"),
        };
        // beside a fixed argument, which may be either one on a symmetric curve, it is that of the column
        let side = |error: &RowError| if let [(side, _)] = columns[..] { side } else { error.side };
        let mut computed = computed.into_iter();
        let outcome = |group: Result<&Range<usize>, Fault>| {
            group?;
            let value = computed.next().unwrap_or_else(|| unreachable!("an outcome for every group"));
            value.map_err(|error| {
                let side = side(&error);
                Fault::from(error.reason).of(side).at(rows[error.row])
            })
        };
        Ok(whole.into_iter().map(outcome).collect())
    }

    /// The point in a row of a column whose first row is `first`.
    fn point<'c>(&self, column: &'c (Side, Cells<'_>), row: usize, first: usize) -> Result<PointRef<'c>, Fault> {
        let (side, cells) = column;
        let cell = cells.get(row - first).map_err(|fault| fault.of(*side).at(row))?;
        Ok(point_in(self.batch.system(), side.group(), self.encoding, cell))
    }
}

/// The point in a cell.
fn point_in<'c>(system: &System, group: engine::Group, encoding: Option<Encoding>, cell: Cell<'c>) -> PointRef<'c> {
    match cell {
        Cell::Point(point) => PointRef::Known(point),
        Cell::Arrow([]) if encoding.is_none() => PointRef::Infinity,
        Cell::Arrow(bytes) | Cell::Bytes(bytes) => system.encoded_point(group, encoding, bytes),
        Cell::Value(_) => unreachable!("no column of points has values"),
    }
}

/// Computes e(P, Q) of every row.
pub(crate) fn pairings(curve: &Curve, call: &Call<'_, '_>) -> PyResult<Outcomes> {
    let products = Products::new(curve, call, &Groups::Every(1))?;
    if let Some(fixed) = products.fixed().map(<[_]>::len).filter(|fixed| *fixed != 1) {
        let reason = format!("{fixed} fixed points: for pairings there must be exactly one");
        return Err(Fault::new("fixed_count", reason).into());
    }
    products.computed(curve, call, &PAIRINGS)
}

/// Computes products.
pub(crate) fn products<T: Send>(
    curve: &Curve,
    call: &Call<'_, '_>,
    groups: &Groups,
    work: &Work<T>,
) -> PyResult<Outcomes> {
    Products::new(curve, call, groups)?.computed(curve, call, work)
}

/// Points of a batch that are read or made, how they are written, and who is told of it.
pub(crate) struct Form<'a, 'py> {
    pub(crate) group: Group,
    pub(crate) encoding: Option<&'a str>,
    pub(crate) progress: Option<&'a Bound<'py, PyAny>>,
}

/// An outcome for every row, chunk by chunk; errors name their rows.
fn each_row<T>(
    py: Python<'_>,
    batch: &Batch,
    (rows, progress): (usize, Option<&Bound<'_, PyAny>>),
    mut work: impl FnMut(Range<usize>) -> PyResult<Vec<Result<T, Fault>>>,
) -> PyResult<Outcome<T>> {
    let mut outcomes = Outcome::new(rows)?;
    in_chunks(py, progress, rows, quantum(batch), |chunk| {
        outcomes.extend(work(chunk)?);
        Ok(())
    })?;
    Ok(outcomes)
}

/// An outcome for every group of adjacent rows, chunk by chunk: what `compute` makes of rows that could all be read, one after the other,
/// and of where each group lies among them; the first fault of the others.
fn each_group<T, U>(
    py: Python<'_>,
    batch: &Batch,
    (groups, progress): (&[Range<usize>], Option<&Bound<'_, PyAny>>),
    mut read: impl FnMut(Range<usize>) -> PyResult<Vec<Result<T, Fault>>>,
    mut compute: impl FnMut(&[T], &[Range<usize>]) -> Vec<U>,
) -> PyResult<Outcome<U>> {
    let mut outcomes = Outcome::new(groups.len())?;
    in_chunks_of_groups(py, progress, groups, quantum(batch), |chunk| {
        let groups = &groups[chunk];
        let begin = groups.first().map_or(0, |group| group.start);
        let mut rows = (begin..).zip(read(begin..groups.last().map_or(0, |group| group.end))?);
        let (mut good, mut ranges) = (Vec::new(), Vec::new());
        let mut whole = Vec::with_capacity(groups.len());
        for group in groups {
            // all rows of the group, also behind a bad one
            let values: Vec<_> = rows.by_ref().take(group.len()).collect();
            let values = values.into_iter().map(|(row, value)| value.map_err(|fault| fault.at(row)));
            whole.push(values.collect::<Result<Vec<T>, Fault>>().map(|values| {
                ranges.push(good.len()..good.len() + values.len());
                good.extend(values);
            }));
        }
        let mut computed = compute(&good, &ranges).into_iter();
        let mut next = || computed.next().unwrap_or_else(|| unreachable!("a value for every good group"));
        whole.into_iter().for_each(|group| outcomes.push(group.map(|()| next())));
        Ok(())
    })?;
    Ok(outcomes)
}
