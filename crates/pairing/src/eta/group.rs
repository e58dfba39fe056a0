//! The curve E: y² + y = x³ + x + b over F_2^m, b = 0 or 1, in Jacobian coordinates x = X/Z², y = Y/Z³.
//!
//! −(x, y) = (x, y + 1), and 2(x, y) = (x⁴ + 1, x⁴ + y⁴): a doubling takes one product, for Z⁴·X⁴, and squarings. A mixed
//! addition takes 9 products. O has Z = 0. There is no other exception: no point is its own inverse.
//!
//! [`Group::multiple`] and what it calls for secret scalars have no branch and no address that depends on them; the machine
//! code has not been checked for it.

use crate::constant_time::entry;
use crate::curve::{Affine, Jacobian};
use crate::digits::wnaf;
use crate::fixed_base::{DIGIT_MASKS, ENTRIES, FixedDigit, digit_bits};
use bilinear_field::{Field, at, plus};
use num_bigint::BigUint;

/// Bits of a window of a scalar.
const WINDOW: u32 = 5;

/// The curve.
#[derive(Clone)]
pub struct Group<F: Field> {
    field: F,
    b: F::Elem,
}

impl<F: Field> Group<F> {
    /// The curve with b = 1 or 0.
    pub fn new(field: F, b: bool) -> Self {
        let b = if b { field.one() } else { field.zero() };
        Group { field, b }
    }

    /// The field of the coordinates.
    pub fn field(&self) -> &F {
        &self.field
    }

    /// x³ + x + b.
    pub fn rhs(&self, x: &F::Elem) -> F::Elem {
        at! {self.field; square = sqr(x); out = mul_sum(&square, x, &[plus(x), plus(&self.b)]);}
        out
    }

    /// Where (x, y) is on the curve.
    pub fn contains(&self, x: &F::Elem, y: &F::Elem) -> F::Mask {
        at! {self.field; left = sqr_sum(y, &[plus(y)]);}
        self.field.equal(&left, &self.rhs(x))
    }

    /// O.
    pub fn infinity(&self) -> Jacobian<F> {
        Jacobian { x: self.field.one(), y: self.field.one(), z: self.field.zero() }
    }

    /// The same point with Z = 1, or 0 for O.
    pub fn to_jacobian(&self, p: &Affine<F>) -> Jacobian<F> {
        p.to_jacobian(&self.field)
    }

    /// −P.
    pub fn negate(&self, p: &Affine<F>) -> Affine<F> {
        at! {self.field; y = add(&p.y, &self.field.one());}
        Affine { x: p.x.clone(), y, infinity: p.infinity }
    }

    /// 2P = (X⁴ + Z⁸, X⁴·Z⁴ + Y⁴, Z⁴). 1 product, 7 squarings.
    pub fn double(&self, p: &Jacobian<F>) -> Jacobian<F> {
        at! {self.field;
            xx = sqr(&p.x);
            zz = sqr(&p.z);
            yy = sqr(&p.y);
            x4 = sqr(&xx);
            z4 = sqr(&zz);
            y4 = sqr(&yy);
            z8 = sqr(&z4);
            x = add(&x4, &z8);
            y = mul_sum(&x4, &z4, &[plus(&y4)]);
        }
        Jacobian { x, y, z: z4 }
    }

    /// P + Q, whatever they are. 9 products, 4 squarings and a doubling.
    pub fn add(&self, p: &Jacobian<F>, q: &Affine<F>) -> Jacobian<F> {
        let f = &self.field;
        at! {f;
            zz = sqr(&p.z);
            zzz = mul(&zz, &p.z);
            h = mul_sum(&q.x, &zz, &[plus(&p.x)]); // x_Q·Z² + X
            r = mul_sum(&q.y, &zzz, &[plus(&p.y)]); // y_Q·Z³ + Y
            z = mul(&p.z, &h);
            hh = sqr(&h);
            hhh = mul(&hh, &h);
            x = sqr_sum(&r, &[plus(&hhh)]);
            across = mul_sum(&p.x, &hh, &[plus(&x)]); // X·H² + X'
            z2 = sqr(&z);
            z3 = mul(&z2, &z);
            along = mul(&r, &across);
            y = mul_sum(&p.y, &hhh, &[plus(&along), plus(&z3)]);
        }
        let sum = Jacobian { x, y, z };
        // H = 0 where the points are equal or opposite: then P = Q unless R is something else, which leaves Z' = 0
        let equal = f.both(f.is_zero(&h), f.is_zero(&r));
        let sum = Jacobian::select(f, equal, &self.double(p), &sum);
        let sum = Jacobian::select(f, f.is_zero(&p.z), &self.to_jacobian(q), &sum);
        Jacobian::select(f, q.infinity, p, &sum)
    }

