//! F_2^m = F_2(x)/f for odd m, on N words: bit i of an element is the coefficient of x^i.
//!
//! The contract covers this field unchanged. A sum is a sum without carries, −a is a, and only the parity of a
//! coefficient in a linear form counts. An unreduced value is a polynomial of 2N words; elements have one range, so
//! there is nothing to prove. The difference is that squaring is linear: it costs N products of words where a product
//! costs N(N + 1)/2.
//!
//! A reduction goes from the top down (`reduction.rs`) if the terms of f lie at least a word below x^m, else by folds
//! (`fold.rs`). Powers by 2^n for a fixed n are linear maps (`power.rs`). Inversion uses the chain of Itoh and Tsujii
//! (Information and Computation 78, 1988). Nothing branches on the value of an element; the machine code has not been
//! checked for this.

mod fold;
#[cfg(target_arch = "x86_64")]
mod four;
mod kernels;
#[cfg(target_arch = "x86_64")]
mod lanes;
#[cfg(target_arch = "x86_64")]
mod long;
pub mod polynomial;
mod power;
mod products;
mod quad;
mod reduction;
#[cfg(target_arch = "x86_64")]
mod trinomial;

use crate::at;
use crate::blank::Blank;
use crate::choice::{Choice, choices, one_lane, only_value, own_values};
use crate::contract::{Field, Lanes, ModulusError, Prime};
use crate::term::{List, Term, plus};
use fold::below;
use kernels::{Kernels, Long, Trinomial};
use num_bigint::BigUint;
pub use power::Power;
use products::Products;
pub use quad::Quad;
use reduction::Reduction;
use std::sync::{Arc, OnceLock};

/// An element: a polynomial of degree below m.
#[derive(Clone, Debug, PartialEq)]
#[repr(align(32))]
pub struct Residue<const N: usize>([u64; N]);

/// A polynomial of degree below 2m − 1: the low words, then the high ones.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Sum<const N: usize>([[u64; N]; 2]);

impl<const N: usize> Default for Residue<N> {
    fn default() -> Self {
        Residue([0; N])
    }
}

impl<const N: usize> Default for Sum<N> {
    fn default() -> Self {
        Sum([[0; N]; 2])
    }
}

impl<const N: usize> Blank for Residue<N> {}

impl<const N: usize> Blank for Sum<N> {}

/// The field F_2^m on N words.
#[derive(Clone)]
pub struct Binary<const N: usize> {
    shape: Arc<Shape<N>>,
}

/// The polynomial, and the implementation of the multiplication.
struct Shape<const N: usize> {
    f: BigUint,
    m: usize,
    reduction: Reduction<N>,
    products: Products<N>,
    /// The operations that have code of their own for this field.
    long: Option<Long<N>>,
    /// Products and squares of several elements side by side, including their reductions.
    trinomial: Option<Trinomial<N>>,
    /// The long powers of an inversion: by 2 to the power (m + 1)/2, (m − 1)/4 and (m − 1)/8, rounded down.
    powers: OnceLock<[Power<N>; 3]>,
    /// The half-trace as a matrix, where many squares can be computed side by side to build it.
    half_trace: OnceLock<Power<N>>,
}

impl<const N: usize> Binary<N> {
    /// Creates F_2(x)/f with the processor's best instructions.
    ///
    /// # Errors
    /// Returns an error if f is not irreducible of odd degree above 1, or too long.
    pub fn new(f: &BigUint) -> Result<Self, ModulusError> {
        Binary::with(f, Products::detected().unwrap_or(Products::PORTABLE))
    }

    /// Creates F_2(x)/f without products side by side; `None` if the processor has no instruction for carry-less
    /// products.
    ///
    /// # Errors
    /// Returns an error where [`Binary::new`] does.
    pub fn without_lanes(f: &BigUint) -> Result<Option<Self>, ModulusError> {
        Products::without_lanes().map(|products| Binary::with(f, products)).transpose()
    }

