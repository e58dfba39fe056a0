//! The memory of a stage: places for its values by their lifetimes, as registers are assigned.
//!
//! A value lives from the bundle that makes it to the last one that reads it. Then its place is free for the values
//! of later bundles. With one lane it is already free for the value that its last reader makes, since an operation
//! reads everything before it writes.
//!
//! If the memory that a block shares is limited, the values with the most uses during their lives get it, and the
//! others lie far: tables of multiples, which a Miller loop rarely reads, leave the memory to the values that it
//! computes with.

use crate::fuse::Line;
use crate::record::FAR;
use crate::stages::Sizes;
use bilinear_field::Kind;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// The places of the values of a stage, and the sizes of both memories in words.
pub(crate) struct Places {
    pub(crate) of: HashMap<u32, u32>,
    pub(crate) near: u32,
    pub(crate) far: u32,
}

/// The life of a value: the bundles that make it and last read it, and how often it is written and read.
#[derive(Clone, Copy)]
struct LiveRange {
    made: usize,
    last: usize,
    uses: usize,
}

/// Assigns places, at most `words` words of them near, if there is such a limit.
pub(crate) fn assign(
    lines: &[Line],
    bundles: &[Vec<usize>],
    kinds: &[Kind],
    sizes: &Sizes,
    width: usize,
    words: Option<u32>,
) -> Places {
    let mut lives: HashMap<u32, LiveRange> = HashMap::new();
    for (at, bundle) in bundles.iter().enumerate() {
        for line in bundle.iter().map(|i| &lines[*i]) {
            for x in line.work.reads().iter().filter(|x| !x.is_constant()) {
                if let Some(life) = lives.get_mut(&(x.number() as u32)) {
                    (life.last, life.uses) = (at, life.uses + 1);
                }
            }
            lives.extend(line.makes.map(|v| (v, LiveRange { made: at, last: at, uses: 1 })));
        }
    }
    let size = |v: u32| sizes.of(kinds[v as usize]);
    let is_near = match words {
        Some(words) => near(&lives, bundles.len(), &size, words),
        None => lives.keys().copied().collect(),
    };
    let mut places = Places { of: HashMap::new(), near: 0, far: 0 };
    // free places, by memory and size
    let mut free: HashMap<(bool, u32), Vec<u32>> = HashMap::new();
    let mut ending: Vec<Vec<u32>> = vec![vec![]; bundles.len()];
    lives.iter().for_each(|(v, life)| ending[life.last].push(*v));
    for (at, bundle) in bundles.iter().enumerate() {
        let made: Vec<u32> = bundle.iter().filter_map(|i| lines[*i].makes).collect();
        let ends = &mut ending[at];
        ends.sort_unstable();
        // with one lane, values that are read here for the last time give way to those that are made here
        let (early, late): (Vec<u32>, Vec<u32>) = ends.iter().partition(|v| width == 1 && lives[v].made < at);
        let release = |free: &mut HashMap<(bool, u32), Vec<u32>>, places: &Places, values: &[u32]| {
            for v in values {
                let place = places.of[v];
                free.entry((place & FAR == 0, size(*v))).or_default().push(place);
            }
        };
        release(&mut free, &places, &early);
        for v in made {
            let near = is_near.contains(&v);
            let place = free.entry((near, size(v))).or_default().pop().unwrap_or_else(|| {
                let (total, mark) = if near { (&mut places.near, 0) } else { (&mut places.far, FAR) };
                *total += size(v);
                mark | (*total - size(v))
            });
            places.of.insert(v, place);
        }
        release(&mut free, &places, &late);
    }
    places
}

/// Chooses the values that lie near: all truth values, and of the others, as far as the words suffice, those with
/// the most uses for each bundle of their lives.
fn near(lives: &HashMap<u32, LiveRange>, bundles: usize, size: &impl Fn(u32) -> u32, words: u32) -> HashSet<u32> {
    let mut used = vec![0; bundles];
    let (masks, mut others): (Vec<_>, Vec<_>) = lives.iter().map(|(v, l)| (*v, *l)).partition(|(v, _)| size(*v) == 1);
    for (_, life) in &masks {
        used[life.made..=life.last].iter_mut().for_each(|used| *used += 1);
    }
    let words = words.saturating_sub(used.iter().copied().max().unwrap_or(0));
    used.fill(0);
    let mut chosen: HashSet<u32> = masks.into_iter().map(|(v, _)| v).collect();
    others.sort_by_key(|(v, life)| {
        let length = (life.last - life.made + 1) as u64;
        (Reverse(((life.uses as u64) << 32) / length), *v)
    });
    for (v, life) in others {
        let span = &mut used[life.made..=life.last];
        if span.iter().all(|used| used + size(v) <= words) {
            span.iter_mut().for_each(|used| *used += size(v));
            chosen.insert(v);
        }
    }
    chosen
}
