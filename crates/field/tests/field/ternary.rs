//! Tests of F_3^m against plain polynomials: all elements of small fields, and edge and random values of the fields of
//! the η_T pairing.

use crate::common::{Rng, integer};
use bilinear_field::ternary::{Ternary, polynomial};
use bilinear_field::{Field, Lanes, ModulusError, Prime, minus, plus, times};
use num_bigint::BigUint;

/// Returns Σ c·x^i over the terms.
fn poly(terms: &[(u32, u32)]) -> BigUint {
    terms.iter().map(|(c, i)| c * BigUint::from(3u32).pow(*i)).sum()
}

/// Checks every operation on these values, each together with 3 others.
fn conforms<const N: usize>(k: &Ternary<N>, values: &[BigUint], seed: u64) {
    let (f, m) = (k.modulus(), k.degree());
    let check = |what: &str, got: &_, want: BigUint| {
        assert_eq!(k.value(got, 0), want, "{what}, m = {m}, f = {f}, seed {seed:#x}");
    };
    let product = |a: &BigUint, b: &BigUint| polynomial::rem(&polynomial::mul(a, b), f);
    let sum = |a: &BigUint, c: u8, b: &BigUint| polynomial::add_multiple(a, c, b);
    let zero = BigUint::ZERO;
    for (i, a) in values.iter().enumerate() {
        for j in [i, i + 1, i * 7 + 3] {
            let (b, c) = (&values[j % values.len()], &values[(i + 2 * j + 1) % values.len()]);
            let [x, y, z] = [a, b, c].map(|v| k.constant(v));
            let mut out = k.zero();
            k.mul(&mut out, &x, &y);
            check("mul", &out, product(a, b));
            k.add(&mut out, &x, &y);
            check("add", &out, sum(a, 1, b));
            k.sub(&mut out, &x, &y);
            check("sub", &out, sum(a, 2, b));
            k.sum(&mut out, &[plus(&x), times(2, &y), times(-3, &z), minus(&z)]);
            check("sum", &out, sum(&sum(a, 2, b), 2, c));
            k.mul_sum(&mut out, &x, &y, &[minus(&z)]);
            check("mul_sum", &out, sum(&product(a, b), 2, c));
            // more products than are computed at a time
            let mut many: [_; 23] = std::array::from_fn(|_| Default::default());
            k.mul_all(&mut many, std::array::from_fn(|i| [&x, &y, &z][i % 3]), [&y; 23]);
            for (i, own) in many.iter().enumerate() {
                check("a product of many", own, product([a, b, c][i % 3], b));
            }
            let (mut xy, mut zz, mut both) = Default::default();
            k.mul_wide(&mut xy, &x, &y);
            k.sqr_wide(&mut zz, &z);
            k.lin(&mut both, &[plus(&xy), minus(&zz), times(3, &zz)]);
            k.reduce(&mut out, &[plus(&both), times(-2, &xy)]);
            check("reduce", &out, sum(&product(a, b), 2, &sum(&product(c, c), 2, &product(a, b))));
            k.select(&mut out, k.equal(&x, &y), &z, &x);
            check("select", &out, if a == b { c.clone() } else { a.clone() });
        }
        let (x, mut out) = (k.constant(a), k.zero());
        k.neg(&mut out, &x);
        check("neg", &out, sum(&zero, 2, a));
        assert_eq!(k.lane(k.is_upper(&x), 0), *a > sum(&zero, 2, a), "is_upper, m = {m}, seed {seed:#x}");
        k.sqr(&mut out, &x);
        check("sqr", &out, product(a, a));
        let square = out.clone();
        k.square_root(&mut out, &square);
        let root = k.value(&out, 0);
        assert!(root == *a || root == sum(&zero, 2, a), "square_root, m = {m}, seed {seed:#x}");
        k.cube(&mut out, &x);
        check("cube", &out, product(a, &product(a, a)));
        check("cubed", &k.cubed(&x, m), a.clone());
        k.inv(&mut out, &x);
        assert_eq!(product(&k.value(&out, 0), a), BigUint::from(u32::from(*a != zero)), "inv, m = {m}, seed {seed:#x}");
        // x³ − x = c for c = a³ − a; for other c, up to an element of F_3
        k.third_trace(&mut out, &x);
        let root = k.value(&out, 0);
        let rest = sum(&sum(&polynomial::rem(&polynomial::cube(&root), f), 2, &root), 2, a);
        assert!(rest < BigUint::from(3u32), "third_trace, m = {m}, seed {seed:#x}");
        let powers = (1..m).scan(a.clone(), |power, _| {
            *power = polynomial::rem(&polynomial::cube(power), f);
            Some(power.clone())
        });
        let trace = powers.fold(a.clone(), |total, power| sum(&total, 1, &power));
        assert_eq!(trace == zero, rest == zero, "third_trace, m = {m}, seed {seed:#x}");
        assert!(k.lane(k.is_zero(&x), 0) == (*a == zero) && k.lane(k.is_odd(&x), 0) == a.bit(0));
    }
}

