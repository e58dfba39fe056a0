//! Aggregates: sums of signatures, and the verification of one signature for many messages or many keys.

use super::rows::possessions;
use crate::fault::{Fault, code};
use crate::input::{Cells, Chunk};
use crate::job::columns::Columns;
use crate::job::groups::{Fold, Run};
use crate::job::work::Good;
use crate::output::Value;
use bilinear_engine::PointError;
use bilinear_schemes::bls::{
    AggregateVerifier, Bls, FastAggregateVerifier, Possession, PublicKey, PublicKeyError, Signature,
};

/// The sum of the signatures in column 0 of a group.
pub(super) struct Aggregate {
    pub(super) bls: Bls,
    pub(super) columns: Columns,
}

impl Fold for Aggregate {
    type Part = Signature;

    fn parts(&self, chunk: &Chunk, rows: &[Good<'_>], runs: Vec<Run<Signature>>) -> Vec<Result<Signature, Fault>> {
        let read = |signatures: &[&[u8]]| self.bls.read_signatures(signatures);
        let mut signatures = self.columns.read(chunk, rows, 0, read, PointError::code).into_iter();
        let sum = |run: Run<Signature>| {
            // takes all rows of the run, also those after a bad row
            let signatures: Vec<_> = signatures.by_ref().take(run.rows.len()).collect();
            let all = run.earlier.map(Ok).into_iter().chain(signatures).collect::<Result<Vec<_>, _>>()?;
            Ok(self.bls.aggregate(&all).unwrap_or_else(|e| unreachable!("a run has rows: {e}")))
        };
        runs.into_iter().map(sum).collect()
    }

    fn finish(&self, sums: Vec<Signature>) -> Vec<Result<Value, Fault>> {
        sums.iter().map(|sum| Ok(Value::Bytes(self.bls.signature_bytes(sum).into()))).collect()
    }
}

/// The verification of the aggregate signature of a group. Columns 0, 1 and 2 hold messages, public keys and
/// the signature, which must stand in at least one row. Column 3, if it is read, holds the proof of possession
/// of each key.
pub(super) struct VerifyAggregate {
    pub(super) bls: Bls,
    pub(super) columns: Columns,
    /// A verifier without keys, if all keys signed one message, which must stand in at least one row.
    pub(super) one_message: Option<FastAggregateVerifier>,
}

/// The state of a group after some of its rows.
pub(super) struct AggregateState {
    signed: Messages,
    signature: Single,
    /// The last of these rows.
    last: u64,
}

/// The rows before the first one in which a fault has been found, and this fault. So the fault with the lowest
/// row counts, in whatever order the columns are checked.
struct Sound<'r> {
    rows: &'r [(u64, &'r Cells)],
    fault: Option<Fault>,
}

impl Sound<'_> {
    /// Reads a value of each row, up to the first row with a fault.
    fn read<T>(&mut self, read: impl FnOnce(&[(u64, &Cells)]) -> Vec<Result<T, Fault>>) -> Vec<T> {
        let mut good = Vec::with_capacity(self.rows.len());
        let read = read(self.rows);
        self.check(|_| read.into_iter().try_for_each(|value| value.map(|value| good.push(value))));
        good
    }

    /// Checks the rows.
    fn check(&mut self, check: impl FnOnce(&[(u64, &Cells)]) -> Result<(), Fault>) {
        if let Err(fault) = check(self.rows) {
            self.rows = &self.rows[..self.rows.partition_point(|(row, _)| *row < fault.row)];
            self.fault = Some(fault);
        }
    }
}

enum Messages {
    /// Each key has its own message. The number is the row of the first message.
    Many(Box<AggregateVerifier>, Option<u64>),
    /// All keys signed one message.
    One(FastAggregateVerifier, Single),
}

/// A value that a group has once, after the first row in which it stands and that row's line.
type Single = Option<(u64, Option<u64>, Vec<u8>)>;

impl Fold for VerifyAggregate {
    type Part = AggregateState;

