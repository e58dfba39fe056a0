//! One pairing computed on several cores.

use crate::backend::{Backend, Group, LoopPartition, LoopParts, MachineLines, MachineStart, PartsError};
use crate::batch::{MAX_THREADS, ThreadsError};
use crate::later::Later;
use crate::point::{Gt, Point, Prepared};
use crate::system::System;
use bilinear_field::CollectVec;
use bilinear_field::Engine;
use bilinear_pairing::LoopPart;
use bilinear_program::Pool;
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};

/// One pairing at a time, with the least delay, on several cores: each core takes some steps of the Miller loop
/// ([`LoopPartition`]). For many pairings at a time a [`Batch`](crate::Batch) is faster, and leaves no core waiting.
///
/// [`Batch::one_at_a_time`](crate::Batch::one_at_a_time) applies this row by row. Any number of threads may use one
/// value; each call uses the worker threads that other calls leave free. A thread without work watches for work for 5
/// ms, at full load, before it sleeps. Where other processes need the cores, one thread is faster: a part taken by a
/// thread that is not running must be waited for.
pub struct Parallel {
    system: System,
    /// The partition on the engine of single values; `None` if the loop is not cut, or on one core.
    cut: Option<Arc<PartitionedLoop>>,
    /// The partition on the engine for few pairings; `None` without such an engine, or with a partition given by the caller.
    few: Option<Later<Arc<PartitionedLoop>>>,
    /// The partition for prepared arguments, made when the first one arrives.
    prepared: OnceLock<Option<Arc<PartitionedLoop>>>,
    /// Whether the partition for prepared arguments is a partition given by the caller.
    is_given: bool,
    pool: Pool,
}

/// A partition on a backend, with the initial state of each of its parts.
struct PartitionedLoop {
    backend: Arc<dyn Backend>,
    partition: LoopPartition,
    starts: Vec<Arc<MachineStart>>,
}

impl PartitionedLoop {
    /// Creates a partition with several parts, on a backend whose loop is cut; `None` if there is no partition or only one
    /// part.
    fn new(backend: &Arc<dyn Backend>, partition: Option<LoopPartition>) -> Option<Arc<Self>> {
        let partition = partition.filter(|partition| partition.parts.len() > 1)?;
        let parts = in_parts(&**backend);
        let starts = partition.parts.iter().map(|part| parts.start(part.part)).collect_vec();
        Some(Arc::new(PartitionedLoop { backend: backend.clone(), partition, starts }))
    }

    /// Computes one part of the loop for P and Q.
    fn part(&self, i: usize, pair: [&[u8]; 2]) -> Arc<[u8]> {
        in_parts(&*self.backend).miller_part(
            self.partition.parts[i].part,
            &*self.starts[i],
            self.partition.delayed,
            pair,
        )
    }

    /// Computes one part of the loop for a prepared argument and the other point.
    fn prepared_part(&self, i: usize, lines: &MachineLines, other: &[u8]) -> Arc<[u8]> {
        in_parts(&*self.backend).miller_prepared_part(
            self.partition.parts[i].part,
            self.partition.delayed,
            lines,
            other,
        )
    }

    /// Computes the value of the pairing from the values of all parts.
    fn finish(&self, factors: &[Arc<[u8]>]) -> Arc<[u8]> {
        in_parts(&*self.backend).finish_parts(self.partition.delayed, factors)
    }
}

/// The reason why a pairing cannot be computed on several threads.
#[derive(Debug, thiserror::Error)]
pub enum ParallelError {
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// The requested parts are no partition of the loop.
    #[error(transparent)]
    Parts(#[from] PartsError),
}

impl System {
    /// Creates a pairing on `threads` threads, the caller's among them, with the partition of its loop that is best
    /// for this number. They compute on the engine of single values. If there is an engine for few pairings, they use
    /// that as soon as it is ready; a background thread starts preparing it now ([`Parallel::ready`]).
    ///
    /// # Errors
    /// Returns an error if there are too many threads, or if the operating system does not start them.
    pub fn parallel(&self, threads: NonZeroUsize) -> Result<Parallel, ParallelError> {
        let few = self.few().map(|few| {
            let (few, threads) = (few.clone(), threads.get());
            Later::new(move || {
                let backend = few.wait(few.pairs([1].into_iter())).and_then(|_| few.wait(few.finish(1)))?;
                let partition = backend.parts().and_then(|parts| parts.best_partition(false, threads));
                let cut = PartitionedLoop::new(&backend, partition)?;
                // the programs that run first are scheduled first; any residues will do
                let [p, q] = [Group::G1, Group::G2].map(|group| vec![0; backend.point_len(group)]);
                cut.finish(&(0..cut.partition.parts.len()).map(|i| cut.part(i, [&p, &q])).collect_vec());
                Some(cut)
            })
        });
        let parallel = self.on_threads(threads, self.loop_partition(threads.get()), few)?;
        if let Some(few) = &parallel.few {
            few.start();
        }
        Ok(parallel)
    }

    /// Creates a pairing on several threads with a partition given by the caller, on the engine of single values. The
    /// parts are steps of the loop, or of each loop, in order. As many threads as are free take them, whatever the
    /// number of parts. Their squarings are delayed ([`LoopPartition::delayed`]) or not, which makes no difference to η_T.
    /// The loop of genus 2 is not cut.
    ///
    /// # Errors
    /// Returns an error as [`System::parallel`] does, or if the parts are no partition of the loops.
    pub fn parallel_in(
        &self,
        threads: NonZeroUsize,
        parts: &[LoopPart],
        delayed: bool,
    ) -> Result<Parallel, ParallelError> {
        let partition =
            self.backend().parts().map(|backend| backend.partition_of(false, parts, delayed)).transpose()?;
        self.on_threads(threads, partition.flatten(), None)
    }

