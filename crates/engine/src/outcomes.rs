//! Outcomes of work on those of some values that are valid.

use bilinear_field::CollectVec;

/// Replaces the valid values by what `work` computes from all of them; the errors stay in their places.
pub(crate) fn in_place<T, U, E>(
    values: impl Iterator<Item = Result<T, E>>,
    work: impl FnOnce(&[T]) -> Vec<U>,
) -> Vec<Result<U, E>> {
    let mut good = vec![];
    let places = values.map(|value| value.map(|value| good.push(value))).collect_vec();
    let mut made = work(&good).into_iter();
    let mut next = || made.next().unwrap_or_else(|| unreachable!("one outcome for every good value"));
    places.into_iter().map(|place| place.map(|()| next())).collect_vec()
}
