//! What all commands over tables have in common: a table in, an outcome for each row or group, a table out.

use super::Outcome;
use super::places::Places;
use super::reads::Reads;
use crate::choice::count;
use crate::console;
use crate::error::CommandError;
use crate::input::one_type::OneType;
use crate::input::open::Input;
use crate::input::{Fields, Format};
use crate::job::checkpoint::{Task, fingerprint};
use crate::job::expected::Expected;
use crate::job::gather::{Gather, Gathered};
use crate::job::groups::{Fold, Groups};
use crate::job::pace::Pace;
use crate::job::rows::Rows;
use crate::job::summary::{Compared, Summary, engines};
use crate::job::tally::Tally;
use crate::job::work::{EachRow, Work};
use crate::job::{self, Plan, Report};
use crate::output::{Form, Framing, Keys, Question, Shape};
use bilinear_engine::{Batch, System, ThreadsError};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Instant;

/// The table, and how it is gone through.
#[derive(Debug, clap::Args)]
pub(crate) struct Table {
    #[command(flatten)]
    places: Places,
    /// Threads; as many as there are processors by default
    #[arg(long, value_name = "N", value_parser = count)]
    threads: Option<NonZeroUsize>,
    /// Stop at the first row without a value
    #[arg(long)]
    strict: bool,
    /// Go on with an interrupted run of the same job
    #[arg(long)]
    resume: bool,
    /// Rows that are computed, and written, at a time; as many as take a second by default
    #[arg(long, value_name = "N", value_parser = count)]
    chunk: Option<NonZeroUsize>,
    /// No progress and no summary
    #[arg(long, short)]
    quiet: bool,
}

/// What records are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Rows.
    Row,
    /// Rows, and tokens that they are searched with.
    Tokens,
    /// Groups of adjacent rows: the fields name the column.
    Group,
    /// The whole table.
    Table,
}

/// Why a table that is checked needs rows, unless it is allowed to have none.
pub(crate) fn rows_to_check(allow_empty: bool) -> Option<&'static str> {
    (!allow_empty).then_some("what checks nothing shows nothing; --allow-empty lets it pass")
}

/// What is done with a table.
pub(crate) struct Job<'a> {
    /// The command.
    pub(crate) command: &'static str,
    /// The curve.
    pub(crate) system: &'a System,
    /// The columns that are read.
    pub(crate) fields: Fields,
    /// What records are about.
    pub(crate) unit: Unit,
    /// What is asked.
    pub(crate) question: Question,
    /// What becomes of the records.
    pub(crate) form: Form,
    /// The options that the output depends on beside the columns, by their names.
    pub(crate) options: Vec<(&'static str, Option<String>)>,
    /// What values are compared with.
    pub(crate) compared: Option<Compared>,
    /// What an operation is, in the plural.
    pub(crate) operation: &'static str,
    /// The pairing, where there is one.
    pub(crate) pairing: Option<String>,
    /// The size of the first chunks.
    pub(crate) pace: fn(&System, NonZeroUsize) -> Pace,
    /// Why a table without rows will not do; `None` where it will.
    pub(crate) needs_rows: Option<&'static str>,
    /// How many groups there must be.
    pub(crate) groups: Option<u64>,
    /// The files that are read beside the table.
    pub(crate) reads: Vec<Reads<'a>>,
}

impl<'a> Job<'a> {
    /// A job that is no pairing, and of which a table without rows is one that has been done.
    pub(crate) fn new(command: &'static str, system: &'a System, question: Question) -> Self {
        Self {
            command,
            system,
            fields: Fields::default(),
            unit: Unit::Row,
            question,
            form: Form::Answers,
            options: Vec::new(),
            compared: None,
            operation: "rows",
            pairing: None,
            pace: Pace::of,
            needs_rows: None,
            groups: None,
            reads: Vec::new(),
        }
    }

