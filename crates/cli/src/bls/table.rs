//! Jobs over tables of messages, public keys and signatures.

use super::KeyChoice;
use super::columns::{KeyColumn, MessageColumn, ProofColumn, Reader, SignatureColumn, bytes};
use super::groups::{Aggregate, VerifyAggregate};
use super::rows::{Sign, Verify, VerifyPossession};
use crate::choice::count;
use crate::commands::Outcome;
use crate::commands::places::Places;
use crate::console;
use crate::error::CommandError;
use crate::input::open::Input;
use crate::input::{Column, Fields, Need};
use crate::job::gather::Gathered;
use crate::job::pace::Pace;
use crate::job::rows::Rows;
use crate::job::summary::engines;
use crate::job::tally::Tally;
use crate::job::work::{EachRow, Work};
use crate::job::{self, Plan};
use crate::output::{Form, Keys, Question, Shape};
use bilinear_engine::Engine;
use bilinear_schemes::bls::{Bls, Scheme};
use std::num::NonZeroUsize;
use std::time::Instant;

/// Rows of the first chunk.
const FIRST: usize = 512;

/// The table, and how it is gone through.
#[derive(Debug, clap::Args)]
pub(crate) struct Table {
    #[command(flatten)]
    places: Places,
    /// Threads; as many as there are processors by default
    #[arg(long, value_name = "N", value_parser = count)]
    threads: Option<NonZeroUsize>,
    /// The engine (mont, ifma, portable, hmm, rns, rows, cuda, auto, reference); the best of this processor by default
    #[arg(long, value_name = "NAME")]
    pub(crate) engine: Option<Engine>,
    /// Stop at the first row without an answer
    #[arg(long)]
    strict: bool,
    /// Rows that are computed, and written, at a time; as many as take a second by default
    #[arg(long, value_name = "N", value_parser = count)]
    chunk: Option<NonZeroUsize>,
    /// No progress and no summary
    #[arg(long, short)]
    quiet: bool,
}

/// Groups of rows.
#[derive(Debug, clap::Args)]
pub(crate) struct By {
    /// An answer for adjacent rows with equal COL; without it one for the whole table
    #[arg(long, value_name = "COL")]
    pub(crate) by: Option<String>,
}

/// What must be in a table that is verified.
#[derive(Debug, clap::Args)]
pub(crate) struct Complete {
    /// Let a table without rows pass
    #[arg(long)]
    allow_empty: bool,
}

/// How an aggregate is verified.
pub(crate) struct OfAggregate<'a> {
    /// The groups.
    pub(crate) by: &'a By,
    /// Whether all keys of a group signed one message.
    pub(crate) one_message: bool,
    /// The column of the proofs of possession; `None` if they have been verified.
    pub(crate) proofs: Option<&'a ProofColumn>,
    /// How many groups there must be.
    pub(crate) groups: Option<u64>,
}

/// One job.
struct Job {
    bls: Bls,
    columns: Vec<Column>,
    /// Rows by themselves, or groups, by a column if it has a name.
    by: Option<Option<String>>,
    question: Question,
    allow_empty: bool,
    groups: Option<u64>,
}

impl Table {
    /// Signs the messages of a table.
    ///
    /// # Errors
    /// If the job cannot run, or there is no key.
    pub(crate) fn sign(&self, bls: Bls, key: &KeyChoice, message: &MessageColumn) -> Result<Outcome, CommandError> {
        if key.source()?.is_stdin() && self.places.input() == Input::Stdin {
            let reason = "standard input cannot be the key and the table: --in FILE, or another descriptor for the key";
            return Err(CommandError::Usage(reason.to_owned()));
        }
        self.places.refuse_replacing(key.reads().as_slice())?;
        let key = key.load()?;
        let columns = vec![message.column(Need::Row)];
        let job = Job { bls, columns, by: None, question: Question::SIGNATURE, allow_empty: true, groups: None };
        self.run(job, |bls, reader| each_row(reader, |reader| Sign { bls, key, reader }))
    }

    /// Verifies the signature in each row of a table.
    ///
    /// # Errors
    /// If the job cannot run.
    pub(crate) fn verify(
        &self,
        bls: Bls,
        (message, key, signature): (&MessageColumn, &KeyColumn, &SignatureColumn),
        complete: &Complete,
    ) -> Result<Outcome, CommandError> {
        let columns = vec![
            message.column(Need::Row),
            bytes(&key.public_key_col, Need::Row),
            bytes(&signature.signature_col, Need::Row),
        ];
        let allow_empty = complete.allow_empty;
        let job = Job { bls, columns, by: None, question: Question::IsOk, allow_empty, groups: None };
        self.run(job, |bls, reader| each_row(reader, |reader| Verify { bls, reader }))
    }

    /// Verifies the aggregate signature of each group of rows.
    ///
    /// # Errors
    /// If the job cannot run, or the scheme does not have what is asked for.
    pub(crate) fn verify_aggregate(
        &self,
        bls: Bls,
        (message, key, signature): (&MessageColumn, &KeyColumn, &SignatureColumn),
        how: &OfAggregate<'_>,
        complete: &Complete,
    ) -> Result<Outcome, CommandError> {
        let is_pop = bls.scheme() == Scheme::ProofOfPossession;
        if how.one_message && !is_pop {
            let reason = "--one-message: one message under many keys can be verified with the scheme pop only; without proofs of \
                          possession somebody can choose a key that cancels those of the others";
            return Err(CommandError::Usage(reason.to_owned()));
        }
        if how.proofs.is_none() && !is_pop {
            let reason = "--proofs-verified: only the scheme pop has proofs of possession".to_owned();
            return Err(CommandError::Usage(reason));
        }
        let need = if how.one_message { Need::Column } else { Need::Row };
        let mut columns = vec![
            message.column(need),
            bytes(&key.public_key_col, Need::Row),
            bytes(&signature.signature_col, Need::Column),
        ];
        columns.extend(how.proofs.filter(|_| is_pop).map(|proof| bytes(&proof.proof_col, Need::Row)));
        let by = Some(how.by.by.clone());
        let (allow_empty, groups, one_message) = (complete.allow_empty, how.groups, how.one_message);
        let job = Job { bls, columns, by, question: Question::IsOk, allow_empty, groups };
        let grouped = how.by.by.is_some();
        self.run(job, |bls, reader| Box::new(Gathered::new(VerifyAggregate { bls, reader, one_message }, grouped)))
    }

