//! Modular inversion in constant time by division steps.
//!
//! Bernstein and Yang, "Fast constant-time gcd computation and modular inversion", TCHES 2019(3), section 11, in the form
//! of batches of 62 steps on the low words and one matrix application to the full numbers. The half-delta variant (δ starts
//! at 1/2, here ζ = −(δ + 1/2) = −1) needs at most ⌊(45907·b + 26313)/19929⌋ steps for b-bit inputs
//! (Wuille): 591 for b = 256. One more is done here.
//!
//! Cost: about 2.3·b/62 batches, each 62 steps of 10 instructions and 4 passes of N word products.

use crate::words::{inverse, pack, split};
use std::hint::black_box;

/// The number of bits of a signed limb.
const LIMB: u32 = 62;
/// The number of division steps in a batch.
const BATCH: u32 = 62;
const MASK: i64 = (1 << LIMB) - 1;
/// The number of limbs for the largest modulus, 65 words, with sign and headroom.
const MAX: usize = 69;

/// Signed little-endian limbs of 62 bits; the top limb carries the sign.
type Signed = [i64; MAX];

/// The precomputed constants for inversion modulo p.
#[derive(Clone)]
pub(crate) struct Inverter {
    p: Signed,
    /// 1/p mod 2^62.
    p_inv: u64,
    limbs: usize,
    batches: u32,
}

/// The product of 62 division steps, scaled by 2^62.
struct Matrix {
    u: i64,
    v: i64,
    q: i64,
    r: i64,
}

impl Inverter {
    /// Creates the constants for an odd p of at most 65 words.
    pub(crate) fn new(p: &[u64]) -> Self {
        let bits = p.iter().rposition(|w| *w != 0).map_or(0, |i| 64 * (i as u32 + 1) - p[i].leading_zeros());
        let steps = (45907 * bits + 26313) / 19929 + 1;
        Inverter {
            p: signed(p),
            p_inv: inverse(p[0]) & MASK as u64,
            limbs: (bits as usize + 3).div_ceil(LIMB as usize),
            batches: steps.div_ceil(BATCH),
        }
    }

    /// x ← 1/x mod p for x in [0, p), and 0 for 0.
    pub(crate) fn invert(&self, x: &mut [u64]) {
        let (n, p) = (self.limbs, &self.p);
        // invariants: f ≡ d·x, g ≡ e·x (mod p); f odd; |f|, |g| ≤ p; −2p < d, e < p
        let (mut f, mut g) = (*p, signed(x));
        let (mut d, mut e): (Signed, Signed) = ([0; MAX], [0; MAX]);
        e[0] = 1;
        let mut zeta = -1;
        for _ in 0..self.batches {
            let m = divsteps(&mut zeta, f[0] as u64, g[0] as u64);
            update_de(&mut d[..n], &mut e[..n], &m, &p[..n], self.p_inv);
            update_fg(&mut f[..n], &mut g[..n], &m);
        }
        // g = 0 and f = ±gcd = ±1 (or ±p for x = 0, where d = 0): the inverse is sign(f)·d
        let negate = f[n - 1] >> 63;
        normalise(&mut d[..n], negate, &p[..n]);
        pack(x, d.iter().map(|limb| *limb as u64), LIMB.into());
    }
}

/// 62 division steps on the low words. Returns the matrix t with t·(f, g) = 2^62·(f', g').
fn divsteps(zeta: &mut i64, f0: u64, g0: u64) -> Matrix {
    let (mut u, mut v, mut q, mut r) = (1u64, 0u64, 0u64, 1u64);
    let (mut f, mut g) = (f0, g0);
    for _ in 0..BATCH {
        // c1: δ > 0; c2: g odd
        let mut c1 = (*zeta >> 63) as u64;
        let c2 = (g & 1).wrapping_neg();
        // (x, y, z) = ±(f, u, v): subtracted where δ > 0, else added
        let (x, y, z) = ((f ^ c1).wrapping_sub(c1), (u ^ c1).wrapping_sub(c1), (v ^ c1).wrapping_sub(c1));
        g = g.wrapping_add(x & c2);
        q = q.wrapping_add(y & c2);
        r = r.wrapping_add(z & c2);
        // swap where δ > 0 and g was odd
        c1 &= c2;
        *zeta = (*zeta ^ c1 as i64).wrapping_sub(1);
        f = f.wrapping_add(g & c1);
        u = u.wrapping_add(q & c1);
        v = v.wrapping_add(r & c1);
        g >>= 1;
        u <<= 1;
        v <<= 1;
    }
    Matrix { u: u as i64, v: v as i64, q: q as i64, r: r as i64 }
}

