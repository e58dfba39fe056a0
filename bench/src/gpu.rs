//! Batches on a graphics processor beside the processor of the same machine: compared row by row, then timed.

mod record;

pub use record::{CardLine, CardRecord, Model};

use crate::inputs::{Inputs, Outside, outside};
use bilinear_engine::{Batch, FixedRows, Gt, Point, PointRef, Prepared, Row, RowError, Side};
use std::ops::Range;
use std::time::{Duration, Instant};

/// Runs of a measurement, of which the least counts.
const RUNS: usize = 3;

/// What is computed of pairs of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// Pairs of a product; 1 for single pairings.
    pub product: usize,
    /// Whether the arguments of one side are prepared, one for each place of a product.
    pub fixed: bool,
}

impl Job {
    /// Its name in tables.
    pub fn name(self) -> String {
        let key = if self.fixed { ", fixed key" } else { "" };
        if self.product == 1 { format!("pairings{key}") } else { format!("products of {}{key}", self.product) }
    }
}

/// Rows from outside, of which one has O and one a point that is not on the curve.
struct Bad<'a> {
    rows: &'a [Outside],
    number: usize,
    bytes: &'a [u8],
}

impl Row for Bad<'_> {
    fn p(&self) -> PointRef<'_> {
        match self.number {
            1 => PointRef::Bytes(self.bytes),
            2 => PointRef::Infinity,
            number => self.rows[number].p(),
        }
    }
    fn q(&self) -> PointRef<'_> {
        self.rows[self.number].q()
    }
}

/// The single pairings of so many rows, with an O and a bad one.
pub fn with_bad_rows(batch: &Batch, inputs: &Inputs, count: usize) -> Vec<Result<Gt, RowError>> {
    let rows = inputs.rows(count.max(3));
    let mut bytes = rows[1].0.bytes().unwrap_or_default().to_vec();
    bytes.iter_mut().last().into_iter().for_each(|byte| *byte ^= 1);
    let bad: Vec<Bad<'_>> = (0..rows.len()).map(|number| Bad { rows: &rows, number, bytes: &bytes }).collect();
    batch.pair(&bad)
}

/// The rows of a job, with what is prepared.
pub struct Work {
    job: Job,
    rows: Vec<Outside>,
    fixed: Vec<Prepared>,
    others: Vec<Point>,
}

impl Work {
    /// So many pairs, a multiple of those of a product.
    pub fn new(batch: &Batch, inputs: &Inputs, job: Job, pairs: usize) -> Work {
        let rows = inputs.rows(pairs / job.product * job.product);
        let side = batch.system().fixed_side();
        let of = |row: &Outside, side| if side == Side::P { row.0.clone() } else { row.1.clone() };
        let prepared = |row: &Outside| {
            let prepared = batch.system().prepare(side, &of(row, side));
            prepared.unwrap_or_else(|error| unreachable!("this is the side to prepare: {error}"))
        };
        let fixed = if job.fixed { rows[..job.product].iter().map(prepared).collect() } else { vec![] };
        let others = if job.fixed { rows.iter().map(|row| of(row, side.other())).collect() } else { vec![] };
        Work { job, rows, fixed, others }
    }

    /// The value of each product.
    pub fn values(&self, batch: &Batch) -> Vec<Result<Gt, RowError>> {
        let Job { product, fixed } = self.job;
        let groups = (0..self.rows.len()).step_by(product).map(|first| first..first + product);
        if fixed {
            let others: Vec<PointRef<'_>> = self.others.iter().map(outside).collect();
            let groups: Vec<FixedRows> = groups.map(|rows| FixedRows { rows, first_fixed: 0 }).collect();
            batch.product_with(&self.fixed, &others, &groups)
        } else if product == 1 {
            batch.pair(&self.rows)
        } else {
            batch.product(&self.rows, &groups.collect::<Vec<Range<usize>>>())
        }
    }

    /// The least time of some runs, for each pair, of which the first one is not counted.
    pub fn time(&self, batch: &Batch) -> Duration {
        drop(self.values(batch));
        let run = |_| {
            let begun = Instant::now();
            drop(self.values(batch));
            begun.elapsed()
        };
        (0..RUNS).map(run).min().unwrap_or_default() / u32::try_from(self.rows.len().max(1)).unwrap_or(u32::MAX)
    }
}

/// What pairs took, by the number of them in a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Times(pub Vec<(usize, Duration)>);

