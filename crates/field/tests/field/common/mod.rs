//! The conformance suite: the requirements on every engine, checked against the reference.
#![allow(unreachable_pub)]

use bilinear_field::reference::Reference;
use bilinear_field::tower::{Complex, Cubic, Quadratic, RootPlus, Small};
use bilinear_field::{Extension, Field, Lanes, Prime, PrimeElem, minus, plus, times};
use num_bigint::BigUint;
use num_traits::{One, Zero};

pub type Fp2<F> = Complex<F>;
pub type Fp6<F> = Cubic<Fp2<F>, RootPlus>;
pub type Fp12<F> = Quadratic<Fp6<F>, RootPlus>;

/// xorshift64*: deterministic, so that a failure names its seed.
pub struct Rng(pub u64);

impl Rng {
    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Returns uniform words, or long runs of ones and zeros, or words with few bits, or with many.
    pub fn words(&mut self, n: usize) -> Vec<u64> {
        let kind = self.word() % 4;
        (0..n)
            .map(|_| match kind {
                0 => self.word(),
                1 => [0, u64::MAX][(self.word() % 2) as usize],
                2 => self.word() & self.word() & self.word(),
                _ => self.word() | self.word() | self.word(),
            })
            .collect()
    }
}

pub fn integer(words: &[u64]) -> BigUint {
    words.iter().rev().fold(BigUint::zero(), |x, w| (x << 64u32) + *w)
}

/// Returns values at which carries, borrows and corrections happen.
pub fn edge_values(p: &BigUint, rng: &mut Rng) -> Vec<BigUint> {
    let bits = p.bits();
    let mut out =
        vec![BigUint::zero(), BigUint::one(), BigUint::from(2u32), p - 1u32, p - 2u32, p >> 1u32, (p >> 1u32) + 1u32];
    for k in [63, 64, 65, bits / 2, bits - 2, bits - 1] {
        let power = BigUint::one() << k;
        out.extend([&power - 1u32, power.clone(), &power + 1u32].map(|x| x % p));
    }
    let r = BigUint::one() << (bits.div_ceil(64) * 64);
    out.extend([&r % p, (&r * &r) % p, p - (&r % p)]);
    for _ in 0..8 {
        out.push(integer(&rng.words(bits.div_ceil(64) as usize)) % p);
    }
    out
}

/// Loads one value per lane, rotating through `values` from `start`.
fn load<F: Lanes>(f: &F, values: &[BigUint], start: usize) -> (F::Elem, Vec<BigUint>) {
    let lanes: Vec<BigUint> = (0..F::LANES).map(|l| values[(start + l) % values.len()].clone()).collect();
    let words: Vec<Vec<u64>> = lanes.iter().map(|x| x.to_u64_digits()).collect();
    let mut out = f.zero();
    f.load(&mut out, &words.iter().map(|w| &w[..]).collect::<Vec<_>>());
    (out, lanes)
}

/// Checks every operation of the contract against the reference, on edge values and `rounds` random ones, each together
/// with 4 others.
pub fn conforms<F: Lanes>(f: &F, seed: u64, rounds: usize) {
    let p = f.modulus();
    let mut rng = Rng(seed);
    let mut values = edge_values(p, &mut rng);
    for _ in 0..rounds {
        values.push(integer(&rng.words(p.bits().div_ceil(64) as usize)) % p);
    }
    conforms_on(f, seed, &values, 1);
}

