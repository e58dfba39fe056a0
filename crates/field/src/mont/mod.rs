//! The engines `mont` and `portable`: Montgomery arithmetic (Montgomery 1985) on 64-bit words, for any odd modulus, chosen at run time.
//!
//! With R = 2^(64n), the residue x is held as a number congruent to x·R modulo p. How far it may be outside [0, p) depends
//! on the spare bits s = 64n − bits(p):
//!
//! * a *tight* modulus (s < 16): elements are always canonical; unreduced sums have one word more, for sign and weight, and are not
//!   corrected; see `tight`;
//! * a *roomy* modulus (s ≥ 16): elements may exceed p by a few multiples of it, and most corrections disappear; see `roomy`.
//!
//! On few words, where kernels in assembly support only tight moduli, a roomy p is replaced by a multiple c·p that is
//! tight. Everything below is then modulo c·p, except for values that enter and leave.
//!
//! [`Mont<N>`] has a capacity of N words: up to N = 8, n = N; above that n is the next number of words that has
//! kernels. The computations are in `arithmetic.rs`, which is compiled once and not for each N: it learns n when it
//! runs. Only in plain Rust is it compiled for each n from 3 to 8.
//!
//! Cost: n² word products for a product, n(n + 1)/2 for a square, at most n² + n for a reduction. Everything runs in constant time:
//! no branch and no address depends on the value of an element.
//!
//! `unsafe` is for sums as consecutive words, and for operations that are called with addresses.
#![allow(unsafe_code)]

mod arithmetic;
mod calls;
mod complex;
mod forms;
mod inverse;
mod kernels;
mod modulus;
mod multiplier;
#[cfg(test)]
#[path = "tests/ranges.rs"]
mod ranges;
mod ring;
mod roomy;
mod rules;
mod sums;
mod table;
mod tight;
mod values;

use crate::at;
use crate::blank::Blank;
use crate::bounds::Rules;
use crate::choice::{Choice, choices, one_lane, only_value, own_values};
use crate::code::Code;
use crate::contract::{Field, Lanes, ModulusError, Prime};
use crate::dispatch::{Engine, Margin};
use crate::kernel::Kernel;
use crate::term::{List, Term};
use crate::words::{from_words, to_words};
pub(crate) use inverse::Inverter;
use kernels::Isa;
#[cfg(target_arch = "x86_64")]
pub(crate) use multiplier::Multiplier;
use num_bigint::BigUint;
use num_traits::One;
use ring::{Ring, Slack};
use rules::{RoomyRules, TightRules};
use std::ptr::null;
use std::sync::Arc;
use values::Value;

/// A residue in Montgomery form: n little-endian words, with a capacity of N words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Residue<const N: usize>(pub(crate) [u64; N]);

impl<const N: usize> Default for Residue<N> {
    #[inline]
    fn default() -> Self {
        Residue([0; N])
    }
}

impl<const N: usize> Blank for Residue<N> {}

impl<const N: usize> zeroize::DefaultIsZeroes for Residue<N> {}

// SAFETY: a residue is N words
unsafe impl<const N: usize> Value for Residue<N> {
    const WORDS: Option<usize> = Some(N);
}

/// An unreduced sum of products: its first 2n words, and the word above them. For a tight modulus the word above is
/// the next word, in two's complement. For a roomy modulus it is −1 if the 2n words are a number in two's complement
/// that may be negative, else 0; this depends on the formula and not on the values.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Sum<const N: usize> {
    words: [[u64; N]; 2],
    last: u64,
}

impl<const N: usize> Default for Sum<N> {
    #[inline]
    fn default() -> Self {
        Sum { words: [[0; N]; 2], last: 0 }
    }
}

impl<const N: usize> Blank for Sum<N> {}

// SAFETY: a sum is 2N + 1 words, one after the other
unsafe impl<const N: usize> Value for Sum<N> {
    const WORDS: Option<usize> = Some(2 * N + 1);
}

/// F_p with a capacity of N 64-bit words.
#[derive(Clone)]
pub struct Mont<const N: usize>(Arc<Ring>);

/// The largest capacity at which a modulus always takes as many words as the capacity.
const FEW: usize = 8;

/// Returns how many words a modulus of `bits` bits takes of a capacity of `places` words: all of them up to [`FEW`],
/// above that the next number that has kernels.
fn words_of(places: usize, bits: u64) -> Option<usize> {
    let least = if places <= FEW { places } else { FEW + 1 };
    kernels::lengths().find(|n| (least..=places).contains(n) && bits <= 64 * *n as u64)
}

