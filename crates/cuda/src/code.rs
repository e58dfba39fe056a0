//! An encoding on a device: its records lie in the device's memory, and batches run through its stages.
//!
//! A batch of G pairings takes memory for the slots, 4·G bytes a word, and for the far places of a stage; with one
//! thread per pairing all places are far.

use crate::check::Fault;
use crate::device::{Device, DeviceError, Launch, StageCode, Work};
use crate::encoding::{Encoding, Inversion, Slot, element};
use crate::modulus::Modulus;
use crate::residues::Residues;
use crate::shape::{Shape, THREADS, TILE};
use crate::values::{Constants, Values};
use num_bigint::BigUint;

/// The largest number of pairings that share a power: then an inversion takes 3 products and a hundredth of a power.
const MAX_SHARING: usize = 100;
/// The smallest number of pairings that share a power in launches of many pairings. Other launches fill the device
/// beside this one, and a thread with this many pairings takes hardly longer than with one, since the power is most
/// of the work.
pub(crate) const SHARING: usize = 16;

/// A reason why an encoding does not run on a device.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodeError {
    /// The encoding does not pass its check.
    #[error(transparent)]
    Check(#[from] Fault),
    /// The device fails.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

struct Stage<M> {
    records: M,
    steps: u32,
    inversions: Vec<Inversion>,
}

/// The moduli, and the tables that the kernels of residues take beside a stage.
struct Tables<M> {
    of: Residues,
    tables: M,
}

/// Copies words to new memory of a device.
fn resident<D: Device>(device: &D, queue: &D::Queue, words: &[u32]) -> Result<D::Memory, DeviceError> {
    let mut memory = device.allocate(queue, words.len())?;
    let mut from = device.host(words.len());
    from.as_mut().copy_from_slice(words);
    device.copy_in(queue, &mut memory, from)?;
    Ok(memory)
}

/// An encoding on a device.
pub struct Code<D: Device> {
    words: usize,
    /// The number of words of an element.
    elem: usize,
    modulus: Modulus,
    /// The constants of the modulus that the kernels take.
    modulus_words: Vec<u32>,
    width: usize,
    shape: Shape,
    residues: Option<Tables<D::Memory>>,
    stages: Vec<Stage<D::Memory>>,
    /// The constants, which all pairings have in common.
    constants: Vec<u32>,
    /// The constants on the device.
    resident: D::Memory,
    inputs: Vec<Slot>,
    outputs: Vec<Slot>,
    slots: usize,
    /// The number of threads of a block.
    threads: usize,
    /// The number of words that the threads of a block share.
    shared: usize,
    /// The number of words of a pairing's places in the memory that a block shares.
    near: usize,
    /// The number of words of a pairing's places in the memory of the device.
    far: usize,
}

impl<D: Device> Code<D> {
    /// Checks an encoding and copies it to a device.
    ///
    /// # Errors
    /// Returns an error if the encoding does not pass its check, or if the device fails.
    pub fn new(device: &D, encoding: &Encoding, shape: Shape) -> Result<Self, CodeError> {
        encoding.check()?;
        let modulus = encoding.modulus();
        let queue = device.queue()?;
        let resident = |words: &[u32]| resident(device, &queue, words);
        let stage = |stage: &crate::Stage| {
            let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
            let bytes: Vec<u8> = stage.records.iter().flat_map(|record| record.to_bytes()).collect();
            Ok::<_, DeviceError>(Stage {
                records: resident(&bytes.chunks(4).map(word).collect::<Vec<u32>>())?,
                steps: (stage.records.len() / encoding.width()) as u32,
                inversions: stage.inversions.clone(),
            })
        };
        let constants: Vec<u32> = encoding.constants().iter().flat_map(|c| encoding.words_of(c)).collect();
        let tables = |residues: &Residues| {
            Ok::<_, DeviceError>(Tables {
                of: residues.clone(),
                tables: resident(&residues.constants(modulus.words()))?,
            })
        };
        Ok(Code {
            words: modulus.words(),
            elem: encoding.sizes.elem as usize,
            modulus: modulus.clone(),
            modulus_words: modulus.constants(),
            width: encoding.width(),
            shape,
            residues: encoding.residues().map(tables).transpose()?,
            stages: encoding.stages().iter().map(stage).collect::<Result<_, DeviceError>>()?,
            resident: resident(&constants)?,
            constants,
            inputs: encoding.inputs().to_vec(),
            outputs: encoding.outputs().to_vec(),
            slots: encoding.slots() as usize,
            threads: shape.threads(encoding),
            shared: shape.shared(encoding),
            near: encoding.places() as usize,
            far: match (encoding.residues(), encoding.width()) {
                (None, 1) => encoding.places() as usize,
                _ => encoding.far() as usize,
            },
        })
    }

    /// Returns the number of words of device memory that `count` pairings take.
    pub fn memory(&self, count: usize) -> usize {
        self.slots * count + self.far_words(count)
    }

    /// Returns the number of words that the far places of `count` pairings take, in whole blocks.
    fn far_words(&self, count: usize) -> usize {
        self.far * count.div_ceil(self.shape.groups) * self.side_by_side()
    }

    /// Returns the number of pairings of a block for which there are far words: with groups, they lie in whole tiles.
    fn side_by_side(&self) -> usize {
        if self.width > 1 { self.shape.groups.next_multiple_of(TILE) } else { self.shape.groups }
    }

    /// Returns true if elements are residues modulo small numbers.
    pub(crate) fn has_residues(&self) -> bool {
        self.residues.is_some()
    }

    /// Returns x in Montgomery's form, as [`Encoding::element`] does.
    pub(crate) fn element(&self, x: &BigUint) -> Vec<u32> {
        element(&self.modulus, self.residues.as_ref().map(|residues| &residues.of), x)
    }

    pub(crate) fn inputs(&self) -> &[Slot] {
        &self.inputs
    }

    pub(crate) fn outputs(&self) -> &[Slot] {
        &self.outputs
    }

    /// The number of words of the constants.
    pub(crate) fn constant_words(&self) -> usize {
        self.constants.len()
    }

    /// Copies the constants to the device, with the inputs that all pairings share, which `set` writes.
    ///
    /// # Errors
    /// Returns an error if the device fails.
    pub fn constants(&self, device: &D, set: impl FnOnce(&mut Constants)) -> Result<D::Memory, DeviceError> {
        let mut constants = Constants::new(self.elem, self.constants.clone());
        set(&mut constants);
        resident(device, &device.queue()?, constants.words())
    }

    /// Executes the encoding for `count` pairings. `fill` writes the inputs of each, and the outputs are returned.
    /// Inputs that pairings share are among the `constants`.
    ///
    /// # Errors
    /// Returns an error if the device fails.
    ///
    /// # Panics
    /// Panics if pairings share inputs and no constants are given.
    pub fn run(
        &self,
        device: &D,
        count: usize,
        constants: Option<&D::Memory>,
        fill: impl FnOnce(&mut Values<D::Host>),
    ) -> Result<Values<D::Host>, DeviceError> {
        let is_shared = self.inputs.iter().any(|slot| matches!(slot, Slot::Constant(_)));
        assert!(!is_shared || constants.is_some(), "constants with the inputs that all pairings share");
        let values = |slots: &[Slot]| Values::new(slots, self.words, count, |words| device.host(words));
        let mut inputs = values(&self.inputs);
        fill(&mut inputs);

        let queue = device.queue()?;
        let mut slots = device.allocate(&queue, self.slots * count)?;
        // inputs come first among the slots
        device.copy_in(&queue, &mut slots, inputs.into_words())?;
        let constants = constants.unwrap_or(&self.resident);
        let blocks = count.div_ceil(self.shape.groups);
        let mut places = if self.far > 0 { Some(device.allocate(&queue, self.far_words(count))?) } else { None };
        let split = self.shape.split;
        for stage in &self.stages {
            let code = StageCode { records: &stage.records, steps: stage.steps, constants };
            let words = self.far as u32;
            let work = match (&self.residues, &mut places) {
                (Some(residues), far) => Work::Residues {
                    code,
                    moduli: residues.of.moduli() as u32,
                    kernel: residues.of.kernel() as u32,
                    tables: &residues.tables,
                    shared: self.shared as u32,
                    far: far.as_mut().map(|places| (places, words)),
                },
                (None, far) if self.width > 1 => Work::Group {
                    code,
                    width: self.width as u32,
                    shared: self.shared as u32,
                    near: self.near as u32,
                    far: far.as_mut().map(|places| (places, words)),
                },
                (None, Some(places)) if split > 1 => Work::Split { code, split: split as u32, places },
                (None, Some(places)) => Work::Single { code, places },
                (None, None) => unreachable!("one thread a pairing has its places in the memory of the device"),
            };
            self.launch(device, &queue, work, (&mut slots, count), (blocks, self.threads))?;
            for inversion in &stage.inversions {
                let inverting = device.properties().inverting.div_ceil(split);
                let least = (count / 32).clamp(1, SHARING);
                let each = self.shape.each.unwrap_or(count.div_ceil(inverting).clamp(least, MAX_SHARING));
                let blocks = count.div_ceil(each).div_ceil(THREADS / split);
                let work = Work::Invert { inversion: *inversion, split: split as u32, each: each as u32 };
                self.launch(device, &queue, work, (&mut slots, count), (blocks, THREADS))?;
            }
        }
        let mut outputs = values(&self.outputs);
        device.copy_out(&queue, &slots, outputs.first(), outputs.words_mut())?;
        Ok(outputs)
    }

    fn launch(
        &self,
        device: &D,
        queue: &D::Queue,
        work: Work<'_, D::Memory>,
        (slots, count): (&mut D::Memory, usize),
        (blocks, threads): (usize, usize),
    ) -> Result<(), DeviceError> {
        device.launch(
            queue,
            Launch {
                words: self.words,
                modulus: &self.modulus_words,
                work,
                slots,
                count: count as u32,
                blocks: blocks as u32,
                threads: threads as u32,
            },
        )
    }
}
