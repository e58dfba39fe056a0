//! Inverses: one inversion modulo p for all eight lanes (P. L. Montgomery, "Speeding the Pollard and elliptic curve
//! methods of factorization", Math. Comp. 48 (1987)), with two products each time the number of combined lanes
//! doubles.

use super::Ifma;
use super::integers;
use super::modulus::{LIMB, broadcast};
use super::places::{Residues, Vector};
use crate::contract::Field;
use crate::words::split;

impl<const C: usize> Ifma<C> {
    /// Computes 1/a in each lane, and 0 for 0.
    pub(super) fn inverse(&self, out: &mut Residues<C>, a: &Residues<C>) {
        let zero = self.is_zero(a);
        let mut x = Residues::default();
        self.select(&mut x, zero, &self.0.one, a);
        // in each lane, `products[k]` is the product of the 2^k lanes around it; `others` ends as that of all lanes
        // but its own
        let mut products = [x; 4];
        let mut others = self.0.one;
        for k in 0..3 {
            let neighbour = self.swapped(&products[k], 1 << k);
            let (mut product, mut rest) = (Residues::default(), Residues::default());
            self.mul(&mut product, &products[k], &neighbour);
            self.mul(&mut rest, &others, &neighbour);
            products[k + 1] = product;
            others = rest;
        }
        let mut value = Residues::default();
        self.mul(&mut value, &self.inv_lane(&products[3]), &others);
        self.select(out, zero, &self.zero(), &value);
    }

    /// Returns the inverse of the residue in lane 0, or 0 for 0, in every lane.
    pub(super) fn inv_lane(&self, x: &Residues<C>) -> Residues<C> {
        let (mut value, mut out) = (integers::ZERO, Residues::default());
        self.integer(&mut value, &self.leave(x), 0);
        self.mul(&mut out, &self.integers(&self.0.integers.invert(&value)), &self.0.r2);
        out
    }

    /// Returns the integer with these words in every lane.
    fn integers(&self, words: &[u64]) -> Residues<C> {
        let mut limbs = [Vector::default(); C];
        let limbs = &mut limbs[..self.0.machine.limbs()];
        limbs.iter_mut().zip(split(words, LIMB)).for_each(|(limb, x)| *limb = broadcast(x));
        Residues::new(limbs)
    }

    /// Lane i of the result is lane i ^ `step` of x.
    fn swapped(&self, x: &Residues<C>, step: usize) -> Residues<C> {
        let mut limbs = self.0.machine.read(x);
        let limbs = &mut limbs[..self.limbs()];
        for limb in &mut *limbs {
            limb.0 = std::array::from_fn(|i| limb.0[i ^ step]);
        }
        Residues::new(limbs)
    }
}
