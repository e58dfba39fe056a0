//! Dense extensions F_p(x) = F_p\[x\]/(m) for a monic m of degree D = 3 or 5 with any coefficients.
//!
//! `Wide` is the product before its reduction modulo m, 2D − 1 coefficients: a sum of products is reduced modulo m once. A reduction
//! brings the D − 1 coefficients above x^(D−1) to elements and multiplies them by the constants x^D, …, x^(2D−2) modulo m,
//! inside the D sums that are reduced last. Costs in F_p (M products, S squares, R reductions):
//!
//! | | D = 3 | D = 5 |
//! |---|---|---|
//! | product, unreduced | 9M | 25M |
//! | square, unreduced | 3M + 3S | 10M + 5S |
//! | its reduction | 6M + 5R | 20M + 9R |
//! | p-th power | 6M + 3R | 20M + 5R |
//! | inverse, and one in F_p | 45M + 19R | 220M + 52R |

use super::{NonResidue, componentwise};
use crate::at;
use crate::blank::Blank;
use crate::contract::{Field, Prime};
use crate::extension::Extension;
use crate::term::{List, Term, plus};
use num_bigint::BigUint;

/// `base`(x), elements [a0, …, a(D−1)] for Σ a_i·x^i.
#[derive(Clone)]
pub struct Dense<B: Field, const D: usize> {
    base: B,
    /// x^D, …, x^(2D−2).
    powers: Vec<[B::Elem; D]>,
    /// x^p, x^(2p), …, x^((D−1)p).
    images: Vec<[B::Elem; D]>,
}

impl<B: Prime, const D: usize> Dense<B, D> {
    /// `base`\[x\]/(x^D + Σ c_i·x^i) for an irreducible polynomial, given by c_0, …, c_(D−1).
    pub fn new(base: B, coefficients: &[BigUint; D]) -> Self {
        let p = base.modulus();
        let powers = powers(coefficients, p);
        // x^p by squaring: an integer computation, since not every machine has values
        let x: [BigUint; D] = std::array::from_fn(|i| u32::from(i == 1).into());
        let mut image = x.clone();
        for bit in (0..p.bits() - 1).rev() {
            image = product(&image, &image, &powers, p);
            if p.bit(bit) {
                image = product(&image, &x, &powers, p);
            }
        }
        let mut images = vec![image];
        for j in 1..D - 1 {
            images.push(product(&images[j - 1], &images[0], &powers, p));
        }
        let constants =
            |rows: &[[BigUint; D]]| rows.iter().map(|row| row.each_ref().map(|x| base.constant(x))).collect::<Vec<_>>();
        let (powers, images) = (constants(&powers), constants(&images));
        Dense { base, powers, images }
    }
}

impl<B: Field, const D: usize> Dense<B, D> {
    /// The field below.
    pub fn base(&self) -> &B {
        &self.base
    }

    /// Coefficient K of a·b: Σ a_i·b_(K−i).
    #[inline]
    fn product_coefficient<const K: usize>(&self, out: &mut B::Wide, a: &[B::Elem; D], b: &[B::Elem; D]) {
        let first = (K + 1).saturating_sub(D);
        let count = K + 1 - 2 * first;
        if count == 1 {
            return self.base.mul_wide(out, &a[first], &b[first]);
        }
        let mut products: [B::Wide; D] = std::array::from_fn(|_| B::Wide::default());
        for i in 0..count {
            self.base.mul_wide(&mut products[i], &a[first + i], &b[K - first - i]);
        }
        self.base.lin(out, &products.each_ref().map(plus)[..count]);
    }