/// Checks every operation like [`conforms`], on these values: each of them is in some lane, but only every `step`-th is
/// in the first lane.
pub fn conforms_on<F: Lanes>(f: &F, seed: u64, values: &[BigUint], step: usize) {
    let p = f.modulus().clone();
    let r = Reference::new(&p).unwrap();
    assert!(f.value(&f.zero(), 0).is_zero() && f.value(&f.one(), 0).is_one());
    let mut minus_zero = f.zero();
    f.neg(&mut minus_zero, &f.zero());
    assert!(f.lane(f.is_zero(&minus_zero), 0), "−0 = 0, p = {p:#x}");
    for i in (0..values.len()).step_by(step) {
        for j in [i, i + 1, i * 7 + 3, i * 13 + 5] {
            let ((a, av), (b, bv), (c, cv)) = (load(f, values, i), load(f, values, j), load(f, values, i + 2 * j + 1));
            let at = |lane: usize| [&av[lane], &bv[lane], &cv[lane]];
            let got = operations(f, &a, &b, &c);
            for lane in 0..F::LANES {
                let got = got.iter().map(|out| f.value(out, lane)).collect::<Vec<_>>();
                agree(&got, at(lane), &p, &|what| format!("{what}, lane {lane}, p = {p:#x}, seed {seed:#x}"));
            }
            moves_lanes(f, &a, &av);
            let (zero, equal) = (f.is_zero(&a), f.equal(&a, &b));
            let mut chosen = f.zero();
            f.select(&mut chosen, equal, &c, &a);
            for lane in 0..F::LANES {
                let [x, y, z] = at(lane);
                assert_eq!(f.lane(zero, lane), x.is_zero(), "is_zero");
                assert_eq!(f.lane(equal, lane), x == y, "equal");
                assert_eq!(f.lane(f.or(zero, equal), lane), x.is_zero() || x == y, "either");
                assert_eq!(f.value(&chosen, lane), *if x == y { z } else { x }, "select");
            }
        }
    }
    selects_entries(f, values);
    inverts_many(f, values);
    dots(f, values);
    complex_agrees(f, &r, values);
}

/// Checks residues that are the same in all lanes, and the residues of each lane.
fn moves_lanes<F: Lanes>(f: &F, a: &F::Elem, av: &[BigUint]) {
    let mut out = f.zero();
    let check = |what: &str, got: &F::Elem, want: &dyn Fn(usize) -> usize| {
        for lane in 0..F::LANES {
            assert_eq!(f.value(got, lane), av[want(lane)], "{what}, lane {lane}, p = {:#x}", f.modulus());
        }
    };
    check("load and store", a, &|lane| lane);
    let kept = f.uniform(a);
    assert!(size_of_val(&kept) * F::LANES <= size_of_val(a), "stored once for all lanes");
    f.broadcast(&mut out, &kept);
    check("broadcast", &out, &|_| 0);
    let mut each = vec![kept; F::LANES];
    f.scatter(a, |lane, residue| each[lane].clone_from(residue));
    f.gather(&mut out, |lane| &each[lane]);
    check("scatter and gather", &out, &|lane| lane);
    f.gather(&mut out, |lane| &each[F::LANES - 1 - lane]);
    check("gather, the last lane first", &out, &|lane| F::LANES - 1 - lane);
}

/// Checks entries of tables, of which each lane selects another one.
fn selects_entries<F: Lanes>(f: &F, values: &[BigUint]) {
    let value = |i: usize| &values[(i * i + 3) % values.len()];
    for (bits, stride) in
        [(1, 1), (3, 2), (4, 1), (4, 3), (6, 1)].into_iter().filter(|(bits, _)| *bits <= F::ENTRY_BITS)
    {
        let len = stride * ((1 << bits) - 1) + 1;
        let table: Vec<F::Uniform> = (0..len).map(|i| f.uniform(&f.constant(value(i)))).collect();
        for first in 0..1usize << bits {
            let index = |lane: usize| (first + 5 * lane) % (1 << bits);
            let bit = |j: usize| f.mask_from(&(0..F::LANES).map(|lane| index(lane) >> j & 1 == 1).collect::<Vec<_>>());
            let mut out = f.one();
            f.entry(&mut out, (&table, stride), &(0..bits).map(bit).collect::<Vec<_>>());
            for lane in 0..F::LANES {
                assert_eq!(f.value(&out, lane), *value(stride * index(lane)), "entry, lane {lane}, {bits} bits");
            }
        }
    }
}

