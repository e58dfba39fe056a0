//! An encoding on a device: its records are there, and batches run through its stages.
//!
//! Memory of a batch of G pairings: the slots, 4·G bytes a word, and with one thread a pairing as much again for the places of a stage.

use crate::EncodeError;
use crate::check::Fault;
use crate::device::{Arithmetic, Device, DeviceError, Launch, Properties, StageCode, Work};
use crate::encoding::{Encoding, Inversion, Slot, element};
use crate::modulus::Modulus;
use crate::residues::{PAIRINGS, Residues};
use bilinear_program::Program;
use num_bigint::BigUint;
use std::ops::Range;

/// Threads of a block, of which each has a pairing or inverts.
const THREADS: usize = 128;
/// Threads of a block of groups at most: with 255 registers each, they have all of a multiprocessor.
const MOST_THREADS: usize = 256;
/// Threads a pairing, of which the better are chosen.
const WIDTHS: [usize; 2] = [4, 8];
/// Warps that keep a multiprocessor busy: two for each of its four schedulers, of which each has two chains of multiply-adds. By hand, not measured.
const ENOUGH: usize = 8;
/// Pairings that share a power at most: then an inversion takes 3 products and a hundredth of a power.
const MOST_SHARING: usize = 100;

/// How a batch is launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Pairings of a block.
    pub groups: usize,
    /// Pairings of a thread that inverts; as few as occupy the device if that is `None`.
    pub each: Option<usize>,
    /// Threads that split each number, or 1: [`Modulus::split`].
    pub split: usize,
}

impl Shape {
    /// The pairings that a block has room for, if they are enough for a warp.
    pub fn new(encoding: &Encoding, properties: &Properties) -> Option<Shape> {
        let split = encoding.modulus().split();
        if encoding.residues().is_some() {
            let shape = Shape { groups: PAIRINGS, each: None, split };
            return (shape.shared(encoding) <= properties.shared).then_some(shape);
        }
        let groups = match encoding.width() {
            1 => THREADS / split,
            width => {
                let groups = (properties.shared / encoding.places().max(1) as usize).min(MOST_THREADS / width);
                if groups * width < 32 {
                    return None;
                }
                groups
            }
        };
        Some(Shape { groups, each: None, split })
    }

    /// Threads of a block that executes a stage.
    pub fn threads(&self, encoding: &Encoding) -> usize {
        match encoding.residues() {
            Some(residues) => 32 * residues.kernel(),
            None => self.groups * encoding.width() * self.split,
        }
    }

    /// Multiply-adds that a multiprocessor issues for a pairing, those of threads that wait among them; as much more as it lacks warps.
    fn issued(&self, encoding: &Encoding, properties: &Properties) -> u64 {
        let blocks = properties.shared / self.shared(encoding).max(1);
        let warps = (blocks * self.threads(encoding)).div_ceil(32).clamp(1, ENOUGH);
        let cost = encoding.cost();
        (cost.multiply_adds + cost.waited) * ENOUGH as u64 / warps as u64
    }

    /// Words that these share.
    pub fn shared(&self, encoding: &Encoding) -> usize {
        match (encoding.residues(), encoding.width()) {
            (Some(residues), _) => residues.shared() + PAIRINGS * encoding.places() as usize,
            (None, 1) => 0,
            (None, _) => self.groups * encoding.places() as usize,
        }
    }
}

impl Encoding {
    /// The program as a device executes it: in residues, where those are preferred and serve it, in memory that two blocks of a
    /// multiprocessor share; else for threads that split each number, or for 4 or 8 threads a pairing, if there is room for them, whichever wait
    /// less for each other and for operands; else for one.
    ///
    /// # Errors
    /// If there is no kernel for its field, or a sum of the program leaves its range.
    pub fn on(program: &Program, properties: &Properties) -> Result<(Self, Shape), EncodeError> {
        let modulus = Modulus::new(program.modulus())?;
        if let Some(residues) = properties.residues(&modulus) {
            let room = (properties.shared / 2).saturating_sub(residues.shared()) / PAIRINGS;
            let made = Encoding::in_residues(program, room as u32).ok();
            let shaped = made.and_then(|encoding| Shape::new(&encoding, properties).map(|shape| (encoding, shape)));
            if let Some(both) = shaped {
                return Ok(both);
            }
        }
        let widths = match properties.arithmetic {
            _ if modulus.split() > 1 => &[1][..],
            Arithmetic::Words => &[properties.width],
            Arithmetic::Residues | Arithmetic::Either => &WIDTHS,
        };
        let made = widths.iter().map(|width| Encoding::new(program, *width)).collect::<Result<Vec<_>, _>>()?;
        let shaped = made.into_iter().filter_map(|encoding| {
            let shape = Shape::new(&encoding, properties)?;
            Some((encoding, shape))
        });
        if let Some(best) = shaped.min_by_key(|(encoding, shape)| shape.issued(encoding, properties)) {
            return Ok(best);
        }
        let shape = Shape { groups: THREADS, each: None, split: 1 };
        Encoding::new(program, 1).map(|encoding| (encoding, shape))
    }
}

