//! A program as words with all that a loader needs: what `bilinear asm` writes as JSON, and reads.

use crate::hex::hex;
use crate::image::{Comment, Constant, Fault, Image, Port, Section};
use crate::layout::{Layout, WordError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A program as words. Numbers of any size are hexadecimal texts with 0x.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Object {
    /// How many registers it uses.
    pub registers: u32,
    /// How many wide registers.
    #[serde(default, skip_serializing_if = "is_none")]
    pub wide: u32,
    /// How many places of the data memory.
    pub memory: u32,
    /// Bits of the operands.
    pub layout: Layout,
    /// What is in the memory from the start: the address and the residue.
    pub constants: Vec<(u32, String)>,
    /// The inputs: name and address.
    pub inputs: Vec<(String, u32)>,
    /// The outputs.
    pub outputs: Vec<(String, u32)>,
    /// The shift register; the digit that leaves first is the first.
    pub digits: String,
    /// The words of the instructions.
    pub words: Vec<String>,
    /// Where the routines begin: the number of an instruction, and a name.
    #[serde(default)]
    pub routines: Vec<(u32, String)>,
    /// What instructions are about: their numbers, and a line of text.
    #[serde(default)]
    pub comments: Vec<(u32, String)>,
}

/// Why an object is no program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ObjectError {
    /// A word has no instruction.
    #[error("instruction {number}: {reason}")]
    Word {
        /// The number of the instruction.
        number: usize,
        /// Why.
        reason: WordError,
    },
    /// A text is no number, or a digit neither 0 nor 1.
    #[error("{0:?} is no number in hexadecimal that begins with 0x, or too large")]
    Number(String),
    /// A digit of the shift register.
    #[error("the digit {0:?} is neither 0 nor 1")]
    Digit(char),
    /// The program cannot run.
    #[error(transparent)]
    Image(#[from] Fault),
}

/// Programs without wide registers do not speak of them.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_none(wide: &u32) -> bool {
    *wide == 0
}

impl Object {
    /// The words of a program, in the smallest layout.
    ///
    /// # Errors
    /// If it cannot run.
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

    /// The program of the words.
    ///
    /// # Errors
    /// At the first that has none, or if the program cannot run.
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
