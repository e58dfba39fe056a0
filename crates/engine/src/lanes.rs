//! The engine for many values at a time, or the reason why there is none: lanes where the processor has them, and a
//! device where one was requested. A device is never chosen unasked, since nobody has measured one yet;
//! [`Engine::Auto`] measures it while it computes.

use crate::backend::{Auto, Backend, SystemError};
use bilinear_field::Engine;
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The least number of values for which the engine in lanes takes less time for a vector than `mont` takes for the
/// values one by one: see bench/record. A requested device is used from the same number on.
pub(crate) const BULK_FROM: usize = 2;

/// The engines of a system. Whatever is prepared for an engine is in the form of that engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Engines {
    /// The engine for single values.
    pub(crate) single: Engine,
    /// The engine for many values, if that is another one.
    pub(crate) bulk: Option<Engine>,
}

impl Engines {
    /// Returns true if one of the two systems can use what was prepared for the other.
    pub(crate) fn agree(self, other: Engines) -> bool {
        self.single == other.single && self.bulk.zip(other.bulk).is_none_or(|(own, theirs)| own == theirs)
    }
}

impl fmt::Display for Engines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.single)?;
        self.bulk.map_or(Ok(()), |bulk| write!(f, " (batches on {bulk})"))
    }
}

/// The engines that compute batches beside another engine.
const OF_BATCHES: [Engine; 3] = [Engine::Ifma, Engine::Cuda, Engine::Auto];

/// A value for each engine of [`OF_BATCHES`], in a form of its own, filled in when the engine first uses it.
pub(crate) struct OnEach<T>([OnceLock<T>; OF_BATCHES.len()]);

impl<T> Default for OnEach<T> {
    fn default() -> Self {
        OnEach(Default::default())
    }
}

impl<T> OnEach<T> {
    pub(crate) fn on(&self, engine: Engine) -> &OnceLock<T> {
        let at = OF_BATCHES.iter().position(|known| *known == engine);
        &self.0[at.unwrap_or_else(|| unreachable!("{engine} computes no batches beside another"))]
    }
}

/// A second engine, for many values at a time.
#[derive(Clone)]
pub(crate) struct Bulk {
    pub(crate) engine: Engine,
    pub(crate) backend: Arc<dyn Backend>,
}

/// The reason why batches are computed on the engine for single values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoLanesReason {
    /// An engine of this processor was requested, which computes everything.
    #[error("engine {0} was requested")]
    Asked(Engine),
    /// The processor has no lanes.
    #[error("this processor has no AVX-512 IFMA")]
    Processor,
    /// No engine in lanes computes in small characteristic.
    #[error("there are no lanes over F_2^m and F_3^m")]
    Characteristic,
    /// Lanes do not compute with this curve.
    #[error("{0}")]
    Curve(String),
}

/// Chooses the engine in lanes, unless another engine of the processor was requested; `on` creates the backend. For
/// [`Engine::Auto`], [`either`] adds the device.
///
/// # Errors
/// Returns an error if lanes fail for a reason other than that they do not suit the curve.
pub(crate) fn choose(
    asked: Option<Engine>,
    on: impl FnOnce(Engine) -> Result<Arc<dyn Backend>, SystemError>,
) -> Result<Result<Bulk, NoLanesReason>, SystemError> {
    Ok(match asked {
        Some(engine) => Err(NoLanesReason::Asked(engine)),
        None if !Engine::Ifma.is_available() => Err(NoLanesReason::Processor),
        None => match on(Engine::Ifma) {
            Ok(backend) => Ok(Bulk { engine: Engine::Ifma, backend }),
            // the modulus is too long for any number of limbs, or too tight with every number of them
            Err(reason @ (SystemError::Engine { .. } | SystemError::Ranges { .. })) => {
                Err(NoLanesReason::Curve(reason.to_string()))
            }
            Err(reason) => return Err(reason),
        },
    })
}

/// Combines a device with the engine that computes batches without it. That engine computes for as long as `trial`
/// before the device is tried.
pub(crate) fn either(
    device: Arc<dyn Backend>,
    bulk: &Result<Bulk, NoLanesReason>,
    single: &Arc<dyn Backend>,
    trial: Duration,
) -> Bulk {
    let processor = bulk.as_ref().map_or(single, |bulk| &bulk.backend);
    Bulk { engine: Engine::Auto, backend: Arc::new(Auto::new(device, processor.clone(), trial)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_that_differ_have_different_names() {
        let both = Engines { single: Engine::Mont, bulk: Some(Engine::Ifma) };
        assert_eq!(both.to_string(), "mont (batches on ifma)");
        assert_eq!(Engines { bulk: None, ..both }.to_string(), "mont");
    }
}
