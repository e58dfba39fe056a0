//! The engines of a system: that of single values, and that of batches where there is another one.

use super::{Inner, System};
use crate::backend::{Backend, Options, SystemError};
#[cfg(feature = "cuda")]
use crate::backend::{ChosenPairing, Programs, RecordedBackend, machines};
use crate::few::Few;
#[cfg(feature = "cuda")]
use crate::lanes;
use crate::lanes::{BULK_FROM, Bulk, Engines, NoLanes};
use bilinear_field::Engine;
#[cfg(feature = "cuda")]
use bilinear_field::EngineError;
use std::ops::RangeInclusive;
use std::sync::Arc;
#[cfg(feature = "cuda")]
use std::time::Duration;

impl System {
    /// The same pairing of the curve on a chosen engine. What was recorded for one of the two serves both, if their prices are the same.
    ///
    /// # Errors
    /// If the engine does not compute with the curve.
    pub fn on(&self, engine: Engine) -> Result<System, SystemError> {
        self.choosing(Some(engine))
    }

    fn choosing(&self, engine: Option<Engine>) -> Result<System, SystemError> {
        let options = Options { engine, ..self.0.options };
        let other = match &self.0.programs {
            Some(programs) if options.prices() == self.0.options.prices() => {
                System::executing(&self.0.curve, options, programs.clone())?
            }
            _ => System::with(&self.0.curve, options)?,
        };
        Ok(System(Arc::new(Inner { factors: self.0.factors.clone(), ..(*other.0).clone() })))
    }

    /// The same pairing with batches on a device of the caller's choice, where [`Engine::Cuda`] takes all graphics processors.
    ///
    /// # Errors
    /// If the device has no kernels for the curve.
    #[cfg(feature = "cuda")]
    pub fn on_device(&self, device: impl bilinear_cuda::Machines) -> Result<System, SystemError> {
        let bulk = Ok(Bulk { engine: Engine::Cuda, backend: self.device_backend(device)? });
        let options = Options { engine: Some(Engine::Cuda), ..self.0.options };
        Ok(System(Arc::new(Inner { bulk, options, ..(*self.on(Engine::Mont)?.0).clone() })))
    }

    /// The same pairing with batches on this processor or on a device of the caller's choice, whichever takes less time for a call, where
    /// [`Engine::Auto`] takes all graphics processors. The device is tried once the processor has computed calls of one kind for as long
    /// as `trial`: half a second with `Engine::Auto`.
    ///
    /// # Errors
    /// If the device has no kernels for the curve.
    #[cfg(feature = "cuda")]
    pub fn beside_device(&self, device: impl bilinear_cuda::Machines, trial: Duration) -> Result<System, SystemError> {
        let here = self.choosing(None)?;
        let bulk = Ok(lanes::either(here.device_backend(device)?, &here.0.bulk, &here.0.backend, trial));
        let options = here.0.options;
        let options = Options { engine: Some(Engine::Auto), ..options };
        Ok(System(Arc::new(Inner { bulk, options, ..(*here.0).clone() })))
    }

    #[cfg(feature = "cuda")]
    fn device_backend(&self, device: impl bilinear_cuda::Machines) -> Result<Arc<dyn Backend>, SystemError> {
        let choice = ChosenPairing::new(&self.0.curve, Options { engine: Some(Engine::Mont), ..self.0.options })?;
        let engine = (Engine::Cuda, machines::of_device(device));
        Ok(Arc::new(RecordedBackend::new(&self.0.curve, &choice, engine, self.recorded()?.clone())?))
    }

    /// The programs, which curves of small characteristic do not have.
    #[cfg(feature = "cuda")]
    fn recorded(&self) -> Result<&Arc<Programs>, SystemError> {
        let reason = EngineError::Characteristic(Engine::Cuda);
        let none = || SystemError::Engine { curve: self.0.curve.name().to_owned(), reason };
        self.0.programs.as_ref().ok_or_else(none)
    }

    /// How many Miller values of batches a device has computed with [`Engine::Auto`], and how many there were; `None` where there is no choice.
    /// Those of the engine for few values are not counted. Where a device lacks memory for what several threads ask of it, it may have computed more than is said.
    ///
    /// Decoding, Miller values, final exponentiations and checks of values go to the device once the processor has computed them for
    /// half a second, where calls of as many values take less time there; everything else stays on the processor.
    pub fn device_share(&self) -> Option<[usize; 2]> {
        self.backend_for(usize::MAX).device_share()
    }

    /// Why there is no device, where [`Engine::Cuda`] or [`Engine::Auto`] would have taken one: the best engines of the processor compute.
    pub fn no_device(&self) -> Option<&str> {
        self.0.no_device.as_deref()
    }

    /// The engine that computes single values, and batches where there is no other for them.
    pub fn engine(&self) -> Engine {
        self.0.engine
    }

    pub(crate) fn engines(&self) -> Engines {
        Engines { single: self.engine(), bulk: self.bulk_engine().map(|(bulk, _)| bulk) }
    }

    /// The engine that computes batches, and the number of values from which on it does.
    pub fn bulk_engine(&self) -> Option<(Engine, usize)> {
        self.0.bulk.as_ref().ok().map(|bulk| (bulk.engine, BULK_FROM))
    }

