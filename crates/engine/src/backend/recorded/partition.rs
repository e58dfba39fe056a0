//! The steps of a Miller loop that each core takes. The partition is found by counting the work of every core.
//!
//! A core that takes the steps i..j of n of a loop moves the points through the first i, without lines. Then it
//! computes its own lines and multiplies them. Finally it squares its value n − j times, for the steps behind it: in
//! F_p^k, or *delayed*, after the easy part of the final exponentiation. There squarings cost less, but every core
//! has to compute the easy part (Aranha, Knapp, Menezes and Rodríguez-Henríquez, IMACC 2011, section 3). The slowest
//! core decides, and then the work that follows on one core: so the partition minimises the greatest of these costs.
//!
//! Over a prepared argument there are no points to move: a core has no work before its own steps.
//!
//! A Weil pairing has several loops, each of which is cut by itself. If there are fewer cores than parts, a core
//! takes the next part as soon as it is free.
//!
//! Costs are those of recorded programs. All steps with a digit have one cost and all steps without a digit another,
//! apart from what the first steps of a part save, so a few short recordings tell the costs of all parts. Of the
//! partitions for each number of parts, delayed or not, the few with the least predicted time are recorded themselves.
//! Their parts are then moved once more by the difference between recorded and predicted costs.

mod steps;

use super::job::Job;
use super::programs::Programs;
use bilinear_field::CollectVec;
use bilinear_field::count::Tally;
use bilinear_pairing::{CostModel, LoopDigits, LoopPart};
use std::ops::Range;
use steps::{StepCosts, longest, shared_out};

/// The number of linear operations that count as a product. With it, predictions for two cores are within 5 % of what
/// eight of nine curves take on `mont`, with 3 to 33 words (`bench/record`); on d-159 the prediction is 8 % more.
const LINEAR: f64 = 6.0;
/// The number of rounds in which parts are moved by their recorded costs.
const ROUNDS: usize = 2;
/// The number of partitions with the least predicted time that are refined in this way.
const REFINED: usize = 3;
/// The fewest steps of a loop that is cut: no shipped curve has a shorter one.
const MIN_STEPS: usize = 2 * LoopPartition::MAX_PARTS - 2;

/// A partition of the Miller loops of one pairing among cores. Costs are in products and reductions of the field,
/// which count as one each.
#[derive(Clone, Debug, PartialEq)]
pub struct LoopPartition {
    /// The parts of the loops, in the order in which cores take them.
    pub parts: Vec<PartitionPart>,
    /// Whether the squarings of a part follow the easy part of the final exponentiation.
    pub delayed: bool,
    /// The cost until all parts are complete.
    pub longest: f64,
    /// The cost of the work on one core after that.
    pub finish: f64,
    /// The cost of the pairing on one core.
    pub alone: f64,
}

/// The part of a loop that one core takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartitionPart {
    /// The steps of the part.
    pub part: LoopPart,
    /// The number of times that the core squares its value, for the steps behind the part.
    pub squarings: usize,
    /// The cost of the part, squarings included.
    pub cost: f64,
}

/// The error for parts that are no partition of a pairing's loops.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the parts must cover all steps of the loops in order, with at least one step each, in at most {} parts: the loops have \
     {steps:?} steps",
    LoopPartition::MAX_PARTS
)]
pub struct PartsError {
    /// The number of steps of each loop.
    pub steps: Vec<usize>,
}

impl LoopPartition {
    /// The most parts of a pairing. The work of a core before its own steps leaves little to gain beyond eight.
    pub const MAX_PARTS: usize = 16;

    /// Finds the best partition for at most `cores` cores, of which no more than [`LoopPartition::MAX_PARTS`] have work to do.
    /// `prepared` tells whether an argument is prepared.
    pub(super) fn best(programs: &Programs, cost_model: CostModel, prepared: bool, cores: usize) -> Self {
        let cores = cores.clamp(1, Self::MAX_PARTS);
        let counted = Counted::new(programs, cost_model, prepared);
        let mut best = counted.uncut();
        if cores == 1 || counted.loops.iter().any(|steps| steps.len() < MIN_STEPS) {
            return best;
        }
        let fewest = counted.loops.len().max(2);
        let loops = [false, true].map(|delayed| counted.steps(delayed));
        let mut predicted: Vec<(f64, &Vec<StepCosts>, usize)> = vec![];
        for loops in &loops {
            let finish = [0, 1].map(|more| counted.finish(fewest + more, loops[0].delayed));
            for count in fewest..=cores.max(counted.loops.len()) {
                // each further part costs one more product
                let finish = finish[0] + (count - fewest) as f64 * (finish[1] - finish[0]);
                predicted.push((longest(loops, count, cores) + finish, loops, count));
            }
        }
        predicted.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (_, loops, count) in predicted.into_iter().take(REFINED) {
            let partition = counted.refined(loops, count, cores, best.alone);
            if partition.time() < best.time() {
                best = partition;
            }
        }
        best
    }

    /// Creates the partition with these parts, on as many cores as there are parts.
    pub(super) fn of(
        programs: &Programs,
        cost_model: CostModel,
        prepared: bool,
        parts: &[LoopPart],
        delayed: bool,
    ) -> Result<Self, PartsError> {
        let counted = Counted::new(programs, cost_model, prepared);
        Self::check(parts, counted.loops.iter().map(Vec::len).collect_vec())?;
        let LoopPartition { alone, .. } = counted.uncut();
        Ok(counted.partition(parts, delayed, parts.len(), alone))
    }

