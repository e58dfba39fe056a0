//! Residue number systems for the kernels: the constants of `kernels/residues.cu`.
//!
//! The moduli are those of the engine `rns` without its redundant modulus (`docs/engines/rns.md`): n primes
//! 2^32 − c of the base B, with the product A, and n of the base B', with the product A'. An element is an integer
//! x ≡ a·A modulo p, in R = 4·⌈n/4⌉ words for each base; the words after the n-th are 0.
//!
//! A reduction uses k̂ = ⌊Σ ξ_i/2^32⌋ in its first extension, as the engine `rns` does, and
//! k' = ⌊Σ ξ'_j/2^32 + 1/2⌋ in the second. The latter is exact: Σ ξ'_j·A'_j = S + k'·A' with ξ'_j below 2^32, so
//! that Σ ξ'_j/2^32 lies between k' − n·2^−19 − p/A' and k' + 2p/A'.

use bilinear_field::Margin;
use bilinear_field::rns::{self, inverse, negative, product};
use num_bigint::BigUint;

/// log2 of the least α = ⌊A/4p⌋: enough for sums of products, with some to spare.
const SPARE: u64 = 14;

/// The numbers K for which there are kernels, each for at most 8·K moduli in a base.
pub const BASES: [usize; 5] = [2, 3, 5, 7, 9];

/// The number of pairings of a block.
pub(crate) const PAIRINGS: usize = 16;

/// The moduli for p, and their constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Residues {
    p: BigUint,
    n: usize,
    kernel: usize,
    /// The numbers c of the moduli of B and of B', padded with 1 to R entries.
    c: [Vec<u32>; 2],
    /// The product A of the moduli of B.
    a: BigUint,
    alpha: BigUint,
}

/// Returns x modulo a modulus of 32 bits.
fn remainder(x: &BigUint, m: u32) -> u32 {
    (x % m).try_into().unwrap_or_else(|_| unreachable!("a remainder below m"))
}

impl Residues {
    /// Creates the moduli for an odd p, or returns `None` if there is no kernel for their number.
    pub fn new(p: &BigUint) -> Option<Self> {
        if !p.bit(0) || p.bits() < 17 || p.bits() > 32 * 8 * 9 {
            return None;
        }
        let moduli = rns::moduli(p, Margin { spare: SPARE, ..Margin::default() });
        let n = moduli.first.len();
        let kernel = *BASES.iter().find(|kernel| n <= 8 * **kernel)?;
        let filled = |moduli: &[u32]| {
            let mut c: Vec<u32> = moduli.iter().map(|m| m.wrapping_neg()).collect();
            c.resize(n.next_multiple_of(4), 1);
            c
        };
        let c = [filled(&moduli.first), filled(&moduli.second)];
        let a = moduli.first.iter().product();
        Some(Residues { p: p.clone(), n, kernel, c, a, alpha: moduli.alpha })
    }

    /// The number n of moduli in each base.
    pub fn moduli(&self) -> usize {
        self.n
    }

    /// K, the warps of a block.
    pub fn kernel(&self) -> usize {
        self.kernel
    }

    /// Returns true if the kernel has registers for the matrices. Otherwise it reads them for every reduction.
    pub(crate) fn keeps_matrices(&self) -> bool {
        self.kernel <= 5
    }

    /// The number of words of an element, 2R.
    pub fn words(&self) -> usize {
        2 * self.c[0].len()
    }

    /// The number of words that a block shares beside the values of its pairings.
    pub(crate) fn shared(&self) -> usize {
        (2 * 8 * self.kernel + 2 * self.kernel) * PAIRINGS
    }

    /// The bound of unreduced values in units of p²: at most 2^30.
    pub fn bound(&self) -> i64 {
        u32::try_from(&self.alpha).map_or(1 << 30, |alpha| i64::from(alpha).min(1 << 30))
    }

    /// Returns x·A mod p.
    pub fn to_montgomery(&self, x: &BigUint) -> BigUint {
        x * &self.a % &self.p
    }

    /// Returns the words of an integer: its residues in both bases.
    pub fn to_words(&self, x: &BigUint) -> Vec<u32> {
        let base = |base: usize| self.c[base].iter().enumerate().map(move |(i, c)| (i < self.n, c.wrapping_neg()));
        base(0).chain(base(1)).map(|(used, m)| if used { remainder(x, m) } else { 0 }).collect()
    }

