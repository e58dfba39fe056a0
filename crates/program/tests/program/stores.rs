//! Residues in a store: lanes take any of them and leave others, on every machine.

use crate::common::{Rng, SIZES, TIGHT, machines, prime, uniforms};
use bilinear_field::{Field, at};
use bilinear_program::{Batch, Machine, Program, Recorder, Store};
use num_bigint::BigUint;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Returns three programs: from residues to a store; from x and y to xy + x, kept, and x + y; and from a store to its residues.
fn programs(p: &BigUint) -> [Arc<Program>; 3] {
    let recorder = Recorder::new(p).unwrap();
    let come_in = recorder.record(|ports| {
        let x = ports.elem();
        ports.output_to_store(&x);
    });
    let compute = recorder.record(|ports| {
        let (x, y) = (ports.elem(), ports.elem());
        // values that are not closed are closed when they are kept
        at! {recorder; xy = mul(&x, &y); kept = add(&xy, &x); sum = add(&x, &y);}
        ports.output_to_store(&kept);
        ports.output(&sum);
    });
    let go_out = recorder.record(|ports| {
        let x = ports.elem();
        ports.output(&x);
    });
    [come_in, compute, go_out].map(|program| Arc::new(program.unwrap()))
}

/// A program as a machine runs it.
struct Run<'m> {
    machine: &'m dyn Machine,
    program: Arc<Program>,
}

impl Run<'_> {
    fn run(&self, store: Store, reads: bool, vectors: usize, fill: impl FnOnce(&mut Batch)) -> Batch {
        let program = self.machine.suited(&self.program);
        let mut batch = Batch::on_store(&program, self.machine, vectors, store, reads);
        fill(&mut batch);
        self.machine.load(&program).run(&mut batch);
        batch
    }
}

fn integer(words: &[u64]) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |x, w| (x << 64u32) + *w)
}

/// Exchanges 40 residues: lanes take any two of them, and leave their results behind the 40. The last vectors have fewer lanes.
fn exchanged(p: &BigUint, machine: &dyn Machine, rng: &mut Rng, what: &str) {
    const FIRST: usize = 40;
    let [come_in, compute, go_out] = programs(p).map(|program| Run { machine, program });
    let lanes = machine.lanes();
    let mut known: Vec<BigUint> = (0..FIRST).map(|_| rng.edge(p)).collect();
    let batch = come_in.run(machine.store(2 * FIRST), false, FIRST.div_ceil(lanes), |batch| {
        for (i, x) in known.iter().enumerate() {
            batch.set(i / lanes, 0, i % lanes, &x.to_u64_digits());
            batch.save_to_store(i / lanes, 0..1, i % lanes, i as u32);
        }
    });
    let store = batch.into_store().unwrap();
    let count = FIRST - 3;
    let pairs: Vec<[usize; 2]> = (0..count).map(|_| [rng.below(FIRST), rng.below(FIRST)]).collect();
    let batch = compute.run(store, true, count.div_ceil(lanes), |batch| {
        for (i, [x, y]) in pairs.iter().enumerate() {
            batch.load_from_store(i / lanes, 0..1, i % lanes, *x as u32);
            batch.load_from_store(i / lanes, 1..2, i % lanes, *y as u32);
            // in another order
            batch.save_to_store(i / lanes, 0..1, i % lanes, (FIRST + (i * 5) % count) as u32);
        }
    });
    known.resize(2 * FIRST, BigUint::ZERO);
    for (i, [x, y]) in pairs.iter().enumerate() {
        let (x, y) = (known[*x].clone(), known[*y].clone());
        assert_eq!(integer(batch.get(i / lanes, 1, i % lanes)), (&x + &y) % p, "x + y of pair {i}, {what}");
        known[FIRST + (i * 5) % count] = (&x * y + x) % p;
    }
    let numbers: Vec<usize> = (0..FIRST + count).rev().collect();
    let batch = go_out.run(batch.into_store().unwrap(), true, numbers.len().div_ceil(lanes), |batch| {
        numbers.iter().enumerate().for_each(|(i, x)| batch.load_from_store(i / lanes, 0..1, i % lanes, *x as u32));
    });
    for (i, number) in numbers.iter().enumerate() {
        assert_eq!(integer(batch.get(i / lanes, 0, i % lanes)), known[*number], "residue {number}, {what}");
    }
}

