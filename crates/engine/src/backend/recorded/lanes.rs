//! A computation on many items, one in each lane of the vectors of batches.

use super::job::Job;
use super::{Place, RecordedBackend};
use crate::backend::interface::Backend;
use bilinear_program::{Batch, Store};

impl RecordedBackend {
    /// Runs a computation on every item, one per lane: `fill` sets the inputs, `take` reads the outputs.
    pub(super) fn each<T, R>(
        &self,
        job: Job,
        items: &[T],
        fill: impl Fn(&mut Batch, Place, &T),
        take: impl Fn(&Batch, Place) -> R,
    ) -> Vec<R> {
        let mut out = Vec::with_capacity(items.len());
        let fill = |batch: &mut Batch, at, item: usize| fill(batch, at, &items[item]);
        // compiled once for all computations
        let fill: &dyn Fn(&mut Batch, Place, usize) = &fill;
        let take: &mut dyn FnMut(&Batch, Place) = &mut |batch, at| out.push(take(batch, at));
        self.in_lanes(job, items.len(), None, fill, take);
        out
    }

    /// Like [`RecordedBackend::each`], for items given by their numbers. A store goes from batch to batch; the truth
    /// value beside it says whether inputs come from it.
    pub(super) fn in_lanes(
        &self,
        job: Job,
        items: usize,
        mut store: Option<(&mut Option<Store>, bool)>,
        fill: impl Fn(&mut Batch, Place, usize),
        mut take: impl FnMut(&Batch, Place),
    ) {
        if items == 0 {
            return;
        }
        let (lanes, ready) = (self.lanes(), self.ready.load(job));
        let together = lanes * ready.together;
        for first in (0..items).step_by(together) {
            let count = together.min(items - first);
            let place = |i: usize| (i / lanes, i % lanes);
            let given = |(store, reads): &mut (&mut Option<Store>, bool)| Some((store.take()?, *reads));
            let batch = self.ready.run_loaded(&ready, count.div_ceil(lanes), store.as_mut().and_then(given), |batch| {
                (0..count).for_each(|i| fill(batch, place(i), first + i));
            });
            (0..count).for_each(|i| take(&batch, place(i)));
            if let Some((store, _)) = &mut store {
                **store = batch.into_store();
            }
        }
    }
}
