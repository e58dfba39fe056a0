//! The engine for many values at a time, or why there is none.

use crate::backend::{Backend, SystemError};
use bilinear_field::Engine;
use std::sync::Arc;

/// Values from which on the engine in lanes takes less time for a vector than `mont` for each: see bench/record.
pub(crate) const BULK_FROM: usize = 2;

/// A second engine, for many values at a time.
#[derive(Clone)]
pub(crate) struct Bulk {
    pub(crate) engine: Engine,
    pub(crate) backend: Arc<dyn Backend>,
}

/// Why batches are computed on the engine for single values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoLanes {
    /// An engine was asked for, which computes everything.
    #[error("engine {0} was asked for")]
    Asked(Engine),
    /// The processor has none.
    #[error("this processor has no AVX-512 IFMA")]
    Processor,
    /// Lanes do not compute with this curve.
    #[error("{0}")]
    Curve(String),
}

/// The engine in lanes, unless another was asked for; `lanes` makes it.
///
/// # Errors
/// If lanes fail for another reason than that they do not suit the curve.
pub(crate) fn choose(
    asked: Option<Engine>,
    lanes: impl FnOnce() -> Result<Arc<dyn Backend>, SystemError>,
) -> Result<Result<Bulk, NoLanes>, SystemError> {
    Ok(match asked {
        Some(engine) => Err(NoLanes::Asked(engine)),
        None if !Engine::Ifma.is_available() => Err(NoLanes::Processor),
        None => match lanes() {
            Ok(backend) => Ok(Bulk { engine: Engine::Ifma, backend }),
            // the modulus is longer than any number of limbs, or too tight on all
            Err(reason @ (SystemError::Engine { .. } | SystemError::Ranges { .. })) => {
                Err(NoLanes::Curve(reason.to_string()))
            }
            Err(reason) => return Err(reason),
        },
    })
}
