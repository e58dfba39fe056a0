//! Bulk work: threads, chunking, order, and one outcome for every row.

mod errors;
mod few;
mod fixed;
mod miller;
mod operations;
mod row;
mod threads;

use crate::backend::{Group, GtError, LoopPartition, PairingKind, PointError, RowError, Side, Validate};
use crate::outcomes::in_place;
use crate::parallel::Parallel;
use crate::parts::{longest_part, parts};
use crate::point::{Gt, MillerValue, Point, PointRef, Prepared};
use crate::system::System;
use bilinear_field::CollectVec;
use bilinear_field::Engine;
use std::fmt;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use errors::within;
pub use errors::{MAX_THREADS, OutsideG2Error, ThreadsError};
pub use row::{PreparedRows, Row};
use threads::Threads;

/// The fewest terms of a sum of multiples that a thread takes: with fewer, the terms save less by sharing work than a
/// thread costs.
const TERMS: usize = 32;
/// The fewest rows that a stream reads ahead, for each thread.
const READ_AHEAD: usize = 256;

/// The executor of bulk work: threads, chunking and order for one job. Safe to share between threads; results come in
/// input order. Passing values or prepared arguments of another curve is a programming error, as for a [`System`]:
/// methods panic. Points of another curve are read as their bytes ([`PointRef::Known`]).
#[derive(Clone)]
pub struct Batch {
    system: System,
    /// How thoroughly points of G1, and points of G2, are checked.
    validate: [Validate; 2],
    threads: Threads,
    /// The threads that compute pairings one at a time, if that is requested; they start with the first pairing.
    alone: Option<Arc<OnceLock<Parallel>>>,
}

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("Batch");
        text.field("system", &self.system).field("validate", &self.validate).field("threads", &self.threads.count());
        text.finish_non_exhaustive()
    }
}

impl Batch {
    /// Creates a batch with as many threads of its own as the process has processors, and with full validation. The
    /// threads start when there is work to share; if the operating system refuses them, the calling thread does the
    /// work.
    pub fn new(system: System) -> Batch {
        Batch { system, validate: [Validate::default(); 2], threads: Threads::all(), alone: None }
    }

    /// Sets the number of threads, which belong to the batch and start now; a single thread is the calling thread.
    ///
    /// # Errors
    /// Returns an error beyond 1024 threads, or if the operating system refuses them.
    pub fn threads(self, threads: NonZeroUsize) -> Result<Batch, ThreadsError> {
        Ok(Batch { threads: Threads::of(threads)?, alone: self.alone.map(|_| Arc::default()), ..self })
    }

    /// Computes on the calling thread alone.
    pub fn on_this_thread(self) -> Batch {
        Batch { threads: Threads::one(), alone: self.alone.map(|_| Arc::default()), ..self }
    }

    /// Computes one pairing at a time, on all threads ([`Parallel`]). [`Batch::pair`], [`Batch::pair_prepared`] and
    /// [`Batch::stream`] then take as little time as possible for each value, but more time in all. Other methods are
    /// not affected.
    pub fn one_at_a_time(self) -> Batch {
        Batch { alone: Some(Arc::default()), ..self }
    }

    /// Sets how thoroughly points are checked.
    pub fn validate(mut self, validate: Validate) -> Batch {
        self.validate = [validate; 2];
        self
    }

    /// Accepts second arguments from the whole curve over the extension field, as PBC writes them on types D, F and
    /// G: the reduced Tate pairing of P in G1 is defined for all of them (docs/mathematics.md). First arguments are
    /// checked in full.
    ///
    /// # Errors
    /// Returns an error for an ate pairing, which is defined on G2 alone, and for a curve on which both arguments are
    /// of one group: a symmetric one, and type E.
    pub fn allow_q_outside_g2(mut self) -> Result<Batch, OutsideG2Error> {
        let (curve, pairing) = (self.system.curve().name().to_owned(), self.system.pairing());
        if self.system.is_symmetric() || self.system.curve().family().embedding_degree() == 1 {
            return Err(OutsideG2Error::OneGroup { curve });
        }
        if pairing != PairingKind::Tate {
            return Err(OutsideG2Error::Pairing { curve, pairing });
        }
        self.validate = [Validate::Subgroup, Validate::OnCurve];
        Ok(self)
    }

