//! Which steps of a Miller loop each core takes: the partition is found by counting what every core has to do.
//!
//! A core that takes the steps i..j of n of a loop moves the points through the first i, without lines; computes the lines of its own and
//! multiplies them; and squares its value n − j times, for the steps behind it: in F_p^k, or *delayed*, after the easy part of the final
//! exponentiation, where squares cost less and every core has the easy part to do (Aranha, Knapp, Menezes and Rodríguez-Henríquez,
//! IMACC 2011, section 3). The slowest core decides, and what follows on one core: so the greatest of these costs is made as small as
//! it can be.
//!
//! Over a prepared argument there are no points to move: what a core has to do before its own steps is nothing.
//!
//! A Weil pairing has several loops, each of which is cut by itself; where there are fewer cores than parts, a core takes the next one as soon as
//! it is free.
//!
//! Costs are those of recorded programs. Steps with a digit have one cost and those without another, up to what the first steps of a part
//! save, so a few short recordings tell the costs of all parts. Of the plans for each number of parts, delayed or not, the few that are
//! predicted to take least are recorded themselves, and moved once more by what they differ.

use super::job::Job;
use super::store::Programs;
use bilinear_field::count::Tally;
use bilinear_pairing::{LoopDigits, LoopPart, Prices};
use std::ops::Range;

/// Linear operations that count as a product. With that, what is predicted for two cores is within 5 % of what eight of nine curves take on
/// `mont`, with 3 to 33 words (`bench/record`); on d-159 it is 8 % more.
const LINEAR: f64 = 6.0;
/// How often parts are moved by what they really cost.
const ROUNDS: usize = 2;
/// How many of the plans that are predicted to take least are moved so.
const REFINED: usize = 3;
/// Loops of fewer steps are not cut: no shipped curve has one.
const LEAST_STEPS: usize = 2 * LoopPlan::MOST_PARTS - 2;

/// How the Miller loops of one pairing are shared among cores. Costs are in products and reductions of the field, which count as one each.
#[derive(Clone, Debug, PartialEq)]
pub struct LoopPlan {
    /// What cores take, in this order.
    pub parts: Vec<PlannedPart>,
    /// Whether squarings follow the easy part of the final exponentiation.
    pub delayed: bool,
    /// Until all parts are there.
    pub longest: f64,
    /// What one core does then.
    pub finish: f64,
    /// The pairing on one core.
    pub alone: f64,
}

/// What one core takes of a loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlannedPart {
    /// Its steps.
    pub part: LoopPart,
    /// How often it squares its value, for the steps behind it.
    pub squarings: usize,
    /// What all this costs.
    pub cost: f64,
}

/// Parts that are no partition of a pairing's loops.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the parts must be all steps of the loops in order, with at least one step each, in at most {} parts: the loops have {steps:?} steps",
    LoopPlan::MOST_PARTS
)]
pub struct PartsError {
    /// The steps of each loop.
    pub steps: Vec<usize>,
}

impl LoopPlan {
    /// The most parts of a pairing. What a core has to do before its own steps leaves little to gain beyond eight.
    pub const MOST_PARTS: usize = 16;

    /// The best one for at most so many cores; whether an argument is prepared.
    pub(super) fn best(programs: &Programs, prices: Prices, prepared: bool, cores: usize) -> Self {
        let counted = Counted::new(programs, prices, prepared);
        let mut best = counted.uncut();
        if cores == 1 || counted.loops.iter().any(|steps| steps.len() < LEAST_STEPS) {
            return best;
        }
        let fewest = counted.loops.len().max(2);
        let loops = [false, true].map(|delayed| counted.steps(delayed));
        let mut predicted: Vec<(f64, &Vec<StepCosts>, usize)> = vec![];
        for loops in &loops {
            let finish = [0, 1].map(|more| counted.finish(fewest + more, loops[0].delayed));
            for count in fewest..=cores.clamp(counted.loops.len(), Self::MOST_PARTS) {
                // each part more is a product more
                let finish = finish[0] + (count - fewest) as f64 * (finish[1] - finish[0]);
                predicted.push((longest(loops, count, cores) + finish, loops, count));
            }
        }
        predicted.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (_, loops, count) in predicted.into_iter().take(REFINED) {
            let plan = counted.refined(loops, count, cores, best.alone);
            if plan.time() < best.time() {
                best = plan;
            }
        }
        best
    }

    /// That of these parts, on as many cores.
    pub(super) fn of(
        programs: &Programs,
        prices: Prices,
        prepared: bool,
        parts: &[LoopPart],
        delayed: bool,
    ) -> Result<Self, PartsError> {
        let counted = Counted::new(programs, prices, prepared);
        Self::check(parts, counted.loops.iter().map(Vec::len).collect())?;
        let LoopPlan { alone, .. } = counted.uncut();
        Ok(counted.plan(parts, delayed, parts.len(), alone))
    }