    /// Creates F_2(x)/f in portable code only.
    ///
    /// # Errors
    /// Returns an error where [`Binary::new`] does.
    pub fn portable(f: &BigUint) -> Result<Self, ModulusError> {
        Binary::with(f, Products::PORTABLE)
    }

    fn with(f: &BigUint, products: Products<N>) -> Result<Self, ModulusError> {
        let m = f.bits().saturating_sub(1) as usize;
        if m > 64 * N {
            return Err(ModulusError::TooLarge { bits: f.bits(), max: 64 * N as u64 + 1 });
        }
        if m < 3 || m.is_multiple_of(2) || !polynomial::is_irreducible(f) {
            return Err(ModulusError::Reducible(f.clone()));
        }
        let exponents: Vec<usize> = (0..m).filter(|i| f.bit(*i as u64)).collect();
        let (long, trinomial) = if products.lanes { kernels::detected(m, &exponents) } else { (None, None) };
        let shape = Shape {
            f: f.clone(),
            m,
            long,
            trinomial,
            reduction: Reduction::new(m, exponents),
            products,
            powers: OnceLock::new(),
            half_trace: OnceLock::new(),
        };
        Ok(Binary { shape: Arc::new(shape) })
    }

    /// The degree m.
    pub fn degree(&self) -> usize {
        self.shape.m
    }

    /// Returns the operations on four elements in registers, if there are any.
    fn kernels(&self) -> Option<Kernels<N>> {
        self.shape.trinomial.as_ref().map(|trinomial| trinomial.four)
    }

    /// Returns a^(2^n).
    fn squared(&self, a: &Residue<N>, n: usize) -> Residue<N> {
        if let Some(long) = &self.shape.long {
            let mut power = Residue::blank();
            (long.squares)(&mut power, a, n);
            return power;
        }
        if let Some(trinomial) = &self.shape.trinomial {
            let mut power = a.clone();
            (trinomial.squares)(std::slice::from_mut(&mut power), n);
            return power;
        }
        let (mut power, mut next) = (a.clone(), Residue::blank());
        for _ in 0..n {
            self.sqr(&mut next, &power);
            std::mem::swap(&mut power, &mut next);
        }
        power
    }

    /// Returns the long powers of an inversion, created on first use.
    fn powers(&self) -> &[Power<N>; 3] {
        let m = self.shape.m;
        self.shape.powers.get_or_init(|| [m.div_ceil(2), m / 4, m / 8].map(|n| Power::new(self, n)))
    }

    /// Returns the map a ↦ a^(2^((m + 1)/2)).
    pub fn half_power(&self) -> &Power<N> {
        &self.powers()[0]
    }

    /// Computes √a = a^(2^(m − 1)), which exists for every element.
    pub fn square_root(&self, out: &mut Residue<N>, a: &Residue<N>) {
        *out = self.squared(a, self.shape.m - 1);
    }

    /// Computes the half-trace h = Σ a^(4^i) over i ≤ (m − 1)/2: h² + h = a where the trace of a is 0, else
    /// h² + h = a + 1.
    pub fn half_trace(&self, out: &mut Residue<N>, a: &Residue<N>) {
        if self.kernels().is_some() {
            [*out] = self.shape.half_trace.get_or_init(|| Power::half_trace(self)).of([a]);
            return;
        }
        out.clone_from(a);
        for _ in 0..self.shape.m / 2 {
            *out = at!(self; sum(&[plus(&self.squared(out, 2)), plus(a)]));
        }
    }
}

/// Computes Σ c·x of any terms, given the words of x.
fn summed<T>(out: &mut [u64], terms: &[Term<T>], words: impl Fn(&T) -> &[u64]) {
    out.fill(0);
    for t in terms.iter().filter(|t| t.coeff & 1 == 1) {
        for (own, other) in out.iter_mut().zip(words(t.value)) {
            *own ^= other;
        }
    }
}

impl<const N: usize> Field for Binary<N> {
    type Elem = Residue<N>;
    type Wide = Sum<N>;
    choices!();

