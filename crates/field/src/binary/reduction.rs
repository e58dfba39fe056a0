//! Reduction modulo a sparse polynomial x^m + Σ x^e, on words, from the top down.
//!
//! A word at x^(64i) stands for its products by x^(e − m): it arrives m − e bits further down, which is a step of some words
//! and some bits for each e. So word k of the remainder is that of w and, for each step, two shifted words further up; those
//! above x^m have to be made first. As a word must not arrive at itself this needs m − e ≥ 64; other polynomials are folded
//! (`mod.rs`).

/// m − e as words and bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) words: usize,
    pub(super) bits: usize,
}

/// A polynomial of 2N words modulo one of this degree by its steps.
pub(super) type Reduce<const N: usize> = fn(&mut [u64; N], &[[u64; N]; 2], usize, &[Step]);

/// The steps of a polynomial by its exponents below m, unless one is too short.
pub(super) fn steps(m: usize, exponents: &[usize]) -> Option<Vec<Step>> {
    let long = exponents.iter().all(|e| m - e >= 64);
    long.then(|| exponents.iter().map(|e| Step { words: (m - e) / 64, bits: (m - e) % 64 }).collect())
}

/// w modulo the polynomial of these steps.
pub(super) fn reduce<const N: usize>(out: &mut [u64; N], w: &[[u64; N]; 2], m: usize, steps: &[Step]) {
    reduce_here(out, w, m, steps);
}

/// The same with the instructions of the caller.
#[inline(always)]
pub(super) fn reduce_here<const N: usize>(out: &mut [u64; N], w: &[[u64; N]; 2], m: usize, steps: &[Step]) {
    match steps {
        // trinomials and pentanomials: their loops are unrolled
        [a, b] => by(out, w, m, &[*a, *b]),
        [a, b, c, d] => by(out, w, m, &[*a, *b, *c, *d]),
        _ => by(out, w, m, steps),
    }
}

#[inline(always)]
fn by<const N: usize>(out: &mut [u64; N], w: &[[u64; N]; 2], m: usize, steps: &[Step]) {
    let (top, bits) = (m / 64, m % 64);
    // 3N words: those of w from x^m on, then zeros
    let mut high = [[0; N]; 3];
    high[0][top + 1..].copy_from_slice(&w[0][top + 1..]);
    high[1] = w[1];
    let high = high.as_flattened_mut();
    let arriving = |mut word: u64, high: &[u64], k: usize| {
        for step in steps {
            let from = &high[k + step.words..][..2];
            word ^= from[0] >> step.bits ^ (from[1] << 1) << (63 - step.bits);
        }
        word
    };
    let least = steps.iter().map(|step| step.words).min().unwrap_or(N);
    for k in (top + 1..2 * N - least).rev() {
        high[k] = arriving(high[k], high, k);
    }
    let word = arriving(w[0][top], high, top);
    let rest = word & ((1 << bits) - 1);
    high[top] = word ^ rest;
    for k in 0..top {
        out[k] = arriving(w[0][k], high, k);
    }
    out[top] = rest;
    out[top + 1..].fill(0);
}