    /// How thoroughly points of a group are checked.
    fn checks(&self, group: Group) -> Validate {
        self.validate[usize::from(group == Group::G2)]
    }

    /// The curve and engine of the batch.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// Computes e(P, Q) of every row.
    pub fn pair<R: Row + Sync>(&self, rows: &[R]) -> Vec<Result<Gt, RowError>> {
        if let Some(parallel) = self.parallel() {
            return rows.iter().enumerate().map(|(row, points)| self.pair_alone(parallel, row, points)).collect_vec();
        }
        let fair = rows.len().div_ceil(self.thread_count()).max(1);
        let size = match self.system.engine_for_pairings(fair) {
            // no vectors to fill
            Engine::Rows => fair.min(self.task()),
            _ => self.size(rows.len(), self.run(rows.len(), rows.len())),
        };
        self.tasks_of(rows.len(), size, &|range| {
            let decoded = self.decoded(rows, &range.map(|i| i..i + 1).collect_vec());
            in_place(decoded, |pairs| {
                let pairs = pairs.iter().map(|pair| [pair[0].0.as_deref(), pair[0].1.as_deref()]);
                self.system.pairings(&pairs.collect_vec())
            })
        })
    }

    /// The threads that compute one pairing at a time, if that is requested: no more than a loop has parts. If they
    /// cannot start, the calling thread alone.
    fn parallel(&self) -> Option<&Parallel> {
        let parallel = |threads| self.system.parallel(NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN)).ok();
        let started = || {
            let started = parallel(self.thread_count().min(LoopPartition::MAX_PARTS)).or_else(|| parallel(1));
            started.unwrap_or_else(|| unreachable!("one thread is the caller's"))
        };
        self.alone.as_ref().map(|alone| alone.get_or_init(started))
    }

    /// Computes e(P, Q) of one row.
    fn pair_alone<R: Row>(&self, parallel: &Parallel, row: usize, points: &R) -> Result<Gt, RowError> {
        let [p, q] = [(Side::P, points.p()), (Side::Q, points.q())].map(|(side, p)| self.decode_alone(row, side, p));
        Ok(parallel.pair(&p?, &q?))
    }

    /// Checks and decodes the point on one side of a row.
    fn decode_alone(&self, row: usize, side: Side, point: PointRef<'_>) -> Result<Point, RowError> {
        let group = self.system.group(side.group());
        self.system.decode(group, point, self.checks(group)).map_err(|reason| RowError { row, side, reason })
    }

    /// Computes e(P, Q) of every row for a fixed P or Q; `others` are the other arguments.
    ///
    /// # Panics
    /// Panics if `fixed` was prepared for another curve, engine or pairing.
    pub fn pair_prepared(&self, fixed: &Prepared, others: &[PointRef<'_>]) -> Vec<Result<Gt, RowError>> {
        if let Some(parallel) = self.parallel() {
            let side = fixed.side().other();
            let pair = |(row, point): (usize, &PointRef<'_>)| {
                let other = self.decode_alone(row, side, *point)?;
                Ok(parallel.pair_prepared(fixed, &other))
            };
            return others.iter().enumerate().map(pair).collect_vec();
        }
        let few = self.few_with(&vec![1; others.len()]);
        let size = few.unwrap_or_else(|| self.size(others.len(), self.task()));
        self.tasks_of(others.len(), size, &|range| {
            let groups: Vec<PreparedRows> =
                range.map(|i| PreparedRows { rows: i..i + 1, first_prepared: 0 }).collect_vec();
            self.finished(&self.prepared(std::slice::from_ref(fixed), others, &groups))
        })
    }

    /// Computes the product of e(P, Q) over each group of rows. An invalid row fails its group, whose error names the
    /// first invalid row. A range that does not lie within the rows fails its group too.
    pub fn product<R: Row + Sync>(&self, rows: &[R], groups: &[Range<usize>]) -> Vec<Result<Gt, RowError>> {
        let products = self.miller(rows, groups);
        self.tasks(groups.len(), self.task(), |range| self.finished(&products[range]))
    }

    /// Computes the product over each group of rows with fixed arguments; `others` are the other arguments. A range
    /// that does not lie within `others` or `fixed` fails its group.
    ///
    /// # Panics
    /// Panics if a fixed argument was prepared for another curve, engine or pairing.
    pub fn product_prepared(
        &self,
        fixed: &[Prepared],
        others: &[PointRef<'_>],
        groups: &[PreparedRows],
    ) -> Vec<Result<Gt, RowError>> {
        let products = self.miller_prepared(fixed, others, groups);
        self.tasks(groups.len(), self.task(), |range| self.finished(&products[range]))
    }

    /// Checks for each group of rows whether the product of e(P, Q) is 1. Signatures and proofs are verified this
    /// way. An invalid row fails its group, whose error names the first invalid row. A range that does not lie within
    /// the rows fails its group too.
    pub fn check<R: Row + Sync>(&self, rows: &[R], groups: &[Range<usize>]) -> Vec<Result<bool, RowError>> {
        self.checked(&self.miller(rows, groups))
    }

    /// Checks for each group of rows with fixed arguments whether the product is 1.
    ///
    /// # Panics
    /// Panics as [`Batch::product_prepared`] does.
    pub fn check_prepared(
        &self,
        fixed: &[Prepared],
        others: &[PointRef<'_>],
        groups: &[PreparedRows],
    ) -> Vec<Result<bool, RowError>> {
        self.checked(&self.miller_prepared(fixed, others, groups))
    }

    /// Like [`Batch::product`], without the final exponentiation: computes parts of products.
    pub fn miller<R: Row + Sync>(&self, rows: &[R], groups: &[Range<usize>]) -> Vec<Result<MillerValue, RowError>> {
        let known = groups.iter().map(|group| within(group, rows.len(), Side::P).map(|()| group));
        let values = in_place(known, |groups| self.miller_within(rows, &groups));
        values.into_iter().map(Result::flatten).collect_vec()
    }

    fn miller_within<R: Row + Sync>(&self, rows: &[R], groups: &[&Range<usize>]) -> Vec<Result<MillerValue, RowError>> {
        let (parts, size) = self.few_parts(groups).unwrap_or_else(|| {
            let pairs = groups.iter().map(|g| g.len()).sum();
            let longest = longest_part(pairs, self.thread_count(), self.system.lanes());
            let parts: Vec<Vec<Range<usize>>> = groups.iter().map(|g| parts((*g).clone(), longest)).collect_vec();
            let len = parts.iter().map(Vec::len).sum();
            let size = self.size(len, self.run(len, pairs));
            (parts, size)
        });
        let flat: Vec<Range<usize>> = parts.iter().flatten().cloned().collect_vec();
        let values = self.tasks_of(flat.len(), size, &|range| self.moving(rows, &flat[range]));
        self.joined(parts.iter().map(Vec::len), values)
    }

    /// Like [`Batch::product_prepared`], without the final exponentiation.
    ///
    /// # Panics
    /// Panics as [`Batch::product_prepared`] does.
    pub fn miller_prepared(
        &self,
        fixed: &[Prepared],
        others: &[PointRef<'_>],
        groups: &[PreparedRows],
    ) -> Vec<Result<MillerValue, RowError>> {
        // either argument may be fixed on a symmetric curve
        let side = fixed.first().map_or(self.system.fixed_side(), Prepared::side);
        let known = groups.iter().map(|g| {
            within(&g.rows, others.len(), side.other())?;
            let meets = g.first_prepared..g.first_prepared.saturating_add(g.rows.len());
            within(&meets, fixed.len(), side).map_err(|error| RowError { row: g.rows.start, ..error })?;
            Ok(g)
        });
        let values = in_place(known, |groups| self.miller_with_within(fixed, others, &groups));
        values.into_iter().map(Result::flatten).collect_vec()
    }

    fn miller_with_within(
        &self,
        fixed: &[Prepared],
        others: &[PointRef<'_>],
        groups: &[&PreparedRows],
    ) -> Vec<Result<MillerValue, RowError>> {
        let sizes: Vec<usize> = groups.iter().map(|g| g.rows.len()).collect_vec();
        let few = self.few_with(&sizes);
        // each row has its own argument, and thus its own slot: lanes gain nothing from parts
        let whole = sizes.iter().max().copied().filter(|_| few.is_some());
        let longest = whole.unwrap_or_else(|| self.share(sizes.iter().sum()));
        let part = |g: &&PreparedRows| {
            let shifted = |rows: Range<usize>| PreparedRows {
                first_prepared: g.first_prepared + rows.start - g.rows.start,
                rows,
            };
            parts(g.rows.clone(), longest).into_iter().map(shifted).collect_vec()
        };
        let parts: Vec<Vec<PreparedRows>> = groups.iter().map(part).collect_vec();
        let flat: Vec<PreparedRows> = parts.iter().flatten().cloned().collect_vec();
        let size = few.unwrap_or_else(|| self.size(flat.len(), self.task()));
        let values = self.tasks_of(flat.len(), size, &|range| self.prepared(fixed, others, &flat[range]));
        self.joined(parts.iter().map(Vec::len), values)
    }

    /// Computes the final exponentiation of products.
    ///
    /// # Panics
    /// Panics if a product belongs to another curve or pairing.
    pub fn final_exponentiation(&self, products: &[MillerValue]) -> Vec<Gt> {
        self.tasks(products.len(), self.task(), |range| self.system.final_exponentiation(&self.raw(&products[range])))
    }

    /// Returns which products become 1 by the final exponentiation.
    ///
    /// # Panics
    /// Panics as [`Batch::final_exponentiation`] does.
    pub fn final_exponentiation_is_one(&self, products: &[MillerValue]) -> Vec<bool> {
        self.tasks(products.len(), self.task(), |range| self.system.are_one(&self.raw(&products[range])))
    }

    /// Checks and decodes points of a group.
    pub fn decode(&self, group: Group, points: &[PointRef<'_>]) -> Vec<Result<Point, PointError>> {
        let group = self.system.group(group);
        self.tasks(points.len(), self.task(), |range| {
            let validate = self.checks(group);
            let decoded = self.system.decode_all(group, &points[range], validate);
            decoded.into_iter().map(|r| r.map(|bytes| self.system.point(group, validate, bytes))).collect_vec()
        })
    }

    /// Checks elements of the target group, each as [`System::decode_gt`] does.
    pub fn decode_gt(&self, values: &[&[u8]]) -> Vec<Result<Gt, GtError>> {
        self.tasks(values.len(), self.task(), |range| self.system.decode_gts(&values[range]))
    }

    /// Computes e(P, Q) for an endless input: reads ahead a bounded number of rows and yields their outcomes in
    /// order.
    pub fn stream<R: Row + Sync>(
        &self,
        rows: impl IntoIterator<Item = R>,
    ) -> impl Iterator<Item = Result<Gt, RowError>> {
        let most = self.system.sharing().map_or(0, |sharing| *sharing.end());
        let ahead = READ_AHEAD.max(most).max(self.task()) * self.thread_count();
        let ahead = if self.alone.is_some() { 1 } else { ahead };
        let (mut rows, mut done) = (rows.into_iter(), 0);
        std::iter::from_fn(move || {
            let chunk: Vec<R> = rows.by_ref().take(ahead).collect_vec();
            let first = done;
            done += chunk.len();
            let shift = move |e: RowError| RowError { row: e.row + first, ..e };
            (!chunk.is_empty()).then(|| self.pair(&chunk).into_iter().map(move |r| r.map_err(shift)))
        })
        .flatten()
    }

    /// The engine that computes `values` values in one call, except perhaps for a last value that is left over: a
    /// thread with a single value uses the engine for single values.
    pub fn engine_for(&self, values: usize) -> Engine {
        self.system.engine_for(self.size(values, self.task()).min(values))
    }

    /// The number of threads that work on the batch.
    pub fn thread_count(&self) -> usize {
        self.threads.count()
    }

    /// The most values that a thread computes at a time: a batch with a multiple of this number for each thread
    /// leaves no gaps.
    pub fn task(&self) -> usize {
        self.system.task()
    }

    /// The number of products in a task, for `len` products with `pairs` pairs in all: as many as share inversions
    /// best if every thread gets that many, else as many as in any task.
    fn run(&self, len: usize, pairs: usize) -> usize {
        let Some(sharing) = self.system.sharing() else { return self.task() };
        let fair = pairs.div_ceil(self.thread_count());
        if fair < *sharing.start() {
            return self.task();
        }
        // each thread gets the same number of tasks
        let tasks = self.thread_count() * fair.div_ceil(*sharing.end());
        len.div_ceil(tasks).next_multiple_of(self.system.lanes())
    }

    /// The number of products in a task, for `len` products and at most `longest` in a task.
    fn size(&self, len: usize, longest: usize) -> usize {
        let fair = len.div_ceil(self.thread_count()).max(1);
        if fair == 1 { 1 } else { fair.next_multiple_of(self.system.lanes()).min(longest) }
    }

    /// Runs a task over runs of at most `longest` indices and concatenates the results. Runs are full vectors, with
    /// fewer indices where threads would be idle. If there is a thread for every index, each index is a task: one
    /// value alone takes less time than a vector.
    fn tasks<T: Send>(&self, len: usize, longest: usize, task: impl Fn(Range<usize>) -> Vec<T> + Sync) -> Vec<T> {
        self.tasks_of(len, self.size(len, longest), &task)
    }

    /// Runs a task over runs of `size` indices and concatenates the results.
    fn tasks_of<T: Send>(&self, len: usize, size: usize, task: &(dyn Fn(Range<usize>) -> Vec<T> + Sync)) -> Vec<T> {
        let runs = len.div_ceil(size);
        let mut all = Vec::with_capacity(len);
        for run in self.threads.map(runs, &|i| task(i * size..len.min((i + 1) * size))) {
            all.extend(run);
        }
        all
    }

    /// Multiplies the parts of each product; the first invalid row fails the product.
    fn joined(
        &self,
        counts: impl Iterator<Item = usize>,
        values: Vec<Result<MillerValue, RowError>>,
    ) -> Vec<Result<MillerValue, RowError>> {
        let mut values = values.into_iter();
        let product = |count: usize| {
            let mut group = values.by_ref().take(count).collect_vec().into_iter();
            let first = group.next().unwrap_or_else(|| unreachable!("an empty product is one part"));
            group.fold(first, |product, part| Ok(self.system.miller_mul(&product?, &part?)))
        };
        counts.map(product).collect_vec()
    }

    /// The encodings of Miller values, which must belong to this system.
    fn raw<'a>(&self, products: &'a [MillerValue]) -> Vec<&'a [u8]> {
        products.iter().map(|m| self.system.raw_miller(m)).collect_vec()
    }

    /// Replaces the valid products by what `work` computes from their encodings.
    fn of_valid<T>(
        &self,
        products: &[Result<MillerValue, RowError>],
        work: impl FnOnce(&[&[u8]]) -> Vec<T>,
    ) -> Vec<Result<T, RowError>> {
        let encoded = products.iter().map(|m| m.as_ref().map(|m| self.system.raw_miller(m)).map_err(|e| *e));
        in_place(encoded, |good| work(&good))
    }

    /// Computes the final exponentiations of the valid products, with one shared inversion.
    fn finished(&self, products: &[Result<MillerValue, RowError>]) -> Vec<Result<Gt, RowError>> {
        self.of_valid(products, |good| self.system.final_exponentiation(good))
    }

    /// Returns which of the valid products are 1 after the final exponentiation.
    fn checked(&self, products: &[Result<MillerValue, RowError>]) -> Vec<Result<bool, RowError>> {
        self.tasks(products.len(), self.task(), |range| {
            self.of_valid(&products[range], |good| self.system.are_one(good))
        })
    }
}
