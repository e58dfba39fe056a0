//! The engines of a system: one for single values, and another one for batches where there is one.

use super::{Inner, System};
use crate::backend::{Backend, Options, SystemError};
#[cfg(feature = "cuda")]
use crate::backend::{ChosenPairing, Programs, RecordedBackend, machines};
use crate::few::Few;
#[cfg(feature = "cuda")]
use crate::lanes;
use crate::lanes::{BULK_FROM, Bulk, Engines, NoLanesReason};
use bilinear_field::Engine;
#[cfg(feature = "cuda")]
use bilinear_field::EngineError;
use std::ops::RangeInclusive;
use std::sync::Arc;
#[cfg(feature = "cuda")]
use std::time::Duration;

impl System {
    /// Returns a system for the same curve and pairing on a chosen engine. Programs recorded for one of the two
    /// systems serve both, if their cost models are the same.
    ///
    /// # Errors
    /// Returns an error if the engine does not compute with the curve.
    pub fn on(&self, engine: Engine) -> Result<System, SystemError> {
        self.choosing(Some(engine))
    }

    fn choosing(&self, engine: Option<Engine>) -> Result<System, SystemError> {
        let options = Options { engine, ..self.0.options };
        let other = match &self.0.programs {
            Some(programs) if options.cost_model() == self.0.options.cost_model() => {
                System::executing(&self.0.curve, options, programs.clone())?
            }
            _ => System::with(&self.0.curve, options)?,
        };
        Ok(System(Arc::new(Inner { factors: self.0.factors.clone(), ..(*other.0).clone() })))
    }

    /// Returns a system for the same pairing whose batches run on a device of the caller's choice; [`Engine::Cuda`]
    /// uses all graphics processors instead.
    ///
    /// # Errors
    /// Returns an error if the device has no kernels for the curve.
    #[cfg(feature = "cuda")]
    pub fn on_device(&self, device: impl bilinear_cuda::Machines) -> Result<System, SystemError> {
        let bulk = Ok(Bulk { engine: Engine::Cuda, backend: self.device_backend(device)? });
        let options = Options { engine: Some(Engine::Cuda), ..self.0.options };
        Ok(System(Arc::new(Inner { bulk, options, ..(*self.on(Engine::Mont)?.0).clone() })))
    }

    /// Returns a system for the same pairing whose batches run on this processor or on a device of the caller's
    /// choice, whichever takes less time for a call; [`Engine::Auto`] uses all graphics processors instead. The
    /// device is tried once the processor has computed calls of one kind for as long as `trial`: half a second with
    /// `Engine::Auto`.
    ///
    /// # Errors
    /// Returns an error if the device has no kernels for the curve.
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

    /// The recorded programs, or an error: curves of small characteristic have none.
    #[cfg(feature = "cuda")]
    fn recorded(&self) -> Result<&Arc<Programs>, SystemError> {
        let reason = EngineError::Characteristic(Engine::Cuda);
        let none = || SystemError::Engine { curve: self.0.curve.name().to_owned(), reason };
        self.0.programs.as_ref().ok_or_else(none)
    }

    /// The number of Miller values of batches that a device has computed with [`Engine::Auto`], and the number
    /// computed in all; `None` where there is no choice of engine. Values computed by the engine for few values are
    /// not counted. If a device runs out of memory for the requests of several threads, it may have computed more
    /// than this says.
    ///
    /// Decoding, Miller values, final exponentiations and checks of values go to the device once the processor has
    /// computed them for half a second, provided that calls of as many values take less time there. Everything else
    /// stays on the processor.
    pub fn device_share(&self) -> Option<[usize; 2]> {
        self.backend_for(usize::MAX).device_share()
    }

    /// Why there is no device, although [`Engine::Cuda`] or [`Engine::Auto`] was requested: then the best engines of
    /// the processor compute.
    pub fn no_device_reason(&self) -> Option<&str> {
        self.0.no_device_reason.as_deref()
    }

    /// The engine that computes single values, and also batches where there is no other engine for batches.
    pub fn engine(&self) -> Engine {
        self.0.engine
    }

    pub(crate) fn engines(&self) -> Engines {
        Engines { single: self.engine(), bulk: self.batch_engine().map(|(bulk, _)| bulk) }
    }

    /// The engine that computes batches, and the least number of values for which it is used.
    pub fn batch_engine(&self) -> Option<(Engine, usize)> {
        self.0.bulk.as_ref().ok().map(|bulk| (bulk.engine, BULK_FROM))
    }

    /// Why there is no other engine for batches; `None` where there is one.
    pub fn no_lanes_reason(&self) -> Option<&NoLanesReason> {
        self.0.bulk.as_ref().err()
    }

    /// Why another engine computes batches in place of the one for batches, if that engine has failed since: a device
    /// whose driver reports an error. Values are the same.
    pub fn fallback_reason(&self) -> Option<String> {
        self.backend_for(usize::MAX).fallback_reason()
    }

    /// The engine that computes `values` values in one call.
    pub fn engine_for(&self, values: usize) -> Engine {
        self.bulk_for(values).map_or(self.engine(), |bulk| bulk.engine)
    }

