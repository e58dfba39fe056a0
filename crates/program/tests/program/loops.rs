//! Loops of plans: found where a formula has them, the same as the flat plan step by step, and not made up where a plan
//! does not repeat.

use crate::common::{Rng, prime};
use crate::outlines::assert_is_plan;
use bilinear_field::{Field, at};
use bilinear_program::loops::{Loop, Part, Source};
use bilinear_program::{Elem, Program, Recorder, Step};

/// Returns the loops of a program, whose outline is its plan.
fn loops(program: &Program) -> Vec<Loop> {
    let parts = program.outline();
    assert_is_plan(program, &parts);
    let looped = |part| if let Part::Loop(looped) = part { Some(looped) } else { None };
    parts.into_iter().filter_map(looped).collect()
}

fn square(f: &Recorder, x: &Elem) -> Elem {
    f.routine("square", || at!(f; sqr(x)))
}

fn product(f: &Recorder, x: &Elem, y: &Elem) -> Elem {
    f.routine("product", || at!(f; mul(x, y)))
}

/// Returns the program of x^e, from the top bit down, with a product by x at each further 1.
fn power(bits: &[bool]) -> Program {
    let f = Recorder::new(&prime(254)).unwrap();
    f.record(|ports| {
        let x = ports.elem();
        let mut y = x;
        for bit in bits {
            y = square(&f, &y);
            if *bit {
                y = product(&f, &y, &x);
            }
        }
        ports.output(&y);
    })
    .unwrap()
}

#[test]
fn a_power_is_a_loop_of_two_bodies() {
    let bits: Vec<bool> = (0..60).map(|i| i % 7 == 2 || i % 11 == 5).collect();
    let found = loops(&power(&bits));
    assert_eq!(found.len(), 1);
    let Loop { bodies, digits, carried, steps, .. } = &found[0];
    assert_eq!(carried.len(), 1);
    let mut sizes: Vec<usize> = bodies.iter().map(|body| body.steps.len()).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [1, 2]);
    let taken: Vec<bool> = digits.iter().map(|digit| bodies[*digit].steps.len() == 2).collect();
    assert_eq!(taken, bits);
    let products = bits.iter().filter(|bit| **bit).count();
    assert_eq!(*steps, 0..bits.len() + products);
}

#[test]
fn a_ladder_is_a_loop_over_two_steps() {
    // (a, b) to (a², ab) or (ab, b²)
    let f = Recorder::new(&prime(254)).unwrap();
    let bits: Vec<bool> = (0..40).map(|i| i % 3 == 1 || i % 5 == 0).collect();
    let program = f.record(|ports| {
        let (mut a, mut b) = (ports.elem(), ports.elem());
        for bit in &bits {
            (a, b) = f.routine("step", || {
                at! {f; both = mul(&a, &b);}
                if *bit {
                    at! {f; second = sqr(&b);}
                    (both, second)
                } else {
                    at! {f; first = sqr(&a);}
                    (first, both)
                }
            });
        }
        ports.output(&a);
        ports.output(&b);
    });
    let found = loops(&program.unwrap());
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].bodies.len(), found[0].carried.len(), found[0].digits.len()), (2, 2, 40));
}

#[test]
fn prepared_arguments_stream_through_a_loop() {
    let f = Recorder::new(&prime(254)).unwrap();
    let program = f.record(|ports| {
        let mut y = ports.elem();
        let lines: Vec<Elem> = (0..20).map(|_| ports.uniform(0)).collect();
        for pair in lines.chunks(2) {
            y = square(&f, &y);
            y = product(&f, &y, &pair[0]);
            y = product(&f, &y, &pair[1]);
        }
        ports.output(&y);
    });
    let found = loops(&program.unwrap());
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].bodies.len(), 1);
    assert_eq!(found[0].bodies[0].streamed(), [(0, 2)]);
}

#[test]
fn residues_are_output_inside_a_loop() {
    let f = Recorder::new(&prime(254)).unwrap();
    let program = f.record(|ports| {
        let mut y = ports.elem();
        for _ in 0..12 {
            y = square(&f, &y);
            ports.output_uniform(&y);
        }
    });
    let found = loops(&program.unwrap());
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].bodies[0].emitted.len(), 1);
}

#[test]
fn a_loop_ends_where_a_value_is_kept_for_later() {
    // the tenth power is read after the loop
    let f = Recorder::new(&prime(254)).unwrap();
    let program = f.record(|ports| {
        let (mut y, mut kept) = (ports.elem(), None);
        for i in 0..30 {
            y = square(&f, &y);
            if i == 9 {
                kept = Some(y);
            }
        }
        let y = product(&f, &y, &kept.unwrap());
        ports.output(&y);
    });
    let found = loops(&program.unwrap());
    assert_eq!(found.iter().map(|looped| looped.digits.len()).collect::<Vec<_>>(), [10, 20]);
}

