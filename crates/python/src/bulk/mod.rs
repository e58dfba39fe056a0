//! Batches: rows are taken from columns, the engine computes while other Python threads run, and every row or group
//! gets an outcome.

pub(crate) mod points;
pub(crate) mod values;

use crate::chunks::{in_chunks_of_groups, task_quantum};
use crate::column::{Cell, Cells, Column, Wanted};
use crate::curve::Curve;
use crate::error::Fault;
use crate::group::Group;
use crate::groups::Groups;
use crate::list::List;
use crate::outcomes::{Outcome, Outcomes, Values};
use crate::point::encoding_of;
use crate::prepared::Prepared;
use bilinear_engine::{
    self as engine, Batch, Encoding, Gt, PointRef, PreparedRows, RowError, Side, System, groups_in_place, try_in_place,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::ops::Range;

/// One argument of the pairing: a column of points, or a list of fixed points.
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
        let is_list = object.get_item(0).is_ok_and(|first| first.is_instance_of::<Prepared>());
        match is_list.then(|| object.extract::<List<Bound<'_, Prepared>>>()) {
            Some(Ok(List(list))) => Ok(Argument::Fixed(list.iter().map(one).collect::<Result<_, Fault>>()?)),
            _ => {
                let wanted = Wanted { curve, group: side.group(), side: Some(side) };
                Ok(Argument::Column(Column::of_points(wanted, object)?))
            }
        }
    }
}

/// A computation of the engine on products of pairings, which returns an outcome for each product.
pub(crate) struct Work<T> {
    moving: Moving<T>,
    fixed: Fixed<T>,
    values: fn(Vec<Option<T>>) -> Values,
}

type Pair<'a> = (PointRef<'a>, PointRef<'a>);
type Each<T> = Vec<Result<T, RowError>>;
type Moving<T> = fn(&Batch, &[Pair<'_>], &[Range<usize>]) -> Each<T>;
type Fixed<T> = fn(&Batch, &[engine::Prepared], &[PointRef<'_>], &[PreparedRows]) -> Each<T>;

/// Computes e(P, Q) for every row.
const PAIRINGS: Work<Gt> =
    Work { moving: |batch, rows, _| batch.pair(rows), fixed: Batch::product_prepared, values: Values::Targets };
/// Computes the product of e(P, Q) over every group of rows.
pub(crate) const PRODUCTS: Work<Gt> = Work {
    moving: |batch, rows, groups| batch.product(rows, groups),
    fixed: Batch::product_prepared,
    values: Values::Targets,
};
/// Checks whether the product of e(P, Q) over every group of rows is 1.
pub(crate) const CHECKS: Work<bool> = Work {
    moving: |batch, rows, groups| batch.check(rows, groups),
    fixed: Batch::check_prepared,
    values: Values::Truths,
};

/// Returns the fault of two columns that differ in their numbers of rows.
pub(crate) fn unequal((first, p): (&str, usize), (second, q): (&str, usize)) -> Fault {
    Fault::new("length", format!("the numbers of rows of {first} and {second} differ: {p} and {q}"))
}

/// Returns the common number of rows of two columns, or an error that names the columns. Either column may repeat one
/// value in every row.
pub(crate) fn common((first, p): (&str, &Column), (second, q): (&str, &Column)) -> Result<usize, Fault> {
    match (p.rows(), q.rows()) {
        (Some(p), Some(q)) if p != q => Err(unequal((first, p), (second, q))),
        (Some(rows), _) | (None, Some(rows)) => Ok(rows),
        (None, None) => Ok(1),
    }
}

/// The arguments of a call that computes pairings.
pub(crate) struct Call<'a, 'py> {
    pub(crate) p: &'a Bound<'py, PyAny>,
    pub(crate) q: &'a Bound<'py, PyAny>,
    pub(crate) encoding: Option<&'a str>,
    pub(crate) validate: &'a str,
    pub(crate) progress: Option<&'a Bound<'py, PyAny>>,
}

/// The products of one call, ready to be computed.
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
                return Err(PyTypeError::new_err("both arguments are prepared: one of them must be a column"));
            }
        };
        let groups = groups.ranges(rows)?;
        let batch = curve.pairing_batch(call.validate)?;
        // if a curve has an encoding, it has the encoding in both groups
        let encoding = encoding_of(curve, engine::Group::G1, call.encoding)?;
        Ok(Products { batch, p, q, encoding, groups })
    }

    /// Returns the fixed points, if one of the arguments is fixed.
    fn fixed(&self) -> Option<&[engine::Prepared]> {
        match (&self.p, &self.q) {
            (Argument::Fixed(fixed), _) | (_, Argument::Fixed(fixed)) => Some(fixed),
            _ => None,
        }
    }

    /// Returns an error unless the group has as many rows as there are fixed points. A group without rows passes: its
    /// product is 1.
    fn check_fixed_count(&self, group: &Range<usize>) -> Result<(), Fault> {
        let (Some(fixed), rows) = (self.fixed().map(<[_]>::len), group.len()) else { return Ok(()) };
        if rows == 0 || rows == fixed {
            return Ok(());
        }
        let reason = if rows < fixed {
            format!("the group has fewer rows ({rows}) than there are fixed points ({fixed})")
        } else {
            format!("the group has more rows than there are fixed points ({fixed})")
        };
        Err(Fault::new("fixed_count", reason).at(group.start + fixed.min(rows - 1)))
    }

    /// Computes all products, chunk by chunk.
    fn computed<T: Send>(&self, curve: &Curve, call: &Call<'_, '_>, work: &Work<T>) -> PyResult<Outcomes> {
        let py = call.p.py();
        let mut outcomes = Outcome::new(self.groups.len())?;
        in_chunks_of_groups(py, call.progress, &self.groups, task_quantum(&self.batch), |chunk| {
            self.chunk(py, &self.groups[chunk], work)?.into_iter().for_each(|outcome| outcomes.push(outcome));
            Ok(())
        })?;
        Ok(outcomes.finish(curve, work.values))
    }

    /// Computes the products of some groups. A row without a point is a fault of that row; the engine gets only the
    /// rows of groups without faults.
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
        let whole = groups.iter().map(|group| {
            self.check_fixed_count(group)?;
            group
                .clone()
                .try_for_each(|row| columns.iter().try_for_each(|column| self.point(column, row, first).map(|_| ())))?;
            Ok(group)
        });
        // beside a fixed argument, the side of an error is that of the column: on a symmetric curve the engine may
        // report either
        let side = |error: &RowError| if let [(side, _)] = columns[..] { side } else { error.side };
        let computed = try_in_place(whole, |groups| {
            let rows: Vec<usize> = groups.iter().flat_map(|group| (*group).clone()).collect();
            let mut end = 0;
            let range = |group: &&Range<usize>| {
                end += group.len();
                end - group.len()..end
            };
            let ranges: Vec<Range<usize>> = groups.iter().map(range).collect();
            let points = |column| -> Result<Vec<PointRef<'_>>, Fault> {
                rows.iter().map(|row| self.point(column, *row, first)).collect()
            };
            let computed = match (self.fixed(), &columns[..]) {
                (Some(fixed), [others]) => {
                    let groups = ranges.into_iter().map(|rows| PreparedRows { rows, first_prepared: 0 });
                    let (others, groups): (_, Vec<PreparedRows>) = (points(others)?, groups.collect());
                    py.detach(|| (work.fixed)(&self.batch, fixed, &others, &groups))
                }
                (_, [p, q]) => {
                    let pairs: Vec<Pair<'_>> = points(p)?.into_iter().zip(points(q)?).collect();
                    py.detach(|| (work.moving)(&self.batch, &pairs, &ranges))
                }
                _ => unreachable!("one column, or two"),
            };
            let fault = |error: RowError| {
                let side = side(&error);
                Fault::from(error.reason).of(side).at(rows[error.row])
            };
            Ok::<_, Fault>(computed.into_iter().map(|value| value.map_err(fault)).collect())
        });
        Ok(computed?.into_iter().map(Result::flatten).collect())
    }

    /// Returns the point in a row of a column whose first row is `first`.
    fn point<'c>(&self, column: &'c (Side, Cells<'_>), row: usize, first: usize) -> Result<PointRef<'c>, Fault> {
        let (side, cells) = column;
        let cell = cells.get(row - first).map_err(|fault| fault.of(*side).at(row))?;
        Ok(point_in(self.batch.system(), side.group(), self.encoding, cell))
    }
}