    /// Adds up the signatures of each group of rows.
    ///
    /// # Errors
    /// If the job cannot run.
    pub(crate) fn aggregate(&self, bls: Bls, signature: &SignatureColumn, by: &By) -> Result<Outcome, CommandError> {
        let columns = vec![bytes(&signature.signature_col, Need::Row)];
        let (question, grouped) = (Question::SIGNATURE, by.by.is_some());
        // an aggregate has at least one signature
        let job = Job { bls, columns, by: Some(by.by.clone()), question, allow_empty: grouped, groups: None };
        self.run(job, |bls, reader| Box::new(Gathered::new(Aggregate { bls, reader }, grouped)))
    }

    /// Verifies the proof of possession in each row of a table.
    ///
    /// # Errors
    /// If the job cannot run.
    pub(crate) fn verify_possessions(
        &self,
        bls: Bls,
        key: &KeyColumn,
        proof: &ProofColumn,
        complete: &Complete,
    ) -> Result<Outcome, CommandError> {
        let columns = vec![bytes(&key.public_key_col, Need::Row), bytes(&proof.proof_col, Need::Row)];
        let allow_empty = complete.allow_empty;
        let job = Job { bls, columns, by: None, question: Question::IsOk, allow_empty, groups: None };
        self.run(job, |bls, reader| each_row(reader, |reader| VerifyPossession { bls, reader }))
    }

    fn run(&self, job: Job, work: impl FnOnce(Bls, Reader) -> Box<dyn Work>) -> Result<Outcome, CommandError> {
        self.places.refuse_replacing(&[])?;
        let (input, (in_format, out_format)) = (self.places.input(), self.places.formats()?);
        let threads = match self.threads {
            Some(threads) => threads,
            None => std::thread::available_parallelism().map_err(CommandError::io("processors", "count"))?,
        };
        let bls = job.bls.threads(threads).map_err(|error| CommandError::Engine(error.to_string()))?;
        let fields = Fields { columns: job.columns.clone(), group: job.by.clone().flatten() };
        let source = input.open(in_format, fields)?;
        let keys = job.by.as_ref().map_or(Keys::Rows, |_| Keys::Groups(source.group_type()));
        let shape = Shape { keys, question: job.question, form: Form::Answers };
        let (destination, _) = self.places.destination(out_format, shape.clone(), None, false)?;
        let mut work = work(bls.clone(), Reader { file: input.name(), columns: job.columns });
        let started = Instant::now();
        let (strict, quiet) = (self.strict, self.quiet);
        let pace = self.chunk.map_or_else(|| Pace::from(FIRST), Pace::given);
        let plan = Plan { file: input.name(), source, destination, pace, before: 0, strict, quiet };
        let report = job::run(plan, work.as_mut())?;
        if let Some(failure) = &report.stopped {
            console::error(format_args!("{} ({})", failure.message, failure.code));
            return Ok(Outcome::RowErrors);
        }
        let tally = &report.tally;
        if !self.quiet {
            let seconds = started.elapsed().as_secs_f64();
            console::note(summary(tally, &bls, &shape, (threads.get(), seconds)));
        }
        if tally.records == 0 && !job.allow_empty {
            let reason = match job.question {
                Question::IsOk => "no rows: what checks nothing shows nothing; --allow-empty lets it pass",
                Question::Value(_) | Question::Point(_) | Question::Match => {
                    "no rows: an aggregate has at least one signature"
                }
            };
            return Err(CommandError::Usage(format!("{}: {reason}", input.name())));
        }
        if let Some(groups) = job.groups.filter(|groups| *groups != tally.records) {
            let found = format!("groups found: {}; --expect-groups asks for {groups}", tally.records);
            return Err(CommandError::Usage(format!("{}: {found}", input.name())));
        }
        Ok(if tally.failed() + tally.wrong == 0 { Outcome::Good } else { Outcome::RowErrors })
    }
}

/// The work on rows by themselves.
fn each_row<E: EachRow + 'static>(reader: Reader, each: impl FnOnce(Reader) -> E) -> Box<dyn Work> {
    let file = reader.file.clone();
    Box::new(Rows::new(each(reader), file, None, Tally::default()))
}

/// What has been done, as lines.
fn summary(tally: &Tally, bls: &Bls, shape: &Shape, (threads, seconds): (usize, f64)) -> String {
    let Tally { rows, records, values, wrong, .. } = *tally;
    let mut text = format!("rows: {rows}");
    if shape.keys != Keys::Rows {
        text += &format!(" in {records} groups");
    }
    text += &format!("\nerrors: {}", tally.listed());
    if shape.question == Question::IsOk {
        text += &format!("\ncheck: {} of {records} are right", values - wrong);
    }
    text += &format!("\nspeed: {:.1} rows/s ({rows} in {seconds:.2} s)", rows as f64 / seconds.max(1e-9));
    let engine = engines(bls.system());
    let s = if threads == 1 { "" } else { "s" };
    text + &format!("\ncurve: {}, engine {engine}, {threads} thread{s}", bls.system().curve().name())
}
