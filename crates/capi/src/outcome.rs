//! Outcomes of many values: the good ones go on together, and what becomes of them returns to their places.

use crate::fault::Fault;
use std::ops::Range;

/// What was made of the good ones, in order, in their places.
pub(crate) fn in_place<T, U>(outcomes: Vec<Result<T, Fault>>, made: Vec<U>) -> Vec<Result<U, Fault>> {
    let mut made = made.into_iter();
    let mut next = || made.next().unwrap_or_else(|| unreachable!("something for every good one"));
    outcomes.into_iter().map(|outcome| outcome.map(|_| next())).collect()
}

/// The values of the groups that have no bad one, one behind the other, and their ranges there; the first bad value of another group.
pub(crate) fn whole<T: Clone>(
    values: &[Result<T, Fault>],
    groups: Vec<Range<usize>>,
) -> (Vec<T>, Vec<Result<Range<usize>, Fault>>) {
    let mut good = Vec::with_capacity(values.len());
    let outcome = |group: Range<usize>| {
        let start = good.len();
        good.extend(values[group].iter().cloned().collect::<Result<Vec<T>, Fault>>()?);
        Ok(start..good.len())
    };
    let outcomes = groups.into_iter().map(outcome).collect();
    (good, outcomes)
}
