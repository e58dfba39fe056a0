//! The arguments that describe a processor, and programs for it.

use crate::error::CommandError;
use crate::text_lines;
use bilinear_engine::{CostModel, Curve, Options, Program, programs};
use bilinear_processor::{Alu, Form, Image, Issue, Machine, Names, Object, Reduction, assemble, compile};
use std::path::Path;

/// The most bytes of a program file: 128 for each instruction of the longest program.
const MAX_PROGRAM: u64 = 1 << 27;

/// A method of reducing products.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ReductionName {
    Montgomery,
    FiveStage,
    Polynomial,
}

/// The configuration of a processor.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct MachineArgs {
    /// The depth of the register file
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(2..=1024))]
    registers: u32,
    /// The number of bits of a limb, W
    #[arg(long, value_name = "BITS", default_value_t = 17, value_parser = clap::value_parser!(u32).range(2..=64))]
    limb: u32,
    /// The number of generators of partial products, g
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=64))]
    generators: u32,
    /// The method of reducing products.
    ///
    /// `polynomial` is for BN curves with a seed 2^m + s, m from 22 to 63, s odd and below 2^12, such as bn-258. The
    /// digits then have --limb bits, from 7 to half of m + 1.
    #[arg(long, value_name = "KIND", default_value_t = ReductionName::Montgomery, value_enum)]
    reduction: ReductionName,
    /// Let sums execute in parallel with products
    #[arg(long)]
    beside: bool,
    /// Like --beside, and start a product every N cycles.
    ///
    /// The multiplier can start a product every N cycles, and the rest of the processor one instruction every cycle.
    /// The hardware does so with --reduction polynomial, --limb 32 and N = 8.
    #[arg(long, value_name = "N", conflicts_with = "beside", value_parser = clap::value_parser!(u32).range(1..))]
    pipelined: Option<u32>,
    /// The number of wide registers, which hold unreduced sums of products.
    ///
    /// Wide registers need --reduction montgomery, without --beside or --pipelined, and an even number of --registers.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=1024))]
    wide: u32,
    /// Reject programs that need more registers, instead of spilling values to the data memory
    #[arg(long)]
    no_spill: bool,
    /// Unroll all loops
    #[arg(long)]
    flat: bool,
}

impl MachineArgs {
    /// Returns the processor for a curve.
    ///
    /// # Errors
    /// Returns an error if the reduction cannot be used with the curve, or if there is no such hardware.
    pub(crate) fn machine(&self, curve: &Curve) -> Result<Machine, CommandError> {
        if curve.is_for_research() {
            let reason = "the processor computes modulo primes only";
            return Err(CommandError::Usage(format!("{}: {reason}", curve.name())));
        }
        let p = curve.family().field();
        let reduction = match self.reduction {
            ReductionName::Montgomery => Reduction::Montgomery,
            ReductionName::FiveStage => Reduction::FiveStage,
            ReductionName::Polynomial => Reduction::Polynomial,
        };
        let issue = match (self.beside, self.pipelined) {
            (_, Some(product)) => Issue::Pipelined { product },
            (true, None) => Issue::Beside,
            (false, None) => Issue::Serial,
        };
        let alu = Alu { bits: p.bits() as u32, limb: self.limb, generators: self.generators, reduction };
        if reduction == Reduction::Polynomial && Form::new(&alu, p).is_none() {
            let needed = "--reduction polynomial needs a seed 2^m + s with m from 22 to 63, and s odd and below 2^12";
            return Err(CommandError::Usage(format!("{}: {needed}", curve.name())));
        }
        let (spill, loops) = (!self.no_spill, !self.flat);
        let machine = Machine { alu, issue, registers: self.registers, spill, loops, wide: self.wide };
        machine.verify().map_err(|error| CommandError::Usage(format!("{}: {error}", curve.name())))?;
        Ok(machine)
    }
}

/// Names the ports of a pairing. `coordinates` is the number of coordinates of P and Q in the base field, of
/// which P has two. `values` is the number of coefficients of the value.
pub(crate) fn ports(coordinates: usize, values: usize) -> Names {
    let coefficients = |name: &str, count: usize| match count {
        1 => vec![name.to_owned()],
        _ => (0..count).map(|i| format!("{name}{i}")).collect(),
    };
    let degree = coordinates.saturating_sub(2) / 2;
    let inputs =
        [coefficients("P.x", 1), coefficients("P.y", 1), coefficients("Q.x", degree), coefficients("Q.y", degree)];
    Names { inputs: inputs.concat(), outputs: coefficients("e", values) }
}

/// Compiles the pairing of a curve. The inputs of the program are the coordinates of P and Q, and its outputs
/// are the coefficients of the value.
///
/// # Errors
/// Returns an error if the curve does not have the pairing, or if the processor cannot hold the program.
pub(crate) fn pairing(curve: &Curve, options: Options, machine: &Machine) -> Result<Image, CommandError> {
    let options = Options { cost_model: Some(CostModel { inversion: machine.inversion() }), ..options };
    let all = programs(curve, options).map_err(|error| CommandError::Engine(error.to_string()))?;
    // the Miller loop and the final exponentiation
    let both: Vec<&Program> = all.iter().take(2).map(|(_, program)| &**program).collect();
    let coordinates = both.first().map_or(0, |miller| miller.inputs().len());
    let values = both.last().map_or(0, |last| last.outputs().len());
    compile(&both, &ports(coordinates, values), machine)
        .map_err(|error| CommandError::Engine(format!("{}: {error}", curve.name())))
}

/// Loads a program from a file: text, or words if the file's name ends in `.json`.
///
/// # Errors
/// Returns an error if the program cannot be read, is too long, or cannot run.
pub(crate) fn load(path: &Path) -> Result<Image, CommandError> {
    let text = text_lines::whole(path, MAX_PROGRAM, "a program")?;
    let file = || path.display().to_string();
    let damaged = |format: &'static str, reason: String| CommandError::Damaged { file: file(), format, reason };
    if is_words(path) {
        let object: Object = serde_json::from_str(&text).map_err(|error| damaged("JSON", error.to_string()))?;
        object.image().map_err(|error| damaged("program", error.to_string()))
    } else {
        assemble(&text).map_err(|error| damaged("program", error.to_string()))
    }
}

/// Returns true if the file's name says that it holds words.
pub(crate) fn is_words(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}
