//! F_3^6m = F_3^m(σ, ρ) with σ² = −1, ρ³ = ρ + b, for m prime to 6. An element is [c0, c1, c2] for c0 + c1·ρ + c2·ρ², c = [x, y] for x + y·σ in
//! F_3^2m.
//!
//! A product is computed from its values at ρ = 0, 1, −1, σ and ∞ (Gorla, Puttmann, Shokrollahi, SAC 2007): 5
//! products in F_3^2m, each of 3 in F_3^m. A product with h0 + h1·ρ − ρ², h1 in F_3^m, takes 12, as the value at ∞ is
//! known. Powers by 3^n are linear: they take 6n cubings, and sums, since σ ↦ (−1)^n·σ and ρ ↦ ρ + n·b. The power by
//! 3^m takes no cubing, and the power by 3^3m is σ ↦ −σ. An element is called unitary if this power is its inverse.

use crate::unitary_power::Unitary;
use bilinear_field::ternary::Ternary;
use bilinear_field::{Blank, Field, at, minus, plus, times};

/// An element of F_3^2m.
pub type Pair<F> = [<F as Field>::Elem; 2];
/// An element of F_3^6m.
pub type Six<F> = [Pair<F>; 3];
/// An element of F_3^3m.
type Three<F> = [<F as Field>::Elem; 3];
/// The value of a line: h0, h1, and whether the term −ρ² is present.
pub(super) type Sparse<F> = (Pair<F>, <F as Field>::Elem, bool);

/// The tower over a field, for b = 1 or b = −1.
#[derive(Clone)]
pub struct Tower<F: Field> {
    field: F,
    /// The constant b.
    sign: i32,
}

/// The values at 0, 1, −1 and σ of c0 + c1·ρ + c2·ρ², with c1 and c2 negated where their factor is −1.
type Values<F> = [Pair<F>; 4];

impl<F: Field> Tower<F> {
    /// Creates the tower with ρ³ = ρ + 1 or ρ³ = ρ − 1.
    pub fn new(field: F, b: bool) -> Self {
        Tower { field, sign: if b { 1 } else { -1 } }
    }

    /// The constant b.
    pub(super) fn b(&self) -> i32 {
        self.sign
    }

    /// Returns Σ c·x in F_3^2m.
    fn sum<const K: usize>(&self, terms: [(i32, &Pair<F>); K]) -> Pair<F> {
        std::array::from_fn(|i| at!(self.field; sum(&terms.map(|(c, x)| times(c, &x[i])))))
    }

    /// Computes the values from which products are computed.
    fn values(&self, [c0, c1, c2]: &Six<F>) -> Values<F> {
        let even = self.sum([(1, c0), (1, c2)]);
        // c1·σ = −y + x·σ
        at! {self.field; x = sum(&[plus(&c0[0]), minus(&c1[1]), minus(&c2[0])]); y = sum(&[plus(&c0[1]), plus(&c1[0]), minus(&c2[1])]);}
        [c0.clone(), self.sum([(1, &even), (1, c1)]), self.sum([(1, &even), (-1, c1)]), [x, y]]
    }

    /// Computes the values of h0 + h1·ρ, minus ρ² if it is present.
    fn line_values(&self, (h0, h1, has_square): &Sparse<F>) -> Values<F> {
        let f = &self.field;
        let one = if *has_square { f.one() } else { f.zero() };
        let [x, y] = h0;
        at! {f;
            first = sum(&[plus(x), plus(h1), minus(&one)]);
            second = sum(&[plus(x), minus(h1), minus(&one)]);
            third = add(x, &one);
            turned = add(y, h1);
        }
        [h0.clone(), [first, y.clone()], [second, y.clone()], [third, turned]]
    }

    /// Returns the element with c2·d2 at ∞ and these values elsewhere, modulo the polynomial of ρ.
    fn interpolated(&self, [v0, v1, v2, v3]: [&Pair<F>; 4], v4: (i32, &Pair<F>)) -> Six<F> {
        // for p0 + p1·ρ + … + p4·ρ⁴: p0 = v0, p4 = v4, s = p1 + p3 = v2 − v1, p2 = −(v0 + v1 + v2) − v4, and
        // (p1 − p3)·σ = v3 − p0 + p2 − p4
        let (sign, v4) = v4;
        let c2 = self.sum([(-1, v0), (-1, v1), (-1, v2)]);
        let s = self.sum([(1, v2), (-1, v1)]);
        let d = self.sum([(1, v3), (-1, v0), (sign, v4), (1, &c2)]);
        // p3 = t − s for t = −d·σ
        let b = self.sign;
        at! {self.field;
            x = sum(&[plus(&v0[0]), times(b, &d[1]), times(-b, &s[0])]);
            y = sum(&[plus(&v0[1]), times(-b, &d[0]), times(-b, &s[1])]);
        }
        // ρ³ = ρ + b, ρ⁴ = ρ² + b·ρ
        [[x, y], self.sum([(1, &s), (b * sign, v4)]), c2]
    }

