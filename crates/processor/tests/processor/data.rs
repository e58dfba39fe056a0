//! Tests of the instruction data, of words, and of the model of the ALU.

use crate::random::image;
use bilinear_processor::{
    Alu, CostClass, Form, Issue, Layout, LayoutError, Machine, MachineError, Opcode, Operand, Reduction, WordError, isa,
};
use num_bigint::BigInt;
use proptest::prelude::*;
use std::collections::BTreeSet;

#[test]
fn every_opcode_has_one_line_of_the_data() {
    let isa = isa();
    let names: BTreeSet<Opcode> = isa.instructions.iter().map(|entry| entry.mnemonic).collect();
    // the last variant of the enumeration gives its number of variants
    assert_eq!(names.len(), Opcode::WRed as usize + 1);
    assert_eq!(isa.instructions.len(), names.len(), "no mnemonic is there twice");
    let numbers: BTreeSet<u32> = isa.instructions.iter().map(|entry| entry.opcode).collect();
    assert_eq!(numbers.len(), names.len(), "no opcode is there twice");
    for entry in &isa.instructions {
        assert!((1..1 << isa.opcode_bits).contains(&entry.opcode), "{}", entry.mnemonic);
        assert!(entry.operands.len() <= 3, "{}", entry.mnemonic);
        assert_eq!(entry.mnemonic.entry().opcode, entry.opcode);
        let written = [Operand::Destination, Operand::WideDestination, Operand::Accumulator];
        let writes = entry.operands.iter().skip(1).all(|kind| !written.contains(kind));
        assert!(writes, "{}: a destination comes first", entry.mnemonic);
        let alone = !entry.operands.contains(&Operand::Target) || entry.operands.len() == 1;
        assert!(alone, "{}: a target is the only operand", entry.mnemonic);
    }
}

