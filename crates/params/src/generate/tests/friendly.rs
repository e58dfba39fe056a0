//! Montgomery-friendly characteristics: the residue that was promised, in curves that are valid in every other way.

use num_integer::Integer;

use super::*;
use crate::generate::friendly::{exponent_a, exponent_a1};
use crate::solinas::Solinas;

/// q = 3 mod 2^k: its limbs in radix 2^52, the identity that makes reduction cheap, and what the curve says about itself.
fn assert_friendly(made: &Description, k: usize, what: &str) {
    let q = parameters(made).q();
    let limb = |i: usize| (q >> (52 * i)) % (BigUint::one() << 52);
    assert!(k.is_multiple_of(52) && k >= 104 && k as u64 <= q.bits() / 2, "{what}: {k}");
    assert_eq!(limb(0), BigUint::from(3u8), "{what}");
    assert!((1..k / 52).all(|i| limb(i) == BigUint::ZERO), "{what}");
    let u = BigUint::from(((1u64 << 52) - 1) / 3);
    let (quotient, rest) = (q * &u + 1u8).div_rem(&(BigUint::one() << 52));
    assert_eq!((rest, quotient % (BigUint::one() << (k - 52))), (BigUint::ZERO, BigUint::one()), "{what}");
    assert!(made.curve.source().contains(&format!("3 mod 2^{k} (Montgomery-friendly)")), "{}", made.curve.source());
    made.curve.verify().unwrap();
    let copy = Description::from_toml(&made.curve.to_toml(), "copy").unwrap();
    assert_eq!(copy.curve, made.curve, "{what}");
}

fn assert_a1(made: &Description, sizes: &[usize], k: usize, what: &str) {
    assert_friendly(made, k, what);
    let s = parameters(made);
    assert_eq!(*s.cofactor(), BigUint::from(4u8), "{what}");
    assert_eq!(s.factors(), None, "{what}: secret factors are not in the curve");
    let primes = made.factors.as_ref().unwrap().to_biguints();
    assert_eq!(primes.iter().product::<BigUint>(), *s.order(), "{what}");
    assert!(k as u64 <= s.order().bits() / 2, "{what}");
    assert_eq!(primes.len(), sizes.len(), "{what}");
    for (p, &bits) in primes.iter().zip(sizes) {
        let top = bits as u64 - 1;
        assert!(p.bits() == bits as u64 && p.bit(top) && p.bit(top - 1), "{what}: {bits} bits, the two top ones set");
        assert!(is_prime(p), "{what}");
    }
    // PBC's file of the curve with its factors
    let (p, n) = (s.q(), s.order());
    let mut text = format!("type a1\np {p}\nn {n}\nl 4\n");
    primes.iter().enumerate().for_each(|(i, prime)| text.push_str(&format!("n{i} {prime}\n")));
    let read = Description::from_pbc(&text, "made.param").unwrap();
    assert_eq!(read.curve.fingerprint(), made.curve.fingerprint(), "{what}");
    assert_eq!(read.factors.unwrap().to_biguints(), primes, "{what}");
}

#[test]
fn a1_with_a_friendly_field() {
    for seed in 0..6 {
        for (sizes, k) in [
            (&[148, 148][..], 104),
            (&[64, 150], 104),
            (&[150, 64], 104),
            (&[40, 40, 180, 40], 104),
            (&[208, 40], 104),
            (&[200, 160, 200], 156),
            (&[256, 256], 208),
        ] {
            let what = format!("seed {seed}, sizes {sizes:?}");
            let made = generator().friendly(true).a1_from(sizes, &mut SeededRng::new(seed)).unwrap();
            assert_a1(&made, sizes, k, &what);
            let again = generator().friendly(true).a1_from(sizes, &mut SeededRng::new(seed)).unwrap();
            assert_eq!(again.curve, made.curve, "{what}: the same randomness gives the same curve");
        }
    }
}

#[test]
fn a1_at_full_size() {
    let made = Generator::new("full").friendly(true).a1_from(&[512, 512], &mut SeededRng::new(1)).unwrap();
    assert_a1(&made, &[512, 512], 468, "seed 1");
    assert_eq!(parameters(&made).q().bits(), 1026);
}

