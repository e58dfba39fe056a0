//! The last prime p of type A1 with a Montgomery-friendly q: P p = 1 mod 2^e for the product P of the other primes, e = k - 2,
//! and p and q = 4 P p - 1 prime.
//!
//! Candidates are p_t = (a + t) 2^e + (1/P mod 2^e) with a random a, its two top bits set. A sieve strikes out every t for
//! which a prime s below 2^16 divides p_t, t = -p_0/2^e mod s, or q, t = (1/(4P) - p_0)/2^e mod s. After it about one
//! p in ln(p)/20 is prime, and then one q in ln(q)/20: some 650 tests of p and 36 of q for two primes of 512 bits.
//!
//! All data of a candidate is as secret as p: from q' = 4 P p' - 1 and n = P p a gcd finds P. Candidates, their
//! residues and the sieve are wiped.

use crypto_bigint::rand_core::CryptoRng;
use crypto_bigint::{BitOps, BitOrAssign, BoxedUint, ConcatenatingMul, RandomBits, Resize, Word};
use crypto_primes::{Flavor, is_prime};
use zeroize::Zeroizing;

use super::Progress;
use super::small_primes::{inverse, odd_primes_below};
use crate::Error;
use crate::factors::Secret;

/// The bound of the odd primes that the sieve uses.
const SIEVE_BOUND: u32 = 1 << 16;

/// The number of values of t sieved at a time, after which a new a is drawn.
const BLOCK: u64 = 1 << 16;

/// The number of blocks after which the search gives up. One block finds a prime with probability 1/50 at 4096
/// bits, 1/2 at 1026.
const LAST_BLOCK: usize = 1 << 16;

/// The values of a search that do not depend on a.
struct Search {
    /// Bits of p.
    bits: u32,
    /// Bits of p that are prescribed.
    e: u32,
    /// 1/P mod 2^e.
    low: Secret,
    /// 4P.
    fourfold: Secret,
    /// For each prime s of the sieve: s, 1/2^e mod s, 1/(4P) mod s (0 if s divides P, since then q = -1 mod s).
    small: Zeroizing<Vec<[u64; 3]>>,
}

/// Finds a prime of `bits` bits, its two top bits set, for which q is a prime and 3 mod 2^k. `others` is the
/// product of the other primes, and k is at most `bits` - 44.
pub(super) fn last_prime<R: CryptoRng + ?Sized>(
    others: &BoxedUint,
    bits: usize,
    k: usize,
    rng: &mut R,
    progress: &mut dyn FnMut(Progress),
) -> Result<Secret, Error> {
    let search = Search::new(others, bits as u32, k as u32 - 2);
    let mut candidate = 0;
    for _ in 0..LAST_BLOCK {
        let top = search.draw(rng);
        let struck = search.sieve(&top);
        for (t, _) in (0..).zip(struck.iter()).filter(|(_, struck)| !**struck) {
            let Some(p) = search.prime(&top, t) else { break };
            if !is_prime(Flavor::Any, &*p) {
                continue;
            }
            candidate += 1;
            progress(Progress::Field { candidate });
            if is_prime(Flavor::Any, &*search.field(&p)) {
                return Ok(p);
            }
        }
    }
    Err(Error::NothingFound { what: "prime factor with a Montgomery-friendly field" })
}

impl Search {
    fn new(others: &BoxedUint, bits: u32, e: u32) -> Self {
        // as wide as P and p, so that neither is truncated
        let wide = Zeroizing::new(others.resize(bits.max(others.bits_precision())));
        let low = Zeroizing::new(wide.invert_mod2k(e).0);
        let fourfold = Zeroizing::new(others.concatenating_mul(&BoxedUint::from(4u8)));
        let step = BoxedUint::one_with_precision(bits) << e;
        let small = odd_primes_below(SIEVE_BOUND).into_iter().map(u64::from);
        let small = small.map(|s| [s, inverse(residue(&step, s), s), inverse(residue(&fourfold, s), s)]);
        let small = Zeroizing::new(small.collect());
        Self { bits, e, low: Zeroizing::new((&*low).resize(bits)), fourfold, small }
    }

