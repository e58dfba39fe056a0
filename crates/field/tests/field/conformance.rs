//! Tests of every engine against the reference, on moduli with and without spare bits.

use crate::common::{self, conforms, extension_agrees};
use bilinear_field::mont::Mont;
use bilinear_field::reference::Reference;
use bilinear_field::rns::Rns;
use bilinear_field::{Engine, EngineError, Job, Lanes, Margin, ModulusError, dispatch};
use num_bigint::BigUint;
use num_traits::One;

/// Primes p with p ≡ 3 (mod 4): 2^b − c for the smallest c ("no spare bits"), and 2^(b − s) − c.
fn moduli() -> Vec<BigUint> {
    let pow = |b: u32, c: u32| (BigUint::one() << b) - c;
    vec![
        BigUint::from(3u32),
        BigUint::from(7u32),
        BigUint::from(19u32),
        BigUint::from(1_000_003u32),
        pow(61, 1),
        pow(89, 1),
        pow(107, 1),
        pow(127, 1),
        pow(128, 173),
        pow(192, 237),
        pow(255, 765),
        pow(256, 189),
        pow(384, 317),
        pow(512, 569),
        pow(521, 1),
        pow(607, 1),
        pow(1024, 105),
        pow(1279, 1),
        pow(2203, 1),
        pow(2048, 1_942_289),
    ]
}

struct Conforms;

impl Job for Conforms {
    type Output = ();
    fn run<F: Lanes + 'static>(self, f: F) {
        conforms(&f, 0xb111_0001, if f.modulus().bits() > 600 { 4 } else { 24 });
    }
}

/// A job that is compiled for `mont` on two words only.
struct OnMont;

impl Job for OnMont {
    type Output = u64;
    const ENGINES: &'static [Engine] = &[Engine::Mont];
    const WORDS: &'static [usize] = &[2];
    fn run<F: Lanes + 'static>(self, f: F) -> u64 {
        f.modulus().bits()
    }
}

#[test]
fn work_is_done_by_the_engines_that_it_names() {
    let p = (BigUint::one() << 107) - 1u32;
    assert_eq!(dispatch(Engine::Mont, &p, OnMont), Ok(107));
    for engine in Engine::ALL.into_iter().filter(|engine| *engine != Engine::Mont && engine.is_field()) {
        assert_eq!(dispatch(engine, &p, OnMont), Err(EngineError::NotCompiled(engine)));
    }
}

#[test]
fn mont_conforms() {
    for p in moduli() {
        dispatch(Engine::Mont, &p, Conforms).unwrap();
    }
}

#[test]
fn ifma_conforms() {
    for p in moduli() {
        match dispatch(Engine::Ifma, &p, Conforms) {
            Ok(()) | Err(EngineError::Unavailable(_)) => {}
            Err(EngineError::Modulus(ModulusError::TooLarge { bits, max })) => assert!(bits > max, "{bits} bits"),
            Err(reason) => panic!("{reason}"),
        }
    }
}

#[test]
fn portable_conforms() {
    for p in moduli() {
        dispatch(Engine::Portable, &p, Conforms).unwrap();
    }
}

#[test]
fn rns_conforms() {
    for p in moduli() {
        dispatch(Engine::Rns, &p, Conforms).unwrap();
    }
}

#[test]
fn reference_conforms() {
    dispatch(Engine::Reference, &moduli()[8], Conforms).unwrap();
}

#[test]
fn spare_words_conform() {
    // a modulus much shorter than its words: all higher words are zero
    let p = (BigUint::one() << 127u32) - 1u32;
    conforms(&Mont::<5>::new(&p).unwrap(), 0xb111_0002, 8);
}

#[test]
fn bad_moduli_are_refused() {
    let even = BigUint::from(10u32);
    assert!(matches!(dispatch(Engine::Mont, &even, Conforms), Err(EngineError::Modulus(ModulusError::NotOddPrime(_)))));
    assert!(matches!(Reference::new(&BigUint::one()), Err(ModulusError::NotOddPrime(_))));
    let large = (BigUint::one() << 4161u32) - 1u32;
    let error = dispatch(Engine::Mont, &large, Conforms).unwrap_err();
    assert_eq!(error, EngineError::Modulus(ModulusError::TooLarge { bits: 4161, max: 4160 }));
    assert!(Mont::<2>::new(&((BigUint::one() << 129u32) - 1u32)).is_err());
    assert!(matches!(dispatch(Engine::Rns, &even, Conforms), Err(EngineError::Modulus(ModulusError::NotOddPrime(_)))));
    let error = dispatch(Engine::Rns, &large, Conforms).unwrap_err();
    assert_eq!(error, EngineError::Modulus(ModulusError::TooLarge { bits: 4161, max: 4160 }));
    assert!(matches!("fast".parse::<Engine>(), Err(EngineError::Unknown(_))));
    for engine in [Engine::Rows, Engine::Cuda, Engine::Auto] {
        assert_eq!(dispatch(engine, &moduli()[8], Conforms), Err(EngineError::Programs(engine)));
    }
    for engine in Engine::ALL {
        assert_eq!(engine.name().parse::<Engine>().unwrap(), engine);
    }
}

/// The prime of BLS12-381, where 1 + i is neither a square nor a cube in F_p².
fn bls12_381() -> BigUint {
    let hex = "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab";
    BigUint::parse_bytes(hex.as_bytes(), 16).unwrap()
}

#[test]
fn extensions_agree_with_the_reference() {
    let p = bls12_381();
    let (f, r) = (Mont::<6>::new(&p).unwrap(), Reference::new(&p).unwrap());
    extension_agrees(&common::fp6(f.clone(), 1), &common::fp6(r.clone(), 1), &f, &p, 0xb111_0010);
    extension_agrees(&common::fp12(f.clone(), 1), &common::fp12(r.clone(), 1), &f, &p, 0xb111_0011);
    extension_agrees(&common::fp8(f.clone(), 1), &common::fp8(r.clone(), 1), &f, &p, 0xb111_0012);
    extension_agrees(&common::fp18(f.clone(), 1), &common::fp18(r.clone(), 1), &f, &p, 0xb111_0013);
    extension_agrees(&common::fp4_small(f.clone(), 2), &common::fp4_small(r.clone(), 2), &f, &p, 0xb111_0014);
    let f = Rns::<72>::new(&p, Margin { spare: 18, ..Margin::default() }).unwrap();
    extension_agrees(&common::fp12(f.clone(), 1), &common::fp12(r.clone(), 1), &f, &p, 0xb111_0017);
    // a non-residue with a larger integer part: weights up to 9 on a tight modulus
    let p = (BigUint::one() << 384u32) - 317u32;
    let (f, r) = (Mont::<6>::new(&p).unwrap(), Reference::new(&p).unwrap());
    extension_agrees(&common::fp12(f.clone(), 9), &common::fp12(r.clone(), 9), &f, &p, 0xb111_0015);
}
