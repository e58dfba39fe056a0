//! The programs of a curve, recorded when they are first asked for, and ready on a machine.

use super::buckets::{BLOCK, BLOCKS};
use super::cache::Cache;
use super::digits::{advances, gt_advances};
use super::family::RecordedFamily;
use super::job::{Job, PointJob, Recordable};
use crate::backend::build;
use crate::backend::error::SystemError;
use crate::backend::family::{ChosenPairing, KnownFamily};
use crate::backend::group::Group;
use crate::backend::machines::Maker;
use bilinear_field::CollectVec;
use bilinear_field::bounds::Report;
use bilinear_field::count::Tally;
use bilinear_field::{Engine, EngineError, Margin};
use bilinear_pairing::supersingular::SupersingularPairing;
use bilinear_pairing::{degree_one, quadratic_twist, sextic};
use bilinear_params::Curve;
use bilinear_program::{Batch, Calls, Loaded, Machine, Program, Recorder, Store};
use num_bigint::BigUint;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The programs of one pairing of a curve. They serve every machine.
pub(crate) struct Programs {
    family: Box<dyn Recordable>,
    known: Cache<Arc<Program>>,
    /// Held by the thread that runs the family's code: all of it writes to one tape.
    recording: Mutex<()>,
}

impl Programs {
    /// Those of a choice among the pairings of a curve: none is recorded yet.
    ///
    /// # Errors
    /// If the description of the curve is not complete.
    pub(crate) fn new(curve: &Curve, choice: &ChosenPairing<'_>) -> Result<Arc<Self>, SystemError> {
        let recorder = |q: &BigUint| {
            Recorder::new(q).map_err(|e| SystemError::Engine { curve: curve.name().to_owned(), reason: e.into() })
        };
        let pairing = choice.pairing;
        let family: Box<dyn Recordable> = match choice.family {
            KnownFamily::Supersingular(s) => {
                let recorder = recorder(s.q())?;
                let system = SupersingularPairing::new(recorder.clone(), s.order(), s.cofactor());
                Box::new(RecordedFamily::new(recorder, system, pairing, build::supersingular::groups(s)))
            }
            KnownFamily::Sextic(s) => {
                let recorder = recorder(s.p())?;
                let (tower, parameters, groups) = build::sextic::parameters(curve, s)?;
                let system = sextic::system_at(&tower, &parameters, choice.prices, recorder.clone());
                Box::new(RecordedFamily::new(recorder, system.with_power(choice.power), pairing, groups))
            }
            KnownFamily::QuadraticTwist(s) => {
                let recorder = recorder(s.q())?;
                let groups = build::quadratic_twist::groups(s);
                let system = quadratic_twist::system(&s.into(), recorder.clone());
                Box::new(RecordedFamily::new(recorder, system, pairing, groups))
            }
            KnownFamily::DegreeOne(s) => {
                let recorder = recorder(s.q())?;
                let system = degree_one::system(&s.into(), recorder.clone());
                Box::new(RecordedFamily::new(recorder, system, pairing, build::degree_one::groups(s)))
            }
        };
        Ok(Arc::new(Programs { family, known: Cache::default(), recording: Mutex::default() }))
    }

    /// The family over the recorder.
    pub(crate) fn family(&self) -> &dyn Recordable {
        &*self.family
    }

    /// A generator of a group.
    pub(crate) fn generator(&self, group: Group) -> Vec<BigUint> {
        let _alone = self.recording.lock().unwrap_or_else(PoisonError::into_inner);
        self.family.generator(group)
    }

    /// What a computation takes; its program is not kept.
    pub(crate) fn cost(&self, job: Job) -> Tally {
        if job.reads_lines() {
            self.program(Job::Prepare);
        }
        let _alone = self.recording.lock().unwrap_or_else(PoisonError::into_inner);
        let recorded = self.family.record(job);
        recorded.unwrap_or_else(|e| panic!("{job:?} is recorded as a program that cannot run: {e}")).operations()
    }

    /// The program of a computation.
    pub(crate) fn program(&self, job: Job) -> Arc<Program> {
        // lines are of a length that preparing tells
        if job.reads_lines() {
            self.program(Job::Prepare);
        }
        self.known.get(job).unwrap_or_else(|| {
            let _alone = self.recording.lock().unwrap_or_else(PoisonError::into_inner);
            // another thread may have recorded it meanwhile
            self.known.get(job).unwrap_or_else(|| {
                let recorded = self.family.record(job);
                let program =
                    recorded.unwrap_or_else(|e| panic!("{job:?} is recorded as a program that cannot run: {e}"));
                self.known.keep(job, Arc::new(program))
            })
        })
    }
}

