//! What a recording becomes: constants are folded, equal steps are one routine, and what no output needs is left out.

use crate::common::{Formula, Rng, SIZES, TIGHT, Values, lane, prime, record, replay};
use crate::formulas::{Everything, Inversions, Longest, Loop, Partners, Product, Tower, fp12};
use bilinear_field::count::Count;
use bilinear_field::mont::Mont;
use bilinear_field::reference::Reference;
use bilinear_field::{Blank, Field, Lanes, Prime, at, minus, plus, times};
use bilinear_program::{Elem, Output, Ports, Program, Recorder, Step, Value, Wide};
use num_bigint::BigUint;
use num_traits::One;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Returns the number of operations of all routines.
fn len(program: &Program) -> usize {
    program.routines().iter().map(|r| r.ops.len()).sum()
}

#[test]
fn constants_leave_no_operation() {
    let p = prime(TIGHT);
    let recorder = Recorder::new(&p).unwrap();
    let program = recorder.record(|ports| {
        let f = fp12(recorder.clone());
        let mut n = 1u32;
        let x = std::array::from_fn(|_| {
            std::array::from_fn(|_| {
                std::array::from_fn(|_| {
                    n += 1;
                    recorder.constant(&n.into())
                })
            })
        });
        at! {f; square = sqr(&x); inverse = inv(&square); one = mul(&inverse, &square); out = select(f.is_zero(&one), &one, &x);}
        let mut quotients = [recorder.zero(), recorder.zero()];
        recorder.quotients(&mut quotients, &out[0][0][0], &[out[0][0][1], out[0][1][0]]);
        [one[0][0][0], one[1][2][1], out[0][0][0], quotients[0]].iter().for_each(|x| ports.output(x));
    });
    let program = program.unwrap();
    assert!(program.routines().is_empty() && program.plan().is_empty() && program.kinds().is_empty());
    let (found, _) = replay(&program, &(vec![], vec![]), &[]);
    assert_eq!([&found[0], &found[1], &found[2]].map(Clone::clone), [1u32, 0, 2].map(BigUint::from));
    assert_eq!(&found[3] * 3u32 % &p, BigUint::from(2u32));
}

/// Checks that a formula gives what it gives over the reference if all its inputs are constants, and if some are.
fn folds<W: Formula>(what: &str, formula: &W, p: &BigUint, seed: u64) {
    let (r, recorder, mut rng) = (Reference::new(p).unwrap(), Recorder::new(p).unwrap(), Rng(seed));
    let [elems, masks, uniforms] = W::INPUTS;
    let (residues, truths) = lane(&mut rng, p, elems + uniforms, masks);
    let values = |xs: &[BigUint], ms: &[bool]| Values::<Reference> {
        elems: xs[..elems].to_vec(),
        masks: ms.to_vec(),
        uniforms: xs[elems..].to_vec(),
    };
    let want = formula.run(&r, &values(&residues, &truths));
    for one_in in [1, 2, 4] {
        let [known_residues, known_truths]: [Vec<bool>; 2] =
            [residues.len(), truths.len()].map(|n| (0..n).map(|_| rng.below(one_in) == 0).collect());
        let program = recorder.record(|ports| {
            let elem = |(x, known): (&BigUint, &bool)| if *known { recorder.constant(x) } else { ports.elem() };
            let mut all: Vec<Elem> = residues.iter().zip(&known_residues).map(elem).collect();
            let mask = |(m, known): (&bool, &bool)| if *known { recorder.mask(*m) } else { ports.mask() };
            let masks = truths.iter().zip(&known_truths).map(mask).collect();
            let uniforms = all.split_off(elems);
            let made = formula.run(&recorder, &Values { elems: all, masks, uniforms });
            made.elems.iter().for_each(|x| ports.output(x));
            made.masks.iter().for_each(|m| ports.output_mask(*m));
        });
        let unknown = |known: &[bool], i: usize| !known[i];
        let given = (
            (0..residues.len()).filter(|i| unknown(&known_residues, *i)).map(|i| residues[i].clone()).collect(),
            (0..truths.len()).filter(|i| unknown(&known_truths, *i)).map(|i| truths[i]).collect(),
        );
        let found = replay(&program.unwrap(), &given, &[]);
        let bits = p.bits();
        assert_eq!(
            found,
            (want.elems.clone(), want.masks.clone()),
            "{what}, {bits} bits, 1 in {one_in}, seed {seed:#x}"
        );
    }
}

