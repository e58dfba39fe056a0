//! Powers with a public exponent.

use crate::at;
use crate::contract::Field;
use num_bigint::BigUint;

/// The width of the sliding window.
const WINDOW: u64 = 5;

/// Returns a^e by a sliding window of width 5 (Menezes, van Oorschot, Vanstone, Handbook of Applied
/// Cryptography, algorithm 14.85): bits(e) squarings and about bits(e)/6 + 15 products. The exponent is public; the
/// running time depends on the exponent alone.
pub fn pow<F: Field>(f: &F, a: &F::Elem, e: &BigUint) -> F::Elem {
    // odd[k] = a^(2k + 1), on the stack, which is zeroized where a is secret
    let mut odd: [F::Elem; 1 << (WINDOW - 1)] = std::array::from_fn(|_| a.clone());
    at! {f; square = sqr(a);}
    for k in 1..odd.len() {
        let (known, next) = odd.split_at_mut(k);
        f.mul(&mut next[0], &known[k - 1], &square);
    }
    let (mut acc, mut scratch) = (f.one(), f.zero());
    let mut i = e.bits();
    while i > 0 {
        if !e.bit(i - 1) {
            f.sqr(&mut scratch, &acc);
            std::mem::swap(&mut acc, &mut scratch);
            i -= 1;
            continue;
        }
        // the longest window of at most WINDOW bits, i−1 down to low, that ends in a 1
        let mut low = i.saturating_sub(WINDOW);
        while !e.bit(low) {
            low += 1;
        }
        let digit = (low..i).rev().fold(0usize, |d, b| 2 * d + e.bit(b) as usize);
        for _ in low..i {
            f.sqr(&mut scratch, &acc);
            std::mem::swap(&mut acc, &mut scratch);
        }
        f.mul(&mut scratch, &acc, &odd[digit / 2]);
        std::mem::swap(&mut acc, &mut scratch);
        i = low;
    }
    acc
}
