//! The proof that an encoding can be executed: every value that a record reads exists and has the right kind, no
//! lane writes words that another lane of its bundle reads or writes, every number lies in its memory, and no value
//! leaves its range.
//!
//! Lanes of a bundle wait for each other at its end only, and the values that it makes exist from then on. So every
//! value that a bundle reads was written before the bundle began.
//!
//! In residues, and where threads split numbers, threads share the words of a number. Each thread has the words of
//! the same positions of all values, counted from the first word. No other thread reads or writes these words, and
//! no thread waits. So words in which a value has lain may only hold values that begin and end at the same words. A
//! value that a thread assembles for a slot from the residues of all threads is not read in the same stage.

use crate::encoding::{Encoding, Inversion, Slot};
use crate::factor::Factor;
use crate::form::{Limits, Range};
use crate::record::{CONSTANT, Opcode, Record};
use std::ops;

/// A fault of an encoding, and its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A stage in which some step does not have one record for each lane, or whose last bundle has no end.
    #[error("stage {stage}: its steps or bundles are incomplete")]
    Steps {
        /// The number of the stage.
        stage: usize,
    },
    /// A record that cannot be executed.
    #[error("record {record} of stage {stage} ({opcode:?}): {what}")]
    Record {
        /// The number of the stage.
        stage: usize,
        /// The number of the record in the stage.
        record: usize,
        /// The opcode of the record.
        opcode: Opcode,
        /// The reason why the record cannot be executed.
        what: &'static str,
    },
    /// An inversion whose operand does not exist, or whose result has no place or overlaps its operand.
    #[error("inversion {inversion} after stage {stage}: its operand is missing, or its result has no valid place")]
    Inversion {
        /// The number of the stage.
        stage: usize,
        /// The number of the inversion.
        inversion: usize,
    },
    /// An input, an output or a constant that has no place or is not made.
    #[error("an input, an output or a constant has no place, or is not computed")]
    Port,
}

const OPERAND: &str = "an operand is missing or of the wrong kind";
const DISTURBED: &str = "another lane of its bundle reads or writes the same words";
const TOO_EARLY: &str = "it reads a value that is computed in the same bundle, or in the same stage by another thread";
const MOVED: &str =
    "its result overlaps earlier values that begin or end elsewhere, whose words belong to other threads";
const OUTSIDE: &str = "a word lies outside the memory";
const RANGE: &str = "the sum leaves its range";
const UNUSED: &str = "an unused field is not 0";
const ARITHMETIC: &str = "it is for another kind of arithmetic";

/// The kind of a value in a memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    Elem,
    Wide,
    Mask,
    /// A residue of the field in words, if elements are residues modulo small numbers.
    Residue,
}

/// A memory: for each word the first word of the value there, and for each first word the kind and the range of the
/// value.
#[derive(Clone)]
struct Memory {
    words: Vec<Option<u32>>,
    values: Vec<Option<(Held, Range)>>,
}

impl Memory {
    fn new(words: u32) -> Self {
        Memory { words: vec![None; words as usize], values: vec![None; words as usize] }
    }

    fn write(&mut self, at: u32, words: u32, value: (Held, Range)) {
        for word in at..at + words {
            self.words[word as usize] = Some(at);
        }
        self.values[at as usize] = Some(value);
    }

    /// Returns the range of a value of this kind, or `None` if there is no such value.
    fn read(&self, at: u32, kind: Held, words: u32) -> Option<Range> {
        let there = self.words.get(at as usize..(at as usize).checked_add(words as usize)?)?;
        let (found, range) = (*self.values.get(at as usize)?)?;
        (found == kind && there.iter().all(|word| *word == Some(at))).then_some(range)
    }

    /// Returns true if these words hold, and have held, only values that begin and end exactly there.
    fn is_their_place(&self, words: ops::Range<u32>, size: impl Fn(Held) -> u32) -> bool {
        let all = words.start as usize..words.end as usize;
        let ends = self.values[all.start].is_none_or(|(held, _)| size(held) as usize == all.len());
        ends && self.words[all].iter().flatten().all(|first| *first == words.start)
    }
}

fn meet(x: &ops::Range<u32>, y: &ops::Range<u32>) -> bool {
    x.start < y.end && y.start < x.end
}

/// The reads and writes of the lanes in a bundle.
#[derive(Default)]
struct Bundle {
    /// For each memory, the lanes and the words that they read.
    read: [Vec<(usize, ops::Range<u32>)>; 3],
    /// For each memory, the lanes and the words that they write.
    written: [Vec<(usize, ops::Range<u32>)>; 3],
    /// The values made: memory, first word, kind and range.
    made: Vec<(usize, u32, (Held, Range))>,
}

