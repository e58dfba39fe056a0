//! The simulator: executes a program over any engine, and counts its cycles.
//!
//! The ALU computes modulo p in the engine's own representation of residues; the results of a program do not depend on
//! it. On an engine with lanes the program runs in all lanes at once.

use crate::clock::{Clock, Issue, Span};
use crate::image::{Fault, Image};
use crate::isa::{Instruction, Opcode, Operand};
use crate::machine::Machine;
use crate::model::Alu;
use bilinear_field::{Blank, Prime, minus, plus};
use num_bigint::BigUint;
use std::collections::{BTreeMap, HashMap};
use thiserror::Error;

/// The reason why a program did not end properly.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Trap {
    /// The image is not valid.
    #[error(transparent)]
    Image(#[from] Fault),
    /// The number of inputs differs from the number of ports.
    #[error("the numbers of inputs and of the input ports of the program differ: {given} and {ports}")]
    Inputs {
        /// The number of values that were given.
        given: usize,
        /// The number of input ports.
        ports: usize,
    },
    /// A register or a place of the memory is read before it is written.
    #[error("instruction {number}, `{text}`: {place} is read before it is written")]
    Unwritten {
        /// The instruction's number.
        number: usize,
        /// The instruction.
        text: String,
        /// The register or the place of the memory that is read.
        place: String,
    },
    /// The counter is decremented before it is loaded, or below 0.
    #[error("instruction {number}, `{text}`: the counter is 0")]
    Counter {
        /// The instruction's number.
        number: usize,
        /// The instruction.
        text: String,
    },
    /// The program continues after its last instruction.
    #[error("the program runs past its last instruction, {0}, without a halt")]
    End(usize),
    /// The program takes too long.
    #[error(
        "instruction {number}, `{text}`: the program has not ended, and the limit of executed instructions is {limit}"
    )]
    Limit {
        /// The next instruction's number.
        number: usize,
        /// The next instruction.
        text: String,
        /// The largest number of instructions that was allowed.
        limit: u64,
    },
    /// An output was never written.
    #[error("output {name} at m{address} is never written")]
    Output {
        /// The name of the port.
        name: String,
        /// The address of the port.
        address: u32,
    },
}

/// The executions of an instruction, or of several, and their cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// The number of executions.
    pub executed: u64,
    /// The total number of cycles of these executions.
    pub cycles: u64,
}

/// The result of running a program.
#[derive(Clone, Debug)]
pub struct Run<E> {
    /// The outputs, in the order of their ports.
    pub outputs: Vec<E>,
    /// The number of instructions that were executed.
    pub executed: u64,
    /// The total number of cycles.
    pub cycles: u64,
    /// The executions by opcode, for each opcode that occurred.
    pub counts: BTreeMap<Opcode, Count>,
    /// The executions of each instruction of the program, by its number.
    pub visits: Vec<Count>,
}

impl<E> Run<E> {
    /// Returns the executions of each routine by name, in the order of their first sections; instructions outside
    /// routines have an empty name.
    pub fn routines<'i>(&self, image: &'i Image) -> Vec<(&'i str, Count)> {
        let mut routines: Vec<(&str, Count)> = vec![];
        let mut places: HashMap<&str, usize> = HashMap::new();
        let (mut sections, mut name) = (image.sections.iter().peekable(), "");
        for (number, visits) in (0..).zip(&self.visits) {
            while let Some(section) = sections.next_if(|section| section.from <= number) {
                name = &section.name;
            }
            let place = *places.entry(name).or_insert(routines.len());
            if place == routines.len() {
                routines.push((name, Count::default()));
            }
            routines[place].1.executed += visits.executed;
            routines[place].1.cycles += visits.cycles;
        }
        routines
    }
}

/// Executes a program on these inputs, which are in the order of their ports.
///
/// # Errors
/// Returns an error if the image is not valid, at an instruction that cannot be executed, or at the instruction after
/// `limit` others.
pub fn simulate<F: Prime>(
    f: &F,
    image: &Image,
    inputs: &[F::Elem],
    alu: &Alu,
    limit: u64,
) -> Result<Run<F::Elem>, Trap> {
    execute(f, image, inputs, Clock::new(Issue::Serial, *alu, 0), limit, |_| ())
}

