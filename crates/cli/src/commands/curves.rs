//! `bilinear curves`: the list of shipped curves.

use super::Outcome;
use crate::console;
use crate::error::CommandError;
use bilinear_params::Curve;
use serde::Serialize;
use std::fmt::Write;

/// List the shipped curves with their sizes and security.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  bilinear curves --json")]
pub(crate) struct Args {
    /// Print one JSON array instead of text
    #[arg(long)]
    json: bool,
    /// Also list the curves for research only, whose discrete logarithms are broken
    #[arg(long)]
    research: bool,
}

#[derive(Serialize)]
struct Entry {
    name: String,
    aliases: Vec<String>,
    family: &'static str,
    embedding_degree: u32,
    field_bits: u64,
    order_bits: u64,
    security_bits: u32,
    security: String,
    note: String,
}

impl Entry {
    fn new(curve: &Curve) -> Self {
        let (family, security) = (curve.family(), curve.security());
        Self {
            name: curve.name().to_owned(),
            aliases: curve.aliases().to_vec(),
            family: family.name(),
            embedding_degree: family.embedding_degree(),
            field_bits: family.field_bits(),
            order_bits: family.order().bits(),
            security_bits: security.bits,
            security: security.to_string(),
            note: curve.note().to_owned(),
        }
    }
}

/// Runs the command.
///
/// # Errors
/// Returns an error if standard output cannot be written.
pub(crate) fn run(args: &Args) -> Result<Outcome, CommandError> {
    let broken = Curve::research_names().filter(|_| args.research);
    let entries = Curve::names()
        .chain(broken)
        .map(|name| Ok(Entry::new(&Curve::named(name)?)))
        .collect::<Result<Vec<_>, CommandError>>()?;
    let text = if args.json { console::json(&entries)? } else { table(&entries) };
    console::print(text)?;
    Ok(Outcome::Good)
}

fn table(entries: &[Entry]) -> String {
    let mut text = String::new();
    for entry in entries {
        let Entry { name, family, embedding_degree: k, field_bits, order_bits, security, note, .. } = entry;
        let _ = write!(text, "{name}");
        if !entry.aliases.is_empty() {
            let _ = write!(text, " (also {})", entry.aliases.join(", "));
        }
        let _ = writeln!(
            text,
            "\n    family {family}, field {field_bits} bits, order {order_bits} bits, embedding degree {k}"
        );
        let _ = writeln!(text, "    security: {security}");
        if !note.is_empty() {
            let _ = writeln!(text, "    {note}");
        }
    }
    text
}
