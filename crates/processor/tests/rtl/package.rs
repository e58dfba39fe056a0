//! Tests of the generated package.

use bilinear_processor::isa;
use std::fs;

/// Returns the text of the package `isa`: the number of bits of an opcode, and the opcode of each mnemonic, in
/// capitals.
fn package() -> String {
    let isa = isa();
    let bits = isa.opcode_bits;
    let mut text = format!(
        "// The opcodes, generated from crates/processor/isa.toml; a test compares them.\n\
         package isa;\n    localparam int OPCODE_BITS = {bits};\n"
    );
    for entry in &isa.instructions {
        let name = entry.mnemonic.to_string().to_uppercase();
        text += &format!(
            "    localparam logic [{}:0] {name} = {bits}'d{};  // {}\n",
            bits - 1,
            entry.opcode,
            entry.meaning
        );
    }
    text + "endpackage\n"
}

#[test]
fn the_package_is_that_of_the_data() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rtl/isa/isa.sv");
    let text = fs::read_to_string(file).unwrap();
    let package = package();
    assert_eq!(text, package, "{file} should be:\n{package}");
}

/// A variable that an `always_ff` process writes must not be written by any other process (IEEE 1800, 9.2.2.4), not
/// even by an `initial` block.
#[test]
fn what_is_initialised_is_not_written_by_always_ff() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rtl/src");
    let mut initialised = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        if text.lines().any(|line| line.trim_start().starts_with("initial ")) {
            initialised += 1;
            assert!(!text.contains("always_ff @"), "{}", path.display());
        }
    }
    assert_eq!(initialised, 3);
}
