//! F_3^m = F_3(x)/f for m prime to 6, on N words of each of two planes of bits (`trits.rs`).
//!
//! The contract covers this field unchanged, as it does F_2^m: only the residue modulo 3 of a coefficient in a linear
//! form counts, an unreduced value is a polynomial of 2N words, and elements have one range. As an integer an element
//! is Σ c_i·3^i, below 3^m.
//!
//! Products are computed many at a time (`products.rs`); cubes are linear (`reduction.rs`). Inverses and square roots
//! are powers by chains of Itoh and Tsujii (Information and Computation 78, 1988). Nothing branches on the value of an
//! element except the conversion from integers; the machine code has not been checked for this.

#[cfg(target_arch = "x86_64")]
mod lanes;
pub mod polynomial;
mod products;
mod reduction;
mod trits;

use crate::at;
use crate::blank::Blank;
use crate::choice::{Choice, choices, one_lane, only_value, own_values};
use crate::contract::{Field, Lanes, ModulusError, Prime};
use crate::term::{Term, plus};
use num_bigint::BigUint;
use products::{Element, Products, Twice, by};
use reduction::{Reduction, Tail, portable_cube};
use std::sync::Arc;
use trits::Plane;

/// The number of coefficients in a word of an integer: 3^40 < 2^64.
const DIGITS: usize = 40;
const RADIX: u64 = 3u64.pow(DIGITS as u32);

/// An element: a polynomial of degree below m.
#[derive(Clone, Debug, PartialEq)]
pub struct Residue<const N: usize>(Element<N>);

/// A polynomial of degree below 2m − 1.
#[derive(Clone, Debug)]
pub struct Sum<const N: usize>(Twice<N>);

impl<const N: usize> Default for Residue<N> {
    fn default() -> Self {
        Residue([[0; N]; 2])
    }
}

impl<const N: usize> Default for Sum<N> {
    fn default() -> Self {
        Sum([[[0; N]; 2]; 2])
    }
}

impl<const N: usize> Blank for Residue<N> {}

impl<const N: usize> Blank for Sum<N> {}

/// The field F_3^m on N words of each plane: 2, 4 or 8.
#[derive(Clone)]
pub struct Ternary<const N: usize> {
    shape: Arc<Shape<N>>,
}

/// The polynomial, and the implementation of the multiplication.
struct Shape<const N: usize> {
    f: BigUint,
    m: usize,
    /// The terms of f without x^m, the highest exponent last.
    tail: Vec<Tail>,
    /// ⌈m/2N⌉, the number of coefficients in a block of a product.
    w: usize,
    reduction: Reduction<N>,
    products: Products<N>,
}

/// Defines what is compiled for each number of words.
macro_rules! compiled {
    ($n:literal, $product:ident, $of:ident) => {
        impl Ternary<$n> {
            /// The products in portable code.
            const PORTABLE: Products<$n> = Products {
                one: |w, out, a, b| *out = products::$product(w, a, b, |a, b| by::<3, _, _>(w, a, b)),
                many: |w, out, a, b| {
                    for (out, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
                        **out = products::$product(w, *a, *b, |a, b| by::<3, _, _>(w, a, b));
                    }
                },
                closed: None,
                cube: portable_cube,
            };

            /// Returns the products by the processor's instructions, if it has them, for blocks of w coefficients and
            /// modulo this polynomial.
            fn detected(w: usize, m: usize, tail: &[Tail]) -> Option<Products<$n>> {
                #[cfg(target_arch = "x86_64")]
                let found = lanes::$of(w, m, tail);
                #[cfg(not(target_arch = "x86_64"))]
                let (found, _) = (None, (w, m, tail));
                found
            }

            /// Creates F_3(x)/f with the processor's best instructions; f is given as Σ c_i·3^i for Σ c_i·x^i.
            ///
            /// # Errors
            /// Returns an error if f is too long, or is not irreducible of a degree prime to 6 with leading coefficient
            /// 1.
            pub fn new(f: &BigUint) -> Result<Self, ModulusError> {
                let products = |w, m, tail: &[Tail]| Self::detected(w, m, tail).unwrap_or(Self::PORTABLE);
                Ternary::with(f, reduction::$of, products)
            }

            /// Creates F_3(x)/f in portable code only.
            ///
            /// # Errors
            /// Returns an error where `new` does.
            pub fn portable(f: &BigUint) -> Result<Self, ModulusError> {
                Ternary::with(f, reduction::$of, |_, _, _| Self::PORTABLE)
            }
        }
    };
}