#[test]
fn lanes_read_any_residues_and_leave_the_others_unchanged() {
    for bits in SIZES {
        let p = prime(bits);
        for machine in machines(&p) {
            let seed = 0x18_0000 + bits;
            exchanged(&p, &*machine, &mut Rng(seed), &format!("{bits} bits on {}, seed {seed:#x}", machine.name()));
        }
    }
}

#[test]
fn what_is_not_in_a_store_is_refused() {
    let p = prime(TIGHT);
    for machine in machines(&p) {
        let machine = &*machine;
        let [come_in, compute, _] = programs(&p).map(|program| Run { machine, program });
        let refused = |what: &str, run: &dyn Fn()| {
            assert!(catch_unwind(AssertUnwindSafe(run)).is_err(), "{what} on {}", machine.name());
        };
        let filled = || {
            come_in.run(machine.store(3), false, 1, |batch| batch.save_to_store(0, 0..1, 0, 2)).into_store().unwrap()
        };
        compute.run(filled(), true, 1, |batch| batch.load_from_store(0, 0..1, 0, 2));
        refused("a residue behind the last", &|| {
            drop(compute.run(filled(), true, 1, |batch| batch.load_from_store(0, 0..1, 0, 3)))
        });
        refused("a place behind the last", &|| {
            drop(compute.run(filled(), true, 1, |batch| batch.save_to_store(0, 0..1, 0, 3)))
        });
        refused("a place that no residue has", &|| {
            drop(compute.run(filled(), true, 1, |batch| batch.save_to_store(0, 0..1, 0, u32::MAX)))
        });
        refused("an input that there is not", &|| {
            drop(compute.run(filled(), true, 1, |b| b.load_from_store(0, 2..3, 0, 0)))
        });
        refused("a batch that does not read", &|| {
            drop(come_in.run(filled(), false, 1, |b| b.load_from_store(0, 0..1, 0, 0)))
        });
        refused("an empty store", &|| drop(compute.run(machine.store(0), true, 1, |_| ())));
        let lane = machine.lanes();
        refused("a lane that there is not", &|| {
            drop(compute.run(filled(), true, 1, |b| b.save_to_store(0, 0..1, lane, 0)))
        });
    }
}

/// Returns the program from x and y to x^(2^n)·y, kept, for n squarings that are calls of one routine.
fn chain(p: &BigUint, squarings: usize) -> Arc<Program> {
    let recorder = Recorder::new(p).unwrap();
    let program = recorder.record(|ports| {
        let (x, y) = (ports.elem(), ports.elem());
        let square = |x, _| recorder.routine("square", || at!(recorder; sqr(&x)));
        let power = (0..squarings).fold(x, square);
        at! {recorder; product = mul(&power, &y);}
        ports.output_to_store(&product);
    });
    Arc::new(program.unwrap())
}

