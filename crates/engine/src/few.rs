//! Few values at a time: the engine `rows` computes them one or two at a time in the eight lanes of vectors, sooner than `mont` one after the
//! other or `ifma` in a vector that is mostly empty.
//!
//! Which calls are few follows from times in `bench/record`. A further pair of a product takes rows 0.55 to 0.65 of what a pairing's Miller
//! loop takes, while lanes take as long for one as for eight: so Miller values of varying points are few where pairs and products together are no
//! more than twice the pairings that are. Each prepared argument is a slot of its own in lanes too: there products are counted alone.
//!
//! Programs are scheduled when they are first used, which takes 0.05 to 1 s, about as long as 1000 such calls on `mont`. So that is done after
//! as many, for calls of each form apart, by a thread of its own, while calls go on without it: never is more than twice the time spent of
//! whoever knows beforehand what will come.

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

/// Values in calls of one form, after which its programs are scheduled.
const ASKED: usize = 1000;
/// The most bits of a field whose rows take six limbs.
const SIX_LIMBS: u64 = 298;
/// The most pairs of a product with prepared arguments: programs grow with it.
const MOST_LINES: usize = 8;

/// The form of a call, on which depends what programs it runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Call {
    /// Miller values of products of so many pairs of varying points, the least first.
    Pairs(Vec<usize>),
    /// The same with prepared arguments.
    Lines(Vec<usize>),
    /// So many final exponentiations.
    Finish(usize),
}

impl Call {
    fn values(&self) -> usize {
        match self {
            Call::Pairs(sizes) | Call::Lines(sizes) => sizes.len(),
            Call::Finish(count) => *count,
        }
    }

    /// Whether a backend computes its products at once: the more pairs one has, the more rows its program needs.
    fn is_whole_on(&self, backend: &dyn Backend) -> bool {
        match self {
            Call::Pairs(sizes) => sizes.iter().all(|pairs| backend.can_multiply(false, *pairs)),
            Call::Lines(sizes) => sizes.iter().all(|pairs| backend.can_multiply(true, *pairs)),
            Call::Finish(_) => true,
        }
    }

    /// Makes it once, so that all its programs are there.
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
                backend.finish(&vec![&*vec![0; backend.gt_len()]; *count]);
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
    /// How many pairings it computes in a call at most.
    most: usize,
    backend: Later<Arc<dyn Backend>>,
    wanted: Mutex<HashMap<Call, Arc<Wanted>>>,
    calls: AtomicUsize,
}

impl Few {
    /// Where no engine of the processor was asked for, and it has rows for the curve.
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

    /// How many pairings it computes in a call at most.
    pub(crate) fn most(&self) -> usize {
        self.most
    }

    /// The most pairs and products of varying points together.
    pub(crate) fn most_of_pairs(&self) -> usize {
        2 * self.most
    }

    /// The call for Miller values of products of so many pairs, if these are few; no product may be empty.
    fn pairs(&self, sizes: impl Iterator<Item = usize>) -> Option<Call> {
        let mut sizes: Vec<usize> = sizes.take(self.most_of_pairs()).collect_vec();
        sizes.sort_unstable();
        let weight = sizes.iter().fold(sizes.len(), |sum, size| sum.saturating_add(*size));
        let is_few = sizes.first().is_some_and(|least| *least > 0) && weight <= self.most_of_pairs();
        is_few.then_some(Call::Pairs(sizes))
    }

    /// The same with prepared arguments.
    fn lines(&self, sizes: impl Iterator<Item = usize>) -> Option<Call> {
        let mut sizes: Vec<usize> = sizes.take(self.most + 1).collect_vec();
        sizes.sort_unstable();
        let is_few = sizes.len() <= self.most && sizes.iter().all(|size| (1..=MOST_LINES).contains(size));
        (is_few && !sizes.is_empty()).then_some(Call::Lines(sizes))
    }

    /// The call for so many final exponentiations, if these are few.
    fn finish(&self, count: usize) -> Option<Call> {
        (1..=self.most).contains(&count).then_some(Call::Finish(count))
    }

    /// Counts a call for Miller values of products of so many pairs, and has it made ready if such come often; whether it is ready.
    pub(crate) fn asks_for_pairs(&self, sizes: impl Iterator<Item = usize>) -> bool {
        self.pairs(sizes).is_some_and(|call| self.asks(call))
    }

