//! Dense extensions F_p(x) = F_p\[x\]/(m) for a monic m of degree D with any coefficients.
//!
//! `Wide` is the product before its reduction modulo m, 2D − 1 coefficients, so that a sum of products is reduced
//! modulo m once. A reduction converts the D − 1 coefficients above x^(D−1) to elements and multiplies them by the
//! constants x^D, …, x^(2D−2) modulo m, inside the D sums that are reduced last. Costs in F_p (M products, S squares, R
//! reductions):
//!
//! | | D = 3 | D = 5 |
//! |---|---|---|
//! | product, unreduced | 9M | 25M |
//! | square, unreduced | 3M + 3S | 10M + 5S |
//! | its reduction | 6M + 5R | 20M + 9R |
//! | p-th power | 6M + 3R | 20M + 5R |
//! | inverse, and one in F_p | 45M + 19R | 220M + 52R |

use super::{NonResidue, masks};
use crate::at;
use crate::blank::Blank;
use crate::collect_vec::CollectVec;
use crate::contract::{Field, Prime};
use crate::extension::Extension;
use crate::term::{List, Term, plus, times};
use num_bigint::BigUint;

/// The field `base`(x), with elements a0, …, a(D−1) for Σ a_i·x^i.
#[derive(Clone)]
pub struct Dense<B: Field> {
    base: B,
    /// The constants x^D, …, x^(2D−2) modulo m.
    powers: Vec<Vec<B::Elem>>,
    /// The constants x^p, x^(2p), …, x^((D−1)p) modulo m.
    images: Vec<Vec<B::Elem>>,
}

impl<B: Prime> Dense<B> {
    /// Creates `base`\[x\]/(x^D + Σ c_i·x^i) for an irreducible polynomial, given by c_0, …, c_(D−1).
    ///
    /// # Panics
    /// Panics if D < 2, or D > 12: forms have 24 terms at most.
    pub fn new(base: B, coefficients: &[BigUint]) -> Self {
        let d = coefficients.len();
        assert!((2..=12).contains(&d), "an extension of degree {d}: degrees 2 to 12 are supported");
        let p = base.modulus();
        let powers = powers(coefficients, p);
        // x^p by square-and-multiply on integers, since not every machine has values
        let x: Vec<BigUint> = (0..d).map(|i| u32::from(i == 1).into()).collect();
        let mut image = x.clone();
        for bit in (0..p.bits() - 1).rev() {
            image = product(&image, &image, &powers, p);
            if p.bit(bit) {
                image = product(&image, &x, &powers, p);
            }
        }
        let mut images = vec![image];
        for j in 1..d - 1 {
            images.push(product(&images[j - 1], &images[0], &powers, p));
        }
        let constants = |rows: &[Vec<BigUint>]| -> Vec<Vec<B::Elem>> {
            rows.iter().map(|row| row.iter().map(|x| base.constant(x)).collect_vec()).collect_vec()
        };
        let (powers, images) = (constants(&powers), constants(&images));
        Dense { base, powers, images }
    }

    /// Computes Σ `terms` + Σ `low`, reduced; `low` has no coefficient above x^(D−1).
    fn fold(&self, out: &mut Vec<B::Elem>, terms: &[Term<Vec<B::Wide>>], low: &[Term<Vec<B::Wide>>]) {
        let d = self.degree();
        let mut high = blanks(d - 1);
        for (j, h) in high.iter_mut().enumerate() {
            self.base.reduce(h, List::new().of_each(terms, |x| &x[d + j]).terms());
        }
        for (i, o) in place(out, d).iter_mut().enumerate() {
            let mut products = blanks(d - 1);
            for ((product, h), row) in products.iter_mut().zip(&high).zip(&self.powers) {
                self.base.mul_wide(product, h, &row[i]);
            }
            let mut list = List::new();
            list.of_each(terms, |x| &x[i]).of_each(low, |x| &x[i]);
            products.iter().for_each(|product| {
                list.all(1, &[plus(product)]);
            });
            self.base.reduce(o, list.terms());
        }
    }

