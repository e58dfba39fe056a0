//! How an encoding runs on a device: threads a pairing, and pairings of a block.
//!
//! The pairings of a block are those whose values its memory holds, the threads of each those that wait least: a multiprocessor issues an
//! instruction for all threads of a warp, whether they have something to do or not, and needs some warps to have another one while one waits.

use crate::EncodeError;
use crate::device::{Arithmetic, Properties};
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

    /// Multiply-adds that a multiprocessor issues for a pairing, those of threads that wait among them; as much more as it lacks warps.
    fn issued(&self, encoding: &Encoding, properties: &Properties) -> u64 {
        let blocks = (properties.shared + SYSTEM) / (self.shared(encoding) + SYSTEM);
        let warps = (blocks * self.threads(encoding)).div_ceil(32).clamp(1, ENOUGH);
        let cost = encoding.cost();
        (cost.multiply_adds + cost.waited) * ENOUGH as u64 / warps as u64
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
    /// multiprocessor share; else for threads that split each number, or for 4 or 8 threads a pairing, if there is room for them, whichever wait
    /// less for each other and for operands; else for one.
    ///
    /// # Errors
    /// If there is no kernel for its field, or a sum of the program leaves its range.
    pub fn on(program: &Program, properties: &Properties) -> Result<(Self, Shape), EncodeError> {
        let modulus = Modulus::new(program.modulus())?;
        if let Some(residues) = properties.residues(&modulus) {
            let half = ((properties.shared + SYSTEM) / 2).saturating_sub(SYSTEM);
            let room = half.saturating_sub(residues.shared()) / PAIRINGS;
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
