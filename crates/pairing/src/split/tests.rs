//! Decompositions of scalars, and what their digits imply for additions.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::booth::digit_bits;
use crate::constant_time::{split_bits, window_bits};
use num_integer::Integer;

/// A test case: the order r, λ with λ^n − λ^(n/2) + 1 ≡ 0 (mod r), and the relation c. λ is u, a root of r(u).
struct Case {
    order: BigUint,
    lambda: BigUint,
    c: Vec<BigInt>,
}

/// r = Φ_(3n)(u) for n = 4, 8, and for n = 2 with u² in place of u; λ is u itself.
fn cases() -> Vec<Case> {
    let u = BigUint::from(0xd201_0000_0001_0000u64);
    let order = |n: u32| u.pow(n) + 1u32 - u.pow(n / 2);
    let relation = |n: usize| {
        let mut c = vec![BigInt::zero(); n];
        c[0] = BigInt::from(u.clone());
        c[1] = -BigInt::one();
        c
    };
    let case = |n: usize| Case { order: order(n as u32), lambda: u.clone(), c: relation(n) };
    vec![case(2), case(4), case(6), case(8)]
}

fn scalars(order: &BigUint, lambda: &BigUint) -> Vec<BigUint> {
    let mut all = vec![BigUint::zero(), BigUint::one(), 2u32.into(), order - 1u32, order.clone(), order + 1u32];
    // near the borders of the rounding: powers of λ, their neighbours, and their halves
    for i in 1..4u32 {
        let power = lambda.pow(i);
        all.extend([&power - 1u32, power.clone(), &power + 1u32, &power >> 1u32, (&power >> 1u32) + 1u32]);
    }
    let mut x = BigUint::from(0x9e37_79b9_7f4a_7c15u64);
    for _ in 0..50 {
        x = (&x * &x * 3u32 + 1u32) % order;
        all.push(x.clone());
    }
    all
}

/// Returns Σ a_i·λ^i modulo r.
fn value(a: &[BigInt], lambda: &BigUint, order: &BigUint) -> BigInt {
    let (lambda, order) = (BigInt::from(lambda.clone()), BigInt::from(order.clone()));
    a.iter().rev().fold(BigInt::zero(), |v, x| (v * &lambda + x).mod_floor(&order))
}

#[test]
fn parts_stand_for_the_scalar() {
    for Case { order, lambda, c } in cases() {
        let split = Split::new(&order, c);
        assert_eq!(split.relation.norm, BigInt::from(order.clone()));
        for k in scalars(&order, &lambda) {
            let want = BigInt::from(&k % &order);
            // as long as the order, longer, and much longer; shorter ones come last
            let len = order.bits().div_ceil(8) as usize;
            for len in [len, len + 9, 3 * len] {
                let digits = k.to_bytes_be();
                let mut bytes = vec![0; len.max(digits.len())];
                let len = bytes.len();
                bytes[len - digits.len()..].copy_from_slice(&digits);
                assert_eq!(value(&odd_parts(&split, &bytes), &lambda, &order), want, "{k} in {len} bytes");
            }
            let short = &k.to_bytes_be()[..3.min(k.to_bytes_be().len())];
            let want = BigInt::from(BigUint::from_bytes_be(short));
            assert_eq!(value(&odd_parts(&split, short), &lambda, &order), want);
        }
        // scalars far above the order
        let long = [0xa7u8; 100];
        let want = BigInt::from(BigUint::from_bytes_be(&long) % &order);
        assert_eq!(value(&odd_parts(&split, &long), &lambda, &order), want);
        assert_eq!(value(&odd_parts(&split, &[]), &lambda, &order), BigInt::zero());
    }
}

/// Returns the a_i from their digits, and checks that other scalars in the call do not change them.
fn odd_parts(split: &Split, k: &[u8]) -> Vec<BigInt> {
    let mut parts = several_odd_parts(split, &[&[0x5a; 7], k, &[]]);
    let a = parts.remove(1);
    assert_eq!(several_odd_parts(split, &[k]), std::slice::from_ref(&a));
    a
}