proptest! {
    #[test]
    fn words_hold_instructions(image in image()) {
        let layout = Layout::of(&image);
        prop_assert!(layout.word() <= 64);
        for instruction in &image.instructions {
            let word = layout.encode(instruction).unwrap();
            prop_assert_eq!(word.checked_shr(layout.word()).unwrap_or(0), 0);
            prop_assert_eq!(&layout.decode(word).unwrap(), instruction);
            // each bit has a meaning: a changed word is another instruction, or none
            for bit in 0..64 {
                if let Ok(other) = layout.decode(word ^ 1 << bit) {
                    prop_assert_ne!(&other, instruction);
                    prop_assert_eq!(layout.encode(&other).unwrap(), word ^ 1 << bit);
                }
            }
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let layout = Layout::new(2, 3, 4, 5).unwrap();
    assert_eq!(layout.word(), 5 + 3 * 2);
    let add = bilinear_processor::Instruction::new(Opcode::Add, &[1, 4, 2]);
    let error = layout.encode(&add).unwrap_err();
    assert_eq!(error.to_string(), "`add r1, r4, r2`: operand 4 does not fit in 2 bits");
    assert_eq!(layout.decode(0), Err(WordError::Opcode { word: 0, opcode: 0 }));
    let error = layout.decode(1 | 1 << 11).unwrap_err();
    assert_eq!(error.to_string(), "word 0x801: bits above the 11 bits of `add r0, r0, r0` are set");
    // the widest layout, whose words have 62 bits
    let widest = Layout::new(19, 20, 20, 20).unwrap();
    let wide = bilinear_processor::Instruction::new(Opcode::WAdd, &[(1 << 19) - 1; 3]);
    assert_eq!((widest.word(), widest.decode(widest.encode(&wide).unwrap())), (62, Ok(wide)));
    for ([register, address, target, count], bits) in
        [([20, 1, 1, 1], 20), ([1, 21, 1, 1], 21), ([1, 1, 64, 1], 64), ([1, 1, 1, u32::MAX], u32::MAX)]
    {
        assert_eq!(Layout::new(register, address, target, count), Err(LayoutError(bits)));
    }
    let json = |count: u32| format!("{{\"register\":1,\"address\":1,\"target\":1,\"count\":{count}}}");
    assert_eq!(serde_json::from_str::<Layout>(&json(20)).unwrap(), Layout::new(1, 1, 1, 20).unwrap());
    let error = serde_json::from_str::<Layout>(&json(64)).unwrap_err().to_string();
    assert!(error.starts_with("the layout has operands of 64 bits"), "{error}");
}

/// Machines that `rtl` rejects are rejected, and those of the report are accepted.
#[test]
fn machines_that_would_compute_something_else_are_refused() {
    use Reduction::{FiveStage, Montgomery, Polynomial};
    let verify = |bits, limb, generators, reduction, issue, wide| {
        let alu = Alu { bits, limb, generators, reduction };
        Machine { alu, issue, registers: 24, wide, spill: true, loops: true }
            .verify()
            .map_err(|error| error.to_string())
    };
    // a machine with this number of limbs
    let of = |limbs: u32, generators, reduction| verify(16 * limbs - 2, 16, generators, reduction, Issue::Serial, 0);
    for (limbs, least, most) in [(2, 2, 4), (3, 3, 4), (4, 1, 8), (7, 1, 8), (8, 1, 16), (31, 1, 32)] {
        for generators in 1..=64 {
            let may = (least..=most).contains(&generators);
            assert_eq!(of(limbs, generators, Montgomery).is_ok(), may, "{limbs} limbs, {generators} generators");
        }
    }
    assert!((1..=64).all(|generators| of(1, generators, Montgomery).is_err()));
    for limbs in 1..=9 {
        for generators in 1..=64 {
            assert_eq!(of(limbs, generators, FiveStage).is_ok(), limbs > 3 || generators > limbs);
        }
    }
    assert!(of(3, 2, Montgomery).unwrap_err().starts_with("limbs: 3, generators: 2; Montgomery reduction needs"));
    assert!(of(3, 9, Montgomery).unwrap_err().ends_with("at most 4 with 3 limbs"));
    assert!(of(3, 2, FiveStage).unwrap_err().contains("a reduction in five stages needs"));
    for digit in 1..=64 {
        let said = verify(258, digit, 5, Polynomial, Issue::Serial, 0);
        assert_eq!(said.is_ok(), (7..=32).contains(&digit), "{digit}: {said:?}");
    }
    for (reduction, issue, generators) in
        [(FiveStage, Issue::Serial, 4), (Montgomery, Issue::Beside, 4), (Montgomery, Issue::Serial, 31)]
    {
        let said = verify(512, 17, generators, reduction, issue, 2).unwrap_err();
        assert!(said.starts_with("wide registers need Montgomery reduction"), "{said}");
    }
    assert_eq!(verify(512, 17, 4, Montgomery, Issue::Serial, 2), Ok(()));
    let alu = Alu { bits: 512, limb: 17, generators: 4, reduction: Montgomery };
    let odd = |wide| Machine { alu, issue: Issue::Serial, registers: 23, wide, spill: true, loops: true }.verify();
    assert_eq!((odd(0), odd(2)), (Ok(()), Err(MachineError::Wide)));
    for m in 14..=80 {
        let said = verify(4 * m + 6, 7, 5, Polynomial, Issue::Serial, 0);
        assert_eq!(said.is_ok(), (22..=63).contains(&m), "m = {m}: {said:?}");
    }
}

/// The form of polynomials requires u = 2^m + s with m from 22 to 63, s odd and below 2^12.
#[test]
fn forms_of_polynomials() {
    let is_one = |u: BigInt| {
        let bits = 4 * (u.bits() as u32 - 1) + 6;
        let alu = Alu { bits, limb: 22, generators: 5, reduction: Reduction::Polynomial };
        let p: BigInt = &u * (&u * (&u * (&u * 36 + 36) + 24) + 6) + 1;
        Form::new(&alu, &p.to_biguint().unwrap()).is_some()
    };
    let power: BigInt = BigInt::from(1) << 63;
    for (s, may) in
        [(857, true), (1, true), (4095, true), (0, false), (856, false), (4096, false), (4097, false), (-1, false)]
    {
        assert_eq!(is_one(&power + s), may, "u = 2^63 + {s}");
    }
    assert!(!is_one(-power - 857), "a negative seed");
    for (m, may) in [(21, false), (22, true), (63, true), (64, false)] {
        assert_eq!(is_one((BigInt::from(1) << m) + 1), may, "u = 2^{m} + 1");
    }
}

/// Checks the cycles of the formulas at the paper's width against values worked out by hand.
#[test]
fn the_model_at_512_bits() {
    // 31 limbs: a pass of 34 cycles, 8 steps per product
    let alu = Alu { bits: 512, limb: 17, generators: 4, reduction: Reduction::Montgomery };
    let cycles = |alu: &Alu| {
        [CostClass::Sum, CostClass::Move, CostClass::Product, CostClass::Inverse, CostClass::Control]
            .map(|cost| alu.cycles(cost))
    };
    assert_eq!(cycles(&alu), [34, 34, 8 * (35 + 4 + 35) + 7, (2 * 512 * 2 + 5) * 34, 1]);
    // the two halves of a product, and a pass over 32 and 31 limbs
    let halves = [CostClass::WideProduct, CostClass::WideSum, CostClass::Reduction].map(|cost| alu.cycles(cost));
    assert_eq!(halves, [8 * 35 + 7, 32 + 31 + 3, 8 * (4 + 35) + 7]);
    // six generators: the limbs of the lower half are read after those of the second factor
    assert_eq!(Alu { generators: 6, ..alu }.cycles(CostClass::WideProduct), 6 * 37 + 9);
    assert!(alu.has_wide() && !Alu { generators: 31, ..alu }.has_wide());
    assert!(!Alu { reduction: Reduction::FiveStage, ..alu }.has_wide());
    // E = 29 and S = 61: 31 limbs of the reciprocal, 32 of the upper half of a product
    let rest = 31 + 27 + 23 + 19 + 15 + 11 + 8 + 8;
    let five_stages = 3 + 8 * 35 + 7 + 8 * 35 + 7 + rest + 31 + 5;
    assert_eq!(cycles(&Alu { reduction: Reduction::FiveStage, ..alu })[2], five_stages);
}