    /// Returns the product c of the other conjugates of a, and the norm a·c: c = u^(1 + p + … + p^(D−2)) with u = a^p
    /// (Itoh and Tsujii, Information and Computation 78, 1988).
    fn cofactor(&self, a: &Vec<B::Elem>) -> (Vec<B::Elem>, B::Elem) {
        at! {self; u = frobenius(a, &());}
        let count = self.degree() - 1;
        let (mut c, mut m) = (u.clone(), 1); // c = u^(1 + p + … + p^(m−1)), m the first bits of D − 1
        for bit in (0..count.ilog2()).rev() {
            let mut power = c.clone();
            for _ in 0..m {
                at! {self; next = frobenius(&power, &());}
                power = next; // c^(p^i)
            }
            at! {self; twice = mul(&c, &power);}
            (c, m) = (twice, 2 * m);
            if count >> bit & 1 == 1 {
                at! {self; power = frobenius(&c, &()); more = mul(&u, &power);}
                (c, m) = (more, m + 1);
            }
        }
        at! {self; product = mul(a, &c);}
        let norm = product.swap_remove(0);
        (c, norm)
    }

    /// The base field.
    pub fn base(&self) -> &B {
        &self.base
    }

    /// Computes coefficient k of a·b: Σ a_i·b_(k−i).
    fn product_coefficient(&self, k: usize, out: &mut B::Wide, a: &[B::Elem], b: &[B::Elem]) {
        let first = (k + 1).saturating_sub(self.degree());
        let count = k + 1 - 2 * first;
        if count == 1 {
            return self.base.mul_wide(out, &a[first], &b[first]);
        }
        let mut products = blanks(count);
        for (i, product) in products.iter_mut().enumerate() {
            self.base.mul_wide(product, &a[first + i], &b[k - first - i]);
        }
        self.base.lin(out, &products.iter().map(plus).collect_vec());
    }

    /// Computes coefficient k of a²: a_(k/2)² + Σ a_i·(2a_(k−i)) over i < k − i. `twice` is 2a.
    fn square_coefficient(&self, k: usize, out: &mut B::Wide, a: &[B::Elem], twice: &[B::Elem]) {
        let first = (k + 1).saturating_sub(self.degree());
        let (pairs, middle) = (k.div_ceil(2) - first, k.is_multiple_of(2));
        match (pairs, middle) {
            (0, _) => return self.base.sqr_wide(out, &a[k / 2]),
            (1, false) => return self.base.mul_wide(out, &a[first], &twice[k - first]),
            _ => {}
        }
        let mut products = blanks(pairs + usize::from(middle));
        for (i, product) in products[..pairs].iter_mut().enumerate() {
            self.base.mul_wide(product, &a[first + i], &twice[k - first - i]);
        }
        if middle {
            self.base.sqr_wide(&mut products[pairs], &a[k / 2]);
        }
        self.base.lin(out, &products.iter().map(plus).collect_vec());
    }
}

/// Returns n blanks.
fn blanks<T: Blank>(n: usize) -> Vec<T> {
    (0..n).map(|_| T::blank()).collect_vec()
}

/// Resizes a vector to n places, whatever their content.
fn place<T: Blank>(out: &mut Vec<T>, n: usize) -> &mut [T] {
    out.resize_with(n, T::blank);
    out
}

/// Returns x^D, …, x^(2D−2) modulo x^D + Σ c_i·x^i.
fn powers(coefficients: &[BigUint], p: &BigUint) -> Vec<Vec<BigUint>> {
    let first: Vec<BigUint> = coefficients.iter().map(|c| (p - c % p) % p).collect();
    let d = first.len();
    let mut rows = vec![first];
    for j in 1..d - 1 {
        // x·Σ a_i·x^i = Σ a_(i−1)·x^i + a_(D−1)·x^D
        let (row, first) = (&rows[j - 1], &rows[0]);
        let shifted = |i: usize| if i == 0 { BigUint::ZERO } else { row[i - 1].clone() };
        rows.push((0..d).map(|i| (shifted(i) + &row[d - 1] * &first[i]) % p).collect());
    }
    rows
}

/// Returns a·b modulo the polynomial that gives the `powers`.
fn product(a: &[BigUint], b: &[BigUint], powers: &[Vec<BigUint>], p: &BigUint) -> Vec<BigUint> {
    let d = a.len();
    let coefficient = |k: usize| {
        let first = (k + 1).saturating_sub(d);
        (first..=k.min(d - 1)).map(|i| &a[i] * &b[k - i]).sum::<BigUint>()
    };
    let reduced = |i: usize| {
        powers.iter().enumerate().fold(coefficient(i), |sum, (j, row)| sum + coefficient(d + j) * &row[i]) % p
    };
    (0..d).map(reduced).collect()
}

impl<B: Prime> Field for Dense<B> {
    type Elem = Vec<B::Elem>;
    type Wide = Vec<B::Wide>;
    type Mask = B::Mask;

