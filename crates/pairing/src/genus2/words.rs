//! Curves over fields of the supported lengths.

use super::Genus2;
use bilinear_field::binary::Binary;
use bilinear_field::{Engine, EngineError, ModulusError};
use num_bigint::BigUint;

/// A task on a curve whose field is chosen at run time.
pub trait Genus2Job {
    /// The result of the task.
    type Output;
    /// Runs the task.
    fn run<const N: usize>(self, field: Binary<N>, curve: Genus2<N>) -> Self::Output;
}

/// The largest number of words of a field.
const MAX_WORDS: u64 = 20;

/// Runs a task on the curve y² + y = x⁵ + x³ + d over F_2(x)/f, on an engine. The flags say whether d = 1 and whether
/// σ = 1.
///
/// # Errors
/// Returns an error if f is not irreducible of odd degree, if its degree is above 1280, or if the engine computes
/// modulo primes only.
pub fn on<J: Genus2Job>(engine: Engine, f: &BigUint, [d, plus]: [bool; 2], job: J) -> Result<J::Output, EngineError> {
    // the field and the curve are compiled in this crate
    macro_rules! run {
        ($n:literal) => {{
            let (field, curve) = Genus2::<$n>::over(engine, f, [d, plus])?;
            Ok(job.run(field, curve))
        }};
    }
    match f.bits().saturating_sub(1).div_ceil(64) {
        0..=6 => run!(6),
        7 => run!(7),
        8..=MAX_WORDS => run!(20),
        _ => Err(ModulusError::TooLarge { bits: f.bits(), max: 64 * MAX_WORDS + 1 }.into()),
    }
}

/// Defines constructors that are not generic, so that the loops of the pairing are compiled with this crate.
macro_rules! words {
    ($($n:literal)*) => {
        $(impl Genus2<$n> {
            fn over(engine: Engine, f: &BigUint, [d, plus]: [bool; 2]) -> Result<(Binary<$n>, Self), EngineError> {
                let field = Binary::<$n>::on(engine, f)?;
                Ok((field.clone(), Genus2::new(field, d, plus)))
            }
        })*
    };
}

words!(6 7 20);
