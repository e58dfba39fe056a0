//! The formulas of the loop and of the cyclotomic subgroup, compared with plain arithmetic, and their costs.
#![allow(clippy::unwrap_used)]

use super::compressed::{self, compress, decompress, without_c0_c3};
use super::cyclotomic;
use super::line::{Pattern, embed, line_times_line, times_line};
use super::step::{Homogeneous, TripleB, add_step, double_step};
use super::tower::SexticTower;
use super::{Elem, Fpk, Target, Wide, target};
use crate::moving::Line;
use bilinear_field::count::{Count, Tally};
use bilinear_field::reference::Reference;
use bilinear_field::{Extension, Field, Lanes, Prime, at, pow};
use num_bigint::BigUint;

/// Numbers modulo p from a fixed seed.
fn numbers(f: &Reference, p: u32) -> impl FnMut() -> <Reference as Field>::Elem {
    let mut seed = 1u32;
    let f = f.clone();
    move || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f.constant(&((seed >> 16) % p).into())
    }
}

/// Checks products with lines and squares in the loop, for every pattern.
fn loop_products(tower: &SexticTower, p: u32) {
    let f = Reference::new(&p.into()).unwrap();
    let over = target(tower, f.clone());
    let e = over.base().base();
    let mut next = numbers(&f, p);
    let same = |a: &Fpk<Reference>, b: &Fpk<Reference>| f.lane(over.equal(a, b), 0);
    for round in 0..20 {
        let value = over.compose(&mut next);
        at! {over; double = add(&value, &value); square = mul(&value, &value);}
        let mut out = over.zero();
        over.sqr(&mut out, &value);
        assert!(same(&out, &square), "a square, p = {p}, round {round}");
        let [l, m] = [0; 2].map(|_| std::array::from_fn::<_, 3, _>(|_| e.compose(&mut next)));
        for pattern in [Pattern::First, Pattern::Second] {
            // the second pattern comes with a factor w
            let [dense_l, dense_m] = [&l, &m].map(|l| embed(e, pattern, l.clone()));
            let (a, x, b) = (l[0].clone(), l[1].clone(), l[2].clone());
            let zero = || e.zero();
            let meant = match pattern {
                Pattern::First => [[a, zero(), zero()], [x, b, zero()]],
                Pattern::Second => {
                    let plain: Fpk<Reference> = [[a, x, zero()], [zero(), b, zero()]];
                    let w = [[zero(), zero(), zero()], [e.one(), zero(), zero()]];
                    at!(over; mul(&plain, &w))
                }
            };
            assert!(same(&dense_l, &meant), "{pattern:?}");
            at! {over; with_line = mul(&double, &dense_l); lines = mul(&dense_l, &dense_m); line_squared = sqr(&dense_l);}
            times_line(&over, pattern, &mut out, &value, &l);
            assert!(same(&out, &with_line), "{pattern:?}, p = {p}, round {round}");
            line_times_line(&over, pattern, &mut out, &l, Some(&m));
            assert!(same(&out, &lines), "two lines, {pattern:?}, p = {p}, round {round}");
            line_times_line(&over, pattern, &mut out, &l, None);
            assert!(same(&out, &line_squared), "the square of a line, {pattern:?}, p = {p}, round {round}");
        }
    }
}

#[test]
fn products_in_the_loop_agree_with_full_products() {
    loop_products(&SexticTower::quadratic(-1, 2), 7);
    loop_products(&SexticTower::cubic(3), 7);
    loop_products(&SexticTower::quadratic(-1, 2).square_root(), 7);
}

/// Squares and decompresses elements of the cyclotomic subgroup, and compares the results with plain arithmetic. The
/// field is so small that c1 = 0 occurs.
fn compressed_elements(tower: &SexticTower, p: u32, elements: usize, zeros: usize) {
    let f = Reference::new(&p.into()).unwrap();
    let over = target(tower, f.clone());
    let e = over.base().base();
    let d = e.degree() as u32;
    let q = BigUint::from(p);
    let exponent = (q.pow(3 * d) - 1u32) * (q.pow(d) + 1u32);
    let mut next = numbers(&f, p);
    let mut values = vec![over.one()];
    // the number of elements with g2 = 0 and g3 ≠ 0
    let mut found = 0;
    while values.len() < elements || found < zeros {
        let any = over.compose(&mut next);
        let value = pow(&over, &any, &exponent);
        let rare = f.lane(e.is_zero(&value[1][0]), 0) && !f.lane(e.is_zero(&value[0][2]), 0);
        found += usize::from(rare);
        if rare || values.len() < elements {
            values.push(value);
        }
    }
    let all: Vec<_> = values.iter().map(compress::<Reference>).collect();
    let mut full: Vec<_> = all.iter().map(without_c0_c3::<Reference>).collect();
    decompress(&over, &mut full);
    for ((value, compressed), back) in values.iter().zip(&all).zip(&full) {
        assert!(f.lane(over.equal(value, back), 0), "p = {p}");
        at! {over; plain = sqr(value);}
        let mut squared = over.zero();
        cyclotomic::square(&over, &mut squared, value);
        assert!(f.lane(over.equal(&plain, &squared), 0), "p = {p}");
        let mut square = Default::default();
        compressed::square(&over, &mut square, compressed);
        let mut back = [without_c0_c3::<Reference>(&square)];
        decompress(&over, &mut back);
        assert!(f.lane(over.equal(&plain, &back[0]), 0), "p = {p}");
    }
}

