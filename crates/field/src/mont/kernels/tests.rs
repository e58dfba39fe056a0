//! Every kernel against big integers, on every instruction set that this processor has.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

use super::*;
use crate::mont::modulus::Modulus;
use crate::ranges::Rng;
use crate::words::to_words;
use num_bigint::{BigInt, BigUint};

impl Rng {
    /// Draws words of one of the kinds on which carries go wrong: uniform, dense, sparse, long runs of equal bits,
    /// edges.
    fn words(&mut self, n: usize) -> Vec<u64> {
        let kind = self.word() % 8;
        let word = |_| match kind {
            0 => u64::MAX,
            1 => 0,
            2 => [0, u64::MAX][(self.word() & 1) as usize],
            3 => [0, 1, u64::MAX, u64::MAX - 1, 1 << 63][(self.word() % 5) as usize],
            4 => self.word() & self.word() & self.word(),
            5 => u64::MAX << (self.word() % 64),
            _ => self.word(),
        };
        let mut out: Vec<u64> = (0..n).map(word).collect();
        if kind == 1 {
            out[self.word() as usize % n] = 1 << (self.word() % 64);
        }
        out
    }

    /// Draws an odd modulus with `spare` zero bits above: uniform, or just below or above a power of two.
    fn odd(&mut self, n: usize) -> Vec<u64> {
        let spare = [0, 0, 1, 3, 54][(self.word() % 5) as usize];
        let mut p: Vec<u64> = match self.word() % 4 {
            0 => vec![u64::MAX; n],
            1 => vec![0; n],
            _ => (0..n).map(|_| self.word()).collect(),
        };
        p[0] = p[0].wrapping_sub(self.word() % 1000) | 1;
        p[n - 1] = (p[n - 1] | 1 << 63) >> spare;
        p[0] |= 1;
        p
    }

    /// Draws a residue in [0, p): often 0, 1 or p − 1.
    fn residue(&mut self, p: &[u64]) -> Vec<u64> {
        let x = match self.word() % 8 {
            0 => BigUint::ZERO,
            1 => big(p) - 1u32,
            2 => BigUint::from(1u32) % big(p),
            _ => big(&self.words(p.len())) % big(p),
        };
        to_words(&x, p.len())
    }
}

fn big(words: &[u64]) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |acc, &w| (acc << 64u32) + w)
}

/// The portable kernels, and the assembly where this processor has the instructions.
fn machines() -> Vec<Isa> {
    let mut out = vec![Isa::Portable];
    match Isa::detect() {
        Isa::Portable => eprintln!("skipped: no assembly kernels for this processor"),
        other => out.push(other),
    }
    out
}

const ROUNDS: u64 = 200;

fn products(k: Kernels) {
    let (isa, n) = (k.isa(), k.words());
    for seed in 0..ROUNDS {
        let mut rng = Rng::new(seed);
        let (a, b) = (rng.words(n), rng.words(n));
        let mut out = rng.words(2 * n);
        k.mul_wide(&mut out[..], &a, &b);
        assert_eq!(big(&out), big(&a) * big(&b), "product, {isa:?}, {n} words, seed {seed}");
        let mut out = rng.words(2 * n);
        k.sqr_wide(&mut out[..], &a);
        assert_eq!(big(&out), big(&a) * big(&a), "square, {isa:?}, {n} words, seed {seed}");
    }
}

