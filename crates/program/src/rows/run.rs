//! The executor: a run calls one kernel after the other on rows.
#![allow(unsafe_code)]

use super::COPIES;
use super::calls::Lowered;
use super::code::{Code, Instruction};
use crate::batch::{Batch, Uniforms};
use crate::idle::{Idle, WipedStack};
use crate::machine::Loaded;
use crate::program::{Input, Output, Program};
use bilinear_field::CollectVec;
use bilinear_field::rows::{Function, KERNELS, Kernel, LANES, Row, RowField};
use num_bigint::BigUint;
use std::sync::{Arc, OnceLock};
use zeroize::Zeroize;

/// A prepared argument: p, the row of 1, which tells how residues lie in rows, and the rows of the argument.
struct Lines {
    modulus: BigUint,
    one: Row,
    rows: Vec<Row>,
}

/// The rows and truth values of inputs or of outputs.
#[derive(Default)]
struct Ports {
    /// The rows of elements, in order.
    elements: Vec<u32>,
    /// The numbers of truth values, in order.
    masks: Vec<u32>,
    /// The residues of prepared arguments: the row, the number of the argument in its copy, and the index of the residue.
    lines: Vec<(u32, u32, u32)>,
}

impl Ports {
    fn of_inputs(program: &Program, code: &Code, copies: usize) -> Self {
        let mut ports = Ports::default();
        let each = program.streams() / copies as u32;
        for (input, port) in program.inputs().iter().zip(&code.inputs) {
            match input {
                Input::Elem { .. } => ports.elements.push(*port),
                Input::Uniform { stream, index, .. } => ports.lines.push((*port, stream % each, *index)),
                Input::Mask { .. } => ports.masks.push(*port),
            }
        }
        ports
    }

    fn of_outputs(program: &Program, code: &Code) -> Self {
        let mut ports = Ports::default();
        for (output, port) in program.outputs().iter().zip(&code.outputs) {
            match output {
                Output::Elem(_) | Output::Stored(_) => ports.elements.push(*port),
                Output::Uniform(_) => ports.lines.push((*port, 0, ports.lines.len() as u32)),
                Output::Mask(_) => ports.masks.push(*port),
            }
        }
        ports
    }
}

/// A program in rows, for one value at a time and for several beside each other.
pub(super) struct Executable {
    one: Interleaved,
    /// The program for several values, made when a batch first has that many; `None` where the program does not fit.
    several: OnceLock<Option<Interleaved>>,
    make: Box<dyn Fn() -> Option<Interleaved> + Send + Sync>,
}

/// A program in rows for `count` values beside each other.
pub(super) struct Interleaved {
    count: usize,
    field: Arc<dyn RowField>,
    program: Arc<Program>,
    code: Code,
    inputs: Ports,
    outputs: Ports,
    functions: [Function; KERNELS],
    /// The residue 1.
    unit: Row,
    /// The memory with which a run begins: its rows hold the constants.
    blank: Memory,
    idle: Idle<Memory>,
}

/// The memory of a run.
#[derive(Clone)]
struct Memory {
    rows: Vec<Row>,
    masks: Vec<bool>,
}

impl Executable {
    /// Creates an executable from the program for one value, and from a function that makes the program for several.
    pub(super) fn new(one: Interleaved, make: impl Fn() -> Option<Interleaved> + Send + Sync + 'static) -> Self {
        Executable { one, several: OnceLock::new(), make: Box::new(make) }
    }
}

impl Interleaved {
    /// Creates the code of a program that consists of `count` copies of another one.
    pub(super) fn new(field: Arc<dyn RowField>, program: Arc<Program>, lowered: &Lowered, count: usize) -> Self {
        let code = Code::new(lowered, field.wide());
        let mut unit = [Row::default()];
        field.load(&mut unit, &[&[1]]);
        let mut blank = Memory { rows: vec![Row::default(); code.rows], masks: vec![false; code.masks] };
        blank.rows[code.bias as usize] = field.bias();
        for (rows, values) in code.constants.chunks(LANES).zip(lowered.constants.chunks(LANES)) {
            let words: Vec<Vec<u64>> = values.iter().map(|c| c.to_u64_digits()).collect_vec();
            let mut loaded = [Row::default(); LANES];
            field.load(&mut loaded[..rows.len()], &words.iter().map(Vec::as_slice).collect_vec());
            rows.iter().zip(loaded).for_each(|(row, x)| blank.rows[*row as usize] = x);
        }
        let kernels: Vec<Function> = Kernel::all().map(|kernel| field.function(kernel)).collect_vec();
        let functions = std::array::from_fn(|i| kernels[i]);
        let (inputs, outputs) = (Ports::of_inputs(&program, &code, count), Ports::of_outputs(&program, &code));
        Interleaved { count, field, program, code, inputs, outputs, functions, unit: unit[0], blank, idle: Idle::new() }
    }

