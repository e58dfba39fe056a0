//! `bilinear params`: show parameters, and make new ones.

use super::Outcome;
use crate::choice::CurveChoice;
use crate::console;
use crate::error::CommandError;
use crate::new_params;
use bilinear_engine::Engine;
use bilinear_params::Description;
use bilinear_params::generate::Generator;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Show curve parameters, or make new ones.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Show(Show),
    /// Make new parameters from the operating system's randomness
    #[command(subcommand)]
    New(New),
}

/// Print the public parameters as TOML, with sizes and security in comments.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  bilinear params show --params a.param > a.toml")]
struct Show {
    #[command(flatten)]
    curve: CurveChoice,
}

#[derive(Debug, clap::Subcommand)]
enum New {
    A(NewA),
    A1(NewA1),
}

/// Type A: a prime order r, for schemes in one group.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  bilinear params new a --r-bits 256 --q-bits 1536 --out my-a.toml")]
struct NewA {
    /// Size of the group order r
    #[arg(long, value_name = "BITS")]
    r_bits: usize,
    /// Size of the field's characteristic q
    #[arg(long, value_name = "BITS")]
    q_bits: usize,
    #[command(flatten)]
    common: Common,
}

/// Type A1: a composite order n, whose factors go to a file of their own.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  bilinear params new a1 --primes 1024,1024 --out my-a1.toml --factors-out my-a1.secret.toml")]
struct NewA1 {
    #[command(flatten)]
    primes: Primes,
    /// Where the secret factors go: a new file that only you can read
    #[arg(long, value_name = "FILE")]
    factors_out: PathBuf,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Primes {
    /// Sizes of fresh random prime factors
    #[arg(long, value_name = "BITS,BITS,...", value_delimiter = ',')]
    primes: Option<Vec<usize>>,
    /// Your own prime factors: a text file with one a line, decimal or hexadecimal with 0x
    #[arg(long, value_name = "FILE")]
    factors: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
struct Common {
    /// Where the public parameters go: a new file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The curve's name (a-z, 0-9, `.`, `_`, `-`); that of the file by default
    #[arg(long)]
    name: Option<String>,
    /// Allow parameters that can be broken, for tests
    #[arg(long)]
    insecure: bool,
    /// The engine that computes the generator (mont, portable, reference); the best of this machine by default
    #[arg(long, value_name = "NAME")]
    engine: Option<Engine>,
}

/// Runs the command.
///
/// # Errors
/// If parameters are refused, or a file cannot be read or written.
pub(crate) fn run(args: &Args) -> Result<Outcome, CommandError> {
    match &args.command {
        Command::Show(args) => show(args)?,
        Command::New(New::A(args)) => {
            args.common.refuse_existing(&args.common.out)?;
            let made = args.common.generator()?.a(args.r_bits, args.q_bits)?;
            args.common.save(made, None)?;
        }
        Command::New(New::A1(args)) => {
            args.common.refuse_existing(&args.common.out)?;
            args.common.refuse_existing(&args.factors_out)?;
            let generator = args.common.generator()?;
            let made = match (&args.primes.primes, &args.primes.factors) {
                (Some(sizes), _) => generator.a1(sizes)?,
                (None, Some(path)) => generator.a1_with(new_params::read_primes(path)?)?,
                (None, None) => return Err(CommandError::Usage("give --primes or --factors".to_owned())),
            };
            args.common.save(made, Some(&args.factors_out))?;
        }
    }
    Ok(Outcome::Good)
}

fn show(args: &Show) -> Result<(), CommandError> {
    let curve = args.curve.load()?;
    let family = curve.family();
    let (name, field, order) = (family.name(), family.field().bits(), family.order().bits());
    let head = format!(
        "# family {name}, field {field} bits, order {order} bits\n# security: {}\n# fingerprint: {}\n\n",
        curve.security(),
        curve.fingerprint()
    );
    console::print(&(head + &curve.to_toml())).map_err(CommandError::io("standard output", "write"))
}

impl Common {
    fn refuse_existing(&self, path: &Path) -> Result<(), CommandError> {
        match path.symlink_metadata() {
            Ok(_) => Err(CommandError::io(path.display(), "create")(io::ErrorKind::AlreadyExists.into())),
            Err(_) => Ok(()),
        }
    }

    fn generator(&self) -> Result<Generator<'static>, CommandError> {
        let stem = || Some(self.out.file_stem()?.to_str()?.to_ascii_lowercase());
        let name = self.name.clone().or_else(stem).unwrap_or_default();
        Ok(Generator::new(&name).insecure(self.insecure))
    }

    /// Adds the generator and writes the public file, then the secret one; a failure leaves neither.
    fn save(&self, made: Description, factors_out: Option<&Path>) -> Result<(), CommandError> {
        let (curve, factors) = new_params::with_generator(made, self.engine)?;
        let name = self.out.display();
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&self.out)
            .map_err(CommandError::io(name.to_string(), "create"))?;
        let written = file
            .write_all(curve.to_toml().as_bytes())
            .and_then(|()| file.sync_all())
            .map_err(CommandError::io(name.to_string(), "write"))
            .and_then(|()| match (&factors, factors_out) {
                (Some(factors), Some(path)) => Ok(factors.write(path)?),
                _ => Ok(()),
            });
        if let Err(error) = written {
            let _ = fs::remove_file(&self.out);
            return Err(error);
        }
        console::note(format_args!("{name}: {}", curve.security()));
        if let Some(path) = factors_out {
            console::note(format_args!("{}: the secret factors; keep them apart from the parameters", path.display()));
        }
        Ok(())
    }
}
