//! Executes programs whose values have places: an operation is a kernel of the engine with the addresses of its places.
//!
//! `unsafe`: places have addresses that are known only at run time. They are sound because of what `places::check`
//! proves of every program before it is executed here: an operand's place holds a value that was written before, no
//! result overlaps an operand, and the halves of an element of F_p(i) lie side by side.
#![allow(unsafe_code)]

mod arithmetic;
mod call;
mod calls;
mod invert;
mod link;
mod memory;
mod reuse;

use crate::batch::{Batch, Uniforms};
use crate::idle::{Idle, WipedStack};
use crate::places::{ByKind, MAX_BITS, Place, Placed, PlacedStep, Selection, SharedInversion};
use crate::program::{Input, Program};
pub(crate) use arithmetic::{Arithmetic, Typed};
use arithmetic::{Entries, Stream, Table};
use bilinear_field::Kind;
use calls::CallPlan;
use invert::Inversion;
use link::Instruction;
use memory::{Bases, Memory};
use std::any::Any;
use std::sync::{Arc, OnceLock};

/// A program on the field of an engine.
pub(crate) struct Executable {
    /// The operations of the field, to which linked code points.
    arithmetic: Arc<dyn Arithmetic>,
    /// The size of a value of each kind, in bytes.
    bytes: ByKind<usize>,
    program: Arc<Program>,
    placed: Placed,
    /// The greatest number of links of each routine.
    links: Vec<usize>,
    /// The constants in their places.
    constants: Table,
    idle: Idle<Memory>,
    /// The plan for calls from host code, made when it is first asked for.
    calls: OnceLock<Option<CallPlan>>,
}

impl Executable {
    pub(crate) fn new(arithmetic: Arc<dyn Arithmetic>, program: Arc<Program>, placed: Placed) -> Self {
        let constants = arithmetic.table(Kind::Elem, placed.constants.len());
        for (i, c) in placed.constants.iter().enumerate() {
            // SAFETY: a place of the table that was just made
            unsafe { arithmetic.constant(constants.at(i), &program.constants()[*c as usize]) };
        }
        let bytes = arithmetic.bytes();
        let links = reuse::links(&placed);
        Executable { arithmetic, bytes, program, placed, links, constants, idle: Idle::new(), calls: OnceLock::new() }
    }

    /// The number of bytes of the values that each vector keeps.
    pub(crate) fn bytes_of_vector(&self) -> usize {
        self.bytes.iter().zip(&self.placed.vector).map(|(bytes, n)| bytes * *n as usize).sum()
    }

    /// Runs the program on every vector of the batch.
    pub(crate) fn execute(&self, batch: &mut Batch) {
        let _wiped = batch.is_secret().then(|| WipedStack);
        self.run_plan(batch);
    }

    /// Runs the program in a frame of its own, so that what it leaves on the stack is wiped.
    #[inline(never)]
    fn run_plan(&self, batch: &mut Batch) {
        let arithmetic = &*self.arithmetic;
        let suits = batch.suits(&self.program, arithmetic.lanes(), arithmetic.word_len());
        let owns = batch.store().is_none_or(|store| arithmetic.owns(store));
        assert!(suits && owns, "the batch belongs to another program or machine");
        let streams = self.streams(batch);
        let wipe = |memory: &mut Memory| memory.wipe(arithmetic, self.constants.len());
        let mut memory = self.idle.borrow(|| Memory::new(self), batch.is_secret().then_some(wipe));
        memory.reserve(self, batch.vectors());
        let prepared = self.program.ports().uniforms_out;
        let mut uniforms = if prepared > 0 { arithmetic.uniforms(prepared) } else { Box::new(()) };
        for stage in &self.placed.stages {
            for v in 0..batch.vectors() {
                let bases = Bases::new(&memory, self, v);
                for step in &stage.steps {
                    self.step(step, bases, &mut memory, (batch, v), &streams, &mut *uniforms);
                }
            }
            if let Some(shared_inversion) = &stage.shared_inversion {
                self.meet(shared_inversion, &memory, batch.vectors());
            }
        }
        if prepared > 0 && batch.vectors() > 0 {
            batch.uniforms_out = Some(Uniforms(uniforms.into()));
        }
        batch.end();
    }

