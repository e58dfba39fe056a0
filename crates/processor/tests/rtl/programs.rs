//! Co-simulation of random programs on many cores.

use crate::build::{Core, PIPELINED, build, lint, run};
use crate::random::{REGISTERS, Random, WIDE, moduli, program, windows};
use crate::script::Script;
use bilinear_processor::Reduction::{FiveStage, Montgomery, Polynomial};
use bilinear_processor::{CostClass, Entry, Image, Issue, Opcode, Reduction, assemble, isa};
use num_bigint::BigUint;
use std::path::Path;

/// Co-simulates random programs with edge operands for two moduli; jobs run back to back, and one is stopped by a
/// reset.
fn cosimulate(core: &Core, seed: u64) {
    cosimulate_with(core, &moduli(core.alu.bits), seed);
}

fn cosimulate_with(core: &Core, moduli: &[BigUint], seed: u64) {
    let (said, equal) = equal(&build(core), core, moduli, seed);
    assert!(equal, "{:?}, {:?}, seed {seed}:\n{said}", core.alu, core.issue);
}

/// Returns true if a bench finds no difference, with its output.
pub(crate) fn equal(bench: &Path, core: &Core, moduli: &[BigUint], seed: u64) -> (String, bool) {
    let mut all = (String::new(), true);
    for (which, p) in moduli.iter().enumerate() {
        let mut random = Random(seed + which as u64);
        let mut script = Script::new(core, p);
        for _ in 0..3 {
            if core.issue != Issue::Serial {
                // a reset while a product reads its operands: the first sum after the reset must read its own
                let image = windows(&mut random, p, &core.alu);
                script.load(&image);
                script.cut(&image, &[], 4 * core.alu.cycles(CostClass::Sum) as u32 + 8);
            }
            let blocks = if core.alu.reduction == Polynomial { 4 } else { 2 };
            let image = program(&mut random, p, blocks, core.wide > 0);
            script.load(&image);
            for job in 0..3 {
                let inputs: Vec<_> = (0..REGISTERS / 2).map(|_| random.residue(p)).collect();
                if job == 1 {
                    script.cut(&image, &inputs, 1 + random.below(6000));
                    // stops also while products are in their first cycles
                    for _ in 0..if core.issue != Issue::Serial { 20 } else { 0 } {
                        script.cut(&image, &inputs, 1 + random.below(8 * core.alu.cycles(CostClass::Product) as u32));
                    }
                }
                script.run(&image, &inputs);
            }
        }
        if core.issue != Issue::Serial {
            let image = windows(&mut random, p, &core.alu);
            script.load(&image);
            script.run(&image, &[]);
        }
        stores(&mut script, core, &mut random, p);
        traps(&mut script, core);
        let (said, equal) = run(bench, &script.text);
        all.0 += &format!("p = {p:#x}: {said}");
        all.1 &= equal;
    }
    all
}

/// Checks that what the host writes in the first cycle after a reset is stored, even if the reset stops a store, in
/// each cycle of the store.
fn stores(script: &mut Script<'_>, core: &Core, random: &mut Random, p: &BigUint) {
    let image = assemble(".registers 1\n.memory 2\n.input x 0\n.output y 1\nld r0, m0\nst r0, m1\nhalt").unwrap();
    script.load(&image);
    let moves = core.alu.cycles(CostClass::Move) as u32;
    for cycle in moves..2 * moves + 4 {
        script.cut(&image, &[random.residue(p)], cycle);
        script.run(&image, &[random.residue(p)]);
    }
}

/// Runs a program that ends in each trap, and then again in a halt.
fn traps(script: &mut Script<'_>, core: &Core) {
    let text = ".registers 2\n.memory 1\n.constant 0 0x5\n.digits 1\nld r0, m0\nmul r1, r0, r0\nadd r1, r1, r0\nhalt";
    let image = assemble(text).unwrap();
    let is_there = |opcode: u64| {
        let entry = isa().instructions.iter().find(|entry| u64::from(entry.opcode) == opcode);
        let has_wide = |entry: &Entry| entry.operands.iter().any(|operand| operand.is_wide());
        entry.is_some_and(|entry| core.wide > 0 || !has_wide(entry))
    };
    script.load(&image);
    for opcode in (0..32).filter(|opcode| !is_there(*opcode)) {
        script.trap(&image, opcode);
    }
    // the counter is 0
    script.trap(&image, Opcode::Jdec.entry().opcode.into());
    script.run(&image, &[]);
    let without_digits = Image { digits: vec![], ..image };
    script.load(&without_digits);
    script.trap(&without_digits, Opcode::Jsr.entry().opcode.into());
    script.run(&without_digits, &[]);
}

