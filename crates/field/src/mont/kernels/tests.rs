//! Every kernel against big integers, on every instruction set that this processor has.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

use super::*;
use num_bigint::{BigInt, BigUint};

/// SplitMix64 (Steele, Lea and Flood 2014).
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// N words of one of the kinds that carries go wrong on: uniform, dense, sparse, long runs of equal bits, edges.
    fn words<const N: usize>(&mut self) -> [u64; N] {
        let kind = self.next() % 8;
        let mut out: [u64; N] = core::array::from_fn(|_| match kind {
            0 => u64::MAX,
            1 => 0,
            2 => [0, u64::MAX][(self.next() & 1) as usize],
            3 => [0, 1, u64::MAX, u64::MAX - 1, 1 << 63][(self.next() % 5) as usize],
            4 => self.next() & self.next() & self.next(),
            5 => u64::MAX << (self.next() % 64),
            _ => self.next(),
        });
        if kind == 1 {
            out[self.next() as usize % N] = 1 << (self.next() % 64);
        }
        out
    }

    /// Odd, with `spare` zero bits above; uniform, or just below or above a power of two.
    fn modulus<const N: usize>(&mut self) -> [u64; N] {
        let spare = [0, 0, 1, 3, 54][(self.next() % 5) as usize];
        let mut p: [u64; N] = match self.next() % 4 {
            0 => [u64::MAX; N],
            1 => [0; N],
            _ => core::array::from_fn(|_| self.next()),
        };
        p[0] = p[0].wrapping_sub(self.next() % 1000) | 1;
        p[N - 1] = (p[N - 1] | 1 << 63) >> spare;
        p[0] |= 1;
        p
    }

    /// In [0, p): often 0, 1 or p − 1.
    fn residue<const N: usize>(&mut self, p: &[u64; N]) -> [u64; N] {
        match self.next() % 8 {
            0 => [0; N],
            1 => limbs(&(big(p) - 1u32)),
            2 => limbs(&(BigUint::from(1u32) % big(p))),
            _ => limbs(&(big(&self.words::<N>()) % big(p))),
        }
    }
}

fn big(words: &[u64]) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |acc, &w| (acc << 64u32) + w)
}

fn big_wide<const N: usize>(w: &Wide<N>) -> BigUint {
    (big(&w.hi) << (64 * N)) + big(&w.lo)
}

/// The low N words.
fn limbs<const N: usize>(x: &BigUint) -> [u64; N] {
    let mut out = [0; N];
    for (o, w) in out.iter_mut().zip(x.iter_u64_digits()) {
        *o = w;
    }
    out
}