    masks!();

    fn zero(&self) -> Self::Elem {
        vec![self.base.zero(); self.degree()]
    }

    fn one(&self) -> Self::Elem {
        let mut one = self.zero();
        one[0] = self.base.one();
        one
    }

    /// Computes a·b by the schoolbook method: on three words a product in F_p takes 5 ns, and a form of unreduced
    /// values, of which Karatsuba's method needs one or two for each product that it saves, takes 8 to 10 ns.
    fn mul_wide(&self, out: &mut Self::Wide, a: &Self::Elem, b: &Self::Elem) {
        for (k, o) in place(out, 2 * self.degree() - 1).iter_mut().enumerate() {
            self.product_coefficient(k, o, a, b);
        }
    }

    fn sqr_wide(&self, out: &mut Self::Wide, a: &Self::Elem) {
        let mut twice = blanks(self.degree());
        for (t, x) in twice.iter_mut().zip(a).skip(1) {
            self.base.add(t, x, x);
        }
        for (k, o) in place(out, 2 * self.degree() - 1).iter_mut().enumerate() {
            self.square_coefficient(k, o, a, &twice);
        }
    }

    fn lin(&self, out: &mut Self::Wide, terms: &[Term<Self::Wide>]) {
        for (k, o) in place(out, 2 * self.degree() - 1).iter_mut().enumerate() {
            self.base.lin(o, List::new().of_each(terms, |x| &x[k]).terms());
        }
    }

    fn reduce(&self, out: &mut Self::Elem, terms: &[Term<Self::Wide>]) {
        self.fold(out, terms, &[]);
    }

    fn add(&self, out: &mut Self::Elem, a: &Self::Elem, b: &Self::Elem) {
        for (o, (x, y)) in place(out, self.degree()).iter_mut().zip(a.iter().zip(b)) {
            self.base.add(o, x, y);
        }
    }

    fn three_and_two(&self, out: &mut Self::Elem, p: &Self::Elem, x: &Self::Elem, subtract: bool) {
        for (o, (p, x)) in place(out, self.degree()).iter_mut().zip(p.iter().zip(x)) {
            self.base.three_and_two(o, p, x, subtract);
        }
    }

    fn sum(&self, out: &mut Self::Elem, terms: &[Term<Self::Elem>]) {
        for (i, o) in place(out, self.degree()).iter_mut().enumerate() {
            self.base.sum(o, List::new().of_each(terms, |x| &x[i]).terms());
        }
    }

    fn select(&self, out: &mut Self::Elem, mask: Self::Mask, a: &Self::Elem, b: &Self::Elem) {
        for (o, (x, y)) in place(out, self.degree()).iter_mut().zip(a.iter().zip(b)) {
            self.base.select(o, mask, x, y);
        }
    }

    fn is_zero(&self, a: &Self::Elem) -> Self::Mask {
        a[1..].iter().fold(self.base.is_zero(&a[0]), |zero, x| self.base.and(zero, self.base.is_zero(x)))
    }

    /// Computes c/N from the cofactor and the norm.
    fn inv(&self, out: &mut Self::Elem, a: &Self::Elem) {
        let (c, norm) = self.cofactor(a);
        at! {self.base; i = inv(&norm);}
        self.scale(out, &c, &i);
    }

    /// Inverts all elements with one inversion in the base.
    fn inv_many(&self, xs: &mut [Self::Elem]) {
        let (cofactors, mut norms): (Vec<_>, Vec<_>) = xs.iter().map(|x| self.cofactor(x)).unzip();
        self.base.inv_many(&mut norms);
        for ((x, c), i) in xs.iter_mut().zip(&cofactors).zip(&norms) {
            self.scale(x, c, i);
        }
    }
}

impl<B: Prime> Extension for Dense<B> {
    type Prime = B;
    /// Empty: the field itself holds the constants.
    type Frobenius = ();
    const TOWER: bool = false;

    fn degree(&self) -> usize {
        self.powers.len() + 1
    }

    fn prime(&self) -> &B {
        &self.base
    }

