//! The kernels in plain Rust: u64 words, u128 products, carries as booleans. Any processor.
//!
//! Products and reductions are operand scanning, one row of n word products at a time. The reduction is Montgomery's (Mathematics of
//! Computation 44, 1985), word by word: the SOS method of Koç, Acar and Kaliski (IEEE Micro 16(3), 1996).
//!
//! Cost in word products: n² for a product, n(n + 1)/2 for a square, n² + n for a reduction. Any n ≥ 1, any operands. Functions of few
//! words are the same with n known to the compiler, which unrolls them.
#![allow(unsafe_code)]

use crate::mont::values::MOST;
use core::hint::black_box;

/// x + y·m + c on one word: at most (2^64 − 1)² + 2(2^64 − 1) = 2^128 − 1.
#[inline(always)]
fn step(x: &mut u64, y: u64, m: u64, c: u64) -> u64 {
    let (low, high) = y.carrying_mul_add(m, *x, c);
    *x = low;
    high
}

/// t[0..n] += m·y; returns the carry, which belongs at word n.
#[inline(always)]
fn row(t: &mut [u64], y: &[u64], m: u64) -> u64 {
    t.iter_mut().zip(y).fold(0, |carry, (x, y)| step(x, *y, m, carry))
}

/// out = a·b.
#[inline(always)]
fn mul_wide(out: &mut [u64], a: &[u64], b: &[u64]) {
    let n = b.len();
    out.fill(0);
    for (i, &m) in a.iter().enumerate() {
        out[i + n] = row(&mut out[i..i + n], b, m);
    }
}

/// out = a².
#[inline(always)]
fn sqr_wide(out: &mut [u64], a: &[u64]) {
    let n = a.len();
    out.fill(0);
    // out = Σ_{i<j} a_i·a_j·2^(64(i+j))
    for i in 0..n {
        out[i + n] = row(&mut out[2 * i + 1..i + n], &a[i + 1..], a[i]);
    }
    // out = 2·out + Σ a_i²·2^(128i)
    let (mut shifted, mut carry) = (0, false);
    for (i, &m) in a.iter().enumerate() {
        let (low, high) = m.carrying_mul(m, 0);
        for (k, square) in [(2 * i, low), (2 * i + 1, high)] {
            let doubled = out[k] << 1 | shifted;
            shifted = out[k] >> 63;
            (out[k], carry) = doubled.carrying_add(square, carry);
        }
    }
}

/// out + carry·2^(64n) = (t + k·p)/2^(64n) for the k that makes it an integer; returns the carry.
#[inline(always)]
fn redc(out: &mut [u64], t: &mut [u64], p: &[u64], ninv: u64) -> u64 {
    let n = p.len();
    let mut top = false;
    for i in 0..n {
        let m = t[i].wrapping_mul(ninv);
        let carry = row(&mut t[i..i + n], p, m);
        (t[i + n], top) = t[i + n].carrying_add(carry, top);
    }
    out.copy_from_slice(&t[n..]);
    top as u64
}

/// x += y; returns the carry.
#[inline(always)]
fn add_with_carry(x: &mut [u64], y: &[u64]) -> bool {
    let mut carry = false;
    for (x, y) in x.iter_mut().zip(y) {
        (*x, carry) = x.carrying_add(*y, carry);
    }
    carry
}

/// x −= y; returns the borrow.
#[inline(always)]
fn sub_from(x: &mut [u64], y: &[u64]) -> bool {
    let mut borrow = false;
    for (x, y) in x.iter_mut().zip(y) {
        (*x, borrow) = x.borrowing_sub(*y, borrow);
    }
    borrow
}

pub(super) fn scaled_sub_from(x: &mut [u64], y: &[u64], c: u64) -> u64 {
    let mut borrow = 0;
    for (x, y) in x.iter_mut().zip(y) {
        // y·c + borrow < 2^128; its high word grows by at most the borrow of the subtraction
        let (low, high) = y.carrying_mul(c, borrow);
        let under;
        (*x, under) = x.overflowing_sub(low);
        borrow = high + under as u64;
    }
    borrow
}

pub(super) fn cond_sub(x: &mut [u64], top: u64, p: &[u64]) {
    let mut space = [0; MOST];
    let d = &mut space[..x.len()];
    d.copy_from_slice(x);
    let borrow = sub_from(d, p);
    select(x, d, mask(borrow & (top == 0)));
}

pub(super) fn cond_add(x: &mut [u64], gains: u64, p: &[u64]) {
    let mut space = [0; MOST];
    let s = &mut space[..x.len()];
    s.copy_from_slice(x);
    add_with_carry(s, p);
    select(x, s, !black_box(gains));
}