struct Checker<'e> {
    encoding: &'e Encoding,
    /// The memories of the stage, of the slots, and of the far places of the stage, which a block does not share.
    memories: [Memory; 3],
    /// The first words of the residues of the field that the stage has made.
    fresh: Vec<u32>,
}

impl Encoding {
    fn size(&self, held: Held) -> u32 {
        match held {
            Held::Elem => self.sizes.elem,
            Held::Wide => self.sizes.wide,
            Held::Mask => 1,
            Held::Residue => self.sizes.residue,
        }
    }

    /// Returns true if threads share the words of a number.
    fn is_shared(&self) -> bool {
        self.residues.is_some() || self.modulus.split() > 1
    }

    /// Returns the kind of inputs, outputs and operands of inversions.
    fn residue(&self) -> Held {
        if self.residues.is_some() { Held::Residue } else { Held::Elem }
    }

    /// Checks that the encoding can be executed.
    ///
    /// # Errors
    /// Returns the first fault of the encoding.
    pub fn check(&self) -> Result<(), Fault> {
        let (n, residue) = (self.sizes.residue, self.residue());
        let below = self.constants.iter().all(|c| c < self.modulus.p());
        let mut checker = Checker { encoding: self, memories: [0, self.slots, 0].map(Memory::new), fresh: vec![] };
        let mut filled = 0;
        for slot in &self.inputs {
            let (at, kind) = match slot {
                Slot::Elem(at) => (*at, residue),
                Slot::Mask(at) => (*at, Held::Mask),
                Slot::Constant(k) if (*k as usize) < self.constants.len() => continue,
                Slot::Constant(_) => return Err(Fault::Port),
            };
            if at < filled || u64::from(at) + u64::from(self.size(kind)) > self.slots.into() {
                return Err(Fault::Port);
            }
            filled = at + self.size(kind);
            checker.memories[1].write(at, self.size(kind), (kind, Range::ONE));
        }
        for (stage, part) in self.stages.iter().enumerate() {
            checker.memories[0] = Memory::new(self.places);
            checker.memories[2] = Memory::new(self.far);
            checker.fresh.clear();
            checker.records(stage, &part.records)?;
            for (inversion, Inversion { from, to }) in part.inversions.iter().enumerate() {
                let there = checker.memories[1].read(*from, residue, n).is_some();
                let has_place = u64::from(*to) + u64::from(n) <= self.slots.into() && from.abs_diff(*to) >= n;
                if !there || !has_place {
                    return Err(Fault::Inversion { stage, inversion });
                }
                checker.memories[1].write(*to, n, (residue, Range::ONE));
            }
        }
        let made = |slot: &Slot| match slot {
            Slot::Elem(at) => checker.memories[1].read(*at, residue, n).is_some(),
            Slot::Mask(at) => checker.memories[1].read(*at, Held::Mask, 1).is_some(),
            Slot::Constant(_) => false,
        };
        if below && self.outputs.iter().all(made) { Ok(()) } else { Err(Fault::Port) }
    }
}

impl Encoding {
    /// Returns the memory of an operand or a result, and the place in it.
    fn memory(&self, memory: usize, at: u32) -> (usize, u32) {
        match self.far_place(at).filter(|_| memory == 0 && at & CONSTANT == 0) {
            Some(place) => (2, place),
            None => (memory, at),
        }
    }
}

/// The state of a lane's sum.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Sum {
    range: Range,
    /// Whether the sum may be other than a multiple of R; with residues, whether it is a sum of products.
    low: bool,
    /// Whether the sum has elements.
    elements: bool,
    /// Whether the sum is one element times R and nothing else.
    single: bool,
    /// Whether the sum is one element and nothing else.
    leaves: bool,
}

