//! Operations on values in the target group, on each row or on a group of rows.

use super::groups::{Fold, Run};
use super::points::Scalars;
use super::work::{EachRow, Good};
use crate::fault::Fault;
use crate::input::Chunk;
use crate::output::Value;
use bilinear_engine::{Batch, Gt, GtEncoding, GtError, groups_in_place, in_place};
use std::ops::Range;

/// The columns of values in the target group, and the batch that computes with them.
pub(crate) struct Values {
    /// The batch that computes with the values.
    pub(crate) batch: Batch,
    /// The encoding of values in the table, which the curve supports.
    pub(crate) encoding: GtEncoding,
    /// The encoding of values in the output, which the curve supports.
    pub(crate) written: GtEncoding,
    /// The names of the columns of values, which are the first columns of the table.
    pub(crate) names: Vec<String>,
}

impl Values {
    fn decoded(&self, chunk: &Chunk, rows: &[Good<'_>], column: usize) -> Vec<Result<Gt, GtError>> {
        let given = |(_, cells): &Good<'_>| chunk.value(cells, column).unwrap_or_default();
        self.batch.decode_gt_as(self.encoding, &rows.iter().map(given).collect::<Vec<_>>())
    }

    fn fault(&self, row: u64, column: usize, error: &GtError) -> Fault {
        Fault::new(error.code(), row, Some(&self.names[column]), error)
    }

    /// Reads and checks the values of a column.
    fn read(&self, chunk: &Chunk, rows: &[Good<'_>], column: usize) -> Vec<Result<Gt, Fault>> {
        let decoded = self.decoded(chunk, rows, column);
        let named = |((row, _), x): (&Good<'_>, Result<Gt, GtError>)| x.map_err(|e| self.fault(*row, column, &e));
        rows.iter().zip(decoded).map(named).collect()
    }

    /// Encodes values for the output.
    fn written(&self, values: &[Gt]) -> Vec<Value> {
        let bytes = self.batch.encode_gt_as(self.written, values);
        let bytes = bytes.unwrap_or_else(|e| unreachable!("checked before the job: {e}"));
        bytes.into_iter().map(|bytes| Value::Bytes(bytes.into())).collect()
    }
}

/// The product x·y of the values of a row, or the product over the rows of a group.
pub(crate) struct Product(pub(crate) Values);

impl EachRow for Product {
    fn outcomes(&self, chunk: &Chunk, rows: &[Good<'_>]) -> Vec<Result<Value, Fault>> {
        let (first, second) = (self.0.read(chunk, rows, 0), self.0.read(chunk, rows, 1));
        let pairs = first.into_iter().zip(second).map(|(x, y)| Ok([x?, y?]));
        in_place(pairs, |pairs| {
            let ranges: Vec<Range<usize>> = (0..pairs.len()).map(|i| 2 * i..2 * i + 2).collect();
            self.0.written(&self.0.batch.gt_products(&pairs.concat(), &ranges))
        })
    }
}

impl Fold for Product {
    type Part = Gt;

    fn parts(&self, chunk: &Chunk, rows: &[Good<'_>], runs: Vec<Run<Gt>>) -> Vec<Result<Gt, Fault>> {
        let (values, lengths) = (self.0.read(chunk, rows, 0), runs.iter().map(|run| run.rows.len()));
        let products = groups_in_place(values, lengths, |values, ranges| self.0.batch.gt_products(values, ranges));
        let join = |a: &Gt, b: &Gt| self.0.batch.system().gt_mul(a, b);
        runs.into_iter().zip(products).map(|(run, product)| Ok(run.joined(product?, join))).collect()
    }

    fn finish(&self, products: Vec<Gt>) -> Vec<Result<Value, Fault>> {
        self.0.written(&products).into_iter().map(Ok).collect()
    }
}

/// The power x^e.
pub(crate) struct Power {
    /// The columns of the values x.
    pub(crate) values: Values,
    /// The source of the exponents e.
    pub(crate) exponents: Scalars,
}

impl EachRow for Power {
    fn outcomes(&self, chunk: &Chunk, rows: &[Good<'_>]) -> Vec<Result<Value, Fault>> {
        let order = self.values.batch.system().order();
        let term = |(row, x): (&Good<'_>, Result<Gt, Fault>)| {
            x.map(|x| (x, self.exponents.of(chunk, *row).modulo(order).to_bytes_be()))
        };
        let terms = rows.iter().zip(self.values.read(chunk, rows, 0)).map(term);
        in_place(terms, |terms| self.values.written(&self.values.batch.gt_pow_secret(&terms)))
    }
}

/// The test whether x is in the target group.
pub(crate) struct Membership(pub(crate) Values);

impl EachRow for Membership {
    fn outcomes(&self, chunk: &Chunk, rows: &[Good<'_>]) -> Vec<Result<Value, Fault>> {
        let answer = |((row, _), x): (&Good<'_>, Result<Gt, GtError>)| match x {
            Ok(_) => Ok(Value::Ok(true)),
            Err(GtError::NotInGroup) => Ok(Value::Ok(false)),
            Err(error) => Err(self.0.fault(*row, 0, &error)),
        };
        rows.iter().zip(self.0.decoded(chunk, rows, 0)).map(answer).collect()
    }
}
