//! Extension fields of F_p, limited to what checking a description needs: whether a point lies on a curve, and
//! whether a polynomial is irreducible. They use plain big integers, with Karatsuba products in steps of degree 2.
//! Checking a point of 638-bit coefficients takes some 0.1 ms.
//!
//! A field is a tower of steps F\[x\]/(x^n - r_(n-1) x^(n-1) - ... - r_0). An element is the list of its coefficients
//! over F_p: n blocks, the coefficients of 1, x, ..., x^(n-1) in the last step, each an element of the field below.

use num_bigint::BigUint;

use crate::{Error, Location};

/// A step of a tower: x^n = r_0 + r_1 x + ..., given by the n elements r_j of the field below.
type Step = Vec<Vec<BigUint>>;

/// An extension field: F_p with steps above it.
pub(crate) struct ExtensionField<'a> {
    p: &'a BigUint,
    steps: Vec<Step>,
}

impl<'a> ExtensionField<'a> {
    /// Creates F_p itself.
    pub(crate) fn base(p: &'a BigUint) -> Self {
        Self { p, steps: Vec::new() }
    }

    /// Adds a step x^n = `element` to the field.
    pub(crate) fn binomial(mut self, n: usize, element: Vec<BigUint>) -> Self {
        let mut step = vec![vec![BigUint::ZERO; self.degree()]; n];
        step[0] = element;
        self.steps.push(step);
        self
    }

    /// Creates F_p\[x\]/(x^n + c_(n-1) x^(n-1) + ... + c_0); the coefficients must be below p.
    pub(crate) fn polynomial(p: &'a BigUint, coefficients: &[BigUint]) -> Self {
        Self { p, steps: vec![coefficients.iter().map(|c| vec![(p - c) % p]).collect()] }
    }

