//! The odd primes below a bound, by the sieve of Eratosthenes, for trial division and sieving.

/// Returns the odd primes below `bound`.
pub(super) fn odd_primes_below(bound: u32) -> Vec<u32> {
    let size = bound as usize;
    let mut composite = vec![false; size];
    let mut primes = Vec::new();
    for candidate in (3..size).step_by(2) {
        if !composite[candidate] {
            primes.push(candidate as u32);
            for multiple in (candidate.saturating_mul(candidate)..size).step_by(2 * candidate) {
                composite[multiple] = true;
            }
        }
    }
    primes
}

/// Computes 1/value modulo the prime s below 2^32, as value^(s-2); returns 0 for 0.
pub(super) fn inverse(value: u64, s: u64) -> u64 {
    let (mut base, mut exponent, mut result) = (value, s - 2, 1);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * base % s;
        }
        base = base * base % s;
        exponent >>= 1;
    }
    result
}
