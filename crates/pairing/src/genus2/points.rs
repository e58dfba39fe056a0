//! The points of divisors, with coordinates in F_2^m or in F_2^2m, and the operations on them that the pairing needs.

use super::divisor::Divisor;
use super::tower::{Pair, PairScratch, Scratch, Six, Twelve, conjugate2, mul2, mul2_two, mul6};
use bilinear_field::binary::{Binary, Power, Residue};
use bilinear_field::{Blank, Field, Lanes, at, plus};

type Elem<const N: usize> = <Binary<N> as Field>::Elem;

/// The field of coordinates, in the lanes of F.
pub(super) trait Coordinates<F: Lanes> {
    /// A coordinate in each lane.
    type C: Clone + Blank;
    /// A coordinate of one lane.
    type Lane: Clone;
    /// The field F_2^m.
    fn field(&self) -> &F;
    /// Embeds an element of F_2^m.
    fn constant(&self, a: F::Elem) -> Self::C;
    /// Combines the coordinates of all lanes.
    fn gather(&self, lanes: &[Self::Lane]) -> Self::C;
    /// Returns the coordinate of a lane.
    fn lane(&self, a: &Self::C, lane: usize) -> Self::Lane;
    /// Returns a with another coordinate in a lane.
    fn with_lane(&self, a: &Self::C, lane: usize, other: &Self::Lane) -> Self::C {
        let lanes: Vec<Self::Lane> =
            (0..F::LANES).map(|i| if i == lane { other.clone() } else { self.lane(a, i) }).collect();
        self.gather(&lanes)
    }
    /// Computes a + b.
    fn add(&self, out: &mut Self::C, a: &Self::C, b: &Self::C);
    /// Computes a + b + c.
    fn add_three(&self, out: &mut Self::C, a: &Self::C, b: &Self::C, c: &Self::C);
    /// Computes a².
    fn sqr(&self, out: &mut Self::C, a: &Self::C);
    /// Computes a·b.
    fn mul(&self, out: &mut Self::C, a: &Self::C, b: &Self::C);
    /// Computes the two products of the elements of `a` and `b` at the same index.
    fn mul_two(&self, out: [&mut Self::C; 2], a: [&Self::C; 2], b: [&Self::C; 2], scratch: &mut PairScratch<F>);
    /// Returns a^(2^m).
    fn conjugate(&self, a: &Self::C) -> Self::C;
    /// Computes (A + s)(B + s) for A and B in F_2^6m.
    fn product(&self, out: &mut Twelve<F>, a: Half<'_, Self::C>, b: Half<'_, Self::C>, scratch: &mut ProductScratch<F>);

    /// Returns a + 1.
    fn plus_one(&self, a: &Self::C) -> Self::C {
        at!(self; add(a, &self.constant(self.field().one())))
    }

    /// Returns a^(2^n).
    fn squared(&self, a: &Self::C, n: usize) -> Self::C;

    /// Returns a coordinate that is the same in every lane.
    fn broadcast(&self, a: &Self::Lane) -> Self::C {
        self.gather(&vec![a.clone(); F::LANES])
    }
}

/// The element low + high·ω + c1·w + (c2 + ω)·w².
#[derive(Clone, Copy)]
pub(super) struct Half<'a, C> {
    pub(super) low: &'a C,
    pub(super) high: &'a C,
    pub(super) c1: &'a C,
    pub(super) c2: &'a C,
}

/// The intermediate results of products of halves.
pub(super) struct ProductScratch<F: Field> {
    sums: [[F::Elem; 2]; 6],
    products: [F::Elem; 10],
    mixed: [F::Elem; 6],
    whole: [Six<F>; 2],
    pub(super) tower: Scratch<F>,
}

impl<F: Field> Default for ProductScratch<F> {
    #[inline]
    fn default() -> Self {
        ProductScratch {
            sums: Blank::blank(),
            products: Blank::blank(),
            mixed: Blank::blank(),
            whole: Blank::blank(),
            tower: Scratch::default(),
        }
    }
}

/// Coordinates in F_2^m.
pub(super) struct Single<'a, F>(pub(super) &'a F);

/// Coordinates in F_2^2m.
pub(super) struct Double<'a, F>(pub(super) &'a F);

