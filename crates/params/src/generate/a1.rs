//! Type A1: n a product of distinct primes, q = l n - 1 prime for the smallest positive multiple l of 4
//! (PBC's `gena1param`).
//!
//! The search for l sieves. With l = 4 k, a small prime s divides 4 n k - 1 exactly for k = (4 n)^-1 mod s. Sieving by
//! the primes below 2^16 leaves about one k in ten, so that a field of 2060 bits takes some 70 primality tests, each
//! ended by its first Miller-Rabin round unless q is prime.

use crypto_bigint::BoxedUint;
use crypto_bigint::rand_core::CryptoRng;
use crypto_primes::hazmat::{SetBits, SmallFactorsSieveFactory};
use crypto_primes::{Flavor, is_prime as is_prime_boxed, sieve_and_find};
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::One;
use zeroize::Zeroizing;

use super::Progress;
use super::last_prime::last_prime;
use super::small_primes::{inverse, odd_primes_below};
use crate::Error;
use crate::factors::{Secret, repeated, secret_product};
use crate::integer::{MAX_FIELD_BITS, is_prime};
use crate::origin::Origin;

/// The bound of the odd primes that the sieve uses.
const SIEVE_BOUND: u32 = 1 << 16;

/// The number of values of k sieved at a time.
const BLOCK: u64 = 1 << 12;

/// The largest k that is tried; k is about ln(q) / 2 on average, below 1500 for every field within the limit.
const LAST: u64 = 1 << 24;

/// Draws distinct random primes of these sizes with their two top bits set, so that the product of two of them has
/// exactly the sum of their sizes.
pub(super) fn primes<R: CryptoRng + ?Sized>(
    sizes: &[usize],
    rng: &mut R,
    progress: &mut dyn FnMut(Progress),
) -> Result<Vec<Secret>, Error> {
    let mut primes: Vec<Secret> = Vec::with_capacity(sizes.len());
    for &bits in sizes {
        loop {
            let prime = Zeroizing::new(random_prime(bits, rng)?);
            if !primes.contains(&prime) {
                primes.push(prime);
                break;
            }
        }
        progress(Progress::Factor { found: primes.len(), wanted: sizes.len() });
    }
    Ok(primes)
}

/// Draws distinct random primes of these sizes with their two top bits set, for which q = 4 n - 1 is a prime and
/// 3 mod 2^k. The longest (the last of the longest) is drawn last.
pub(super) fn friendly_primes<R: CryptoRng + ?Sized>(
    sizes: &[usize],
    k: usize,
    rng: &mut R,
    progress: &mut dyn FnMut(Progress),
) -> Result<Vec<Secret>, Error> {
    let wanted = sizes.len();
    let place = (0..wanted).max_by_key(|&i| sizes[i]).ok_or(Error::NoPrimes)?;
    let mut rest = sizes.to_vec();
    let bits = rest.remove(place);
    let mut primes = primes(&rest, rng, &mut |step| match step {
        Progress::Factor { found, .. } => progress(Progress::Factor { found, wanted }),
        Progress::Field { .. } => progress(step),
    })?;
    let limit = MAX_FIELD_BITS;
    let others = secret_product(primes.iter().map(|prime| &**prime), limit);
    let others = others.ok_or(Error::FieldTooLarge { bits: limit as usize + 1, limit })?;
    loop {
        let last = last_prime(&others, bits, k, rng, progress)?;
        if !primes.contains(&last) {
            primes.insert(place, last);
            progress(Progress::Factor { found: wanted, wanted });
            return Ok(primes);
        }
    }
}

fn random_prime<R: CryptoRng + ?Sized>(bits: usize, rng: &mut R) -> Result<BoxedUint, Error> {
    let random = |error: crypto_primes::Error| Error::Randomness { reason: error.to_string() };
    let factory = SmallFactorsSieveFactory::new(Flavor::Any, bits as u32, SetBits::TwoMsb).map_err(random)?;
    let found = sieve_and_find(rng, factory, |_, candidate| is_prime_boxed(Flavor::Any, candidate)).map_err(random)?;
    found.ok_or_else(|| Error::Randomness { reason: format!("no prime of {bits} bits was found") })
}

/// The number of upper bits within which two primes of one size must differ, if they have more bits than that (FIPS
/// 186-5, section A.1.3).
const UPPER_BITS: u32 = 100;

/// Returns true if two numbers are so close that Fermat's method factors their product.
fn are_close(p: &BoxedUint, q: &BoxedUint) -> bool {
    let difference = if p > q { p.wrapping_sub(q) } else { q.wrapping_sub(p) };
    p.bit_width() == q.bit_width() && p.bit_width() > UPPER_BITS && difference.bit_width() <= p.bit_width() - UPPER_BITS
}

/// Checks that the caller's own primes are distinct, not close to each other, and prime.
pub(super) fn check_primes(primes: &[Secret]) -> Result<(), Error> {
    let at = || Origin::argument().at("factors");
    if let Some(index) = repeated(primes) {
        return Err(Error::FactorRepeated { at: at(), index });
    }
    let is_close = |index: &usize| primes[..*index].iter().any(|prime| are_close(prime, &primes[*index]));
    if let Some(index) = (0..primes.len()).find(is_close) {
        return Err(Error::FactorsClose { at: at(), index });
    }
    match primes.iter().position(|prime| !is_prime_boxed(Flavor::Any, &**prime)) {
        Some(index) => Err(Error::FactorComposite { at: at(), index }),
        None => Ok(()),
    }
}

/// Finds the smallest positive multiple l of 4, prime to n, for which l n - 1 is prime. n must be odd and above
/// [`SIEVE_BOUND`] / 4, so that no candidate for q is itself one of the sieving primes.
pub(super) fn cofactor(n: &BigUint, progress: &mut dyn FnMut(Progress)) -> Result<u64, Error> {
    let step = n * 4u8;
    let residues: Vec<(u64, u64)> = odd_primes_below(SIEVE_BOUND)
        .into_iter()
        .filter_map(|s| {
            let residue = (&step % s).iter_u64_digits().next()?;
            Some((u64::from(s), inverse(residue, u64::from(s))))
        })
        .collect();
    let mut candidate = 0;
    for start in (1..LAST).step_by(BLOCK as usize) {
        let mut composite = [false; BLOCK as usize];
        for &(s, forbidden) in &residues {
            let first = (forbidden + s - start % s) % s;
            for index in (first..BLOCK).step_by(s as usize) {
                composite[index as usize] = true;
            }
        }
        for (k, _) in (start..).zip(composite).filter(|(_, composite)| !composite) {
            if !BigUint::from(k).gcd(n).is_one() {
                continue;
            }
            candidate += 1;
            progress(Progress::Field { candidate });
            if is_prime(&(&step * k - 1u8)) {
                return Ok(4 * k);
            }
        }
    }
    Err(Error::NothingFound { what: "cofactor with a prime field" })
}