fn reductions(k: Kernels) {
    let (isa, n) = (k.isa(), k.words());
    for seed in 0..ROUNDS {
        let mut rng = Rng::new(seed);
        let p = big(&rng.odd(n));
        let low = p.iter_u64_digits().next().unwrap();
        // any 2n words, not only those below pR
        let t = rng.words(2 * n);
        let r = BigUint::from(1u32) << (64 * n);
        // m = −t/p mod R, as R − (t·p^-1 mod R); the inverse by Newton from 64 bits
        let mut inverse = BigUint::from(crate::words::inverse(low));
        for _ in 0..7 {
            inverse = (&inverse * ((&r << 1u32) + 2u32 - (&p * &inverse) % &r)) % &r;
        }
        assert_eq!((&p * &inverse) % &r, BigUint::from(1u32), "inverse of the test itself, {n} words, seed {seed}");
        let m = (&r - (big(&t) % &r) * &inverse % &r) % &r;
        let want = (big(&t) + m * &p) / &r;
        let (mut out, mut scratch) = (rng.words(n), t.clone());
        let modulus = Modulus::new(&p, n);
        let carry = k.redc(&mut out, &mut scratch, &modulus);
        let got = big(&out) + (BigUint::from(carry) << (64 * n));
        // the result may be larger by a multiple of p, but below t/R + p + 2p/2^64
        let above = got >= want && &got % &p == &want % &p;
        let below = (&got << 63u32) * &r < (big(&t) << 63u32) + ((&p << 63u32) + &p) * &r;
        assert!(above && below, "reduction, {isa:?}, {n} words, seed {seed}");

        // below pR: canonical
        let t = [rng.words(n), rng.residue(&to_words(&p, n))].concat();
        let leave = |x: BigUint| x * (&r - &inverse) % &r;
        let reduced = |t: &BigUint| ((t + leave(t % &r) * &p) / &r) % &p;
        let mut scratch = t.clone();
        k.redc_closed(&mut out, &mut scratch, &modulus);
        assert_eq!(big(&out), reduced(&big(&t)), "closed reduction, {isa:?}, {n} words, seed {seed}");
        // a multiple of p just below pR, whose reduction by blocks is 2p
        let below = &p * (&r - 1u32 - rng.word() % 3);
        k.redc_closed(&mut out, &mut to_words(&below, 2 * n), &modulus);
        assert_eq!(big(&out), BigUint::ZERO, "closed reduction below pR, {isa:?}, {n} words, seed {seed}");
        // below 2^15·pR, for a tight modulus
        if 64 * n as u64 - p.bits() < 16 {
            let weight = rng.word() % (1 << 15);
            let value = big(&t) + &r * &p * weight;
            k.redc_canonical(&mut out, &mut to_words(&value, 2 * n + 1), &modulus);
            assert_eq!(big(&out), reduced(&value), "canonical reduction, {isa:?}, {n} words, seed {seed}");
        }
    }
}

fn modular(k: Kernels) {
    let (isa, n) = (k.isa(), k.words());
    for seed in 0..ROUNDS {
        let mut rng = Rng::new(seed);
        let words = rng.odd(n);
        let p = big(&words);
        let (a, b) = (rng.residue(&words), rng.residue(&words));
        let mut out = rng.words(n);
        k.modular::<0>(&mut out[..], &a, &b, &words);
        assert_eq!(big(&out), (big(&a) + big(&b)) % &p, "sum, {isa:?}, {n} words, seed {seed}");
        k.modular::<1>(&mut out[..], &a, &b, &words);
        assert_eq!(big(&out), (big(&a) + &p - big(&b)) % &p, "difference, {isa:?}, {n} words, seed {seed}");
        // around p, and anything below 2p
        let v = match rng.word() % 4 {
            0 => p.clone(),
            1 => &p - 1u32,
            _ => big(&a) + big(&b),
        };
        let mut out = to_words(&v, n + 1);
        let top = out.pop().unwrap();
        corrected::<0>(isa, &mut out, top, &words);
        assert_eq!(big(&out), &v % &p, "conditional subtraction, {isa:?}, {n} words, seed {seed}");
        let wide = |rng: &mut Rng| [rng.words(n), rng.residue(&words)].concat();
        let (a, b) = (wide(&mut rng), wide(&mut rng));
        let mut out = a.clone();
        k.sub_mod_wide(&mut out, &b, &words);
        let pr = &p << (64 * n);
        let want = (big(&a) + &pr - big(&b)) % pr;
        assert_eq!(big(&out), want, "wide difference, {isa:?}, {n} words, seed {seed}");
    }
}

fn multiples_off(k: Kernels) {
    let (isa, n) = (k.isa(), k.words());
    for seed in 0..ROUNDS {
        let mut rng = Rng::new(seed);
        let (x, y) = (rng.words(n), rng.words(n));
        let q = [0, 1, 5, u64::MAX, rng.word()][(rng.word() % 5) as usize];
        let mut out = x.clone();
        let borrow = sub_scaled(isa, &mut out, q, &y);
        let got = BigInt::from(big(&out)) - (BigInt::from(borrow) << (64 * n));
        assert_eq!(got, BigInt::from(big(&x)) - q * BigInt::from(big(&y)), "{q}y, {isa:?}, {n} words, seed {seed}");
    }
}

/// Checks every number of words that has kernels, and more numbers for each form that the assembly takes.
fn on_all(check: impl Fn(Kernels)) {
    for isa in machines() {
        for n in lengths().chain(own::TESTED.iter().copied()) {
            check(Kernels::new(isa, n));
        }
    }
}

macro_rules! agree {
    ($($check:ident)*) => {
        $(#[test]
        fn $check() {
            super::on_all(super::$check);
        })*
    };
}

mod agree_with_big_integers {
    agree!(products reductions modular multiples_off);
}
