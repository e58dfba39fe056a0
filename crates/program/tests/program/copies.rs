//! Copies of a program beside each other compute what the program does on each of their inputs, with prepared
//! arguments of their own.

use crate::common::{Lane, Rng, TIGHT, lane, machines, prime, replay, run, uniforms};
use crate::random::program;
use bilinear_field::reference::Reference;
use bilinear_program::{Input, Kind, Output, Parts, Program, Ref, Value};
use num_bigint::BigUint;
use std::sync::Arc;

/// Returns the outputs of copies, each on a lane and a prepared argument.
fn beside(program: &Program, given: &[(Lane, Vec<BigUint>)]) -> Vec<Lane> {
    let copies = program.copies(given.len()).unwrap();
    assert_eq!(copies.streams() as usize, program.streams() as usize * given.len());
    let r = Reference::new(program.modulus()).unwrap();
    let mut elems = given.iter().flat_map(|((elems, _), _)| elems);
    let mut masks = given.iter().flat_map(|((_, masks), _)| masks);
    let inputs = copies.inputs().iter().map(|input| match input {
        Input::Elem { .. } => Value::Elem(elems.next().unwrap().clone()),
        Input::Mask { .. } => Value::Mask(*masks.next().unwrap()),
        Input::Uniform { stream, index, .. } => Value::Elem(given[*stream as usize].1[*index as usize].clone()),
    });
    let made = copies.replay(&r, &inputs.collect::<Vec<Value<Reference>>>());
    let each = program.outputs().len();
    let lane = |(outputs, values): (&[Output], &[Value<Reference>])| {
        let (mut elems, mut masks) = (vec![], vec![]);
        for (output, value) in outputs.iter().zip(values) {
            match output {
                Output::Mask(_) => masks.push(value.mask()),
                _ => elems.push(value.elem().clone()),
            }
        }
        (elems, masks)
    };
    match each {
        0 => vec![(vec![], vec![]); given.len()],
        _ => copies.outputs().chunks(each).zip(made.chunks(each)).map(lane).collect(),
    }
}

#[test]
fn copies_are_the_program_on_each_of_their_inputs() {
    let p = prime(TIGHT);
    let all = machines(&p);
    let rows = all.iter().find(|machine| machine.name() == "rows");
    let mut run_in_rows = 0;
    for seed in 0x5eed_c000..0x5eed_c000 + 60u64 {
        let mut rng = Rng(seed * 0x9e37_79b9);
        let program = Arc::new(program(&p, &mut rng));
        let mut given = || (lane(&mut rng, &p, 4, 4), (0..4).map(|_| rng.residue(&p)).collect::<Vec<BigUint>>());
        let given: Vec<(Lane, Vec<BigUint>)> = (0..5).map(|_| given()).collect();
        let want: Vec<Lane> = given.iter().map(|(lane, residues)| replay(&program, lane, residues)).collect();
        for count in [1, 2, 5] {
            assert_eq!(beside(&program, &given[..count]), want[..count], "{count} copies, seed {seed:#x}");
        }
        // two beside each other, and one that is left
        let Some(rows) = rows else { continue };
        if rows.prove(&rows.suited(&program)).is_some_and(|report| report.violations.is_empty()) {
            let vectors: Vec<Vec<Lane>> = given.iter().map(|(lane, _)| vec![lane.clone()]).collect();
            let streams: Vec<_> = given.iter().map(|(_, residues)| vec![uniforms(&**rows, residues)]).collect();
            assert_eq!(run(&**rows, &program, &vectors, &streams), want, "rows, seed {seed:#x}");
            run_in_rows += 1;
        }
    }
    assert!(rows.is_none() || run_in_rows >= 10, "{run_in_rows}");
}

#[test]
fn copies_have_no_more_prepared_arguments_than_a_program_may_have() {
    let parts = |stream| Parts {
        modulus: prime(TIGHT),
        constants: vec![],
        routines: vec![],
        kinds: vec![Kind::Elem],
        inputs: vec![Input::Uniform { value: 0, stream, index: 0 }],
        outputs: vec![Output::Elem(Ref::value(0))],
        plan: vec![],
    };
    for (stream, most) in [((1 << 23) - 1, 2), (1 << 23, 1), ((1 << 24) - 1, 1)] {
        let program = parts(stream).verify().unwrap();
        assert_eq!(
            [1, 2, usize::MAX].map(|count| program.copies(count).is_some()),
            [true, most == 2, false],
            "{stream}"
        );
    }
}
