//! Which steps of a Miller loop each core takes: the partition is found by counting what every core has to do.
//!
//! A core that takes the steps i..j of n moves the points through the first i, without lines; computes the lines of its own and
//! multiplies them; and squares its value n − j times, for the steps behind it: in F_p^k, or *delayed*, after the easy part of the final
//! exponentiation, where squares cost less and every core has the easy part to do (Aranha, Knapp, Menezes and Rodríguez-Henríquez,
//! IMACC 2011, section 3). The slowest core decides, and what follows on one core: so the greatest of these costs is made as small as
//! it can be.
//!
//! Costs are those of recorded programs. Steps with a digit have one cost and those without another, up to what the first steps of a part
//! save, so a few short recordings tell the costs of all parts; the parts that are chosen are recorded themselves, and moved once
//! more by what they differ.

use super::job::{Job, LoopPart};
use super::store::Programs;
use bilinear_field::count::Tally;
use bilinear_pairing::Prices;
use std::ops::Range;

/// Linear operations that take as long as a product: measured on `mont` with 4 to 17 words.
const LINEAR: f64 = 6.0;
/// How often parts are moved by what they really cost.
const ROUNDS: usize = 2;
/// Loops of fewer steps are not cut: no shipped curve has one.
const LEAST_STEPS: usize = 2 * LoopPlan::MOST_PARTS - 2;

/// How the Miller loop of one pairing is shared among cores. Costs are in products and reductions of F_p, which count as one each.
#[derive(Clone, Debug, PartialEq)]
pub struct LoopPlan {
    /// What each core takes.
    pub parts: Vec<PlannedPart>,
    /// Whether squarings follow the easy part of the final exponentiation.
    pub delayed: bool,
    /// What one core does when all parts are there.
    pub finish: f64,
    /// The pairing on one core.
    pub alone: f64,
}

/// What one core takes of a loop.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedPart {
    /// Its steps.
    pub steps: Range<usize>,
    /// How often it squares its value, for the steps behind it.
    pub squarings: usize,
    /// What all this costs.
    pub cost: f64,
}

/// Parts that are no partition of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the parts must be steps 0 to {steps} in order, with at least one step each, in at most {} parts",
    LoopPlan::MOST_PARTS
)]
pub struct PartsError {
    /// The steps of the loop.
    pub steps: usize,
}

impl LoopPlan {
    /// The most parts of a loop. What a core has to do before its own steps leaves little to gain beyond eight.
    pub const MOST_PARTS: usize = 16;

    /// The best one for at most so many parts.
    pub(super) fn best(programs: &Programs, prices: Prices, parts: usize) -> Self {
        let counted = Counted::new(programs, prices);
        let mut best = counted.uncut();
        if counted.steps() < LEAST_STEPS {
            return best;
        }
        for delayed in [false, true] {
            let costs = StepCosts::new(&counted, delayed);
            for count in 2..=parts.min(Self::MOST_PARTS) {
                let plan = counted.refined(&costs, count, best.alone);
                if plan.time() < best.time() {
                    best = plan;
                }
            }
        }
        best
    }

    /// That of these steps.
    pub(super) fn of(
        programs: &Programs,
        prices: Prices,
        parts: &[Range<usize>],
        delayed: bool,
    ) -> Result<Self, PartsError> {
        let counted = Counted::new(programs, prices);
        let steps = counted.steps();
        let ends = [0].into_iter().chain(parts.iter().map(|part| part.end));
        let adjoin = parts.iter().zip(ends).all(|(part, end)| part.start == end && part.end > end);
        if !adjoin || parts.last().is_none_or(|last| last.end != steps) || parts.len() > Self::MOST_PARTS {
            return Err(PartsError { steps });
        }
        let LoopPlan { alone, .. } = counted.uncut();
        Ok(counted.plan(parts.to_vec(), delayed, alone))
    }

    /// The slowest part and what follows.
    fn time(&self) -> f64 {
        self.parts.iter().map(|part| part.cost).fold(0.0, f64::max) + self.finish
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
    /// Whether each step adds a point.
    adds: Vec<bool>,
}

impl<'a> Counted<'a> {
    fn new(programs: &'a Programs, prices: Prices) -> Self {
        let digits = programs.family().loop_digits().digits;
        Counted { programs, prices, adds: digits[1..].iter().map(|d| *d != 0).collect() }
    }

