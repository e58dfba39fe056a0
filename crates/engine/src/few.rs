//! Few pairings at a time: the engine `rows` computes them one or two at a time in the eight lanes of vectors, sooner than `mont` one after the
//! other or `ifma` in a vector that is mostly empty.
//!
//! Its programs are scheduled when they are first used, which takes 0.1 to 1 s, about as long as 1000 pairings on `mont` (`bench/record`). So
//! that is done after as many, by a thread of its own, while calls go on without it: never is more than twice the time spent of
//! whoever knows beforehand how many pairings will come.

use crate::backend::{Backend, ChosenPairing, Group, Options, Programs, RecordedBackend, machines};
use crate::later::Later;
use bilinear_field::Engine;
use bilinear_params::Curve;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Pairings in calls of few, after which programs are scheduled.
const ASKED: usize = 1000;
/// The most bits of a field whose rows take six limbs.
const SIX_LIMBS: u64 = 298;

/// The engine for few pairings.
pub(crate) struct Few {
    /// How many it computes in a call at most.
    most: usize,
    asked: AtomicUsize,
    backend: Later<Arc<dyn Backend>>,
}

impl Few {
    /// Where no engine was asked for, and the processor has rows for the curve.
    pub(crate) fn new(curve: &Curve, options: Options) -> Option<Few> {
        let field = curve.family().field();
        if options.engine.is_some() || !Engine::Rows.suits(field) {
            return None;
        }
        let (curve, bits) = (curve.clone(), field.bits());
        let options = Options { engine: Some(Engine::Rows), ..options };
        Some(Few { most: most(bits), asked: AtomicUsize::new(0), backend: Later::new(move || ready(&curve, options)) })
    }

    /// How many pairings it computes in a call at most.
    pub(crate) fn most(&self) -> usize {
        self.most
    }

    /// The backend for so many pairings, if it is for them and ready.
    pub(crate) fn backend_for(&self, pairings: usize) -> Option<&Arc<dyn Backend>> {
        if pairings > self.most {
            return None;
        }
        if self.asked.fetch_add(pairings, Ordering::Relaxed) >= ASKED {
            self.backend.start();
        }
        self.backend.get()
    }

    /// Whether programs are ready.
    pub(crate) fn is_ready(&self) -> bool {
        self.backend.get().is_some()
    }

    /// The backend, which is made ready now unless it is; `None` where its ranges cannot be proved.
    pub(crate) fn wait(&self) -> Option<&Arc<dyn Backend>> {
        self.backend.wait()
    }
}

/// Up to how many pairings rows take less time than a vector in lanes: measured on 13 shipped curves (`bench/record`).
/// Lanes take as long for one pairing as for eight, and more the more limbs there are; rows take them side by side.
fn most(bits: u64) -> usize {
    if bits > SIX_LIMBS { 3 } else { 2 }
}

/// The backend on rows, with the programs of a pairing scheduled.
fn ready(curve: &Curve, options: Options) -> Option<Arc<dyn Backend>> {
    let choice = ChosenPairing::new(curve, options).ok()?;
    let programs = Programs::new(curve, &choice).ok()?;
    let engine = (Engine::Rows, machines::of_engine(Engine::Rows));
    let backend = RecordedBackend::new(curve, &choice, engine, programs).ok()?;
    // any residues will do
    let [p, q] = [Group::G1, Group::G2].map(|group| vec![0; backend.point_len(group)]);
    for pairings in [1, 2] {
        let values = backend.miller(&vec![vec![[Some(&*p), Some(&*q)]]; pairings]);
        backend.finish(&values.iter().map(|value| &**value).collect::<Vec<_>>());
    }
    Some(Arc::new(backend))
}