    /// The time when the last of these tasks ends on this number of cores, each of which takes the next task as soon
    /// as it is free.
    pub(in crate::backend) fn makespan(costs: &[f64], cores: usize) -> f64 {
        let mut busy = vec![0.0_f64; cores];
        for cost in costs {
            if let Some(first) = busy.iter_mut().min_by(|a, b| a.total_cmp(b)) {
                *first += cost;
            }
        }
        busy.into_iter().fold(0.0, f64::max)
    }

    /// Returns an error unless these parts are a partition of loops with these numbers of steps.
    pub(in crate::backend) fn check(parts: &[LoopPart], steps: Vec<usize>) -> Result<(), PartsError> {
        // every part begins where the one before ended, or at the beginning of the next loop
        let (mut number, mut next) = (0, 0);
        let mut adjoin = parts.len() <= Self::MAX_PARTS;
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

    /// The cost of the pairing with this partition, until its value is complete.
    pub fn time(&self) -> f64 {
        self.longest + self.finish
    }

    /// How many times as fast as one core the partition is, without the time for handing over the parts.
    pub fn speed_up(&self) -> f64 {
        self.alone / self.time()
    }
}

/// The programs of a pairing, whose costs are counted.
struct Counted<'a> {
    programs: &'a Programs,
    cost_model: CostModel,
    /// Whether an argument is prepared.
    prepared: bool,
    /// For each loop, whether each step adds a point.
    loops: Vec<Vec<bool>>,
}

impl<'a> Counted<'a> {
    fn new(programs: &'a Programs, cost_model: CostModel, prepared: bool) -> Self {
        let adds = |digits: &LoopDigits| digits.digits[1..].iter().map(|d| *d != 0).collect_vec();
        let family = programs.family();
        let loops = if prepared { family.prepared_loops() } else { family.loops() };
        Counted { programs, cost_model, prepared, loops: loops.iter().map(adds).collect_vec() }
    }

    fn of(&self, job: Job) -> f64 {
        let Tally { mul, sqr, reduction, linear, wide, inversion } = self.programs.cost(job);
        (mul + sqr + reduction + self.cost_model.inversion * inversion) as f64 + (linear + wide) as f64 / LINEAR
    }

    fn part(&self, number: usize, steps: Range<usize>, delayed: bool) -> f64 {
        let part = LoopPart { number, first: steps.start, end: steps.end };
        self.of(match self.prepared {
            false => Job::MillerPart { part, delayed },
            true => Job::MillerPreparedPart { part, delayed },
        })
    }

    /// The partition with all loops on one core.
    fn uncut(&self) -> LoopPartition {
        let cost = self.of(match self.prepared {
            false => Job::MillerValue { pairs: 1, masked: false, affine: false },
            true => Job::MillerPrepared { pairs: 1, masked: false },
        });
        let finish = self.of(Job::Finish);
        let part = LoopPart { number: 0, first: 0, end: self.loops[0].len() };
        let parts = vec![PartitionPart { part, squarings: 0, cost }];
        LoopPartition { parts, delayed: false, longest: cost, finish, alone: cost + finish }
    }

    /// The costs of the steps of each loop.
    fn steps(&self, delayed: bool) -> Vec<StepCosts> {
        (0..self.loops.len()).map(|number| StepCosts::new(self, number, delayed)).collect_vec()
    }

    /// The cost of the work on one core once `parts` parts are complete.
    fn finish(&self, parts: usize, delayed: bool) -> f64 {
        self.of(Job::FinishParts { parts, delayed })
    }

    /// The partition with these parts.
    fn partition(&self, parts: &[LoopPart], delayed: bool, cores: usize, alone: f64) -> LoopPartition {
        let finish = self.finish(parts.len(), delayed);
        let part = |part: &LoopPart| PartitionPart {
            squarings: self.loops[part.number].len() - part.end,
            cost: self.part(part.number, part.first..part.end, delayed),
            part: *part,
        };
        let parts: Vec<PartitionPart> = parts.iter().map(part).collect_vec();
        let costs: Vec<f64> = parts.iter().map(|part| part.cost).collect_vec();
        LoopPartition { parts, delayed, longest: LoopPartition::makespan(&costs, cores), finish, alone }
    }

    /// A partition with `count` parts, moved by their recorded costs.
    fn refined(&self, loops: &[StepCosts], count: usize, cores: usize, alone: f64) -> LoopPartition {
        let counts = shared_out(loops, count);
        let mut errors: Vec<Vec<f64>> = counts.iter().map(|count| vec![0.0; *count]).collect_vec();
        let mut best: Option<LoopPartition> = None;
        for _ in 0..ROUNDS {
            let cut = |(number, (costs, errors)): (usize, (&StepCosts, &Vec<f64>))| {
                let parts = costs.cut(errors).into_iter();
                parts.map(move |steps| LoopPart { number, first: steps.start, end: steps.end }).collect_vec()
            };
            let parts: Vec<LoopPart> = loops.iter().zip(&errors).enumerate().flat_map(cut).collect_vec();
            let partition = self.partition(&parts, loops[0].delayed, cores, alone);
            for (error, PartitionPart { part, cost, .. }) in errors.iter_mut().flatten().zip(&partition.parts) {
                *error = cost - loops[part.number].of(&(part.first..part.end));
            }
            if best.as_ref().is_none_or(|best| partition.time() < best.time()) {
                best = Some(partition);
            }
        }
        best.unwrap_or_else(|| unreachable!("there is a round"))
    }
}
