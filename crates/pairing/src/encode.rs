//! Encodings: a value is the concatenation of its base-field coefficients, each big-endian in ⌈bits(p)/8⌉ bytes, low
//! coefficient first; a point is x then y. For PBC's types this is PBC's own encoding (`element_to_bytes`), and the
//! compressed point is PBC's too (`element_to_bytes_compressed`): x, then one byte, 1 where y is odd and 0 where it is even.

use num_bigint::BigUint;

/// Why bytes are not a residue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResidueError {
    /// The length is not that of a residue.
    #[error("{given} bytes where {wanted} are needed")]
    Length {
        /// How many were given.
        given: usize,
        /// How many a residue takes.
        wanted: usize,
    },
    /// The number is p or more.
    #[error("not canonical: the number is not below the field's modulus")]
    NotCanonical,
}

/// Whether these are the big-endian bytes of a residue modulo p.
///
/// # Errors
/// If the length is not ⌈bits(p)/8⌉ or the number is not below p. Not constant time: encodings are public.
pub fn check_residue(p: &BigUint, bytes: &[u8]) -> Result<(), ResidueError> {
    let wanted = p.bits().div_ceil(8) as usize;
    if bytes.len() != wanted {
        return Err(ResidueError::Length { given: bytes.len(), wanted });
    }
    // as many words as p has
    let words = bytes.rchunks(8).rev().map(word);
    if words.lt(p.iter_u64_digits().rev()) { Ok(()) } else { Err(ResidueError::NotCanonical) }
}

/// Sets little-endian words to the number of these big-endian bytes; words above it stay as they are.
///
/// # Panics
/// If there are fewer words than the bytes fill.
pub fn residue_words(words: &mut [u64], bytes: &[u8]) {
    for (i, chunk) in bytes.rchunks(8).enumerate() {
        words[i] = word(chunk);
    }
}

/// Sets big-endian bytes to the number of these little-endian words, which must fit them.
pub fn residue_bytes(bytes: &mut [u8], words: &[u64]) {
    for (chunk, word) in bytes.rchunks_mut(8).zip(words) {
        let word = word.to_be_bytes();
        chunk.copy_from_slice(&word[8 - chunk.len()..]);
    }
}

/// The number of up to eight big-endian bytes.
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
