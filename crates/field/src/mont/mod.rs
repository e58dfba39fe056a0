//! The portable engine: Montgomery arithmetic (Montgomery 1985) on 64-bit words, for any odd modulus, chosen at run time.
//!
//! With R = 2^(64N), the residue x is held as a number congruent to x·R modulo p. How far it may be outside [0, p) depends
//! on the spare bits s = 64N − bits(p):
//!
//! * a *tight* modulus (s < 16): elements are always canonical; unreduced sums have one word more, for sign and weight, and are not
//!   corrected; see `tight`;
//! * a *roomy* modulus (s ≥ 16): elements may exceed p by a few multiples of it, and most corrections disappear; see `roomy`.
//!
//! On few words, where kernels in assembly know tight moduli only, a roomy p is replaced by a multiple c·p that is tight. Everything
//! below is then modulo c·p, but for what enters and leaves.
//!
//! Cost: N² word products for a product, N(N+1)/2 for a square, at most N² + N for a reduction. Everything runs in constant time:
//! no branch and no address depends on the value of an element.

mod complex;
mod forms;
mod inverse;
mod kernels;
mod modulus;
mod multiplier;
#[cfg(test)]
mod ranges;
mod roomy;
mod rules;
#[cfg(test)]
mod secrets;
mod sums;
mod tight;

use crate::at;
use crate::blank::Blank;
use crate::bounds::Rules;
use crate::choice::{Choice, choices};
#[cfg(all(target_arch = "x86_64", not(windows)))]
use crate::code::Code;
use crate::contract::{Field, Lanes, ModulusError, Prime, parity};
use crate::dispatch::Engine;
#[cfg(all(target_arch = "x86_64", not(windows)))]
use crate::kernel::Kernel;
use crate::term::Term;
use forms::{three, wide_three};
pub(crate) use inverse::Inverter;
use kernels::Isa;
use kernels::Wide;
#[cfg(target_arch = "x86_64")]
use kernels::{MOST_FEW, Words};
use modulus::Modulus;
pub(crate) use multiplier::Multiplier;
use num_bigint::BigUint;
use num_traits::One;
use roomy::Roomy;
use rules::{RoomyRules, TightRules};
use std::sync::Arc;
use sums::{sum_elements, sum_wide};
use tight::Tight;

/// Calls the kernel of few words, where the field has such; `lazy`: one that needs 4p < 2^(64N). For more words nothing of it is
/// compiled: the first condition is a constant.
macro_rules! few {
    ($f:ident, $(if $lazy:ident,)? |$words:ident| $call:expr) => {
        #[cfg(target_arch = "x86_64")]
        if const { N <= MOST_FEW }
            && let Some($words) = &$f.words
            $(&& $words.$lazy())?
        {
            return $call;
        }
    };
}

/// A residue in Montgomery form: N little-endian words.
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

/// An unreduced sum of products: 2N words and what is above them.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Sum<const N: usize> {
    words: Wide<N>,
    /// Tight: the next word, in two's complement. Roomy: −1 if the 2N words are a number in two's complement that may be
    /// negative, a matter of the formula and not of the values, else 0.
    top: i64,
}

/// How far elements may be from canonical.
#[derive(Clone)]
enum Slack<const N: usize> {
    Tight(Tight<N>),
    Roomy(Roomy<N>),
}

impl<const N: usize> Blank for Sum<N> {}

/// F_p on N 64-bit words.
#[derive(Clone)]
pub struct Mont<const N: usize> {
    isa: Isa,
    m: Arc<Modulus<N>>,
    slack: Slack<N>,
    /// The multiplier of p, if the modulus is a multiple of it, and how to divide by it.
    multiple: Option<Arc<([u64; N], Multiplier)>>,
    /// The kernels of few words, for a tight modulus.
    #[cfg(target_arch = "x86_64")]
    words: Option<Words<N>>,
    /// R modulo the modulus: the residue 1.
    one: [u64; N],
    /// R² modulo the modulus: turns an integer into a residue.
    r2: [u64; N],
    inverter: Inverter<N>,
    /// p.
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
    pub fn rules(p: &BigUint) -> Arc<dyn Rules> {
        rules(Engine::Mont, p.bits(), N as u64)
    }