/// A program that is entered behind any number of its squarings computes what the program with that many fewer does,
/// again and again.
#[test]
fn programs_are_entered_behind_their_first_calls() {
    const SQUARINGS: usize = 5;
    let p = prime(TIGHT);
    let mut rng = Rng(0x5eed);
    for machine in machines(&p).iter().filter(|machine| machine.takes_calls()) {
        let come_in = Run { machine: &**machine, program: programs(&p)[0].clone() };
        let go_out = Run { machine: &**machine, program: programs(&p)[2].clone() };
        let values: Vec<BigUint> = (0..2).map(|_| rng.edge(&p)).collect();
        let mut store = machine.store(3);
        for (i, x) in values.iter().enumerate() {
            let batch = come_in.run(store, false, 1, |batch| {
                batch.set(0, 0, 0, &x.to_u64_digits());
                batch.save_to_store(0, 0..1, 0, i as u32);
            });
            store = batch.into_store().unwrap();
        }
        let loaded = machine.load(&machine.suited(&chain(&p, SQUARINGS)));
        let mut calls = loaded.calls().unwrap();
        for skipped in (0..=SQUARINGS).chain([2, 0]) {
            calls.call(skipped, &mut store, &[0, 1], &[2]);
            let batch = go_out.run(store, true, 1, |batch| batch.load_from_store(0, 0..1, 0, 2));
            let exponent = BigUint::from(1u32) << (SQUARINGS - skipped);
            let want = values[0].modpow(&exponent, &p) * &values[1] % &p;
            assert_eq!(integer(batch.get(0, 0, 0)), want, "{skipped} skipped on {}", machine.name());
            store = batch.into_store().unwrap();
        }
        let refused = |what: &str, skipped: usize, takes: &[u32], leaves: &[u32]| {
            let run = || {
                machine.load(&chain(&p, SQUARINGS)).calls().unwrap().call(skipped, &mut machine.store(3), takes, leaves)
            };
            assert!(catch_unwind(AssertUnwindSafe(run)).is_err(), "{what} on {}", machine.name());
        };
        refused("more calls than there are", SQUARINGS + 1, &[0, 1], &[2]);
        refused("too few numbers", 0, &[0], &[2]);
        refused("too many numbers", 0, &[0, 1], &[2, 2]);
        refused("a residue behind the last", 0, &[0, 3], &[2]);
        refused("a place behind the last", 0, &[0, 1], &[3]);
        // a program with masks, or with outputs beside the store, cannot be called so
        assert!(machine.load(&programs(&p)[1]).calls().is_none());
        // nor can one that reads a result of a skipped call beside what the next call takes
        assert!(machine.load(&machine.suited(&crossed(&p))).calls().is_none());
    }
}

/// Returns the program from y, z of R(x) and y', z' of R(y) to z·y', kept: behind the first call there is no z.
fn crossed(p: &BigUint) -> Arc<Program> {
    let recorder = Recorder::new(p).unwrap();
    let program = recorder.record(|ports| {
        let x = ports.elem();
        let step = |x: &_| {
            recorder.routine("step", || {
                at! {recorder; y = sqr(x); z = mul(&y, x);}
                (y, z)
            })
        };
        let (y, z) = step(&x);
        let (other, unread) = step(&y);
        at! {recorder; product = mul(&z, &other); last = mul(&product, &unread);}
        ports.output_to_store(&last);
    });
    Arc::new(program.unwrap())
}

/// Residues of one field are not those of another whose machine has the same type.
#[test]
fn stores_and_prepared_arguments_of_another_field_are_refused() {
    let (p, q) = (prime(TIGHT), prime(TIGHT - 1));
    let prepare = |p: &BigUint| {
        let recorder = Recorder::new(p).unwrap();
        let program = recorder.record(|ports| {
            let x = ports.elem();
            ports.output_uniform(&x);
        });
        Arc::new(program.unwrap())
    };
    let take = |p: &BigUint| {
        let recorder = Recorder::new(p).unwrap();
        let program = recorder.record(|ports| {
            let (x, prepared) = (ports.elem(), ports.uniform(0));
            at! {recorder; product = mul(&x, &prepared);}
            ports.output(&product);
        });
        Arc::new(program.unwrap())
    };
    for (machine, other) in machines(&p).iter().zip(&machines(&q)) {
        assert_eq!(machine.name(), other.name());
        let computed = |from: &dyn Machine, what: &str| {
            let own = Run { machine: &**machine, program: programs(&p)[0].clone() };
            let stored = catch_unwind(AssertUnwindSafe(|| drop(own.run(from.store(4), false, 1, |_| ()))));
            let program = from.suited(&prepare(from.modulus()));
            let mut batch = Batch::new(&program, from, 1);
            from.load(&program).run(&mut batch);
            let prepared = batch.uniforms().unwrap();
            let program = machine.suited(&take(&p));
            let run = || {
                let mut batch = Batch::new(&program, &**machine, 1);
                batch.set_streams(0, vec![prepared.clone()]);
                machine.load(&program).run(&mut batch);
            };
            let taken = catch_unwind(AssertUnwindSafe(run));
            assert_eq!([stored.is_ok(), taken.is_ok()], [what == "own"; 2], "{what} on {}", machine.name());
        };
        computed(&**machine, "own");
        computed(&**other, "of another field");
    }
}

