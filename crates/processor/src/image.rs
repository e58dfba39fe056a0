//! The image of a program: its instructions and everything that they start from, that is, constants, ports, and the
//! digits of its loops.

use crate::isa::{Instruction, Operand};
use num_bigint::BigUint;
use std::collections::HashSet;
use thiserror::Error;

/// The largest number of registers of a machine: 2^10.
pub(crate) const REGISTERS: u32 = 1 << 10;
/// The largest numbers of places of the data memory, of instructions, and of digits: 2^20.
pub(crate) const MEMORY: u32 = 1 << 20;

/// An element that is in the data memory from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// The address of the element.
    pub address: u32,
    /// The residue modulo p.
    pub value: BigUint,
}

/// An element of the data memory that the host writes or reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// The name of the port: letters, digits, `_`, `.` and `-`.
    pub name: String,
    /// The address of the element.
    pub address: u32,
}

/// The beginning of a routine's code, which extends to the next section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The number of the first instruction.
    pub from: u32,
    /// The name of the routine; one line.
    pub name: String,
}

/// A comment on an instruction, for human readers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The number of the instruction.
    pub at: u32,
    /// A line of text.
    pub text: String,
}

/// A program and its data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// The number of registers that the program uses.
    pub registers: u32,
    /// The number of wide registers that the program uses.
    pub wide: u32,
    /// The number of places of the data memory that the program uses.
    pub memory: u32,
    /// The initial content of the memory.
    pub constants: Vec<Constant>,
    /// The elements that the host writes before the program starts.
    pub inputs: Vec<Port>,
    /// The elements that the host reads when the program has ended.
    pub outputs: Vec<Port>,
    /// The digits of the shift register: the digit that leaves first comes first.
    pub digits: Vec<bool>,
    /// The program, which begins at its first instruction.
    pub instructions: Vec<Instruction>,
    /// The routines to which the instructions belong, from the first instruction on. The processor does not see them.
    pub sections: Vec<Section>,
    /// The comments, at most one for an instruction, in the order of the instructions. The processor does not see them.
    pub comments: Vec<Comment>,
}

/// The reason why an image cannot run on any machine.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The program asks for more than there can be.
    #[error("the number of {what} is {number}; the limit is {most}")]
    Size {
        /// The resource.
        what: &'static str,
        /// The requested number.
        number: usize,
        /// The largest possible number.
        most: u32,
    },
    /// An operand is out of range.
    #[error("instruction {number}, `{text}`: {what} {value} is not below {most}")]
    Operand {
        /// The instruction's number.
        number: usize,
        /// The instruction.
        text: String,
        /// The kind of the operand.
        what: &'static str,
        /// The operand.
        value: u32,
        /// The number of available items of this kind.
        most: u32,
    },
    /// A count is 0.
    #[error("instruction {number}, `{text}`: the count is 0")]
    Count {
        /// The instruction's number.
        number: usize,
        /// The instruction.
        text: String,
    },
    /// The shift register is read although it has no digits.
    #[error("instruction {number}, `{text}`: the program has no digits")]
    Digits {
        /// The instruction's number.
        number: usize,
        /// The instruction.
        text: String,
    },
    /// A port or constant is outside the memory.
    #[error("{what} at m{address}: the address is not below {most}")]
    Address {
        /// "a constant", or the name of a port.
        what: String,
        /// The requested address.
        address: u32,
        /// The number of places of the memory.
        most: u32,
    },
    /// Two inputs or constants share a place, or two inputs or two outputs share a name.
    #[error("{what} is given twice")]
    Twice {
        /// The place or the name.
        what: String,
    },
    /// A section is not valid: sections begin in order, at instructions, and have names of one line.
    #[error(
        "routine {} from instruction {from}: routines must have a name of one line, without control characters, and begin at \
         instructions, in order", quoted(.name)
    )]
    Section {
        /// The name of the section.
        name: String,
        /// The section's first instruction.
        from: u32,
    },
    /// A comment is not valid: comments are lines of text, at most one for an instruction, in order.
    #[error(
        "comment {} of instruction {at}: comments must be single lines without control characters, at most one per instruction, \
         in order", quoted(.text)
    )]
    Comment {
        /// The text of the comment.
        text: String,
        /// The instruction of the comment.
        at: u32,
    },
    /// The name of a port is not one that the assembler could read.
    #[error("{} is not a port name: only letters, digits, _, . and - are allowed", quoted(.name))]
    Name {
        /// The name of the port.
        name: String,
    },
    /// The program has no instructions.
    #[error("the program has no instructions")]
    Empty,
}

/// The part of an image that is at fault; parts of a list by their index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The size that this directive sets.
    Size(&'static str),
    Instruction(usize),
    Section(usize),
    Constant(usize),
    Input(usize),
    Output(usize),
    Whole,
}

