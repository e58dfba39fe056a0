//! The integers modulo p as residues of n words, with n known at run time. Every [`Mont`](super::Mont) refers to such
//! a ring.

use super::calls::Calls;
use super::inverse::Inverter;
#[cfg(target_arch = "x86_64")]
use super::kernels::Words;
use super::kernels::{Isa, Kernels};
use super::modulus::Modulus;
use super::multiplier::Multiplier;
use super::multiplier_bits;
use super::roomy::{self, Roomy};
use super::tight::Tight;
use super::values::Scratch;
use crate::words::to_words;
use num_bigint::BigUint;
use num_traits::One;

/// How far elements may be from canonical.
pub(super) enum Slack {
    Tight(Tight),
    Roomy(Roomy),
}

/// The integers modulo p. Intermediate values may be modulo a multiple of p.
pub(super) struct Ring {
    pub(super) kernels: Kernels,
    /// The functions of the operations, which take addresses.
    pub(super) calls: &'static Calls,
    /// The modulus of the kernels.
    pub(super) m: Modulus,
    pub(super) slack: Slack,
    /// The multiplier of p, if the modulus of the kernels is a multiple of p, as words and for exact division.
    multiple: Option<(Vec<u64>, Multiplier)>,
    /// The kernels of few words, for a tight modulus.
    #[cfg(target_arch = "x86_64")]
    pub(super) few: Option<Words>,
    /// R modulo the modulus: the residue 1.
    one: Vec<u64>,
    /// R² modulo the modulus: turns an integer into a residue.
    r2: Vec<u64>,
    inverter: Inverter,
    modulus: BigUint,
}

impl Ring {
    /// Creates the ring modulo an odd p > 1 of at most n words. The number n must have kernels.
    pub(super) fn new(p: &BigUint, n: usize, isa: Isa) -> Self {
        let c = (BigUint::one() << multiplier_bits(isa, p.bits(), n as u64)) - 1u32;
        let multiplier = Multiplier::new(&c);
        let modulus = if multiplier.is_some() { p * &c } else { p.clone() };
        let r = BigUint::one() << (64 * n);
        let m = Modulus::new(&modulus, n);
        let spare = 64 * n as u64 - modulus.bits();
        let slack = match roomy::suits(spare) {
            true => Slack::Roomy(Roomy::new(m.p())),
            false => Slack::Tight(Tight::new(m.p(), spare as u32, m.shifted())),
        };
        Ring {
            kernels: Kernels::new(isa, n),
            calls: Calls::new(isa, n),
            multiple: multiplier.map(|multiplier| (to_words(&c, n), multiplier)),
            #[cfg(target_arch = "x86_64")]
            few: match &slack {
                Slack::Tight(tight) => Words::new(isa, m.p(), tight.takes_sums),
                Slack::Roomy(_) => None,
            },
            slack,
            one: to_words(&(&r % &modulus), n),
            r2: to_words(&(r.pow(2) % &modulus), n),
            m,
            inverter: Inverter::new(&to_words(p, n)),
            modulus: p.clone(),
        }
    }

    /// The modulus p.
    pub(super) fn modulus(&self) -> &BigUint {
        &self.modulus
    }

    /// The number n of words.
    #[inline(always)]
    pub(super) fn words(&self) -> usize {
        self.kernels.words()
    }

    #[cfg(test)]
    pub(super) fn isa(&self) -> Isa {
        self.kernels.isa()
    }

    /// R: the residue 1.
    pub(super) fn one(&self) -> &[u64] {
        &self.one
    }

    /// out = the residue of an integer in [0, p) of n words.
    pub(super) fn enter(&self, out: &mut [u64], x: &[u64]) {
        self.mul(out, x, &self.r2);
    }

    /// out = x/R modulo p, canonical.
    pub(super) fn leave(&self, out: &mut [u64], x: &[u64]) {
        self.scaled(out, x);
        if let Some((_, multiplier)) = &self.multiple {
            multiplier.divide(out);
        }
    }

    /// out = c times x/R modulo p, canonical, for the multiplier c of p, which is mostly 1.
    fn scaled(&self, out: &mut [u64], x: &[u64]) {
        match &self.multiple {
            // (x + mp)/R ≤ p
            None => {
                let mut t = Scratch::new();
                let t = t.zeros(2 * self.words());
                t[..x.len()].copy_from_slice(x);
                self.kernels.redc_closed(out, t, &self.m);
            }
            Some((c, _)) => self.mul(out, x, c),
        }
    }

    /// Inverts a residue by Bernstein and Yang's safegcd: constant time.
    pub(super) fn inv(&self, out: &mut [u64], x: &[u64]) {
        let mut inverse = Scratch::new();
        let inverse = inverse.zeros(self.words());
        self.leave(inverse, x);
        self.inverter.invert(inverse);
        self.enter(out, inverse);
    }

    /// Returns a number that is 0 exactly if x is 0 modulo p.
    pub(super) fn any_bit(&self, x: &[u64]) -> u64 {
        let or = |x: &[u64]| x.iter().fold(0, |acc, word| acc | word);
        if let (Slack::Tight(_), None) = (&self.slack, &self.multiple) {
            return or(x);
        }
        // a multiple of p leaves as 0
        let mut words = Scratch::new();
        let words = words.zeros(self.words());
        self.scaled(words, x);
        or(words)
    }
}
