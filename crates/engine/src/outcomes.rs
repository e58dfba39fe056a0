//! Outcomes of work on those of some values that are valid.

use bilinear_field::CollectVec;
use std::convert::Infallible;
use std::ops::Range;

/// Replaces the valid values by what `work` computes from all of them, in order; the errors stay in their places. So a
/// batch fills lanes and threads although some of its rows are bad.
pub fn in_place<T, U, E>(
    values: impl IntoIterator<Item = Result<T, E>>,
    work: impl FnOnce(Vec<T>) -> Vec<U>,
) -> Vec<Result<U, E>> {
    let Ok(outcomes) = try_in_place(values, |good| Ok::<_, Infallible>(work(good)));
    outcomes
}

/// Like [`in_place`], for work that can fail as a whole.
///
/// # Errors
/// Returns the error of `work`.
pub fn try_in_place<T, U, E, F>(
    values: impl IntoIterator<Item = Result<T, E>>,
    work: impl FnOnce(Vec<T>) -> Result<Vec<U>, F>,
) -> Result<Vec<Result<U, E>>, F> {
    let mut good = vec![];
    let places = values.into_iter().map(|value| value.map(|value| good.push(value))).collect_vec();
    let mut made = work(good)?.into_iter();
    let mut next = || made.next().unwrap_or_else(|| unreachable!("one outcome for every good value"));
    Ok(places.into_iter().map(|place| place.map(|()| next())).collect_vec())
}

/// Like [`in_place`], for groups of adjacent values of the given lengths. `work` computes an outcome for each group
/// without an error, from the values of all these groups and the range of each among them. The outcome of any other
/// group is its first error.
pub fn groups_in_place<T, U, E>(
    values: impl IntoIterator<Item = Result<T, E>>,
    lengths: impl IntoIterator<Item = usize>,
    work: impl FnOnce(&[T], &[Range<usize>]) -> Vec<U>,
) -> Vec<Result<U, E>> {
    let (mut values, mut good) = (values.into_iter(), vec![]);
    let group = |len| {
        let start = good.len();
        // takes all values of the group, also those behind an error
        let group = values.by_ref().take(len).collect_vec();
        good.extend(group.into_iter().collect::<Result<Vec<T>, E>>()?);
        Ok(start..good.len())
    };
    let ranges = lengths.into_iter().map(group).collect_vec();
    in_place(ranges, |ranges| work(&good, &ranges))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_stay_in_their_places() {
        let values = || [Ok(1), Err('a'), Ok(2), Ok(3), Err('b'), Ok(4)];
        let doubled = in_place(values(), |good| good.into_iter().map(|x| 2 * x).collect());
        assert_eq!(doubled, [Ok(2), Err('a'), Ok(4), Ok(6), Err('b'), Ok(8)]);
        assert_eq!(try_in_place(values(), |_| Err::<Vec<()>, _>("no")), Err("no"));
        let sum = |values: &[i32], range: &Range<usize>| values[range.clone()].iter().sum::<i32>();
        let sums = groups_in_place(values(), [1, 2, 0, 1, 1, 1], |values, ranges| {
            ranges.iter().map(|range| sum(values, range)).collect()
        });
        assert_eq!(sums, [Ok(1), Err('a'), Ok(0), Ok(3), Err('b'), Ok(4)]);
    }
}
