//! The ring `Z[z]/p(z)` at z = 2^m + s: splitting of coefficients, and the parallel form of the multiplication.
//!
//! Fan, Vercauteren, Verbauwhede (CHES 2009; IEEE Trans. Computers 2012). An element is a polynomial of degree d = N − 1 with
//! small signed coefficients that represents its value at z. Let R = z^N. The product a·b/R is computed in four phases,
//! each on all coefficients at once:
//!
//! 1. c(z) = a(z)·b(z), of degree 2d;
//! 2. the coefficients of c lose their high words h: 2^64 = 2^(64−m)·(z − s), so 2^(64−m)·h moves one place up and
//!    2^(64−m)·s·h is subtracted where it came from;
//! 3. the lower half is split as c_k = μ_k·z + γ_k, μ_k moves up, and γ_k·z^(k−N) mod p(z) is added to the upper half: its
//!    coefficients are small constants, since p(0) = 1 makes 1/z = −(p_1 + p_2·z + … + p_d·z^(d−1));
//! 4. the result is split in the same way once more, which fills its last coefficient.
//!
//! Division by z is a shift by m and a correction by s: μ = ⌊x/2^m⌉ and x − μ·z, which is small, from low words alone.
//!
//! Cost: phases 1 and 2 (`product`) N² products and 2d constant ones, a square N(N+1)/2 and 2d; phases 3 and 4 (`reduce`) N·d
//! constant ones and N + d narrow ones. For N = 5: 25 + 28 + 9, a square 15 + 28 + 9. The ranges are in `rules`.

use super::alu::{Alu, Plain};
use super::{Coefficients, Unreduced};
use crate::term::Term;

/// The constants of p(z), z and their powers.
#[derive(Clone)]
pub(super) struct Ring<const N: usize> {
    /// z mod 2^64.
    z: i64,
    m: u32,
    /// 2^(64−m)·s.
    high_s: i64,
    /// p_0 = 1, …, p_d.
    pub(super) p: [i64; N],
    /// Entry (j, i): the coefficient of z^j in z^(i−N) mod p(z). The last row is 0.
    inverse_powers: [[i64; N]; N],
    /// ⌊2^62/p_d⌋, towards 0.
    reciprocal: i64,
}

impl<const N: usize> Ring<N> {
    /// Creates the ring for p_0 = 1 and p_d ≠ 0, 2 ≤ m ≤ 63, and a 2^(64−m)·s that fits a word. `None` if a power of
    /// 1/z has coefficients beyond 2^40.
    pub(super) fn new(p: &[i64; N], m: u32, s: i64) -> Option<Self> {
        let mut inverse_powers = [[0; N]; N];
        // power = z^(i − N), from z^0 downwards
        let mut power = [0i64; N];
        power[0] = 1;
        for i in (0..N).rev() {
            let c = power[0];
            for j in 0..N - 1 {
                let next = i128::from(power[j + 1]) - i128::from(c) * i128::from(p[j + 1]);
                power[j] = i64::try_from(next).ok().filter(|x| x.unsigned_abs() < 1 << 40)?;
                inverse_powers[j][i] = power[j];
            }
            power[N - 1] = 0;
        }
        Some(Ring {
            z: (1u64 << m).wrapping_add_signed(s) as i64,
            m,
            high_s: s << (64 - m),
            p: *p,
            inverse_powers,
            reciprocal: (1 << 62) / p[N - 1],
        })
    }

    /// The seed z.
    pub(super) fn z(&self) -> u64 {
        self.z as u64
    }

    /// Returns the largest Σ_i |(z^(i−N) mod p)_j| over j.
    pub(super) fn norm(&self) -> u64 {
        self.inverse_powers.iter().map(|row| row.iter().map(|c| c.unsigned_abs()).sum()).max().unwrap_or(0)
    }

    /// Returns ⌊x/2^m⌉.
    #[inline(always)]
    pub(super) fn quotient(&self, alu: &impl Alu, x: i128) -> i64 {
        // the mask tells the compiler that the shift is below 64
        (alu.add(x, 1 << (self.m - 1)) >> (self.m & 63)) as i64
    }

