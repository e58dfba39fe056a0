//! The highest rates of a card, measured by kernels that do nothing else (`kernels/ceilings.cu`).
//!
//! `unsafe` is needed to launch these kernels.
#![allow(unsafe_code)]

use crate::device::{Device, DeviceError};
use crate::driver::{Driver, INVERTING, failed};
use crate::kernels::CEILINGS;
use cudarc::driver::{LaunchConfig, PushKernelArg};
use std::time::Instant;

/// The blocks of a multiprocessor in a measurement.
const BLOCKS: usize = 8;
/// The threads of a block in a measurement.
const CEILING_THREADS: u32 = 256;
/// The largest number of words of memory that a measurement reads.
const MEMORY_WORDS: usize = 1 << 28;
/// The words of records in a measurement, as many as a Miller loop has: more than a multiprocessor keeps, less than
/// its second-level cache.
const CACHED_WORDS: usize = 1 << 19;

/// The highest rates of a card, per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ceilings {
    /// Products of words with a sum of 64 bits.
    pub multiply_adds: f64,
    /// Products of numbers of 8 bits, with their sums, on tensor cores.
    pub digits: f64,
    /// Words read from memory that a block shares.
    pub shared: f64,
    /// Words read from the memory of the device.
    pub memory: f64,
    /// Words that warps read from the second-level cache, as the warps of groups read records.
    pub cached: f64,
}

impl Ceilings {
    /// Returns every ceiling with its name.
    pub fn parts(&self) -> [(&'static str, f64); 5] {
        let Ceilings { multiply_adds, digits, shared, memory, cached } = *self;
        [
            ("multiply_adds", multiply_adds),
            ("digits", digits),
            ("shared", shared),
            ("memory", memory),
            ("cached", cached),
        ]
    }
}

impl Driver {
    /// Measures the ceilings in about a second: each kernel runs for some 20 to 100 ms, so that the card's clock
    /// rate comes up.
    ///
    /// # Errors
    /// Returns an error if the device fails.
    pub fn ceilings(&self) -> Result<Ceilings, DeviceError> {
        let gpu = &*self.0;
        let module = gpu.module(&CEILINGS)?;
        let queue = gpu.queue()?;
        let blocks = (gpu.properties().inverting / INVERTING * BLOCKS) as u32;
        let threads = blocks * CEILING_THREADS;
        let mut out = gpu.allocate(&queue, threads as usize)?;
        let words = (gpu.properties().memory.min(MEMORY_WORDS) + 1).next_power_of_two() / 2;
        let memory = gpu.allocate(&queue, words)?;
        let cached = words.min(CACHED_WORDS);
        let mut rate = |name: &str, rounds: u32, each: f64| {
            let kernel = module.load_function(name).map_err(failed("looking for a kernel"))?;
            let config =
                LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (CEILING_THREADS, 1, 1), shared_mem_bytes: 0 };
            let mut least = f64::INFINITY;
            for _ in 0..3 {
                let words = if name == "ceiling_records" { cached } else { words } as u32;
                let begin = Instant::now();
                let mut arguments = queue.stream.launch_builder(&kernel);
                arguments.arg(&rounds).arg(&mut out);
                if matches!(name, "ceiling_memory" | "ceiling_records") {
                    arguments.arg(&memory).arg(&words);
                }
                // SAFETY: the arguments are those of the kernel, which writes a word of `out` for each thread and
                // reads `words` words of `memory`
                unsafe { arguments.launch(config) }.map_err(failed("launching a kernel"))?;
                queue.stream.synchronize().map_err(failed("running the kernels"))?;
                least = least.min(begin.elapsed().as_secs_f64());
            }
            Ok::<f64, DeviceError>(f64::from(threads) * f64::from(rounds) * each / least)
        };
        Ok(Ceilings {
            multiply_adds: rate("ceiling_multiply_adds", 100_000, 16.0)?,
            digits: rate("ceiling_digits", 100_000, 16.0 * 16.0 * 8.0)?,
            shared: rate("ceiling_shared", 50_000, 32.0)?,
            memory: rate("ceiling_memory", 5_000, 16.0)?,
            cached: rate("ceiling_records", 20_000, 16.0)?,
        })
    }
}