    /// Returns the residues of the prepared arguments of each vector, if the program takes any.
    fn streams(&self, batch: &Batch) -> Vec<Vec<Stream>> {
        if self.program.streams() == 0 {
            return vec![];
        }
        let own =
            |u| self.arithmetic.stream(u).unwrap_or_else(|| panic!("the argument was prepared by another machine"));
        let streams: Vec<Vec<Stream>> = batch.streams.iter().map(|vector| vector.iter().map(own).collect()).collect();
        for input in self.program.inputs() {
            if let Input::Uniform { stream, index, .. } = input {
                let enough = |v: &Vec<Stream>| v.get(*stream as usize).is_some_and(|s| s.len > *index as usize);
                assert!(streams.iter().all(enough), "every vector needs prepared arguments of the program's length");
            }
        }
        streams
    }

    fn step(
        &self,
        step: &PlacedStep,
        bases: Bases,
        memory: &mut Memory,
        (batch, v): (&mut Batch, usize),
        streams: &[Vec<Stream>],
        uniforms: &mut dyn Any,
    ) {
        let f = &*self.arithmetic;
        match step {
            PlacedStep::Call { routine, binding } => {
                run(memory.code(self, (*routine, *binding), bases));
            }
            PlacedStep::Load { input, to } => {
                let (to, input) = (bases.elem(*to), *input as usize);
                if let Some((store, numbers)) = batch.taken(v + 1, input) {
                    f.fetch(store, numbers);
                }
                let taken = batch.taken(v, input);
                // SAFETY: a place of the plan; see the head
                unsafe {
                    match taken {
                        Some((store, numbers)) => f.gather(to, store, numbers),
                        None => f.load(to, batch.lanes_in(v, input)),
                    }
                }
            }
            PlacedStep::LoadUniform { stream, index, to } => {
                // SAFETY: a place of the plan, see the head, and a residue of the stream, whose length `streams` has checked
                unsafe { f.broadcast(bases.elem(*to), &streams[v][*stream as usize], *index as usize) };
            }
            PlacedStep::Select(selection) => {
                let Selection { stream, stride, bits, results } = &**selection;
                let mut masks = [std::ptr::null(); MAX_BITS];
                masks.iter_mut().zip(bits).for_each(|(mask, place)| *mask = bases.mask(*place).cast_const());
                for (_, first, to) in results {
                    let at = Entries { first: *first as usize, stride: *stride as usize };
                    // SAFETY: places of the plan; see the head
                    unsafe { f.entry(bases.elem(*to), &streams[v][*stream as usize], at, &masks[..bits.len()]) };
                }
            }
            PlacedStep::LoadMask { input, to } => {
                // SAFETY: a place of the plan; see the head
                unsafe { f.load_mask(bases.mask(*to), batch.mask_in(v, *input as usize)) };
            }
            PlacedStep::Copy { from, to } => {
                // SAFETY: two places of the plan; see the head
                unsafe { f.copy(bases.elem(*to), bases.elem(*from)) };
            }
            PlacedStep::Store { output, from } => {
                let (output, from) = (*output as usize, bases.elem(*from));
                // SAFETY: a place of the plan that holds a value; see the head
                unsafe {
                    match batch.left(v, output) {
                        Some((store, numbers)) => f.scatter(store, numbers, from),
                        None => f.store_words(batch.lanes_out(v, output), from),
                    }
                }
            }
            PlacedStep::StoreUniform { output, from } => {
                // SAFETY: as above
                unsafe { f.uniform(uniforms, *output as usize, bases.elem(*from)) };
            }
            PlacedStep::StoreMask { output, from } => {
                // SAFETY: as above
                *batch.mask_out(v, *output as usize) = unsafe { f.store_mask(bases.mask(*from)) };
            }
        }
    }