/// How the machines of an engine are made, the fastest first: those in lanes and of rows carry every form, or leave
/// more bits between the modulus and its limbs, which takes rows a limb more; those of residues have more moduli, or reduce every sum of
/// elements; those of words have more words.
fn margins(engine: Engine, choice: &ChosenPairing<'_>) -> Vec<Margin> {
    // programs over no more than F_q² get along with fewer bits than those over other towers
    let least = if let KnownFamily::Supersingular(_) = choice.family { 4 } else { 6 };
    let margin = |more: u64| Margin { spare: least + more, ..Margin::default() };
    let both = |more: &[u64]| {
        more.iter().flat_map(|more| [false, true].map(|carries| Margin { carries, ..margin(*more) })).collect_vec()
    };
    match engine {
        Engine::Ifma => both(&[0, 2, 4, 8, 14, 48]),
        Engine::Rows => both(&[0, 48]),
        Engine::Rns => {
            let lazy = [0, 32].into_iter().map(|more| Margin { lazy_sums: true, ..margin(more) });
            lazy.chain([32, 64].into_iter().map(margin)).collect_vec()
        }
        Engine::Mont | Engine::Portable => vec![margin(0), Margin { more_words: true, ..margin(0) }],
        _ => vec![margin(0)],
    }
}

/// The machines of an engine for a modulus, each made when it is first asked for.
pub(crate) struct Machines {
    make: Maker,
    q: BigUint,
    candidates: Vec<Candidate>,
}

/// A machine that may be made.
struct Candidate {
    margin: Margin,
    /// Or why the engine has none with this margin.
    machine: OnceLock<Result<Arc<dyn Machine>, EngineError>>,
}

/// A program as it suits a machine that keeps its ranges.
#[derive(Clone)]
pub(crate) struct Suited {
    /// The number of the machine.
    pub(crate) number: usize,
    program: Arc<Program>,
}

/// What the proof of a program found.
pub(crate) struct Proved {
    /// `None` where no machine keeps its ranges.
    pub(crate) suited: Option<Suited>,
    /// `None` where values are exact.
    pub(crate) report: Option<Report>,
}

impl Proved {
    /// The program, or what leaves its range.
    fn suited(self) -> Result<Suited, String> {
        let violation = || self.report.and_then(|report| report.violations.into_iter().next()).unwrap_or_default();
        self.suited.ok_or_else(violation)
    }
}

impl Machines {
    /// Those for a choice among the pairings of a curve.
    ///
    /// # Errors
    /// If the engine does not compute with the curve.
    pub(crate) fn new(
        curve: &Curve,
        choice: &ChosenPairing<'_>,
        (engine, make): (Engine, Maker),
    ) -> Result<Self, SystemError> {
        let q = curve.family().field().clone();
        let margins = margins(engine, choice);
        let first =
            make(&q, margins[0]).map_err(|reason| SystemError::Engine { curve: curve.name().to_owned(), reason })?;
        let machines = Machines {
            make,
            q,
            candidates: margins.into_iter().map(|margin| Candidate { margin, machine: OnceLock::new() }).collect_vec(),
        };
        machines.candidates[0].machine.get_or_init(|| Ok(first));
        Ok(machines)
    }

    /// The machine of this number, if there is one.
    fn get(&self, number: usize) -> Option<&Arc<dyn Machine>> {
        let Candidate { margin, machine: made } = self.candidates.get(number)?;
        made.get_or_init(|| (self.make)(&self.q, *margin)).as_ref().ok()
    }

    /// Why there is none with more spare bits, if that is so.
    fn none_beyond(&self) -> Option<&EngineError> {
        self.candidates.iter().filter_map(|candidate| candidate.machine.get()).find_map(|made| made.as_ref().err())
    }

    /// The first machine.
    fn first(&self) -> &Arc<dyn Machine> {
        self.get(0).unwrap_or_else(|| unreachable!("the first was made with the rest"))
    }

    /// How the machine of this number is made.
    pub(crate) fn margin(&self, number: usize) -> Margin {
        self.candidates[number].margin
    }

