//! Reduction modulo a sparse polynomial x^m + Σ x^e, on words, from the top down.
//!
//! A word at x^(64i) is equivalent to its products by x^(e − m): it is added m − e bits further down, which are some
//! words and some bits for each e. So word k of the remainder is word k of w plus, for each e, two shifted words from
//! further up; the words above x^m have to be computed first. Since a word must not be added to itself, this
//! needs m − e ≥ 64; other polynomials are folded (`fold.rs`).
//!
//! The polynomials of the shipped curves are constants of the code: their loops are unrolled, and words and shifts are
//! known at compile time, which halves the time. The trinomials of genus 2 with e < 64 are reduced in digits of 128
//! bits (`lanes.rs`).

use super::fold;
#[cfg(target_arch = "x86_64")]
use super::lanes;

/// A polynomial of 2N words.
type Twice<const N: usize> = [[u64; N]; 2];
/// A function that computes the remainder of w, given m and the exponents below m.
type One<const N: usize> = fn(&mut [u64; N], &Twice<N>, usize, &[usize]);
/// A function that computes the remainder of v + w.
type Two<const N: usize> = fn(&mut [u64; N], [&Twice<N>; 2], usize, &[usize]);

/// The reduction modulo one polynomial.
pub(super) struct Reduction<const N: usize> {
    m: usize,
    /// The exponents below m.
    exponents: Vec<usize>,
    one: One<N>,
    two: Two<N>,
}

impl<const N: usize> Reduction<N> {
    /// Creates the reduction from m and the exponents below m.
    pub(super) fn new(m: usize, exponents: Vec<usize>) -> Self {
        macro_rules! compiled {
            ($m:literal $($e:literal)*) => {
                (|out, w, _, _| one(out, w, $m, &[$($e),*]), |out, w, _, _| two(out, w, $m, &[$($e),*]))
            };
        }
        // in registers of two words
        #[cfg(target_arch = "x86_64")]
        macro_rules! by_digits {
            ($one:ident, $two:ident) => {
                (|out, w, _, _| lanes::$one(out, w), |out, w, _, _| lanes::$two(out, w))
            };
        }
        let (one, two): (One<N>, Two<N>) = match (m, &exponents[..]) {
            (271, [0, 201]) if N == 5 => compiled!(271 0 201),
            (353, [0, 69]) if N == 6 => compiled!(353 0 69),
            #[cfg(target_arch = "x86_64")]
            (367, [0, 21]) if N == 6 => by_digits!(one_367, two_367),
            (379, [0, 287, 301, 315]) if N == 6 => compiled!(379 0 287 301 315),
            #[cfg(target_arch = "x86_64")]
            (439, [0, 49]) if N == 7 => by_digits!(one_439, two_439),
            (1223, [0, 255]) if N == 20 => compiled!(1223 0 255),
            _ => (one, two),
        };
        Reduction { m, exponents, one, two }
    }

    /// Computes the remainder of w.
    pub(super) fn one(&self, out: &mut [u64; N], w: &Twice<N>) {
        (self.one)(out, w, self.m, &self.exponents);
    }

    /// Computes the remainder of v + w.
    pub(super) fn two(&self, out: &mut [u64; N], v: &Twice<N>, w: &Twice<N>) {
        (self.two)(out, [v, w], self.m, &self.exponents);
    }
}

#[inline(always)]
fn one<const N: usize>(out: &mut [u64; N], w: &Twice<N>, m: usize, exponents: &[usize]) {
    remainder(out, |half, k| w[half][k], m, exponents);
}

#[inline(always)]
fn two<const N: usize>(out: &mut [u64; N], [v, w]: [&Twice<N>; 2], m: usize, exponents: &[usize]) {
    remainder(out, |half, k| v[half][k] ^ w[half][k], m, exponents);
}

/// Computes the remainder of a polynomial, given by a function of the half (0 lower, 1 upper) and the number k of the
/// word in it.
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "each word is made of others")]
fn remainder<const N: usize>(out: &mut [u64; N], w: impl Fn(usize, usize) -> u64, m: usize, exponents: &[usize]) {
    if exponents.iter().any(|e| m - e < 64) {
        return fold::remainder(out, w, m, exponents);
    }
    let (top, bits) = (m / 64, m % 64);
    // 3N words: those of w from x^m on, then zeros; word `top`, which holds x^m, is set below
    let mut high = [[0; N]; 3];
    for k in top + 1..N {
        high[0][k] = w(0, k);
    }
    for k in 0..N {
        high[1][k] = w(1, k);
    }
    let high = high.as_flattened_mut();
    let arriving = |mut word: u64, high: &[u64], k: usize| {
        for e in exponents {
            let (words, bits) = ((m - e) / 64, (m - e) % 64);
            let from = &high[k + words..][..2];
            word ^= from[0] >> bits ^ (from[1] << 1) << (63 - bits);
        }
        word
    };
    let least = exponents.iter().map(|e| (m - e) / 64).min().unwrap_or(N);
    for k in (top + 1..2 * N - least).rev() {
        high[k] = arriving(high[k], high, k);
    }
    let word = arriving(w(0, top), high, top);
    let rest = word & ((1 << bits) - 1);
    high[top] = word ^ rest;
    let mut words = [0; N];
    for k in 0..top {
        words[k] = arriving(w(0, k), high, k);
    }
    words[top] = rest;
    super::products::store(out, &words);
}
