//! Values whose length is known at run time: the first words of a residue, of an unreduced sum, or of scratch on the stack.
#![allow(unsafe_code)]

use crate::term::{Item, Term};
use core::mem::MaybeUninit;

/// The number of words of the longest modulus.
pub(super) const MAX: usize = 65;
/// The number of words of an unreduced sum for the longest modulus.
const MAX_WIDE: usize = 2 * MAX + 1;

/// The unreduced sum 0.
pub(super) const ZERO: &[u64] = &[0; MAX_WIDE];

/// A value that begins with words.
///
/// # Safety
/// At least as many words as `words` returns must stand, initialised, at the start of the value.
pub(super) unsafe trait Value {
    /// The number of words, if it is the same for all values of the type.
    const WORDS: Option<usize>;

    #[inline(always)]
    fn words(&self) -> usize {
        Self::WORDS.unwrap_or(0)
    }
}

/// The words of a value that is about to be computed.
#[repr(C)]
pub(super) struct Scratch {
    words: MaybeUninit<[u64; MAX_WIDE]>,
    /// The number of words that are not written. (A count of the written words would start at 0, and the compiler
    /// would clear the whole value.)
    blank: usize,
}

// SAFETY: `written` and `push` count the words
unsafe impl Value for Scratch {
    const WORDS: Option<usize> = None;

    #[inline(always)]
    fn words(&self) -> usize {
        MAX_WIDE - self.blank
    }
}

impl Scratch {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Scratch { words: MaybeUninit::uninit(), blank: MAX_WIDE }
    }

    /// Sets `words` words to 0, and returns them.
    #[inline(always)]
    pub(super) fn zeros(mut self: &mut Self, words: usize) -> &mut [u64] {
        let to = self.places(words);
        // SAFETY: as many words are written
        unsafe {
            to.write_bytes(0, words);
            self.written(words)
        }
    }

    /// Copies words into scratch, and returns the copy.
    #[inline(always)]
    pub(super) fn copy(mut self: &mut Self, words: &[u64]) -> &mut [u64] {
        let to = self.places(words.len());
        // SAFETY: as many words are written
        unsafe {
            to.copy_from_nonoverlapping(words.as_ptr(), words.len());
            self.written(words.len())
        }
    }

    /// Appends a word.
    #[inline(always)]
    pub(super) fn push(&mut self, word: u64) {
        assert!(self.blank > 0);
        // SAFETY: the word lies below the end
        unsafe { self.words.as_mut_ptr().cast::<u64>().add(Value::words(self)).write(word) };
        self.blank -= 1;
    }

    /// The words that were written.
    #[inline(always)]
    pub(super) fn words_mut(&mut self) -> &mut [u64] {
        // SAFETY: as many words were written
        unsafe { core::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast(), Value::words(self)) }
    }

    /// The words that were written.
    #[inline(always)]
    pub(super) fn words(&self) -> &[u64] {
        // SAFETY: as many words were written
        unsafe { core::slice::from_raw_parts(self.words.as_ptr().cast(), Value::words(self)) }
    }
}

/// A place for the words of a result: a slice of this length, or scratch.
///
/// # Safety
/// The address that `places` returns must be valid for writes of as many words.
pub(super) unsafe trait Place<'t>: Sized {
    /// Returns the address at which `words` words are to be written. (A function that took the writer as an argument
    /// would call kernels from one call site with many targets, which are predicted badly.)
    fn places(&mut self, words: usize) -> *mut u64;

    /// Marks `words` words as written, and returns them.
    ///
    /// # Safety
    /// All of these words must have been written at the address that `places` returns for as many.
    unsafe fn written(self, words: usize) -> &'t mut [u64];

    /// Returns `words` words, whose values are to be replaced.
    fn ready(self, words: usize) -> &'t mut [u64];
}