    /// Returns x − μ·z + carry, which fits a word.
    #[inline(always)]
    pub(super) fn rest(&self, alu: &impl Alu, x: i128, mu: i64, carry: i64) -> i64 {
        alu.rest(x as i64, mu, self.z, carry)
    }

    /// Returns x + 2^(64−m)·h.
    #[inline(always)]
    pub(super) fn raise(&self, alu: &impl Alu, x: i128, h: i64) -> i128 {
        alu.add(x, (h as i128) << ((64 - self.m) & 63))
    }

    /// Splits x = h·2^64 + l into h and l − 2^(64−m)·s·h.
    #[inline(always)]
    pub(super) fn high(&self, alu: &impl Alu, x: i128) -> (i64, i128) {
        let h = (x >> 64) as i64;
        (h, alu.constant((x as u64).into(), -self.high_s, h))
    }

    /// Runs phases 1 and 2: c = a·b, without high words.
    #[inline(always)]
    pub(super) fn product(&self, alu: &impl Alu, c: &mut Unreduced<N>, a: &Coefficients<N>, b: &Coefficients<N>) {
        // loops of constant length, which the compiler unrolls
        for k in 0..N {
            c.low[k] = (0..N).filter(|i| *i <= k).fold(0, |acc, i| alu.product(acc, a.0[i], b.0[k - i]));
        }
        for k in 0..N - 1 {
            c.high[k] = (0..N).filter(|i| *i > k).fold(0, |acc, i| alu.product(acc, a.0[i], b.0[N + k - i]));
        }
        self.drop_high_words(alu, c);
    }

    /// Runs phases 1 and 2: c = a², without high words.
    #[inline(always)]
    pub(super) fn square(&self, alu: &impl Alu, c: &mut Unreduced<N>, a: &Coefficients<N>) {
        // twice the products of the pairs around coefficient k/2, and its square
        let coefficient = |k: usize| {
            let pairs = (0..N).filter(|i| k < N + i && 2 * i < k);
            let pairs = pairs.fold(0, |acc, i| alu.product(acc, a.0[i], a.0[k - i]));
            let twice = alu.add(pairs, pairs);
            if k.is_multiple_of(2) { alu.product(twice, a.0[k / 2], a.0[k / 2]) } else { twice }
        };
        for k in 0..N {
            c.low[k] = coefficient(k);
        }
        for k in 0..N - 1 {
            c.high[k] = coefficient(N + k);
        }
        self.drop_high_words(alu, c);
    }

    /// Runs phase 2. The last coefficient, a_d·b_d, is small: it only receives the carry.
    #[inline(always)]
    fn drop_high_words(&self, alu: &impl Alu, c: &mut Unreduced<N>) {
        let mut carry = 0;
        for k in 0..N {
            carry = self.drop_high_word(alu, &mut c.low[k], carry);
        }
        for k in 0..N - 2 {
            carry = self.drop_high_word(alu, &mut c.high[k], carry);
        }
        c.high[N - 2] = self.raise(alu, c.high[N - 2], carry);
    }

    /// Moves the high word of the coefficient below, `carry`, into coefficient x, and returns the high word of x.
    #[inline(always)]
    fn drop_high_word(&self, alu: &impl Alu, x: &mut i128, carry: i64) -> i64 {
        let (h, low) = self.high(alu, *x);
        *x = self.raise(alu, low, carry);
        h
    }

    /// Runs phases 3 and 4: c/R, closed.
    #[inline(always)]
    pub(super) fn reduce(&self, alu: &impl Alu, out: &mut Coefficients<N>, c: &Unreduced<N>) {
        let mut gamma = [0; N];
        let mut carry = 0;
        for (k, gamma) in gamma.iter_mut().enumerate() {
            let mu = self.quotient(alu, c.low[k]);
            *gamma = self.rest(alu, c.low[k], mu, carry);
            carry = mu;
        }
        // of the lower half only a multiple of z^N remains: it enters the upper one
        let mut lower = i128::from(carry);
        let mut carry = 0;
        for j in 0..N - 1 {
            let start = alu.add(c.high[j], std::mem::take(&mut lower));
            let x = (0..N).fold(start, |acc, i| alu.constant(acc, self.inverse_powers[j][i], gamma[i]));
            let mu = self.quotient(alu, x);
            out.0[j] = self.rest(alu, x, mu, carry);
            carry = mu;
        }
        out.0[N - 1] = carry;
    }