/// Returns the results of an engine's operations on three elements, in the order of [`agree`].
fn operations<F: Lanes>(f: &F, a: &F::Elem, b: &F::Elem, c: &F::Elem) -> Vec<F::Elem> {
    let mut all = vec![];
    let mut out = |run: &dyn Fn(&mut F::Elem)| {
        let mut out = f.zero();
        run(&mut out);
        all.push(out);
    };
    out(&|out| f.mul(out, a, b));
    out(&|out| f.sqr(out, a));
    out(&|out| f.add(out, a, b));
    out(&|out| f.sub(out, a, b));
    out(&|out| f.neg(out, a));
    out(&|out| f.sum(out, &[plus(a), times(-3, b), times(2, c), times(12, a), minus(c)]));
    out(&|out| f.sum(out, &[times(0, a), times(-5, b), times(0, c)]));
    out(&|out| f.sum(out, &[plus(a), plus(b)]));
    out(&|out| f.sum(out, &[plus(a), minus(b)]));
    out(&|out| f.three_and_two(out, a, b, false));
    out(&|out| f.three_and_two(out, a, b, true));
    out(&|out| f.mul_sum(out, a, b, &[minus(c)]));
    out(&|out| f.mul_sum(out, a, b, &[plus(c), times(-2, a), minus(b)]));
    out(&|out| f.mul_sum(out, a, b, &[]));
    out(&|out| f.mul_sum(out, a, b, &[times(20, c), times(-30, a)]));
    out(&|out| f.sqr_sum(out, a, &[plus(c)]));
    out(&|out| f.sqr_sum(out, a, &[times(-2, b), minus(c)]));
    let mut wide: [F::Wide; 4] = Default::default();
    let [ab, cc, ac, lin] = &mut wide;
    f.mul_wide(ab, a, b);
    f.sqr_wide(cc, c);
    f.mul_wide(ac, a, c);
    f.lin(lin, &[plus(&*ab), minus(&*cc), times(2, &*ac)]);
    let [ab, cc, ac, lin] = &wide;
    out(&|out| f.reduce(out, &[plus(ab), minus(cc), times(2, ac)]));
    out(&|out| f.reduce(out, &[plus(lin), minus(ab)]));
    out(&|out| f.reduce(out, &[minus(ab), minus(cc), times(-2, ac)]));
    out(&|out| f.reduce_near(out, &[plus(ab), minus(cc)]));
    out(&|out| f.reduce_three_and_two_near(out, &[minus(ab), plus(ac)], b, true));
    out(&|out| f.reduce_three_and_two_near(out, &[plus(cc)], a, false));
    out(&|out| f.inv(out, a));
    all
}

/// Checks the results of `operations` by big integers: one function for all engines, so that it is compiled once.
fn agree(got: &[BigUint], [a, b, c]: [&BigUint; 3], p: &BigUint, describe: &dyn Fn(&str) -> String) {
    let minus = |x: &BigUint| p - x;
    // a·b − c² + 2a·c
    let form = a * b + minus(c) * c + a * c * 2u32;
    let all = [
        ("mul", a * b),
        ("sqr", a * a),
        ("add", a + b),
        ("sub", a + minus(b)),
        ("neg", minus(a)),
        ("sum of five", a * 13u32 + c + minus(b) * 3u32),
        ("sum with coefficients 0", minus(b) * 5u32),
        ("closed sum", a + b),
        ("closed difference", a + minus(b)),
        ("three_and_two, plus", a * 3u32 + b * 2u32),
        ("three_and_two, minus", a * 3u32 + minus(b) * 2u32),
        ("mul_sum, minus", a * b + minus(c)),
        ("mul_sum of three", a * b + c + minus(a) * 2u32 + minus(b)),
        ("mul_sum of none", a * b),
        ("mul_sum, heavy", a * b + c * 20u32 + minus(a) * 30u32),
        ("sqr_sum, plus", a * a + c),
        ("sqr_sum of two", a * a + minus(b) * 2u32 + minus(c)),
        ("reduce of a form", form.clone()),
        ("lin", form + minus(a) * b),
        ("reduce of a negative form", minus(a) * (b + c * 2u32) + minus(c) * c),
        ("reduce of a form near 0", a * b + minus(c) * c),
        ("three forms near 0, minus", (minus(a) * b + a * c) * 3u32 + minus(b) * 2u32),
        ("three forms near 0, plus", c * c * 3u32 + a * 2u32),
    ];
    let [values @ .., inverse] = got else { panic!("an inverse behind the other values") };
    assert_eq!(values.len(), all.len());
    for (got, (what, want)) in values.iter().zip(all) {
        assert_eq!(*got, want % p, "{}", describe(what));
    }
    assert!(is_inverse(inverse, a, p), "{}", describe("inv"));
}