    fn zero(&self) -> Residue<N> {
        Residue([0; N])
    }

    fn one(&self) -> Residue<N> {
        let mut one = self.zero();
        one.0[0] = 1;
        one
    }

    fn mul_wide(&self, out: &mut Sum<N>, a: &Residue<N>, b: &Residue<N>) {
        (self.shape.products.mul)(&mut out.0, &a.0, &b.0);
    }

    fn sqr_wide(&self, out: &mut Sum<N>, a: &Residue<N>) {
        (self.shape.products.sqr)(&mut out.0, &a.0);
    }

    fn mul_wide_four(&self, out: [&mut Sum<N>; 4], a: [&Residue<N>; 4], b: [&Residue<N>; 4]) {
        let ([c, d, e, g], [a0, a1, a2, a3], [b0, b1, b2, b3]) = (out, a, b);
        (self.shape.products.four)(
            [&mut c.0, &mut d.0, &mut e.0, &mut g.0],
            [&a0.0, &a1.0, &a2.0, &a3.0],
            [&b0.0, &b1.0, &b2.0, &b3.0],
        );
    }

    fn lin(&self, out: &mut Sum<N>, terms: &[Term<Sum<N>>]) {
        summed(out.0.as_flattened_mut(), terms, |x| x.0.as_flattened());
    }

    fn reduce(&self, out: &mut Residue<N>, terms: &[Term<Sum<N>>]) {
        if let Some(long) = &self.shape.long {
            return (long.reduce)(out, terms, &[]);
        }
        let reduction = &self.shape.reduction;
        match terms {
            [Term { coeff: 1, value }] => reduction.one(&mut out.0, &value.0),
            [Term { coeff: 1, value: v }, Term { coeff: 1, value: w }] => reduction.two(&mut out.0, &v.0, &w.0),
            _ => {
                at! {self; sum = lin(terms);}
                reduction.one(&mut out.0, &sum.0);
            }
        }
    }

    fn reduce_sum(&self, out: &mut Residue<N>, wides: &[Term<Sum<N>>], terms: &[Term<Residue<N>>]) {
        if let Some(long) = &self.shape.long {
            return (long.reduce)(out, wides, terms);
        }
        at! {self; remainder = reduce(wides);}
        self.sum(out, List::new().all(1, &[plus(&remainder)]).all(1, terms).terms());
    }

    fn sqr(&self, out: &mut Residue<N>, a: &Residue<N>) {
        if let Some(long) = &self.shape.long {
            return (long.sqr)(out, a);
        }
        if let Some(trinomial) = &self.shape.trinomial {
            out.clone_from(a);
            return (trinomial.squares)(std::slice::from_mut(out), 1);
        }
        let mut square = Sum::blank();
        self.sqr_wide(&mut square, a);
        self.shape.reduction.one(&mut out.0, &square.0);
    }

    #[inline]
    fn mul_all<const K: usize>(&self, out: &mut [Residue<N>; K], a: [&Residue<N>; K], b: [&Residue<N>; K]) {
        if let Some(trinomial) = &self.shape.trinomial {
            return (trinomial.mul)(out, &a, &b);
        }
        for i in 0..K {
            self.mul(&mut out[i], a[i], b[i]);
        }
    }

    #[inline]
    fn sqr_all(&self, xs: &mut [Residue<N>], n: usize) {
        if let Some(trinomial) = &self.shape.trinomial {
            return (trinomial.squares)(xs, n);
        }
        for x in xs {
            *x = self.squared(x, n);
        }
    }

    #[inline]
    fn add(&self, out: &mut Residue<N>, a: &Residue<N>, b: &Residue<N>) {
        if let Some(long) = &self.shape.long {
            return (long.add)(out, a, b);
        }
        for i in 0..N {
            out.0[i] = a.0[i] ^ b.0[i];
        }
    }

