//! One pairing on several cores.

use crate::backend::{Backend, LoopParts, LoopPlan, MachineStart, PartsError};
use crate::batch::{MOST_THREADS, ThreadsError};
use crate::point::{Gt, Point};
use crate::system::System;
use bilinear_pairing::LoopPart;
use bilinear_program::Pool;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// One pairing at a time, as soon as possible, on several cores: each takes some steps of the Miller loop ([`LoopPlan`]). For many
/// pairings at a time a [`Batch`](crate::Batch) is faster, and leaves no core waiting.
///
/// [`Batch::one_at_a_time`](crate::Batch::one_at_a_time) does it row by row. Any number of threads may use it; each finds as many of its
/// threads free as the others leave. A thread that has nothing to do watches for work for 5 ms, at full load, before it sleeps. Where other
/// processes need the cores, one thread is faster: a part that was taken by a thread that does not run is waited for.
pub struct Parallel {
    system: System,
    /// `None` where the loop is not cut.
    plan: Option<Arc<Prepared>>,
    pool: Pool,
}

/// A plan, and what each of its parts begins with.
struct Prepared {
    plan: LoopPlan,
    starts: Vec<Arc<MachineStart>>,
}

/// Why a pairing is not computed on several threads.
#[derive(Debug, thiserror::Error)]
pub enum ParallelError {
    /// The threads.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// The parts that were asked for.
    #[error(transparent)]
    Parts(#[from] PartsError),
}

impl System {
    /// The pairing on so many threads, the caller's among them, with the partition of its loop that is best for them. They compute on the
    /// engine of single values.
    ///
    /// # Errors
    /// If they are too many, or the operating system does not start them.
    pub fn parallel(&self, threads: NonZeroUsize) -> Result<Parallel, ParallelError> {
        self.on_threads(threads, self.loop_plan(threads.get()))
    }

    /// The same with a partition of the caller's: steps of the loop, or of each loop, in order, which as many threads take as are free,
    /// whatever their number; their squarings delayed ([`LoopPlan::delayed`]) or not, which makes no difference to η_T. The loop of genus 2 is
    /// not cut.
    ///
    /// # Errors
    /// As above; if the parts are no partition of the loops.
    pub fn parallel_in(
        &self,
        threads: NonZeroUsize,
        parts: &[LoopPart],
        delayed: bool,
    ) -> Result<Parallel, ParallelError> {
        let plan = self.backend().parts().map(|backend| backend.plan_of(parts, delayed)).transpose()?;
        self.on_threads(threads, plan)
    }

    fn on_threads(&self, threads: NonZeroUsize, plan: Option<LoopPlan>) -> Result<Parallel, ParallelError> {
        let threads = threads.get();
        if threads > MOST_THREADS {
            return Err(ThreadsError::TooMany(threads).into());
        }
        let pool = Pool::new(threads - 1).map_err(|reason| ThreadsError::Refused { threads, reason })?;
        let prepared = plan.filter(|plan| plan.parts.len() > 1).map(|plan| {
            let backend = in_parts(self.backend());
            let starts = plan.parts.iter().map(|planned| backend.start(planned.part)).collect();
            Arc::new(Prepared { plan, starts })
        });
        Ok(Parallel { system: self.clone(), plan: prepared, pool })
    }

    /// How the Miller loop is best shared among at most so many cores, by counted costs; `None` in genus 2, where it is not cut. It does
    /// not depend on the cores that there are. More than 16 gain nothing.
    pub fn loop_plan(&self, cores: usize) -> Option<LoopPlan> {
        self.backend().parts().map(|parts| parts.best_plan(cores))
    }
}

impl Parallel {
    /// How the loop is shared; `None` where one core computes it.
    pub fn plan(&self) -> Option<&LoopPlan> {
        self.plan.as_ref().map(|prepared| &prepared.plan)
    }

    /// The value of [`System::pair`].
    ///
    /// # Panics
    /// As there.
    pub fn pair(&self, p: &Point, q: &Point) -> Gt {
        let [of_p, of_q] = self.system.arguments(p, q);
        let (Some(prepared), Some(of_p), Some(of_q)) = (&self.plan, of_p, of_q) else { return self.system.pair(p, q) };
        let delayed = prepared.plan.delayed;
        let factors = {
            let (backend, prepared) = (self.system.shared_backend(), prepared.clone());
            self.pool.map(prepared.plan.parts.len(), move |i| {
                let Prepared { plan, starts } = &*prepared;
                in_parts(&*backend).miller_part(plan.parts[i].part, &*starts[i], delayed, [&of_p, &of_q])
            })
        };
        self.system.gt(in_parts(self.system.backend()).finish_parts(delayed, &factors))
    }
}

/// A backend whose loop has a plan.
fn in_parts(backend: &dyn Backend) -> &dyn LoopParts {
    backend.parts().unwrap_or_else(|| unreachable!("there is a plan"))
}
