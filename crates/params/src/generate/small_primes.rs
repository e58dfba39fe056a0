//! The odd primes below a bound, by the sieve of Eratosthenes, for trial division and sieving.

/// The odd primes below `bound`.
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
