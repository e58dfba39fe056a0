//! Tests of the machines without values: counting and ranges.

use crate::common::fp12;
use bilinear_field::bounds::Bounds;
use bilinear_field::count::{Count, Tally};
use bilinear_field::mont::Mont;
use bilinear_field::{Code, Engine, Field, Kind, LIMBS, Margin, WORDS, rules, times};
use num_bigint::BigUint;
use num_traits::One;
use std::panic::catch_unwind;

fn p() -> BigUint {
    (BigUint::one() << 256u32) - 189u32
}

#[test]
fn a_product_in_fp12_costs_twelve_reductions() {
    // Aranha et al. 2011, table 2 of section 5: 54 products and 12 reductions; 36 and 12 for a square
    let count = Count::new(&p());
    let f = fp12(count.clone(), 1);
    let (a, mut out) = (f.zero(), f.zero());
    let cost = count.of(|| f.mul(&mut out, &a, &a));
    assert_eq!((cost.mul, cost.sqr, cost.reduction), (54, 0, 12), "{cost}");
    let cost = count.of(|| f.sqr(&mut out, &a));
    assert_eq!((cost.mul, cost.sqr, cost.reduction), (36, 0, 12), "{cost}");
    let cost = count.of(|| f.inv(&mut out, &a));
    assert_eq!(cost.inversion, 1);
    assert_eq!(Tally { mul: 10, sqr: 7, reduction: 15, ..Tally::default() }.to_string(), "10M + 7S + 15R");
}

#[test]
fn bounds_prove_a_tower_and_catch_an_overflow() {
    let bounds = Bounds::new(&p(), rules(Engine::Mont, &p(), WORDS, LIMBS, Margin::default()).unwrap());
    let f = fp12(bounds.clone(), 1);
    let (a, mut out) = (f.one(), f.zero());
    f.mul(&mut out, &a, &a);
    f.sqr(&mut out, &a);
    f.inv(&mut out, &a);
    let report = bounds.report();
    assert_eq!(report.violations, Vec::<String>::new());
    assert!(report.reduced.high >= 2 && report.reduced.low <= -2 && report.operations > 100, "{report:?}");

    let (x, mut y) = (bounds.one(), bounds.zero());
    bounds.sum(&mut y, &[times(4000, &x), times(-97, &x)]);
    assert_eq!(bounds.report().violations, ["sum of weight 4097: at most 4096"]);
}

#[test]
fn rules_are_those_of_moduli_that_fit() {
    let has = |engine, bits: u32| {
        let p = (BigUint::one() << (bits - 1)) + 1u32;
        rules(engine, &p, WORDS, LIMBS, Margin::default()).is_some()
    };
    for engine in [Engine::Mont, Engine::Portable, Engine::Ifma, Engine::Hmm, Engine::Rns] {
        assert!([4161, 8700].iter().all(|bits| !has(engine, *bits)), "{engine}");
    }
    assert!(has(Engine::Mont, 4160) && has(Engine::Rns, 4160));
    for p in [0u64, 1, 2, 4, 1 << 40].map(BigUint::from) {
        for engine in Engine::ALL {
            assert!(rules(engine, &p, WORDS, LIMBS, Margin::default()).is_none(), "{engine}, {p}");
        }
    }
    assert!(
        [192, 300].map(|bits| catch_unwind(|| Mont::<3>::rules(&(BigUint::one() << (bits - 1u32)))).is_ok())
            == [true, false]
    );
}

#[test]
fn an_empty_list_of_quotients_has_one_truth_value() {
    assert_eq!(*Code::Quotients.results(0), [Kind::Mask]);
    assert_eq!(*Code::Quotients.results(2), [Kind::Elem, Kind::Mask]);
}
