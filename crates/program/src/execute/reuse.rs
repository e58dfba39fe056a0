//! How many links a routine has. A call whose binding has a link takes it as it is, any other has to write its addresses into one.
//! But every link is a copy of the routine's code, which the cache has to hold beside the values: the loop over the 32 pairs of a
//! product takes 32 bindings in turn, none of up to eight links is there when its turn comes, and each costs a miss.
//!
//! A routine gets the fewest links with which at most one call in sixteen writes that would not with the most. What calls find with
//! the least recently used one replaced is counted by the distances of Mattson, Gecsei, Slutz and Traiger (IBM Systems Journal, 1970).

use crate::places::{Placed, PlacedStep};

/// The most links of a routine.
const MOST: usize = 8;
/// One call in so many may write for want of a link.
const RARELY: usize = 16;

/// The calls of a routine.
#[derive(Clone, Default)]
struct Calls {
    /// The last bindings, the latest first; `None` for those with places of a vector's own, which share a link.
    recent: Vec<Option<u32>>,
    /// How many calls took the latest binding again, the one before that, ….
    again: [usize; MOST],
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
        self.recent.truncate(MOST);
        self.count += 1;
    }

    fn links(&self) -> usize {
        // with n links the calls from distance n on write
        let writes = |n: usize| self.again[n..].iter().sum::<usize>();
        (1..MOST).find(|n| writes(*n) * RARELY <= self.count).unwrap_or(MOST)
    }
}

/// The links of each routine.
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
    fn a_routine_has_as_many_links_as_its_calls_find_again() {
        let turns = |n: u32| (0..100 * n).map(move |i| i % n);
        assert_eq!(links([]), 1);
        assert_eq!(links(turns(1)), 1);
        for n in 2..=8 {
            assert_eq!(links(turns(n)), n as usize);
        }
        // the loop over the pairs of a product finds none of eight
        assert_eq!(links(turns(9)), 1);
        assert_eq!(links(turns(32)), 1);
        // two in turn behind many that come once
        assert_eq!(links((2..102).chain((0..200).map(|i| i % 2))), 2);
        // what comes again rarely has no link of its own
        assert_eq!(links((0..1000).map(|i| u32::from(i % 40 == 0))), 1);
    }
}
