//! The operations of a ring on n words, with n known at run time or, in plain Rust on few words, to the compiler.
//!
//! An element is n words, an unreduced sum is 2n words and the word above. Lengths are checked where kernels are
//! called.

use super::forms::{three, two, two_onto};
use super::kernels::{Isa, Kernels};
use super::ring::{Ring, Slack};
use super::roomy;
use super::sums::{sum_elements, sum_wide};
use super::values::{Place, Scratch, Terms, ZERO};

/// A ring, and the kernels that compute in it.
#[derive(Clone, Copy)]
pub(super) struct Arithmetic<'r> {
    pub(super) kernels: Kernels,
    pub(super) ring: &'r Ring,
}

/// Calls the kernel of few words and returns, where there is one.
macro_rules! few {
    ($arithmetic:ident, |$few:ident| $call:expr) => {
        #[cfg(target_arch = "x86_64")]
        if let (Isa::Adx(_), Some($few)) = ($arithmetic.isa(), &$arithmetic.ring.few) {
            return $call;
        }
    };
}

impl Arithmetic<'_> {
    /// The number n of words.
    #[inline(always)]
    pub(super) fn words(&self) -> usize {
        self.kernels.words()
    }

    #[inline(always)]
    pub(super) fn isa(&self) -> Isa {
        self.kernels.isa()
    }

    #[inline(always)]
    pub(super) fn mul_wide(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        let (product, top) = out.split_at_mut(2 * a.len());
        self.kernels.mul_wide(product, a, b);
        top[0] = 0;
    }

    #[inline(always)]
    pub(super) fn sqr_wide(&self, out: &mut [u64], a: &[u64]) {
        let (square, top) = out.split_at_mut(2 * a.len());
        self.kernels.sqr_wide(square, a);
        top[0] = 0;
    }

    /// Σ c·w, unreduced.
    #[inline(always)]
    pub(super) fn lin(&self, out: &mut [u64], terms: Terms) {
        few!(self, |few| few.lin(out, terms, &self.ring.m));
        match &self.ring.slack {
            Slack::Roomy(_) => roomy::form(self.isa(), out, terms),
            Slack::Tight(_) => _ = sum_wide(self.isa(), out, ZERO, terms),
        }
    }

    /// Σ c·w/R, closed.
    #[inline(always)]
    pub(super) fn reduce(&self, out: &mut [u64], terms: Terms) {
        few!(self, |few| few.reduce(out, terms, &self.ring.m));
        let mut t = Scratch::new();
        match &self.ring.slack {
            Slack::Roomy(_) => {
                let t = roomy::form_in(self.isa(), &mut t, terms, self.ring.m.p());
                self.kernels.redc(out, t, &self.ring.m);
            }
            Slack::Tight(tight) => {
                self.kernels.redc_canonical(out, sum_wide(self.isa(), &mut t, tight.bias(), terms), &self.ring.m);
            }
        }
    }

    /// 3·Σ c·w/R ± 2x, closed, in one reduction.
    ///
    /// # Panics
    /// Panics if the modulus is roomy.
    #[inline(always)]
    pub(super) fn reduce_three_and_two(&self, out: &mut [u64], terms: Terms, x: &[u64], subtract: bool) {
        few!(self, |few| few.reduce_three(out, terms, x, subtract, &self.ring.m));
        let Slack::Tight(tight) = &self.ring.slack else { unreachable!("a tight modulus") };
        let (isa, n) = (self.isa(), x.len());
        let (mut form, mut t) = (Scratch::new(), Scratch::new());
        // form = 2^12·pR + Σ c·w
        let form = sum_wide(isa, &mut form, tight.bias(), terms);
        // t = 3·form ± 2xR, modulo 2^(64(2n + 1))
        let (_, t) = three::<0, 0>(isa, &mut t, form, form, form);
        for _ in 0..2 {
            let high = &mut t[n..2 * n];
            let carry = if subtract { two_onto::<1>(isa, high, x) } else { two_onto::<0>(isa, high, x) };
            t[2 * n] = t[2 * n].wrapping_add(carry as u64);
        }
        self.kernels.redc_canonical(out, t, &self.ring.m);
    }

    #[inline(always)]
    pub(super) fn add<'t>(&self, out: impl Place<'t>, a: &[u64], b: &[u64]) -> &'t mut [u64] {
        few!(self, |few| few.add(out, a, b, &self.ring.m));
        match &self.ring.slack {
            Slack::Roomy(_) => two::<0>(self.isa(), out, a, b).1,
            Slack::Tight(_) => self.kernels.modular::<0>(out, a, b, self.ring.m.p()),
        }
    }

    #[inline(always)]
    pub(super) fn sub<'t>(&self, out: impl Place<'t>, a: &[u64], b: &[u64]) -> &'t mut [u64] {
        few!(self, |few| few.sub(out, a, b, &self.ring.m));
        match &self.ring.slack {
            Slack::Roomy(roomy) => roomy.sub(self.isa(), out, a, b),
            Slack::Tight(_) => self.kernels.modular::<1>(out, a, b, self.ring.m.p()),
        }
    }

    /// Σ c·x, closed.
    #[inline(always)]
    pub(super) fn sum(&self, out: &mut [u64], terms: Terms) {
        // elements of a tight modulus are canonical
        match (&self.ring.slack, terms.as_array(), terms.as_array()) {
            (Slack::Tight(_), Some([(1, a), (1, b)]), _) => _ = self.add(out, a, b),
            (Slack::Tight(_), Some([(1, a), (-1, b)]), _) => _ = self.sub(out, a, b),
            (Slack::Tight(_), _, Some([(2, a)])) => _ = self.add(out, a, a),
            (Slack::Tight(_), _, Some([(-1, a)])) => _ = self.sub(out, &ZERO[..a.len()], a),
            _ => self.any_sum(out, terms),
        }
    }

    /// Σ c·x, closed, for coefficients for which nothing is faster.
    #[inline(always)]
    fn any_sum(&self, out: &mut [u64], terms: Terms) {
        few!(self, |few| few.sum(out, terms, &self.ring.m));
        let top = match (&self.ring.slack, terms.as_array()) {
            (Slack::Roomy(roomy), Some([(1, a), (-1, b)])) => {
                roomy.sub(self.isa(), &mut *out, a, b);
                0
            }
            (Slack::Roomy(_), Some([(1, a), (1, b)])) => two::<0>(self.isa(), &mut *out, a, b).0 as u64,
            _ => sum_elements(self.isa(), out, self.bias(), terms),
        };
        self.close(out, top);
    }

    #[inline(always)]
    pub(super) fn mul(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        few!(self, |few| few.mul(out, a, b, &self.ring.m));
        let mut t = Scratch::new();
        self.reduce_plain(out, self.kernels.mul_wide(&mut t, a, b));
    }

    #[inline(always)]
    pub(super) fn sqr(&self, out: &mut [u64], a: &[u64]) {
        few!(self, |few| few.sqr(out, a, &self.ring.m));
        let mut t = Scratch::new();
        self.reduce_plain(out, self.kernels.sqr_wide(&mut t, a));
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

    /// x ← x + Σ c·x_i, closed.
    #[inline(always)]
    fn add_sum(&self, x: &mut [u64], terms: Terms) {
        if terms.is_empty() {
            return;
        }
        let isa = self.isa();
        match (&self.ring.slack, terms.as_array()) {
            (Slack::Tight(_), Some([(1, y)])) => return self.kernels.modular_onto::<0>(x, y, self.ring.m.p()),
            (Slack::Tight(_), Some([(-1, y)])) => return self.kernels.modular_onto::<1>(x, y, self.ring.m.p()),
            (Slack::Roomy(_), Some([(1, y)])) => {
                two_onto::<0>(isa, x, y);
                return self.close(x, 0);
            }
            _ => {}
        }
        let (mut start, (bias, top)) = (Scratch::new(), self.bias());
        let (carry, start) = two::<0>(isa, &mut start, x, bias);
        let top = sum_elements(isa, x, (start, top.wrapping_add(carry as u64)), terms);
        self.close(x, top);
    }

    /// The bias that makes a sum of elements positive: a multiple of p, and its word above.
    #[inline(always)]
    fn bias(&self) -> (&[u64], u64) {
        match &self.ring.slack {
            Slack::Roomy(roomy) => (&roomy.bias, 0),
            Slack::Tight(tight) => tight.bias_element(),
        }
    }

    /// Makes x + top·2^(64n) in [0, 2^16·p) closed.
    #[inline(always)]
    fn close(&self, x: &mut [u64], top: u64) {
        match &self.ring.slack {
            Slack::Roomy(_) => _ = self.ring.m.shrink(self.isa(), x, 0),
            Slack::Tight(_) => self.ring.m.canonical(self.isa(), x, top),
        }
    }

    /// The reduction of t in [0, pR) or, for a roomy modulus, anything below its square.
    #[inline(always)]
    pub(super) fn reduce_plain(&self, out: &mut [u64], t: &mut [u64]) {
        match &self.ring.slack {
            Slack::Tight(_) => self.kernels.redc_closed(out, t, &self.ring.m),
            Slack::Roomy(_) => _ = self.kernels.redc(out, t, &self.ring.m),
        }
    }
}
