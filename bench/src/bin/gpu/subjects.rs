//! The curves, and the jobs that are computed on each.

use crate::{Args, Checks, Failure, Part};
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
/// The curves of the long check.
const LONG: [&str; 2] = ["a-512", "bls12-381"];

/// The name of a computation, and the result of each row.
pub(crate) type Values = (String, Vec<Result<Gt, RowError>>);

/// A curve, with points on it.
pub(crate) struct Subject {
    pub(crate) name: String,
    pub(crate) options: Options,
    /// The jobs that are timed.
    pub(crate) jobs: Vec<Job>,
    pub(crate) host: System,
    pub(crate) inputs: Inputs,
    /// The values that the processor computed in a check.
    pub(crate) wanted: OnceCell<Vec<Values>>,
}

impl Subject {
    /// Creates the subject of a curve, which is timed if it is one of the figures.
    pub(crate) fn new(name: &str, random: &mut Random) -> Result<Subject, Failure> {
        let figure = FIGURES.into_iter().find(|(own, _)| *own == name);
        let nine = NINE.into_iter().filter(|_| name == PAPERS);
        let jobs = figure.iter().map(|_| SINGLE).chain(nine).collect();
        let options = Options { power: figure.map_or(Power::Exact, |(_, power)| power), ..Options::default() };
        let host = System::with(&Curve::named(name)?, options)?;
        let inputs = Inputs::new(&host, random);
        Ok(Subject { name: name.to_owned(), options, jobs, host, inputs, wanted: OnceCell::new() })
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

/// Returns the parts of the work in their order, each with its curve.
pub(crate) fn plan(args: &Args) -> Vec<(Part, &'static str)> {
    let is_taken = |name: &&str| args.curve.is_empty() || args.curve.iter().any(|own| own == name);
    let figures: Vec<&str> = FIGURES.into_iter().map(|(name, _)| name).filter(is_taken).collect();
    let timed = [Part::Card, Part::Processor, Part::Others];
    let timed = timed.into_iter().flat_map(|part| figures.iter().map(move |name| (part, *name)));
    let mut plan: Vec<_> = [(Part::Ceilings, PAPERS)].into_iter().chain(timed).collect();
    if args.check == Checks::All {
        let others = Curve::names().filter(is_taken).filter(|name| !figures.contains(name));
        plan.extend(others.map(|name| (Part::Check, name)));
        plan.extend(LONG.into_iter().filter(is_taken).map(|name| (Part::Long, name)));
    }
    plan
}
