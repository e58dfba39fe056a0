//! The machines without values: counting, ranges.

use crate::common::fp12;
use bilinear_field::bounds::Bounds;
use bilinear_field::count::{Count, Tally};
use bilinear_field::{Engine, Field, LIMBS, Margin, WORDS, rules, times};
use num_bigint::BigUint;
use num_traits::One;

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