compiled!(2, two, of_2);
compiled!(4, four, of_4);
compiled!(8, eight, of_8);

impl<const N: usize> Ternary<N> {
    fn with(
        f: &BigUint,
        reduction: impl Fn(usize, &[Tail]) -> Reduction<N>,
        products: impl Fn(usize, usize, &[Tail]) -> Products<N>,
    ) -> Result<Self, ModulusError> {
        let coefficients = polynomial::coefficients(f);
        let m = coefficients.len().saturating_sub(1);
        if m > 64 * N {
            return Err(ModulusError::TooLarge { bits: f.bits(), max: BigUint::from(3u32).pow(64 * N as u32).bits() });
        }
        if m < 5 || m.is_multiple_of(2) || m.is_multiple_of(3) || coefficients[m] != 1 || !polynomial::is_irreducible(f)
        {
            return Err(ModulusError::ReducibleOverF3(f.clone()));
        }
        let w = m.div_ceil(2 * N);
        let tail: Vec<Tail> =
            coefficients[..m].iter().enumerate().filter(|(_, c)| **c != 0).map(|(i, c)| (i, *c == 1)).collect();
        let (reduction, products) = (reduction(m, &tail), products(w, m, &tail));
        Ok(Ternary { shape: Arc::new(Shape { f: f.clone(), m, tail, w, reduction, products }) })
    }

    /// The degree m.
    pub fn degree(&self) -> usize {
        self.shape.m
    }

    /// Computes a³, without products.
    pub fn cube(&self, out: &mut Residue<N>, a: &Residue<N>) {
        let Shape { m, tail, reduction, products, .. } = &*self.shape;
        let mut long = [[[0; N]; 3]; 2];
        (products.cube)(&mut long, &a.0);
        (reduction.cube)(*m, tail, &mut out.0, &long);
    }

    /// Returns a^(3^n).
    pub fn cubed(&self, a: &Residue<N>, n: usize) -> Residue<N> {
        let (mut power, mut next) = (a.clone(), Residue::blank());
        for _ in 0..n {
            self.cube(&mut next, &power);
            std::mem::swap(&mut power, &mut next);
        }
        power
    }

    /// Returns a^(1 + e + e² + … + e^(n − 1)) for e = 3^step and n = target. With b_n for n, b_(2n) = b_n^(e^n)·b_n and
    /// b_(n + 1) = b_n^e·a, along the bits of n.
    fn repeated(&self, a: &Residue<N>, step: usize, target: usize) -> Residue<N> {
        let (mut n, mut b) = (1, a.clone());
        for i in (0..target.ilog2()).rev() {
            at! {self; twice = mul(&self.cubed(&b, step * n), &b);}
            (n, b) = (2 * n, twice);
            if target >> i & 1 == 1 {
                at! {self; next = mul(&self.cubed(&b, step), a);}
                (n, b) = (n + 1, next);
            }
        }
        b
    }

    /// Computes a^(3·2·e + 1) for b = a^e: the last step of a^(q − 2) and of a^((q + 1)/4).
    fn finished(&self, out: &mut Residue<N>, b: &Residue<N>, a: &Residue<N>) {
        at! {self; square = sqr(b); cube = cube(&square);}
        self.mul(out, &cube, a);
    }

    /// Computes a^((3^m + 1)/4): if a is a square, a root of a that is itself a square.
    /// (3^m + 1)/4 = 6·(9^k − 1)/8 + 1, k = (m − 1)/2.
    pub fn square_root(&self, out: &mut Residue<N>, a: &Residue<N>) {
        self.finished(out, &self.repeated(a, 2, self.shape.m / 2), a);
    }

    /// Computes x with x³ − x = c if the trace of c is 0; else x³ − x − c is another element of F_3.
    ///
    /// Let φ be the cubing map and n such that 3n ≡ ±1 modulo m. Then s = Σ φ^(3i)(c) over i < n satisfies
    /// (φ − 1)³(s) = φ^(3n)(c) − c. This is (φ − 1)(c) for +1, so that x = (φ − 1)(s); or −φ^(−1)(φ − 1)(c) for −1, so that
    /// x = −φ(φ − 1)(s).
    pub fn third_trace(&self, out: &mut Residue<N>, c: &Residue<N>) {
        let m = self.shape.m;
        let mut s = c.clone();
        for _ in 1..(m + 1) / 3 {
            s = at!(self; sum(&[plus(&self.cubed(&s, 3)), plus(c)]));
        }
        at! {self; cube = cube(&s);}
        if m % 3 == 2 {
            self.sub(out, &cube, &s);
        } else {
            at! {self; difference = sub(&s, &cube);}
            self.cube(out, &difference);
        }
    }

