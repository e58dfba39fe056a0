//! Tests of the results of instructions, on two engines, against big integers.

use crate::random::program;
use bilinear_field::mont::Mont;
use bilinear_field::reference::Reference;
use bilinear_field::{Field, Lanes, Prime};
use bilinear_processor::{
    Alu, Count, Image, Issue, Machine, Opcode, Reduction, Run, Section, assemble, simulate, simulate_on,
};
use num_bigint::BigUint;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::time::Instant;

const P: u64 = 0xffff_ffff_ffff_ffc5;

pub(crate) fn alu() -> Alu {
    Alu { bits: 64, limb: 16, generators: 2, reduction: Reduction::Montgomery }
}

fn p() -> BigUint {
    P.into()
}

/// Returns the output of a program for one input, which must be the same on both engines.
fn output(image: &Image, x: u64) -> BigUint {
    let (mont, reference) = (Mont::<1>::new(&p()).unwrap(), Reference::new(&p()).unwrap());
    let first = on(&mont, image, x);
    assert_eq!(first, on(&reference, image, x));
    first
}

fn on<F: Lanes>(f: &F, image: &Image, x: u64) -> BigUint {
    let run: Run<F::Elem> = simulate(f, image, &[f.constant(&x.into())], &alu(), 10_000).unwrap();
    f.value(&run.outputs[0], 0)
}

/// Returns the result of an instruction on x and a second operand, x².
fn single(opcode: Opcode, x: u64) -> BigUint {
    let operands: &[u32] = if opcode.entry().operands.len() == 3 { &[0, 0, 1] } else { &[0, 0] };
    let image = program(&[
        (Opcode::Ld, &[0, 0]),
        (Opcode::Sqr, &[1, 0]),
        (opcode, operands),
        (Opcode::St, &[0, 1]),
        (Opcode::Halt, &[]),
    ]);
    output(&image, x)
}

proptest! {
    #[test]
    fn instructions_over_the_field(x in prop_oneof![Just(0), Just(1), Just(2), Just(P - 1), 0..P]) {
        let (p, b) = (p(), BigUint::from(x));
        let square = &b * &b % &p;
        let half = (&p + 1u32) >> 1;
        prop_assert_eq!(single(Opcode::Add, x), (&b + &square) % &p);
        prop_assert_eq!(single(Opcode::Sub, x), (&b + &p - &square) % &p);
        prop_assert_eq!(single(Opcode::Neg, x), (&p - &b) % &p);
        prop_assert_eq!(single(Opcode::Copy, x), b.clone());
        prop_assert_eq!(single(Opcode::Halve, x), &b * half % &p);
        prop_assert_eq!(single(Opcode::Mul, x), &b * &square % &p);
        prop_assert_eq!(single(Opcode::Sqr, x), square);
        prop_assert_eq!(single(Opcode::Inv, x), b.modpow(&(&p - 2u32), &p));
        prop_assert_eq!(single(Opcode::IsZero, x), BigUint::from(u32::from(x == 0)));
    }

    /// Computes x^e by the digits of e in the shift register, twice around, since the register is circular.
    #[test]
    fn powers_follow_the_digits(x in 1..P, e in 1..u64::MAX) {
        let digits = format!("{e:b}");
        let text = format!(
            "
            .registers 2
            .memory 3
            .constant 2 0x1
            .input x 0
            .output y 1
            .digits {digits}
                ld r0, m2
                load {}
            square:
                sqr r0, r0
                jsr multiply
            next:
                jdec square
                st r0, m1
                halt
            multiply:
                ld r1, m0
                mul r0, r0, r1
                jump next
            ",
            2 * digits.len()
        );
        let e = BigUint::from(e);
        let exponent = &e + (&e << digits.len());
        prop_assert_eq!(output(&assemble(&text).unwrap(), x), BigUint::from(x).modpow(&exponent, &p()));
    }
}

#[test]
fn cycles_are_those_of_the_model() {
    let image = assemble(
        "
        .registers 1
        .memory 1
        .input x 0
        .output y 0
        ld r0, m0
        load 3
        again: sqr r0, r0
        add r0, r0, r0
        jdec again
        st r0, m0
        halt
        ",
    )
    .unwrap();
    let f = Mont::<1>::new(&p()).unwrap();
    let run = simulate(&f, &image, &[f.constant(&BigUint::from(3u32))], &alu(), 100).unwrap();
    assert_eq!(run.executed, 2 + 3 * 3 + 2);
    let alu = alu();
    let of = |opcode: Opcode| alu.cycles(opcode.entry().cost);
    let loops = of(Opcode::Sqr) + of(Opcode::Add) + of(Opcode::Jdec);
    assert_eq!(run.cycles, of(Opcode::Ld) + of(Opcode::Load) + 3 * loops + of(Opcode::St) + of(Opcode::Halt));
    assert_eq!(run.counts[&Opcode::Sqr].executed, 3);
}

/// With pipelined units `ld` waits for an `st` to its place, and nothing else does.
#[test]
fn only_loads_wait_for_stores() {
    let machine = Machine {
        alu: Alu { bits: 258, limb: 32, generators: 5, reduction: Reduction::Polynomial },
        issue: Issue::Pipelined { product: 8 },
        registers: 1,
        wide: 0,
        spill: true,
        loops: true,
    };
    let cycles = |code: &str| {
        let text = format!(".registers 1\n.memory 3\n.input x 0\n.output y 1\nld r0, m0\n{code}\nhalt");
        let f = Reference::new(&p()).unwrap();
        simulate_on(&f, &assemble(&text).unwrap(), &[f.one()], &machine, 100).unwrap().cycles
    };
    let apart = cycles("st r0, m1\nst r0, m2\nst r0, m1\nst r0, m2");
    assert_eq!(cycles("st r0, m1\nst r0, m1\nst r0, m1\nst r0, m1"), apart);
    assert_eq!(cycles("st r0, m1\nld r0, m1"), cycles("st r0, m1\nld r0, m0") + 1);
}

/// A large number of routines with different names is counted in one pass.
#[test]
fn counts_of_many_routines() {
    const MANY: u32 = 1 << 17;
    let sections = (0..MANY).map(|from| Section { from, name: format!("routine {}", from % (MANY - 1)) }).collect();
    let image = Image { sections, ..Image::default() };
    let visits = vec![Count { executed: 1, cycles: 2 }; MANY as usize + 1];
    let run = Run::<()> { outputs: vec![], executed: 0, cycles: 0, counts: BTreeMap::new(), visits };
    let begun = Instant::now();
    let routines = run.routines(&image);
    assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
    assert_eq!(routines.len(), MANY as usize - 1);
    // the name of the first routine occurs again, in a section that extends to the end
    assert_eq!(routines[0], ("routine 0", Count { executed: 3, cycles: 6 }));
    assert_eq!(routines[1], ("routine 1", Count { executed: 1, cycles: 2 }));
}
