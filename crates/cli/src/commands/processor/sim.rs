//! `bilinear sim`: simulates a pairing on the processor and counts its cycles.

use super::options::{MachineArgs, load, pairing, ports};
use super::stage::Stage;
use crate::choice::{CurveSource, PairingChoice, announced};
use crate::commands::Outcome;
use crate::console;
use crate::error::CommandError;
use crate::hex;
use bilinear_engine::{Curve, Engine, Group, Options, Point, System, Validate, gt_order};
use bilinear_field::dispatch;
use bilinear_processor::{Count, Image, Layout, Machine, Operand, Port, Run};
use num_bigint::BigUint;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Simulate a pairing on the pairing processor and count its cycles.
///
/// The pairing is compiled for the processor that the options describe, or read from a program. The simulator executes
/// it over an engine, counts cycles by the model of docs/processor.md, and compares the value with the library's.
///
/// Exit status: 0 if the value equals the library's; 1 if it does not; 2 if the program could not be compiled, or was
/// stopped at an instruction, which the message names.
#[derive(Debug, clap::Args)]
#[command(mut_group("CurveChoice", |group| group.required(false)))]
#[command(after_help = "\
Examples:
  bilinear sim a-512 --registers 32
  bilinear sim --curve bn-258 --power fast --json")]
