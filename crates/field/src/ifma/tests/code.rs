//! Reads the machine code of the kernels: which functions they call, where they jump, and how many multiplications
//! they contain.

use super::kernels::{Listed, inventory};
use super::rules::BLOCKS;
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind};
use std::collections::HashMap;

/// Returns the instructions of a kernel up to its return.
fn read(code: &Listed) -> Vec<Instruction> {
    let mut read: Vec<Instruction> = vec![];
    let mut at = 0;
    while read.last().is_none_or(|last| last.mnemonic() != Mnemonic::Ret) {
        let address = (code.address() + at) as u64;
        let instruction = Decoder::with_ip(64, code.instruction(at), address, DecoderOptions::NONE).decode();
        assert!(!instruction.is_invalid(), "{}: no instruction at {at:#x}", code.name);
        at += instruction.len();
        read.push(instruction);
    }
    read
}

/// Kernels call only kernels, jump only within themselves, and contain as many multiplications as the generator says.
#[test]
fn kernels_are_what_the_generator_says() {
    let kernels = inventory();
    for code in &kernels {
        let name = code.name;
        let instructions = read(code);
        let is_ifma = |x: &&Instruction| matches!(x.mnemonic(), Mnemonic::Vpmadd52luq | Mnemonic::Vpmadd52huq);
        assert_eq!(instructions.iter().filter(is_ifma).count(), code.ifma, "{name}: multiplications");
        let places = instructions[0].ip()..instructions[instructions.len() - 1].next_ip();
        for instruction in &instructions {
            let to = instruction.near_branch_target();
            match (instruction.mnemonic(), instruction.op0_kind()) {
                (Mnemonic::Call, OpKind::NearBranch64) => {
                    assert!(kernels.iter().any(|k| k.address() as u64 == to), "{name} calls {to:#x}, no kernel");
                }
                (_, OpKind::NearBranch64) => assert!(places.contains(&to), "{name} jumps to {to:#x}, outside of it"),
                (Mnemonic::Call | Mnemonic::Jmp, _) => panic!("{name} goes to an address that it computes"),
                _ => {}
            }
        }
    }
}

/// The number of multiplications that a kernel and all kernels that it calls issue.
fn issued(kernels: &HashMap<usize, &Listed>, code: &Listed) -> usize {
    let calls = read(code).into_iter().filter(|instruction| instruction.mnemonic() == Mnemonic::Call);
    let called = |call: Instruction| kernels[&(call.near_branch_target() as usize)];
    code.issued + calls.map(|call| issued(kernels, called(call))).sum::<usize>()
}

/// The least number of limbs whose squares and reductions are computed by halves.
const HALVED: usize = BLOCKS as usize;

/// The multiplications of a product: by halves from 22 limbs on and at 20, else by rows.
fn product(l: usize) -> usize {
    if matches!(l, 20 | 22..) { 3 * product(l / 2) + l } else { 2 * l * l }
}

fn square(l: usize) -> usize {
    if l >= HALVED { 3 * square(l / 2) + l } else { l * l + l }
}

/// The multiplications of a reduction. By halves, these are the digits for each half and their products with the
/// upper half of p. In a Montgomery-friendly p, z limbs are 0 and one is 1 or 3.
fn reduction(l: usize, z: usize) -> usize {
    let digits = |h: usize| if h >= HALVED { reduction(h, z) } else { 2 * h * (h - z) };
    match l {
        HALVED.. => 2 * (digits(l / 2) + product(l / 2)),
        _ if z > 0 => 2 * l * (l - z) + l - 2,
        _ => 2 * l * l,
    }
}

/// Operations cost what the module documentation of the engine states.
#[test]
fn operations_cost_what_the_documentation_says() {
    let kernels = inventory();
    let by_address = kernels.iter().map(|code| (code.address(), code)).collect();
    let mut checked = 0;
    for code in &kernels {
        let Some((name, l)) = code.name.rsplit_once('_').and_then(|(name, l)| Some((name, l.parse().ok()?))) else {
            panic!("{} names no number of limbs", code.name);
        };
        let (name, z) = match name.split_once("_friendly") {
            Some((name, zeros)) => (name, zeros.parse().unwrap_or_else(|_| panic!("{}: zeros", code.name))),
            None => (name, 0),
        };
        let want = match name {
            "mul_wide" => product(l),
            "sqr_wide" => square(l),
            "mul" => product(l) + reduction(l, z),
            "sqr" => square(l) + reduction(l, z),
            "reduce" => reduction(l, z),
            "reduce_tight" => reduction(l, z) + 2 * l + 1,
            "sum" | "sum_of_two" | "difference" | "three_and_two" | "three_less_two" => 2 * l + 1,
            "complex_mul_wide" | "complex_sums_mul_wide" => 3 * product(l),
            "complex_mul" => 3 * product(l) + 2 * reduction(l, z),
            "complex_sqr_wide" | "complex_sum_sqr_wide" => 2 * product(l),
            name if name.starts_with("complex_sums_mul_lin_") => 3 * product(l),
            name if name.starts_with("complex_sum_sqr_lin_") => 2 * product(l),
            "reduce_three_and_two" | "reduce_three_less_two" => reduction(l, z) + 2 * l + 1,
            "reduce_three_and_two_tight" | "reduce_three_less_two_tight" => reduction(l, z) + 2 * (2 * l + 1),
            "complex_sqr" => 2 * square(l) + product(l) + 2 * reduction(l, z),
            // below the sizes that work on blocks, whose differences are closed
            "sub" if l < HALVED => 0,
            "add" | "lin" => 0,
            name if name.starts_with("rows_mul_") => product(l),
            "rows_reduce" => reduction(l, z),
            "rows_reduce_three" => reduction(l, z) + 2 * l + 1,
            "rows_sum" => 2 * l + 1,
            name if name.starts_with("rows_form") || name.starts_with("rows_multiple") => 0,
            _ => continue,
        };
        assert_eq!(issued(&by_address, code), want, "{}", code.name);
        checked += 1;
    }
    assert!(checked >= 9 * super::LIMBS.len(), "{checked} kernels");
}

/// Kernels are aligned, so that their time does not depend on where the linker puts them.
#[test]
fn kernels_begin_at_a_cache_line() {
    for code in inventory() {
        assert_eq!(code.address() % 64, 0, "{}", code.name);
    }
}
