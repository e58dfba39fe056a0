//! The operation counts and the ranges of a pairing, read from the programs that run.

use super::job::{Job, PointJob};
use super::order;
use super::partition::LoopPartition;
use super::programs::{Machines, Programs, Ready, stored, stored_of_gt};
use crate::backend::error::SystemError;
use crate::backend::family::{ChosenPairing, KnownFamily};
use crate::backend::group::Group;
use crate::backend::machines::of_engine;
use crate::backend::options::Options;
use crate::backend::research::of_small_characteristic;
use crate::backend::validate::Validate;
use bilinear_field::CollectVec;
use bilinear_field::bounds::Report;
use bilinear_field::count::Tally;
use bilinear_field::rns::{self, Moduli};
use bilinear_field::{Engine, Margin};
use bilinear_pairing::names::PairingKind;
use bilinear_pairing::torus::Torus;
use bilinear_pairing::{LoopDigits, LoopPart};
use bilinear_params::Curve;
use bilinear_program::{Code, Output, Program, Routine};
use std::sync::Arc;

/// A phase of the computation and its operations on base-field elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// The name of what is computed.
    pub name: &'static str,
    /// The operations of the phase.
    pub cost: Tally,
}

/// The steps that compute a line, on curves with a sextic twist.
const STEPS: [&str; 2] = ["doubling step", "addition step"];

/// The job of the Miller loop of this number of pairs.
const fn pairs(pairs: usize, affine: bool) -> Job {
    Job::MillerValue { pairs, masked: false, affine }
}

/// Counts the operations of one of a curve's pairings, as a table. The table is the same on every engine.
///
/// # Errors
/// Returns an error if the engine does not compute with the family, or if the family has no such pairing.
pub fn operations(curve: &Curve, options: Options) -> Result<Vec<Phase>, SystemError> {
    let choice = ChosenPairing::new(curve, options)?;
    let programs = Programs::new(curve, &choice)?;
    let of = |job| programs.program(job).operations();
    let phase = |name, job| Phase { name, cost: of(job) };
    let validating = |group| of(Job::Points(group, PointJob::OnCurve)) + of(Job::Points(group, PointJob::InGroup));
    let symmetric = matches!(choice.family, KnownFamily::Supersingular(_));
    let mut table = vec![];
    if symmetric {
        // the steps of moving points, without the product by the line
        let loops = programs.program(pairs(1, false));
        let product = of(Job::GtMul);
        let alone = |phase: Phase| Phase { cost: phase.cost - product, ..phase };
        table.extend(step(&loops, "doubling step", "doubling step with its line").map(alone));
        table.extend(step(&loops, "addition step", "addition step with its line").map(alone));
    } else {
        // the steps of preparing an argument, which multiply no line into an accumulator
        let lines = programs.program(Job::Prepare);
        table.extend(step(&lines, "doubling step", "doubling step with its line"));
        table.extend(step(&lines, "addition step", "addition step with its line"));
    }
    let (one, two) = (of(pairs(1, false)), of(pairs(2, false)));
    table.push(phase("F_p^k product", Job::GtMul));
    table.push(phase("F_p^k square", Job::GtSquare { cyclotomic: false }));
    if !symmetric {
        table.push(phase("GT square", Job::GtSquare { cyclotomic: true }));
    }
    table.push(Phase { name: "Miller loop", cost: one });
    table.push(phase("final exponentiation", Job::Finish));
    table.push(Phase { name: "each further pair of a product", cost: two - one });
    if symmetric {
        let many = of(pairs(3, true)) - of(pairs(2, true));
        table.push(Phase { name: "the same, of many pairs", cost: many });
    }
    table.push(phase("preparing an argument", Job::Prepare));
    table.push(phase("Miller loop, prepared argument", Job::MillerPrepared { pairs: 1, masked: false }));
    if symmetric {
        table.push(Phase { name: "validating a point", cost: validating(Group::G1) });
    } else {
        table.push(Phase { name: "validating a point of G1", cost: validating(Group::G1) });
        table.push(Phase { name: "validating a point of G2", cost: validating(Group::G2) });
    }
    table.push(Phase { name: "total", cost: one + of(Job::Finish) });
    Ok(table)
}

/// The cost of the line evaluations of a Miller loop at P, which published counts of the loop may omit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineValues {
    /// The number of lines that the loop of one pair computes.
    pub lines: u64,
    /// The number of products in the base field for the value of one line; as many reductions come with them. They
    /// multiply the line's coefficients of x and of y, in F_p^(k/6), by the coordinates of P.
    pub products: u64,
}

