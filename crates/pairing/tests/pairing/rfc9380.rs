//! The suites of RFC 9380 for BLS12-381: every intermediate value of the vectors of appendix J.9 and J.10, on words
//! and on the reference engine, and the isogenies as homomorphisms.

use crate::common;
use crate::common::Words;
use crate::common::sextic::{description, parameters, tower};
use bilinear_field::{Extension, Field, Lanes, Prime, at, plus, times};
use bilinear_pairing::bilinear_groups::BilinearGroups;
use bilinear_pairing::curve::{Affine, Curve, Jacobian};
use bilinear_pairing::hash::hash_to_field;
use bilinear_pairing::sextic::system;
use bilinear_pairing::sswu;
use bilinear_pairing::svdw::SvdwMap;
use num_bigint::{BigInt, BigUint};
use serde_json::Value;

/// One group with the data of its suite.
struct Side<'a, E: Extension> {
    curve: &'a Curve<E>,
    map: sswu::SswuMap<E>,
    /// The effective cofactor of RFC 9380, section 8.8.
    h_eff: BigUint,
    clear: &'a dyn Fn(&Affine<E>) -> Jacobian<E>,
}

/// Parses the coefficients of "0x…,0x…".
fn element(v: &Value) -> Vec<BigUint> {
    let hex = |c: &str| BigUint::parse_bytes(c.trim_start_matches("0x").as_bytes(), 16).unwrap();
    v.as_str().unwrap().split(',').map(hex).collect()
}

impl<E: Extension> Side<'_, E>
where
    E::Prime: Lanes,
{
    fn coefficients(&self, x: &E::Elem) -> Vec<BigUint> {
        let (e, mut out) = (self.curve.field(), vec![]);
        e.coefficients(x, &mut |c| out.push(e.prime().value(c, 0)));
        out
    }

    fn assert_point(&self, p: &Affine<E>, case: &Value, key: &str) {
        let what = format!("{key} of {}", case["msg"]);
        assert!(!self.curve.field().prime().lane(p.infinity, 0), "{what}");
        assert_eq!(self.coefficients(&p.x), element(&case[key]["x"]), "x of {what}");
        assert_eq!(self.coefficients(&p.y), element(&case[key]["y"]), "y of {what}");
    }

    fn affine(&self, p: Jacobian<E>) -> Affine<E> {
        self.curve.normalise(&[p]).remove(0)
    }

    fn reproduces(&self, file: &str) {
        let text = std::fs::read_to_string(common::folder().join("rfc9380").join(file)).unwrap();
        let vectors: Value = serde_json::from_str(&text).unwrap();
        let (e, tag) = (self.curve.field(), vectors["dst"].as_str().unwrap().as_bytes());
        let cases = vectors["vectors"].as_array().unwrap();
        assert_eq!(cases.len(), 5, "{file}");
        let elements = cases[0]["u"].as_array().unwrap().len();
        for case in cases {
            let message = case["msg"].as_str().unwrap().as_bytes();
            let u = hash_to_field(message, tag, e.prime().modulus(), elements * e.degree()).unwrap();
            let wanted: Vec<BigUint> = case["u"].as_array().unwrap().iter().flat_map(element).collect();
            assert_eq!(u, wanted, "u of {file}: {}", case["msg"]);
            let us: Vec<E::Elem> = u.chunks(e.degree()).map(|coefficients| e.element(coefficients)).collect();
            for (u, key) in us.iter().zip(if elements == 2 { ["Q0", "Q1"] } else { ["Q", ""] }) {
                self.assert_point(&self.affine(self.map.sum(std::slice::from_ref(u))), case, key);
            }
            let sum = self.affine(self.map.sum(&us));
            self.assert_point(&self.affine((self.clear)(&sum)), case, "P");
            self.assert_point(&self.affine(self.curve.mul(&self.h_eff, &sum)), case, "P");
        }
    }

    /// Checks that points of E' lead to the curve, and sums to sums, and that u = 0, the exception, leads to a point
    /// as well.
    fn is_homomorphic(&self) {
        let (e, source) = (self.curve.field(), self.map.source());
        let f = e.prime();
        let element = |i: u32| {
            let u: Vec<BigUint> = (0..e.degree() as u32).map(|j| (i * (j + 5) * (j + 5)).into()).collect();
            e.element(&u)
        };
        let points = self.map.on_source(&(0..8).map(element).collect::<Vec<_>>());
        for (p, q) in points.iter().zip(&points[1..]) {
            let sum = source.add(&source.to_jacobian(p), q);
            let [image_p, image_q, image] =
                [source.to_jacobian(p), source.to_jacobian(q), sum].map(|p| self.affine(self.map.isogeny(&p)));
            assert!(f.lane(source.contains(p), 0) && f.lane(self.curve.contains(&image_p), 0));
            let sum = self.affine(self.curve.add(&self.curve.to_jacobian(&image_p), &image_q));
            assert_eq!(self.coefficients(&sum.x), self.coefficients(&image.x));
            assert_eq!(self.coefficients(&sum.y), self.coefficients(&image.y));
        }
        assert!(f.lane(e.is_zero(&self.map.isogeny(&source.infinity()).z), 0), "O leads to O");
    }
}