/// Checks Σ a_i·b_i of one to five terms.
fn dots<F: Lanes>(f: &F, values: &[BigUint]) {
    let p = f.modulus();
    for n in 1..=5 {
        let (a, av): (Vec<F::Elem>, Vec<_>) = (0..n).map(|i| load(f, values, 1 + i)).unzip();
        let (b, bv): (Vec<F::Elem>, Vec<_>) = (0..n).map(|i| load(f, values, 7 + 2 * i)).unzip();
        let mut out = f.zero();
        f.dot(&mut out, &a, &b);
        for lane in 0..F::LANES {
            let want = av.iter().zip(&bv).map(|(a, b)| &a[lane] * &b[lane]).sum::<BigUint>() % p;
            assert_eq!(f.value(&out, lane), want, "dot of {n}, lane {lane}, p = {p:#x}");
        }
    }
}

/// Returns true if x·y = 1, or both are 0.
fn is_inverse(x: &BigUint, y: &BigUint, p: &BigUint) -> bool {
    if y.is_zero() { x.is_zero() } else { x < p && (x * y % p).is_one() }
}

fn inverts_many<F: Lanes>(f: &F, values: &[BigUint]) {
    let p = f.modulus();
    let mut xs: Vec<F::Elem> = (0..values.len()).map(|i| load(f, values, i).0).collect();
    f.inv_many(&mut xs);
    for (i, x) in xs.iter().enumerate() {
        assert!(is_inverse(&f.value(x, 0), &values[i], p), "inv_many, element {i}, p = {p:#x}");
    }
    f.inv_many(&mut []);
    divides_all(f, values);
}

/// Checks quotients without zeros, with a zero in one lane of one element, and with as few elements as possible.
fn divides_all<F: Lanes>(f: &F, values: &[BigUint]) {
    let p = f.modulus();
    let units: Vec<BigUint> = values.iter().filter(|x| !x.is_zero()).cloned().collect();
    let (c, cv) = load(f, &units, 3);
    for n in [0, 1, 2, units.len()] {
        let (mut xs, mut xv): (Vec<F::Elem>, Vec<_>) = (0..n).map(|i| load(f, &units, i)).unzip();
        // the second time the last lane of the middle element is 0
        for spoilt in [None, (n > 0).then_some(F::LANES - 1)] {
            if let Some(lane) = spoilt {
                xv[n / 2][lane] = BigUint::zero();
                xs[n / 2] = load(f, &xv[n / 2], 0).0;
            }
            let mut out = vec![f.zero(); n];
            let met = f.quotients(&mut out, &c, &xs);
            for lane in 0..F::LANES {
                let zero = spoilt == Some(lane);
                assert_eq!(f.lane(met, lane), zero, "quotients of {n}: a zero in lane {lane}, p = {p:#x}");
                for (x, y) in out.iter().zip(&xv) {
                    let product = f.value(x, lane) * &y[lane] % p;
                    let want = if zero { BigUint::zero() } else { cv[lane].clone() };
                    assert_eq!(product, want, "quotients of {n}, lane {lane}, p = {p:#x}");
                    assert!(!zero || f.value(x, lane).is_zero(), "quotients of {n} where one is 0, p = {p:#x}");
                }
            }
        }
    }
}