    /// Of the loop.
    fn steps(&self) -> usize {
        self.adds.len()
    }

    fn of(&self, job: Job) -> f64 {
        let Tally { mul, sqr, reduction, linear, wide, inversion } = self.programs.cost(job);
        (mul + sqr + reduction + self.prices.inversion * inversion) as f64 + (linear + wide) as f64 / LINEAR
    }

    fn part(&self, steps: Range<usize>, delayed: bool) -> f64 {
        self.of(Job::MillerPart(LoopPart { first: steps.start, end: steps.end, delayed }))
    }

    /// The whole loop on one core.
    fn uncut(&self) -> LoopPlan {
        let cost = self.of(Job::Miller { pairs: 1, masked: false, affine: false });
        let finish = self.of(Job::Finish);
        let whole = PlannedPart { steps: 0..self.steps(), squarings: 0, cost };
        LoopPlan { parts: vec![whole], delayed: false, finish, alone: cost + finish }
    }

    /// The plan of these parts.
    fn plan(&self, parts: Vec<Range<usize>>, delayed: bool, alone: f64) -> LoopPlan {
        let finish = self.of(Job::FinishParts { parts: parts.len(), delayed });
        let planned = |steps: Range<usize>| PlannedPart {
            squarings: self.steps() - steps.end,
            cost: self.part(steps.clone(), delayed),
            steps,
        };
        LoopPlan { parts: parts.into_iter().map(planned).collect(), delayed, finish, alone }
    }

    /// A plan of so many parts, moved by what they really cost.
    fn refined(&self, costs: &StepCosts, count: usize, alone: f64) -> LoopPlan {
        let mut errors = vec![0.0; count];
        let mut best: Option<LoopPlan> = None;
        for _ in 0..ROUNDS {
            let plan = self.plan(costs.cut(&errors), costs.delayed, alone);
            for (error, part) in errors.iter_mut().zip(&plan.parts) {
                *error = part.cost - costs.of(&part.steps);
            }
            if best.as_ref().is_none_or(|best| plan.time() < best.time()) {
                best = Some(plan);
            }
        }
        best.unwrap_or_else(|| unreachable!("there is a round"))
    }
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
    fn new(counted: &Counted<'_>, delayed: bool) -> Self {
        let n = counted.steps();
        let square = counted.of(Job::GtSquare { cyclotomic: false });
        // of a step without a digit, and of one with it
        let [mut pass, mut work] = [[0.0; 2]; 2];
        for adds in [false, true] {
            let Some(i) = (2..n - 2).find(|i| counted.adds[*i] == adds) else { continue };
            let part = |steps: Range<usize>| counted.part(steps, false);
            work[usize::from(adds)] = part(0..i + 1) - part(0..i) + square;
            pass[usize::from(adds)] = work[usize::from(adds)] - (part(i..i + 2) - part(i + 1..i + 2));
        }
        let (mut start, mut each) = (0.0, square);
        if delayed {
            let [two, three] = [2, 3].map(|end| counted.part(0..end, true));
            each = work[usize::from(counted.adds[2])] - (three - two);
            start = two - counted.part(0..2, false) + (square - each) * (n - 2) as f64;
        }
        let summed = |of: [f64; 2]| {
            let mut sum = 0.0;
            let steps = counted.adds.iter().map(|adds| {
                sum += of[usize::from(*adds)];
                sum
            });
            [0.0].into_iter().chain(steps).collect::<Vec<f64>>()
        };
        let squared = (0..=n).map(|i| start + each * i as f64).collect();
        StepCosts { delayed, passed: summed(pass), worked: summed(work), squared }
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
            let least = |end: usize| {
                let starts = count..end.max(count + 1);
                let costs = starts.map(|start| (before[start].0.max(self.of(&(start..end.max(start))) + error), start));
                costs.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((f64::INFINITY, count))
            };
            let next = (0..=n).map(|end| if end > count { least(end) } else { (f64::INFINITY, count) }).collect();
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
