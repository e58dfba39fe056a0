//! The portable engine: Montgomery arithmetic (Montgomery 1985) on 64-bit words, for any odd modulus, chosen at run time.
//!
//! With R = 2^(64N), the residue x is held as a number congruent to x·R modulo p. How far it may be from canonical depends
//! on the spare bits s = 64N − bits(p):
//!
//! * tight (s < 16): always canonical. A linear form with positive weight n (the sum of its positive coefficients) and
//!   negative weight m lies in (−m·pR, n·pR): adding m·pR and reducing gives a value in [0, (n + m + 1)p), which
//!   ⌈log2(n + m + 1)⌉ masked subtractions of 2^j·p make canonical;
//! * roomy (s ≥ 16): a few multiples of p are tolerated and most corrections disappear; see `room`.
//!
//! Cost: N² word products for a product, N(N+1)/2 for a square, N² + N for a reduction. Everything runs in constant time:
//! no branch and no address depends on the value of an element.

mod forms;
mod inverse;
mod kernels;
mod linear;
mod room;
mod rules;

use crate::bounds::Machine;
use crate::contract::{Field, Lanes, ModulusError, Prime};
use crate::term::Term;
use inverse::Inverter;
use kernels::Isa;
use kernels::Wide;
use linear::{Multiples, accumulate, accumulate_wide, add_multiple};
use num_bigint::BigUint;
use num_traits::One;
use room::Room;
pub use rules::{Roomy, Tight};
use std::sync::Arc;

/// A residue in Montgomery form: N little-endian words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Residue<const N: usize>(pub(crate) [u64; N]);

impl<const N: usize> Default for Residue<N> {
    fn default() -> Self {
        Residue([0; N])
    }
}

impl<const N: usize> zeroize::DefaultIsZeroes for Residue<N> {}

/// An unreduced sum of products: 2N words. Where there are spare bits it is a number in two's complement.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum<const N: usize> {
    words: Wide<N>,
    /// Whether it may be negative: a matter of the formula, not of the values.
    signed: bool,
}

/// A truth value as a mask of ones or zeros, so that selecting never branches.
#[derive(Clone, Copy, Debug)]
pub struct Choice(u64);

/// F_p on N 64-bit words.
#[derive(Clone)]
pub struct Mont<const N: usize> {
    isa: Isa,
    /// −1/p mod 2^64.
    ninv: u64,
    /// 2^j·p for the last subtractions of a reduction.
    multiples: Multiples<N>,
    /// Present where there are spare bits.
    room: Option<Room<N>>,
    /// R mod p: the residue 1.
    one: [u64; N],
    /// R² mod p: turns an integer into a residue.
    r2: [u64; N],
    inverter: Inverter<N>,
    modulus: Arc<BigUint>,
}

impl<const N: usize> Mont<N> {
    /// The field of p elements, on the best instructions of this processor.
    ///
    /// # Errors
    /// If p is even, below 3, or longer than 64·N bits. Primality is the caller's to know.
    pub fn new(p: &BigUint) -> Result<Self, ModulusError> {
        Self::with_isa(p, Isa::detect())
    }

    /// The field of p elements on portable code only.
    ///
    /// # Errors
    /// As [`Mont::new`].
    pub fn portable(p: &BigUint) -> Result<Self, ModulusError> {
        Self::with_isa(p, Isa::Portable)
    }

    /// The range rules of a modulus, for [`Bounds`](crate::bounds::Bounds).
    pub fn rules(p: &BigUint) -> Arc<dyn Machine> {
        rules(p.bits(), N as u64)
    }

    fn with_isa(p: &BigUint, isa: Isa) -> Result<Self, ModulusError> {
        let max = 64 * N as u64;
        if !p.bit(0) || p.is_one() {
            return Err(ModulusError::NotOddPrime(p.clone()));
        }
        if p.bits() > max {
            return Err(ModulusError::TooLarge { bits: p.bits(), max });
        }
        let words = to_words::<N>(p);
        let r = BigUint::one() << max;
        // Newton: each step doubles the number of correct bits of 1/p mod 2^64.
        let mut inv = words[0];
        for _ in 0..5 {
            inv = inv.wrapping_mul(2u64.wrapping_sub(words[0].wrapping_mul(inv)));
        }
        let power = |k: u32| to_words::<N>(&(r.pow(k) % p));
        Ok(Mont {
            isa,
            ninv: inv.wrapping_neg(),
            multiples: Multiples::new(&words),
            room: Room::new(&words, p.bits() as u32),
            one: power(1),
            r2: power(2),
            inverter: Inverter::new(&words, power(3)),
            modulus: Arc::new(p.clone()),
        })
    }

