//! Extension fields as vector spaces over their prime field.

use crate::at;
use crate::blank::Blank;
use crate::contract::{Field, Prime};
use crate::exponent::pow;
use crate::term::{plus, times};
use crate::tower::{Cubic, NonResidue, Quadratic};
use num_bigint::BigUint;

/// An element of the prime field below an extension.
pub type PrimeElem<E> = <<E as Extension>::Prime as Field>::Elem;

/// An extension field F_p^d over F_p: coefficients, multiples, Frobenius. A prime field is its own extension of degree
/// 1.
pub trait Extension: Field {
    /// The prime field F_p.
    type Prime: Prime + Field<Mask = Self::Mask>;
    /// The constants of the p-th power: the p-th powers of the roots, divided by the roots.
    type Frobenius: Clone + Send + Sync;

    /// Whether fields of this type may be towers of quadratic extensions, so that code for towers is compiled.
    const TOWER: bool;

    /// Returns true if this is a tower of quadratic extensions of F_p.
    fn is_quadratic_tower(&self) -> bool {
        Self::TOWER && self.degree().is_power_of_two()
    }

    /// The degree d.
    fn degree(&self) -> usize;

    /// The prime field F_p.
    fn prime(&self) -> &Self::Prime;

    /// Calls `visit` on each coefficient, innermost first.
    fn coefficients<'a>(&'a self, a: &'a Self::Elem, visit: &mut dyn FnMut(&'a PrimeElem<Self>));

    /// Calls `visit` on the place of each coefficient, innermost first.
    fn coefficients_mut(&self, a: &mut Self::Elem, visit: &mut dyn FnMut(&mut PrimeElem<Self>));

    /// Returns the element with these coefficients, innermost first.
    fn compose(&self, next: &mut dyn FnMut() -> PrimeElem<Self>) -> Self::Elem {
        let mut out = Self::Elem::blank();
        self.coefficients_mut(&mut out, &mut |c| *c = next());
        out
    }

    /// Computes a·s for s in F_p: d products.
    fn scale(&self, out: &mut Self::Elem, a: &Self::Elem, s: &PrimeElem<Self>);

    /// Computes a·s + b·t for s, t in F_p; closed: 2d products.
    fn scale_two(
        &self,
        out: &mut Self::Elem,
        a: &Self::Elem,
        s: &PrimeElem<Self>,
        b: &Self::Elem,
        t: &PrimeElem<Self>,
    ) {
        at! {self; x = scale(a, s); y = scale(b, t);}
        self.sum(out, &[plus(&x), plus(&y)]);
    }

    /// Computes a·b + c·s for s in F_p; closed: a product and d products of F_p.
    fn mul_add(&self, out: &mut Self::Elem, a: &Self::Elem, b: &Self::Elem, c: &Self::Elem, s: &PrimeElem<Self>) {
        at! {self; x = mul(a, b); y = scale(c, s);}
        self.sum(out, &[plus(&x), plus(&y)]);
    }

    /// Computes a·(Σ n_i·b_i) for the basis b_i of the coefficients and small integers n_i; closed. No product, except
    /// in a dense extension.
    fn times_small(&self, out: &mut Self::Elem, a: &Self::Elem, n: &[i32]);

    /// Computes the constants of [`Extension::frobenius`]: one power with an exponent of bits(p) bits for each level.
    fn frobenius_constants(&self) -> Self::Frobenius;

    /// Computes a^p.
    fn frobenius(&self, out: &mut Self::Elem, a: &Self::Elem, constants: &Self::Frobenius);

    /// Returns the constant with these coefficients, innermost first; missing ones are 0.
    fn element(&self, coefficients: &[BigUint]) -> Self::Elem {
        let mut rest = coefficients.iter();
        self.compose(&mut || rest.next().map_or_else(|| self.prime().zero(), |c| self.prime().constant(c)))
    }
}

impl<F: Prime> Extension for F {
    type Prime = F;
    type Frobenius = ();
    const TOWER: bool = false;

    fn degree(&self) -> usize {
        1
    }

    fn prime(&self) -> &F {
        self
    }

    fn coefficients<'a>(&'a self, a: &'a F::Elem, visit: &mut dyn FnMut(&'a F::Elem)) {
        visit(a);
    }

    fn coefficients_mut(&self, a: &mut F::Elem, visit: &mut dyn FnMut(&mut F::Elem)) {
        visit(a);
    }

    #[inline(always)]
    fn scale(&self, out: &mut F::Elem, a: &F::Elem, s: &F::Elem) {
        self.mul(out, a, s);
    }

    #[inline(always)]
    fn mul_add(&self, out: &mut F::Elem, a: &F::Elem, b: &F::Elem, c: &F::Elem, s: &F::Elem) {
        at! {self; ab = mul_wide(a, b); cs = mul_wide(c, s);}
        self.reduce(out, &[plus(&ab), plus(&cs)]);
    }

    #[inline(always)]
    fn scale_two(&self, out: &mut F::Elem, a: &F::Elem, s: &F::Elem, b: &F::Elem, t: &F::Elem) {
        self.mul_add(out, a, s, b, t);
    }

    #[inline(always)]
    fn times_small(&self, out: &mut F::Elem, a: &F::Elem, n: &[i32]) {
        self.sum(out, &[times(n[0], a)]);
    }

    fn frobenius_constants(&self) {}

    fn frobenius(&self, out: &mut F::Elem, a: &F::Elem, (): &()) {
        out.clone_from(a);
    }
}