    fn with_isa(p: &BigUint, isa: Isa) -> Result<Self, ModulusError> {
        let max = 64 * N as u64;
        if !p.bit(0) || p.is_one() {
            return Err(ModulusError::NotOddPrime(p.clone()));
        }
        if p.bits() > max {
            return Err(ModulusError::TooLarge { bits: p.bits(), max });
        }
        let c = (BigUint::one() << multiplier_bits(isa, p.bits(), N as u64)) - 1u32;
        let multiplier = Multiplier::new(&c);
        let n = if multiplier.is_some() { p * &c } else { p.clone() };
        let words = to_words::<N>(&n);
        let r = BigUint::one() << max;
        let power = |k: u32| to_words::<N>(&(r.pow(k) % &n));
        let slack = if Roomy::<N>::suits((max - n.bits()) as u32) {
            Slack::Roomy(Roomy::new(&words))
        } else {
            Slack::Tight(Tight::new(&words))
        };
        Ok(Mont {
            isa,
            m: Arc::new(Modulus::new(&n)),
            multiple: multiplier.map(|multiplier| Arc::new((to_words(&c), multiplier))),
            #[cfg(target_arch = "x86_64")]
            words: match &slack {
                Slack::Tight(tight) => Words::new(isa, &words, tight.twice.is_some()),
                Slack::Roomy(_) => None,
            },
            slack,
            one: power(1),
            r2: power(2),
            inverter: Inverter::new(&to_words(p)),
            modulus: Arc::new(p.clone()),
        })
    }

    /// x/R modulo p, canonical.
    fn leave(&self, x: &Residue<N>) -> [u64; N] {
        let mut out = self.scaled(x);
        if let Some(multiple) = &self.multiple {
            multiple.1.divide(&mut out);
        }
        out
    }

    /// c times x/R modulo p, canonical, for the multiplier c of p, which is 1 mostly.
    fn scaled(&self, x: &Residue<N>) -> [u64; N] {
        let mut out = self.zero();
        match &self.multiple {
            // (x + mp)/R ≤ p
            None => kernels::redc_closed(self.isa, &mut out.0, &mut Wide { lo: x.0, hi: [0; N] }, &self.m),
            Some(multiple) => self.mul(&mut out, x, &Residue(multiple.0)),
        }
        out.0
    }

    /// Σ c·x of any shape, closed.
    #[inline(never)]
    fn any_sum(&self, out: &mut Residue<N>, terms: &[Term<Residue<N>>]) {
        few!(self, |words| words.sum(out, terms, &self.m));
        match &self.slack {
            Slack::Roomy(roomy) => roomy.sum(self.isa, &mut out.0, terms, &self.m),
            Slack::Tight(tight) => {
                let top = sum_elements(self.isa, &mut out.0, tight.lift_element(), terms);
                self.m.canonical(self.isa, &mut out.0, top);
            }
        }
    }

    /// The reduction of t in [0, pR) or, for a roomy modulus, anything below its square.
    #[inline(always)]
    fn reduce_plain(&self, out: &mut Residue<N>, t: &mut Wide<N>) {
        match &self.slack {
            Slack::Tight(_) => kernels::redc_closed(self.isa, &mut out.0, t, &self.m),
            Slack::Roomy(_) => {
                kernels::redc(self.isa, &mut out.0, t, &self.m);
            }
        }
    }
}

/// The spare bits of a multiple of p, or one more.
const SPARE: u64 = 14;

/// The bits of the multiplier for a modulus of this length on this many words: 1, or as many ones as leave it [`SPARE`] bits where
/// that lets it have kernels of few words.
fn multiplier_bits(isa: Isa, bits: u64, words: u64) -> u64 {
    let spare = 64 * words - bits;
    if Roomy::<1>::suits(spare as u32) && isa.has_few(words as usize) { spare - SPARE } else { 1 }
}

/// The range rules of a modulus of this length on this many words: those of its multiple, if it has one.
pub(crate) fn rules(engine: Engine, bits: u64, words: u64) -> Arc<dyn Rules> {
    let isa = if engine == Engine::Portable { Isa::Portable } else { Isa::detect() };
    rules_on(isa, bits, words)
}

fn rules_on(isa: Isa, bits: u64, words: u64) -> Arc<dyn Rules> {
    let spare = match multiplier_bits(isa, bits, words) {
        1 => (64 * words - bits) as u32,
        _ => SPARE as u32,
    };
    if Roomy::<1>::suits(spare) { Arc::new(RoomyRules { spare }) } else { Arc::new(TightRules { spare }) }
}

