//! Jobs that must not branch on a secret nor use one as an address, for `scripts/secrets.sh`: the engine `mont`, compiled as it
//! ships. Without Valgrind they only run.
#![allow(clippy::unwrap_used)]

use super::kernels::Isa;
use super::{Mont, Residue};
use crate::contract::{Field, Lanes, Prime};
use crate::memcheck::{hide, leaks};
use crate::term::{minus, plus, times};
use num_bigint::BigUint;
use num_traits::One;
use std::hint::black_box;

/// Secret elements: 0, 1, −1, and some that are neither.
fn secrets<const N: usize>(f: &Mont<N>) -> Vec<Residue<N>> {
    let p = f.modulus();
    let values = [BigUint::from(0u32), BigUint::one(), p - 1u32, p >> 1u32, (p >> 3u32) * 5u32 % p];
    values
        .iter()
        .map(|x| {
            let mut x = f.constant(x);
            hide(&mut x);
            x
        })
        .collect()
}

/// Runs a job on every pair of secrets, in fields with few and with many spare bits, on all instructions.
macro_rules! jobs {
    ($($name:ident: |$f:ident, $a:ident, $b:ident, $out:ident| $job:expr;)*) => {
        $(#[test]
        fn $name() {
            fn of<const N: usize>($f: &Mont<N>) {
                for $a in &secrets($f) {
                    for $b in &secrets($f) {
                        let mut $out = Residue([0; N]);
                        let leaked = leaks(|| {
                            let _ = ($a, $b);
                            $job;
                            black_box(&mut $out);
                        });
                        assert!(!leaked, "{} words, a modulus of {} bits", N, $f.modulus().bits());
                    }
                }
            }
            // 2^k − c is prime for some c, which does not matter here
            let odd = |bits: u64| (BigUint::one() << bits) - 3u32;
            for isa in [Isa::Portable].into_iter().chain(Isa::named_by_the_system()) {
                of(&Mont::<4>::with_isa(&odd(254), isa).unwrap());
                of(&Mont::<5>::with_isa(&odd(300), isa).unwrap());
                of(&Mont::<6>::with_isa(&odd(381), isa).unwrap());
                of(&Mont::<8>::with_isa(&odd(509), isa).unwrap());
                of(&Mont::<12>::with_isa(&odd(766), isa).unwrap());
                of(&Mont::<17>::with_isa(&odd(1036), isa).unwrap());
            }
        })*
    };
}

jobs! {
    inverse: |f, a, b, out| f.inv(&mut out, a);
    product: |f, a, b, out| f.mul(&mut out, a, b);
    square: |f, a, b, out| f.sqr(&mut out, a);
    sum: |f, a, b, out| f.sum(&mut out, &[plus(a), times(-3, b), plus(b)]);
    sum_of_two: |f, a, b, out| { let mut sum = *a; f.add(&mut sum, a, b); f.sum(&mut out, &[plus(&sum), minus(a)]) };
    difference: |f, a, b, out| { let mut less = *a; f.sub(&mut less, a, b); f.sum(&mut out, &[plus(&less)]) };
    product_and_sum: |f, a, b, out| f.mul_sum(&mut out, a, b, &[plus(a), times(-2, b)]);
    form: |f, a, b, out| {
        let [mut v, mut w, mut sum] = [(); 3].map(|()| Default::default());
        f.mul_wide(&mut v, a, b);
        f.sqr_wide(&mut w, b);
        f.lin(&mut sum, &[times(2, &v), minus(&w)]);
        f.reduce(&mut out, &[plus(&sum), minus(&v)])
    };
    complex_product: |f, a, b, out| {
        let mut both = [out; 2];
        f.complex_mul(&mut both, &[*a, *b], &[*b, *a]);
        f.complex_sqr(&mut both, &[*a, *b]);
        out = both[0]
    };
    complex_unreduced: |f, a, b, out| {
        let (x, y) = ([*a, *b], [*b, *a]);
        let mut w: [[_; 2]; 4] = Default::default();
        f.complex_mul_wide(&mut w[0], &x, &y);
        f.complex_sqr_wide(&mut w[1], &x);
        f.complex_sums_mul_wide(&mut w[2], [&x, &y, &y, &x]);
        f.complex_sum_sqr_wide(&mut w[3], [&x, &y]);
        f.reduce_three_and_two(&mut out, &[plus(&w[0][0]), minus(&w[1][1]), times(9, &w[2][0]), minus(&w[3][1])], a, true)
    };
    forms: |f, a, b, out| {
        let [mut v, mut w, mut sum] = [(); 3].map(|()| Default::default());
        f.mul_wide(&mut v, a, b);
        f.sqr_wide(&mut w, b);
        f.lin(&mut sum, &[plus(&v), times(-9, &w)]);
        for c in [2, 3, 4, -2, -3] {
            f.reduce(&mut out, &[times(c, &sum)]);
        }
        let mut parts: [Residue<_>; 3] = [out; 3];
        f.reduce(&mut parts[0], &[plus(&v), plus(&w), minus(&sum)]);
        f.reduce_three_and_two(&mut parts[1], &[plus(&v), minus(&sum)], a, false);
        f.sum(&mut out, &[plus(a), plus(b), minus(&parts[0]), minus(&parts[1])])
    };
    selection: |f, a, b, out| {
        let mut bit = a.0[0] & 1 == 1;
        hide(&mut bit);
        let mask = f.either(f.mask_from(&[bit]), f.both(f.is_zero(a), f.equal(a, b)));
        f.select(&mut out, mask, a, b)
    };
    quotients: |f, a, b, out| {
        let mut places = [out; 2];
        f.quotients(&mut places, a, &[*a, *b]);
        f.inv_many(&mut places);
        out = places[1]
    };
    words: |f, a, b, out| {
        let mut words = vec![0; f.word_len()];
        f.store(&mut words, a, 0);
        f.load(&mut out, &[&words])
    };
}