impl<F: Lanes<Uniform: Blank>> Coordinates<F> for Single<'_, F> {
    type C = F::Elem;
    type Lane = F::Uniform;

    fn field(&self) -> &F {
        self.0
    }

    fn constant(&self, a: F::Elem) -> F::Elem {
        a
    }

    fn gather(&self, lanes: &[F::Uniform]) -> F::Elem {
        gathered(self.0, lanes.iter())
    }

    fn lane(&self, a: &F::Elem, lane: usize) -> F::Uniform {
        lane_of(self.0, a, lane)
    }

    #[inline]
    fn add(&self, out: &mut F::Elem, a: &F::Elem, b: &F::Elem) {
        self.0.add(out, a, b);
    }

    #[inline]
    fn add_three(&self, out: &mut F::Elem, a: &F::Elem, b: &F::Elem, c: &F::Elem) {
        self.0.sum(out, &[plus(a), plus(b), plus(c)]);
    }

    #[inline]
    fn sqr(&self, out: &mut F::Elem, a: &F::Elem) {
        self.0.sqr(out, a);
    }

    #[inline]
    fn mul(&self, out: &mut F::Elem, a: &F::Elem, b: &F::Elem) {
        self.0.mul(out, a, b);
    }

    #[inline]
    fn mul_two(&self, [x, y]: [&mut F::Elem; 2], a: [&F::Elem; 2], b: [&F::Elem; 2], _: &mut PairScratch<F>) {
        self.0.mul(x, a[0], b[0]);
        self.0.mul(y, a[1], b[1]);
    }

    fn conjugate(&self, a: &F::Elem) -> F::Elem {
        a.clone()
    }

    fn squared(&self, a: &F::Elem, n: usize) -> F::Elem {
        let mut power = a.clone();
        self.0.sqr_all(std::slice::from_mut(&mut power), n);
        power
    }

    /// Takes 10 products: of coefficients d_i = x_i·y_i, and m_ij = (x_i + x_j)(y_i + y_j).
    fn product(
        &self,
        out: &mut Twelve<F>,
        a: Half<'_, F::Elem>,
        b: Half<'_, F::Elem>,
        scratch: &mut ProductScratch<F>,
    ) {
        let f = self.0;
        let (x, y) = ([a.low, a.high, a.c1, a.c2], [b.low, b.high, b.c1, b.c2]);
        let ProductScratch { sums, products, mixed, .. } = scratch;
        for (sums, [i, j]) in sums.iter_mut().zip([[0, 1], [2, 3], [0, 2], [1, 2], [0, 3], [1, 3]]) {
            let [s, t] = sums;
            f.add(s, x[i], x[j]);
            f.add(t, y[i], y[j]);
        }
        let [[s0, t0], [s1, t1], [s2, t2], [s3, t3], [s4, t4], [s5, t5]] = &*sums;
        f.mul_all(
            products,
            [x[0], x[1], x[2], x[3], s0, s1, s2, s3, s4, s5],
            [y[0], y[1], y[2], y[3], t0, t1, t2, t3, t4, t5],
        );
        let [d0, d1, d2, d3, m01, m23, m02, m12, m03, m13] = &*products;
        let [product, [[with_one, sum1], [sum2, zero2], [sum3, zero3]]] = out;
        let [sum0, sum01, sum23, even, odd, one] = mixed;
        *one = f.one();
        (*zero2, *zero3) = (f.zero(), f.zero());
        // A + B + 1 is the upper half of the product
        f.add(sum0, x[0], y[0]);
        f.add(with_one, sum0, one);
        f.add(sum1, x[1], y[1]);
        f.add(sum2, x[2], y[2]);
        f.add(sum3, x[3], y[3]);
        f.add(sum01, sum0, sum1);
        f.add(sum23, sum2, sum3);
        // with e_ij = m_ij + d_i + d_j the coefficients of A·B, less ω·w² of both, are d0 + d1 + e01·ω (and d1·ω, as ω² = ω + 1), e02 + e12·ω,
        // e03 + d2 + e13·ω, e23 + (x2 + y2)·ω and d3 + (x3 + y3)·ω + ω²; then w³ = ω(w² + w + 1), w⁴ = w² + w + ω²
        f.sum(even, &[plus(d0), plus(d2), plus(sum2)]);
        f.sum(odd, &[plus(d1), plus(m23), plus(sum23), plus(one)]);
        let [[c00, c01], [c10, c11], [c20, c21]] = product;
        f.sum(c20, &[plus(d0), plus(d1), plus(d3)]); // temporary value
        f.add(c00, c20, sum23);
        f.sum(c01, &[plus(m01), plus(m23), plus(even)]); // with the ω of s² = s + ω
        f.sum(c10, &[plus(m02), plus(even), plus(d3), plus(one)]);
        f.sum(c11, &[plus(m12), plus(d3), plus(odd)]);
        f.sum(c20, &[plus(m03), plus(even), plus(sum1), plus(one)]);
        f.sum(c21, &[plus(m13), plus(d2), plus(odd), plus(sum01)]);
    }
}

