//! F_2^12m over F_2^m, for m prime to 6: F_2^2m by ω with ω² = ω + 1, F_2^6m by w with w³ = ω(w² + w + 1), F_2^12m by s with s² = s + ω.
//! An element is [A0, A1] for A0 + A1·s, A = [c0, c1, c2] for c0 + c1·w + c2·w², c = [x, y] for x + y·ω.
//!
//! A product in F_2^6m is computed from its values at w = 0, 1, ω, ω² and ∞ (Toom and Cook's method; the points are
//! those of F_4): 5 products in F_2^2m, each of 3 in F_2^m. A product in F_2^12m takes 45 products, side by side.
//! Powers by 2^n are linear: they take 12n squarings, and sums, since ω ↦ ω + 1, w ↦ w², w² ↦ w² + w + ω² and
//! s ↦ s + ω. The power by 2^m takes no squaring, and the power by 2^6m is s ↦ s + 1. An element is called unitary if this
//! power is its inverse.

use crate::unitary_power::Unitary;
use bilinear_field::binary::{Binary, Power};
use bilinear_field::{Blank, Field, at, plus};

/// An element of F_2^2m.
pub type Pair<F> = [<F as Field>::Elem; 2];
/// An element of F_2^6m.
pub type Six<F> = [Pair<F>; 3];
/// An element of F_2^12m.
pub type Twelve<F> = [Six<F>; 2];

/// Returns a + b in F_2^2m.
#[inline]
pub(super) fn sum2<F: Field>(f: &F, a: &Pair<F>, b: &Pair<F>) -> Pair<F> {
    at! {f; x = add(&a[0], &b[0]); y = add(&a[1], &b[1]);}
    [x, y]
}

/// Returns a·ω = y + (x + y)·ω.
#[inline]
pub(super) fn by_omega<F: Field>(f: &F, [x, y]: &Pair<F>) -> Pair<F> {
    at! {f; sum = add(x, y);}
    [y.clone(), sum]
}

/// Returns a^(2^m) in F_2^2m: ω ↦ ω + 1.
#[inline]
pub(super) fn conjugate2<F: Field>(f: &F, [x, y]: &Pair<F>) -> Pair<F> {
    at! {f; sum = add(x, y);}
    [sum, y.clone()]
}

/// Returns a·b in F_2^2m: 3 products.
pub(super) fn mul2<F: Field>(f: &F, a: &Pair<F>, b: &Pair<F>) -> Pair<F> {
    let mut products: [F::Elem; 3] = Blank::blank();
    at! {f; x = add(&a[0], &a[1]); y = add(&b[0], &b[1]);}
    f.mul_all(&mut products, [&a[0], &a[1], &x], [&b[0], &b[1], &y]);
    let mut out: Pair<F> = Blank::blank();
    from_products(f, &mut out, products.each_ref());
    out
}

/// The intermediate results of two products in F_2^2m.
pub(super) struct PairScratch<F: Field> {
    sums: [F::Elem; 4],
    products: [F::Elem; 6],
}

impl<F: Field> Default for PairScratch<F> {
    #[inline]
    fn default() -> Self {
        PairScratch { sums: Blank::blank(), products: Blank::blank() }
    }
}

/// Computes a·b and c·d in F_2^2m, side by side: 6 products.
pub(super) fn mul2_two<F: Field>(
    f: &F,
    [first, second]: [&mut Pair<F>; 2],
    [a, c]: [&Pair<F>; 2],
    [b, d]: [&Pair<F>; 2],
    PairScratch { sums: [x, y, z, t], products }: &mut PairScratch<F>,
) {
    for (sum, pair) in [(&mut *x, a), (&mut *y, b), (&mut *z, c), (&mut *t, d)] {
        f.add(sum, &pair[0], &pair[1]);
    }
    f.mul_all(products, [&a[0], &a[1], x, &c[0], &c[1], z], [&b[0], &b[1], y, &d[0], &d[1], t]);
    let [p0, p1, p2, q0, q1, q2] = &*products;
    from_products(f, first, [p0, p1, p2]);
    from_products(f, second, [q0, q1, q2]);
}

/// Computes (x0 + x1·ω)(y0 + y1·ω) from x0·y0, x1·y1 and (x0 + x1)(y0 + y1): x0·y0 + x1·y1·ω² +
/// (the third + x0·y0 + x1·y1)·ω.
#[inline]
fn from_products<F: Field>(f: &F, out: &mut Pair<F>, [low, high, both]: [&F::Elem; 3]) {
    f.add(&mut out[0], low, high);
    f.add(&mut out[1], low, both);
}

