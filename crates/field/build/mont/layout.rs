//! The use of the registers, and the layout of the modulus: N words of p, N words of 2^(64N) − p, then the values
//! named here.

/// The words of an accumulator, the lowest first. rdx is the multiplier of MULX, rax and rbp take its results.
pub(crate) const WORDS: [&str; 9] = ["r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rbx"];

/// All general registers but the one that points to a term (rax), the one that walks through the list (rsi), and the
/// stack pointer.
pub(crate) const ALL: [&str; 13] =
    ["r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rbx", "rbp", "rdx", "rcx", "rdi"];

/// The value that is added to the word above the low half of a form, so that the word is not negative. The bias is
/// smaller by the same amount.
pub(crate) const GUARD: u64 = 1 << 40;

/// The layout of a modulus of N words. Offsets are in words.
#[derive(Clone, Copy)]
pub(crate) struct Layout(pub(crate) usize);

impl Layout {
    /// The offset of p.
    pub(crate) const P: usize = 0;

    /// The offset of 2^(64N) − p.
    pub(crate) fn complement(self) -> usize {
        self.0
    }

    /// The offset of ⌊2^(63 + bits(p))/p⌋.
    pub(crate) fn reciprocal(self) -> usize {
        2 * self.0
    }

    /// The offset of the number of the bit at which the window of a quotient begins.
    pub(crate) fn begin(self) -> usize {
        2 * self.0 + 1
    }

    /// The offset of −1/p modulo 2^64.
    pub(crate) fn ninv(self) -> usize {
        2 * self.0 + 2
    }

    /// The offset of 2^12·p: N + 1 words.
    pub(crate) fn bias(self) -> usize {
        2 * self.0 + 3
    }

    /// The offset of 2^12·p − GUARD: N + 1 words.
    pub(crate) fn guarded(self) -> usize {
        3 * self.0 + 4
    }

    /// The offset of 2p modulo 2^(64N): N words.
    pub(crate) fn twice(self) -> usize {
        4 * self.0 + 5
    }

    /// The offset of (k·p + 1)/2^64 for the k that makes it an integer, or of 0 where that is too large: N words. The
    /// first word is 0 only in the latter case.
    pub(crate) fn friendly(self) -> usize {
        5 * self.0 + 5
    }

    /// The offset of p·(p_(N − 1) + 1) for the highest word p_(N − 1) of p: N + 1 words.
    pub(crate) fn square_bias(self) -> usize {
        8 * self.0 + 5
    }

    /// The registers of an accumulator of N + 1 words.
    pub(crate) fn words(self) -> &'static [&'static str] {
        &WORDS[..=self.0]
    }

    /// The registers of an accumulator after the rows of a reduction, each of which clears a word that becomes the
    /// highest.
    pub(crate) fn rotated(self) -> Vec<&'static str> {
        let mut words = self.words().to_vec();
        words.rotate_left(self.0);
        words
    }

    /// The registers that kernels of N words use.
    pub(crate) fn used(self) -> Vec<&'static str> {
        [self.words(), &["rbp"]].concat()
    }
}
