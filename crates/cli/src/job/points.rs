//! Operations on points of one group: what is computed of each row, or of a group of rows.

use super::groups::{Fold, Run};
use super::pairing::encoded;
use super::work::{EachRow, Good, in_place};
use crate::fault::Fault;
use crate::input::{Chunk, Integer};
use crate::output::Value;
use bilinear_engine::{Batch, BigUint, Encoding, Group, Point, Validate};
use std::ops::Range;

/// How points are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// x and y.
    Affine,
    /// x and a sign.
    Compressed,
    /// As another system writes them.
    As(Encoding),
}

/// Columns of points, and who computes with them.
pub(crate) struct Points {
    /// Who computes.
    pub(crate) batch: Batch,
    /// The group of all of them.
    pub(crate) group: Group,
    /// What is checked.
    pub(crate) validate: Validate,
    /// How they are written in the table, where not in the generic encoding.
    pub(crate) encoding: Option<Encoding>,
    /// How they are written in the answers.
    pub(crate) written: Written,
    /// The names of their columns, which are the first.
    pub(crate) names: Vec<String>,
}

impl Points {
    /// The points of a column.
    fn read(&self, chunk: &Chunk, rows: &[Good<'_>], column: usize) -> Vec<Result<Point, Fault>> {
        let point = |(_, cells): &Good<'_>| {
            encoded(self.batch.system(), self.group, self.encoding, cells[column].and_then(|cell| chunk.get(cell)))
        };
        let given: Vec<_> = rows.iter().map(point).collect();
        let fault = |row: u64, code, reason| {
            let field = Some(self.names[column].as_str().into());
            Fault { code, row, line: None, field, reason }
        };
        let points = self.batch.decode(self.group, &given);
        let named = |((row, _), point): (&Good<'_>, Result<Point, _>)| {
            point.map_err(|error: bilinear_engine::PointError| fault(*row, error.code(), error.to_string()))
        };
        rows.iter().zip(points).map(named).collect()
    }

    /// A point as it is written; without bytes for O, where the encoding has none for it.
    fn value(&self, point: &Point) -> Value {
        Value::Bytes(self.bytes(point).into())
    }

    fn bytes(&self, point: &Point) -> Vec<u8> {
        let system = self.batch.system();
        match self.written {
            Written::Affine => point.bytes().unwrap_or_default().to_vec(),
            Written::Compressed => system.compressed(point).unwrap_or_default(),
            Written::As(encoding) => {
                system.encode_as(encoding, point).unwrap_or_else(|e| unreachable!("checked before the job: {e}"))
            }
        }
    }

    fn values(&self, points: Vec<Result<Point, Fault>>) -> Vec<Result<Value, Fault>> {
        points.into_iter().map(|point| point.map(|point| self.value(&point))).collect()
    }

    /// k·P as a multiple by an integer from 0 on. Of a point that is known to be in the group only k modulo its order counts; of any other
    /// −k·P is k·(−P).
    fn term(&self, k: &Integer, point: Point) -> (BigUint, Point) {
        let system = self.batch.system();
        match self.validate {
            Validate::Subgroup => (k.modulo(system.order()), point),
            Validate::Curve if k.is_negative() => (k.magnitude().clone(), system.neg(&point)),
            Validate::Curve => (k.magnitude().clone(), point),
        }
    }
}

/// The points themselves, in another encoding.
pub(crate) struct Rewritten(pub(crate) Points);

