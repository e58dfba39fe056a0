//! What makes the machines of an engine: the fields of the processor, or a device that executes programs.

use bilinear_cuda::{Device, Driver};
use bilinear_field::{Engine, EngineError, Margin};
use bilinear_program::{Machine, machine};
use num_bigint::BigUint;
use std::sync::Arc;

/// From a modulus to a machine.
pub(crate) type Maker = Arc<dyn Fn(&BigUint, Margin) -> Result<Arc<dyn Machine>, EngineError> + Send + Sync>;

/// The machines of an engine: of this processor, or of its first graphics processor.
pub(crate) fn of_engine(engine: Engine) -> Maker {
    Arc::new(move |q, margin| match engine {
        Engine::Cuda => {
            let device = Driver::new(0).map_err(|reason| EngineError::Device(reason.to_string()))?;
            of_device(Arc::new(device))(q, margin)
        }
        _ => machine(engine, q, margin),
    })
}

/// The machines of a device. What stays on the processor is computed by `mont`.
pub(crate) fn of_device<D: Device>(device: Arc<D>) -> Maker {
    Arc::new(move |q, margin| {
        let cpu = machine(Engine::Mont, q, margin)?;
        let made = bilinear_cuda::Machine::new(q, device.clone(), cpu);
        Ok(Arc::new(made.map_err(|reason| EngineError::Device(reason.to_string()))?))
    })
}