/// Returns true if r^p = −r for the root r of r^D = ν, which holds where r is a square root of a non-square of F_p.
fn is_conjugate<B: Extension>(degree: usize, base: &B) -> bool {
    degree == 2 && base.degree() == 1
}

/// Implements the operations that extensions by a root r of r^D = ν have in common: coefficients, multiples, and
/// r^p = r·ν^((p − 1)/D).
macro_rules! by_root {
    ($name:ident, $degree:literal, $times_small:item) => {
        impl<B: Extension, N: NonResidue<B>> Extension for $name<B, N> {
            type Prime = B::Prime;
            /// The base's constants, and (r^p/r)^j for j < D.
            type Frobenius = (B::Frobenius, [B::Elem; $degree]);
            const TOWER: bool = $degree == 2;

            fn degree(&self) -> usize {
                $degree * self.base().degree()
            }

            fn prime(&self) -> &B::Prime {
                self.base().prime()
            }

            fn coefficients<'a>(&'a self, a: &'a Self::Elem, visit: &mut dyn FnMut(&'a PrimeElem<Self>)) {
                a.iter().for_each(|x| self.base().coefficients(x, visit));
            }

            fn coefficients_mut(&self, a: &mut Self::Elem, visit: &mut dyn FnMut(&mut PrimeElem<Self>)) {
                a.iter_mut().for_each(|x| self.base().coefficients_mut(x, visit));
            }

            fn scale(&self, out: &mut Self::Elem, a: &Self::Elem, s: &PrimeElem<Self>) {
                for i in 0..$degree {
                    self.base().scale(&mut out[i], &a[i], s);
                }
            }

            $times_small

            fn frobenius_constants(&self) -> Self::Frobenius {
                let base = self.base();
                let one = base.one();
                if is_conjugate($degree, base) {
                    let mut powers: [B::Elem; $degree] = std::array::from_fn(|_| one.clone());
                    base.neg(&mut powers[1], &one);
                    return (base.frobenius_constants(), powers);
                }
                let mut nu = base.zero();
                self.nonresidue().sum(base, &mut nu, &[], &[plus(&one)]);
                let ratio = pow(base, &nu, &((self.prime().modulus() - 1u32) / $degree as u32));
                let mut powers: [B::Elem; $degree] = std::array::from_fn(|_| one.clone());
                for j in 1..$degree {
                    powers[j] = at!(base; mul(&powers[j - 1], &ratio));
                }
                (base.frobenius_constants(), powers)
            }

            fn frobenius(&self, out: &mut Self::Elem, a: &Self::Elem, (below, powers): &Self::Frobenius) {
                let base = self.base();
                base.frobenius(&mut out[0], &a[0], below);
                if is_conjugate($degree, base) {
                    return base.neg(&mut out[1], &a[1]);
                }
                for j in 1..$degree {
                    let mut conjugate = base.zero();
                    base.frobenius(&mut conjugate, &a[j], below);
                    base.mul(&mut out[j], &conjugate, &powers[j]);
                }
            }
        }
    };
}

by_root! {Quadratic, 2,
    /// Computes (n0 + n1·r)(a0 + a1·r) = n0·a0 + ν·n1·a1 + (n0·a1 + n1·a0)·r.
    fn times_small(&self, out: &mut Self::Elem, a: &Self::Elem, n: &[i32]) {
        let base = self.base();
        let (n0, n1) = n.split_at(base.degree());
        if let ([n0], [n1], true) = (n0, n1, self.nonresidue().is_minus_one()) {
            // in one pass: the multiples of F_p(i) are small
            self.nonresidue().sum(base, &mut out[0], &[times(*n0, &a[0])], &[times(*n1, &a[1])]);
            return base.sum(&mut out[1], &[times(*n0, &a[1]), times(*n1, &a[0])]);
        }
        at! {base; p = times_small(&a[0], n0); q = times_small(&a[1], n1); r = times_small(&a[1], n0); s = times_small(&a[0], n1);}
        self.nonresidue().sum(base, &mut out[0], &[plus(&p)], &[plus(&q)]);
        base.sum(&mut out[1], &[plus(&r), plus(&s)]);
    }
}

by_root! {Cubic, 3,
    /// Computes coefficient k of (Σ n_i·r^i)(Σ a_j·r^j) as Σ over i + j = k plus ν·Σ over i + j = k + 3.
    fn times_small(&self, out: &mut Self::Elem, a: &Self::Elem, n: &[i32]) {
        let base = self.base();
        let mut products: [[B::Elem; 3]; 3] = Default::default();
        for (row, n) in products.iter_mut().zip(n.chunks(base.degree())) {
            for (p, x) in row.iter_mut().zip(a) {
                base.times_small(p, x, n);
            }
        }
        let p = |i: usize, j: usize| plus(&products[i][j]);
        let nr = self.nonresidue();
        nr.sum(base, &mut out[0], &[p(0, 0)], &[p(1, 2), p(2, 1)]);
        nr.sum(base, &mut out[1], &[p(0, 1), p(1, 0)], &[p(2, 2)]);
        base.sum(&mut out[2], &[p(0, 2), p(1, 1), p(2, 0)]);
    }
}
