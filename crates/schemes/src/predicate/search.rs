//! Search: one token against many rows. A row is one product of 2s + 1 prepared pairings, which share their squarings; rows are
//! read in place, and a bad one costs itself alone.

use super::PredicateError;
use super::token::Token;
use crate::encoding::{DecodeError, HEADER, Kind, Reader, Reason, belongs};
use crate::sealed;
use bilinear_engine::{Batch, FixedRows, Group, Gt, PointRef, Prepared, RowError};
use zeroize::Zeroizing;

/// Bytes of a row before its points: header, identity of the key, length of vectors.
const BEFORE: usize = HEADER + 18;

/// A token, prepared. Safe to share between threads.
pub struct Search {
    batch: Batch,
    token: Token,
    fixed: Vec<Prepared>,
    /// Which points of a row the prepared ones meet.
    meets: Vec<usize>,
}

/// What is read of a row.
struct Read<'a> {
    points: Vec<&'a [u8]>,
    /// The bytes that the message is bound to, and the message with its tag.
    sealed: Option<(&'a [u8], &'a [u8])>,
}

impl Search {
    /// Prepares a token for a batch, which says on how many threads rows are searched, and how thoroughly their points are checked.
    /// [`Validate::Curve`](bilinear_engine::Validate) takes less time and finds the same: a component outside the group changes no
    /// pairing with a point of the token.
    ///
    /// # Errors
    /// [`PredicateError::Curve`].
    pub fn new(batch: Batch, token: &Token) -> Result<Search, PredicateError> {
        let system = batch.system();
        belongs(system, &token.curve)?;
        let prepare = |p| system.prepare(system.fixed_side(), p);
        let fixed = token.points.iter().map(prepare).collect::<Result<_, _>>();
        let fixed = fixed.unwrap_or_else(|e| unreachable!("the side that this curve prepares: {e}"));
        let meets = std::iter::once(0).chain(token.places.iter().flat_map(|i| [2 * i + 1, 2 * i + 2])).collect();
        Ok(Search { batch, token: token.clone(), fixed, meets })
    }

    /// The pairings that a row costs.
    pub fn pairings(&self) -> usize {
        self.fixed.len()
    }

    /// Of which rows the predicate holds. An error is that of its row.
    pub fn matches(&self, rows: &[&[u8]]) -> Vec<Result<bool, DecodeError>> {
        if self.token.scheme.has_message() {
            return self.open(rows).into_iter().map(|row| row.map(|message| message.is_some())).collect();
        }
        let read: Vec<_> = rows.iter().map(|row| self.read(row)).collect();
        self.products(&read, |points, groups| self.batch.check_with(&self.fixed, points, groups))
            .into_iter()
            .map(|outcome| outcome.map(|(_, holds)| holds))
            .collect()
    }

    /// The messages of the rows of which the predicate holds; `None` for the others. Without messages in the scheme that of a match is
    /// empty. An error is that of its row.
    pub fn open(&self, rows: &[&[u8]]) -> Vec<Result<Option<Zeroizing<Vec<u8>>>, DecodeError>> {
        if !self.token.scheme.has_message() {
            return self.matches(rows).into_iter().map(|row| row.map(|holds| holds.then(Zeroizing::default))).collect();
        }
        let read: Vec<_> = rows.iter().map(|row| self.read(row)).collect();
        let opened = |(read, key): (&Read<'_>, Gt)| {
            read.sealed.and_then(|(before, sealed)| sealed::open(key.bytes(), before, sealed))
        };
        self.products(&read, |points, groups| self.batch.product_with(&self.fixed, points, groups))
            .into_iter()
            .map(|outcome| outcome.map(opened))
            .collect()
    }

    /// The product of each row that could be read.
    fn products<'r, 'a, T>(
        &self,
        read: &'r [Result<Read<'a>, DecodeError>],
        compute: impl FnOnce(&[PointRef<'_>], &[FixedRows]) -> Vec<Result<T, RowError>>,
    ) -> Vec<Result<(&'r Read<'a>, T), DecodeError>> {
        let (count, len) = (self.meets.len(), self.batch.system().point_len(Group::G1));
        let good = read.iter().flatten();
        let points: Vec<PointRef<'_>> =
            good.flat_map(|row| self.meets.iter().map(|i| PointRef::Bytes(row.points[*i]))).collect();
        let groups: Vec<FixedRows> =
            (0..points.len() / count).map(|i| FixedRows { rows: i * count..(i + 1) * count, first_fixed: 0 }).collect();
        let mut values = compute(&points, &groups).into_iter();
        let outcome = |row: &'r Result<Read<'a>, DecodeError>| {
            let row = row.as_ref().map_err(|error| *error)?;
            let value = values.next().unwrap_or_else(|| unreachable!("one value for each row that could be read"));
            let value = value.map_err(|error| {
                let at = BEFORE + self.meets[error.row % count] * len;
                DecodeError { what: Kind::Ciphertext, at, reason: Reason::Point(error.reason) }
            });
            Ok((row, value?))
        };
        read.iter().map(outcome).collect()
    }

    fn read<'a>(&self, row: &'a [u8]) -> Result<Read<'a>, DecodeError> {
        let (scheme, length) = (self.token.scheme, self.token.length);
        let (found, mut reader) = Reader::new(Kind::Ciphertext, &self.token.curve, row)?;
        if found != scheme.byte() {
            return reader.refuse_scheme(found);
        }
        reader.key(&self.token.id)?;
        reader.u16("the length of vectors", length..=length)?;
        let points = reader.encoded(scheme.row_points(length), self.batch.system().point_len(Group::G1))?;
        let sealed = if scheme.has_message() {
            let len = reader.u32()?;
            let before = reader.so_far();
            Some((before, reader.raw(len)?))
        } else {
            None
        };
        reader.end()?;
        Ok(Read { points, sealed })
    }
}
