//! Random programs on many cores.

use crate::build::{Core, build, run};
use crate::random::{REGISTERS, Random, moduli, program};
use crate::script::Script;
use bilinear_processor::Reduction;
use bilinear_processor::Reduction::{FiveStage, Montgomery, Polynomial};
use num_bigint::BigUint;
use std::path::Path;

/// Two moduli, random programs with edge operands; jobs back to back, and one that a reset stops.
fn cosimulate(core: &Core, seed: u64) {
    cosimulate_with(core, &moduli(core.alu.bits), seed);
}

fn cosimulate_with(core: &Core, moduli: &[BigUint], seed: u64) {
    let (said, equal) = equal(&build(core), core, moduli, seed);
    assert!(equal, "{:?}, seed {seed}:\n{said}", core.alu);
}

/// Whether a bench finds no difference, and what it says.
pub(crate) fn equal(bench: &Path, core: &Core, moduli: &[BigUint], seed: u64) -> (String, bool) {
    let mut all = (String::new(), true);
    for (which, p) in moduli.iter().enumerate() {
        let mut random = Random(seed + which as u64);
        let mut script = Script::new(core, p);
        for _ in 0..3 {
            let image = program(&mut random, p, 2);
            script.load(&image);
            for job in 0..3 {
                let inputs: Vec<_> = (0..REGISTERS / 2).map(|_| random.residue(p)).collect();
                if job == 1 {
                    script.cut(&image, &inputs, 1 + random.below(6000));
                }
                script.run(&image, &inputs);
            }
        }
        let (said, equal) = run(bench, &script.text);
        all.0 += &format!("p = {p:#x}: {said}");
        all.1 &= equal;
    }
    all
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
    let core = Core { registers: 24, ..Core::small(258, 22, 5, Polynomial) };
    cosimulate_with(&core, &[bn_258()], 258);
}

/// The prime of `bn-258`: u = 2^63 + 857.
pub(crate) fn bn_258() -> BigUint {
    let u = (BigUint::from(1u32) << 63) + 857u32;
    &u * (&u * (&u * (&u * 36u32 + 36u32) + 24u32) + 6u32) + 1u32
}

/// Every size and limb with both reductions; minutes.
#[test]
#[ignore = "minutes: make rtl"]
fn cosimulated_from_158_to_1033_bits() {
    for bits in [158, 254, 381, 512, 1033] {
        // 158 in limbs of 17 is above
        for limb in [16, 17, 32].into_iter().filter(|limb| (bits, *limb) != (158, 17)) {
            cosimulate_all(bits, limb, 4, &[Montgomery, FiveStage]);
        }
    }
    for generators in [1, 2, 3, 8] {
        cosimulate_all(258, 17, generators, &[Montgomery, FiveStage]);
    }
}
