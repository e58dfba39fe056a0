//! F_2^12m over F_2^m, for m prime to 6: F_2^2m by ω with ω² = ω + 1, F_2^6m by w with w³ = ω(w² + w + 1), F_2^12m by s with s² = s + ω.
//! An element is [A0, A1] for A0 + A1·s, A = [c0, c1, c2] for c0 + c1·w + c2·w², c = [x, y] for x + y·ω.
//!
//! A product in F_2^6m takes its values at w = 0, 1, ω, ω² and ∞ (Toom and Cook's method; the points are those of F_4): 5 products in F_2^2m,
//! each of 3 in F_2^m. One in F_2^12m takes 45 and 30 reductions. Powers by 2^n are linear: 12n squarings, and sums, since ω ↦ ω + 1, w ↦ w²,
//! w² ↦ w² + w + ω² and s ↦ s + ω. That by 2^m takes no squaring, that by 2^6m is s ↦ s + 1; where it is the inverse, an element is called
//! unitary.

use crate::fixed_base::FixedDigit;
use crate::unitary_power::Unitary;
use bilinear_field::{Blank, Field, at, plus};
use num_bigint::BigUint;

/// An element of F_2^2m.
pub type Pair<F> = [<F as Field>::Elem; 2];
/// An element of F_2^6m.
pub type Six<F> = [Pair<F>; 3];
/// An element of F_2^12m.
pub type Twelve<F> = [Six<F>; 2];

/// a + b in F_2^2m.
#[inline]
pub(super) fn sum2<F: Field>(f: &F, a: &Pair<F>, b: &Pair<F>) -> Pair<F> {
    at! {f; x = add(&a[0], &b[0]); y = add(&a[1], &b[1]);}
    [x, y]
}

/// a + b + c in F_2^2m.
#[inline]
fn sum3<F: Field>(f: &F, a: &Pair<F>, b: &Pair<F>, c: &Pair<F>) -> Pair<F> {
    sum2(f, &sum2(f, a, b), c)
}

/// a·ω = y + (x + y)·ω.
#[inline]
pub(super) fn by_omega<F: Field>(f: &F, [x, y]: &Pair<F>) -> Pair<F> {
    at! {f; sum = add(x, y);}
    [y.clone(), sum]
}

/// a^(2^m) in F_2^2m: ω ↦ ω + 1.
#[inline]
pub(super) fn conjugate2<F: Field>(f: &F, [x, y]: &Pair<F>) -> Pair<F> {
    at! {f; sum = add(x, y);}
    [sum, y.clone()]
}

/// a² in F_2^2m.
#[inline]
pub(super) fn sqr2<F: Field>(f: &F, [x, y]: &Pair<F>) -> Pair<F> {
    at! {f; xx = sqr(x); yy = sqr(y);}
    conjugate2(f, &[xx, yy])
}

/// a·b in F_2^2m. 3 products, 2 reductions.
pub(super) fn mul2<F: Field>(f: &F, a: &Pair<F>, b: &Pair<F>) -> Pair<F> {
    let [mut p0, mut p1]: [F::Wide; 2] = Blank::blank();
    at! {f; x = add(&a[0], &a[1]); y = add(&b[0], &b[1]); p2 = mul_wide(&x, &y);}
    f.mul_wide_two([&mut p0, &mut p1], [&a[0], &a[1]], [&b[0], &b[1]]);
    // x0·y0 + x1·y1·ω² + (p2 + x0·y0 + x1·y1)·ω
    at! {f; low = reduce(&[plus(&p0), plus(&p1)]); high = reduce(&[plus(&p0), plus(&p2)]);}
    [low, high]
}

