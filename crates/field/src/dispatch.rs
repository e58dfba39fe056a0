//! The one list of engines: from a modulus known at run time to code compiled for its size.

use crate::bounds::Machine;
use crate::contract::{Lanes, ModulusError};
#[cfg(target_arch = "x86_64")]
use crate::ifma::{self, Ifma};
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
    /// Eight lanes of 52-bit limbs, where the processor has AVX-512 IFMA.
    Ifma,
    /// The same on portable code only.
    Portable,
    /// Plain big integers: slow, for checking.
    Reference,
}

impl Engine {
    /// All engines.
    pub const ALL: [Engine; 4] = [Engine::Mont, Engine::Ifma, Engine::Portable, Engine::Reference];

    /// Those that run on this processor.
    pub fn available() -> impl Iterator<Item = Engine> {
        Engine::ALL.into_iter().filter(|engine| engine.is_available())
    }

    /// Whether this processor has what the engine needs.
    pub fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        let lanes = ifma::detected();
        #[cfg(not(target_arch = "x86_64"))]
        let lanes = false;
        self != Engine::Ifma || lanes
    }

    /// The name that the command line and the records use.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Mont => "mont",
            Engine::Ifma => "ifma",
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
    #[error("no engine is called {0:?}: choose one of mont, ifma, portable, reference")]
    Unknown(String),
    /// The work is not compiled for this engine.
    #[error("engine {0} does not do this: its code is left out, for the sake of compile time")]
    NotCompiled(Engine),
    /// The processor lacks what the engine needs.
    #[error("engine {0} needs AVX-512 IFMA, which this processor does not have")]
    Unavailable(Engine),
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

/// The places for limbs that work is compiled for where it does not say: moduli of up to 4154 bits.
pub const LIMBS: &[usize] = &[5, 8, 10, 13, 21, 40, 80];

/// The spare bits above a modulus in lanes for work that does not say.
pub const SPARE: u64 = 6;

/// Work to be done over a field that is only chosen at run time.
pub trait Job {
    /// What comes out.
    type Output;
    /// The word counts of 64-bit engines that the work is compiled for; a modulus in between takes the next one up.
    const WORDS: &'static [usize] = WORDS;
    /// The numbers of 52-bit limbs that elements of the engine in lanes get places for; likewise.
    const LIMBS: &'static [usize] = LIMBS;
    /// The bits that its forms need above a modulus in lanes: 6 for towers of any height, 4 for F_p², as
    /// [`Bounds`](crate::bounds::Bounds) proves.
    const SPARE: u64 = SPARE;
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

/// Runs `$use` with every place for limbs that any work is compiled for.
#[cfg(target_arch = "x86_64")]
macro_rules! with_places {
    ($use:ident!($($context:tt)*)) => {
        $use!($($context)*; 5 8 10 13 21 40 80)
    };
}

/// The first of the places in `J::LIMBS` that is large enough, as above.
#[cfg(target_arch = "x86_64")]
macro_rules! run_ifma {
    ($p:expr, $job:expr; $($n:literal)*) => {{
        $(if const { contains(J::LIMBS, $n) } {
            match Ifma::<$n>::with_spare($p, J::SPARE) {
                Err(ModulusError::TooLarge { .. }) => {}
                field => return Ok($job.run(field?.ok_or(EngineError::Unavailable(Engine::Ifma))?)),
            }
        })*
        let max = J::LIMBS.iter().max().map_or(0, |n| ifma::bits(*n, J::SPARE));
        Err(ModulusError::TooLarge { bits: $p.bits(), max }.into())
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
/// If the modulus is even, below 3 or longer than the job's sizes; if the processor lacks what the engine needs; if the job is
/// not compiled for the reference engine.
pub fn dispatch<J: Job>(engine: Engine, p: &BigUint, job: J) -> Result<J::Output, EngineError> {
    if engine == Engine::Reference { dispatch_reference(p, job) } else { dispatch_fast(engine, p, job) }
}

/// The same, compiled for the reference engine only.
///
/// # Errors
/// If the modulus is even or below 3, or the job is not compiled for this engine.
pub fn dispatch_reference<J: Job>(p: &BigUint, job: J) -> Result<J::Output, EngineError> {
    if const { J::REFERENCE } {
        Ok(job.run(Reference::new(p)?))
    } else {
        Err(EngineError::NotCompiled(Engine::Reference))
    }
}

/// The same, compiled for all others.
///
/// # Errors
/// As [`dispatch`]; if the reference engine is asked for.
pub fn dispatch_fast<J: Job>(engine: Engine, p: &BigUint, job: J) -> Result<J::Output, EngineError> {
    match engine {
        Engine::Mont => with_sizes!(run_mont!(new, p, job)),
        Engine::Portable => with_sizes!(run_mont!(portable, p, job)),
        #[cfg(target_arch = "x86_64")]
        Engine::Ifma => with_places!(run_ifma!(p, job)),
        #[cfg(not(target_arch = "x86_64"))]
        Engine::Ifma => Err(EngineError::Unavailable(engine)),
        Engine::Reference => Err(EngineError::NotCompiled(engine)),
    }
}

/// The range rules of an engine for a modulus among the sizes of a job (words, or limbs and spare bits in lanes), for
/// [`Bounds`](crate::bounds::Bounds); `None` where ranges do not apply or the modulus does not fit.
pub fn model(
    engine: Engine,
    p: &BigUint,
    words: &[usize],
    (limbs, spare): (&[usize], u64),
) -> Option<Arc<dyn Machine>> {
    match engine {
        Engine::Mont | Engine::Portable => {
            let words = words.iter().map(|n| *n as u64).find(|n| p.bits() <= 64 * n)?;
            Some(mont::rules(p.bits(), words))
        }
        #[cfg(target_arch = "x86_64")]
        Engine::Ifma => ifma::rules(p.bits(), limbs.iter().max().copied().unwrap_or(0), spare),
        #[cfg(not(target_arch = "x86_64"))]
        Engine::Ifma => None,
        Engine::Reference => None,
    }
}