/// The fewest spare bits with this margin.
pub(crate) fn least_spare(margin: Margin) -> u64 {
    if margin.more_words { u64::from(roomy::SPARE_BITS) } else { 0 }
}

/// Returns the instructions that an engine uses.
fn isa_of(engine: Engine) -> Isa {
    if engine == Engine::Portable { Isa::Portable } else { Isa::detect() }
}

/// Creates the ring of p in a capacity of `places` words, with at least `spare` spare bits.
fn ring(p: &BigUint, places: usize, isa: Isa, spare: u64) -> Result<Ring, ModulusError> {
    if !p.bit(0) || p.is_one() {
        return Err(ModulusError::NotOddPrime(p.clone()));
    }
    let max = kernels::lengths().take_while(|n| *n <= places).last().unwrap_or(0);
    let too_large = || ModulusError::TooLarge { bits: p.bits(), max: (64 * max as u64).saturating_sub(spare) };
    Ok(Ring::new(p, words_of(places, p.bits() + spare).ok_or_else(too_large)?, isa))
}

impl<const N: usize> Mont<N> {
    /// Creates the field of p elements, on the best instructions of this processor.
    ///
    /// # Errors
    /// Returns an error if p is even, below 3, or longer than the greatest number of words up to N that has kernels;
    /// the error states this limit. The caller must know that p is prime: primality is not checked.
    pub fn new(p: &BigUint) -> Result<Self, ModulusError> {
        Self::with_margin(Engine::Mont, p, Margin::default())
    }

    /// Creates the field of p elements on portable code only.
    ///
    /// # Errors
    /// Returns an error as [`Mont::new`] does.
    pub fn portable(p: &BigUint) -> Result<Self, ModulusError> {
        Self::with_margin(Engine::Portable, p, Margin::default())
    }

    /// Creates the field of p elements on one of these engines, with a margin.
    ///
    /// # Errors
    /// Returns an error as [`Mont::new`] does; the limit leaves room for the spare bits of the margin.
    pub fn with_margin(engine: Engine, p: &BigUint, margin: Margin) -> Result<Self, ModulusError> {
        const { assert!(N != 9, "no number of words above 8 fits 9 places") };
        Ok(Mont(Arc::new(ring(p, N, isa_of(engine), least_spare(margin))?)))
    }

    /// Returns the range rules of a modulus, for [`Bounds`](crate::bounds::Bounds).
    ///
    /// # Panics
    /// Panics if the modulus has more than N words.
    pub fn rules(p: &BigUint) -> Arc<dyn Rules> {
        assert!(p.bits() <= 64 * N as u64, "a modulus of {} bits does not fit in {N} words", p.bits());
        rules(Engine::Mont, p.bits(), N, Margin::default())
    }

    /// The number n of words in use.
    #[inline(always)]
    fn words(&self) -> usize {
        self.0.words()
    }

    #[inline(always)]
    fn read<'a>(&self, x: &'a Residue<N>) -> &'a [u64] {
        &x.0[..self.words()]
    }

    #[inline(always)]
    fn write<'a>(&self, x: &'a mut Residue<N>) -> &'a mut [u64] {
        &mut x.0[..self.words()]
    }
}

/// The number of spare bits of a multiple of p, which can also have one more.
const SPARE: u64 = 14;

/// Returns the length in bits of the multiplier, all of whose bits are ones, for a modulus of `bits` bits on `words`
/// words: 1, or the length that leaves the multiple [`SPARE`] bits where it then has kernels of few words.
fn multiplier_bits(isa: Isa, bits: u64, words: u64) -> u64 {
    let spare = 64 * words - bits;
    if roomy::suits(spare) && isa.has_few(words as usize) { spare - SPARE } else { 1 }
}

/// Returns the range rules of a modulus of `bits` bits in a capacity of `places` words: those of its multiple, if it
/// has one.
pub(crate) fn rules(engine: Engine, bits: u64, places: usize, margin: Margin) -> Arc<dyn Rules> {
    let words = words_of(places, bits + least_spare(margin)).unwrap_or(places);
    rules_on(isa_of(engine), bits, words as u64)
}

fn rules_on(isa: Isa, bits: u64, words: u64) -> Arc<dyn Rules> {
    let spare = match multiplier_bits(isa, bits, words) {
        1 => 64 * words - bits,
        _ => SPARE,
    };
    let suits = roomy::suits(spare);
    let spare = spare as u32;
    if suits { Arc::new(RoomyRules { spare }) } else { Arc::new(TightRules { spare }) }
}

/// The address of a value.
#[inline(always)]
fn at<T>(value: &T) -> *const () {
    std::ptr::from_ref(value).cast()
}

