//! The engine `rns`: every shipped curve and every kind of computation agree with `mont`, PBC's answers, and the
//! costs.

use crate::common::everything::everything;
use crate::common::{known, shipped, vectors};
use bilinear_engine::{
    Curve, Engine, Moduli, OnResidues, Options, PairingKind, Power, System, on_residues, operations,
};
use bilinear_field::rns::multiply_adds;
use num_bigint::BigUint;

fn options() -> Options {
    Options { engine: Some(Engine::Rns), ..Options::default() }
}

/// Curves that do every kind of computation, one of each family: this engine takes seconds where `mont` takes
/// milliseconds. Longer fields give the answers of other implementations.
const DO_EVERYTHING: [&str; 11] =
    ["a-512", "a1-2x512", "d-159", "e", "f", "g-149", "bn-254n", "bls12-381", "kss18-508", "bls24-509", "bls48-581"];

/// Checks the curves whose field has this number of bits: answers of other implementations, and all kinds of
/// computation.
fn agrees(bits: std::ops::Range<u64>) {
    assert!(DO_EVERYTHING.iter().all(|name| Curve::names().any(|known| known == *name)));
    let mut checked = 0;
    for name in Curve::names() {
        if bits.contains(&Curve::named(name).unwrap().family().field().bits()) {
            let mont = shipped(name).on(Engine::Mont).unwrap();
            let rns = mont.on(Engine::Rns).unwrap();
            assert_eq!((rns.engine(), mont.engine()), (Engine::Rns, Engine::Mont));
            if DO_EVERYTHING.contains(&name) {
                assert_eq!(everything(&rns), everything(&mont), "{name}");
            }
            known::check(&rns, name);
            checked += 1;
        }
    }
    assert!(checked > 0);
}

#[test]
fn short_fields_are_as_on_mont() {
    agrees(0..400);
}

#[test]
fn fields_of_middle_length_are_as_on_mont() {
    agrees(400..1000);
}

#[test]
fn long_fields_are_as_on_mont() {
    agrees(1000..5000);
}

#[test]
fn every_pairing_of_a_bn_curve_is_as_on_mont() {
    let curve = Curve::named("bn-254n").unwrap();
    for pairing in [PairingKind::RAte, PairingKind::Ate, PairingKind::Tate] {
        let options = Options { pairing: Some(pairing), power: Power::Fast, ..options() };
        let rns = System::with(&curve, options).unwrap();
        assert_eq!(everything(&rns), everything(&rns.on(Engine::Mont).unwrap()), "{pairing}");
    }
}

/// 33 + 33 + 1 moduli for n of 1024 bits and 65 + 65 + 1 for 2048, the bases of Zhang, Xue, Wong, Mamoulis and Yiu
/// (ACNS 2012). No sum of elements is reduced: only sums of products are.
#[test]
fn bases_and_reductions_of_composite_orders() {
    for (name, n) in [("a1-2x512", 33), ("a1-4x256", 33), ("a1-pbc", 33), ("a1-2x1024", 65)] {
        let curve = Curve::named(name).unwrap();
        let phases = operations(&curve, Options::default()).unwrap();
        let cost = |name: &str| phases.iter().find(|phase| phase.name == name).unwrap().cost;
        for OnResidues { name: program, moduli, lazy_sums, reductions, multiply_adds: words } in
            on_residues(&curve, options()).unwrap()
        {
            let Moduli { first, second, alpha, .. } = moduli;
            assert_eq!([first.len(), second.len()], [n, n], "{name}, {program}");
            assert!(lazy_sums, "{name}, {program}");
            assert!(alpha > BigUint::from(1u32 << 16), "{alpha}");
            assert_eq!(words, reductions * multiply_adds(n) as u64);
            let counted = cost(program);
            let beyond = reductions - counted.reduction;
            match program {
                // tests of residues, and inversions by words
                "Miller loop" | "Miller loop, prepared argument" => assert_eq!(beyond, 2 * counted.inversion, "{name}"),
                "final exponentiation" => assert_eq!(beyond, 2 * counted.inversion + 1, "{name}"),
                _ => assert!(reductions > counted.reduction, "{name}, {program}"),
            }
        }
    }
    // the statements of `docs/engines/rns.md` on steps and ranges
    let phases = operations(&Curve::named("a1-2x512").unwrap(), Options::default()).unwrap();
    let reductions = |name: &str| phases.iter().find(|phase| phase.name == name).unwrap().cost.reduction;
    assert_eq!([reductions("F_p^k product"), reductions("F_p^k square")], [2, 2]);
    assert_eq!(["doubling step with its line", "addition step with its line"].map(reductions), [11, 13]);
    let report = System::with(&Curve::named("a1-2x512").unwrap(), options()).unwrap().bounds().unwrap();
    assert!(report.elem.low >= -10 && report.elem.high <= 10, "{:?}", report.elem);
    assert!(report.reduced.low >= -180 && report.reduced.high <= 180, "{:?}", report.reduced);
}

/// The files over binary fields are for `eta.rs`.
#[test]
fn every_file_of_pari_is_compared() {
    let files = std::fs::read_dir(vectors().join("oracle")).unwrap();
    let mut files: Vec<String> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    files.retain(|file| !file.starts_with("SS2_"));
    files.sort();
    assert_eq!(files, known::files());
}

/// PBC's answers on curves that are not shipped.
#[test]
fn answers_of_pbc() {
    for name in ["a1-1024", "a1-2048", "a1-3p-1536", "f256"].map(|name| format!("pbc/{name}.param")) {
        known::check(&System::with(&Curve::load(vectors().join(&name)).unwrap(), options()).unwrap(), &name);
    }
}
