//! RELIC's value on KSS18-638, whose tower is another one: J³ = 3, W^6 = 8 + J, against w^18 = β here. The fields are
//! isomorphic; this test finds J and W in F_p[w]/(w^18 − β), with plain big integers, and converts RELIC's points and
//! value.

use crate::common;
use bilinear_engine::{Group, PointRef, System, Validate};
use bilinear_params::{Description, Family, Twist};
use num_bigint::BigUint;
use serde_json::Value;

type Element = Vec<BigUint>;

/// The field F_p[x]/(x^n − β).
struct Binomial<'a> {
    p: &'a BigUint,
    beta: BigUint,
    n: usize,
}

impl Binomial<'_> {
    fn constant(&self, c: &BigUint) -> Element {
        self.monomial(c, 0)
    }

    /// Returns c·x^i.
    fn monomial(&self, c: &BigUint, i: usize) -> Element {
        let mut out = vec![BigUint::ZERO; self.n];
        out[i] = c % self.p;
        out
    }

    fn add(&self, a: &Element, b: &Element) -> Element {
        a.iter().zip(b).map(|(a, b)| (a + b) % self.p).collect()
    }

    fn mul(&self, a: &Element, b: &Element) -> Element {
        let mut out = vec![BigUint::ZERO; self.n];
        for (i, a) in a.iter().enumerate().filter(|(_, a)| **a != BigUint::ZERO) {
            for (j, b) in b.iter().enumerate() {
                let (place, factor) =
                    if i + j < self.n { (i + j, a * b) } else { (i + j - self.n, a * b * &self.beta) };
                out[place] += factor;
            }
        }
        out.iter().map(|c| c % self.p).collect()
    }

    fn pow(&self, a: &Element, e: &BigUint) -> Element {
        let one = self.constant(&1u32.into());
        (0..e.bits()).rev().fold(one, |power, i| {
            let square = self.mul(&power, &power);
            if e.bit(i) { self.mul(&square, a) } else { square }
        })
    }

    fn inverse(&self, a: &Element) -> Element {
        self.pow(a, &(self.p.pow(self.n as u32) - 2u32))
    }

    /// Returns y with y^n = a, if there is one, for n with the prime factors 2 and 3, of which x is no power. With m
    /// the part of q − 1 that is prime to 6, a^(1/n mod m) is y up to a power of x^m, of which there are few.
    fn root(&self, a: &Element, n: u32) -> Option<Element> {
        let mut m = self.p.pow(self.n as u32) - 1u32;
        for prime in [2u32, 3] {
            while &m % prime == BigUint::ZERO {
                m /= prime;
            }
        }
        let about = self.pow(a, &BigUint::from(n).modinv(&m).unwrap());
        let x = if self.n == 1 { self.constant(&self.beta) } else { self.monomial(&1u32.into(), 1) };
        let step = self.pow(&x, &m);
        let mut y = about.clone();
        loop {
            if self.pow(&y, &n.into()) == *a {
                return Some(y);
            }
            y = self.mul(&y, &step);
            if y == about {
                return None;
            }
        }
    }
}

fn numbers(v: &Value) -> Element {
    let parse = |x: &Value| BigUint::parse_bytes(x.as_str().unwrap().trim_start_matches("0x").as_bytes(), 16).unwrap();
    v.as_array().unwrap().iter().map(parse).collect()
}

