//! Inputs and outputs: prepared arguments, truth values of lanes, and what a machine refuses to run.

use crate::common::{FULL, Lane, Rng, TIGHT, lane, machines, prime, ragged, record, replay, run, uniforms};
use crate::formulas::Product;
use bilinear_field::reference::Reference;
use bilinear_field::{Engine, Field, Margin, Prime, SPARE, at, minus, plus, times};
use bilinear_program::{Batch, Machine, Native, Program, Recorder, Uniforms, machine as make};
use num_bigint::BigUint;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Returns the program from x to the prepared argument x², x² − 5, 5.
fn prepare(p: &BigUint) -> Program {
    let recorder = Recorder::new(p).unwrap();
    let program = recorder.record(|ports| {
        let (x, five) = (ports.elem(), recorder.constant(&5u32.into()));
        at! {recorder; square = sqr(&x); less = sum(&[plus(&square), minus(&five)]);}
        [square, less, five].iter().for_each(|x| ports.output_uniform(x));
    });
    program.unwrap()
}

/// Returns the program that takes the prepared arguments u and v: y·u0 − v0, (y + v1)·u2, and u1 unchanged.
fn with_prepared(p: &BigUint) -> Program {
    let recorder = Recorder::new(p).unwrap();
    let program = recorder.record(|ports| {
        let y = ports.elem();
        let [u0, v0, v1, u1, u2] = [0, 1, 1, 0, 0].map(|stream| ports.uniform(stream));
        at! {recorder; first = mul_sum(&y, &u0, &[minus(&v0)]); t = add(&y, &v1); second = mul(&t, &u2);}
        [first, second, u1].iter().for_each(|x| ports.output(x));
    });
    program.unwrap()
}

#[test]
fn prepared_arguments_of_each_vector() {
    let p = prime(TIGHT);
    let (prepare, program) = (Arc::new(prepare(&p)), Arc::new(with_prepared(&p)));
    let seed = 0x5eed_8000;
    let mut rng = Rng(seed);
    for machine in machines(&p) {
        let mut made = |x: &BigUint| -> Uniforms {
            let mut batch = Batch::new(&prepare, &*machine, 1);
            // the other lanes hold something else
            for lane in 0..machine.lanes() {
                let x = if lane == 0 { x.clone() } else { rng.residue(&p) };
                batch.set(0, 0, lane, &x.to_u64_digits());
            }
            machine.load(&prepare).run(&mut batch);
            batch.uniforms().unwrap()
        };
        let xs: Vec<[BigUint; 2]> = [[3u32, 4], [0, 1], [17, 9]].map(|xs| xs.map(BigUint::from)).to_vec();
        let streams: Vec<Vec<Uniforms>> = xs.iter().map(|xs| xs.iter().map(&mut made).collect()).collect();
        let lanes: Vec<Lane> = (0..3 * machine.lanes()).map(|_| lane(&mut rng, &p, 1, 0)).collect();
        let got = run(&*machine, &program, &ragged(&*machine, &lanes), &streams);
        for (i, ((y, _), (out, _))) in lanes.iter().zip(&got).enumerate() {
            let [u, v] = xs[i / machine.lanes()].each_ref().map(|x| {
                let square = x * x;
                [square.clone() % &p, (square + &p - 5u32) % &p, 5u32.into()]
            });
            let want = [(&y[0] * &u[0] + &p - &v[0]) % &p, (&y[0] + &v[1]) * &u[2] % &p, u[1].clone()];
            assert_eq!(out[..], want, "{}, lane {i}, seed {seed:#x}", machine.name());
        }
    }
}

