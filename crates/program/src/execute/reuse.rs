//! The number of links of a routine. A call whose binding has a link uses it as it is; any other call has to write
//! its addresses into a link. But every link is a copy of the routine's code, which the cache has to hold beside the
//! values. The loop over the 32 pairs of a product takes 32 bindings in turn: with up to eight links, none is there
//! when its turn comes, and each costs a miss.
//!
//! A routine gets the fewest links with which at most one call in sixteen has to write that would not with the most
//! links. How many calls find a link, when the least recently used one is replaced, is counted by the distances of
//! Mattson, Gecsei, Slutz and Traiger (IBM Systems Journal, 1970).

use crate::places::{Placed, PlacedStep};

/// The greatest number of links of a routine.
const MAX: usize = 8;
/// At most one call in this many may have to write for want of a link.
const RARELY: usize = 16;

/// The calls of a routine so far.
#[derive(Clone, Default)]
struct Calls {
    /// The latest bindings, the last one first; `None` for bindings with places of a vector's own, which share a link.
    recent: Vec<Option<u32>>,
    /// The number of calls that took the latest binding again, the one before it, and so on.
    again: [usize; MAX],
    count: usize,
}

impl Calls {
    fn call(&mut self, binding: Option<u32>) {
        let found = self.recent.iter().position(|recent| *recent == binding);
        if let Some(i) = found {
            self.recent.remove(i);
            self.again[i] += 1;
        }
        self.recent.insert(0, binding);
        self.recent.truncate(MAX);
        self.count += 1;
    }

    fn links(&self) -> usize {
        // with n links the calls from distance n on write
        let writes = |n: usize| self.again[n..].iter().sum::<usize>();
        (1..MAX).find(|n| writes(*n) * RARELY <= self.count).unwrap_or(MAX)
    }
}

/// Returns the number of links of each routine.
pub(super) fn links(placed: &Placed) -> Vec<usize> {
    let mut calls = vec![Calls::default(); placed.routines.len()];
    for step in placed.stages.iter().flat_map(|stage| &stage.steps) {
        if let PlacedStep::Call { routine, binding } = step {
            let own = placed.bindings[*binding as usize].own;
            calls[*routine as usize].call((!own).then_some(*binding));
        }
    }
    calls.iter().map(Calls::links).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(bindings: impl IntoIterator<Item = u32>) -> usize {
        let mut calls = Calls::default();
        bindings.into_iter().for_each(|binding| calls.call(Some(binding)));
        calls.links()
    }

    #[test]
    fn a_routine_has_as_many_links_as_its_calls_reuse() {
        let turns = |n: u32| (0..100 * n).map(move |i| i % n);
        assert_eq!(links([]), 1);
        assert_eq!(links(turns(1)), 1);
        for n in 2..=8 {
            assert_eq!(links(turns(n)), n as usize);
        }
        // the loop over the pairs of a product finds none of eight
        assert_eq!(links(turns(9)), 1);
        assert_eq!(links(turns(32)), 1);
        // two in turn behind many bindings that come only once
        assert_eq!(links((2..102).chain((0..200).map(|i| i % 2))), 2);
        // a binding that rarely comes again has no link of its own
        assert_eq!(links((0..1000).map(|i| u32::from(i % 40 == 0))), 1);
    }
}
