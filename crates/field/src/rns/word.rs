//! Arithmetic modulo one m = 2^32 − c with c < 2^13, where 2^32 ≡ c.
//!
//! A residue is any number below 2^32 of its class, so that nothing is compared: reduction is three multiplications by c.

/// 2^32 − c.
pub(super) fn modulus(c: u32) -> u32 {
    c.wrapping_neg()
}

/// high·c + low for x = high·2^32 + low.
#[inline(always)]
fn fold(x: u64, c: u64) -> u64 {
    (x >> 32) * c + (x & 0xffff_ffff)
}

/// A residue of x. The folds leave less than 2^32·(c + 1), 2^32 + c² and 2^32. Constant time.
#[inline(always)]
pub(super) fn residue(x: u64, c: u32) -> u32 {
    let c = u64::from(c);
    fold(fold(fold(x, c), c), c) as u32
}

/// The residue below m. Constant time.
#[inline(always)]
pub(super) fn canonical(x: u32, c: u32) -> u32 {
    // x + c reaches 2^32 where x reaches m
    let reaches = (u64::from(x) + u64::from(c)) >> 32;
    x.wrapping_add(c.wrapping_mul(reaches as u32))
}

/// a·b mod m, below m. Not constant time: for constants.
pub fn product(a: u32, b: u32, m: u32) -> u32 {
    (u64::from(a) * u64::from(b) % u64::from(m)) as u32
}

/// a^e mod m. Not constant time.
fn power(a: u32, e: u32, m: u32) -> u32 {
    (0..32).rev().fold(1, |x, i| {
        let square = product(x, x, m);
        if e >> i & 1 == 1 { product(square, a, m) } else { square }
    })
}

/// 1/a modulo a prime m, by Fermat. Not constant time.
pub fn inverse(a: u32, m: u32) -> u32 {
    power(a, m - 2, m)
}

/// −a mod m. Not constant time.
pub fn negative(a: u32, m: u32) -> u32 {
    (m - a % m) % m
}

/// Whether an odd m > 61 is prime: the strong test to the bases 2, 7 and 61 errs for none below 4759123141 (Jaeschke, Mathematics of
/// Computation 61, 1993).
pub(super) fn is_prime(m: u32) -> bool {
    let twos = (m - 1).trailing_zeros();
    [2, 7, 61].into_iter().all(|base| {
        let mut x = power(base, (m - 1) >> twos, m);
        x == 1
            || (0..twos).any(|_| {
                let found = x == m - 1;
                x = product(x, x, m);
                found
            })
    })
}
