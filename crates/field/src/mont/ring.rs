//! Arithmetic modulo p on n words, with n known at run time: what every [`Mont`](super::Mont) computes with, compiled once.
//!
//! An element is n words, an unreduced sum 2n and the word above. Lengths are checked where kernels are called.

use super::forms::{three_in, two, two_and_top_in, two_in, two_onto};
use super::inverse::Inverter;
#[cfg(target_arch = "x86_64")]
use super::kernels::Words;
use super::kernels::{Isa, Kernels};
use super::modulus::Modulus;
use super::multiplier::Multiplier;
use super::roomy::{self, Roomy};
use super::sums::{sum_elements, sum_wide, sum_wide_in};
use super::tight::Tight;
use super::values::{Scratch, Terms, ZERO};
use super::{multiplier_bits, to_words};
use num_bigint::BigUint;
use num_traits::One;

/// How far elements may be from canonical.
pub(super) enum Slack {
    Tight(Tight),
    Roomy(Roomy),
}

/// The integers modulo p, or for values on the way modulo a multiple of it.
pub(super) struct Ring {
    pub(super) kernels: Kernels,
    /// The modulus of the kernels.
    pub(super) m: Modulus,
    pub(super) slack: Slack,
    /// The multiplier of p, if the modulus is a multiple of it, and how to divide by it.
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

/// Calls the kernel of few words, where there is one.
macro_rules! few {
    ($ring:ident, |$few:ident| $call:expr) => {
        #[cfg(target_arch = "x86_64")]
        if let Some($few) = &$ring.few {
            return $call;
        }
    };
}

impl Ring {
    /// Modulo an odd p > 1 of at most n words, a number that has kernels.
    pub(super) fn new(p: &BigUint, n: usize, isa: Isa) -> Self {
        let c = (BigUint::one() << multiplier_bits(isa, p.bits(), n as u64)) - 1u32;
        let multiplier = Multiplier::new(&c);
        let modulus = if multiplier.is_some() { p * &c } else { p.clone() };
        let r = BigUint::one() << (64 * n);
        let m = Modulus::new(&modulus, n);
        let spare = 64 * n as u64 - modulus.bits();
        let slack = match roomy::suits(spare) {
            true => Slack::Roomy(Roomy::new(m.p())),
            false => Slack::Tight(Tight::new(m.p(), spare, m.shifted())),
        };
        Ring {
            kernels: Kernels::new(isa, n),
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

    /// p.
    pub(super) fn modulus(&self) -> &BigUint {
        &self.modulus
    }

    /// n.
    #[inline(always)]
    pub(super) fn words(&self) -> usize {
        self.kernels.words()
    }

    #[inline(always)]
    pub(super) fn isa(&self) -> Isa {
        self.kernels.isa()
    }

    /// R: the residue 1.
    pub(super) fn one(&self) -> &[u64] {
        &self.one
    }

    /// a·b in scratch, without the word above.
    #[inline(always)]
    pub(super) fn product(&self, t: &mut Scratch, a: &[u64], b: &[u64]) {
        self.kernels.product(t, a, b);
    }

    #[inline(always)]
    pub(super) fn mul_wide(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        let (product, top) = out.split_at_mut(2 * self.words());
        self.kernels.mul_wide(product, a, b);
        top[0] = 0;
    }

    #[inline(always)]
    pub(super) fn sqr_wide(&self, out: &mut [u64], a: &[u64]) {
        let (square, top) = out.split_at_mut(2 * self.words());
        self.kernels.sqr_wide(square, a);
        top[0] = 0;
    }

    /// Σ c·w, unreduced.
    #[inline(always)]
    pub(super) fn lin(&self, out: &mut [u64], terms: Terms) {
        few!(self, |few| few.lin(out, terms, &self.m));
        match &self.slack {
            Slack::Roomy(_) => roomy::form(self.isa(), out, terms),
            Slack::Tight(_) => sum_wide(self.isa(), out, ZERO, terms),
        }
    }

    /// Σ c·w/R, closed.
    #[inline(always)]
    pub(super) fn reduce(&self, out: &mut [u64], terms: Terms) {
        few!(self, |few| few.reduce(out, terms, &self.m));
        let mut t = Scratch::new();
        match &self.slack {
            Slack::Roomy(_) => {
                let t = roomy::form_in(self.isa(), &mut t, terms, self.m.p());
                self.kernels.redc(out, t, &self.m);
            }
            Slack::Tight(tight) => {
                self.kernels.redc_canonical(out, sum_wide_in(self.isa(), &mut t, tight.lift(), terms), &self.m);
            }
        }
    }

    /// 3·Σ c·w/R ± 2x, closed, in one reduction.
    ///
    /// # Panics
    /// If the modulus is roomy.
    #[inline(always)]
    pub(super) fn reduce_three_and_two(&self, out: &mut [u64], terms: Terms, x: &[u64], subtract: bool) {
        few!(self, |few| few.reduce_three(out, terms, x, subtract, &self.m));
        let Slack::Tight(tight) = &self.slack else { unreachable!("a tight modulus") };
        let (isa, n) = (self.isa(), self.words());
        let (mut form, mut t) = (Scratch::new(), Scratch::new());
        // form = 2^12·pR + Σ c·w
        let form = sum_wide_in(isa, &mut form, tight.lift(), terms);
        // t = 3·form ± 2xR, modulo 2^(64(2n + 1))
        let t = three_in::<0, 0>(isa, &mut t, form, form, form);
        for _ in 0..2 {
            let high = &mut t[n..2 * n];
            let carry = if subtract { two_onto::<1>(isa, high, x) } else { two_onto::<0>(isa, high, x) };
            t[2 * n] = t[2 * n].wrapping_add(carry as u64);
        }
        self.kernels.redc_canonical(out, t, &self.m);
    }

    #[inline(always)]
    pub(super) fn add(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        few!(self, |few| few.add(out, a, b, &self.m));
        match &self.slack {
            Slack::Roomy(_) => _ = two::<0>(self.isa(), out, a, b),
            Slack::Tight(_) => self.kernels.add_mod(out, a, b, self.m.p()),
        }
    }

    #[inline(always)]
    pub(super) fn sub(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        few!(self, |few| few.sub(out, a, b, &self.m));
        match &self.slack {
            Slack::Roomy(roomy) => roomy.sub(self.isa(), out, a, b),
            Slack::Tight(_) => self.kernels.sub_mod(out, a, b, self.m.p()),
        }
    }

    /// a + b in scratch.
    #[inline(always)]
    pub(super) fn add_in<'t>(&self, t: &'t mut Scratch, a: &[u64], b: &[u64]) -> &'t [u64] {
        few!(self, |few| few.add_in(t, a, b, &self.m));
        match &self.slack {
            Slack::Roomy(_) => two_in::<0>(self.isa(), t, a, b),
            Slack::Tight(_) => self.kernels.add_mod_in(t, a, b, self.m.p()),
        }
    }

