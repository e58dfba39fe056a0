//! Tests of square roots: exhaustively in small fields, and of random squares and their multiples in large ones.

use crate::common::{self, Rng};
use bilinear_field::ifma::Ifma;
use bilinear_field::mont::Mont;
use bilinear_field::reference::Reference;
use bilinear_field::tower::{Complex, Cubic, Quadratic, RootPlus, Small};
use bilinear_field::{Extension, Lanes, Prime, SquareRoot, at, pow};
use num_bigint::BigUint;

/// Returns true if lane 0 is a square other than 0 by Euler's criterion.
fn is_square<E: Extension>(e: &E, x: &E::Elem) -> bool
where
    E::Prime: Lanes,
{
    let order = e.prime().modulus().pow(e.degree() as u32) - 1u32;
    let power = pow(e, x, &(order >> 1u32));
    e.prime().lane(e.equal(&power, &e.one()), 0)
}

/// Checks roots of these elements, and of their multiples by two non-squares.
fn roots_of<E: Extension>(what: &str, e: &E, elements: &[E::Elem])
where
    E::Prime: Lanes,
{
    let f = e.prime();
    let non_squares: Vec<&E::Elem> =
        elements.iter().filter(|x| !f.lane(e.is_zero(x), 0) && !is_square(e, x)).take(2).collect();
    let root = SquareRoot::new(e, non_squares[0]);
    let multiples = [non_squares[0], non_squares[1]].map(|c| (c, root.non_square(e, c)));
    let mut squares = 0;
    for (i, x) in elements.iter().enumerate() {
        let zero = f.lane(e.is_zero(x), 0);
        let wanted = zero || is_square(e, x);
        squares += usize::from(wanted);
        let mut y = e.zero();
        assert_eq!(f.lane(root.root(e, &mut y, x), 0), wanted, "{what}, element {i}");
        at! {e; yy = sqr(&y);}
        assert!(!wanted || f.lane(e.equal(&yy, x), 0), "{what}, element {i}: the root");
        for (c, prepared) in &multiples {
            let mut y = e.zero();
            let own = root.root_of_either(e, &mut y, x, prepared);
            assert_eq!(f.lane(own, 0), wanted, "{what}, element {i}: which has the root");
            at! {e; yy = sqr(&y); cx = mul(c, x); expected = select(own, x, &cx);}
            assert!(f.lane(e.equal(&yy, &expected), 0), "{what}, element {i}: the root of one of two");
        }
        // beside the next elements, so that each of the two is 0, a square and neither, except in the least fields
        for (j, z) in elements.iter().enumerate().cycle().skip(i).take(3) {
            let mut y = e.zero();
            let own = root.root_of_first(e, &mut y, [x, z]).map(|mask| f.lane(mask, 0));
            assert_eq!(
                own,
                [x, z].map(|x| f.lane(e.is_zero(x), 0) || is_square(e, x)),
                "{what}, elements {i} and {j}: squares"
            );
            at! {e; yy = sqr(&y); xz = mul(x, z);}
            let expected = if own[0] {
                x
            } else if own[1] {
                z
            } else {
                &xz
            };
            assert!(f.lane(e.equal(&yy, expected), 0), "{what}, elements {i} and {j}: the root of the first square");
        }
    }
    assert!(squares > elements.len() / 4 && squares < elements.len(), "{what}: {squares} squares");
}

/// Checks every element of a field of few elements, or every `step`-th.
fn all<E: Extension>(what: &str, e: &E, step: usize)
where
    E::Prime: Lanes,
{
    let p = u64::try_from(e.prime().modulus()).unwrap();
    let digits = |i: u64| (0..e.degree() as u32).map(move |j| BigUint::from(i / p.pow(j) % p)).collect::<Vec<_>>();
    let elements: Vec<E::Elem> = (0..p.pow(e.degree() as u32)).step_by(step).map(|i| e.element(&digits(i))).collect();
    roots_of(&format!("{what}, p = {p}"), e, &elements);
}

