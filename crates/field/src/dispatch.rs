//! The one list of engines: from a modulus known at run time to code compiled for its size.

use crate::bounds::Machine;
use crate::contract::{Lanes, ModulusError};
use crate::mont::{self, Mont};
use crate::reference::Reference;
use num_bigint::BigUint;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// An engine that computes with values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Engine {
    /// 64-bit Montgomery arithmetic on the best instructions of this processor.
    Mont,
    /// The same on portable code only.
    Portable,
    /// Plain big integers: slow, for checking.
    Reference,
}

impl Engine {
    /// All engines.
    pub const ALL: [Engine; 3] = [Engine::Mont, Engine::Portable, Engine::Reference];

    /// The name that the command line and the records use.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Mont => "mont",
            Engine::Portable => "portable",
            Engine::Reference => "reference",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why an engine cannot serve.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// No engine has this name.
    #[error("no engine is called {0:?}: choose one of mont, portable, reference")]
    Unknown(String),
    /// The modulus does not suit.
    #[error(transparent)]
    Modulus(#[from] ModulusError),
}

impl FromStr for Engine {
    type Err = EngineError;
    fn from_str(name: &str) -> Result<Self, EngineError> {
        Engine::ALL.into_iter().find(|e| e.name() == name).ok_or_else(|| EngineError::Unknown(name.to_owned()))
    }
}

/// Work to be done over a field that is only chosen at run time.
pub trait Job {
    /// What comes out.
    type Output;
    /// Does the work over `field`.
    fn run<F: Lanes + 'static>(self, field: F) -> Self::Output;
}

/// Word counts for which `Mont` is compiled; a modulus in between takes the next one up.
macro_rules! with_sizes {
    ($use:ident!($($context:tt)*)) => {
        $use!($($context)*; 2 4 6 8 10 12 16 17 24 25 33 48 65)
    };
}

macro_rules! run_mont {
    ($make:ident, $p:expr, $job:expr; $($n:literal)*) => {
        match $p.bits().div_ceil(64) {
            $(words if words <= $n => Ok($job.run(Mont::<$n>::$make($p)?)),)*
            _ => Err(too_large($p)),
        }
    };
}

macro_rules! words_of {
    ($p:expr; $($n:literal)*) => {
        [$($n),*].into_iter().find(|n| $p.bits() <= 64 * n)
    };
}

/// The longest modulus of any engine.
const MAX_BITS: u64 = 64 * 65;

fn too_large(p: &BigUint) -> EngineError {
    ModulusError::TooLarge { bits: p.bits(), max: MAX_BITS }.into()
}

/// Runs a job over F_p on the chosen engine.
///
/// # Errors
/// If the modulus is even, below 3 or longer than 4160 bits.
pub fn dispatch<J: Job>(engine: Engine, p: &BigUint, job: J) -> Result<J::Output, EngineError> {
    match engine {
        Engine::Mont => with_sizes!(run_mont!(new, p, job)),
        Engine::Portable => with_sizes!(run_mont!(portable, p, job)),
        Engine::Reference => Ok(job.run(Reference::new(p)?)),
    }
}

/// The range rules of an engine for a modulus, for [`Bounds`](crate::bounds::Bounds); `None` where ranges do not apply or
/// the modulus does not fit.
pub fn model(engine: Engine, p: &BigUint) -> Option<Arc<dyn Machine>> {
    match engine {
        Engine::Mont | Engine::Portable => with_sizes!(words_of!(p)).map(|words: u64| mont::rules(p.bits(), words)),
        Engine::Reference => None,
    }
}