    #[inline(always)]
    fn sum(&self, out: &mut Residue<N>, terms: &[Term<Residue<N>>]) {
        if let Some(long) = &self.shape.long {
            return (long.sum)(out, terms);
        }
        match terms {
            // one pass for the sums in products and squarings of towers
            [Term { coeff: 1, value: a }, Term { coeff: 1, value: b }] => self.add(out, a, b),
            [Term { coeff: 1, value: a }, Term { coeff: 1, value: b }, Term { coeff: 1, value: c }] => {
                for i in 0..N {
                    out.0[i] = a.0[i] ^ b.0[i] ^ c.0[i];
                }
            }
            [
                Term { coeff: 1, value: a },
                Term { coeff: 1, value: b },
                Term { coeff: 1, value: c },
                Term { coeff: 1, value: d },
            ] => {
                for i in 0..N {
                    out.0[i] = a.0[i] ^ b.0[i] ^ c.0[i] ^ d.0[i];
                }
            }
            _ => summed(&mut out.0, terms, |x| &x.0),
        }
    }

    /// Computes a^(2^m − 2). With b_n = a^(2^n − 1), b_(2n) = b_n^(2^n)·b_n and b_(n + 1) = b_n²·a, along the bits of
    /// h = (m − 1)/2; finally b_(2h)² = b_h^(2^(h + 1))·b_h². Fewer than 2·log2(m) products, three long powers, and
    /// about m/8 squarings.
    fn inv(&self, out: &mut Residue<N>, a: &Residue<N>) {
        let h = self.shape.m / 2;
        let [last, quarter, eighth] = self.powers();
        let (mut n, mut b) = (1, a.clone()); // b = a^(2^n − 1)
        for i in (0..h.ilog2()).rev() {
            let power = match i {
                0 => quarter.of([&b]),
                1 => eighth.of([&b]),
                _ => [self.squared(&b, n)],
            };
            at! {self; twice = mul(&power[0], &b);}
            (n, b) = (2 * n, twice);
            if h >> i & 1 == 1 {
                at! {self; next = mul(&self.squared(&b, 1), a);}
                (n, b) = (n + 1, next);
            }
        }
        let [power] = last.of([&b]);
        at! {self; square = sqr(&b);}
        self.mul(out, &power, &square);
    }

    fn select(&self, out: &mut Residue<N>, mask: Choice, a: &Residue<N>, b: &Residue<N>) {
        for i in 0..N {
            out.0[i] = b.0[i] ^ (mask.word() & (a.0[i] ^ b.0[i]));
        }
    }

    fn is_zero(&self, a: &Residue<N>) -> Choice {
        let bits = a.0.iter().fold(0, |acc, w| acc | w);
        Choice::is_zero(bits)
    }
}

impl<const N: usize> Prime for Binary<N> {
    own_values!();

    /// The polynomial f.
    fn modulus(&self) -> &BigUint {
        &self.shape.f
    }

    /// Returns x modulo f, both as polynomials.
    fn constant(&self, x: &BigUint) -> Residue<N> {
        let mut out = self.zero();
        out.0.iter_mut().zip(polynomial::rem(x, &self.shape.f).iter_u64_digits()).for_each(|(w, d)| *w = d);
        out
    }
}

impl<const N: usize> Lanes for Binary<N> {
    one_lane!();

    fn load(&self, out: &mut Residue<N>, values: &[&[u64]]) {
        let words = only_value(values, self.word_len());
        *out = self.zero();
        out.0[..words.len()].copy_from_slice(words);
        debug_assert!(
            (0..N).all(|i| out.0[i] & !below(self.shape.m.saturating_sub(64 * i)) == 0),
            "a value to load is not canonical"
        );
    }

    fn store(&self, words: &mut [u64], a: &Residue<N>, lane: usize) {
        assert_eq!(lane, 0, "this field has one lane");
        let len = words.len().min(N);
        assert!(len >= self.shape.m.div_ceil(64), "too few words for m bits");
        words[len..].fill(0);
        words[..len].copy_from_slice(&a.0[..len]);
    }
}
