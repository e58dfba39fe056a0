//! Generation at small sizes, from seeds that are printed on failure.

#![allow(clippy::unwrap_used)]

use std::convert::Infallible;

use crypto_bigint::rand_core::{TryCryptoRng, TryRng};
use num_traits::One;
use sha2::{Digest, Sha256};

use super::*;
use crate::Supersingular;
use crate::integer::{is_prime, to_boxed};
use crate::security::Attack;

/// A random number generator that hashes a seed and a counter with SHA-256: the same numbers on every machine.
struct SeededRng {
    seed: u64,
    counter: u64,
}

impl SeededRng {
    fn new(seed: u64) -> Self {
        Self { seed, counter: 0 }
    }
}

impl TryRng for SeededRng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|value| value as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_be_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(32) {
            let digest = Sha256::digest([self.seed.to_be_bytes(), self.counter.to_be_bytes()].concat());
            chunk.copy_from_slice(&digest[..chunk.len()]);
            self.counter += 1;
        }
        Ok(())
    }
}

impl TryCryptoRng for SeededRng {}

fn generator<'a>() -> Generator<'a> {
    Generator::new("made").insecure(true)
}

fn parameters(made: &Description) -> &Supersingular {
    let Family::Supersingular(s) = made.curve.family() else { panic!() };
    s
}

#[test]
fn a1_is_valid_and_l_is_the_smallest() {
    for seed in 0..8 {
        for sizes in [&[64, 64][..], &[40, 40, 40, 40], &[41, 40], &[40, 64, 90]] {
            let made = generator().a1_from(sizes, &mut SeededRng::new(seed)).unwrap();
            made.curve.verify().unwrap();
            let s = parameters(&made);
            let primes = made.factors.as_ref().unwrap().to_biguints();
            let bits: Vec<u64> = sizes.iter().map(|bits| *bits as u64).collect();
            assert_eq!(s.prime_bits().unwrap(), bits, "seed {seed}");
            for (p, bits) in primes.iter().zip(bits) {
                assert!(p.bit(bits - 1) && p.bit(bits - 2), "seed {seed}: the two top bits are set");
            }
            assert_eq!(primes.iter().product::<BigUint>(), *s.order(), "seed {seed}");
            assert_eq!(s.factors(), None, "secret factors are not in the curve");
            assert_eq!(s.generator(), None);
            // the slow reference: every smaller multiple of 4
            let mut l = BigUint::from(4u8);
            while l < *s.cofactor() {
                assert!(!is_prime(&(s.order() * &l - 1u8)), "seed {seed}, sizes {sizes:?}: {l} is smaller");
                l += 4u8;
            }
            let copy = Description::from_toml(&made.curve.to_toml(), "copy").unwrap();
            assert_eq!(copy.curve, made.curve, "seed {seed}");
        }
    }
}

#[test]
fn a_is_valid_and_has_the_sizes_asked_for() {
    for seed in 0..8 {
        for (r_bits, q_bits) in [(32, 96), (16, 40), (40, 64), (64, 200)] {
            let made = generator().a_from(r_bits, q_bits, &mut SeededRng::new(seed)).unwrap();
            made.curve.verify().unwrap();
            let s = parameters(&made);
            assert_eq!((s.order().bits(), s.q().bits()), (r_bits as u64, q_bits as u64), "seed {seed}");
            assert!((s.cofactor() % 12u8) == BigUint::ZERO, "seed {seed}");
            // a signed sum of three powers of two: some 2^a and some 1 away from a power of two
            let three = [s.order() + 1u8, s.order() - 1u8].iter().any(|even| {
                let odd_part = even >> even.trailing_zeros().unwrap();
                [&odd_part + 1u8, &odd_part - 1u8].iter().any(|t| t.count_ones() == 1)
            });
            assert!(three, "seed {seed}: r = {:x}", s.order());
            assert_eq!(made.factors.as_ref().unwrap().to_biguints(), [s.order().clone()], "seed {seed}");
        }
    }
}

#[test]
fn seeds_give_different_curves() {
    let make = |seed| generator().a1_from(&[48, 48], &mut SeededRng::new(seed)).unwrap().curve;
    assert_eq!(make(1), make(1));
    assert_ne!(make(1), make(2));
    // and so does the operating system's randomness
    assert_ne!(generator().a(32, 96).unwrap().curve, generator().a(32, 96).unwrap().curve);
}

#[test]
fn primes_are_distinct_where_few_exist() {
    // some 1500 primes of 16 bits have both top bits set: without a check 100 draws repeat with probability 0.97
    for seed in 0..4 {
        let primes = a1::primes(&[16; 100], &mut SeededRng::new(seed), &mut |_| ()).unwrap();
        assert_eq!(crate::factors::repeated(&primes), None, "seed {seed}");
    }
}