    /// Returns (x0 + x1·σ)(y0 + y1·σ) from x0·y0, x1·y1 and (x0 + x1)(y0 + y1).
    fn complex(&self, [p0, p1, p2]: [&F::Elem; 3]) -> Pair<F> {
        at! {self.field; x = sub(p0, p1); y = sum(&[plus(p2), minus(p0), minus(p1)]);}
        [x, y]
    }

    /// Returns x + y for each pair.
    fn folded<const K: usize>(&self, pairs: [&Pair<F>; K]) -> [F::Elem; K] {
        pairs.map(|[x, y]| at!(self.field; add(x, y)))
    }

    /// Returns a·h, and the products of two further pairs computed beside it: 14 products.
    pub(super) fn mul_line(&self, a: &Six<F>, h: &Sparse<F>, also: [[&F::Elem; 2]; 2]) -> (Six<F>, [F::Elem; 2]) {
        let ([a0, a1, a2, a3], [h0, h1, h2, h3]) = (&self.values(a), &self.line_values(h));
        let (left, right) = ([a0, a1, a2, a3], [h0, h1, h2, h3]);
        let (sums_left, sums_right) = (self.folded(left), self.folded(right));
        let (x, y): ([_; 12], [_; 12]) = (operands(&left, &sums_left), operands(&right, &sums_right));
        let [left_also, right_also] = [0, 1].map(|k| also.map(|pair| pair[k]));
        let mut products: [F::Elem; 14] = std::array::from_fn(|_| Blank::blank());
        self.field.mul_all(&mut products, chained(x, left_also), chained(y, right_also));
        let [v0, v1, v2, v3] = self.complexes(&products);
        // c2 times −1, or 0
        let product = self.interpolated([&v0, &v1, &v2, &v3], (-i32::from(h.2), &a[2]));
        let [.., first, second] = products;
        (product, [first, second])
    }

    /// Returns the elements of F_3^2m that three products each determine.
    fn complexes<const K: usize>(&self, products: &[F::Elem]) -> [Pair<F>; K] {
        std::array::from_fn(|i| self.complex([&products[3 * i], &products[3 * i + 1], &products[3 * i + 2]]))
    }

    /// Returns the element with σ^(3^n) and ρ^(3^n) in place of σ and ρ. This is x^(3^n) for the element x whose
    /// coefficients to this power are those of a; for n = m, or m modulo 6, it is a^(3^m). It takes no product and no
    /// cubing.
    pub fn frobenius(&self, a: &Six<F>, n: usize) -> Six<F> {
        let turned = if n.is_multiple_of(2) { a.clone() } else { self.conjugate(a) };
        // ρ + k, k = n·b: c0 + k·c1 + k²·c2, c1 + 2k·c2
        let k = (n % 3) as i32 * self.sign;
        let [c0, c1, c2] = &turned;
        [self.sum([(1, c0), (k, c1), (k * k, c2)]), self.sum([(1, c1), (2 * k, c2)]), c2.clone()]
    }

    /// Returns A·B for each pair in F_3^3m, by Karatsuba's method with 6 products each.
    fn mul_three<const K: usize, const P: usize>(&self, pairs: [[&Three<F>; 2]; K]) -> [Three<F>; K] {
        const { assert!(P == 6 * K) };
        let f = &self.field;
        let sums = pairs.map(|pair| {
            pair.map(|[a0, a1, a2]| {
                at! {f; s = add(a0, a1); t = add(a0, a2); u = add(a1, a2);}
                [s, t, u]
            })
        });
        let mut products: [F::Elem; P] = std::array::from_fn(|_| Blank::blank());
        let operand = |k: usize| {
            std::array::from_fn(|i| if i % 6 < 3 { &pairs[i / 6][k][i % 6] } else { &sums[i / 6][k][i % 6 - 3] })
        };
        f.mul_all(&mut products, operand(0), operand(1));
        std::array::from_fn(|i| {
            let [p0, p1, p2, s, t, u] = std::array::from_fn(|j| &products[6 * i + j]);
            let b = self.sign;
            // the coefficients are p0, s − p0 − p1, t − p0 − p2 + p1, u − p1 − p2 and p2; ρ³ = ρ + b, ρ⁴ = ρ² + b·ρ
            at! {f;
                c0 = sum(&[plus(p0), times(b, u), times(-b, p1), times(-b, p2)]);
                c1 = sum(&[plus(s), minus(p0), plus(p1), plus(u), minus(p2), times(b, p2)]);
                c2 = sum(&[plus(t), minus(p0), plus(p1)]);
            }
            [c0, c1, c2]
        })
    }

