//! A pairing is a program: steps and final exponentiation, recorded once, are replayed on another engine with other
//! points and give the same values as the code itself.

use crate::common::answers::answers;
use crate::common::{Words, curve, quadratic_twist, sextic};
use bilinear_field::{Engine, Extension, Field, LIMBS, Lanes, Margin, Prime, WORDS, rules};
use bilinear_pairing::bilinear_groups::{BilinearGroups, SourcePoint};
use bilinear_pairing::curve::Affine;
use bilinear_pairing::names::PairingKind;
use bilinear_pairing::supersingular::{SupersingularPairing, Weighted, add_step, double_step, final_exponentiation};
use bilinear_program::{Elem, Mask, Ports, Program, Recorder, Value, ranges};
use num_bigint::BigUint;

/// Records `work` on this many inputs.
fn record<const N: usize>(q: &BigUint, inputs: usize, work: impl Fn(&Recorder, &[Elem]) -> [Elem; N]) -> Program {
    let recorder = Recorder::new(q).unwrap();
    let program = recorder.record(|ports| {
        let inputs: Vec<Elem> = (0..inputs).map(|_| ports.elem()).collect();
        work(&recorder, &inputs).iter().for_each(|x| ports.output(x));
    });
    program.unwrap()
}

/// Returns the number of operations in a run.
fn len(program: &Program) -> usize {
    program.routines().iter().zip(program.calls()).map(|(r, calls)| r.ops.len() * calls as usize).sum()
}

/// Replays the program on these inputs and returns the outputs as integers.
fn replay<F: Lanes>(f: &F, program: &Program, inputs: &[F::Elem]) -> Vec<BigUint> {
    let inputs: Vec<Value<F>> = inputs.iter().cloned().map(Value::Elem).collect();
    program.replay(f, &inputs).iter().map(|x| f.value(x.elem(), 0)).collect()
}

fn doubling<F: Prime>(f: &F, i: &[F::Elem]) -> [F::Elem; 5] {
    let mut t = Weighted { x: i[0].clone(), y: i[1].clone(), z: i[2].clone() };
    let mut line = [f.zero(), f.zero()];
    double_step(f, &mut t, &mut line, [&i[3], &i[4]]);
    let [re, im] = line;
    [t.x, t.y, t.z, re, im]
}

fn addition<F: Prime>(f: &F, i: &[F::Elem]) -> [F::Elem; 5] {
    let mut t = Weighted { x: i[0].clone(), y: i[1].clone(), z: i[2].clone() };
    let mut line = [f.zero(), f.zero()];
    add_step(f, &mut t, &mut line, [&i[3], &i[4]], [&i[5], &i[6]]);
    let [re, im] = line;
    [t.x, t.y, t.z, re, im]
}

fn exponentiation<F: Prime>(system: &SupersingularPairing<F>, i: &[F::Elem]) -> [F::Elem; 2] {
    final_exponentiation(system, &[i[0].clone(), i[1].clone()])
}

#[test]
fn recorded_steps_replay_with_other_points() {
    let c = curve("a-512", "pbc/a512.jsonl");
    let f = Words::new(&c.q).unwrap();
    let system = SupersingularPairing::new(f.clone(), &c.order, &c.cofactor);
    let double = record(&c.q, 5, doubling);
    let add = record(&c.q, 7, addition);
    let finish =
        record(&c.q, 2, |r, i| exponentiation(&SupersingularPairing::new(r.clone(), &c.order, &c.cofactor), i));
    assert!(len(&double) < 60 && len(&add) < 60 && len(&finish) < 6000);
    let bytes = |xs: &[<Words as Field>::Elem]| xs.iter().map(|x| f.value(x, 0)).collect::<Vec<_>>();
    for a in answers(c.vectors) {
        let [px, py, qx, qy] = [&a.p[0], &a.p[1], &a.q[0][0], &a.q[1][0]].map(|x| f.constant(x));
        let inputs = [px, py, f.one(), qx, qy];
        let doubled = doubling(&f, &inputs);
        assert_eq!(replay(&f, &double, &inputs), bytes(&doubled), "doubling step");
        // 2P + P, with the chord at Q
        let [x, y, z, ..] = doubled;
        let [px, py, _, qx, qy] = inputs;
        let inputs = [x, y, z, px, py, qx, qy];
        let added = addition(&f, &inputs);
        assert_eq!(replay(&f, &add, &inputs), bytes(&added), "addition step");
        let [.., re, im] = added;
        let inputs = [re, im];
        let value = exponentiation(&system, &inputs);
        assert_eq!(replay(&f, &finish, &inputs), bytes(&value), "final exponentiation");
    }
}

