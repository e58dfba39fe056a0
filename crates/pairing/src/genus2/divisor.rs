//! The Jacobian of C: y² + y = x⁵ + x³ + d over F_2^m: reduced divisors (u, v) in Mumford's form. u is monic of
//! degree at most 2, and v has a smaller degree, with y = v(x) at the points of the divisor.
//!
//! −(u, v) = (u, v + 1). Sums are computed by Cantor's algorithm (Mathematics of Computation 48, 1987); for two
//! divisors of degree 2 without a common root, in Lange's explicit form (AAECC 15, 2005): 1 inversion, 21 products, 3
//! squarings. An octupling takes only squarings, since it takes x to x^64 + 1 and y to y^64 + x^128 + 1. So multiples
//! are computed by digits in radix 64.
//!
//! All operations branch on divisors and scalars: variable time.

use super::map;
use bilinear_field::binary::Binary;
use bilinear_field::{Field, Lanes, at, plus};
use num_bigint::BigUint;

type Elem<const N: usize> = <Binary<N> as Field>::Elem;
/// A polynomial, lowest coefficient first. The last coefficient is not 0.
type Polynomial<const N: usize> = Vec<Elem<N>>;

/// A reduced divisor.
#[derive(Clone, Debug)]
pub enum Divisor<F: Field> {
    /// The zero divisor: u = 1.
    Zero,
    /// The divisor (x, y) − ∞: u = X + x, v = y.
    Degenerate {
        /// The coordinate x.
        x: F::Elem,
        /// The coordinate y.
        y: F::Elem,
    },
    /// A divisor of degree 2: u = X² + u1·X + u0, v = v1·X + v0.
    General {
        /// The coefficient u1.
        u1: F::Elem,
        /// The coefficient u0.
        u0: F::Elem,
        /// The coefficient v1.
        v1: F::Elem,
        /// The coefficient v0.
        v0: F::Elem,
    },
}

/// The group of divisors.
#[derive(Clone)]
pub struct Jacobian<const N: usize> {
    field: Binary<N>,
    d: bool,
}

impl<const N: usize> Jacobian<N> {
    /// Creates the Jacobian of the curve with d = 1 or 0.
    pub fn new(field: Binary<N>, d: bool) -> Self {
        Jacobian { field, d }
    }

    /// The field of the coefficients.
    pub fn field(&self) -> &Binary<N> {
        &self.field
    }

    /// Returns true if d = 1.
    pub(super) fn d(&self) -> bool {
        self.d
    }

    fn is_zero(&self, a: &Elem<N>) -> bool {
        self.field.lane(self.field.is_zero(a), 0)
    }

    pub(super) fn equal(&self, a: &Elem<N>, b: &Elem<N>) -> bool {
        self.field.lane(self.field.equal(a, b), 0)
    }

    pub(super) fn plus_one(&self, a: &Elem<N>) -> Elem<N> {
        at!(self.field; add(a, &self.field.one()))
    }

    /// Returns x⁵ + x³ + d.
    pub fn rhs(&self, x: &Elem<N>) -> Elem<N> {
        let f = &self.field;
        at! {f; xx = sqr(x); x3 = mul(&xx, x); x5 = mul(&xx, &x3); out = add(&x5, &x3);}
        if self.d { self.plus_one(&out) } else { out }
    }

    /// Returns the coefficients of X and 1 of f modulo u = X² + u1·X + u0.
    pub(super) fn remainder(&self, u1: &Elem<N>, u0: &Elem<N>) -> [Elem<N>; 2] {
        let f = &self.field;
        at! {f;
            square = sqr(u1);
            fourth = sqr(&square);
            mixed = mul(&square, u0); // u1²·u0
            other = sqr(u0);
            high = sum(&[plus(&fourth), plus(&mixed), plus(&other), plus(&square), plus(u0)]);
            both = add(&mixed, u0);
            low = mul(u1, &both); // u1³·u0 + u1·u0
        }
        [high, if self.d { self.plus_one(&low) } else { low }]
    }

    /// Returns true if u divides v² + v + f.
    pub fn contains(&self, divisor: &Divisor<Binary<N>>) -> bool {
        let f = &self.field;
        match divisor {
            Divisor::Zero => true,
            Divisor::Degenerate { x, y } => {
                at! {f; left = sqr_sum(y, &[plus(y)]);}
                self.equal(&left, &self.rhs(x))
            }
            Divisor::General { u1, u0, v1, v0 } => {
                let [high, low] = self.remainder(u1, u0);
                at! {f;
                    square = sqr(v1);
                    left1 = mul_sum(&square, u1, &[plus(v1)]);
                    square0 = sqr(v0);
                    left0 = mul_sum(&square, u0, &[plus(&square0), plus(v0)]);
                }
                self.equal(&left1, &high) && self.equal(&left0, &low)
            }
        }
    }