/// A batch that no memory can hold is refused before any place is counted.
#[test]
fn a_batch_has_fewer_than_2_to_the_32_vectors() {
    let p = prime(TIGHT);
    let machines = machines(&p);
    let program = programs(&p)[1].clone();
    for vectors in [1 << 32, 1 << 62, usize::MAX] {
        let made = catch_unwind(AssertUnwindSafe(|| {
            Batch::on_store(&program, &*machines[0], vectors, machines[0].store(1), true)
        }));
        assert!(made.is_err(), "{vectors} vectors");
    }
}

/// Stores of a machine with another form are refused.
#[test]
fn stores_of_another_machine_are_refused() {
    let p = prime(TIGHT);
    let machines = machines(&p);
    for machine in &machines {
        for other in &machines {
            let own = Run { machine: &**machine, program: programs(&p)[1].clone() };
            let run = || {
                let batch = own.run(other.store(1), false, 1, |batch| {
                    batch.set(0, 0, 0, &[9]);
                    batch.save_to_store(0, 0..1, 0, 0);
                });
                assert_eq!(batch.get(0, 1, 0)[0], 9);
                let go_out = Run { machine: &**other, program: programs(&p)[2].clone() };
                let batch =
                    go_out.run(batch.into_store().unwrap(), true, 1, |batch| batch.load_from_store(0, 0..1, 0, 0));
                integer(batch.get(0, 0, 0))
            };
            let what = format!("{} on {}", other.name(), machine.name());
            match catch_unwind(AssertUnwindSafe(run)) {
                // machines without a form of their own keep words
                Ok(kept) => assert_eq!(kept, BigUint::from(9u32), "{what}"),
                Err(_) => assert_ne!(machine.name(), other.name(), "{what}"),
            }
        }
    }
}

/// Stores and prepared arguments of a machine that computes modulo a multiple of p are refused, even if 1 is the same
/// number on both: here modulo 15p.
#[test]
fn stores_and_prepared_arguments_modulo_a_multiple_are_refused() {
    let p = (BigUint::from(5u32) << 235u32) - 233u32;
    assert!((BigUint::from(1u32) << 256u32) % (&p * 15u32) < p);
    let machines = machines(&p);
    let [mont, portable] = ["mont", "portable"].map(|name| &**machines.iter().find(|m| m.name() == name).unwrap());
    let recorder = Recorder::new(&p).unwrap();
    // x − 5y and its square
    let program = |prepared: bool| {
        let program = recorder.record(|ports| {
            let x = ports.elem();
            let y = if prepared { ports.uniform(0) } else { ports.elem() };
            at! {recorder; y2 = add(&y, &y); y4 = add(&y2, &y2); y5 = add(&y4, &y); d = sub(&x, &y5); out = sqr(&d);}
            ports.output(&out);
        });
        portable.suited(&Arc::new(program.unwrap()))
    };
    let [stored, prepared] = [false, true].map(program);
    for k in 1..100u32 {
        let (x, y) = (BigUint::from(k), (&p - 1u32 - k).modpow(&k.into(), &p));
        let root = (&x + &p * 5u32 - &y * 5u32) % &p;
        let want = &root * &root % &p;
        let come_in = Run { machine: mont, program: programs(&p)[0].clone() };
        let from_store = || {
            let batch = come_in.run(mont.store(2), false, 2, |batch| {
                for (i, x) in [&x, &y].into_iter().enumerate() {
                    batch.set(i, 0, 0, &x.to_u64_digits());
                    batch.save_to_store(i, 0..1, 0, i as u32);
                }
            });
            let mut batch = Batch::on_store(&stored, portable, 1, batch.into_store().unwrap(), true);
            batch.load_from_store(0, 0..2, 0, 0);
            portable.load(&stored).run(&mut batch);
            integer(batch.get(0, 0, 0))
        };
        let from_argument = || {
            let mut batch = Batch::new(&prepared, portable, 1);
            batch.set(0, 0, 0, &x.to_u64_digits());
            batch.set_streams(0, vec![uniforms(mont, std::slice::from_ref(&y))]);
            portable.load(&prepared).run(&mut batch);
            integer(batch.get(0, 0, 0))
        };
        // where both compute modulo p they are accepted
        let got = [catch_unwind(AssertUnwindSafe(from_store)), catch_unwind(AssertUnwindSafe(from_argument))];
        assert!(got.iter().flatten().all(|got| *got == want), "x = {x}, y = {y:#x}");
    }
}
