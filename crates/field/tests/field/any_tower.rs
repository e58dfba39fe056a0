//! Tests of towers whose shape is a run-time value against towers whose shape is a type, over the reference.

use crate::common::{Rng, edge_values, extension_agrees};
use bilinear_field::mont::Mont;
use bilinear_field::reference::Reference;
use bilinear_field::tower::{AnyElem, AnyNonResidue, AnyTower, Cubic, Either, General, Quadratic, RootPlus, Small};
use bilinear_field::{Extension, Field, Lanes, Prime, PrimeElem, at, plus, pow};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::One;

type Words = Mont<6>;

/// The prime of BLS12-381: i² = −1, and 1 + i is not a square.
fn p() -> BigUint {
    let hex = "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab";
    BigUint::parse_bytes(hex.as_bytes(), 16).unwrap()
}

fn values<E: Extension<Prime: Lanes>>(e: &E, x: &E::Elem) -> Vec<BigUint> {
    let mut out = vec![];
    e.coefficients(x, &mut |c| out.push(e.prime().value(c, 0)));
    out
}

/// Checks every operation that an extension has in addition to those of a field.
fn agrees<E: Extension<Prime = Reference>>(any: &AnyTower<Words>, fixed: &E, degree: usize, seed: u64) {
    let p = p();
    assert_eq!((any.degree(), fixed.degree()), (degree, degree));
    extension_agrees(any, fixed, any.prime(), &p, seed);
    let mut rng = Rng(seed);
    let edges = edge_values(&p, &mut rng);
    for round in 0..10 {
        let mut draw = || -> Vec<BigUint> {
            (0..degree).map(|_| edges[(rng.word() % edges.len() as u64) as usize].clone()).collect()
        };
        let [a, b] = [draw(), draw()].map(|v| any.element(&v));
        let small: Vec<i32> = (0..degree).map(|i| [3, -2, 0, 7][(i + round) % 4]).collect();
        let integer = |n: &i32| BigInt::from(*n).mod_floor(&p.clone().into()).magnitude().clone();
        let n = any.element(&small.iter().map(integer).collect::<Vec<_>>());
        let same = |what: &str, x: &AnyElem<_>, y: &AnyElem<_>| {
            assert_eq!(values(any, x), values(any, y), "{what}, degree {degree}, round {round}, seed {seed:#x}");
        };
        at! {any; found = times_small(&a, &small); wanted = mul(&a, &n);}
        same("times_small", &found, &wanted);
        let s: &PrimeElem<AnyTower<Words>> = &any.prime().constant(&edges[round]);
        at! {any; found = scale(&a, s); wanted = mul(&a, &any.element(&edges[round..=round]));}
        same("scale", &found, &wanted);
        let power = pow(any, &a, &p);
        at! {any; found = frobenius(&a, &any.frobenius_constants());}
        same("frobenius", &found, &power);
        let mut many = [a.clone(), any.zero(), b.clone()];
        any.inv_many(&mut many);
        for (found, x) in many.iter().zip([&a, &any.zero(), &b]) {
            at! {any; wanted = inv(x);}
            same("inv_many", found, &wanted);
        }
        at! {any; thrice = three_and_two(&a, &b, true); twice = add(&b, &b); triple = sum(&[plus(&a), plus(&a), plus(&a)]);}
        at! {any; wanted = sub(&triple, &twice);}
        same("three_and_two", &thrice, &wanted);
        let f = any.prime();
        for mask in [false, true] {
            at! {any; chosen = select(f.mask(mask), &a, &b);}
            same("select", &chosen, if mask { &a } else { &b });
        }
        assert!(f.lane(any.is_zero(&any.zero()), 0) && !f.lane(any.is_zero(&any.one()), 0));
    }
}

