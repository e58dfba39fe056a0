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
    /// The work is not compiled for this engine.
    #[error("engine {0} does not do this: its code is left out, for the sake of compile time")]
    NotCompiled(Engine),
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

/// The word counts that work is compiled for where it does not say: up to 4160 bits.
pub const WORDS: &[usize] = &[2, 4, 6, 8, 10, 12, 16, 17, 24, 25, 33, 48, 65];

/// Work to be done over a field that is only chosen at run time.
pub trait Job {
    /// What comes out.
    type Output;
    /// The word counts of 64-bit engines that the work is compiled for; a modulus in between takes the next one up.
    const WORDS: &'static [usize] = WORDS;
    /// Whether the work is compiled for the reference engine.
    const REFERENCE: bool = true;
    /// Does the work over `field`.
    fn run<F: Lanes + 'static>(self, field: F) -> Self::Output;
}

/// Runs `$use` with every word count that any work is compiled for.
macro_rules! with_sizes {
    ($use:ident!($($context:tt)*)) => {
        $use!($($context)*; 2 3 4 5 6 8 10 12 16 17 24 25 33 48 65)
    };
}

/// The first of the sizes in `J::WORDS` that is long enough. For the others nothing is compiled: the inner condition is a
/// constant.
macro_rules! run_mont {
    ($make:ident, $p:expr, $job:expr; $($n:literal)*) => {{
        let words = $p.bits().div_ceil(64) as usize;
        $(if const { contains(J::WORDS, $n) } {
            if words <= $n {
                return Ok($job.run(Mont::<$n>::$make($p)?));
            }
        })*
        Err(too_large($p, J::WORDS))
    }};
}

const fn contains(list: &[usize], n: usize) -> bool {
    let mut i = 0;
    while i < list.len() {
        if list[i] == n {
            return true;
        }
        i += 1;
    }
    false
}

fn too_large(p: &BigUint, words: &[usize]) -> EngineError {
    let max = words.iter().max().map_or(0, |n| 64 * *n as u64);
    ModulusError::TooLarge { bits: p.bits(), max }.into()
}

/// Runs a job over F_p on the chosen engine.
///
/// # Errors
/// If the modulus is even, below 3 or longer than the job's sizes; if the job is not compiled for the reference engine.
pub fn dispatch<J: Job>(engine: Engine, p: &BigUint, job: J) -> Result<J::Output, EngineError> {
    match engine {
        Engine::Mont => with_sizes!(run_mont!(new, p, job)),
        Engine::Portable => with_sizes!(run_mont!(portable, p, job)),
        Engine::Reference => {
            if const { J::REFERENCE } {
                Ok(job.run(Reference::new(p)?))
            } else {
                Err(EngineError::NotCompiled(engine))
            }
        }
    }
}

/// The range rules of an engine for a modulus among the sizes of a job, for [`Bounds`](crate::bounds::Bounds); `None` where
/// ranges do not apply or the modulus does not fit.
pub fn model(engine: Engine, p: &BigUint, words: &[usize]) -> Option<Arc<dyn Machine>> {
    match engine {
        Engine::Mont | Engine::Portable => {
            let words = words.iter().map(|n| *n as u64).find(|n| p.bits() <= 64 * n)?;
            Some(mont::rules(p.bits(), words))
        }
        Engine::Reference => None,
    }
}
