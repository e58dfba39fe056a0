//! Search: one token against many rows. A row is one product of prepared pairings, which share their squarings. Rows
//! are read in place, and an invalid row fails alone.

use super::PredicateError;
use super::row::{BEFORE, Form, Row};
use super::scheme::Scheme;
use super::token::Token;
use crate::encoding::{DecodeError, DecodeErrorReason, ObjectKind, belongs};
use crate::sealed;
use bilinear_engine::{
    Batch, Group, Gt, PairingKind, Point, PointError, PointRef, Prepared, PreparedRows, RowError, Side, System,
    Validate, in_place,
};
use std::ops::Range;
use zeroize::Zeroizing;

#[cfg(test)]
mod tests;

/// A prepared token. Safe to share between threads.
pub struct Search {
    batch: Batch,
    pub(super) form: Form,
    fixed: Fixed,
    /// The indices of the points of a row that are paired with the token's points.
    pub(super) paired_points: Vec<usize>,
}

/// The points of a token.
enum Fixed {
    Prepared(Vec<Prepared>),
    Plain(Vec<Point>),
}

/// The result of a search for one row. If the predicate holds, it is the message, which is empty if the scheme has no
/// messages; otherwise `None`. An error belongs to the row.
pub type Opened = Result<Option<Zeroizing<Vec<u8>>>, DecodeError>;

impl Search {
    /// Prepares a token for a batch, which determines on how many threads rows are searched, and how thoroughly their
    /// points are checked. [`Validate::OnCurve`] takes less time. It does not affect the matches of rows made by
    /// [`PublicKey::encrypt`](super::PublicKey::encrypt), and other rows match no more often: the part of a point
    /// outside the group changes no pairing with a point of the token, and a product of 1, as that of a row without a
    /// part in the group, is not a match.
    ///
    /// Where this argument does not hold, rows are checked in full whatever the batch demands: without messages,
    /// since there 1 is the match; and with the Tate and Weil pairings of two groups, as on types D, E and G, whose
    /// functions belong to the row's point.
    ///
    /// If the curve's pairing prepares points of G1 only (types D and G), tokens over a prime order, whose points are
    /// in G2, are not prepared.
    ///
    /// # Errors
    /// Returns [`PredicateError::Curve`].
    pub fn new(batch: Batch, token: &Token) -> Result<Search, PredicateError> {
        belongs(batch.system(), &token.curve)?;
        let system = batch.system();
        let fixed = token.points.iter().map(|p| system.prepare(side(system), p)).collect::<Result<_, _>>();
        let fixed = fixed.map_or_else(|_| Fixed::Plain(token.points.clone()), Fixed::Prepared);
        Ok(Search::of(batch, token, fixed))
    }

    /// Creates a search with a token whose points are not prepared: each pairing is computed in full, from both of
    /// its points. The results are the same, but take more time. This serves to check a [`Search::new`] on another
    /// engine.
    ///
    /// # Errors
    /// Returns [`PredicateError::Curve`].
    pub fn unprepared(batch: Batch, token: &Token) -> Result<Search, PredicateError> {
        belongs(batch.system(), &token.curve)?;
        Ok(Search::of(batch, token, Fixed::Plain(token.points.clone())))
    }

    fn of(batch: Batch, token: &Token, fixed: Fixed) -> Search {
        let paired_points = token.scheme.paired_points(token.length, &token.places);
        let batch = for_rows(batch, token.scheme);
        Search { batch, form: Form::of(token), fixed, paired_points }
    }

    /// The number of pairings that a row costs.
    pub fn pairings(&self) -> usize {
        self.paired_points.len()
    }

    /// Returns of which rows the predicate holds. An error belongs to its row.
    pub fn matches(&self, rows: &[&[u8]]) -> Vec<Result<bool, DecodeError>> {
        self.open(rows).into_iter().map(|row| row.map(|message| message.is_some())).collect()
    }

    /// Returns the messages of the rows of which the predicate holds.
    pub fn open(&self, rows: &[&[u8]]) -> Vec<Opened> {
        let len = self.batch.system().point_len(Group::G1);
        let read: Vec<_> = rows.iter().map(|row| self.form.read(row, len)).collect();
        // the pairing checks these points as it reads them
        self.open_with(&read, |row, i| Ok(PointRef::Bytes(read[row].as_ref().map_or(&[], |row| row.points[i]))))
    }

