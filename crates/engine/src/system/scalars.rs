//! Residues modulo the order r of the groups, as big-endian bytes of one length, and values drawn from the operating
//! system's randomness.

use super::System;
use crate::backend::Group;
use crate::point::Gt;
use num_bigint::BigUint;
use zeroize::Zeroizing;

impl System {
    /// The number of bytes of a residue modulo the order: as many as the order has.
    pub fn scalar_len(&self) -> usize {
        self.order().bits().div_ceil(8) as usize
    }

    /// Returns the residue of x modulo the order, big-endian, in [`System::scalar_len`] bytes. Variable time in x.
    pub fn scalar_bytes(&self, x: &BigUint) -> Vec<u8> {
        let (bytes, len) = ((x % self.order()).to_bytes_be(), self.scalar_len());
        let mut padded = vec![0; len.saturating_sub(bytes.len())];
        padded.extend(bytes);
        padded
    }

    /// Draws a uniform residue modulo the order, big-endian, in [`System::scalar_len`] bytes. Draws as many bits as
    /// the order has from the operating system's randomness, and repeats until the value is below the order: at most
    /// twice on average.
    ///
    /// # Errors
    /// Returns an error if the operating system provides no randomness.
    pub fn random_scalar(&self) -> Result<Zeroizing<Vec<u8>>, getrandom::Error> {
        let order = self.order().to_bytes_be();
        let spare = 8 * order.len() as u64 - self.order().bits();
        let mut drawn = Zeroizing::new(vec![0; order.len()]);
        loop {
            getrandom::fill(&mut drawn)?;
            drawn[0] &= 0xff >> spare;
            if is_below(&drawn, &order) {
                return Ok(drawn);
            }
        }
    }

    /// Computes e(P, Q) of uniform points P and Q other than O, from the operating system's randomness. If the order
    /// is prime, the value is uniform among the elements of the target group other than 1.
    ///
    /// # Errors
    /// Returns an error if the operating system provides no randomness.
    pub fn random_gt(&self) -> Result<Gt, getrandom::Error> {
        Ok(self.pair(&self.random(Group::G1)?, &self.random(Group::G2)?))
    }
}

/// Returns true if x < y, both of the same length: the borrow of x − y.
fn is_below(x: &[u8], y: &[u8]) -> bool {
    let digits = x.iter().zip(y).rev();
    digits.fold(0u16, |borrow, (x, y)| u16::from(*x).wrapping_sub(u16::from(*y)).wrapping_sub(borrow) >> 15) == 1
}