impl Checker<'_> {
    fn records(&mut self, stage: usize, records: &[Record]) -> Result<(), Fault> {
        let width = self.encoding.width;
        let mut sums = vec![Sum::default(); width];
        let mut bundle = Bundle::default();
        for (step, lanes) in records.chunks(width).enumerate() {
            let barrier = lanes[0].barrier;
            if lanes.len() != width || lanes.iter().any(|record| record.barrier != barrier) {
                return Err(Fault::Steps { stage });
            }
            let at = |lane: usize, what| Fault::Record {
                stage,
                record: step * width + lane,
                opcode: lanes[lane].opcode,
                what,
            };
            for (lane, record) in lanes.iter().enumerate() {
                self.record(record, lane, &mut sums[lane], &mut bundle).map_err(|what| at(lane, what))?;
            }
            if barrier {
                self.end(&mut bundle).map_err(|lane| at(lane, DISTURBED))?;
            }
        }
        let ended = records.last().is_none_or(|record| record.barrier) && sums.iter().all(|s| *s == Sum::default());
        if ended { Ok(()) } else { Err(Fault::Steps { stage }) }
    }

    /// Ends a bundle. Returns the lane that disturbs another lane as an error.
    fn end(&mut self, bundle: &mut Bundle) -> Result<(), usize> {
        for memory in 0..3 {
            let written = &bundle.written[memory];
            for (i, (lane, words)) in written.iter().enumerate() {
                let read = bundle.read[memory].iter().any(|(other, read)| lane != other && meet(words, read));
                if read || written[..i].iter().any(|(_, other)| meet(words, other)) {
                    return Err(*lane);
                }
            }
            bundle.read[memory].clear();
            bundle.written[memory].clear();
        }
        for (memory, at, value) in bundle.made.drain(..) {
            self.fresh.extend((value.0 == Held::Residue).then_some(at));
            self.memories[memory].write(at, self.encoding.size(value.0), value);
        }
        Ok(())
    }

    fn record(&self, record: &Record, lane: usize, sum: &mut Sum, bundle: &mut Bundle) -> Result<(), &'static str> {
        let Record { opcode, c, a, b, terms, .. } = *record;
        let limits: &Limits = &self.encoding.limits;
        if opcode != Opcode::Product && terms != 0 {
            return Err(UNUSED);
        }
        let n = self.encoding.sizes.elem;
        let constants = self.encoding.constants.len() as u64 * u64::from(n);
        let mut operand = |memory: usize, at: u32, kind: Held| {
            if memory == 0 && at & CONSTANT != 0 && kind == Held::Elem {
                let first = at ^ CONSTANT;
                return if first.is_multiple_of(n) && u64::from(first) < constants {
                    Ok(Range::ONE)
                } else {
                    Err(OPERAND)
                };
            }
            let (memory, at) = self.encoding.memory(memory, at);
            if kind == Held::Mask && memory == 2 {
                return Err(OPERAND);
            }
            let words = self.encoding.size(kind);
            let range = self.memories[memory].read(at, kind, words).ok_or(OPERAND)?;
            let words = at..at + words;
            if bundle.written[memory].iter().any(|(other, written)| lane == *other && meet(&words, written))
                || kind == Held::Residue && self.fresh.contains(&at)
            {
                return Err(TOO_EARLY);
            }
            bundle.read[memory].push((lane, words));
            Ok(range)
        };
        let unused = |fields: &[u32]| if fields.iter().all(|field| *field == 0) { Ok(()) } else { Err(UNUSED) };
        let kept = |sum: &mut Sum| {
            let range = std::mem::take(sum).range;
            if limits.is_kept(range) { Ok(range) } else { Err(RANGE) }
        };
        // with residues, sums of elements are integers of another size than sums of products
        let mixed = limits.multiplies && sum.elements && sum.low;
        let (memory, at, value) = match opcode {
            Opcode::Nop => return unused(&[c as u32, a, b]),
            Opcode::Product => {
                let factors = record.factors();
                // there is only one way to write a product
                if Record::product(factors) != Some(Record { barrier: false, ..*record }) {
                    return Err(UNUSED);
                }
                let mut factor = |factor: Factor<u32>| {
                    let first = operand(0, factor.first, Held::Elem)?;
                    let Some((_, second)) = factor.second else { return Ok(first) };
                    // both are in [0, p), and so is the factor, which is reduced
                    match limits.multiplies
                        || first != limits.closed
                        || operand(0, second, Held::Elem)? != limits.closed
                    {
                        true => Err(ARITHMETIC),
                        false => Ok(limits.closed),
                    }
                };
                let [a, b] = [factor(factors[0])?, factor(factors[1])?];
                let range = sum.range.add(1, a.times(b));
                *sum = Sum { range, low: true, single: false, leaves: false, ..*sum };
                return Ok(());
            }
            Opcode::Scale => {
                unused(&[a, b])?;
                *sum = Sum { range: Range::default().add(c, sum.range), single: false, leaves: false, ..*sum };
                return if c == 0 || c == i32::MIN { Err(RANGE) } else { Ok(()) };
            }
            Opcode::Form | Opcode::Element => {
                unused(&[b])?;
                let low = opcode == Opcode::Form;
                let range = sum.range.add(c, operand(0, a, if low { Held::Wide } else { Held::Elem })?);
                let (low, elements) = (sum.low || low, sum.elements || !low);
                *sum = Sum { range, low, elements, single: false, leaves: false };
                return if c == 0 || c == i32::MIN { Err(RANGE) } else { Ok(()) };
            }
            Opcode::Low => {
                unused(&[c as u32, b])?;
                let (range, leaves) = (sum.range.add(1, operand(0, a, Held::Elem)?), *sum == Sum::default());
                *sum = Sum { range, low: true, single: false, leaves, ..*sum };
                return Ok(());
            }
            Opcode::Select => {
                operand(0, c as u32, Held::Mask)?;
                let range = operand(0, a, Held::Elem)?.or(operand(0, b, Held::Elem)?);
                let single = *sum == Sum::default();
                *sum = Sum { range: sum.range.add(1, range), single, elements: true, leaves: false, ..*sum };
                return Ok(());
            }
            Opcode::Wide => {
                unused(&[c as u32, b])?;
                if mixed || limits.multiplies && sum.elements {
                    return Err(RANGE);
                }
                // so that every term of a sum widens its range by at least its coefficient, even if the term is an
                // empty sum
                let range = kept(sum)?;
                (0, a, (Held::Wide, if range == Range::default() { Range::ONE } else { range }))
            }
            Opcode::Close | Opcode::Odd | Opcode::Sum | Opcode::High => {
                unused(&[c as u32, b])?;
                if limits.multiplies && opcode == Opcode::Odd {
                    return Err(ARITHMETIC);
                }
                let before = *sum;
                let range = kept(sum)?;
                // a multiple of R takes no whole reduction
                if mixed
                    || before.low == matches!(opcode, Opcode::Sum | Opcode::High)
                    || !before.single && opcode == Opcode::High
                {
                    return Err(RANGE);
                }
                let range = match opcode {
                    Opcode::High if limits.multiplies => range,
                    Opcode::Sum if limits.multiplies && limits.is_lazy(range) => range,
                    Opcode::Sum if limits.multiplies => return Err(RANGE),
                    // x/A lies in [0, 2p)
                    Opcode::Close if before.leaves && limits.multiplies => Range::ONE.add(1, Range::ONE),
                    _ => limits.closed,
                };
                (0, a, (if opcode == Opcode::Odd { Held::Mask } else { Held::Elem }, range))
            }
            Opcode::Zero => {
                unused(&[c as u32])?;
                operand(0, b, Held::Elem)?;
                if *sum != Sum::default() {
                    return Err(RANGE);
                }
                (0, a, (Held::Mask, Range::ONE))
            }
            Opcode::And => {
                operand(0, b, Held::Mask).and(operand(0, c as u32, Held::Mask))?;
                (0, a, (Held::Mask, Range::ONE))
            }
            Opcode::Not => {
                unused(&[c as u32])?;
                operand(0, b, Held::Mask)?;
                (0, a, (Held::Mask, Range::ONE))
            }
            Opcode::Load | Opcode::Save => {
                let from = usize::from(opcode == Opcode::Load);
                let (memory, place) = self.encoding.memory(from, b);
                let stored = self.memories[memory].values.get(place as usize).copied().flatten();
                let kind = if b & CONSTANT != 0 { Held::Elem } else { stored.ok_or(OPERAND)?.0 };
                if kind == Held::Residue || self.encoding.size(kind) != c as u32 {
                    return Err(OPERAND);
                }
                (1 - from, a, (kind, operand(from, b, kind)?))
            }
            Opcode::Residues | Opcode::Words if !limits.multiplies => return Err(ARITHMETIC),
            Opcode::Residues => {
                unused(&[c as u32])?;
                (0, a, (Held::Elem, operand(1, b, Held::Residue)?))
            }
            Opcode::Words => {
                unused(&[c as u32])?;
                if !operand(0, b, Held::Elem)?.is_from_0_to_2() || b & CONSTANT != 0 {
                    return Err(RANGE);
                }
                (1, a, (Held::Residue, Range::ONE))
            }
        };
        let (memory, at) = self.encoding.memory(memory, at);
        if value.0 == Held::Mask && memory == 2 {
            return Err(OUTSIDE);
        }
        let words = self.encoding.size(value.0);
        let end = at.checked_add(words).ok_or(OUTSIDE)?;
        if end as usize > self.memories[memory].words.len() {
            return Err(OUTSIDE);
        }
        if self.encoding.is_shared() && !self.memories[memory].is_their_place(at..end, |held| self.encoding.size(held))
        {
            return Err(MOVED);
        }
        bundle.written[memory].push((lane, at..end));
        bundle.made.push((memory, at, value));
        Ok(())
    }
}