/// Executes a program like [`simulate`], on a machine that may execute several instructions at a time: the cycles of an
/// instruction are the cycles by which it delays the end of all instructions so far.
///
/// # Errors
/// Returns an error where [`simulate`] does, or if the program has more registers than the machine.
pub fn simulate_on<F: Prime>(
    f: &F,
    image: &Image,
    inputs: &[F::Elem],
    machine: &Machine,
    limit: u64,
) -> Result<Run<F::Elem>, Trap> {
    trace(f, image, inputs, machine, limit, |_| ())
}

/// An instruction that has been executed.
#[derive(Debug)]
pub struct Step<'s, E> {
    /// The number of the instruction.
    pub number: usize,
    /// The instruction.
    pub instruction: &'s Instruction,
    /// The element that the instruction wrote into a register or a place of the memory, if any.
    pub written: Option<&'s E>,
    /// The cycle in which the instruction begins; the first cycle is 0.
    pub begin: u64,
    /// The number of cycles from its beginning to its end.
    pub cycles: u64,
}

/// Executes a program like [`simulate_on`], and calls `each` after every executed instruction.
///
/// # Errors
/// Returns an error where [`simulate_on`] does.
pub fn trace<F: Prime>(
    f: &F,
    image: &Image,
    inputs: &[F::Elem],
    machine: &Machine,
    limit: u64,
    each: impl FnMut(&Step<'_, F::Elem>),
) -> Result<Run<F::Elem>, Trap> {
    if image.registers > machine.registers {
        let fault = Fault::Size { what: "registers", number: image.registers as usize, most: machine.registers };
        return Err(fault.into());
    }
    if image.wide > machine.wide {
        return Err(Fault::Size { what: "wide registers", number: image.wide as usize, most: machine.wide }.into());
    }
    let clock = Clock::new(machine.issue, machine.alu, machine.registers);
    execute(f, image, inputs, clock, limit, each)
}

fn execute<F: Prime>(
    f: &F,
    image: &Image,
    inputs: &[F::Elem],
    mut clock: Clock,
    limit: u64,
    mut each: impl FnMut(&Step<'_, F::Elem>),
) -> Result<Run<F::Elem>, Trap> {
    image.verify()?;
    if image.wide > 0 && !clock.has_wide() {
        return Err(Fault::Size { what: "wide registers", number: image.wide as usize, most: 0 }.into());
    }
    if inputs.len() != image.inputs.len() {
        return Err(Trap::Inputs { given: inputs.len(), ports: image.inputs.len() });
    }
    let mut state = State::new(f, image, inputs);
    let mut counts: BTreeMap<Opcode, Count> = BTreeMap::new();
    let mut visits = vec![Count::default(); image.instructions.len()];
    let (mut executed, mut next) = (0, Some(0));
    while let Some(number) = next {
        let Some(instruction) = image.instructions.get(number) else {
            return Err(Trap::End(number.saturating_sub(1)));
        };
        if executed == limit {
            return Err(Trap::Limit { number, text: instruction.to_string(), limit });
        }
        next = state.step(number, instruction)?;
        executed += 1;
        let span = clock.execute(instruction);
        for count in [counts.entry(instruction.opcode).or_default(), &mut visits[number]] {
            count.executed += 1;
            count.cycles += span.moves;
        }
        let Span { begin, cycles, .. } = span;
        each(&Step { number, instruction, written: state.written(instruction), begin, cycles });
    }
    let outputs = image.outputs.iter().map(|port| {
        let written = state.memory.get(&port.address).cloned();
        written.ok_or_else(|| Trap::Output { name: port.name.clone(), address: port.address })
    });
    let outputs = outputs.collect::<Result<_, _>>()?;
    let cycles = counts.values().map(|count| count.cycles).sum();
    Ok(Run { outputs, executed, cycles, counts, visits })
}

/// The state that instructions can read or write.
struct State<'f, F: Prime> {
    f: &'f F,
    half: F::Elem,
    registers: Vec<Option<F::Elem>>,
    /// The residues of the unreduced sums in wide registers.
    wide: Vec<Option<F::Elem>>,
    /// The places of the data memory that were written.
    memory: HashMap<u32, F::Elem>,
    counter: u32,
    digits: &'f [bool],
    /// The index of the digit at the top of the shift register.
    top: usize,
}

impl<'f, F: Prime> State<'f, F> {
    fn new(f: &'f F, image: &'f Image, inputs: &[F::Elem]) -> Self {
        let constants = image.constants.iter().map(|c| (c.address, f.constant(&(&c.value % f.modulus()))));
        let inputs = image.inputs.iter().zip(inputs).map(|(port, value)| (port.address, value.clone()));
        let memory = constants.chain(inputs).collect();
        let half = f.constant(&((f.modulus() + BigUint::from(1u32)) >> 1));
        let registers = vec![None; image.registers as usize];
        let wide = vec![None; image.wide as usize];
        State { f, half, registers, wide, memory, counter: 0, digits: &image.digits, top: 0 }
    }

    /// Returns the element that an instruction wrote, which must just have been executed.
    fn written(&self, instruction: &Instruction) -> Option<&F::Elem> {
        match (instruction.opcode, instruction.operands().next()) {
            (Opcode::St, _) => self.memory.get(&instruction.operands[1]),
            (_, Some((Operand::Destination, register))) => self.registers[register as usize].as_ref(),
            _ => None,
        }
    }

    /// Executes one instruction; returns the number of the next, or `None` at a halt.
    fn step(&mut self, number: usize, instruction: &Instruction) -> Result<Option<usize>, Trap> {
        let [x, y, z] = instruction.operands;
        let mut out = F::Elem::blank();
        let f = self.f;
        let read = |written: Option<&F::Elem>, name: char, place: u32| {
            written.cloned().ok_or_else(|| Trap::Unwritten {
                number,
                text: instruction.to_string(),
                place: format!("{name}{place}"),
            })
        };
        let register = |place: u32| read(self.registers[place as usize].as_ref(), 'r', place);
        let wide = |place: u32| read(self.wide[place as usize].as_ref(), 'w', place);
        let following = Some(number + 1);
        match instruction.opcode {
            // sums are lazy on some engines: a sum computed as a form is closed
            Opcode::Add => f.sum(&mut out, &[plus(&register(y)?), plus(&register(z)?)]),
            Opcode::Sub => f.sum(&mut out, &[plus(&register(y)?), minus(&register(z)?)]),
            Opcode::Neg => f.sum(&mut out, &[minus(&register(y)?)]),
            Opcode::Copy => out = register(y)?,
            Opcode::Halve => f.mul(&mut out, &register(y)?, &self.half),
            Opcode::Mul => f.mul(&mut out, &register(y)?, &register(z)?),
            Opcode::Sqr => f.sqr(&mut out, &register(y)?),
            Opcode::Inv => f.inv(&mut out, &register(y)?),
            Opcode::IsZero => f.select(&mut out, f.is_zero(&register(y)?), &f.one(), &f.zero()),
            Opcode::WMul => f.mul(&mut out, &register(y)?, &register(z)?),
            Opcode::WMac | Opcode::WMsc => {
                let mut product = F::Elem::blank();
                f.mul(&mut product, &register(y)?, &register(z)?);
                let product = if instruction.opcode == Opcode::WMac { plus(&product) } else { minus(&product) };
                f.sum(&mut out, &[plus(&wide(x)?), product]);
            }
            Opcode::WAdd => f.sum(&mut out, &[plus(&wide(y)?), plus(&wide(z)?)]),
            Opcode::WSub => f.sum(&mut out, &[plus(&wide(y)?), minus(&wide(z)?)]),
            Opcode::WRed => out = wide(y)?,
            Opcode::Ld => out = read(self.memory.get(&y), 'm', y)?,
            Opcode::St => {
                self.memory.insert(y, register(x)?);
                return Ok(following);
            }
            Opcode::Jump => return Ok(Some(x as usize)),
            Opcode::Load => {
                self.counter = x;
                return Ok(following);
            }
            Opcode::Jdec => {
                let left = self.counter.checked_sub(1);
                self.counter = left.ok_or_else(|| Trap::Counter { number, text: instruction.to_string() })?;
                return Ok(if self.counter == 0 { following } else { Some(x as usize) });
            }
            Opcode::Jsr => {
                let digit = self.digits[self.top];
                self.top = (self.top + 1) % self.digits.len();
                return Ok(if digit { Some(x as usize) } else { following });
            }
            Opcode::Halt => return Ok(None),
        }
        let is_wide = instruction.operands().next().is_some_and(|(kind, _)| kind.is_wide());
        let written = if is_wide { &mut self.wide } else { &mut self.registers };
        written[x as usize] = Some(out);
        Ok(following)
    }
}
