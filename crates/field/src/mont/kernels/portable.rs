//! The kernels in plain Rust: u64 words, u128 products, carries as booleans. Any processor, no `unsafe`.
//!
//! Products and reductions are operand scanning, one row of n word products at a time. The reduction is Montgomery's (Mathematics of
//! Computation 44, 1985), word by word: the SOS method of Koç, Acar and Kaliski (IEEE Micro 16(3), 1996).
//!
//! Cost in word products: n² for a product, n(n + 1)/2 for a square, n² + n for a reduction. Any n ≥ 1, any operands.
//!
//! For few words the kernels are inlined, so that the compiler unrolls them where it knows n, as it does in `calls`.

use core::hint::black_box;

/// Returns true if operations on `words` words are compiled for this very number: the numbers of curves up to 512
/// bits, without toy curves.
#[inline(always)]
pub(in crate::mont) fn is_unrolled(words: usize) -> bool {
    matches!(words, 3..=8)
}

/// Defines functions that are inlined for few words, and called for other numbers of words.
macro_rules! unrolled {
    ($($(#[$doc:meta])* fn $name:ident($($x:ident: $t:ty),*) $(-> $r:ty)?, of $n:expr => $body:block)*) => {
        $($(#[$doc])*
        #[inline(always)]
        pub(super) fn $name($($x: $t),*) $(-> $r)? {
            #[inline(always)]
            fn few($($x: $t),*) $(-> $r)? $body
            #[inline(never)]
            fn any($($x: $t),*) $(-> $r)? {
                few($($x),*)
            }
            if is_unrolled($n) { few($($x),*) } else { any($($x),*) }
        })*
    };
}

unrolled! {
    /// out = a·b.
    fn mul_wide(out: &mut [u64], a: &[u64], b: &[u64]), of a.len() => {
        let n = b.len();
        out.fill(0);
        for i in 0..a.len() {
            out[i + n] = row(&mut out[i..i + n], b, a[i]);
        }
    }

    /// out = a².
    fn sqr_wide(out: &mut [u64], a: &[u64]), of a.len() => {
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
    fn redc(out: &mut [u64], t: &mut [u64], p: &[u64], ninv: u64) -> u64, of p.len() => {
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

    /// x −= c·y; returns the borrow word.
    fn scaled_sub_from(x: &mut [u64], y: &[u64], c: u64) -> u64, of x.len() => {
        let (y, mut borrow) = (&y[..x.len()], 0);
        for i in 0..x.len() {
            // y·c + borrow < 2^128; its high word grows by at most the borrow of the subtraction
            let (low, high) = y[i].carrying_mul(c, borrow);
            let under;
            (x[i], under) = x[i].overflowing_sub(low);
            borrow = high + under as u64;
        }
        borrow
    }

    /// Subtracts p from x + top·2^(64n), a value in [0, 2p), if the value is at least p.
    fn cond_sub(x: &mut [u64], top: u64, p: &[u64]), of x.len() => {
        let (p, mut below, mut borrow) = (&p[..x.len()], false, false);
        for i in 0..x.len() {
            (_, below) = x[i].borrowing_sub(p[i], below);
        }
        let loses = mask(!below | (top != 0));
        for i in 0..x.len() {
            (x[i], borrow) = x[i].borrowing_sub(p[i] & loses, borrow);
        }
    }

    /// Adds p to x modulo 2^(64n) where `gains` is all ones, and nothing where `gains` is 0.
    fn cond_add(x: &mut [u64], gains: u64, p: &[u64]), of x.len() => {
        let (p, gains, mut carry) = (&p[..x.len()], black_box(gains), false);
        for i in 0..x.len() {
            (x[i], carry) = x[i].carrying_add(p[i] & gains, carry);
        }
    }
}

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
    let (t, mut carry) = (&mut t[..y.len()], 0);
    for i in 0..y.len() {
        carry = step(&mut t[i], y[i], m, carry);
    }
    carry
}

/// Returns all ones if `bit` is set, else 0; opaque to the compiler, which could otherwise branch on the bit.
#[inline(always)]
fn mask(bit: bool) -> u64 {
    black_box((bit as u64).wrapping_neg())
}
