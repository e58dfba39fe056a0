//! The arguments that choose a curve and an engine.

use crate::error::CommandError;
use bilinear_engine::{Engine, System};
use bilinear_params::{Curve, Description};
use std::path::PathBuf;

/// Which curve.
#[derive(Clone, Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(crate) struct CurveChoice {
    /// A shipped curve, by name or alias (see `bilinear curves`)
    #[arg(long, value_name = "NAME")]
    curve: Option<String>,
    /// A file of parameters: TOML, or a PBC .param file of type a or a1
    #[arg(long, value_name = "FILE")]
    params: Option<PathBuf>,
}

impl CurveChoice {
    /// The curve.
    ///
    /// # Errors
    /// If there is none of this name, or the file is not one of sound parameters.
    pub(crate) fn load(&self) -> Result<Curve, CommandError> {
        match (&self.curve, &self.params) {
            (Some(name), _) => Ok(Curve::named(name)?),
            (None, Some(path)) => Ok(Description::load(path)?.curve),
            (None, None) => Err(CommandError::Usage("choose a curve by --curve or --params".to_owned())),
        }
    }

    /// The curve on an engine: the named one, or the best of this machine.
    ///
    /// # Errors
    /// As [`CurveChoice::load`]; if the engine cannot compute with it.
    pub(crate) fn system(&self, engine: Option<Engine>) -> Result<System, CommandError> {
        system(&self.load()?, engine)
    }
}

/// A curve on an engine.
///
/// # Errors
/// If the engine cannot compute with it.
pub(crate) fn system(curve: &Curve, engine: Option<Engine>) -> Result<System, CommandError> {
    let system = match engine {
        Some(engine) => System::with_engine(curve, engine),
        None => System::new(curve),
    };
    system.map_err(|error| CommandError::Engine(error.to_string()))
}
