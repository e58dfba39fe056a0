//! Points from x-coordinates and from elements of the field: square roots, and a map to the curve.
//!
//! For a given y there is an x if the trace of y² − b is 0, and with it x + 1 and x − 1. The map is an analogue of
//! Shallue and van de Woestijne's for characteristic 2 (ANTS-VII, 2006). Let z ≠ 0 be such that z² has trace 0, and w
//! such that w·z has trace 1. Then the elements y = (u³ − u)/z + w have Tr(y·z) = 1. So Tr((y + j·z)² − b) =
//! Tr(y² − b) + 2j takes each value in F_3 for one j of 0, 1 and −1, and exactly one of the three elements belongs to points.
//! Of its three x, the map takes the one whose lowest coefficient is that of u, which tells u from u + 1 and u − 1.
//! The two other y come from other u, so each point that is reached is reached from three u.

use super::Eta3;
use crate::curve::Affine;
use crate::search::powers_and_all;
use bilinear_field::ternary::Ternary;
use bilinear_field::{Field, Lanes, Prime, at, minus, plus, times};
use num_bigint::BigUint;

type Elem<const N: usize> = <Ternary<N> as Field>::Elem;

/// The largest degree for which all elements of the field follow the powers.
const SMALL: usize = 10;

/// Returns x with x³ − x = y² − b, or `None` if there is none.
fn solve<const N: usize>(f: &Ternary<N>, y: &Elem<N>, b: i32) -> Option<Elem<N>> {
    at! {f; c = sqr_sum(y, &[times(-b, &f.one())]); x = third_trace(&c); cube = cube(&x); left = sub(&cube, &x);}
    f.lane(f.equal(&left, &c), 0).then_some(x)
}

/// Iterates over the powers of x^(m − 1) + x. Polynomials of low degree would have the same trace for most of a
/// search. In small fields all elements follow, because the powers may miss some of them.
pub(super) fn candidates<const N: usize>(f: &Ternary<N>) -> impl Iterator<Item = Elem<N>> + '_ {
    let base = f.constant(&(BigUint::from(3u32).pow(f.degree() as u32 - 1) + 3u32));
    powers_and_all(f, base, 3u32.pow(f.degree().min(SMALL) as u32))
}

/// Returns the trace of a: 0, 1 or 2.
fn trace<const N: usize>(f: &Ternary<N>, a: &Elem<N>) -> u32 {
    let (mut power, mut sum) = (a.clone(), a.clone());
    for _ in 1..f.degree() {
        at! {f; cube = cube(&power); next = add(&sum, &cube);}
        (power, sum) = (cube, next);
    }
    f.value(&sum, 0).iter_u32_digits().next().unwrap_or(0)
}

/// Returns z, 1/z and w, where z and w are the first suitable candidates.
pub(super) fn constants<const N: usize>(f: &Ternary<N>) -> [Elem<N>; 3] {
    let none = || unreachable!("a third of all elements have any trace");
    let with_root = |z: &Elem<N>| {
        at! {f; square = sqr(z);}
        trace(f, &square) == 0
    };
    let z = candidates(f).find(with_root).unwrap_or_else(none);
    let w = candidates(f).find_map(|w| {
        at! {f; product = mul(&w, &z);}
        (trace(f, &product) == 1).then_some(w)
    });
    at! {f; inverse = inv(&z);}
    [z, inverse, w.unwrap_or_else(none)]
}

/// Returns the element of F_3 that is congruent to i.
fn small<const N: usize>(f: &Ternary<N>, i: i32) -> Elem<N> {
    at!(f; sum(&[times(i, &f.one())]))
}

impl<const N: usize> Eta3<N> {
    /// Returns the point over x with the upper y if `upper` is true, and with the lower y otherwise; `None` if there
    /// is no point. Variable time.
    pub(super) fn point_over(&self, x: &Elem<N>, upper: bool) -> Option<Affine<Ternary<N>>> {
        let (f, curve) = (self.field(), &self.curve);
        let right = curve.rhs(x);
        at! {f; root = square_root(&right); square = sqr(&root); other = neg(&root);}
        let y = if f.lane(f.is_upper(&root), 0) == upper { root } else { other };
        f.lane(f.equal(&square, &right), 0).then(|| Affine { x: x.clone(), y, infinity: f.mask(false) })
    }

    /// Iterates over points whose x is a power of x^(m − 1) + x, with the lower y. The search for a generator begins
    /// with them.
    pub(super) fn points_over(&self) -> impl Iterator<Item = Affine<Ternary<N>>> + '_ {
        candidates(self.field()).filter_map(|x| self.point_over(&x, false))
    }

    /// Maps u to a point. Variable time.
    pub(super) fn mapped(&self, u: &Elem<N>) -> Affine<Ternary<N>> {
        let (f, [z, inverse, w]) = (self.field(), &self.map);
        at! {f; cube = cube(u); difference = sub(&cube, u); first = mul_sum(&difference, inverse, &[plus(w)]);}
        let found = [0, 1, -1].into_iter().find_map(|j| {
            at! {f; y = sum(&[plus(&first), times(j, z)]);}
            Some((solve(f, &y, self.tower.b())?, y))
        });
        let (x, y) = found.unwrap_or_else(|| unreachable!("one of the three belongs to points"));
        let wanted = f.lowest(u) as i32 - f.lowest(&x) as i32;
        at! {f; own = sum(&[plus(&x), minus(&small(f, -wanted))]);}
        Affine { x: own, y, infinity: f.mask(false) }
    }
}