/// a·b and c·d in F_2^2m, side by side. 6 products, 4 reductions.
#[inline]
pub(super) fn mul2_two<F: Field>(f: &F, [a, c]: [&Pair<F>; 2], [b, d]: [&Pair<F>; 2]) -> [Pair<F>; 2] {
    let [[mut p0, mut p1, mut p2], [mut q0, mut q1, mut q2]]: [[F::Wide; 3]; 2] = Blank::blank();
    at! {f; a2 = add(&a[0], &a[1]); b2 = add(&b[0], &b[1]); c2 = add(&c[0], &c[1]); d2 = add(&d[0], &d[1]);}
    f.mul_wide_two([&mut p0, &mut q0], [&a[0], &c[0]], [&b[0], &d[0]]);
    f.mul_wide_two([&mut p1, &mut q1], [&a[1], &c[1]], [&b[1], &d[1]]);
    f.mul_wide_two([&mut p2, &mut q2], [&a2, &c2], [&b2, &d2]);
    at! {f;
        x0 = reduce(&[plus(&p0), plus(&p1)]);
        x1 = reduce(&[plus(&p0), plus(&p2)]);
        y0 = reduce(&[plus(&q0), plus(&q1)]);
        y1 = reduce(&[plus(&q0), plus(&q2)]);
    }
    [[x0, x1], [y0, y1]]
}

/// The element 1 of F_2^2m.
pub(super) fn one2<F: Field>(f: &F) -> Pair<F> {
    [f.one(), f.zero()]
}

fn zero6<F: Field>(f: &F) -> Six<F> {
    std::array::from_fn(|_| [f.zero(), f.zero()])
}

/// A + B in F_2^6m.
#[inline]
pub(super) fn sum6<F: Field>(f: &F, a: &Six<F>, b: &Six<F>) -> Six<F> {
    std::array::from_fn(|i| sum2(f, &a[i], &b[i]))
}

/// A·ω.
#[inline]
fn by_omega6<F: Field>(f: &F, a: &Six<F>) -> Six<F> {
    std::array::from_fn(|i| by_omega(f, &a[i]))
}

/// The values at 1, ω and ω² of c0 + c1·w + c2·w²; those at 0 and ∞ are c0 and c2.
#[inline]
fn values<F: Field>(f: &F, [c0, c1, c2]: &Six<F>) -> [Pair<F>; 3] {
    let upper = sum2(f, c1, c2);
    let turned = sum2(f, c0, &by_omega(f, &upper));
    [sum2(f, c0, &upper), sum2(f, &turned, c2), sum2(f, &turned, c1)]
}

/// The product from its values at these points, modulo the polynomial of w.
#[inline]
fn interpolated<F: Field>(f: &F, [v0, v1, v2, v3, v4]: [&Pair<F>; 5]) -> Six<F> {
    // the coefficients are v0, v1 + ω²·v2 + ω·v3 + v4, v1 + ω·v2 + ω²·v3, v0 + v1 + v2 + v3 and v4
    let between = sum2(f, v2, v3);
    let high = by_omega(f, &sum3(f, v0, v1, &between)); // ω·c3
    let common = sum3(f, &by_omega(f, &between), v1, &high); // of c1 + ω·c3 + c4 and c2 + ω·c3 + c4
    // w³ = ω·w² + ω·w + ω, w⁴ = w² + w + ω²
    let c0 = sum2(f, &sum3(f, v0, &high, v4), &by_omega(f, v4));
    [c0, sum2(f, &common, v2), sum3(f, &common, v3, v4)]
}

/// A·B in F_2^6m. 15 products, 10 reductions.
pub(super) fn mul6<F: Field>(f: &F, a: &Six<F>, b: &Six<F>) -> Six<F> {
    let ([a1, a2, a3], [b1, b2, b3]) = (values(f, a), values(f, b));
    let [v0, v4] = mul2_two(f, [&a[0], &a[2]], [&b[0], &b[2]]);
    let [v1, v2] = mul2_two(f, [&a1, &a2], [&b1, &b2]);
    let v3 = mul2(f, &a3, &b3);
    interpolated(f, [&v0, &v1, &v2, &v3, &v4])
}

/// A·B and C·D in F_2^6m, side by side.
fn mul6_two<F: Field>(f: &F, [a, c]: [&Six<F>; 2], [b, d]: [&Six<F>; 2]) -> [Six<F>; 2] {
    let ([a1, a2, a3], [b1, b2, b3]) = (values(f, a), values(f, b));
    let ([c1, c2, c3], [d1, d2, d3]) = (values(f, c), values(f, d));
    let [v0, w0] = mul2_two(f, [&a[0], &c[0]], [&b[0], &d[0]]);
    let [v1, w1] = mul2_two(f, [&a1, &c1], [&b1, &d1]);
    let [v2, w2] = mul2_two(f, [&a2, &c2], [&b2, &d2]);
    let [v3, w3] = mul2_two(f, [&a3, &c3], [&b3, &d3]);
    let [v4, w4] = mul2_two(f, [&a[2], &c[2]], [&b[2], &d[2]]);
    [interpolated(f, [&v0, &v1, &v2, &v3, &v4]), interpolated(f, [&w0, &w1, &w2, &w3, &w4])]
}

