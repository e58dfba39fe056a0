//! Which registers hold what, and how the modulus is laid out: N words of p, of 2^(64N) − p, then what is named here.

/// The words of an accumulator, the lowest first. rdx is the multiplier of MULX, rax and rbp take its results.
pub(crate) const WORDS: [&str; 9] = ["r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rbx"];

/// All general registers but those that point to terms, the one that walks through them, and the stack's.
pub(crate) const ALL: [&str; 13] =
    ["r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rbx", "rbp", "rdx", "rcx", "rdi"];

/// What is added to the word above the low half of a form, so that it is not negative. The bias is less by as much.
pub(crate) const GUARD: u64 = 1 << 40;

/// The modulus of N words.
#[derive(Clone, Copy)]
pub(crate) struct Layout(pub(crate) usize);

impl Layout {
    /// p.
    pub(crate) const P: usize = 0;

    /// 2^(64N) − p.
    pub(crate) fn complement(self) -> usize {
        self.0
    }

    /// ⌊2^(63 + bits(p))/p⌋.
    pub(crate) fn reciprocal(self) -> usize {
        2 * self.0
    }

    /// Where the window of a quotient begins, as a bit.
    pub(crate) fn begin(self) -> usize {
        2 * self.0 + 1
    }

    /// −1/p modulo 2^64.
    pub(crate) fn ninv(self) -> usize {
        2 * self.0 + 2
    }

    /// 2^12·p: N + 1 words.
    pub(crate) fn bias(self) -> usize {
        2 * self.0 + 3
    }

    /// 2^12·p − GUARD: N + 1 words.
    pub(crate) fn guarded(self) -> usize {
        3 * self.0 + 4
    }

    /// 2p modulo 2^(64N): N words.
    pub(crate) fn twice(self) -> usize {
        4 * self.0 + 5
    }

    /// (k·p + 1)/2^64 for the k that makes it an integer, or 0 where that is too large: N words, of which the first is not 0 else.
    pub(crate) fn friendly(self) -> usize {
        5 * self.0 + 5
    }

    /// p·(p_(N − 1) + 1) for the highest word of p: N + 1 words.
    pub(crate) fn square_bias(self) -> usize {
        8 * self.0 + 5
    }

    /// N + 1 words of an accumulator.
    pub(crate) fn words(self) -> &'static [&'static str] {
        &WORDS[..=self.0]
    }

    /// The same after the rows of a reduction, each of which clears a word that becomes the highest.
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
