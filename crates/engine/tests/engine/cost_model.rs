//! The cost model of a machine decides how a value is computed, never the value.

use bilinear_engine::{CostModel, Curve, Engine, Group, Options, System, programs};

/// Counts the inversions of the final exponentiation at a cost.
fn inversions(curve: &Curve, inversion: u64) -> u64 {
    let options = Options { cost_model: Some(CostModel { inversion }), ..Options::default() };
    let programs = programs(curve, options).unwrap();
    programs[1].1.operations().inversion
}

#[test]
fn expensive_inversions_are_avoided_and_values_stay_the_same() {
    for name in ["bls12-381", "bn-254n", "bls24-315"] {
        let curve = Curve::named(name).unwrap();
        assert!(inversions(&curve, 0) > 1, "{name}");
        assert_eq!(inversions(&curve, 10_000), 1, "{name}");
        let system = |cost_model| {
            System::with(&curve, Options { engine: Some(Engine::Mont), cost_model, ..Options::default() }).unwrap()
        };
        let value = |system: &System| {
            let (p, q) =
                (system.hash_to_curve(Group::G1, b"P", b"PRICES"), system.hash_to_curve(Group::G2, b"Q", b"PRICES"));
            let (p, q) = (p.unwrap(), q.unwrap());
            system.pair(&p, &q)
        };
        let wanted = value(&system(None));
        for inversion in [0, 10_000] {
            // an explicit cost model is that of every engine, so that all execute one program
            let mont = system(Some(CostModel { inversion }));
            let engines = [Engine::Mont, Engine::Ifma, Engine::Rows];
            for engine in engines.into_iter().filter(|engine| engine.suits(curve.family().field())) {
                assert_eq!(value(&mont.on(engine).unwrap()), wanted, "{name}, {engine}, inversion {inversion}");
            }
        }
    }
}

/// Checks the statement in the documentation of the default.
#[test]
fn shipped_curves_have_one_program_for_all_costs_of_processors() {
    for name in Curve::names() {
        let curve = Curve::named(name).unwrap();
        assert_eq!(inversions(&curve, 0), inversions(&curve, 150), "{name}");
    }
}

#[test]
fn an_engine_has_costs_of_its_own() {
    let curve = Curve::named("bls12-381").unwrap();
    let on = |engine| {
        let options = Options { engine, ..Options::default() };
        programs(&curve, options).unwrap()[1].1.operations().inversion
    };
    let [default, mont, rows] = [None, Some(Engine::Mont), Some(Engine::Rows)].map(on);
    assert!(default > 1 && mont == default);
    assert_eq!(rows, 1);
}