    /// Whether as much was in the table as there must be.
    fn is_complete(&self, input: &str, records: u64) -> Result<(), CommandError> {
        if let (0, Some(reason)) = (records, self.needs_rows) {
            return Err(CommandError::Usage(format!("{input}: no rows: {reason}")));
        }
        match self.groups {
            Some(groups) if groups != records => {
                Err(CommandError::Usage(format!("{input}: groups found: {records}; --expect-groups asks for {groups}")))
            }
            _ => Ok(()),
        }
    }

    /// What determines the output's bytes, given the file that is read and the formats.
    fn task(&self, path: &Path, formats: (Format, Format)) -> Result<Task, CommandError> {
        let (input_bytes, input_sha256) = fingerprint(path)?;
        let name = |(name, value): &(&str, Option<String>)| Some(((*name).to_owned(), value.clone()?));
        let mut options: BTreeMap<String, String> = self.options.iter().filter_map(name).collect();
        options.insert("in-format".to_owned(), formats.0.name().to_owned());
        options.insert("out-format".to_owned(), formats.1.name().to_owned());
        // the fingerprint leaves open in which order a value's coefficients are written
        let curve = self.system.curve();
        let curve = format!("{}, {:?}", curve.fingerprint(), curve.layout());
        let input = Input::new(path).name();
        Ok(Task { command: self.command.to_owned(), input, input_bytes, input_sha256, curve, options })
    }
}

/// Who computes, on threads of its own.
pub(crate) trait Threaded: Sized {
    /// How many threads it takes where nobody says.
    fn count(&self) -> usize;

    /// The same on so many.
    ///
    /// # Errors
    /// Beyond 1024, or if the operating system refuses them.
    fn on(self, threads: NonZeroUsize) -> Result<Self, ThreadsError>;
}

impl Threaded for Batch {
    fn count(&self) -> usize {
        self.thread_count()
    }

    fn on(self, threads: NonZeroUsize) -> Result<Self, ThreadsError> {
        self.threads(threads)
    }
}

/// What work begins with.
pub(crate) struct Start<T = Batch> {
    /// Who computes, on as many threads as were asked for.
    threaded: T,
    /// The input's name.
    file: String,
    /// What an earlier run has done.
    before: Tally,
}

impl<T> Start<T> {
    /// Computes something of each row.
    pub(crate) fn rows<E: EachRow + 'static>(
        self,
        expected: Option<Expected>,
        each: impl FnOnce(T) -> E,
    ) -> Box<dyn Work> {
        Box::new(Rows::new(each(self.threaded), self.file, expected, self.before))
    }

    /// Computes something of each group.
    pub(crate) fn groups<F: Fold + 'static>(
        self,
        expected: Option<Expected>,
        fold: impl FnOnce(T) -> F,
    ) -> Box<dyn Work> {
        Box::new(Groups::new(fold(self.threaded), self.file, expected, self.before))
    }

    /// Computes something of the whole table.
    pub(crate) fn whole<F: Fold + 'static>(self, fold: impl FnOnce(T) -> F) -> Box<dyn Work> {
        Box::new(Groups::whole(fold(self.threaded), self.file, self.before))
    }

    /// Answers for each group, or, where rows have none, for the whole table.
    pub(crate) fn gathered<G: Gather + 'static>(self, grouped: bool, gather: impl FnOnce(T) -> G) -> Box<dyn Work> {
        Box::new(Gathered::new(gather(self.threaded), grouped, self.file, self.before))
    }
}

