//! Every kind of computation on every engine that this processor has, against the reference: short enough to run with
//! the settings of a release, also compiled for the processor at hand (`make native`).
#![allow(clippy::unwrap_used)]

#[allow(unreachable_pub)]
#[path = "engine/common/everything.rs"]
mod everything;

use bilinear_engine::{Batch, Curve, Engine, Group, System, Validate};
use everything::everything;

/// Curves over fields of 3 to 17 words, with F_p², F_p⁶ and F_p¹², and one with a prime for `hmm`.
const CURVES: [&str; 5] = ["d-159", "a-512", "bn-258", "bls12-381", "a1-2x512"];

/// Computes the pairings of a batch that fills lanes and leaves some empty.
fn batch(s: &System) -> Vec<Vec<u8>> {
    let hash = |group, i: usize| s.hash_to_curve(group, format!("row {i}").as_bytes(), b"BILINEAR-TEST").unwrap();
    let points: Vec<_> = (0..9).map(|i| (hash(Group::G1, i), hash(Group::G2, i))).collect();
    let rows: Vec<_> = points.iter().map(|(p, q)| (p.as_ref(), q.as_ref())).collect();
    let values = Batch::new(s.clone()).validate(Validate::Subgroup).pair(&rows);
    values.into_iter().map(|value| value.unwrap().bytes().to_vec()).collect()
}

#[test]
fn whole_computations_are_those_of_the_reference() {
    let mut engines = Vec::new();
    for name in CURVES {
        let reference = System::with_engine(&Curve::named(name).unwrap(), Engine::Reference).unwrap();
        let wanted = (everything(&reference), batch(&reference));
        let suits = |engine: &Engine| engine.suits(reference.curve().family().field());
        for engine in Engine::ALL.into_iter().filter(suits) {
            let system = reference.on(engine).unwrap();
            assert_eq!(system.engine(), engine);
            assert!((everything(&system), batch(&system)) == wanted, "{name}, {engine}");
            engines.push(engine);
        }
    }
    for engine in Engine::ALL {
        assert!(engines.contains(&engine) == engine.is_available(), "{engine}");
    }
}