#[test]
fn constants_are_those_of_the_reference() {
    // a prime for each number of words on which constants are computed, and one that is longer than all
    let mersenne = [127u32, 521, 1279, 2203, 4253].map(|n| (BigUint::one() << n) - 1u32);
    for (p, seed) in mersenne.into_iter().chain(SIZES.map(prime)).zip(0x5eed_9000..) {
        folds("everything", &Everything, &p, seed);
        folds("longest", &Longest, &p, seed);
        folds("partners", &Partners, &p, seed);
        folds("tower", &Tower, &p, seed);
        folds("inversions", &Inversions, &p, seed);
    }
}

#[test]
fn equal_steps_are_one_routine() {
    let p = prime(TIGHT);
    let recorder = Recorder::new(&p).unwrap();
    let squarings = |names: [&'static str; 2]| {
        let program = recorder.record(|ports| {
            let mut x = ports.elem();
            for i in 0..50 {
                let step = || {
                    // a step within a step is part of it
                    recorder.routine("inner", || at!(recorder; sqr(&x)))
                };
                x = recorder.routine(names[i % 2], step);
            }
            ports.output(&x);
        });
        program.unwrap()
    };
    let program = squarings(["squaring"; 2]);
    assert_eq!((program.routines().len(), program.calls(), len(&program)), (1, vec![50], 1));
    assert_eq!((program.routines()[0].name, program.operations().sqr), ("squaring", 50));
    // steps are compared by what they compute, not by their names
    assert_eq!(squarings(["squaring", "another"]).calls(), [50]);
    let (found, _) = replay(&program, &(vec![3u32.into()], vec![]), &[]);
    assert_eq!(found[0], BigUint::from(3u32).modpow(&(BigUint::from(1u32) << 50), &p));
}

#[test]
fn steps_that_differ_in_a_coefficient_or_constant_are_two_routines() {
    let recorder = Recorder::new(&prime(TIGHT)).unwrap();
    let routines = |coefficients: [i32; 2], constants: [u32; 2]| {
        let program = recorder.record(|ports| {
            let mut x = ports.elem();
            for (c, k) in coefficients.into_iter().zip(constants) {
                let k = recorder.constant(&k.into());
                x = recorder.routine("step", || at!(recorder; mul_sum(&x, &x, &[times(c, &x), plus(&k)])));
            }
            ports.output(&x);
        });
        program.unwrap().routines().len()
    };
    assert_eq!([routines([2, 2], [5, 5]), routines([2, -2], [5, 5]), routines([2, 2], [5, 6])], [1, 2, 2]);
}

#[test]
fn what_no_output_needs_is_left_out() {
    let p = prime(TIGHT);
    let recorder = Recorder::new(&p).unwrap();
    let program = recorder.record(|ports| {
        let (a, b, unread) = (ports.elem(), ports.elem(), ports.elem());
        at! {recorder; kept = mul(&a, &b); dead = mul(&a, &unread); deader = inv(&dead);}
        let mut wide = Blank::blank();
        recorder.mul_wide(&mut wide, &deader, &kept);
        let mut xs = [dead, deader];
        recorder.inv_many(&mut xs);
        recorder.is_zero(&deader);
        ports.output(&kept);
    });
    let program = program.unwrap();
    assert_eq!((program.inputs().len(), len(&program), program.plan().len()), (3, 1, 1));
    assert!(program.plan().iter().all(|step| matches!(step, Step::Call(_))));
}