    /// A program on the machine of this number; `None` where there is none.
    fn proved_on(&self, number: usize, program: &Arc<Program>) -> Option<Proved> {
        let machine = self.get(number)?;
        let program = machine.suited(program);
        if let Some((program, report)) = machine.near(&program) {
            return Some(Proved { suited: Some(Suited { number, program }), report: Some(report) });
        }
        let report = machine.prove(&program);
        let keeps = report.as_ref().is_none_or(|report| report.violations.is_empty());
        Some(Proved { suited: keeps.then_some(Suited { number, program }), report })
    }

    /// A program on the first machine on which no value leaves its range, or what the last one's proof found.
    pub(crate) fn proved(&self, program: &Arc<Program>) -> Proved {
        let mut last = Proved { suited: None, report: None };
        for proved in (0..self.candidates.len()).filter_map(|number| self.proved_on(number, program)) {
            last = proved;
            if last.suited.is_some() {
                break;
            }
        }
        last
    }
}

/// What a sum of multiples runs, by which one machine is chosen for all of it.
pub(super) fn stored(group: Group) -> Vec<Job> {
    use PointJob::{Add, AddAny, Affine, OddMultiples, PowersOfTwo, Show, Summand};
    let of_group = [
        Summand { images: false },
        Summand { images: true },
        Add,
        AddAny,
        PowersOfTwo { count: BLOCK, step: 1 },
        PowersOfTwo { count: BLOCKS, step: BLOCK },
        Show,
        OddMultiples { count: 4, images: false, alone: false },
        OddMultiples { count: 4, images: true, alone: false },
        OddMultiples { count: 4, images: true, alone: true },
        Affine,
    ];
    of_group.map(|job| Job::Points(group, job)).into_iter().chain(advances(group)).collect_vec()
}

/// The same of what a power runs.
pub(super) fn stored_of_gt() -> Vec<Job> {
    [Job::GtOddPowers { count: 4 }, Job::GtShow].into_iter().chain(gt_advances()).collect_vec()
}

/// A program that a machine is ready to run.
#[derive(Clone)]
pub(super) struct Runnable {
    program: Arc<Program>,
    loaded: Arc<dyn Loaded>,
    /// Whether its masks are digits of a secret.
    is_secret: bool,
    /// How many vectors run together best.
    pub(super) together: usize,
}

impl Runnable {
    /// The program for many calls on one value, where the machine has that.
    pub(super) fn calls(&self) -> Option<Box<dyn Calls + '_>> {
        self.loaded.calls()
    }
}

/// Programs on the machines of an engine.
pub(crate) struct Ready {
    pub(crate) programs: Arc<Programs>,
    machines: Machines,
    /// Programs on the first machine that keeps their ranges, or what leaves them.
    proved: Cache<Result<Suited, String>>,
    /// Programs, or what keeps them from being run.
    loaded: Cache<Result<Runnable, String>>,
    /// The numbers of the machines that prepare arguments, or keep tables or points of a group or elements of GT, and read them: what they keep is in their
    /// own form.
    keeping: [OnceLock<Result<usize, String>>; 6],
}

impl Ready {
    /// The programs on an engine.
    ///
    /// # Errors
    /// If the engine does not compute with the curve, or values of its pairing leave their range on every machine.
    pub(crate) fn new(
        curve: &Curve,
        choice: &ChosenPairing<'_>,
        (engine, make): (Engine, Maker),
        programs: Arc<Programs>,
    ) -> Result<Self, SystemError> {
        let ready = Ready {
            programs,
            machines: Machines::new(curve, choice, (engine, make))?,
            proved: Cache::default(),
            loaded: Cache::default(),
            keeping: Default::default(),
        };
        // what every user of the curve needs is proved before there is a system
        for job in [Job::Miller { pairs: 1, masked: true, affine: false }, Job::Finish] {
            ready.proved(job).map_err(|reason| SystemError::Ranges {
                curve: curve.name().to_owned(),
                engine,
                reason,
            })?;
        }
        Ok(ready)
    }

    /// The machine of the engine.
    pub(crate) fn machine(&self) -> &dyn Machine {
        &**self.machines.first()
    }

    /// What the proof of a computation's ranges found; `None` where values are exact.
    pub(crate) fn report(&self, job: Job) -> Option<Report> {
        self.machines.proved(&self.programs.program(job)).report
    }

