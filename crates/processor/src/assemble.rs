//! The assembler: reads the text of a program, `.pasm`.
//!
//! A line holds a directive, or an optional label and an optional instruction; `;` begins a comment, which stays with the instruction
//! on its line.
//!
//! ```text
//! .registers 4        ; r0 to r3
//! .memory 3           ; m0 to m2
//! .wide 2             ; w0 and w1, where there are wide registers
//! .constant 0 0x1f    ; m0 holds 31 from the start
//! .input x 1          ; the host writes m1
//! .output y 2         ; and reads m2
//! .digits 1011        ; the shift register; the first digit leaves first
//! .routine cube       ; the following instructions belong to it
//! again: ld r0, m1
//!        jsr again
//! ```
//!
//! Operands are registers `r0`, wide registers `w0`, places of the memory `m0` and counts; targets are labels or
//! numbers of instructions.

use crate::hex::hex;
use crate::image::{Comment, Constant, Fault, Image, Part, Port, Section, quoted};
use crate::isa::{Instruction, Operand, isa};
use std::collections::HashMap;
use std::str::FromStr;
use thiserror::Error;

/// An error in the text of a program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AssemblyError {
    /// A line is not valid.
    #[error("line {line}: {reason}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// The reason.
        reason: String,
    },
    /// Every line can be read, but the program cannot run, and the fault cannot be attributed to a line.
    #[error(transparent)]
    Image(#[from] Fault),
}

/// A line with an instruction whose targets may be labels.
struct Line<'t> {
    number: usize,
    mnemonic: &'t str,
    operands: &'t str,
}

/// The line numbers of the parts of an image: those of lists in order, and the last line of each other directive.
#[derive(Default)]
struct Lines<'t> {
    instructions: Vec<Line<'t>>,
    sections: Vec<usize>,
    constants: Vec<usize>,
    inputs: Vec<usize>,
    outputs: Vec<usize>,
    sizes: HashMap<&'t str, usize>,
}

impl Lines<'_> {
    /// Returns the line of a part; `None` if the part has no line.
    fn of(&self, part: Part) -> Option<usize> {
        let (list, number) = match part {
            Part::Size(directive) => return self.sizes.get(directive).copied(),
            Part::Instruction(number) => return self.instructions.get(number).map(|line| line.number),
            Part::Section(number) => (&self.sections, number),
            Part::Constant(number) => (&self.constants, number),
            Part::Input(number) => (&self.inputs, number),
            Part::Output(number) => (&self.outputs, number),
            Part::Whole => return None,
        };
        list.get(number).copied()
    }
}

/// Assembles a program from its text.
///
/// # Errors
/// Returns an error at the first line that cannot be read, or if the program cannot run on any machine
/// ([`Image::verify`]).
pub fn assemble(text: &str) -> Result<Image, AssemblyError> {
    let mut image = Image::default();
    let mut labels: HashMap<&str, u32> = HashMap::new();
    let mut lines = Lines::default();
    for (line, number) in text.lines().zip(1..) {
        let refuse = |reason: String| AssemblyError::Line { line: number, reason };
        let (line, comment) = line.split_once(';').unwrap_or((line, ""));
        let (mut line, comment) = (line.trim(), comment.trim());
        if let Some(name) = line.strip_prefix(".routine").filter(|name| name.starts_with(char::is_whitespace)) {
            image.sections.push(Section { from: lines.instructions.len() as u32, name: name.trim().to_owned() });
            lines.sections.push(number);
            continue;
        }
        if let Some(directive) = line.strip_prefix('.') {
            self::directive(&mut image, directive, number, &mut lines).map_err(refuse)?;
            continue;
        }
        if let Some((label, rest)) = line.split_once(':') {
            if !is_label(label.trim_end()) {
                let label = quoted(label);
                return Err(refuse(format!(
                    "{label} is not a label: labels are letters, digits and _, a letter first"
                )));
            }
            if labels.insert(label.trim_end(), lines.instructions.len() as u32).is_some() {
                return Err(refuse(format!("label {} is defined twice", quoted(label.trim_end()))));
            }
            line = rest.trim_start();
        }
        if !line.is_empty() {
            if !comment.is_empty() {
                image.comments.push(Comment { at: lines.instructions.len() as u32, text: comment.to_owned() });
            }
            let (mnemonic, operands) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            lines.instructions.push(Line { number, mnemonic, operands });
        }
    }
    for line in &lines.instructions {
        let read = instruction(line, &labels, lines.instructions.len());
        image.instructions.push(read.map_err(|reason| AssemblyError::Line { line: line.number, reason })?);
    }
    image.check().map_err(|(part, fault)| match lines.of(part) {
        Some(line) => AssemblyError::Line { line, reason: fault.to_string() },
        None => fault.into(),
    })?;
    Ok(image)
}

