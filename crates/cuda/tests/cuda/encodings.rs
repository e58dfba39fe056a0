//! Encodings give the values of their programs, over big integers.

use crate::common::{Rng, replayed};
use crate::shim::properties;
use bilinear_cuda::{Arithmetic, BASES, EncodeError, Encoding, Modulus, Properties, Residues};
use bilinear_engine::{Curve, Options, Program, product_program, programs};
use bilinear_field::{Margin, rns};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The programs of a single pairing, of a prepared argument, and of a product of two with masks for O.
fn all(name: &str) -> Vec<(&'static str, Arc<Program>)> {
    let curve = Curve::named(name).unwrap();
    let mut all = programs(&curve, Options::default()).unwrap();
    all.push(("product of two", product_program(&curve, Options::default(), 2, false).unwrap()));
    all
}

/// Types A, BN, D and G: with and without coefficients beside ±1, small enough for big integers.
const CURVES: [&str; 4] = ["a-512", "alt-bn128", "d-159", "g-149"];

/// Words of a block's memory for a pairing: less than all values take.
const ROOM: u32 = 1500;

#[test]
fn encodings_give_the_values_of_programs() {
    for (seed, name) in (1..).zip(CURVES) {
        let mut rng = Rng(seed);
        for (job, program) in all(name) {
            let inputs = rng.inputs(&program);
            let want = replayed(&program, &inputs);
            let words = [1, 4, 8].map(|width| (format!("{width} lanes"), Encoding::new(&program, width)));
            for (how, encoding) in
                words.into_iter().chain([("residues".to_owned(), Encoding::in_residues(&program, ROOM))])
            {
                let encoding = encoding.unwrap();
                assert_eq!(encoding.check(), Ok(()), "{name}, {job}, {how}");
                let got = encoding.interpret(&inputs).unwrap();
                assert!(got == want, "{name}, {job}, {how}, seed {seed}");
            }
        }
    }
}

/// The longest of the curves of each family that kernels are long enough for.
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

/// What pairings take, for groups of 8 or threads that split numbers, and in residues: no sum leaves its range, nothing is refused. `bench/cuda.sh` encodes those of
/// every shipped curve.
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
            for encoding in [Encoding::new(&program, width), Encoding::in_residues(&program, ROOM)] {
                let encoding = encoding.unwrap_or_else(|error| panic!("{name}, {job}: {error}"));
                assert_eq!(encoding.check(), Ok(()), "{name}, {job}");
                if encoding.residues().is_some() {
                    assert!(encoding.places() <= ROOM, "{name}, {job}: {} words", encoding.places());
                }
            }
        }
    }
}

/// A group of 4 has fewer threads that wait, of 8 more warps to go on with: what a card takes depends on both, where nobody chooses.
#[test]
fn as_many_threads_as_issue_least_are_chosen() {
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

/// α is at least 2^14 for every program here, and 2^6 at least on the engine `rns`: kernels have as many warps.
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
