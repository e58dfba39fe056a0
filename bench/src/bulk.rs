//! Pairings in batches, through the interface that computes a user's table. Points are decoded and checked to be on the
//! curve, as PBC does when it reads them; the subgroup check is a rung of its own.

use crate::inputs::{Inputs, Outside, outside};
use crate::method::Contender;
use crate::peers::CurvePeer;
use crate::track::Track;
use bilinear_engine::{Batch, Engine, Point, PointRef, Prepared, PreparedRows, Side, System, ThreadsError, Validate};
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::str::FromStr;

/// The minimum number of rows of a measurement, so that consecutive runs of a small batch use different rows.
const MIN_ROWS: usize = 64;

/// A job on a batch of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// e(P, Q) for each row.
    Pair,
    /// e(P, Q) for each row with one prepared P, or with one prepared Q if the curve's pairing prepares Q.
    Prepared,
    /// Products of e(P, Q): as many products as threads times lanes.
    Product,
    /// Products with prepared arguments, one for each place of a product: eight times as many products as `Product`
    /// has.
    PreparedProduct,
}

impl Work {
    /// All jobs.
    pub const ALL: [Work; 4] = [Work::Pair, Work::Prepared, Work::Product, Work::PreparedProduct];

    /// The name of the job in commands and results.
    pub fn name(self) -> &'static str {
        match self {
            Work::Pair => "pair",
            Work::Prepared => "prepared",
            Work::Product => "product",
            Work::PreparedProduct => "prepared-product",
        }
    }

    /// Returns the number of products for each thread and lane. Prepared arguments serve many rows, which take turns at
    /// the stored lines of each argument.
    fn products(self) -> usize {
        if self == Work::PreparedProduct { 8 } else { 1 }
    }

    /// Returns true if the batch consists of products.
    pub(crate) fn is_product(self) -> bool {
        matches!(self, Work::Product | Work::PreparedProduct)
    }
}

/// The error for a name that no job has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no job is called {0:?}: choose one of pair, prepared, product, prepared-product")]
pub struct UnknownWork(String);

impl FromStr for Work {
    type Err = UnknownWork;
    fn from_str(name: &str) -> Result<Work, UnknownWork> {
        Work::ALL.into_iter().find(|work| work.name() == name).ok_or_else(|| UnknownWork(name.to_owned()))
    }
}

/// Measures a job for all given batch sizes (for products: pairs of a product) and numbers of threads. Peers compute
/// one pairing at a time. They therefore take part in the smallest and the largest batch of each job, and in products
/// of all sizes for which they have rows.
///
/// # Errors
/// Returns an error if the system cannot start the threads.
pub(crate) fn measure(
    (system, single): (&System, &System),
    inputs: &Inputs,
    work: Work,
    (sizes, threads): (&[usize], &[NonZeroUsize]),
    peers: &[Box<dyn CurvePeer>],
    track: &mut Track<'_>,
) -> Result<(), ThreadsError> {
    let ends = [sizes.iter().min(), sizes.iter().max()];
    for count in threads {
        let mut each = None;
        note_sizes(work, sizes, ends, peers, *count, track);
        let batch_of = |system: &System| Batch::new(system.clone()).validate(Validate::OnCurve).threads(*count);
        let batch = batch_of(system)?;
        ready(&batch, work, sizes);
        let single = batch_of(single)?;
        for size in sizes.iter().copied() {
            // one row is one task, whatever the number of threads
            if size == 1 && count.get() > 1 && threads.contains(&NonZeroUsize::MIN) {
                track.note(format!(
                    "{} of 1, {count} threads: left out, since it is the same on one thread",
                    work.name()
                ));
                continue;
            }
            let products = work.products() * if work.is_product() { count.get() * system.lanes() } else { 1 };
            let expected = each.unwrap_or(0.0) * (products * size) as f64;
            if !track.affords(work.name(), size, count.get(), expected) {
                continue;
            }
            let ran = |batch: &Batch| engine(batch, work, if work.is_product() { products } else { size });
            let rows = || inputs.rows(MIN_ROWS.max(2 * products * size));
            track.on(ran(&batch).name());
            let mut contenders = vec![ours(&batch, rows(), work, [products, size])];
            // the engine of single values runs beside any other engine
            if ran(&single) != ran(&batch) {
                contenders.push(ours(&single, rows(), work, [products, size]));
            }
            if count.get() == 1 && (work.is_product() || ends.contains(&Some(&size))) {
                for peer in peers {
                    match peer.bulk(work, size) {
                        Some(contender) => contenders.push(contender),
                        None => track.note(format!("{} of {size}: {} does not have it", work.name(), peer.label())),
                    }
                }
            }
            each = track.race(work.name(), size, count.get(), contenders).or(each);
        }
    }
    Ok(())
}

