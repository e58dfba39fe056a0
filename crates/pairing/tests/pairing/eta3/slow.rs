//! The slow reference: F_3^m as lists of coefficients, F_3^6m by the rules σ² = −1 and ρ³ = ρ + b, chords and
//! tangents, and the Tate pairing by its definition, a Miller loop over F_3^6m with every line and vertical. It
//! shares nothing with the code that it checks.

use num_bigint::BigUint;

/// An element of F_3^m: the integer Σ c_i·3^i.
pub(super) type Small = u64;
/// An element of F_3^6m: the coefficients of 1, σ, ρ, ρσ, ρ², ρ²σ.
pub(super) type Large = [Small; 6];
/// The coordinates x and y, or O.
pub(super) type Point<E> = Option<(E, E)>;

pub(super) struct Slow {
    pub(super) m: u32,
    /// The field's polynomial without x^m.
    f: Small,
    /// The constant b: 1 or 2.
    pub(super) b: u64,
}

/// Combines two elements digit by digit, modulo 3.
fn digits(mut a: Small, mut b: Small, with: impl Fn(u64, u64) -> u64) -> Small {
    let (mut out, mut place) = (0, 1);
    while a > 0 || b > 0 {
        out += with(a % 3, b % 3) % 3 * place;
        (a, b, place) = (a / 3, b / 3, place * 3);
    }
    out
}

impl Slow {
    pub(super) fn new(m: u32, f: Small, b: u64) -> Self {
        Slow { m, f, b }
    }

    pub(super) fn q(&self) -> u64 {
        3u64.pow(self.m)
    }

    pub(super) fn add(&self, a: Small, b: Small) -> Small {
        digits(a, b, |x, y| x + y)
    }

    pub(super) fn sub(&self, a: Small, b: Small) -> Small {
        digits(a, b, |x, y| x + 3 - y)
    }

    pub(super) fn mul(&self, a: Small, b: Small) -> Small {
        // Horner's rule: sum·x + c·b for the coefficients c of a
        (0..self.m).rev().fold(0, |sum, i| {
            let moved = 3 * sum;
            let high = moved / self.q();
            let reduced = digits(moved % self.q(), self.f, |x, y| x + 3 * high - high * y);
            digits(reduced, b, |x, y| x + a / 3u64.pow(i) % 3 * y)
        })
    }

    pub(super) fn inverse(&self, a: Small) -> Small {
        let (mut power, mut square, mut e) = (1, a, self.q() - 2);
        while e > 0 {
            if e & 1 == 1 {
                power = self.mul(power, square);
            }
            (square, e) = (self.mul(square, square), e >> 1);
        }
        power
    }

    /// Returns P + Q over F_3^m.
    pub(super) fn sum(&self, p: Point<Small>, q: Point<Small>) -> Point<Small> {
        let (Some((x1, y1)), Some((x2, y2))) = (p, q) else { return p.or(q) };
        if x1 == x2 && self.add(y1, y2) == 0 {
            return None;
        }
        // the derivative of x³ − x + b is −1
        let (dy, dx) = if x1 == x2 { (2, self.add(y1, y1)) } else { (self.sub(y2, y1), self.sub(x2, x1)) };
        let slope = self.mul(dy, self.inverse(dx));
        let x = self.sub(self.mul(slope, slope), self.add(x1, x2));
        Some((x, self.sub(self.mul(slope, self.sub(x1, x)), y1)))
    }

    pub(super) fn times(&self, k: usize, p: Point<Small>) -> Point<Small> {
        (0..usize::BITS).rev().fold(None, |sum, i| {
            let sum = self.sum(sum, sum);
            if k >> i & 1 == 1 { self.sum(sum, p) } else { sum }
        })
    }

