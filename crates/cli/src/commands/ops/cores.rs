//! `bilinear ops --cores`: how the Miller loop of one pairing is divided among cores, and the speed-up that the
//! counts predict.

use crate::choice::CurvePairing;
use crate::console;
use crate::error::CommandError;
use bilinear_engine::{LoopPartition, loop_partition};
use serde::Serialize;
use std::fmt::Write;

/// The part of the loop that one core computes.
#[derive(Serialize)]
struct Part {
    /// The loop's number, from 0: Weil pairings have several loops.
    #[serde(rename = "loop")]
    number: usize,
    /// The first step, and the step after the last.
    steps: [usize; 2],
    squarings: usize,
    cost: f64,
}

/// A partition for at most `cores` cores.
#[derive(Serialize)]
struct Partition {
    cores: usize,
    parts: Vec<Part>,
    delayed: bool,
    longest: f64,
    finish: f64,
    alone: f64,
    speed_up: f64,
}

#[derive(Serialize)]
struct Listing {
    curve: String,
    /// True if the field has small characteristic: the costs are then those of formulas, since there are no
    /// programs to count.
    #[serde(skip)]
    formulas: bool,
    partitions: Vec<Partition>,
}

impl Partition {
    fn new(cores: usize, partition: LoopPartition) -> Self {
        let speed_up = rounded(partition.speed_up());
        let LoopPartition { parts, delayed, longest, finish, alone } = partition;
        let part = |part: bilinear_engine::PartitionPart| Part {
            number: part.part.number,
            steps: [part.part.first, part.part.end],
            squarings: part.squarings,
            cost: rounded(part.cost),
        };
        let parts = parts.into_iter().map(part).collect();
        Partition {
            cores,
            parts,
            delayed,
            longest: rounded(longest),
            finish: rounded(finish),
            alone: rounded(alone),
            speed_up,
        }
    }
}

/// Rounds to three decimal places.
fn rounded(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0
}

/// Returns the output of `--cores`.
///
/// # Errors
/// Returns an error if the curve is unknown, or if its loop cannot be divided.
pub(super) fn report(pairing: &CurvePairing, cores: usize, prepared: bool, json: bool) -> Result<String, CommandError> {
    let (curve, options) = pairing.load()?;
    let partition =
        |cores| loop_partition(&curve, options, prepared, cores).map(|partition| Partition::new(cores, partition));
    let partitions = (1..=cores.min(LoopPartition::MAX_PARTS)).map(partition).collect::<Result<Vec<_>, _>>();
    let listing = Listing {
        curve: curve.name().to_owned(),
        formulas: curve.is_for_research(),
        partitions: partitions.map_err(|error| CommandError::Engine(error.to_string()))?,
    };
    if json { console::json(&listing) } else { Ok(text(&listing)) }
}

/// Formats a line for each number of cores, and the parts of the last partition.
fn text(listing: &Listing) -> String {
    let counted = if listing.formulas { "its formulas" } else { "its programs" };
    let mut text = format!("{}: one pairing on several cores, by the counts of {counted}\n\n", listing.curve);
    let _ = writeln!(text, "{:>5}{:>7}{:>10}{:>10}{:>10}", "cores", "parts", "loops", "rest", "speed-up");
    for Partition { cores, parts, longest, finish, speed_up, .. } in &listing.partitions {
        let _ = writeln!(text, "{cores:>5}{:>7}{longest:>10.0}{finish:>10.0}{speed_up:>10.2}", parts.len());
    }
    let Some(Partition { parts, delayed, .. }) = listing.partitions.last() else { return text };
    let when = if *delayed { "after the easy part" } else { "in F_q^k" };
    let _ =
        writeln!(text, "\n{:>5}{:>6}{:>12}{:>32}{:>10}", "part", "loop", "steps", format!("squarings {when}"), "cost");
    for (i, Part { number, steps: [first, end], squarings, cost }) in parts.iter().enumerate() {
        let _ =
            writeln!(text, "{:>5}{:>6}{:>12}{squarings:>32}{cost:>10.0}", i + 1, number + 1, format!("{first}..{end}"));
    }
    text += if listing.formulas {
        "\ncosts in products and reductions of F_q; squares and long powers count in proportion to their times\n"
    } else {
        "\ncosts in products and reductions of F_q; six linear operations count as one of them\n"
    };
    text
}