    #[inline(always)]
    fn p(&self) -> &[u64; N] {
        self.multiples.p()
    }

    /// (t + top·2^(128N))/R for t + top·2^(128N) in [0, bound·pR), canonical.
    #[inline(always)]
    fn finish(&self, out: &mut [u64; N], mut t: Wide<N>, top: u64, bound: u32) {
        let carry = kernels::redc(self.isa, out, &mut t, self.p(), self.ninv);
        self.multiples.reduce(self.isa, out, top + carry, bound + 1);
    }

    /// x/R modulo p, canonical.
    fn leave(&self, x: &Residue<N>) -> [u64; N] {
        let mut out = [0; N];
        self.finish(&mut out, Wide { lo: x.0, hi: [0; N] }, 0, 1);
        out
    }

    /// x in [0, p).
    fn canonical(&self, x: &Residue<N>) -> [u64; N] {
        let mut out = x.0;
        if let Some(room) = &self.room {
            room.shrink(self.isa, &mut out, self.p());
            self.multiples.reduce(self.isa, &mut out, 0, 3);
        }
        out
    }
}

/// The range rules of a modulus of this length on this many words.
pub(crate) fn rules(bits: u64, words: u64) -> Arc<dyn Machine> {
    let spare = (64 * words - bits) as u32;
    if Room::<1>::suits(bits as u32, spare) { Arc::new(Roomy { spare }) } else { Arc::new(Tight) }
}

/// The weights (n, m) of a linear form: its value lies in (−m·max, n·max).
#[inline(always)]
fn weights<T>(terms: &[Term<T>]) -> (u32, u32) {
    terms
        .iter()
        .fold((0, 0), |(n, m), t| if t.coeff > 0 { (n + t.coeff as u32, m) } else { (n, m + t.coeff.unsigned_abs()) })
}

impl<const N: usize> Field for Mont<N> {
    type Elem = Residue<N>;
    type Wide = Sum<N>;
    type Mask = Choice;

    #[inline]
    fn zero(&self) -> Residue<N> {
        Residue([0; N])
    }

    #[inline]
    fn one(&self) -> Residue<N> {
        Residue(self.one)
    }

    #[inline(always)]
    fn mul_wide(&self, out: &mut Sum<N>, a: &Residue<N>, b: &Residue<N>) {
        kernels::mul_wide(self.isa, &mut out.words, &a.0, &b.0);
        out.signed = false;
    }

    #[inline(always)]
    fn sqr_wide(&self, out: &mut Sum<N>, a: &Residue<N>) {
        kernels::sqr_wide(self.isa, &mut out.words, &a.0);
        out.signed = false;
    }

    #[inline(never)]
    fn lin(&self, out: &mut Sum<N>, terms: &[Term<Sum<N>>]) {
        if self.room.is_some() {
            out.signed = room::signed(terms);
            return room::form(self.isa, &mut out.words, terms);
        }
        let (n, m) = weights(terms);
        let top = accumulate_wide(self.isa, &mut out.words, terms);
        let top = add_multiple(self.isa, &mut out.words.hi, top, self.p(), m);
        self.multiples.reduce(self.isa, &mut out.words.hi, top, n + m);
    }

    // not inlined, nor `lin` and `sum`: one copy keeps the loops of a pairing in the instruction cache
    #[inline(never)]
    fn reduce(&self, out: &mut Residue<N>, terms: &[Term<Sum<N>>]) {
        if self.room.is_some() {
            let finish = |t: &mut Wide<N>| {
                kernels::redc(self.isa, &mut out.0, t, self.p(), self.ninv);
            };
            return room::with_form(self.isa, terms, self.p(), finish);
        }
        if let [Term { coeff: 1, value }] = terms {
            return self.finish(&mut out.0, value.words, 0, 1);
        }
        let (n, m) = weights(terms);
        let mut t = Wide::default();
        let top = accumulate_wide(self.isa, &mut t, terms);
        let top = add_multiple(self.isa, &mut t.hi, top, self.p(), m);
        self.finish(&mut out.0, t, top, n + m);
    }

    #[inline(always)]
    fn add(&self, out: &mut Residue<N>, a: &Residue<N>, b: &Residue<N>) {
        match &self.room {
            Some(_) => forms::two::<N, 0>(self.isa, &mut out.0, &a.0, &b.0),
            None => kernels::add_mod(self.isa, &mut out.0, &a.0, &b.0, self.p()),
        }
    }

