//! The common part of all commands over tables: reading a table, computing an outcome for each row or group,
//! and writing a table.

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
use crate::job::columns::Columns;
use crate::job::expected::Expected;
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

/// The table, and how it is processed.
#[derive(Debug, clap::Args)]
pub(crate) struct Table {
    #[command(flatten)]
    places: Places,
    /// The number of threads (default: one per processor)
    #[arg(long, value_name = "N", value_parser = count)]
    threads: Option<NonZeroUsize>,
    /// Stop at the first row that has no value
    #[arg(long)]
    strict: bool,
    /// Continue an interrupted run of the same job
    #[arg(long)]
    resume: bool,
    /// The number of rows to compute and write at a time (default: as many as take a second)
    #[arg(long, value_name = "N", value_parser = count)]
    chunk: Option<NonZeroUsize>,
    /// Print no progress and no summary
    #[arg(long, short)]
    quiet: bool,
}

/// The subject of the records of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Each row.
    Row,
    /// Each row with each token that it is searched with.
    Tokens,
    /// Each group of adjacent rows; the fields name the column of groups.
    Group,
    /// The whole table.
    Table,
}

/// Returns the reason why a table to check must have rows, unless it may be empty.
pub(crate) fn rows_to_check(allow_empty: bool) -> Option<&'static str> {
    (!allow_empty).then_some("an empty table proves nothing; --allow-empty accepts it")
}

/// The description of a job over a table.
pub(crate) struct Job<'a> {
    /// The command's name.
    pub(crate) command: &'static str,
    /// The curve, ready to compute.
    pub(crate) system: &'a System,
    /// The columns to read.
    pub(crate) fields: Fields,
    /// The subject of the records.
    pub(crate) unit: Unit,
    /// The question that the job answers.
    pub(crate) question: Question,
    /// The form in which records are output.
    pub(crate) form: Form,
    /// The options that determine the output besides the columns, by their names.
    pub(crate) options: Vec<(&'static str, Option<String>)>,
    /// What values are compared with, if anything.
    pub(crate) compared: Option<Compared>,
    /// The name of an operation, in the plural.
    pub(crate) operation: &'static str,
    /// The name of the pairing, if the job computes one.
    pub(crate) pairing: Option<String>,
    /// Chooses the size of the first chunks.
    pub(crate) pace: fn(&System, NonZeroUsize) -> Pace,
    /// The reason why a table without rows is rejected; `None` if it is accepted.
    pub(crate) needs_rows: Option<&'static str>,
    /// The expected number of groups, if it is given.
    pub(crate) groups: Option<u64>,
    /// The files that are read besides the table.
    pub(crate) reads: Vec<Reads<'a>>,
}

impl<'a> Job<'a> {
    /// Creates a job that is not a pairing, and that accepts a table without rows.
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

    /// Checks that the table had as many rows or groups as required.
    fn is_complete(&self, input: &str, tally: &Tally) -> Result<(), CommandError> {
        if let (0, Some(reason)) = (tally.records, self.needs_rows) {
            return Err(CommandError::Usage(format!("{input}: no rows: {reason}")));
        }
        match self.groups {
            Some(groups) if groups != tally.groups => {
                let found = tally.groups;
                Err(CommandError::Usage(format!("{input}: groups found: {found}; --expect-groups asks for {groups}")))
            }
            _ => Ok(()),
        }
    }

    /// Returns the task of the job, which determines the bytes of the output, from the input file and the
    /// formats.
    fn task(&self, path: &Path, formats: (Format, Format)) -> Result<Task, CommandError> {
        let (input_bytes, input_sha256) = fingerprint(path)?;
        let name = |(name, value): &(&str, Option<String>)| Some(((*name).to_owned(), value.clone()?));
        let mut options: BTreeMap<String, String> = self.options.iter().filter_map(name).collect();
        options.insert("in-format".to_owned(), formats.0.name().to_owned());
        options.insert("out-format".to_owned(), formats.1.name().to_owned());
        // the fingerprint does not cover the order in which a value's coefficients are written
        let curve = self.system.curve();
        let curve = format!("{}, {:?}", curve.fingerprint(), curve.layout());
        let input = Input::new(path).name();
        Ok(Task { command: self.command.to_owned(), input, input_bytes, input_sha256, curve, options })
    }
}

