//! Multiples of points other than single ones: sums of many multiples, and multiples of a fixed point by tables.

use crate::code::Code;
use crate::context::{Context, PointForm};
use crate::fault::Fault;
use crate::groups::ranges;
use crate::points::{Input, Points};
use crate::table::rows;
use bilinear_engine::{BigUint, FixedBase, Group, MAX_SECRET, Point, groups_in_place, try_in_place};
use std::ops::Range;

/// A point with tables of its multiples. It belongs to the context that made it, which may be freed before it.
pub struct Base {
    context: Context,
    group: Group,
    base: FixedBase,
    scalar_len: usize,
}

impl Base {
    /// Creates a base for scalars of at most `scalar_len` bytes.
    pub(crate) fn new(input: &Input<'_>, scalar_len: usize) -> Result<Base, Fault> {
        if !(1..=MAX_SECRET).contains(&scalar_len) {
            let message = format!("scalars of {scalar_len} bytes: 1 to {MAX_SECRET} are allowed");
            return Err(Fault::new(Code::BilinearErrorArgument, message));
        }
        let (context, group) = (input.context.clone(), input.group);
        let point = input.read(PointForm::Full)?.remove(0)?;
        let base = context.batch().fixed_bases(group, &[point], scalar_len).remove(0);
        Ok(Base { context, group, base, scalar_len })
    }

    pub(crate) fn group(&self) -> Group {
        self.group
    }

    /// Returns kP for each scalar k.
    pub(crate) fn multiples(&self, context: &Context, scalars: &[u8], count: usize) -> Result<Points, Fault> {
        if !self.context.is(context) {
            return Err(Fault::new(Code::BilinearErrorContext, "the base was made by another context"));
        }
        let scalars = rows("scalars", scalars, count)?;
        let len = scalars.first().map_or(0, |scalar| scalar.len());
        if len > self.scalar_len {
            let message = format!("scalars of {len} bytes: the base was made for {}", self.scalar_len);
            return Err(Fault::new(Code::BilinearErrorLength, message));
        }
        let sums: Vec<Vec<(&[u8], &FixedBase)>> = scalars.into_iter().map(|k| vec![(k, &self.base)]).collect();
        Ok(context.batch().fixed_sums(self.group, &sums).into_iter().map(Ok).collect())
    }
}

impl Input<'_> {
    /// Returns Σ kP of each group of rows, in variable time. The first bad row of a group is the outcome of the group.
    pub(crate) fn msms(&self, scalars: &[u8], lengths: Option<&[usize]>, count: usize) -> Result<Points, Fault> {
        let groups = ranges(("sums", "rows"), lengths, count, self.rows)?;
        let scalars = rows("scalars", scalars, self.rows)?;
        let term = |(k, point): (&&[u8], Result<Point, Fault>)| Ok((BigUint::from_bytes_be(k), point?));
        let terms = scalars.iter().zip(self.read(PointForm::Full)?).map(term);
        let batch = self.context.batch();
        Ok(groups_in_place(terms, groups.iter().map(Range::len), |terms, ranges| {
            ranges.iter().map(|range| batch.msm(self.group, &terms[range.clone()])).collect()
        }))
    }

    /// Returns the component of every row in the prime-order subgroup with this number, from 0.
    pub(crate) fn components(&self, index: usize) -> Result<Points, Fault> {
        let project = |points: Vec<Point>| self.context.batch().project(index, &points);
        Ok(try_in_place(self.read(PointForm::Full)?, project)?)
    }
}
