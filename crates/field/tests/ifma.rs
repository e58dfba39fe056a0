//! The eight-lane engine on every number of limbs, on moduli with many spare bits and with the fewest, against the reference.
#![cfg(target_arch = "x86_64")]
#![allow(clippy::unwrap_used)]

mod common;

use bilinear_field::ifma::Ifma;
use common::conforms;
use num_bigint::BigUint;
use num_traits::One;

/// The largest prime ≡ 3 (mod 4) of so many bits.
fn prime(bits: u64) -> BigUint {
    let mut p = (BigUint::one() << bits) - 1u32;
    while !probably_prime(&p) {
        p -= 4u32;
    }
    p
}

/// Fermat to a few bases: the moduli are fixed, so this is a search and not a proof.
fn probably_prime(p: &BigUint) -> bool {
    [2u32, 3, 5, 7].iter().all(|a| BigUint::from(*a).modpow(&(p - 1u32), p).is_one())
}

fn conforms_on<const L: usize>() {
    let bits = 52 * L as u64;
    for spare in [6, 7, 15, 16, 20, 40, 41, 42, 60] {
        let p = prime(bits - spare);
        match Ifma::<L>::new(&p).unwrap() {
            Some(f) => conforms(&f, 0xb111_0a00 + spare, if L > 10 { 4 } else { 12 }),
            None => return,
        }
    }
    if let Some(f) = Ifma::<L>::new(&BigUint::from(1_000_003u32)).unwrap() {
        conforms(&f, 0xb111_0aff, 8);
    }
}

macro_rules! on_limbs {
    ($($name:ident: $l:literal)*) => {
        $(#[test]
        fn $name() {
            conforms_on::<$l>();
        })*

        #[test]
        fn every_size_is_tested() {
            assert_eq!(bilinear_field::ifma::LIMBS, [$($l),*]);
        }
    };
}

on_limbs! {three: 3 four: 4 five: 5 six: 6 seven: 7 eight: 8 nine: 9 ten: 10 thirteen: 13 twenty: 20 twenty_one: 21}