/// Returns A + B in F_2^6m.
#[inline]
pub(super) fn sum6<F: Field>(f: &F, a: &Six<F>, b: &Six<F>) -> Six<F> {
    std::array::from_fn(|i| sum2(f, &a[i], &b[i]))
}

/// Returns A·ω.
#[inline]
fn by_omega6<F: Field>(f: &F, a: &Six<F>) -> Six<F> {
    std::array::from_fn(|i| by_omega(f, &a[i]))
}

/// The operands of the 15 products in a product in F_2^6m, except for coefficients: x + y at 0, x, y and x + y at 1,
/// ω and ω², x + y at ∞, for values x + y·ω.
type Sums<E> = [E; 11];

/// The intermediate results of products, in place: elements of many lanes are not moved.
pub struct Scratch<F: Field> {
    sums: [Sums<F::Elem>; 4],
    thirds: [[F::Elem; 15]; 2],
    products: [[F::Elem; 15]; 3],
    values: [[Pair<F>; 5]; 2],
    mixed: [F::Elem; 7],
}

impl<F: Field> Default for Scratch<F> {
    #[inline]
    fn default() -> Self {
        Scratch {
            sums: Blank::blank(),
            thirds: Blank::blank(),
            products: Blank::blank(),
            values: Blank::blank(),
            mixed: Blank::blank(),
        }
    }
}

fn sums<F: Field>(f: &F, out: &mut Sums<F::Elem>, mixed: &mut [F::Elem; 7], [c0, c1, c2]: &Six<F>) {
    let [s0, x1, y1, s1, x2, y2, s2, x3, y3, s3, s4] = out;
    let [upper_x, upper_y, x, y, ..] = mixed;
    f.add(upper_x, &c1[0], &c2[0]);
    f.add(upper_y, &c1[1], &c2[1]);
    // c0 + ω(c1 + c2)
    f.add(x, &c0[0], upper_y);
    f.sum(y, &[plus(&c0[1]), plus(upper_x), plus(upper_y)]);
    f.add(s0, &c0[0], &c0[1]);
    f.add(x1, &c0[0], upper_x);
    f.add(y1, &c0[1], upper_y);
    f.add(s1, x1, y1);
    f.add(x2, x, &c2[0]);
    f.add(y2, y, &c2[1]);
    f.add(s2, x2, y2);
    f.add(x3, x, &c1[0]);
    f.add(y3, y, &c1[1]);
    f.add(s3, x3, y3);
    f.add(s4, &c2[0], &c2[1]);
}

/// Returns all 15 operands.
#[inline]
fn factors<'a, E>([c0, _, c2]: &'a [[E; 2]; 3], sums: &'a Sums<E>) -> [&'a E; 15] {
    let [s0, x1, y1, s1, x2, y2, s2, x3, y3, s3, s4] = sums;
    [&c0[0], &c0[1], s0, x1, y1, s1, x2, y2, s2, x3, y3, s3, &c2[0], &c2[1], s4]
}

/// Computes the product from its values at 0, 1, ω, ω² and ∞, modulo the polynomial of w.
fn interpolated<F: Field>(f: &F, out: &mut Six<F>, mixed: &mut [F::Elem; 7], [v0, v1, v2, v3, v4]: &[Pair<F>; 5]) {
    let [between0, between1, third0, third1, turned, common0, common1] = mixed;
    // the coefficients are v0, v1 + ω²·v2 + ω·v3 + v4, v1 + ω·v2 + ω²·v3, v0 + v1 + v2 + v3 and v4
    f.add(between0, &v2[0], &v3[0]);
    f.add(between1, &v2[1], &v3[1]);
    f.sum(third0, &[plus(&v0[0]), plus(&v1[0]), plus(between0)]);
    f.sum(third1, &[plus(&v0[1]), plus(&v1[1]), plus(between1)]);
    // ω·c3 = third1 + turned·ω
    f.add(turned, third0, third1);
    // the common part of c1 + ω·c3 + c4 and c2 + ω·c3 + c4
    f.sum(common0, &[plus(between1), plus(&v1[0]), plus(third1)]);
    f.sum(common1, &[plus(between0), plus(between1), plus(&v1[1]), plus(turned)]);
    // w³ = ω·w² + ω·w + ω, w⁴ = w² + w + ω²
    let [[x0, y0], [x1, y1], [x2, y2]] = out;
    f.sum(x0, &[plus(&v0[0]), plus(third1), plus(&v4[0]), plus(&v4[1])]);
    f.sum(y0, &[plus(&v0[1]), plus(turned), plus(&v4[0])]);
    f.add(x1, common0, &v2[0]);
    f.add(y1, common1, &v2[1]);
    f.sum(x2, &[plus(common0), plus(&v3[0]), plus(&v4[0])]);
    f.sum(y2, &[plus(common1), plus(&v3[1]), plus(&v4[1])]);
}

