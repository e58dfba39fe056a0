//! The list of engines: leads from a modulus known at run time to the field compiled for its size. Everything that
//! depends on the processor is chosen here; no layer above makes such a choice.

use crate::bounds::Rules;
use crate::contract::{Lanes, ModulusError};
use crate::hmm::{Hmm, ShapeError};
#[cfg(target_arch = "x86_64")]
use crate::ifma::{self, Ifma};
use crate::mont::{self, Mont};
use crate::named;
use crate::reference::Reference;
use crate::rns::{self, Rns};
use crate::rows;
use num_bigint::BigUint;
use std::str::FromStr;
use std::sync::Arc;

named! {
    /// An engine that computes with values.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Engine {
        /// Words of 64 bits, with the best instructions of this processor: Montgomery arithmetic modulo p, carry-less
        /// products in F_2^m, planes of bits in F_3^m.
        Mont = "mont",
        /// Eight lanes of 52-bit limbs, where the processor has AVX-512 IFMA.
        Ifma = "ifma",
        /// Words of 64 bits like [`Engine::Mont`], in portable code only.
        Portable = "portable",
        /// Montgomery multiplication in the polynomial ring: BN curves whose seed is close to a power of two.
        Hmm = "hmm",
        /// Residues modulo primes below 2^32: any modulus, the reference for machines that multiply matrices.
        Rns = "rns",
        /// One value at a time in the lanes of AVX-512 IFMA: not a field, but a machine that executes schedules of
        /// programs, implemented in `bilinear-program`.
        Rows = "rows",
        /// Graphics processors: not a field, but a machine that executes programs, implemented in `bilinear-cuda`.
        Cuda = "cuda",
        /// Graphics processors or this processor, whichever takes less time for a call: not a field, but a choice that
        /// `bilinear-engine` makes.
        Auto = "auto",
        /// Plain big integers: slow, for checking.
        Reference = "reference",
    }
}

impl Engine {
    /// Returns the engines that run on this processor.
    pub fn available() -> impl Iterator<Item = Engine> {
        Engine::ALL.into_iter().filter(|engine| engine.is_available())
    }

    /// Returns true if this processor has what the engine needs; always false for engines that use graphics processors.
    pub fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        let lanes = ifma::detected();
        #[cfg(not(target_arch = "x86_64"))]
        let lanes = false;
        match self {
            Engine::Ifma => lanes,
            Engine::Rows => lanes && cfg!(not(windows)),
            Engine::Cuda | Engine::Auto => false,
            Engine::Mont | Engine::Portable | Engine::Hmm | Engine::Rns | Engine::Reference => true,
        }
    }

    /// Returns true if the engine runs on this processor and computes with moduli of this form.
    pub fn suits(self, p: &BigUint) -> bool {
        match self {
            Engine::Hmm => Hmm::for_modulus(p).is_ok(),
            Engine::Rows => rows::field(p, 0).is_ok(),
            engine => engine.is_available(),
        }
    }

    /// Returns true if the engine is a field, not only a machine for programs.
    pub fn is_field(self) -> bool {
        !matches!(self, Engine::Rows | Engine::Cuda | Engine::Auto)
    }
}

/// Describes the requirements of an engine that not every computer meets.
fn needed(engine: Engine) -> &'static str {
    if engine == Engine::Rows { "AVX-512 IFMA and a system other than Windows" } else { "AVX-512 IFMA" }
}

