//! Random valid programs.

use bilinear_processor::{Comment, Constant, Image, Instruction, Opcode, Operand, Port, Section, isa};
use proptest::prelude::*;

/// The exclusive upper limit of the numbers of registers, places of the memory, and instructions of the programs.
pub(crate) const MAX: u32 = 40;

prop_compose! {
    pub(crate) fn image()(
        registers in 1..MAX,
        wide in 1..MAX,
        memory in 2..MAX,
        digits in prop::collection::vec(any::<bool>(), 1..150),
        constant in any::<u64>(),
        sections in prop::collection::btree_set(0..MAX, 0..5),
        comments in prop::collection::btree_map(0..MAX, "[!-~]([ -~]{0,12}[!-~])?", 0..9),
        raw in prop::collection::vec((0..22_usize, any::<[u32; 3]>()), 1..MAX as usize),
    ) -> Image {
        let most = raw.len() as u32;
        let instructions = raw.into_iter().map(|(which, values)| {
            let entry = &isa().instructions[which];
            let operands = entry.operands.iter().zip(values).map(|(kind, value)| match kind {
                Operand::Destination | Operand::Source => value % registers,
                kind if kind.is_wide() => value % wide,
                Operand::Address => value % memory,
                Operand::Target => value % most,
                _ => 1 + value % 9,
            });
            Instruction::new(entry.mnemonic, &operands.collect::<Vec<_>>())
        });
        Image {
            registers,
            wide,
            memory,
            constants: vec![Constant { address: 0, value: constant.into() }],
            inputs: vec![Port { name: "x".to_owned(), address: 1 }],
            outputs: vec![Port { name: "y".to_owned(), address: memory - 1 }],
            digits,
            instructions: instructions.collect(),
            sections: sections
                .into_iter()
                .filter(|from| *from < most)
                .map(|from| Section { from, name: format!("routine {from}") })
                .collect(),
            comments: comments
                .into_iter()
                .filter(|(at, _)| *at < most)
                .map(|(at, text)| Comment { at, text })
                .collect(),
        }
    }
}

/// Returns a program of these instructions with registers, a place of the memory with an input, and a digit.
pub(crate) fn program(instructions: &[(Opcode, &[u32])]) -> Image {
    Image {
        registers: 2,
        wide: 2,
        memory: 2,
        inputs: vec![Port { name: "x".to_owned(), address: 0 }],
        outputs: vec![Port { name: "y".to_owned(), address: 1 }],
        digits: vec![true],
        instructions: instructions.iter().map(|(opcode, operands)| Instruction::new(*opcode, operands)).collect(),
        ..Image::default()
    }
}
