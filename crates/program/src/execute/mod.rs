//! Executes programs whose values have places: an operation is a kernel of the engine and the addresses of its places.
//!
//! `unsafe`: addresses of places that are only known at run time. They are sound by what `places::check` proves of every program
//! before it is executed here: an operand's place holds a value that was written before, no result overlaps an operand, and the
//! halves of an element of F_p(i) lie side by side.
#![allow(unsafe_code)]

mod call;
mod link;
mod memory;

use crate::batch::{Batch, Uniforms};
use crate::places::{Meeting, Placed, PlacedStep};
use crate::program::{Input, Program};
use bilinear_field::Code;
use bilinear_field::Lanes;
use link::Instruction;
use memory::{Bases, Memory, WipedStack, blanks, wipe};
use std::sync::{Arc, Mutex, PoisonError};

/// The most lanes of a machine.
const MOST_LANES: usize = 64;

/// A program on the field of an engine.
pub(crate) struct Executable<F: Lanes> {
    /// What linked code points to.
    field: Arc<F>,
    program: Arc<Program>,
    placed: Placed,
    /// The constants in their places.
    constants: Vec<F::Elem>,
    /// Memory that no run uses at the moment.
    idle: Mutex<Vec<Memory<F>>>,
}

impl<F: Lanes + 'static> Executable<F> {
    pub(crate) fn new(field: F, program: Arc<Program>, placed: Placed) -> Self {
        let constants = placed.constants.iter().map(|c| field.constant(&program.constants()[*c as usize])).collect();
        Executable { field: Arc::new(field), program, placed, constants, idle: Mutex::default() }
    }

    /// Bytes of the values that each vector keeps.
    pub(crate) fn bytes_of_vector(&self) -> usize {
        let [e, w, m] = self.placed.vector.map(|n| n as usize);
        e * size_of::<F::Elem>() + w * size_of::<F::Wide>() + m * size_of::<F::Mask>()
    }

    /// Runs the program on every vector of the batch.
    pub(crate) fn execute(&self, batch: &mut Batch) {
        let _wiped = batch.is_secret().then(|| WipedStack);
        self.run_plan(batch);
    }

    /// In a frame of its own, so that what it leaves there is wiped.
    #[inline(never)]
    fn run_plan(&self, batch: &mut Batch) {
        let suits = batch.suits_field::<F>(&self.program, self.field.word_len());
        assert!(suits, "a batch of this program and machine");
        let streams = self.streams(batch);
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let memory = idle.unwrap_or_else(|| Memory::new(self));
        let mut borrowed = Borrowed { executable: self, memory: None, is_secret: batch.is_secret() };
        let memory = borrowed.memory.insert(memory);
        memory.reserve(&self.field, self.placed.vector, batch.vectors());
        let mut uniforms: Vec<Option<F::Uniform>> = vec![];
        for stage in &self.placed.stages {
            for v in 0..batch.vectors() {
                let bases = Bases::new(memory, &self.placed, v);
                for step in &stage.steps {
                    self.step(step, bases, memory, (batch, v), &streams, &mut uniforms);
                }
            }
            if let Some(meeting) = &stage.meeting {
                self.meet(meeting, memory, (batch.vectors(), batch.is_secret()));
            }
        }
        if !uniforms.is_empty() {
            let all: Option<Vec<F::Uniform>> = uniforms.into_iter().collect();
            batch.uniforms_out = all.map(|all| Uniforms(Arc::new(all)));
        }
        batch.end();
    }

    /// The residues of the prepared arguments of each vector.
    fn streams(&self, batch: &Batch) -> Vec<Vec<Arc<Vec<F::Uniform>>>> {
        let own = |u: &Uniforms| {
            let residues = u.0.clone().downcast::<Vec<F::Uniform>>();
            residues.unwrap_or_else(|_| panic!("an argument that this machine has prepared"))
        };
        let streams: Vec<Vec<_>> = batch.streams.iter().map(|vector| vector.iter().map(own).collect()).collect();
        for input in self.program.inputs() {
            if let Input::Uniform { stream, index, .. } = input {
                let enough =
                    |v: &Vec<Arc<Vec<F::Uniform>>>| v.get(*stream as usize).is_some_and(|s| s.len() > *index as usize);
                assert!(streams.iter().all(enough), "a prepared argument of the program's length for every vector");
            }
        }
        streams
    }

    fn step(
        &self,
        step: &PlacedStep,
        bases: Bases<F>,
        memory: &mut Memory<F>,
        (batch, v): (&mut Batch, usize),
        streams: &[Vec<Arc<Vec<F::Uniform>>>],
        uniforms: &mut Vec<Option<F::Uniform>>,
    ) {
        let f = &*self.field;
        match step {
            PlacedStep::Call { routine, binding } => {
                let Memory { linked, places, .. } = memory;
                let called = (*routine, *binding);
                run(linked[*routine as usize].code(&self.placed, called, bases, (f, places)));
            }
            PlacedStep::Load { input, to } => {
                let mut lanes: [&[u64]; MOST_LANES] = [&[]; MOST_LANES];
                lanes.iter_mut().zip(batch.lanes_of(v, *input as usize)).for_each(|(place, words)| *place = words);
                // SAFETY: a place of the plan; see the head
                f.load(unsafe { &mut *bases.elem(*to) }, &lanes[..F::LANES]);
            }
            PlacedStep::LoadUniform { stream, index, to } => {
                // SAFETY: a place of the plan; see the head
                f.broadcast(unsafe { &mut *bases.elem(*to) }, &streams[v][*stream as usize][*index as usize]);
            }
            PlacedStep::LoadMask { input, to } => {
                let bits = batch.mask_in(v, *input as usize);
                let lanes: [bool; MOST_LANES] = std::array::from_fn(|lane| std::hint::black_box(bits >> lane & 1) == 1);
                // SAFETY: a place of the plan; see the head
                unsafe { *bases.mask(*to) = f.mask_from(&lanes[..F::LANES]) };
            }
            PlacedStep::Copy { from, to } => {
                // SAFETY: two places of the plan; see the head
                unsafe { (*bases.elem(*to)).clone_from(&*bases.elem(*from)) };
            }
            PlacedStep::Store { output, from } => {
                // SAFETY: a place of the plan that holds a value; see the head
                f.store_all(batch.lanes_out(v, *output as usize), unsafe { &*bases.elem(*from) });
            }
            PlacedStep::StoreUniform { output, from } => {
                let output = *output as usize;
                if uniforms.len() <= output {
                    uniforms.resize_with(output + 1, || None);
                }
                // SAFETY: as above
                uniforms[output] = Some(f.uniform(unsafe { &*bases.elem(*from) }));
            }
            PlacedStep::StoreMask { output, from } => {
                // SAFETY: as above
                let mask = unsafe { *bases.mask(*from) };
                let bits = (0..F::LANES).fold(0, |bits, lane| bits | u64::from(f.lane(mask, lane)) << lane);
                *batch.mask_out(v, *output as usize) = bits;
            }
        }
    }

    /// An operation in which all vectors meet.
    fn meet(&self, meeting: &Meeting, memory: &mut Memory<F>, (vectors, is_secret): (usize, bool)) {
        let f = &*self.field;
        let bases: Vec<Bases<F>> = (0..vectors).map(|v| Bases::new(memory, &self.placed, v)).collect();
        let quotients = meeting.code == Code::Quotients;
        let (c, xs) = meeting.args.split_at(usize::from(quotients));
        let each = || bases.iter().flat_map(|bases| xs.iter().map(move |place| bases.elem(*place)));
        // SAFETY: places that hold values; see the head
        let own = each().map(|x| unsafe { (*x).clone() }).collect();
        let mut all = Temporaries { field: f, values: own, is_secret };
        let mut others = Temporaries { field: f, values: blanks(all.values.len()), is_secret };
        let mut undefined = f.mask(false);
        if let ([c], Some(first)) = (c, bases.first()) {
            // SAFETY: c is a constant, or the same for every vector by the program
            undefined = f.quotients(&mut others.values, unsafe { &*first.elem(*c) }, &all.values);
            std::mem::swap(&mut all, &mut others);
        } else if let ([x], [inverse]) = (&mut all.values[..], &mut others.values[..]) {
            f.inv(inverse, x);
            x.clone_from(inverse);
        } else {
            f.inv_many_with(&mut all.values, &mut others.values);
        }
        let mut values = all.values.iter();
        for bases in &bases {
            for place in &meeting.results[..xs.len()] {
                if let Some(x) = values.next() {
                    // SAFETY: a place of the vector's own; see the head
                    unsafe { (*bases.elem(*place)).clone_from(x) };
                }
            }
            if let Some(place) = meeting.results.get(xs.len()) {
                // SAFETY: the same
                unsafe { *bases.mask(*place) = undefined };
            }
        }
    }
}

