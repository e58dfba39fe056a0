//! `bilinear asm`: converts programs of the processor between text and words.

use super::options::{MachineArgs, is_words, load, pairing};
use crate::choice::{CurveSource, PairingChoice};
use crate::commands::Outcome;
use crate::commands::reads::refuse_replacing;
use crate::console;
use crate::error::CommandError;
use crate::output::new_file::NewFile;
use bilinear_engine::Options;
use bilinear_processor::{Object, disassemble};
use std::io::Write;
use std::path::PathBuf;

/// Assemble, disassemble or compile a program of the pairing processor.
///
/// A program is text (.pasm: directives, labels, instructions, comments) or words with their ports and constants
/// (.json). If OUT is given, its name determines the form of the output. Otherwise the program of FILE is converted to
/// the other form, and the program of a curve's pairing is written as text. The manual of the processor,
/// docs/processor.md, describes both forms.
#[derive(Debug, clap::Args)]
#[command(mut_group("CurveChoice", |group| group.required(false)))]
#[command(after_help = "\
Examples:
  bilinear asm --curve a-512 --out a-512.pasm
  bilinear asm a-512.pasm --out a-512.json")]
pub(crate) struct Args {
    /// The program to convert: text, or words if the name ends in .json
    #[arg(value_name = "FILE", conflicts_with_all = ["CurveChoice", "PairingChoice", "MachineArgs"])]
    file: Option<PathBuf>,
    #[command(flatten)]
    curve: CurveSource,
    #[command(flatten)]
    pairing: PairingChoice,
    #[command(flatten)]
    machine: MachineArgs,
    /// Write the program to OUT: text, or words if the name ends in .json (default: standard output)
    #[arg(long, value_name = "OUT")]
    out: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if there is no program, if the program cannot run, or if it cannot be written.
pub(crate) fn run(args: &Args) -> Result<Outcome, CommandError> {
    if let Some(out) = &args.out {
        let program = args.file.iter().map(|file| ("FILE", &**file));
        refuse_replacing(out, program.chain(args.curve.reads()))?;
    }
    let (image, from_words) = match &args.file {
        Some(file) => (load(file)?, is_words(file)),
        None if !args.curve.is_made() => {
            return Err(CommandError::Usage("name a FILE, or choose a curve by --curve or --params".to_owned()));
        }
        None => {
            let curve = args.curve.load()?;
            let options = Options { pairing: args.pairing.kind, power: args.pairing.power, ..Options::default() };
            // the compiled program of a curve is written as text by default
            (pairing(&curve, options, &args.machine.machine(&curve)?)?, true)
        }
    };
    let as_words = args.out.as_ref().map_or(!from_words, |out| is_words(out));
    let text = if as_words {
        console::json(&Object::new(&image).map_err(|error| CommandError::Engine(error.to_string()))?)?
    } else {
        disassemble(&image)
    };
    match &args.out {
        Some(out) => {
            let file = NewFile::create(out)?;
            file.writer()?.write_all(text.as_bytes()).map_err(CommandError::io(out.display(), "write"))?;
            file.complete()?;
        }
        None => console::print(text)?,
    }
    Ok(Outcome::Good)
}
