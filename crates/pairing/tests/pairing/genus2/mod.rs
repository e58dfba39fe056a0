//! The optimal η pairing compared with a slow reference (`slow.rs`). Over F_2^5 all divisors are tested: their
//! number, orders, octuplings and encodings, and for each divisor its sums with one in 31 of the others, itself and
//! its negative. Over F_2^7 to F_2^13 random sums and multiples are tested. Values of the Tate pairing by its
//! definition are compared on one in 263 of the pairs of points over F_2^7, and on random pairs over F_2^13. The laws
//! are tested on divisors of every kind up to F_2^31.

mod slow;

use bilinear_field::binary::Binary;
use bilinear_field::{Field, Lanes, Prime};
use bilinear_pairing::genus2::Genus2;
use bilinear_pairing::genus2::divisor::{Divisor, Jacobian};
use bilinear_pairing::genus2::tower::{self, Over, Twelve};
use bilinear_pairing::unitary_power::Unitary;
use num_bigint::BigUint;
use num_traits::One;
use slow::{Large, Mumford, Point, Slow};

type F = Binary<1>;

const POLYNOMIALS: [(usize, u64); 6] = [
    (5, 0b100101),
    (7, 0b10000011),
    (11, 0b1000_0000_0101),
    (13, 0b10_0000_0001_1011),
    (19, 0x8_0027),
    (31, 0x8000_0009),
];

fn polynomial(m: usize) -> u64 {
    POLYNOMIALS.iter().find(|(degree, _)| *degree == m).unwrap().1
}

fn field(m: usize) -> F {
    F::new(&BigUint::from(polynomial(m))).unwrap()
}

/// Returns N for the sign σ = 1 or σ = −1.
fn order(m: usize, plus: bool) -> BigUint {
    let one = BigUint::one();
    let (whole, half) =
        ((&one << (2 * m)) + (&one << m) + 1u32, (&one << (3 * m).div_ceil(2)) + (&one << m.div_ceil(2)));
    if plus { whole + half } else { whole - half }
}

/// Returns true if σ = 1: for d = 0 this holds if m is 1, 7, 17 or 23 modulo 24.
fn sign(m: usize, d: u64) -> bool {
    matches!(m % 24, 1 | 7 | 17 | 23) == (d == 0)
}

struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

struct Both {
    f: F,
    slow: Slow,
    n: BigUint,
    jacobian: Jacobian<1>,
}

impl Both {
    fn new(m: usize, d: u64) -> Self {
        let f = field(m);
        Both {
            slow: Slow::new(polynomial(m), d),
            n: order(m, sign(m, d)),
            jacobian: Jacobian::new(f.clone(), d == 1),
            f,
        }
    }

    fn elem(&self, x: u64) -> <F as Field>::Elem {
        self.f.constant(&BigUint::from(x))
    }

    fn plain(&self, x: &<F as Field>::Elem) -> u64 {
        let mut words = [0];
        self.f.store(&mut words, x, 0);
        words[0]
    }

    fn divisor(&self, (u, v): &Mumford) -> Divisor<F> {
        let v = |i: usize| self.elem(v.get(i).copied().unwrap_or(0));
        match u.len() {
            1 => Divisor::Zero,
            2 => Divisor::Degenerate { x: self.elem(u[0]), y: v(0) },
            _ => Divisor::General { u1: self.elem(u[1]), u0: self.elem(u[0]), v1: v(1), v0: v(0) },
        }
    }

    fn mumford(&self, d: &Divisor<F>) -> Mumford {
        let trimmed = |mut v: Vec<u64>| {
            while v.last() == Some(&0) {
                v.pop();
            }
            v
        };
        match d {
            Divisor::Zero => Slow::zero(),
            Divisor::Degenerate { x, y } => (vec![self.plain(x), 1], trimmed(vec![self.plain(y)])),
            Divisor::General { u1, u0, v1, v0 } => {
                (vec![self.plain(u0), self.plain(u1), 1], trimmed(vec![self.plain(v0), self.plain(v1)]))
            }
        }
    }

