//! Reduction modulo any polynomial f of degree m, by folds: the part h above x^m is replaced by h·(f − x^m),
//! repeatedly, until the degree is below m. A fold takes one shift for each term of f.

/// Computes the remainder of a polynomial, given by a function of the half (0 lower, 1 upper) and the number k of the
/// word in it, modulo x^m + Σ x^e.
pub(super) fn remainder<const N: usize>(
    out: &mut [u64; N],
    w: impl Fn(usize, usize) -> u64,
    m: usize,
    exponents: &[usize],
) {
    let mut w = [0, 1].map(|half| std::array::from_fn(|k| w(half, k)));
    // a fold reduces the degree, at first 2m − 2, by m − e for the largest e; the last fold leaves it below m
    let step = m - exponents.iter().max().copied().unwrap_or(0);
    for _ in 0..(m - 1).div_ceil(step) {
        // w = l + h·x^m
        let h: [u64; N] = std::array::from_fn(|i| word_from(&w, 64 * i + m));
        w[1] = [0; N];
        for (i, word) in w[0].iter_mut().enumerate() {
            *word &= below(m.saturating_sub(64 * i));
        }
        for exponent in exponents {
            add_shifted(&mut w, &h, *exponent); // l + h·(f − x^m), as far as it has been added
        }
    }
    *out = w[0];
}

/// Returns a word with ones in the lowest n bits; all ones for n ≥ 64.
pub(super) fn below(n: usize) -> u64 {
    if n >= 64 { u64::MAX } else { (1 << n) - 1 }
}

/// Returns the word of w that begins at a bit; bits beyond the end of w are 0.
fn word_from<const N: usize>(w: &[[u64; N]; 2], bit: usize) -> u64 {
    let word = |i: usize| if i < 2 * N { w[i / N][i % N] } else { 0 };
    let (i, shift) = (bit / 64, bit % 64);
    word(i) >> shift | (word(i + 1) << 1) << (63 - shift)
}

/// Computes w + h·x^shift in place; the sum must fit.
fn add_shifted<const N: usize>(w: &mut [[u64; N]; 2], h: &[u64; N], shift: usize) {
    let (offset, shift) = (shift / 64, shift % 64);
    let mut carried = 0;
    for i in 0..=N {
        let x = h.get(i).copied().unwrap_or(0);
        let to = i + offset;
        if to < 2 * N {
            w[to / N][to % N] ^= x << shift | carried;
        }
        carried = (x >> 1) >> (63 - shift);
    }
}