    /// Like [`Search::open`], for rows that have been read; `point` returns a point by row and index.
    pub(super) fn open_with<'p>(
        &self,
        read: &[Result<Row<'_>, DecodeError>],
        point: impl Fn(usize, usize) -> Result<PointRef<'p>, PointError>,
    ) -> Vec<Opened> {
        let mut points = Vec::with_capacity(read.len() * self.paired_points.len());
        let ready: Vec<Result<&Row<'_>, DecodeError>> = read
            .iter()
            .enumerate()
            .map(|(index, row)| {
                let row = row.as_ref().map_err(|error| *error)?;
                let all =
                    self.paired_points.iter().map(|i| point(index, *i).map_err(|reason| self.bad_point(*i, reason)));
                points.extend(all.collect::<Result<Vec<_>, _>>()?);
                Ok(row)
            })
            .collect();
        let groups: Vec<Range<usize>> = (0..points.len() / self.paired_points.len())
            .map(|i| i * self.paired_points.len()..(i + 1) * self.paired_points.len())
            .collect();
        if !self.form.scheme.has_message() {
            return self.each(ready, self.checks(&points, &groups), |_, holds| holds.then(Zeroizing::default));
        }
        // anyone can make rows of points outside the group whose product is 1; for rows of the public key that is as
        // unlikely as that a prime of the order divides a random number
        let one = self.batch.system().gt_one();
        self.each(ready, self.products(&points, &groups), |row, key: Gt| {
            let (before, sealed) = row.sealed.filter(|_| key != one)?;
            sealed::open(key.bytes(), before, sealed)
        })
    }

    /// Computes the product of each group of points with the points of the token.
    fn products(&self, points: &[PointRef<'_>], groups: &[Range<usize>]) -> Vec<Result<Gt, RowError>> {
        match &self.fixed {
            Fixed::Prepared(fixed) => self.batch.product_prepared(fixed, points, &with_fixed(groups)),
            Fixed::Plain(fixed) => self.batch.product(&pairs(side(self.batch.system()), fixed, points), groups),
        }
    }

    /// Checks for each group of points whether the product with the points of the token is 1.
    fn checks(&self, points: &[PointRef<'_>], groups: &[Range<usize>]) -> Vec<Result<bool, RowError>> {
        match &self.fixed {
            Fixed::Prepared(fixed) => self.batch.check_prepared(fixed, points, &with_fixed(groups)),
            Fixed::Plain(fixed) => self.batch.check(&pairs(side(self.batch.system()), fixed, points), groups),
        }
    }

    /// Returns the outcome of each row; the values are those of the rows that are ready.
    fn each<T>(
        &self,
        ready: Vec<Result<&Row<'_>, DecodeError>>,
        values: Vec<Result<T, RowError>>,
        opened: impl Fn(&Row<'_>, T) -> Option<Zeroizing<Vec<u8>>>,
    ) -> Vec<Opened> {
        let outcome = |(row, value): (&Row<'_>, Result<T, RowError>)| {
            let value = value.map_err(|error| {
                self.bad_point(self.paired_points[error.row % self.paired_points.len()], error.reason)
            })?;
            Ok(opened(row, value))
        };
        let outcomes = in_place(ready, |rows| rows.into_iter().zip(values).map(outcome).collect());
        outcomes.into_iter().map(Result::flatten).collect()
    }

    /// Creates the error for the point with this index of a row.
    fn bad_point(&self, index: usize, reason: PointError) -> DecodeError {
        let at = BEFORE + index * self.batch.system().point_len(Group::G1);
        DecodeError { what: ObjectKind::Ciphertext, at, reason: DecodeErrorReason::Point(reason) }
    }
}

/// The batch for rows of a scheme: it checks their points in full if [`needs_group`] says so, else as before.
pub(super) fn for_rows(batch: Batch, scheme: Scheme) -> Batch {
    if needs_group(batch.system(), scheme) { batch.validate(Validate::Subgroup) } else { batch }
}

/// Returns true if the points of rows must be in the group. Without messages a row of points outside the group, whose
/// pairings are 1, would match every token. With messages, e(P, Q) must equal that of P's part in the group. That
/// holds only if the function belongs to the token's point Q, as in the ate pairings, and is evaluated at P; if G1
/// and G2 are one group, either argument will do. The function of the Tate and Weil pairings is f with the divisor
/// r(P) − r(O), which exists only for a P of order r.
fn needs_group(system: &System, scheme: Scheme) -> bool {
    let of_token = matches!(system.pairing(), PairingKind::OptAte | PairingKind::Ate | PairingKind::RAte);
    !scheme.has_message() || !(system.is_symmetric() || of_token)
}

/// The argument of the pairing that points of tokens are. Points of rows are in G1, which can be either argument on a
/// symmetric curve.
fn side(system: &System) -> Side {
    if system.is_symmetric() { system.fixed_side() } else { Side::Q }
}

/// The groups of rows, whose first points are paired with the first point of the token.
fn with_fixed(groups: &[Range<usize>]) -> Vec<PreparedRows> {
    groups.iter().map(|rows| PreparedRows { rows: rows.clone(), first_prepared: 0 }).collect()
}

/// Pairs the points of rows with those of the token, which repeat in each row.
fn pairs<'p>(side: Side, fixed: &'p [Point], points: &[PointRef<'p>]) -> Vec<(PointRef<'p>, PointRef<'p>)> {
    let pair = |(k, c): (&'p Point, &PointRef<'p>)| match side {
        Side::P => (k.as_ref(), *c),
        Side::Q => (*c, k.as_ref()),
    };
    fixed.iter().cycle().zip(points).map(pair).collect()
}
