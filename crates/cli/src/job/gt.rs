//! Operations on values in the target group, on each row or on a group of rows.

use super::columns::Columns;
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
    /// The columns of the job, the first of which hold values.
    pub(crate) columns: Columns,
}

impl Values {
    /// Reads and checks the values of a column.
    fn read(&self, chunk: &Chunk, rows: &[Good<'_>], column: usize) -> Vec<Result<Gt, Fault>> {
        let decode = |values: &[&[u8]]| self.batch.decode_gt_as(self.encoding, values);
        self.columns.read(chunk, rows, column, decode, GtError::code)
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
        let answer = |value: Result<Gt, GtError>| match value {
            Ok(_) => Ok(Value::Ok(true)),
            Err(GtError::NotInGroup) => Ok(Value::Ok(false)),
            Err(error) => Err(error),
        };
        let decode = |values: &[&[u8]]| self.0.batch.decode_gt_as(self.0.encoding, values);
        let answers = |values: &[&[u8]]| decode(values).into_iter().map(answer).collect();
        self.0.columns.read(chunk, rows, 0, answers, GtError::code)
    }
}
