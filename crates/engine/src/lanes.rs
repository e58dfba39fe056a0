//! The engine for many values at a time, or why there is none: lanes where the processor has them, and a device where it was asked for.
//! Unasked none is chosen, since nobody has measured one yet; [`Engine::Auto`] measures it while it computes.

use crate::backend::{Auto, Backend, SystemError};
use bilinear_field::Engine;
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Values from which on the engine in lanes takes less time for a vector than `mont` for each: see bench/record. A device that was
/// asked for takes as few.
pub(crate) const BULK_FROM: usize = 2;

/// The engines of a system: what is prepared for one is in its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Engines {
    /// For single values.
    pub(crate) single: Engine,
    /// For many, if that is another one.
    pub(crate) bulk: Option<Engine>,
}

impl Engines {
    /// Whether what was prepared for one system can be used by the other.
    pub(crate) fn agree(self, other: Engines) -> bool {
        self.single == other.single && self.bulk.zip(other.bulk).is_none_or(|(own, theirs)| own == theirs)
    }
}

impl fmt::Display for Engines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.bulk.unwrap_or(self.single))
    }
}

/// The engines that compute batches beside another one.
const OF_BATCHES: [Engine; 3] = [Engine::Ifma, Engine::Cuda, Engine::Auto];

/// What each of these has of something, in a form of its own, once it has met it.
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

/// Why batches are computed on the engine for single values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoLanes {
    /// An engine of this processor was asked for, which computes everything.
    #[error("engine {0} was asked for")]
    Asked(Engine),
    /// The processor has none.
    #[error("this processor has no AVX-512 IFMA")]
    Processor,
    /// No engine in lanes computes in small characteristic.
    #[error("there are no lanes over F_2^m and F_3^m")]
    Characteristic,
    /// Lanes do not compute with this curve.
    #[error("{0}")]
    Curve(String),
}

/// The engine in lanes, unless another one of the processor was asked for; `on` makes it. [`either`] makes more of it for [`Engine::Auto`].
///
/// # Errors
/// If lanes fail for another reason than that they do not suit the curve.
pub(crate) fn choose(
    asked: Option<Engine>,
    on: impl FnOnce(Engine) -> Result<Arc<dyn Backend>, SystemError>,
) -> Result<Result<Bulk, NoLanes>, SystemError> {
    Ok(match asked {
        Some(engine) => Err(NoLanes::Asked(engine)),
        None if !Engine::Ifma.is_available() => Err(NoLanes::Processor),
        None => match on(Engine::Ifma) {
            Ok(backend) => Ok(Bulk { engine: Engine::Ifma, backend }),
            // the modulus is longer than any number of limbs, or too tight on all
            Err(reason @ (SystemError::Engine { .. } | SystemError::Ranges { .. })) => {
                Err(NoLanes::Curve(reason.to_string()))
            }
            Err(reason) => return Err(reason),
        },
    })
}

/// A device, or the engine that computes batches without it, which computes for so long before the device is tried.
pub(crate) fn either(
    device: Arc<dyn Backend>,
    bulk: &Result<Bulk, NoLanes>,
    single: &Arc<dyn Backend>,
    trial: Duration,
) -> Bulk {
    let processor = bulk.as_ref().map_or(single, |bulk| &bulk.backend);
    Bulk { engine: Engine::Auto, backend: Arc::new(Auto::new(device, processor.clone(), trial)) }
}
