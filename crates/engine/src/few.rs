//! Few values at a time: the engine `rows` computes them one or two at a time in the eight lanes of vectors. That is
//! faster than `mont`, one after the other, or `ifma`, in a vector that is mostly empty.
//!
//! The measurements in `bench/record` decide which calls are few. A further pair of a product takes rows 0.55 to 0.65
//! of the time of a pairing's Miller loop, while lanes take as long for one pair as for eight. So Miller values of
//! varying points are few if pairs and products together are at most twice the number of pairings that are few. In
//! lanes too, each prepared argument is a slot of its own: with prepared arguments products alone are counted.
//!
//! Programs are scheduled when they are first used, which takes 0.05 to 1 s, about as long as 1000 such calls on
//! `mont`. Scheduling therefore starts after as many calls, separately for calls of each form, on a thread of its
//! own, while calls go on without it. The total time is never more than twice that of a caller who knows all calls in
//! advance.

use crate::backend::{
    Backend, ChosenPairing, Encoded, Group, MachineLines, Options, Programs, RecordedBackend, machines,
};
use crate::later::Later;
use bilinear_field::CollectVec;
use bilinear_field::Engine;
use bilinear_params::Curve;
use std::collections::HashMap;
use std::iter::repeat_n;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The number of values in calls of one form after which the programs of that form are scheduled.
const ASKED: usize = 1000;
/// The most bits of a field whose elements take six limbs in rows.
const SIX_LIMBS: u64 = 298;
/// The most pairs of a product with prepared arguments: programs grow with the number of pairs.
const MAX_LINES: usize = 8;

/// The form of a call, which determines the programs that the call runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Call {
    /// Miller values of products of varying points: the numbers of pairs, in ascending order.
    Pairs(Vec<usize>),
    /// Miller values of products with prepared arguments: the numbers of pairs, in ascending order.
    Lines(Vec<usize>),
    /// This number of final exponentiations.
    Finish(usize),
}

impl Call {
    fn values(&self) -> usize {
        match self {
            Call::Pairs(sizes) | Call::Lines(sizes) => sizes.len(),
            Call::Finish(count) => *count,
        }
    }

    /// Returns true if a backend computes each product of the call as a whole: the program of a product needs more
    /// rows, the more pairs the product has.
    fn is_whole_on(&self, backend: &dyn Backend) -> bool {
        match self {
            Call::Pairs(sizes) => sizes.iter().all(|pairs| backend.can_multiply(false, *pairs)),
            Call::Lines(sizes) => sizes.iter().all(|pairs| backend.can_multiply(true, *pairs)),
            Call::Finish(_) => true,
        }
    }

