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

mod steps;

use super::job::Job;
use super::store::Programs;
use bilinear_field::CollectVec;
use bilinear_field::count::Tally;
use bilinear_pairing::{LoopDigits, LoopPart, Prices};
use std::ops::Range;
use steps::{StepCosts, longest, shared_out};

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

    /// The best one for at most so many cores, of which no more than [`LoopPlan::MOST_PARTS`] have something to do; whether an argument is
    /// prepared.
    pub(super) fn best(programs: &Programs, prices: Prices, prepared: bool, cores: usize) -> Self {
        let cores = cores.clamp(1, Self::MOST_PARTS);
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
            for count in fewest..=cores.max(counted.loops.len()) {
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
        Self::check(parts, counted.loops.iter().map(Vec::len).collect_vec())?;
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
        let adds = |digits: &LoopDigits| digits.digits[1..].iter().map(|d| *d != 0).collect_vec();
        let family = programs.family();
        let loops = if prepared { family.prepared_loops() } else { family.loops() };
        Counted { programs, prices, prepared, loops: loops.iter().map(adds).collect_vec() }
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
        (0..self.loops.len()).map(|number| StepCosts::new(self, number, delayed)).collect_vec()
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
        let parts: Vec<PlannedPart> = parts.iter().map(planned).collect_vec();
        let costs: Vec<f64> = parts.iter().map(|part| part.cost).collect_vec();
        LoopPlan { parts, delayed, longest: LoopPlan::makespan(&costs, cores), finish, alone }
    }

    /// A plan of so many parts, moved by what they really cost.
    fn refined(&self, loops: &[StepCosts], count: usize, cores: usize, alone: f64) -> LoopPlan {
        let counts = shared_out(loops, count);
        let mut errors: Vec<Vec<f64>> = counts.iter().map(|count| vec![0.0; *count]).collect_vec();
        let mut best: Option<LoopPlan> = None;
        for _ in 0..ROUNDS {
            let cut = |(number, (costs, errors)): (usize, (&StepCosts, &Vec<f64>))| {
                let parts = costs.cut(errors).into_iter();
                parts.map(move |steps| LoopPart { number, first: steps.start, end: steps.end }).collect_vec()
            };
            let parts: Vec<LoopPart> = loops.iter().zip(&errors).enumerate().flat_map(cut).collect_vec();
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
