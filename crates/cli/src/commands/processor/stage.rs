//! Running a program on an engine that is chosen at run time.

use bilinear_field::{Job, Lanes};
use bilinear_processor::{Image, Machine, Run, Trap, simulate_on};
use num_bigint::BigUint;

/// A program with its inputs, to be run on an engine.
pub(super) struct Stage<'s> {
    pub(super) image: &'s Image,
    pub(super) machine: &'s Machine,
    pub(super) inputs: &'s [BigUint],
    /// The most instructions that the program may execute.
    pub(super) limit: u64,
}

impl Job for Stage<'_> {
    type Output = Result<Run<BigUint>, Trap>;
    // the simulation need not be fast, so few sizes are compiled
    const WORDS: &'static [usize] = &[4, 8, 17, 33, 65];
    const LIMBS: &'static [usize] = &[5, 8, 21, 40, 80];

    fn run<F: Lanes + 'static>(self, f: F) -> Self::Output {
        let inputs: Vec<F::Elem> = self.inputs.iter().map(|x| f.constant(x)).collect();
        let run = simulate_on(&f, self.image, &inputs, self.machine, self.limit)?;
        let Run { executed, cycles, counts, visits, .. } = run;
        let outputs = run.outputs.iter().map(|x| f.value(x, 0)).collect();
        Ok(Run { outputs, executed, cycles, counts, visits })
    }
}
