//! Every machine does what the formulas say.

use crate::common::{LONG, Lane, Rng, SIZES, TIGHT, agrees, lane, machines, prime, ragged, record, replay, run};
use crate::formulas::{Everything, Inversions, Longest, Loop, Partners, Product, Tower};
use bilinear_field::{Field, Prime, at, plus, times};
use bilinear_program::{Batch, Code, Elem, Op, Program, Recorder, Ref, Term, Wide};
use num_bigint::BigUint;
use std::sync::Arc;

#[test]
fn every_operation() {
    for (i, bits) in SIZES.into_iter().enumerate() {
        for seed in 0..4 {
            agrees("everything", &Everything, bits, 0x5eed_1000 + 16 * i as u64 + seed);
        }
    }
    // the formula has all operations, except for those in other tests and those that depend on ranges
    let program = Arc::new(record(&prime(TIGHT), &Everything)).suited(|_, _| true);
    let used = |code: &Code| program.routines().iter().flat_map(|r| &r.ops).any(|op| op.code == *code);
    let unused: Vec<Code> =
        Code::ALL.into_iter().filter(|code| !code.is_shared() && !code.is_near() && !used(code)).collect();
    assert_eq!(unused, [Code::Copy]);
}

#[test]
fn forms_of_the_most_terms() {
    for seed in 0..4 {
        agrees("longest", &Longest, LONG, 0x5eed_1800 + seed);
    }
}

#[test]
fn halves_with_several_partners() {
    for (i, bits) in SIZES.into_iter().enumerate() {
        agrees("partners", &Partners, bits, 0x5eed_2000 + i as u64);
    }
}

#[test]
fn towers_and_loops() {
    for (i, bits) in SIZES.into_iter().enumerate() {
        agrees("tower", &Tower, bits, 0x5eed_3000 + i as u64);
        agrees("product", &Product, bits, 0x5eed_3100 + i as u64);
        agrees("loop", &Loop(9), bits, 0x5eed_3200 + i as u64);
    }
}

#[test]
fn inversions_in_which_vectors_meet() {
    for (i, bits) in SIZES.into_iter().enumerate() {
        for seed in 0..3 {
            agrees("inversions", &Inversions, bits, 0x5eed_4000 + 16 * i as u64 + seed);
        }
    }
}

/// Returns the program from x_i and y_i to c/x_i, c/y_i, their product, and where a zero was met.
fn quotients(p: &BigUint, c: u32) -> Program {
    let recorder = Recorder::new(p).unwrap();
    let program = recorder.record(|ports| {
        let xs = [ports.elem(), ports.elem()];
        let mut out = [recorder.zero(), recorder.zero()];
        let met = recorder.quotients(&mut out, &recorder.constant(&c.into()), &xs);
        let mut product = recorder.zero();
        recorder.mul(&mut product, &out[0], &out[1]);
        out.iter().chain([&product]).for_each(|x| ports.output(x));
        ports.output_mask(met);
    });
    program.unwrap()
}

#[test]
fn a_zero_spoils_its_lane_of_quotients_in_all_vectors_that_share_inversions() {
    let p = prime(TIGHT);
    let c = BigUint::from(23u32);
    let program = Arc::new(quotients(&p, 23));
    let seed = 0x5eed_5000;
    let mut rng = Rng(seed);
    for machine in machines(&p) {
        let width = machine.lanes();
        for spoilt in [None, Some(0), Some(width - 1)] {
            let mut lanes: Vec<Lane> =
                (0..3 * width).map(|_| (vec![rng.residue(&p), rng.residue(&p)], vec![])).collect();
            if let Some(lane) = spoilt {
                // in the second vector
                lanes[width + lane].0[1] = BigUint::ZERO;
            }
            let got = run(&*machine, &program, &ragged(&*machine, &lanes), &[vec![], vec![], vec![]]);
            for (i, ((xs, _), (out, met))) in lanes.iter().zip(&got).enumerate() {
                let what = format!("{}, lane {i}, {spoilt:?} spoilt, seed {seed:#x}", machine.name());
                let is_spoilt = spoilt == Some(i % width) && (machine.shares_inversions() || i / width == 1);
                assert_eq!(met[0], is_spoilt, "{what}");
                for (x, quotient) in xs.iter().zip(out) {
                    let want = if is_spoilt { BigUint::ZERO } else { c.clone() };
                    assert_eq!(quotient * x % &p, want, "{what}");
                    assert!(!is_spoilt || *quotient == BigUint::ZERO, "{what}");
                }
                assert_eq!(&out[0] * &out[1] % &p, out[2], "{what}");
            }
        }
    }
}

