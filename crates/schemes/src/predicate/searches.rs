//! Several tokens in one pass: each row is read once, and each of its points that some token reads is checked once.

use super::PredicateError;
use super::row::Row;
use super::search::{Opened, Search, for_rows};
use super::token::Token;
use crate::encoding::DecodeError;
use bilinear_engine::{Batch, Group, Point, PointError, PointRef};

/// Prepared tokens of one key. Safe to share between threads.
pub struct Searches {
    batch: Batch,
    searches: Vec<Search>,
    /// The indices of the points of a row that some token reads, ascending.
    union: Vec<usize>,
}

impl Searches {
    /// Prepares tokens for a batch, as [`Search::new`] does.
    ///
    /// # Errors
    /// Returns [`PredicateError::Curve`], or [`PredicateError::Token`] if a token belongs to another key than the
    /// first.
    pub fn new(batch: Batch, tokens: &[Token]) -> Result<Searches, PredicateError> {
        let batch = match tokens.first() {
            Some(token) => for_rows(batch, token.scheme),
            None => batch,
        };
        let searches = tokens.iter().map(|token| Search::new(batch.clone(), token)).collect::<Result<Vec<_>, _>>()?;
        let foreign = |search: &Search| Some(search.form) != searches.first().map(|first| first.form);
        if let Some(token) = searches.iter().position(foreign) {
            return Err(PredicateError::Token(token));
        }
        let mut union: Vec<usize> = searches.iter().flat_map(|search| search.paired_points.iter().copied()).collect();
        union.sort_unstable();
        union.dedup();
        Ok(Searches { batch, searches, union })
    }

    /// The number of pairings that a row costs, by token.
    pub fn pairings(&self) -> Vec<usize> {
        self.searches.iter().map(Search::pairings).collect()
    }

    /// Returns the results of [`Search::open`] with each token, by token and row. An invalid point is an error only
    /// for the tokens that read it.
    pub fn open(&self, rows: &[&[u8]]) -> Vec<Vec<Opened>> {
        let (Some(first), true) = (self.searches.first(), self.searches.len() > 1) else {
            return self.searches.iter().map(|search| search.open(rows)).collect();
        };
        let len = self.batch.system().point_len(Group::G1);
        let read: Vec<_> = rows.iter().map(|row| first.form.read(row, len)).collect();
        let points = Points::new(self, &read);
        self.searches
            .iter()
            .map(|search| -> Vec<Opened> { search.open_with(&read, |row, i| points.get(row, i)) })
            .collect()
    }
}

/// The checked points that tokens read.
struct Points<'s> {
    union: &'s [usize],
    /// The points of the rows that could be read, row by row.
    checked: Vec<Result<Point, PointError>>,
    /// The index of the first point of each row in `checked`.
    begin: Vec<usize>,
}

impl<'s> Points<'s> {
    fn new(searches: &'s Searches, read: &[Result<Row<'_>, DecodeError>]) -> Self {
        let union = &searches.union[..];
        let (mut encoded, mut begin) = (Vec::with_capacity(read.len() * union.len()), Vec::with_capacity(read.len()));
        for row in read {
            begin.push(encoded.len());
            encoded.extend(row.iter().flat_map(|row| union.iter().map(|i| PointRef::Bytes(row.points[*i]))));
        }
        Points { union, checked: searches.batch.decode(Group::G1, &encoded), begin }
    }

    fn get(&self, row: usize, index: usize) -> Result<PointRef<'_>, PointError> {
        let place =
            self.union.binary_search(&index).unwrap_or_else(|_| unreachable!("each token's points are among all"));
        self.checked[self.begin[row] + place].as_ref().map(Point::as_ref).map_err(|error| *error)
    }
}