#[test]
fn every_suite_is_reproduced() {
    let s = description("bls12-381");
    let f = Words::new(s.p()).unwrap();
    let over = system(&tower("bls12-381"), &parameters("bls12-381"), f);
    let hex = |text: &str| BigUint::parse_bytes(text.as_bytes(), 16).unwrap();
    let g1 = Side {
        curve: over.g1(),
        map: sswu::SswuMap::new(over.fp(), s.g1_suite().unwrap()),
        h_eff: hex("d201000000010001"),
        clear: &|p| over.clear_cofactor_g1(p),
    };
    let g2 = Side {
        curve: over.g2(),
        map: sswu::SswuMap::new(over.e(), s.g2_suite().unwrap()),
        h_eff: hex(concat!(
            "bc69f08f2ee75b3584c6a0ea91b352888e2a8e9145ad7689986ff031508ffe1329c2f178731db956d82bf015d1212b02",
            "ec0ec69d7477c1ae954cbc06689f6a359894c0adebbf6b4e8020005aaa95551"
        )),
        clear: &|q| over.clear_cofactor_g2(q),
    };
    for kind in ["RO", "NU"] {
        g1.reproduces(&format!("BLS12381G1_XMD_SHA-256_SSWU_{kind}_.json"));
        g2.reproduces(&format!("BLS12381G2_XMD_SHA-256_SSWU_{kind}_.json"));
    }
    g1.is_homomorphic();
    g2.is_homomorphic();
}

/// 1 − u and 3(u² − 1)h₂ on another BLS12 curve with a negative seed.
#[test]
fn effective_cofactors_of_another_curve() {
    let s = description("bls12-461");
    let over = system(&tower("bls12-461"), &parameters("bls12-461"), Words::new(s.p()).unwrap());
    let u = s.u();
    let one = BigInt::from(1);
    let h1: BigInt = &one - u;
    let h2: BigInt = BigInt::from(s.h2().clone()) * 3 * (u * u - &one);
    assert!(h1 > BigInt::ZERO, "the seed is negative");
    let (f, e) = (over.fp(), over.e());
    // points outside the groups; −1 and 1 + i are non-squares
    let p =
        SvdwMap::new(over.g1(), &f.constant(&(s.p() - 1u32))).points(over.g1(), &[f.constant(&7u32.into())]).remove(0);
    let q = e.element(&[3u32.into(), 5u32.into()]);
    let q = SvdwMap::new(over.g2(), &e.element(&[1u32.into(), 1u32.into()])).points(over.g2(), &[q]).remove(0);
    assert!(!f.lane(over.in_g1(&p), 0) && !f.lane(over.in_g2(&q), 0));
    let [fast, slow] =
        [over.clear_cofactor_g1(&p), over.g1().mul(h1.magnitude(), &p)].map(|p| over.g1().normalise(&[p]).remove(0));
    assert!(f.lane(f.and(f.equal(&fast.x, &slow.x), f.equal(&fast.y, &slow.y)), 0));
    assert!(f.lane(over.in_g1(&fast), 0) && !f.lane(fast.infinity, 0));
    let [fast, slow] =
        [over.clear_cofactor_g2(&q), over.g2().mul(h2.magnitude(), &q)].map(|q| over.g2().normalise(&[q]).remove(0));
    assert!(f.lane(f.and(e.equal(&fast.x, &slow.x), e.equal(&fast.y, &slow.y)), 0));
    assert!(f.lane(over.in_g2(&fast), 0) && !f.lane(fast.infinity, 0));
}

/// Z of the map of Shallue and van de Woestijne is the first integer that serves, over extension fields too (appendix
/// H.1). The map leads from 0 to x = −Z/2, or Z − 4g(Z)/(3Z²).
#[test]
fn z_is_the_first_integer_that_serves() {
    for (name, z, xi) in
        [("alt-bn128", 1, [9u32, 1]), ("bn-254n", 1, [1, 1]), ("bls12-377", 2, [0, 1]), ("bls12-461", 4, [1, 1])]
    {
        let s = description(name);
        let over = system(&tower(name), &parameters(name), Words::new(s.p()).unwrap());
        let (curve, e) = (over.g2(), over.e());
        let integer = |n: u32| e.element(&[n.into()]);
        let p = SvdwMap::new(curve, &e.element(&xi.map(BigUint::from))).points(curve, &[e.zero()]).remove(0);
        let mut found = vec![];
        for z in [integer(z), at!(e; neg(&integer(z)))] {
            let g = curve.rhs(&z);
            at! {e;
                zz = sqr(&z);
                three_zz = sum(&[times(3, &zz)]);
                inverse = inv(&three_zz);
                quotient = mul(&g, &inverse);
                x3 = sum(&[plus(&z), times(-4, &quotient)]);   // Z − 4g(Z)/(3Z²)
                two_x = sum(&[times(2, &p.x)]);
                twice = sum(&[plus(&two_x), plus(&z)]);        // 2x + Z
            }
            found.push(e.prime().lane(e.is_zero(&twice), 0) || e.prime().lane(e.equal(&x3, &p.x), 0));
        }
        assert_eq!(found.iter().filter(|found| **found).count(), 1, "{name}");
    }
}
