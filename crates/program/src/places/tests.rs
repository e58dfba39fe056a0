//! The proof of places refuses every place but the right one.
#![allow(clippy::unwrap_used)]

use super::check::check;
use super::{MAX_BITS, Place, Placed, PlacedStep};
use crate::program::{Program, Step};
use crate::recorder::{Elem, Mask, Recorder};
use bilinear_field::tower::Complex;
use bilinear_field::{Extension, Field, Kind, Prime, at, plus, times};
use num_bigint::BigUint;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A program with a loop over a routine, one call of which makes a value that nothing reads; with halves, a mask, an
/// inversion that vectors share, a prepared argument, and entries of a table in another one.
fn program() -> Program {
    let p = (BigUint::from(1u32) << 127u32) - 1u32;
    let recorder = Recorder::new(&p).unwrap();
    let (f, fq2) = (&recorder, Complex::complex(recorder.clone()));
    let program = recorder.record(|ports| {
        let mut x = fq2.compose(&mut || ports.elem());
        let y = fq2.compose(&mut || ports.elem());
        let (line, mask) = (ports.uniform(0), ports.mask());
        let table = [(); 8].map(|()| ports.uniform(1));
        let bits = [mask, ports.mask()];
        let entry = f.routine("table entry", || entry(f, &table, bits));
        for _ in 0..4 {
            x = f.routine("step", || {
                at! {fq2; product = mul(&x, &y); square = sqr(&product); next = select(mask, &square, &product);}
                next
            });
        }
        at! {f; inverse = inv(&x[0]); scaled = mul(&inverse, &line); of_table = mul(&entry[0], &entry[1]); sum = sum(&[plus(&scaled), plus(&f.constant(&3u32.into()))]);}
        [&sum, &inverse, &of_table].into_iter().for_each(|x| ports.output(x));
        ports.output_uniform(&scaled);
        ports.output_mask(f.is_zero(&sum));
    });
    program.unwrap()
}

/// The two residues of the table's entry whose index has these bits.
fn entry(f: &Recorder, table: &[Elem; 8], [low, high]: [Mask; 2]) -> [Elem; 2] {
    [0, 1].map(|i| {
        at! {f;
            a = select(low, &table[2 + i], &table[i]);
            b = select(low, &table[6 + i], &table[4 + i]);
            chosen = select(high, &b, &a);
        }
        chosen
    })
}

/// Every place in the plan.
fn places(placed: &mut Placed) -> Vec<&mut Place> {
    let mut all: Vec<&mut Place> = placed.bindings.iter_mut().flat_map(|binding| &mut binding.places).collect();
    for stage in &mut placed.stages {
        for step in &mut stage.steps {
            match step {
                PlacedStep::Load { to: place, .. }
                | PlacedStep::LoadUniform { to: place, .. }
                | PlacedStep::LoadMask { to: place, .. }
                | PlacedStep::Store { from: place, .. }
                | PlacedStep::StoreUniform { from: place, .. }
                | PlacedStep::StoreMask { from: place, .. } => all.push(place),
                PlacedStep::Copy { from, to } => all.extend([from, to]),
                PlacedStep::Select(selection) => {
                    all.extend(selection.bits.iter_mut().chain(selection.results.iter_mut().map(|(.., to)| to)));
                }
                PlacedStep::Call { .. } => {}
            }
        }
        if let Some(shared_inversion) = &mut stage.shared_inversion {
            all.extend(shared_inversion.args.iter_mut().chain(&mut shared_inversion.results));
        }
    }
    all
}

/// Every number of a place in a routine, of an input and of an output.
fn numbers(placed: &mut Placed) -> Vec<&mut u32> {
    let mut all = vec![];
    for routine in &mut placed.routines {
        all.extend(routine.code.iter_mut().map(|op| &mut op.out));
        all.extend(routine.operands.iter_mut().map(|operand| &mut operand.place));
    }
    for step in placed.stages.iter_mut().flat_map(|stage| &mut stage.steps) {
        match step {
            PlacedStep::Load { input: n, .. }
            | PlacedStep::LoadUniform { index: n, .. }
            | PlacedStep::LoadMask { input: n, .. }
            | PlacedStep::Store { output: n, .. }
            | PlacedStep::StoreUniform { output: n, .. }
            | PlacedStep::StoreMask { output: n, .. } => all.push(n),
            PlacedStep::Select(selection) => {
                all.extend([&mut selection.stream, &mut selection.stride]);
                all.extend(selection.results.iter_mut().flat_map(|(number, first, _)| [number, first]));
            }
            PlacedStep::Copy { .. } | PlacedStep::Call { .. } => {}
        }
    }
    all
}

