//! Values whose length is known at run time: the first words of a residue, of an unreduced sum, or of scratch on the stack.
#![allow(unsafe_code)]

use crate::term::Term;
use core::mem::MaybeUninit;

/// Words of the longest modulus.
pub(super) const MOST: usize = 65;
/// Words of an unreduced sum modulo the longest one.
const MOST_WIDE: usize = 2 * MOST + 1;

/// The unreduced sum 0.
pub(super) const ZERO: &[u64] = &[0; MOST_WIDE];

/// What begins with words.
///
/// # Safety
/// At least as many words as it says, initialised, stand at its start.
pub(super) unsafe trait Value {
    /// How many, if all values have as many.
    const WORDS: Option<usize>;

    #[inline(always)]
    fn words(&self) -> usize {
        Self::WORDS.unwrap_or(0)
    }
}

/// The words of a value that is about to be computed.
#[repr(C)]
pub(super) struct Scratch {
    words: MaybeUninit<[u64; MOST_WIDE]>,
    /// How many of its words are not written. (A count of those that are would begin as 0, and the compiler would clear all of it.)
    blank: usize,
}

// SAFETY: `written` and `push` count the words
unsafe impl Value for Scratch {
    const WORDS: Option<usize> = None;

    #[inline(always)]
    fn words(&self) -> usize {
        MOST_WIDE - self.blank
    }
}

impl Scratch {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Scratch { words: MaybeUninit::uninit(), blank: MOST_WIDE }
    }

    /// Where so many words are to be written. (A function that took what writes them would call kernels from one place with many targets,
    /// which are predicted badly.)
    #[inline(always)]
    pub(super) fn places(&mut self, words: usize) -> *mut u64 {
        assert!(words <= MOST_WIDE);
        self.words.as_mut_ptr().cast()
    }

    /// So many words, which were written.
    ///
    /// # Safety
    /// All of them were written to the places for as many.
    #[inline(always)]
    pub(super) unsafe fn written(&mut self, words: usize) -> &mut [u64] {
        self.blank = MOST_WIDE - words;
        // SAFETY: the caller's promise
        unsafe { core::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast(), words) }
    }

    /// So many words 0.
    #[inline(always)]
    pub(super) fn zeros(&mut self, words: usize) -> &mut [u64] {
        let to = self.places(words);
        // SAFETY: as many words are written
        unsafe {
            to.write_bytes(0, words);
            self.written(words)
        }
    }

    /// A copy of words.
    #[inline(always)]
    pub(super) fn copy(&mut self, words: &[u64]) -> &mut [u64] {
        let to = self.places(words.len());
        // SAFETY: as many words are written
        unsafe {
            to.copy_from_nonoverlapping(words.as_ptr(), words.len());
            self.written(words.len())
        }
    }

    /// One more word.
    #[inline(always)]
    pub(super) fn push(&mut self, word: u64) {
        assert!(self.blank > 0);
        // SAFETY: below the end
        unsafe { self.words.as_mut_ptr().cast::<u64>().add(Value::words(self)).write(word) };
        self.blank -= 1;
    }

    /// The words that were written.
    #[inline(always)]
    pub(super) fn words_mut(&mut self) -> &mut [u64] {
        // SAFETY: so many were written
        unsafe { core::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast(), Value::words(self)) }
    }

    /// The words that were written.
    #[inline(always)]
    pub(super) fn words(&self) -> &[u64] {
        // SAFETY: so many were written
        unsafe { core::slice::from_raw_parts(self.words.as_ptr().cast(), Value::words(self)) }
    }
}

/// A term c·x as kernels read it: the layout of [`Term`].
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Item {
    coeff: i32,
    words: *const u64,
}

impl Item {
    /// Where the words of x stand.
    #[inline(always)]
    pub(super) fn address(&self) -> *const () {
        self.words.cast()
    }
}

/// The terms of a linear form, all of as many words.
#[derive(Clone, Copy)]
pub(super) struct Terms<'t> {
    items: &'t [Item],
    words: usize,
}

impl<'t> Terms<'t> {
    /// The terms c·x of the first words of values.
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

    /// A list at an address.
    ///
    /// # Safety
    /// So many items stand there, each with the address of so many words.
    #[inline(always)]
    pub(super) unsafe fn at(first: *const Item, len: usize, words: usize) -> Self {
        // SAFETY: the caller's promise
        Terms { items: unsafe { core::slice::from_raw_parts(first, len) }, words }
    }

    /// How many there are.
    #[inline(always)]
    pub(super) fn len(self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    #[inline(always)]
    pub(super) fn is_empty(self) -> bool {
        self.items.is_empty()
    }

    /// Term i, which there must be, as c and x.
    #[inline(always)]
    fn term(self, i: usize) -> (i32, &'t [u64]) {
        let Item { coeff, words } = self.items[i];
        // SAFETY: a value of the list that `new` was given, or that `at` was promised, of at least so many words
        (coeff, unsafe { core::slice::from_raw_parts(words, self.words) })
    }

    /// Each as c and x.
    #[inline(always)]
    pub(super) fn iter(self) -> impl Iterator<Item = (i32, &'t [u64])> {
        (0..self.items.len()).map(move |i| self.term(i))
    }

    /// All of them, if there are K.
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

    /// Words of each value.
    #[inline(always)]
    pub(super) fn words(self) -> usize {
        self.words
    }

    /// Where they begin and end.
    #[inline(always)]
    pub(super) fn range(self) -> core::ops::Range<*const Item> {
        self.items.as_ptr_range()
    }
}