    /// Returns −D.
    pub fn negate(&self, divisor: &Divisor<Binary<N>>) -> Divisor<Binary<N>> {
        let mut out = divisor.clone();
        if let Divisor::Degenerate { y: low, .. } | Divisor::General { v0: low, .. } = &mut out {
            *low = self.plus_one(low);
        }
        out
    }

    /// Returns D + E.
    pub fn add(&self, d: &Divisor<Binary<N>>, e: &Divisor<Binary<N>>) -> Divisor<Binary<N>> {
        match (d, e) {
            (Divisor::Zero, other) | (other, Divisor::Zero) => other.clone(),
            (Divisor::General { u1, u0, v1, v0 }, Divisor::General { u1: s1, u0: s0, v1: t1, v0: t0 }) => {
                self.common([u1, u0, v1, v0], [s1, s0, t1, t0]).unwrap_or_else(|| self.cantor(d, e))
            }
            _ => self.cantor(d, e),
        }
    }

    /// Returns 8D, whose points are (x^64 + 1, y^64 + x^128 + 1) for the points (x, y) of D: 24 squarings.
    pub fn octuple(&self, divisor: &Divisor<Binary<N>>) -> Divisor<Binary<N>> {
        let f = &self.field;
        let squared = |a: &Elem<N>, n: usize| (0..n).fold(a.clone(), |power, _| at!(f; sqr(&power)));
        match divisor {
            Divisor::Zero => Divisor::Zero,
            Divisor::Degenerate { x, y } => {
                let (a, b) = (squared(x, 6), squared(y, 6));
                at! {f; square = sqr(&a); y = add(&b, &square);}
                Divisor::Degenerate { x: self.plus_one(&a), y: self.plus_one(&y) }
            }
            Divisor::General { u1, u0, v1, v0 } => {
                let [a1, a0, b1, b0] = [u1, u0, v1, v0].map(|a| squared(a, 6));
                // for z = x^64 = X + 1: y^64 + z² + 1 = b1·z + b0 + z² + 1, and z² = a1·z + a0
                at! {f;
                    sum = add(&a0, &a1);
                    slope = add(&b1, &a1);
                    low = sum(&[plus(&b0), plus(&a0), plus(&slope)]);
                }
                Divisor::General { u0: self.plus_one(&sum), u1: a1, v1: slope, v0: self.plus_one(&low) }
            }
        }
    }

    /// Returns D + E for divisors of degree 2; `None` if their polynomials have a common root or if the sum has
    /// degree 1 at most.
    fn common(&self, [a1, a0, b1, b0]: [&Elem<N>; 4], [c1, c0, d1, d0]: [&Elem<N>; 4]) -> Option<Divisor<Binary<N>>> {
        let f = &self.field;
        // the resultant r of the two u, and r/c modulo a, which is i1·X + i0
        at! {f;
            i1 = add(a1, c1);
            sum0 = add(a0, c0);
            i0 = mul_sum(a1, &i1, &[plus(&sum0)]);
            square = sqr(&i1);
            part = mul(&square, a0);
            r = mul_sum(&sum0, &i0, &[plus(&part)]);
            // r·(b + d)/c modulo a = s1·X + s0
            w0 = add(b0, d0);
            w1 = add(b1, d1);
            w2 = mul(&i0, &w0);
            w3 = mul(&i1, &w1);
            i = add(&i0, &i1);
            w = add(&w0, &w1);
            across = mul_sum(&w3, a1, &[plus(&w2), plus(&w3)]);
            s1 = mul_sum(&i, &w, &[plus(&across)]);
            s0 = mul_sum(a0, &w3, &[plus(&w2)]);
            product = mul(&r, &s1);
        }
        if self.is_zero(&product) {
            return None;
        }
        at! {f;
            inverse = inv(&product);
            inverse_s1 = mul(&r, &inverse); // 1/s1
            square_s1 = sqr(&s1);
            slope = mul(&square_s1, &inverse); // s1/r
            ratio = mul(&r, &inverse_s1); // r/s1
            ratio2 = sqr(&ratio);
            s = mul(&s0, &inverse_s1); // s0/s1
            // l = (X + s)·c = X³ + l2·X² + l1·X + l0
            l2 = add(c1, &s);
            l1 = mul_sum(c1, &s, &[plus(c0)]);
            l0 = mul(c0, &s);
            u1 = add(&i1, &ratio2);
            first = add(&s, a1);
            second = add(&s, &i1);
            part0 = mul(&i1, &ratio2);
            u0 = mul_sum(&first, &second, &[plus(a0), plus(&l1), plus(&part0)]);
            // −(l·s1/r + d) modulo u
            x = add(&l2, &u1);
            x1 = mul_sum(&u1, &x, &[plus(&u0), plus(&l1)]);
            v1 = mul_sum(&x1, &slope, &[plus(d1)]);
            x0 = mul_sum(&u0, &x, &[plus(&l0)]);
            v0 = mul_sum(&x0, &slope, &[plus(d0)]);
        }
        let v0 = self.plus_one(&v0);
        Some(Divisor::General { u1, u0, v1, v0 })
    }

