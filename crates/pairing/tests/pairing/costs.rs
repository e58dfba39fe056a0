//! Costs that comments state, counted from the code.

use crate::common::{Words, curve};
use bilinear_field::Field;
use bilinear_field::count::{Count, Tally};
use bilinear_pairing::bilinear_groups::{BilinearGroups, Pair};
use bilinear_pairing::booth;
use bilinear_pairing::curve::{Affine, CoefficientA, Curve, Jacobian};
use bilinear_pairing::miller;
use bilinear_pairing::names::PairingKind;
use bilinear_pairing::supersingular::{
    MovingAffine, PreparedFunctions, SupersingularPairing, Weighted, add_step, double_step, final_exponentiation,
};
use num_bigint::BigUint;

/// Returns the products, squares and reductions. Linear operations depend on the engine.
fn msr(t: Tally) -> [u64; 3] {
    [t.mul, t.sqr, t.reduction]
}

#[test]
fn the_steps_cost_what_their_heads_say() {
    let c = curve("a-512", "pbc/a512.jsonl");
    let count = Count::new(&c.q);
    let system = SupersingularPairing::new(count.clone(), &c.order, &c.cofactor);
    let fq2 = system.fq2();
    let (mut t, mut line) = (Weighted { x: (), y: (), z: () }, fq2.zero());
    assert_eq!(msr(count.of(|| double_step(&count, &mut t, &mut line, [&(), &()]))), [5, 7, 11]);
    assert_eq!(msr(count.of(|| add_step(&count, &mut t, &mut line, [&(), &()], [&(), &()]))), [12, 4, 13]);
    let mut x = fq2.zero();
    assert_eq!(msr(count.of(|| fq2.mul(&mut x, &line, &line))), [3, 0, 2]);
    assert_eq!(msr(count.of(|| fq2.sqr(&mut x, &line))), [2, 0, 2]);
}

/// The Edwards form of the curve: each digit of a secret takes five doublings, the last with T, and an addition.
#[test]
fn multiples_cost_what_the_head_of_edwards_says() {
    let c = curve("a-512", "pbc/a512.jsonl");
    let count = Count::new(&c.q);
    let system = SupersingularPairing::new(count.clone(), &c.order, &c.cofactor);
    let curve = system.curve();
    let point = || Affine { x: (), y: (), infinity: () };
    let more = |[a, b]: [[u64; 3]; 2]| [0, 1, 2].map(|i| b[i] - a[i]);
    let secret = |bytes| msr(count.of(|| curve.mul_secret(&[&vec![1; bytes]], &point())));
    // 40 bits are 8 digits
    assert_eq!(more([secret(5), secret(10)]), [8 * (5 * 3 + 1 + 8), 8 * 5 * 4, 8 * (5 * 7 + 1 + 8)]);
    let two_to = |n: u32| msr(count.of(|| curve.mul(&(BigUint::from(1u32) << n), &point())));
    assert_eq!(more([two_to(20), two_to(30)]), [30, 40, 70], "ten doublings");
    assert_eq!(two_to(0)[..2], [4 + 5, 1 + 2], "the map and its inverse");
    let digit = || booth::digits(&count, &[&[7]])[0];
    let table = || curve.fixed_table(&point());
    let tables = |n: usize| (0..n).map(|_| (table().coordinates, digit())).collect::<Vec<_>>();
    let sum = |n: usize| {
        let windows = tables(n);
        msr(count.of(|| curve.fixed_sum(windows.into_iter())))
    };
    assert_eq!(more([sum(1), sum(2)]), [8, 0, 8], "an entry with Z = 1, and T for the next");
    // the map, 15 additions with T and Z, a doubling, the map back, the inversion that 17 Z share, and affine coordinates
    let own = count.of(table);
    assert_eq!(msr(own)[..2], [4 + 15 * 9 + 3 + 5 + 3 * 17 + 16 * 3 + 3, 1 + 4 + 2 + 1]);
    assert_eq!(own.inversion, 1);
    let advance = |adds: bool| msr(count.of(|| curve.advance([(); 3], 1, adds.then_some([(); 2]))));
    assert_eq!(more([advance(false), advance(true)]), [9, 1, 10]);
    assert_eq!(advance(false), [3, 4, 7]);
    // in Jacobian coordinates
    let jacobian = || Jacobian { x: (), y: (), z: () };
    assert_eq!(msr(count.of(|| curve.double(&jacobian())))[..2], [3, 6]);
    assert_eq!(msr(count.of(|| curve.add(&jacobian(), &point())))[..2], [8, 5]);
}

