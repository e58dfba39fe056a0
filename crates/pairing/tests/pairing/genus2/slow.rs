//! The slow reference: F_2^m as polynomials in a word, F_2^12m = F_2^m(z)/(z^12 + z³ + 1) by schoolbook products,
//! Cantor's sums with the value of their function at a point, Miller's loop, and the exponent by squarings and
//! products. It shares nothing with the crate.

use num_bigint::BigUint;
use num_traits::One;

/// The coefficients c_i of Σ c_i·z^i.
pub(super) type Large = [u64; 12];
/// The polynomials u and v, lowest coefficients first, without leading zeros.
pub(super) type Mumford = (Vec<u64>, Vec<u64>);
/// A point of the curve.
pub(super) type Point = [u64; 2];

/// The curve over F_2(x)/f.
pub(super) struct Slow {
    pub(super) m: usize,
    f: u64,
    d: u64,
    /// The w and s of the distortion map, in F_2^12.
    w: u64,
    s: u64,
    /// ω, with ω² = ω + 1 and w³ = ω(w² + w + 1).
    omega: u64,
}

/// Returns a·b in F_2(z)/(z^12 + z³ + 1).
fn small(a: u64, b: u64) -> u64 {
    let product = (0..12).filter(|i| b >> i & 1 == 1).fold(0, |sum, i| sum ^ a << i);
    (12..23)
        .rev()
        .fold(product, |rest, i| if rest >> i & 1 == 1 { rest ^ 0b1_0000_0000_1001 << (i - 12) } else { rest })
}

fn small_power(a: u64, e: u32) -> u64 {
    (0..e).fold(1, |power, _| small(power, a))
}

impl Slow {
    pub(super) fn new(f: u64, d: u64) -> Self {
        let w = (2..4096).find(|w| [6, 5, 3, 2, 0].iter().fold(0, |sum, e| sum ^ small_power(*w, *e)) == 0).unwrap();
        let square = small_power(w, 4) ^ small_power(w, 2) ^ w; // ω²
        let omega = small(square, square);
        assert_eq!((small(omega, omega), small_power(w, 3)), (omega ^ 1, small(omega, small(w, w) ^ w ^ 1)));
        let s = (2..4096).find(|s| small(*s, *s) ^ s == small_power(w, 5) ^ small_power(w, 3)).unwrap();
        Slow { m: f.ilog2() as usize, f, d, w, s, omega }
    }

    pub(super) fn mul(&self, a: u64, b: u64) -> u64 {
        let mut product = (0..self.m).filter(|i| b >> i & 1 == 1).fold(0u128, |sum, i| sum ^ u128::from(a) << i);
        for i in (self.m..2 * self.m).rev() {
            if product >> i & 1 == 1 {
                product ^= u128::from(self.f) << (i - self.m);
            }
        }
        product as u64
    }

    fn inv(&self, a: u64) -> u64 {
        assert_ne!(a, 0);
        (0..self.m - 1)
            .fold((1, a), |(product, power), _| {
                let power = self.mul(power, power);
                (self.mul(product, power), power)
            })
            .0
    }

    /// Returns x⁵ + x³ + d.
    pub(super) fn rhs(&self, x: u64) -> u64 {
        let cube = self.mul(x, self.mul(x, x));
        self.mul(cube, self.mul(x, x)) ^ cube ^ self.d
    }

    /// Returns all points except ∞.
    pub(super) fn points(&self) -> Vec<Point> {
        let all = 0..1u64 << self.m;
        // y and y + 1 give the same value of y² + y
        let mut roots = vec![None; 1 << self.m];
        all.clone().filter(|y| y & 1 == 0).for_each(|y| roots[(self.mul(y, y) ^ y) as usize] = Some(y));
        all.filter_map(|x| roots[self.rhs(x) as usize].map(|y| [[x, y], [x, y ^ 1]])).flatten().collect()
    }

    // polynomials

    fn sum(a: &[u64], b: &[u64]) -> Vec<u64> {
        let at = |p: &[u64], i: usize| p.get(i).copied().unwrap_or(0);
        Self::trimmed((0..a.len().max(b.len())).map(|i| at(a, i) ^ at(b, i)).collect())
    }

    fn trimmed(mut a: Vec<u64>) -> Vec<u64> {
        while a.last() == Some(&0) {
            a.pop();
        }
        a
    }

