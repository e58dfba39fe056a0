//! Montgomery reduction of an unreduced value T: S = (T + q·p)/A ≡ T/A modulo p, with q ≡ −T/p modulo A (Bajard,
//! Didier, Kornerup, IEEE Trans. Computers 47, 1998; Zhang, Xue, Wong, Mamoulis, Yiu, ACNS 2012, algorithm 1). q is
//! known in B, where A ≡ 0, so S is first computed in B' and modulo m_r, then extended to B.
//!
//! With A_i = A/m_i, A'_j = A'/m'_j:
//!
//! 1. ξ_i = −T/(p·A_i) mod m_i; then Σ ξ_i·A_i = q + k·A with k = ⌊Σ ξ_i/m_i⌋.
//! 2. k̂ = ⌊Σ ξ_i/2^32⌋ replaces k (Kawamura, Koike, Sano, Shimbo, EUROCRYPT 2000, with whole words and no offset). It
//!    equals k, or k − 1 where the fraction of Σ ξ_i/m_i is below ε = Σ ξ_i·(1/m_i − 2^−32) < 2^−11: q then lies in
//!    [0, (1 + ε)·A).
//! 3. S = T/A + Σ ξ_i·(p/m_i) − k̂·p in B' and modulo m_r: **the first extension**, a product with a constant matrix.
//! 4. ξ'_j = S/A'_j mod m'_j; then Σ ξ'_j·A'_j = S + k'·A', exactly, with k' = −S/A' + Σ ξ'_j/m'_j modulo m_r, in [0, n + 1]
//!    (Shenoy, Kumaresan, IEEE Trans. Computers 38, 1989).
//! 5. S = Σ ξ'_j·A'_j − k'·A' in B: **the second extension**, likewise a product with a constant matrix.
//!
//! |T| ≤ pA/2 gives −p/2 ≤ S < 2p. The cost in multiply-adds of words is 2(2n + 1) in steps 1 and 4 and for T/A,
//! (n + 1)² in step 3, n in step 4, and n(n + 1) in step 5 ([`multiply_adds`]); step 2 takes n additions. Everything is
//! constant time.

use super::bases::Bases;
use super::matrix::{LANES, Matrix, Sums};
use super::residues::{Channels, Residues};
use super::word::{canonical, inverse, negative, product, residue};
use num_bigint::BigUint;
use num_traits::{One, ToPrimitive};

/// Returns the number of multiply-adds of words of one reduction with n + n + 1 moduli.
pub fn multiply_adds(n: usize) -> usize {
    2 * (2 * n + 1) + (n + 1) * (n + 1) + n + n * (n + 1)
}

/// The constants of the reduction.
#[derive(Clone)]
pub(super) struct Reduction<const W: usize> {
    n: usize,
    /// −1/(p·A_i) modulo m_i, then 1/A modulo m'_j and m_r.
    scale: Residues<W>,
    /// p/m_i, then −p, modulo m'_j and m_r.
    pub(super) first: Matrix,
    /// Behind n unused places: 1/A'_j modulo m'_j, then −1/A' modulo m_r.
    scale_back: Residues<W>,
    /// 1/m'_j modulo m_r.
    to_redundant: Vec<u32>,
    /// A'_j, then −A', modulo m_i.
    pub(super) second: Matrix,
    /// A'_j, then −A' modulo 2^(32n), in 32-bit digits.
    digits: Matrix,
}

impl<const W: usize> Reduction<W> {
    /// Creates the constants for these bases.
    pub(super) fn new(bases: &Bases, p: &BigUint) -> Self {
        let n = bases.n;
        let remainder = |x: &BigUint, m: u32| (x % m).to_u32().unwrap_or(0);
        // the residues of a constant that differs by place
        let all = |value: &dyn Fn(usize, u32) -> u32| {
            Residues(std::array::from_fn(|i| if i < bases.all.len() { value(i, bases.modulus(i)) } else { 0 }))
        };
        let (a, a_second) = (&bases.product, bases.second_product());
        let scale = all(&|i, m| {
            if i >= n {
                return inverse(remainder(a, m), m);
            }
            let cofactor = remainder(&(a / m), m);
            negative(inverse(product(remainder(p, m), cofactor, m), m), m)
        });
        let scale_back = all(&|i, m| match i {
            _ if i < n => 0,
            _ if i < 2 * n => inverse(remainder(&(&a_second / m), m), m),
            _ => negative(inverse(remainder(&a_second, m), m), m),
        });
        let redundant = bases.modulus(2 * n);
        let to_redundant = (n..2 * n).map(|j| inverse(bases.modulus(j) % redundant, redundant)).collect();
        let first = Matrix::new(n + 1, n + 1, |i, j| {
            let m = bases.modulus(n + j);
            let p = remainder(p, m);
            if i < n { product(p, inverse(bases.modulus(i) % m, m), m) } else { negative(p, m) }
        });
        let cofactors: Vec<BigUint> = (n..2 * n).map(|j| &a_second / bases.modulus(j)).collect();
        let second = Matrix::new(n + 1, n, |j, i| {
            let m = bases.modulus(i);
            cofactors.get(j).map_or_else(|| negative(remainder(&a_second, m), m), |cofactor| remainder(cofactor, m))
        });
        let minus = (BigUint::one() << (32 * n)) - &a_second;
        let rows: Vec<Vec<u32>> = cofactors.iter().chain([&minus]).map(BigUint::to_u32_digits).collect();
        let digits = Matrix::new(n + 1, n, |j, i| rows[j].get(i).copied().unwrap_or(0));
        Reduction { n, scale, first, scale_back, to_redundant, second, digits }
    }