/// The reason why an engine cannot serve.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// No engine has this name.
    #[error("no engine is called {0:?}: choose one of {names}", names = Engine::ALL.map(Engine::name).join(", "))]
    Unknown(String),
    /// The computer lacks something that the engine needs: in the processor or, for [`Engine::Rows`], also in the
    /// system.
    #[error("engine {0} needs {needed}, which this machine does not have", needed = needed(*.0))]
    Unavailable(Engine),
    /// The engine only executes programs.
    #[error("engine {0} executes programs and has no field of its own")]
    Programs(Engine),
    /// The device of the engine cannot serve.
    #[error("engine cuda: {0}")]
    Device(String),
    /// The engine has no arithmetic of characteristic 2 or 3.
    #[error("engine {0} computes modulo primes only: over F_2^m and F_3^m choose mont or portable")]
    Characteristic(Engine),
    /// The modulus is not suitable.
    #[error(transparent)]
    Modulus(#[from] ModulusError),
    /// The job was not compiled for this engine.
    #[error("this job is not compiled for engine {0}")]
    NotCompiled(Engine),
    /// The modulus does not have the form that the engine needs.
    #[error("engine hmm needs a BN prime whose seed is close to a power of two: {0}")]
    Form(#[from] ShapeError),
}

impl FromStr for Engine {
    type Err = EngineError;
    fn from_str(name: &str) -> Result<Self, EngineError> {
        let found = Engine::ALL.into_iter().find(|e| e.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| EngineError::Unknown(name.to_owned()))
    }
}

/// The capacities in words that fields are compiled for, up to 4160 bits. Up to 8 words a field uses its whole
/// capacity; above that it uses as many words as suit the modulus.
pub const WORDS: &[usize] = &[2, 3, 4, 5, 6, 7, 8, 17, 33, 65];

/// The capacities in limbs that fields in lanes are compiled for: moduli of up to 4154 bits.
pub const LIMBS: &[usize] = &[5, 8, 10, 13, 21, 40, 80];

/// The capacities in residues that fields of residue number systems are compiled for: moduli of up to 4160 bits.
const RESIDUES: &[usize] = &[72, 264];

/// The number of spare bits above a modulus, in lanes, that suffices for towers of any height.
pub const SPARE: u64 = 6;

/// The margin of a field: how much it leaves between the modulus and its words, limbs or moduli, and how it forms sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margin {
    /// The least number of spare bits that the limbs hold beyond the modulus: [`SPARE`] for towers of any height, 4 for
    /// F_p². Rows have 14 at least. For residue number systems, log2 of the least α.
    pub spare: u64,
    /// Whether every form of unreduced values is carried, so that its columns hold more products. Carrying takes a
    /// little longer, and has an effect up to 13 limbs.
    pub carries: bool,
    /// For residue number systems: whether sums of elements are left unreduced, as integers.
    pub lazy_sums: bool,
    /// For fields of words: whether a modulus that leaves fewer than 16 spare bits in its own words takes more words.
    pub more_words: bool,
}

impl Default for Margin {
    fn default() -> Self {
        Margin { spare: SPARE, carries: false, lazy_sums: false, more_words: false }
    }
}

/// A job to run over a field that is only chosen at run time.
pub trait Job {
    /// The result of the job.
    type Output;
    /// The engines that the job is compiled for.
    const ENGINES: &'static [Engine] = &Engine::ALL;
    /// The capacities in words of 64-bit engines that the job is compiled for; a modulus in between takes the next
    /// larger one.
    const WORDS: &'static [usize] = WORDS;
    /// The capacities in 52-bit limbs of the engine in lanes that the job is compiled for; a modulus in between takes
    /// the next larger one.
    const LIMBS: &'static [usize] = LIMBS;
    /// Returns the margin with which the field is created.
    fn margin(&self) -> Margin {
        Margin::default()
    }
    /// Runs the job over `field`.
    fn run<F: Lanes + 'static>(self, field: F) -> Self::Output;
}

/// Runs the job with the first capacity in `J::WORDS` that is large enough. Nothing is compiled for capacities outside
/// `J::WORDS`: the inner condition is a constant.
macro_rules! run_mont {
    ($engine:expr, $p:expr, $job:expr; $($n:literal)*) => {{
        let margin = $job.margin();
        let spare = mont::least_spare(margin);
        let words = ($p.bits() + spare).div_ceil(64) as usize;
        $(if const { contains(J::WORDS, $n) } {
            if words <= $n {
                return Ok($job.run(Mont::<$n>::with_margin($engine, $p, margin)?));
            }
        })*
        Err(too_large($p, J::WORDS.iter().max().map_or(0, |n| (64 * *n as u64).saturating_sub(spare))))
    }};
}

/// Runs the job with the first capacity in `J::LIMBS` that is large enough, like `run_mont`.
#[cfg(target_arch = "x86_64")]
macro_rules! run_ifma {
    ($p:expr, $job:expr; $($n:literal)*) => {{
        let margin = $job.margin();
        $(if const { contains(J::LIMBS, $n) } {
            match Ifma::<$n>::with_margin($p, margin) {
                Err(ModulusError::TooLarge { .. }) => {}
                field => return Ok($job.run(field?.ok_or(EngineError::Unavailable(Engine::Ifma))?)),
            }
        })*
        Err(too_large($p, J::LIMBS.iter().max().map_or(0, |n| ifma::bits(*n, margin.spare))))
    }};
}