#[test]
fn compressed_elements_agree_with_full_ones() {
    // neither 3 nor the norm 5 of 2 + i is a square or a cube in F_7, so that w^6 = 2 + i, 3^(1/3), (2 + i)^(1/2) gives fields
    compressed_elements(&SexticTower::quadratic(-1, 2), 7, 40, 5);
    compressed_elements(&SexticTower::cubic(3), 7, 40, 3);
    compressed_elements(&SexticTower::quadratic(-1, 2).square_root(), 7, 10, 0);
}

/// The costs in F_p of products, squares and reductions in E.
struct Costs {
    product: [u64; 2],
    square: [u64; 2],
    reduction: u64,
}

/// Returns the costs in F_p of m products, s squares and r reductions in E: products and squares, then reductions.
fn cost(unit: &Costs, [m, s, r]: [u64; 3]) -> [u64; 2] {
    let count = |i: usize| m * unit.product[i] + s * unit.square[i];
    [count(0) + count(1), r * unit.reduction]
}

fn costs(over: &Target<Count>, b: &TripleB<Elem<Count>>) {
    let e = over.base().base();
    let count = e.prime();
    let pair = |t: Tally| [t.mul + t.sqr, t.reduction];
    let (mut x, mut wide) = (e.zero(), Wide::<Count>::default());
    let (one, two) = (e.one(), e.one());
    let wide_of = |t: Tally| [t.mul, t.sqr];
    let unit = Costs {
        product: wide_of(count.of(|| e.mul_wide(&mut wide, &one, &two))),
        square: wide_of(count.of(|| e.sqr_wide(&mut wide, &one))),
        reduction: e.degree() as u64,
    };
    let line = || [e.one(), e.one(), e.one()];
    let (f, mut out) = (over.one(), over.zero());
    for pattern in [Pattern::First, Pattern::Second] {
        let got = count.of(|| times_line(over, pattern, &mut out, &f, &line()));
        assert_eq!(pair(got), cost(&unit, [11, 0, 6]));
        let got = count.of(|| line_times_line(over, pattern, &mut out, &line(), Some(&line())));
        assert_eq!(pair(got), cost(&unit, [6, 0, 5]));
        let got = count.of(|| line_times_line(over, pattern, &mut out, &line(), None));
        assert_eq!(pair(got), cost(&unit, [0, 6, 5]));
    }
    assert_eq!(pair(count.of(|| over.sqr(&mut out, &f))), cost(&unit, [12, 0, 6]));
    assert_eq!(pair(count.of(|| cyclotomic::square(over, &mut out, &f))), cost(&unit, [0, 9, 6]));
    let mut small = compress::<Count>(&f);
    let got = count.of(|| compressed::square(over, &mut small, &compress::<Count>(&f)));
    assert_eq!(pair(got), cost(&unit, [0, 6, 4]));
    let inversion = pair(count.of(|| e.inv_many(&mut [e.one()])));
    let got = pair(count.of(|| decompress(over, &mut [f.clone()])));
    let want = cost(&unit, [4, 3, 4]);
    assert_eq!(got, [want[0] + inversion[0], want[1] + inversion[1]]);

    let mut t = Homogeneous { x: e.one(), y: e.one(), z: e.one() };
    let mut line = Line::default();
    assert_eq!(pair(count.of(|| double_step(e, b, &mut t, &mut line))), cost(&unit, [3, 6, 8]));
    let r = [&one, &two];
    assert_eq!(pair(count.of(|| add_step(e, &mut t, &mut line, r))), cost(&unit, [11, 2, 11]));
    e.add(&mut x, &one, &two);
}

#[test]
fn formulas_cost_what_their_heads_say() {
    let small = SexticTower::quadratic(-1, 1);
    for tower in [small.clone(), SexticTower::cubic(2), small.square_root()] {
        let over = target(&tower, Count::new(&7u32.into()));
        let n = vec![1; over.base().base().degree()];
        costs(&over, &TripleB::Small { n, d: 1 });
    }
}
