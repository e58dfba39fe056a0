//! Squares and square roots in F_q = F_{p^e}, p odd, in a number of products that depends on the size of q alone.
//!
//! An element is a square iff its norm to F_p is one, which the Jacobi symbol tells. Roots for q = 3 mod 4 are
//! powers, for q = 1 mod 4 those of Müller, "On the computation of square roots in finite fields" (Designs, Codes
//! and Cryptography 31, 2004): let a t^2 - 4 be a non-square and V_0 = 2, V_1 = a t^2 - 2,
//! V_(m+n) = V_m V_n - V_(m-n). Then V_((q-1)/4) / t is a root of a. This takes two products for each bit of q,
//! where the algorithm of Tonelli and Shanks needs s^2/2 more for 2^s | q - 1.

use num_bigint::BigUint;
use num_traits::Zero;

use crate::extension::ExtensionField;
use crate::integer::jacobi;

/// The number of values of t to try. Half of all values serve.
const TRIALS: u32 = 256;

impl ExtensionField<'_> {
    /// Computes q = p^e, the number of elements of the field.
    fn size(&self) -> BigUint {
        self.p().pow(self.degree() as u32)
    }

    /// Returns true for squares, 0 included. p must be an odd prime.
    pub(crate) fn is_square(&self, value: &[BigUint]) -> bool {
        let norm = self.pow(value, &((self.size() - 1u8) / (self.p() - 1u8)));
        jacobi(&norm[0], self.p()) >= 0
    }

    /// Returns a square root of `a`, or `None` if there is none. p must be an odd prime.
    pub(crate) fn square_root(&self, a: &[BigUint]) -> Option<Vec<BigUint>> {
        if a.iter().all(BigUint::is_zero) {
            return Some(self.zero());
        }
        if !self.is_square(a) {
            return None;
        }
        let size = self.size();
        let root = if size.bit(1) { self.pow(a, &((size + 1u8) >> 2u8)) } else { self.by_sequence(a, &(size >> 2u8))? };
        (self.mul(&root, &root) == a).then_some(root)
    }

    /// Computes V_n / t for n = (q - 1)/4 and a square a other than 0.
    fn by_sequence(&self, a: &[BigUint], n: &BigUint) -> Option<Vec<BigUint>> {
        let (two, four) =
            (self.constant(&(BigUint::from(2u8) % self.p())), self.constant(&(BigUint::from(4u8) % self.p())));
        let serves = |t: Vec<BigUint>| {
            let product = self.mul(a, &self.mul(&t, &t));
            (!self.is_square(&self.sub(&product, &four))).then_some((t, product))
        };
        let (t, product) = (0..TRIALS).filter_map(|i| self.outside_subfields(i)).find_map(serves)?;
        let first = self.sub(&product, &two);
        // V_m and V_(m+1) for the leading digits m of n
        let (mut this, mut next) = (two.clone(), first.clone());
        for i in (0..n.bits()).rev() {
            let odd = self.sub(&self.mul(&this, &next), &first);
            let twice = |v: &[BigUint]| self.sub(&self.mul(v, v), &two);
            (this, next) = if n.bit(i) { (odd, twice(&next)) } else { (twice(&this), odd) };
        }
        Some(self.mul(&this, &self.inverse(&t)))
    }

    /// Returns the i-th element, plus x if the field has steps: with a and t in a subfield, a t^2 - 4 may be a
    /// square for every t.
    fn outside_subfields(&self, i: u32) -> Option<Vec<BigUint>> {
        let element = self.element(i)?;
        Some(if self.degree() == 1 { element } else { self.add(&self.x(), &element) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extension::products;
    use crate::integer::is_prime;

    /// Every element of fields with q = 3 mod 4, and of fields with 2^2, 2^3, 2^4 and 2^5 as the power of 2 in
    /// q - 1, against all squares.
    #[test]
    fn square_roots_agree_with_trial() {
        for (p, steps) in [(7u32, 0), (5, 0), (73, 0), (97, 0), (7, 1), (13, 1), (5, 2)] {
            let prime = BigUint::from(p);
            // i^2 = -1 or 2, then j^2 = i
            let non_square = BigUint::from(if p == 7 { 6u32 } else { 2 });
            let mut field = ExtensionField::base(&prime);
            if steps > 0 {
                field = field.binomial(2, vec![non_square]);
            }
            if steps > 1 {
                let i = field.x();
                field = field.binomial(2, i);
            }
            let all: Vec<_> = (0..p.pow(field.degree() as u32)).filter_map(|n| field.element(n)).collect();
            let squares: Vec<_> = all.iter().map(|x| field.mul(x, x)).collect();
            for a in &all {
                let root = field.square_root(a);
                assert_eq!(root.is_some(), squares.contains(a), "{a:?} over F_{p}, {steps} steps");
                assert_eq!(field.is_square(a), root.is_some(), "{a:?}");
                assert!(root.is_none_or(|root| field.mul(&root, &root) == *a), "{a:?}");
            }
        }
    }

    /// A prime of about 520 bits with 2^500 | p - 1 costs no more products than its size accounts for.
    #[test]
    fn powers_of_2_cost_nothing() {
        let candidates = (1u32..).map(|k| (BigUint::from(k) << 500u32) + 1u8);
        let p = candidates.into_iter().find(is_prime).unwrap_or_default();
        let field = ExtensionField::base(&p);
        for n in 2..40u32 {
            let before = products();
            assert!(field.square_root(&field.constant(&BigUint::from(n * n))).is_some());
            assert!(products() - before < 5 * p.bits(), "{n}: {} products", products() - before);
        }
    }
}
