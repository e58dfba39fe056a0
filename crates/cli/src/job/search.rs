//! Encrypted tables: encrypting rows, and finding with tokens the ciphertexts for which a predicate holds.
//!
//! Both process whole chunks at a time, in lanes and threads. A row that does not fit the schema fails alone.

use super::columns::Columns;
use super::verify::Verify;
use super::work::{EachRow, Good};
use crate::fault::{Fault, code};
use crate::input::lines::MAX_LINE;
use crate::input::{Chunk, Column, Integer, Kind, Need};
use crate::output::{self, Key};
use bilinear_engine::{BigUint, in_place};
use bilinear_schemes::predicate::language::{Attribute, Schema, Value};
use bilinear_schemes::predicate::{Encryptor, Scalar, Searches};
use std::sync::Arc;

/// The most bytes of a line in addition to the digits of its ciphertext.
const AROUND: usize = 64;

/// Returns the columns of a schema: its attributes in order, by their names. A null is a missing value.
pub(crate) fn columns(schema: &Schema) -> Vec<Column> {
    let column = |attribute: &Attribute| {
        let kind = if attribute.is_integer() { Kind::Integer } else { Kind::Text };
        Column { name: attribute.name().to_owned(), kind, need: Need::Value }
    };
    schema.attributes().iter().map(column).collect()
}

/// The encryption of rows. The columns are those of the schema, then the column of messages, if there is one.
pub(crate) struct Encryption {
    /// The order of the groups.
    pub(crate) order: BigUint,
    /// The encryptor of rows, with its key.
    pub(crate) encryptor: Encryptor,
    /// The schema of the rows.
    pub(crate) schema: Schema,
}

impl Encryption {
    /// Returns the vector of a row, and its message.
    fn plain<'c>(&self, chunk: &'c Chunk, (row, cells): &Good<'c>) -> Result<(Vec<Scalar>, &'c [u8]), Fault> {
        let attributes = self.schema.attributes();
        let value = |(i, attribute): (usize, &Attribute)| {
            let Some(cell) = chunk.value(cells, i) else { return Ok(Value::Null) };
            let wrong = |reason: &str| Fault::new(code::VALUE, *row, Some(attribute.name()), reason);
            if attribute.is_integer() {
                integer(cell).map(Value::Integer).ok_or_else(|| wrong("an integer of more than 64 bits"))
            } else {
                str::from_utf8(cell).map(Value::text).map_err(|_| wrong("not UTF-8 text"))
            }
        };
        let values = attributes.iter().enumerate().map(value).collect::<Result<Vec<_>, Fault>>()?;
        let vector = self.schema.vector(&self.order, &values);
        let vector = vector.map_err(|error| Fault::new(code::VALUE, *row, None, error))?;
        Ok((vector, chunk.value(cells, attributes.len()).unwrap_or_default()))
    }
}

impl EachRow for Encryption {
    fn outcomes(&self, chunk: &Chunk, rows: &[Good<'_>]) -> Vec<Result<output::Value, Fault>> {
        let plain = rows.iter().map(|row| self.plain(chunk, row));
        let encrypted = in_place(plain, |plain| {
            let rows: Vec<(&[Scalar], &[u8])> = plain.iter().map(|(vector, message)| (&vector[..], *message)).collect();
            match self.encryptor.encrypt(&rows) {
                Ok(rows) => rows.into_iter().map(Ok).collect(),
                // the rows fit the schema, and the schema fits the key: the only cause left is a lack of
                // randomness
                Err(error) => vec![Err(error.to_string()); rows.len()],
            }
        });
        let numbered = rows.iter().zip(encrypted);
        let short = numbered.map(|((row, _), encrypted)| {
            let refused = |reason: String| Fault::new(code::VALUE, *row, None, reason);
            let encrypted = encrypted?.map_err(refused)?;
            if 2 * encrypted.len() + AROUND > MAX_LINE {
                let reason = format!(
                    "the encrypted row has {} bytes: too long for a line of {MAX_LINE} bytes, two digits per byte",
                    encrypted.len()
                );
                return Err(refused(reason));
            }
            Ok(output::Value::Bytes(encrypted.into()))
        });
        short.collect()
    }
}

/// The search for the rows for which the predicates of tokens hold. The encrypted rows are in the first column.
pub(crate) struct Scan {
    /// The prepared tokens.
    pub(crate) searches: Searches,
    /// The tokens' names, and the number of pairings that a row costs with each token.
    pub(crate) tokens: Vec<(Arc<str>, u64)>,
    /// The column of the encrypted rows.
    pub(crate) columns: Columns,
    /// The rows that another engine evaluates again, if any.
    pub(crate) verify: Option<Verify>,
}

impl EachRow for Scan {
    fn records(&self, row: u64) -> Vec<(Key, u64)> {
        match &self.tokens[..] {
            [(_, pairings)] => vec![(Key::Row(row), *pairings)],
            tokens => {
                tokens.iter().map(|(token, pairings)| (Key::Token { row, token: token.clone() }, *pairings)).collect()
            }
        }
    }