/// Why an encoding does not run on a device.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodeError {
    /// It is not sound.
    #[error(transparent)]
    Check(#[from] Fault),
    /// The device fails.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A pairing takes more memory than a launch may.
    #[error("a vector takes {words} words of memory, and a launch has {memory}")]
    Memory {
        /// Words of a vector.
        words: usize,
        /// Words of a launch.
        memory: usize,
    },
}

struct Stage<M> {
    records: M,
    steps: u32,
    inversions: Vec<Inversion>,
}

/// What the kernels of residues take beside a stage.
struct Tables<M> {
    of: Residues,
    tables: M,
}

/// An encoding on a device.
pub struct Code<D: Device> {
    words: usize,
    /// Words of an element.
    elem: usize,
    modulus: Modulus,
    /// What the kernels take of it.
    modulus_words: Vec<u32>,
    width: usize,
    shape: Shape,
    residues: Option<Tables<D::Memory>>,
    stages: Vec<Stage<D::Memory>>,
    /// What all pairings have in common.
    constants: Vec<u32>,
    /// The same on the device.
    resident: D::Memory,
    inputs: Vec<Slot>,
    outputs: Vec<Slot>,
    slots: usize,
    /// Threads of a block, and the words that they share.
    threads: usize,
    shared: usize,
    /// Words of the places of a pairing that are in the memory of the device.
    far: usize,
}

/// The words of a pairing that some of its slots take.
fn span(slots: &[Slot], words: usize) -> Range<usize> {
    let ends = slots.iter().filter_map(|slot| match slot {
        Slot::Elem(at) => Some((*at as usize, *at as usize + words)),
        Slot::Mask(at) => Some((*at as usize, *at as usize + 1)),
        Slot::Constant(_) => None,
    });
    ends.fold(None, |all: Option<Range<usize>>, (from, to)| {
        Some(all.map_or(from..to, |all| all.start.min(from)..all.end.max(to)))
    })
    .unwrap_or(0..0)
}

