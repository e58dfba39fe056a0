//! Encodings, interpreted over big integers, give the values of their programs.

use crate::common::{Rng, replayed};
use crate::interpret::interpret;
use crate::shim::properties;
use bilinear_cuda::{
    Arithmetic, BASES, EncodeError, Encoding, Fault, Modulus, Opcode, Properties, Record, Residues, Shape,
};
use bilinear_engine::{Curve, Options, Program, product_program, programs};
use bilinear_field::{Margin, rns};
use bilinear_program::Recorder;
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Returns the programs of a single pairing, of a prepared argument, and of a product of two with masks for O.
fn all(name: &str) -> Vec<(&'static str, Arc<Program>)> {
    let curve = Curve::named(name).unwrap();
    let mut all = programs(&curve, Options::default()).unwrap();
    all.push(("product of two", product_program(&curve, Options::default(), 2, false).unwrap()));
    all
}

/// Curves of types A, BN, D and G: with and without coefficients other than ±1, small enough for big integers.
const CURVES: [&str; 4] = ["a-512", "alt-bn128", "d-159", "g-149"];

/// Words of a block's memory for a pairing: fewer than all values take.
const NEAR: u32 = 1500;

#[test]
fn encodings_give_the_values_of_programs() {
    for (seed, name) in (1..).zip(CURVES) {
        let mut rng = Rng(seed);
        for (job, program) in all(name) {
            let inputs = rng.inputs(&program);
            let want = replayed(&program, &inputs);
            let words = [1, 8].map(|width| (format!("{width} lanes"), Encoding::new(&program, width)));
            let far = ("4 lanes, some far".to_owned(), Encoding::in_groups(&program, 4, NEAR / 5));
            let residues = ("residues".to_owned(), Encoding::in_residues(&program, NEAR));
            for (how, encoding) in words.into_iter().chain([far, residues]) {
                let encoding = encoding.unwrap();
                assert_eq!(encoding.check(), Ok(()), "{name}, {job}, {how}");
                let got = interpret(&encoding, &inputs).unwrap();
                assert!(got == want, "{name}, {job}, {how}, seed {seed}");
            }
        }
    }
}

