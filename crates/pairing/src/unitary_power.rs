//! Powers of unitary elements, whose inverses are their conjugates. Shared by the towers over F_2^m and F_3^m.
//!
//! A public exponent of b bits takes b squarings and about b/6 products, in signed windows of five bits. A secret
//! exponent takes as many squarings and b/5 products in radix 32, with Booth's digits (`booth.rs`).

use crate::booth::{BoothDigit, ENTRIES};
use crate::constant_time::entry;
use crate::digits::{odd_powers, wnaf};
use bilinear_field::{Field, at};
use num_bigint::BigUint;

/// A coefficient of an element of a tower.
type Coefficient<U> = <<U as Unitary>::Field as Field>::Elem;
/// A mask over the lanes of a tower's field.
type Mask<U> = <<U as Unitary>::Field as Field>::Mask;

/// A tower with the operations on its unitary elements.
pub trait Unitary {
    /// The field of the coefficients.
    type Field: Field;
    /// An element of the tower.
    type Elem: Clone;

    /// The field of the coefficients.
    fn field(&self) -> &Self::Field;
    /// The number of coefficients of an element.
    fn degree(&self) -> usize;
    /// Returns the coefficients of an element, that of 1 first.
    fn coefficients<'a>(&self, a: &'a Self::Elem) -> &'a [Coefficient<Self>];
    /// Builds an element from its coefficients, which `next` returns one after the other.
    fn element(&self, next: impl FnMut() -> Coefficient<Self>) -> Self::Elem;
    /// Returns a·b.
    fn mul(&self, a: &Self::Elem, b: &Self::Elem) -> Self::Elem;
    /// Returns a^(2^n).
    fn sqr_times(&self, a: &Self::Elem, n: usize) -> Self::Elem;
    /// Returns the conjugate of a, which is 1/a.
    fn conjugate(&self, a: &Self::Elem) -> Self::Elem;

    /// Returns 1.
    fn one(&self) -> Self::Elem {
        let mut first = Some(self.field().one());
        self.element(|| first.take().unwrap_or_else(|| self.field().zero()))
    }
    /// Selects `a` where the mask is set, else `b`.
    fn select(&self, mask: Mask<Self>, a: &Self::Elem, b: &Self::Elem) -> Self::Elem {
        let mut pairs = self.coefficients(a).iter().zip(self.coefficients(b));
        self.element(|| {
            let (x, y) = pairs.next().unwrap_or_else(|| unreachable!("as many coefficients as an element has"));
            at!(self.field(); select(mask, x, y))
        })
    }
    /// Returns the mask of a = b.
    fn equal(&self, a: &Self::Elem, b: &Self::Elem) -> Mask<Self> {
        let (f, pairs) = (self.field(), self.coefficients(a).iter().zip(self.coefficients(b)));
        pairs.fold(f.mask(true), |all, (x, y)| f.and(all, f.equal(x, y)))
    }

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
    fn power_secret(&self, a: &Self::Elem, digits: &[BoothDigit<Mask<Self>>]) -> Self::Elem {
        let mut table = vec![a.clone()];
        for i in 1..ENTRIES {
            table.push(self.mul(&table[i - 1], a));
        }
        let select = |mask: Mask<Self>, x: &Self::Elem, y: &Self::Elem| self.select(mask, x, y);
        digits.iter().rev().fold(self.one(), |power, digit| {
            let power = self.sqr_times(&power, 5);
            let factor = entry(&table, &digit.place, &select);
            let signed = self.select(digit.negative, &self.conjugate(&factor), &factor);
            self.select(digit.zero, &power, &self.mul(&power, &signed))
        })
    }
}