#[test]
fn own_primes() {
    // the published factors of a test curve give that curve again
    let shipped = Curve::named("a1-2x512").unwrap();
    let factors = Factors::public(&shipped).unwrap();
    let made = Generator::new("again").a1_with(factors.primes().cloned()).unwrap();
    assert_eq!(made.curve.fingerprint(), shipped.fingerprint());
    assert!(!made.curve.is_test_only());

    let make = |primes: &[u64]| generator().a1_with(primes.iter().map(|p| BoxedUint::from(*p))).map(|_| ());
    let [p, q] = [549755813911, 879609302263];
    assert!(matches!(make(&[]), Err(Error::NoPrimes)));
    assert!(matches!(make(&[p, p]), Err(Error::FactorRepeated { index: 1, .. })));
    assert!(matches!(make(&[p, q + 2]), Err(Error::FactorComposite { index: 1, .. })));
    assert!(matches!(make(&[p, 274877906951]), Err(Error::TooFewBits { bits: 39, least: 40, .. })));
    // a number without limbs, as zeros are read from text
    let zero = BoxedUint::from_str_radix_vartime("0", 10).unwrap();
    // the first two primes above 2^127, whose product Fermat's method factors at once
    let above = |offset: u32| to_boxed(&((BigUint::one() << 127u32) + offset));
    let close = generator().a1_with([above(29), above(45)]);
    assert!(matches!(close, Err(Error::FactorsClose { index: 1, .. })), "{close:?}");
    let refused = generator().a1_with([zero.clone(), BoxedUint::from(p)]).unwrap_err();
    assert!(matches!(refused, Error::TooFewBits { bits: 0, .. }), "{refused}");
    let n = generator().a1_with([p, q].map(BoxedUint::from)).unwrap().curve;
    assert!(matches!(Factors::new(&n, [p, p + 2].map(BoxedUint::from)), Err(Error::FactorProduct { .. })));
    assert!(matches!(Factors::new(&n, [zero.clone(), BoxedUint::from(p)]), Err(Error::FactorProduct { .. })));
    assert!(matches!(Factors::new(&n, [zero.clone(), zero]), Err(Error::FactorRepeated { index: 1, .. })));
    assert!(make(&[p, q]).is_ok());
}

#[test]
fn bad_requests() {
    let a1 = |sizes: &[usize]| generator().a1(sizes).map(|_| ());
    let a = |r, q| generator().a(r, q).map(|_| ());
    assert!(matches!(a1(&[]), Err(Error::NoPrimes)));
    assert!(matches!(a1(&[512]), Err(Error::NoPrimes)));
    assert!(matches!(a1(&[64, 39]), Err(Error::TooFewBits { bits: 39, .. })));
    assert!(matches!(a1(&[2048, 2048]), Err(Error::FieldTooLarge { .. })));
    assert!(matches!(a1(&[usize::MAX, usize::MAX]), Err(Error::FieldTooLarge { .. })));
    assert!(matches!(a(15, 64), Err(Error::TooFewBits { bits: 15, .. })));
    assert!(matches!(a(32, 36), Err(Error::TooFewBits { bits: 36, least: 37, .. })));
    assert!(matches!(a(usize::MAX, 100), Err(Error::TooFewBits { bits: 100, .. })));
    assert!(matches!(a(160, 4097), Err(Error::FieldTooLarge { .. })));
    assert!(matches!(Generator::new("Bad name").insecure(true).a1(&[64, 64]), Err(Error::BadName { .. })));
    // the smallest difference of sizes ends with a curve or an error, not with an endless search
    let found: Vec<bool> = (0..16)
        .map(|seed| match generator().a_from(16, 21, &mut SeededRng::new(seed)) {
            Ok(made) => made.curve.verify().is_ok(),
            Err(Error::NothingFound { .. }) => false,
            Err(error) => panic!("seed {seed}: {error}"),
        })
        .collect();
    assert!(found.contains(&true) && found.contains(&false), "{found:?}");
}

#[test]
fn weak_sizes_need_permission() {
    let refused = |result: Result<Description, Error>| match result.unwrap_err() {
        Error::Insecure { bits, limit, least } => {
            assert_eq!(least, MIN_BITS);
            (bits, limit)
        }
        error => panic!("{error}"),
    };
    assert_eq!(refused(Generator::new("x").a(158, 512)), (79, Attack::SubgroupRho { bits: 158 }));
    let (bits, limit) = refused(Generator::new("x").a(160, 400));
    assert!(bits < 80 && limit == Attack::FieldLogarithm { bits: 800 });
    let result = Generator::new("x").a1(&[256, 256, 256, 256]);
    let message = result.as_ref().unwrap_err().to_string();
    assert!(message.contains("69 bits") && message.contains("256-bit prime factor"), "{message}");
    assert_eq!(refused(result), (69, Attack::EllipticCurveMethod { bits: 256 }));
    assert_eq!(refused(Generator::new("x").a1(&[384, 384])).1, Attack::Factoring { bits: 768 });
    // the caller's own primes are held to the same level
    assert!(matches!(Generator::new("x").a1_with([to_boxed(&BigUint::one())]), Err(Error::NoPrimes)));
    let own = [549755813911u64, 879609302263].map(BoxedUint::from);
    assert!(refused(Generator::new("x").a1_with(own)).0 <= 20);
}

#[test]
fn progress_is_reported() {
    let mut seen = Vec::new();
    generator().on_progress(|p| seen.push(p)).a1(&[64, 64]).unwrap();
    assert_eq!(seen[..2], [Progress::Factor { found: 1, wanted: 2 }, Progress::Factor { found: 2, wanted: 2 }]);
    assert_eq!(seen[2], Progress::Field { candidate: 1 });
    let mut fields = 0;
    generator().on_progress(|_| fields += 1).a(32, 96).unwrap();
    assert!(fields > 0);
}

mod friendly;
