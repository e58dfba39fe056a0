//! Tests of the operation counts that the module documentation states, and of the ranges at their extremes.
#![allow(clippy::unwrap_used)]

mod serial;

use super::alu::{Alu, Op, Plain};
use super::{Coefficients, Hmm, Unreduced};
use crate::bounds::Range;
use crate::contract::{Field, Lanes, Prime};
use crate::term::{minus, plus, times};
use num_bigint::{BigInt, BigUint};
use num_traits::One;
use std::cell::RefCell;

/// An ALU that records the word operations as a datapath executes them.
#[derive(Default)]
struct Counter(RefCell<Vec<Op>>);

impl Alu for Counter {
    fn note(&self, op: Op) {
        self.0.borrow_mut().push(op);
    }
}

impl Counter {
    /// Returns the numbers of products, constant products, narrow products and additions.
    fn tally(&self) -> [usize; 4] {
        let count = |op: Op| self.0.borrow().iter().filter(|o| **o == op).count();
        [Op::Product, Op::Constant, Op::Narrow, Op::Add].map(count)
    }
}

/// The BN field with z = 2^63 + 857 (Fan, Vercauteren, Verbauwhede).
fn bn258() -> Hmm<5> {
    Hmm::bn(&((BigInt::one() << 63) + 857)).unwrap()
}

/// The BLS12 field with z = 2^55 − 88: 3p = z^6 − 2z^5 + 2z^3 + z + 1.
fn bls12() -> Hmm<7> {
    let z = (BigUint::one() << 55u32) - 88u32;
    let p = (z.pow(6) - 2u32 * z.pow(5) + 2u32 * z.pow(3) + &z + 1u32) / 3u32;
    Hmm::new(&p, &[1, 1, 0, 2, 0, -2, 1], 55, -88).unwrap()
}

/// The field of p = 5z^3 + 2z^2 − 7z − 1 with z = 2^60 − 13.
fn cubic() -> Hmm<4> {
    let z = (BigUint::one() << 60u32) - 13u32;
    Hmm::new(&(5u32 * z.pow(3) + 2u32 * z.pow(2) - 7u32 * &z - 1u32), &[-1, -7, 2, 5], 60, -13).unwrap()
}

fn counts<const N: usize>(f: &Hmm<N>) {
    let (n, d) = (N, N - 1);
    let a = f.constant(&BigUint::from(12_345u32));
    let (mut c, mut out) = (Unreduced::default(), f.zero());
    let counter = Counter::default();
    f.ring.product(&counter, &mut c, &a, &a);
    assert_eq!(counter.tally()[..3], [n * n, 2 * d, 0], "phases 1 and 2");
    let counter = Counter::default();
    f.ring.square(&counter, &mut c, &a);
    assert_eq!(counter.tally()[..3], [n * (n + 1) / 2, 2 * d, 0], "phases 1 and 2 of a square");
    let counter = Counter::default();
    f.ring.reduce(&counter, &mut out, &c);
    assert_eq!(counter.tally()[..3], [0, n * d, n + d], "phases 3 and 4");
    let counter = Counter::default();
    f.ring.multiply_serially(&counter, &mut out, &a, &a);
    assert_eq!(counter.tally()[..3], [n * n, n + d + n * d, n + d], "digit-serial");
}

#[test]
fn operations_are_those_of_the_file_heads() {
    counts(&bn258());
    counts(&bls12());
}

#[test]
fn additions_of_both_forms() {
    let f = bn258();
    let a = f.one();
    let (mut c, mut out) = (Unreduced::default(), f.zero());
    let parallel = Counter::default();
    f.ring.product(&parallel, &mut c, &a, &a);
    f.ring.reduce(&parallel, &mut out, &c);
    assert_eq!(parallel.tally(), [25, 28, 9, 22]);
    let serial = Counter::default();
    f.ring.multiply_serially(&serial, &mut out, &a, &a);
    assert_eq!(serial.tally(), [25, 29, 9, 24]);
    let square = Counter::default();
    f.ring.square(&square, &mut c, &a);
    f.ring.reduce(&square, &mut out, &c);
    assert_eq!(square.tally(), [15, 28, 9, 31]);
}

/// Returns elements whose coefficients are all as large as the ranges allow, in every pattern of signs that repeats
/// with period 3.
fn extremes<const N: usize>(f: &Hmm<N>) -> Vec<Coefficients<N>> {
    let (b, top) = (f.ranges.coefficient() as i64, f.ranges.lazy_top() as i64);
    let sign = |pattern: usize, i: usize| if pattern >> (i % 3) & 1 == 1 { -1 } else { 1 };
    (0..8)
        .map(|pattern| Coefficients(std::array::from_fn(|i| sign(pattern, i) * if i < N - 1 { b } else { top })))
        .collect()
}

