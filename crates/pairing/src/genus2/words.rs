//! Curves over fields of the lengths that there are.

use super::Genus2;
use bilinear_field::binary::Binary;
use bilinear_field::{Engine, EngineError, ModulusError};
use num_bigint::BigUint;

/// Work to be done on a curve over a field that is only chosen at run time.
pub trait Genus2Job {
    /// What comes out.
    type Output;
    /// Does the work.
    fn run<const N: usize>(self, field: Binary<N>, curve: Genus2<N>) -> Self::Output;
}

/// The most words of a field.
const MOST_WORDS: u64 = 20;

/// Does a job on y² + y = x⁵ + x³ + d over F_2(x)/f, on an engine, where σ = 1 or not.
///
/// # Errors
/// If f is not irreducible of odd degree, or its degree is above 1280; if the engine computes modulo primes only.
pub fn on<J: Genus2Job>(engine: Engine, f: &BigUint, [d, plus]: [bool; 2], job: J) -> Result<J::Output, EngineError> {
    // with the field and the curve compiled here
    macro_rules! run {
        ($n:literal) => {{
            let (field, curve) = Genus2::<$n>::over(engine, f, [d, plus])?;
            Ok(job.run(field, curve))
        }};
    }
    match f.bits().saturating_sub(1).div_ceil(64) {
        0..=6 => run!(6),
        7 => run!(7),
        8..=MOST_WORDS => run!(20),
        _ => Err(ModulusError::TooLarge { bits: f.bits(), max: 64 * MOST_WORDS + 1 }.into()),
    }
}

/// No generic functions, so that the loops of the pairing are compiled with this crate.
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
