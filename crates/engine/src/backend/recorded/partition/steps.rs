//! The costs of the steps of a loop, and how they are cut into parts.
//!
//! The least possible greatest cost of the first i steps in m parts follows from the one in m − 1 parts, by where the
//! last part begins (dynamic programming over i and m, in O(m·n·log n) for n steps).

use super::{Counted, Job, LoopPartition};
use bilinear_field::CollectVec;
use std::ops::Range;

/// The costs of steps, summed from the first step on.
pub(super) struct StepCosts {
    pub(super) delayed: bool,
    /// The cost of the first i steps without their lines.
    passed: Vec<f64>,
    /// The cost of the first i steps.
    worked: Vec<f64>,
    /// The cost of the squarings for i steps.
    squared: Vec<f64>,
}

impl StepCosts {
    pub(super) fn new(counted: &Counted<'_>, number: usize, delayed: bool) -> Self {
        let adds_of = &counted.loops[number];
        let n = adds_of.len();
        let square = counted.of(Job::GtSquare { cyclotomic: false });
        // the costs of a step without a digit, and of one with it
        let [mut pass, mut work] = [[0.0; 2]; 2];
        for adds in [false, true] {
            let Some(i) = (2..n - 2).find(|i| adds_of[*i] == adds) else { continue };
            let part = |steps: Range<usize>| counted.part(number, steps, false);
            work[usize::from(adds)] = part(0..i + 1) - part(0..i) + square;
            pass[usize::from(adds)] = work[usize::from(adds)] - (part(i..i + 2) - part(i + 1..i + 2));
        }
        let (mut start, mut each) = (0.0, square);
        if delayed {
            let [two, three] = [2, 3].map(|end| counted.part(number, 0..end, true));
            each = work[usize::from(adds_of[2])] - (three - two);
            start = two - counted.part(number, 0..2, false) + (square - each) * (n - 2) as f64;
        }
        let summed = |of: [f64; 2]| {
            let mut sum = 0.0;
            let steps = adds_of.iter().map(|adds| {
                sum += of[usize::from(*adds)];
                sum
            });
            [0.0].into_iter().chain(steps).collect_vec()
        };
        let squared = (0..=n).map(|i| start + each * i as f64).collect_vec();
        StepCosts { delayed, passed: summed(pass), worked: summed(work), squared }
    }

    /// The cost of all steps as one part.
    fn whole(&self) -> f64 {
        self.of(&(0..self.worked.len() - 1))
    }

    pub(super) fn of(&self, steps: &Range<usize>) -> f64 {
        let behind = self.squared.len() - 1 - steps.end;
        self.passed[steps.start] + self.worked[steps.end] - self.worked[steps.start] + self.squared[behind]
    }

    /// Cuts the steps into as many parts as there are errors. The greatest cost, each with the error of its part, is
    /// the least possible.
    pub(super) fn cut(&self, errors: &[f64]) -> Vec<Range<usize>> {
        let n = self.worked.len() - 1;
        // for the first `end` steps: the greatest cost, and where the last part begins
        let mut best: Vec<Vec<(f64, usize)>> =
            vec![(0..=n).map(|end| (self.of(&(0..end)) + errors[0], 0)).collect_vec()];
        for (count, error) in errors.iter().enumerate().skip(1) {
            let before = &best[count - 1];
            let mut next = vec![(f64::INFINITY, count); n + 1];
            // the later a part begins, the less it costs: a start with a greater cost before it than some later start
            // is never best. These are the remaining starts
            let mut starts: Vec<usize> = vec![];
            for end in count + 1..=n {
                while starts.pop_if(|start| before[*start].0 > before[end - 1].0).is_some() {}
                starts.push(end - 1);
                // along the starts the cost before grows and the cost of the last part falls: the best start is where
                // the two meet
                let own = |start: usize| self.of(&(start..end)) + error;
                let meet = starts.partition_point(|start| before[*start].0 < own(*start));
                let beside = &starts[meet.max(1) - 1..starts.len().min(meet + 1)];
                let costs = beside.iter().map(|start| (before[*start].0.max(own(*start)), *start));
                next[end] = costs.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or(next[end]);
            }
            best.push(next);
        }
        let mut end = n;
        let mut parts: Vec<Range<usize>> = vec![];
        for level in best.iter().rev() {
            let start = level[end].1;
            parts.push(start..end);
            end = start;
        }
        parts.reverse();
        parts
    }
}

/// The number of parts for each loop, `count` in all: repeatedly, the loop with the longest parts gets one more.
pub(super) fn shared_out(loops: &[StepCosts], count: usize) -> Vec<usize> {
    let mut counts = vec![1; loops.len()];
    for _ in loops.len()..count {
        let length = |i: &usize| loops[*i].whole() / counts[*i] as f64;
        let longest = (0..loops.len()).max_by(|a, b| length(a).total_cmp(&length(b)));
        counts[longest.unwrap_or(0)] += 1;
    }
    counts
}

/// The time when the last of `count` parts is complete, by the costs of steps.
pub(super) fn longest(loops: &[StepCosts], count: usize, cores: usize) -> f64 {
    let counts = shared_out(loops, count);
    let costs = loops.iter().zip(counts).flat_map(|(costs, count)| {
        let parts = costs.cut(&vec![0.0; count]).into_iter();
        parts.map(|part| costs.of(&part))
    });
    LoopPartition::makespan(&costs.collect_vec(), cores)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The greatest cost of these parts, each with its error.
    fn greatest(costs: &StepCosts, errors: &[f64], parts: &[Range<usize>]) -> f64 {
        parts.iter().zip(errors).map(|(part, error)| costs.of(part) + error).fold(0.0, f64::max)
    }

    /// The least greatest cost of the steps `first..n` in as many parts as there are errors, over all ways to cut
    /// them.
    fn least(costs: &StepCosts, errors: &[f64], first: usize, n: usize) -> f64 {
        let part = |end: usize| costs.of(&(first..end)) + errors[0];
        if errors.len() == 1 {
            return part(n);
        }
        let ends = first + 1..=n + 1 - errors.len();
        ends.map(|end| part(end).max(least(costs, &errors[1..], end, n))).fold(f64::INFINITY, f64::min)
    }

    const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

    #[test]
    fn no_other_partition_has_a_smaller_greatest_cost() {
        let mut state = SEED;
        let mut below = |n: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % n) as f64
        };
        for round in 0..400 {
            let n = 6 + below(10) as usize;
            // a step costs more with its line than without it, and more than a squaring
            let (square, pass) = (1.0 + below(20), below(30));
            let [mut passed, mut worked] = [vec![0.0], vec![0.0]];
            for _ in 0..n {
                let adds = below(2) * below(25);
                passed.push(passed[passed.len() - 1] + pass + adds / 2.0);
                worked.push(worked[worked.len() - 1] + pass + square + 1.0 + adds + below(3));
            }
            let squared = (0..=n).map(|i| square * i as f64).collect();
            let costs = StepCosts { delayed: false, passed, worked, squared };
            for count in 2..=5 {
                let errors: Vec<f64> = (0..count).map(|_| below(9) - 4.0).collect();
                let parts = costs.cut(&errors);
                assert!(parts[0].start == 0 && parts[count - 1].end == n && parts.iter().all(|part| !part.is_empty()));
                assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start));
                let [found, want] = [greatest(&costs, &errors, &parts), least(&costs, &errors, 0, n)];
                assert_eq!(found, want, "round {round}, {count} parts: {parts:?}, seed {SEED:#x}");
            }
        }
    }
}
