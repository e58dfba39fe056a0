//! The programs of a curve, recorded when they are first needed, and loaded on a machine.

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
    /// Held by the thread that runs the family's code: all of that code writes to one tape.
    recording: Mutex<()>,
}

impl Programs {
    /// Creates the programs of a chosen pairing of a curve; none is recorded yet.
    ///
    /// # Errors
    /// Returns an error if the description of the curve is not complete.
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
                let system = sextic::system_at(&tower, &parameters, choice.cost_model, recorder.clone());
                Box::new(RecordedFamily::new(recorder, system.with_power(choice.power), pairing, groups))
            }
            KnownFamily::QuadraticTwist(s) => {
                let recorder = recorder(s.q())?;
                let groups = build::quadratic_twist::groups(s);
                let system = quadratic_twist::system(s, recorder.clone());
                Box::new(RecordedFamily::new(recorder, system, pairing, groups))
            }
            KnownFamily::DegreeOne(s) => {
                let recorder = recorder(s.q())?;
                let system = degree_one::system(s, recorder.clone());
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

    /// Counts the operations of a computation; its program is not kept.
    pub(crate) fn cost(&self, job: Job) -> Tally {
        if job.reads_lines() {
            self.program(Job::Prepare);
        }
        let _alone = self.recording.lock().unwrap_or_else(PoisonError::into_inner);
        let recorded = self.family.record(job);
        recorded.unwrap_or_else(|e| panic!("{job:?} is recorded as a program that cannot run: {e}")).operations()
    }

    /// Returns the program of a computation.
    pub(crate) fn program(&self, job: Job) -> Arc<Program> {
        // preparing an argument determines the length of lines
        if job.reads_lines() {
            self.program(Job::Prepare);
        }
        self.known.get(job).unwrap_or_else(|| {
            let _alone = self.recording.lock().unwrap_or_else(PoisonError::into_inner);
            // another thread may have recorded the program meanwhile
            self.known.get(job).unwrap_or_else(|| {
                let recorded = self.family.record(job);
                let program =
                    recorded.unwrap_or_else(|e| panic!("{job:?} is recorded as a program that cannot run: {e}"));
                self.known.keep(job, Arc::new(program))
            })
        })
    }
}