    fn large(&self, x: &Twelve<F>) -> Large {
        let coefficients = x.each_ref().map(|six| six.each_ref().map(|pair| pair.each_ref().map(|c| self.plain(c))));
        self.slow.of_tower(&coefficients)
    }

    /// Returns a random point of the curve.
    fn point(&self, rng: &mut Rng) -> Point {
        loop {
            let x = self.elem(rng.next() & ((1 << self.slow.m) - 1));
            if let Some(Divisor::Degenerate { x, y }) = self.jacobian.point(&x, rng.next() & 1 == 1) {
                return [self.plain(&x), self.plain(&y)];
            }
        }
    }
}

/// The number of divisors over F_2^5 is N, N times each divisor is 0, and sums agree with Cantor's.
#[test]
fn sums_agree_with_cantors() {
    for d in [0, 1] {
        let both = Both::new(5, d);
        let all = both.slow.divisors();
        assert_eq!(BigUint::from(all.len()), both.n, "d = {d}");
        for (i, e) in all.iter().enumerate() {
            let own = both.divisor(e);
            assert!(both.jacobian.contains(&own));
            assert_eq!(both.slow.times(&both.n, e), Slow::zero());
            assert_eq!(both.mumford(&both.jacobian.octuple(&own)), both.slow.times(&BigUint::from(8u32), e));
            let negative = both.mumford(&both.jacobian.negate(&own));
            assert_eq!(both.slow.add(&negative, e, None).0, Slow::zero());
            for other in all.iter().skip(i % 31).step_by(31).chain([e, &negative]) {
                let found = both.jacobian.add(&own, &both.divisor(other));
                assert_eq!(both.mumford(&found), both.slow.add(e, other, None).0, "d = {d}: {e:?} + {other:?}");
            }
        }
    }
    for (m, d) in [(7, 0), (11, 1), (13, 0), (13, 1)] {
        let (both, seed) = (Both::new(m, d), 0x9e37 + m as u64);
        let mut rng = Rng(seed);
        for _ in 0..40 {
            let [p, q, r] = [(); 3].map(|()| Slow::of_point(both.point(&mut rng)));
            let (one, two) = (both.slow.add(&p, &q, None).0, both.slow.add(&q, &r, None).0);
            assert_eq!(both.slow.times(&both.n, &one), Slow::zero(), "m = {m}, d = {d}, seed {seed:#x}");
            for (left, right) in [(&one, &two), (&one, &one), (&one, &q), (&p, &p), (&p, &q)] {
                let found = both.jacobian.add(&both.divisor(left), &both.divisor(right));
                assert_eq!(
                    both.mumford(&found),
                    both.slow.add(left, right, None).0,
                    "m = {m}, d = {d}, seed {seed:#x}"
                );
            }
            let (k, l) = (BigUint::from(rng.next()), BigUint::from(rng.next() % 1000));
            let found = both.jacobian.msm(&[(&k, both.divisor(&one)), (&l, both.divisor(&r))]);
            let want = both.slow.add(&both.slow.times(&k, &one), &both.slow.times(&l, &r), None).0;
            assert_eq!(both.mumford(&found), want, "m = {m}, d = {d}, {k} and {l}, seed {seed:#x}");
        }
    }
}

/// Every u with its bits gives the existing divisors, each exactly once.
#[test]
fn divisors_from_u_and_bits() {
    for d in [0, 1] {
        let both = Both::new(5, d);
        let mut found = vec![Slow::zero()];
        for x in 0..32 {
            found.extend(
                [false, true]
                    .iter()
                    .filter_map(|odd| both.jacobian.point(&both.elem(x), *odd))
                    .map(|p| both.mumford(&p)),
            );
            for u0 in 0..32 {
                for bits in [[false; 2], [false, true], [true, false], [true; 2]] {
                    if let Some(divisor) = both.jacobian.divisor(&both.elem(x), &both.elem(u0), bits) {
                        let Divisor::General { u1, v1, v0, .. } = &divisor else { panic!("of degree 2") };
                        assert_eq!(both.jacobian.bits([u1, v1, v0]), bits);
                        found.push(both.mumford(&divisor));
                    }
                }
            }
        }
        let mut all = both.slow.divisors();
        all.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, all, "d = {d}");
    }
}

