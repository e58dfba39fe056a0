//! Calls that the engine for few values computes: what each thread takes of them. No lanes are to be filled.

use super::Batch;
use crate::few::Few;
use crate::parts::parts;
use bilinear_field::CollectVec;
use std::ops::Range;

impl Batch {
    /// The parts of products of varying points where the engine for few values computes them, and how many of these each thread takes; `None`
    /// where it is not for them, or not ready. A product that is few by itself stays whole.
    pub(super) fn few_parts(&self, groups: &[&Range<usize>]) -> Option<(Vec<Vec<Range<usize>>>, usize)> {
        let most = self.system.few()?.most_of_pairs();
        let pairs: usize = groups.iter().map(|g| g.len()).sum();
        if pairs + groups.len() > self.thread_count() * most {
            return None;
        }
        let is_few = |g: &&Range<usize>| g.len() < most;
        let longest = if groups.iter().all(is_few) { most } else { self.share(pairs) };
        let cut: Vec<Vec<Range<usize>>> = groups.iter().map(|g| parts((*g).clone(), longest)).collect_vec();
        let sizes: Vec<usize> = cut.iter().flatten().map(Range::len).collect_vec();
        Some((cut, self.few_size(&sizes, |few, task| few.asks_for_pairs(task.iter().copied()))?))
    }

    /// How many products with prepared arguments, of so many pairs, each thread takes where that engine computes them.
    pub(super) fn few_with(&self, sizes: &[usize]) -> Option<usize> {
        self.few_size(sizes, |few, task| few.asks_for_lines(task.iter().copied()))
    }

    /// How many of some products each thread takes, if what it then gets is few and the engine ready for it. Every call that would be made
    /// counts.
    fn few_size(&self, sizes: &[usize], asks: impl Fn(&Few, &[usize]) -> bool) -> Option<usize> {
        let few = self.system.few()?;
        let size = sizes.len().div_ceil(self.thread_count()).max(1);
        let missing = sizes.chunks(size).filter(|task| !asks(few, task)).count();
        (missing == 0).then_some(size)
    }

    /// Rows of a product that stay together where each thread takes a part.
    pub(super) fn share(&self, pairs: usize) -> usize {
        pairs.div_ceil(self.thread_count()).max(1)
    }
}