#[test]
fn a_secret_scalar_leaves_no_trace_in_the_program() {
    // the truth values on which selections depend come in through ports
    let c = curve("a-512", "pbc/a512.jsonl");
    let trace = |k: &[u8]| {
        let recorder = Recorder::new(&c.q).unwrap();
        let system = SupersingularPairing::new(recorder.clone(), &c.order, &c.cofactor);
        let infinity = recorder.mask(false);
        let program = recorder.record(|ports| {
            let (x, y) = (ports.elem(), ports.elem());
            let p = Affine { x, y, infinity };
            let multiple = system.curve().mul_secret(&[k], &p);
            let power = system.gt_pow_secret(&[x, y], &[k]);
            [multiple.x, multiple.y, multiple.z, power[0], power[1]].iter().for_each(|x| ports.output(x));
        });
        program.unwrap()
    };
    let zero = trace(&[0; 8]);
    for k in [[0xff; 8], [0x80, 0, 0, 0, 0, 0, 0, 1], [0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0]] {
        assert!(trace(&k) == zero, "the trace depends on the scalar {k:02x?}");
    }
    assert!(trace(&[0; 9]) != zero, "only the length shows");
}

/// Checks that the stored values of a prepared argument are closed, on words and in lanes: Miller loops rely on it.
fn lines_are_closed(what: &str, p: &BigUint, prepare: impl FnOnce(&Recorder, &mut Ports<'_>)) {
    let recorder = Recorder::new(p).unwrap();
    let program = recorder.record(|ports| prepare(&recorder, ports)).unwrap();
    assert!(program.outputs().len() > 100, "{what}");
    for engine in [Engine::Mont, Engine::Ifma] {
        let Some(rules) = rules(engine, p, WORDS, LIMBS, Margin::default()) else { continue };
        assert_eq!(ranges::prove(&program, &rules).violations, Vec::<String>::new(), "{what}");
    }
}

/// Prepares the argument that the pairing can prepare, in its group.
fn prepare<A: BilinearGroups<Prime = Recorder, Mask = Mask>>(over: &A, pairing: PairingKind, ports: &mut Ports<'_>) {
    let infinity = over.g1().field().mask(false);
    let source = if over.prepares_g1(pairing) {
        SourcePoint::G1(Affine { x: ports.elem(), y: ports.elem(), infinity })
    } else {
        let [x, y] = [(); 2].map(|()| over.g2().field().compose(&mut || ports.elem()));
        SourcePoint::G2(Affine { x, y, infinity })
    };
    over.prepare(pairing, &source).residues().iter().for_each(|x| ports.output_uniform(x));
}

#[test]
fn what_is_prepared_is_closed() {
    for name in ["bls12-381", "bn-254n"] {
        let n = sextic::parameters(name);
        lines_are_closed(name, &n.p, |recorder, ports| {
            let over = bilinear_pairing::sextic::system(&sextic::tower(name), &n, recorder.clone());
            prepare(&over, PairingKind::OptAte, ports);
        });
    }
    let n = quadratic_twist::parameters("d-159");
    for pairing in [PairingKind::Tate, PairingKind::Ate] {
        lines_are_closed("d-159", n.q(), |recorder, ports| {
            prepare(&bilinear_pairing::quadratic_twist::system(&n, recorder.clone()), pairing, ports);
        });
    }
    let c = curve("a-512", "pbc/a512.jsonl");
    lines_are_closed("a-512", &c.q, |recorder, ports| {
        let system = SupersingularPairing::new(recorder.clone(), &c.order, &c.cofactor);
        let p = Affine { x: ports.elem(), y: ports.elem(), infinity: recorder.mask(false) };
        system.functions(&p).residues().iter().for_each(|x| ports.output_uniform(x));
    });
}
