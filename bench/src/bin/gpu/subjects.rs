//! The curves, and the jobs that are computed on each.

use crate::{Failure, Run};
use bilinear_bench::gpu::Job;
use bilinear_bench::{Inputs, Random};
use bilinear_engine::{Curve, Gt, Options, Power, RowError, System};
use std::cell::OnceCell;

/// The curve of the paper's size.
pub(crate) const PAPERS: &str = "a1-2x512";
/// Single pairings.
pub(crate) const SINGLE: Job = Job { product: 1, fixed: false };
/// Products of 9 pairs, without and with a prepared key.
const NINE: [Job; 2] = [Job { product: 9, fixed: false }, Job { product: 9, fixed: true }];
/// The curves of the figures, with the power of their pairings. The last takes the most time.
const FIGURES: [(&str, Power); 6] = [
    (PAPERS, Power::Exact),
    ("a-512", Power::Exact),
    ("d-179", Power::Exact),
    ("bls12-381", Power::Fast),
    ("alt-bn128", Power::Fast),
    ("a1-2x1024", Power::Exact),
];

/// The name of a computation, and the result of each row.
pub(crate) type Values = (String, Vec<Result<Gt, RowError>>);

/// A curve, with points on it.
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    pub(crate) options: Options,
    /// The jobs that are timed.
    pub(crate) jobs: Vec<Job>,
    pub(crate) host: System,
    pub(crate) inputs: Inputs,
    /// The values that the processor computed in a check.
    pub(crate) wanted: OnceCell<Vec<Values>>,
}

impl Subject {
    pub(crate) fn new(
        name: &'static str,
        power: Power,
        jobs: Vec<Job>,
        random: &mut Random,
    ) -> Result<Subject, Failure> {
        let options = Options { power, ..Options::default() };
        let host = System::with(&Curve::named(name)?, options)?;
        let inputs = Inputs::new(&host, random);
        Ok(Subject { name, options, jobs, host, inputs, wanted: OnceCell::new() })
    }

    /// Returns a title that names the curve, the job and the power.
    pub(crate) fn title(&self, job: Job) -> String {
        format!("{}, {}, {} power", self.name, job.name(), self.options.power)
    }

    /// Returns true if jobs of the curve are timed.
    pub(crate) fn is_of_figures(&self) -> bool {
        !self.jobs.is_empty()
    }
}

impl Run<'_> {
    /// Creates the subjects that are timed.
    pub(crate) fn of_figures(&self, random: &mut Random) -> Result<Vec<Subject>, Failure> {
        let jobs = |name| [SINGLE].into_iter().chain(NINE.into_iter().filter(|_| name == PAPERS)).collect();
        let taken = FIGURES.into_iter().filter(|(name, _)| self.takes(name));
        taken.map(|(name, power)| Subject::new(name, power, jobs(name), random)).collect()
    }

    /// Returns the curves that are only checked.
    pub(crate) fn others(&self) -> Vec<&'static str> {
        let is_other = |name: &&str| self.takes(name) && FIGURES.iter().all(|(figure, _)| figure != name);
        Curve::names().filter(is_other).collect()
    }
}