    /// Computes a + sign·b for sign = ±1: the coefficients below the last are closed again by a carry; the last one
    /// grows.
    #[inline(always)]
    pub(super) fn add(&self, out: &mut Coefficients<N>, a: &Coefficients<N>, b: &Coefficients<N>, sign: i64) {
        let mut carry = 0;
        for i in 0..N - 1 {
            // ⌊(a + b)/2^m⌉ without the lowest bits, whose loss is harmless: halves are added, since a + b may overflow
            let half = (a.0[i] >> 1) + sign * (b.0[i] >> 1) + (1 << (self.m - 2));
            let mu = half >> (self.m - 1);
            out.0[i] = Plain.rest(a.0[i].wrapping_add(sign * b.0[i]), mu, self.z, carry);
            carry = mu;
        }
        out.0[N - 1] = a.0[N - 1] + sign * b.0[N - 1] + carry;
    }

    /// Computes Σ c·x, closed: q·p(z) is subtracted for a q near the quotient of the last coefficient by p_d.
    #[inline(always)]
    pub(super) fn sum(&self, out: &mut Coefficients<N>, terms: &[Term<Coefficients<N>>]) {
        let mut c = [0; N];
        for t in terms {
            for (k, c) in c.iter_mut().enumerate() {
                *c += t.coeff as i128 * t.value.0[k] as i128;
            }
        }
        let top = c[N - 1];
        let q = ((top as i64 as i128 * self.reciprocal as i128) >> 62) as i64;
        let mut carry = 0;
        for (i, c) in c[..N - 1].iter().enumerate() {
            let x = Plain.constant(*c, -q, self.p[i]);
            let mu = self.quotient(&Plain, x);
            out.0[i] = self.rest(&Plain, x, mu, carry);
            carry = mu;
        }
        out.0[N - 1] = top as i64 - q * self.p[N - 1] + carry;
    }
}

/// Computes Σ c·w of unreduced values, with the most common shapes in one pass.
#[inline(always)]
pub(super) fn form<const N: usize>(out: &mut Unreduced<N>, terms: &[Term<Unreduced<N>>]) {
    match terms {
        [Term { coeff: 1, value: a }, Term { coeff: 1, value: b }] => {
            for k in 0..N {
                out.low[k] = a.low[k] + b.low[k];
                out.high[k] = a.high[k] + b.high[k];
            }
        }
        [Term { coeff: 1, value: a }, Term { coeff: -1, value: b }] => {
            for k in 0..N {
                out.low[k] = a.low[k] - b.low[k];
                out.high[k] = a.high[k] - b.high[k];
            }
        }
        [Term { coeff: 1, value: a }, Term { coeff: -1, value: b }, Term { coeff: -1, value: c }] => {
            for k in 0..N {
                out.low[k] = a.low[k] - b.low[k] - c.low[k];
                out.high[k] = a.high[k] - b.high[k] - c.high[k];
            }
        }
        [Term { coeff: 1, value: first }, rest @ ..] => {
            *out = **first;
            for t in rest {
                accumulate(out, t);
            }
        }
        _ => {
            *out = Unreduced::default();
            for t in terms {
                accumulate(out, t);
            }
        }
    }
}

/// Computes out += c·w.
#[inline(always)]
fn accumulate<const N: usize>(out: &mut Unreduced<N>, t: &Term<Unreduced<N>>) {
    for k in 0..N {
        out.low[k] += times(t.coeff, t.value.low[k]);
        out.high[k] += times(t.coeff, t.value.high[k]);
    }
}

/// Returns c·x, without a product for the most common c.
#[inline(always)]
fn times(c: i32, x: i128) -> i128 {
    match c {
        1 => x,
        -1 => -x,
        2 => x << 1,
        c => i128::from(c) * x,
    }
}
