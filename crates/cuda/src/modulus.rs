//! A modulus for the kernels: Montgomery's form in words of 32 bits, R = 2^(32N), and the constants of a reduction.
//!
//! A value x in [0, (2^13 + 1)p) is reduced by an estimate of its quotient: with b = bits(p), h = ⌊x/2^(b − 17)⌋ and
//! μ = ⌊2^(b + 15)/p⌋ the number ⌊hμ/2^32⌋ is ⌊x/p⌋ or one less. The reason is that h exceeds x/2^(b − 17) − 1 and
//! μ exceeds 2^(b + 15)/p − 1, so that hμ/2^32 falls short of x/p by less than 2^(-16) + h/2^32 < 1.

use num_bigint::BigUint;

/// The numbers of words of 32 bits for which there are kernels. A modulus takes the first number that suffices.
pub const WORDS: [usize; 6] = [8, 12, 16, 24, 33, 68];
/// The number of threads that split the words of the longest numbers.
const SPLIT: usize = 4;

/// Returns the number of threads that split a number of this many words: 1 if a thread has whole numbers.
pub(crate) fn split(words: usize) -> usize {
    if words == WORDS[WORDS.len() - 1] { SPLIT } else { 1 }
}

/// A reason why there is no kernel for a modulus.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModulusError {
    /// The modulus is even.
    #[error("an even modulus has no Montgomery form")]
    Even,
    /// The modulus is too short for the estimate of quotients, or too long for the kernels' words.
    #[error("a modulus of {bits} bits; kernels take 17 to {} bits", 32 * WORDS[WORDS.len() - 1])]
    Length {
        /// The length of the modulus.
        bits: u64,
    },
}

/// A modulus p and its constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Modulus {
    p: BigUint,
    words: usize,
    r_inverse: BigUint,
}

impl Modulus {
    /// Creates the modulus p with its constants.
    ///
    /// # Errors
    /// Returns an error if p is even, shorter than 17 bits or longer than the kernels' words.
    pub fn new(p: &BigUint) -> Result<Self, ModulusError> {
        let length = ModulusError::Length { bits: p.bits() };
        let words = *WORDS.iter().find(|n| p.bits() <= 32 * **n as u64).ok_or(length.clone())?;
        if p.bits() < 17 {
            return Err(length);
        }
        let r: BigUint = BigUint::from(1u32) << (32 * words);
        let r_inverse = r.modinv(p).filter(|_| p.bit(0)).ok_or(ModulusError::Even)?;
        Ok(Modulus { p: p.clone(), words, r_inverse })
    }

    /// The modulus p.
    pub fn p(&self) -> &BigUint {
        &self.p
    }

    /// The number N of words of an element.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The number of threads that split the words of an element: 1 if a thread has all of them.
    pub fn split(&self) -> usize {
        split(self.words)
    }

    /// Returns x·R mod p.
    pub fn to_montgomery(&self, x: &BigUint) -> BigUint {
        (x << (32 * self.words)) % &self.p
    }

    /// Returns x/R mod p.
    pub fn from_montgomery(&self, x: &BigUint) -> BigUint {
        x * &self.r_inverse % &self.p
    }

    /// Returns a residue below p as N words, the lowest first.
    pub fn to_words(&self, x: &BigUint) -> Vec<u32> {
        padded(x, self.words)
    }

    /// Returns the constants that the kernels take (`Modulus<N>` in `kernels/modulus.cuh`): p in N words, 2^12·p in
    /// N + 1, R mod p in N, p − 2 in N; then −1/p mod 2^32, μ, and b − 17 as words and bits.
    pub fn constants(&self) -> Vec<u32> {
        let bits = self.p.bits();
        let one = BigUint::from(1u32);
        let two_32 = &one << 32u32;
        let inverse = self.p.modinv(&two_32).map_or(BigUint::ZERO, |inverse| two_32 - inverse);
        let mu: BigUint = (one << (bits + 15)) / &self.p;
        let small = [inverse, mu, BigUint::from((bits - 17) / 32), BigUint::from((bits - 17) % 32)];
        let mut all = self.to_words(&self.p);
        all.extend(padded(&(&self.p << crate::form::WEIGHT_BITS), self.words + 1));
        all.extend(self.to_words(&self.to_montgomery(&BigUint::from(1u32))));
        all.extend(self.to_words(&(&self.p - 2u32)));
        all.extend(small.iter().flat_map(|x| padded(x, 1)));
        all
    }
}

/// Returns the words of a number, padded with 0.
pub(crate) fn padded(x: &BigUint, words: usize) -> Vec<u32> {
    let mut all = x.to_u32_digits();
    all.resize(words, 0);
    all
}