#[test]
fn recordings_of_one_formula_are_equal() {
    let p = prime(TIGHT);
    let recorder = Recorder::new(&p).unwrap();
    let square = |n: u32| {
        // constants of set-up are not constants of the program
        for i in 0..n {
            recorder.constant(&(1000 + i).into());
        }
        let program = recorder.record(|ports| {
            let x = ports.elem();
            at! {recorder; y = mul_sum(&x, &x, &[minus(&recorder.constant(&7u32.into()))]);}
            ports.output(&y);
        });
        program.unwrap()
    };
    assert!(square(0) == square(9));
    assert_eq!(square(1).constants(), [BigUint::from(7u32)]);
    assert!(record(&p, &Inversions) == record(&p, &Inversions));
    assert!(record(&p, &Loop(3)) != record(&p, &Loop(4)));
    let parts = record(&p, &Tower).into_parts().verify().unwrap();
    assert!(parts == record(&p, &Tower), "parts make the program that they came from");
}

#[test]
fn costs_are_those_of_the_formulas() {
    let p = prime(TIGHT);
    fn costs<W: Formula>(p: &BigUint, formula: &W) {
        let count = Count::new(p);
        let [elems, masks, uniforms] = W::INPUTS;
        let given = Values { elems: vec![(); elems], masks: vec![(); masks], uniforms: vec![(); uniforms] };
        let direct = count.of(|| {
            formula.run(&count, &given);
        });
        let program = record(p, formula);
        assert_eq!(program.operations(), direct);
    }
    costs(&p, &Product);
    costs(&p, &Loop(12));
    let program = record(&p, &Product);
    let cost = program.operations();
    assert_eq!((cost.mul, cost.sqr, cost.reduction), (54, 0, 12));
    let one: u64 = program.routines().iter().map(|routine| program.cost(routine).mul).sum();
    assert_eq!(one, 54);
}

#[test]
fn a_recorded_formula_replays_on_other_inputs() {
    let p = prime(TIGHT);
    let program = record(&p, &Tower);
    assert_eq!(program.inputs().len(), 24);
    assert_eq!(program.outputs().iter().filter(|o| matches!(o, Output::Elem(_))).count(), 24);
    let (m, r) = (Mont::<4>::new(&p).unwrap(), Reference::new(&p).unwrap());
    for seed in 1..5 {
        let mut rng = Rng(seed);
        let values: Vec<BigUint> = (0..24).map(|_| rng.edge(&p)).collect();
        let given: Vec<Value<Mont<4>>> = values.iter().map(|v| Value::Elem(m.constant(v))).collect();
        let want = Tower.run(&r, &Values { elems: values, ..Values::default() });
        let got = program.replay(&m, &given);
        let elems: Vec<BigUint> = got[..24].iter().map(|x| m.value(x.elem(), 0)).collect();
        let masks: Vec<bool> = got[24..].iter().map(|x| m.lane(x.mask(), 0)).collect();
        assert_eq!((elems, masks), (want.elems, want.masks), "seed {seed}");
    }
}

#[test]
#[should_panic(expected = "a value is read that was never computed")]
fn a_value_that_was_never_computed_is_not_output() {
    let recorder = Recorder::new(&prime(TIGHT)).unwrap();
    let _ = recorder.record(|ports| ports.output(&Elem::default()));
}

#[test]
#[should_panic(expected = "a value is read that was never computed")]
fn a_value_that_was_never_computed_is_not_read() {
    let recorder = Recorder::new(&prime(TIGHT)).unwrap();
    let _ = recorder.record(|ports| {
        let mut out = Elem::default();
        recorder.add(&mut out, &ports.elem(), &Elem::default());
    });
}

#[test]
fn even_moduli_are_refused() {
    for p in [0u32, 1, 2, 1_000_004] {
        assert!(Recorder::new(&p.into()).is_err(), "{p}");
    }
}