/// Runs the job with the first capacity in residues that is large enough; every job is compiled for all of them.
macro_rules! run_rns {
    ($p:expr, $job:expr; $($n:literal)*) => {{
        let margin = $job.margin();
        $(match Rns::<$n>::new($p, margin) {
            Err(ModulusError::TooLarge { .. }) => {}
            field => return Ok($job.run(field?)),
        })*
        Err(too_large($p, longest_rns(margin)))
    }};
}

/// Returns the number of bits of the longest modulus that the compiled residue number systems support.
fn longest_rns(margin: Margin) -> u64 {
    RESIDUES.iter().max().map_or(0, |n| rns::bits(*n, margin.spare))
}

/// Returns true if the job is compiled for an engine.
const fn serves<J: Job>(engine: Engine) -> bool {
    let mut i = 0;
    while i < J::ENGINES.len() {
        if J::ENGINES[i] as usize == engine as usize {
            return true;
        }
        i += 1;
    }
    false
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

fn too_large(p: &BigUint, max: u64) -> EngineError {
    ModulusError::TooLarge { bits: p.bits(), max }.into()
}

/// Runs a job over F_p on the chosen engine.
///
/// # Errors
/// Returns an error if the modulus is even, below 3 or longer than the job's sizes; if the processor lacks what the
/// engine needs, or the engine is not a field; or if the job is not compiled for the engine.
pub fn dispatch<J: Job>(engine: Engine, p: &BigUint, job: J) -> Result<J::Output, EngineError> {
    // Each condition is a constant: nothing is compiled for the other engines.
    match engine {
        Engine::Mont if const { serves::<J>(Engine::Mont) } => run_mont!(engine, p, job; 2 3 4 5 6 7 8 17 33 65),
        Engine::Portable if const { serves::<J>(Engine::Portable) } => {
            run_mont!(engine, p, job; 2 3 4 5 6 7 8 17 33 65)
        }
        #[cfg(target_arch = "x86_64")]
        Engine::Ifma if const { serves::<J>(Engine::Ifma) } => run_ifma!(p, job; 5 8 10 13 21 40 80),
        #[cfg(not(target_arch = "x86_64"))]
        Engine::Ifma if const { serves::<J>(Engine::Ifma) } => Err(EngineError::Unavailable(engine)),
        Engine::Hmm if const { serves::<J>(Engine::Hmm) } => Ok(job.run(Hmm::for_modulus(p)?)),
        Engine::Rns if const { serves::<J>(Engine::Rns) } => run_rns!(p, job; 72 264),
        Engine::Rows | Engine::Cuda | Engine::Auto => Err(EngineError::Programs(engine)),
        Engine::Reference if const { serves::<J>(Engine::Reference) } => Ok(job.run(Reference::new(p)?)),
        _ => Err(EngineError::NotCompiled(engine)),
    }
}

/// Returns the range rules of an engine for a modulus, for [`Bounds`](crate::bounds::Bounds), given the compiled
/// capacities in words or, in lanes, in limbs, and the margin; `None` where ranges do not apply or the engine has no such
/// field: the modulus does not fit, is even, or is below 3.
pub fn rules(engine: Engine, p: &BigUint, words: &[usize], limbs: &[usize], margin: Margin) -> Option<Arc<dyn Rules>> {
    if !p.bit(0) || p.bits() < 2 {
        return None;
    }
    match engine {
        Engine::Mont | Engine::Portable => {
            let bits = p.bits() + mont::least_spare(margin);
            let places = words.iter().copied().find(|n| bits <= 64 * *n as u64)?;
            Some(mont::rules(engine, p.bits(), places, margin))
        }
        #[cfg(target_arch = "x86_64")]
        Engine::Ifma => ifma::rules(p.bits(), limbs.iter().max().copied().unwrap_or(0), margin),
        #[cfg(not(target_arch = "x86_64"))]
        Engine::Ifma => {
            let _ = limbs;
            None
        }
        Engine::Hmm => Some(Hmm::for_modulus(p).ok()?.rules()),
        Engine::Rns => (p.bits() <= longest_rns(margin)).then(|| rns::rules(p, margin)),
        Engine::Rows | Engine::Cuda | Engine::Auto | Engine::Reference => None,
    }
}
