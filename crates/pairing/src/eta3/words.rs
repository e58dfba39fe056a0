//! Curves over fields of the supported lengths.

use super::Eta3;
use crate::eta_t::EtaJob;
use bilinear_field::ternary::{Ternary, polynomial};
use bilinear_field::{Engine, EngineError, ModulusError};
use num_bigint::BigUint;

/// The highest supported degree of a field.
const MAX: usize = 512;

/// Runs a task on the curve y² = x³ − x + b over F_3(x)/f, on an engine. The flags say if b = 1 and if s = 1.
///
/// # Errors
/// Returns an error if f is not irreducible of a degree prime to 6, if its degree is above 512, or if the engine
/// computes modulo primes only.
pub fn on<J: EtaJob>(engine: Engine, f: &BigUint, signs: [bool; 2], job: J) -> Result<J::Output, EngineError> {
    // the field and the curve are compiled in this crate
    macro_rules! run {
        ($n:literal) => {{ Ok(job.run(Eta3::<$n>::over(engine, f, signs)?)) }};
    }
    match polynomial::coefficients(f).len().saturating_sub(1) {
        0..=128 => run!(2),
        129..=256 => run!(4),
        257..=MAX => run!(8),
        _ => Err(ModulusError::TooLarge { bits: f.bits(), max: BigUint::from(3u32).pow(MAX as u32).bits() }.into()),
    }
}

/// Defines constructors that are not generic, so that the loops of the pairing are compiled with this crate.
macro_rules! words {
    ($($n:literal)*) => {
        $(impl Eta3<$n> {
            fn over(engine: Engine, f: &BigUint, [b, plus]: [bool; 2]) -> Result<Self, EngineError> {
                Ok(Eta3::new(Ternary::<$n>::on(engine, f)?, b, plus))
            }
        })*
    };
}

words!(2 4 8);