#[test]
fn a_copy_copies() {
    // no formula asks for a copy: x ← x², copied twice
    let p = prime(TIGHT);
    let recorder = Recorder::new(&p).unwrap();
    let program = recorder.record(|ports| {
        let (x, mut y) = (ports.elem(), recorder.zero());
        recorder.sqr(&mut y, &x);
        ports.output(&y);
    });
    let mut parts = program.unwrap().into_parts();
    let routine = &mut parts.routines[0];
    for v in [2, 3] {
        let at = routine.operands.len() as u32;
        routine.operands.push(Term { coeff: 1, value: Ref::value(v as usize - 1) });
        routine.kinds.push(bilinear_program::Kind::Elem);
        routine.ops.push(Op { code: Code::Copy, operands: at..at + 1, value: v });
    }
    routine.results = vec![3];
    let program = Arc::new(parts.verify().unwrap());
    let seed = 0x5eed_6000;
    let mut rng = Rng(seed);
    let lanes: Vec<Lane> = (0..11).map(|_| lane(&mut rng, &p, 1, 0)).collect();
    for machine in machines(&p) {
        let vectors = ragged(&*machine, &lanes);
        let got = run(&*machine, &program, &vectors, &vec![vec![]; vectors.len()]);
        for ((x, _), (y, _)) in lanes.iter().zip(&got) {
            assert_eq!(y[0], &x[0] * &x[0] % &p, "{}, seed {seed:#x}", machine.name());
        }
    }
}

#[test]
fn no_vectors_and_changing_numbers_of_them() {
    let p = prime(TIGHT);
    let program = Arc::new(record(&p, &Partners));
    let seed = 0x5eed_7000;
    let mut rng = Rng(seed);
    for machine in machines(&p) {
        let loaded = machine.load(&program);
        assert!(loaded.together() >= 2 || !machine.shares_inversions());
        let lanes: Vec<Lane> = (0..40 * machine.lanes()).map(|_| lane(&mut rng, &p, 5, 0)).collect();
        let want: Vec<Lane> = lanes.iter().map(|lane| replay(&program, lane, &[])).collect();
        // memory grows, and is reused
        for vectors in [0, 1, 40, 3] {
            let mut batch = Batch::new(&program, &*machine, vectors);
            let of = |v: usize, lane: usize| v * machine.lanes() + lane;
            for v in 0..vectors {
                for lane in 0..machine.lanes() {
                    let (elems, _) = &lanes[of(v, lane)];
                    elems.iter().enumerate().for_each(|(i, x)| batch.set(v, i, lane, &x.to_u64_digits()));
                }
            }
            loaded.run(&mut batch);
            for v in 0..vectors {
                for lane in 0..machine.lanes() {
                    for (i, x) in want[of(v, lane)].0.iter().enumerate() {
                        let mut digits = x.to_u64_digits();
                        digits.resize(batch.words(), 0);
                        let what = format!("{}, {vectors} vectors, seed {seed:#x}", machine.name());
                        assert_eq!(batch.get(v, i, lane), digits, "{what}, output {i} of lane {lane} of vector {v}");
                    }
                }
            }
        }
    }
}

/// Returns a program with a product of sums in F_p(i), and two forms that add or subtract `terms` terms in all, some to
/// each half of the product. The product can take these terms in.
fn sums(p: &BigUint, terms: usize, sign: i32) -> Arc<Program> {
    let recorder = Recorder::new(p).unwrap();
    let program = recorder.record(|ports| {
        let x: Vec<Elem> = (0..8 + 2 * terms).map(|_| ports.elem()).collect();
        let made = recorder.routine("step", || {
            let products = x[8..].chunks(2).map(|x| at!(recorder; mul_wide(&x[0], &x[1])));
            let products: Vec<Wide> = products.collect();
            let (mut sums, pair) = ([Wide::default(); 2], |i: usize| [x[i], x[i + 1]]);
            recorder.complex_sums_mul_wide(&mut sums, [&pair(0), &pair(2), &pair(4), &pair(6)]);
            let (first, second) = products.split_at(terms / 2);
            let form = |half: usize, others: &[Wide]| {
                let terms: Vec<_> =
                    [plus(&sums[half])].into_iter().chain(others.iter().map(|w| times(sign, w))).collect();
                at! {recorder; form = lin(&terms); reduced = reduce(&[plus(&form)]);}
                reduced
            };
            [form(0, first), form(1, second)]
        });
        made.iter().for_each(|x| ports.output(x));
    });
    Arc::new(program.unwrap())
}

type Suit = Box<dyn Fn(&Arc<Program>) -> Arc<Program>>;

/// A suited program is as sound as the program and means the same, also if it is suited again.
#[test]
fn a_suited_program_may_be_suited_again() {
    let p = prime(TIGHT);
    let mut rng = Rng(0x5017);
    for (terms, sign) in [(8, -1), (8, 1), (34, 1), (40, -1)] {
        let program = sums(&p, terms, sign);
        let given = lane(&mut rng, &p, 8 + 2 * terms, 0);
        let want = replay(&program, &given, &[]);
        let all = |program: &Arc<Program>| program.suited(|_, _| true);
        let suits: Vec<Suit> = machines(&p)
            .into_iter()
            .map(|machine| Box::new(move |program: &Arc<Program>| machine.suited(program)) as _)
            .chain([Box::new(all) as _])
            .collect();
        for suited in suits {
            let once = suited(&program);
            let twice = suited(&once);
            assert_eq!([&once, &twice].map(|program| replay(program, &given, &[])), [want.clone(), want.clone()]);
        }
    }
}
