//! Entries of tables that secret bits select: an entry e of 2^n is the sum of all entries, each masked by whether its index is e.
//! Constant time: every word of every entry is read, at addresses that depend on lengths alone.

use crate::choice::Choice;

/// The most bits of an index.
pub(super) const ENTRY_BITS: usize = 6;

/// The number of words that are summed up in registers.
const BLOCK: usize = 4;

/// Writes the entry of a table of 2^n residues whose index has these n bits, lowest first. The entries lie `stride` words apart.
///
/// # Panics
/// Panics for more than [`ENTRY_BITS`] bits, and for a table that is too short.
#[inline(never)]
pub(super) fn entry(out: &mut [u64], (table, stride): (&[u64], usize), bits: &[Choice]) {
    // masks[i] is all ones if the bits that have been read are those of i
    let mut masks = [u64::MAX; 1 << ENTRY_BITS];
    for (j, bit) in bits.iter().enumerate() {
        for i in 0..1 << j {
            masks[1 << j | i] = masks[i] & bit.word();
            masks[i] &= (!*bit).word();
        }
    }
    let masks = &masks[..1 << bits.len()];
    let (blocks, rest) = out.as_chunks_mut::<BLOCK>();
    for (i, block) in blocks.iter_mut().enumerate() {
        *block = words(masks, &table[BLOCK * i..], stride);
    }
    let done = BLOCK * blocks.len();
    for (i, word) in rest.iter_mut().enumerate() {
        [*word] = words(masks, &table[done + i..], stride);
    }
}

/// Returns the first K words of the entry whose mask is all ones.
#[inline(always)]
fn words<const K: usize>(masks: &[u64], table: &[u64], stride: usize) -> [u64; K] {
    let mut sum = [0; K];
    for (i, mask) in masks.iter().enumerate() {
        let entry = &table[i * stride..][..K];
        for (sum, word) in sum.iter_mut().zip(entry) {
            *sum |= mask & word;
        }
    }
    sum
}