fn neg_inverse(p0: u64) -> u64 {
    (0..6).fold(1u64, |x, _| x.wrapping_mul(2u64.wrapping_sub(p0.wrapping_mul(x)))).wrapping_neg()
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

fn products<const N: usize>(isa: Isa) {
    for seed in 0..ROUNDS {
        let mut rng = Rng(seed);
        let (a, b) = (rng.words::<N>(), rng.words::<N>());
        let mut out = Wide { lo: rng.words(), hi: rng.words() };
        mul_wide(isa, &mut out, &a, &b);
        assert_eq!(big_wide(&out), big(&a) * big(&b), "product, {isa:?}, N = {N}, seed {seed}");
        let mut out = Wide { lo: rng.words(), hi: rng.words() };
        sqr_wide(isa, &mut out, &a);
        assert_eq!(big_wide(&out), big(&a) * big(&a), "square, {isa:?}, N = {N}, seed {seed}");
    }
}

fn reductions<const N: usize>(isa: Isa) {
    for seed in 0..ROUNDS {
        let mut rng = Rng(seed);
        let p = rng.modulus::<N>();
        let ninv = neg_inverse(p[0]);
        // any 2N words, not only those below pR
        let t = Wide { lo: rng.words::<N>(), hi: rng.words::<N>() };
        let r = BigUint::from(1u32) << (64 * N);
        // m = −t/p mod R, as R − (t·p^-1 mod R); the inverse by Newton from 64 bits
        let mut inverse = BigUint::from(ninv.wrapping_neg());
        for _ in 0..7 {
            inverse = (&inverse * ((&r << 1u32) + 2u32 - (big(&p) * &inverse) % &r)) % &r;
        }
        assert_eq!((big(&p) * &inverse) % &r, BigUint::from(1u32), "inverse of the test itself, N = {N}, seed {seed}");
        let m = (&r - (big_wide(&t) % &r) * &inverse % &r) % &r;
        let want = (big_wide(&t) + m * big(&p)) / &r;
        let (mut out, mut scratch) = (rng.words(), t);
        let modulus = Modulus::new(&big(&p));
        let carry = redc(isa, &mut out, &mut scratch, &modulus);
        let got = big(&out) + (BigUint::from(carry) << (64 * N));
        // or a multiple of p more than that, below t/R + p + 2p/2^64
        let above = got >= want && &got % big(&p) == &want % big(&p);
        let below = (&got << 63u32) * &r < (big_wide(&t) << 63u32) + ((big(&p) << 63u32) + big(&p)) * &r;
        assert!(above && below, "reduction, {isa:?}, N = {N}, seed {seed}");

        // below pR: canonical
        let t = Wide { lo: rng.words::<N>(), hi: rng.residue(&p) };
        let leave = |x: BigUint| x * (&r - &inverse) % &r;
        let reduced = |t: &BigUint| ((t + leave(t % &r) * big(&p)) / &r) % big(&p);
        let mut scratch = t;
        redc_closed(isa, &mut out, &mut scratch, &modulus);
        assert_eq!(big(&out), reduced(&big_wide(&t)), "closed reduction, {isa:?}, N = {N}, seed {seed}");
        // a multiple of p just below pR, which blocks leave at 2p
        let below = big(&p) * (&r - 1u32 - rng.next() % 3);
        let mut scratch = Wide { lo: limbs(&(&below % &r)), hi: limbs(&(below / &r)) };
        redc_closed(isa, &mut out, &mut scratch, &modulus);
        assert_eq!(big(&out), BigUint::ZERO, "closed reduction below pR, {isa:?}, N = {N}, seed {seed}");
        // below 2^15·pR, for a tight modulus
        if 64 * N as u64 - big(&p).bits() < 16 {
            let weight = rng.next() % (1 << 15);
            let value = big_wide(&t) + &r * big(&p) * weight;
            let (lo, hi) = (limbs(&(&value % &r)), limbs(&(&value / &r)));
            let top = (&value / &r / &r).iter_u64_digits().next().unwrap_or(0) as i64;
            let mut sum = Sum { words: Wide { lo, hi }, top };
            redc_canonical(isa, &mut out, &mut sum, &modulus);
            assert_eq!(big(&out), reduced(&value), "canonical reduction, {isa:?}, N = {N}, seed {seed}");
        }
    }
}

fn modular<const N: usize>(isa: Isa) {
    for seed in 0..ROUNDS {
        let mut rng = Rng(seed);
        let p = rng.modulus::<N>();
        let (a, b) = (rng.residue(&p), rng.residue(&p));
        let mut out = rng.words();
        add_mod(isa, &mut out, &a, &b, &p);
        assert_eq!(big(&out), (big(&a) + big(&b)) % big(&p), "sum, {isa:?}, N = {N}, seed {seed}");
        sub_mod(isa, &mut out, &a, &b, &p);
        assert_eq!(big(&out), (big(&a) + big(&p) - big(&b)) % big(&p), "difference, {isa:?}, N = {N}, seed {seed}");
        // around p, and anything below 2p
        let v = match rng.next() % 4 {
            0 => big(&p),
            1 => big(&p) - 1u32,
            _ => big(&a) + big(&b),
        };
        out = limbs(&v);
        cond_sub(isa, &mut out, u64::from(v.bits() > 64 * N as u64), &p);
        assert_eq!(big(&out), &v % big(&p), "conditional subtraction, {isa:?}, N = {N}, seed {seed}");
        let wide = |rng: &mut Rng| Wide { lo: rng.words::<N>(), hi: rng.residue(&p) };
        let (a, b) = (wide(&mut rng), wide(&mut rng));
        let mut out = Wide { lo: rng.words(), hi: rng.words() };
        sub_mod_wide(isa, &mut out, &a, &b, &p);
        let pr = big(&p) << (64 * N);
        let want = (big_wide(&a) + &pr - big_wide(&b)) % pr;
        assert_eq!(big_wide(&out), want, "wide difference, {isa:?}, N = {N}, seed {seed}");
    }
}

fn linear_forms<const N: usize>(isa: Isa) {
    for seed in 0..ROUNDS {
        let mut rng = Rng(seed);
        let (x, y) = (rng.words::<N>(), rng.words::<N>());
        let mut out = x;
        add_to(isa, &mut out, &y);
        assert_eq!(big(&out), big(&limbs::<N>(&(big(&x) + big(&y)))), "sum, {isa:?}, N = {N}, seed {seed}");
        let q = [0, 1, 5, u64::MAX, rng.next()][(rng.next() % 5) as usize];
        let mut out = x;
        let borrow = sub_scaled(isa, &mut out, q, &y);
        let got = BigInt::from(big(&out)) - (BigInt::from(borrow) << (64 * N));
        assert_eq!(got, BigInt::from(big(&x)) - q * BigInt::from(big(&y)), "{q}y, {isa:?}, N = {N}, seed {seed}");
    }
}

macro_rules! sizes {
    ($check:ident: $($n:literal)*) => {
        #[test]
        fn $check() {
            for isa in machines() {
                $(super::$check::<$n>(isa);)*
            }
        }
    };
}

mod agree_with_big_integers {
    use super::machines;
    sizes!(products: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 32 33 40 48 64 65);
    sizes!(reductions: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 32 33 40 48 64 65);
    sizes!(modular: 1 2 3 4 5 6 7 8 9 10 11 12 16 17 24 25 32 33 40 48 64 65);
    sizes!(linear_forms: 1 2 3 4 5 6 7 8 9 10 11 12 16 17 24 25 32 33 40 48 64 65);
}