impl Table {
    /// Does a job, with a batch that makes the checks that were asked for.
    ///
    /// # Errors
    /// If the job cannot run; faults of single rows are in the output.
    pub(crate) fn run<T: Threaded>(
        &self,
        job: &Job<'_>,
        threaded: T,
        work: impl FnOnce(Start<T>) -> Box<dyn Work>,
    ) -> Result<Outcome, CommandError> {
        self.refuse_replacing(job)?;
        let (input, (in_format, out_format)) = (self.places.input(), self.places.formats()?);
        let source = input.open(in_format, job.fields.clone())?;
        let source = match &job.fields.group {
            Some(column) if out_format != Format::Jsonl => Box::new(OneType::new(source, column)),
            _ => source,
        };
        let keys = match job.unit {
            Unit::Row => Keys::Rows,
            Unit::Tokens => Keys::Tokens,
            Unit::Group => Keys::Groups(source.group_type()),
            Unit::Table => Keys::Table,
        };
        let shape = Shape { keys, question: job.question, form: job.form.clone() };
        let task = self.resumable(&input)?.map(|path| job.task(path, (in_format, out_format))).transpose()?;
        let threads = self.threads.or(NonZeroUsize::new(threaded.count())).unwrap_or(NonZeroUsize::MIN);
        let threaded = threaded.on(threads).map_err(|error| CommandError::Engine(error.to_string()))?;
        // what an earlier run has left is touched only once this one can run
        let (destination, before) = self.places.destination(out_format, shape, task, self.resume)?;

        let pace = self.chunk.map_or_else(|| (job.pace)(job.system, threads), Pace::given);
        let mut work = work(Start { threaded, file: input.name(), before: before.clone() });
        let started = Instant::now();
        let (strict, quiet) = (self.strict, self.quiet);
        let plan = Plan { file: input.name(), source, destination, pace, before: before.rows, strict, quiet };
        let is_complete = |tally: &Tally| job.is_complete(&input.name(), tally.records);
        let report = job::run(plan, work.as_mut(), &is_complete)?;
        let system = job.system;
        let summary = Summary {
            tally: &report.tally,
            before: &before,
            groups: job.unit == Unit::Group,
            compared: job.compared,
            curve: system.curve().name(),
            engine: engines(system),
            operation: job.operation,
            pairing: job.pairing.clone(),
            threads: threads.get(),
            time: started.elapsed(),
        };
        Ok(self.conclude(job, &report, &summary))
    }

    /// Refuses answers that would replace a file that the job reads.
    ///
    /// # Errors
    /// If they would.
    pub(crate) fn refuse_replacing(&self, job: &Job<'_>) -> Result<(), CommandError> {
        self.places.refuse_replacing(&job.reads)
    }

    /// The table, and its format.
    ///
    /// # Errors
    /// If nothing tells it.
    pub(crate) fn input(&self) -> Result<(Input, Format), CommandError> {
        Ok((self.places.input(), self.places.formats()?.0))
    }

    /// The format of the answers.
    ///
    /// # Errors
    /// If nothing tells it.
    pub(crate) fn out_format(&self) -> Result<Format, CommandError> {
        Ok(self.places.formats()?.1)
    }

    /// How the answers are written in columns.
    ///
    /// # Errors
    /// If nothing tells their format.
    pub(crate) fn out(&self) -> Result<(Format, Framing), CommandError> {
        Ok((self.out_format()?, if self.places.is_to_file() { Framing::File } else { Framing::Stream }))
    }

    /// Whether nothing is told but errors.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// The file that is read, where a run can be resumed.
    fn resumable<'i>(&self, input: &'i Input) -> Result<Option<&'i Path>, CommandError> {
        match input.regular() {
            Some(path) if self.places.is_to_file() => Ok(Some(path)),
            _ if self.resume => {
                let reason = "--resume needs a file for --in and a file for --out; pipes and devices cannot be resumed";
                Err(CommandError::Usage(reason.to_owned()))
            }
            _ => Ok(None),
        }
    }

    fn conclude(&self, job: &Job<'_>, report: &Report, summary: &Summary<'_>) -> Outcome {
        if let Some(failure) = &report.stopped {
            console::error(format_args!("{} ({})", failure.message, failure.code));
            return Outcome::RowErrors;
        }
        if !self.quiet {
            console::note(summary.text());
        }
        // a row that a search does not find is as good as one that it does
        let wrong = if job.question == Question::Match { 0 } else { report.tally.wrong };
        if report.tally.failed() + wrong == 0 { Outcome::Good } else { Outcome::RowErrors }
    }
}
