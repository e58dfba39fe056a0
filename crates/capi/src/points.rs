//! Points: encodings, multiples, sums, negatives, hashes and random ones.

use crate::code::Code;
use crate::context::{Context, PointForm};
use crate::fault::Fault;
use crate::groups::ranges;
use crate::table::{points, secrets};
use bilinear_engine::{Group, Point, PointError, System, groups_in_place, in_place};
use std::ops::Range;

/// An outcome for each of many points.
pub(crate) type Points = Vec<Result<Point, Fault>>;

/// Returns the bytes of a point in a form.
pub(crate) fn written(system: &System, form: PointForm, point: &Point) -> Result<Vec<u8>, Fault> {
    match form {
        PointForm::Full => Ok(system.encode(point)),
        PointForm::Compressed => system
            .compressed(point)
            .ok_or_else(|| Fault::new(Code::BilinearErrorInfinity, "the point at infinity has no compressed encoding")),
        PointForm::As(encoding) => Ok(system.encode_as(encoding, point)?),
    }
}

/// The points of an array, with operations on them.
pub(crate) struct Input<'a> {
    pub(crate) context: &'a Context,
    pub(crate) group: Group,
    pub(crate) flags: u32,
    pub(crate) bytes: &'a [u8],
    pub(crate) rows: usize,
}

fn of_row((row, point): (usize, Result<Point, PointError>)) -> Result<Point, Fault> {
    point.map_err(|error| Fault::from(error).at(row))
}

impl Input<'_> {
    /// Checks and reads the points.
    pub(crate) fn read(&self, form: PointForm) -> Result<Points, Fault> {
        let (system, (batch, _)) = (self.context.system(), self.context.checks(self.flags)?);
        let encoding = match form {
            // full and compressed points are told apart by their length
            PointForm::Full | PointForm::Compressed => None,
            PointForm::As(encoding) => Some(encoding),
        };
        let given = points("points", system, self.group, encoding, self.bytes, self.rows)?;
        Ok(batch.decode(self.group, &given).into_iter().enumerate().map(of_row).collect())
    }

    /// Returns the points in another encoding.
    pub(crate) fn converted(&self, from: PointForm, to: PointForm) -> Result<Vec<Result<Vec<u8>, Fault>>, Fault> {
        let write = |(row, point): (usize, Result<Point, Fault>)| {
            written(self.context.system(), to, &point?).map_err(|fault| fault.at(row))
        };
        Ok(self.read(from)?.into_iter().enumerate().map(write).collect())
    }

    /// Returns kP of every row.
    pub(crate) fn multiples(&self, scalars: &[u8]) -> Result<Points, Fault> {
        let scalars = secrets("scalars", scalars, self.rows)?;
        let terms = scalars.into_iter().zip(self.read(PointForm::Full)?).map(|(k, point)| Ok((k, point?)));
        Ok(in_place(terms, |terms| self.context.batch().mul_secret(self.group, &terms)))
    }

    /// Returns −P of every row.
    pub(crate) fn negatives(&self) -> Result<Points, Fault> {
        let system = self.context.system();
        Ok(self.read(PointForm::Full)?.into_iter().map(|point| point.map(|point| system.neg(&point))).collect())
    }

    /// Returns the sum of each group of rows. The first bad row of a group is the outcome of the group.
    pub(crate) fn sums(&self, lengths: Option<&[usize]>, count: usize) -> Result<Points, Fault> {
        let groups = ranges(("sums", "rows"), lengths, count, self.rows)?;
        let sums = |points: &[Point], ranges: &[_]| self.context.batch().sums(self.group, points, ranges);
        Ok(groups_in_place(self.read(PointForm::Full)?, groups.iter().map(Range::len), sums))
    }
}

/// Returns the points to which messages are hashed. The messages lie one behind the other.
pub(crate) fn hashes(
    context: &Context,
    group: Group,
    messages: &[u8],
    lengths: Option<&[usize]>,
    count: usize,
    dst: &[u8],
) -> Result<Points, Fault> {
    let ranges = match lengths {
        None if messages.is_empty() => vec![0..0; count],
        lengths => ranges(("messages", "bytes"), lengths, count, messages.len())?,
    };
    let messages: Vec<&[u8]> = ranges.into_iter().map(|range| &messages[range]).collect();
    Ok(context.batch().hash_to_curve(group, &messages, dst)?.into_iter().map(Ok).collect())
}