    fn on_threads(
        &self,
        threads: NonZeroUsize,
        partition: Option<LoopPartition>,
        few: Option<Later<Arc<PartitionedLoop>>>,
    ) -> Result<Parallel, ParallelError> {
        let threads = threads.get();
        if threads > MAX_THREADS {
            return Err(ThreadsError::TooMany(threads).into());
        }
        let pool = Pool::new(threads - 1).map_err(|reason| ThreadsError::Refused { threads, reason })?;
        Ok(Parallel {
            system: self.clone(),
            cut: PartitionedLoop::new(&self.shared_backend(), partition),
            few,
            prepared: OnceLock::new(),
            is_given: false,
            pool,
        })
    }

    /// The best partition of the loop over a prepared argument for at most `cores` cores, where no core has points to
    /// move; `None` in small characteristic.
    pub fn prepared_loop_partition(&self, cores: usize) -> Option<LoopPartition> {
        self.backend().parts()?.best_partition(true, cores)
    }

    /// The best partition of the Miller loop for at most `cores` cores, by counted costs; `None` in genus 2, where
    /// the loop is not cut. It does not depend on the number of cores present. More than 16 cores gain nothing.
    pub fn loop_partition(&self, cores: usize) -> Option<LoopPartition> {
        self.backend().parts()?.best_partition(false, cores)
    }
}

impl fmt::Debug for Parallel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parallel").field("system", &self.system).finish_non_exhaustive()
    }
}

impl Parallel {
    /// The partition of the loop on the engine in use now; `None` if one core computes it.
    pub fn partition(&self) -> Option<&LoopPartition> {
        self.cut().map(|cut| &cut.partition)
    }

    /// The engine in use now.
    pub fn engine(&self) -> Engine {
        let in_parts = self.few.as_ref().is_some_and(|few| few.get().is_some());
        if in_parts { Engine::Rows } else { self.system.engine_for_pairings(1) }
    }

    /// Waits until the engine for few pairings is ready, if there is one: 0.1 to 1 s.
    pub fn ready(&self) {
        if let Some(few) = &self.few {
            few.wait();
        }
    }

    /// The partition of the best engine that is ready; `None` if one core computes the loop.
    fn cut(&self) -> Option<&Arc<PartitionedLoop>> {
        self.few.as_ref().and_then(Later::get).or(self.cut.as_ref())
    }

    /// Sets a partition given by the caller for prepared arguments, on the engine of single values. On types A and A1
    /// the loop over prepared arguments has other steps than that over two varying points.
    ///
    /// # Errors
    /// Returns an error if the parts are no partition of the loops. In small characteristic the loop over prepared
    /// arguments is not cut, and the parts are ignored.
    pub fn with_prepared_parts(self, parts: &[LoopPart], delayed: bool) -> Result<Parallel, ParallelError> {
        let backend = self.system.shared_backend();
        let partition = backend.parts().map(|in_parts| in_parts.partition_of(true, parts, delayed)).transpose()?;
        let prepared = PartitionedLoop::new(&backend, partition.flatten());
        Ok(Parallel { prepared: OnceLock::from(prepared), is_given: true, ..self })
    }

    /// Computes e(P, Q) of a prepared argument and the other one. The loop over its lines is shared among the
    /// threads, on the engine of single values: the lines of every part are available from the start. The engine for
    /// few pairings, where there is one, takes less time on one thread, and is used as soon as it is ready; a
    /// background thread starts preparing it when the first prepared argument arrives.
    ///
    /// # Panics
    /// Panics if a value belongs to another curve, pairing or group, or if the argument was prepared for another
    /// engine.
    pub fn pair_prepared(&self, fixed: &Prepared, other: &Point) -> Gt {
        let system = &self.system;
        system.owns_prepared(fixed);
        system.owns_in(system.group(fixed.side().other().group()), other);
        let (Some(lines), Some(bytes)) = (&fixed.lines, &other.bytes) else { return system.gt_one() };
        if let Some(few) = system.few().filter(|_| self.few.is_some() && !self.is_given)
            && few.starts_for_prepared()
        {
            return system.pairing_with(lines, bytes);
        }
        let partition = || system.prepared_loop_partition(self.pool.workers() + 1);
        let cut = self.prepared.get_or_init(|| PartitionedLoop::new(&system.shared_backend(), partition()));
        let Some(cut) = cut else { return system.pairing_with(lines, bytes) };
        let factors = {
            let (cut, lines, bytes) = (cut.clone(), lines.single(), bytes.clone());
            self.pool.map(cut.partition.parts.len(), move |i| cut.prepared_part(i, &*lines, &bytes))
        };
        system.gt(cut.finish(&factors))
    }

    /// Computes the value of [`System::pair`].
    ///
    /// # Panics
    /// Panics as [`System::pair`] does.
    pub fn pair(&self, p: &Point, q: &Point) -> Gt {
        let [of_p, of_q] = self.system.arguments(p, q);
        let (Some(cut), Some(of_p), Some(of_q)) = (self.cut(), of_p, of_q) else {
            return self.system.pair(p, q);
        };
        let factors = {
            let cut = cut.clone();
            self.pool.map(cut.partition.parts.len(), move |i| cut.part(i, [&of_p, &of_q]))
        };
        self.system.gt(cut.finish(&factors))
    }
}

/// The partial loops of a backend whose loop has a partition.
fn in_parts(backend: &dyn Backend) -> &dyn LoopParts {
    backend.parts().unwrap_or_else(|| unreachable!("there is a partition"))
}
