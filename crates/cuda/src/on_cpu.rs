//! A program of a device on a machine of the processor, for batches with secret masks and for a device that fails.
//!
//! There, every value that all pairings share is an input of each pairing, and every residue of a prepared argument
//! an output of each pairing. So the program needs no value in the form of that machine.

use bilinear_program::{Batch, Input, Loaded, Machine, Output, Program};
use std::ops::Range;
use std::sync::Arc;

/// A program that is ready to run on the processor.
pub(crate) struct OnCpu {
    machine: Arc<dyn Machine>,
    program: Arc<Program>,
    loaded: Arc<dyn Loaded>,
}

/// Returns the program with all its shared ports turned into ports of each lane.
fn in_lanes(program: &Program) -> Option<Program> {
    let mut parts = program.clone().into_parts();
    for input in &mut parts.inputs {
        if let Input::Uniform { value, .. } = *input {
            *input = Input::Elem { value };
        }
    }
    for output in &mut parts.outputs {
        if let Output::Uniform(x) = *output {
            *output = Output::Elem(x);
        }
    }
    parts.verify().ok()
}

impl OnCpu {
    /// Returns the program that runs on the processor in the place of a program, for proofs of its ranges.
    pub(crate) fn suited(machine: &Arc<dyn Machine>, program: &Program) -> Arc<Program> {
        let program = in_lanes(program).unwrap_or_else(|| unreachable!("ports of another kind are as sound"));
        machine.suited(&Arc::new(program))
    }

    pub(crate) fn new(machine: &Arc<dyn Machine>, program: &Program) -> OnCpu {
        let program = OnCpu::suited(machine, program);
        OnCpu { machine: machine.clone(), loaded: machine.load(&program), program }
    }

    /// Computes some vectors of a batch. `shared` returns the residue of an input that all lanes of a vector share,
    /// and `keep` receives the residues of a prepared argument. Constant time in the masks.
    pub(crate) fn run<'s>(
        &self,
        original: &Program,
        batch: &mut Batch,
        vectors: Range<usize>,
        shared: impl Fn(usize, u32, u32) -> &'s [u64],
        mut keep: impl FnMut(&[u64]),
    ) {
        // one lane makes the values that all lanes share
        let is_shared = original.outputs().iter().all(|output| matches!(output, Output::Uniform(_)));
        let (lanes, each) = (if is_shared { 1 } else { batch.lanes() }, self.machine.lanes());
        let values: Vec<(usize, usize)> = vectors.flat_map(|v| (0..lanes).map(move |lane| (v, lane))).collect();
        let words = batch.words();
        for (first, chunk) in values.chunks(each * self.loaded.together()).enumerate() {
            let run = Batch::new(&self.program, &*self.machine, chunk.len().div_ceil(each));
            let mut run = if batch.is_secret() { run.secret() } else { run };
            for (i, (v, lane)) in chunk.iter().copied().enumerate() {
                let (to, at) = (i / each, i % each);
                for ((input, number), (_, own)) in original.numbered_inputs().zip(self.program.numbered_inputs()) {
                    match input {
                        Input::Elem { .. } => {
                            run.set(to, own, at, &batch.lanes_in(v, number)[lane * words..(lane + 1) * words]);
                        }
                        Input::Uniform { stream, index, .. } => run.set(to, own, at, shared(v, stream, index)),
                        Input::Mask { .. } => run.set_mask(to, own, at, batch.mask_in(v, number) >> lane & 1 == 1),
                    }
                }
            }
            self.loaded.run(&mut run);
            for (i, (v, lane)) in chunk.iter().copied().enumerate() {
                let (from, at) = (i / each, i % each);
                for ((output, number), (_, own)) in original.numbered_outputs().zip(self.program.numbered_outputs()) {
                    match output {
                        Output::Elem(_) | Output::Stored(_) => {
                            let to = &mut batch.lanes_out(v, number)[lane * words..(lane + 1) * words];
                            to.copy_from_slice(run.get(from, own, at));
                        }
                        // equal in every lane
                        Output::Uniform(_) if first == 0 && i == 0 => keep(run.get(from, own, at)),
                        Output::Uniform(_) => {}
                        Output::Mask(_) => {
                            let bit = u64::from(run.get_mask(from, own, at));
                            let place = batch.mask_out(v, number);
                            *place = *place & !(1 << lane) | bit << lane;
                        }
                    }
                }
            }
        }
    }
}
