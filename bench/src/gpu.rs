//! Compares batches on a graphics processor with the processor of the same machine row by row, and times both.

mod field;
mod limit;
mod record;
mod times;

pub use field::Runs;
pub use limit::Limit;
pub use record::{CardLine, CardRecord, Model, Parts, named, rewrite};
pub use times::{Times, crossover};

use crate::inputs::{Inputs, Outside, ROWS};
use bilinear_engine::{Batch, Gt, PointRef, Prepared, PreparedRows, Row, RowError, Side};
use std::ops::Range;
use std::time::{Duration, Instant};

/// A job on pairs of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// The number of pairs of a product; 1 for single pairings.
    pub product: usize,
    /// Whether the arguments of one side are prepared, one for each place of a product.
    pub fixed: bool,
}

impl Job {
    /// The name of the job in tables.
    pub fn name(self) -> String {
        let key = if self.fixed { ", fixed key" } else { "" };
        if self.product == 1 { format!("pairings{key}") } else { format!("products of {}{key}", self.product) }
    }

    /// Rounds a number of pairs down to whole products, at least one product.
    pub fn whole(self, pairs: usize) -> usize {
        pairs.max(self.product) / self.product * self.product
    }
}

/// A row of external points. One row of a batch has a P that is not on the curve, and another has P = O.
struct Bad<'a> {
    rows: &'a [Outside],
    number: usize,
    bytes: &'a [u8],
}

impl Row for Bad<'_> {
    fn p(&self) -> PointRef<'_> {
        let [bad, zero] = bad_rows(self.rows.len());
        match self.number {
            number if number == bad => PointRef::Bytes(self.bytes),
            number if number == zero => PointRef::Infinity,
            number => self.rows[number].p(),
        }
    }
    fn q(&self) -> PointRef<'_> {
        self.rows[self.number].q()
    }
}

/// Returns the bad row of `count` rows, in the middle, and the row with O, near the end. In long batches they are in
/// different vectors.
fn bad_rows(count: usize) -> [usize; 2] {
    [count / 2, count - 2]
}

/// Computes the single pairings of `count` rows, five at least, of which one is bad and one has an O.
pub fn with_bad_rows(batch: &Batch, inputs: &Inputs, count: usize) -> Vec<Result<Gt, RowError>> {
    let rows = inputs.rows(count.max(5));
    let mut bytes = rows[bad_rows(rows.len())[0]].0.bytes().unwrap_or_default().to_vec();
    bytes.iter_mut().last().into_iter().for_each(|byte| *byte ^= 1);
    let bad: Vec<Bad<'_>> = (0..rows.len()).map(|number| Bad { rows: &rows, number, bytes: &bytes }).collect();
    batch.pair(&bad)
}

/// Returns the number of the first value that is wrong. `first` has the values of the first products; since rows repeat,
/// and with them products of the same number of rows, each value has to be that of the product 4096 before.
pub fn first_wrong<T: PartialEq>(values: &[T], first: &[T]) -> Option<usize> {
    let is_right = |k: usize| first.get(k).is_none_or(|want| *want == values[k]) && values[k] == values[k % ROWS];
    (0..values.len()).find(|k| !is_right(*k))
}

/// A job for batches, with the prepared arguments that all its rows share.
pub struct Work<'a> {
    batch: &'a Batch,
    inputs: &'a Inputs,
    job: Job,
    fixed: Vec<Prepared>,
}

