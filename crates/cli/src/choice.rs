//! The arguments that choose a curve, one of its pairings and an engine.

use crate::commands::reads::Reads;
use crate::console;
use crate::error::CommandError;
use crate::secret::Source;
use bilinear_engine::{Encoding, Engine, Group, Options, PairingKind, Power, Research, System};
use bilinear_params::security::MIN_BITS;
use bilinear_params::{Curve, Description, Factors, MAX_FILE_BYTES};
use clap::ValueEnum;
use std::num::{NonZeroUsize, ParseIntError};
use std::path::{Path, PathBuf};

/// The choice of a curve.
#[derive(Clone, Debug, clap::Args)]
#[group(skip)]
pub(crate) struct CurveChoice {
    #[command(flatten)]
    pub(crate) source: CurveSource,
    /// Allow a curve of small characteristic, for research only.
    ///
    /// These curves are ss2-271, ss3-97, hss2-367 and others. Their discrete logarithms are broken, since they take
    /// only quasi-polynomial time, so pairings on these curves are not secure.
    #[arg(long)]
    research: bool,
}

/// The source of a curve's parameters.
#[derive(Clone, Debug, clap::Args)]
#[group(id = "CurveChoice", required = true, multiple = false)]
pub(crate) struct CurveSource {
    /// A shipped curve, by name or alias (see `bilinear curves`)
    #[arg(long, value_name = "NAME")]
    curve: Option<String>,
    /// A parameter file: TOML, or a PBC .param file
    #[arg(long, value_name = "FILE")]
    params: Option<PathBuf>,
}

impl CurveSource {
    /// Returns true if the user has chosen a curve, by name or by file.
    pub(crate) fn is_made(&self) -> bool {
        self.curve.is_some() || self.params.is_some()
    }

    /// Returns the option and path of the parameter file, if the curve comes from a file.
    pub(crate) fn reads(&self) -> Option<Reads<'_>> {
        self.params.as_deref().map(|path| ("--params", path))
    }

    /// Loads the curve.
    ///
    /// # Errors
    /// Returns an error if no shipped curve has the given name, or if the file does not hold sound parameters.
    pub(crate) fn load(&self) -> Result<Curve, CommandError> {
        match (&self.curve, &self.params) {
            (Some(name), _) => Ok(Curve::named(name)?),
            (None, Some(path)) => Ok(Description::load(path)?.curve),
            (None, None) => Err(CommandError::Usage("choose a curve by --curve or --params".to_owned())),
        }
    }
}

impl CurveChoice {
    /// Loads the curve and prepares it for computing. A weak curve is named on standard error, even with
    /// `--quiet`.
    ///
    /// # Errors
    /// Returns an error where [`CurveSource::load`] does, if the engine cannot compute with the curve, or if
    /// the curve does not have the requested pairing.
    pub(crate) fn system(&self, options: Options) -> Result<System, CommandError> {
        let research = self.research.then(Research::knowing_it_is_broken);
        announced(&self.source.load()?, Options { research, ..options })
    }
}

/// Prepares a curve for computing. A weak curve is named on standard error, even with `--quiet`.
///
/// # Errors
/// Returns an error where [`system`] does.
pub(crate) fn announced(curve: &Curve, options: Options) -> Result<System, CommandError> {
    let security = curve.security();
    if security.bits < MIN_BITS || security.test_only || security.held_by_maker {
        console::note(format_args!("warning: {} is weak: {security}", curve.name()));
    }
    system(curve, options)
}

/// Prints a note that the processor computes, if the chosen engine would have used a device but found none.
pub(crate) fn say_no_device(system: &System) {
    if let Some(reason) = system.no_device_reason() {
        console::note(format_args!("note: no device: {reason}; the processor computes"));
    }
}

