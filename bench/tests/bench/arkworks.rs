//! arkworks on the same random inputs: points and their encodings both ways, pairing values, points of the tori.
//!
//! ark-ec raises to a multiple of the exact exponent (p^k − 1)/r: 3 for BLS12 (Hayashida, Hayasaka and Teruya, ePrint 2020/875),
//! 2u(6u² + 3u + 1) for BN (Fuentes-Castañeda, Knapp and Rodríguez-Henríquez, SAC 2011). Those are our fast powers.

use ark_ec::pairing::Pairing;
use ark_ec::{CurveGroup, PrimeGroup};
use ark_ff::{BigInteger, Field, PrimeField};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};
use bilinear_engine::{Encoding, Group, Gt, GtEncoding, Options, Point, Power, System, Validate};
use bilinear_params::Curve;
use num_bigint::BigUint;

/// The seed of all inputs; a failure prints it.
const SEED: u64 = 0x5eed_2026_1122_0001;
const POINTS: usize = 24;

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014).
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below r, as limbs and as an integer.
    fn scalar(&mut self, r: &BigUint) -> ([u64; 4], BigUint) {
        let limbs: [u64; 4] = std::array::from_fn(|_| self.next());
        let value =
            BigUint::from_slice(&limbs.iter().flat_map(|w| [*w as u32, (*w >> 32) as u32]).collect::<Vec<_>>()) % r;
        let mut digits = value.iter_u64_digits();
        (std::array::from_fn(|_| digits.next().unwrap_or(0)), value)
    }
}

/// One encoding, as ark-serialize writes it and as we do.
fn same_bytes<G: CanonicalSerialize + CanonicalDeserialize + PartialEq + std::fmt::Debug>(
    system: &System,
    encoding: Encoding,
    compressed: bool,
    (theirs, ours): (&G, &Point),
    what: &str,
) {
    let mut bytes = vec![];
    if compressed {
        theirs.serialize_compressed(&mut bytes).unwrap();
    } else {
        theirs.serialize_uncompressed(&mut bytes).unwrap();
    }
    let written = system.encode_as(encoding, ours).unwrap();
    assert_eq!(written, bytes, "{what}");
    assert_eq!(system.decode_as(encoding, ours.group(), &bytes, Validate::Subgroup).as_ref(), Ok(ours), "{what}");
    let read =
        if compressed { G::deserialize_compressed(&written[..]) } else { G::deserialize_uncompressed(&written[..]) };
    assert_eq!(read.as_ref().unwrap(), theirs, "{what}");
}

/// The coefficients of an element of F_p^k as we write them.
fn coefficients<F: Field>(x: &F) -> Vec<u8> {
    x.to_base_prime_field_elements().flat_map(|c| c.into_bigint().to_bytes_be()).collect()
}

/// The points of the tori by arkworks' arithmetic: cw = (x − 1)/(x + 1), m = w(x + 1)/(x − 1), where w has the first of the odd
/// coefficients.
fn on_the_tori<F: Field>(system: &System, x: &F, ours: &Gt, what: &str) {
    let place = F::extension_degree() as usize / 2;
    let basis = (0..2 * place).map(|i| F::BasePrimeField::from(u64::from(i == place)));
    let w = F::from_base_prime_field_elems(basis).unwrap();
    let cw = (*x - F::ONE) / (*x + F::ONE);
    let m = w * cw.inverse().unwrap();
    let (cw, m) = (coefficients(&cw), coefficients(&m));
    assert!(cw[..cw.len() / 2].iter().chain(&m[m.len() / 2..]).all(|byte| *byte == 0), "{what}");
    assert_eq!(system.encode_gt_as(GtEncoding::Torus2, ours).unwrap(), cw[cw.len() / 2..], "{what}");
    assert_eq!(system.encode_gt_as(GtEncoding::Torus6, ours).unwrap(), m[m.len() / 6..m.len() / 2], "{what}");
}

fn compare<E: Pairing>(name: &str, encodings: [(Encoding, bool); 2], multiple: impl Fn(&BigUint) -> BigUint) {
    let curve = Curve::named(name).unwrap();
    let exact = System::new(&curve).unwrap();
    let fast = System::with(&curve, Options { power: Power::Fast, ..Options::default() }).unwrap();
    let order = exact.order().clone();
    assert_eq!(order.to_bytes_be(), E::ScalarField::MODULUS.to_bytes_be());
    let mut random = SplitMix(SEED);
    let one = (E::G1::generator(), E::G2::generator(), exact.generator(Group::G1), exact.generator(Group::G2));
    for i in 0..POINTS {
        let what = format!("{name}, input {i} of seed {SEED:#x}");
        let ((a, ours_a), (b, ours_b)) = (random.scalar(&order), random.scalar(&order));
        let (p, q) = (one.0.mul_bigint(a).into_affine(), one.1.mul_bigint(b).into_affine());
        let (ours_p, ours_q) = (exact.mul(&ours_a, &one.2), exact.mul(&ours_b, &one.3));
        for (encoding, compressed) in encodings {
            same_bytes(&exact, encoding, compressed, (&p, &ours_p), &what);
            same_bytes(&exact, encoding, compressed, (&q, &ours_q), &what);
        }
        let theirs = E::pairing(p, q).0;
        let value = exact.pair(&ours_p, &ours_q);
        let power = exact.gt_pow(&value, &multiple(&order));
        assert_eq!(power.bytes(), coefficients(&theirs), "{what}");
        assert_eq!(fast.pair(&ours_p, &ours_q).bytes(), coefficients(&theirs), "{what}");
        on_the_tori(&exact, &theirs, &power, &what);
    }
    // O
    let (p, q) = (E::G1::default().into_affine(), E::G2::default().into_affine());
    for (encoding, compressed) in encodings {
        same_bytes(&exact, encoding, compressed, (&p, &exact.infinity(Group::G1)), name);
        same_bytes(&exact, encoding, compressed, (&q, &exact.infinity(Group::G2)), name);
    }
}

#[test]
fn bls12_381() {
    let encodings = [(Encoding::Zcash, true), (Encoding::ZcashUncompressed, false)];
    compare::<ark_bls12_381::Bls12_381>("bls12-381", encodings, |_| 3u32.into());
}

#[test]
fn alt_bn128() {
    let encodings = [(Encoding::Arkworks, true), (Encoding::ArkworksUncompressed, false)];
    let u = BigUint::from(0x44e9_92b4_4a69_09f1u64);
    let multiple = |r: &BigUint| (2u32 * &u * (6u32 * &u * &u + 3u32 * &u + 1u32)) % r;
    compare::<ark_bn254::Bn254>("alt-bn128", encodings, multiple);
}