impl<F: Lanes<Uniform: Blank>> Coordinates<F> for Double<'_, F> {
    type C = Pair<F>;
    type Lane = [F::Uniform; 2];

    fn field(&self) -> &F {
        self.0
    }

    fn constant(&self, a: F::Elem) -> Self::C {
        [a, self.0.zero()]
    }

    fn gather(&self, lanes: &[Self::Lane]) -> Self::C {
        [0, 1].map(|i| gathered(self.0, lanes.iter().map(|lane| &lane[i])))
    }

    fn lane(&self, a: &Self::C, lane: usize) -> Self::Lane {
        a.each_ref().map(|c| lane_of(self.0, c, lane))
    }

    #[inline]
    fn add(&self, out: &mut Self::C, a: &Self::C, b: &Self::C) {
        for i in 0..2 {
            self.0.add(&mut out[i], &a[i], &b[i]);
        }
    }

    #[inline]
    fn add_three(&self, out: &mut Self::C, a: &Self::C, b: &Self::C, c: &Self::C) {
        for i in 0..2 {
            self.0.sum(&mut out[i], &[plus(&a[i]), plus(&b[i]), plus(&c[i])]);
        }
    }

    /// Maps x + y·ω to (x + y)² + y²·ω.
    fn sqr(&self, [x, y]: &mut Self::C, a: &Self::C) {
        at! {self.0; sum = add(&a[0], &a[1]);}
        self.0.sqr(x, &sum);
        self.0.sqr(y, &a[1]);
    }

    fn mul(&self, out: &mut Self::C, a: &Self::C, b: &Self::C) {
        *out = mul2(self.0, a, b);
    }

    fn mul_two(&self, out: [&mut Self::C; 2], a: [&Self::C; 2], b: [&Self::C; 2], scratch: &mut PairScratch<F>) {
        mul2_two(self.0, out, a, b, scratch);
    }

    fn conjugate(&self, a: &Self::C) -> Self::C {
        conjugate2(self.0, a)
    }

    fn squared(&self, a: &Self::C, n: usize) -> Self::C {
        let mut power = a.clone();
        self.0.sqr_all(&mut power, n);
        if n.is_multiple_of(2) { power } else { conjugate2(self.0, &power) }
    }

    /// Takes 15 products.
    fn product(
        &self,
        out: &mut Twelve<F>,
        a: Half<'_, Self::C>,
        b: Half<'_, Self::C>,
        scratch: &mut ProductScratch<F>,
    ) {
        let f = self.0;
        let ProductScratch { whole, tower, mixed, .. } = scratch;
        let [one, ..] = mixed;
        *one = f.one();
        for (whole, half) in whole.iter_mut().zip([a, b]) {
            // low + high·ω
            f.add(&mut whole[0][0], &half.low[0], &half.high[1]);
            f.sum(&mut whole[0][1], &[plus(&half.low[1]), plus(&half.high[0]), plus(&half.high[1])]);
            whole[1].clone_from(half.c1);
            whole[2][0].clone_from(&half.c2[0]);
            f.add(&mut whole[2][1], &half.c2[1], one);
        }
        let [a, b] = &*whole;
        let [product, sum] = out;
        mul6(f, product, a, b, tower);
        // A·B + ω + (A + B + 1)·s
        product[0][1] = at!(f; add(&product[0][1], one));
        for i in 0..3 {
            f.add(&mut sum[i][1], &a[i][1], &b[i][1]);
        }
        f.sum(&mut sum[0][0], &[plus(&a[0][0]), plus(&b[0][0]), plus(one)]);
        f.add(&mut sum[1][0], &a[1][0], &b[1][0]);
        f.add(&mut sum[2][0], &a[2][0], &b[2][0]);
    }
}

