//! Products of polynomials over F_3 in words of each plane.
//!
//! A polynomial of N words is cut into 2N blocks of w ≤ 32 coefficients. Karatsuba's method, applied down to single
//! blocks, reduces a product to 3^log2(2N) products of blocks. Each of these has fewer than 64 coefficients, so it fits
//! one word of each plane. It is computed coefficient by coefficient, so that its time depends on w alone and no table
//! is read. Since a product of blocks has fewer than 2w coefficients, the products of even weight form one polynomial
//! and those of odd weight another; their sum is the product.
//!
//! All functions are generic over a [`Plane`]: a word, or eight words in a register for eight products side by side
//! (`lanes.rs`).

use super::trits::Plane;

/// The two planes of an element.
pub(super) type Element<const N: usize> = [[u64; N]; 2];
/// The two planes of a product, with the lower and the upper half of each.
pub(super) type Twice<const N: usize> = [[[u64; N]; 2]; 2];

/// A function that computes a·b modulo f for each pair.
pub(super) type Closed<const N: usize> = fn(&mut [&mut Element<N>], &[&Element<N>], &[&Element<N>]);

/// The functions that compute products.
pub(super) struct Products<const N: usize> {
    /// Computes a·b, for blocks of w coefficients.
    pub(super) one: fn(usize, &mut Twice<N>, &Element<N>, &Element<N>),
    /// Computes a·b for each pair, for blocks of w coefficients.
    pub(super) many: fn(usize, &mut [&mut Twice<N>], &[&Element<N>], &[&Element<N>]),
    /// Computes a·b modulo f for each pair, if this polynomial is compiled in.
    pub(super) closed: Option<Closed<N>>,
    /// Spreads the bits of a word over three words, with two 0 after each bit.
    pub(super) cube: super::reduction::Cube<N>,
}

/// Two planes of K places each.
type Planes<P, const K: usize> = [[P; K]; 2];

#[inline(always)]
fn get<P: Plane, const K: usize>(a: &Planes<P, K>, i: usize) -> [P; 2] {
    [a[0][i], a[1][i]]
}

#[inline(always)]
fn set<P: Plane, const K: usize>(a: &mut Planes<P, K>, i: usize, [x0, x1]: [P; 2]) {
    (a[0][i], a[1][i]) = (x0, x1);
}

/// Cuts words into blocks of w coefficients.
#[expect(clippy::needless_range_loop, reason = "the place says where to cut")]
#[inline(always)]
fn cut<P: Plane, const N: usize, const B: usize>(w: usize, a: &Planes<P, N>) -> Planes<P, B> {
    let mut out = [[P::ZERO; B]; 2];
    for i in 0..B {
        let (word, bit) = (i * w / 64, (i * w % 64) as u32);
        for plane in 0..2 {
            let low = a[plane][word].down(bit);
            let high = if bit as usize + w > 64 && word + 1 < N { a[plane][word + 1].up(64 - bit) } else { P::ZERO };
            out[plane][i] = low.or(high).and((1 << w) - 1);
        }
    }
    out
}

/// Maps 2h rows of c blocks to h rows of 3c: row i, row i + h, and their sum.
#[inline(always)]
fn split<P: Plane, const FROM: usize, const TO: usize>(from: &Planes<P, FROM>, h: usize) -> Planes<P, TO> {
    let (mut to, c) = ([[P::ZERO; TO]; 2], FROM / (2 * h));
    for row in 0..h {
        for i in 0..c {
            let (low, high) = (get(from, row * c + i), get(from, (row + h) * c + i));
            set(&mut to, 3 * row * c + i, low);
            set(&mut to, (3 * row + 1) * c + i, high);
            set(&mut to, (3 * row + 2) * c + i, P::sum(low, high));
        }
    }
    to
}

/// Maps 2h − 1 rows of 3c, products of polynomials of h blocks, to 4h − 1 rows of c: low + (middle − low − high)·X^h +
/// high·X^2h.
#[inline(always)]
fn join<P: Plane, const FROM: usize, const TO: usize>(from: &Planes<P, FROM>, h: usize) -> Planes<P, TO> {
    let (mut to, c) = ([[P::ZERO; TO]; 2], TO / (4 * h - 1));
    macro_rules! part {
        ($row:expr, $i:expr, $k:expr) => {
            get(from, (3 * $row + $k) * c + $i)
        };
    }
    for row in 0..2 * h - 1 {
        for i in 0..c {
            set(&mut to, row * c + i, part!(row, i, 0));
            set(&mut to, (row + 2 * h) * c + i, part!(row, i, 1));
        }
    }
    for row in 0..2 * h - 1 {
        for i in 0..c {
            let middle = P::difference(part!(row, i, 2), P::sum(part!(row, i, 0), part!(row, i, 1)));
            let place = (row + h) * c + i;
            // row h − 1 of the result is new: low ends below this row, and high begins above
            let sum = if row == h - 1 { middle } else { P::sum(get(&to, place), middle) };
            set(&mut to, place, sum);
        }
    }
    to
}