/// Returns the a_i of each scalar.
fn several_odd_parts(split: &Split, ks: &[&[u8]]) -> Vec<Vec<BigInt>> {
    let windows = split.windows(ks);
    let mut all = vec![vec![BigInt::zero(); split.dimension()]; ks.len()];
    let most = (1i32 << split.width()) - 1;
    for row in windows.rows() {
        let mut parts = 0;
        for (i, ys) in row.enumerate() {
            assert_eq!(ys.len(), ks.len());
            for (a, y) in all.iter_mut().zip(ys) {
                assert!(i32::from(*y) <= most);
                a[i] = (&a[i] << split.width()) + (2 * i32::from(*y) - most);
            }
            parts += 1;
        }
        assert_eq!(parts, split.dimension());
    }
    assert!(all.iter().flatten().all(Integer::is_odd));
    all
}

/// A vector that grows leaves copies in memory that nobody wipes.
#[test]
fn vectors_of_secrets_do_not_grow() {
    for Case { order, c, .. } in cases() {
        let split = Split::new(&order, c);
        for len in [1, 20, 32, 100] {
            let k = vec![0xa5; len];
            for bits in [split_bits(&split, &k), window_bits(&k), digit_bits(&k)] {
                assert!(!bits.is_empty());
                assert_eq!(bits.capacity(), bits.len(), "{len} bytes");
            }
            let digits = &split.windows(&[&k]).digits;
            assert_eq!(digits.capacity(), digits.len(), "{len} bytes");
        }
    }
}

/// In the first [`Split::chords`] rows of digits no sum so far is O or ± the next entry, for every scalar of small orders;
/// on curves in use these are all rows but the last.
#[test]
fn chords_have_slopes() {
    // elements of prime norm of Z[X]/(X^n − X^(n/2) + 1), n = 2 and 4
    let mut seen = 0;
    for c in
        [vec![61, 96], vec![-105, 184], vec![150, 1], vec![8, -4, 2, -3], vec![13, -4, -4, 0], vec![14, -4, -4, -3]]
    {
        let c: Vec<BigInt> = c.into_iter().map(BigInt::from).collect();
        let order = Relation::new(c.clone()).norm.magnitude().clone();
        assert!((2u32..200).all(|d| order.clone() % d != BigUint::zero()), "{order} is prime");
        let n = c.len() as u32;
        let ring = |x: &BigInt| -> BigInt { x.pow(n) - x.pow(n / 2) + 1 };
        let r = BigInt::from(order.clone());
        let root =
            |x: &BigInt| ((value(&c, x.magnitude(), &order)).is_zero() && (ring(x) % &r).is_zero()).then(|| x.clone());
        let lambda = (1..).map(BigInt::from).take_while(|x| x < &r).find_map(|x| root(&x)).unwrap();
        let (split, lambda) = (Split::new(&order, c), lambda.magnitude().clone());
        let offset = (1 << split.width()) - 1;
        for k in (0..u32::try_from(&order).unwrap()).step_by(3) {
            let mut v = vec![BigInt::zero(); n as usize];
            let bytes = k.to_be_bytes();
            for (t, row) in split.windows(&[&bytes]).rows().enumerate() {
                v.iter_mut().for_each(|x| *x <<= split.width());
                for (j, ys) in row.enumerate() {
                    let d = 2 * i32::from(ys[0]) - offset;
                    if t < split.chords() && (t, j) != (0, 0) {
                        let [mut sum, mut difference] = [v.clone(), v.clone()];
                        sum[j] += d;
                        difference[j] -= d;
                        for x in [&v, &sum, &difference] {
                            assert!(!value(x, &lambda, &order).is_zero(), "{k} modulo {order}, row {t}, part {j}");
                            seen += 1;
                        }
                    }
                    v[j] += d;
                }
            }
            assert_eq!(value(&v, &lambda, &order), BigInt::from(k), "{k} modulo {order}");
        }
    }
    assert!(seen > 10_000, "{seen} additions by chords");
    for Case { order, c, .. } in cases() {
        let split = Split::new(&order, c);
        let rows = split.windows(&[&[1]]).rows().count();
        assert!(split.chords() + 2 > rows, "{} of {rows} rows", split.chords());
    }
}
