//! Products of lists of values, by a tree: all products of one level are one call.

use bilinear_field::CollectVec;
use std::sync::Arc;

/// A function that multiplies pairs of values.
type Mul<'m> = dyn Fn(&[[&[u8]; 2]]) -> Vec<Arc<[u8]>> + 'm;

/// Computes the product of each list by `mul`; `None` for an empty list.
pub(crate) fn multiplied(mut lists: Vec<Vec<Arc<[u8]>>>, mul: &Mul<'_>) -> Vec<Option<Arc<[u8]>>> {
    while lists.iter().any(|list| list.len() > 1) {
        let pairs = lists.iter().flat_map(|list| list.chunks_exact(2));
        let pairs: Vec<[&[u8]; 2]> = pairs.map(|pair| [&*pair[0], &*pair[1]]).collect_vec();
        let mut products = mul(&pairs).into_iter();
        for list in &mut lists {
            let odd = list.split_off(list.len() / 2 * 2);
            *list = products.by_ref().take(list.len() / 2).chain(odd).collect_vec();
        }
    }
    lists.into_iter().map(|list| list.into_iter().next()).collect_vec()
}