/// Returns true if the assembler reads this text as a label.
fn is_label(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Parses a decimal number.
fn number<T: FromStr>(text: &str) -> Result<T, String> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = if digits { text.parse().ok() } else { None };
    number.ok_or_else(|| format!("{} is not a decimal number, or is too large", quoted(text)))
}

/// Adds the directive of a line to the image.
fn directive<'t>(image: &mut Image, text: &'t str, line: usize, lines: &mut Lines<'t>) -> Result<(), String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    if let [directive @ ("registers" | "memory" | "wide" | "digits"), _] = words[..]
        && lines.sizes.insert(directive, line).is_some()
        && directive != "digits"
    {
        return Err(format!(".{directive} is given twice"));
    }
    match words[..] {
        ["registers", count] => image.registers = number(count)?,
        ["memory", count] => image.memory = number(count)?,
        ["wide", count] => image.wide = number(count)?,
        ["constant", address, value] => {
            let value = hex(value).ok_or("a constant must be a hexadecimal number that begins with 0x")?;
            image.constants.push(Constant { address: number(address)?, value });
            lines.constants.push(line);
        }
        ["input", name, address] => {
            image.inputs.push(Port { name: name.to_owned(), address: number(address)? });
            lines.inputs.push(line);
        }
        ["output", name, address] => {
            image.outputs.push(Port { name: name.to_owned(), address: number(address)? });
            lines.outputs.push(line);
        }
        ["digits", digits] => {
            for digit in digits.chars() {
                match digit {
                    '0' | '1' => image.digits.push(digit == '1'),
                    _ => return Err(format!("the digit {digit:?} is neither 0 nor 1")),
                }
            }
        }
        _ => {
            return Err(format!(
                "{}: the directives are .registers COUNT, .memory COUNT, .wide COUNT, .constant ADDRESS VALUE, \
                 .input NAME ADDRESS, .output NAME ADDRESS, .digits DIGITS and .routine NAME",
                quoted(&format!(".{text}"))
            ));
        }
    }
    Ok(())
}

/// Parses the instruction of a line; `end` is the number of instructions.
fn instruction(line: &Line<'_>, labels: &HashMap<&str, u32>, end: usize) -> Result<Instruction, String> {
    let entry = isa().instructions.iter().find(|entry| entry.mnemonic.to_string() == line.mnemonic);
    let entry = entry.ok_or_else(|| format!("unknown instruction {}", quoted(line.mnemonic)))?;
    let texts: Vec<&str> = match line.operands.trim() {
        "" => vec![],
        operands => operands.split(',').map(str::trim).collect(),
    };
    if texts.len() != entry.operands.len() {
        return Err(format!(
            "the number of operands of {} is {}, not {}",
            entry.mnemonic,
            entry.operands.len(),
            texts.len()
        ));
    }
    let mut operands = [0; 3];
    for ((kind, text), operand) in entry.operands.iter().zip(texts).zip(&mut operands) {
        *operand = match kind {
            Operand::Destination | Operand::Source => prefixed(text, 'r', "register")?,
            kind if kind.is_wide() => prefixed(text, 'w', "wide register")?,
            Operand::Address => prefixed(text, 'm', "place of the memory")?,
            Operand::Target if is_label(text) => match labels.get(text) {
                Some(target) if *target as usize == end => {
                    return Err(format!("label {} is behind the last instruction", quoted(text)));
                }
                Some(target) => *target,
                None => return Err(format!("label {} is not defined", quoted(text))),
            },
            _ => number(text)?,
        };
    }
    Ok(Instruction { opcode: entry.mnemonic, operands })
}

/// Parses the number behind the letter of its kind.
fn prefixed(text: &str, prefix: char, what: &str) -> Result<u32, String> {
    let digits =
        text.strip_prefix(prefix).ok_or_else(|| format!("{} is not a {what}, such as {prefix}0", quoted(text)))?;
    number(digits)
}