/// Uses instruction addresses of 17 bits and memory addresses of 13 bits.
#[test]
fn cosimulated_program_of_70_000_words() {
    let core = Core { instructions: 1 << 17, places: 1 << 13, ..Core::small(158, 17, 4, Montgomery) };
    let p = &moduli(158)[0];
    let mut image =
        assemble(".registers 2\n.memory 8000\n.constant 7999 0x5\n.output y 7998\nld r0, m7999\njump 0\nadd r1, r0, r0\nst r1, m7998\nhalt")
            .unwrap();
    let end = image.instructions.split_off(2);
    let halt = *end.last().unwrap();
    image.instructions[1].operands[0] = 70_000;
    image.instructions.resize(70_000, halt);
    image.instructions.extend(end);
    let mut script = Script::new(&core, p);
    script.load(&image);
    script.run(&image, &[]);
    let (said, equal) = run(&build(&core), &script.text);
    assert!(equal, "{said}");
}

/// Parameters with which a core would compute something else are rejected.
#[test]
fn incompatible_parameters_are_refused() {
    for (top, parameters, reason) in [
        ("core_limbs", &[("WIDE", 8), ("BESIDE", 1)][..], "WIDE takes neither FIVE_STAGE nor BESIDE"),
        ("core_limbs", &[("WIDE", 8), ("FIVE_STAGE", 1)], "WIDE takes neither FIVE_STAGE nor BESIDE"),
        ("core_limbs", &[("WIDE", 8), ("N", 64)], "more limbs than generators"),
        ("core_limbs", &[("WIDE", 8), ("REGISTERS", 23)], "an even number of REGISTERS"),
        ("core_limbs", &[("INSTRUCTIONS", 1 << 21)], "at most 2^20"),
        // 3 limbs, 1 limb; and more generators than a register has places for the constant of 2 limbs
        ("core_limbs", &[("N", 158), ("W", 64), ("G", 2)], "at least 4 limbs, or 2 or 3 and no fewer generators"),
        ("core_limbs", &[("N", 30), ("W", 32), ("G", 4)], "at least 4 limbs, or 2 or 3 and no fewer generators"),
        ("core_limbs", &[("N", 61), ("W", 32), ("G", 5)], "no places for the G limbs of -1/p"),
        ("core_limbs", &[("N", 158), ("W", 64), ("G", 3), ("FIVE_STAGE", 1)], "five stages take at least 4 limbs"),
        ("core_polynomial", &[("D", 33)], "D is at most half a coefficient"),
        ("core_polynomial", &[("D", 6)], "D holds a_4"),
        ("core_polynomial", &[("M", 21), ("D", 11)], "M is 22 to 63"),
        ("core_polynomial", &[("M", 64)], "M is 22 to 63"),
        ("core_polynomial", &[("S", 856)], "S is odd and below 2^12"),
        ("core_polynomial", &[("S", 4097)], "S is odd and below 2^12"),
        ("core_polynomial", &[("PIPELINED", 1), ("D", 22)], "half of one with PIPELINED"),
        ("processor", &[("PORTS", 6)], "PORTS and QUEUE are powers of two"),
        ("processor", &[("QUEUE", 100)], "PORTS and QUEUE are powers of two"),
    ] {
        let said = lint(top, parameters).unwrap_err();
        assert!(said.contains(reason), "{top}, {parameters:?}: {said}");
    }
    assert_eq!(lint("core_limbs", &[("WIDE", 8)]), Ok(()));
    assert_eq!(lint("core_polynomial", &[("D", 7)]), Ok(()));
}

