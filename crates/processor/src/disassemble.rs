//! The disassembler: writes the text of a program in the assembler's syntax; targets become labels.

use crate::image::Image;
use crate::isa::{Instruction, Operand};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The number of digits of the shift register on a line.
const DIGITS: usize = 100;

/// The column at which comments begin.
const COLUMN: usize = 24;

/// Returns the target of an instruction, if it has one.
fn target(instruction: &Instruction) -> Option<u32> {
    instruction.operands().find(|(kind, _)| *kind == Operand::Target).map(|(_, value)| value)
}

/// Returns the text of a program. [`assemble`](crate::assemble) reads it back as the same program, if the program can
/// run.
pub fn disassemble(image: &Image) -> String {
    let mut text = format!(".registers {}\n.memory {}\n", image.registers, image.memory);
    let mut line = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    if image.wide > 0 {
        line(format!(".wide {}", image.wide));
    }
    for constant in &image.constants {
        line(format!(".constant {} {:#x}", constant.address, constant.value));
    }
    for (directive, ports) in [("input", &image.inputs), ("output", &image.outputs)] {
        for port in ports {
            line(format!(".{directive} {} {}", port.name, port.address));
        }
    }
    for digits in image.digits.chunks(DIGITS) {
        line(format!(".digits {}", digits.iter().map(|digit| if *digit { '1' } else { '0' }).collect::<String>()));
    }
    let labels: BTreeSet<u32> = image.instructions.iter().filter_map(target).collect();
    let mut sections = image.sections.iter().peekable();
    let mut comments = image.comments.iter().peekable();
    for (number, instruction) in (0..).zip(&image.instructions) {
        if let Some(section) = sections.next_if(|section| section.from == number) {
            line(format!(".routine {}", section.name));
        }
        if labels.contains(&number) {
            line(format!("L{number}:"));
        }
        let mut written = String::from("    ");
        // a target is the only operand of its instruction
        let _ = match target(instruction) {
            Some(target) => write!(written, "{} L{target}", instruction.opcode),
            None => write!(written, "{instruction}"),
        };
        if let Some(comment) = comments.next_if(|comment| comment.at == number) {
            let _ = write!(written, "{:1$} ; {2}", "", COLUMN.saturating_sub(written.len()), comment.text);
        }
        line(written);
    }
    text
}