/// Returns all elements of a small field, else edge values and three random ones.
fn values(m: u32, seed: u64) -> Vec<BigUint> {
    let q = BigUint::from(3u32).pow(m);
    if m < 7 {
        return (0..3u32.pow(m)).map(BigUint::from).collect();
    }
    let mut rng = Rng(seed);
    let powers = [0, 1, 24, 63, 64, m / 2, m - 1].map(|i| BigUint::from(3u32).pow(i.min(m - 2)));
    let random: Vec<BigUint> = (0..3).map(|_| integer(&rng.words(q.bits() as usize / 32)) % &q).collect();
    let ends = [BigUint::ZERO, &q - 1u32, &q / 2u32, BigUint::from(2u32)];
    ends.into_iter().chain(powers).chain(random).collect()
}

/// Checks both implementations on a field of this many words.
macro_rules! both {
    ($n:literal, $terms:expr, $seed:expr) => {{
        let f = poly(&$terms);
        let values = values($terms[0].1, $seed);
        conforms(&Ternary::<$n>::new(&f).unwrap(), &values, $seed);
        conforms(&Ternary::<$n>::portable(&f).unwrap(), &values, $seed);
    }};
}

#[test]
fn small_fields_are_plain_polynomials_modulo_f() {
    both!(2, [(1, 5), (2, 1), (1, 0)], 1);
    both!(4, [(1, 7), (1, 2), (2, 0)], 2);
    both!(8, [(1, 11), (1, 2), (2, 0)], 3);
    // uses nearly all bits of the words
    both!(2, [(1, 127), (1, 8), (2, 0)], 4);
}

#[test]
fn fields_of_eta_are_plain_polynomials_modulo_f() {
    both!(2, [(1, 97), (1, 12), (2, 0)], 0x97);
    both!(2, [(1, 97), (1, 16), (2, 0)], 0x98);
    both!(4, [(1, 193), (1, 12), (2, 0)], 0x193);
    both!(4, [(1, 193), (1, 64), (2, 0)], 0x194);
    both!(8, [(1, 509), (2, 318), (2, 191), (1, 127), (1, 0)], 0x509);
    // in more words than needed
    both!(8, [(1, 97), (1, 12), (2, 0)], 0x99);
}

#[test]
fn other_polynomials_are_refused() {
    let refused = |terms: &[(u32, u32)]| {
        let f = poly(terms);
        assert_eq!(Ternary::<2>::new(&f).err(), Some(ModulusError::ReducibleOverF3(f)));
    };
    refused(&[]);
    refused(&[(1, 0)]);
    refused(&[(1, 1), (1, 0)]);
    refused(&[(1, 4), (1, 1), (2, 0)]); // irreducible, but of even degree
    refused(&[(1, 3), (2, 1), (1, 0)]); // of a degree that 3 divides
    refused(&[(2, 5), (1, 1), (2, 0)]); // with 2 for its leading coefficient
    refused(&[(1, 5), (1, 0)]); // x + 1 divides it
    // polynomials from the facts about these curves
    let f = poly(&[(1, 193), (2, 64), (2, 0)]);
    assert_eq!(Ternary::<4>::new(&f).err(), Some(ModulusError::ReducibleOverF3(f)));
    let f = poly(&[(1, 131), (1, 48), (2, 0)]);
    assert_eq!(Ternary::<2>::new(&f).err(), Some(ModulusError::TooLarge { bits: f.bits(), max: 203 }));
    // (x² + 1)(x³ − x + 1)
    let product = polynomial::mul(&poly(&[(1, 2), (1, 0)]), &poly(&[(1, 3), (2, 1), (1, 0)]));
    assert_eq!(Ternary::<2>::new(&product).err(), Some(ModulusError::ReducibleOverF3(product)));
}
