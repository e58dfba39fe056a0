//! The opcodes as a SystemVerilog package.

use crate::isa::isa;

/// Returns the text of the package `isa`: the number of bits of an opcode, and the opcode of each mnemonic, in
/// capitals.
pub fn package() -> String {
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