    /// Draws a random a as long as the free bits of p, its two top bits set.
    fn draw<R: CryptoRng + ?Sized>(&self, rng: &mut R) -> Secret {
        let length = self.bits - self.e;
        let mut top = Zeroizing::new(BoxedUint::random_bits_with_precision(rng, length, self.bits));
        top.set_bit_vartime(length - 1, true);
        top.set_bit_vartime(length - 2, true);
        top
    }

    /// Returns p_t, or `None` if it is too long.
    fn prime(&self, top: &BoxedUint, t: u64) -> Option<Secret> {
        let high = Zeroizing::new(top.wrapping_add(BoxedUint::from(t)));
        let mut p = Zeroizing::new(&*high << self.e);
        p.bitor_assign(&*self.low);
        (high.bit_width_vartime() == self.bits - self.e).then_some(p)
    }

    /// Computes q = 4 P p - 1.
    fn field(&self, p: &BoxedUint) -> Secret {
        let product = Zeroizing::new(self.fourfold.concatenating_mul(p));
        Zeroizing::new(product.wrapping_sub(BoxedUint::one()))
    }

    /// Marks every t at which p_t or its q has a small factor. Neither p_t nor q is small itself.
    fn sieve(&self, top: &BoxedUint) -> Zeroizing<Vec<bool>> {
        let mut struck = Zeroizing::new(vec![false; BLOCK as usize]);
        let Some(first) = self.prime(top, 0) else { return struck };
        for &[s, step, field] in self.small.iter() {
            let p = residue(&first, s);
            for target in [0, field] {
                let t = (target + s - p) * step % s;
                struck.iter_mut().skip(t as usize).step_by(s as usize).for_each(|struck| *struck = true);
            }
        }
        struck
    }
}

/// Computes value mod s for an s below 2^32.
fn residue(value: &BoxedUint, s: u64) -> u64 {
    let s = u128::from(s);
    value.as_words().iter().rev().fold(0, |high, word| ((high << Word::BITS) | u128::from(*word)) % s) as u64
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::integer::from_boxed;
    use crypto_bigint::rand_core::UnwrapErr;
    use getrandom::SysRng;
    use num_bigint::BigUint;

    /// Compares the sieve with division by every small prime; one prime of `others` is itself a small prime.
    #[test]
    fn the_sieve_strikes_out_small_factors() {
        let others = BoxedUint::from(65521u64 * 4_294_967_291);
        let search = Search::new(&others, 160, 102);
        let top = search.draw(&mut UnwrapErr(SysRng));
        let struck = search.sieve(&top);
        let small = odd_primes_below(SIEVE_BOUND);
        for t in (0..200).chain(BLOCK - 100..BLOCK) {
            let p = from_boxed(&search.prime(&top, t).unwrap());
            let q = &p * from_boxed(&others) * 4u8 - 1u8;
            assert_eq!(from_boxed(&search.field(&search.prime(&top, t).unwrap())), q);
            assert_eq!(&q % (BigUint::from(1u8) << 104), BigUint::from(3u8), "p = {p}");
            let divided = small.iter().any(|s| [&p, &q].iter().any(|value| (*value % *s) == BigUint::ZERO));
            assert_eq!(struck[t as usize], divided, "p = {p}");
        }
    }

    #[test]
    fn candidates_end_at_the_length_limit() {
        let search = Search::new(&BoxedUint::one(), 160, 102);
        let top = BoxedUint::from((1u64 << 58) - 2).resize(160);
        assert!(search.prime(&top, 1).is_some_and(|p| p.bit_width_vartime() == 160));
        assert!(search.prime(&top, 2).is_none());
    }
}
