//! Tests of the moduli, the matrices and each step of a reduction against big integers.
#![allow(clippy::unwrap_used)]

use super::bases::Bases;
use super::matrix::Matrix;
use super::reduction::{Reduction, multiply_adds};
use super::residues::{Channels, Residues};
use super::word::{canonical, is_prime, modulus, residue};
use super::{Moduli, moduli};
use crate::dispatch::Margin;
use crate::ranges::Rng;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Returns the residues of an integer.
pub(super) fn residues<const W: usize>(bases: &Bases, x: &BigInt) -> Residues<W> {
    let residue = |i: usize| x.mod_floor(&bases.modulus(i).into()).to_u32().unwrap();
    Residues(std::array::from_fn(|i| if i < bases.all.len() { residue(i) } else { 0 }))
}

/// Returns the integer of least absolute value with these residues modulo some of the moduli, by the Chinese remainder
/// theorem itself.
fn integer_modulo<const W: usize>(bases: &Bases, x: &Residues<W>, of: std::ops::Range<usize>) -> BigInt {
    let all: BigUint = of.clone().map(|i| bases.modulus(i)).product();
    let term = |i: usize| {
        let (m, cofactor) = (BigUint::from(bases.modulus(i)), &all / bases.modulus(i));
        &cofactor * x.0[i] * (&cofactor % &m).modinv(&m).unwrap()
    };
    let sum = BigInt::from(of.map(term).sum::<BigUint>() % &all);
    let all = BigInt::from(all);
    if &sum + &sum > all { sum - all } else { sum }
}

/// Returns the integer of least absolute value with these residues modulo all moduli.
pub(super) fn integer<const W: usize>(bases: &Bases, x: &Residues<W>) -> BigInt {
    integer_modulo(bases, x, 0..bases.all.len())
}

/// A modulus with its bases and its reduction.
struct Example {
    p: BigUint,
    bases: Bases,
    channels: Channels<W>,
    reduction: Reduction<W>,
}

const W: usize = 72;

impl Example {
    fn new(p: BigUint, spare: u64) -> Self {
        let bases = Bases::new(&p, spare);
        let (channels, reduction) = (Channels::new(&bases.all), Reduction::new(&bases, &p));
        Example { p, bases, channels, reduction }
    }

    /// Returns unreduced values in ±pA/2: at the ends, around 0, those whose q is 0, 1, A − 1 and A/2, and random ones.
    fn unreduced(&self, rng: &mut Rng) -> Vec<BigInt> {
        let (p, a) = (BigInt::from(self.p.clone()), BigInt::from(self.bases.product.clone()));
        let most: BigInt = (&p * &a) / 2;
        let mut all = vec![];
        for q in [BigInt::zero(), BigInt::one(), &a - 1, &a / 2, &a / 2 + 1] {
            // −q·p, and values as far from the ends
            let t = -&q * &p;
            all.extend([&t + &a * (&p / 2), t.clone(), t + &a * (&p - 1)]);
        }
        all.extend((0..3).flat_map(|d| [most.clone() - d, d - most.clone(), BigInt::from(d), BigInt::from(-d)]));
        for _ in 0..20 {
            all.push(BigInt::from(rng.up_to(&(most.magnitude() * 2u32))) - &most);
        }
        all.retain(|t| t.abs() <= most);
        all
    }

    /// Returns the step that goes wrong for T: the first or the second extension, or the range; `None` if all are
    /// right.
    fn fault(&self, t: &BigInt) -> Option<&'static str> {
        let n = self.bases.n;
        let (p, a) = (BigInt::from(self.p.clone()), BigInt::from(self.bases.product.clone()));
        let mut s = Residues::default();
        self.reduction.extend_first(&self.channels, &mut s, &residues(&self.bases, t));
        let found = integer_modulo(&self.bases, &s, n..2 * n + 1);
        // S·A = T + q·p with q in [0, (1 + ε)·A)
        let qp = &found * &a - t;
        let (q, rest) = qp.div_mod_floor(&p);
        if !rest.is_zero() || q.is_negative() || (q - &a) << 11 >= a {
            return Some("first extension");
        }
        if found <= -&p || found >= 2 * &p {
            return Some("range");
        }
        self.reduction.extend_second(&self.channels, &mut s);
        (integer(&self.bases, &s) != found).then_some("second extension")
    }

    /// Returns true if the digits of S in [0, 2p) are wrong.
    fn digits_fault(&self, s: &BigUint) -> bool {
        let digits = self.reduction.digits(&self.channels, &residues(&self.bases, &s.clone().into()));
        BigUint::from_slice(&digits) != *s
    }
}