    /// Coefficient K of a²: a_(K/2)² + Σ a_i·(2a_(K−i)) over i < K − i. `twice` is 2a.
    #[inline]
    fn square_coefficient<const K: usize>(&self, out: &mut B::Wide, a: &[B::Elem; D], twice: &[B::Elem; D]) {
        let first = (K + 1).saturating_sub(D);
        let (pairs, middle) = (K.div_ceil(2) - first, K.is_multiple_of(2));
        match (pairs, middle) {
            (0, _) => return self.base.sqr_wide(out, &a[K / 2]),
            (1, false) => return self.base.mul_wide(out, &a[first], &twice[K - first]),
            _ => {}
        }
        let mut products: [B::Wide; D] = std::array::from_fn(|_| B::Wide::default());
        for i in 0..pairs {
            self.base.mul_wide(&mut products[i], &a[first + i], &twice[K - first - i]);
        }
        if middle {
            self.base.sqr_wide(&mut products[pairs], &a[K / 2]);
        }
        self.base.lin(out, &products.each_ref().map(plus)[..pairs + usize::from(middle)]);
    }
}

/// x^D, …, x^(2D−2) modulo x^D + Σ c_i·x^i.
fn powers<const D: usize>(coefficients: &[BigUint; D], p: &BigUint) -> Vec<[BigUint; D]> {
    let first: [BigUint; D] = std::array::from_fn(|i| (p - &coefficients[i] % p) % p);
    let mut rows = vec![first.clone()];
    for j in 1..D - 1 {
        // x·Σ a_i·x^i = Σ a_(i−1)·x^i + a_(D−1)·x^D
        let row = &rows[j - 1];
        let shifted = |i: usize| if i == 0 { BigUint::ZERO } else { row[i - 1].clone() };
        rows.push(std::array::from_fn(|i| (shifted(i) + &row[D - 1] * &first[i]) % p));
    }
    rows
}

/// a·b modulo the polynomial that gives the `powers`.
fn product<const D: usize>(a: &[BigUint; D], b: &[BigUint; D], powers: &[[BigUint; D]], p: &BigUint) -> [BigUint; D] {
    let coefficient = |k: usize| {
        let first = (k + 1).saturating_sub(D);
        (first..=k.min(D - 1)).map(|i| &a[i] * &b[k - i]).sum::<BigUint>()
    };
    std::array::from_fn(|i| {
        powers.iter().enumerate().fold(coefficient(i), |sum, (j, row)| sum + coefficient(D + j) * &row[i]) % p
    })
}