/// All ones where `bit`; opaque to the compiler, which could otherwise branch on the bit.
#[inline(always)]
fn mask(bit: bool) -> u64 {
    black_box((bit as u64).wrapping_neg())
}

/// x where `keep` is all ones, y where it is zero.
#[inline(always)]
fn select(x: &mut [u64], y: &[u64], keep: u64) {
    for (x, y) in x.iter_mut().zip(y) {
        *x = y ^ (keep & (*x ^ y));
    }
}

/// Slices of what a kernel is given.
///
/// # Safety
/// As many words may be read, or read and written, as are named.
macro_rules! slices {
    ($($x:ident: $n:expr),*; mut $($y:ident: $m:expr),*) => {
        // SAFETY: the caller's promise
        $(let $x = unsafe { core::slice::from_raw_parts($x, $n) };)*
        // SAFETY: the caller's promise
        $(let $y = unsafe { core::slice::from_raw_parts_mut($y, $m) };)*
    };
}

/// Where −1/p modulo 2^64 stands in the words of a modulus of n words.
const fn ninv(n: usize) -> usize {
    2 * n + 2
}

/// Kernels of any number of words.
pub(super) mod many {
    use super::ninv;

    /// # Safety
    /// `out` is 2n words, a and b are n.
    pub(in super::super) unsafe fn mul_wide(out: *mut u64, a: *const u64, b: *const u64, n: usize) {
        slices!(a: n, b: n; mut out: 2 * n);
        super::mul_wide(out, a, b);
    }

    /// # Safety
    /// `out` is 2n words, a is n.
    pub(in super::super) unsafe fn sqr_wide(out: *mut u64, a: *const u64, n: usize) {
        slices!(a: n; mut out: 2 * n);
        super::sqr_wide(out, a);
    }

    /// # Safety
    /// `out` is n words, t is 2n, m is what a `Modulus` has.
    pub(in super::super) unsafe fn redc(out: *mut u64, t: *mut u64, m: *const u64, n: usize) -> u64 {
        // SAFETY: the caller's promise
        let inverse = unsafe { *m.add(ninv(n)) };
        slices!(m: n; mut out: n, t: 2 * n);
        super::redc(out, t, m, inverse)
    }
}

/// The same of N words.
pub(super) mod few {
    use super::{add_with_carry, mask, ninv, select, sub_from};

    /// # Safety
    /// `out` is 2N words, a and b are N.
    pub(in super::super) unsafe fn mul_wide<const N: usize>(out: *mut u64, a: *const u64, b: *const u64, _: usize) {
        slices!(a: N, b: N; mut out: 2 * N);
        super::mul_wide(out, a, b);
    }

    /// # Safety
    /// `out` is 2N words, a is N.
    pub(in super::super) unsafe fn sqr_wide<const N: usize>(out: *mut u64, a: *const u64, _: usize) {
        slices!(a: N; mut out: 2 * N);
        super::sqr_wide(out, a);
    }

    /// # Safety
    /// `out` is N words, t is 2N, m is what a `Modulus` has.
    pub(in super::super) unsafe fn redc<const N: usize>(out: *mut u64, t: *mut u64, m: *const u64, _: usize) -> u64 {
        // SAFETY: the caller's promise
        let inverse = unsafe { *m.add(ninv(N)) };
        slices!(m: N; mut out: N, t: 2 * N);
        super::redc(out, t, m, inverse)
    }

    /// # Safety
    /// All are N words.
    pub(in super::super) unsafe fn add_mod<const N: usize>(out: *mut u64, a: *const u64, b: *const u64, p: *const u64) {
        slices!(a: N, b: N, p: N; mut out: N);
        out.copy_from_slice(a);
        let carry = add_with_carry(out, b);
        let mut d = [0; N];
        d.copy_from_slice(out);
        let borrow = sub_from(&mut d, p);
        // a + b < p exactly when it did not carry and subtracting p borrows
        select(out, &d, mask(borrow & !carry));
    }

    /// # Safety
    /// All are N words.
    pub(in super::super) unsafe fn sub_mod<const N: usize>(out: *mut u64, a: *const u64, b: *const u64, p: *const u64) {
        slices!(a: N, b: N, p: N; mut out: N);
        out.copy_from_slice(a);
        let borrow = sub_from(out, b);
        let mut s = [0; N];
        s.copy_from_slice(out);
        add_with_carry(&mut s, p);
        select(out, &s, mask(!borrow));
    }
}
