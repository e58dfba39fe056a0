//! Pairings, products of them, and checks of whether these are 1: rows in, an outcome for each product.

use crate::code::Code;
use crate::context::{BILINEAR_ON_CURVE, Context};
use crate::fault::Fault;
use crate::groups::ranges;
use crate::table::points;
use bilinear_engine::{Batch, Gt, Point, PointRef, Prepared, PreparedRows, RowError, Side, in_place};
use std::ops::Range;

/// A fixed argument with its precomputed lines. It belongs to the context that prepared it, which may be freed before it.
pub struct PreparedArgument {
    context: Context,
    prepared: Prepared,
}

impl PreparedArgument {
    /// Prepares a point: a point of G1 as the first argument, a point of G2 as the second.
    pub(crate) fn new(context: &Context, side: Side, point: &Point) -> Result<PreparedArgument, Fault> {
        Ok(PreparedArgument { context: context.clone(), prepared: context.system().prepare(side, point)? })
    }

    /// Returns the pairing with the other argument, which `other` finds for its side.
    pub(crate) fn pair<'a>(
        &self,
        context: &Context,
        other: impl FnOnce(Side) -> Result<&'a Point, Fault>,
    ) -> Result<Gt, Fault> {
        if !self.context.is(context) {
            return Err(Fault::new(Code::BilinearErrorContext, "the argument was prepared by another context"));
        }
        let other = other(self.prepared.side().other())?;
        // a point that was read as one on the curve is taken as one
        let batch = context.checking(BILINEAR_ON_CURVE)?;
        Ok(batch.pair_prepared(&self.prepared, &[other.as_ref()]).remove(0)?)
    }
}

/// The rows of a call, and their division into products.
pub(crate) struct Rows<'a> {
    pub(crate) context: &'a Context,
    pub(crate) flags: u32,
    pub(crate) rows: usize,
    pub(crate) lengths: Option<&'a [usize]>,
    pub(crate) products: usize,
}

/// A computation on each product.
pub(crate) struct Work<T> {
    moving: Moving<T>,
    fixed: Fixed<T>,
}

type Pair<'a> = (PointRef<'a>, PointRef<'a>);
type Moving<T> = fn(&Batch, &[Pair<'_>], &[Range<usize>]) -> Vec<Result<T, RowError>>;
type Fixed<T> = fn(&Batch, &[Prepared], &[PointRef<'_>], &[PreparedRows]) -> Vec<Result<T, RowError>>;

/// The product of e(P, Q).
pub(crate) const PRODUCTS: Work<Gt> =
    Work { moving: |batch, rows, groups| batch.product(rows, groups), fixed: Batch::product_prepared };
/// Whether the product of e(P, Q) is 1.
pub(crate) const CHECKS: Work<bool> =
    Work { moving: |batch, rows, groups| batch.check(rows, groups), fixed: Batch::check_prepared };

type Outcomes<T> = Vec<Result<T, Fault>>;

fn outcomes<T>(values: Vec<Result<T, RowError>>) -> Outcomes<T> {
    values.into_iter().map(|value| value.map_err(Fault::from)).collect()
}

/// Returns a group with the prepared arguments of its rows: all of them, if the group has rows.
fn with_prepared(rows: Range<usize>, fixed: usize) -> Result<PreparedRows, Fault> {
    let len = rows.len();
    if len == 0 || len == fixed {
        return Ok(PreparedRows { rows, first_prepared: 0 });
    }
    let reason = if len < fixed {
        format!("the group has fewer rows ({len}) than there are fixed points ({fixed})")
    } else {
        format!("the group has more rows than there are fixed points ({fixed})")
    };
    Err(Fault::new(Code::BilinearErrorFixedCount, reason).at(rows.start + fixed.min(len - 1)))
}

impl Rows<'_> {
    /// Returns e(P, Q) of every row.
    pub(crate) fn pair(&self, p: &[u8], q: &[u8]) -> Result<Outcomes<Gt>, Fault> {
        Ok(outcomes(self.context.checking(self.flags)?.pair(&self.pairs(p, q)?)))
    }

    /// Computes each product from rows with both arguments.
    pub(crate) fn compute<T>(&self, work: &Work<T>, p: &[u8], q: &[u8]) -> Result<Outcomes<T>, Fault> {
        let groups = ranges(("products", "rows"), self.lengths, self.products, self.rows)?;
        Ok(outcomes((work.moving)(&self.context.checking(self.flags)?, &self.pairs(p, q)?, &groups)))
    }

    /// Computes each product from prepared arguments, which the rows of the product meet in turn, and the other arguments.
    pub(crate) fn compute_prepared<T>(
        &self,
        work: &Work<T>,
        fixed: &[&PreparedArgument],
        others: &[u8],
    ) -> Result<Outcomes<T>, Fault> {
        if let Some(i) = fixed.iter().position(|argument| !argument.context.is(self.context)) {
            return Err(Fault::new(
                Code::BilinearErrorContext,
                format!("argument {i} was prepared by another context"),
            ));
        }
        let groups = ranges(("products", "rows"), self.lengths, self.products, self.rows)?;
        let system = self.context.system();
        let side = fixed.first().map_or(system.fixed_side(), |argument| argument.prepared.side()).other();
        let others = points("the other arguments", system, side.group(), None, others, self.rows)?;
        let fixed: Vec<Prepared> = fixed.iter().map(|argument| argument.prepared.clone()).collect();
        let groups = groups.into_iter().map(|rows| with_prepared(rows, fixed.len()));
        let batch = self.context.checking(self.flags)?;
        let computed = in_place(groups, |groups| (work.fixed)(&batch, &fixed, &others, &groups));
        Ok(computed.into_iter().map(|outcome| Ok(outcome??)).collect())
    }

    fn pairs<'a>(&self, p: &'a [u8], q: &'a [u8]) -> Result<Vec<Pair<'a>>, Fault> {
        let of = |what, side: Side, bytes| points(what, self.context.system(), side.group(), None, bytes, self.rows);
        Ok(of("p", Side::P, p)?.into_iter().zip(of("q", Side::Q, q)?).collect())
    }
}