#[test]
fn inversions_of_all_vectors_stand_in_loops() {
    let f = Recorder::new(&prime(254)).unwrap();
    let program = f.record(|ports| {
        let mut y = ports.elem();
        for _ in 0..8 {
            y = square(&f, &y);
            let mut inverse = [y];
            f.inv_many(&mut inverse);
            y = product(&f, &y, &inverse[0]);
        }
        ports.output(&y);
    });
    let found = loops(&program.unwrap());
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].size(), 3);
}

#[test]
fn another_operand_is_another_body() {
    // one product of many takes another factor than the rest
    let f = Recorder::new(&prime(254)).unwrap();
    let program = f.record(|ports| {
        let (x, z) = (ports.elem(), ports.elem());
        let mut y = x;
        for i in 0..30 {
            y = square(&f, &y);
            y = product(&f, &y, if i == 17 { &z } else { &x });
        }
        ports.output(&y);
    });
    let found = loops(&program.unwrap());
    let digits: Vec<usize> = found.iter().flat_map(|looped| looped.digits.clone()).collect();
    let whole: Vec<usize> = (0..30).map(|i| usize::from(i == 17)).collect();
    assert!(digits == whole || found.len() == 2, "{digits:?}");
}

#[test]
fn the_first_iterations_read_what_enters() {
    let f = Recorder::new(&prime(254)).unwrap();
    let program = f.record(|ports| {
        let (mut y, mut z) = (ports.elem(), ports.elem());
        for i in 0..20 {
            y = product(&f, &y, &z);
            if i % 4 == 3 {
                z = square(&f, &z);
            }
        }
        ports.output(&y);
    });
    let found = loops(&program.unwrap());
    assert_eq!(found.len(), 1);
    let entries: Vec<bool> = found[0].carried.iter().map(|slot| slot.entry.is_some()).collect();
    assert_eq!(entries, [true, true]);
    assert!(
        found[0]
            .bodies
            .iter()
            .flat_map(|b| &b.steps)
            .flat_map(|s| &s.operands)
            .all(|s| matches!(s, Source::Carried(_)))
    );
}

#[test]
fn what_does_not_repeat_is_no_loop() {
    let f = Recorder::new(&prime(254)).unwrap();
    let program = f.record(|ports| {
        let x = ports.elem();
        let y = square(&f, &x);
        let z = product(&f, &x, &y);
        ports.output(&z);
    });
    assert!(loops(&program.unwrap()).is_empty());
}

/// The outline of a random program is its plan, whether it has loops or not.
#[test]
fn outlines_of_random_plans_are_their_plans() {
    let mut found = 0;
    for seed in 1..400 {
        let mut rng = Rng(seed);
        let f = Recorder::new(&prime(254)).unwrap();
        let program = f.record(|ports| {
            let mut values: Vec<Elem> = (0..3).map(|_| ports.elem()).collect();
            let lines: Vec<Elem> = (0..8).map(|_| ports.uniform(0)).collect();
            let (body, steps) = (1 + rng.below(4), 10 + rng.below(40));
            let plan: Vec<[usize; 4]> = (0..body).map(|_| [0; 4].map(|_| rng.below(1 << 16))).collect();
            for i in 0..steps {
                // mostly the same steps again, now and then another one
                let [what, a, b, to] =
                    if rng.below(12) == 0 { [0; 4].map(|_| rng.below(1 << 16)) } else { plan[i % body] };
                let line = lines[i % lines.len()];
                let (x, y) = (values[a % values.len()], if b % 9 == 0 { line } else { values[b % values.len()] });
                let made = if what % 3 == 0 { square(&f, &x) } else { product(&f, &x, &y) };
                if rng.below(40) == 0 {
                    ports.output_uniform(&made);
                }
                match to % 7 {
                    0 if values.len() < 6 => values.push(made),
                    n => {
                        let n = n % values.len();
                        values[n] = made;
                    }
                }
            }
            values.iter().for_each(|x| ports.output(x));
        });
        found += loops(&program.unwrap()).len();
    }
    assert!(found > 150, "{found} loops were found");
}

/// A step that is changed by hand gets a body of its own.
#[test]
fn a_changed_step_is_another_body() {
    let program = power(&[true; 40]);
    let mut parts = program.clone().into_parts();
    let Step::Call(call) = &mut parts.plan[41] else { panic!("a call") };
    // the product at step 41 takes one factor twice
    call.args[0] = call.args[1];
    let changed = parts.verify().unwrap();
    let bodies = |program: &Program| loops(program).iter().map(|looped| looped.bodies.len()).sum::<usize>();
    assert_eq!((bodies(&program), bodies(&changed)), (1, 2));
}