/// Returns the point in a cell, in the form that the engine takes.
fn point_in<'c>(system: &System, group: engine::Group, encoding: Option<Encoding>, cell: Cell<'c>) -> PointRef<'c> {
    match cell {
        Cell::Point(point) => PointRef::Known(point),
        Cell::Arrow([]) if encoding.is_none() => PointRef::Infinity,
        Cell::Arrow(bytes) | Cell::Bytes(bytes) => system.point_ref(group, encoding, bytes),
        Cell::Value(_) => unreachable!("no column of points has values"),
    }
}

/// Computes e(P, Q) for every row.
pub(crate) fn pairings(curve: &Curve, call: &Call<'_, '_>) -> PyResult<Outcomes> {
    let products = Products::new(curve, call, &Groups::Every(1))?;
    if let Some(fixed) = products.fixed().map(<[_]>::len).filter(|fixed| *fixed != 1) {
        let reason = format!("{fixed} fixed points: for pairings there must be exactly one");
        return Err(Fault::new("fixed_count", reason).into());
    }
    products.computed(curve, call, &PAIRINGS)
}

/// Computes the product of every group of rows, or the check of every product, as `work` says.
pub(crate) fn products<T: Send>(
    curve: &Curve,
    call: &Call<'_, '_>,
    groups: &Groups,
    work: &Work<T>,
) -> PyResult<Outcomes> {
    Products::new(curve, call, groups)?.computed(curve, call, work)
}

/// The group of the points that a batch reads or makes, their encoding, and the progress callback.
pub(crate) struct Form<'a, 'py> {
    pub(crate) group: Group,
    pub(crate) encoding: Option<&'a str>,
    pub(crate) progress: Option<&'a Bound<'py, PyAny>>,
}

/// Collects an outcome for every group of adjacent rows, chunk by chunk. `compute` gets the rows of all groups without
/// faults, one after the other, and the range of each such group among them. Any other group gets the first fault of
/// its rows.
fn each_group<T, U>(
    py: Python<'_>,
    batch: &Batch,
    (groups, progress): (&[Range<usize>], Option<&Bound<'_, PyAny>>),
    mut read: impl FnMut(Range<usize>) -> PyResult<Vec<Result<T, Fault>>>,
    mut compute: impl FnMut(&[T], &[Range<usize>]) -> Vec<U>,
) -> PyResult<Outcome<U>> {
    let mut outcomes = Outcome::new(groups.len())?;
    in_chunks_of_groups(py, progress, groups, task_quantum(batch), |chunk| {
        let groups = &groups[chunk];
        let begin = groups.first().map_or(0, |group| group.start);
        let rows = (begin..).zip(read(begin..groups.last().map_or(0, |group| group.end))?);
        let rows = rows.map(|(row, value)| value.map_err(|fault| fault.at(row)));
        let computed = groups_in_place(rows, groups.iter().map(Range::len), &mut compute);
        computed.into_iter().for_each(|outcome| outcomes.push(outcome));
        Ok(())
    })?;
    Ok(outcomes)
}
