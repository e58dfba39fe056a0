//! The makers of an engine's machines: the fields of the processor, or a device that executes programs.

#[cfg(feature = "cuda")]
use bilinear_cuda::{Driver, Machines};
use bilinear_field::{Engine, EngineError, Margin};
use bilinear_program::{Machine, machine};
use num_bigint::BigUint;
use std::sync::Arc;

/// A function that makes a machine for a modulus.
pub(crate) type Maker = Arc<dyn Fn(&BigUint, Margin) -> Result<Arc<dyn Machine>, EngineError> + Send + Sync>;

/// Returns the maker of an engine's machines: on this processor, or on its graphics processors.
pub(crate) fn of_engine(engine: Engine) -> Maker {
    Arc::new(move |q, margin| match engine {
        Engine::Cuda => devices(q, margin),
        _ => machine(engine, q, margin),
    })
}

#[cfg(feature = "cuda")]
fn devices(q: &BigUint, margin: Margin) -> Result<Arc<dyn Machine>, EngineError> {
    of_device(Driver::all().map_err(|reason| EngineError::Device(reason.to_string()))?)(q, margin)
}

#[cfg(not(feature = "cuda"))]
fn devices(_: &BigUint, _: Margin) -> Result<Arc<dyn Machine>, EngineError> {
    Err(EngineError::Device("bilinear-engine was built without its feature cuda".to_owned()))
}

/// Returns the maker of a device's machines. Work that stays on the processor is computed by `mont`.
#[cfg(feature = "cuda")]
pub(crate) fn of_device(device: impl Machines) -> Maker {
    Arc::new(move |q, margin| {
        let made = device.machine(q, machine(Engine::Mont, q, margin)?);
        made.map_err(|reason| EngineError::Device(reason.to_string()))
    })
}