    /// Sets the inputs of the values from this vector on.
    fn fill(&self, memory: &mut Memory, batch: &Batch, vector: usize) {
        let Ports { elements, masks, lines } = &self.inputs;
        let each = masks.len() / self.count;
        for (input, mask) in masks.iter().enumerate() {
            memory.masks[*mask as usize] = batch.mask_in(vector + input / each, input % each) & 1 == 1;
        }
        for (copy, lines) in lines.chunks((lines.len() / self.count).max(1)).enumerate() {
            let streams = batch.streams(vector + copy).iter().map(|stream| stream.of::<Lines>());
            let own = |lines: &&Lines| lines.one == self.unit && lines.modulus == *self.program.modulus();
            let arguments: Vec<Option<&Lines>> = streams.map(|lines| lines.filter(own)).collect_vec();
            for (row, stream, index) in lines {
                let argument = arguments.get(*stream as usize).copied().flatten();
                let argument =
                    argument.unwrap_or_else(|| panic!("prepared argument {stream} belongs to another machine"));
                memory.rows[*row as usize] = argument.rows[*index as usize];
            }
        }
        let (mut loaded, each) = ([Row::default(); LANES], elements.len() / self.count);
        for (first, rows) in (0..).step_by(LANES).zip(elements.chunks(LANES)) {
            let values: [&[u64]; LANES] = std::array::from_fn(|i| match rows.get(i) {
                Some(_) => batch.lanes_in(vector + (first + i) / each, (first + i) % each),
                None => &[],
            });
            self.field.load(&mut loaded[..rows.len()], &values[..rows.len()]);
            rows.iter().zip(loaded).for_each(|(row, x)| memory.rows[*row as usize] = x);
        }
    }

    /// Takes the outputs of the values from this vector on.
    fn take(&self, memory: &Memory, batch: &mut Batch, vector: usize) {
        let Ports { elements, masks, lines } = &self.outputs;
        let each = masks.len() / self.count;
        for (output, mask) in masks.iter().enumerate() {
            *batch.mask_out(vector + output / each, output % each) = u64::from(memory.masks[*mask as usize]);
        }
        let (len, each) = (batch.words(), elements.len() / self.count);
        let mut words = vec![0; LANES * len];
        for (first, rows) in (0..).step_by(LANES).zip(elements.chunks(LANES)) {
            let values: [Row; LANES] =
                std::array::from_fn(|i| rows.get(i).map_or_else(Row::default, |row| memory.rows[*row as usize]));
            self.field.store(&mut words[..rows.len() * len], &values[..rows.len()]);
            for (output, words) in (first..).zip(words.chunks(len).take(rows.len())) {
                batch.lanes_out(vector + output / each, output % each).copy_from_slice(words);
            }
        }
        if !lines.is_empty() {
            let rows = lines.iter().map(|(row, ..)| memory.rows[*row as usize]).collect_vec();
            let modulus = self.program.modulus().clone();
            batch.set_uniforms(Uniforms::new(Arc::new(Lines { modulus, one: self.unit, rows })));
        }
    }

    fn execute(&self, memory: &mut Memory) {
        let Code { instructions, lists, .. } = &self.code;
        let (base, context) = (memory.rows.as_mut_ptr(), self.field.context());
        for instruction in instructions {
            match instruction {
                Instruction::Kernel { kernel, list, count } => {
                    // SAFETY: `Code::is_sound` has checked that the list is whole and that its offsets lead to rows of this memory
                    unsafe { self.functions[kernel.number()](base, lists.as_ptr().add(*list), *count, context) };
                }
                Instruction::Invert { x, result } => {
                    memory.rows[*result as usize] = self.field.invert(&memory.rows[*x as usize]);
                }
                Instruction::Select { mask, a, b, result } => {
                    let (a, b) = (memory.rows[*a as usize], memory.rows[*b as usize]);
                    let all = std::hint::black_box(i64::from(memory.masks[*mask as usize])).wrapping_neg();
                    memory.rows[*result as usize] = Row(std::array::from_fn(|j| b.0[j] ^ (a.0[j] ^ b.0[j]) & all));
                }
                Instruction::Test { is_odd, rows, results } => {
                    let x: [Row; LANES] = std::array::from_fn(|i| {
                        rows.get(i).map_or_else(Row::default, |row| memory.rows[*row as usize])
                    });
                    let bits = if *is_odd { self.field.odds(&x) } else { self.field.zeros(&x) };
                    for (i, result) in results.iter().enumerate() {
                        memory.masks[*result as usize] = bits >> i & 1 == 1;
                    }
                }
                Instruction::And { a, b, result } => {
                    memory.masks[*result as usize] = memory.masks[*a as usize] & memory.masks[*b as usize];
                }
                Instruction::Not { a, result } => memory.masks[*result as usize] = !memory.masks[*a as usize],
            }
        }
    }
}

impl Interleaved {
    /// Overwrites everything except constants.
    fn wipe(&self, memory: &mut Memory) {
        memory.rows.iter_mut().for_each(|row| row.0.zeroize());
        memory.masks.iter_mut().for_each(Zeroize::zeroize);
        memory.rows.copy_from_slice(&self.blank.rows);
    }

    /// Runs vectors from this one on, as many at a time as there are copies, and returns the first vector that is left.
    ///
    /// The function has a frame of its own, so that what it leaves on the stack is wiped.
    #[inline(never)]
    fn run(&self, batch: &mut Batch, mut vector: usize) -> usize {
        let wipe = |memory: &mut Memory| self.wipe(memory);
        let mut memory = self.idle.borrow(|| self.blank.clone(), batch.is_secret().then_some(wipe));
        while vector + self.count <= batch.vectors() {
            self.fill(&mut memory, batch, vector);
            self.execute(&mut memory);
            self.take(&memory, batch, vector);
            vector += self.count;
        }
        vector
    }
}

impl Loaded for Executable {
    fn run(&self, batch: &mut Batch) {
        let _wiped = batch.is_secret().then(|| WipedStack);
        let suits = batch.suits(&self.one.program, 1, self.one.program.modulus().bits().div_ceil(64) as usize);
        assert!(suits, "the batch belongs to another program or machine");
        batch.begin();
        let several = if batch.vectors() < COPIES { None } else { self.several.get_or_init(&self.make).as_ref() };
        let left = several.map_or(0, |several| several.run(batch, 0));
        if left < batch.vectors() {
            self.one.run(batch, left);
        }
        batch.end();
    }

    fn together(&self) -> usize {
        COPIES
    }
}
