//! The digit-serial form: one coefficient of the multiplier at a time (Fan, Vercauteren, Verbauwhede, CHES 2009). No engine
//! uses it; tests compare its counts with those of the parallel form.
//!
//! For i = 0, …, d: c += a·b_i; c_0 = μ·z + q; c ← (c − q·p(z))/z + μ, exact since p(0) = 1. Then the coefficients are split
//! from the lowest up. The result is a·b/z^N as in the parallel form, possibly with other coefficients.
//!
//! Cost: N² products; N + d constant ones for the high words, N·d with p_1, …, p_d; N + d narrow ones. For N = 5: 25 + 29 + 9,
//! one more than the parallel form. A square costs the same as a product, and each of the N divisions by z depends on the one before.

use crate::hmm::Coefficients;
use crate::hmm::alu::Alu;
use crate::hmm::ring::Ring;

impl<const N: usize> Ring<N> {
    /// Computes a·b/R, closed.
    pub(super) fn multiply_serially(
        &self,
        alu: &impl Alu,
        out: &mut Coefficients<N>,
        a: &Coefficients<N>,
        b: &Coefficients<N>,
    ) {
        let mut c = [0; N];
        for digit in b.0 {
            for (c, a) in c.iter_mut().zip(a.0) {
                *c = alu.product(*c, a, digit);
            }
            // c_0 = 2^(64−m)·h·z + μ·z + q
            let (h, low) = self.high(alu, c[0]);
            let mu = self.quotient(alu, low);
            let q = self.rest(alu, low, mu, 0);
            for (j, p) in self.p[1..].iter().enumerate() {
                c[j] = alu.constant(c[j + 1], -p, q);
            }
            c[N - 1] = 0;
            c[0] = alu.add(self.raise(alu, c[0], h), mu.into());
        }
        let (mut high, mut carry) = (0, 0);
        for (out, c) in out.0.iter_mut().zip(&c[..N - 1]) {
            let (h, low) = self.high(alu, *c);
            let x = self.raise(alu, low, high);
            let mu = self.quotient(alu, x);
            *out = self.rest(alu, x, mu, carry);
            (high, carry) = (h, mu);
        }
        out.0[N - 1] = self.raise(alu, carry.into(), high) as i64;
    }
}
