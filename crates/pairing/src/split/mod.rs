//! Short decompositions of scalars: k ≡ Σ a_i·λ^i (mod r) with |a_i| near r^(1/n), for λ^n − λ^(n/2) + 1 ≡ 0 (mod r).
//!
//! An automorphism that acts as multiplication by such a λ turns one multiplication by k into n short ones with
//! shared doublings (Gallant, Lambert and Vanstone, CRYPTO 2001; Galbraith and Scott, Pairing 2008; Galbraith, Lin
//! and Scott, J. Cryptology 24, 2011). Let c = Σ c_i·X^i in Z[X]/(X^n − X^(n/2) + 1) with c(λ) ≡ 0 (mod r). Then
//! k − q·c represents k for every q, and it is short if q is near k/c (Babai's rounding, Combinatorica 6, 1986):
//! k/c = k·ĉ/N with ĉ·c = N, the norm of c.

mod secret;

use bilinear_field::CollectVec;
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, Zero};
use secret::SecretSplit;
pub(crate) use secret::Windows;
use zeroize::Zeroizing;

/// The decomposition of scalars by one relation.
#[derive(Clone, Debug)]
pub struct Split {
    relation: Relation,
    secret: SecretSplit,
    chords: usize,
}

/// The relation c, with its multiples and its inverse ĉ/N.
#[derive(Clone, Debug)]
struct Relation {
    /// The coefficients of c·X^j, in row j.
    rows: Vec<Vec<BigInt>>,
    /// The coefficients of ĉ.
    adjugate: Vec<BigInt>,
    /// The norm N of c.
    norm: BigInt,
}

impl Split {
    /// Creates the decomposition by c with c(λ) ≡ 0 modulo the order r. The norm of c is an odd multiple of r.
    pub(crate) fn new(order: &BigUint, c: Vec<BigInt>) -> Self {
        let relation = Relation::new(c);
        let secret = SecretSplit::new(&relation, order.bits().div_ceil(8) as usize);
        let (n, width) = (relation.rows.len() as u32, secret.width() as usize);
        let chords = (1..).take_while(|t| (BigUint::from(n) << (width * t)).pow(n) <= *order).count();
        Split { secret, relation, chords }
    }

    /// The number n of parts.
    pub(crate) fn dimension(&self) -> usize {
        self.relation.rows.len()
    }

    /// Returns the a_i of k, given as big-endian bytes: words in two's complement, lowest first. Constant time except
    /// for the length of k.
    pub(crate) fn parts(&self, k: &[u8]) -> Zeroizing<Vec<Vec<u64>>> {
        if self.secret.serves(k.len()) {
            self.secret.parts(k)
        } else {
            SecretSplit::new(&self.relation, k.len()).parts(k)
        }
    }

    /// Returns the digits of secret scalars k, given as big-endian bytes of public lengths. Constant time.
    pub(crate) fn windows(&self, ks: &[&[u8]]) -> Windows {
        let longest = ks.iter().map(|k| k.len()).max().unwrap_or(0);
        if self.secret.serves(longest) { self.secret.of(ks) } else { SecretSplit::new(&self.relation, longest).of(ks) }
    }

    /// The number of rows of [`Split::windows`], from the highest, whose table entries are added to the sum so far by
    /// chords, for a point P of prime order r.
    ///
    /// In row t, counted from 1, sum and entry are Σ v_i·λ^i·P and d·λ^j·P with |v_i ∓ d·[i = j]| < 2^(wt), w bits a
    /// digit. If the sum is O or ± the entry, v ∓ d·e_j is in the ideal (r, X − λ) of Z[X]/(X^n − X^(n/2) + 1), so that
    /// r divides its norm, which is at most (n·2^(wt))^n. Below r this is 0, and so are all coefficients, but those of
    /// other parts than j are odd, or odd multiples of 2^w.
    pub(crate) fn chords(&self) -> usize {
        self.chords
    }

    /// The number of bits of a digit of [`Split::windows`].
    pub(crate) fn width(&self) -> u32 {
        self.secret.width()
    }
}

impl Relation {
    fn new(c: Vec<BigInt>) -> Self {
        let n = c.len();
        let mut rows = vec![c];
        for j in 1..n {
            rows.push(times_x(&rows[j - 1]));
        }
        let (adjugate, norm) = inverse(&rows);
        Relation { rows, adjugate, norm }
    }

    /// The largest of the sums Σ_j |c·X^j|_i over all i.
    fn largest_sum(&self) -> BigInt {
        let sum = |i: usize| self.rows.iter().map(|row| row[i].abs()).sum();
        (0..self.rows.len()).map(sum).max().unwrap_or_default()
    }
}

/// Returns v·X, where X^n = X^(n/2) − 1.
fn times_x(v: &[BigInt]) -> Vec<BigInt> {
    let (last, rest) = v.split_last().unwrap_or_else(|| unreachable!("n > 0"));
    let mut out = vec![-last];
    out.extend_from_slice(rest);
    out[v.len() / 2] += last;
    out
}

/// Returns v·w in Z[X]/(X^n − X^(n/2) + 1).
fn product(v: &[BigInt], w: &[BigInt]) -> Vec<BigInt> {
    let (mut power, mut out) = (w.to_vec(), vec![BigInt::zero(); v.len()]);
    for x in v {
        out.iter_mut().zip(&power).for_each(|(o, p)| *o += x * p);
        power = times_x(&power);
    }
    out
}

/// Returns ĉ and N > 0, by solving Σ_j ĉ_j·(c·X^j) = N with Gauss-Jordan elimination without fractions (Bareiss,
/// Math. Comp. 22, 1968).
fn inverse(rows: &[Vec<BigInt>]) -> (Vec<BigInt>, BigInt) {
    let n = rows.len();
    // row i: the i-th coefficients of all c·X^j, and of 1
    let row = |i: usize| (0..n).map(|j| rows[j][i].clone()).chain([BigInt::from(u32::from(i == 0))]).collect_vec();
    let mut m: Vec<Vec<BigInt>> = (0..n).map(row).collect_vec();
    let mut previous = BigInt::one();
    for k in 0..n {
        let pivot = (k..n).find(|i| !m[*i][k].is_zero());
        m.swap(k, pivot.unwrap_or_else(|| unreachable!("c is not a divisor of 0: the ring has none")));
        let pivot = m[k].clone();
        for (i, row) in m.iter_mut().enumerate().filter(|(i, _)| *i != k) {
            let factor = row[k].clone();
            for (x, y) in row.iter_mut().zip(&pivot) {
                *x = (&*x * &pivot[k] - &factor * y) / &previous;
            }
            debug_assert!(row[k].is_zero() && i < n);
        }
        previous = pivot[k].clone();
    }
    let (adjugate, norm): (Vec<BigInt>, _) = (m.into_iter().map(|mut row| row.swap_remove(n)).collect_vec(), previous);
    if norm.is_negative() { (adjugate.iter().map(|x| -x).collect_vec(), -norm) } else { (adjugate, norm) }
}

#[cfg(test)]
mod tests;
