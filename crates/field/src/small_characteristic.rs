//! Fields of small characteristic on an engine, for the lengths of the shipped curves. What makes one is no generic function, so that
//! kernels are compiled with this crate.

use crate::binary::Binary;
use crate::dispatch::{Engine, EngineError};
use crate::ternary::Ternary;
use num_bigint::BigUint;

/// Fields of so many words.
macro_rules! on_engines {
    ($field:ident: $($n:literal)*) => {
        $(impl $field<$n> {
            /// The field on an engine: `mont` or `portable`.
            ///
            /// # Errors
            /// As `new`; if the engine computes modulo primes only.
            pub fn on(engine: Engine, f: &BigUint) -> Result<Self, EngineError> {
                match engine {
                    Engine::Mont => Ok($field::<$n>::new(f)?),
                    Engine::Portable => Ok($field::<$n>::portable(f)?),
                    _ => Err(EngineError::Characteristic(engine)),
                }
            }
        })*
    };
}

on_engines!(Binary: 5 6 7 20);
on_engines!(Ternary: 2 4 8);
