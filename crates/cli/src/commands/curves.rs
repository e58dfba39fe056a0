//! `bilinear curves`: what is shipped.

use super::Outcome;
use crate::console;
use crate::error::CommandError;
use bilinear_params::{Curve, Family, Kind};
use serde::Serialize;
use std::fmt::Write;

/// List the shipped curves with their sizes and security.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  bilinear curves --json")]
pub(crate) struct Args {
    /// As one JSON array instead of text
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Entry {
    name: String,
    aliases: Vec<String>,
    family: &'static str,
    field_bits: u64,
    order_bits: u64,
    security_bits: u32,
    security: String,
    note: String,
}

impl Entry {
    fn new(curve: &Curve) -> Result<Self, CommandError> {
        let (field_bits, order_bits) = sizes(curve)?;
        let security = curve.security();
        Ok(Self {
            name: curve.name().to_owned(),
            aliases: curve.aliases().to_vec(),
            family: family(curve)?,
            field_bits,
            order_bits,
            security_bits: security.bits,
            security: security.to_string(),
            note: curve.note().to_owned(),
        })
    }
}

/// Runs the command.
///
/// # Errors
/// If standard output cannot be written.
pub(crate) fn run(args: &Args) -> Result<Outcome, CommandError> {
    let entries =
        Curve::names().map(|name| Entry::new(&Curve::named(name)?)).collect::<Result<Vec<_>, CommandError>>()?;
    let text = if args.json {
        let json = serde_json::to_string_pretty(&entries);
        json.map_err(|error| CommandError::Usage(error.to_string()))? + "\n"
    } else {
        table(&entries)
    };
    console::print(&text).map_err(CommandError::io("standard output", "write"))?;
    Ok(Outcome::Good)
}

fn table(entries: &[Entry]) -> String {
    let mut text = String::new();
    for entry in entries {
        let Entry { name, family, field_bits, order_bits, security, note, .. } = entry;
        let _ = write!(text, "{name}");
        if !entry.aliases.is_empty() {
            let _ = write!(text, " (also {})", entry.aliases.join(", "));
        }
        let _ = writeln!(text, "\n    family {family}, field {field_bits} bits, order {order_bits} bits");
        let _ = writeln!(text, "    security: {security}");
        if !note.is_empty() {
            let _ = writeln!(text, "    {note}");
        }
    }
    text
}

/// The family's name in parameter files.
pub(crate) fn family(curve: &Curve) -> Result<&'static str, CommandError> {
    match curve.family() {
        Family::Supersingular(s) => Ok(match s.kind() {
            Kind::A => "a",
            Kind::A1 => "a1",
        }),
        _ => Err(unknown_family(curve)),
    }
}

/// Bits of the field's characteristic and of the group order.
pub(crate) fn sizes(curve: &Curve) -> Result<(u64, u64), CommandError> {
    match curve.family() {
        Family::Supersingular(s) => Ok((s.q().bits(), s.order().bits())),
        _ => Err(unknown_family(curve)),
    }
}

fn unknown_family(curve: &Curve) -> CommandError {
    CommandError::Usage(format!("curve {}: this command does not know its family", curve.name()))
}
