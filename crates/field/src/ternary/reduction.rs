//! Remainders modulo f of polynomials over F_3, and cubes.
//!
//! With f = x^m − Σ c_i·x^i the part h above x^m is replaced by Σ c_i·x^i·h, repeatedly, until the degree is below m. A
//! cube has the coefficients of its root with two 0 after each: it takes no product, only the remainder of a polynomial
//! that is half as long again as a product.

use super::products::{Element, Twice};
use super::trits::{Plane, spread};

/// A function that spreads the coefficients of an element, with two 0 after each.
pub(super) type Cube<const N: usize> = fn(&mut Thrice<N>, &Element<N>);

/// The two planes of a cube before its reduction, in three parts each.
pub(super) type Thrice<const N: usize> = [[[u64; N]; 3]; 2];

/// A term of f below x^m: the exponent i of x^i, and whether its coefficient is 1.
pub(super) type Tail = (usize, bool);

/// The functions that compute remainders.
pub(super) struct Reduction<const N: usize> {
    /// Reduces a product.
    pub(super) product: fn(usize, &[Tail], &mut Element<N>, &Twice<N>),
    /// Reduces a cube.
    pub(super) cube: fn(usize, &[Tail], &mut Element<N>, &Thrice<N>),
}

/// The masks of bits 3j of the first word of three, 3j + 2 of the second, 3j + 1 of the third.
const MASKS: [u64; 3] = [0x9249_2492_4924_9249, 0x4924_9249_2492_4924, 0x2492_4924_9249_2492];

/// Spreads the coefficients of a, with two 0 after each, by a function that deposits the lowest bits at the bits of a
/// mask.
#[inline(always)]
pub(super) fn spread_out<const N: usize>(out: &mut Thrice<N>, a: &Element<N>, deposit: impl Fn(u64, u64) -> u64) {
    for plane in 0..2 {
        let to = out[plane].as_flattened_mut();
        for (i, x) in a[plane].iter().enumerate() {
            // 22, 21 and 21 coefficients
            for (part, first) in [0, 22, 43].into_iter().enumerate() {
                to[3 * i + part] = deposit(x >> first, MASKS[part]);
            }
        }
    }
}

/// Spreads the coefficients of a like [`spread_out`], in portable code.
pub(super) fn portable_cube<const N: usize>(out: &mut Thrice<N>, a: &Element<N>) {
    spread_out(out, a, |x, mask| match mask.trailing_zeros() {
        0 => spread(x) | (x >> 21) << 63,
        shift => spread(x) << shift,
    });
}

/// Computes the remainder of a polynomial of at most this degree, in its lowest words.
#[inline(always)]
fn fold<const L: usize>(m: usize, f: &[Tail], mut degree: usize, [v, s]: [&mut [u64]; 2]) {
    let highest = f[f.len() - 1].0;
    let (top, rest) = (m / 64, (m % 64) as u32);
    while degree >= m {
        let count = (degree - m) / 64 + 1;
        // l + h·x^m
        let mut h = [[0; L]; 2];
        for (own, plane) in h.iter_mut().zip([&mut *v, &mut *s]) {
            for i in 0..count {
                let high = if top + i + 1 < L { plane[top + i + 1] } else { 0 };
                own[i] = plane[top + i] >> rest | (high << 1) << (63 - rest);
            }
            plane[top] &= (1 << rest) - 1;
            for i in 1..=count {
                if top + i < L {
                    plane[top + i] = 0;
                }
            }
        }
        for (exponent, is_one) in f {
            let (offset, shift) = (exponent / 64, (exponent % 64) as u32);
            for i in 0..=count {
                if i + offset >= L {
                    break;
                }
                let moved: [u64; 2] = std::array::from_fn(|plane| {
                    let (own, below) = (h[plane][i.min(L - 1)], if i == 0 { 0 } else { h[plane][i - 1] });
                    (if i < count { own << shift } else { 0 }) | (below >> 1) >> (63 - shift)
                });
                // x^m = −x^i where the coefficient of f is 1
                let moved = if *is_one { u64::negated(moved) } else { moved };
                let sum = u64::sum([v[i + offset], s[i + offset]], moved);
                (v[i + offset], s[i + offset]) = (sum[0], sum[1]);
            }
        }
        degree = (m - 1).max(degree - m + highest);
    }
}

/// Returns word i of a polynomial, 0 beyond its end.
#[inline(always)]
fn at<P: Plane>([v, s]: [&[P]; 2], i: usize) -> [P; 2] {
    if i < v.len() { [v[i], s[i]] } else { [P::ZERO; 2] }
}

/// Returns word i of a·x^T, for 0 < T < 64.
#[inline(always)]
fn raised<P: Plane, const T: u32>(a: [&[P]; 2], i: usize) -> [P; 2] {
    let [v, s] = at(a, i);
    if i == 0 {
        return [v.up(T), s.up(T)];
    }
    let [low_v, low_s] = at(a, i - 1);
    [v.up(T).or(low_v.down(64 - T)), s.up(T).or(low_s.down(64 - T))]
}