#[test]
fn truth_values_of_lanes_become_inputs_of_a_recorded_program() {
    let p = prime(TIGHT);
    let recorder = Recorder::new(&p).unwrap();
    // during set-up: a constant
    let constant = recorder.mask_from(&[true]);
    let select = |secret: bool| {
        let program = recorder.record(|ports| {
            let (a, b) = (ports.elem(), ports.elem());
            let own = recorder.mask_from(&[secret]);
            at! {recorder; x = select(own, &a, &b); y = select(constant, &x, &b); z = sum(&[plus(&y), plus(&a)]);}
            ports.output(&z);
            ports.output_mask(recorder.not(own));
        });
        program.unwrap()
    };
    assert!(select(true) == select(false), "the values are none of the program's");
    let program = Arc::new(select(true));
    assert_eq!(program.inputs().len(), 3);
    let seed = 0x5eed_8100;
    let mut rng = Rng(seed);
    let lanes: Vec<Lane> = (0..19).map(|_| lane(&mut rng, &p, 2, 1)).collect();
    for machine in machines(&p) {
        let vectors = ragged(&*machine, &lanes);
        let got = run(&*machine, &program, &vectors, &vec![vec![]; vectors.len()]);
        for ((xs, masks), (out, truths)) in lanes.iter().zip(&got) {
            let chosen = if masks[0] { &xs[0] } else { &xs[1] };
            let want = (vec![(chosen + &xs[0]) % &p], vec![!masks[0]]);
            assert_eq!((out, truths), (&want.0, &want.1), "{}, seed {seed:#x}", machine.name());
        }
    }
}

/// The reference as a machine.
fn machine(p: &BigUint) -> Native {
    Native::new("reference", Reference::new(p).unwrap())
}

#[test]
fn no_vector_prepares_no_argument() {
    let p = prime(TIGHT);
    let program = Arc::new(prepare(&p));
    for machine in machines(&p) {
        let made = [0, 1].map(|vectors| {
            let mut batch = Batch::new(&program, &*machine, vectors);
            machine.load(&program).run(&mut batch);
            batch.uniforms().is_some()
        });
        assert_eq!(made, [false, true], "{}", machine.name());
    }
}

#[test]
#[should_panic(expected = "the program and the machine are over different fields")]
fn a_program_over_another_field_is_not_loaded() {
    machine(&prime(240)).load(&Arc::new(prepare(&prime(TIGHT))));
}

#[test]
#[should_panic(expected = "the batch belongs to another program or machine")]
fn a_batch_of_another_program_is_not_run() {
    let p = prime(TIGHT);
    let machine = machine(&p);
    let mut batch = Batch::new(&with_prepared(&p), &machine, 1);
    machine.load(&Arc::new(prepare(&p))).run(&mut batch);
}

#[test]
#[should_panic(expected = "every vector needs prepared arguments of the program's length")]
fn a_prepared_argument_that_is_too_short_is_not_read() {
    let p = prime(TIGHT);
    let machine = machine(&p);
    let program = Arc::new(with_prepared(&p));
    let mut batch = Batch::new(&program, &machine, 1);
    let short = uniforms(&machine, &[1u32.into(), 2u32.into()]);
    batch.set_streams(0, vec![short.clone(), short]);
    machine.load(&program).run(&mut batch);
}

#[test]
#[should_panic(expected = "the argument was prepared by another machine")]
fn an_argument_that_another_machine_prepared_is_not_read() {
    let p = prime(TIGHT);
    let program = Arc::new(with_prepared(&p));
    let [reference, words] =
        ["reference", "mont"].map(|name| machines(&p).into_iter().find(|m| m.name() == name).unwrap());
    let mut batch = Batch::new(&program, &*words, 1);
    let own = uniforms(&*reference, &[1u32.into(), 2u32.into(), 3u32.into()]);
    batch.set_streams(0, vec![own.clone(), own]);
    words.load(&program).run(&mut batch);
}