/// a·b. 45 products, 30 reductions.
pub fn mul<F: Field>(f: &F, a: &Twelve<F>, b: &Twelve<F>) -> Twelve<F> {
    let [v0, v1] = mul6_two(f, [&a[0], &a[1]], [&b[0], &b[1]]);
    let v2 = mul6(f, &sum6(f, &a[0], &a[1]), &sum6(f, &b[0], &b[1]));
    // A0·B0 + ω·A1·B1 + (v2 + A0·B0)·s
    [sum6(f, &v0, &by_omega6(f, &v1)), sum6(f, &v2, &v0)]
}

/// 1.
pub fn one<F: Field>(f: &F) -> Twelve<F> {
    [[one2(f), [f.zero(), f.zero()], [f.zero(), f.zero()]], zero6(f)]
}

/// The power by 2 of an element of F_2^6m whose coefficients have it already.
fn turned6<F: Field>(f: &F, a: &Six<F>) -> Six<F> {
    let [c0, c1, c2] = [0, 1, 2].map(|i: usize| conjugate2(f, &a[i]));
    // w ↦ w², w² ↦ w² + w + ω²
    [sum3(f, &c0, &c2, &by_omega(f, &c2)), c2.clone(), sum2(f, &c1, &c2)]
}

/// Σ of the basis to the power 2^n, with a's coefficients: the power by 2^n of the element whose coefficients to this power are a's; for
/// n = m, or m modulo 12, a^(2^m). No product, no squaring.
pub fn frobenius<F: Field>(f: &F, a: &Twelve<F>, n: usize) -> Twelve<F> {
    let once = |a: Twelve<F>, _| {
        let [c, d] = [turned6(f, &a[0]), turned6(f, &a[1])];
        [sum6(f, &c, &by_omega6(f, &d)), d]
    };
    (0..n % 3).fold(eighths(f, a, n / 3), once)
}

/// The same for 8^n: w ↦ w + 1, w² ↦ w² + 1, s ↦ s + ω².
fn eighths<F: Field>(f: &F, a: &Twelve<F>, n: usize) -> Twelve<F> {
    let six = |a: &Six<F>| {
        let [c0, c1, c2] = a.each_ref().map(|c| conjugate2(f, c));
        [sum3(f, &c0, &c1, &c2), c1, c2]
    };
    let once = |a: Twelve<F>, _| {
        let [c, d] = [six(&a[0]), six(&a[1])];
        [sum6(f, &sum6(f, &c, &d), &by_omega6(f, &d)), d]
    };
    (0..n % 4).fold(a.clone(), once)
}

/// a^(2^n): 12n squarings.
pub fn sqr_times<F: Field>(f: &F, a: &Twelve<F>, n: usize) -> Twelve<F> {
    let mut power = a.clone();
    for place in power.as_flattened_mut().as_flattened_mut() {
        for _ in 0..n {
            at! {f; square = sqr(place);}
            *place = square;
        }
    }
    frobenius(f, &power, n)
}

/// a^(2^6m); 1/a for a unitary a.
pub fn conjugate<F: Field>(f: &F, a: &Twelve<F>) -> Twelve<F> {
    [sum6(f, &a[0], &a[1]), a[1].clone()]
}

/// a·a^(2^6m) = A0² + A0·A1 + ω·A1².
fn norm<F: Field>(f: &F, a: &Twelve<F>) -> Six<F> {
    let square = sqr_times(f, a, 1); // whose first coefficient is A0² + ω·A1²
    sum6(f, &mul6(f, &a[0], &a[1]), &square[0])
}