    /// Computes T/A modulo p, in (−p, 2p) for |T| ≤ pA/2.
    #[inline(always)]
    pub(super) fn reduce(&self, channels: &Channels<W>, out: &mut Residues<W>, t: &Residues<W>) {
        self.extend_first(channels, out, t);
        self.extend_second(channels, out);
    }

    /// Runs steps 1 to 3: S in B' and modulo m_r. The residues of `out` in B are then meaningless.
    #[inline(always)]
    pub(super) fn extend_first(&self, channels: &Channels<W>, out: &mut Residues<W>, t: &Residues<W>) {
        let n = self.n;
        // ξ_i, and T/A
        channels.product(out, t, &self.scale);
        let (xi, s) = out.0.split_at_mut(n);
        let mut x = [0; W];
        x[..n].copy_from_slice(xi);
        let mut sum = 0;
        for xi in xi.iter() {
            sum += u64::from(*xi);
        }
        x[n] = (sum >> 32) as u32;
        add(&self.first, &mut s[..=n], &channels.c()[n..], &x[..=n]);
    }

    /// Runs steps 4 and 5: extends S to B.
    #[inline(always)]
    pub(super) fn extend_second(&self, channels: &Channels<W>, s: &mut Residues<W>) {
        let n = self.n;
        let x = self.factors(channels, s);
        s.0[..n].fill(0);
        add(&self.second, &mut s.0[..n], channels.c(), &x[..=n]);
    }

    /// Runs step 4: returns ξ'_j and k'.
    #[inline(always)]
    fn factors(&self, channels: &Channels<W>, s: &Residues<W>) -> [u32; W] {
        let (n, c) = (self.n, channels.c()[2 * self.n]);
        let mut scaled = Residues::default();
        channels.product(&mut scaled, s, &self.scale_back);
        let mut x = [0; W];
        x[..n].copy_from_slice(&scaled.0[n..2 * n]);
        // low + 2^32·high, as in a product with a matrix of one column
        let (mut low, mut high) = (u64::from(scaled.0[2 * n]), 0);
        for (i, x) in x[..n].iter().enumerate() {
            let product = u64::from(*x) * u64::from(self.to_redundant[i]);
            low += product & 0xffff_ffff;
            high += product >> 32;
        }
        x[n] = canonical(residue(high * u64::from(c) + low, c), c);
        x
    }

    /// Returns the n 32-bit digits of an S in [0, 2p) that is known in B' and modulo m_r, the lowest first.
    pub(super) fn digits(&self, channels: &Channels<W>, s: &Residues<W>) -> [u32; W] {
        let x = self.factors(channels, s);
        let (mut out, mut carry) = ([0; W], 0);
        for block in 0..self.digits.blocks() {
            let Sums { low, high } = self.digits.times(&x[..=self.n], block);
            for (lane, out) in out[LANES * block..].iter_mut().take(LANES).enumerate() {
                let sum = low[lane] + carry;
                *out = sum as u32;
                carry = (sum >> 32) + high[lane];
            }
        }
        // the digits above are the multiple of 2^(32n) that −A' contributes
        out[self.n..].fill(0);
        out
    }
}

/// Computes s + x·M, in place.
#[inline(always)]
fn add(matrix: &Matrix, s: &mut [u32], c: &[u32], x: &[u32]) {
    for block in 0..matrix.blocks() {
        let Sums { low, high } = matrix.times(x, block);
        let first = LANES * block;
        let len = LANES.min(s.len() - first);
        let (s, c) = (&mut s[first..first + len], &c[first..first + len]);
        for i in 0..len {
            s[i] = residue(high[i] * u64::from(c[i]) + low[i] + u64::from(s[i]), c[i]);
        }
    }
}