/// Values on the way, which are wiped when they go if they are secret.
struct Temporaries<'f, F: Lanes> {
    field: &'f F,
    values: Vec<F::Elem>,
    is_secret: bool,
}

impl<F: Lanes> Drop for Temporaries<'_, F> {
    fn drop(&mut self) {
        if self.is_secret {
            wipe(&mut self.values, &self.field.zero());
        }
    }
}

/// The memory of a run, which others may have after it. Secrets are wiped when it is given back, also by a panic.
struct Borrowed<'e, F: Lanes> {
    executable: &'e Executable<F>,
    memory: Option<Memory<F>>,
    is_secret: bool,
}

impl<F: Lanes> Drop for Borrowed<'_, F> {
    fn drop(&mut self) {
        let Some(mut memory) = self.memory.take() else { return };
        let Executable { field, constants, idle, .. } = self.executable;
        if self.is_secret {
            memory.wipe(field, constants.len());
        }
        if !std::thread::panicking() {
            idle.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
        }
    }
}

/// Runs a linked routine.
#[inline(never)]
fn run(code: &[Instruction]) {
    for op in code {
        // SAFETY: linked for this call
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
            let executable = Executable::new(field.clone(), program.clone(), Placed::new(&program));
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
            let idle = executable.idle.lock().unwrap();
            let (left, places) = idle[0].left(&field, executable.constants.len());
            assert!(
                places > 10 && (left == 0) == is_secret,
                "{left} of {places} places hold something, secret: {is_secret}"
            );
            assert_eq!(batch.masks_in.iter().all(|m| *m == 0), is_secret);
        }
    }
}
