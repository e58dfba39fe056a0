//! Jobs over tables of messages, public keys and signatures.

use super::columns::{KeyColumn, MessageColumn, ProofColumn, SignatureColumn, bytes};
use super::groups::{Aggregate, VerifyAggregate};
use super::rows::{Sign, Verify, VerifyPossession};
use super::{KeyChoice, SchemeName, VariantName};
use crate::choice::{EngineChoice, named};
use crate::commands::Outcome;
use crate::commands::table::{self, Job, Threaded, Unit, rows_to_check};
use crate::error::CommandError;
use crate::hex;
use crate::input::open::Input;
use crate::input::{Column, Fields, Need};
use crate::job::pace::Pace;
use crate::job::summary::Compared;
use crate::output::Question;
use bilinear_engine::{MAX_THREADS, ThreadsError};
use bilinear_schemes::bls::{Bls, Scheme};
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

/// The number of rows of the first chunk.
const FIRST: usize = 512;

/// The table, and how it is processed.
#[derive(Debug, clap::Args)]
pub(crate) struct SignatureTable {
    #[command(flatten)]
    table: table::Table,
    #[command(flatten)]
    pub(crate) engine: EngineChoice,
}

/// The column of the groups of rows.
#[derive(Debug, clap::Args)]
pub(crate) struct By {
    /// Give one answer per group of adjacent rows with equal COL (default: one for the whole table)
    #[arg(long, value_name = "COL")]
    pub(crate) by: Option<String>,
}

/// The rows that a table to verify must have.
#[derive(Debug, clap::Args)]
pub(crate) struct Complete {
    /// Accept a table without rows
    #[arg(long)]
    allow_empty: bool,
}

/// How an aggregate signature is verified.
pub(crate) struct OfAggregate<'a> {
    /// The column of the groups.
    pub(crate) by: &'a By,
    /// True if all keys of a group signed one message.
    pub(crate) one_message: bool,
    /// The column of the proofs of possession.
    pub(crate) proofs: &'a ProofColumn,
    /// True if the proofs of possession have been verified before.
    pub(crate) proofs_verified: bool,
    /// The expected number of groups, if it is given.
    pub(crate) groups: Option<u64>,
}

impl Threaded for Bls {
    fn count(&self) -> usize {
        available_parallelism().map_or(1, NonZeroUsize::get).min(MAX_THREADS)
    }

    fn on(self, threads: NonZeroUsize) -> Result<Self, ThreadsError> {
        self.threads(threads)
    }
}

impl SignatureTable {
    /// Signs the messages of a table.
    ///
    /// # Errors
    /// Returns an error if the job cannot run, or if there is no key.
    pub(crate) fn sign(&self, bls: &Bls, key: &KeyChoice, message: &MessageColumn) -> Result<Outcome, CommandError> {
        if key.source()?.is_stdin() && self.table.input()?.0 == Input::Stdin {
            let reason = "standard input cannot be the key and the table: --in FILE, or another descriptor for the key";
            return Err(CommandError::Usage(reason.to_owned()));
        }
        let reads = key.reads();
        let mut job = job("sign", bls, vec![message.column(Need::Row)], Question::SIGNATURE);
        job.reads = reads.iter().map(|(option, path)| (*option, &**path)).collect();
        self.table.refuse_replacing(&job)?;
        let key = key.load()?;
        // the public key identifies the signer in the checkpoint
        let signer = hex::encode(&bls.public_key_bytes(&bls.public_key(&key)));
        job.options.extend(message.options());
        job.options.push(("key", Some(format!("that of the public key {signer}"))));
        self.table.run(&job, bls.clone(), |start| start.rows(None, |bls, _| Sign { bls, key }))
    }

    /// Verifies the signature in each row of a table.
    ///
    /// # Errors
    /// Returns an error if the job cannot run.
    pub(crate) fn verify(
        &self,
        bls: &Bls,
        (message, key, signature): (&MessageColumn, &KeyColumn, &SignatureColumn),
        complete: &Complete,
    ) -> Result<Outcome, CommandError> {
        let columns = vec![
            message.column(Need::Row),
            bytes(&key.public_key_col, Need::Row),
            bytes(&signature.signature_col, Need::Row),
        ];
        let mut job = job("verify", bls, columns, Question::IsOk);
        job.options.extend(message.options());
        job.options.extend([key.option(), signature.option()]);
        job.needs_rows = rows_to_check(complete.allow_empty);
        self.table.run(&job, bls.clone(), |start| start.rows(None, |bls, columns| Verify { bls, columns }))
    }

