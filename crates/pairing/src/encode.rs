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

/// The little-endian words of a residue modulo p from its big-endian bytes.
///
/// # Errors
/// If the length is not ⌈bits(p)/8⌉ or the number is not below p. Not constant time: encodings are public.
pub fn residue_from_bytes(p: &BigUint, bytes: &[u8]) -> Result<Vec<u64>, ResidueError> {
    let wanted = p.bits().div_ceil(8) as usize;
    if bytes.len() != wanted {
        return Err(ResidueError::Length { given: bytes.len(), wanted });
    }
    let words: Vec<u64> =
        bytes.rchunks(8).map(|chunk| chunk.iter().fold(0, |word, byte| word << 8 | u64::from(*byte))).collect();
    let canonical = words.iter().rev().copied().lt(p.iter_u64_digits().rev());
    if canonical { Ok(words) } else { Err(ResidueError::NotCanonical) }
}

/// Appends the last `len` big-endian bytes of little-endian words.
pub fn residue_to_bytes(out: &mut Vec<u8>, words: &[u64], len: usize) {
    let byte = |i: usize| words.get(i / 8).map_or(0, |word| (word >> (8 * (i % 8))) as u8);
    out.extend((0..len).rev().map(byte));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residues_round_trip_and_bad_ones_are_refused() {
        let p = (BigUint::from(1u32) << 68u32) - 5u32;
        for x in [BigUint::ZERO, BigUint::from(1u32), BigUint::from(0x0123_4567_89ab_cdefu64), &p - 1u32] {
            let mut bytes = vec![];
            residue_to_bytes(&mut bytes, &x.to_u64_digits(), 9);
            let padded = [vec![0; 9 - x.to_bytes_be().len()], x.to_bytes_be()].concat();
            assert_eq!(bytes, padded);
            let words = residue_from_bytes(&p, &bytes);
            assert_eq!(
                words.map(|w| BigUint::from_slice(
                    &w.iter().flat_map(|w| [*w as u32, (*w >> 32) as u32]).collect::<Vec<_>>()
                )),
                Ok(x)
            );
        }
        assert_eq!(residue_from_bytes(&p, &[0; 8]), Err(ResidueError::Length { given: 8, wanted: 9 }));
        assert_eq!(residue_from_bytes(&p, &[0; 10]), Err(ResidueError::Length { given: 10, wanted: 9 }));
        assert_eq!(residue_from_bytes(&p, &p.to_bytes_be()), Err(ResidueError::NotCanonical));
        assert_eq!(residue_from_bytes(&p, &[0xff; 9]), Err(ResidueError::NotCanonical));
    }
}
