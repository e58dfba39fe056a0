//! Writes the kernels of the engine `ifma`: one assembly function for each operation and number of limbs,
//! straight-line up to 21 limbs and composed of smaller kernels beyond. Also writes the kernels of the engine `mont`
//! for few words (`mont`).
//!
//! Compilers schedule such code badly and spill registers: named accumulators in intrinsics reach 40 to 90 % of the
//! port's throughput, depending on compiler version and flags. Here this program determines the order, the registers
//! and the number of instructions.

mod blocks;
mod columns;
mod complex;
mod complex_in_calls;
mod end;
mod forms;
mod frame;
mod function;
mod in_calls;
mod inventory;
mod karatsuba;
mod kernels;
mod layout;
mod lins;
mod middle;
mod mont;
mod product;
mod reduction;
mod rolled;
mod rows;
mod shape;
mod sizes;

use std::path::PathBuf;

// Cargo reads the standard output of build scripts
#[allow(clippy::print_stdout)]
fn main() {
    println!("cargo::rerun-if-changed=build");
    let folder = std::env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    let mut ifma = kernels::all();
    ifma += &inventory::of(&ifma);
    for (name, text) in [("ifma.rs", ifma), ("mont.rs", mont::all())] {
        let file = folder.join(name);
        if let Err(reason) = std::fs::write(&file, text) {
            panic!("cannot write {}: {reason}", file.display());
        }
    }
}