/// B·C and the norm to F_2^2m of A, for its conjugates B and C over that field, where the field has degree m: what 1/A is made of.
fn cofactor<F: Field>(f: &F, a: &Six<F>, m: usize) -> (Six<F>, Pair<F>) {
    let power = |a: &Six<F>| (0..2 * m % 6).fold(a.clone(), |power, _| turned6(f, &power));
    let b = power(a);
    let product = mul6(f, &b, &power(&b));
    let [norm, ..] = mul6(f, a, &product);
    (product, norm)
}

/// a^(2^6m − 1) for each a over a field of degree m; 0 for 0. One inversion in that field for all.
pub fn unitary<F: Field>(f: &F, values: &[Twelve<F>], m: usize) -> Vec<Twelve<F>> {
    let cofactors: Vec<(Six<F>, Pair<F>)> = values.iter().map(|a| cofactor(f, &norm(f, a), m)).collect();
    // 1/(x + y·ω) = (x + y + y·ω)/(x² + x·y + y²)
    let small = cofactors.iter().map(|(_, [x, y])| {
        at! {f; n = add(x, y); square = sqr(&n); product = mul(x, y); norm = add(&square, &product);}
        norm
    });
    let mut inverses: Vec<F::Elem> = small.collect();
    f.inv_many(&mut inverses);
    let quotient = |a: &Twelve<F>, (product, n): &(Six<F>, Pair<F>), inverse: &F::Elem| {
        let [n0, n1] = conjugate2(f, n);
        at! {f; x = mul(&n0, inverse); y = mul(&n1, inverse);}
        let inverse_norm = [x, y];
        let inverse = product.each_ref().map(|c| mul2(f, c, &inverse_norm));
        // conj(a)/a = conj(a)²/(a·conj(a))
        let square = sqr_times(f, &conjugate(f, a), 1);
        mul6_two(f, [&square[0], &square[1]], [&inverse, &inverse])
    };
    let parts = values.iter().zip(cofactors.iter().zip(&inverses));
    parts.map(|(a, (c, inverse))| quotient(a, c, inverse)).collect()
}

/// The tower over a field.
struct Over<'f, F>(&'f F);

impl<F: Field> Unitary for Over<'_, F> {
    type Elem = Twelve<F>;
    type Mask = F::Mask;

    fn one(&self) -> Twelve<F> {
        one(self.0)
    }
    fn mul(&self, a: &Twelve<F>, b: &Twelve<F>) -> Twelve<F> {
        mul(self.0, a, b)
    }
    fn sqr_times(&self, a: &Twelve<F>, n: usize) -> Twelve<F> {
        sqr_times(self.0, a, n)
    }
    fn conjugate(&self, a: &Twelve<F>) -> Twelve<F> {
        conjugate(self.0, a)
    }
    fn select(&self, mask: F::Mask, a: &Twelve<F>, b: &Twelve<F>) -> Twelve<F> {
        select(self.0, mask, a, b)
    }
    fn equal(&self, a: &Twelve<F>, b: &Twelve<F>) -> F::Mask {
        equal(self.0, a, b)
    }
}

/// a^e of a unitary a for a public e.
pub fn power<F: Field>(f: &F, a: &Twelve<F>, e: &BigUint) -> Twelve<F> {
    Over(f).power(a, e)
}

/// a^e of a unitary a for the digits of a secret e in radix 32, lowest first. Constant time but for their number.
pub fn power_secret<F: Field>(f: &F, a: &Twelve<F>, digits: &[FixedDigit<F::Mask>]) -> Twelve<F> {
    Over(f).power_secret(a, digits)
}

/// Where a = b.
pub fn equal<F: Field>(f: &F, a: &Twelve<F>, b: &Twelve<F>) -> F::Mask {
    let (a, b) = (a.as_flattened().as_flattened(), b.as_flattened().as_flattened());
    a.iter().zip(b).fold(f.mask(true), |all, (x, y)| f.both(all, f.equal(x, y)))
}

/// `a` where the mask is set, else `b`.
pub fn select<F: Field>(f: &F, mask: F::Mask, a: &Twelve<F>, b: &Twelve<F>) -> Twelve<F> {
    let one = |x: &F::Elem, y: &F::Elem| {
        at! {f; chosen = select(mask, x, y);}
        chosen
    };
    std::array::from_fn(|i| std::array::from_fn(|j| std::array::from_fn(|k| one(&a[i][j][k], &b[i][j][k]))))
}