    fn product(&self, a: &[u64], b: &[u64]) -> Vec<u64> {
        let mut out = vec![0; a.len() + b.len()];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                out[i + j] ^= self.mul(*x, *y);
            }
        }
        Self::trimmed(out)
    }

    fn divided(&self, a: &[u64], b: &[u64]) -> (Vec<u64>, Vec<u64>) {
        let (mut rest, inverse) = (a.to_vec(), self.inv(*b.last().unwrap()));
        let mut quotient = vec![0; a.len()];
        for i in (b.len() - 1..a.len()).rev() {
            let factor = self.mul(rest[i], inverse);
            quotient[i + 1 - b.len()] = factor;
            b.iter().enumerate().for_each(|(j, c)| rest[i + 1 + j - b.len()] ^= self.mul(factor, *c));
        }
        (Self::trimmed(quotient), Self::trimmed(rest))
    }

    /// Returns the monic common divisor of a and b, and the factors by which it is a combination of a and b.
    fn common(&self, a: &[u64], b: &[u64]) -> [Vec<u64>; 3] {
        let (mut old, mut new) = ([a.to_vec(), vec![1], vec![]], [b.to_vec(), vec![], vec![1]]);
        while !new[0].is_empty() {
            let (q, _) = self.divided(&old[0], &new[0]);
            let next = [0, 1, 2].map(|i: usize| Self::sum(&old[i], &self.product(&q, &new[i])));
            (old, new) = (new, next);
        }
        let scale = [self.inv(*old[0].last().unwrap())];
        old.map(|p| self.product(&p, &scale))
    }

    // divisors

    pub(super) fn zero() -> Mumford {
        (vec![1], vec![])
    }

    pub(super) fn of_point([x, y]: Point) -> Mumford {
        (vec![x, 1], Self::trimmed(vec![y]))
    }

    /// Returns all reduced divisors.
    pub(super) fn divisors(&self) -> Vec<Mumford> {
        let mut all = vec![Self::zero()];
        all.extend(self.points().into_iter().map(Self::of_point));
        let (q, f) = (1u64 << self.m, [self.d, 0, 0, 1, 0, 1]);
        for (u1, u0) in (0..q).flat_map(|u1| (0..q).map(move |u0| (u1, u0))) {
            let u = vec![u0, u1, 1];
            for v1 in 0..q {
                // the coefficient of X in v² + v + f modulo u: v1²·u1 + v1 + f1
                let f1 = self.divided(&f, &u).1.get(1).copied().unwrap_or(0);
                if self.mul(self.mul(v1, v1), u1) ^ v1 != f1 {
                    continue;
                }
                for v0 in 0..q {
                    let v = Self::trimmed(vec![v0, v1]);
                    let norm = Self::sum(&Self::sum(&self.product(&v, &v), &v), &f);
                    if self.divided(&norm, &u).1.is_empty() {
                        all.push((u.clone(), v));
                    }
                }
            }
        }
        all
    }

    /// Returns the sum D + E, and the value at a point of F_2^12m of the function of D + E minus the reduced sum.
    pub(super) fn add(&self, d: &Mumford, e: &Mumford, at: Option<&[Large; 2]>) -> (Mumford, Large) {
        let f = [self.d, 0, 0, 1, 0, 1];
        let ((u1, v1), (u2, v2)) = (d, e);
        let [g, a, b] = self.common(u1, u2);
        let [g, c, s3] = self.common(&g, &Self::sum(&Self::sum(v1, v2), &[1]));
        let (s1, s2) = (self.product(&c, &a), self.product(&c, &b));
        let mut u = self.divided(&self.product(u1, u2), &self.product(&g, &g)).0;
        let first = self.product(&s1, &self.product(u1, v2));
        let second = self.product(&s2, &self.product(u2, v1));
        let third = self.product(&s3, &Self::sum(&self.product(v1, v2), &f));
        let (quotient, _) = self.divided(&Self::sum(&Self::sum(&first, &second), &third), &g);
        let mut v = self.divided(&quotient, &u).1;
        let mut value = at.map_or(self.one(), |[x, _]| self.evaluate(&g, x));
        while u.len() > 3 {
            let norm = Self::sum(&Self::sum(&f, &v), &self.product(&v, &v));
            let (quotient, _) = self.divided(&norm, &u);
            let next = self.product(&quotient, &[self.inv(*quotient.last().unwrap())]);
            let after = self.divided(&Self::sum(&v, &[1]), &next).1;
            if let Some([x, y]) = at {
                let numerator = Self::large_sum(y, &self.evaluate(&v, x));
                value = self.large(&value, &self.large(&numerator, &self.large_inv(&self.evaluate(&next, x))));
            }
            (u, v) = (next, after);
        }
        ((u, v), value)
    }

    pub(super) fn times(&self, k: &BigUint, d: &Mumford) -> Mumford {
        (0..k.bits()).rev().fold(Self::zero(), |sum, i| {
            let twice = self.add(&sum, &sum, None).0;
            if k.bit(i) { self.add(&twice, d, None).0 } else { twice }
        })
    }

    // F_2^12m

    pub(super) fn one(&self) -> Large {
        std::array::from_fn(|i| u64::from(i == 0))
    }

    fn large_sum(a: &Large, b: &Large) -> Large {
        std::array::from_fn(|i| a[i] ^ b[i])
    }

    pub(super) fn large(&self, a: &Large, b: &Large) -> Large {
        let mut t = [0; 23];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                t[i + j] ^= self.mul(*x, *y);
            }
        }
        for i in (12..23).rev() {
            (t[i - 9], t[i - 12]) = (t[i - 9] ^ t[i], t[i - 12] ^ t[i]);
        }
        std::array::from_fn(|i| t[i])
    }

    pub(super) fn large_power(&self, a: &Large, e: &BigUint) -> Large {
        (0..e.bits()).rev().fold(self.one(), |power, i| {
            let square = self.large(&power, &power);
            if e.bit(i) { self.large(&square, a) } else { square }
        })
    }

    fn large_inv(&self, a: &Large) -> Large {
        self.large_power(a, &((BigUint::one() << (12 * self.m)) - 2u32))
    }

    /// Returns c·a for an a in F_2^12.
    fn scaled(c: u64, a: u64) -> Large {
        std::array::from_fn(|i| if a >> i & 1 == 1 { c } else { 0 })
    }

    fn evaluate(&self, p: &[u64], x: &Large) -> Large {
        p.iter().rev().fold([0; 12], |value, c| Self::large_sum(&self.large(&value, x), &Self::scaled(*c, 1)))
    }

    /// Converts an element of the crate's tower, whose generators are ω, w and s + ω·w².
    pub(super) fn of_tower(&self, coefficients: &[[[u64; 2]; 3]; 2]) -> Large {
        let s = self.s ^ small(self.omega, small(self.w, self.w));
        let mut out = [0; 12];
        for (i, six) in coefficients.iter().enumerate() {
            for (j, pair) in six.iter().enumerate() {
                for (k, c) in pair.iter().enumerate() {
                    let basis = small(small_power(s, i as u32), small_power(self.w, j as u32));
                    out = Self::large_sum(&out, &Self::scaled(*c, small(basis, small_power(self.omega, k as u32))));
                }
            }
        }
        out
    }

    /// Returns ψ(x, y) = (x + w, y + (w⁴ + 1)·x² + (w⁴ + w²)·x + s).
    pub(super) fn distorted(&self, [x, y]: Point) -> [Large; 2] {
        let (w2, w4) = (small_power(self.w, 2), small_power(self.w, 4));
        let terms = [(y, 1), (self.mul(x, x), w4 ^ 1), (x, w4 ^ w2), (1, self.s)];
        let sum = |terms: &[(u64, u64)]| {
            terms.iter().fold([0; 12], |sum, (c, a)| Self::large_sum(&sum, &Self::scaled(*c, *a)))
        };
        [sum(&[(x, 1), (1, self.w)]), sum(&terms)]
    }

    /// Returns f_{N,D}(ψ(Q))^((2^12m − 1)/N).
    pub(super) fn tate(&self, n: &BigUint, d: &Mumford, q: Point) -> Large {
        let at = self.distorted(q);
        let (mut value, mut sum) = (self.one(), d.clone());
        for i in (0..n.bits() - 1).rev() {
            let (next, factor) = self.add(&sum, &sum, Some(&at));
            (value, sum) = (self.large(&self.large(&value, &value), &factor), next);
            if n.bit(i) {
                let (next, factor) = self.add(&sum, d, Some(&at));
                (value, sum) = (self.large(&value, &factor), next);
            }
        }
        assert_eq!(sum, Self::zero(), "N·D = 0");
        let (quotient, rest) = (&self.order_of_units() / n, &self.order_of_units() % n);
        assert_eq!(rest, BigUint::ZERO);
        self.large_power(&value, &quotient)
    }

    fn order_of_units(&self) -> BigUint {
        (BigUint::one() << (12 * self.m)) - 1u32
    }
}