/// Counts the line evaluations in the Miller loop of an ate pairing on a curve with a sextic twist; `None` for other
/// pairings, whose lines are not evaluated separately.
///
/// # Errors
/// Returns an error as [`operations`] does.
pub fn line_values(curve: &Curve, options: Options) -> Result<Option<LineValues>, SystemError> {
    let choice = ChosenPairing::new(curve, options)?;
    if !matches!(choice.family, KnownFamily::Sextic(_)) || choice.pairing == PairingKind::Tate {
        return Ok(None);
    }
    let program = Programs::new(curve, &choice)?.program(pairs(1, false));
    let calls = program.routines().iter().zip(program.calls());
    let lines = calls.filter(|(routine, _)| STEPS.contains(&routine.name)).map(|(_, calls)| calls).sum();
    Ok(Some(LineValues { lines, products: u64::from(curve.family().embedding_degree()) / 3 }))
}

/// Returns the programs of a pairing, each with its name: the Miller loop of one pair, its final exponentiation, the
/// preparation of an argument, and the Miller loop with a prepared argument.
///
/// # Errors
/// Returns an error as [`operations`] does.
pub fn programs(curve: &Curve, options: Options) -> Result<Vec<(&'static str, Arc<Program>)>, SystemError> {
    let choice = ChosenPairing::new(curve, options)?;
    let programs = Programs::new(curve, &choice)?;
    let jobs = [
        ("Miller loop", pairs(1, false)),
        ("final exponentiation", Job::Finish),
        ("preparing an argument", Job::Prepare),
        ("Miller loop, prepared argument", Job::MillerPrepared { pairs: 1, masked: false }),
    ];
    Ok(jobs.into_iter().map(|(name, job)| (name, programs.program(job))).collect_vec())
}

/// Returns the Miller loop of a product of `pairs` pairs as batches run it, each pair with a mask that says whether
/// one of its points is O. If `fixed`, the loop runs over prepared arguments.
///
/// # Errors
/// Returns an error as [`operations`] does.
///
/// # Panics
/// Panics if `pairs` is 0.
pub fn product_program(
    curve: &Curve,
    options: Options,
    pairs: usize,
    fixed: bool,
) -> Result<Arc<Program>, SystemError> {
    assert!(pairs > 0, "a product needs at least one pairing");
    let choice = ChosenPairing::new(curve, options)?;
    let job = match fixed {
        false => Job::MillerValue { pairs, masked: true, affine: false },
        true => Job::MillerPrepared { pairs, masked: true },
    };
    Ok(Programs::new(curve, &choice)?.program(job))
}

/// Returns the best partition of the Miller loop of a pairing, or of the loop over a prepared argument, among at most
/// `cores` cores: [`System::loop_partition`](crate::System::loop_partition) and `prepared_loop_partition` without a machine. In
/// small characteristic prepared arguments have no loop of their own.
///
/// # Errors
/// Returns an error as [`operations`] does.
pub fn loop_partition(
    curve: &Curve,
    options: Options,
    prepared: bool,
    cores: usize,
) -> Result<LoopPartition, SystemError> {
    let without_programs = of_small_characteristic(curve, options).transpose()?;
    let parts = without_programs.as_ref().and_then(|(backend, _)| backend.parts());
    if let Some(partition) = parts.and_then(|parts| parts.best_partition(false, cores)) {
        return Ok(partition);
    }
    let choice = ChosenPairing::new(curve, options)?;
    Ok(LoopPartition::best(&*Programs::new(curve, &choice)?, choice.cost_model, prepared, cores))
}

/// A program of a pairing on the engine `rns`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnResidues {
    /// The name of what is computed.
    pub name: &'static str,
    /// The moduli of the first machine on which every value of the program stays in range.
    pub moduli: Moduli,
    /// Whether sums of elements are left unreduced.
    pub lazy_sums: bool,
    /// The number of reductions of one run.
    pub reductions: u64,
    /// The number of multiply-adds of words that the reductions take.
    pub multiply_adds: u64,
}

/// Returns the [`programs`] of a pairing on the engine `rns`.
///
/// # Errors
/// Returns an error as [`operations`] does, if the engine does not compute with the curve, or if values of a program
/// leave their range on all its machines.
pub fn on_residues(curve: &Curve, options: Options) -> Result<Vec<OnResidues>, SystemError> {
    let engine = Engine::Rns;
    let machines = Machines::new(curve, &ChosenPairing::new(curve, options)?, (engine, of_engine(engine)))?;
    let on = |(name, program): (&'static str, Arc<Program>)| {
        let proved = machines.proved(&program);
        let refused = || SystemError::Ranges {
            curve: curve.name().to_owned(),
            engine,
            reason: proved.report.iter().flat_map(|r| r.violations.first()).cloned().collect(),
        };
        let margin = machines.margin(proved.suited.as_ref().ok_or_else(refused)?.number);
        let moduli = rns::moduli(curve.family().field(), margin);
        let reductions = reductions(&program, margin);
        let multiply_adds = reductions * rns::multiply_adds(moduli.first.len()) as u64;
        Ok(OnResidues { name, lazy_sums: margin.lazy_sums, reductions, multiply_adds, moduli })
    };
    programs(curve, options)?.into_iter().map(on).collect()
}

