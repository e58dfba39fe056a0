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
        let (lanes, own) = (if is_shared { 1 } else { batch.lanes() }, self.machine.lanes());
        let values: Vec<(usize, usize)> = vectors.flat_map(|v| (0..lanes).map(move |lane| (v, lane))).collect();
        let words = batch.words();
        for (first, chunk) in values.chunks(own * self.loaded.together()).enumerate() {
            let run = Batch::new(&self.program, &*self.machine, chunk.len().div_ceil(own));
            let mut run = if batch.is_secret() { run.secret() } else { run };
            for (i, (v, lane)) in chunk.iter().copied().enumerate() {
                let (to, at) = (i / own, i % own);
                let (mut elems, mut masks, mut kept) = (0, 0, 0);
                for input in original.inputs() {
                    match input {
                        Input::Elem { .. } => {
                            let from = &batch.lanes_in(v, elems)[lane * words..(lane + 1) * words];
                            run.set(to, kept, at, from);
                            (elems, kept) = (elems + 1, kept + 1);
                        }
                        Input::Uniform { stream, index, .. } => {
                            run.set(to, kept, at, shared(v, *stream, *index));
                            kept += 1;
                        }
                        Input::Mask { .. } => {
                            run.set_mask(to, masks, at, batch.mask_in(v, masks) >> lane & 1 == 1);
                            masks += 1;
                        }
                    }
                }
            }
            self.loaded.run(&mut run);
            for (i, (v, lane)) in chunk.iter().copied().enumerate() {
                let (from, at) = (i / own, i % own);
                let (mut elems, mut masks, mut kept) = (0, 0, 0);
                for output in original.outputs() {
                    match output {
                        Output::Elem(_) | Output::Stored(_) => {
                            let to = &mut batch.lanes_out(v, elems)[lane * words..(lane + 1) * words];
                            to.copy_from_slice(run.get(from, kept, at));
                            (elems, kept) = (elems + 1, kept + 1);
                        }
                        Output::Uniform(_) => {
                            // equal in every lane
                            if first == 0 && i == 0 {
                                keep(run.get(from, kept, at));
                            }
                            kept += 1;
                        }
                        Output::Mask(_) => {
                            let bit = u64::from(run.get_mask(from, masks, at));
                            let place = batch.mask_out(v, masks);
                            *place = *place & !(1 << lane) | bit << lane;
                            masks += 1;
                        }
                    }
                }
            }
        }
    }
}
