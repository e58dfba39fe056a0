//! The target group: the elements of norm 1 and order n in F_q². Inversion is conjugation; powers go through the Lucas
//! sequence V_j = x^j + x^(−j), which needs only the real part (Scott and Barreto, CRYPTO 2004): 1M + 1S + 2R per bit.

use super::{Fq2, SupersingularPairing};
use crate::constant_time::{mask, zeroizing};
use crate::digits::{digit, digit_count};
use bilinear_field::{Blank, Field, Prime, at, minus, times};
use num_bigint::BigUint;
use num_traits::Zero;
use std::hint::black_box;
use zeroize::Zeroizing;

impl<F: Prime> SupersingularPairing<F> {
    /// Returns x^e for x of norm 1 and a public e.
    pub fn power(&self, x: &Fq2<F>, e: &BigUint) -> Fq2<F> {
        let f = self.fq();
        at! {f; inverse_im = inv(&x[1]);}
        let power = self.unitary_pow(&x[0], &inverse_im, e);
        self.real_or(x, e.bit(0), power)
    }

    /// Returns x^e for x of norm 1 and a secret e in each lane, given as big-endian bytes of a public length.
    /// Constant time.
    pub(super) fn power_secret(&self, x: &Fq2<F>, es: &[&[u8]]) -> Fq2<F> {
        let f = self.fq();
        at! {f; inverse_im = inv(&x[1]); v1 = sum(&[times(2, &x[0])]);}
        let two = self.two();
        let (mut low, mut high) = (two.clone(), v1.clone());
        let mut odd = f.mask(false);
        for i in (0..digit_count(es, 1)).rev() {
            odd = mask(f, es.iter().map(|e| digit(e, 1, i)));
            at! {f;
                middle = mul_sum(&low, &high, &[minus(&v1)]);  // V_(2j+1) = V_j·V_(j+1) − V_1
                base = select(odd, &high, &low);
                end = sqr_sum(&base, &[minus(&two)]);          // V_2j = V_j² − 2, or V_(2j+2)
            }
            f.select(&mut low, odd, &middle, &end);
            f.select(&mut high, odd, &end, &middle);
        }
        let power = self.recover(&x[0], &inverse_im, &low, &high);
        // x = ±1: the power is x or 1
        let real = f.is_zero(&x[1]);
        at! {f; sign = select(odd, &x[0], &f.one()); re = select(real, &sign, &power[0]); im = select(real, &x[1], &power[1]);}
        [re, im]
    }

    /// Returns the bits of the digits of [`SupersingularPairing::power_secret`], in the order in which it requests
    /// their masks. Constant time in e.
    pub(super) fn power_digits(&self, e: &[u8]) -> Zeroizing<Vec<bool>> {
        let count = digit_count(&[e], 1);
        zeroizing(count, (0..count).rev().map(|i| black_box(digit(e, 1, i)) == 1))
    }

    /// Returns the mask of the lanes where x is in the group: norm 1 and x^n = 1.
    pub fn gt_contains(&self, x: &Fq2<F>) -> F::Mask {
        let mut norm = F::Elem::blank();
        self.fq2().norm(&mut norm, x);
        let unitary = self.fq().equal(&norm, &self.fq().one());
        let power = self.power(x, &self.groups.order);
        self.fq().and(unitary, self.fq2().equal(&power, &self.fq2().one()))
    }

    /// Returns g^e from Re(g) and 1/Im(g), for g of norm 1, g ≠ ±1.
    pub(super) fn unitary_pow(&self, re: &F::Elem, inverse_im: &F::Elem, e: &BigUint) -> Fq2<F> {
        if e.is_zero() {
            return self.fq2().one();
        }
        let (low, high) = self.lucas(re, e);
        self.recover(re, inverse_im, &low, &high)
    }

    /// Returns (V_e, V_(e+1)) for g of norm 1, from Re(g), e ≥ 1.
    pub(super) fn lucas(&self, re: &F::Elem, e: &BigUint) -> (F::Elem, F::Elem) {
        let (f, two) = (self.fq(), self.two());
        // (V_j, V_(j+1)), where j runs through the prefixes of e; the two places alternate
        at! {f; v1 = sum(&[times(2, re)]); v2 = sqr_sum(&v1, &[minus(&two)]);} // V_1, V_2
        let mut places = [[v1.clone(), v2], Blank::blank()];
        let [mut pair, mut next] = places.each_mut();
        for bit in (0..e.bits() - 1).rev().map(|i| e.bit(i)) {
            let [low, high] = &*pair;
            let [next_low, next_high] = &mut *next;
            let (base, middle, end) = if bit { (high, next_low, next_high) } else { (low, next_high, next_low) };
            f.routine("Lucas step", || {
                f.mul_sum(middle, low, high, &[minus(&v1)]); // V_(2j+1) = V_j·V_(j+1) − V_1
                f.sqr_sum(end, base, &[minus(&two)]); // V_2j = V_j² − 2, or V_(2j+2) = V_(j+1)² − 2
            });
            std::mem::swap(&mut pair, &mut next);
        }
        let [low, high] = pair;
        (low.clone(), high.clone())
    }

    /// Returns g^e from V_e and V_(e+1): Re = V_e/2, Im = (V_e·Re(g) − V_(e+1))/(2·Im(g)).
    fn recover(&self, re: &F::Elem, inverse_im: &F::Elem, low: &F::Elem, high: &F::Elem) -> Fq2<F> {
        let f = self.fq();
        at! {f;
            r = mul(low, &self.half);                      // Re(g^e) = V_e/2
            half_im = mul(inverse_im, &self.half);         // 1/(2·Im(g))
            numerator = mul_sum(low, re, &[minus(high)]);  // V_e·Re(g) − V_(e+1)
            i = mul(&numerator, &half_im);                 // Im(g^e)
        }
        [r, i]
    }

    /// Returns `power`, or for x = ±1 the power of x itself: x for odd exponents, else 1.
    fn real_or(&self, x: &Fq2<F>, odd: bool, power: Fq2<F>) -> Fq2<F> {
        let (f, one) = (self.fq(), self.fq2().one());
        let real = f.is_zero(&x[1]);
        at!(self.fq2(); select(real, if odd { x } else { &one }, &power))
    }

    fn two(&self) -> F::Elem {
        at!(self.fq(); sum(&[times(2, &self.fq().one())]))
    }
}