    /// Runs the call once, so that all its programs exist.
    fn rehearse(&self, backend: &dyn Backend) {
        // any residues will do
        let points = [Group::G1, Group::G2].map(|group| vec![0; backend.point_len(group)]);
        match self {
            Call::Pairs(sizes) => {
                let pair: [Encoded<'_>; 2] = [Some(&points[0]), Some(&points[1])];
                backend.miller(&sizes.iter().map(|size| vec![pair; *size]).collect_vec());
            }
            Call::Lines(sizes) => {
                let [own, other] = if backend.prepared_group() == Group::G1 { [0, 1] } else { [1, 0] };
                let lines = backend.prepare(&points[own]);
                let meeting: (Option<&MachineLines>, Encoded<'_>) = (Some(&*lines), Some(&points[other]));
                backend.miller_prepared(&sizes.iter().map(|size| vec![meeting; *size]).collect_vec());
            }
            Call::Finish(count) => {
                backend.final_exponentiation(&vec![&*vec![0; backend.gt_len()]; *count]);
            }
        }
    }
}

/// How often calls of one form came, and the backend once it is ready for them.
struct Wanted {
    asked: AtomicUsize,
    backend: Later<Arc<dyn Backend>>,
}

/// The engine for few values.
pub(crate) struct Few {
    /// The most pairings that the engine computes in a call.
    most: usize,
    backend: Later<Arc<dyn Backend>>,
    wanted: Mutex<HashMap<Call, Arc<Wanted>>>,
    calls: AtomicUsize,
}

impl Few {
    /// Creates the engine for few values; `None` if an engine other than `auto` was requested, or if the processor has
    /// no rows for the curve.
    pub(crate) fn new(curve: &Curve, options: Options) -> Option<Few> {
        let field = curve.family().field();
        if options.engine.is_some_and(|engine| engine != Engine::Auto) || !Engine::Rows.suits(field) {
            return None;
        }
        let (curve, bits) = (curve.clone(), field.bits());
        let options = Options { engine: Some(Engine::Rows), ..options };
        let backend = Later::new(move || backend(&curve, options));
        Some(Few { most: most(bits), backend, wanted: Mutex::default(), calls: AtomicUsize::new(0) })
    }

    /// The most pairings that the engine computes in a call.
    pub(crate) fn most(&self) -> usize {
        self.most
    }

    /// The most pairs and products of varying points, added together, of a call.
    pub(crate) fn most_of_pairs(&self) -> usize {
        2 * self.most
    }

    /// The call for Miller values of products of varying points with these numbers of pairs; `None` unless they are
    /// few. No product may be empty.
    pub(crate) fn pairs(&self, sizes: impl Iterator<Item = usize>) -> Option<Call> {
        let mut sizes: Vec<usize> = sizes.take(self.most_of_pairs()).collect_vec();
        sizes.sort_unstable();
        let weight = sizes.iter().fold(sizes.len(), |sum, size| sum.saturating_add(*size));
        let is_few = sizes.first().is_some_and(|least| *least > 0) && weight <= self.most_of_pairs();
        is_few.then_some(Call::Pairs(sizes))
    }

    /// The call for Miller values of products with prepared arguments; `None` unless they are few. No product may be
    /// empty.
    pub(crate) fn lines(&self, sizes: impl Iterator<Item = usize>) -> Option<Call> {
        let mut sizes: Vec<usize> = sizes.take(self.most + 1).collect_vec();
        sizes.sort_unstable();
        let is_few = sizes.len() <= self.most && sizes.iter().all(|size| (1..=MAX_LINES).contains(size));
        (is_few && !sizes.is_empty()).then_some(Call::Lines(sizes))
    }

    /// The call for `count` final exponentiations; `None` unless they are few.
    pub(crate) fn finish(&self, count: usize) -> Option<Call> {
        (1..=self.most).contains(&count).then_some(Call::Finish(count))
    }

    /// Counts a call, and has the engine prepared if such calls are frequent. Returns true if the engine is ready for
    /// the call.
    pub(crate) fn asks(&self, call: Option<Call>) -> bool {
        let Some(call) = call else { return false };
        let values = call.values();
        let wanted = self.wanted(call);
        if wanted.asked.fetch_add(values, Ordering::Relaxed) >= ASKED {
            wanted.backend.start();
        }
        wanted.backend.get().is_some()
    }

    /// The backend for a call, if the engine is ready for it. Does not count towards preparing the engine.
    pub(crate) fn take(&self, call: Option<Call>) -> Option<Arc<dyn Backend>> {
        let backend = self.known(&call?)?.backend.get().cloned()?;
        self.calls.fetch_add(1, Ordering::Relaxed);
        Some(backend)
    }

    /// The backend for a call, if the engine is ready for it. Counts the call.
    pub(crate) fn serve(&self, call: Option<Call>) -> Option<Arc<dyn Backend>> {
        self.asks(call.clone()).then(|| self.take(call)).flatten()
    }

    /// Returns true if the engine is ready for a call.
    pub(crate) fn is_ready(&self, call: Option<Call>) -> bool {
        call.and_then(|call| self.known(&call)).is_some_and(|wanted| wanted.backend.get().is_some())
    }

    /// Returns true if the engine is ready for this number of pairings in a call.
    pub(crate) fn is_ready_for(&self, pairings: usize) -> bool {
        self.is_ready(self.pairs(repeat_n(1, pairings))) && self.is_ready(self.finish(pairings))
    }

    /// Prepares the engine now for a call; `None` if the call is not few, or if ranges cannot be proved.
    pub(crate) fn wait(&self, call: Option<Call>) -> Option<Arc<dyn Backend>> {
        self.wanted(call?).backend.wait().cloned()
    }

    /// Starts preparing the engine for one pairing with a prepared argument, and returns true if it is ready.
    pub(crate) fn starts_for_prepared(&self) -> bool {
        let wanted = [Call::Lines(vec![1]), Call::Finish(1)].map(|call| self.wanted(call));
        wanted.iter().for_each(|wanted| wanted.backend.start());
        wanted.iter().all(|wanted| wanted.backend.get().is_some())
    }

    /// The number of calls that the engine has computed.
    pub(crate) fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    fn known(&self, call: &Call) -> Option<Arc<Wanted>> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner).get(call).cloned()
    }

    fn wanted(&self, call: Call) -> Arc<Wanted> {
        self.known(&call).unwrap_or_else(|| {
            let (backend, form) = (self.backend.clone(), call.clone());
            let ready = Later::new(move || {
                let backend = backend.wait().filter(|backend| form.is_whole_on(&***backend))?;
                form.rehearse(&**backend);
                Some(backend.clone())
            });
            let wanted = Arc::new(Wanted { asked: AtomicUsize::new(0), backend: ready });
            self.wanted.lock().unwrap_or_else(PoisonError::into_inner).entry(call).or_insert(wanted).clone()
        })
    }
}

/// The most pairings for which rows take less time than a vector in lanes: measured on 13 shipped curves
/// (`bench/record`). Lanes take as long for one pairing as for eight, and longer the more limbs there are; rows take
/// the limbs side by side.
fn most(bits: u64) -> usize {
    if bits > SIX_LIMBS { 3 } else { 2 }
}

/// The backend on rows.
fn backend(curve: &Curve, options: Options) -> Option<Arc<dyn Backend>> {
    let choice = ChosenPairing::new(curve, options).ok()?;
    let programs = Programs::new(curve, &choice).ok()?;
    let engine = (Engine::Rows, machines::of_engine(Engine::Rows));
    Some(Arc::new(RecordedBackend::new(curve, &choice, engine, programs).ok()?))
}
