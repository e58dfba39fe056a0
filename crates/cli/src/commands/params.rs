//! `bilinear params`: shows parameters, and makes new ones.

use super::{Outcome, fresh};
use crate::choice::CurveChoice;
use crate::console;
use crate::error::CommandError;
use crate::new_params;
use bilinear_engine::Engine;
use bilinear_params::generate::{Generator, Progress};
use bilinear_params::{Description, SexticKind, is_name, private};
use indicatif::ProgressBar;
use num_bigint::BigInt;
use std::fs;
use std::path::{Path, PathBuf};

/// Show curve parameters, or make new ones.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    Show(Show),
    /// Make new parameters, from the operating system's randomness or from a seed
    #[command(subcommand)]
    New(New),
}

/// Print the public parameters as TOML, with sizes and security in comments.
///
/// Parameters that a file leaves out are printed as well.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  bilinear params show --params a.param > a.toml")]
pub(crate) struct Show {
    #[command(flatten)]
    curve: CurveChoice,
}

#[derive(Debug, clap::Subcommand)]
pub(crate) enum New {
    A(NewA),
    A1(NewA1),
    Seed(NewSeed),
}

/// Make a curve of type A: a prime order r, for schemes in one group.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  bilinear params new a --r-bits 256 --q-bits 1536 --out my-a.toml")]
pub(crate) struct NewA {
    /// The size of the group order r, in bits
    #[arg(long, value_name = "BITS")]
    r_bits: usize,
    /// The size of the field's characteristic q, in bits
    #[arg(long, value_name = "BITS")]
    q_bits: usize,
    /// Look for a Montgomery-friendly q, with which the engine ifma computes faster.
    ///
    /// Such a q is 3 modulo a large power of 2.
    #[arg(long)]
    friendly: bool,
    #[command(flatten)]
    common: Common,
}

/// Make a curve of type A1: a composite order n, whose factors go to a separate file.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  bilinear params new a1 --primes 1024,1024 --out my-a1.toml \\
      --factors-out my-a1.secret.toml")]
pub(crate) struct NewA1 {
    #[command(flatten)]
    primes: Primes,
    /// Look for a Montgomery-friendly q, with which the engine ifma computes faster; with fresh primes only.
    ///
    /// Such a q is 3 modulo a large power of 2.
    #[arg(long, conflicts_with = "factors")]
    friendly: bool,
    /// Write the secret factors to this new file, which only you can read
    #[arg(long, value_name = "FILE")]
    factors_out: PathBuf,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Primes {
    /// The sizes of fresh random prime factors, in bits
    #[arg(long, value_name = "BITS,BITS,...", value_delimiter = ',')]
    primes: Option<Vec<usize>>,
    /// Use your own prime factors from this text file (mode 0600).
    ///
    /// Each line has one factor, in decimal, or in hexadecimal after 0x.
    #[arg(long, value_name = "FILE")]
    factors: Option<PathBuf>,
}

/// Make a BN, BLS12, BLS24, BLS48 or KSS18 curve from its seed.
///
/// The seed determines p, r and t. The command finds the least tower, b and generators.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  bilinear params new seed --family bls12 --u=-0x6008204000000020001 \\
      --out bls12-446.toml")]
pub(crate) struct NewSeed {
    /// The family: bn, bls12, bls24, bls48 or kss18
    #[arg(long, value_name = "FAMILY", value_parser = family)]
    family: SexticKind,
    /// The seed, decimal, or hexadecimal after 0x; write a negative seed as --u=-...
    #[arg(long, value_name = "INTEGER", value_parser = seed)]
    u: BigInt,
    #[command(flatten)]
    common: Common,
}

fn family(name: &str) -> Result<SexticKind, String> {
    let known = [SexticKind::Bn, SexticKind::Bls12, SexticKind::Bls24, SexticKind::Bls48, SexticKind::Kss18];
    let found = known.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name));
    found.ok_or_else(|| "the families with a seed are bn, bls12, bls24, bls48 and kss18".to_owned())
}

fn seed(text: &str) -> Result<BigInt, String> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let (digits, radix) = digits.strip_prefix("0x").map_or((digits, 10), |digits| (digits, 16));
    let digits = Some(digits).filter(|d| d.len() <= MAX_DIGITS && d.bytes().all(|b| b.is_ascii_hexdigit()));
    let value = digits.and_then(|digits| BigInt::parse_bytes(digits.as_bytes(), radix));
    let value =
        value.ok_or_else(|| format!("not an integer in decimal or 0x hexadecimal, of at most {MAX_DIGITS} digits"))?;
    Ok(if negative { -value } else { value })
}