    /// When the last of these tasks is done by so many cores, each of which takes the next one when it is free.
    pub(in crate::backend) fn makespan(costs: &[f64], cores: usize) -> f64 {
        let mut busy = vec![0.0_f64; cores];
        for cost in costs {
            if let Some(first) = busy.iter_mut().min_by(|a, b| a.total_cmp(b)) {
                *first += cost;
            }
        }
        busy.into_iter().fold(0.0, f64::max)
    }

    /// Whether these are parts of loops of so many steps.
    pub(in crate::backend) fn check(parts: &[LoopPart], steps: Vec<usize>) -> Result<(), PartsError> {
        // every part begins where the one before ended, or at the beginning of the next loop
        let (mut number, mut next) = (0, 0);
        let mut adjoin = parts.len() <= Self::MOST_PARTS;
        for part in parts {
            if steps.get(number) == Some(&next) {
                (number, next) = (number + 1, 0);
            }
            adjoin &= part.number == number && part.first == next && part.end > next;
            adjoin &= steps.get(number).is_some_and(|steps| part.end <= *steps);
            next = part.end;
        }
        if !adjoin || number + 1 != steps.len() || steps[number] != next {
            return Err(PartsError { steps });
        }
        Ok(())
    }

    /// What it takes until the pairing is there.
    pub fn time(&self) -> f64 {
        self.longest + self.finish
    }

    /// How many times as fast as one core that is, without what it takes to hand the parts over.
    pub fn speed_up(&self) -> f64 {
        self.alone / self.time()
    }
}

/// The costs of programs.
struct Counted<'a> {
    programs: &'a Programs,
    prices: Prices,
    /// Whether an argument is prepared.
    prepared: bool,
    /// Whether each step adds a point, of each loop.
    loops: Vec<Vec<bool>>,
}

impl<'a> Counted<'a> {
    fn new(programs: &'a Programs, prices: Prices, prepared: bool) -> Self {
        let adds = |digits: &LoopDigits| digits.digits[1..].iter().map(|d| *d != 0).collect();
        let family = programs.family();
        let loops = if prepared { family.prepared_loops() } else { family.loops() };
        Counted { programs, prices, prepared, loops: loops.iter().map(adds).collect() }
    }

    fn of(&self, job: Job) -> f64 {
        let Tally { mul, sqr, reduction, linear, wide, inversion } = self.programs.cost(job);
        (mul + sqr + reduction + self.prices.inversion * inversion) as f64 + (linear + wide) as f64 / LINEAR
    }

    fn part(&self, number: usize, steps: Range<usize>, delayed: bool) -> f64 {
        let part = LoopPart { number, first: steps.start, end: steps.end };
        self.of(match self.prepared {
            false => Job::MillerPart { part, delayed },
            true => Job::MillerPreparedPart { part, delayed },
        })
    }

    /// All loops on one core.
    fn uncut(&self) -> LoopPlan {
        let cost = self.of(match self.prepared {
            false => Job::Miller { pairs: 1, masked: false, affine: false },
            true => Job::MillerPrepared { pairs: 1, masked: false },
        });
        let finish = self.of(Job::Finish);
        let part = LoopPart { number: 0, first: 0, end: self.loops[0].len() };
        let parts = vec![PlannedPart { part, squarings: 0, cost }];
        LoopPlan { parts, delayed: false, longest: cost, finish, alone: cost + finish }
    }

    /// The costs of the steps of each loop.
    fn steps(&self, delayed: bool) -> Vec<StepCosts> {
        (0..self.loops.len()).map(|number| StepCosts::new(self, number, delayed)).collect()
    }

    /// What one core does when so many parts are there.
    fn finish(&self, parts: usize, delayed: bool) -> f64 {
        self.of(Job::FinishParts { parts, delayed })
    }

    /// The plan of these parts.
    fn plan(&self, parts: &[LoopPart], delayed: bool, cores: usize, alone: f64) -> LoopPlan {
        let finish = self.finish(parts.len(), delayed);
        let planned = |part: &LoopPart| PlannedPart {
            squarings: self.loops[part.number].len() - part.end,
            cost: self.part(part.number, part.first..part.end, delayed),
            part: *part,
        };
        let parts: Vec<PlannedPart> = parts.iter().map(planned).collect();
        let costs: Vec<f64> = parts.iter().map(|part| part.cost).collect();
        LoopPlan { parts, delayed, longest: LoopPlan::makespan(&costs, cores), finish, alone }
    }

