//! Tests of programs that do not end properly: each is stopped, and its instruction is named.

use crate::execution::alu;
use crate::random::{image, program};
use bilinear_field::mont::Mont;
use bilinear_field::{Field, Prime};
use bilinear_processor::{Image, Instruction, Layout, Opcode, Trap, simulate};
use num_bigint::BigUint;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::cell::Cell;

fn field() -> Mont<1> {
    Mont::new(&BigUint::from(1_000_003u32)).unwrap()
}

fn run(image: &Image, limit: u64) -> Result<u64, Trap> {
    let f = field();
    simulate(&f, image, &[f.constant(&BigUint::from(5u32))], &alu(), limit).map(|run| run.executed)
}

#[test]
fn traps_name_the_instruction() {
    type Instructions<'i> = &'i [(Opcode, &'i [u32])];
    let cases: [(Instructions<'_>, &str); 10] = [
        (&[(Opcode::Neg, &[0, 1])], "instruction 0, `neg r0, r1`: r1 is read before it is written"),
        (&[(Opcode::WRed, &[0, 0])], "instruction 0, `wred r0, w0`: w0 is read before it is written"),
        (
            &[(Opcode::Ld, &[0, 0]), (Opcode::WMac, &[0, 0, 0])],
            "instruction 1, `wmac w0, r0, r0`: w0 is read before it is written",
        ),
        (&[(Opcode::Ld, &[0, 1])], "instruction 0, `ld r0, m1`: m1 is read before it is written"),
        (&[(Opcode::Jdec, &[0])], "instruction 0, `jdec 0`: the counter is 0"),
        (
            &[(Opcode::Load, &[1]), (Opcode::Jdec, &[0]), (Opcode::Jdec, &[0])],
            "instruction 2, `jdec 0`: the counter is 0",
        ),
        (&[(Opcode::Ld, &[0, 0])], "the program runs past its last instruction, 0, without a halt"),
        (
            &[(Opcode::Jump, &[0])],
            "instruction 0, `jump 0`: the program has not ended, and the limit of executed instructions is 50",
        ),
        (
            &[(Opcode::Jsr, &[0])],
            "instruction 0, `jsr 0`: the program has not ended, and the limit of executed instructions is 50",
        ),
        (&[(Opcode::Halt, &[])], "output y at m1 is never written"),
    ];
    for (instructions, message) in cases {
        assert_eq!(run(&program(instructions), 50).unwrap_err().to_string(), message);
    }
    let f = field();
    let error = simulate(&f, &program(&[(Opcode::Halt, &[])]), &[f.one(), f.one()], &alu(), 1).unwrap_err();
    assert_eq!(error.to_string(), "the numbers of inputs and of the input ports of the program differ: 2 and 1");
    let error = simulate(&f, &program(&[]), &[f.one()], &alu(), 1).unwrap_err();
    assert_eq!(error.to_string(), "the program has no instructions");
    let error = simulate(&f, &Image { registers: 0, ..program(&[(Opcode::Neg, &[0, 1])]) }, &[f.one()], &alu(), 1);
    assert_eq!(error.unwrap_err().to_string(), "instruction 0, `neg r0, r1`: register 0 is not below 0");
}

/// Runs ten thousand random words, twelve per program: each program ends within its limit, with or without an error.
#[test]
fn random_words_never_hang() {
    let seed = [0x5e; 32];
    println!("seed {seed:02x?}");
    let config = Config { cases: 10_000 / 12 + 1, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    let layout = Layout::new(1, 1, 4, 3).unwrap();
    // words with an opcode and no bits above the operands are more frequent than among 64 random bits
    let word = (0..23_u64, any::<u16>()).prop_map(|(opcode, rest)| opcode | u64::from(rest & 7) << 5);
    let (decoded, ran) = (Cell::new(0), Cell::new(0));
    runner
        .run(&prop::collection::vec(word, 12), |words| {
            let instructions: Vec<Instruction> = words.iter().filter_map(|word| layout.decode(*word).ok()).collect();
            decoded.set(decoded.get() + instructions.len());
            let start: [(Opcode, &[u32]); 5] = [
                (Opcode::Ld, &[0, 0]),
                (Opcode::Ld, &[1, 0]),
                (Opcode::St, &[0, 1]),
                (Opcode::WMul, &[0, 0, 0]),
                (Opcode::WMul, &[1, 0, 1]),
            ];
            let start = start.map(|(opcode, operands)| Instruction::new(opcode, operands));
            let instructions = [&start, &*instructions].concat();
            match run(&Image { instructions, ..program(&[]) }, 300) {
                Ok(executed) => {
                    ran.set(ran.get() + 1);
                    prop_assert!(executed <= 300);
                }
                Err(trap) => prop_assert!(!trap.to_string().is_empty()),
            }
            Ok(())
        })
        .unwrap();
    let (decoded, ran) = (decoded.get(), ran.get());
    println!("{decoded} words are instructions; {ran} programs ended well");
    assert!(decoded > 4000 && ran > 10, "{decoded} words are instructions; {ran} programs ended well");
}

proptest! {
    #[test]
    fn random_programs_never_panic(image in image()) {
        let _ = run(&image, 500);
    }
}