    /// Returns Σ k·D for public k: signed digits in radix 64, with shared octuplings.
    pub fn msm(&self, terms: &[(&BigUint, Divisor<Binary<N>>)]) -> Divisor<Binary<N>> {
        let strands: Vec<(Vec<i8>, Vec<Divisor<Binary<N>>>)> = terms
            .iter()
            .map(|(k, d)| {
                let digits = digits(k);
                let most = digits.iter().map(|digit| digit.unsigned_abs()).max().unwrap_or(0);
                let mut multiples = vec![Divisor::Zero];
                for i in 0..usize::from(most) {
                    multiples.push(self.add(&multiples[i], d));
                }
                (digits, multiples)
            })
            .collect();
        let longest = strands.iter().map(|(digits, _)| digits.len()).max().unwrap_or(0);
        let mut sum = Divisor::Zero;
        for i in (0..longest).rev() {
            sum = self.octuple(&self.octuple(&sum));
            for (digits, multiples) in &strands {
                let digit = digits.get(i).copied().unwrap_or(0);
                let multiple = &multiples[usize::from(digit.unsigned_abs())];
                sum = match digit {
                    0 => sum,
                    1.. => self.add(&sum, multiple),
                    _ => self.add(&sum, &self.negate(multiple)),
                };
            }
        }
        sum
    }

    fn polynomials(&self, divisor: &Divisor<Binary<N>>) -> [Polynomial<N>; 2] {
        let one = self.field.one();
        match divisor.clone() {
            Divisor::Zero => [vec![one], Vec::new()],
            Divisor::Degenerate { x, y } => [vec![x, one], self.trimmed(vec![y])],
            Divisor::General { u1, u0, v1, v0 } => [vec![u0, u1, one], self.trimmed(vec![v0, v1])],
        }
    }

    fn trimmed(&self, mut a: Polynomial<N>) -> Polynomial<N> {
        while a.last().is_some_and(|top| self.is_zero(top)) {
            a.pop();
        }
        a
    }

    fn sum_of(&self, a: &[Elem<N>], b: &[Elem<N>]) -> Polynomial<N> {
        let zero = self.field.zero();
        let coefficient = |i: usize| at!(self.field; add(a.get(i).unwrap_or(&zero), b.get(i).unwrap_or(&zero)));
        self.trimmed((0..a.len().max(b.len())).map(coefficient).collect())
    }