/// The address of a list of terms, and the number of terms as an address.
#[inline(always)]
fn list<T>(terms: &[Term<T>]) -> [*const (); 2] {
    [terms.as_ptr().cast(), std::ptr::without_provenance(terms.len())]
}

/// The bytes from one coefficient of an element of F_p(i) to the next, as an address.
#[inline(always)]
fn stride<const N: usize>() -> *const () {
    std::ptr::without_provenance(size_of::<Residue<N>>())
}

/// Calls one of the functions in [`Calls`](calls::Calls) with the address of the result and the arguments that follow
/// it.
macro_rules! call {
    ($f:ident.$name:ident($out:expr, $a:expr, $b:expr, $d:expr, $e:expr)) => {{
        let ring: *const Ring = Arc::as_ptr(&$f.0);
        // SAFETY: residues are N words, sums 2N + 1, and N ≥ n; borrowed values do not overlap; a term has the layout
        // of an item
        unsafe { ($f.0.calls.$name)((&raw mut *$out).cast(), $a, $b, ring.cast(), $d, $e) }
    }};
}

impl<const N: usize> Field for Mont<N> {
    type Elem = Residue<N>;
    type Wide = Sum<N>;
    choices!();

    #[inline]
    fn zero(&self) -> Residue<N> {
        Residue([0; N])
    }

    fn one(&self) -> Residue<N> {
        let mut one = self.zero();
        self.write(&mut one).copy_from_slice(self.0.one());
        one
    }

    #[inline]
    fn mul_wide(&self, out: &mut Sum<N>, a: &Residue<N>, b: &Residue<N>) {
        call!(self.mul_wide(out, at(a), at(b), null(), 0));
    }

    #[inline]
    fn sqr_wide(&self, out: &mut Sum<N>, a: &Residue<N>) {
        call!(self.sqr_wide(out, at(a), null(), null(), 0));
    }

    #[inline]
    fn lin(&self, out: &mut Sum<N>, terms: &[Term<Sum<N>>]) {
        let [first, len] = list(terms);
        call!(self.lin(out, first, len, null(), 0));
    }

    #[inline]
    fn reduce(&self, out: &mut Residue<N>, terms: &[Term<Sum<N>>]) {
        let [first, len] = list(terms);
        call!(self.reduce(out, first, len, null(), 0));
    }

    #[inline]
    fn reduce_three_and_two(&self, out: &mut Residue<N>, terms: &[Term<Sum<N>>], x: &Residue<N>, subtract: bool) {
        let [first, len] = list(terms);
        match (&self.0.slack, subtract) {
            (Slack::Tight(_), false) => call!(self.reduce_three_plus_two(out, first, len, at(x), 0)),
            (Slack::Tight(_), true) => call!(self.reduce_three_minus_two(out, first, len, at(x), 0)),
            (Slack::Roomy(_), _) => {
                at! {self; p = reduce(terms);}
                self.three_and_two(out, &p, x, subtract);
            }
        }
    }

    #[inline]
    fn add(&self, out: &mut Residue<N>, a: &Residue<N>, b: &Residue<N>) {
        call!(self.add(out, at(a), at(b), null(), 0));
    }

    #[inline]
    fn sub(&self, out: &mut Residue<N>, a: &Residue<N>, b: &Residue<N>) {
        call!(self.sub(out, at(a), at(b), null(), 0));
    }

    #[inline]
    fn sum(&self, out: &mut Residue<N>, terms: &[Term<Residue<N>>]) {
        let [first, len] = list(terms);
        call!(self.sum(out, first, len, null(), 0));
    }

    #[inline]
    fn mul(&self, out: &mut Residue<N>, a: &Residue<N>, b: &Residue<N>) {
        call!(self.mul(out, at(a), at(b), null(), 0));
    }

    #[inline]
    fn sqr(&self, out: &mut Residue<N>, a: &Residue<N>) {
        call!(self.sqr(out, at(a), null(), null(), 0));
    }

    #[inline]
    fn mul_sum(&self, out: &mut Residue<N>, a: &Residue<N>, b: &Residue<N>, terms: &[Term<Residue<N>>]) {
        call!(self.mul_sum(out, at(a), at(b), terms.as_ptr().cast(), terms.len()));
    }

    #[inline]
    fn sqr_sum(&self, out: &mut Residue<N>, a: &Residue<N>, terms: &[Term<Residue<N>>]) {
        call!(self.sqr_sum(out, at(a), null(), terms.as_ptr().cast(), terms.len()));
    }

