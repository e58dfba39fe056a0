//! The compiler: from verified programs to images for the processor.
//!
//! * `lower`: translates each routine into operations of the ALU, whose lines `lines` writes; `share`, `form`: sums of
//!   a routine; `unreduced`: the choice of products that are not reduced;
//! * `order`: reorders lines so that few values live at the same time;
//! * `plan`, `flow`: the steps of the plans as blocks and loops;
//! * `schedule`: reorders lines for a processor that executes several instructions at a time;
//! * `allocate`, `settle`: register allocation;
//! * `control`: the control program;
//! * `emit`, `comment`: instructions, and comments on them.

mod allocate;
mod closed;
mod comment;
mod control;
mod digits;
mod emit;
mod flow;
mod form;
mod lines;
mod lower;
mod order;
mod plan;
mod schedule;
mod settle;
mod share;
mod unreduced;

use crate::image::{Constant, Fault, Image, Port};
use crate::machine::{Machine, MachineError};
use allocate::{Allocator, Pressure};
use bilinear_program::{Code, Program};
use flow::Flow;
use lower::Pool;
use std::collections::HashMap;
use thiserror::Error;

/// The names of ports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// The names of the inputs of the first program, in order; a mask is an element that is 0 or 1.
    pub inputs: Vec<String>,
    /// The names of the outputs of the last program.
    pub outputs: Vec<String>,
}

/// The reason why programs cannot be compiled for a machine.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CompileError {
    /// No program is given, the outputs of one are not the inputs of the next, or the numbers of ports and names
    /// differ.
    #[error("{0}")]
    Ports(String),
    /// The ALU has no instruction for an operation.
    #[error("routine `{routine}`: the processor has no instruction for {operation}")]
    Operation {
        /// The routine.
        routine: String,
        /// The operation.
        operation: &'static str,
    },
    /// The machine cannot be built.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// Too many values live at the same time.
    #[error(
        "routine `{routine}`: {live} values are live at a time, but the machine has {registers} registers and does not spill"
    )]
    Registers {
        /// The routine.
        routine: String,
        /// The number of values that live at the same time.
        live: usize,
        /// The number of registers of the machine.
        registers: u32,
    },
    /// The compiled program is larger than a machine can hold.
    #[error(transparent)]
    Image(#[from] Fault),
}

impl CompileError {
    fn operation(routine: &str, code: Code) -> Self {
        CompileError::Operation { routine: routine.to_owned(), operation: code.name() }
    }
}

/// Compiles programs over one field that run in sequence: the outputs of each are the inputs of the next.
///
/// # Errors
/// Returns an error if the programs do not match in sequence, the machine lacks an operation that they need, or it has
/// too few registers.
pub fn compile(programs: &[&Program], names: &Names, machine: &Machine) -> Result<Image, CompileError> {
    let Some(first) = programs.first() else {
        return Err(CompileError::Ports("at least one program is needed".to_owned()));
    };
    machine.verify()?;
    let mut pool = Pool { modulus: first.modulus().clone(), values: vec![] };
    let flow = plan::flow(programs, &mut pool, machine)?;
    link(&flow, &pool, names, machine)
}

/// Assigns places of the memory, compiles, and assembles the image.
fn link(flow: &Flow, pool: &Pool, names: &Names, machine: &Machine) -> Result<Image, CompileError> {
    for (what, ports, names) in
        [("inputs", flow.inputs.len(), names.inputs.len()), ("outputs", flow.outputs.len(), names.outputs.len())]
    {
        if ports != names {
            return Err(CompileError::Ports(format!("{ports} {what}, but {names} names for them")));
        }
    }
    let mut memory = HashMap::new();
    let mut places = 0;
    let mut place = || {
        places += 1;
        places - 1
    };
    let mut image = Image::default();
    let mut used: Vec<u32> =
        flow.nodes.iter().flat_map(flow::Node::reads).chain(flow.outputs.iter().copied()).collect();
    used.retain(|value| *value < flow.constants);
    used.sort_unstable();
    used.dedup();
    for value in used {
        let address = place();
        memory.insert(value, address);
        image.constants.push(Constant { address, value: pool.values[value as usize].clone() });
    }
    for (value, name) in flow.inputs.iter().zip(&names.inputs) {
        let address = place();
        memory.insert(*value, address);
        image.inputs.push(Port { name: name.clone(), address });
    }
    let outputs: Vec<u32> = flow.outputs.iter().map(|_| place()).collect();
    image.outputs = names
        .outputs
        .iter()
        .zip(&outputs)
        .map(|(name, address)| Port { name: name.clone(), address: *address })
        .collect();
    let allocator = Allocator::new(machine, memory, places);
    let compiled = control::compile(allocator, flow, &outputs).map_err(|Pressure { routine, live }| {
        CompileError::Registers { routine: routine.to_owned(), live, registers: machine.registers }
    })?;
    image.memory = compiled.places;
    image.digits = compiled.digits;
    emit::emit(&compiled.items, &mut image);
    comment::places(&mut image, &pool.modulus);
    image.verify()?;
    Ok(image)
}
