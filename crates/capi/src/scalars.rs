//! Residues modulo the order r of the groups, as big-endian bytes of one length.

use crate::fault::Fault;
use bilinear_engine::{BigUint, System};
use zeroize::Zeroizing;

/// Bytes of a residue: those of the order.
pub(crate) fn scalar_len(system: &System) -> usize {
    system.order().bits().div_ceil(8) as usize
}

/// Big-endian, in so many bytes.
pub(crate) fn padded(value: &BigUint, len: usize) -> Vec<u8> {
    let bytes = value.to_bytes_be();
    let mut padded = vec![0; len.saturating_sub(bytes.len())];
    padded.extend(bytes);
    padded
}

/// A uniform residue: bits of the operating system, as many as r has, drawn again until they are below r, twice at most on average.
pub(crate) fn random(system: &System) -> Result<Zeroizing<Vec<u8>>, Fault> {
    let order = padded(system.order(), scalar_len(system));
    let spare = (8 - system.order().bits() % 8) % 8;
    let mut drawn = Zeroizing::new(vec![0; order.len()]);
    loop {
        getrandom::fill(&mut drawn)?;
        drawn.iter_mut().take(1).for_each(|top| *top &= 0xff >> spare);
        if is_below(&drawn, &order) {
            return Ok(drawn);
        }
    }
}

/// Whether x < y, of one length: the borrow of x − y.
fn is_below(x: &[u8], y: &[u8]) -> bool {
    let digits = x.iter().zip(y).rev();
    digits.fold(0u16, |borrow, (x, y)| u16::from(*x).wrapping_sub(u16::from(*y)).wrapping_sub(borrow) >> 15) == 1
}