/// Parses a number of threads, rows or samples from an argument.
///
/// # Errors
/// Returns an error if the text is not a number, or if the number is 0.
pub(crate) fn count(text: &str) -> Result<NonZeroUsize, String> {
    let number: usize = text.parse().map_err(|error: ParseIntError| error.to_string())?;
    NonZeroUsize::new(number).ok_or_else(|| "0 is not allowed: at least 1".to_owned())
}

/// Returns the system with the factors from a file that only its owner may read, or unchanged if no file is
/// given.
///
/// # Errors
/// Returns an error if the file does not exist, if others may read it, or if its factors are not those of the
/// curve.
pub(crate) fn knowing_factors(system: System, file: Option<&Path>) -> Result<System, CommandError> {
    let Some(path) = file else { return Ok(system) };
    let source = Source::File(path.to_owned());
    let bytes = source.read_at_most(MAX_FILE_BYTES)?;
    let text = str::from_utf8(&bytes)
        .map_err(|error| CommandError::Usage(format!("{}: not UTF-8: {error}", source.name())))?;
    let factors = Factors::from_toml(text, &source.name(), system.curve())?;
    system.with_factors(&factors).map_err(|error| CommandError::Usage(error.to_string()))
}

/// Returns the name by which a value is chosen on the command line.
pub(crate) fn named(value: &impl ValueEnum) -> Option<String> {
    Some(value.to_possible_value()?.get_name().to_owned())
}

/// The choice of an engine.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct EngineChoice {
    /// The engine to use (default: the best for this processor).
    ///
    /// One of mont, ifma, portable, hmm, rns, rows, cuda, auto and reference.
    #[arg(long = "engine", value_name = "NAME")]
    pub(crate) chosen: Option<Engine>,
}

/// The choice of one of a curve's pairings.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct PairingChoice {
    /// The kind of pairing (default: the first that the curve's family has).
    ///
    /// One of optate, ate, rate, tate, betaweil, alphaweil, weil, etat and opteta.
    #[arg(long = "pairing", value_name = "KIND")]
    pub(crate) kind: Option<PairingKind>,
    /// The final exponentiation: exact or fast.
    ///
    /// `exact` uses the exponent (p^k - 1)/r. `fast` uses the multiple of this exponent that costs least, on curves
    /// with sextic twists only: 3 times the exponent for BLS curves, 2u(6u^2 + 3u + 1) times for BN, -1/(2 + p^3)^2 mod
    /// r times for KSS18. Fast values are pairings too, but in general not the values that other software gives.
    #[arg(long, value_name = "POWER", default_value = "exact")]
    pub(crate) power: Power,
}

/// The choice of a curve and of one of its pairings, without an engine.
#[derive(Debug, clap::Args)]
pub(crate) struct CurvePairing {
    #[command(flatten)]
    pub(crate) curve: CurveChoice,
    #[command(flatten)]
    pairing: PairingChoice,
}

impl CurvePairing {
    /// Loads the curve, and returns it with the options that select the pairing.
    ///
    /// # Errors
    /// Returns an error where [`CurveSource::load`] does.
    pub(crate) fn load(&self) -> Result<(Curve, Options), CommandError> {
        let research = self.curve.research.then(Research::knowing_it_is_broken);
        let PairingChoice { kind: pairing, power } = self.pairing;
        Ok((self.curve.source.load()?, Options { pairing, power, research, ..Options::default() }))
    }
}

/// Rejects an encoding that the curve does not have.
///
/// # Errors
/// Returns an error if the curve does not have the encoding.
pub(crate) fn suits(system: &System, encoding: Encoding) -> Result<(), CommandError> {
    system.encoded_len(Group::G1, encoding).map_err(|error| CommandError::Usage(error.to_string()))?;
    Ok(())
}

/// Prepares a curve for computing.
///
/// # Errors
/// Returns an error if the engine cannot compute with the curve, or if the curve does not have the requested
/// pairing.
pub(crate) fn system(curve: &Curve, options: Options) -> Result<System, CommandError> {
    System::with(curve, options).map_err(|error| CommandError::Engine(error.to_string()))
}
