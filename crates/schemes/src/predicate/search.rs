//! Search: one token against many rows. A row is one product of prepared pairings, which share their squarings; rows are
//! read in place, and a bad one costs itself alone.

use super::PredicateError;
use super::row::{BEFORE, Form, Row};
use super::scheme::Scheme;
use super::token::Token;
use crate::encoding::{DecodeError, Kind, Reason, belongs};
use crate::sealed;
use bilinear_engine::{
    Batch, FixedRows, Group, Gt, PairingKind, Point, PointError, PointRef, Prepared, RowError, Side, System, Validate,
};
use std::ops::Range;
use zeroize::Zeroizing;

#[cfg(test)]
mod tests;

/// A token, prepared. Safe to share between threads.
pub struct Search {
    batch: Batch,
    pub(super) form: Form,
    fixed: Fixed,
    /// Which points of a row those of the token meet.
    pub(super) meets: Vec<usize>,
}

/// The points of a token.
enum Fixed {
    Prepared(Vec<Prepared>),
    Plain(Vec<Point>),
}

/// What a search tells of a row: the message if the predicate holds of it, empty without messages in the scheme; else `None`. An error is that
/// of the row.
pub type Opened = Result<Option<Zeroizing<Vec<u8>>>, DecodeError>;

impl Search {
    /// Prepares a token for a batch, which says on how many threads rows are searched, and how thoroughly their points are checked.
    /// [`Validate::Curve`] takes less time. Rows that [`PublicKey::encrypt`](super::PublicKey::encrypt) has made are found in the same way, and others
    /// match no more than they would: what a point has outside the group changes no pairing with a point of the token, and a product that is 1,
    /// as of a row without a part in the group, is no match.
    ///
    /// Rows are checked in full whatever the batch asks for where that is not so: without messages, since there 1 is the match; and with the
    /// Tate and Weil pairings of two groups, as on types D, E and G, whose functions belong to the row's point.
    ///
    /// Where the curve's pairing prepares points of G1 alone (types D and G), tokens over a prime order, whose
    /// points are in G2, stay as they are.
    ///
    /// # Errors
    /// [`PredicateError::Curve`].
    pub fn new(batch: Batch, token: &Token) -> Result<Search, PredicateError> {
        belongs(batch.system(), &token.curve)?;
        let system = batch.system();
        let fixed = token.points.iter().map(|p| system.prepare(side(system), p)).collect::<Result<_, _>>();
        let fixed = fixed.map_or_else(|_| Fixed::Plain(token.points.clone()), Fixed::Prepared);
        Ok(Search::of(batch, token, fixed))
    }

    /// A token whose points are not prepared: each pairing is computed in full, from both of its points. It finds the same, in more
    /// time, and is there to check a [`Search::new`] on another engine.
    ///
    /// # Errors
    /// [`PredicateError::Curve`].
    pub fn unprepared(batch: Batch, token: &Token) -> Result<Search, PredicateError> {
        belongs(batch.system(), &token.curve)?;
        Ok(Search::of(batch, token, Fixed::Plain(token.points.clone())))
    }

    fn of(batch: Batch, token: &Token, fixed: Fixed) -> Search {
        let meets = token.scheme.meets(token.length, &token.places);
        let batch = for_rows(batch, token.scheme);
        Search { batch, form: Form::of(token), fixed, meets }
    }

    /// The pairings that a row costs.
    pub fn pairings(&self) -> usize {
        self.meets.len()
    }

    /// Of which rows the predicate holds. An error is that of its row.
    pub fn matches(&self, rows: &[&[u8]]) -> Vec<Result<bool, DecodeError>> {
        self.open(rows).into_iter().map(|row| row.map(|message| message.is_some())).collect()
    }

    /// The messages of the rows of which the predicate holds.
    pub fn open(&self, rows: &[&[u8]]) -> Vec<Opened> {
        let len = self.batch.system().point_len(Group::G1);
        let read: Vec<_> = rows.iter().map(|row| self.form.read(row, len)).collect();
        // the pairing checks these points as it reads them
        self.open_with(&read, |row, i| Ok(PointRef::Bytes(read[row].as_ref().map_or(&[], |row| row.points[i]))))
    }

