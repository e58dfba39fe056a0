//! How an encoding runs on a device: threads a pairing, and pairings of a block.
//!
//! The pairings of a block are those whose values its memory holds, the threads of each those that wait least: a multiprocessor issues an
//! instruction for all threads of a warp, whether they have something to do or not, and needs some warps to have another one while one waits. Where a block has no room for all values
//! of so many pairings, those that are used most for the time that they live stay there, and the others lie far.

use crate::EncodeError;
use crate::device::{Arithmetic, Properties};
use crate::encode::Encoder;
use crate::encoding::Encoding;
use crate::modulus::Modulus;
use crate::residues::PAIRINGS;
use bilinear_program::Program;

/// Threads of a block, of which each has a pairing or inverts.
pub(crate) const THREADS: usize = 128;
/// Threads of a block of groups at most: with 255 registers each, they have all of a multiprocessor.
const MOST_THREADS: usize = 256;
/// Words of a block's memory that the driver keeps to itself: a multiprocessor has as many more than a block can have.
const SYSTEM: usize = 256;
/// Threads a pairing, of which the better are chosen.
const WIDTHS: [usize; 2] = [4, 8];
/// Pairings of a group's block whose far words lie side by side: TILE of `kernels/stage.cuh`.
pub(crate) const TILE: usize = 32;
/// Multiply-adds in the time of a far word: 64 in a clock of each multiprocessor of an H100, and 3.3 TB/s. By the data sheet, not measured.
const FAR_WORD: u64 = 18;
/// Warps for whose pairings a block may make room. Places of elements and of unreduced values are not exchanged, so that values take up to a third more than that: room for 12 warps is some for 8.
const WARPS: [usize; 3] = [4, 8, 12];
/// Warps that keep a multiprocessor busy: two for each of its four schedulers, of which each has two chains of multiply-adds. By hand, not measured.
const ENOUGH: usize = 8;

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
                // as many as have an odd stride
                let fit = properties.shared / encoding.places().max(1) as usize;
                let groups = (MOST_THREADS / width).min(if fit % 2 == 1 { fit } else { fit.saturating_sub(1) });
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

    /// Warps that a multiprocessor has memory for, if they are not more than enough.
    fn warps(&self, encoding: &Encoding, properties: &Properties) -> usize {
        if self.shared(encoding) == 0 {
            return ENOUGH;
        }
        let blocks = (properties.shared + SYSTEM) / (self.shared(encoding) + SYSTEM);
        (blocks * self.threads(encoding)).div_ceil(32).clamp(1, ENOUGH)
    }

    /// Multiply-adds that a multiprocessor issues for a pairing, those of threads that wait among them; as much more as it lacks warps, and what far words
    /// take, as if nothing went on meanwhile.
    fn price(&self, encoding: &Encoding, properties: &Properties) -> u64 {
        let cost = encoding.cost();
        let issued = (cost.multiply_adds + cost.waited) * ENOUGH as u64 / self.warps(encoding, properties) as u64;
        issued + FAR_WORD * cost.memory
    }

    /// Words that these share.
    pub fn shared(&self, encoding: &Encoding) -> usize {
        match (encoding.residues(), encoding.width()) {
            (Some(residues), _) => residues.shared() + PAIRINGS * encoding.places() as usize,
            (None, 1) => 0,
            (None, _) => (self.groups | 1) * encoding.places() as usize,
        }
    }
}

impl Encoding {
    /// The program as a device executes it: in residues, where those are preferred and serve it, in memory that two blocks of a
    /// multiprocessor share; else for threads that split each number, or for 4 or 8 threads a pairing, with all values in the memory of a block or some of them far, whichever wait
    /// less for each other and for operands; for one where that takes less, and there is no room for all values of a few pairings.
    ///
    /// # Errors
    /// If there is no kernel for its field, or a sum of the program leaves its range.
    pub fn on(program: &Program, properties: &Properties) -> Result<(Self, Shape), EncodeError> {
        let modulus = Modulus::new(program.modulus())?;
        if let Some(residues) = properties.residues(&modulus) {
            let half = ((properties.shared + SYSTEM) / 2).saturating_sub(SYSTEM);
            let words = half.saturating_sub(residues.shared()) / PAIRINGS;
            let made = Encoding::in_residues(program, words as u32).ok();
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
        let shaped = |encoding: Encoding| Shape::new(&encoding, properties).map(|shape| (encoding, shape));
        let mut encoder = Encoder::new(program, None);
        let mut ways = vec![];
        let mut none_fits = true;
        for width in widths {
            let whole = encoder.encoding(*width, None)?;
            let (places, shape) = (whole.places() as usize, Shape::new(&whole, properties));
            none_fits &= shape.is_none();
            let is_enough = shape.is_some_and(|shape| shape.warps(&whole, properties) == ENOUGH);
            ways.extend(shape.map(|shape| (whole, shape)));
            for warps in WARPS.into_iter().filter(|_| *width > 1 && !is_enough) {
                // an odd number of pairings
                let words = properties.shared / (32 * warps / width - 1);
                if words < places {
                    ways.extend(shaped(encoder.encoding(*width, Some(words as u32))?));
                }
            }
        }
        if none_fits {
            ways.extend(shaped(encoder.encoding(1, None)?));
        }
        let best = ways.into_iter().min_by_key(|(encoding, shape)| shape.price(encoding, properties));
        Ok(best.unwrap_or_else(|| unreachable!("one thread needs no room")))
    }
}