/// (f, g) ← t·(f, g)/2^62, exact.
fn update_fg(f: &mut [i64], g: &mut [i64], m: &Matrix) {
    let mut cf = m.u as i128 * f[0] as i128 + m.v as i128 * g[0] as i128;
    let mut cg = m.q as i128 * f[0] as i128 + m.r as i128 * g[0] as i128;
    cf >>= LIMB;
    cg >>= LIMB;
    let n = f.len();
    for i in 1..n {
        cf += m.u as i128 * f[i] as i128 + m.v as i128 * g[i] as i128;
        cg += m.q as i128 * f[i] as i128 + m.r as i128 * g[i] as i128;
        f[i - 1] = cf as i64 & MASK;
        g[i - 1] = cg as i64 & MASK;
        cf >>= LIMB;
        cg >>= LIMB;
    }
    f[n - 1] = cf as i64;
    g[n - 1] = cg as i64;
}

/// (d, e) ← t·(d, e)/2^62 mod p, back in (−2p, p).
fn update_de(d: &mut [i64], e: &mut [i64], m: &Matrix, p: &[i64], p_inv: u64) {
    let n = d.len();
    let (sd, se) = (d[n - 1] >> 63, e[n - 1] >> 63);
    // a multiple of p for negative inputs keeps the range; a further one clears the low 62 bits
    let mut md = (m.u & sd) + (m.v & se);
    let mut me = (m.q & sd) + (m.r & se);
    let mut cd = m.u as i128 * d[0] as i128 + m.v as i128 * e[0] as i128;
    let mut ce = m.q as i128 * d[0] as i128 + m.r as i128 * e[0] as i128;
    md -= (p_inv.wrapping_mul(cd as u64).wrapping_add(md as u64) & MASK as u64) as i64;
    me -= (p_inv.wrapping_mul(ce as u64).wrapping_add(me as u64) & MASK as u64) as i64;
    cd += p[0] as i128 * md as i128;
    ce += p[0] as i128 * me as i128;
    cd >>= LIMB;
    ce >>= LIMB;
    for i in 1..n {
        cd += m.u as i128 * d[i] as i128 + m.v as i128 * e[i] as i128 + p[i] as i128 * md as i128;
        ce += m.q as i128 * d[i] as i128 + m.r as i128 * e[i] as i128 + p[i] as i128 * me as i128;
        d[i - 1] = cd as i64 & MASK;
        e[i - 1] = ce as i64 & MASK;
        cd >>= LIMB;
        ce >>= LIMB;
    }
    d[n - 1] = cd as i64;
    e[n - 1] = ce as i64;
}

/// Makes d in (−2p, p), negated where `negate` = −1, canonical in [0, p).
///
/// The compiler must not know that the masks are 0 or −1: it would write a loop for each and choose by a branch.
fn normalise(d: &mut [i64], negate: i64, p: &[i64]) {
    let sign = |d: &[i64]| black_box(d[d.len() - 1] >> 63);
    let negate = black_box(negate);
    let add_masked = |d: &mut [i64], mask: i64, negate: i64| {
        let mut carry = 0i64;
        let last = d.len() - 1;
        for i in 0..=last {
            carry += ((d[i] + (p[i] & mask)) ^ negate) - negate;
            d[i] = if i < last { carry & MASK } else { carry };
            carry >>= LIMB;
        }
    };
    // (−2p, p) → (−p, p), with the sign applied → [0, p)
    add_masked(d, sign(d), negate);
    add_masked(d, sign(d), 0);
}

/// Converts words to limbs.
fn signed(x: &[u64]) -> Signed {
    let mut out = [0; MAX];
    out.iter_mut().zip(split(x, LIMB.into())).for_each(|(out, limb)| *out = limb as i64);
    out
}
