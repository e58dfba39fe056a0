//! Calls that the engine for few values computes: the share of each thread. There are no lanes to fill.

use super::Batch;
use crate::few::Few;
use crate::parts::parts;
use bilinear_field::CollectVec;
use std::ops::Range;

impl Batch {
    /// The parts of products of varying points if the engine for few values computes them, and how many of these
    /// parts each thread takes; `None` if the engine does not serve them or is not ready. A product that is few by
    /// itself stays whole.
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
        Some((cut, self.few_size(&sizes, |few, task| few.asks(few.pairs(task.iter().copied())))?))
    }

    /// The number of products with prepared arguments that each thread takes, if the engine for few values computes
    /// them; `sizes` are their numbers of pairs.
    pub(super) fn few_with(&self, sizes: &[usize]) -> Option<usize> {
        self.few_size(sizes, |few, task| few.asks(few.lines(task.iter().copied())))
    }

    /// The number of products that each thread takes, if every share is few and the engine is ready for it. Every
    /// call that would be made is counted.
    fn few_size(&self, sizes: &[usize], asks: impl Fn(&Few, &[usize]) -> bool) -> Option<usize> {
        let few = self.system.few()?;
        let size = sizes.len().div_ceil(self.thread_count()).max(1);
        let missing = sizes.chunks(size).filter(|task| !asks(few, task)).count();
        (missing == 0).then_some(size)
    }

    /// The number of rows of a product that stay together if each thread takes a part.
    pub(super) fn share(&self, pairs: usize) -> usize {
        pairs.div_ceil(self.thread_count()).max(1)
    }
}
