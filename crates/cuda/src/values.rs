//! The values that go to a device and come back: the inputs and outputs of a batch, and constants.

use crate::encoding::Slot;
use std::ops::Range;

/// Returns the range of a pairing's words that contains these slots.
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

/// The values that all pairings share: constants, some of which stand for inputs.
pub struct Constants {
    /// The number of words of a constant.
    elem: usize,
    words: Vec<u32>,
}

impl Constants {
    pub(crate) fn new(elem: usize, words: Vec<u32>) -> Self {
        Constants { elem, words }
    }

    pub(crate) fn words(&self) -> &[u32] {
        &self.words
    }

    /// Sets a constant that stands for an input: [`Encoding::element`](crate::Encoding::element).
    pub fn set(&mut self, number: u32, words: &[u32]) {
        let at = number as usize * self.elem;
        self.words[at..at + self.elem].copy_from_slice(words);
    }
}

/// The inputs or the outputs of a batch in words of the host, laid out as on a device: word j of the slot s of
/// pairing g of G lies at (s + j)·G + g.
pub struct Values<H> {
    /// The first word of a pairing that is held here.
    first: usize,
    words: usize,
    count: usize,
    values: H,
}

impl<H: AsRef<[u32]> + AsMut<[u32]>> Values<H> {
    /// Creates the values of these slots. `host` returns memory of a given number of words, with any content.
    pub(crate) fn new(slots: &[Slot], words: usize, count: usize, host: impl FnOnce(usize) -> H) -> Self {
        let span = span(slots, words);
        Values { first: span.start, words, count, values: host(span.len() * count) }
    }

    /// The offset of the first value among the slots of the batch.
    pub(crate) fn first(&self) -> usize {
        self.first * self.count
    }

    pub(crate) fn into_words(self) -> H {
        self.values
    }

    pub(crate) fn words_mut(&mut self) -> &mut H {
        &mut self.values
    }

    fn at(&self, word: usize, pairing: usize) -> usize {
        (word - self.first) * self.count + pairing
    }

    /// Sets a residue of a pairing, from words of 64 bits.
    pub fn set(&mut self, at: u32, pairing: usize, residue: &[u64]) {
        let (first, count) = (self.at(at as usize, pairing), self.count);
        let values = self.values.as_mut();
        for j in 0..self.words {
            values[first + j * count] = residue.get(j / 2).map_or(0, |word| (word >> (j % 2 * 32)) as u32);
        }
    }

    /// Sets a truth value of a pairing.
    pub fn set_mask(&mut self, at: u32, pairing: usize, value: bool) {
        let place = self.at(at as usize, pairing);
        self.values.as_mut()[place] = if value { u32::MAX } else { 0 };
    }

    /// Reads a residue of a pairing into words of 64 bits.
    pub fn get(&self, at: u32, pairing: usize, residue: &mut [u64]) {
        let (first, values) = (self.at(at as usize, pairing), self.values.as_ref());
        for (i, out) in residue.iter_mut().enumerate() {
            let half = |j: usize| if j < self.words { values[first + j * self.count] } else { 0 };
            *out = u64::from(half(2 * i)) | u64::from(half(2 * i + 1)) << 32;
        }
    }

    /// Returns a truth value of a pairing.
    pub fn get_mask(&self, at: u32, pairing: usize) -> bool {
        self.values.as_ref()[self.at(at as usize, pairing)] != 0
    }
}