/// Returns word k of the N words of coefficients iM to (i + 1)M − 1.
#[inline(always)]
fn part<P: Plane, const N: usize, const M: usize>(a: [&[P]; 2], i: usize, k: usize) -> [P; 2] {
    let bit = i * M + 64 * k;
    let shift = (bit % 64) as u32;
    let [mut v, mut s] = at(a, bit / 64);
    if shift > 0 {
        let [high_v, high_s] = at(a, bit / 64 + 1);
        (v, s) = (v.down(shift).or(high_v.up(64 - shift)), s.down(shift).or(high_s.up(64 - shift)));
    }
    if k + 1 < N {
        return [v, s];
    }
    let mask = (1 << (M - 64 * k)) - 1;
    [v.and(mask), s.and(mask)]
}

/// Computes the remainder modulo x^M + x^T − 1, for 2T < 64, of a polynomial of 2M coefficients or, for a cube, of 3M.
/// With x^M = 1 − x^T and x^2M = 1 + x^T + x^2T, the remainder of l + h·x^M + k·x^2M is l + h + k +
/// (k − h + k·x^T)·x^T, and once more for the part of this above x^M.
#[inline(always)]
pub(super) fn trinomial<P: Plane, const N: usize, const M: usize, const T: u32>(
    long: [&[P]; 2],
    is_cube: bool,
) -> [[P; N]; 2] {
    const { assert!(2 * T < 64 && T > 0 && M > 64 * (N - 1) && M + (T as usize) < 64 * N) };
    let (mut low, mut high, mut top) = ([[P::ZERO; N]; 2], [[P::ZERO; N]; 2], [[P::ZERO; N]; 2]);
    for i in 0..N {
        let (l, h) = (part::<P, N, M>(long, 0, i), part::<P, N, M>(long, 1, i));
        let (mut sum, mut upper) = (P::sum(l, h), P::negated(h));
        if is_cube {
            let k = part::<P, N, M>(long, 2, i);
            [top[0][i], top[1][i]] = k;
            (sum, upper) = (P::sum(sum, k), P::sum(P::sum(upper, k), raised::<P, T>([&top[0], &top[1]], i)));
        }
        [low[0][i], low[1][i]] = sum;
        [high[0][i], high[1][i]] = upper;
    }
    let mut out = [[P::ZERO; N]; 2];
    for i in 0..N {
        [out[0][i], out[1][i]] = P::sum([low[0][i], low[1][i]], raised::<P, T>([&high[0], &high[1]], i));
    }
    // fewer than 2T coefficients above x^M
    let (last, rest) = (raised::<P, T>([&high[0], &high[1]], N), (M - 64 * (N - 1)) as u32);
    let mut over = [P::ZERO; 2];
    for plane in 0..2 {
        over[plane] = out[plane][N - 1].down(rest).or(last[plane].up(64 - rest));
        out[plane][N - 1] = out[plane][N - 1].and((1 << rest) - 1);
    }
    let twice = P::difference(over, [over[0].up(T), over[1].up(T)]);
    [out[0][0], out[1][0]] = P::sum([out[0][0], out[1][0]], twice);
    out
}

/// Defines the reduction for any f; the shipped trinomials are compiled in.
macro_rules! remainders {
    ($name:ident: $n:literal, [$($m:literal $t:literal),*]) => {
        pub(super) fn $name(m: usize, f: &[Tail]) -> Reduction<$n> {
            match (m, f) {
                $(($m, [(0, false), ($t, true)]) => Reduction {
                    product: |_, _, out, [v, s]| {
                        *out = trinomial::<u64, $n, $m, $t>([v.as_flattened(), s.as_flattened()], false);
                    },
                    cube: |_, _, out, [v, s]| {
                        *out = trinomial::<u64, $n, $m, $t>([v.as_flattened(), s.as_flattened()], true);
                    },
                },)*
                _ => Reduction {
                    product: |m, f, out, product| {
                        let [mut v, mut s] = *product;
                        fold::<{ 2 * $n }>(m, f, 2 * m - 2, [v.as_flattened_mut(), s.as_flattened_mut()]);
                        *out = [v[0], s[0]];
                    },
                    cube: |m, f, out, long| {
                        let [mut v, mut s] = *long;
                        fold::<{ 3 * $n }>(m, f, 3 * m - 3, [v.as_flattened_mut(), s.as_flattened_mut()]);
                        *out = [v[0], s[0]];
                    },
                },
            }
        }
    };
}

remainders!(of_2: 2, [97 12]);
remainders!(of_4: 4, [193 12]);
remainders!(of_8: 8, []);
