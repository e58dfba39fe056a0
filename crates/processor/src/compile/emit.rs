//! Code with labels, and its translation to instructions of the processor.

use crate::image::{Comment, Image, Section};
use crate::isa::{Instruction, Opcode, Operand};
use std::collections::HashMap;

/// A label of the code.
pub(crate) type Label = u32;

/// An item of the code.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    Code(Instruction),
    /// A jump, of any kind, to a label.
    Branch(Opcode, Label),
    Label(Label),
    /// The start of a routine's code.
    Routine(&'static str),
    /// A comment on the next instruction.
    Comment(String),
}

/// Writes instructions, sections and comments into an image, and the numbers of registers that they use.
pub(crate) fn emit(items: &[Item], image: &mut Image) {
    let mut labels: HashMap<Label, u32> = HashMap::new();
    let mut number = 0;
    for item in items {
        match item {
            Item::Label(label) => _ = labels.insert(*label, number),
            Item::Code(_) | Item::Branch(..) => number += 1,
            Item::Routine(_) | Item::Comment(_) => {}
        }
    }
    for item in items {
        match item {
            Item::Code(instruction) => image.instructions.push(*instruction),
            Item::Branch(opcode, label) => image.instructions.push(Instruction::new(*opcode, &[labels[label]])),
            Item::Label(_) => {}
            Item::Comment(text) => {
                image.comments.push(Comment { at: image.instructions.len() as u32, text: text.clone() });
            }
            Item::Routine(name) => {
                let from = image.instructions.len() as u32;
                match image.sections.last_mut() {
                    Some(last) if last.name == *name => {}
                    Some(last) if last.from == from => last.name = (*name).to_owned(),
                    _ => image.sections.push(Section { from, name: (*name).to_owned() }),
                }
            }
        }
    }
    let least = |is_kind: fn(Operand) -> bool| {
        let operands = image.instructions.iter().flat_map(Instruction::operands);
        operands.filter(|(kind, _)| is_kind(*kind)).map(|(_, register)| register + 1).max().unwrap_or(0)
    };
    image.registers = least(Operand::is_register);
    image.wide = least(Operand::is_wide);
}