/// Products, powers by 2^n and inverses of the tower.
#[test]
fn the_tower_agrees_with_plain_polynomials() {
    for m in [7, 13] {
        let both = Both::new(m, 0);
        let (f, seed) = (&both.f, 0x7031 + m as u64);
        let mut rng = Rng(seed);
        let mut random = || -> Twelve<F> {
            std::array::from_fn(|_| {
                std::array::from_fn(|_| std::array::from_fn(|_| both.elem(rng.next() & ((1 << m) - 1))))
            })
        };
        for _ in 0..20 {
            let (a, b) = (random(), random());
            let (x, y) = (both.large(&a), both.large(&b));
            assert_eq!(both.large(&Over(f).mul(&a, &b)), both.slow.large(&x, &y), "seed {seed:#x}");
            for n in 0..14 {
                let power = both.slow.large_power(&x, &(BigUint::one() << n));
                assert_eq!(both.large(&Over(f).sqr_times(&a, n)), power, "n = {n}, seed {seed:#x}");
            }
            let whole = both.slow.large_power(&x, &(BigUint::one() << m));
            assert_eq!(both.large(&tower::frobenius(f, &a, m)), whole);
            let unitary = tower::unitary(f, std::slice::from_ref(&a), m).remove(0);
            assert_eq!(both.large(&unitary), both.slow.large_power(&x, &((BigUint::one() << (6 * m)) - 1u32)));
            assert_eq!(both.large(&Over(f).mul(&unitary, &Over(f).conjugate(&unitary))), both.slow.one());
            let e = BigUint::from(0xdead_beef_1234u64);
            assert_eq!(both.large(&Over(f).power(&unitary, &e)), both.slow.large_power(&both.large(&unitary), &e));
        }
    }
}

/// Computes the pairing of two divisors.
fn pair(curve: &Genus2<1>, d: &Divisor<F>, e: &Divisor<F>) -> Twelve<F> {
    let value = curve.miller(&[(&curve.lines(&curve.points(d)), &curve.points(e))]);
    curve.final_exponentiation(&[value]).remove(0)
}

/// The Tate pairing of points by its definition equals that computed from the optimal η pairing.
#[test]
fn values_of_points_are_those_of_the_definition() {
    for (m, d, every) in [(7, 0, 263), (7, 1, 263), (13, 0, 0), (13, 1, 0)] {
        let both = Both::new(m, d);
        let curve = Genus2::new(both.f.clone(), d == 1, sign(m, d));
        let (seed, mut rng) = (0x51ab + m as u64, Rng(0x51ab + m as u64));
        let pairs: Vec<[Point; 2]> = if every > 0 {
            let all = both.slow.points();
            all.iter().flat_map(|p| all.iter().map(move |q| [*p, *q])).step_by(every).collect()
        } else {
            (0..2).map(|_| [both.point(&mut rng), both.point(&mut rng)]).collect()
        };
        for [p, q] in pairs {
            let [one, two] = [p, q].map(|p| both.divisor(&Slow::of_point(p)));
            let value = pair(&curve, &one, &two);
            let want = both.slow.tate(&both.n, &Slow::of_point(p), q);
            assert_eq!(both.large(&curve.tate(&value)), want, "m = {m}, d = {d}, {p:?} and {q:?}, seed {seed:#x}");
            assert!(curve.divides_divisors(&value));
        }
    }
}