    /// The backend for Miller values of products of so many pairs, if these are few and it is ready for them. Nothing is counted.
    pub(crate) fn for_pairs(&self, sizes: impl Iterator<Item = usize>) -> Option<Arc<dyn Backend>> {
        self.take(&self.pairs(sizes)?)
    }

    /// The first with prepared arguments.
    pub(crate) fn asks_for_lines(&self, sizes: impl Iterator<Item = usize>) -> bool {
        self.lines(sizes).is_some_and(|call| self.asks(call))
    }

    /// The second with prepared arguments.
    pub(crate) fn for_lines(&self, sizes: impl Iterator<Item = usize>) -> Option<Arc<dyn Backend>> {
        self.take(&self.lines(sizes)?)
    }

    /// The second for so many final exponentiations; the call is counted.
    pub(crate) fn for_finish(&self, count: usize) -> Option<Arc<dyn Backend>> {
        let call = self.finish(count)?;
        self.asks(call.clone()).then(|| self.take(&call)).flatten()
    }

    /// Whether it is ready for so many pairings in a call.
    pub(crate) fn is_ready_for(&self, pairings: usize) -> bool {
        self.is_ready_for_pairs(repeat_n(1, pairings)) && self.finish(pairings).is_some_and(|call| self.is_ready(&call))
    }

    /// Whether it is ready for Miller values of products of so many pairs.
    pub(crate) fn is_ready_for_pairs(&self, sizes: impl Iterator<Item = usize>) -> bool {
        self.pairs(sizes).is_some_and(|call| self.is_ready(&call))
    }

    /// The same with prepared arguments.
    pub(crate) fn is_ready_for_lines(&self, sizes: impl Iterator<Item = usize>) -> bool {
        self.lines(sizes).is_some_and(|call| self.is_ready(&call))
    }

    /// Makes it ready now for so many pairings in a call; `None` where they are too many, or ranges cannot be proved.
    pub(crate) fn wait_for(&self, pairings: usize) -> Option<Arc<dyn Backend>> {
        self.wait(self.pairs(repeat_n(1, pairings)))?;
        self.wait(self.finish(pairings))
    }

    /// Makes it ready now for products of so many pairs in a call, where they are few.
    pub(crate) fn wait_for_products(&self, sizes: &[usize]) {
        self.wait(self.pairs(sizes.iter().copied()));
        self.wait(self.finish(sizes.len()));
    }

    /// The same with prepared arguments.
    pub(crate) fn wait_for_products_with(&self, sizes: &[usize]) {
        self.wait(self.lines(sizes.iter().copied()));
        self.wait(self.finish(sizes.len()));
    }

    /// Whether it is ready for one pairing with a prepared argument; has it made ready.
    pub(crate) fn starts_for_prepared(&self) -> bool {
        let wanted = [Call::Lines(vec![1]), Call::Finish(1)].map(|call| self.wanted(call));
        wanted.iter().for_each(|wanted| wanted.backend.start());
        wanted.iter().all(|wanted| wanted.backend.get().is_some())
    }

    /// How many calls it computed.
    pub(crate) fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    fn wait(&self, call: Option<Call>) -> Option<Arc<dyn Backend>> {
        self.wanted(call?).backend.wait().cloned()
    }

    fn asks(&self, call: Call) -> bool {
        let values = call.values();
        let wanted = self.wanted(call);
        if wanted.asked.fetch_add(values, Ordering::Relaxed) >= ASKED {
            wanted.backend.start();
        }
        wanted.backend.get().is_some()
    }

    fn take(&self, call: &Call) -> Option<Arc<dyn Backend>> {
        let backend = self.known(call)?.backend.get().cloned()?;
        self.calls.fetch_add(1, Ordering::Relaxed);
        Some(backend)
    }

    fn is_ready(&self, call: &Call) -> bool {
        self.known(call).is_some_and(|wanted| wanted.backend.get().is_some())
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

/// Up to how many pairings rows take less time than a vector in lanes: measured on 13 shipped curves (`bench/record`).
/// Lanes take as long for one pairing as for eight, and more the more limbs there are; rows take them side by side.
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
