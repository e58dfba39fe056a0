//! Decomposition of secret scalars: constant time, on words of 64 bits.
//!
//! The coefficients of q are rounded to the nearest integers of a parity that makes every a_i odd. Modulo 2, q is
//! ĉ·(k − (1, …, 1)), one of two constants. An odd a with |a| < 2^L, L a multiple of w, is Σ d_j·2^(wj) with odd
//! digits d_j = 2y_j − (2^w − 1), where y = (a + 2^L − 1)/2 has the digits y_j in base 2^w. So every scalar has the
//! same number of digits, and none is 0.

use super::{Relation, product};
use crate::constant_time::zeroizing;
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, Signed};
use std::hint::black_box;
use zeroize::Zeroizing;

/// Bits of a word.
const WORD: u64 = 64;

/// The constants for scalars up to a given length.
#[derive(Clone, Debug)]
pub(super) struct SecretSplit {
    /// The number of words of a scalar.
    scalar: usize,
    /// The number of words of the fractional part of the reciprocals. With them a rounding errs by less than 1 plus a
    /// negligible amount.
    fraction: usize,
    /// The number of words of an a_i in two's complement.
    words: usize,
    /// The window width w, and the number of digits of an a_i.
    width: u32,
    count: usize,
    /// The reciprocals |ĉ_j|/N.
    reciprocals: Vec<Vec<u64>>,
    /// The parities of q for an even and for an odd k.
    parities: Vec<[u64; 2]>,
    /// Row j: the coefficients of ∓c·X^j, with the sign opposite to that of ĉ_j.
    rows: Vec<Vec<Vec<u64>>>,
}

/// The digits y_j of the a_i of some scalars. They are ordered by j, the highest first, then by the n parts, then by
/// scalar. Zeroized when dropped.
pub(crate) struct Windows {
    pub(super) digits: Zeroizing<Vec<u8>>,
    dimension: usize,
    scalars: usize,
}

impl Windows {
    /// The total number of digits.
    pub(crate) fn count(&self) -> usize {
        self.digits.len()
    }

    /// Iterates over the rows of digits of equal weight, highest weight first. A row has, for each part, one digit of
    /// every scalar.
    pub(crate) fn rows(&self) -> impl Iterator<Item = impl Iterator<Item = &[u8]>> {
        self.digits.chunks(self.dimension * self.scalars).map(|row| row.chunks(self.scalars))
    }
}

impl SecretSplit {
    pub(super) fn new(relation: &Relation, bytes: usize) -> Self {
        let Relation { rows, adjugate, norm } = relation;
        let n = rows.len();
        // |a_i| ≤ Σ_j |c·X^j|_i, plus less than 1 for the errors of the reciprocals
        let bits = (relation.largest_sum() + 1u32).bits();
        let width = width(n, bits);
        let count = bits.div_ceil(u64::from(width)) as usize;
        let words = (count as u64 * u64::from(width) + 2).div_ceil(WORD) as usize;
        let scalar = bytes.div_ceil(8).max(1);
        let fraction = (scalar as u64 * WORD + bits + 8).div_ceil(WORD) as usize;
        let reciprocal = |x: &BigInt| {
            let shifted: BigUint = x.magnitude() << (fraction as u64 * WORD);
            (shifted / norm.magnitude()).iter_u64_digits().collect()
        };
        let ones = |first: i32| {
            product(adjugate, &(0..n).map(|i| BigInt::from(if i == 0 { first } else { 1 })).collect::<Vec<_>>())
        };
        // N is odd, and −1 ≡ 1 (mod 2)
        let [even, odd] = [ones(1), ones(0)].map(|v| v.iter().map(|x| u64::from(x.is_odd())).collect::<Vec<_>>());
        let modulus = BigInt::one() << (words as u64 * WORD);
        let residue = |x: BigInt| {
            let digits = x.mod_floor(&modulus).magnitude().to_u64_digits();
            (0..words).map(|i| digits.get(i).copied().unwrap_or(0)).collect()
        };
        let row = |(row, x): (&Vec<BigInt>, &BigInt)| {
            row.iter().map(|c| residue(if x.sign() == Sign::Minus { c.clone() } else { -c })).collect()
        };
        debug_assert!(norm.is_odd() && norm.is_positive());
        SecretSplit {
            scalar,
            fraction,
            words,
            width,
            count,
            reciprocals: adjugate.iter().map(reciprocal).collect(),
            parities: even.into_iter().zip(odd).map(|(even, odd)| [even, odd]).collect(),
            rows: rows.iter().zip(adjugate).map(row).collect(),
        }
    }

    /// Returns true if the constants are sufficient for scalars of this many bytes.
    pub(super) fn serves(&self, bytes: usize) -> bool {
        bytes <= 8 * self.scalar
    }

    /// The window width w.
    pub(super) fn width(&self) -> u32 {
        self.width
    }