/// Returns true if the proof accepts the places after `change`.
fn accepts(program: &Program, placed: &Placed, change: impl FnOnce(&mut Placed)) -> bool {
    let mut changed = placed.clone();
    change(&mut changed);
    catch_unwind(AssertUnwindSafe(|| check(program, &changed))).is_ok()
}

#[test]
fn every_other_place_is_refused() {
    let program = program();
    let mut placed = Placed::new(&program, MAX_BITS);
    let right: Vec<u32> = numbers(&mut placed).into_iter().map(|n| *n).collect();
    let most = right.iter().max().unwrap() + 2;
    let held: Vec<Place> = places(&mut placed).into_iter().map(|place| *place).collect();
    let steps: Vec<usize> = placed.stages.iter().map(|stage| stage.steps.len()).collect();
    assert!(right.len() > 30 && held.len() > 30 && steps.len() > 1, "{right:?}, {held:?}, {steps:?}");
    std::panic::set_hook(Box::new(|_| {}));
    let others = right.iter().enumerate().flat_map(|(i, n)| (0..most).filter(move |m| m != n).map(move |m| (i, m)));
    let numbers: Vec<_> =
        others.filter(|(i, n)| accepts(&program, &placed, |changed| *numbers(changed)[*i] = *n)).collect();
    let others = held.iter().enumerate().flat_map(|(i, p)| held.iter().filter(move |q| *q != p).map(move |q| (i, q)));
    let places: Vec<_> =
        others.filter(|(i, place)| accepts(&program, &placed, |changed| *places(changed)[*i] = **place)).collect();
    let left_out = steps.iter().enumerate().flat_map(|(stage, steps)| (0..*steps).map(move |step| (stage, step)));
    let without: Vec<_> = left_out
        .filter(|(stage, step)| {
            accepts(&program, &placed, |changed| {
                changed.stages[*stage].steps.remove(*step);
            })
        })
        .collect();
    drop(std::panic::take_hook());
    assert!(accepts(&program, &placed, |_| {}));
    assert_eq!((numbers, places, without), (vec![], vec![], vec![]));
}

/// Entries are selected from the stream alone where nothing else reads them; otherwise they are loaded and the call runs.
#[test]
fn a_table_that_is_read_elsewhere_is_loaded() {
    let p = (BigUint::from(1u32) << 127u32) - 1u32;
    let selections = |reads: bool, swapped: bool, bits: usize| {
        let recorder = Recorder::new(&p).unwrap();
        let program = recorder.record(|ports| {
            let table = [(); 8].map(|()| ports.uniform(0));
            let [low, high] = [(); 2].map(|()| ports.mask());
            let mut own = table;
            if swapped {
                own.swap(3, 5);
            }
            let entry = recorder.routine("table entry", || entry(&recorder, &own, [low, high]));
            at! {recorder; other = mul(&entry[0], if reads { &table[6] } else { &entry[1] });}
            entry.iter().chain([&other]).for_each(|x| ports.output(x));
        });
        let placed = Placed::new(&program.unwrap(), bits);
        let steps = placed.stages.iter().flat_map(|stage| &stage.steps);
        steps.filter(|step| matches!(step, PlacedStep::Select(_))).count()
    };
    let cases = [(false, false, 2), (true, false, 2), (false, true, 2), (false, false, 1)];
    assert_eq!(cases.map(|(reads, swapped, bits)| selections(reads, swapped, bits)), [1, 0, 0, 0]);
}

/// A call that never selects one of its parameters leaves that input to those who read it later.
#[test]
fn what_is_never_selected_is_loaded_where_it_is_read() {
    let p = (BigUint::from(1u32) << 127u32) - 1u32;
    let recorder = Recorder::new(&p).unwrap();
    let program = recorder.record(|ports| {
        let [c, a, b] = [(); 3].map(|()| ports.uniform(0));
        let mask = ports.mask();
        let chosen = recorder.routine("table entry", || {
            at! {recorder; inner = select(mask, &a, &b); chosen = select(mask, &inner, &c);}
            chosen
        });
        [&chosen, &b].into_iter().for_each(|x| ports.output(x));
    });
    // the proof of places is part of this
    let placed = Placed::new(&program.unwrap(), MAX_BITS);
    assert!(placed.stages[0].steps.iter().any(|step| matches!(step, PlacedStep::Select(_))));
}