/// Applies where there are rows: residues lie differently in rows that have one limb more.
#[test]
fn an_argument_of_rows_with_another_number_of_limbs_is_not_read() {
    let p = prime(240);
    let program = Arc::new(with_prepared(&p));
    let rows = |spare| make(Engine::Rows, &p, Margin { spare, ..Margin::default() });
    let (Ok(few), Ok(more)) = (rows(SPARE), rows(SPARE + 48)) else { return };
    let run = |by: &Arc<dyn Machine>| {
        let mut batch = Batch::new(&program, &*few, 1);
        let given = uniforms(&**by, &[1u32.into(), 2u32.into(), 3u32.into()]);
        batch.set_streams(0, vec![given.clone(), given]);
        catch_unwind(AssertUnwindSafe(|| few.load(&program).run(&mut batch))).is_ok()
    };
    assert_eq!([&few, &more].map(run), [true, false]);
}

#[test]
#[should_panic(expected = "the batch has no such input or lane")]
fn a_missing_input_is_not_set() {
    let p = prime(TIGHT);
    Batch::new(&prepare(&p), &machine(&p), 1).set(0, 1, 0, &[1]);
}

#[test]
fn the_machine_of_an_engine_computes_as_the_reference() {
    let p = prime(TIGHT);
    let program = Arc::new(record(&p, &Product));
    let seed = 0x5eed_8200;
    let mut rng = Rng(seed);
    let given = lane(&mut rng, &p, 24, 0);
    let want = replay(&program, &given, &[]);
    for engine in Engine::ALL {
        let Ok(machine) = make(engine, &p, Margin::default()) else { continue };
        assert_eq!(machine.modulus(), Reference::new(&p).unwrap().modulus());
        let got = run(&*machine, &program, &[vec![given.clone()]], &[vec![]]);
        assert_eq!(got, std::slice::from_ref(&want), "{}, seed {seed:#x}", machine.name());
    }
}

#[test]
fn what_is_set_again_leaves_nothing_of_what_was_there() {
    let p = prime(TIGHT);
    let program = Arc::new(record(&p, &Product));
    for machine in machines(&p) {
        let mut batch = Batch::new(&program, &*machine, 1);
        let mut get = |residue: &[u64]| {
            batch.set(0, 0, 0, &[1, 2, 3]);
            batch.set(0, 0, 0, residue);
            batch.elem_mut(0, 0, 0).to_vec()
        };
        assert_eq!([get(&[5]), get(&[])], [vec![5, 0, 0, 0], vec![0; 4]], "{}", machine.name());
    }
}

/// Forms of 5000 products leave the range of a modulus that fills its words, or all but two bits of them. With one
/// more word they can be computed.
#[test]
fn more_words_take_longer_forms() {
    for bits in [FULL, TIGHT] {
        let p = prime(bits);
        let recorder = Recorder::new(&p).unwrap();
        let program = recorder.record(|ports| {
            let (x, y) = (ports.elem(), ports.elem());
            at! {recorder;
                w = mul_wide(&x, &y); v = sqr_wide(&y);
                out = reduce(&[times(2500, &w), times(-2500, &v)]); next = mul(&out, &x);
            }
            [out, next].iter().for_each(|x| ports.output(x));
        });
        let program = Arc::new(program.unwrap());
        let mut rng = Rng(0x5eed_9000 + bits);
        let lanes: Vec<Lane> = (0..40).map(|_| lane(&mut rng, &p, 2, 0)).collect();
        let wanted: Vec<Lane> = lanes.iter().map(|lane| replay(&program, lane, &[])).collect();
        for engine in [Engine::Mont, Engine::Portable] {
            let [own, more] =
                [false, true].map(|more_words| make(engine, &p, Margin { more_words, ..Margin::default() }).unwrap());
            let violations = |machine: &dyn Machine| machine.prove(&program).unwrap().violations;
            assert_eq!(violations(&*more), Vec::<String>::new(), "{bits} bits on {engine}");
            assert_eq!(violations(&*own).len(), 1, "{bits} bits on {engine}");
            let vectors = ragged(&*more, &lanes);
            let made = run(&*more, &program, &vectors, &vec![vec![]; vectors.len()]);
            assert_eq!(made, wanted, "{bits} bits on {engine}");
        }
    }
}