fn closed<const N: usize>(f: &Hmm<N>, x: &Coefficients<N>) -> bool {
    let (b, top) = (f.ranges.coefficient(), f.ranges.limit());
    x.0[..N - 1].iter().all(|c| c.unsigned_abs() <= b) && x.0[N - 1].unsigned_abs() <= top
}

/// Checks operations on extreme elements. Debug builds also check every addition and product of words for overflow.
fn stays_in_range<const N: usize>(f: &Hmm<N>) {
    let p = f.modulus().clone();
    let all = extremes(f);
    for a in &all {
        for b in &all {
            let (x, y) = (f.value(a, 0), f.value(b, 0));
            let (mut serial, mut product, mut wide, mut square) =
                (f.zero(), f.zero(), Unreduced::default(), Unreduced::default());
            f.ring.multiply_serially(&Plain, &mut serial, a, b);
            f.mul(&mut product, a, b);
            f.mul_wide(&mut wide, a, b);
            f.sqr_wide(&mut square, a);
            assert!(closed(f, &serial) && closed(f, &product));
            assert_eq!(f.value(&serial, 0), &x * &y % &p, "digit-serial");
            assert_eq!(f.value(&product, 0), &x * &y % &p, "parallel");
            // a form of weight 1024
            let mut form = f.zero();
            f.reduce(&mut form, &[times(1000, &wide), times(-24, &square)]);
            assert!(closed(f, &form));
            assert_eq!(f.value(&form, 0), (&x * &y * 1000u32 + (&p - &x) * &x * 24u32) % &p, "form");
            let mut sum = f.zero();
            f.sum(&mut sum, &[plus(a), minus(b), times(12, a)]);
            assert!(closed(f, &sum));
            assert_eq!(f.value(&sum, 0), (&x * 13u32 + (&p - &y)) % &p, "sum");
        }
    }
}

/// For the papers' z, e = 20.
#[test]
fn ranges_are_those_of_the_file_head() {
    let f = bn258();
    assert_eq!(f.ranges.limit(), 1 << 20);
    assert_eq!(f.ranges.lazy_top(), 1 << 24);
    assert_eq!(f.ranges.coefficient(), (1 << 62) + (858 << 20));
    let bn = |m: u32, s: u64| super::shape::fit(&[1, 6, 24, 36, 36], m, s as i64).is_some();
    for (m, n) in [(63, 22), (55, 18), (48, 13)] {
        assert!(bn(m, (1 << n) - 1) && !bn(m, (2 << n) - 1), "m = {m}");
    }
    assert!(bn(47, 0) && !bn(46, 0));
}

#[test]
fn what_is_out_of_range_is_refused() {
    let rules = bn258().rules();
    let closed = rules.closed();
    let wide = rules.product(closed, closed).unwrap();
    let lazy = (0..4).fold(closed, |x, _| rules.add(x, closed, true).unwrap());
    assert!(rules.product(lazy, lazy).is_ok());
    assert!(rules.add(rules.sum(&[plus(&lazy)]).unwrap(), lazy, false).is_ok());
    let large = Range::new(0, 1 << 24);
    assert!(rules.add(large, closed, false).is_err() && rules.add(closed, large, true).is_err());
    assert!(rules.product(Range::new(0, (1 << 24) + 1), closed).is_err());
    // limits of weights: a form may have 2^20 units; a form that is reduced, 1024 products within its smaller limit
    let (all, most) = (1 << 20, (1 << 20) / wide.high);
    assert!(rules.lin(&[times(most as i32, &wide)]).is_ok() && rules.lin(&[times(most as i32 + 1, &wide)]).is_err());
    assert!(rules.reduce(&[times(1000, &wide), times(-24, &wide)]).is_ok());
    assert!(rules.reduce(&[plus(&Range::new(0, all - 13_646))]).is_ok());
    assert!(rules.reduce(&[plus(&Range::new(0, all - 13_645))]).is_err());
    assert!(rules.sum(&[times(1 << 20, &closed)]).is_err());
}

#[test]
fn extremes_stay_in_range() {
    stays_in_range(&bn258());
    stays_in_range(&Hmm::bn(&(113 - (BigInt::one() << 63))).unwrap());
    stays_in_range(&Hmm::bn(&((BigInt::one() << 48) + 593)).unwrap());
    stays_in_range(&bls12());
    stays_in_range(&cubic());
}

/// Checks the constants of phase 3 against integer arithmetic.
#[test]
fn reduction_divides_by_r() {
    let f = bn258();
    let p = f.modulus().clone();
    let inverse = BigUint::from(f.ring.z()).pow(5).modpow(&(&p - 2u32), &p);
    for i in 0..5 {
        let mut c = Unreduced::<5>::default();
        c.low[i] = 1;
        let mut out = f.zero();
        f.ring.reduce(&Plain, &mut out, &c);
        // the value of `out` is z^i/z^5; `value` divides by R once more
        let want = BigUint::from(f.ring.z()).pow(i as u32) * &inverse * &inverse % &p;
        assert_eq!(f.value(&out, 0), want, "z^{i}");
    }
}