/// Returns a text as errors quote it: escaped, and without what follows its first 40 characters.
pub(crate) fn quoted(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// Returns true if a text is one line that a terminal shows as it is: without control characters other than tabs, and
/// without spaces around it.
fn is_line(text: &str) -> bool {
    text.trim() == text && !text.is_empty() && !text.contains(|c: char| c.is_control() && c != '\t')
}

impl Image {
    /// Verifies that every operand points at something and every port has a place.
    ///
    /// # Errors
    /// Returns the first fault that is found.
    pub fn verify(&self) -> Result<(), Fault> {
        self.check().map_err(|(_, fault)| fault)
    }

    /// Verifies the image like [`Image::verify`], and also tells which part is at fault.
    pub(crate) fn check(&self) -> Result<(), (Part, Fault)> {
        let sizes = [
            (Part::Size("registers"), "registers", self.registers as usize, REGISTERS),
            (Part::Size("wide"), "wide registers", self.wide as usize, REGISTERS),
            (Part::Size("memory"), "places of the memory", self.memory as usize, MEMORY),
            (Part::Size("digits"), "digits", self.digits.len(), MEMORY),
            (Part::Instruction(MEMORY as usize), "instructions", self.instructions.len(), MEMORY),
        ];
        for (part, what, number, most) in sizes {
            if number > most as usize {
                return Err((part, Fault::Size { what, number, most }));
            }
        }
        for (number, instruction) in self.instructions.iter().enumerate() {
            self.verify_instruction(number, instruction).map_err(|fault| (Part::Instruction(number), fault))?;
        }
        self.verify_sections()?;
        self.verify_comments()?;
        self.verify_ports()?;
        if self.instructions.is_empty() { Err((Part::Whole, Fault::Empty)) } else { Ok(()) }
    }

    fn verify_sections(&self) -> Result<(), (Part, Fault)> {
        let mut least = 0;
        for (number, Section { from, name }) in self.sections.iter().enumerate() {
            if *from < least || *from as usize >= self.instructions.len() || !is_line(name) || name.contains(';') {
                return Err((Part::Section(number), Fault::Section { name: name.clone(), from: *from }));
            }
            least = from + 1;
        }
        Ok(())
    }

    fn verify_comments(&self) -> Result<(), (Part, Fault)> {
        let mut least = 0;
        for Comment { at, text } in &self.comments {
            if *at < least || *at as usize >= self.instructions.len() || !is_line(text) {
                return Err((Part::Instruction(*at as usize), Fault::Comment { text: text.clone(), at: *at }));
            }
            least = at + 1;
        }
        Ok(())
    }

    fn verify_instruction(&self, number: usize, instruction: &Instruction) -> Result<(), Fault> {
        let text = || instruction.to_string();
        for (kind, value) in instruction.operands() {
            let (what, most) = match kind {
                Operand::Destination | Operand::Source => ("register", self.registers),
                kind if kind.is_wide() => ("wide register", self.wide),
                Operand::Address => ("address", self.memory),
                Operand::Target => ("target", self.instructions.len() as u32),
                Operand::Count if value == 0 => return Err(Fault::Count { number, text: text() }),
                _ => ("count", MEMORY),
            };
            if value >= most {
                return Err(Fault::Operand { number, text: text(), what, value, most });
            }
        }
        match instruction.opcode {
            crate::isa::Opcode::Jsr if self.digits.is_empty() => Err(Fault::Digits { number, text: text() }),
            _ => Ok(()),
        }
    }

    fn verify_ports(&self) -> Result<(), (Part, Fault)> {
        let mut taken = HashSet::new();
        let constants = self.constants.iter().enumerate();
        let constants = constants.map(|(i, constant)| (Part::Constant(i), "a constant".to_owned(), constant.address));
        let inputs = self.inputs.iter().enumerate();
        let inputs = inputs.map(|(i, port)| (Part::Input(i), format!("input {}", port.name), port.address));
        for (part, what, address) in constants.chain(inputs) {
            self.verify_address(what, address).map_err(|fault| (part, fault))?;
            if !taken.insert(address) {
                return Err((part, Fault::Twice { what: format!("m{address}") }));
            }
        }
        for (ports, part) in [(&self.inputs, Part::Input as fn(usize) -> Part), (&self.outputs, Part::Output)] {
            let mut names = HashSet::new();
            for (i, Port { name, address }) in ports.iter().enumerate() {
                if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c)) {
                    return Err((part(i), Fault::Name { name: name.clone() }));
                }
                if !names.insert(name) {
                    return Err((part(i), Fault::Twice { what: format!("port {name}") }));
                }
                self.verify_address(format!("port {name}"), *address).map_err(|fault| (part(i), fault))?;
            }
        }
        Ok(())
    }

    fn verify_address(&self, what: String, address: u32) -> Result<(), Fault> {
        match address < self.memory {
            true => Ok(()),
            false => Err(Fault::Address { what, address, most: self.memory }),
        }
    }
}