fn gathered<'a, F: Lanes<Uniform: 'a>>(f: &F, lanes: impl Iterator<Item = &'a F::Uniform>) -> F::Elem {
    let mut out = Blank::blank();
    let lanes: Vec<&F::Uniform> = lanes.collect();
    f.gather(&mut out, |lane| lanes[lane]);
    out
}

fn lane_of<F: Lanes<Uniform: Blank>>(f: &F, a: &F::Elem, lane: usize) -> F::Uniform {
    let mut out = F::Uniform::blank();
    f.scatter(a, |number, residue| {
        if number == lane {
            out.clone_from(residue);
        }
    });
    out
}

/// A coordinate of one lane, for which powers by 2^n are available for some n.
pub(super) trait Powers<const N: usize>: Clone {
    /// Raises each coordinate to the power 2^n, for an even n.
    fn powers(power: &Power<N>, point: &Point<Self>) -> Point<Self>;
}

impl<const N: usize> Powers<N> for Residue<N> {
    fn powers(power: &Power<N>, point: &Point<Self>) -> Point<Self> {
        power.of(point.each_ref())
    }
}

impl<const N: usize> Powers<N> for [Residue<N>; 2] {
    fn powers(power: &Power<N>, [[x, u], [y, v]]: &Point<Self>) -> Point<Self> {
        let [x, u, y, v] = power.of([x, u, y, v]);
        [[x, u], [y, v]]
    }
}

/// A point (x, y).
pub(super) type Point<C> = [C; 2];

/// The points of a divisor.
pub enum Points<const N: usize> {
    /// No point, one point or two points over F_2^m.
    Single(Vec<[Elem<N>; 2]>),
    /// One point over F_2^2m; the other point is its conjugate.
    Double([Pair<Binary<N>>; 2]),
}

impl<const N: usize> Points<N> {
    /// Returns the points of a divisor: the roots of u, with their values of v. Takes one inversion and a half-trace.
    pub fn new(f: &Binary<N>, divisor: &Divisor<Binary<N>>) -> Self {
        let (u1, u0, v1, v0) = match divisor {
            Divisor::Zero => return Points::Single(Vec::new()),
            Divisor::Degenerate { x, y } => return Points::Single(vec![[x.clone(), y.clone()]]),
            Divisor::General { u1, u0, v1, v0 } => (u1, u0, v1, v0),
        };
        let over = |x: Elem<N>| {
            at! {f; y = mul_sum(v1, &x, &[plus(v0)]);}
            [x, y]
        };
        if f.lane(f.is_zero(u1), 0) {
            let mut x = f.zero();
            f.square_root(&mut x, u0);
            let point = over(x);
            return Points::Single(vec![point.clone(), point]);
        }
        // x = u1·z with z² + z = u0/u1²
        at! {f; inverse = inv(u1); square = sqr(&inverse); c = mul(u0, &square); h = half_trace(&c); check = sqr_sum(&h, &[plus(&h)]);}
        at! {f; x = mul(u1, &h);}
        if f.lane(f.equal(&check, &c), 0) {
            at! {f; other = add(&x, u1);}
            return Points::Single(vec![over(x), over(other)]);
        }
        // else z = h + ω
        let [x, y] = over(x);
        at! {f; slope = mul(v1, u1);}
        Points::Double([[x, u1.clone()], [y, slope]])
    }

    /// Returns all points with coordinates in F_2^2m.
    pub(super) fn doubles(&self, f: &Binary<N>) -> Vec<[Pair<Binary<N>>; 2]> {
        match self {
            Points::Single(points) => {
                points.iter().map(|point| point.each_ref().map(|c| [c.clone(), f.zero()])).collect()
            }
            Points::Double(point) => vec![point.clone(), point.each_ref().map(|c| conjugate2(f, c))],
        }
    }
}
