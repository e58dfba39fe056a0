//! Measures the clock of the core with a chain of dependent additions: the current frequency, not the nominal one.

use std::hint::black_box;
use std::time::Instant;

/// The number of steps of one timing: some 15 µs.
const STEPS: u64 = 32_768;
/// The number of timings, of which the fastest counts.
const TRIES: usize = 24;

/// Returns the cycles per nanosecond of the core that runs this thread.
///
/// A step is an exclusive or and an addition. Each takes one cycle on every processor in use, and each waits for the
/// previous operation. The compiler does not know the operand, so it cannot shorten the chain.
pub fn gigahertz() -> f64 {
    let fastest = (0..TRIES).map(|_| timing()).fold(f64::INFINITY, f64::min);
    (2 * STEPS) as f64 / fastest
}

/// Returns the nanoseconds of one chain.
fn timing() -> f64 {
    let k: u64 = black_box(0x9e37_79b9_7f4a_7c15);
    let mut x = black_box(1);
    let start = Instant::now();
    for _ in 0..STEPS / 16 {
        // sixteen steps in each iteration: the loop's own counter runs beside the chain
        x = step(step(step(step(step(step(step(step(x, k), k), k), k), k), k), k), k);
        x = step(step(step(step(step(step(step(step(x, k), k), k), k), k), k), k), k);
    }
    black_box(x);
    start.elapsed().as_nanos() as f64
}

#[inline(always)]
fn step(x: u64, k: u64) -> u64 {
    (x ^ k).wrapping_add(k)
}