/// Prepares the engine for few values, which would otherwise take over in the middle of a measurement. Products are not
/// affected: they are as many as the lanes, which are not few.
fn ready(batch: &Batch, work: Work, sizes: &[usize]) {
    let system = batch.system();
    let Some((_, most, _)) = system.engine_for_few() else { return };
    if sizes.iter().all(|size| size.div_ceil(batch.thread_count()) > most) {
        return;
    }
    match work {
        Work::Pair => system.warm_up_few(),
        Work::Prepared => (1..=most).for_each(|count| system.warm_up_products_prepared(&vec![1; count])),
        Work::Product | Work::PreparedProduct => {}
    }
}

/// Returns the engine that computes this number of values. Each thread gets an equal share of pairings.
fn engine(batch: &Batch, work: Work, values: usize) -> Engine {
    if work.is_product() {
        return batch.engine_for(values);
    }
    let (system, each) = (batch.system(), values.div_ceil(batch.thread_count()));
    let few = match work {
        Work::Prepared => system.engine_for_products_prepared(&vec![1; each]),
        _ => system.engine_for_pairings(each),
    };
    if few == Engine::Rows { few } else { batch.engine_for(values) }
}

/// Notes where peers do not take part.
fn note_sizes(
    work: Work,
    sizes: &[usize],
    ends: [Option<&usize>; 2],
    peers: &[Box<dyn CurvePeer>],
    threads: NonZeroUsize,
    track: &mut Track<'_>,
) {
    if peers.is_empty() {
        return;
    }
    if threads.get() > 1 {
        return track.note(format!("{}, {threads} threads: peers have one thread and take no part", work.name()));
    }
    if !work.is_product() && sizes.iter().any(|size| !ends.contains(&Some(size))) {
        let ends = ends.into_iter().flatten().map(usize::to_string).collect::<Vec<_>>().join(" and ");
        track.note(format!("{}: peers, which compute one at a time, take part only at {ends}", work.name()));
    }
}

fn ours(batch: &Batch, rows: Vec<Outside>, work: Work, [products, size]: [usize; 2]) -> Contender<'_> {
    let engine = engine(batch, work, if work.is_product() { products } else { size }).to_string();
    let side = batch.system().fixed_side();
    let of = |row: &Outside, side| if side == Side::P { row.0.clone() } else { row.1.clone() };
    let prepare = |row| {
        let fixed = batch.system().prepare(side, &of(row, side));
        fixed.unwrap_or_else(|e| unreachable!("this is the side to prepare: {e}"))
    };
    let fixed: Vec<Prepared> = match work {
        Work::Pair | Work::Product => vec![],
        Work::Prepared => vec![prepare(&rows[0])],
        Work::PreparedProduct => rows[..size].iter().map(prepare).collect(),
    };
    let others: Vec<Point> = rows.iter().map(|row| of(row, side.other())).collect();
    let mut first = 0;
    let count = products * size;
    let run = move || {
        let now = first..first + count;
        first = if first + 2 * count <= rows.len() { first + count } else { 0 };
        match work {
            Work::Pair => drop(black_box(batch.pair(&rows[now]))),
            Work::Prepared => {
                let others: Vec<PointRef<'_>> = others[now].iter().map(outside).collect();
                drop(black_box(batch.pair_prepared(&fixed[0], &others)));
            }
            Work::Product => {
                let groups: Vec<Range<usize>> = now.step_by(size).map(|first| first..first + size).collect();
                drop(black_box(batch.product(&rows, &groups)));
            }
            Work::PreparedProduct => {
                let others: Vec<PointRef<'_>> = others[now].iter().map(outside).collect();
                let group = |first| PreparedRows { rows: first..first + size, first_prepared: 0 };
                let groups: Vec<PreparedRows> = (0..count).step_by(size).map(group).collect();
                drop(black_box(batch.product_prepared(&fixed, &others, &groups)));
            }
        }
    };
    Contender::new(engine, count, run)
}