    /// As [`Search::open`], of rows that have been read, whose points are had by row and place.
    pub(super) fn open_with<'p>(
        &self,
        read: &[Result<Row<'_>, DecodeError>],
        point: impl Fn(usize, usize) -> Result<PointRef<'p>, PointError>,
    ) -> Vec<Opened> {
        let mut points = Vec::with_capacity(read.len() * self.meets.len());
        let ready: Vec<Result<&Row<'_>, DecodeError>> = read
            .iter()
            .enumerate()
            .map(|(index, row)| {
                let row = row.as_ref().map_err(|error| *error)?;
                let all = self.meets.iter().map(|i| point(index, *i).map_err(|reason| self.bad_point(*i, reason)));
                points.extend(all.collect::<Result<Vec<_>, _>>()?);
                Ok(row)
            })
            .collect();
        let groups: Vec<Range<usize>> =
            (0..points.len() / self.meets.len()).map(|i| i * self.meets.len()..(i + 1) * self.meets.len()).collect();
        if !self.form.scheme.has_message() {
            return self.each(&ready, self.checks(&points, &groups), |_, holds| holds.then(Zeroizing::default));
        }
        // anybody can make rows whose product is 1, of points outside the group; for those of the public key it is as likely as that a prime
        // of the order divides a random number
        let one = self.batch.system().gt_one();
        self.each(&ready, self.products(&points, &groups), |row, key: Gt| {
            let (before, sealed) = row.sealed.filter(|_| key != one)?;
            sealed::open(key.bytes(), before, sealed)
        })
    }

    /// The product of each group of points with those of the token.
    fn products(&self, points: &[PointRef<'_>], groups: &[Range<usize>]) -> Vec<Result<Gt, RowError>> {
        match &self.fixed {
            Fixed::Prepared(fixed) => self.batch.product_with(fixed, points, &with_fixed(groups)),
            Fixed::Plain(fixed) => self.batch.product(&pairs(side(self.batch.system()), fixed, points), groups),
        }
    }

    /// Whether it is 1.
    fn checks(&self, points: &[PointRef<'_>], groups: &[Range<usize>]) -> Vec<Result<bool, RowError>> {
        match &self.fixed {
            Fixed::Prepared(fixed) => self.batch.check_with(fixed, points, &with_fixed(groups)),
            Fixed::Plain(fixed) => self.batch.check(&pairs(side(self.batch.system()), fixed, points), groups),
        }
    }

    /// What comes of each row: the values are those of the rows that are ready.
    fn each<T>(
        &self,
        ready: &[Result<&Row<'_>, DecodeError>],
        values: Vec<Result<T, RowError>>,
        opened: impl Fn(&Row<'_>, T) -> Option<Zeroizing<Vec<u8>>>,
    ) -> Vec<Opened> {
        let mut values = values.into_iter();
        let outcome = |row: &Result<&Row<'_>, DecodeError>| {
            let row = (*row)?;
            let value = values.next().unwrap_or_else(|| unreachable!("one value for each row that is ready"));
            let value =
                value.map_err(|error| self.bad_point(self.meets[error.row % self.meets.len()], error.reason))?;
            Ok(opened(row, value))
        };
        ready.iter().map(outcome).collect()
    }

    /// What is wrong with a row's point of this index.
    fn bad_point(&self, index: usize, reason: PointError) -> DecodeError {
        let at = BEFORE + index * self.batch.system().point_len(Group::G1);
        DecodeError { what: Kind::Ciphertext, at, reason: Reason::Point(reason) }
    }
}

/// A batch for rows of a scheme: it checks their points in full where [`needs_group`] says so, else as it did.
pub(super) fn for_rows(batch: Batch, scheme: Scheme) -> Batch {
    if needs_group(batch.system(), scheme) { batch.validate(Validate::Subgroup) } else { batch }
}

/// Whether the points of rows have to be in the group. Without messages a row of points outside it, whose pairings are 1, would match
/// every token. And e(P, Q) is that of P's part in the group only if the function belongs to the token's point Q, as in the ate pairings, and
/// is evaluated at P; where G1 and G2 are one group either argument will do. The function of Tate's and Weil's is f with the divisor
/// r(P) − r(O), which there is only for a P of order r.
fn needs_group(system: &System, scheme: Scheme) -> bool {
    let of_token = matches!(system.pairing(), PairingKind::OptAte | PairingKind::Ate | PairingKind::RAte);
    !scheme.has_message() || !(system.is_symmetric() || of_token)
}

/// The argument that points of tokens are: rows are in G1, which is either on a symmetric curve.
fn side(system: &System) -> Side {
    if system.is_symmetric() { system.fixed_side() } else { Side::Q }
}

/// Groups whose first points meet the first of the token.
fn with_fixed(groups: &[Range<usize>]) -> Vec<FixedRows> {
    groups.iter().map(|rows| FixedRows { rows: rows.clone(), first_fixed: 0 }).collect()
}

/// The points of rows beside those of the token, which come again in each row.
fn pairs<'p>(side: Side, fixed: &'p [Point], points: &[PointRef<'p>]) -> Vec<(PointRef<'p>, PointRef<'p>)> {
    let pair = |(k, c): (&'p Point, &PointRef<'p>)| match side {
        Side::P => (k.as_ref(), *c),
        Side::Q => (*c, k.as_ref()),
    };
    fixed.iter().cycle().zip(points).map(pair).collect()
}