    #[inline]
    fn complex_mul_wide(&self, out: &mut [Sum<N>; 2], a: &[Residue<N>; 2], b: &[Residue<N>; 2]) {
        call!(self.complex_mul_wide(out, at(a), at(b), stride::<N>(), 0));
    }

    #[inline]
    fn complex_sqr_wide(&self, out: &mut [Sum<N>; 2], a: &[Residue<N>; 2]) {
        call!(self.complex_sqr_wide(out, at(a), null(), stride::<N>(), 0));
    }

    #[inline]
    fn complex_sums_mul_wide(&self, out: &mut [Sum<N>; 2], operands: [&[Residue<N>; 2]; 4]) {
        let mut halves = List::new();
        let halves = halves.halves(&operands).terms();
        call!(self.complex_sums_mul_wide(out, halves.as_ptr().cast(), stride::<N>(), null(), 0));
    }

    #[inline]
    fn complex_sum_sqr_wide(&self, out: &mut [Sum<N>; 2], operands: [&[Residue<N>; 2]; 2]) {
        let mut halves = List::new();
        let halves = halves.halves(&operands).terms();
        call!(self.complex_sum_sqr_wide(out, halves.as_ptr().cast(), stride::<N>(), null(), 0));
    }

    #[inline]
    fn complex_mul(&self, out: &mut [Residue<N>; 2], a: &[Residue<N>; 2], b: &[Residue<N>; 2]) {
        call!(self.complex_mul(out, at(a), at(b), stride::<N>(), 0));
    }

    #[inline]
    fn complex_sqr(&self, out: &mut [Residue<N>; 2], a: &[Residue<N>; 2]) {
        call!(self.complex_sqr(out, at(a), null(), stride::<N>(), 0));
    }

    /// Bernstein and Yang's safegcd: constant time.
    fn inv(&self, out: &mut Residue<N>, a: &Residue<N>) {
        self.0.inv(self.write(out), self.read(a));
    }

    #[inline]
    fn select(&self, out: &mut Residue<N>, mask: Choice, a: &Residue<N>, b: &Residue<N>) {
        for i in 0..N {
            out.0[i] = b.0[i] ^ (mask.word() & (a.0[i] ^ b.0[i]));
        }
    }

    #[inline]
    fn is_zero(&self, a: &Residue<N>) -> Choice {
        Choice::is_zero(self.0.any_bit(self.read(a)))
    }
}

impl<const N: usize> Prime for Mont<N> {
    own_values!();

    fn modulus(&self) -> &BigUint {
        self.0.modulus()
    }

    fn constant(&self, x: &BigUint) -> Residue<N> {
        let mut out = self.zero();
        self.0.enter(self.write(&mut out), &to_words(&(x % self.modulus()), self.words()));
        out
    }
}

impl<const N: usize> Lanes for Mont<N> {
    one_lane!();

    const ENTRY_BITS: usize = table::ENTRY_BITS;

    fn entry(&self, out: &mut Residue<N>, (table, stride): (&[Residue<N>], usize), bits: &[Choice]) {
        // SAFETY: a residue is N words
        let words = unsafe { std::slice::from_raw_parts(table.as_ptr().cast(), N * table.len()) };
        table::entry(self.write(out), (words, N * stride), bits);
    }

    fn inner_modulus(&self) -> BigUint {
        from_words(self.0.m.p())
    }

    fn load(&self, out: &mut Residue<N>, values: &[&[u64]]) {
        let words = only_value(values, self.word_len());
        let mut x = Residue([0; N]);
        x.0[..words.len()].copy_from_slice(words);
        let x = self.read(&x);
        debug_assert!(x.iter().rev().lt(self.0.m.p().iter().rev()), "a value to load is not canonical");
        self.0.enter(self.write(out), x);
    }

    fn store(&self, words: &mut [u64], a: &Residue<N>, lane: usize) {
        assert_eq!(lane, 0, "this field has one lane");
        let mut out = Residue([0; N]);
        self.0.leave(self.write(&mut out), self.read(a));
        let len = self.word_len();
        words[..len].copy_from_slice(&out.0[..len]);
        words[len..].fill(0);
    }

    fn kernel(&self, code: Code, coefficients: &[i32]) -> Option<Kernel<Self>> {
        #[cfg(all(target_arch = "x86_64", not(windows)))]
        if let Some(few) = &self.0.few {
            return few.kernel(code, coefficients, &self.0.m);
        }
        let _ = coefficients;
        let is_tight = matches!(self.0.slack, Slack::Tight(_));
        let (function, arguments) = self.0.calls.function(code, size_of::<Residue<N>>(), is_tight)?;
        Some(Kernel::new(function, Arc::as_ptr(&self.0).cast(), arguments))
    }
}
