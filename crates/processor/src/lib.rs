//! A processor for pairings: a register file of field elements, an ALU over F_p, and the control flow of a Miller loop.
//!
//! The instruction set is defined by data, the file `isa.toml`. The words of a program ([`Layout`]), its text
//! ([`assemble`], [`disassemble`]) and the simulator ([`simulate`]) follow from it. The simulator executes a program
//! over any engine and counts cycles by a stated model of the ALU ([`Alu`]). Branches do not depend on field elements:
//! loops count ([`Opcode::Load`], [`Opcode::Jdec`]), or follow the digits in a circular shift register
//! ([`Opcode::Jsr`]).
//!
//! ```
//! use bilinear_field::{Field, Lanes, Prime, mont::Mont};
//! use bilinear_processor::{Alu, Reduction, assemble, simulate};
//! use num_bigint::BigUint;
//!
//! let image = assemble(
//!     "
//!     .registers 1
//!     .memory 1
//!     .input x 0
//!     .output y 0
//!         ld r0, m0
//!         load 3
//!     again:
//!         sqr r0, r0      ; x^2, x^4, x^8
//!         jdec again
//!         st r0, m0
//!         halt
//!     ",
//! )?;
//! let f = Mont::<1>::new(&BigUint::from(1_000_003u32))?;
//! let alu = Alu { bits: 20, limb: 16, generators: 2, reduction: Reduction::Montgomery };
//! let run = simulate(&f, &image, &[f.constant(&BigUint::from(2u32))], &alu, 100)?;
//! assert_eq!(f.value(&run.outputs[0], 0), BigUint::from(256u32));
//! assert_eq!(run.counts.iter().map(|(_, count)| count.cycles).sum::<u64>(), run.cycles);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assemble;
mod clock;
mod compile;
mod disassemble;
mod form;
mod hex;
mod image;
mod isa;
mod layout;
mod machine;
mod model;
mod object;
mod simulate;

pub use assemble::{AssemblyError, assemble};
pub use clock::Issue;
pub use compile::{CompileError, Names, compile};
pub use disassemble::disassemble;
pub use form::Form;
pub use image::{Comment, Constant, Fault, Image, Port, Section};
pub use isa::{CostClass, Entry, Instruction, Isa, Opcode, Operand, isa};
pub use layout::{Layout, LayoutError, WordError};
pub use machine::{Machine, MachineError};
pub use model::{Alu, Reduction};
pub use object::{Object, ObjectError};
pub use simulate::{Count, Run, Step, Trap, simulate, simulate_on, trace};