/// A type that computes on threads of its own, such as [`Batch`].
pub(crate) trait Threaded: Sized {
    /// Returns the default number of threads.
    fn count(&self) -> usize;

    /// Returns the value with the given number of threads.
    ///
    /// # Errors
    /// Returns an error if there are more than 1024 threads, or if the operating system refuses to start them.
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

/// The initial state of work.
pub(crate) struct Start<T = Batch> {
    /// The batch or suite that computes, with the requested number of threads.
    threaded: T,
    /// The columns of the job.
    columns: Columns,
    /// The input's name.
    file: String,
    /// The name of the column of groups, if there is one.
    column: Option<String>,
    /// True if the record is that of the table.
    of_table: bool,
    /// The counts of an earlier run.
    before: Tally,
}

impl<T> Start<T> {
    /// Creates work that computes an outcome for each row.
    pub(crate) fn rows<E: EachRow + 'static>(
        self,
        expected: Option<Expected>,
        each: impl FnOnce(T, Columns) -> E,
    ) -> Box<dyn Work> {
        let each = each(self.threaded, self.columns);
        Box::new(Rows::new(Box::new(each), self.file, expected, self.before))
    }

    /// Creates work that computes a value for each group, or for the whole table if rows have no groups.
    pub(crate) fn groups<F: Fold + 'static>(
        self,
        expected: Option<Expected>,
        fold: impl FnOnce(T, Columns) -> F,
    ) -> Box<dyn Work> {
        let fold = fold(self.threaded, self.columns);
        Box::new(Groups::new(fold, self.file, (self.column, self.of_table), expected, self.before))
    }
}

impl Table {
    /// Runs a job. `threaded` makes the requested checks.
    ///
    /// # Errors
    /// Returns an error if the job cannot run. Faults of single rows are part of the output.
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
        // touches the files of an earlier run only once this one can run
        let (destination, before) = self.places.destination(out_format, shape, task, self.resume)?;

        let pace = self.chunk.map_or_else(|| (job.pace)(job.system, threads), Pace::given);
        let (columns, column) = (Columns(job.fields.columns.clone()), job.fields.group.clone());
        let of_table = job.unit == Unit::Table;
        let mut work = work(Start { threaded, columns, file: input.name(), column, of_table, before: before.clone() });
        let started = Instant::now();
        let (strict, quiet) = (self.strict, self.quiet);
        let plan = Plan { file: input.name(), source, destination, pace, before: before.rows, strict, quiet };
        let is_complete = |tally: &Tally| job.is_complete(&input.name(), tally);
        let report = job::run(plan, work.as_mut(), &is_complete)?;
        let system = job.system;
        let summary = Summary {
            tally: &report.tally,
            before: &before,
            groups: job.fields.group.is_some(),
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

    /// Rejects an output that would replace a file that the job reads.
    ///
    /// # Errors
    /// Returns an error if the output would replace such a file.
    pub(crate) fn refuse_replacing(&self, job: &Job<'_>) -> Result<(), CommandError> {
        self.places.refuse_replacing(&job.reads)
    }

    /// Returns the input of the table, and its format.
    ///
    /// # Errors
    /// Returns an error if a format is neither given nor determined by a name.
    pub(crate) fn input(&self) -> Result<(Input, Format), CommandError> {
        Ok((self.places.input(), self.places.formats()?.0))
    }

    /// Returns the format of the answers.
    ///
    /// # Errors
    /// Returns an error if a format is neither given nor determined by a name.
    pub(crate) fn out_format(&self) -> Result<Format, CommandError> {
        Ok(self.places.formats()?.1)
    }

    /// Returns the format of columnar answers, and its framing.
    ///
    /// # Errors
    /// Returns an error if a format is neither given nor determined by a name.
    pub(crate) fn out(&self) -> Result<(Format, Framing), CommandError> {
        Ok((self.out_format()?, if self.places.is_to_file() { Framing::File } else { Framing::Stream }))
    }

    /// Returns true if only errors are printed.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Returns the input file, if the run can be resumed.
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
        // a search that does not find a row is not an error
        let wrong = if job.question == Question::Match { 0 } else { report.tally.wrong };
        if report.tally.failed() + wrong == 0 { Outcome::Good } else { Outcome::RowErrors }
    }
}