    /// Why there is no other engine for batches; `None` where there is one.
    pub fn no_lanes(&self) -> Option<&NoLanes> {
        self.0.bulk.as_ref().err()
    }

    /// Why another engine computes batches in the place of the one for them, if that has failed since: a device of which the driver
    /// reports an error. Values are the same.
    pub fn fallen_back(&self) -> Option<String> {
        self.backend_for(usize::MAX).fallen_back()
    }

    /// The engine that computes so many values at a time.
    pub fn engine_for(&self, values: usize) -> Engine {
        self.bulk_for(values).map_or(self.engine(), |bulk| bulk.engine)
    }

    /// The engine that computes few pairings in a call, up to how many, and whether it is ready for one; `None` where there is no other
    /// engine for them.
    ///
    /// Products of varying points take it where pairs and products of a call are together no more than twice as many: one product of
    /// up to three pairs, or five on fields of more than 298 bits. With prepared arguments, products of up to eight pairs take it, as many as
    /// pairings; final exponentiations do, as many as pairings.
    ///
    /// It is made ready for calls of one form, which takes up to a second, by a thread of its own after 1000 values in such calls, or by
    /// [`System::ready_for_few`], [`System::ready_for_products`] and [`System::ready_for_products_with`]. Before that, and for pairs with O, groups
    /// and powers, the other engines serve. Values are the same.
    pub fn few_engine(&self) -> Option<(Engine, usize, bool)> {
        self.0.few.as_ref().map(|few| (Engine::Rows, few.most(), few.is_ready_for(1)))
    }

    /// Makes the engine for few pairings ready now, where there is one, for as many pairings of two varying points as it computes in a call.
    pub fn ready_for_few(&self) {
        if let Some(few) = &self.0.few {
            (1..=few.most()).for_each(|pairings| drop(few.wait_for(pairings)));
        }
    }

    /// The same for calls of products of so many pairs of varying points, where these are few.
    pub fn ready_for_products(&self, sizes: &[usize]) {
        if let Some(few) = &self.0.few {
            few.wait_for_products(sizes);
        }
    }

    /// The same for products with prepared arguments.
    pub fn ready_for_products_with(&self, sizes: &[usize]) {
        if let Some(few) = &self.0.few {
            few.wait_for_products_with(sizes);
        }
    }

    /// How many calls the engine for few values computed: for Miller values, or for final exponentiations.
    pub fn few_calls(&self) -> usize {
        self.0.few.as_ref().map_or(0, |few| few.calls())
    }

    pub(crate) fn few(&self) -> Option<&Arc<Few>> {
        self.0.few.as_ref()
    }

    /// The engine that computes so many pairings of two varying points in a call.
    pub fn pairing_engine(&self, pairings: usize) -> Engine {
        match &self.0.few {
            Some(few) if few.is_ready_for(pairings) => Engine::Rows,
            _ => self.engine_for(pairings),
        }
    }

    /// The engine that computes the Miller values of products of so many pairs of varying points in a call of a [`Batch`](crate::Batch) on one
    /// thread. [`System::product`] takes the same for one product, but no device that was asked for.
    pub fn products_engine(&self, sizes: &[usize]) -> Engine {
        match &self.0.few {
            Some(few) if few.is_ready_for_pairs(sizes.iter().copied()) => Engine::Rows,
            _ => self.engine_for(sizes.iter().fold(0, |sum: usize, size| sum.saturating_add(*size)).max(sizes.len())),
        }
    }

    /// The same for products with prepared arguments.
    pub fn products_with_engine(&self, sizes: &[usize]) -> Engine {
        match &self.0.few {
            Some(few) if few.is_ready_for_lines(sizes.iter().copied()) => Engine::Rows,
            _ => self.engine_for(sizes.len()),
        }
    }

    pub(crate) fn backend(&self) -> &dyn Backend {
        &*self.0.backend
    }

    pub(crate) fn shared_backend(&self) -> Arc<dyn Backend> {
        self.0.backend.clone()
    }

    /// The one for so many values at a time.
    pub(crate) fn backend_for(&self, values: usize) -> &dyn Backend {
        self.bulk_for(values).map_or(self.backend(), |bulk| &*bulk.backend)
    }

    /// The one for parts of a single value, as many as the terms of a sum or the pairs of a product: lanes rather than a device that was asked for,
    /// which computes batches.
    pub(crate) fn backend_in_lanes(&self, terms: usize) -> &dyn Backend {
        match self.bulk_for(terms) {
            Some(bulk) if matches!(bulk.engine, Engine::Ifma | Engine::Auto) => &*bulk.backend,
            _ => self.backend(),
        }
    }

    /// The engine for batches, where it computes so many values.
    pub(crate) fn bulk_for(&self, values: usize) -> Option<&Bulk> {
        self.0.bulk.as_ref().ok().filter(|_| values >= BULK_FROM)
    }

    /// How many products are computed at a time where there are enough: what a batch should be a multiple of.
    pub fn lanes(&self) -> usize {
        self.backend_for(usize::MAX).lanes()
    }

    /// How many products a task of a batch has at most.
    pub(crate) fn task(&self) -> usize {
        self.backend_for(usize::MAX).task()
    }

    /// The numbers of moving pairs that a call of a batch takes best, where that makes a difference.
    pub(crate) fn sharing(&self) -> Option<RangeInclusive<usize>> {
        self.backend_for(usize::MAX).sharing()
    }
}
