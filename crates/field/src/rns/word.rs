//! Arithmetic modulo one m = 2^32 − c with c < 2^13, where 2^32 ≡ c.
//!
//! A residue is any number below 2^32 in its class, so that no comparison is needed: reduction is three multiplications
//! by c.

/// Returns 2^32 − c.
pub(super) fn modulus(c: u32) -> u32 {
    c.wrapping_neg()
}

/// Returns high·c + low for x = high·2^32 + low.
#[inline(always)]
fn fold(x: u64, c: u64) -> u64 {
    (x >> 32) * c + (x & 0xffff_ffff)
}

/// Returns a residue of x. The three folds leave values below 2^32·(c + 1), 2^32 + c² and 2^32. Constant time.
#[inline(always)]
pub(super) fn residue(x: u64, c: u32) -> u32 {
    let c = u64::from(c);
    fold(fold(fold(x, c), c), c) as u32
}

/// Returns the residue below m. Constant time.
#[inline(always)]
pub(super) fn canonical(x: u32, c: u32) -> u32 {
    // x + c reaches 2^32 exactly when x reaches m
    let reaches = (u64::from(x) + u64::from(c)) >> 32;
    x.wrapping_add(c.wrapping_mul(reaches as u32))
}

/// Returns a·b mod m, below m. Not constant time: for constants.
pub fn product(a: u32, b: u32, m: u32) -> u32 {
    (u64::from(a) * u64::from(b) % u64::from(m)) as u32
}

/// Returns a^e mod m. Not constant time.
fn power(a: u32, e: u32, m: u32) -> u32 {
    (0..32).rev().fold(1, |x, i| {
        let square = product(x, x, m);
        if e >> i & 1 == 1 { product(square, a, m) } else { square }
    })
}

/// Returns 1/a modulo a prime m, by Fermat's theorem. Not constant time.
pub fn inverse(a: u32, m: u32) -> u32 {
    power(a, m - 2, m)
}

/// Returns −a mod m. Not constant time.
pub fn negative(a: u32, m: u32) -> u32 {
    (m - a % m) % m
}

/// Returns true if an odd m > 61 is prime. The strong test to the bases 2, 7 and 61 is correct below 4759123141
/// (Jaeschke, Mathematics of Computation 61, 1993).
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