    /// Returns the mask of a > −a as integers: the highest coefficient that is not 0 is 2.
    pub fn is_upper(&self, a: &Residue<N>) -> Choice {
        let (mut above, mut bit) = (0u64, 0u64);
        for i in (0..N).rev() {
            // the highest bit of this word, if the words above it are 0
            let mut below = a.0[0][i];
            for shift in [1, 2, 4, 8, 16, 32] {
                below |= below >> shift;
            }
            let first = (below ^ below >> 1) & above.wrapping_sub(1);
            bit |= u64::from(first & a.0[1][i] != 0);
            above |= below & 1;
        }
        Choice::new(bit)
    }

    /// Returns the coefficient of 1: 0, 1 or 2.
    pub fn lowest(&self, a: &Residue<N>) -> u64 {
        self.coefficient(a, 0)
    }

    /// Returns the coefficient of x^i.
    fn coefficient(&self, a: &Residue<N>, i: usize) -> u64 {
        (a.0[0][i / 64] >> (i % 64) & 1) + (a.0[1][i / 64] >> (i % 64) & 1)
    }
}

/// Adds c·x to `sum`, if c is not 0 modulo 3.
#[inline(always)]
fn add_term<const L: usize>(sum: &mut [[u64; L]; 2], c: i32, x: &[[u64; L]; 2]) {
    match c.rem_euclid(3) {
        1 => each(sum, x, u64::sum),
        2 => each(sum, x, u64::difference),
        _ => {}
    }
}

#[inline(always)]
fn each<const L: usize>(sum: &mut [[u64; L]; 2], x: &[[u64; L]; 2], with: impl Fn([u64; 2], [u64; 2]) -> [u64; 2]) {
    for i in 0..L {
        let [v, s] = with([sum[0][i], sum[1][i]], [x[0][i], x[1][i]]);
        (sum[0][i], sum[1][i]) = (v, s);
    }
}

impl<const N: usize> Field for Ternary<N> {
    type Elem = Residue<N>;
    type Wide = Sum<N>;
    choices!();

    fn zero(&self) -> Residue<N> {
        Residue::default()
    }

    fn one(&self) -> Residue<N> {
        let mut one = self.zero();
        one.0[0][0] = 1;
        one
    }

    fn mul_wide(&self, out: &mut Sum<N>, a: &Residue<N>, b: &Residue<N>) {
        (self.shape.products.one)(self.shape.w, &mut out.0, &a.0, &b.0);
    }

    fn mul_all<const K: usize>(&self, out: &mut [Residue<N>; K], a: [&Residue<N>; K], b: [&Residue<N>; K]) {
        let Shape { m, tail, w, reduction, products, .. } = &*self.shape;
        let (a, b) = (a.map(|x| &x.0), b.map(|x| &x.0));
        if let Some(closed) = products.closed {
            return closed(&mut out.each_mut().map(|x| &mut x.0), &a, &b);
        }
        let mut wide = [[[[0; N]; 2]; 2]; K];
        (products.many)(*w, &mut wide.each_mut(), &a, &b);
        out.iter_mut().zip(&wide).for_each(|(out, product)| (reduction.product)(*m, tail, &mut out.0, product));
    }

    fn sqr_wide(&self, out: &mut Sum<N>, a: &Residue<N>) {
        self.mul_wide(out, a, a);
    }

    fn lin(&self, out: &mut Sum<N>, terms: &[Term<Sum<N>>]) {
        *out = Sum::default();
        for t in terms {
            for half in 0..2 {
                let mut own = [out.0[0][half], out.0[1][half]];
                add_term(&mut own, t.coeff, &[t.value.0[0][half], t.value.0[1][half]]);
                [out.0[0][half], out.0[1][half]] = own;
            }
        }
    }