/// Computes A·B in F_2^6m: 15 products.
pub(super) fn mul6<F: Field>(f: &F, out: &mut Six<F>, a: &Six<F>, b: &Six<F>, scratch: &mut Scratch<F>) {
    let Scratch { sums: [x, y, ..], products: [p, ..], values: [values, _], mixed, .. } = scratch;
    sums(f, x, mixed, a);
    sums(f, y, mixed, b);
    f.mul_all(p, factors(a, x), factors(b, y));
    for i in 0..5 {
        from_products(f, &mut values[i], [&p[3 * i], &p[3 * i + 1], &p[3 * i + 2]]);
    }
    interpolated(f, out, mixed, values);
}

/// Computes a·b: 45 products.
pub fn mul_into<F: Field>(f: &F, out: &mut Twelve<F>, a: &Twelve<F>, b: &Twelve<F>, scratch: &mut Scratch<F>) {
    let Scratch { sums: [a0, a1, b0, b1], thirds: [a2, b2], products: [p, q, n], values: [lower, upper], mixed } =
        scratch;
    sums(f, a0, mixed, &a[0]);
    sums(f, a1, mixed, &a[1]);
    sums(f, b0, mixed, &b[0]);
    sums(f, b1, mixed, &b[1]);
    let (a0, a1) = (factors(&a[0], a0), factors(&a[1], a1));
    let (b0, b1) = (factors(&b[0], b0), factors(&b[1], b1));
    for i in 0..15 {
        f.add(&mut a2[i], a0[i], a1[i]);
        f.add(&mut b2[i], b0[i], b1[i]);
    }
    f.mul_all(p, a0, b0);
    f.mul_all(q, a1, b1);
    f.mul_all(n, a2.each_ref(), b2.each_ref());
    // A0·B0 + ω·A1·B1 + (the third + A0·B0)·s, at each point
    for i in 0..5 {
        let [p0, p1, p2] = [&p[3 * i], &p[3 * i + 1], &p[3 * i + 2]];
        let [q0, q1, q2] = [&q[3 * i], &q[3 * i + 1], &q[3 * i + 2]];
        let [n0, n1, n2] = [&n[3 * i], &n[3 * i + 1], &n[3 * i + 2]];
        f.sum(&mut lower[i][0], &[plus(p0), plus(p1), plus(q0), plus(q2)]);
        f.sum(&mut lower[i][1], &[plus(p0), plus(p2), plus(q1), plus(q2)]);
        f.sum(&mut upper[i][0], &[plus(n0), plus(n1), plus(p0), plus(p1)]);
        f.sum(&mut upper[i][1], &[plus(n0), plus(n2), plus(p0), plus(p2)]);
    }
    let [low, high] = out;
    interpolated(f, low, mixed, lower);
    interpolated(f, high, mixed, upper);
}

/// Computes the square of an element of F_2^6m whose coefficients are squared already.
fn turned6<F: Field>(f: &F, out: &mut Six<F>, a: &Six<F>) {
    // c0 + c2 + ω·c2, c2 and c1 + c2, all conjugates: w ↦ w², w² ↦ w² + w + ω²
    f.sum(&mut out[0][0], &[plus(&a[0][0]), plus(&a[0][1]), plus(&a[2][0])]);
    f.sum(&mut out[0][1], &[plus(&a[0][1]), plus(&a[2][0]), plus(&a[2][1])]);
    f.add(&mut out[1][0], &a[2][0], &a[2][1]);
    out[1][1].clone_from(&a[2][1]);
    f.sum(&mut out[2][0], &[plus(&a[1][0]), plus(&a[1][1]), plus(&a[2][0]), plus(&a[2][1])]);
    f.add(&mut out[2][1], &a[1][1], &a[2][1]);
}