    /// Verifies the aggregate signature of each group of rows.
    ///
    /// # Errors
    /// Returns an error if the job cannot run, or if the scheme does not support the options.
    pub(crate) fn verify_aggregate(
        &self,
        bls: &Bls,
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
        if how.proofs_verified && !is_pop {
            let reason = "--proofs-verified: only the scheme pop has proofs of possession".to_owned();
            return Err(CommandError::Usage(reason));
        }
        if how.proofs.is_given() && (how.proofs_verified || !is_pop) {
            let reason =
                "--proof-col: proofs are read in the scheme pop only, and not with --proofs-verified".to_owned();
            return Err(CommandError::Usage(reason));
        }
        let need = if how.one_message { Need::Column } else { Need::Row };
        let mut columns = vec![
            message.column(need),
            bytes(&key.public_key_col, Need::Row),
            bytes(&signature.signature_col, Need::Column),
        ];
        let proofs = (is_pop && !how.proofs_verified).then_some(how.proofs);
        columns.extend(proofs.map(|proof| bytes(proof.name(), Need::Row)));
        let mut job = grouped(job("verify --aggregate", bls, columns, Question::IsOk), how.by);
        job.options.extend(message.options());
        job.options.extend([key.option(), signature.option()]);
        job.options.extend(proofs.map(ProofColumn::option));
        job.options.push(("one-message", how.one_message.then(|| "yes".to_owned())));
        (job.needs_rows, job.groups) = (rows_to_check(complete.allow_empty), how.groups);
        self.table.run(&job, bls.clone(), |start| {
            start.groups(None, |bls, columns| {
                let one_message = how.one_message.then(|| bls.fast_aggregate_verifier().ok()).flatten();
                VerifyAggregate { bls, columns, one_message }
            })
        })
    }

    /// Adds up the signatures of each group of rows.
    ///
    /// # Errors
    /// Returns an error if the job cannot run.
    pub(crate) fn aggregate(&self, bls: &Bls, signature: &SignatureColumn, by: &By) -> Result<Outcome, CommandError> {
        let columns = vec![bytes(&signature.signature_col, Need::Row)];
        let mut job = grouped(job("aggregate", bls, columns, Question::SIGNATURE), by);
        job.options.push(signature.option());
        job.needs_rows = by.by.is_none().then_some("an aggregate has at least one signature");
        self.table.run(&job, bls.clone(), |start| start.groups(None, |bls, columns| Aggregate { bls, columns }))
    }

    /// Verifies the proof of possession in each row of a table.
    ///
    /// # Errors
    /// Returns an error if the job cannot run.
    pub(crate) fn verify_possessions(
        &self,
        bls: &Bls,
        key: &KeyColumn,
        proof: &ProofColumn,
        complete: &Complete,
    ) -> Result<Outcome, CommandError> {
        let columns = vec![bytes(&key.public_key_col, Need::Row), bytes(proof.name(), Need::Row)];
        let mut job = job("key check", bls, columns, Question::IsOk);
        job.options.extend([key.option(), proof.option()]);
        job.needs_rows = rows_to_check(complete.allow_empty);
        self.table.run(&job, bls.clone(), |start| start.rows(None, |bls, columns| VerifyPossession { bls, columns }))
    }
}

/// Describes a job of a suite over the given columns.
fn job<'a>(command: &'static str, bls: &'a Bls, columns: Vec<Column>, question: Question) -> Job<'a> {
    Job {
        fields: Fields { columns, group: None },
        options: vec![("variant", named(&VariantName(bls.variant()))), ("scheme", named(&SchemeName(bls.scheme())))],
        compared: (question == Question::IsOk).then_some(Compared::Right),
        pace: |_, _| Pace::from(FIRST),
        ..Job::new(command, bls.system(), question)
    }
}

/// Turns a job into one with an answer for each group of rows.
fn grouped<'a>(mut job: Job<'a>, by: &By) -> Job<'a> {
    job.unit = Unit::Group;
    job.fields.group.clone_from(&by.by);
    job.options.push(("by", by.by.clone()));
    job
}
