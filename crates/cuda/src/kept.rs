//! Constants with prepared arguments, which stay on a device between launches.
//!
//! The lines of one argument of a1-2x512 are 0.8 MB. A machine keeps the constants that its programs used last, up
//! to a number of words, and with them the arguments, to recognise them. A launch holds its constants until it has
//! ended, since it waits for its outputs. It finds them copied, since the queue that copies them is dropped before.

use crate::device::{Device, DeviceError};
use crate::known::locked;
use bilinear_program::Uniforms;
use std::sync::{Arc, Mutex};

/// Constants on a device, found by the number of a program and its arguments.
struct Entry<D: Device> {
    program: usize,
    arguments: Vec<Uniforms>,
    words: usize,
    /// The constants, or `None` until they are copied. Only launches that need the same constants wait for the copy.
    memory: Arc<Mutex<Option<Arc<D::Memory>>>>,
}

/// The constants that stay on a device, in the order in which they were used.
pub(crate) struct Kept<D: Device> {
    most: usize,
    entries: Mutex<Vec<Entry<D>>>,
}

impl<D: Device> Kept<D> {
    /// Creates an empty store for at most `most` words.
    pub(crate) fn new(most: usize) -> Self {
        Kept { most, entries: Mutex::default() }
    }

    /// Returns the constants of a program with these arguments. If they are not on the device, `make` copies them
    /// there; they have `words` words.
    ///
    /// # Errors
    /// Returns the error of `make`.
    pub(crate) fn get(
        &self,
        (program, arguments): (usize, &[Uniforms]),
        words: usize,
        make: impl FnOnce() -> Result<D::Memory, DeviceError>,
    ) -> Result<Arc<D::Memory>, DeviceError> {
        let memory = self.entry(program, arguments, words);
        let mut memory = locked(&memory);
        match &*memory {
            Some(memory) => Ok(memory.clone()),
            None => Ok(memory.insert(Arc::new(make()?)).clone()),
        }
    }

    fn entry(&self, program: usize, arguments: &[Uniforms], words: usize) -> Arc<Mutex<Option<Arc<D::Memory>>>> {
        let mut entries = locked(&self.entries);
        let same = |entry: &Entry<D>| {
            entry.program == program
                && entry.arguments.len() == arguments.len()
                && entry.arguments.iter().zip(arguments).all(|(x, y)| x.is(y))
        };
        let entry = match entries.iter().position(same) {
            Some(at) => entries.remove(at),
            None => Entry { program, arguments: arguments.to_vec(), words, memory: Arc::default() },
        };
        let memory = entry.memory.clone();
        entries.push(entry);
        // the last entry is in use, however large it is
        while entries.len() > 1 && entries.iter().map(|entry| entry.words).sum::<usize>() > self.most {
            entries.remove(0);
        }
        memory
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{Launch, Properties};

    /// A device whose memory is a number.
    struct Numbers;

    impl Device for Numbers {
        type Memory = u32;
        type Queue = ();
        type Host = Vec<u32>;

        fn properties(&self) -> &Properties {
            unreachable!("nobody asks")
        }
        fn prepare(&self, _: usize, _: Option<usize>) -> Result<(), DeviceError> {
            Ok(())
        }
        fn queue(&self) -> Result<(), DeviceError> {
            Ok(())
        }
        fn allocate(&self, (): &(), _: usize) -> Result<u32, DeviceError> {
            Ok(0)
        }
        fn host(&self, words: usize) -> Vec<u32> {
            vec![0; words]
        }
        fn copy_in(&self, (): &(), _: &mut u32, _: Vec<u32>) -> Result<(), DeviceError> {
            Ok(())
        }
        fn launch(&self, (): &(), _: Launch<'_, u32>) -> Result<(), DeviceError> {
            Ok(())
        }
        fn copy_out(&self, (): &(), _: &u32, _: usize, _: &mut Vec<u32>) -> Result<(), DeviceError> {
            Ok(())
        }
    }

    #[test]
    fn each_program_has_its_own_entry_for_each_list_of_arguments() {
        let [a, b] = [(); 2].map(|()| Uniforms::new(Arc::new(())));
        let kept = Kept::<Numbers>::new(20);
        let get = |program, arguments: &[&Uniforms], number: u32| {
            let arguments: Vec<Uniforms> = arguments.iter().map(|x| (*x).clone()).collect();
            kept.get((program, &arguments), 10, || Ok(number)).map(|memory| *memory)
        };
        assert_eq!([get(0, &[&a], 1), get(1, &[&a], 2), get(0, &[&a], 3)], [Ok(1), Ok(2), Ok(1)]);
        // two entries fit: that of program 1 was used least recently
        assert_eq!([get(0, &[&a, &b], 4), get(0, &[&a], 5), get(1, &[&a], 6)], [Ok(4), Ok(1), Ok(6)]);
        assert_eq!([get(0, &[&b, &a], 7), get(0, &[&b], 8), get(0, &[&b, &a], 9)], [Ok(7), Ok(8), Ok(7)]);
        // after a failure, constants are made when they are next needed
        let failed = DeviceError::Kernel { words: 1 };
        assert_eq!(kept.get((2, &[]), 10, || Err(failed.clone())).map(|memory| *memory), Err(failed.clone()));
        assert_eq!(get(2, &[], 10), Ok(10));
        // a single entry stays, whatever its size
        assert_eq!(kept.get((3, &[]), 1000, || Ok(11)).map(|memory| *memory), Ok(11));
        assert_eq!([kept.get((3, &[]), 1000, || Ok(12)).map(|memory| *memory), get(2, &[], 13)], [Ok(11), Ok(13)]);
    }
}