/// The margins of an engine's machines, the fastest first. Further machines in lanes and of rows carry every form, or
/// leave more bits between the modulus and its limbs, which costs rows one more limb. Further machines of residues
/// have more moduli, or reduce every sum of elements; further machines of words have more words.
fn margins(engine: Engine, choice: &ChosenPairing<'_>) -> Vec<Margin> {
    // programs over no more than F_q² need fewer bits than those over other towers
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

/// The machines of an engine for a modulus, each created when it is first needed.
pub(crate) struct Machines {
    make: Maker,
    q: BigUint,
    candidates: Vec<Candidate>,
}

/// A machine that can be created.
struct Candidate {
    margin: Margin,
    /// The machine, or the reason why the engine has none with this margin.
    machine: OnceLock<Result<Arc<dyn Machine>, EngineError>>,
}

/// A program in the form that suits a machine which keeps its ranges.
#[derive(Clone)]
pub(crate) struct Suited {
    /// The index of the machine.
    pub(crate) number: usize,
    program: Arc<Program>,
}

/// The result of the proof of a program's ranges.
pub(crate) struct Proved {
    /// The program on its machine; `None` if no machine keeps its ranges.
    pub(crate) suited: Option<Suited>,
    /// The report of the proof; `None` where values are exact.
    pub(crate) report: Option<Report>,
}

impl Proved {
    /// Returns the program, or the value that leaves its range.
    fn suited(self) -> Result<Suited, String> {
        let violation = || self.report.and_then(|report| report.violations.into_iter().next()).unwrap_or_default();
        self.suited.ok_or_else(violation)
    }
}

impl Machines {
    /// Creates the machines for a chosen pairing of a curve.
    ///
    /// # Errors
    /// Returns an error if the engine does not compute with the curve.
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

    /// The machine with this index, if the engine has it.
    fn get(&self, number: usize) -> Option<&Arc<dyn Machine>> {
        let Candidate { margin, machine: made } = self.candidates.get(number)?;
        made.get_or_init(|| (self.make)(&self.q, *margin)).as_ref().ok()
    }

    /// The reason why there is no machine with more spare bits, if that was found.
    fn none_beyond(&self) -> Option<&EngineError> {
        self.candidates.iter().filter_map(|candidate| candidate.machine.get()).find_map(|made| made.as_ref().err())
    }

    /// The first machine.
    fn first(&self) -> &Arc<dyn Machine> {
        self.get(0).unwrap_or_else(|| unreachable!("the first was made with the rest"))
    }

    /// The margin of the machine with this index.
    pub(crate) fn margin(&self, number: usize) -> Margin {
        self.candidates[number].margin
    }

    /// Proves a program on the machine with this index; `None` if there is no such machine.
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

    /// Proves a program on the first machine on which every value stays in range; else returns the result of the last
    /// machine.
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

/// The jobs that a sum of multiples runs. One machine is chosen for all of them.
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

/// The jobs that a power runs. One machine is chosen for all of them.
pub(super) fn stored_of_gt() -> Vec<Job> {
    [Job::GtOddPowers { count: 4 }, Job::GtShow].into_iter().chain(gt_advances()).collect_vec()
}

/// A program that is loaded on a machine.
#[derive(Clone)]
pub(super) struct Runnable {
    program: Arc<Program>,
    loaded: Arc<dyn Loaded>,
    /// Whether the masks of the program are digits of a secret.
    is_secret: bool,
    /// The number of vectors that run together best.
    pub(super) together: usize,
}

impl Runnable {
    /// The program for many calls on one value; `None` if the machine does not support that.
    pub(super) fn calls(&self) -> Option<Box<dyn Calls + '_>> {
        self.loaded.calls()
    }
}

/// Programs on the machines of an engine.
pub(crate) struct Ready {
    pub(crate) programs: Arc<Programs>,
    machines: Machines,
    /// The programs on the first machine that keeps their ranges, or the value that leaves its range.
    proved: Cache<Result<Suited, String>>,
    /// The loaded programs, or the reason why they cannot run.
    loaded: Cache<Result<Runnable, String>>,
    /// The indices of the machines that share kept values: prepared arguments, and the tables, points of a group or
    /// elements of GT that programs keep and read. Such values are in a machine's own form.
    keeping: [OnceLock<Result<usize, String>>; 6],
}

impl Ready {
    /// Creates the programs on an engine.
    ///
    /// # Errors
    /// Returns an error if the engine does not compute with the curve, or if values of its pairing leave their range
    /// on every machine.
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
        // the computations that every user of the curve needs are proved before there is a system
        for job in [Job::MillerValue { pairs: 1, masked: true, affine: false }, Job::Finish] {
            ready.proved(job).map_err(|reason| SystemError::Ranges {
                curve: curve.name().to_owned(),
                engine,
                reason,
            })?;
        }
        Ok(ready)
    }

    /// The first machine of the engine.
    pub(crate) fn machine(&self) -> &dyn Machine {
        &**self.machines.first()
    }

    /// The report of the proof of a computation's ranges; `None` where values are exact.
    pub(crate) fn report(&self, job: Job) -> Option<Report> {
        self.machines.proved(&self.programs.program(job)).report
    }

    /// Returns the program on the first machine on which every value stays in range.
    ///
    /// # Errors
    /// Returns the value that leaves its range, if there is no such machine.
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

    /// Returns the program on the machine chosen for it.
    ///
    /// # Errors
    /// Returns an error as [`Ready::proved`] does, or if a program that reads prepared arguments or tables leaves its
    /// range on the machine that keeps them.
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

    /// Returns true if a machine keeps the ranges of a computation and has places for all its values.
    pub(super) fn can_run(&self, job: Job) -> bool {
        self.loaded(job).is_ok()
    }

    /// Returns the loaded program on the machine that keeps its ranges.
    pub(super) fn load(&self, job: Job) -> Runnable {
        self.loaded(job).unwrap_or_else(|reason| panic!("{job:?} leaves the range of every machine: {reason}"))
    }

    /// Like [`Ready::load`], but fallible.
    ///
    /// # Errors
    /// Returns the value that leaves its range, if no machine keeps the ranges.
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

    /// Runs a computation on `vectors` vectors; `fill` sets the inputs.
    pub(crate) fn run(&self, job: Job, vectors: usize, fill: impl FnOnce(&mut Batch)) -> Batch {
        self.run_loaded(&self.load(job), vectors, None, fill)
    }

    /// Runs a loaded program on `vectors` vectors; `fill` sets the inputs. A program may leave values in a store, and
    /// takes its inputs from the store if the truth value beside it says so.
    pub(super) fn run_loaded(
        &self,
        ready: &Runnable,
        vectors: usize,
        store: Option<(Store, bool)>,
        fill: impl FnOnce(&mut Batch),
    ) -> Batch {
        let mut batch = match store {
            Some((store, reads)) => Batch::on_store(&ready.program, self.machine(), vectors, store, reads),
            None => Batch::new(&ready.program, self.machine(), vectors),
        };
        if ready.is_secret {
            batch = batch.secret();
        }
        fill(&mut batch);
        ready.loaded.run(&mut batch);
        batch
    }

    /// Allocates a store for `len` residues on the machine of a computation that keeps values.
    pub(crate) fn store(&self, job: Job, len: usize) -> Store {
        let number = self.suited(job).map_or(0, |suited| suited.number);
        self.machines.get(number).unwrap_or_else(|| unreachable!("a machine that was proved")).store(len)
    }
}