/// Co-simulates cores of one, two and three limbs, with as many generators as they accept.
#[test]
#[ignore = "minutes: make rtl"]
fn cosimulated_cores_of_few_limbs() {
    for (bits, limb, generators, reduction) in [
        (61, 32, 2, Montgomery),
        (61, 32, 4, Montgomery),
        (61, 21, 3, Montgomery),
        (61, 21, 4, Montgomery),
        (61, 16, 8, Montgomery),
        (30, 32, 2, FiveStage),
        (61, 32, 3, FiveStage),
        (61, 21, 4, FiveStage),
    ] {
        cosimulate_all(bits, limb, generators, &[reduction]);
    }
    cosimulate_with(&Core::small(258, 7, 5, Polynomial), &[bn_258()], 7);
}

fn cosimulate_all(bits: u32, limb: u32, generators: u32, reductions: &[Reduction]) {
    for reduction in reductions {
        cosimulate(&Core::small(bits, limb, generators, *reduction), u64::from(bits * limb));
    }
}

#[test]
fn cosimulated_158_bits_in_limbs_of_17() {
    cosimulate_all(158, 17, 4, &[Montgomery, FiveStage]);
}

#[test]
fn cosimulated_polynomials_of_258_bits() {
    cosimulate_with(&Core::small(258, 22, 5, Polynomial), &[bn_258()], 258);
}

/// Co-simulates cores whose sums run beside products.
fn cosimulate_beside(bits: u32, limb: u32, generators: u32, reductions: &[Reduction]) {
    for reduction in reductions {
        let core = Core { issue: Issue::Beside, ..Core::small(bits, limb, generators, *reduction) };
        cosimulate(&core, u64::from(bits * limb + generators));
    }
}

#[test]
fn cosimulated_sums_beside_products_of_158_bits() {
    cosimulate_beside(158, 17, 4, &[Montgomery]);
}

/// Co-simulates cores with wide registers.
fn cosimulate_wide(bits: u32, limb: u32, generators: u32) {
    let core = Core { wide: WIDE, ..Core::small(bits, limb, generators, Montgomery) };
    cosimulate(&core, u64::from(bits * limb + generators));
}

#[test]
fn cosimulated_wide_values_of_158_bits() {
    cosimulate_wide(158, 17, 4);
}

#[test]
#[ignore = "a minute: make rtl"]
fn cosimulated_wide_values() {
    for (bits, limb) in [(158, 16), (254, 17), (381, 32), (512, 17), (1033, 17)] {
        cosimulate_wide(bits, limb, 4);
    }
    for generators in [2, 3, 5, 8] {
        cosimulate_wide(158, 17, generators);
    }
}

/// Co-simulates a pipeline with a product every eight cycles, and a sum in each cycle.
#[test]
#[ignore = "half a minute: make rtl"]
fn cosimulated_pipelines() {
    let core = Core { issue: PIPELINED, ..Core::small(258, 32, 5, Polynomial) };
    cosimulate_with(&core, &[bn_258()], 8);
}

#[test]
#[ignore = "minutes: make rtl"]
fn cosimulated_sums_beside_products() {
    for digit in [16, 22, 32] {
        let core = Core { issue: Issue::Beside, ..Core::small(258, digit, 5, Polynomial) };
        cosimulate_with(&core, &[bn_258()], u64::from(digit));
    }
    for (bits, limb) in [(158, 16), (254, 17), (381, 32), (512, 17), (1033, 17)] {
        cosimulate_beside(bits, limb, 4, &[Montgomery, FiveStage]);
    }
    for generators in [1, 2, 3, 8] {
        cosimulate_beside(158, 17, generators, &[Montgomery, FiveStage]);
    }
}

/// Returns the prime of `bn-258`: u = 2^63 + 857.
pub(crate) fn bn_258() -> BigUint {
    let u = (BigUint::from(1u32) << 63) + 857u32;
    &u * (&u * (&u * (&u * 36u32 + 36u32) + 24u32) + 6u32) + 1u32
}

/// Co-simulates every size and limb with both reductions; takes minutes.
#[test]
#[ignore = "minutes: make rtl"]
fn cosimulated_from_158_to_1033_bits() {
    for bits in [158, 254, 381, 512, 1033] {
        // 158 bits in limbs of 17 have a test above
        for limb in [16, 17, 32].into_iter().filter(|limb| (bits, *limb) != (158, 17)) {
            cosimulate_all(bits, limb, 4, &[Montgomery, FiveStage]);
        }
    }
    for generators in [1, 2, 3, 8] {
        cosimulate_all(258, 17, generators, &[Montgomery, FiveStage]);
    }
}