    /// The engine that computes few pairings in a call, the most pairings per call, and whether it is ready for one
    /// pairing; `None` where there is no separate engine for few pairings.
    ///
    /// A call with products of varying points uses it if pairs and products together number at most twice that
    /// maximum: one product of up to three pairs, or of up to five on fields of more than 298 bits. With prepared arguments
    /// a call uses it for products of up to eight pairs each, up to the maximum number of products. Final
    /// exponentiations use it up to the same maximum.
    ///
    /// The engine becomes ready for calls of one form after 1000 values in such calls, prepared by a thread of its
    /// own in up to a second. [`System::warm_up_few`], [`System::warm_up_products`] and
    /// [`System::warm_up_products_prepared`] prepare it at once. Until then, and for pairs with O, groups and powers,
    /// the other engines serve. Values are the same.
    pub fn engine_for_few(&self) -> Option<(Engine, usize, bool)> {
        self.0.few.as_ref().map(|few| (Engine::Rows, few.most(), few.is_ready_for(1)))
    }

    /// Prepares the engine for few pairings now, where there is one, for every number of pairings of two varying
    /// points that it computes in a call.
    pub fn warm_up_few(&self) {
        let most = self.0.few.as_ref().map_or(0, |few| few.most());
        (1..=most).for_each(|pairings| self.warm_up_products(&vec![1; pairings]));
    }

    /// Prepares the engine for few pairings now for calls of products of varying points, if these are few. `sizes`
    /// are the numbers of pairs of the products of one call.
    pub fn warm_up_products(&self, sizes: &[usize]) {
        if let Some(few) = &self.0.few {
            few.wait(few.pairs(sizes.iter().copied()));
            few.wait(few.finish(sizes.len()));
        }
    }

    /// Prepares the engine for few pairings now for calls of products with prepared arguments, if these are few.
    /// `sizes` are the numbers of pairs of the products of one call.
    pub fn warm_up_products_prepared(&self, sizes: &[usize]) {
        if let Some(few) = &self.0.few {
            few.wait(few.lines(sizes.iter().copied()));
            few.wait(few.finish(sizes.len()));
        }
    }

    /// The number of calls that the engine for few values has computed: for Miller values, or for final
    /// exponentiations.
    pub fn few_calls(&self) -> usize {
        self.0.few.as_ref().map_or(0, |few| few.calls())
    }

    pub(crate) fn few(&self) -> Option<&Arc<Few>> {
        self.0.few.as_ref()
    }

    /// The engine that computes this number of pairings of two varying points in one call.
    pub fn engine_for_pairings(&self, pairings: usize) -> Engine {
        match &self.0.few {
            Some(few) if few.is_ready_for(pairings) => Engine::Rows,
            _ => self.engine_for(pairings),
        }
    }

    /// The engine that computes the Miller values of products of varying points in a call of a
    /// [`Batch`](crate::Batch) on one thread; `sizes` are their numbers of pairs. [`System::product`] uses the same
    /// engine for one product, but never a requested device.
    pub fn engine_for_products(&self, sizes: &[usize]) -> Engine {
        match &self.0.few {
            Some(few) if few.is_ready(few.pairs(sizes.iter().copied())) => Engine::Rows,
            _ => self.engine_for(sizes.iter().fold(0, |sum: usize, size| sum.saturating_add(*size)).max(sizes.len())),
        }
    }

    /// The engine that computes the Miller values of products with prepared arguments in a call of a
    /// [`Batch`](crate::Batch) on one thread; `sizes` are their numbers of pairs.
    pub fn engine_for_products_prepared(&self, sizes: &[usize]) -> Engine {
        match &self.0.few {
            Some(few) if few.is_ready(few.lines(sizes.iter().copied())) => Engine::Rows,
            _ => self.engine_for(sizes.len()),
        }
    }

    pub(crate) fn backend(&self) -> &dyn Backend {
        &*self.0.backend
    }

    pub(crate) fn shared_backend(&self) -> Arc<dyn Backend> {
        self.0.backend.clone()
    }

    /// The backend that computes `values` values at a time.
    pub(crate) fn backend_for(&self, values: usize) -> &dyn Backend {
        self.bulk_for(values).map_or(self.backend(), |bulk| &*bulk.backend)
    }

    /// The backend for the parts of a single value, as many as the terms of a sum or the pairs of a product: lanes
    /// rather than a requested device, which computes batches.
    pub(crate) fn backend_in_lanes(&self, terms: usize) -> &dyn Backend {
        match self.bulk_for(terms) {
            Some(bulk) if matches!(bulk.engine, Engine::Ifma | Engine::Auto) => &*bulk.backend,
            _ => self.backend(),
        }
    }

    /// The engine for batches, if it computes this number of values.
    pub(crate) fn bulk_for(&self, values: usize) -> Option<&Bulk> {
        self.0.bulk.as_ref().ok().filter(|_| values >= BULK_FROM)
    }

    /// How many products are computed at a time where there are enough. A batch should be a multiple of this number.
    pub fn lanes(&self) -> usize {
        self.backend_for(usize::MAX).lanes()
    }

    /// The most products in a task of a batch.
    pub(crate) fn task(&self) -> usize {
        self.backend_for(usize::MAX).task()
    }

    /// The numbers of moving pairs for which a call of a batch is most efficient, where the number makes a
    /// difference.
    pub(crate) fn sharing(&self) -> Option<RangeInclusive<usize>> {
        self.backend_for(usize::MAX).sharing()
    }
}