impl<D: Device> Code<D> {
    /// Checks an encoding and takes it to a device.
    ///
    /// # Errors
    /// If it does not pass its check, or the device fails.
    pub fn new(device: &D, encoding: &Encoding, shape: Shape) -> Result<Self, CodeError> {
        encoding.check()?;
        let modulus = encoding.modulus();
        let queue = device.queue()?;
        let resident = |words: &[u32]| {
            let mut memory = device.allocate(&queue, words.len())?;
            device.copy_in(&queue, &mut memory, words)?;
            Ok::<_, DeviceError>(memory)
        };
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
            far: match (encoding.residues(), encoding.width()) {
                (None, 1) => encoding.places() as usize,
                _ => encoding.far() as usize,
            },
        })
    }

    /// Words of device memory that a pairing takes.
    pub fn memory(&self) -> usize {
        self.slots + self.far
    }

    /// Whether its elements are residues modulo small numbers.
    pub(crate) fn has_residues(&self) -> bool {
        self.residues.is_some()
    }

    /// As [`Encoding::element`].
    pub(crate) fn element(&self, x: &BigUint) -> Vec<u32> {
        element(&self.modulus, self.residues.as_ref().map(|residues| &residues.of), x)
    }

    pub(crate) fn inputs(&self) -> &[Slot] {
        &self.inputs
    }

    pub(crate) fn outputs(&self) -> &[Slot] {
        &self.outputs
    }

    /// Words of the constants.
    pub(crate) fn constant_words(&self) -> usize {
        self.constants.len()
    }

    /// Takes the constants to the device, with the inputs that all pairings share, which `set` writes.
    ///
    /// # Errors
    /// If the device fails.
    pub fn constants(&self, device: &D, set: impl FnOnce(&mut Constants)) -> Result<D::Memory, DeviceError> {
        let mut constants = Constants { elem: self.elem, words: self.constants.clone() };
        set(&mut constants);
        let queue = device.queue()?;
        let mut memory = device.allocate(&queue, constants.words.len())?;
        device.copy_in(&queue, &mut memory, &constants.words)?;
        Ok(memory)
    }

    /// Executes it for so many pairings: `fill` writes the inputs of each; the outputs come back. Where pairings share inputs, these are among the
    /// `constants`.
    ///
    /// # Errors
    /// If the device fails.
    ///
    /// # Panics
    /// If pairings share inputs and there are no constants.
    pub fn run(
        &self,
        device: &D,
        count: usize,
        constants: Option<&D::Memory>,
        fill: impl FnOnce(&mut Values),
    ) -> Result<Values, DeviceError> {
        let is_shared = self.inputs.iter().any(|slot| matches!(slot, Slot::Constant(_)));
        assert!(!is_shared || constants.is_some(), "constants with the inputs that all pairings share");
        let mut inputs = Values::new(&self.inputs, self.words, count);
        fill(&mut inputs);

        let queue = device.queue()?;
        let mut slots = device.allocate(&queue, self.slots * count)?;
        // inputs come first among the slots
        device.copy_in(&queue, &mut slots, &inputs.values)?;
        let constants = constants.unwrap_or(&self.resident);
        let pairings = count.next_multiple_of(self.shape.groups);
        let mut places = if self.far > 0 { Some(device.allocate(&queue, self.far * pairings)?) } else { None };
        let split = self.shape.split;
        for stage in &self.stages {
            let code = StageCode { records: &stage.records, steps: stage.steps, constants };
            let work = match (&self.residues, &mut places) {
                (Some(residues), far) => Work::Residues {
                    code,
                    moduli: residues.of.moduli() as u32,
                    kernel: residues.of.kernel() as u32,
                    tables: &residues.tables,
                    shared: self.shared as u32,
                    far: far.as_mut().map(|places| (places, self.far as u32)),
                },
                (None, Some(places)) if split > 1 => Work::Split { code, split: split as u32, places },
                (None, Some(places)) => Work::Single { code, places },
                (None, None) => Work::Group { code, width: self.width as u32, shared: self.shared as u32 },
            };
            let blocks = count.div_ceil(self.shape.groups);
            self.launch(device, &queue, work, (&mut slots, count), (blocks, self.threads))?;
            for inversion in &stage.inversions {
                let inverting = device.properties().inverting.div_ceil(split);
                let each = self.shape.each.unwrap_or(count.div_ceil(inverting).min(MOST_SHARING));
                let blocks = count.div_ceil(each).div_ceil(THREADS / split);
                let work = Work::Invert { inversion: *inversion, split: split as u32, each: each as u32 };
                self.launch(device, &queue, work, (&mut slots, count), (blocks, THREADS))?;
            }
        }
        let mut outputs = Values::new(&self.outputs, self.words, count);
        device.copy_out(&queue, &slots, outputs.first * count, &mut outputs.values)?;
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

/// What all pairings share: constants, some of which stand for inputs.
pub struct Constants {
    /// Words of a constant.
    elem: usize,
    words: Vec<u32>,
}

impl Constants {
    /// Sets a constant that stands for an input: [`Encoding::element`].
    pub fn set(&mut self, number: u32, words: &[u32]) {
        let at = number as usize * self.elem;
        self.words[at..at + self.elem].copy_from_slice(words);
    }
}

/// The inputs or the outputs of a batch as they lie on a device: word j of the slot s of pairing g of G at (s + j)·G + g.
pub struct Values {
    /// The first of the words of a pairing that are here.
    first: usize,
    words: usize,
    count: usize,
    values: Vec<u32>,
}

impl Values {
    fn new(slots: &[Slot], words: usize, count: usize) -> Self {
        let span = span(slots, words);
        Values { first: span.start, words, count, values: vec![0; span.len() * count] }
    }

    fn at(&self, word: usize, pairing: usize) -> usize {
        (word - self.first) * self.count + pairing
    }

    /// Sets a residue of a pairing, from words of 64 bits.
    pub fn set(&mut self, at: u32, pairing: usize, residue: &[u64]) {
        for j in 0..self.words {
            let place = self.at(at as usize + j, pairing);
            self.values[place] = residue.get(j / 2).map_or(0, |word| (word >> (j % 2 * 32)) as u32);
        }
    }

    /// Sets a truth value of a pairing.
    pub fn set_mask(&mut self, at: u32, pairing: usize, value: bool) {
        let place = self.at(at as usize, pairing);
        self.values[place] = if value { u32::MAX } else { 0 };
    }

    /// Reads a residue of a pairing into words of 64 bits.
    pub fn get(&self, at: u32, pairing: usize, residue: &mut [u64]) {
        for (i, out) in residue.iter_mut().enumerate() {
            let half = |j: usize| if j < self.words { self.values[self.at(at as usize + j, pairing)] } else { 0 };
            *out = u64::from(half(2 * i)) | u64::from(half(2 * i + 1)) << 32;
        }
    }

    /// The truth value of a pairing.
    pub fn get_mask(&self, at: u32, pairing: usize) -> bool {
        self.values[self.at(at as usize, pairing)] != 0
    }
}