/// Checks the fused hooks for F_p(i) against the same formulas over the reference.
fn complex_agrees<F: Lanes>(f: &F, r: &Reference, values: &[BigUint]) {
    let n = values.len();
    for i in 0..n {
        let pick = |k: usize| (load(f, values, i + k).0, values[(i + k) % n].clone());
        let ((a0, a0v), (a1, a1v), (b0, b0v), (b1, b1v)) = (pick(0), pick(1), pick(i), pick(i + 3));
        let (a, b, av, bv) = ([a0, a1], [b0, b1], [a0v, a1v], [b0v, b1v]);
        let (mut out, mut want) = (<[F::Elem; 2]>::default(), <[BigUint; 2]>::default());
        let same = |what: &str, out: &[F::Elem; 2], want: &[BigUint; 2]| {
            for k in 0..2 {
                assert_eq!(f.value(&out[k], 0), want[k], "{what}, coefficient {k}, p = {:#x}", r.modulus());
            }
        };
        f.complex_mul(&mut out, &a, &b);
        r.complex_mul(&mut want, &av, &bv);
        same("complex_mul", &out, &want);
        f.complex_sqr(&mut out, &a);
        r.complex_sqr(&mut want, &av);
        same("complex_sqr", &out, &want);
        let (mut w, mut wv) = (<[F::Wide; 2]>::default(), Default::default());
        f.complex_mul_wide(&mut w, &a, &b);
        r.complex_mul_wide(&mut wv, &av, &bv);
        f.reduce2(&mut out, &[plus(&w[0])], &[plus(&w[1])]);
        r.reduce2(&mut want, &[plus(&wv[0])], &[plus(&wv[1])]);
        same("complex_mul_wide", &out, &want);
        f.complex_sqr_wide(&mut w, &a);
        r.complex_sqr_wide(&mut wv, &av);
        f.reduce2(&mut out, &[minus(&w[0])], &[plus(&w[1])]);
        r.reduce2(&mut want, &[minus(&wv[0])], &[plus(&wv[1])]);
        same("complex_sqr_wide", &out, &want);
    }
}

/// An extension field as a vector space over its prime field.
pub trait Flat: Field {
    type Base: Lanes;
    fn flatten(&self, x: &Self::Elem) -> Vec<<Self::Base as Field>::Elem>;
    fn build(&self, next: &mut dyn FnMut() -> <Self::Base as Field>::Elem) -> Self::Elem;
}

impl<E: Extension<Prime: Lanes>> Flat for E {
    type Base = E::Prime;
    fn flatten(&self, x: &E::Elem) -> Vec<PrimeElem<E>> {
        let mut out = vec![];
        self.coefficients(x, &mut |c| out.push(c.clone()));
        out
    }
    fn build(&self, next: &mut dyn FnMut() -> PrimeElem<E>) -> E::Elem {
        self.compose(next)
    }
}

pub fn fp6<F: Field>(base: F, a: i32) -> Fp6<F> {
    Cubic::new(Complex::complex(base), RootPlus(a))
}

pub fn fp12<F: Field>(base: F, a: i32) -> Fp12<F> {
    Quadratic::new(fp6(base, a), RootPlus(0))
}

/// F_p^4 = F_p²(s), s² = a + i, and F_p^8 over it: the quadratic chain of a k = 24 tower.
pub fn fp8<F: Field>(base: F, a: i32) -> Quadratic<Quadratic<Complex<F>, RootPlus>, RootPlus> {
    Quadratic::new(Quadratic::new(Complex::complex(base), RootPlus(a)), RootPlus(0))
}