/// Computes the power by 8 of an element of F_2^6m whose coefficients have it already: w ↦ w + 1, w² ↦ w² + 1.
fn turned6_thrice<F: Field>(f: &F, out: &mut Six<F>, a: &Six<F>, mixed: &mut F::Elem) {
    // c0 + c1 + c2, c1 and c2, all conjugates
    f.sum(mixed, &[plus(&a[0][1]), plus(&a[1][1]), plus(&a[2][1])]);
    f.sum(&mut out[0][0], &[plus(&a[0][0]), plus(&a[1][0]), plus(&a[2][0]), plus(mixed)]);
    out[0][1].clone_from(mixed);
    for i in 1..3 {
        f.add(&mut out[i][0], &a[i][0], &a[i][1]);
        out[i][1].clone_from(&a[i][1]);
    }
}

/// Returns the sum of the basis to the power 2^n with a's coefficients. This is x^(2^n) for the element x whose
/// coefficients to this power are those of a; for n = m, or m modulo 12, it is a^(2^m). It takes no product and no
/// squaring.
pub fn frobenius<F: Field>(f: &F, a: &Twelve<F>, n: usize) -> Twelve<F> {
    let (mut out, mut next): (Twelve<F>, Twelve<F>) = (a.clone(), Blank::blank());
    for _ in 0..n / 3 % 4 {
        eighth(f, &mut next, &out);
        std::mem::swap(&mut out, &mut next);
    }
    let mut low: Six<F> = Blank::blank();
    for _ in 0..n % 3 {
        // s ↦ s + ω
        turned6(f, &mut low, &out[0]);
        turned6(f, &mut next[1], &out[1]);
        next[0] = sum6(f, &low, &by_omega6(f, &next[1]));
        std::mem::swap(&mut out, &mut next);
    }
    out
}

/// Computes what [`frobenius`] does for the power by 8: s ↦ s + ω².
pub(super) fn eighth<F: Field>(f: &F, out: &mut Twelve<F>, a: &Twelve<F>) {
    let mut low: Six<F> = Blank::blank();
    let [out0, out1] = out;
    let mut mixed = Blank::blank();
    turned6_thrice(f, &mut low, &a[0], &mut mixed);
    turned6_thrice(f, out1, &a[1], &mut mixed);
    for i in 0..3 {
        f.sum(&mut out0[i][0], &[plus(&low[i][0]), plus(&out1[i][0]), plus(&out1[i][1])]);
        f.add(&mut out0[i][1], &low[i][1], &out1[i][0]);
    }
}

/// Returns a^(2^n) by the power by 2^n in F_2^m, without a squaring.
pub(super) fn power_of<const N: usize>(
    f: &Binary<N>,
    power: &Power<N>,
    a: &Twelve<Binary<N>>,
    n: usize,
) -> Twelve<Binary<N>> {
    let mut out: Twelve<Binary<N>> = Blank::blank();
    for (out, a) in out.iter_mut().zip(a) {
        let [[c0, c1], [c2, c3], [c4, c5]] = a;
        let [c0, c1, c2, c3, c4, c5] = power.of([c0, c1, c2, c3, c4, c5]);
        *out = [[c0, c1], [c2, c3], [c4, c5]];
    }
    frobenius(f, &out, n)
}

/// Returns a·a^(2^6m) = A0² + A0·A1 + ω·A1².
fn norm<F: Field>(f: &F, a: &Twelve<F>, scratch: &mut Scratch<F>) -> Six<F> {
    let square = Over(f).sqr_times(a, 1); // whose first coefficient is A0² + ω·A1²
    let mut product: Six<F> = Blank::blank();
    mul6(f, &mut product, &a[0], &a[1], scratch);
    sum6(f, &product, &square[0])
}

/// Returns B·C and the norm of A to F_2^2m, from which 1/A is computed. B and C are the conjugates of A over that
/// field, and m is the degree of the field below.
fn cofactor<F: Field>(f: &F, a: &Six<F>, m: usize, scratch: &mut Scratch<F>) -> (Six<F>, Pair<F>) {
    let power = |a: &Six<F>| {
        let (mut out, mut next): (Six<F>, Six<F>) = (a.clone(), Blank::blank());
        for _ in 0..2 * m % 6 {
            turned6(f, &mut next, &out);
            std::mem::swap(&mut out, &mut next);
        }
        out
    };
    let b = power(a);
    let [mut product, mut norm]: [Six<F>; 2] = Blank::blank();
    mul6(f, &mut product, &b, &power(&b), scratch);
    mul6(f, &mut norm, a, &product, scratch);
    let [norm, ..] = norm;
    (product, norm)
}