/// Computes the products of K blocks of w coefficients side by side, so that the dependency chain of one product does
/// not stall the others. Two coefficients at a time.
#[inline(always)]
pub(super) fn blocks<P: Plane, const K: usize>(w: usize, a: [[P; 2]; K], b: [[P; 2]; K]) -> [[P; 2]; K] {
    let (mut sums, mut bits, mut twice) = ([[P::ZERO; 2]; K], a, b);
    for i in 0..K {
        // moves the next coefficient of a to the highest bit
        bits[i] = [a[i][0].up(64 - w as u32), a[i][1].up(64 - w as u32)];
        twice[i] = [b[i][0].up(1), b[i][1].up(1)];
    }
    macro_rules! coefficient {
        ($b:expr) => {
            for i in 0..K {
                let masks = [bits[i][0].top(), bits[i][1].top()];
                bits[i] = [bits[i][0].up(1), bits[i][1].up(1)];
                sums[i] = P::multiply_add(sums[i], masks, $b[i]);
            }
        };
    }
    if w % 2 == 1 {
        coefficient!(b);
    }
    for _ in 0..w / 2 {
        for sum in &mut sums {
            *sum = [sum[0].up(2), sum[1].up(2)];
        }
        coefficient!(twice);
        coefficient!(b);
    }
    for sum in &mut sums {
        *sum = P::canonical(*sum);
    }
    sums
}

/// Computes products of blocks, S at a time.
#[expect(clippy::needless_range_loop, reason = "closures would not be compiled for the processor")]
#[inline(always)]
pub(super) fn by<const S: usize, P: Plane, const K: usize>(
    w: usize,
    a: &Planes<P, K>,
    b: &Planes<P, K>,
) -> Planes<P, K> {
    const { assert!(K.is_multiple_of(S)) };
    let mut out = [[P::ZERO; K]; 2];
    for i in (0..K).step_by(S) {
        let (mut left, mut right) = ([[P::ZERO; 2]; S], [[P::ZERO; 2]; S]);
        for j in 0..S {
            (left[j], right[j]) = (get(a, i + j), get(b, i + j));
        }
        let products = blocks::<P, S>(w, left, right);
        for j in 0..S {
            set(&mut out, i + j, products[j]);
        }
    }
    out
}

/// Computes the sum of the products of blocks of w coefficients, each shifted to its weight.
#[inline(always)]
fn flattened<P: Plane, const L: usize, const N: usize>(w: usize, products: &Planes<P, L>) -> [Planes<P, N>; 2] {
    // the products of even and of odd weight, in 2N words each
    let mut parts = [[[[P::ZERO; N]; 2]; 2]; 2];
    for i in 0..L {
        let (word, bit) = (i * w / 64, (i * w % 64) as u32);
        for plane in 0..2 {
            let own = products[plane][i];
            let to = parts[i % 2][plane].as_flattened_mut();
            to[word] = to[word].or(own.up(bit));
            if bit as usize + 2 * w > 65 && word + 1 < 2 * N {
                to[word + 1] = to[word + 1].or(own.down(64 - bit));
            }
        }
    }
    let mut out = [[[P::ZERO; N]; 2]; 2];
    let [even, odd] = &parts;
    for half in 0..2 {
        for i in 0..N {
            let [v, s] = P::sum([even[0][half][i], even[1][half][i]], [odd[0][half][i], odd[1][half][i]]);
            (out[0][half][i], out[1][half][i]) = (v, s);
        }
    }
    out
}

/// Defines a product of elements of N words by products of blocks.
macro_rules! product {
    ($name:ident: $n:literal, $b:literal, [$($h:literal: $from:literal => $to:literal),*], $points:literal, [$($k:literal: $whole:literal => $less:literal),*], $rows:literal) => {
        #[inline(always)]
        pub(super) fn $name<P: Plane>(
            w: usize,
            a: &Planes<P, $n>,
            b: &Planes<P, $n>,
            blocks: impl Fn(&Planes<P, $points>, &Planes<P, $points>) -> Planes<P, $points>,
        ) -> [Planes<P, $n>; 2] {
            let (a, b) = (cut::<P, $n, $b>(w, a), cut::<P, $n, $b>(w, b));
            $(let (a, b) = (split::<P, $from, $to>(&a, $h), split::<P, $from, $to>(&b, $h));)*
            let rows = blocks(&a, &b);
            $(let rows = join::<P, $whole, $less>(&rows, $k);)*
            flattened::<P, $rows, $n>(w, &rows)
        }
    };
}

product!(two: 2, 4, [2: 4 => 6, 1: 6 => 9], 9, [1: 9 => 9, 2: 9 => 7], 7);
product!(four: 4, 8, [4: 8 => 12, 2: 12 => 18, 1: 18 => 27], 27, [1: 27 => 27, 2: 27 => 21, 4: 21 => 15], 15);
product!(eight: 8, 16, [8: 16 => 24, 4: 24 => 36, 2: 36 => 54, 1: 54 => 81], 81, [1: 81 => 81, 2: 81 => 63, 4: 63 => 45, 8: 45 => 31], 31);
