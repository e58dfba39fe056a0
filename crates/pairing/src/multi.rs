//! Sums Σ k_i·P_i for public scalars.

use crate::curve::{Affine, Curve, Jacobian};
use crate::digits::{weight, wnaf};
use bilinear_field::Field;
use num_bigint::{BigInt, Sign};

impl<F: Field> Curve<F> {
    /// Σ k_i·P_i for few terms: interleaved signed windows with shared doublings (Möller, SAC 2001). The running time depends
    /// on the k_i alone, never on the points.
    pub fn combination(&self, terms: &[(BigInt, Affine<F>)]) -> Jacobian<F> {
        let digits: Vec<Vec<i8>> = terms.iter().map(|(k, _)| narrowest(k)).collect();
        // odd multiples P, 3P, … of every point, and their affine coordinates with one inversion
        let mut multiples = vec![];
        let mut tables = vec![];
        for ((k, p), digits) in terms.iter().zip(&digits) {
            let base = if k.sign() == Sign::Minus { self.negate(p) } else { p.clone() };
            let largest = digits.iter().map(|d| d.unsigned_abs() as usize / 2).max().unwrap_or(0);
            tables.push(multiples.len());
            let mut multiple = self.lift(&base);
            if largest > 0 {
                let double = self.normalise(&[self.double(&multiple)]).remove(0);
                for _ in 0..largest {
                    let next = self.add(&multiple, &double);
                    multiples.push(std::mem::replace(&mut multiple, next));
                }
            }
            multiples.push(multiple);
        }
        let multiples = self.normalise(&multiples);
        let length = digits.iter().map(Vec::len).max().unwrap_or(0);
        let mut acc = self.infinity();
        for i in (0..length).rev() {
            acc = self.double(&acc);
            for (digits, table) in digits.iter().zip(&tables) {
                let d = digits.len().checked_sub(i + 1).map_or(0, |j| digits[j]);
                if d != 0 {
                    let multiple = &multiples[table + d.unsigned_abs() as usize / 2];
                    acc = if d > 0 { self.add(&acc, multiple) } else { self.add(&acc, &self.negate(multiple)) };
                }
            }
        }
        acc
    }
}

/// The expansion of |k| with the fewest additions, those for its table counted.
fn narrowest(k: &BigInt) -> Vec<i8> {
    let additions = |w: u32, digits: &[i8]| weight(digits) + (1 << (w - 2)) - 1;
    let expansions = (2..=6).map(|w| (w, wnaf(k.magnitude(), w)));
    expansions.min_by_key(|(w, digits)| additions(*w, digits)).map_or_else(Vec::new, |(_, d)| d)
}