    /// Returns a^(3^3m − 1) for each a, and 0 for 0, with one inversion in the field below for all.
    pub fn unitary(&self, values: &[Six<F>]) -> Vec<Six<F>> {
        let f = &self.field;
        // with A0 + A1·σ, (A0 − A1·σ)/(A0 + A1·σ) = (A0² − A1² + A0·A1·σ)/D for D = A0² + A1²
        let parts = values.iter().map(|a| {
            let [a0, a1]: [Three<F>; 2] = std::array::from_fn(|k| std::array::from_fn(|i| a[i][k].clone()));
            let [s0, s1, product] = self.mul_three::<3, 18>([[&a0, &a0], [&a1, &a1], [&a0, &a1]]);
            let both = |sign: i32| std::array::from_fn(|i| at!(f; sum(&[plus(&s0[i]), times(sign, &s1[i])])));
            (both(-1), product, both(1))
        });
        let parts: Vec<(Three<F>, Three<F>, Three<F>)> = parts.collect();
        // 1/D = D'·D''/N for D' and D'' with ρ + 1 and ρ − 1 in place of ρ, and N = D·D'·D'' in F_3^m
        let cofactor = |d: &Three<F>| {
            let moved = |k: i32| {
                at! {f; c0 = sum(&[plus(&d[0]), times(k, &d[1]), plus(&d[2])]); c1 = sum(&[plus(&d[1]), times(2 * k, &d[2])]);}
                [c0, c1, d[2].clone()]
            };
            let [e] = self.mul_three::<1, 6>([[&moved(1), &moved(-1)]]);
            // only the first coefficient of D·D'·D'' is left
            at! {f; p0 = mul_wide(&d[0], &e[0]); p1 = mul_wide(&d[1], &e[2]); p2 = mul_wide(&d[2], &e[1]);}
            at! {f; norm = reduce(&[plus(&p0), times(self.sign, &p1), times(self.sign, &p2)]);}
            (e, norm)
        };
        let (cofactors, mut norms): (Vec<Three<F>>, Vec<F::Elem>) = parts.iter().map(|(.., d)| cofactor(d)).unzip();
        f.inv_many(&mut norms);
        let quotient = |[x, y]: [&Three<F>; 2], e: &Three<F>, inverse: &F::Elem| {
            let inverse: Three<F> = e.each_ref().map(|c| at!(f; mul(c, inverse)));
            let [x, y] = self.mul_three::<2, 12>([[x, &inverse], [y, &inverse]]);
            std::array::from_fn(|i| [x[i].clone(), y[i].clone()])
        };
        let all = parts.iter().zip(cofactors.iter().zip(&norms));
        all.map(|((x, y, _), (e, inverse))| quotient([x, y], e, inverse)).collect()
    }
}

/// Returns x0, x1 and x0 + x1 of each pair in turn.
fn operands<'a, E, const K: usize, const P: usize>(pairs: &[&'a [E; 2]; K], sums: &'a [E; K]) -> [&'a E; P] {
    const { assert!(P == 3 * K) };
    std::array::from_fn(|i| if i % 3 == 2 { &sums[i / 3] } else { &pairs[i / 3][i % 3] })
}

/// Returns the elements of the first list, then those of the second.
fn chained<T: Copy, const K: usize, const L: usize, const P: usize>(first: [T; K], second: [T; L]) -> [T; P] {
    const { assert!(P == K + L) };
    std::array::from_fn(|i| if i < K { first[i] } else { second[i - K] })
}

impl<const N: usize> Tower<Ternary<N>> {
    /// Returns a^(3^n): 6n cubings.
    pub fn cubed(&self, a: &Six<Ternary<N>>, n: usize) -> Six<Ternary<N>> {
        let power = a.each_ref().map(|c| c.each_ref().map(|x| self.field.cubed(x, n)));
        self.frobenius(&power, n)
    }
}

impl<F: Field> Unitary for Tower<F> {
    type Field = F;
    type Elem = Six<F>;

    fn field(&self) -> &F {
        &self.field
    }

    fn degree(&self) -> usize {
        6
    }

    fn coefficients<'a>(&self, a: &'a Six<F>) -> &'a [F::Elem] {
        a.as_flattened()
    }

    fn element(&self, mut next: impl FnMut() -> F::Elem) -> Six<F> {
        std::array::from_fn(|_| std::array::from_fn(|_| next()))
    }

    /// Returns a·b: 15 products.
    fn mul(&self, a: &Six<F>, b: &Six<F>) -> Six<F> {
        let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (&self.values(a), &self.values(b));
        let (a, b) = ([a0, a1, a2, a3, &a[2]], [b0, b1, b2, b3, &b[2]]);
        let (sums_a, sums_b) = (self.folded(a), self.folded(b));
        let mut products: [F::Elem; 15] = std::array::from_fn(|_| Blank::blank());
        self.field.mul_all(&mut products, operands(&a, &sums_a), operands(&b, &sums_b));
        let [v0, v1, v2, v3, v4] = self.complexes(&products);
        self.interpolated([&v0, &v1, &v2, &v3], (1, &v4))
    }

    fn sqr_times(&self, a: &Six<F>, n: usize) -> Six<F> {
        (0..n).fold(a.clone(), |power, _| self.mul(&power, &power))
    }

    /// Returns a^(3^3m), which is 1/a for a unitary a.
    fn conjugate(&self, a: &Six<F>) -> Six<F> {
        a.each_ref().map(|[x, y]| {
            at! {self.field; minus_y = neg(y);}
            [x.clone(), minus_y]
        })
    }
}
