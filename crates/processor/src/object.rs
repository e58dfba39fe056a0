//! The object format: a program as words with everything that a loader needs. `bilinear asm` writes and reads it as
//! JSON.

use crate::hex::hex;
use crate::image::{Comment, Constant, Fault, Image, Port, Section, quoted};
use crate::layout::{Layout, WordError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A program as words. Numbers of any size are hexadecimal texts with the prefix 0x.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Object {
    /// The number of registers that the program uses.
    pub registers: u32,
    /// The number of wide registers that the program uses.
    #[serde(default, skip_serializing_if = "is_none")]
    pub wide: u32,
    /// The number of places of the data memory that the program uses.
    pub memory: u32,
    /// The numbers of bits of the operands.
    pub layout: Layout,
    /// The initial content of the memory: addresses and residues.
    pub constants: Vec<(u32, String)>,
    /// The inputs: names and addresses.
    pub inputs: Vec<(String, u32)>,
    /// The outputs: names and addresses.
    pub outputs: Vec<(String, u32)>,
    /// The digits of the shift register; the digit that leaves first comes first.
    pub digits: String,
    /// The instructions as words.
    pub words: Vec<String>,
    /// The beginnings of the routines: the number of an instruction, and a name.
    #[serde(default)]
    pub routines: Vec<(u32, String)>,
    /// The comments on instructions: the number of an instruction, and a line of text.
    #[serde(default)]
    pub comments: Vec<(u32, String)>,
}

/// The reason why an object is not a valid program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ObjectError {
    /// A word or an instruction cannot be converted.
    #[error("instruction {number}: {reason}")]
    Word {
        /// The number of the instruction.
        number: usize,
        /// The reason.
        reason: WordError,
    },
    /// A text is not a hexadecimal number with the prefix 0x, or the number is too large.
    #[error("{} is not a hexadecimal number that begins with 0x, or is too large", quoted(.0))]
    Number(String),
    /// A digit of the shift register is neither 0 nor 1.
    #[error("the digit {0:?} is neither 0 nor 1")]
    Digit(char),
    /// The program cannot run.
    #[error(transparent)]
    Image(#[from] Fault),
}

/// Returns true if there are no wide registers: the field is then omitted.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_none(wide: &u32) -> bool {
    *wide == 0
}

impl Object {
    /// Encodes a program, in the smallest layout.
    ///
    /// # Errors
    /// Returns an error if the program cannot run.
    pub fn new(image: &Image) -> Result<Self, ObjectError> {
        image.verify()?;
        let layout = Layout::of(image);
        let mut words = vec![];
        for (number, instruction) in image.instructions.iter().enumerate() {
            let word = layout.encode(instruction).map_err(|reason| ObjectError::Word { number, reason })?;
            words.push(format!("{word:#x}"));
        }
        let ports = |ports: &[Port]| ports.iter().map(|port| (port.name.clone(), port.address)).collect();
        Ok(Object {
            registers: image.registers,
            wide: image.wide,
            memory: image.memory,
            layout,
            constants: image.constants.iter().map(|c| (c.address, format!("{:#x}", c.value))).collect(),
            inputs: ports(&image.inputs),
            outputs: ports(&image.outputs),
            digits: image.digits.iter().map(|digit| if *digit { '1' } else { '0' }).collect(),
            words,
            routines: image.sections.iter().map(|section| (section.from, section.name.clone())).collect(),
            comments: image.comments.iter().map(|comment| (comment.at, comment.text.clone())).collect(),
        })
    }

    /// Decodes the program.
    ///
    /// # Errors
    /// Returns an error at the first word that is not an instruction, or if the program cannot run.
    pub fn image(&self) -> Result<Image, ObjectError> {
        let number = |text: &String| hex(text).ok_or_else(|| ObjectError::Number(text.clone()));
        let mut instructions = vec![];
        for (at, word) in self.words.iter().enumerate() {
            let word = u64::try_from(number(word)?).map_err(|_| ObjectError::Number(word.clone()))?;
            instructions.push(self.layout.decode(word).map_err(|reason| ObjectError::Word { number: at, reason })?);
        }
        let constant = |(address, value): &(u32, String)| Ok(Constant { address: *address, value: number(value)? });
        let digit = |digit: char| match digit {
            '0' | '1' => Ok(digit == '1'),
            _ => Err(ObjectError::Digit(digit)),
        };
        let ports = |ports: &[(String, u32)]| {
            ports.iter().map(|(name, address)| Port { name: name.clone(), address: *address }).collect()
        };
        let image = Image {
            registers: self.registers,
            wide: self.wide,
            memory: self.memory,
            constants: self.constants.iter().map(constant).collect::<Result<_, ObjectError>>()?,
            inputs: ports(&self.inputs),
            outputs: ports(&self.outputs),
            digits: self.digits.chars().map(digit).collect::<Result<_, _>>()?,
            instructions,
            sections: self.routines.iter().map(|(from, name)| Section { from: *from, name: name.clone() }).collect(),
            comments: self.comments.iter().map(|(at, text)| Comment { at: *at, text: text.clone() }).collect(),
        };
        image.verify()?;
        Ok(image)
    }
}