    /// A program on the first machine on which none of its values leaves its range.
    ///
    /// # Errors
    /// If there is none: what leaves its range.
    fn proved(&self, job: Job) -> Result<Suited, String> {
        self.proved.get(job).unwrap_or_else(|| {
            let proved = self.machines.proved(&self.programs.program(job)).suited();
            let reason = |violation| match self.machines.none_beyond() {
                Some(reason) => format!("{violation}; with more spare bits: {reason}"),
                None => violation,
            };
            self.proved.keep(job, proved.map_err(reason))
        })
    }

    /// A program on the machine for it.
    ///
    /// # Errors
    /// As above; if what reads prepared arguments or tables leaves its range on the machine that keeps them.
    fn suited(&self, job: Job) -> Result<Suited, String> {
        let (kept, all) = match (job, job.stores()) {
            (Job::Prepare | Job::MillerPrepared { .. } | Job::MillerPreparedPart { .. }, _) => {
                (0, vec![Job::Prepare, Job::MillerPrepared { pairs: 2, masked: true }])
            }
            (Job::Points(group, PointJob::Keep | PointJob::FixedSum { .. }), _) => (
                1 + usize::from(group == Group::G2),
                vec![Job::Points(group, PointJob::Keep), Job::Points(group, PointJob::FixedSum { digits: 3 })],
            ),
            (Job::GtOddPowers { .. } | Job::GtAdvance { .. } | Job::GtShow, _) => (5, stored_of_gt()),
            (_, Some(group)) => (3 + usize::from(group == Group::G2), stored(group)),
            _ => return self.proved(job),
        };
        let keeps = || all.into_iter().try_fold(0, |most, job| Ok(most.max(self.proved(job)?.number)));
        let number = self.keeping[kept].get_or_init(keeps).clone()?;
        let own = self.proved(job)?;
        if own.number == number {
            return Ok(own);
        }
        let proved = self.machines.proved_on(number, &self.programs.program(job));
        proved.unwrap_or_else(|| unreachable!("a machine that was proved")).suited()
    }

    /// Whether a machine keeps the ranges of a computation, and has places for all its values.
    pub(super) fn can_run(&self, job: Job) -> bool {
        self.loaded(job).is_ok()
    }

    /// A program on the machine that keeps its ranges.
    pub(super) fn load(&self, job: Job) -> Runnable {
        self.loaded(job).unwrap_or_else(|reason| panic!("{job:?} leaves the range of every machine: {reason}"))
    }

    /// The same.
    ///
    /// # Errors
    /// If no machine keeps them: what leaves its range.
    fn loaded(&self, job: Job) -> Result<Runnable, String> {
        self.loaded.get(job).unwrap_or_else(|| {
            let runnable = self.suited(job).map(|Suited { number, program }| {
                let machine = self.machines.get(number).unwrap_or_else(|| unreachable!("a machine that was proved"));
                let loaded = machine.load(&program);
                let together = match job {
                    Job::Points(_, PointJob::Add | PointJob::AddAny) => loaded.together_for_inversions(),
                    _ => loaded.together(),
                };
                Runnable { program, loaded, is_secret: job.is_secret(), together }
            });
            self.loaded.keep(job, runnable)
        })
    }

    /// Runs a computation on so many vectors; `fill` sets the inputs.
    pub(crate) fn run(&self, job: Job, vectors: usize, fill: impl FnOnce(&mut Batch)) -> Batch {
        self.run_loaded(&self.load(job), vectors, fill)
    }

    /// The same of a program that is ready.
    pub(super) fn run_loaded(&self, ready: &Runnable, vectors: usize, fill: impl FnOnce(&mut Batch)) -> Batch {
        let mut batch = Batch::new(&ready.program, self.machine(), vectors);
        if ready.is_secret {
            batch = batch.secret();
        }
        fill(&mut batch);
        ready.loaded.run(&mut batch);
        batch
    }

    /// Places for so many residues on the machine of a computation that keeps some.
    pub(crate) fn store(&self, job: Job, len: usize) -> Store {
        let number = self.suited(job).map_or(0, |suited| suited.number);
        self.machines.get(number).unwrap_or_else(|| unreachable!("a machine that was proved")).store(len)
    }

    /// Runs a computation that leaves points in a store, and takes its own from there if `reads`.
    pub(crate) fn run_on(
        &self,
        ready: &Runnable,
        vectors: usize,
        (store, reads): (Store, bool),
        fill: impl FnOnce(&mut Batch),
    ) -> Batch {
        let mut batch = Batch::on_store(&ready.program, self.machine(), vectors, store, reads);
        fill(&mut batch);
        ready.loaded.run(&mut batch);
        batch
    }
}