/// For divisors of every kind: the pairing is that of their points, if these are over F_2^m, and it is bilinear
/// everywhere.
#[test]
fn divisors_of_every_kind() {
    let mut kinds = [[0; 3]; 3];
    for (m, d) in [(7, 0), (7, 1), (13, 0), (13, 1), (19, 0), (19, 1), (31, 0), (31, 1)] {
        let both = Both::new(m, d);
        let curve = Genus2::new(both.f.clone(), d == 1, sign(m, d));
        let (f, seed) = (&both.f, 0xd1f0 + m as u64);
        let mut rng = Rng(seed);
        let mut trivial = 0;
        let kind = |d: &Divisor<F>| match (d, curve.points(d)) {
            (Divisor::Degenerate { .. }, _) => 0,
            (_, bilinear_pairing::genus2::Points::Single(_)) => 1,
            _ => 2,
        };
        let base = both.divisor(&Slow::of_point(both.point(&mut rng)));
        for _ in 0..12 {
            let mut random = || {
                let k = BigUint::from(rng.next()) << 20;
                if rng.next().is_multiple_of(3) {
                    let p = both.point(&mut rng);
                    both.divisor(&Slow::of_point(p))
                } else {
                    both.jacobian.msm(&[(&k, base.clone())])
                }
            };
            let (a, b, c) = (random(), random(), random());
            let (ab, ac) = (pair(&curve, &a, &b), pair(&curve, &a, &c));
            kinds[kind(&a)][kind(&b)] += 1;
            let context =
                format!("m = {m}, d = {d}, {:?} and {:?}, seed {seed:#x}", both.mumford(&a), both.mumford(&b));
            let sum = both.jacobian.add(&b, &c);
            assert_eq!(both.large(&pair(&curve, &a, &sum)), both.large(&Over(f).mul(&ab, &ac)), "{context}");
            assert_eq!(both.large(&pair(&curve, &sum, &a)), both.large(&Over(f).mul(&ab, &ac)), "{context}: left");
            assert_eq!(both.large(&pair(&curve, &b, &a)), both.large(&ab), "{context}: symmetric");
            let negative = pair(&curve, &a, &both.jacobian.negate(&b));
            assert_eq!(both.large(&negative), both.large(&Over(f).conjugate(&ab)), "{context}: of the negative");
            assert!(curve.divides_divisors(&ab), "{context}");
            trivial += usize::from(both.large(&ab) == both.slow.one());
            // a product, in which pairs with the zero divisor count as 1
            let zero = Divisor::Zero;
            let [la, lb, lz] = [&a, &b, &zero].map(|d| curve.lines(&curve.points(d)));
            let [pa, pc, pz] = [&a, &c, &zero].map(|d| curve.points(d));
            let product = curve.miller(&[(&la, &pc), (&lb, &pa), (&lz, &pc), (&la, &pz)]);
            let product = curve.final_exponentiation(&[product]).remove(0);
            assert_eq!(both.large(&product), both.large(&Over(f).mul(&ac, &ab)), "{context}: a product");
        }
        assert!(trivial < 4, "m = {m}, d = {d}: {trivial} trivial values");
    }
    assert!(kinds.iter().flatten().all(|count| *count > 3), "{kinds:?}");
}

/// Every t leads to a point, and t and t + 1 to opposite ones.
#[test]
fn points_from_t() {
    for (m, d) in [(7, 0), (7, 1), (13, 1)] {
        let both = Both::new(m, d);
        let curve = Genus2::new(both.f.clone(), d == 1, sign(m, d));
        for t in (0..1u64 << m).step_by(2) {
            let [even, odd] = [t, t + 1].map(|t| curve.map(&both.elem(t)));
            assert!(both.jacobian.contains(&even), "m = {m}, d = {d}, t = {t}");
            assert_eq!(both.mumford(&both.jacobian.negate(&even)), both.mumford(&odd), "m = {m}, d = {d}, t = {t}");
        }
    }
}