impl<'a> Work<'a> {
    /// Creates the job, and prepares its fixed arguments.
    pub fn new(batch: &'a Batch, inputs: &'a Inputs, job: Job) -> Work<'a> {
        let side = batch.system().fixed_side();
        let prepared = |row: &Outside| {
            let prepared = batch.system().prepare(side, if side == Side::P { &row.0 } else { &row.1 });
            prepared.unwrap_or_else(|error| unreachable!("this is the side to prepare: {error}"))
        };
        let keys = if job.fixed { job.product } else { 0 };
        Work { batch, inputs, job, fixed: inputs.rows(keys).iter().map(prepared).collect() }
    }

    /// Returns the value of each product of `pairs` pairs, rounded to [whole](Job::whole) products.
    pub fn values(&self, pairs: usize) -> Vec<Result<Gt, RowError>> {
        self.values_of(&self.rows(pairs))
    }

    /// Measures the time of `pairs` pairs. Their rows are made before the clock starts.
    pub fn time(&self, pairs: usize) -> Duration {
        self.timed_values(pairs).0
    }

    /// Measures the time of `pairs` pairs, and returns the values too.
    pub fn timed_values(&self, pairs: usize) -> (Duration, Vec<Result<Gt, RowError>>) {
        let rows = self.rows(pairs);
        let begun = Instant::now();
        let values = self.values_of(&rows);
        (begun.elapsed(), values)
    }

    fn rows(&self, pairs: usize) -> Vec<Outside> {
        self.inputs.rows(self.job.whole(pairs))
    }

    fn values_of(&self, rows: &[Outside]) -> Vec<Result<Gt, RowError>> {
        let Job { product, fixed } = self.job;
        let groups = (0..rows.len()).step_by(product).map(|first| first..first + product);
        if fixed {
            let is_p_fixed = self.batch.system().fixed_side() == Side::P;
            let others: Vec<PointRef<'_>> = rows.iter().map(|row| if is_p_fixed { row.q() } else { row.p() }).collect();
            let groups: Vec<PreparedRows> = groups.map(|rows| PreparedRows { rows, first_prepared: 0 }).collect();
            self.batch.product_prepared(&self.fixed, &others, &groups)
        } else if product == 1 {
            self.batch.pair(rows)
        } else {
            self.batch.product(rows, &groups.collect::<Vec<Range<usize>>>())
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::inputs::Random;
    use bilinear_engine::{Curve, Engine, System};

    #[test]
    fn engines_give_the_same_values_for_every_job() {
        let system = System::new(&Curve::named("a-512").unwrap()).unwrap();
        let inputs = Inputs::new(&system, &mut Random::new(5));
        let batches = [Engine::Mont, Engine::Portable].map(|engine| Batch::new(system.on(engine).unwrap()));
        let [bad, again] = [0, 1].map(|i: usize| with_bad_rows(&batches[i], &inputs, 6));
        assert_eq!(bad, again);
        assert!(bad[3].is_err() && bad[4] == Ok(system.gt_one()));
        assert!([0, 1, 2, 5].iter().all(|i| bad[*i].as_ref().is_ok_and(|value| *value != system.gt_one())));
        for (product, fixed) in [(1, false), (1, true), (3, false), (3, true)] {
            let job = Job { product, fixed };
            let [values, others] = [0, 1].map(|i: usize| Work::new(&batches[i], &inputs, job).values(7));
            assert_eq!(values.len(), 7 / product, "{}", job.name());
            assert!(values == others && values.iter().all(Result::is_ok), "{}", job.name());
        }
    }

    /// Products of 3 rows repeat like rows: the 4097th has the rows of the first one.
    #[test]
    fn values_are_compared_with_the_first_ones_and_with_those_of_the_same_rows() {
        let rows: Vec<usize> = (0..3 * 9000).map(|k| k % ROWS).collect();
        let values: Vec<usize> = rows.chunks(3).map(|own| own[0] * own[1] + own[2]).collect();
        let wrong = |at: usize, first: &[usize]| {
            let mut values = values.clone();
            values[at] += 1;
            first_wrong(&values, first)
        };
        assert_eq!([first_wrong(&values, &values[..200]), first_wrong(&values[..5], &values[..200])], [None; 2]);
        assert_eq!([199, 4096, 8999].map(|at| wrong(at, &values[..200])), [199, 4096, 8999].map(Some));
        assert_eq!(wrong(300, &values[..200]), Some(4396), "its copy differs from it");
    }

    /// The time of a pair is the time of a batch divided by the number of pairs that it had.
    #[test]
    fn batches_have_the_pairs_that_are_counted() {
        let whole = |product, pairs: &[usize]| -> Vec<usize> {
            pairs.iter().map(|pairs| Job { product, fixed: false }.whole(*pairs)).collect()
        };
        let sizes = [1, 8, 9, 16, 256, 4096];
        assert_eq!(whole(1, &sizes), sizes);
        assert_eq!(whole(9, &sizes), [9, 9, 9, 9, 252, 4095]);
    }

    #[test]
    fn the_bad_row_and_the_row_with_o_are_in_different_vectors() {
        let vectors = |count| bad_rows(count).map(|row| row / 64);
        assert_eq!([vectors(200), vectors(100_000)], [[1, 3], [781, 1562]]);
    }
}