    /// Returns the tables that the kernels take beside records and constants: eight tables of R words, numbers in
    /// words, and matrices as fragments.
    pub fn constants(&self, words: usize) -> Vec<u32> {
        let (n, p) = (self.n, &self.p);
        let modulus = |base: usize, i: usize| self.c[base][i].wrapping_neg();
        let table = |of: &dyn Fn(usize) -> u32| (0..self.c[0].len()).map(|i| if i < n { of(i) } else { 0 }).collect();
        let second: BigUint = (0..n).map(|j| modulus(1, j)).product();
        let a = &self.a;
        let cofactor = |j: usize| &second / modulus(1, j);
        let tables: [Vec<u32>; 8] = [
            self.c[0].clone(),
            // −1/(p·A_i)
            table(&|i| {
                let m = modulus(0, i);
                negative(inverse(product(remainder(p, m), remainder(&(a / m), m), m), m), m)
            }),
            // −A' modulo m_i
            table(&|i| negative(remainder(&second, modulus(0, i)), modulus(0, i))),
            self.c[1].clone(),
            // 1/A, 1/A'_j, −p and p modulo m'_j
            table(&|j| inverse(remainder(a, modulus(1, j)), modulus(1, j))),
            table(&|j| inverse(remainder(&cofactor(j), modulus(1, j)), modulus(1, j))),
            table(&|j| negative(remainder(p, modulus(1, j)), modulus(1, j))),
            table(&|j| remainder(p, modulus(1, j))),
        ];
        let mut all = tables.concat();
        // A'_j, A' and p, in the words that matter
        let low = |x: &BigUint| {
            let mut digits = x.to_u32_digits();
            digits.resize(words + 1, 0);
            digits
        };
        let padding = std::iter::repeat_n(vec![0; words + 1], self.c[0].len() - n);
        (0..n).map(|j| low(&cofactor(j))).chain([low(&second), low(p)]).chain(padding).for_each(|x| all.extend(x));
        // p/m_i modulo m'_j, then A'_j modulo m_i
        all.extend(self.fragments(1, |i, j| {
            let m = modulus(1, j);
            product(remainder(p, m), inverse(modulus(0, i) % m, m), m)
        }));
        all.extend(self.fragments(0, |j, i| remainder(&cofactor(j), modulus(0, i))));
        all
    }

    /// Returns a matrix of words as the second operands of m16n8k32 products of 8-bit numbers, whose rows are the
    /// digits of 2^(8a)·M. For each four columns and two of their digits, and for each eight rows, there are two
    /// words of each lane. Lane 4g + t has column g, which is digit g % 2 of column g/2 of the four, and of rows t
    /// and 4 + t of the eight it has the digits for a = 0 to 3.
    fn fragments(&self, to: usize, entry: impl Fn(usize, usize) -> u32) -> Vec<u32> {
        let n = self.n;
        let word = |row: usize, column: usize, digit: u32| {
            if row >= n || column >= n {
                return 0;
            }
            let m = self.c[to][column].wrapping_neg();
            let x = entry(row, column);
            (0..4).fold(0, |word, a| word | (product(x, 1 << (8 * a), m) >> (8 * digit) & 255) << (8 * a))
        };
        let mut all = vec![];
        for four in 0..self.c[0].len() / 4 {
            for (two, eight) in (0..2).flat_map(|two| (0..self.kernel).map(move |eight| (two, eight))) {
                for (g, t) in (0..8).flat_map(|g| (0..4).map(move |t| (g, t))) {
                    let of = |row| word(8 * eight + row, 4 * four + g / 2, 2 * two + (g % 2) as u32);
                    all.extend([of(t), of(4 + t)]);
                }
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;

    /// n, K and the words of an element: 33 moduli suffice for up to 1037 bits, and 65 for up to 2062.
    #[test]
    fn bases_have_kernels() {
        let of = |bits: u32| {
            let p = (BigUint::from(1u32) << bits) - 3u32;
            Residues::new(&p).map(|residues| (residues.moduli(), residues.kernel(), residues.words()))
        };
        assert_eq!(of(254), Some((9, 2, 24)));
        assert_eq!(of(381), Some((13, 2, 32)));
        assert_eq!(of(512), Some((17, 3, 40)));
        assert_eq!(of(1037), Some((33, 5, 72)));
        assert_eq!(of(2062), Some((65, 9, 136)));
        assert_eq!(of(2300), None);
    }
}