impl EachRow for Rewritten {
    fn outcomes(&self, chunk: &Chunk, rows: &[Good<'_>]) -> Vec<Result<Value, Fault>> {
        self.0.values(self.0.read(chunk, rows, 0))
    }
}

/// P + Q.
pub(crate) struct Sum(pub(crate) Points);

impl EachRow for Sum {
    fn outcomes(&self, chunk: &Chunk, rows: &[Good<'_>]) -> Vec<Result<Value, Fault>> {
        let Points { batch, group, .. } = &self.0;
        let (first, second) = (self.0.read(chunk, rows, 0), self.0.read(chunk, rows, 1));
        let pairs = first.into_iter().zip(second).map(|(p, q)| Ok([p?, q?])).collect();
        self.0.values(in_place(pairs, |pairs| {
            let ranges: Vec<Range<usize>> = (0..pairs.len()).map(|i| 2 * i..2 * i + 2).collect();
            batch.sums(*group, &pairs.concat(), &ranges)
        }))
    }
}

/// Where scalars come from.
pub(crate) enum Scalars {
    /// The second column.
    Column,
    /// One for all rows.
    Fixed(Integer),
}

impl Scalars {
    /// The scalar of a row.
    pub(crate) fn of(&self, chunk: &Chunk, (_, cells): Good<'_>) -> Integer {
        match self {
            Self::Fixed(k) => k.clone(),
            Self::Column => Integer::of_cell(cells[1].and_then(|cell| chunk.get(cell)).unwrap_or_default()),
        }
    }
}

/// kP.
pub(crate) struct Multiple {
    /// The points.
    pub(crate) points: Points,
    /// The k.
    pub(crate) scalars: Scalars,
}

impl Multiple {
    /// k and P of each row.
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
            self.points.batch.multiples(self.points.group, &terms)
        }))
    }
}

/// Σ k·P, by buckets where there are many terms.
impl Fold for Multiple {
    type Part = Point;

    fn admit(&self, _: &Chunk, _: Good<'_>, _: u64) -> Result<(), Fault> {
        Ok(())
    }

    fn parts(&self, chunk: &Chunk, rows: &[Good<'_>], runs: &[Run]) -> Vec<Result<Point, Fault>> {
        let mut terms = self.terms(chunk, rows).into_iter();
        let part = |run: &Run| {
            // the whole run, also behind a bad row
            let terms: Vec<_> = terms.by_ref().take(run.rows.len()).collect();
            let terms = terms.into_iter().collect::<Result<Vec<_>, _>>()?;
            Ok(self.points.batch.combination(self.points.group, &terms))
        };
        runs.iter().map(part).collect()
    }

    fn join(&self, a: &Point, b: &Point) -> Point {
        self.points.batch.system().add(a, b)
    }

    fn complete(&self, _: u64, _: u64) -> Result<(), Fault> {
        Ok(())
    }

    fn finish(&self, sums: &[Point]) -> Vec<Value> {
        sums.iter().map(|sum| self.points.value(sum)).collect()
    }
}

/// The component of P in a prime-order subgroup.
pub(crate) struct Projection {
    /// The points.
    pub(crate) points: Points,
    /// The number of the prime, which there is.
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

/// The point of a message.
pub(crate) struct Hash {
    /// How points are written; there is no column of them.
    pub(crate) points: Points,
    /// The domain separation tag, which is not empty.
    pub(crate) tag: Vec<u8>,
    /// Whether the points are uniform: `hash_to_curve`, not `encode_to_curve`.
    pub(crate) is_uniform: bool,
}

impl EachRow for Hash {
    fn outcomes(&self, chunk: &Chunk, rows: &[Good<'_>]) -> Vec<Result<Value, Fault>> {
        let Points { batch, group, .. } = &self.points;
        let message = |(_, cells): &Good<'_>| cells[0].and_then(|cell| chunk.get(cell)).unwrap_or_default();
        let messages: Vec<&[u8]> = rows.iter().map(message).collect();
        let hashed = match self.is_uniform {
            true => batch.hash_to_points(*group, &messages, &self.tag),
            false => batch.encode_to_points(*group, &messages, &self.tag),
        };
        let points = hashed.unwrap_or_else(|e| unreachable!("checked before the job: {e}"));
        points.iter().map(|point| Ok(self.points.value(point))).collect()
    }
}
