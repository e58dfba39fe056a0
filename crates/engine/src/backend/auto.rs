//! The engine `auto`: two backends of one curve, that of a device and that of the processor. Each call runs on the
//! one that takes less time for it, as earlier calls in this process have shown (`costs.rs`).
//!
//! Each kind of work on a table is measured separately: decoding and validation, Miller values by the length of
//! products, with prepared arguments or without, final exponentiations, checks of values. So Miller values may come
//! from a device and their final exponentiations from the processor. Groups, powers and everything secret stay on the
//! processor.

mod costs;

use super::error::{GtError, PointError};
use super::group::Group;
use super::interface::{Backend, Encoded, Groups, MachineLines, Owned};
use super::validate::Validate;
use bilinear_field::CollectVec;
use bilinear_field::bounds::Report;
pub(crate) use costs::TRIAL;
use costs::{Choice, Costs, Executor};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// A kind of call. The times of calls of one kind are compared: such calls take about equally long for each value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum CallKind {
    Decode(Group, Validate),
    CheckGt,
    /// Products; the longest has this number of pairs.
    MillerValue(usize),
    /// Products with prepared arguments; the number is log2 of the number of pairs of the longest product, rounded
    /// down. These products are not cut into parts of one length.
    MillerPrepared(u32),
    Finish,
    AreOne,
}

/// The backend of a device and the backend of the processor.
pub(crate) struct Auto {
    device: Arc<dyn Backend>,
    processor: Arc<dyn Backend>,
    trial: Duration,
    costs: Mutex<HashMap<CallKind, Arc<Costs>>>,
    /// The number of Miller values of this backend that the device has computed, and the number of all.
    share: [AtomicUsize; 2],
}

/// A prepared argument in the form of each backend, computed when a call first runs there.
struct Lines {
    point: Box<[u8]>,
    on: [OnceLock<Arc<MachineLines>>; 2],
}

impl Auto {
    /// Creates a choice between two backends of one curve and pairing. The device is tried once the processor has
    /// computed for as long as `trial`.
    pub(crate) fn new(device: Arc<dyn Backend>, processor: Arc<dyn Backend>, trial: Duration) -> Auto {
        Auto { device, processor, trial, costs: Mutex::default(), share: Default::default() }
    }

    fn backend(&self, executor: Executor) -> &dyn Backend {
        match executor {
            Executor::Processor => &*self.processor,
            Executor::Device => &*self.device,
        }
    }

    fn costs(&self, kind: CallKind) -> Arc<Costs> {
        let mut known = self.costs.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(kind).or_insert_with(|| Arc::new(Costs::new(self.trial))).clone()
    }

    /// Runs `run` on all values, on the backend that takes less time for them. The processor takes as many values as
    /// it computes best at a time; then the choice is made anew for the remaining values.
    fn each<T, U>(&self, kind: CallKind, all: &[T], run: impl Fn(Executor, &[T]) -> Vec<U>) -> Vec<U> {
        let costs = self.costs(kind);
        let mut made = Vec::with_capacity(all.len());
        while made.len() < all.len() {
            let rest = &all[made.len()..];
            let choice = match self.device.is_broken() {
                true => Choice::Compute(Executor::Processor),
                false => costs.choose(rest.len()),
            };
            let Choice::Compute(executor) = choice else {
                let (_, time, left) = self.timed(|| run(Executor::Device, &rest[..1]));
                if left > 0 {
                    costs.left(time)
                } else {
                    costs.prepared()
                }
                continue;
            };
            let some = &rest[..rest.len().min(self.at_a_time(executor, kind))];
            let (values, time, left) = self.timed(|| run(executor, some));
            made.extend(values);
            match executor {
                Executor::Device if left > 0 => costs.left(time),
                _ => costs.took(executor, rest.len(), some.len(), time),
            }
            if matches!(kind, CallKind::MillerValue(_) | CallKind::MillerPrepared(_)) {
                let device = if executor == Executor::Device { some.len().saturating_sub(left) } else { 0 };
                self.share[1].fetch_add(some.len(), Ordering::SeqCst);
                self.share[0].fetch_add(device, Ordering::SeqCst);
            }
        }
        made
    }

