//! Tests that the tables between marks in `docs/processor.md` are those of the data and the model, and that its example
//! computes what it claims.

use bilinear_field::reference::Reference;
use bilinear_field::{Lanes, Prime};
use bilinear_processor::{Alu, CostClass, Object, Operand, Reduction, assemble, isa, simulate};
use num_bigint::BigUint;
use std::fmt::Write;
use std::fs;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/processor.md");

/// The cost classes with their names in the data, in the order of the manual's table.
const CLASSES: [(CostClass, &str); 8] = [
    (CostClass::Sum, "sum"),
    (CostClass::Move, "move"),
    (CostClass::Product, "product"),
    (CostClass::Inverse, "inverse"),
    (CostClass::Control, "control"),
    (CostClass::WideProduct, "wide-product"),
    (CostClass::WideSum, "wide-sum"),
    (CostClass::Reduction, "reduction"),
];

/// Returns the page with up-to-date tables. A table stands between a mark `<!-- NAME -->` and `<!-- end -->`.
fn manual(page: &str) -> String {
    let mut text = String::new();
    let mut rest = page;
    while let Some((before, mark)) = rest.split_once("<!-- ") {
        let (name, after) = mark.split_once(" -->").unwrap_or((mark, ""));
        write!(text, "{before}<!-- {name} -->").unwrap();
        let table = match name {
            "instructions" => instructions(),
            "cycles" => cycles(),
            "example" => example(),
            _ => {
                rest = after;
                continue;
            }
        };
        write!(text, "\n{table}<!-- end -->").unwrap();
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
        let cost = CLASSES.iter().find(|(cost, _)| *cost == entry.cost).unwrap().1;
        let (opcode, meaning, operands) = (entry.opcode, &entry.meaning, operands.join(", "));
        writeln!(text, "| `{}` | {opcode} | {operands} | `{cost}` | {meaning} |", entry.mnemonic).unwrap();
    }
    text
}

fn cycles() -> String {
    let (names, lines): (String, String) = CLASSES.iter().map(|(_, name)| (format!(" `{name}` |"), "---|")).unzip();
    let mut text = format!("| ALU |{names}\n|---|{lines}\n");
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
        write!(text, "| N = {bits}, W = {limb}, g = {generators}, {name} |").unwrap();
        for (cost, _) in CLASSES {
            let is_wide = matches!(cost, CostClass::WideProduct | CostClass::WideSum | CostClass::Reduction);
            let cycles = if is_wide && !alu.has_wide() { String::new() } else { alu.cycles(cost).to_string() };
            write!(text, " {cycles} |").unwrap();
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
    let object = Object::new(&assemble(EXAMPLE).unwrap()).unwrap();
    let words = object.words.join(" ");
    format!("```text\n{EXAMPLE}```\n\nIts words, of {} bits: {words}.\n", object.layout.word())
}

#[test]
fn tables_are_those_of_the_data() {
    let page = fs::read_to_string(FILE).unwrap();
    assert_eq!(page.matches("<!-- end -->").count(), 3);
    let filled = manual(&page);
    assert!(page == filled, "{FILE} should be:\n{filled}");
}

/// Returns the text between two other texts.
fn between<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    text.split_once(from).and_then(|(_, rest)| rest.split_once(to)).unwrap().0
}

#[test]
fn the_example_computes_a_power() {
    let page = fs::read_to_string(FILE).unwrap();
    let image = assemble(between(&page, "```text\n", "```")).unwrap();
    let words: Vec<String> =
        between(between(&page, "Its words", "<!--"), "bits: ", ".\n").split(' ').map(str::to_owned).collect();
    assert_eq!(Object::new(&image).unwrap().words, words);
    let f = Reference::new(&1_000_003_u32.into()).unwrap();
    let alu = Alu { bits: 20, limb: 17, generators: 1, reduction: Reduction::Montgomery };
    let run = simulate(&f, &image, &[f.constant(&2_u32.into())], &alu, 100).unwrap();
    assert_eq!(f.value(&run.outputs[0], 0), BigUint::from(8192_u32));
}
