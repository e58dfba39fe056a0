//! Encodings. A value is the concatenation of its base-field coefficients, low coefficient first, each big-endian in
//! ⌈bits(p)/8⌉ bytes. A point is x followed by y. For PBC's types this is PBC's own encoding (`element_to_bytes`).
//! The compressed point is PBC's too (`element_to_bytes_compressed`): x, then one byte, which is 1 if y is odd and 0
//! if it is even.

use num_bigint::BigUint;

/// The reason why bytes do not encode a residue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResidueError {
    /// The number of bytes is not that of a residue.
    #[error("{wanted} bytes are needed, not {given}")]
    Length {
        /// The number of bytes given.
        given: usize,
        /// The number of bytes that a residue takes.
        wanted: usize,
    },
    /// The encoded number is p or more.
    #[error("not canonical: the number is not below the field's modulus")]
    NotCanonical,
}

/// Checks that `bytes` are the big-endian encoding of a residue modulo p. Not constant time: encodings are public.
///
/// # Errors
/// Returns an error if the length is not ⌈bits(p)/8⌉ or the number is not below p.
pub fn check_residue(p: &BigUint, bytes: &[u8]) -> Result<(), ResidueError> {
    let wanted = p.bits().div_ceil(8) as usize;
    if bytes.len() != wanted {
        return Err(ResidueError::Length { given: bytes.len(), wanted });
    }
    // the bytes fill as many words as p has
    let words = bytes.rchunks(8).rev().map(word);
    if words.lt(p.iter_u64_digits().rev()) { Ok(()) } else { Err(ResidueError::NotCanonical) }
}

/// Writes the number that big-endian bytes encode into little-endian words. Words above the number are left
/// unchanged.
///
/// # Panics
/// Panics if there are fewer words than the bytes fill.
pub fn residue_words(words: &mut [u64], bytes: &[u8]) {
    for (i, chunk) in bytes.rchunks(8).enumerate() {
        words[i] = word(chunk);
    }
}

/// Writes the number in little-endian words as big-endian bytes. The number must fit the bytes.
pub fn residue_bytes(bytes: &mut [u8], words: &[u64]) {
    for (chunk, word) in bytes.rchunks_mut(8).zip(words) {
        let word = word.to_be_bytes();
        chunk.copy_from_slice(&word[8 - chunk.len()..]);
    }
}

/// Reads up to eight big-endian bytes as a number.
fn word(bytes: &[u8]) -> u64 {
    match <[u8; 8]>::try_from(bytes) {
        Ok(bytes) => u64::from_be_bytes(bytes),
        Err(_) => bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residues_round_trip_and_bad_ones_are_refused() {
        let p = (BigUint::from(1u32) << 68u32) - 5u32;
        for x in [BigUint::ZERO, BigUint::from(1u32), BigUint::from(0x0123_4567_89ab_cdefu64), &p - 1u32] {
            let (mut bytes, mut words) = ([0; 9], [0; 2]);
            words.iter_mut().zip(x.iter_u64_digits()).for_each(|(word, digit)| *word = digit);
            residue_bytes(&mut bytes, &words);
            assert_eq!(BigUint::from_bytes_be(&bytes), x);
            assert_eq!(check_residue(&p, &bytes), Ok(()));
            let mut back = [0; 2];
            residue_words(&mut back, &bytes);
            assert_eq!(back, words);
        }
        assert_eq!(check_residue(&p, &[0; 8]), Err(ResidueError::Length { given: 8, wanted: 9 }));
        assert_eq!(check_residue(&p, &[0; 10]), Err(ResidueError::Length { given: 10, wanted: 9 }));
        assert_eq!(check_residue(&p, &p.to_bytes_be()), Err(ResidueError::NotCanonical));
        assert_eq!(check_residue(&p, &[0xff; 9]), Err(ResidueError::NotCanonical));
    }
}