    /// The characteristic p.
    pub(crate) fn p(&self) -> &'a BigUint {
        self.p
    }

    /// The degree over F_p.
    pub(crate) fn degree(&self) -> usize {
        self.steps.iter().map(Vec::len).product()
    }

    /// Returns an element of F_p, given below p, as an element of this field.
    pub(crate) fn constant(&self, value: &BigUint) -> Vec<BigUint> {
        let mut element = vec![BigUint::ZERO; self.degree()];
        element[0] = value.clone();
        element
    }

    /// Returns the element whose coefficients are the digits of n in base p, that of 1 first, or `None` if n is p^e
    /// or more.
    pub(crate) fn element(&self, n: u32) -> Option<Vec<BigUint>> {
        let mut rest = BigUint::from(n);
        let digit = |_| {
            let digit = &rest % self.p;
            rest = &rest / self.p;
            digit
        };
        let element = (0..self.degree()).map(digit).collect();
        (rest == BigUint::ZERO).then_some(element)
    }

    /// Returns the x of the last step; there must be one.
    pub(crate) fn x(&self) -> Vec<BigUint> {
        let mut element = vec![BigUint::ZERO; self.degree()];
        element[self.degree() / self.steps.last().map_or(1, Vec::len)] = BigUint::from(1u8);
        element
    }

    pub(crate) fn add(&self, a: &[BigUint], b: &[BigUint]) -> Vec<BigUint> {
        let add = |(a, b): (&BigUint, &BigUint)| {
            let sum = a + b;
            if sum >= *self.p { sum - self.p } else { sum }
        };
        a.iter().zip(b).map(add).collect()
    }

    pub(crate) fn sub(&self, a: &[BigUint], b: &[BigUint]) -> Vec<BigUint> {
        let sub = |(a, b): (&BigUint, &BigUint)| if a >= b { a - b } else { a + self.p - b };
        a.iter().zip(b).map(sub).collect()
    }

    /// Returns the element 0.
    pub(crate) fn zero(&self) -> Vec<BigUint> {
        vec![BigUint::ZERO; self.degree()]
    }

    /// Computes 1 / a for an a other than 0, as a^(q - 2) in F_q.
    pub(crate) fn inverse(&self, a: &[BigUint]) -> Vec<BigUint> {
        self.pow(a, &(self.p.pow(self.degree() as u32) - 2u8))
    }

    pub(crate) fn mul(&self, a: &[BigUint], b: &[BigUint]) -> Vec<BigUint> {
        #[cfg(test)]
        PRODUCTS.set(PRODUCTS.get() + 1);
        self.mul_in(&self.steps, a, b)
    }

    /// Computes a product in the field of these steps.
    fn mul_in(&self, steps: &[Step], a: &[BigUint], b: &[BigUint]) -> Vec<BigUint> {
        let Some((step, below)) = steps.split_last() else { return vec![&a[0] * &b[0] % self.p] };
        // most r_j are 0, and the others mostly roots of steps below
        if [a, b].iter().any(|x| x.iter().all(|c| *c == BigUint::ZERO)) {
            return vec![BigUint::ZERO; a.len()];
        }
        let (n, size) = (step.len(), a.len() / step.len());
        let mut product = vec![vec![BigUint::ZERO; size]; 2 * n - 1];
        if n == 2 {
            // Karatsuba
            let ((a0, a1), (b0, b1)) = (a.split_at(size), b.split_at(size));
            let (low, high) = (self.mul_in(below, a0, b0), self.mul_in(below, a1, b1));
            let all = self.mul_in(below, &self.add(a0, a1), &self.add(b0, b1));
            product = vec![low.clone(), self.sub(&self.sub(&all, &low), &high), high];
        } else {
            for (i, a) in a.chunks(size).enumerate() {
                for (j, b) in b.chunks(size).enumerate() {
                    product[i + j] = self.add(&product[i + j], &self.mul_in(below, a, b));
                }
            }
        }
        for high in (n..2 * n - 1).rev() {
            let top = std::mem::take(&mut product[high]);
            for (j, r) in step.iter().enumerate() {
                let term = self.mul_in(below, &top, r);
                product[high - n + j] = self.add(&product[high - n + j], &term);
            }
        }
        product.truncate(n);
        product.concat()
    }

    pub(crate) fn pow(&self, a: &[BigUint], exponent: &BigUint) -> Vec<BigUint> {
        let mut power = self.constant(&BigUint::from(1u8));
        for i in (0..exponent.bits()).rev() {
            power = self.mul(&power, &power);
            if exponent.bit(i) {
                power = self.mul(&power, a);
            }
        }
        power
    }

    /// Returns true if the polynomial f of the only step is irreducible. The step must have prime degree n over
    /// F_p, and p must be prime. f is irreducible iff x^(p^n) = x, which leaves f only distinct factors of degrees
    /// 1 and n, and y = x^p - x is invertible, which excludes degree 1. The product of y, y^p, ..., y^(p^(n-1))
    /// decides that: it is 0 modulo any factor of degree 1, otherwise the norm of y. This takes one exponentiation,
    /// as a(x)^p = a(x^p).
    pub(crate) fn is_irreducible(&self) -> bool {
        let (x, frobenius) = (self.x(), self.pow(&self.x(), self.p));
        let mut image = x.clone();
        let mut norm = self.constant(&BigUint::from(1u8));
        for _ in 0..self.degree() {
            let next = self.evaluate(&image, &frobenius);
            norm = self.mul(&norm, &self.sub(&next, &image));
            image = next;
        }
        image == x && norm[0] != BigUint::ZERO && norm[1..].iter().all(|c| *c == BigUint::ZERO)
    }

    /// Evaluates the polynomial with the coefficients of `a` at `x`, in a field of one step.
    fn evaluate(&self, a: &[BigUint], x: &[BigUint]) -> Vec<BigUint> {
        let zero = self.constant(&BigUint::ZERO);
        a.iter().rev().fold(zero, |value, c| self.add(&self.mul(&value, x), &self.constant(c)))
    }

    /// Checks that x and y have as many coefficients as the degree, each below p. `at` gives the location of y
    /// (true) or of x (false).
    pub(crate) fn check_range(&self, x: &[BigUint], y: &[BigUint], at: impl Fn(bool) -> Location) -> Result<(), Error> {
        for (value, of_y) in [(x, false), (y, true)] {
            let (expected, found) = (self.degree(), value.len());
            if found != expected {
                return Err(Error::CoefficientCount { at: at(of_y), expected, found });
            }
            if value.iter().any(|c| c >= self.p) {
                return Err(Error::GeneratorRange { at: at(of_y) });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
thread_local! {
    static PRODUCTS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Returns the number of products that this thread has computed. Tests bound it instead of time.
#[cfg(test)]
pub(crate) fn products() -> u64 {
    PRODUCTS.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(values: &[u32]) -> Vec<BigUint> {
        values.iter().map(|v| BigUint::from(*v)).collect()
    }

    #[test]
    fn products_by_hand() {
        let p = BigUint::from(7u8);
        // i^2 = -1: (1 + 2i)(3 + 4i) = -5 + 10i
        let complex = ExtensionField::base(&p).binomial(2, element(&[6]));
        assert_eq!(complex.mul(&element(&[1, 2]), &element(&[3, 4])), element(&[2, 3]));
        // v^2 = 1 + 2i: v * v, and (1 + v)(1 - v) = 1 - (1 + 2i)
        let tower = complex.binomial(2, element(&[1, 2]));
        assert_eq!(tower.mul(&tower.x(), &tower.x()), element(&[1, 2, 0, 0]));
        assert_eq!(tower.mul(&element(&[1, 0, 1, 0]), &element(&[1, 0, 6, 0])), element(&[0, 5, 0, 0]));
        // x^3 + x + 4: x^4 = -x^2 - 4x
        let cubic = ExtensionField::polynomial(&p, &element(&[4, 1, 0]));
        assert_eq!(cubic.pow(&cubic.x(), &BigUint::from(4u8)), element(&[0, 3, 6]));
    }

    /// Counts the irreducible ones among all monic polynomials of these degrees: (p^n - p) / n by Gauss.
    #[test]
    fn irreducible_polynomials() {
        for (p, n) in [(3u32, 3u32), (5, 3), (3, 5), (5, 2)] {
            let prime = BigUint::from(p);
            let found = (0..p.pow(n))
                .filter(|code| {
                    let coefficients: Vec<u32> = (0..n).map(|i| code / p.pow(i) % p).collect();
                    ExtensionField::polynomial(&prime, &element(&coefficients)).is_irreducible()
                })
                .count();
            assert_eq!(found as u32, (p.pow(n) - p) / n, "degree {n} over F_{p}");
        }
    }
}