    fn outcomes(&self, chunk: &Chunk, rows: &[Good<'_>]) -> Vec<Result<output::Value, Fault>> {
        let encrypted: Vec<(u64, &[u8])> =
            rows.iter().map(|(row, cells)| (*row, chunk.value(cells, 0).unwrap_or_default())).collect();
        let found = self.searches.open(&encrypted.iter().map(|(_, bytes)| *bytes).collect::<Vec<_>>());
        let differences = self.verify.as_ref().map_or_else(Default::default, |verify| verify.again(&encrypted, &found));
        let mut found: Vec<_> = found.into_iter().map(Vec::into_iter).collect();
        let mut outcomes = Vec::with_capacity(rows.len() * found.len());
        for (row, _) in rows {
            for (token, opened) in found.iter_mut().enumerate() {
                let fault = |code, reason: String| self.columns.fault(*row, 0, code, reason);
                let opened = opened.next().unwrap_or_else(|| unreachable!("one outcome for each row"));
                outcomes.push(match (differences.get(&(*row, token)), opened) {
                    (Some(difference), _) => Err(fault(code::DIFFERS, difference.clone())),
                    (None, Ok(message)) => Ok(output::Value::Match(message.map(|message| message.as_slice().into()))),
                    (None, Err(error)) => Err(fault(error.code(), error.to_string())),
                });
            }
        }
        outcomes
    }
}

/// Returns the integer of a cell, if it fits in 64 bits.
fn integer(cell: &[u8]) -> Option<i64> {
    let integer = Integer::of_cell(cell);
    let magnitude = i128::from(u64::try_from(integer.magnitude()).ok()?);
    i64::try_from(if integer.is_negative() { -magnitude } else { magnitude }).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::verify::Sample;
    use super::*;
    use crate::input::{Cell, Cells};
    use bilinear_engine::{Batch, Curve, Engine, System};
    use bilinear_schemes::predicate::{Pattern, Scheme, setup};
    use std::slice::from_ref;

    /// Verification with the token of another predicate simulates an engine that computes wrongly: exactly the
    /// rows in which the two predicates differ must be reported as errors.
    #[test]
    fn a_difference_is_an_error_of_its_row() {
        let system = System::new(&Curve::named("a1-2x512").unwrap()).unwrap();
        let batch = Batch::new(system.clone()).on_this_thread();
        let (public, secret) = setup(&batch, Scheme::HiddenVector, 2).unwrap();
        let vectors: Vec<[Scalar; 2]> = (0..6u64).map(|i| [Scalar::from(i % 2), Scalar::from(i % 3)]).collect();
        let rows: Vec<(&[Scalar], &[u8])> = vectors.iter().map(|x| (&x[..], &b"m"[..])).collect();
        let encrypted = public.encrypt(&batch, &rows).unwrap();
        let token = |x: [Option<u64>; 2]| {
            let pattern = Pattern::HiddenVector(x.map(|x| x.map(Scalar::from)).to_vec());
            secret.token(&batch, &pattern).unwrap()
        };
        let (right, wrong) = (token([Some(1), None]), token([Some(1), Some(1)]));
        let mut chunk = Chunk::default();
        let cells: Vec<Cells> = encrypted
            .iter()
            .map(|row| {
                let start = chunk.bytes.len();
                chunk.bytes.extend_from_slice(row);
                let mut cells = Cells::default();
                cells[0] = Some(Cell::Bytes { start, end: chunk.bytes.len() });
                cells
            })
            .collect();
        let good: Vec<Good<'_>> = (10..).zip(&cells).collect();
        // the right token finds rows 11, 13 and 15, and the wrong one only row 11
        for (token, sample, differ) in [(&right, 6, vec![]), (&wrong, 6, vec![13, 15]), (&wrong, 0, vec![])] {
            let sample = Sample::draw(sample, 10..16, 7);
            let verify = Verify::new(&batch, &system.on(Engine::Portable).unwrap(), from_ref(token), sample).unwrap();
            let counts = verify.counts();
            let searches = Searches::new(batch.clone(), from_ref(&right)).unwrap();
            let tokens = vec![("t".into(), 3)];
            let scan = Scan { searches, tokens, columns: Columns::default(), verify: Some(verify) };
            let outcomes = scan.outcomes(&chunk, &good);
            let found: Vec<&Fault> = outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).collect();
            assert_eq!(found.iter().map(|fault| fault.row).collect::<Vec<_>>(), differ);
            assert!(found.iter().all(|fault| fault.code == code::DIFFERS && fault.reason.contains("portable")));
            assert_eq!(counts.differ(), differ.len() as u64);
        }
    }
}