#[test]
#[should_panic(expected = "the recorder knows the values of constants only")]
fn the_recorder_knows_no_input() {
    let recorder = Recorder::new(&prime(TIGHT)).unwrap();
    let _ = recorder.record(|ports| {
        let x = ports.elem();
        recorder.value(&x, 0);
    });
}

/// An operation that takes in a reduction stands where the reduction was, but not before a result that is made in between.
#[test]
fn results_are_made_in_any_order() {
    let p = prime(TIGHT);
    let recorder = Recorder::new(&p).unwrap();
    for last in [false, true] {
        let program = recorder.record(|ports| {
            let (a, b) = (ports.elem(), ports.elem());
            let square = || at!(recorder; sqr(&b));
            let [y, z] = recorder.routine("step", || {
                let before = (!last).then(square);
                at! {recorder; w = mul_wide(&a, &b); q = reduce(&[plus(&w)]);}
                let y = before.unwrap_or_else(square);
                at! {recorder; z = three_and_two(&q, &a, false);}
                [y, z]
            });
            [y, z].iter().for_each(|x| ports.output(x));
        });
        let (found, _) = replay(&program.unwrap(), &([2u32, 5].map(BigUint::from).into(), vec![]), &[]);
        assert_eq!(found, [25u32, 34].map(BigUint::from));
    }
}

/// Two recordings share their constants, including those that they compute.
#[test]
fn equal_constants_are_one() {
    let recorder = Recorder::new(&prime(TIGHT)).unwrap();
    let record = || {
        let mut constants = vec![recorder.zero(), recorder.one(), recorder.constant(&3u32.into())];
        let program = recorder.record(|ports| {
            let x = ports.elem();
            let (mut quotients, mut complex) = ([Elem::default(); 2], [Elem::default(); 2]);
            recorder.quotients(&mut quotients, &constants[1], &[constants[2], recorder.one()]);
            recorder.complex_mul(&mut complex, &[constants[0], constants[2]], &quotients);
            at! {recorder; square = sqr(&complex[0]); y = mul(&x, &square); out = select(recorder.is_zero(&square), &x, &y);}
            constants.extend([quotients, complex].concat());
            constants.push(square);
            ports.output(&out);
        });
        (program.unwrap(), constants, recorder.mask(true))
    };
    assert_eq!(record(), record());
    // an unreduced value is no element
    let mut wide = Wide::default();
    recorder.mul_wide(&mut wide, &recorder.one(), &recorder.one());
    let mut one = Elem::default();
    recorder.reduce(&mut one, &[plus(&wide)]);
    assert_eq!(one, recorder.one());
}

#[test]
fn what_another_recording_made_is_not_read() {
    let recorder = Recorder::new(&prime(TIGHT)).unwrap();
    let mut old = Elem::default();
    let _ = recorder.record(|ports| {
        let x = ports.elem();
        at! {recorder; y = sqr(&x); z = sqr(&y);}
        old = z;
    });
    let panics = |read: &dyn Fn(&mut Ports<'_>)| {
        let recorded = catch_unwind(AssertUnwindSafe(|| {
            let _ = recorder.record(|ports| {
                ports.elem();
                read(ports);
            });
        }));
        recorded.unwrap_err().downcast_ref::<String>().cloned()
    };
    let reason = Some("a value is read that was never computed".to_owned());
    assert_eq!(panics(&|ports| ports.output(&old)), reason);
    let read = |_: &mut Ports<'_>| {
        at! {recorder; _y = sqr(&old);}
    };
    assert_eq!(panics(&read), reason);
}

/// A recorder whose work has panicked records no more.
#[test]
fn a_panic_ends_a_recording() {
    let recorder = Recorder::new(&prime(TIGHT)).unwrap();
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        recorder.record(|_| recorder.routine("step", || panic!("on purpose"))).map(|_| ())
    }));
    assert!(panicked.is_err());
    assert!(recorder.lane(recorder.mask_from(&[true]), 0));
}
