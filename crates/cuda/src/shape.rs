//! The shape of a launch: how many threads compute a pairing, and how many pairings a block has.
//!
//! A block has as many pairings as its memory holds the values of, and each pairing the number of threads that wait
//! least. A multiprocessor issues an instruction for all threads of a warp, whether they have something to do or
//! not, and needs several warps to have another one while one waits. If the memory of a block does not hold all
//! values of enough pairings, the values with the most uses during their lives stay there, and the others lie far.

use crate::EncodeError;
use crate::device::{Arithmetic, Properties};
use crate::encode::Encoder;
use crate::encoding::Encoding;
use crate::modulus::Modulus;
use crate::residues::PAIRINGS;
use bilinear_program::Program;

/// The threads of a block in which each thread has a pairing or inverts.
pub(crate) const THREADS: usize = 128;
/// The largest number of threads of a block of groups: with 255 registers each, they take all registers of a
/// multiprocessor.
const MAX_THREADS: usize = 256;
/// The words of a block's memory that the driver reserves: a multiprocessor has that many more than a block can have.
const SYSTEM: usize = 256;
/// The numbers of threads per pairing of which the better one is chosen.
const WIDTHS: [usize; 2] = [4, 8];
/// The pairings of a block of groups whose far words lie side by side: TILE of `kernels/stage.cuh`.
pub(crate) const TILE: usize = 32;
/// The number of multiply-adds in the time of a far word: 64 in a clock of each multiprocessor of an H100, and 3.3
/// TB/s. By the data sheet, not measured.
const FAR_WORD: u64 = 18;
/// The numbers of warps whose pairings a block may hold. Places of elements and of unreduced values are not
/// exchanged, so that values take up to a third more memory than was planned: memory planned for 12 warps suffices
/// for 8.
const WARPS: [usize; 3] = [4, 8, 12];
/// The number of warps that keep a multiprocessor busy: two for each of its four schedulers, each warp with two
/// chains of multiply-adds. By hand, not measured.
const ENOUGH: usize = 8;

/// The shape of a batch's launches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The number of pairings of a block.
    pub groups: usize,
    /// The number of pairings of a thread that inverts; with `None`, as few as occupy the device.
    pub each: Option<usize>,
    /// The number of threads that split each number, or 1: [`Modulus::split`].
    pub split: usize,
}

impl Shape {
    /// Creates the shape with as many pairings as a block can hold, or returns `None` if they are not enough for a
    /// warp.
    pub fn new(encoding: &Encoding, properties: &Properties) -> Option<Shape> {
        let split = encoding.modulus().split();
        if encoding.residues().is_some() {
            let shape = Shape { groups: PAIRINGS, each: None, split };
            return (shape.shared(encoding) <= properties.shared).then_some(shape);
        }
        let groups = match encoding.width() {
            1 => THREADS / split,
            width => {
                // the largest number with an odd stride
                let fit = properties.shared / encoding.places().max(1) as usize;
                let groups = (MAX_THREADS / width).min(if fit % 2 == 1 { fit } else { fit.saturating_sub(1) });
                if groups * width < 32 {
                    return None;
                }
                groups
            }
        };
        Some(Shape { groups, each: None, split })
    }

    /// Returns the number of threads of a block that executes a stage.
    pub fn threads(&self, encoding: &Encoding) -> usize {
        match encoding.residues() {
            Some(residues) => 32 * residues.kernel(),
            None => self.groups * encoding.width() * self.split,
        }
    }

    /// Returns the number of warps that a multiprocessor has memory for, at most [`ENOUGH`].
    fn warps(&self, encoding: &Encoding, properties: &Properties) -> usize {
        if self.shared(encoding) == 0 {
            return ENOUGH;
        }
        let blocks = (properties.shared + SYSTEM) / (self.shared(encoding) + SYSTEM);
        (blocks * self.threads(encoding)).div_ceil(32).clamp(1, ENOUGH)
    }

    /// Returns the price of a pairing in multiply-adds that a multiprocessor issues, including those of threads
    /// that wait. The number is multiplied by the ratio of [`ENOUGH`] to the warps that there are. The time of far
    /// words is added, as if nothing else went on meanwhile.
    fn price(&self, encoding: &Encoding, properties: &Properties) -> u64 {
        let cost = encoding.cost();
        let issued = (cost.multiply_adds + cost.waited) * ENOUGH as u64 / self.warps(encoding, properties) as u64;
        issued + FAR_WORD * cost.memory
    }

    /// Returns the number of words that the threads of a block share.
    pub fn shared(&self, encoding: &Encoding) -> usize {
        match (encoding.residues(), encoding.width()) {
            (Some(residues), _) => residues.shared() + PAIRINGS * encoding.places() as usize,
            (None, 1) => 0,
            (None, _) => (self.groups | 1) * encoding.places() as usize,
        }
    }
}

impl Encoding {
    /// Encodes a program as a device executes it. If residues are preferred and serve the program, it is encoded in
    /// residues, in memory that two blocks of a multiprocessor share. Otherwise it is encoded for threads that
    /// split each number, or for 4 or 8 threads per pairing, with all values in the memory of a block or some of them
    /// far, whichever waits less for threads and operands. It is encoded for one thread per pairing if that takes
    /// less and the memory of a block does not hold all values of a few pairings.
    ///
    /// # Errors
    /// Returns an error if there is no kernel for the program's field, or if a sum of the program leaves its range.
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
