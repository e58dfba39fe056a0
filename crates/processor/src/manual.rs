//! The parts of the manual that follow from the data and the model: the tables between marks in `docs/processor.md`.

use crate::assemble::assemble;
use crate::isa::{CostClass, Operand, isa};
use crate::model::{Alu, Reduction};
use crate::object::Object;
use std::fmt::Write;

/// Returns the page with up-to-date tables. A table stands between a mark `<!-- NAME -->` and `<!-- end -->`.
pub fn manual(page: &str) -> String {
    let mut text = String::new();
    let mut rest = page;
    while let Some((before, mark)) = rest.split_once("<!-- ") {
        let (name, after) = mark.split_once(" -->").unwrap_or((mark, ""));
        let _ = write!(text, "{before}<!-- {name} -->");
        let table = match name {
            "instructions" => instructions(),
            "cycles" => cycles(),
            "example" => example(),
            _ => {
                rest = after;
                continue;
            }
        };
        let _ = write!(text, "\n{table}<!-- end -->");
        rest = after.split_once("<!-- end -->").map_or("", |(_, rest)| rest);
    }
    text + rest
}

type Names<'n> = std::slice::Iter<'n, char>;

/// Returns the manual's name for a kind of operands.
fn operand(kind: Operand, sources: &mut Names<'_>, wides: &mut Names<'_>) -> String {
    match kind {
        Operand::Destination => "register d".to_owned(),
        Operand::Source => format!("register {}", sources.next().unwrap_or(&'?')),
        Operand::WideDestination | Operand::Accumulator => "wide register w".to_owned(),
        Operand::WideSource => format!("wide register {}", wides.next().unwrap_or(&'?')),
        Operand::Address => "address".to_owned(),
        Operand::Target => "target".to_owned(),
        Operand::Count => "count".to_owned(),
    }
}

fn instructions() -> String {
    let isa = isa();
    let mut text = format!("An opcode has {} bits.\n\n", isa.opcode_bits);
    text += "| mnemonic | opcode | operands | time | meaning |\n|---|---|---|---|---|\n";
    for entry in &isa.instructions {
        let (mut sources, mut wides) = (['a', 'b'].iter(), ['u', 'v'].iter());
        let operands: Vec<String> =
            entry.operands.iter().map(|kind| operand(*kind, &mut sources, &mut wides)).collect();
        let cost = entry.cost;
        let (opcode, meaning) = (entry.opcode, &entry.meaning);
        let _ = writeln!(text, "| `{}` | {opcode} | {} | `{cost}` | {meaning} |", entry.mnemonic, operands.join(", "));
    }
    text
}

fn cycles() -> String {
    let mut text =
        "| ALU | `sum` | `move` | `product` | `inverse` | `control` | `wide-product` | `wide-sum` | `reduction` |\n"
            .to_owned();
    text += "|---|---|---|---|---|---|---|---|---|\n";
    let alus = [
        (512, 17, 4, Reduction::Montgomery),
        (512, 17, 4, Reduction::FiveStage),
        (1036, 17, 4, Reduction::Montgomery),
        (381, 17, 4, Reduction::Montgomery),
        (258, 22, 5, Reduction::Polynomial),
    ];
    for (bits, limb, generators, reduction) in alus {
        let alu = Alu { bits, limb, generators, reduction };
        let name = match reduction {
            Reduction::Montgomery => "Montgomery",
            Reduction::FiveStage => "five stages",
            Reduction::Polynomial => "polynomials",
        };
        let _ = write!(text, "| N = {bits}, W = {limb}, g = {generators}, {name} |");
        for cost in [CostClass::Sum, CostClass::Move, CostClass::Product, CostClass::Inverse, CostClass::Control] {
            let _ = write!(text, " {} |", alu.cycles(cost));
        }
        for cost in [CostClass::WideProduct, CostClass::WideSum, CostClass::Reduction] {
            let cycles = if alu.has_wide() { alu.cycles(cost).to_string() } else { String::new() };
            let _ = write!(text, " {cycles} |");
        }
        text.push('\n');
    }
    text
}

/// The program of the manual's example.
const EXAMPLE: &str = "\
.registers 2
.memory 2
.input x 0
.output y 1
.digits 101         ; what follows the first digit of 13
    ld r0, m0
    ld r1, m0
    load 3
again:
    sqr r0, r0
    jsr times       ; where the digit is 1
next:
    jdec again
    st r0, m1
    halt
times:
    mul r0, r0, r1
    jump next
";

fn example() -> String {
    let image = assemble(EXAMPLE).unwrap_or_else(|error| unreachable!("tests assemble the example: {error}"));
    let object = Object::new(&image).unwrap_or_else(|error| unreachable!("tests write its words: {error}"));
    let words = object.words.join(" ");
    format!("```text\n{EXAMPLE}```\n\nIts words, of {} bits: {words}.\n", object.layout.word())
}