pub(crate) struct Args {
    /// A shipped curve, as with --curve
    #[arg(value_name = "CURVE", conflicts_with = "CurveChoice")]
    name: Option<String>,
    #[command(flatten)]
    curve: CurveSource,
    #[command(flatten)]
    pairing: PairingChoice,
    #[command(flatten)]
    machine: MachineArgs,
    /// Run this program instead: text, or words if the name ends in .json.
    ///
    /// Its ports must have the names that `bilinear asm` gives them.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// The point P in hexadecimal (default: a fixed point).
    ///
    /// The point is x and y, or compressed. It must not be the point at infinity.
    #[arg(long, value_name = "HEX")]
    p: Option<String>,
    /// The point Q, in the same form as P (default: a fixed point)
    #[arg(long, value_name = "HEX")]
    q: Option<String>,
    /// The engine in whose field the simulator computes: mont, ifma, portable, hmm, rns or reference
    #[arg(long, value_name = "NAME", default_value_t = Engine::Mont, value_parser = field)]
    engine: Engine,
    /// The most instructions that may be executed
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    limit: u64,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

/// Parses the name of an engine, which must have a field for the simulator to compute in.
fn field(name: &str) -> Result<Engine, String> {
    match name.parse::<Engine>().map_err(|error| error.to_string())? {
        engine if engine.is_field() => Ok(engine),
        engine => Err(format!(
            "{engine} has no field for the simulator to compute in: choose one of mont, ifma, portable, hmm, rns, reference"
        )),
    }
}

#[derive(Serialize)]
struct Report {
    curve: String,
    pairing: String,
    power: String,
    engine: &'static str,
    /// The number of cycles of one pairing.
    cycles: u64,
    /// The number of instructions executed.
    executed: u64,
    /// The size of the program: the number of instructions, the bits of each, and the digits of the shift
    /// register.
    instructions: usize,
    word_bits: u32,
    digits: usize,
    /// The number of registers that the program uses, and the number of registers.
    registers_used: usize,
    registers: u32,
    /// The number of wide registers that the program uses, and the number of wide registers.
    wide_used: usize,
    wide: u32,
    /// The number of places of the data memory, including constants and ports.
    memory: u32,
    constants: usize,
    by_instruction: Vec<Part>,
    by_routine: Vec<Part>,
    /// The value, encoded as in tables.
    value: String,
    /// True if the value equals the library's.
    equal: bool,
}

#[derive(Serialize)]
struct Part {
    name: String,
    executed: u64,
    cycles: u64,
}

impl Part {
    fn new(name: impl ToString, count: Count) -> Self {
        Part { name: name.to_string(), executed: count.executed, cycles: count.cycles }
    }
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the curve does not have the pairing, or if the program cannot be compiled or read, or is
/// stopped.
pub(crate) fn run(args: &Args) -> Result<Outcome, CommandError> {
    let curve = match &args.name {
        Some(name) => Curve::named(name)?,
        None if !args.curve.is_made() => {
            return Err(CommandError::Usage("name a CURVE, or choose a curve by --curve or --params".to_owned()));
        }
        None => args.curve.load()?,
    };
    let options = Options { pairing: args.pairing.kind, power: args.pairing.power, ..Options::default() };
    let machine = args.machine.machine(&curve)?;
    let image = match &args.program {
        Some(path) => loaded(path, &machine)?,
        None => pairing(&curve, options, &machine)?,
    };
    let system = announced(&curve, options)?;
    let p = point(&system, Group::G1, args.p.as_deref())?;
    let q = point(&system, Group::G2, args.q.as_deref())?;
    let modulus = curve.family().field();
    let len = modulus.bits().div_ceil(8) as usize;
    let bytes = [p.bytes(), q.bytes()].map(Option::unwrap_or_default).concat();
    let coordinates: Vec<BigUint> = bytes.chunks(len).map(BigUint::from_bytes_be).collect();
    let order = gt_order(&curve, options).map_err(|error| CommandError::Engine(error.to_string()))?;
    let names = ports(coordinates.len(), order.len());
    let of_program = |reason: String| match &args.program {
        Some(path) => format!("{}: {reason}", path.display()),
        None => reason,
    };
    let refuse = |reason| CommandError::Usage(of_program(reason));
    let inputs = named(&image.inputs, &names.inputs, &coordinates).map_err(refuse)?;
    let outputs = named(&image.outputs, &names.outputs, &order).map_err(refuse)?;
    let stage = Stage { image: &image, machine: &machine, inputs: &inputs, limit: args.limit };
    let ran = dispatch(args.engine, modulus, stage).map_err(|error| CommandError::Engine(error.to_string()))?;
    let ran = ran.map_err(|trap| CommandError::Engine(of_program(trap.to_string())))?;
    let value = value(&ran.outputs, &outputs, len * order.len(), len);
    let equal = value == system.pair(&p, &q).bytes();
    let report = Report::new(&system, args.engine, &machine, &image, &ran, value, equal);
    let text = if args.json { console::json(&report)? } else { report.text() };
    console::print(text)?;
    Ok(if equal { Outcome::Good } else { Outcome::RowErrors })
}

/// Loads a program that the processor has enough registers for.
fn loaded(path: &Path, machine: &Machine) -> Result<Image, CommandError> {
    let image = load(path)?;
    for (option, needed, there) in
        [("--registers", image.registers, machine.registers), ("--wide", image.wide, machine.wide)]
    {
        if needed > there {
            let reason = format!("the program needs {option} {needed}, not {there}");
            return Err(CommandError::Usage(format!("{}: {reason}", path.display())));
        }
    }
    Ok(image)
}

/// Selects from the items of a pairing's ports those of a program's ports, by name.
fn named<T: Clone>(ports: &[Port], names: &[String], all: &[T]) -> Result<Vec<T>, String> {
    let of = |port: &Port| {
        let found = names.iter().zip(all).find(|(name, _)| **name == port.name);
        found
            .map(|(_, one)| one.clone())
            .ok_or_else(|| format!("the program's port {}: the pairing has {}", port.name, names.join(", ")))
    };
    ports.iter().map(of).collect()
}

/// Decodes the point in a text; without a text it is a fixed point.
fn point(system: &System, group: Group, text: Option<&str>) -> Result<Point, CommandError> {
    let option = if group == Group::G1 { "--p" } else { "--q" };
    let refuse = |reason: String| CommandError::Usage(format!("{option}: {reason}"));
    let Some(text) = text else {
        return system.hash_to_curve(group, b"bilinear sim", b"BILINEAR-SIM-V01").map_err(|e| refuse(e.to_string()));
    };
    let bytes = match text {
        "inf" => vec![0; system.point_len(group)],
        _ => hex::decode(text).map_err(|error| refuse(error.to_string()))?,
    };
    let decoded = system.decode(group, system.point_ref(group, None, &bytes), Validate::Subgroup);
    match decoded.map_err(|error| refuse(error.to_string()))? {
        point if point.is_infinity() => {
            Err(refuse("the processor takes coordinates, and the point at infinity has none".to_owned()))
        }
        point => Ok(point),
    }
}

/// Returns the name of a routine as it is printed. Instructions in no routine are those that call the routines.
fn routine(name: &str) -> &str {
    if name.is_empty() { "(in no routine)" } else { name }
}

/// Encodes a value of `all` bytes, with `len` bytes for each coefficient. Coefficients that the program does
/// not output are 0.
fn value(outputs: &[BigUint], places: &[usize], all: usize, len: usize) -> Vec<u8> {
    let mut bytes = vec![0; all];
    for (x, place) in outputs.iter().zip(places) {
        let digits = x.to_bytes_be();
        bytes[(place + 1) * len - digits.len()..(place + 1) * len].copy_from_slice(&digits);
    }
    bytes
}

impl Report {
    fn new(
        system: &System,
        engine: Engine,
        machine: &Machine,
        image: &Image,
        ran: &Run<BigUint>,
        value: Vec<u8>,
        equal: bool,
    ) -> Self {
        let used = |is_kind: fn(Operand) -> bool| {
            let operands = image.instructions.iter().flat_map(|instruction| instruction.operands());
            let registers = operands.filter(|(kind, _)| is_kind(*kind));
            registers.map(|(_, register)| register).collect::<BTreeSet<u32>>().len()
        };
        let mut by_instruction: Vec<Part> =
            ran.counts.iter().map(|(opcode, count)| Part::new(opcode, *count)).collect();
        let mut by_routine: Vec<Part> =
            ran.routines(image).into_iter().map(|(name, count)| Part::new(routine(name), count)).collect();
        for parts in [&mut by_instruction, &mut by_routine] {
            parts.sort_by_key(|part| std::cmp::Reverse(part.cycles));
        }
        Report {
            curve: system.curve().name().to_owned(),
            pairing: system.pairing().to_string(),
            power: system.power().to_string(),
            engine: engine.name(),
            cycles: ran.cycles,
            executed: ran.executed,
            instructions: image.instructions.len(),
            word_bits: Layout::of(image).word(),
            digits: image.digits.len(),
            registers_used: used(Operand::is_register),
            registers: machine.registers,
            wide_used: used(Operand::is_wide),
            wide: machine.wide,
            memory: image.memory,
            constants: image.constants.len(),
            by_instruction,
            by_routine,
            value: hex::encode(&value),
            equal,
        }
    }

    fn text(&self) -> String {
        let Report { curve, pairing, power, cycles, executed, .. } = self;
        let mut text =
            format!("{curve}, {pairing}, {power} power; cycles: {cycles}, instructions executed: {executed}\n");
        let wide = match self.wide {
            0 => String::new(),
            wide => format!(", wide registers: {} of {wide}", self.wide_used),
        };
        let _ = writeln!(
            text,
            "program: instructions: {}, bits of a word: {}, digits: {}, registers: {} of {}{wide}, places of the memory: {}, constants: {}",
            self.instructions,
            self.word_bits,
            self.digits,
            self.registers_used,
            self.registers,
            self.memory,
            self.constants
        );
        for (title, parts) in [("instruction", &self.by_instruction), ("routine", &self.by_routine)] {
            let _ = writeln!(text, "\n{:>12}{:>12}  {title}", "executed", "cycles");
            for Part { name, executed, cycles } in parts {
                let _ = writeln!(text, "{executed:>12}{cycles:>12}  {name}");
            }
        }
        let equal = if self.equal { "equal to the library's" } else { "NOT the library's" };
        let _ = writeln!(text, "\nvalue, {equal}: {}", self.value);
        text
    }
}