    /// A plan of so many parts, moved by what they really cost.
    fn refined(&self, loops: &[StepCosts], count: usize, cores: usize, alone: f64) -> LoopPlan {
        let counts = shared_out(loops, count);
        let mut errors: Vec<Vec<f64>> = counts.iter().map(|count| vec![0.0; *count]).collect();
        let mut best: Option<LoopPlan> = None;
        for _ in 0..ROUNDS {
            let cut = |(number, (costs, errors)): (usize, (&StepCosts, &Vec<f64>))| {
                let parts = costs.cut(errors).into_iter();
                parts.map(move |steps| LoopPart { number, first: steps.start, end: steps.end }).collect::<Vec<_>>()
            };
            let parts: Vec<LoopPart> = loops.iter().zip(&errors).enumerate().flat_map(cut).collect();
            let plan = self.plan(&parts, loops[0].delayed, cores, alone);
            for (error, PlannedPart { part, cost, .. }) in errors.iter_mut().flatten().zip(&plan.parts) {
                *error = cost - loops[part.number].of(&(part.first..part.end));
            }
            if best.as_ref().is_none_or(|best| plan.time() < best.time()) {
                best = Some(plan);
            }
        }
        best.unwrap_or_else(|| unreachable!("there is a round"))
    }
}

/// In how many parts each loop is cut, of so many in all: again and again the one whose parts are longest gets one more.
fn shared_out(loops: &[StepCosts], count: usize) -> Vec<usize> {
    let mut counts = vec![1; loops.len()];
    for _ in loops.len()..count {
        let length = |i: &usize| loops[*i].whole() / counts[*i] as f64;
        let longest = (0..loops.len()).max_by(|a, b| length(a).total_cmp(&length(b)));
        counts[longest.unwrap_or(0)] += 1;
    }
    counts
}

/// When the last of so many parts is there, by the costs of steps.
fn longest(loops: &[StepCosts], count: usize, cores: usize) -> f64 {
    let counts = shared_out(loops, count);
    let costs = loops.iter().zip(counts).flat_map(|(costs, count)| {
        let parts = costs.cut(&vec![0.0; count]).into_iter();
        parts.map(|part| costs.of(&part))
    });
    LoopPlan::makespan(&costs.collect::<Vec<f64>>(), cores)
}

/// What steps cost, summed from the first one on.
struct StepCosts {
    delayed: bool,
    /// Of the first i steps without their lines.
    passed: Vec<f64>,
    /// Of the first i steps.
    worked: Vec<f64>,
    /// Of the squarings for i steps.
    squared: Vec<f64>,
}

impl StepCosts {
    fn new(counted: &Counted<'_>, number: usize, delayed: bool) -> Self {
        let adds_of = &counted.loops[number];
        let n = adds_of.len();
        let square = counted.of(Job::GtSquare { cyclotomic: false });
        // of a step without a digit, and of one with it
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
            [0.0].into_iter().chain(steps).collect::<Vec<f64>>()
        };
        let squared = (0..=n).map(|i| start + each * i as f64).collect();
        StepCosts { delayed, passed: summed(pass), worked: summed(work), squared }
    }

    /// All steps.
    fn whole(&self) -> f64 {
        self.of(&(0..self.worked.len() - 1))
    }

    fn of(&self, steps: &Range<usize>) -> f64 {
        let behind = self.squared.len() - 1 - steps.end;
        self.passed[steps.start] + self.worked[steps.end] - self.worked[steps.start] + self.squared[behind]
    }

    /// The steps in as many parts as there are errors, such that the greatest cost, with the error of that part, is least.
    fn cut(&self, errors: &[f64]) -> Vec<Range<usize>> {
        let n = self.worked.len() - 1;
        // of the first end steps in one part: the greatest cost, and where the last part begins
        let mut best: Vec<Vec<(f64, usize)>> = vec![(0..=n).map(|end| (self.of(&(0..end)) + errors[0], 0)).collect()];
        for (count, error) in errors.iter().enumerate().skip(1) {
            let before = &best[count - 1];
            let mut next = vec![(f64::INFINITY, count); n + 1];
            // the later a part begins, the less it costs: worth a thought are starts before which there is no more than before each later one
            let mut starts: Vec<usize> = vec![];
            for end in count + 1..=n {
                while starts.pop_if(|start| before[*start].0 > before[end - 1].0).is_some() {}
                starts.push(end - 1);
                // of these the later has the more before it: the least of the greater costs is where the two meet
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The greatest cost of parts that begin where these end, and at step 0.
    fn greatest(costs: &StepCosts, errors: &[f64], parts: &[Range<usize>]) -> f64 {
        parts.iter().zip(errors).map(|(part, error)| costs.of(part) + error).fold(0.0, f64::max)
    }

    /// The least of these for the steps `first..n` in as many parts as there are errors, of all ways to cut them.
    fn least(costs: &StepCosts, errors: &[f64], first: usize, n: usize) -> f64 {
        let part = |end: usize| costs.of(&(first..end)) + errors[0];
        if errors.len() == 1 {
            return part(n);
        }
        let ends = first + 1..=n + 1 - errors.len();
        ends.map(|end| part(end).max(least(costs, &errors[1..], end, n))).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn no_other_parts_have_a_smaller_greatest_cost() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
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
                assert_eq!(found, want, "round {round}, {count} parts: {parts:?}");
            }
        }
    }
}