#[test]
fn a_with_a_friendly_field() {
    for seed in 0..6 {
        for (r_bits, q_bits, k) in [(32, 240, 104), (16, 300, 104), (100, 416, 156), (160, 512, 156), (200, 408, 104)] {
            let what = format!("seed {seed}, r of {r_bits}, q of {q_bits} bits");
            let made = generator().friendly(true).a_from(r_bits, q_bits, &mut SeededRng::new(seed)).unwrap();
            assert_friendly(&made, k, &what);
            let s = parameters(&made);
            assert_eq!((s.order().bits(), s.q().bits()), (r_bits as u64, q_bits as u64), "{what}");
            assert!(s.cofactor().is_multiple_of(&BigUint::from(12u8)), "{what}");
            // PBC's file with the form of r
            let (q, h, r) = (s.q(), s.cofactor(), s.order());
            let form = solinas(r_bits as u32, r);
            let Solinas { exp2, exp1, sign1, sign0 } = form;
            let text = format!("type a\nq {q}\nh {h}\nr {r}\nexp2 {exp2}\nexp1 {exp1}\nsign1 {sign1}\nsign0 {sign0}\n");
            let read = Description::from_pbc(&text, "made.param").unwrap().curve;
            assert_eq!(read.fingerprint(), made.curve.fingerprint(), "{what}");
        }
    }
}

/// r = 2^exp2 + sign1 2^exp1 + sign0, found by trying.
fn solinas(bits: u32, r: &BigUint) -> Solinas {
    let all = (1..bits - 1).flat_map(|exp1| {
        [(bits - 1, 1), (bits, -1)]
            .into_iter()
            .flat_map(move |(exp2, sign1)| [1, -1].map(|sign0| Solinas { exp2, exp1, sign1, sign0 }))
    });
    all.into_iter().find(|form| form.value().as_ref() == Some(r)).unwrap()
}

#[test]
fn the_largest_exponent() {
    // what the documentation states
    assert_eq!(exponent_a1(&[512, 512]).unwrap(), 468);
    assert_eq!(exponent_a1(&[1024, 1024]).unwrap(), 936);
    assert_eq!(exponent_a1(&[342, 342, 342]).unwrap(), 260);
    assert_eq!(exponent_a(160, 512).unwrap(), 156);
    assert_eq!(exponent_a(256, 1536).unwrap(), 624);
    // a short field, a long order
    assert_eq!(exponent_a(224, 432).unwrap(), 104);
}

#[test]
fn too_small_for_a_friendly_field() {
    let least = |result: Result<Description, Error>| match result.unwrap_err() {
        Error::TooFewBits { bits, least, .. } => (bits, least),
        error => panic!("{error}"),
    };
    let a1 = |sizes: &[usize]| generator().friendly(true).a1(sizes);
    let a = |r, q| generator().friendly(true).a(r, q);
    assert_eq!(least(a1(&[147, 147])), (147, 148));
    assert_eq!(least(a1(&[148, 59])), (207, 208));
    assert!(a1(&[148, 60]).is_ok());
    assert_eq!(least(a(32, 239)), (239, 240));
    assert_eq!(least(a(100, 307)), (307, 308));
    assert!(a(32, 240).is_ok() && a(100, 308).is_ok());
    let message = a1(&[128, 128]).unwrap_err().to_string();
    assert_eq!(
        message,
        "for a Montgomery-friendly q, the longest prime factor of 128 bits is too small: at least 148 bits are needed"
    );
    // other faults come first
    assert!(matches!(a1(&[]), Err(Error::NoPrimes)));
    assert!(matches!(a(15, 512), Err(Error::TooFewBits { .. })));
    assert!(matches!(Generator::new("x").friendly(true).a1(&[148, 148]), Err(Error::Insecure { .. })));
}

#[test]
fn what_is_given_cannot_be_made_friendly() {
    let refused = |result: Result<Description, Error>| match result.unwrap_err() {
        Error::NotFriendly { what } => what,
        error => panic!("{error}"),
    };
    let own = [549755813911u64, 879609302263].map(BoxedUint::from);
    assert_eq!(refused(generator().friendly(true).a1_with(own)), "primes of your own");
    assert_eq!(refused(generator().friendly(true).seed(SexticKind::Bn, BigInt::from(1))), "a seed");
}

#[test]
fn progress_of_a_friendly_search() {
    let mut seen = Vec::new();
    generator().friendly(true).on_progress(|p| seen.push(p)).a1(&[148, 64, 148]).unwrap();
    let factor = |found| Progress::Factor { found, wanted: 3 };
    assert_eq!(seen[..3], [factor(1), factor(2), Progress::Field { candidate: 1 }]);
    assert_eq!(seen.last(), Some(&factor(3)));
}