    /// Runs a function, and returns its result, the time that it took, and the number of values that the device left
    /// to another machine meanwhile. Values of other threads are among them.
    fn timed<U>(&self, run: impl FnOnce() -> U) -> (U, Duration, usize) {
        let (before, begun) = (self.device.left_to_another(), Instant::now());
        let made = run();
        (made, begun.elapsed(), self.device.left_to_another() - before)
    }

    /// The number of values that a backend computes best at a time.
    fn at_a_time(&self, executor: Executor, kind: CallKind) -> usize {
        let backend = self.backend(executor);
        match (kind, backend.sharing()) {
            (CallKind::MillerValue(pairs), Some(sharing)) => (sharing.end() / pairs.max(1)).max(backend.task()),
            _ => backend.task(),
        }
    }

    /// The pairs with their prepared arguments in the form of one backend.
    fn own<'l>(&self, executor: Executor, pairs: &[Prepared<'l>]) -> Vec<Prepared<'l>> {
        let own = |lines: &'l MachineLines| {
            let lines: &Lines = lines.downcast_ref().unwrap_or_else(|| panic!("lines of this engine"));
            &**lines.on[executor as usize].get_or_init(|| self.backend(executor).prepare(&lines.point))
        };
        pairs.iter().map(|(lines, other)| (lines.map(own), *other)).collect_vec()
    }
}

/// A prepared argument, and the point that it is paired with.
type Prepared<'l> = (Option<&'l MachineLines>, Encoded<'l>);

fn longest<P>(products: &[Vec<P>]) -> usize {
    products.iter().map(Vec::len).max().unwrap_or(0)
}

impl Backend for Auto {
    fn groups(&self) -> &(dyn Groups + 'static) {
        self.processor.groups()
    }

    fn lanes(&self) -> usize {
        self.processor.lanes()
    }

    fn task(&self) -> usize {
        self.device.task()
    }

    fn fallback_reason(&self) -> Option<String> {
        self.device.fallback_reason()
    }

    fn is_broken(&self) -> bool {
        self.device.is_broken()
    }

    fn device_share(&self) -> Option<[usize; 2]> {
        Some([0, 1].map(|i: usize| self.share[i].load(Ordering::SeqCst)))
    }

    fn bounds(&self) -> Option<Report> {
        self.processor.bounds()
    }

    fn decode(&self, group: Group, points: &[Encoded<'_>], validate: Validate) -> Vec<Result<Owned, PointError>> {
        let kind = CallKind::Decode(group, validate);
        self.each(kind, points, |executor, points| self.backend(executor).decode(group, points, validate))
    }

    fn check_gt(&self, values: &[&[u8]]) -> Vec<Result<(), GtError>> {
        self.each(CallKind::CheckGt, values, |executor, values| self.backend(executor).check_gt(values))
    }

    fn prepare(&self, fixed: &[u8]) -> Arc<MachineLines> {
        Arc::new(Lines { point: fixed.into(), on: Default::default() })
    }

    fn miller(&self, products: &[Vec<[Encoded<'_>; 2]>]) -> Vec<Arc<[u8]>> {
        self.each(CallKind::MillerValue(longest(products)), products, |executor, products| {
            self.backend(executor).miller(products)
        })
    }

    fn miller_prepared(&self, products: &[Vec<(Option<&MachineLines>, Encoded<'_>)>]) -> Vec<Arc<[u8]>> {
        self.each(CallKind::MillerPrepared(longest(products).max(1).ilog2()), products, |executor, products| {
            self.backend(executor)
                .miller_prepared(&products.iter().map(|pairs| self.own(executor, pairs)).collect_vec())
        })
    }

    fn final_exponentiation(&self, products: &[&[u8]]) -> Vec<Arc<[u8]>> {
        self.each(CallKind::Finish, products, |executor, products| {
            self.backend(executor).final_exponentiation(products)
        })
    }

    fn are_one(&self, products: &[&[u8]]) -> Vec<bool> {
        self.each(CallKind::AreOne, products, |executor, products| self.backend(executor).are_one(products))
    }
}
