//! Outcomes of many values: the good values are processed together, and the results return to their places.

use crate::fault::Fault;
use std::ops::Range;

/// Puts the results of the good values, which are in order, in the places of these values.
pub(crate) fn in_place<T, U>(outcomes: Vec<Result<T, Fault>>, made: Vec<U>) -> Vec<Result<U, Fault>> {
    let mut made = made.into_iter();
    let mut next = || made.next().unwrap_or_else(|| unreachable!("something for every good one"));
    outcomes.into_iter().map(|outcome| outcome.map(|_| next())).collect()
}

/// Returns the values of the groups that have no bad one, one behind the other, and the range of each such group
/// among them; for any other group, its first bad value.
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