    fn product_of(&self, a: &[Elem<N>], b: &[Elem<N>]) -> Polynomial<N> {
        let f = &self.field;
        let mut out = vec![f.zero(); a.len() + b.len()];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                at! {f; sum = mul_sum(x, y, &[plus(&out[i + j])]);}
                out[i + j] = sum;
            }
        }
        self.trimmed(out)
    }

    /// Returns the quotient and the remainder of a by b ≠ 0.
    fn divided(&self, a: &[Elem<N>], b: &[Elem<N>]) -> [Polynomial<N>; 2] {
        let f = &self.field;
        let mut rest = a.to_vec();
        let Some(steps) = (a.len() + 1).checked_sub(b.len()) else { return [Vec::new(), rest] };
        let mut quotient = vec![f.zero(); steps];
        at! {f; inverse = inv(&b[b.len() - 1]);}
        for i in (0..steps).rev() {
            at! {f; factor = mul(&rest[i + b.len() - 1], &inverse);}
            for (j, y) in b.iter().enumerate() {
                at! {f; next = mul_sum(&factor, y, &[plus(&rest[i + j])]);}
                rest[i + j] = next;
            }
            quotient[i] = factor;
        }
        [self.trimmed(quotient), self.trimmed(rest)]
    }

    fn monic(&self, a: &[Elem<N>]) -> Polynomial<N> {
        let f = &self.field;
        let Some(top) = a.last() else { return Vec::new() };
        at! {f; inverse = inv(top);}
        let scaled = |c: &Elem<N>| at!(f; mul(c, &inverse));
        a.iter().map(scaled).collect()
    }

    /// Returns the monic g = s·a + t·b that divides a and b, and s and t. a and b are not both 0.
    fn common_divisor(&self, a: &[Elem<N>], b: &[Elem<N>]) -> [Polynomial<N>; 3] {
        let one = vec![self.field.one()];
        let (mut r, mut next) = (a.to_vec(), b.to_vec());
        let (mut s, mut s_next) = (one.clone(), Vec::new());
        let (mut t, mut t_next) = (Vec::new(), one);
        while !next.is_empty() {
            let [quotient, rest] = self.divided(&r, &next);
            (r, next) = (next, rest);
            let after = self.sum_of(&s, &self.product_of(&quotient, &s_next));
            (s, s_next) = (s_next, after);
            let after = self.sum_of(&t, &self.product_of(&quotient, &t_next));
            (t, t_next) = (t_next, after);
        }
        let mut inverse = self.field.one();
        if let Some(top) = r.last() {
            self.field.inv(&mut inverse, top);
        }
        [r, s, t].map(|p| self.product_of(&p, std::slice::from_ref(&inverse)))
    }

    /// Returns D + E for any D and E, by Cantor's composition and reduction.
    fn cantor(&self, d: &Divisor<Binary<N>>, e: &Divisor<Binary<N>>) -> Divisor<Binary<N>> {
        let f = &self.field;
        let one = vec![f.one()];
        let curve = vec![if self.d { f.one() } else { f.zero() }, f.zero(), f.zero(), f.one(), f.zero(), f.one()];
        let ([u1, v1], [u2, v2]) = (self.polynomials(d), self.polynomials(e));
        let [g, a, b] = self.common_divisor(&u1, &u2);
        let both = self.sum_of(&self.sum_of(&v1, &v2), &one);
        let [g, c, s3] = self.common_divisor(&g, &both); // g = c·(a·u1 + b·u2) + s3·(v1 + v2 + 1)
        let [mut u, _] = self.divided(&self.product_of(&u1, &u2), &self.product_of(&g, &g));
        let first = self.product_of(&self.product_of(&c, &a), &self.product_of(&u1, &v2));
        let second = self.product_of(&self.product_of(&c, &b), &self.product_of(&u2, &v1));
        let third = self.product_of(&s3, &self.sum_of(&self.product_of(&v1, &v2), &curve));
        let [quotient, _] = self.divided(&self.sum_of(&self.sum_of(&first, &second), &third), &g);
        let [_, mut v] = self.divided(&quotient, &u);
        while u.len() > 3 {
            let norm = self.sum_of(&self.sum_of(&curve, &v), &self.product_of(&v, &v));
            u = self.monic(&self.divided(&norm, &u)[0]);
            v = self.divided(&self.sum_of(&v, &one), &u)[1].clone();
        }
        let zero = f.zero();
        let at = |p: &Polynomial<N>, i: usize| p.get(i).unwrap_or(&zero).clone();
        match u.len() {
            0 | 1 => Divisor::Zero,
            2 => Divisor::Degenerate { x: at(&u, 0), y: at(&v, 0) },
            _ => Divisor::General { u1: at(&u, 1), u0: at(&u, 0), v1: at(&v, 1), v0: at(&v, 0) },
        }
    }

    /// Iterates over the divisors of points whose x is a power of x^(m − 1) + x. The search for a generator begins
    /// with them.
    pub fn degenerate(&self) -> impl Iterator<Item = Divisor<Binary<N>>> + '_ {
        map::degenerate(self)
    }
}

/// Returns the digits of k in radix 64, from −31 to 32, lowest first.
fn digits(k: &BigUint) -> Vec<i8> {
    let (mut digits, mut carry) = (Vec::new(), 0);
    for digit in k.to_radix_le(64) {
        let digit = digit as i8 + carry;
        carry = i8::from(digit > 32);
        digits.push(digit - 64 * carry);
    }
    if carry == 1 {
        digits.push(1);
    }
    digits
}