    /// Performs an operation on all vectors of a batch at once.
    fn meet(&self, shared_inversion: &SharedInversion, memory: &Memory, vectors: usize) {
        let (numerator, xs) = shared_inversion.args.split_at(shared_inversion.args.len() - shared_inversion.values());
        let (results, undefined) = shared_inversion.results.split_at(xs.len());
        let address = |kind: Kind, places: &[Place], i: usize| {
            Bases::new(memory, self, i / places.len()).address(kind, places[i % places.len()])
        };
        let inversion = Inversion {
            // the numerator is a constant
            numerator: numerator.first().map(|_| address(Kind::Elem, numerator, 0).cast_const()),
            len: xs.len() * vectors,
            x: &|i| address(Kind::Elem, xs, i),
            result: &|i| address(Kind::Elem, results, i),
            truths: undefined.len() * vectors,
            undefined: &|i| address(Kind::Mask, undefined, i),
        };
        // SAFETY: places that hold values, and of each vector's own; see the head
        unsafe { inversion.run(&*self.arithmetic, &memory.scratch) };
    }
}

/// Runs a linked routine, four operations per iteration: the loop's position is in a register that kernels save and
/// restore, and the next call has to wait for that.
#[inline(never)]
fn run(code: &[Instruction]) {
    let (turns, rest) = code.as_chunks::<4>();
    for [a, b, c, d] in turns {
        // SAFETY: linked for this call
        unsafe {
            a.run();
            b.run();
            c.run();
            d.run();
        }
    }
    for op in rest {
        // SAFETY: the same
        unsafe { op.run() }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Machine, Native, Recorder};
    use bilinear_field::mont::Mont;
    use bilinear_field::{Field, at, plus};
    use num_bigint::BigUint;

    /// A chain of selections, products and an inversion, in named steps so that the plan has places of its own.
    fn program(p: &BigUint) -> Program {
        let recorder = Recorder::new(p).unwrap();
        let program = recorder.record(|ports| {
            let mut x = ports.elem();
            for _ in 0..4 {
                let digit = ports.mask();
                x = recorder.routine("step", || {
                    at! {recorder; xx = sqr(&x); w = mul_wide(&xx, &x); y = reduce(&[plus(&w)]); next = select(digit, &xx, &y);}
                    next
                });
            }
            at! {recorder; inverse = inv(&x); out = mul(&inverse, &x);}
            let again = ports.elem();
            let same = recorder.equal(&again, &x);
            ports.output(&out);
            ports.output_mask(same);
        });
        program.unwrap()
    }

    #[test]
    fn what_a_secret_run_used_is_wiped() {
        let p = (BigUint::from(1u32) << 127u32) - 1u32;
        let program = Arc::new(program(&p));
        let field = Mont::<2>::new(&p).unwrap();
        for is_secret in [false, true] {
            let arithmetic = Arc::new(Typed::new(field.clone()));
            let executable = Executable::new(arithmetic, program.clone(), Placed::new(&program, 0));
            let machine = Native::new("mont", field.clone());
            let batch = Batch::new(&program, &machine as &dyn Machine, 3);
            let mut batch = if is_secret { batch.secret() } else { batch };
            for v in 0..3 {
                batch.set(v, 0, 0, &[0x1234_5678 + v as u64]);
                batch.set(v, 1, 0, &[99]);
                (0..4).for_each(|i| batch.set_mask(v, i, 0, (v + i) % 2 == 0));
            }
            executable.execute(&mut batch);
            assert_eq!((0..3).map(|v| batch.get(v, 0, 0)[0]).collect::<Vec<_>>(), [1; 3]);
            let (left, places) = executable.idle.left(|memory| memory.left(&field, executable.constants.len()));
            assert!(
                places > 10 && (left == 0) == is_secret,
                "{left} of {places} places hold something, secret: {is_secret}"
            );
            assert_eq!(batch.masks_in.len(), 3 * 4);
            assert_eq!(batch.masks_in.iter().all(|m| *m == 0), is_secret);
        }
    }
}