#[test]
fn kss18_638() {
    let file = common::vectors().join("relic/params-kss18-638.json");
    let v: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!((v["twist_type"].as_str(), v["b"][0].as_str()), (Some("M"), Some("0x6")));
    let u = v["x"].as_str().unwrap();
    let text = format!("name = \"relic\"\nfamily = \"kss18\"\n[parameters]\nu = \"{u}\"\nb = \"6\"\n");
    let curve = Description::from_toml(&text, "relic.toml").unwrap().curve;
    let Family::Sextic(s) = curve.family() else { panic!() };
    let numbers_of = ["p", "r", "h1"].map(|key| numbers(&Value::Array(vec![v[key].clone()])).remove(0));
    assert_eq!([s.p(), s.r(), s.h1()], numbers_of.each_ref());
    let (p, beta) = (s.p(), s.tower().unwrap().beta_mod(s.p()));
    let prime = Binomial { p, beta: beta.clone(), n: 1 };
    let cubic = Binomial { p, beta: beta.clone(), n: 3 };
    let full = Binomial { p, beta, n: 18 };
    let invert = |x: &BigUint| x.modinv(p).unwrap();

    // J = c·j^e with c³·β^e = 3
    let three = BigUint::from(3u32);
    let cube = |e: u32| {
        prime.root(&vec![&three * invert(&prime.beta.pow(e)) % p], 3).map(|c| cubic.monomial(&c[0], e as usize))
    };
    let big_j = cube(1).or_else(|| cube(2)).unwrap();
    assert_eq!(cubic.pow(&big_j, &three), cubic.constant(&three));
    // W = t·w^e with t^6·j^e = 8 + J
    let xi = cubic.add(&big_j, &cubic.constant(&8u32.into()));
    let lift = |x: &Element| {
        let mut out = full.constant(&BigUint::ZERO);
        x.iter().enumerate().for_each(|(i, c)| out[6 * i] = c.clone());
        out
    };
    let sixth = |e: u32| {
        let power = cubic.inverse(&cubic.pow(&cubic.monomial(&1u32.into(), 1), &e.into()));
        Some(full.mul(&lift(&cubic.root(&cubic.mul(&xi, &power), 6)?), &full.monomial(&1u32.into(), e as usize)))
    };
    let big_w = sixth(1).or_else(|| sixth(5)).unwrap();
    assert_eq!(full.pow(&big_w, &6u32.into()), lift(&xi));

    // Σ c_i·J^a·W^(2b + d), i = a + 3b + 9d
    let big_j = lift(&big_j);
    let carry = |values: &Element| {
        let terms = values.iter().enumerate().map(|(i, c)| {
            let (a, power) = (i % 3, 2 * (i / 3 % 3) + i / 9);
            let term = full.mul(&full.pow(&big_j, &a.into()), &full.pow(&big_w, &power.into()));
            full.mul(&full.constant(c), &term)
        });
        terms.fold(full.constant(&BigUint::ZERO), |sum, term| full.add(&sum, &term))
    };
    let encoded = |coefficients: &[BigUint]| -> Vec<u8> {
        let bytes = |c: &BigUint| {
            let bytes = c.to_bytes_be();
            [vec![0; s.p().bits().div_ceil(8) as usize - bytes.len()], bytes].concat()
        };
        coefficients.iter().flat_map(bytes).collect()
    };
    let ours = System::new(&curve).unwrap();
    // RELIC's twist is y² = x³ + bξ: (x/W², y/W³) is on the curve; from there to the twist of this library
    let untwist = full.mul(&full.pow(&big_w, &5u32.into()), &lift(&cubic.inverse(&xi)));
    let w = full.monomial(&1u32.into(), 1);
    let twist = if s.twist() == Some(Twist::M) { w } else { full.monomial(&invert(&full.beta), 17) };
    let g2 = |name: &str| {
        let coordinate = |c: &str, n: u32| {
            let x = carry(&numbers(&v[format!("{name}_{c}")]));
            let factor = full.pow(&full.mul(&untwist, &twist), &n.into());
            let x = full.mul(&x, &factor);
            assert!(x.iter().enumerate().all(|(i, c)| i % 6 == 0 || *c == BigUint::ZERO), "in F_p³");
            [x[0].clone(), x[6].clone(), x[12].clone()]
        };
        let bytes = encoded(&[coordinate("x", 2), coordinate("y", 3)].concat());
        ours.decode(Group::G2, PointRef::Bytes(&bytes), Validate::Subgroup).unwrap()
    };
    let g1 = |name: &str| {
        let bytes = encoded(&["x", "y"].map(|c| numbers(&v[format!("{name}_{c}")])[0].clone()));
        ours.decode(Group::G1, PointRef::Bytes(&bytes), Validate::Subgroup).unwrap()
    };
    // 3u²/49 times the exact exponent
    let (r, u) = (s.r(), s.u().magnitude());
    let power = 3u32 * u * u * BigUint::from(49u32).modinv(r).unwrap() % r;
    for (p, q, key) in [("g1", "g2", "e_G1_G2"), ("g1x2", "g2x3", "e_2G1_3G2")] {
        let flat = carry(&numbers(&v[key]));
        // the coefficients of 1, j, j² of w^0, w^2, w^4, w, w^3, w^5
        let nested: Vec<BigUint> =
            [0, 2, 4, 1, 3, 5].into_iter().flat_map(|i| [i, i + 6, i + 12].map(|i| flat[i].clone())).collect();
        assert_eq!(ours.gt_pow(&ours.pair(&g1(p), &g2(q)), &power).bytes(), encoded(&nested), "{key}");
    }
}
