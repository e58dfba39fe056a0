//! The machines without values: counting, recording, ranges.

use crate::common::{self, Rng, fp12, integer};
use bilinear_field::bounds::Bounds;
use bilinear_field::count::{Count, Tally};
use bilinear_field::mont::Mont;
use bilinear_field::record::{Recorder, ReplayError};
use bilinear_field::reference::Reference;
use bilinear_field::{Engine, Field, LIMBS, Lanes, Prime, SPARE, WORDS, model, times};
use num_bigint::BigUint;
use num_traits::One;

fn p() -> BigUint {
    (BigUint::one() << 256u32) - 189u32
}

/// An element of F_p^12 from twelve elements of F_p.
fn build12<E: Clone + Default>(next: &mut dyn FnMut() -> E) -> [[[E; 2]; 3]; 2] {
    std::array::from_fn(|_| std::array::from_fn(|_| std::array::from_fn(|_| next())))
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
fn a_recorded_formula_replays_on_other_inputs() {
    // the program: (a·b)^-1 · a² in F_p^12, recorded once
    let recorder = Recorder::new(&p());
    let work = |f: &common::Fp12<Recorder>, a: &_, b: &_| {
        let (mut ab, mut i, mut s, mut out) = (f.zero(), f.zero(), f.zero(), f.zero());
        f.mul(&mut ab, a, b);
        f.inv(&mut i, &ab);
        f.sqr(&mut s, a);
        f.mul(&mut out, &i, &s);
        out
    };
    let f = fp12(recorder.clone(), 1);
    let (a, b) = (build12(&mut || recorder.input()), build12(&mut || recorder.input()));
    let out = work(&f, &a, &b);
    let outputs: Vec<_> = out.iter().flatten().flatten().copied().collect();
    let program = recorder.program(&outputs).unwrap();
    assert_eq!(program.inputs, 24);

    let (m, r) = (Mont::<4>::new(&p()).unwrap(), Reference::new(&p()).unwrap());
    for seed in 1..5 {
        let mut rng = Rng(seed);
        let values: Vec<BigUint> = (0..24).map(|_| integer(&rng.words(4)) % p()).collect();
        let got = program.replay(&m, &values.iter().map(|v| m.constant(v)).collect::<Vec<_>>()).unwrap();
        // the same formula, straight over the reference
        let f = fp12(r.clone(), 1);
        let mut it = values.iter().cloned();
        let (a, b) = (build12(&mut || it.next().unwrap()), build12(&mut || it.next().unwrap()));
        let (mut ab, mut i, mut s, mut want) = (f.zero(), f.zero(), f.zero(), f.zero());
        f.mul(&mut ab, &a, &b);
        f.inv(&mut i, &ab);
        f.sqr(&mut s, &a);
        f.mul(&mut want, &i, &s);
        let got: Vec<BigUint> = got.iter().map(|x| m.value(x, 0)).collect();
        assert_eq!(got, want.iter().flatten().flatten().cloned().collect::<Vec<_>>(), "seed {seed}");
    }
    assert_eq!(program.replay(&m, &[]), Err(ReplayError::Inputs { given: 0, wanted: 24 }));
    assert!(recorder.program(&[Default::default()]).is_none(), "a value that was never computed is refused");
}

#[test]
fn bounds_prove_a_tower_and_catch_an_overflow() {
    let bounds = Bounds::new(&p(), model(Engine::Mont, &p(), WORDS, (LIMBS, SPARE)).unwrap());
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
