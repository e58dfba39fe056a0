//! `bilinear ops --rns`: the moduli of the engine `rns`, and the reductions that the programs of a pairing take
//! on this engine.

use crate::choice::CurvePairing;
use crate::console;
use crate::error::CommandError;
use bilinear_engine::{Moduli, OnResidues, on_residues};
use serde::Serialize;
use std::fmt::Write;

/// The counts of a program on its machine.
#[derive(Serialize)]
struct Row {
    program: &'static str,
    bases: Bases,
    sums_reduced: bool,
    reductions: u64,
    multiply_adds: u64,
}

/// The moduli of a machine.
#[derive(Serialize, PartialEq)]
struct Bases {
    #[serde(rename = "B")]
    first: Vec<u32>,
    #[serde(rename = "B'")]
    second: Vec<u32>,
    redundant: u32,
    /// The bound alpha = ⌊A/4p⌋ in decimal: a sum of products up to alpha·p² is reduced once.
    alpha: String,
}

#[derive(Serialize)]
struct Listing {
    curve: String,
    programs: Vec<Row>,
}

impl From<Moduli> for Bases {
    fn from(moduli: Moduli) -> Self {
        let Moduli { first, second, redundant, alpha } = moduli;
        Bases { first, second, redundant, alpha: alpha.to_string() }
    }
}

impl From<OnResidues> for Row {
    fn from(on: OnResidues) -> Self {
        let OnResidues { name, moduli, lazy_sums, reductions, multiply_adds } = on;
        Row { program: name, bases: moduli.into(), sums_reduced: !lazy_sums, reductions, multiply_adds }
    }
}

/// Returns the output of `--rns`.
///
/// # Errors
/// Returns an error if the curve is unknown, or if no machine satisfies the ranges of its programs.
pub(super) fn report(pairing: &CurvePairing, json: bool) -> Result<String, CommandError> {
    let (curve, options) = pairing.load()?;
    let programs = on_residues(&curve, options).map_err(|error| CommandError::Engine(error.to_string()))?;
    let listing = Listing { curve: curve.name().to_owned(), programs: programs.into_iter().map(Row::from).collect() };
    if json { console::json(&listing) } else { Ok(text(&listing)) }
}

/// Formats the distinct bases, and a line for each program.
fn text(listing: &Listing) -> String {
    let mut text = format!("{}: on residues modulo primes 2^32 - c\n", listing.curve);
    let rows = &listing.programs;
    for (i, row) in rows.iter().enumerate() {
        if rows[..i].iter().any(|other| other.bases == row.bases) {
            continue;
        }
        let Bases { first, second, redundant, alpha } = &row.bases;
        let offsets =
            |moduli: &[u32]| moduli.iter().map(|m| m.wrapping_neg().to_string()).collect::<Vec<_>>().join(" ");
        let _ = writeln!(text, "\n{} + {} + 1 moduli, alpha = {alpha}", first.len(), second.len());
        let _ = writeln!(text, "  B          c = {}", offsets(first));
        let _ = writeln!(text, "  B'         c = {}", offsets(second));
        let _ = writeln!(text, "  redundant  c = {}", offsets(&[*redundant]));
    }
    let _ = writeln!(text, "\n{:<34}{:>8}{:>8}{:>12}{:>15}", "", "moduli", "sums", "reductions", "multiply-adds");
    for Row { program, bases, sums_reduced, reductions, multiply_adds } in rows {
        let (n, sums) = (bases.first.len(), if *sums_reduced { "reduced" } else { "lazy" });
        let _ = writeln!(text, "{program:<34}{n:>8}{sums:>8}{reductions:>12}{multiply_adds:>15}");
    }
    text += "\nmoduli of one base; reductions and the multiply-adds of words that they take; a sum of products up to alpha p^2 is\n";
    text += "reduced once\n";
    text
}