/// The most digits of a seed: p has at most 4096 bits.
pub(crate) const MAX_DIGITS: usize = 400;

#[derive(Debug, clap::Args)]
struct Common {
    /// Write the public parameters to this new file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The curve's name, of a-z, 0-9, `.`, `_` and `-` (default: the name of the file)
    #[arg(long)]
    name: Option<String>,
    /// Allow parameters that can be broken, for tests
    #[arg(long)]
    insecure: bool,
    /// The engine that computes the generator (default: the best for this processor).
    ///
    /// One of mont, ifma, portable, hmm, rns, rows, cuda, auto and reference.
    #[arg(long, value_name = "NAME")]
    engine: Option<Engine>,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the parameters are rejected, or if a file cannot be read or written.
pub(crate) fn run(command: &Command) -> Result<Outcome, CommandError> {
    match command {
        Command::Show(args) => show(args)?,
        Command::New(New::A(args)) => {
            fresh::check(&args.common.out)?;
            let made = args.common.generator()?.friendly(args.friendly).a(args.r_bits, args.q_bits)?;
            args.common.save(made, None)?;
        }
        Command::New(New::A1(args)) => {
            fresh::check_both(&args.common.out, &args.factors_out)?;
            let generator = args.common.generator()?.friendly(args.friendly);
            let made = match (&args.primes.primes, &args.primes.factors) {
                (Some(sizes), _) => generator.a1(sizes)?,
                (None, Some(path)) => generator
                    .a1_with(new_params::read_primes(path)?)
                    .map_err(|error| CommandError::Usage(format!("{}: {error}", path.display())))?,
                (None, None) => return Err(CommandError::Usage("give --primes or --factors".to_owned())),
            };
            args.common.save(made, Some(&args.factors_out))?;
        }
        Command::New(New::Seed(args)) => {
            fresh::check(&args.common.out)?;
            let made = args.common.generator()?.seed(args.family, args.u.clone())?;
            args.common.save(made, None)?;
        }
    }
    Ok(Outcome::Good)
}

/// Returns a display of the progress of a search, which is shown on terminals only and cleared in the end.
fn show_progress() -> impl FnMut(Progress) {
    let bar = ProgressBar::new_spinner();
    move |progress| match progress {
        Progress::Factor { found, wanted } => bar.set_message(format!("{found} of {wanted} primes found")),
        Progress::Field { candidate } => bar.set_message(format!("candidate {candidate} for q")),
        _ => {}
    }
}

fn show(args: &Show) -> Result<(), CommandError> {
    let curve = args.curve.source.load()?;
    let family = curve.family();
    let (name, field, order) = (family.name(), family.field_bits(), family.order().bits());
    let head = format!(
        "# family {name}, field {field} bits, order {order} bits\n# security: {}\n# fingerprint: {}\n\n",
        curve.security(),
        curve.fingerprint()
    );
    console::print(head + &curve.to_toml())
}

impl Common {
    fn generator(&self) -> Result<Generator<'static>, CommandError> {
        let stem = || Some(self.out.file_stem()?.to_str()?.to_ascii_lowercase()).filter(|stem| is_name(stem));
        let name = self.name.clone().or_else(stem).ok_or_else(|| {
            let reason = "the name of --out is no name of a curve; give --name";
            CommandError::Usage(format!("{}: {reason}", self.out.display()))
        })?;
        Ok(Generator::new(&name).insecure(self.insecure).on_progress(show_progress()))
    }

    /// Adds the generator, then writes the public file and the secret one. If this fails, neither file remains.
    fn save(&self, made: Description, factors_out: Option<&Path>) -> Result<(), CommandError> {
        let (curve, factors) = new_params::with_generator(made, self.engine)?;
        let name = self.out.display();
        private::create_public(&self.out, curve.to_toml().as_bytes())
            .map_err(CommandError::private(name.to_string()))?;
        let written = match (&factors, factors_out) {
            (Some(factors), Some(path)) => factors.write(path),
            _ => Ok(()),
        };
        if let Err(error) = written {
            let _ = fs::remove_file(&self.out);
            return Err(error.into());
        }
        console::note(format_args!("{name}: {}", curve.security()));
        if let Some(path) = factors_out {
            console::note(format_args!("{}: the secret factors; keep them apart from the parameters", path.display()));
        }
        Ok(())
    }
}
