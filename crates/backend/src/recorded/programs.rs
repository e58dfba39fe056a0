//! The programs of a curve, recorded when they are first asked for, and ready on a machine.

use super::job::{Job, OfAsymmetric, OfSupersingular, Recordable};
use crate::build::{quadratic, sextic, unit};
use crate::error::SystemError;
use crate::family::{Choice, Known};
use bilinear_pairing::asymmetric::Pairing;
use bilinear_pairing::sextic::Parameters;
use bilinear_pairing::supersingular::Supersingular;
use bilinear_pairing::{quadratic as quadratic_twist, unit as unit_degree};
use bilinear_params::{Curve, Tower};
use bilinear_program::{Batch, Loaded, Machine, Program, Recorder};
use num_bigint::BigUint;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The programs of one pairing of a curve. They serve every machine.
pub struct Programs {
    family: Box<dyn Recordable>,
    known: Mutex<HashMap<Job, Arc<Program>>>,
}

impl Programs {
    /// Those of a choice among the pairings of a curve: none is recorded yet.
    ///
    /// # Errors
    /// If the description of the curve is not complete.
    pub fn new(curve: &Curve, choice: &Choice<'_>) -> Result<Arc<Self>, SystemError> {
        let recorder = |q: &BigUint| {
            Recorder::new(q).map_err(|e| SystemError::Engine { curve: curve.name().to_owned(), reason: e.into() })
        };
        let pairing: Pairing = choice.pairing.into();
        let family: Box<dyn Recordable> = match choice.family {
            Known::Symmetric(s) => {
                let recorder = recorder(s.q())?;
                let system = Supersingular::new(recorder.clone(), s.order(), s.cofactor());
                Box::new(OfSupersingular::new(recorder, system))
            }
            Known::Sextic(s) => {
                let visit = Record { recorder: recorder(s.p())?, pairing, power: choice.power.into() };
                sextic::with_tower_of(curve, s, |_| true, visit)?
            }
            Known::QuadraticTwist(s) => {
                let recorder = recorder(s.q())?;
                if s.k() == 6 {
                    let system = quadratic_twist::system(&quadratic::parameters::<3>(s), recorder.clone());
                    Box::new(OfAsymmetric::new(recorder, system, pairing))
                } else {
                    let system = quadratic_twist::system(&quadratic::parameters::<5>(s), recorder.clone());
                    Box::new(OfAsymmetric::new(recorder, system, pairing))
                }
            }
            Known::Unit(s) => {
                let recorder = recorder(s.q())?;
                let system = unit_degree::system(&unit::parameters(s), recorder.clone());
                Box::new(OfAsymmetric::new(recorder, system, pairing))
            }
        };
        Ok(Arc::new(Programs { family, known: Mutex::default() }))
    }

    /// The program of a computation.
    pub fn program(&self, job: Job) -> Arc<Program> {
        // lines are of a length that preparing tells
        if let Job::MillerPrepared { .. } = job {
            self.program(Job::Prepare);
        }
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&job).cloned();
        known.unwrap_or_else(|| {
            let recorded = self.family.record(job);
            let program = Arc::new(recorded.unwrap_or_else(|e| panic!("{job:?} is recorded as a program that cannot run: {e}")));
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.entry(job).or_insert(program).clone()
        })
    }
}

/// The tower of a curve with a sextic twist, over the recorder.
struct Record {
    recorder: Recorder,
    pairing: Pairing,
    power: bilinear_pairing::sextic::Power,
}

impl sextic::Visit for Record {
    type Output = Box<dyn Recordable>;
    fn visit<S: sextic::Compiled>(self, shape: S, parameters: Parameters, _: &Tower) -> Box<dyn Recordable> {
        let system = bilinear_pairing::sextic::system(&shape, &parameters, self.recorder.clone()).with_power(self.power);
        Box::new(OfAsymmetric::new(self.recorder, system, self.pairing))
    }
}

/// Programs on a machine.
pub(crate) struct Ready {
    pub(crate) programs: Arc<Programs>,
    pub(crate) machine: Arc<dyn Machine>,
    loaded: Mutex<HashMap<Job, (Arc<Program>, Arc<dyn Loaded>)>>,
}

impl Ready {
    pub(crate) fn new(programs: Arc<Programs>, machine: Arc<dyn Machine>) -> Self {
        Ready { programs, machine, loaded: Mutex::default() }
    }

    /// The program of a computation on the machine.
    fn load(&self, job: Job) -> (Arc<Program>, Arc<dyn Loaded>) {
        let known = self.loaded.lock().unwrap_or_else(PoisonError::into_inner).get(&job).cloned();
        known.unwrap_or_else(|| {
            let program = self.programs.program(job);
            let loaded = self.machine.load(&program);
            let mut known = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
            known.entry(job).or_insert((program, loaded)).clone()
        })
    }

    /// Runs a computation on so many vectors; `fill` sets the inputs.
    pub(crate) fn run(&self, job: Job, vectors: usize, fill: impl FnOnce(&mut Batch)) -> Batch {
        let (program, loaded) = self.load(job);
        let mut batch = Batch::new(&program, &*self.machine, vectors);
        fill(&mut batch);
        loaded.run(&mut batch);
        batch
    }

    /// How many vectors of a computation run together best.
    pub(crate) fn together(&self, job: Job) -> usize {
        self.load(job).1.together()
    }
}