impl<const N: usize> Field for Mont<N> {
    type Elem = Residue<N>;
    type Wide = Sum<N>;
    choices!();

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
        out.top = 0;
    }

    #[inline(always)]
    fn sqr_wide(&self, out: &mut Sum<N>, a: &Residue<N>) {
        kernels::sqr_wide(self.isa, &mut out.words, &a.0);
        out.top = 0;
    }

    // not inlined, nor `reduce`: one copy keeps the loops of a pairing in the instruction cache
    #[inline(never)]
    fn lin(&self, out: &mut Sum<N>, terms: &[Term<Sum<N>>]) {
        few!(self, |words| words.lin(out, terms, &self.m));
        match (&self.slack, terms) {
            (Slack::Roomy(_), _) => roomy::form(self.isa, out, terms),
            (Slack::Tight(_), [Term { coeff: 1, value }, rest @ ..]) => sum_wide(self.isa, out, value, rest),
            (Slack::Tight(_), _) => sum_wide(self.isa, out, &Sum::default(), terms),
        }
    }

    #[inline(never)]
    fn reduce(&self, out: &mut Residue<N>, terms: &[Term<Sum<N>>]) {
        few!(self, |words| words.reduce(out, terms, &self.m));
        match &self.slack {
            Slack::Roomy(_) => roomy::with_form(self.isa, terms, &self.m.p, |t| {
                kernels::redc(self.isa, &mut out.0, t, &self.m);
            }),
            Slack::Tight(tight) => {
                let mut t = Sum::default();
                sum_wide(self.isa, &mut t, &tight.lift, terms);
                kernels::redc_canonical(self.isa, &mut out.0, &mut t, &self.m);
            }
        }
    }

    #[inline(never)]
    fn reduce_three_and_two(&self, out: &mut Residue<N>, terms: &[Term<Sum<N>>], x: &Residue<N>, subtract: bool) {
        few!(self, |words| words.reduce_three(out, terms, x, subtract, &self.m));
        let Slack::Tight(tight) = &self.slack else {
            at! {self; p = reduce(terms);}
            return self.three_and_two(out, &p, x, subtract);
        };
        let (mut form, mut t) = (Sum::default(), Sum::default());
        // form = 2^12·pR + Σ c·w
        sum_wide(self.isa, &mut form, &tight.lift, terms);
        // t = 3·form ± 2xR
        let words = &form.words;
        let carries = wide_three::<N, 0, 0>(self.isa, &mut t.words, words, words, words);
        let high = t.words.hi;
        let above = match subtract {
            true => three::<N, 1, 1>(self.isa, &mut t.words.hi, &high, &x.0, &x.0),
            false => three::<N, 0, 0>(self.isa, &mut t.words.hi, &high, &x.0, &x.0),
        };
        t.top = 3 * form.top + carries + above;
        kernels::redc_canonical(self.isa, &mut out.0, &mut t, &self.m);
    }

    #[inline(always)]
    fn add(&self, out: &mut Residue<N>, a: &Residue<N>, b: &Residue<N>) {
        few!(self, |words| words.add(&mut out.0, &a.0, &b.0, &self.m));
        match &self.slack {
            Slack::Roomy(_) => forms::two::<N, 0>(self.isa, &mut out.0, &a.0, &b.0),
            Slack::Tight(_) => kernels::add_mod(self.isa, &mut out.0, &a.0, &b.0, &self.m.p),
        }
    }

    #[inline(always)]
    fn sub(&self, out: &mut Residue<N>, a: &Residue<N>, b: &Residue<N>) {
        few!(self, |words| words.sub(&mut out.0, &a.0, &b.0, &self.m));
        match &self.slack {
            Slack::Roomy(roomy) => roomy.sub(self.isa, &mut out.0, &a.0, &b.0),
            Slack::Tight(_) => kernels::sub_mod(self.isa, &mut out.0, &a.0, &b.0, &self.m.p),
        }
    }

    /// The shapes that an addition or a subtraction serves are chosen where they are written.
    #[inline(always)]
    fn sum(&self, out: &mut Residue<N>, terms: &[Term<Residue<N>>]) {
        match (&self.slack, terms) {
            (Slack::Tight(_), [Term { coeff: 1, value: a }, Term { coeff: 1, value: b }]) => self.add(out, a, b),
            (Slack::Tight(_), [Term { coeff: 1, value: a }, Term { coeff: -1, value: b }]) => self.sub(out, a, b),
            (Slack::Tight(_), [Term { coeff: 2, value: a }]) => self.add(out, a, a),
            (Slack::Tight(_), [Term { coeff: -1, value: a }]) => self.sub(out, &self.zero(), a),
            _ => self.any_sum(out, terms),
        }
    }

    #[inline]
    fn mul(&self, out: &mut Residue<N>, a: &Residue<N>, b: &Residue<N>) {
        few!(self, |words| words.mul(&mut out.0, &a.0, &b.0, &self.m));
        kernels::with_product(self.isa, &a.0, &b.0, |t| self.reduce_plain(out, t));
    }

    #[inline]
    fn sqr(&self, out: &mut Residue<N>, a: &Residue<N>) {
        few!(self, |words| words.sqr(&mut out.0, &a.0, &self.m));
        kernels::with_square(self.isa, &a.0, |t| self.reduce_plain(out, t));
    }

    #[inline]
    fn complex_mul_wide(&self, out: &mut [Sum<N>; 2], a: &[Residue<N>; 2], b: &[Residue<N>; 2]) {
        few!(self, if lazy, |words| words.complex_mul_wide(out, a, b, &self.m));
        complex::mul_wide(self, out, a, b);
    }

    #[inline]
    fn complex_sqr_wide(&self, out: &mut [Sum<N>; 2], a: &[Residue<N>; 2]) {
        few!(self, if lazy, |words| words.complex_sqr_wide(out, a, &self.m));
        complex::sqr_wide(self, out, a);
    }

    #[inline]
    fn complex_sums_mul_wide(&self, out: &mut [Sum<N>; 2], operands: [&[Residue<N>; 2]; 4]) {
        few!(self, if lazy, |words| words.complex_of_sums(out, operands, &self.m));
        complex::sums_mul_wide(self, out, operands);
    }

    #[inline]
    fn complex_sum_sqr_wide(&self, out: &mut [Sum<N>; 2], operands: [&[Residue<N>; 2]; 2]) {
        few!(self, if lazy, |words| words.complex_of_sums(out, operands, &self.m));
        complex::sum_sqr_wide(self, out, operands);
    }

    #[inline]
    fn complex_mul(&self, out: &mut [Residue<N>; 2], a: &[Residue<N>; 2], b: &[Residue<N>; 2]) {
        few!(self, if lazy, |words| words.complex_mul(out, a, b, &self.m));
        complex::mul(self, out, a, b);
    }

    #[inline]
    fn complex_sqr(&self, out: &mut [Residue<N>; 2], a: &[Residue<N>; 2]) {
        few!(self, if lazy, |words| words.complex_sqr(out, a, &self.m));
        complex::sqr(self, out, a);
    }

    /// Bernstein and Yang's safegcd: constant time.
    fn inv(&self, out: &mut Residue<N>, a: &Residue<N>) {
        let inverse = Residue(self.inverter.invert(&self.leave(a)));
        self.mul(out, &inverse, &Residue(self.r2));
    }

    #[inline]
    fn select(&self, out: &mut Residue<N>, mask: Choice, a: &Residue<N>, b: &Residue<N>) {
        for i in 0..N {
            out.0[i] = b.0[i] ^ (mask.word() & (a.0[i] ^ b.0[i]));
        }
    }

    #[inline]
    fn is_zero(&self, a: &Residue<N>) -> Choice {
        let words = match (&self.slack, &self.multiple) {
            (Slack::Tight(_), None) => a.0,
            // a multiple of p leaves as 0
            _ => self.scaled(a),
        };
        Choice::is_zero(words.iter().fold(0, |acc, w| acc | w))
    }
}

