//! Whole pairings, instruction by instruction, on points of the curves; their cycles are those that `rtl/syn/designs.json` reports.

use crate::build::{Core, PIPELINED, build, rtl, run};
use crate::script::Script;
use bilinear_engine::{Curve, Group, Options, PairingKind, Power, System, programs};
use bilinear_processor::Issue::{Beside, Serial};
use bilinear_processor::Reduction::{self, FiveStage, Montgomery, Polynomial};
use bilinear_processor::{Alu, Image, Issue, Names, compile};
use bilinear_program::Program;
use num_bigint::BigUint;
use std::fs;

/// A pairing, compiled for so many registers and wide registers, and a core that holds it.
fn compiled(curve: &Curve, options: Options, alu: Alu, issue: Issue, [registers, wide]: [u32; 2]) -> (Image, Core) {
    let all = programs(curve, options).unwrap();
    let pairing: Vec<&Program> = all[..2].iter().map(|(_, program)| &**program).collect();
    let number = |prefix: &str, count: usize| (0..count).map(|i| format!("{prefix}{i}")).collect();
    let names =
        Names { inputs: number("x", pairing[0].inputs().len()), outputs: number("y", pairing[1].outputs().len()) };
    let core = Core { alu, issue, registers, wide, places: 0, instructions: 0, digits: 0, count_bits: 13 };
    let image = compile(&pairing, &names, &core.machine()).unwrap();
    let core = Core {
        places: image.memory.next_power_of_two(),
        instructions: (image.instructions.len() as u32).next_power_of_two(),
        digits: (image.digits.len() as u32).next_power_of_two().max(64),
        ..core
    };
    (image, core)
}

/// Co-simulates a pairing of the generators and one of hashed points; the cycles of each.
fn cosimulate(
    name: &str,
    options: Options,
    (reduction, limb, generators, issue): (Reduction, u32, u32, Issue),
    registers: [u32; 2],
) -> u64 {
    let curve = Curve::named(name).unwrap();
    let system = System::with(&curve, options).unwrap();
    let p = curve.family().field();
    let alu = Alu { bits: p.bits() as u32, limb, generators, reduction };
    let (image, core) = compiled(&curve, options, alu, issue, registers);
    let mut script = Script::new(&core, p);
    script.load(&image);
    let groups = [Group::G1, Group::G2];
    let generators = groups.map(|group| system.generator(group));
    let hashed = groups.map(|group| system.hash_to_point(group, b"rtl", b"TEST-V01").unwrap());
    let mut cycles = vec![];
    for points in [generators, hashed] {
        let bytes = points.each_ref().map(|point| point.bytes().unwrap()).concat();
        let inputs: Vec<_> = bytes.chunks(p.bits().div_ceil(8) as usize).map(BigUint::from_bytes_be).collect();
        cycles.push(script.run(&image, &inputs));
    }
    let (said, equal) = run(&build(&core), &script.text);
    println!(
        "{name}, {reduction:?}, W = {limb}, {issue:?}: {} instructions, {} places, {} digits, {} cycles; {said}",
        image.instructions.len(),
        image.memory,
        image.digits.len(),
        cycles[0]
    );
    assert!(equal, "{said}");
    assert_eq!(cycles[0], cycles[1], "the time tells nothing");
    cycles[0]
}

/// The report has these cycles for a design.
fn reported(design: &str, core: &str, cycles: u64) {
    let text = fs::read_to_string(rtl().join("syn/designs.json")).unwrap();
    let entry = text.split("\"design\"").find(|entry| entry.contains(&format!(": \"{design}\", \"core\": \"{core}, ")));
    let entry = entry.unwrap_or_else(|| panic!("no design {design}, {core}"));
    assert!(
        entry.contains(&format!("\"cycles\": {cycles}, ")),
        "{design}, {core}: {cycles} cycles, not those of\n{entry}"
    );
}

#[test]
#[ignore = "a minute: make rtl"]
fn cosimulated_pairings_of_a_512() {
    let exact = Options::default();
    reported("a-512", "Montgomery", cosimulate("a-512", exact, (Montgomery, 17, 4, Serial), [24, 0]));
    reported("a-512", "five stages", cosimulate("a-512", exact, (FiveStage, 17, 4, Serial), [24, 0]));
    reported("a-512", "wide registers, Montgomery", cosimulate("a-512", exact, (Montgomery, 17, 4, Serial), [20, 2]));
    reported("a-512", "sums beside, Montgomery", cosimulate("a-512", exact, (Montgomery, 17, 4, Beside), [24, 0]));
}

/// Two pairings of 50 million cycles each.
#[test]
#[ignore = "minutes: make rtl"]
fn cosimulated_pairings_of_a1_1024() {
    let exact = Options::default();
    reported("a1-1024", "Montgomery", cosimulate("a1-1024", exact, (Montgomery, 17, 4, Serial), [32, 0]));
}

#[test]
#[ignore = "a minute: make rtl"]
fn cosimulated_pairings_of_bls12_381() {
    let exact = Options::default();
    reported("bls12-381", "Montgomery", cosimulate("bls12-381", exact, (Montgomery, 17, 4, Serial), [56, 0]));
    let wide = cosimulate("bls12-381", exact, (Montgomery, 17, 4, Serial), [56, 20]);
    reported("bls12-381", "wide registers, Montgomery", wide);
    let beside = cosimulate("bls12-381", exact, (Montgomery, 17, 4, Beside), [56, 0]);
    reported("bls12-381", "sums beside, Montgomery", beside);
}

#[test]
#[ignore = "a minute: make rtl"]
fn cosimulated_pairings_of_bn_258() {
    let fast = |kind| Options { pairing: Some(kind), power: Power::Fast, ..Options::default() };
    let limbs = (Montgomery, 17, 4, Serial);
    reported("bn-258", "Montgomery", cosimulate("bn-258", fast(PairingKind::OptAte), limbs, [56, 0]));
    reported("bn-258", "wide registers, Montgomery", cosimulate("bn-258", fast(PairingKind::OptAte), limbs, [56, 20]));
    let alu = (Polynomial, 22, 5, Serial);
    reported("bn-258", "polynomials", cosimulate("bn-258", fast(PairingKind::OptAte), alu, [56, 0]));
    let beside = cosimulate("bn-258", fast(PairingKind::OptAte), (Polynomial, 22, 5, Beside), [120, 0]);
    reported("bn-258", "sums beside, polynomials", beside);
    let pipelined = cosimulate("bn-258", fast(PairingKind::OptAte), (Polynomial, 32, 5, PIPELINED), [248, 0]);
    reported("bn-258", "pipelined, polynomials", pipelined);
    reported("bn-258, ate", "polynomials", cosimulate("bn-258", fast(PairingKind::Ate), alu, [56, 0]));
    reported("bn-258, R-ate", "polynomials", cosimulate("bn-258", fast(PairingKind::RAte), alu, [56, 0]));
}
