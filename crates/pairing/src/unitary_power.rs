//! Powers of unitary elements, whose inverses are their conjugates. Shared by the towers over F_2^m and F_3^m.
//!
//! A public exponent of b bits takes b squarings and about b/6 products, in signed windows of five bits. A secret
//! exponent takes as many squarings and b/5 products in radix 32, with Booth's digits (`booth.rs`).

use crate::booth::{BoothDigit, ENTRIES};
use crate::constant_time::entry;
use crate::digits::{odd_powers, wnaf};
use num_bigint::BigUint;

/// A tower with the operations on its unitary elements.
pub trait Unitary {
    /// An element of the tower.
    type Elem: Clone;
    /// A mask of truth values.
    type Mask: Copy;

    /// Returns 1.
    fn one(&self) -> Self::Elem;
    /// Returns a·b.
    fn mul(&self, a: &Self::Elem, b: &Self::Elem) -> Self::Elem;
    /// Returns a^(2^n).
    fn sqr_times(&self, a: &Self::Elem, n: usize) -> Self::Elem;
    /// Returns the conjugate of a, which is 1/a.
    fn conjugate(&self, a: &Self::Elem) -> Self::Elem;
    /// Selects `a` where the mask is set, else `b`.
    fn select(&self, mask: Self::Mask, a: &Self::Elem, b: &Self::Elem) -> Self::Elem;
    /// Returns the mask of a = b.
    fn equal(&self, a: &Self::Elem, b: &Self::Elem) -> Self::Mask;

    /// Returns a^e for a public e.
    fn power(&self, a: &Self::Elem, e: &BigUint) -> Self::Elem {
        let odd = odd_powers(a, 8, &|a| self.sqr_times(a, 1), &|x, y| self.mul(x, y));
        wnaf(e, 5).iter().fold(self.one(), |power, digit| {
            let power = self.sqr_times(&power, 1);
            let factor = || &odd[usize::from(digit.unsigned_abs()) / 2];
            match digit {
                0 => power,
                1.. => self.mul(&power, factor()),
                _ => self.mul(&power, &self.conjugate(factor())),
            }
        })
    }

    /// Returns a^e for a secret e given by its digits in radix 32, lowest first. Every entry of the table is read:
    /// constant time except for the number of digits.
    fn power_secret(&self, a: &Self::Elem, digits: &[BoothDigit<Self::Mask>]) -> Self::Elem {
        let mut table = vec![a.clone()];
        for i in 1..ENTRIES {
            table.push(self.mul(&table[i - 1], a));
        }
        let select = |mask: Self::Mask, x: &Self::Elem, y: &Self::Elem| self.select(mask, x, y);
        digits.iter().rev().fold(self.one(), |power, digit| {
            let power = self.sqr_times(&power, 5);
            let factor = entry(&table, &digit.place, &select);
            let signed = self.select(digit.negative, &self.conjugate(&factor), &factor);
            self.select(digit.zero, &power, &self.mul(&power, &signed))
        })
    }
}