/// Counts the reductions of one run on the machine of `rns` with this margin. Beside the reductions of sums of
/// products there are two for an inversion and one for a test of a residue. There is also one for each sum of
/// elements or, where sums are left unreduced, for each residue that is kept.
fn reductions(program: &Program, margin: Margin) -> u64 {
    let cost = program.operations();
    let each = |codes: &[Code]| {
        let of = |routine: &Routine| routine.ops.iter().filter(|op| codes.contains(&op.code)).count() as u64;
        program.routines().iter().zip(program.calls()).map(|(routine, calls)| calls * of(routine)).sum::<u64>()
    };
    let kept = program.outputs().iter().filter(|output| matches!(output, Output::Uniform(_))).count() as u64;
    let sums = if margin.lazy_sums { kept } else { each(&[Code::Sum, Code::ThreePlusTwo, Code::ThreeMinusTwo]) };
    cost.reduction + 2 * cost.inversion + each(&[Code::IsZero, Code::IsOdd]) + sums
}

/// Returns the position of each output of the final exponentiation among the coefficients of an encoded value of GT.
///
/// # Errors
/// Returns an error if the family has no such pairing.
pub fn gt_order(curve: &Curve, options: Options) -> Result<Vec<usize>, SystemError> {
    Ok(order(curve, &ChosenPairing::new(curve, options)?))
}

/// The phase of the step with this name that a program runs most often.
fn step(program: &Program, routine: &str, name: &'static str) -> Option<Phase> {
    let steps = program.routines().iter().zip(program.calls()).filter(|(r, _)| r.name == routine);
    steps.max_by_key(|(_, calls)| *calls).map(|(routine, _)| Phase { name, cost: program.cost(routine) })
}

/// Lists every computation, each in the forms that differ in their ranges, for a pairing with these tori and these
/// loops.
fn all(symmetric: bool, tori: impl Iterator<Item = Torus>, loops: &[LoopDigits]) -> Vec<Job> {
    let mut jobs = vec![
        pairs(1, false),
        Job::MillerValue { pairs: 3, masked: true, affine: false },
        Job::Prepare,
        Job::MillerPrepared { pairs: 3, masked: true },
        Job::Finish,
        Job::GtMul,
        Job::GtSquare { cyclotomic: false },
        Job::GtSquare { cyclotomic: true },
        Job::GtInv,
        Job::InGt,
        Job::GtPower { bytes: 8 },
    ];
    if symmetric {
        jobs.push(Job::MillerValue { pairs: 3, masked: true, affine: true });
    }
    for &group in if symmetric { &[Group::G1][..] } else { &[Group::G1, Group::G2] } {
        use PointJob::{ClearCofactor, Decompress, FixedSum, InGroup, Keep, Map, Multiple, OnCurve, Window};
        let elements = if symmetric { 1 } else { 2 };
        let of_group = [
            OnCurve,
            Decompress,
            InGroup,
            ClearCofactor,
            Map { count: 1 },
            Map { count: elements },
            Multiple { known: Validate::Subgroup, bytes: 8 },
            Multiple { known: Validate::OnCurve, bytes: 8 },
            Window,
            Keep,
            FixedSum { digits: 3 },
        ];
        jobs.extend(of_group.map(|job| Job::Points(group, job)));
        jobs.extend(stored(group));
    }
    jobs.extend(stored_of_gt());
    jobs.extend(tori.flat_map(|torus| [Job::GtCompress(torus), Job::GtDecompress(torus)]));
    // halves of each loop: the first with delayed squarings behind it, the second without squarings
    for (number, length) in loops.iter().enumerate() {
        let (half, end) = (length.steps() / 2, length.steps());
        jobs.push(Job::MillerPart { part: LoopPart { number, first: 0, end: half }, delayed: true });
        jobs.push(Job::MillerPart { part: LoopPart { number, first: half, end }, delayed: false });
    }
    jobs.extend([false, true].map(|delayed| Job::FinishParts { parts: 2, delayed }));
    jobs
}

/// Runs every computation over intervals under the rules of the machine that executes it; `None` where values are
/// exact.
pub(super) fn bounds(ready: &Ready, symmetric: bool, tori: impl Iterator<Item = Torus>) -> Option<Report> {
    let mut total = Report::default();
    for job in all(symmetric, tori, &ready.programs.family().loops()) {
        let report = ready.report(job)?;
        total.elem = total.elem.hull(report.elem);
        total.wide = total.wide.hull(report.wide);
        total.reduced = total.reduced.hull(report.reduced);
        total.operations += report.operations;
        total.violations.extend(report.violations.into_iter().map(|reason| format!("{job:?}: {reason}")));
    }
    Some(total)
}