    /// Affine coordinates of each, 0 for O: one inversion for all.
    pub fn normalise(&self, points: &[Jacobian<F>]) -> Vec<Affine<F>> {
        Jacobian::normalise(&self.field, points)
    }

    /// P, 3P, …, 15P.
    fn odd_multiples(&self, p: &Affine<F>) -> Vec<Affine<F>> {
        let twice = self.normalise(&[self.double(&self.to_jacobian(p))]).remove(0);
        let mut multiples = vec![self.to_jacobian(p)];
        for i in 1..1 << (WINDOW - 2) {
            multiples.push(self.add(&multiples[i - 1], &twice));
        }
        self.normalise(&multiples)
    }

    /// Σ k·P for public k: signed windows, doublings in common. bits(k)/6 additions a term and a table of 8 multiples.
    pub fn combination(&self, terms: &[(&BigUint, Affine<F>)]) -> Jacobian<F> {
        let strands: Vec<(Vec<i8>, Vec<Affine<F>>)> =
            terms.iter().map(|(k, p)| (wnaf(k, WINDOW).into_iter().rev().collect(), self.odd_multiples(p))).collect();
        let longest = strands.iter().map(|(digits, _)| digits.len()).max().unwrap_or(0);
        let mut sum = self.infinity();
        for i in (0..longest).rev() {
            sum = self.double(&sum);
            for (digits, multiples) in &strands {
                let digit = digits.get(i).copied().unwrap_or(0);
                if digit != 0 {
                    let multiple = &multiples[usize::from(digit.unsigned_abs()) / 2];
                    sum = if digit > 0 { self.add(&sum, multiple) } else { self.add(&sum, &self.negate(multiple)) };
                }
            }
        }
        sum
    }

    /// The multiples P, 2P, …, 16P, with 32P, the base of the next window, behind them.
    pub fn window(&self, p: &Affine<F>) -> Vec<Affine<F>> {
        let mut multiples = vec![self.to_jacobian(p)];
        for i in 1..ENTRIES {
            multiples.push(self.add(&multiples[i - 1], p));
        }
        multiples.push(self.double(&multiples[ENTRIES - 1]));
        self.normalise(&multiples)
    }

    /// acc + d·B for a secret digit d, −16 ≤ d ≤ 16, and the table B, 2B, …, 16B. Every entry is read.
    pub fn add_digit(&self, acc: &Jacobian<F>, table: &[Affine<F>], digit: &FixedDigit<F::Mask>) -> Jacobian<F> {
        let f = &self.field;
        // a table holds O where the base has a small order
        let select = |mask: F::Mask, p: &Affine<F>, q: &Affine<F>| Affine::select(f, mask, p, q);
        let multiple = entry(&table[..ENTRIES], &digit.place, &select);
        let signed = select(digit.negative, &self.negate(&multiple), &multiple);
        Jacobian::select(f, digit.zero, acc, &self.add(acc, &signed))
    }

    /// kP for a secret k, big-endian bytes of a public length: windows of five bits, every entry of the table read. Constant
    /// time but for the length. Not for O.
    pub fn multiple(&self, k: &[u8], p: &Affine<F>) -> Jacobian<F> {
        let table = self.window(p);
        let mut sum = self.infinity();
        for digit in digits(&self.field, k).iter().rev() {
            for _ in 0..WINDOW {
                sum = self.double(&sum);
            }
            sum = self.add_digit(&sum, &table, digit);
        }
        sum
    }
}

/// The digits of a secret scalar in radix 32, lowest first. Constant time in k.
pub fn digits<F: Field>(f: &F, k: &[u8]) -> Vec<FixedDigit<F::Mask>> {
    let masks = |truths: &[bool]| -> [F::Mask; DIGIT_MASKS] { std::array::from_fn(|i| f.mask_from(&truths[i..=i])) };
    digit_bits(k).chunks(DIGIT_MASKS).map(|truths| FixedDigit::new(masks(truths))).collect()
}