/// Returns a^(2^6m − 1) for each a over a field of degree m, and 0 for 0, with one inversion in that field for all.
pub fn unitary<F: Field>(f: &F, values: &[Twelve<F>], m: usize) -> Vec<Twelve<F>> {
    let mut scratch = Scratch::default();
    let cofactors: Vec<(Six<F>, Pair<F>)> = values
        .iter()
        .map(|a| {
            let norm = norm(f, a, &mut scratch);
            cofactor(f, &norm, m, &mut scratch)
        })
        .collect();
    // 1/(x + y·ω) = (x + y + y·ω)/(x² + x·y + y²)
    let small = cofactors.iter().map(|(_, [x, y])| {
        at! {f; n = add(x, y); square = sqr(&n); product = mul(x, y); norm = add(&square, &product);}
        norm
    });
    let mut inverses: Vec<F::Elem> = small.collect();
    f.inv_many(&mut inverses);
    let mut quotient = |a: &Twelve<F>, (product, n): &(Six<F>, Pair<F>), inverse: &F::Elem| {
        let [n0, n1] = conjugate2(f, n);
        at! {f; x = mul(&n0, inverse); y = mul(&n1, inverse);}
        let inverse_norm = [x, y];
        let inverse = product.each_ref().map(|c| mul2(f, c, &inverse_norm));
        // conj(a)/a = conj(a)²/(a·conj(a))
        let square = Over(f).sqr_times(&Over(f).conjugate(a), 1);
        let mut out: Twelve<F> = Blank::blank();
        for i in 0..2 {
            mul6(f, &mut out[i], &square[i], &inverse, &mut scratch);
        }
        out
    };
    let parts = values.iter().zip(cofactors.iter().zip(&inverses));
    parts.map(|(a, (c, inverse))| quotient(a, c, inverse)).collect()
}

/// A product that grows, held in one of two places in turn.
pub(super) struct Product<F: Field> {
    places: [Twelve<F>; 2],
    second: bool,
    scratch: Scratch<F>,
}

impl<F: Field> Product<F> {
    pub(super) fn new(value: Twelve<F>) -> Self {
        Product { places: [value, Blank::blank()], second: false, scratch: Scratch::default() }
    }

    pub(super) fn value(&self) -> &Twelve<F> {
        &self.places[usize::from(self.second)]
    }

    pub(super) fn set(&mut self, value: &Twelve<F>) {
        self.places[usize::from(self.second)].clone_from(value);
    }

    /// Multiplies the product by a factor.
    pub(super) fn times(&mut self, f: &F, factor: &Twelve<F>) {
        let [first, second] = &mut self.places;
        let (value, next) = if self.second { (second, first) } else { (first, second) };
        mul_into(f, next, value, factor, &mut self.scratch);
        self.second = !self.second;
    }

    /// Raises the product to the power of 8.
    pub(super) fn octuple(&mut self, f: &F) {
        let [first, second] = &mut self.places;
        let (value, next) = if self.second { (second, first) } else { (first, second) };
        f.sqr_all(value.as_flattened_mut().as_flattened_mut(), 3);
        eighth(f, next, value);
        self.second = !self.second;
    }
}

/// The tower over a field.
pub struct Over<'f, F>(pub &'f F);

impl<F: Field> Unitary for Over<'_, F> {
    type Field = F;
    type Elem = Twelve<F>;

    fn field(&self) -> &F {
        self.0
    }
    fn degree(&self) -> usize {
        12
    }
    fn coefficients<'a>(&self, a: &'a Twelve<F>) -> &'a [F::Elem] {
        a.as_flattened().as_flattened()
    }
    fn element(&self, mut next: impl FnMut() -> F::Elem) -> Twelve<F> {
        std::array::from_fn(|_| std::array::from_fn(|_| std::array::from_fn(|_| next())))
    }

    /// Returns a·b: 45 products.
    fn mul(&self, a: &Twelve<F>, b: &Twelve<F>) -> Twelve<F> {
        let mut out: Twelve<F> = Blank::blank();
        mul_into(self.0, &mut out, a, b, &mut Scratch::default());
        out
    }

    /// Returns a^(2^n): 12n squarings.
    fn sqr_times(&self, a: &Twelve<F>, n: usize) -> Twelve<F> {
        let mut power = a.clone();
        self.0.sqr_all(power.as_flattened_mut().as_flattened_mut(), n);
        frobenius(self.0, &power, n)
    }

    /// Returns a^(2^6m), which is 1/a for a unitary a.
    fn conjugate(&self, a: &Twelve<F>) -> Twelve<F> {
        [sum6(self.0, &a[0], &a[1]), a[1].clone()]
    }
}
