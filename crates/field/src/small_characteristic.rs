//! Constructors of fields of small characteristic on an engine, for the lengths of the shipped curves. No constructor
//! is a generic function, so that the kernels are compiled with this crate.

use crate::binary::Binary;
use crate::dispatch::{Engine, EngineError};
use crate::ternary::Ternary;
use num_bigint::BigUint;

/// Implements `on` for fields of these numbers of words.
macro_rules! on_engines {
    ($field:ident: $($n:literal)*) => {
        $(impl $field<$n> {
            /// Creates the field on an engine: `mont` or `portable`.
            ///
            /// # Errors
            /// Returns an error where `new` does, or if the engine computes modulo primes only.
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