/// A chain as for F_p^18: cubic over cubic over quadratic, to exercise `RootPlus` on a cubic level.
pub fn fp18<F: Field>(base: F, a: i32) -> Cubic<Cubic<Complex<F>, RootPlus>, RootPlus> {
    Cubic::new(Cubic::new(Complex::complex(base), RootPlus(a)), RootPlus(0))
}

/// F_p^4 with a small integer above the complex numbers, to exercise `Small`.
pub fn fp4_small<F: Field>(base: F, nr: i32) -> Quadratic<Complex<F>, Small> {
    Quadratic::new(Complex::complex(base), Small(nr))
}

/// Checks that each operation of an extension gives the same over the field as over the reference, and that the ring
/// laws hold.
pub fn extension_agrees<T: Flat, R: Flat<Base = Reference>>(t: &T, r: &R, f: &T::Base, p: &BigUint, seed: u64) {
    let mut rng = Rng(seed);
    let values = edge_values(p, &mut rng);
    for round in 0..40 {
        let mut draw = || values[(rng.word() % values.len() as u64) as usize].clone();
        let make = |draw: &mut dyn FnMut() -> BigUint| {
            let mut taken = vec![];
            let x = r.build(&mut || {
                let v = draw();
                taken.push(v.clone());
                v
            });
            let mut it = taken.iter();
            (t.build(&mut || f.constant(it.next().unwrap())), x)
        };
        let ((a, ra), (b, rb), (c, rc)) = (make(&mut draw), make(&mut draw), make(&mut draw));
        let same = |what: &str, x: &T::Elem, want: &R::Elem| {
            let got: Vec<BigUint> = t.flatten(x).iter().map(|c| f.value(c, 0)).collect();
            assert_eq!(got, r.flatten(want), "{what}, round {round}, seed {seed:#x}");
        };
        let (mut x, mut y) = (t.zero(), r.zero());
        t.mul(&mut x, &a, &b);
        r.mul(&mut y, &ra, &rb);
        same("mul", &x, &y);
        let (mut x2, mut y2) = (t.zero(), r.zero());
        t.mul(&mut x2, &a, &a);
        t.sqr(&mut x, &a);
        r.sqr(&mut y, &ra);
        same("sqr", &x, &y);
        same("sqr is mul", &x2, &y);
        let (mut w, mut v) = (T::Wide::default(), T::Wide::default());
        let (mut rw, mut rv) = (R::Wide::default(), R::Wide::default());
        t.mul_wide(&mut w, &a, &b);
        t.sqr_wide(&mut v, &c);
        t.reduce(&mut x, &[plus(&w), minus(&v)]);
        r.mul_wide(&mut rw, &ra, &rb);
        r.sqr_wide(&mut rv, &rc);
        r.reduce(&mut y, &[plus(&rw), minus(&rv)]);
        same("reduce of mul_wide and sqr_wide", &x, &y);
        t.sum(&mut x, &[times(3, &a), minus(&b), plus(&c)]);
        r.sum(&mut y, &[times(3, &ra), minus(&rb), plus(&rc)]);
        same("sum", &x, &y);
        // (a + b)·c = a·c + b·c, and a·(1/a) = 1
        t.add(&mut x2, &a, &b);
        t.mul(&mut x, &x2, &c);
        r.mul(&mut y, &ra, &rc);
        r.mul(&mut y2, &rb, &rc);
        let mut y3 = r.zero();
        r.add(&mut y3, &y, &y2);
        same("distributive law", &x, &y3);
        t.inv(&mut x, &a);
        r.inv(&mut y, &ra);
        same("inv", &x, &y);
        if round > 0 && !r.flatten(&ra).iter().all(|c| c.is_zero()) {
            t.mul(&mut x2, &x, &a);
            same("inverse", &x2, &r.one());
        }
    }
}
