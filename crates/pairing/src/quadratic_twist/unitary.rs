//! The elements of norm 1 over E, f0² − ν·f1² = 1. Inversion is conjugation, and a square costs a product and a
//! square in E.

use super::{Fpk, QuadraticTwistPairing};
use crate::digits::{odd_powers, weight, wnaf};
use bilinear_field::{CollectVec, Extension, Field, Prime, at, minus, plus, times};
use num_bigint::{BigInt, Sign};

impl<F: Prime> QuadraticTwistPairing<F> {
    /// Returns f^p: since ν is not a square in F_p, s^p = −s.
    pub(super) fn frobenius(&self, [f0, f1]: &Fpk<F>) -> Fpk<F> {
        at! {self.e(); x = frobenius(f0, &self.frobenius); y = frobenius(f1, &self.frobenius); minus_y = neg(&y);}
        [x, minus_y]
    }

    /// Returns f^(p^(k/2)), which is 1/f for f of norm 1.
    pub(super) fn conjugate(&self, f: &Fpk<F>) -> Fpk<F> {
        at!(self.groups.target; conjugate(f))
    }

    /// Returns f² = (2·f0² − 1) + 2·f0·f1·s for f of norm 1.
    pub(super) fn unitary_square(&self, [f0, f1]: &Fpk<F>) -> Fpk<F> {
        let e = self.e();
        e.routine("unitary square", || {
            at! {e;
                ss = sqr_wide(f0);
                double = reduce(&[times(2, &ss)]);           // 2·f0²
                re = sum(&[plus(&double), minus(&e.one())]); // 2·f0² − 1
                product = mul_wide(f0, f1);
                im = reduce(&[times(2, &product)]);          // 2·f0·f1
            }
            [re, im]
        })
    }

    /// Returns Π f^(e_i·p^i) for f of norm 1 and public e_i: signed windows with shared squarings (Möller, SAC 2001).
    /// The odd powers of f^(p^i) are conjugates of those of f.
    pub(super) fn unitary_pow(&self, f: &Fpk<F>, exponents: &[BigInt]) -> Fpk<F> {
        let digits = narrowest(exponents);
        let largest = |digits: &[i8]| digits.iter().map(|d| d.unsigned_abs() as usize / 2).max().unwrap_or(0);
        let most = digits.iter().map(|digits| largest(digits)).max().unwrap_or(0);
        let product = |x: &Fpk<F>, y: &Fpk<F>| at!(self.groups.target; mul(x, y));
        let mut tables = vec![odd_powers(f, most + 1, &|f| self.unitary_square(f), &product)];
        for i in 1..digits.len() {
            let image = tables[i - 1].iter().map(|x| self.frobenius(x)).collect_vec();
            tables.push(image);
        }
        let length = digits.iter().map(Vec::len).max().unwrap_or(0);
        let mut acc: Option<Fpk<F>> = None;
        for i in (0..length).rev() {
            acc = acc.map(|x| self.unitary_square(&x));
            for ((digits, table), exponent) in digits.iter().zip(&tables).zip(exponents) {
                let d = digits.len().checked_sub(i + 1).map_or(0, |j| digits[j]);
                if d == 0 {
                    continue;
                }
                let power = &table[d.unsigned_abs() as usize / 2];
                let inverted = (d < 0) != (exponent.sign() == Sign::Minus);
                let factor = if inverted { self.conjugate(power) } else { power.clone() };
                acc = Some(match acc {
                    None => factor,
                    Some(x) => product(&x, &factor),
                });
            }
        }
        acc.unwrap_or_else(|| self.groups.target.one())
    }
}

/// Returns the expansions of the |e_i| in the common width that takes the fewest products, including those for the
/// table.
fn narrowest(exponents: &[BigInt]) -> Vec<Vec<i8>> {
    let expand = |w: u32| exponents.iter().map(|e| wnaf(e.magnitude(), w)).collect_vec();
    let products = |(w, digits): &(u32, Vec<Vec<i8>>)| digits.iter().map(|d| weight(d)).sum::<usize>() + (1 << (w - 2));
    let expansions = (2..=6).map(|w| (w, expand(w)));
    expansions.min_by_key(products).map_or_else(Vec::new, |(_, digits)| digits)
}