#[test]
fn a_type_a_pairing_costs_one_addition_beside_its_doublings() {
    // r = 2^159 + 2^107 + 1: 159 doublings; one addition, the last digit closes the loop
    let c = curve("a-512", "pbc/a512.jsonl");
    let count = Count::new(&c.q);
    let system = SupersingularPairing::new(count.clone(), &c.order, &c.cofactor);
    let point = || Affine { x: (), y: (), infinity: () };
    let pair = Pair { p: point(), q: point(), infinite: None };
    let cost = count.of(|| miller(&mut system.moving(std::slice::from_ref(&pair)), system.moving_loop()));
    // doubling: step 5M + 7S + 11R, f² 2M + 2R, f·l 3M + 2R, but for the first line; addition: 12M + 4S + 13R, f·l
    assert_eq!(msr(cost), [159 * 10 - 5 + 15, 159 * 7 + 4, 159 * 15 - 4 + 15]);
    // the Lucas sequence: 1M + 1S + 2R for each of the 352 bits of h after the first
    let cost = count.of(|| final_exponentiation(&system, &system.fq2().one()));
    let bits = c.cofactor.bits() - 1;
    assert_eq!(cost.inversion, 1);
    assert!(cost.mul - bits < 20 && cost.sqr - bits < 10 && cost.reduction - 2 * bits < 25, "{cost}");
}

#[test]
fn affine_coordinates_cost_what_their_head_says() {
    let c = curve("a-512", "pbc/a512.jsonl");
    let count = Count::new(&c.q);
    let system = SupersingularPairing::new(count.clone(), &c.order, &c.cofactor);
    let point = || Affine { x: (), y: (), infinity: () };
    let of = |pairs: usize| {
        let pairs: Vec<_> = (0..pairs).map(|_| Pair { p: point(), q: point(), infinite: None }).collect();
        let mut lines = MovingAffine::new(&system, &pairs);
        count.of(|| miller(&mut lines, system.moving_loop()))
    };
    // each step inverts once: 159 doublings and an addition
    assert_eq!([of(1).inversion, of(9).inversion], [160, 160]);
    // a further pair of a product: doubling 6M + 2S + 8R, addition 6M + 1S + 7R, f·l 3M + 2R
    assert_eq!(msr(of(9) - of(8)), [160 * 6 + 160 * 3, 159 * 2 + 1, 159 * 8 + 7 + 160 * 2]);
}

#[test]
fn a_prepared_argument_costs_what_its_head_says() {
    // r = 2^159 + 2^107 + 1 = (…·8 + 4)·8^35 + 1: 53 blocks of 3 doublings, one with d = 4; the closing one has no chord
    let c = curve("a-512", "pbc/a512.jsonl");
    let count = Count::new(&c.q);
    let system = SupersingularPairing::new(count.clone(), &c.order, &c.cofactor);
    let point = Affine { x: (), y: (), infinity: () };
    let prepared = system.functions(&point);
    let cost = count.of(|| system.powers(&point));
    // a pole of order 2^3 + 4 + 1 at the most: X², …, X^6 and Xy, …, X^5·y
    assert_eq!(msr(cost), [10, 0, 10]);
    let mut lines = PreparedFunctions::new(&system, [(&prepared, &point, None)]);
    // digits do not depend on the field, and a tally has no lanes
    let over_words = SupersingularPairing::new(Words::new(&c.q).unwrap(), &c.order, &c.cofactor);
    let digits = over_words.prepared_loops(PairingKind::Tate).remove(0);
    let cost = count.of(|| miller(&mut lines, &digits));
    // a block: 3 squarings of 2M + 2R, the function 7M + 2R and |d|M, f times it 3M + 2R; the first has the function alone
    assert_eq!(msr(cost), [53 * (6 + 7 + 3) - 9 + 4, 0, 53 * (6 + 2 + 2) - 8]);
}

#[test]
fn the_group_law_costs_what_its_head_says() {
    let count = Count::new(&7u32.into());
    let p = Jacobian { x: (), y: (), z: () };
    let q = Affine { x: (), y: (), infinity: () };
    let double = |a| {
        let e = Curve::new(count.clone(), a, ());
        msr(count.of(|| e.double(&p)))
    };
    assert_eq!(double(CoefficientA::Zero), [3, 4, 6]);
    assert_eq!(double(CoefficientA::One), [3, 6, 8]);
    assert_eq!(double(CoefficientA::Other(())), [4, 6, 9]);
    let add = |a| {
        let e = Curve::new(count.clone(), a, ());
        [msr(count.of(|| e.add(&p, &q))), msr(count.of(|| e.add_jacobian(&p, &p)))]
    };
    // a chord has 8M + 3S, with one shared reduction, or 12M + 4S; the rest is the slope of the tangent
    assert_eq!(add(CoefficientA::Zero), [[8, 4, 11], [12, 5, 16]]);
    assert_eq!(add(CoefficientA::One), [[8, 5, 12], [12, 7, 18]]);
    assert_eq!(add(CoefficientA::Other(())), [[9, 5, 13], [13, 7, 19]]);
}