    pub(super) fn points(&self) -> Vec<Point<Small>> {
        let square = |y: Small| (self.mul(y, y), y);
        let mut roots = std::collections::BTreeMap::<_, Vec<_>>::new();
        for (s, y) in (0..self.q()).map(square) {
            roots.entry(s).or_default().push(y);
        }
        let over = |x: Small| {
            let right = self.add(self.sub(self.mul(self.mul(x, x), x), x), self.b);
            roots.get(&right).into_iter().flatten().map(move |y| Some((x, *y))).collect::<Vec<_>>()
        };
        [None].into_iter().chain((0..self.q()).flat_map(over)).collect()
    }

    pub(super) fn product(&self, a: &Large, b: &Large) -> Large {
        // the coefficients of ρ^k and ρ^k·σ for k up to 4
        let mut sums = [[0; 2]; 5];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                let (product, k) = (self.mul(*x, *y), i / 2 + j / 2);
                let signed = if i % 2 + j % 2 == 2 { self.sub(0, product) } else { product };
                let place = &mut sums[k][(i + j) % 2];
                *place = self.add(*place, signed);
            }
        }
        for k in [4, 3] {
            // ρ^k = ρ^(k − 2) + b·ρ^(k − 3)
            let top = sums[k];
            sums[k - 2] = std::array::from_fn(|part| self.add(sums[k - 2][part], top[part]));
            sums[k - 3] = std::array::from_fn(|part| self.add(sums[k - 3][part], self.mul(self.b, top[part])));
        }
        std::array::from_fn(|i| sums[i / 2][i % 2])
    }

    pub(super) fn power(&self, a: &Large, e: &BigUint) -> Large {
        (0..e.bits()).rev().fold([1, 0, 0, 0, 0, 0], |power, i| {
            let square = self.product(&power, &power);
            if e.bit(i) { self.product(&square, a) } else { square }
        })
    }

    pub(super) fn difference(&self, a: &Large, b: &Large) -> Large {
        std::array::from_fn(|i| self.sub(a[i], b[i]))
    }

    /// Returns (f_{N,P}(ψ(Q)))^((3^6m − 1)/N) for N points, with numerators and denominators kept apart.
    pub(super) fn tate(&self, n: usize, p: Point<Small>, q: Point<Small>) -> Large {
        let (Some(_), Some((x, y))) = (p, q) else { return [1, 0, 0, 0, 0, 0] };
        // (ρ − x, σ·y)
        let psi = ([self.sub(0, x), 0, 1, 0, 0, 0], [0, y, 0, 0, 0, 0]);
        let one = [1, 0, 0, 0, 0, 0];
        let base = |x: Small| [x, 0, 0, 0, 0, 0];
        let vertical = |v: Point<Small>| v.map_or(one, |(x, _)| self.difference(&psi.0, &base(x)));
        let line = |v: Point<Small>, w: Point<Small>| {
            let (Some((x1, y1)), Some((x2, y2))) = (v, w) else { return vertical(v.or(w)) };
            if x1 == x2 && self.add(y1, y2) == 0 {
                return vertical(v);
            }
            let (dy, dx) = if x1 == x2 { (2, self.add(y1, y1)) } else { (self.sub(y2, y1), self.sub(x2, x1)) };
            let slope = base(self.mul(dy, self.inverse(dx)));
            let across = self.product(&slope, &vertical(v));
            self.difference(&self.difference(&psi.1, &base(y1)), &across)
        };
        let (mut numerator, mut denominator, mut v) = (one, one, p);
        for i in (0..n.ilog2()).rev() {
            let twice = self.sum(v, v);
            numerator = self.product(&self.product(&numerator, &numerator), &line(v, v));
            denominator = self.product(&self.product(&denominator, &denominator), &vertical(twice));
            v = twice;
            if n >> i & 1 == 1 {
                let next = self.sum(v, p);
                numerator = self.product(&numerator, &line(v, p));
                denominator = self.product(&denominator, &vertical(next));
                v = next;
            }
        }
        assert_eq!(v, None, "P has an order that divides {n}");
        let q6 = BigUint::from(self.q()).pow(6) - 1u32;
        let quotient = self.product(&numerator, &self.power(&denominator, &(&q6 - 1u32)));
        self.power(&quotient, &(q6 / BigUint::from(n)))
    }
}