macro_rules! dense {
    ($d:literal, $wide:literal, [$($k:literal)*]) => {
        impl<B: Prime> Dense<B, $d> {
            /// Σ `terms` + Σ `low`, reduced; `low` has no coefficient above x^(D−1).
            #[inline]
            fn fold(&self, out: &mut [B::Elem; $d], terms: &[Term<[B::Wide; $wide]>], low: &[Term<[B::Wide; $d]>]) {
                let mut high: [B::Elem; $d - 1] = Blank::blank();
                for (j, h) in high.iter_mut().enumerate() {
                    self.base.reduce(h, List::new().pick(1, terms, $d + j).terms());
                }
                for (i, o) in out.iter_mut().enumerate() {
                    let mut products: [B::Wide; $d - 1] = Blank::blank();
                    for ((product, h), row) in products.iter_mut().zip(&high).zip(&self.powers) {
                        self.base.mul_wide(product, h, &row[i]);
                    }
                    let products = products.each_ref().map(plus);
                    self.base.reduce(o, List::new().pick(1, terms, i).pick(1, low, i).all(1, &products).terms());
                }
            }

            /// The product c of the other conjugates of a, and the norm a·c: with u = a^p, c = u^(1+p) for D = 3 and
            /// c = u^(1+p+p²+p³) for D = 5 (Itoh and Tsujii, Information and Computation 78, 1988).
            fn cofactor(&self, a: &[B::Elem; $d]) -> ([B::Elem; $d], B::Elem) {
                at! {self; u = frobenius(a, &()); up = frobenius(&u, &()); pair = mul(&u, &up);}
                let mut c = pair;
                if $d == 5 {
                    at! {self; once = frobenius(&c, &()); twice = frobenius(&once, &()); four = mul(&c, &twice);}
                    c = four;
                }
                at! {self; product = mul(a, &c);}
                let [norm, ..] = product;
                (c, norm)
            }
        }

        impl<B: Prime> Field for Dense<B, $d> {
            type Elem = [B::Elem; $d];
            type Wide = [B::Wide; $wide];
            type Mask = B::Mask;

            componentwise!($d);

            /// The schoolbook's method: on three words a product in F_p takes 5 ns, and a form of unreduced values, of which
            /// Karatsuba's method needs one or two for each product it saves, 8 to 10.
            fn mul_wide(&self, out: &mut Self::Wide, a: &Self::Elem, b: &Self::Elem) {
                $(self.product_coefficient::<$k>(&mut out[$k], a, b);)*
            }

            fn sqr_wide(&self, out: &mut Self::Wide, a: &Self::Elem) {
                let mut twice: [B::Elem; $d] = Blank::blank();
                for (t, x) in twice.iter_mut().zip(a).skip(1) {
                    self.base.add(t, x, x);
                }
                $(self.square_coefficient::<$k>(&mut out[$k], a, &twice);)*
            }

            #[inline]
            fn reduce(&self, out: &mut Self::Elem, terms: &[Term<Self::Wide>]) {
                self.fold(out, terms, &[]);
            }

            /// c/N with the cofactor and the norm below.
            fn inv(&self, out: &mut Self::Elem, a: &Self::Elem) {
                let (c, norm) = self.cofactor(a);
                at! {self.base; i = inv(&norm);}
                self.scale(out, &c, &i);
            }

            /// One inversion in the base for all.
            fn inv_many(&self, xs: &mut [Self::Elem]) {
                let (cofactors, mut norms): (Vec<_>, Vec<_>) = xs.iter().map(|x| self.cofactor(x)).unzip();
                self.base.inv_many(&mut norms);
                for ((x, c), i) in xs.iter_mut().zip(&cofactors).zip(&norms) {
                    self.scale(x, c, i);
                }
            }
        }

        impl<B: Prime> Extension for Dense<B, $d> {
            type Prime = B;
            /// The field has them.
            type Frobenius = ();
            const DEGREE: usize = $d;

            fn prime(&self) -> &B {
                &self.base
            }

            fn coefficients<'a>(&'a self, a: &'a Self::Elem, visit: &mut dyn FnMut(&'a B::Elem)) {
                a.iter().for_each(visit);
            }

            fn coefficients_mut(&self, a: &mut Self::Elem, visit: &mut dyn FnMut(&mut B::Elem)) {
                a.iter_mut().for_each(visit);
            }

            fn scale(&self, out: &mut Self::Elem, a: &Self::Elem, s: &B::Elem) {
                for (o, x) in out.iter_mut().zip(a) {
                    self.base.mul(o, x, s);
                }
            }

            /// 2D products, D reductions.
            fn scale_two(&self, out: &mut Self::Elem, a: &Self::Elem, s: &B::Elem, b: &Self::Elem, t: &B::Elem) {
                for ((o, x), y) in out.iter_mut().zip(a).zip(b) {
                    at! {self.base; xs = mul_wide(x, s); yt = mul_wide(y, t);}
                    self.base.reduce(o, &[plus(&xs), plus(&yt)]);
                }
            }

            /// One product, its reduction, and D products.
            fn mul_add(&self, out: &mut Self::Elem, a: &Self::Elem, b: &Self::Elem, c: &Self::Elem, s: &B::Elem) {
                at! {self; ab = mul_wide(a, b);}
                let mut cs: [B::Wide; $d] = Blank::blank();
                for (product, x) in cs.iter_mut().zip(c) {
                    self.base.mul_wide(product, x, s);
                }
                self.fold(out, &[plus(&ab)], &[plus(&cs)]);
            }

            /// By Horner's rule: D products for each power of x above the lowest that n has.
            fn times_small(&self, out: &mut Self::Elem, a: &Self::Elem, n: &[i32]) {
                let f = &self.base;
                let top = (0..$d).rev().find(|i| n[*i] != 0).unwrap_or(0);
                let mut sum = self.zero();
                self.sum(&mut sum, &[crate::times(n[top], a)]);
                for i in (0..top).rev() {
                    let mut next = self.zero();
                    for j in 0..$d {
                        at! {f; carried = mul(&sum[$d - 1], &self.powers[0][j]);}
                        let mut list = List::new();
                        list.all(1, &[plus(&carried), crate::times(n[i], &a[j])]);
                        if j > 0 {
                            list.all(1, &[plus(&sum[j - 1])]);
                        }
                        f.sum(&mut next[j], list.terms());
                    }
                    sum = next;
                }
                *out = sum;
            }

            fn frobenius_constants(&self) {}

            /// a0 + Σ a_j·x^(jp): D(D − 1) products.
            fn frobenius(&self, out: &mut Self::Elem, a: &Self::Elem, (): &()) {
                for (i, o) in out.iter_mut().enumerate() {
                    let mut products: [B::Wide; $d - 1] = Blank::blank();
                    for ((product, x), image) in products.iter_mut().zip(&a[1..]).zip(&self.images) {
                        self.base.mul_wide(product, x, &image[i]);
                    }
                    self.base.reduce(o, &products.each_ref().map(plus));
                }
                at! {self.base; constant = sum(&[plus(&a[0]), plus(&out[0])]);}
                out[0] = constant;
            }
        }

        impl<B: Prime> NonResidue<Dense<B, $d>> for Scalar<B::Elem> {
            #[inline]
            fn lin(
                &self,
                field: &Dense<B, $d>,
                out: &mut [B::Wide; $wide],
                terms: &[Term<[B::Wide; $wide]>],
                scaled: &[Term<[B::Wide; $wide]>],
            ) {
                let mut products: [B::Wide; $wide] = Blank::blank();
                self.scale_wide(field.base(), &mut products, scaled);
                field.lin(out, List::new().all(1, terms).all(1, &[plus(&products)]).terms());
            }

            #[inline]
            fn reduce(
                &self,
                field: &Dense<B, $d>,
                out: &mut [B::Elem; $d],
                terms: &[Term<[B::Wide; $wide]>],
                scaled: &[Term<[B::Wide; $wide]>],
            ) {
                let mut products: [B::Wide; $wide] = Blank::blank();
                self.scale_wide(field.base(), &mut products, scaled);
                field.reduce(out, List::new().all(1, terms).all(1, &[plus(&products)]).terms());
            }

            #[inline]
            fn sum(
                &self,
                field: &Dense<B, $d>,
                out: &mut [B::Elem; $d],
                terms: &[Term<[B::Elem; $d]>],
                scaled: &[Term<[B::Elem; $d]>],
            ) {
                at! {field; x = sum(scaled); product = scale(&x, &self.0);}
                field.sum(out, List::new().all(1, terms).all(1, &[plus(&product)]).terms());
            }
        }
    };
}

dense!(3, 5, [0 1 2 3 4]);
dense!(5, 9, [0 1 2 3 4 5 6 7 8]);

/// ν = an element of F_p, below a dense extension. A product by ν costs a product of F_p for each coefficient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar<E>(pub E);

impl<E> Scalar<E> {
    /// ν·Σ `scaled`, coefficient by coefficient.
    #[inline]
    fn scale_wide<B: Field<Elem = E>, const W: usize>(
        &self,
        base: &B,
        out: &mut [B::Wide; W],
        scaled: &[Term<[B::Wide; W]>],
    ) {
        for (k, o) in out.iter_mut().enumerate() {
            let mut x = base.zero();
            base.reduce(&mut x, List::new().pick(1, scaled, k).terms());
            base.mul_wide(o, &x, &self.0);
        }
    }
}