    fn parts(
        &self,
        chunk: &Chunk,
        rows: &[Good<'_>],
        runs: Vec<Run<AggregateState>>,
    ) -> Vec<Result<AggregateState, Fault>> {
        let part = |run: Run<_>| {
            let mut state = run.earlier.unwrap_or_else(|| self.begin());
            self.add(&mut state, chunk, &rows[run.rows]).map(|()| state)
        };
        runs.into_iter().map(part).collect()
    }

    fn finish(&self, states: Vec<AggregateState>) -> Vec<Result<Value, Fault>> {
        states.into_iter().map(|state| Ok(Value::Ok(self.verdict(state)?))).collect()
    }
}

impl VerifyAggregate {
    /// Returns the state before a group's first row.
    fn begin(&self) -> AggregateState {
        let signed = match &self.one_message {
            Some(verifier) => Messages::One(verifier.clone(), None),
            None => Messages::Many(Box::new(self.bls.aggregate_verifier()), None),
        };
        AggregateState { signed, signature: None, last: 0 }
    }

    /// Adds the next rows of the group.
    fn add(&self, state: &mut AggregateState, chunk: &Chunk, rows: &[(u64, &Cells)]) -> Result<(), Fault> {
        state.last = rows.last().map_or(state.last, |(row, _)| *row);
        let mut sound = Sound { rows, fault: None };
        let keys = sound.read(|rows| {
            self.columns.read(chunk, rows, 1, |keys| self.bls.read_public_keys(keys), PublicKeyError::code)
        });
        if self.columns.0.len() > 3 {
            let proofs = sound.read(|rows| {
                self.columns.read(chunk, rows, 3, |proofs| self.bls.read_possessions(proofs), PointError::code)
            });
            sound.check(|rows| self.possession(&keys, &proofs, rows));
        }
        sound.check(|rows| self.single(&mut state.signature, chunk, rows, 2));
        match &mut state.signed {
            Messages::One(verifier, message) => {
                verifier.add(&keys);
                sound.check(|rows| self.single(message, chunk, rows, 0));
            }
            Messages::Many(verifier, first) => sound.check(|rows| {
                let begins = *first.get_or_insert_with(|| rows.first().map_or(0, |(row, _)| *row));
                let messages = chunk.column(rows, 0);
                let signed: Vec<(&PublicKey, &[u8])> = keys.iter().zip(messages).collect();
                verifier.add(&signed).map_err(|again| {
                    let reason = format!(
                        "the message of row {} is repeated: in the scheme basic the messages of an aggregate must differ; one message under \
                         many keys takes the scheme pop",
                        begins + again.first as u64
                    );
                    self.columns.fault(begins + again.second as u64, 0, code::REPEATED, reason)
                })
            }),
        }
        sound.fault.map_or(Ok(()), Err)
    }

    /// Returns the verdict on the signature of all rows.
    fn verdict(&self, state: AggregateState) -> Result<bool, Fault> {
        let missing = |column, what| {
            self.columns.fault(state.last, column, code::MISSING, format!("no row of the group has {what}"))
        };
        let (row, line, bytes) = state.signature.ok_or_else(|| missing(2, "a signature"))?;
        let fault = |error: PointError| self.columns.fault(row, 2, error.code(), error).at(line);
        let signature = self.bls.read_signature(&bytes).map_err(fault)?;
        match state.signed {
            Messages::Many(verifier, _) => Ok(verifier.verify(&signature)),
            Messages::One(verifier, message) => {
                let (.., message) = message.ok_or_else(|| missing(0, "a message"))?;
                Ok(verifier.verify(&message, &signature))
            }
        }
    }

    /// Checks that the proofs of possession of the keys are right.
    fn possession(&self, keys: &[PublicKey], proofs: &[Possession], rows: &[(u64, &Cells)]) -> Result<(), Fault> {
        let verdicts = possessions(&self.bls, &keys.iter().zip(proofs).collect::<Vec<_>>());
        match rows.iter().zip(verdicts).find(|(_, is_right)| !is_right) {
            Some(((row, _), _)) => {
                Err(self.columns.fault(*row, 3, code::POSSESSION, "not a proof of possession of this public key"))
            }
            None => Ok(()),
        }
    }

    /// Records a value that a group has once. All rows with a value must have the same one.
    fn single(&self, known: &mut Single, chunk: &Chunk, rows: &[(u64, &Cells)], column: usize) -> Result<(), Fault> {
        for (row, cells) in rows {
            let Some(value) = chunk.value(cells, column) else { continue };
            match known {
                None => *known = Some((*row, chunk.line(*row), value.to_vec())),
                Some((.., earlier)) if earlier == value => {}
                Some((first, ..)) => {
                    let reason = format!("the value differs from that in row {first} of the same group");
                    return Err(self.columns.fault(*row, column, code::MISMATCH, reason));
                }
            }
        }
        Ok(())
    }
}