    #[inline(always)]
    fn sub(&self, out: &mut Residue<N>, a: &Residue<N>, b: &Residue<N>) {
        match &self.room {
            Some(room) => room.sub(self.isa, &mut out.0, &a.0, &b.0),
            None => kernels::sub_mod(self.isa, &mut out.0, &a.0, &b.0, self.p()),
        }
    }

    #[inline(never)]
    fn sum(&self, out: &mut Residue<N>, terms: &[Term<Residue<N>>]) {
        if let Some(room) = &self.room {
            return room.sum(self.isa, &mut out.0, terms, self.p());
        }
        let (n, m) = weights(terms);
        let top = accumulate(self.isa, &mut out.0, terms);
        let top = add_multiple(self.isa, &mut out.0, top, self.p(), m);
        self.multiples.reduce(self.isa, &mut out.0, top, n + m);
    }

    #[inline]
    fn mul(&self, out: &mut Residue<N>, a: &Residue<N>, b: &Residue<N>) {
        let carry = kernels::mul_redc(self.isa, &mut out.0, &a.0, &b.0, self.p(), self.ninv);
        if self.room.is_none() {
            self.multiples.reduce(self.isa, &mut out.0, carry, 2);
        }
    }

    #[inline]
    fn sqr(&self, out: &mut Residue<N>, a: &Residue<N>) {
        let carry = kernels::sqr_redc(self.isa, &mut out.0, &a.0, self.p(), self.ninv);
        if self.room.is_none() {
            self.multiples.reduce(self.isa, &mut out.0, carry, 2);
        }
    }

    /// Bernstein and Yang's safegcd: constant time.
    fn inv(&self, out: &mut Residue<N>, a: &Residue<N>) {
        // (xR)^-1, then times R³·R^-1 gives x^-1·R
        let raw = Residue(self.inverter.invert(&self.canonical(a)));
        self.mul(out, &raw, &Residue(*self.inverter.r3()));
    }

    #[inline]
    fn select(&self, out: &mut Residue<N>, mask: Choice, a: &Residue<N>, b: &Residue<N>) {
        for i in 0..N {
            out.0[i] = b.0[i] ^ (mask.0 & (a.0[i] ^ b.0[i]));
        }
    }

    #[inline]
    fn is_zero(&self, a: &Residue<N>) -> Choice {
        let bits = match self.room {
            // a multiple of p leaves as 0
            Some(_) => self.leave(a).iter().fold(0, |acc, w| acc | w),
            None => a.0.iter().fold(0, |acc, w| acc | w),
        };
        // the top bit of bits | −bits is set unless bits = 0
        Choice(((bits | bits.wrapping_neg()) >> 63).wrapping_sub(1))
    }

    #[inline]
    fn mask(&self, value: bool) -> Choice {
        Choice((value as u64).wrapping_neg())
    }

    #[inline]
    fn both(&self, a: Choice, b: Choice) -> Choice {
        Choice(a.0 & b.0)
    }

    #[inline]
    fn not(&self, a: Choice) -> Choice {
        Choice(!a.0)
    }
}

impl<const N: usize> Prime for Mont<N> {
    fn modulus(&self) -> &BigUint {
        &self.modulus
    }

    fn constant(&self, x: &BigUint) -> Residue<N> {
        let mut out = self.zero();
        self.load(&mut out, &[&to_words::<N>(&(x % &*self.modulus))]);
        out
    }
}

impl<const N: usize> Lanes for Mont<N> {
    const LANES: usize = 1;

    fn load(&self, out: &mut Residue<N>, values: &[&[u64]]) {
        assert!(values.len() <= 1, "one lane");
        let mut x = Residue([0; N]);
        if let Some(words) = values.first() {
            x.0[..words.len()].copy_from_slice(words);
        }
        debug_assert!(x.0.iter().rev().lt(self.p().iter().rev()), "a value to load is not canonical");
        self.mul(out, &x, &Residue(self.r2));
    }

    fn store(&self, words: &mut [u64], a: &Residue<N>, lane: usize) {
        assert_eq!(lane, 0, "one lane");
        let out = self.leave(a);
        let len = self.word_len();
        words[..len].copy_from_slice(&out[..len]);
        words[len..].fill(0);
    }

    fn mask_from(&self, values: &[bool]) -> Choice {
        self.mask(values.first().copied().unwrap_or(false))
    }

    fn lane(&self, mask: Choice, lane: usize) -> bool {
        assert_eq!(lane, 0, "one lane");
        mask.0 != 0
    }
}

/// The little-endian words of x < 2^(64N).
fn to_words<const N: usize>(x: &BigUint) -> [u64; N] {
    let mut out = [0; N];
    for (o, w) in out.iter_mut().zip(x.iter_u64_digits()) {
        *o = w;
    }
    out
}
