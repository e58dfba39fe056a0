//! Constants with prepared arguments among them, which stay on a device between launches.
//!
//! The lines of one argument of a1-2x512 are 0.8 MB. Each program keeps those that it used last, up to a number of words, and with them the
//! arguments, so that they are known again. A launch has its constants until it has ended, since it waits for its outputs; queues wait for what others
//! have copied.

use crate::device::{Device, DeviceError};
use bilinear_program::Uniforms;
use std::sync::{Arc, Mutex, PoisonError};

/// The arguments of one launch.
struct Entry<D: Device> {
    arguments: Vec<Uniforms>,
    words: usize,
    memory: Arc<D::Memory>,
}

/// The constants that stay on a device for one program, in the order in which they were used.
pub(crate) struct Kept<D: Device> {
    most: usize,
    entries: Mutex<Vec<Entry<D>>>,
}

impl<D: Device> Kept<D> {
    /// At most so many words.
    pub(crate) fn new(most: usize) -> Self {
        Kept { most, entries: Mutex::default() }
    }

    /// The constants with these arguments, of so many words, which `make` takes to the device if they are not there.
    ///
    /// # Errors
    /// If that fails.
    pub(crate) fn get(
        &self,
        arguments: &[Uniforms],
        words: usize,
        make: impl FnOnce() -> Result<D::Memory, DeviceError>,
    ) -> Result<Arc<D::Memory>, DeviceError> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |entry: &Entry<D>| {
            entry.arguments.len() == arguments.len() && entry.arguments.iter().zip(arguments).all(|(x, y)| x.is(y))
        };
        let entry = match entries.iter().position(same) {
            Some(at) => entries.remove(at),
            None => Entry { arguments: arguments.to_vec(), words, memory: Arc::new(make()?) },
        };
        let memory = entry.memory.clone();
        entries.push(entry);
        // the last one is in use, however large it is
        while entries.len() > 1 && entries.iter().map(|entry| entry.words).sum::<usize>() > self.most {
            entries.remove(0);
        }
        Ok(memory)
    }
}