/// A parameter's place is not written, even where nothing reads it any more: another parameter may be in the same place.
#[test]
fn nothing_is_made_in_a_parameters_place() {
    let p = (BigUint::from(1u32) << 127u32) - 1u32;
    let recorder = Recorder::new(&p).unwrap();
    let program = recorder.record(|ports| {
        let x = ports.elem();
        let step = |x: &_| {
            recorder.routine("step", || {
                at! {recorder; xx = sqr(x); x4 = sqr(&xx); x8 = sqr(&x4);}
                x8
            })
        };
        ports.output(&step(&step(&x)));
    });
    let program = program.unwrap();
    let placed = Placed::new(&program, MAX_BITS);
    let parameter = placed.first_argument(Kind::Elem);
    std::panic::set_hook(Box::new(|_| {}));
    let accepted = [0, 1].map(|change| {
        accepts(&program, &placed, |changed| {
            let routine = &mut changed.routines[0];
            let [_, square, last] = routine.code[..] else { panic!("three squarings") };
            // x⁴, which nothing but the last squaring reads
            if change == 1 {
                routine.code[1].out = parameter;
                routine.operands[last.first as usize].place = parameter;
            }
            assert_eq!(square.len, 1);
        })
    });
    drop(std::panic::take_hook());
    assert_eq!(accepted, [true, false]);
}

/// Two calls of a routine, of which the second makes halves and an element that only the routine needs. Nothing reads
/// the arguments of that call afterwards either, so the values alone do not tell whether these results lie elsewhere.
#[test]
fn results_that_nobody_reads_overlap_nothing() {
    let p = (BigUint::from(1u32) << 127u32) - 1u32;
    let recorder = Recorder::new(&p).unwrap();
    let (f, fq2) = (&recorder, Complex::complex(recorder.clone()));
    let program = recorder.record(|ports| {
        let [x, y] = [0, 1].map(|_| fq2.compose(&mut || ports.elem()));
        let step = |a: &[_; 2], b: &[_; 2]| {
            f.routine("step", || {
                at! {fq2; product = mul(a, b); square = sqr(&product);}
                at! {f; double = sum(&[times(2, &product[0])]); last = mul(&double, &square[0]);}
                (product, square, double, last)
            })
        };
        let (product, square, double, first) = step(&x, &y);
        let (_, [x0, x1], _, last) = step(&product, &square);
        [&double, &first, &x0, &x1, &last].into_iter().for_each(|x| ports.output(x));
    });
    let program = program.unwrap();
    let Some(Step::Call(call)) = program.plan().last() else { panic!("a call at the end") };
    let nowhere: Vec<usize> =
        (call.args.len()..).zip(&call.results).filter(|(_, v)| v.is_none()).map(|(i, _)| i).collect();
    assert_eq!(nowhere.len(), 3, "{call:?}");
    let placed = Placed::new(&program, MAX_BITS);
    let own = placed.bindings.last().unwrap().places.clone();
    std::panic::set_hook(Box::new(|_| {}));
    // in one of the existing places, or in one more
    let accepted = |i: usize, place: Place| {
        accepts(&program, &placed, |changed| {
            changed.shared[Kind::Elem as usize] += 1;
            changed.bindings.last_mut().unwrap().places[i] = place;
        })
    };
    let overlaps: Vec<_> = nowhere
        .iter()
        .flat_map(|i| own.iter().enumerate().filter(move |(j, _)| j != i).map(move |(_, place)| (*i, *place)))
        .filter(|(i, place)| accepted(*i, *place))
        .collect();
    // halves lie side by side, and the element anywhere else
    let free = Place::Shared(placed.shared[Kind::Elem as usize]);
    let apart = nowhere.iter().filter(|i| accepted(**i, free)).count();
    drop(std::panic::take_hook());
    assert_eq!((overlaps, apart), (vec![], 1), "{own:?}, {free:?}");
}