    /// Returns the digits of the a_i of the scalars; those of the scalar 0 if `ks` is empty.
    pub(super) fn of(&self, ks: &[&[u8]]) -> Windows {
        let none: &[&[u8]] = &[&[]];
        let each: Vec<_> = if ks.is_empty() { none } else { ks }.iter().map(|k| self.digits_of(k)).collect();
        let mut digits = Zeroizing::new(Vec::with_capacity(each.len() * each[0].len()));
        (0..each[0].len()).for_each(|at| digits.extend(each.iter().map(|own| own[at])));
        Windows { digits, dimension: self.rows.len(), scalars: each.len() }
    }

    /// Returns the digits of one scalar: n for each j, the highest j first.
    fn digits_of(&self, k: &[u8]) -> Zeroizing<Vec<u8>> {
        self.digits(&mut self.parts(k))
    }

    /// Returns the a_i of one scalar, in two's complement.
    pub(super) fn parts(&self, k: &[u8]) -> Zeroizing<Vec<Vec<u64>>> {
        let mut scalar = Zeroizing::new(vec![0u64; self.scalar]);
        for (i, byte) in k.iter().rev().enumerate() {
            scalar[i / 8] |= u64::from(*byte) << (8 * (i % 8));
        }
        // all ones for an odd k; black_box keeps it a value, so that the compiler makes no branch of it
        let odd = black_box(scalar[0] & 1).wrapping_neg();
        let n = self.rows.len();
        let mut parts = Zeroizing::new(vec![vec![0u64; self.words]; n]);
        add_product(&mut parts[0], &scalar, &[1]);
        let mut quotient = Zeroizing::new(vec![]);
        let mut wide = Zeroizing::new(vec![]);
        for ((reciprocal, [even_parity, odd_parity]), row) in
            self.reciprocals.iter().zip(&self.parities).zip(&self.rows)
        {
            // x = ⌊k·|ĉ_j|/N⌋, and |q| = 2·⌊(x + 1 − t)/2⌋ + t for the parity t
            wide.clear();
            wide.resize(self.fraction + self.words, 0);
            add_product(&mut wide, &scalar, reciprocal);
            quotient.clear();
            quotient.extend_from_slice(&wide[self.fraction..]);
            let parity = even_parity ^ (odd & (even_parity ^ odd_parity));
            add_product(&mut quotient, &[1 ^ parity], &[1]);
            quotient[0] = (quotient[0] & !1) | parity;
            for (part, c) in parts.iter_mut().zip(row) {
                add_product(part, &quotient, c);
            }
        }
        parts
    }

    /// Returns the digits of odd a_i.
    fn digits(&self, parts: &mut [Vec<u64>]) -> Zeroizing<Vec<u8>> {
        let length = self.count * self.width as usize;
        for part in parts.iter_mut() {
            // y = (a + 2^L − 1)/2: 0 ≤ y < 2^L; clearing the lowest bit of a subtracts the 1
            part[0] &= !1;
            add_product(&mut part[length / 64..], &[1 << (length % 64)], &[1]);
            for i in 0..self.words {
                let above = part.get(i + 1).copied().unwrap_or(0);
                part[i] = part[i] >> 1 | above << 63;
            }
        }
        let digit = |part: &[u64], j: usize| {
            let at = j * self.width as usize;
            let (word, shift) = (at / 64, at % 64);
            let above = part.get(word + 1).copied().unwrap_or(0);
            // above·2^(64 − shift), without a shift by 64
            ((part[word] >> shift | above << 1 << (63 - shift)) & ((1 << self.width) - 1)) as u8
        };
        let digits = (0..self.count).rev().flat_map(|j| parts.iter().map(move |part| digit(part, j)));
        zeroizing(self.count * parts.len(), digits)
    }
}

/// Returns the width with the fewest additions for a table of 2^(w−1) odd multiples and n digits a window. An entry
/// counts as one and a half additions because of its affine coordinates, and its image under the automorphism as a
/// quarter.
fn width(n: usize, bits: u64) -> u32 {
    let quarters = |w: u32| (6 + n - 1) * (1 << (w - 1)) + 4 * n * bits.div_ceil(u64::from(w)) as usize;
    (2..=6).min_by_key(|w| quarters(*w)).unwrap_or(4)
}

/// Computes out += a·b modulo 2^(64·len), where `len` is the length of `out`.
fn add_product(out: &mut [u64], a: &[u64], b: &[u64]) {
    for (i, x) in a.iter().enumerate().take(out.len()) {
        let mut carry = 0u128;
        let mut digits = b.iter();
        for o in &mut out[i..] {
            let y = digits.next().copied().unwrap_or(0);
            carry += u128::from(*x) * u128::from(y) + u128::from(*o);
            *o = carry as u64;
            carry >>= 64;
        }
    }
}