/// Returns moduli of 1 to 33 words: with as small a margin as possible, and with a large one.
fn examples() -> Vec<Example> {
    let mut rng = Rng::new(0xb111_0e01);
    let mut of = |bits: u64, spare| Example::new(rng.modulus(bits, 32), spare);
    vec![of(2, 4), of(25, 0), of(61, 1), of(158, 6), of(254, 6), of(381, 6), of(512, 40), of(1037, 6)]
}

#[test]
fn each_base_extension_agrees_with_integers() {
    let mut rng = Rng::new(0xb111_0e02);
    for example in examples() {
        for t in example.unreduced(&mut rng) {
            assert_eq!(example.fault(&t), None, "T = {t:#x} modulo {:#x}, {:?}", example.p, example.bases.all);
        }
        let p = &example.p;
        let edges = [BigUint::zero(), BigUint::one(), p - 1u32, p.clone(), p + 1u32, p * 2u32 - 1u32];
        for s in edges.into_iter().chain((0..10).map(|_| rng.up_to(&(p * 2u32 - 1u32)))) {
            assert!(!example.digits_fault(&s), "digits of {s:#x} modulo {p:#x}");
        }
    }
}

/// A flipped bit in any entry of a matrix is detected.
#[test]
fn a_flipped_bit_in_a_matrix_is_caught() {
    let mut rng = Rng::new(0xb111_0e03);
    let mut example = Example::new(rng.modulus(158, 32), 6);
    let n = example.bases.n;
    let values = example.unreduced(&mut rng);
    type Pick = fn(&mut Reduction<W>) -> &mut Matrix;
    let of: [(Pick, usize, &str); 2] =
        [(|r| &mut r.first, n + 1, "first extension"), (|r| &mut r.second, n, "second extension")];
    for (pick, columns, name) in of {
        for (row, column) in (0..=n).flat_map(|row| (0..columns).map(move |column| (row, column))) {
            let bit = 1 << rng.below(32);
            let flip = |example: &mut Example| {
                let matrix = pick(&mut example.reduction);
                matrix.blocks[column / 8 * matrix.rows + row][column % 8] ^= bit;
            };
            flip(&mut example);
            let found: Vec<_> = values.iter().filter_map(|t| example.fault(t)).collect();
            assert!(found.contains(&name), "{name}, row {row}, column {column}: {found:?}");
            flip(&mut example);
        }
    }
    assert!(values.iter().all(|t| example.fault(t).is_none()), "all are mended");
}

#[test]
fn bases_are_those_of_the_paper() {
    let sizes = |bits: u64| {
        let p = (BigUint::one() << bits) - 3u32;
        let Moduli { first, second, redundant, alpha } = moduli(&p, Margin { spare: 4, ..Margin::default() });
        let mut all = [&first[..], &second, &[redundant]].concat();
        assert!(all.iter().all(|m| is_prime(*m) && !(&p % *m).is_zero()));
        assert!(alpha >= BigUint::from(16u32));
        all.dedup();
        assert_eq!(all.len(), first.len() + second.len() + 1, "they differ");
        [first.len(), second.len()]
    };
    for bits in 1034..=1037 {
        assert_eq!(sizes(bits), [33, 33]);
    }
    for bits in 2056..=2064 {
        assert_eq!(sizes(bits), [65, 65]);
    }
    assert_eq!(multiply_adds(33), 2445);
    // a prime that would be among the moduli is left out
    let p = BigUint::from(4_294_967_291u32);
    assert!(!moduli(&p, Margin::default()).first.contains(&4_294_967_291));
}

#[test]
fn residues_stay_in_a_word() {
    let c_most = Bases::new(&((BigUint::one() << 4150u32) - 3u32), 6).all.into_iter().max().unwrap();
    assert!(c_most < 1 << 13, "{c_most}");
    for c in [5, 17, 1209, c_most] {
        let m = modulus(c);
        let edges = [0, 1, u64::from(m) - 1, u64::from(m), u64::from(u32::MAX), 1 << 32, u64::MAX - 1, u64::MAX];
        let multiples = [1u64, 2, u64::from(m) - 1, u64::from(m), u64::MAX / u64::from(m)];
        let near = multiples.into_iter().flat_map(|k| {
            let x = k * u64::from(m);
            [x - 1, x, x.saturating_add(1)]
        });
        for x in edges.into_iter().chain(near) {
            let found = residue(x, c);
            assert_eq!(u64::from(found) % u64::from(m), x % u64::from(m), "{x} modulo {m}");
            assert_eq!(u64::from(canonical(found, c)), x % u64::from(m), "{x} modulo {m}");
        }
    }
}

/// Checks the primality test against trial division.
#[test]
fn primality_agrees_with_trial_division() {
    let by_division = |m: u32| (3..=65_535u32).step_by(2).all(|d| !m.is_multiple_of(d));
    for c in (1..1200).step_by(2) {
        let m = modulus(c);
        assert_eq!(is_prime(m), by_division(m), "{m}");
    }
}
