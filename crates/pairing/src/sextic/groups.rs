//! Multiplication in the groups of order r, where automorphisms split the scalar.
//!
//! * G1: (x, y) ↦ (βx, −y), of order 6: two parts (Gallant, Lambert and Vanstone, CRYPTO 2001).
//! * G2: ψ, and GT: the p-power, multiplication by p: φ(k) parts by the family's relation Σ (a_i·u + b_i)p^i ≡ 0 (mod r)
//!   (Galbraith and Scott, Pairing 2008).
//!
//! This applies only to points of the groups: elsewhere on the curves the automorphisms are other multiples, or none.

use super::{Fpk, SexticPairing};
use crate::constant_time::{Digit, element};
use crate::curve::Affine;
use crate::digits::odd_powers;
use bilinear_field::{CollectVec, Field, Prime, at};

impl<F: Prime> SexticPairing<F> {
    /// Returns (βx, −y) for P = (x, y).
    pub(super) fn minus_phi(&self, p: &Affine<F>) -> Affine<F> {
        at! {self.fp(); x = mul(&self.beta, &p.x); y = neg(&p.y);}
        Affine { x, y, infinity: p.infinity }
    }

    /// Returns x^e for x in GT and a secret e in each lane. Constant time.
    pub(super) fn secret_power_in_gt(&self, x: &Fpk<F>, es: &[&[u8]]) -> Fpk<F> {
        let (width, windows) = (self.split.width(), self.split.windows(es));
        let tables = self.power_tables(x, 1 << (width - 1));
        let mut acc: Option<Fpk<F>> = None;
        for row in windows.rows() {
            for _ in 0..width {
                acc = acc.map(|x| self.cyclotomic_square(&x));
            }
            for (table, ys) in tables.iter().zip(row) {
                let entry = self.pick(table, &Digit::new(&self.groups.target, ys, width));
                acc = self.mul_some(acc, Some(&entry));
            }
        }
        acc.unwrap_or_else(|| self.groups.target.one())
    }

    /// Returns the table x, x³, x⁵, …, and the tables of the powers p, p², … of its entries.
    fn power_tables(&self, x: &Fpk<F>, count: usize) -> Vec<Vec<Fpk<F>>> {
        let table = odd_powers(x, count, &|x| self.cyclotomic_square(x), &|x, y| self.mul(x, y));
        let power = |i: usize| table.iter().map(|x| self.frobenius(x, i)).collect_vec();
        (0..self.split.dimension()).map(power).collect_vec()
    }

    /// Returns the table entry of a digit, inverted where the digit is negative.
    fn pick(&self, table: &[Fpk<F>], digit: &Digit<F::Mask>) -> Fpk<F> {
        let target = &self.groups.target;
        let power = element(target, table, &digit.place);
        at! {target; inverse = conjugate(&power); signed = select(digit.negative, &inverse, &power);}
        signed
    }
}