impl<const N: usize> Prime for Mont<N> {
    type Uniform = Residue<N>;

    fn modulus(&self) -> &BigUint {
        &self.modulus
    }

    fn constant(&self, x: &BigUint) -> Residue<N> {
        let mut out = self.zero();
        self.load(&mut out, &[&to_words::<N>(&(x % &*self.modulus))]);
        out
    }

    fn is_odd(&self, a: &Self::Elem) -> Self::Mask {
        parity(self, a)
    }

    fn uniform(&self, a: &Residue<N>) -> Residue<N> {
        *a
    }

    fn broadcast(&self, out: &mut Residue<N>, a: &Residue<N>) {
        *out = *a;
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
        debug_assert!(x.0.iter().rev().lt(self.m.p.iter().rev()), "a value to load is not canonical");
        self.mul(out, &x, &Residue(self.r2));
    }

    fn store(&self, words: &mut [u64], a: &Residue<N>, lane: usize) {
        assert_eq!(lane, 0, "one lane");
        let out = self.leave(a);
        let len = self.word_len();
        words[..len].copy_from_slice(&out[..len]);
        words[len..].fill(0);
    }

    #[cfg(all(target_arch = "x86_64", not(windows)))]
    fn kernel(&self, code: Code, coefficients: &[i32]) -> Option<Kernel> {
        if const { N <= MOST_FEW } { self.words?.kernel(code, coefficients, &self.m) } else { None }
    }

    fn lane(&self, mask: Choice, lane: usize) -> bool {
        assert_eq!(lane, 0, "one lane");
        mask.word() != 0
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