// SAFETY: the slice has the words
unsafe impl<'t> Place<'t> for &'t mut [u64] {
    #[inline(always)]
    fn places(&mut self, words: usize) -> *mut u64 {
        assert_eq!(self.len(), words);
        self.as_mut_ptr()
    }

    #[inline(always)]
    unsafe fn written(self, _: usize) -> &'t mut [u64] {
        self
    }

    #[inline(always)]
    fn ready(self, _: usize) -> &'t mut [u64] {
        self
    }
}

// SAFETY: scratch has at least as many places as `places` accepts
unsafe impl<'t> Place<'t> for &'t mut Scratch {
    #[inline(always)]
    fn places(&mut self, words: usize) -> *mut u64 {
        assert!(words <= MAX_WIDE);
        self.words.as_mut_ptr().cast()
    }

    #[inline(always)]
    unsafe fn written(self, words: usize) -> &'t mut [u64] {
        self.blank = MAX_WIDE - words;
        // SAFETY: the caller's promise
        unsafe { core::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast(), words) }
    }

    #[inline(always)]
    fn ready(self, words: usize) -> &'t mut [u64] {
        self.zeros(words)
    }
}

/// The terms of a linear form, whose values all have the same number of words.
#[derive(Clone, Copy)]
pub(super) struct Terms<'t> {
    items: &'t [Item],
    words: usize,
}

impl<'t> Terms<'t> {
    /// Creates the terms c·x from the first `words` words of values.
    #[inline(always)]
    pub(super) fn new<T: Value>(terms: &'t [Term<'t, T>], words: usize) -> Self {
        match T::WORDS {
            Some(all) => assert!(all >= words),
            None => assert!(terms.iter().all(|term| term.value.words() >= words)),
        }
        // SAFETY: a term has the layout of an item, and its value begins with words
        let items = unsafe { core::slice::from_raw_parts(terms.as_ptr().cast(), terms.len()) };
        Terms { items, words }
    }

    /// Creates the terms from a list at an address.
    ///
    /// # Safety
    /// `len` items must stand at `first`, each with the address of `words` words.
    #[inline(always)]
    pub(super) unsafe fn at(first: *const Item, len: usize, words: usize) -> Self {
        // SAFETY: the caller's promise
        Terms { items: unsafe { core::slice::from_raw_parts(first, len) }, words }
    }

    /// The number of terms.
    #[inline(always)]
    pub(super) fn len(self) -> usize {
        self.items.len()
    }

    /// Returns true if there are no terms.
    #[inline(always)]
    pub(super) fn is_empty(self) -> bool {
        self.items.is_empty()
    }

    /// Returns term i, which must exist, as c and x.
    #[inline(always)]
    fn term(self, i: usize) -> (i32, &'t [u64]) {
        let Item { coeff, value } = self.items[i];
        // SAFETY: a value of the list that `new` was given, or that `at` was promised, of at least `words` words
        (coeff, unsafe { core::slice::from_raw_parts(value.cast(), self.words) })
    }

    /// Returns each term as c and x.
    #[inline(always)]
    pub(super) fn iter(self) -> impl Iterator<Item = (i32, &'t [u64])> {
        (0..self.items.len()).map(move |i| self.term(i))
    }

    /// Returns all terms, if there are exactly K.
    #[inline(always)]
    pub(super) fn as_array<const K: usize>(self) -> Option<[(i32, &'t [u64]); K]> {
        if self.items.len() != K {
            return None;
        }
        let mut all: [(i32, &[u64]); K] = [(0, &[]); K];
        for (i, term) in all.iter_mut().enumerate() {
            *term = self.term(i);
        }
        Some(all)
    }

    /// The number of words of each value.
    #[inline(always)]
    pub(super) fn words(self) -> usize {
        self.words
    }

    /// The addresses at which the list begins and ends.
    #[inline(always)]
    pub(super) fn range(self) -> core::ops::Range<*const Item> {
        self.items.as_ptr_range()
    }
}