    fn coefficients<'a>(&'a self, a: &'a Self::Elem, visit: &mut dyn FnMut(&'a B::Elem)) {
        a.iter().for_each(visit);
    }

    fn coefficients_mut(&self, a: &mut Self::Elem, visit: &mut dyn FnMut(&mut B::Elem)) {
        place(a, self.degree()).iter_mut().for_each(visit);
    }

    fn scale(&self, out: &mut Self::Elem, a: &Self::Elem, s: &B::Elem) {
        for (o, x) in place(out, self.degree()).iter_mut().zip(a) {
            self.base.mul(o, x, s);
        }
    }

    /// Takes 2D products and D reductions.
    fn scale_two(&self, out: &mut Self::Elem, a: &Self::Elem, s: &B::Elem, b: &Self::Elem, t: &B::Elem) {
        for (o, (x, y)) in place(out, self.degree()).iter_mut().zip(a.iter().zip(b)) {
            at! {self.base; xs = mul_wide(x, s); yt = mul_wide(y, t);}
            self.base.reduce(o, &[plus(&xs), plus(&yt)]);
        }
    }

    /// Takes one product, its reduction, and D products.
    fn mul_add(&self, out: &mut Self::Elem, a: &Self::Elem, b: &Self::Elem, c: &Self::Elem, s: &B::Elem) {
        at! {self; ab = mul_wide(a, b);}
        let mut cs = blanks(self.degree());
        for (product, x) in cs.iter_mut().zip(c) {
            self.base.mul_wide(product, x, s);
        }
        self.fold(out, &[plus(&ab)], &[plus(&cs)]);
    }

    /// Multiplies by Horner's rule: D products for each power of x above the lowest that n has.
    fn times_small(&self, out: &mut Self::Elem, a: &Self::Elem, n: &[i32]) {
        let (f, d) = (&self.base, self.degree());
        let top = (0..d).rev().find(|i| n[*i] != 0).unwrap_or(0);
        let mut sum = self.zero();
        self.sum(&mut sum, &[times(n[top], a)]);
        for i in (0..top).rev() {
            let mut next = self.zero();
            for j in 0..d {
                at! {f; carried = mul(&sum[d - 1], &self.powers[0][j]);}
                let mut list = List::new();
                list.all(1, &[plus(&carried), times(n[i], &a[j])]);
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

    /// Computes a0 + Σ a_j·x^(jp): D(D − 1) products.
    fn frobenius(&self, out: &mut Self::Elem, a: &Self::Elem, (): &()) {
        let d = self.degree();
        for (i, o) in place(out, d).iter_mut().enumerate() {
            let mut products = blanks(d - 1);
            for ((product, x), image) in products.iter_mut().zip(&a[1..]).zip(&self.images) {
                self.base.mul_wide(product, x, &image[i]);
            }
            self.base.reduce(o, &products.iter().map(plus).collect_vec());
        }
        out[0] = at!(self.base; sum(&[plus(&a[0]), plus(&out[0])]));
    }
}

/// The non-residue ν as an element of F_p, below a dense extension. A product by ν costs one product of F_p for each
/// coefficient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar<E>(pub E);

impl<E> Scalar<E> {
    /// Computes ν·Σ `scaled`, coefficient by coefficient.
    fn scale_wide<B: Prime<Elem = E>>(&self, field: &Dense<B>, scaled: &[Term<Vec<B::Wide>>]) -> Vec<B::Wide> {
        let base = &field.base;
        let mut out = blanks(2 * field.degree() - 1);
        for (k, o) in out.iter_mut().enumerate() {
            let mut x = base.zero();
            base.reduce(&mut x, List::new().of_each(scaled, |x| &x[k]).terms());
            base.mul_wide(o, &x, &self.0);
        }
        out
    }
}

/// Computes Σ `terms` + ν·Σ `scaled` of unreduced values, by the field's form of the same name.
macro_rules! with_multiples {
    ($name:ident, $out:ident) => {
        fn $name(
            &self,
            field: &Dense<B>,
            out: &mut Vec<B::$out>,
            terms: &[Term<Vec<B::Wide>>],
            scaled: &[Term<Vec<B::Wide>>],
        ) {
            let product = self.scale_wide(field, scaled);
            field.$name(out, List::new().all(1, terms).all(1, &[plus(&product)]).terms());
        }
    };
}

impl<B: Prime> NonResidue<Dense<B>> for Scalar<B::Elem> {
    with_multiples!(lin, Wide);
    with_multiples!(reduce, Elem);

    fn sum(
        &self,
        field: &Dense<B>,
        out: &mut Vec<B::Elem>,
        terms: &[Term<Vec<B::Elem>>],
        scaled: &[Term<Vec<B::Elem>>],
    ) {
        at! {field; x = sum(scaled); product = scale(&x, &self.0);}
        field.sum(out, List::new().all(1, terms).all(1, &[plus(&product)]).terms());
    }
}
