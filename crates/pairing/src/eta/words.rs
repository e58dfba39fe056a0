//! Curves over fields of the supported lengths.

use super::Eta;
use crate::eta_t::EtaJob;
use bilinear_field::binary::Binary;
use bilinear_field::{Engine, EngineError, ModulusError};
use num_bigint::BigUint;

/// The largest number of words of a field.
const MAX_WORDS: u64 = 20;

/// Runs a task on the curve y² + y = x³ + x + b over F_2(x)/f, on an engine. The flags say whether b = 1 and whether
/// ν = 1.
///
/// # Errors
/// Returns an error if f is not irreducible of odd degree, if its degree is above 1280, or if the engine computes
/// modulo primes only.
pub fn on<J: EtaJob>(engine: Engine, f: &BigUint, [b, plus]: [bool; 2], job: J) -> Result<J::Output, EngineError> {
    // the field and the curve are compiled in this crate
    macro_rules! run {
        ($n:literal) => {{ Ok(job.run(Eta::<$n>::over(engine, f, [b, plus])?)) }};
    }
    match f.bits().saturating_sub(1).div_ceil(64) {
        0..=5 => run!(5),
        6 => run!(6),
        7..=MAX_WORDS => run!(20),
        _ => Err(ModulusError::TooLarge { bits: f.bits(), max: 64 * MAX_WORDS + 1 }.into()),
    }
}

/// Defines constructors that are not generic, so that the loops of the pairing are compiled with this crate.
macro_rules! words {
    ($($n:literal)*) => {
        $(impl Eta<$n> {
            fn over(engine: Engine, f: &BigUint, [b, plus]: [bool; 2]) -> Result<Self, EngineError> {
                Ok(Eta::new(Binary::<$n>::on(engine, f)?, b, plus))
            }
        })*
    };
}

words!(5 6 20);
