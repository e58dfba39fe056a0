//! The data of the instructions, their words, and the model of the ALU.

use crate::random::image;
use bilinear_processor::{Alu, Layout, Opcode, Operand, Price, Reduction, WordError, isa};
use proptest::prelude::*;
use std::collections::BTreeSet;

#[test]
fn every_opcode_has_one_line_of_the_data() {
    let isa = isa();
    let names: BTreeSet<Opcode> = isa.instructions.iter().map(|entry| entry.mnemonic).collect();
    // the last of the enumeration counts it
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
            // each bit has a meaning: another word is another instruction, or none
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
    let layout = Layout { register: 2, address: 3, target: 4, count: 5 };
    assert_eq!(layout.word(), 5 + 3 * 2);
    let add = bilinear_processor::Instruction::new(Opcode::Add, &[1, 4, 2]);
    let error = layout.encode(&add).unwrap_err();
    assert_eq!(error.to_string(), "`add r1, r4, r2`: operand 4 does not fit 2 bits");
    assert_eq!(layout.decode(0), Err(WordError::Opcode { word: 0, opcode: 0 }));
    let error = layout.decode(1 | 1 << 11).unwrap_err();
    assert_eq!(error.to_string(), "word 0x801: bits above the 11 of `add r0, r0, r0` are set");
}

/// The cycles that the formulas give at the paper's width, worked out by hand.
#[test]
fn the_model_at_512_bits() {
    // 31 limbs: a pass of 34 cycles, 8 steps a product
    let alu = Alu { bits: 512, limb: 17, generators: 4, reduction: Reduction::Montgomery };
    let cycles = |alu: &Alu| {
        [Price::Sum, Price::Move, Price::Product, Price::Inverse, Price::Control].map(|price| alu.cycles(price))
    };
    assert_eq!(cycles(&alu), [34, 34, 8 * (35 + 4 + 35) + 7, (2 * 512 * 2 + 5) * 34, 1]);
    // the halves of a product; a pass over 32 and 31 limbs
    let halves = [Price::WideProduct, Price::WideSum, Price::Reduction].map(|price| alu.cycles(price));
    assert_eq!(halves, [8 * 35 + 7, 32 + 31 + 3, 8 * (4 + 35) + 7]);
    // six generators: limbs of the lower half are read when those of the second factor have been
    assert_eq!(Alu { generators: 6, ..alu }.cycles(Price::WideProduct), 6 * 37 + 9);
    assert!(alu.has_wide() && !Alu { generators: 31, ..alu }.has_wide());
    assert!(!Alu { reduction: Reduction::FiveStage, ..alu }.has_wide());
    // E = 29 and S = 61: 31 limbs of the reciprocal, 32 of the upper half of a product
    let rest = 31 + 27 + 23 + 19 + 15 + 11 + 8 + 8;
    let five_stages = 3 + 8 * 35 + 7 + 8 * 35 + 7 + rest + 31 + 5;
    assert_eq!(cycles(&Alu { reduction: Reduction::FiveStage, ..alu })[2], five_stages);
}
