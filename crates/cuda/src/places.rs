//! The memory of a stage: places for its values by their lifetimes, as registers are assigned.
//!
//! A value lives from the bundle that makes it to the last that reads it. Its place is free for what later bundles make; with one
//! lane already for what its last reader makes, since an operation reads everything before it writes.

use crate::fuse::Line;
use crate::stages::size;
use bilinear_field::Kind;
use std::collections::HashMap;

/// The place of each value of a stage, and the words that all take.
pub(crate) fn assign(
    lines: &[Line],
    bundles: &[Vec<usize>],
    kinds: &[Kind],
    words: usize,
    width: usize,
) -> (HashMap<u32, u32>, u32) {
    let mut last: HashMap<u32, usize> = HashMap::new();
    for (at, bundle) in bundles.iter().enumerate() {
        for i in bundle {
            let reads = lines[*i].work.reads().into_iter().filter(|x| !x.is_constant());
            last.extend(reads.map(|x| (x.number() as u32, at)));
        }
    }
    let (mut places, mut total) = (HashMap::new(), 0);
    // places that are free, by kind
    let mut free: [Vec<u32>; 3] = Default::default();
    for (at, bundle) in bundles.iter().enumerate() {
        let made: Vec<u32> = bundle.iter().filter_map(|i| lines[*i].makes).collect();
        let mut read: Vec<u32> = bundle
            .iter()
            .flat_map(|i| lines[*i].work.reads())
            .filter(|x| !x.is_constant() && last[&(x.number() as u32)] == at)
            .map(|x| x.number() as u32)
            .collect();
        read.sort_unstable();
        read.dedup();
        let release = |free: &mut [Vec<u32>; 3], places: &HashMap<u32, u32>, values: &[u32]| {
            for v in values {
                free[kinds[*v as usize] as usize].push(places[v]);
            }
        };
        if width == 1 {
            release(&mut free, &places, &read);
        }
        for v in &made {
            let kind = kinds[*v as usize];
            let place = free[kind as usize].pop().unwrap_or_else(|| {
                total += size(kind, words);
                total - size(kind, words)
            });
            places.insert(*v, place);
        }
        if width > 1 {
            release(&mut free, &places, &read);
        }
        // what nobody reads
        let unread: Vec<u32> = made.into_iter().filter(|v| !last.contains_key(v)).collect();
        release(&mut free, &places, &unread);
    }
    (places, total)
}
