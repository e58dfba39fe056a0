//! Operations on points of one group, on each row or on a group of rows.

use super::columns::Columns;
use super::groups::{Fold, Run};
use super::pairing::encoded;
use super::work::{EachRow, Good};
use crate::fault::Fault;
use crate::input::{Chunk, Integer};
use crate::output::Value;
use bilinear_engine::{Batch, BigUint, Encoding, Group, Point, PointError, Validate, groups_in_place, in_place};
use std::ops::Range;

/// The encoding of points in the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutEncoding {
    /// The coordinates x and y.
    Affine,
    /// The coordinate x and a sign.
    Compressed,
    /// The encoding of another system.
    As(Encoding),
}

/// The columns of points, and the batch that computes with them.
pub(crate) struct Points {
    /// The batch that computes with the points.
    pub(crate) batch: Batch,
    /// The group of all points.
    pub(crate) group: Group,
    /// The checks on points.
    pub(crate) validate: Validate,
    /// The encoding of points in the table; None is the generic encoding.
    pub(crate) encoding: Option<Encoding>,
    /// The encoding of points in the output.
    pub(crate) written: OutEncoding,
    /// The columns of the job, the first of which hold points.
    pub(crate) columns: Columns,
}

impl Points {
    /// Reads and checks the points of a column.
    fn read(&self, chunk: &Chunk, rows: &[Good<'_>], column: usize) -> Vec<Result<Point, Fault>> {
        let point =
            |(_, cells): &Good<'_>| encoded(self.batch.system(), self.group, self.encoding, chunk.value(cells, column));
        let given: Vec<_> = rows.iter().map(point).collect();
        self.columns.named(rows, column, self.batch.decode(self.group, &given), PointError::code)
    }

    /// Encodes a point for the output. The point at infinity has no bytes if the encoding has no form for it.
    fn value(&self, point: &Point) -> Value {
        Value::Bytes(self.bytes(point).into())
    }

    fn bytes(&self, point: &Point) -> Vec<u8> {
        let system = self.batch.system();
        match self.written {
            OutEncoding::Affine => point.bytes().unwrap_or_default().to_vec(),
            OutEncoding::Compressed => system.compressed(point).unwrap_or_default(),
            OutEncoding::As(encoding) => {
                system.encode_as(encoding, point).unwrap_or_else(|e| unreachable!("checked before the job: {e}"))
            }
        }
    }

    fn values(&self, points: Vec<Result<Point, Fault>>) -> Vec<Result<Value, Fault>> {
        points.into_iter().map(|point| point.map(|point| self.value(&point))).collect()
    }

    /// Rewrites k·P with a non-negative scalar. If the point is known to be in the group, k is reduced modulo
    /// the order. Otherwise −k·P becomes k·(−P).
    fn term(&self, k: &Integer, point: Point) -> (BigUint, Point) {
        let system = self.batch.system();
        match self.validate {
            Validate::Subgroup => (k.modulo(system.order()), point),
            Validate::OnCurve if k.is_negative() => (k.magnitude().clone(), system.neg(&point)),
            Validate::OnCurve => (k.magnitude().clone(), point),
        }
    }
}

/// The conversion of points to another encoding.
pub(crate) struct Rewritten(pub(crate) Points);

impl EachRow for Rewritten {
    fn outcomes(&self, chunk: &Chunk, rows: &[Good<'_>]) -> Vec<Result<Value, Fault>> {
        self.0.values(self.0.read(chunk, rows, 0))
    }
}

/// The sum P + Q.
pub(crate) struct Sum(pub(crate) Points);

impl EachRow for Sum {
    fn outcomes(&self, chunk: &Chunk, rows: &[Good<'_>]) -> Vec<Result<Value, Fault>> {
        let Points { batch, group, .. } = &self.0;
        let (first, second) = (self.0.read(chunk, rows, 0), self.0.read(chunk, rows, 1));
        let pairs = first.into_iter().zip(second).map(|(p, q)| Ok([p?, q?]));
        self.0.values(in_place(pairs, |pairs| {
            let ranges: Vec<Range<usize>> = (0..pairs.len()).map(|i| 2 * i..2 * i + 2).collect();
            batch.sums(*group, &pairs.concat(), &ranges)
        }))
    }
}

/// The source of scalars.
pub(crate) enum Scalars {
    /// The second column of the table.
    Column,
    /// One scalar for all rows.
    Fixed(Integer),
}

impl Scalars {
    /// Returns the scalar of a row.
    pub(crate) fn of(&self, chunk: &Chunk, (_, cells): Good<'_>) -> Integer {
        match self {
            Self::Fixed(k) => k.clone(),
            Self::Column => Integer::of_cell(chunk.value(cells, 1).unwrap_or_default()),
        }
    }
}

/// The multiple kP.
pub(crate) struct Multiple {
    /// The columns of the points P.
    pub(crate) points: Points,
    /// The source of the scalars k.
    pub(crate) scalars: Scalars,
}

impl Multiple {
    /// Returns k and P of each row.
    fn terms(&self, chunk: &Chunk, rows: &[Good<'_>]) -> Vec<Result<(BigUint, Point), Fault>> {
        let points = self.points.read(chunk, rows, 0);
        let term =
            |(row, p): (&Good<'_>, Result<Point, Fault>)| p.map(|p| self.points.term(&self.scalars.of(chunk, *row), p));
        rows.iter().zip(points).map(term).collect()
    }
}

impl EachRow for Multiple {
    fn outcomes(&self, chunk: &Chunk, rows: &[Good<'_>]) -> Vec<Result<Value, Fault>> {
        self.points.values(in_place(self.terms(chunk, rows), |terms| {
            let terms: Vec<(Vec<u8>, Point)> = terms.into_iter().map(|(k, p)| (k.to_bytes_be(), p)).collect();
            self.points.batch.mul_secret(self.points.group, &terms)
        }))
    }
}

/// The sum Σ k·P; many terms are added by the bucket method.
impl Fold for Multiple {
    type Part = Point;

    fn parts(&self, chunk: &Chunk, rows: &[Good<'_>], runs: Vec<Run<Point>>) -> Vec<Result<Point, Fault>> {
        let batch = &self.points.batch;
        let (terms, lengths) = (self.terms(chunk, rows), runs.iter().map(|run| run.rows.len()));
        let sums = groups_in_place(terms, lengths, |terms, ranges| {
            ranges.iter().map(|range| batch.msm(self.points.group, &terms[range.clone()])).collect()
        });
        let join = |a: &Point, b: &Point| batch.system().add(a, b);
        runs.into_iter().zip(sums).map(|(run, sum)| Ok(run.joined(sum?, join))).collect()
    }

    fn finish(&self, sums: Vec<Point>) -> Vec<Result<Value, Fault>> {
        sums.iter().map(|sum| Ok(self.points.value(sum))).collect()
    }
}

/// The projection of P to a prime-order subgroup.
pub(crate) struct Projection {
    /// The columns of the points P.
    pub(crate) points: Points,
    /// The index of the prime, which exists.
    pub(crate) index: usize,
}

impl EachRow for Projection {
    fn outcomes(&self, chunk: &Chunk, rows: &[Good<'_>]) -> Vec<Result<Value, Fault>> {
        self.points.values(in_place(self.points.read(chunk, rows, 0), |points| {
            let projected = self.points.batch.project(self.index, &points);
            projected.unwrap_or_else(|e| unreachable!("checked before the job: {e}"))
        }))
    }
}

/// The hash of a message to a point.
pub(crate) struct Hash {
    /// The encoding of points in the output; the table has no column of points.
    pub(crate) points: Points,
    /// The domain separation tag, which must not be empty.
    pub(crate) dst: Vec<u8>,
    /// True for uniform points: `hash_to_curve` in place of `encode_to_curve`.
    pub(crate) is_uniform: bool,
}

impl EachRow for Hash {
    fn outcomes(&self, chunk: &Chunk, rows: &[Good<'_>]) -> Vec<Result<Value, Fault>> {
        let Points { batch, group, .. } = &self.points;
        let messages = chunk.column(rows, 0);
        let hashed = match self.is_uniform {
            true => batch.hash_to_curve(*group, &messages, &self.dst),
            false => batch.encode_to_curve(*group, &messages, &self.dst),
        };
        let points = hashed.unwrap_or_else(|e| unreachable!("checked before the job: {e}"));
        points.iter().map(|point| Ok(self.points.value(point))).collect()
    }
}