#[test]
fn small_fields() {
    for p in [3u32, 5, 7, 13, 17, 19, 23, 97] {
        let f = Reference::new(&p.into()).unwrap();
        if p > 3 {
            all("F_p", &f, 1);
        }
        if p % 4 == 3 {
            all("F_p(i)", &Complex::complex(f.clone()), 1);
        }
        for beta in (-3i32..=3).filter(|b| *b != 0) {
            let residue = BigUint::from(beta.rem_euclid(p as i32) as u32);
            if residue.modpow(&((p - 1) / 2).into(), &p.into()) == BigUint::from(p - 1) {
                all(&format!("F_p(√{beta})"), &Quadratic::new(f.clone(), Small(beta)), 1);
            }
        }
    }
}

/// F_p^4 and F_p^8 above quadratic fields, and F_p^3; p ≡ 3 and 1 (mod 4).
#[test]
fn towers() {
    for (p, beta, nu) in [(3u32, -1i32, 1), (7, -1, 2), (11, -1, 1), (5, 2, 0), (13, 2, 0), (17, 3, 0)] {
        let f = Reference::new(&p.into()).unwrap();
        // ν = √β + n is no square since its norm n² − β is none; neither is the root of ν in F_p^4
        let norm = BigUint::from((nu * nu - beta).rem_euclid(p as i32) as u32);
        assert_eq!(norm.modpow(&((p - 1) / 2).into(), &p.into()), BigUint::from(p - 1), "p = {p}");
        let four = Quadratic::new(Quadratic::new(f.clone(), Small(beta)), RootPlus(nu));
        all("F_p^4", &four, (p.pow(4) / 300) as usize + 1);
        let eight = Quadratic::new(four, RootPlus(0));
        all("F_p^8", &eight, (u64::from(p).pow(8) / 80) as usize + 1);
    }
    for (p, nu) in [(7, 2), (13, 2), (19, 2), (31, 3)] {
        all("F_p^3", &Cubic::new(Reference::new(&BigUint::from(p as u32)).unwrap(), Small(nu)), 7);
    }
}

fn large<E: Extension>(what: &str, e: &E)
where
    E::Prime: Lanes,
{
    let seed = 0xb111_0700 + e.prime().modulus().bits();
    let mut rng = Rng(seed);
    let p = e.prime().modulus().clone();
    let mut random = |_| {
        let words = p.bits().div_ceil(64) as usize + 1;
        e.element(&(0..e.degree()).map(|_| common::integer(&rng.words(words)) % &p).collect::<Vec<_>>())
    };
    let mut elements: Vec<E::Elem> = (0..12).map(&mut random).collect();
    // elements of F_p, and of √β·F_p
    elements.extend((2u32..8).map(|n| e.element(&[n.into()])));
    elements.extend((2u32..8).map(|n| e.element(&[BigUint::ZERO, n.into()][..e.degree().min(2)])));
    roots_of(&format!("{what}, seed {seed:#x}"), e, &elements);
}

#[test]
fn large_fields() {
    let bls12_381 = BigUint::parse_bytes(
        b"1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab",
        16,
    );
    // p − 1 is a multiple of 2^46
    let bls12_377 = BigUint::parse_bytes(
        b"1ae3a4617c510eac63b05c06ca1493b1a22d9f300f5138f1ef3622fba094800170b5d44300000008508c00000000001",
        16,
    );
    let (p, q) = (bls12_381.unwrap(), bls12_377.unwrap());
    let f = Mont::<6>::new(&p).unwrap();
    large("F_p", &f);
    large("F_p(i)", &Complex::complex(f.clone()));
    large("F_p^4", &Quadratic::new(Complex::complex(f), RootPlus(1)));
    let g = Mont::<6>::new(&q).unwrap();
    large("F_p, p = 1 (mod 4)", &g);
    large("F_p(√−5), p = 1 (mod 4)", &Quadratic::new(g, Small(-5)));
    if let Some(f) = Ifma::<8>::new(&p).unwrap() {
        large("F_p in lanes", &f);
        large("F_p(i) in lanes", &Complex::complex(f));
    }
}
