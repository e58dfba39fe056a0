//! A stream of the driver, with the memory of the host that it copies from, and, while a clock runs, events before
//! and after its tasks.
//!
//! `unsafe` is needed to wait for the stream whatever other threads have recorded.
#![allow(unsafe_code)]

use crate::clock::{Clock, Task};
use crate::pinned::Host;
use cudarc::driver::sys::CUevent_flags::CU_EVENT_DEFAULT;
use cudarc::driver::{CudaEvent, CudaStream, DriverError, result};
use std::cell::RefCell;
use std::sync::Arc;

pub(crate) struct Stream {
    pub(crate) stream: Arc<CudaStream>,
    clock: Option<Arc<Clock>>,
    events: RefCell<Vec<(Task, [CudaEvent; 2])>>,
    /// The words of the host that copies may still read.
    sent: RefCell<Vec<Host>>,
}

impl Stream {
    pub(crate) fn new(stream: Arc<CudaStream>, clock: Option<Arc<Clock>>) -> Self {
        Stream { stream, clock, events: RefCell::default(), sent: RefCell::default() }
    }

    /// Runs a task on the stream, between two events if a clock runs.
    pub(crate) fn run(
        &self,
        task: Task,
        act: impl FnOnce(&Arc<CudaStream>) -> Result<(), DriverError>,
    ) -> Result<(), DriverError> {
        if self.clock.is_none() {
            return act(&self.stream);
        }
        let event = || self.stream.record_event(Some(CU_EVENT_DEFAULT));
        let from = event()?;
        act(&self.stream)?;
        self.events.borrow_mut().push((task, [from, event()?]));
        Ok(())
    }

    /// Keeps words of the host until the stream has done everything asked of it.
    pub(crate) fn keep(&self, words: Host) {
        self.sent.borrow_mut().push(words);
    }

    /// Waits until the stream has done everything asked of it, and drops the words that it keeps. An error that was
    /// recorded where none could be returned, when something was dropped on any thread, is returned after that.
    pub(crate) fn wait(&self) -> Result<(), DriverError> {
        // `CudaStream::synchronize` would return such an error without having waited
        let recorded = self.stream.context().bind_to_thread();
        // SAFETY: the stream exists as long as `self.stream`
        unsafe { result::stream::synchronize(self.stream.cu_stream()) }?;
        self.sent.borrow_mut().clear();
        recorded
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // if the device has failed, nothing is copied any more
        if !self.sent.get_mut().is_empty() {
            let _ = self.wait();
        }
        if let Some(clock) = &self.clock {
            clock.note(self.events.get_mut());
        }
    }
}
