//! The kernels in plain Rust: u64 words, u128 products, carries as booleans. Any processor, no `unsafe`.
//!
//! Products and reductions are operand scanning, one row of N word products at a time; a row starts in the low half of the
//! 2N words and ends in the high half, so each row is two loops. The reduction is Montgomery's (Mathematics of Computation
//! 44, 1985), word by word: the SOS method of Koç, Acar and Kaliski (IEEE Micro 16(3), 1996).
//!
//! Cost in word products: N² for a product, N(N+1)/2 for a square, N² + N for a reduction. Any N ≥ 1, any operands.

use super::Wide;
use core::hint::black_box;

/// x + y·m + c on one word: at most (2^64 − 1)² + 2(2^64 − 1) = 2^128 − 1.
#[inline(always)]
fn step(x: &mut u64, y: u64, m: u64, c: u64) -> u64 {
    let (low, high) = y.carrying_mul_add(m, *x, c);
    *x = low;
    high
}

/// t += m·y·2^(64·i) on the N words from word i on; returns the carry, which belongs at word N + i.
#[inline(always)]
fn row<const N: usize>(t: &mut Wide<N>, i: usize, y: &[u64; N], m: u64) -> u64 {
    let (low, high) = y.split_at(N - i);
    let mut carry = 0;
    for (x, &y) in t.lo[i..].iter_mut().zip(low) {
        carry = step(x, y, m, carry);
    }
    for (x, &y) in t.hi.iter_mut().zip(high) {
        carry = step(x, y, m, carry);
    }
    carry
}

pub(super) fn mul_wide<const N: usize>(out: &mut Wide<N>, a: &[u64; N], b: &[u64; N]) {
    out.lo = [0; N];
    for (i, &m) in a.iter().enumerate() {
        out.hi[i] = row(out, i, b, m);
    }
}

pub(super) fn sqr_wide<const N: usize>(out: &mut Wide<N>, a: &[u64; N]) {
    *out = Wide { lo: [0; N], hi: [0; N] };
    // out = Σ_{i<j} a_i·a_j·2^(64(i+j))
    for i in 0..N {
        let mut carry = 0;
        for j in i + 1..N {
            let k = i + j;
            carry = step(if k < N { &mut out.lo[k] } else { &mut out.hi[k - N] }, a[j], a[i], carry);
        }
        out.hi[i] = carry;
    }
    // out = 2·out + Σ a_i²·2^(128i)
    let (mut shifted, mut carry) = (0, false);
    for (i, &m) in a.iter().enumerate() {
        let (low, high) = m.carrying_mul(m, 0);
        for (k, square) in [(2 * i, low), (2 * i + 1, high)] {
            let x = if k < N { &mut out.lo[k] } else { &mut out.hi[k - N] };
            let doubled = *x << 1 | shifted;
            shifted = *x >> 63;
            (*x, carry) = doubled.carrying_add(square, carry);
        }
    }
}

pub(super) fn redc<const N: usize>(out: &mut [u64; N], t: &mut Wide<N>, p: &[u64; N], ninv: u64) -> u64 {
    let mut top = false;
    for i in 0..N {
        let m = t.lo[i].wrapping_mul(ninv);
        let carry = row(t, i, p, m);
        (t.hi[i], top) = t.hi[i].carrying_add(carry, top);
    }
    *out = t.hi;
    top as u64
}

pub(super) fn add_to<const N: usize>(x: &mut [u64; N], y: &[u64; N]) {
    add_with_carry(x, y);
}

fn add_with_carry<const N: usize>(x: &mut [u64; N], y: &[u64; N]) -> bool {
    let mut carry = false;
    for i in 0..N {
        (x[i], carry) = x[i].carrying_add(y[i], carry);
    }
    carry
}

fn sub_from<const N: usize>(x: &mut [u64; N], y: &[u64; N], mut borrow: bool) -> bool {
    for i in 0..N {
        (x[i], borrow) = x[i].borrowing_sub(y[i], borrow);
    }
    borrow
}

pub(super) fn scaled_sub_from<const N: usize>(x: &mut [u64; N], y: &[u64; N], c: u64) -> u64 {
    let mut borrow = 0;
    for i in 0..N {
        // y·c + borrow < 2^128; its high word grows by at most the borrow of the subtraction
        let (low, high) = y[i].carrying_mul(c, borrow);
        let under;
        (x[i], under) = x[i].overflowing_sub(low);
        borrow = high + under as u64;
    }
    borrow
}

pub(super) fn cond_sub<const N: usize>(x: &mut [u64; N], top: u64, p: &[u64; N]) {
    let mut d = *x;
    let borrow = sub_from(&mut d, p, false);
    let keep = mask(borrow & (top == 0));
    select(x, &d, keep);
}

pub(super) fn add_mod<const N: usize>(out: &mut [u64; N], a: &[u64; N], b: &[u64; N], p: &[u64; N]) {
    let mut s = *a;
    let carry = add_with_carry(&mut s, b);
    *out = s;
    let borrow = sub_from(&mut s, p, false);
    // a + b < p exactly when it did not carry and subtracting p borrows
    select(out, &s, mask(borrow & !carry));
}

pub(super) fn sub_mod<const N: usize>(out: &mut [u64; N], a: &[u64; N], b: &[u64; N], p: &[u64; N]) {
    let mut d = *a;
    let borrow = sub_from(&mut d, b, false);
    *out = d;
    add_to(&mut d, p);
    select(out, &d, mask(!borrow));
}

pub(super) fn sub_mod_wide<const N: usize>(out: &mut Wide<N>, a: &Wide<N>, b: &Wide<N>, p: &[u64; N]) {
    *out = *a;
    let borrow = sub_from(&mut out.lo, &b.lo, false);
    let borrow = sub_from(&mut out.hi, &b.hi, borrow);
    let mut sum = out.hi;
    add_to(&mut sum, p);
    select(&mut out.hi, &sum, mask(!borrow));
}

/// All ones where `bit`; opaque to the compiler, which could otherwise branch on the bit.
#[inline(always)]
fn mask(bit: bool) -> u64 {
    black_box((bit as u64).wrapping_neg())
}

/// x where `keep` is all ones, y where it is zero.
#[inline(always)]
fn select<const N: usize>(x: &mut [u64; N], y: &[u64; N], keep: u64) {
    for i in 0..N {
        x[i] = y[i] ^ (keep & (x[i] ^ y[i]));
    }
}