impl Times {
    /// Of batches of these sizes, whole products. Those of which one run would take longer than `longest` seconds are left out.
    pub fn new(batch: &Batch, inputs: &Inputs, job: Job, sizes: &[usize], longest: f64) -> Times {
        let mut times = Times::default();
        for size in sizes.iter().map(|size| (*size).max(job.product)) {
            if times.least().unwrap_or_default().as_secs_f64() * size as f64 <= longest {
                times.0.push((size, Work::new(batch, inputs, job, size).time(batch)));
            }
        }
        times
    }

    /// The least.
    pub fn least(&self) -> Option<Duration> {
        self.0.iter().map(|(_, time)| *time).min()
    }

    /// The size from which on every batch takes less than one of others, where there is one that both have measured.
    pub fn crossover(&self, other: &Times) -> Option<usize> {
        let theirs = |size: usize| other.0.iter().find(|(own, _)| *own == size).map(|(_, time)| *time);
        let both = self.0.iter().filter_map(|(size, time)| Some((*size, *time < theirs(*size)?)));
        let less = both.collect::<Vec<_>>().into_iter().rev().take_while(|(_, less)| *less);
        less.last().map(|(size, _)| size)
    }

    /// In microseconds.
    pub fn microseconds(&self) -> Vec<(usize, f64)> {
        self.0.iter().map(|(size, time)| (*size, time.as_secs_f64() * 1e6)).collect()
    }

    /// A line of them.
    pub fn text(&self, who: &str) -> String {
        let each = self.microseconds().into_iter().map(|(size, us)| format!("  {size}: {us:.2}"));
        format!("{who:16}{}", each.collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::inputs::Random;
    use bilinear_engine::{Curve, Engine, System};

    #[test]
    fn a_crossover_is_where_less_time_stays_less() {
        let times = |us: &[u64]| Times((0..).zip(us).map(|(i, us)| (1 << i, Duration::from_micros(*us))).collect());
        let processor = times(&[40, 40, 40, 40, 40]);
        assert_eq!(times(&[900, 30, 50, 20, 9]).crossover(&processor), Some(8));
        assert_eq!(times(&[30, 20, 20, 20, 50]).crossover(&processor), None);
        assert_eq!(times(&[30; 5]).crossover(&processor), Some(1));
        assert_eq!(times(&[90, 90, 20, 20, 9, 8, 7]).crossover(&times(&[40, 40, 40])), Some(4), "sizes of both");
        assert_eq!(times(&[30; 5]).text("cuda"), "cuda              1: 30.00  2: 30.00  4: 30.00  8: 30.00  16: 30.00");
    }

    #[test]
    fn batches_that_would_take_too_long_are_left_out() {
        let system = System::new(&Curve::named("a-512").unwrap()).unwrap();
        let batch = Batch::new(system.clone()).on_this_thread();
        let inputs = Inputs::new(&system, &mut Random::new(6));
        let job = Job { product: 2, fixed: true };
        let sizes = |longest| {
            Times::new(&batch, &inputs, job, &[1, 4, 1 << 40], longest)
                .0
                .into_iter()
                .map(|(size, _)| size)
                .collect::<Vec<_>>()
        };
        assert_eq!(sizes(10.0), [2, 4], "2^40 pairings take weeks");
        assert_eq!(sizes(0.0), [2]);
    }

    #[test]
    fn engines_give_the_same_values_for_every_job() {
        let system = System::new(&Curve::named("a-512").unwrap()).unwrap();
        let inputs = Inputs::new(&system, &mut Random::new(5));
        let batches = [Engine::Mont, Engine::Portable].map(|engine| Batch::new(system.on(engine).unwrap()));
        let [bad, again] = [0, 1].map(|i: usize| with_bad_rows(&batches[i], &inputs, 5));
        assert_eq!(bad, again);
        assert!(bad[1].is_err() && bad[2] == Ok(system.gt_one()) && bad[4].is_ok());
        for (product, fixed) in [(1, false), (1, true), (3, false), (3, true)] {
            let job = Job { product, fixed };
            let [values, others] = [0, 1].map(|i: usize| Work::new(&batches[i], &inputs, job, 7).values(&batches[i]));
            assert_eq!(values.len(), 7 / product, "{}", job.name());
            assert!(values == others && values.iter().all(Result::is_ok), "{}", job.name());
        }
    }
}