/// Checks that the square of the last root is ν.
fn adjoins(any: &AnyTower<Words>, nu: &[u32]) {
    let mut root = vec![BigUint::ZERO; any.degree()];
    root[any.degree() / 2] = BigUint::one();
    at! {any; square = sqr(&any.element(&root));}
    let nu: Vec<BigUint> = nu.iter().map(|n| BigUint::from(*n)).collect();
    assert_eq!(values(any, &square), values(any, &any.element(&nu)));
}

fn root_plus(a: i32) -> AnyNonResidue<Words> {
    Either::First(RootPlus(a))
}

#[test]
fn quadratic_towers() {
    let (f, r) = (Words::new(&p()).unwrap(), Reference::new(&p()).unwrap());
    let (any, fixed) = (
        AnyTower::Quadratic(Quadratic::new(f.clone(), Either::First(Small(-1)))),
        Quadratic::new(r.clone(), Small(-1)),
    );
    agrees(&any, &fixed, 2, 0xb111_0401);
    let (four, fixed_four) = (any.clone().square_root(root_plus(1)), Quadratic::new(fixed.clone(), RootPlus(1)));
    agrees(&four, &fixed_four, 4, 0xb111_0402);
    adjoins(&four, &[1, 1]);
    let (eight, fixed_eight) = (four.square_root(root_plus(0)), Quadratic::new(fixed_four, RootPlus(0)));
    agrees(&eight, &fixed_eight, 8, 0xb111_0403);
    adjoins(&eight, &[0, 0, 1]);

    // the same elements in the general form: −1 is then not a small integer, and 1 + i not a root plus an integer
    let minus_one = p() - 1u32;
    let of = |x: &BigUint| General(f.constant(x));
    let general = AnyTower::Quadratic(Quadratic::new(f.clone(), Either::Second(of(&minus_one))));
    agrees(&general, &fixed, 2, 0xb111_0404);
    let xi = [BigUint::one(), BigUint::one()];
    let nu = Either::Second(General(general.element(&xi)));
    let fixed_four = Quadratic::new(fixed.clone(), General(fixed.element(&xi)));
    agrees(&general.square_root(nu), &fixed_four, 4, 0xb111_0405);
}

#[test]
fn cubic_towers() {
    let (p, one) = (p(), BigUint::one());
    let (f, r) = (Words::new(&p).unwrap(), Reference::new(&p).unwrap());
    let beta = (2..20u32).find(|n| BigUint::from(*n).modpow(&((&p - 1u32) / 3u32), &p) != one).unwrap();
    let three = AnyTower::Cubic(Cubic::new(f.clone(), Either::First(Small(beta as i32))));
    let fixed = Cubic::new(r, Small(beta as i32));
    agrees(&three, &fixed, 3, 0xb111_0411);
    let general = Either::Second(General(f.constant(&beta.into())));
    agrees(&AnyTower::Cubic(Cubic::new(f, general)), &fixed, 3, 0xb111_0410);
    // the norm of a + j is a³ + β: if it is not a square, neither is a + j
    let is_square = |n: u32| BigUint::from(n).modpow(&((&p - 1u32) >> 1u32), &p) == one;
    let mut candidates = 0..20u32;
    for _ in 0..2 {
        let a = candidates.find(|a| !is_square(a.pow(3) + beta)).unwrap();
        let six = three.clone().square_root(root_plus(a as i32));
        agrees(&six, &Quadratic::new(fixed.clone(), RootPlus(a as i32)), 6, 0xb111_0412 + u64::from(a));
        adjoins(&six, &[a, 1]);
    }
}

#[test]
#[should_panic(expected = "the element belongs to another tower")]
fn elements_of_another_tower_are_refused() {
    let f = Words::new(&p()).unwrap();
    let three = AnyTower::Cubic(Cubic::new(f.clone(), Either::First(Small(2))));
    let two = AnyTower::Quadratic(Quadratic::new(f, Either::First(Small(-1))));
    at! {two; _sum = add(&two.one(), &three.one());}
}