    fn reduce(&self, out: &mut Residue<N>, terms: &[Term<Sum<N>>]) {
        let Shape { m, tail, reduction, .. } = &*self.shape;
        if let [Term { coeff: 1, value }] = terms {
            return (reduction.product)(*m, tail, &mut out.0, &value.0);
        }
        at! {self; sum = lin(terms);}
        (reduction.product)(*m, tail, &mut out.0, &sum.0);
    }

    fn add(&self, out: &mut Residue<N>, a: &Residue<N>, b: &Residue<N>) {
        out.clone_from(a);
        each(&mut out.0, &b.0, u64::sum);
    }

    fn sum(&self, out: &mut Residue<N>, terms: &[Term<Residue<N>>]) {
        *out = self.zero();
        terms.iter().for_each(|t| add_term(&mut out.0, t.coeff, &t.value.0));
    }

    fn sub(&self, out: &mut Residue<N>, a: &Residue<N>, b: &Residue<N>) {
        out.clone_from(a);
        each(&mut out.0, &b.0, u64::difference);
    }

    fn neg(&self, out: &mut Residue<N>, a: &Residue<N>) {
        out.0[0] = a.0[0];
        for i in 0..N {
            out.0[1][i] = a.0[0][i] ^ a.0[1][i];
        }
    }

    /// Computes a^(3^m − 2) with 3^m − 2 = 6·(3^(m − 1) − 1)/2 + 1: m cubings, and fewer than 2·log2(m) products.
    fn inv(&self, out: &mut Residue<N>, a: &Residue<N>) {
        self.finished(out, &self.repeated(a, 1, self.shape.m - 1), a);
    }

    fn select(&self, out: &mut Residue<N>, mask: Choice, a: &Residue<N>, b: &Residue<N>) {
        for plane in 0..2 {
            for i in 0..N {
                let (x, y) = (a.0[plane][i], b.0[plane][i]);
                out.0[plane][i] = y ^ (mask.word() & (x ^ y));
            }
        }
    }

    fn is_zero(&self, a: &Residue<N>) -> Choice {
        Choice::is_zero(a.0[0].iter().fold(0, |acc, w| acc | w))
    }
}

impl<const N: usize> Prime for Ternary<N> {
    own_values!();

    /// The polynomial f.
    fn modulus(&self) -> &BigUint {
        &self.shape.f
    }

    /// Returns x modulo f, both as polynomials.
    fn constant(&self, x: &BigUint) -> Residue<N> {
        let words: Vec<u64> = polynomial::rem(x, &self.shape.f).iter_u64_digits().collect();
        let mut out = self.zero();
        self.load(&mut out, &[&words]);
        out
    }
}

impl<const N: usize> Lanes for Ternary<N> {
    one_lane!();

    /// Loads the value. Not constant time.
    fn load(&self, out: &mut Residue<N>, values: &[&[u64]]) {
        let mut words = only_value(values, self.word_len()).to_vec();
        *out = self.zero();
        let m = self.shape.m;
        for first in (0..m).step_by(DIGITS) {
            // the remainder modulo 3^40, whose base-3 digits are the coefficients
            let mut rest = 0u64;
            for word in words.iter_mut().rev() {
                let value = u128::from(rest) << 64 | u128::from(*word);
                (*word, rest) = ((value / u128::from(RADIX)) as u64, (value % u128::from(RADIX)) as u64);
            }
            for i in first..m.min(first + DIGITS) {
                let digit = rest % 3;
                rest /= 3;
                out.0[0][i / 64] |= u64::from(digit != 0) << (i % 64);
                out.0[1][i / 64] |= (digit >> 1) << (i % 64);
            }
            debug_assert_eq!(rest, 0, "a value to load is not canonical");
        }
        debug_assert!(words.iter().all(|word| *word == 0), "a value to load is not canonical");
    }

    fn store(&self, words: &mut [u64], a: &Residue<N>, lane: usize) {
        assert_eq!(lane, 0, "this field has one lane");
        assert!(words.len() >= self.word_len(), "too few words for a residue");
        words.fill(0);
        let m = self.shape.m;
        for first in (0..m).step_by(DIGITS).rev() {
            let chunk = first..m.min(first + DIGITS);
            let mut carry = chunk.rev().fold(0, |value, i| 3 * value + self.coefficient(a, i));
            for word in words.iter_mut() {
                let value = u128::from(*word) * u128::from(RADIX) + u128::from(carry);
                (*word, carry) = (value as u64, (value >> 64) as u64);
            }
        }
    }
}