/// The table of docs/engines/cuda.md with the records of a Miller loop and a final exponentiation in words.
#[test]
fn the_document_has_these_records() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/engines/cuda.md");
    let text = std::fs::read_to_string(path).unwrap();
    let mut missing = vec![];
    for name in ["a1-2x512", "a1-2x1024", "a-512", "bls12-381", "alt-bn128", "bn-254n"] {
        let curve = Curve::named(name).unwrap();
        let finish = programs(&curve, Options::default()).unwrap().swap_remove(1).1;
        // products, squares among them, products with one sum and with two, sums by themselves, records; steps of
        // groups
        let (mut counts, mut steps) = ([0; 6], 0);
        for program in [product_program(&curve, Options::default(), 1, false).unwrap(), finish] {
            let encoding = Encoding::new(&program, 1).unwrap();
            for record in encoding.stages().iter().flat_map(|stage| &stage.records) {
                let is = |yes: bool| usize::from(yes);
                let has = |bit: u32| {
                    record.opcode == Opcode::Product && record.to_bytes()[(bit / 8) as usize] >> (bit % 8) & 1 == 1
                };
                counts[0] += is(record.opcode == Opcode::Product);
                counts[1] += is(has(10));
                counts[2] += is(has(6) && !has(8));
                counts[3] += is(has(8));
                counts[4] += is(record.opcode == Opcode::Sum);
                counts[5] += 1;
            }
            if encoding.modulus().split() == 1 {
                let groups = Encoding::new(&program, 8).unwrap();
                steps += groups.stages().iter().map(|stage| stage.records.len() / 8).sum::<usize>();
            }
        }
        let steps = if steps == 0 { "–".to_owned() } else { steps.to_string() };
        let row = format!("| `{name}` | {} | {steps} |", counts.map(|count| count.to_string()).join(" | "));
        if !text.contains(&row) {
            missing.push(row);
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// A program with more places than the fourth operand of a product can address keeps its sums as records.
#[test]
fn sums_beyond_the_reach_of_a_record_are_records() {
    use bilinear_field::{Field, at};
    let p = (BigUint::from(1u32) << 2176u32) - 1u32;
    let f = Recorder::new(&p).unwrap();
    let record = |values: usize| {
        f.record(|ports| {
            let x = ports.elem();
            let mut all = vec![x];
            for i in 1..values {
                all.push(at!(f; mul(&all[i - 1], &all[0])));
            }
            let mut product = f.one();
            for pair in all.chunks_exact(4) {
                let (mut left, mut right, mut both) = (f.zero(), f.zero(), f.zero());
                f.add(&mut left, &pair[0], &pair[1]);
                f.sub(&mut right, &pair[2], &pair[3]);
                f.mul(&mut both, &left, &right);
                let before = product;
                product = f.zero();
                f.mul(&mut product, &before, &both);
            }
            ports.output(&product);
        })
        .unwrap()
    };
    for (values, places) in [(400, 0..1 << 20), (15_600, 1 << 20..1 << 21)] {
        let program = record(values);
        let encoding = Encoding::new(&program, 1).unwrap();
        assert_eq!(encoding.check(), Ok(()));
        assert!(places.contains(&encoding.places()), "{}", encoding.places());
        let sums = encoding.stages().iter().flat_map(|stage| &stage.records).filter(|r| r.opcode == Opcode::Sum);
        // the last value is a product that the difference has taken in
        assert_eq!(sums.count(), if places.start == 0 { 0 } else { values / 2 - 1 });
    }
}

/// Returns the curve of each family with the longest field for which there are kernels.
fn longest() -> Vec<&'static str> {
    let mut longest: BTreeMap<&str, (u64, &str)> = BTreeMap::new();
    for name in Curve::names() {
        let curve = Curve::named(name).unwrap();
        let bits = curve.family().field().bits();
        let known = longest.entry(curve.family().name()).or_default();
        if bits <= 2176 && bits > known.0 {
            *known = (bits, name);
        }
    }
    longest.into_values().map(|(_, name)| name).collect()
}

/// The programs of pairings have encodings for groups of 8 or threads that split numbers, and in residues: no sum
/// leaves its range, and nothing is refused. `bench/cuda.sh` encodes the programs of every shipped curve.
#[test]
fn programs_of_every_family_have_encodings() {
    for name in longest() {
        let curve = Curve::named(name).unwrap();
        for (job, program) in programs(&curve, Options::default()).unwrap() {
            let is_split = Modulus::new(program.modulus()).unwrap().split() > 1;
            assert_eq!(is_split, program.modulus().bits() > 1056, "{name}");
            if is_split {
                assert_eq!(Encoding::new(&program, 4).err(), Some(EncodeError::Width { width: 4 }));
            }
            let width = if is_split { 1 } else { 8 };
            for encoding in [Encoding::new(&program, width), Encoding::in_residues(&program, NEAR)] {
                let encoding = encoding.unwrap_or_else(|error| panic!("{name}, {job}: {error}"));
                assert_eq!(encoding.check(), Ok(()), "{name}, {job}");
                if encoding.residues().is_some() {
                    assert!(encoding.places() <= NEAR, "{name}, {job}: {} words", encoding.places());
                }
            }
        }
    }
}

/// A group of 4 has fewer threads that wait, a group of 8 more warps to go on with. The number that a card takes
/// depends on both, unless the caller chooses.
#[test]
fn the_number_of_threads_that_issues_least_is_chosen() {
    let card = |arithmetic| Properties { width: 8, arithmetic, shared: 227 << 8, ..properties() };
    for (name, width) in [("a-512", 4), ("bls12-381", 8)] {
        let program = product_program(&Curve::named(name).unwrap(), Options::default(), 1, false).unwrap();
        let on = |arithmetic| Encoding::on(&program, &card(arithmetic)).unwrap().0;
        assert_eq!(on(Arithmetic::Either).width(), width, "{name}");
        let asked = on(Arithmetic::Words);
        assert_eq!(asked.width(), 8, "{name}");
        let four = Encoding::new(&program, 4).unwrap().cost();
        assert!(four.waited < asked.cost().waited && four.multiply_adds == asked.cost().multiply_adds, "{name}");
    }
}

/// If a multiprocessor has too few warps, some values lie far: as many as it takes by the model, and none if there
/// is memory for all.
#[test]
fn values_lie_far_where_that_makes_room_for_warps() {
    let card = Properties { arithmetic: Arithmetic::Either, shared: 227 << 8, ..properties() };
    for (name, is_far) in [("a-512", false), ("alt-bn128", true)] {
        let finish = programs(&Curve::named(name).unwrap(), Options::default()).unwrap().swap_remove(1).1;
        let (encoding, shape) = Encoding::on(&finish, &card).unwrap();
        assert_eq!((encoding.far() > 0, encoding.check()), (is_far, Ok(())), "{name}");
        if is_far {
            let whole = Encoding::new(&finish, encoding.width()).unwrap();
            let before = Shape::new(&whole, &card).unwrap();
            assert!(shape.groups > before.groups && shape.shared(&encoding) <= card.shared, "{name}");
            let [cost, all] = [&encoding, &whole].map(Encoding::cost);
            assert!(cost.memory > all.memory && cost.memory + cost.shared == all.memory + all.shared, "{name}");
        }
    }
    let tiny = Properties { shared: 100, ..card };
    let program = product_program(&Curve::named("a-512").unwrap(), Options::default(), 1, false).unwrap();
    assert_eq!(Encoding::on(&program, &tiny).unwrap().0.width(), 1, "no room");
}

/// The table of docs/engines/cuda.md with the far places that a card of this size chooses in words, for a Miller
/// loop and a final exponentiation.
#[test]
fn the_document_has_these_far_places() {
    let card = Properties { arithmetic: Arithmetic::Either, shared: 227 << 8, ..properties() };
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/engines/cuda.md");
    let text = std::fs::read_to_string(path).unwrap();
    let mut missing = vec![];
    for name in ["a-512", "bls12-381", "alt-bn128", "bn-254n", "d-179", "bls24-509"] {
        let curve = Curve::named(name).unwrap();
        let finish = programs(&curve, Options::default()).unwrap().swap_remove(1).1;
        let miller = product_program(&curve, Options::default(), 1, false).unwrap();
        let parts = [miller, finish].map(|program| {
            let (encoding, shape) = Encoding::on(&program, &card).unwrap();
            let moved = (encoding.cost().memory + 500) / 1000;
            let (near, far) =
                if encoding.width() == 1 { (0, encoding.places()) } else { (encoding.places(), encoding.far()) };
            [encoding.width(), shape.groups, near as usize, far as usize, moved as usize]
                .map(|x| x.to_string())
                .join(" | ")
        });
        let row = format!("| `{name}` | {} |", parts.join(" | "));
        if !text.contains(&row) {
            missing.push(row);
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// α is at least 2^14 for every program here, and at least 2^6 on the engine `rns`: kernels have the same number of
/// warps with either.
#[test]
fn a_fixed_alpha_costs_no_warps() {
    for name in Curve::names() {
        let curve = Curve::named(name).unwrap();
        let p = curve.family().field();
        let Some(residues) = Residues::new(p) else { continue };
        let fewest = rns::moduli(p, Margin { spare: 6, ..Margin::default() }).first.len();
        let kernel = BASES.into_iter().find(|kernel| fewest <= 8 * kernel).unwrap();
        assert_eq!(residues.kernel(), kernel, "{name}");
    }
}

/// A truth value must lie in memory that a block shares: kernels look for it nowhere else.
#[test]
fn a_truth_value_that_a_block_does_not_share_is_refused() {
    const FAR: u32 = 1 << 30;
    let program = product_program(&Curve::named("a-512").unwrap(), Options::default(), 1, false).unwrap();
    let residues = Encoding::in_residues(&program, NEAR).unwrap();
    let groups = Encoding::in_groups(&program, 4, 200).unwrap();
    assert!(groups.far() > 0 && groups.check() == Ok(()));
    for (encoding, far) in [(&residues, FAR), (&groups, groups.places())] {
        for opcode in [Opcode::Select, Opcode::Load] {
            let mut wrong = encoding.clone();
            let is_one = |record: &&mut Record| record.opcode == opcode && (opcode == Opcode::Select || record.c == 1);
            let record = wrong.stages_mut().iter_mut().flat_map(|stage| &mut stage.records).find(is_one).unwrap();
            match opcode {
                Opcode::Select => record.c = far as i32,
                _ => record.a = far,
            }
            assert!(matches!(wrong.check(), Err(Fault::Record { .. })), "{opcode:?}");
        }
    }
}