    /// a − b in scratch.
    #[inline(always)]
    pub(super) fn sub_in<'t>(&self, t: &'t mut Scratch, a: &[u64], b: &[u64]) -> &'t [u64] {
        few!(self, |few| few.sub_in(t, a, b, &self.m));
        match &self.slack {
            Slack::Roomy(roomy) => roomy.sub_in(self.isa(), t, a, b),
            Slack::Tight(_) => self.kernels.sub_mod_in(t, a, b, self.m.p()),
        }
    }

    /// Σ c·x, closed.
    #[inline(always)]
    pub(super) fn sum(&self, out: &mut [u64], terms: Terms) {
        if let Slack::Tight(_) = &self.slack {
            // elements are canonical
            match (terms.as_array(), terms.as_array()) {
                (Some([(1, a), (1, b)]), _) => return self.add(out, a, b),
                (Some([(1, a), (-1, b)]), _) => return self.sub(out, a, b),
                (_, Some([(2, a)])) => return self.add(out, a, a),
                (_, Some([(-1, a)])) => return self.sub(out, &ZERO[..self.words()], a),
                _ => {}
            }
        }
        few!(self, |few| few.sum(out, terms, &self.m));
        let top = match (&self.slack, terms.as_array()) {
            (Slack::Roomy(roomy), Some([(1, a), (-1, b)])) => {
                roomy.sub(self.isa(), out, a, b);
                0
            }
            (Slack::Roomy(_), Some([(1, a), (1, b)])) => two::<0>(self.isa(), out, a, b) as u64,
            _ => sum_elements(self.isa(), out, self.lift(), terms),
        };
        self.close(out, top);
    }

    #[inline(always)]
    pub(super) fn mul(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        few!(self, |few| few.mul(out, a, b, &self.m));
        let mut t = Scratch::new();
        self.reduce_plain(out, self.kernels.product(&mut t, a, b));
    }

    #[inline(always)]
    pub(super) fn sqr(&self, out: &mut [u64], a: &[u64]) {
        few!(self, |few| few.sqr(out, a, &self.m));
        let mut t = Scratch::new();
        self.reduce_plain(out, self.kernels.square(&mut t, a));
    }

    /// a·b + Σ c·x, closed.
    #[inline(always)]
    pub(super) fn mul_sum(&self, out: &mut [u64], a: &[u64], b: &[u64], terms: Terms) {
        self.mul(out, a, b);
        self.add_sum(out, terms);
    }

    /// a² + Σ c·x, closed.
    #[inline(always)]
    pub(super) fn sqr_sum(&self, out: &mut [u64], a: &[u64], terms: Terms) {
        self.sqr(out, a);
        self.add_sum(out, terms);
    }

    /// x + Σ c·x_i, closed, in the place of x.
    #[inline(always)]
    fn add_sum(&self, x: &mut [u64], terms: Terms) {
        if terms.is_empty() {
            return;
        }
        let isa = self.isa();
        match (&self.slack, terms.as_array()) {
            (Slack::Tight(_), Some([(1, y)])) => return self.kernels.add_mod_onto(x, y, self.m.p()),
            (Slack::Tight(_), Some([(-1, y)])) => return self.kernels.sub_mod_onto(x, y, self.m.p()),
            (Slack::Roomy(_), Some([(1, y)])) => {
                two_onto::<0>(isa, x, y);
                return self.close(x, 0);
            }
            _ => {}
        }
        let (mut start, (lift, top)) = (Scratch::new(), self.lift());
        let (carry, start) = two_and_top_in::<0>(isa, &mut start, x, lift);
        let top = sum_elements(isa, x, (start, top.wrapping_add(carry as u64)), terms);
        self.close(x, top);
    }

    /// What makes a sum of elements positive: a multiple of p, and its word above.
    #[inline(always)]
    fn lift(&self) -> (&[u64], u64) {
        match &self.slack {
            Slack::Roomy(roomy) => (&roomy.lift, 0),
            Slack::Tight(tight) => tight.lift_element(),
        }
    }

    /// x + top·2^(64n) in [0, 2^16·p) becomes closed.
    #[inline(always)]
    fn close(&self, x: &mut [u64], top: u64) {
        match &self.slack {
            Slack::Roomy(_) => _ = self.m.shrink(self.isa(), x, 0),
            Slack::Tight(_) => self.m.canonical(self.isa(), x, top),
        }
    }

    /// The reduction of t in [0, pR) or, for a roomy modulus, anything below its square.
    #[inline(always)]
    pub(super) fn reduce_plain(&self, out: &mut [u64], t: &mut [u64]) {
        match &self.slack {
            Slack::Tight(_) => self.kernels.redc_closed(out, t, &self.m),
            Slack::Roomy(_) => _ = self.kernels.redc(out, t, &self.m),
        }
    }

    /// The residue of an integer in [0, p) of n words.
    pub(super) fn enter(&self, out: &mut [u64], x: &[u64]) {
        self.mul(out, x, &self.r2);
    }

    /// x/R modulo p, canonical.
    pub(super) fn leave(&self, out: &mut [u64], x: &[u64]) {
        self.scaled(out, x);
        if let Some((_, multiplier)) = &self.multiple {
            multiplier.divide(out);
        }
    }

    /// c times x/R modulo p, canonical, for the multiplier c of p, which is 1 mostly.
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

    /// Bernstein and Yang's safegcd: constant time.
    pub(super) fn inv(&self, out: &mut [u64], x: &[u64]) {
        let mut inverse = Scratch::new();
        let inverse = inverse.zeros(self.words());
        self.leave(inverse, x);
        self.inverter.invert(inverse);
        self.enter(out, inverse);
    }

    /// A number that is 0 where x is 0 modulo p.
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
