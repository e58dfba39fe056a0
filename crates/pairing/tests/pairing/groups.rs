//! Multiplication in the groups of every shipped curve with a sextic twist, where automorphisms split the scalar,
//! compared with double-and-add and square-and-multiply.

use crate::common::Words;
use crate::common::sextic::{generators, names, parameters, tower};
use bilinear_field::{Extension, Field, Lanes, Prime, pow};
use bilinear_pairing::bilinear_groups::{BilinearGroups, Pair};
use bilinear_pairing::curve::{Affine, Curve, Jacobian};
use bilinear_pairing::names::PairingKind;
use bilinear_pairing::sextic::system;
use bilinear_pairing::to_curve::{CurveMap, MapMethod};
use bilinear_program::Recorder;
use num_bigint::BigUint;

/// A deterministic source of scalars.
struct Scalars(u64);

impl Scalars {
    /// Returns the next scalar, which is below 2^bits.
    fn next(&mut self, bits: u64) -> BigUint {
        let words = (0..bits.div_ceil(32)).map(|_| {
            // Steele, Lea and Flood's splitmix64
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            ((x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb) >> 32) as u32
        });
        BigUint::from_slice(&words.collect::<Vec<_>>()) % (BigUint::from(1u32) << bits)
    }
}

const SEED: u64 = 0x5eed_0001;

/// Returns edge cases, borders of parts, long runs and a few random scalars.
fn scalars(r: &BigUint, p: &BigUint) -> Vec<BigUint> {
    let lambda = p % r;
    let mut all: Vec<BigUint> = [0u32, 1, 2, 3].map(BigUint::from).to_vec();
    all.extend([r - 1u32, r.clone(), r + 1u32, r >> 1u32, (r >> 1u32) + 1u32, r / 3u32]);
    for i in [1u32, 2, 3] {
        let power = lambda.modpow(&i.into(), r);
        all.extend([&power - 1u32, power.clone(), (r - &power), &power >> 1u32]);
    }
    all.push((BigUint::from(1u32) << (r.bits() - 1)) - 1u32);
    let mut source = Scalars(SEED);
    all.extend((0..6).map(|_| source.next(r.bits() + 3)));
    all
}

/// Returns kP by double-and-add from the top bit down.
fn slow<F: Field>(curve: &Curve<F>, k: &BigUint, p: &Affine<F>) -> Jacobian<F> {
    (0..k.bits()).rev().fold(curve.infinity(), |acc, i| {
        let double = curve.double(&acc);
        if k.bit(i) { curve.add(&double, p) } else { double }
    })
}

/// Encodes k in big-endian bytes, `more` bytes longer than r.
fn bytes(k: &BigUint, r: &BigUint, more: usize) -> Vec<u8> {
    let digits = k.to_bytes_be();
    let len = (r.bits().div_ceil(8) as usize + more).max(digits.len());
    [vec![0; len - digits.len()], digits].concat()
}

/// Returns true if both are the same point.
fn same<E: Extension>(curve: &Curve<E>, a: &Jacobian<E>, b: &Jacobian<E>) -> bool
where
    E::Prime: Lanes,
{
    let e = curve.field();
    let [a, b] = [a, b].map(|p| curve.normalise(std::slice::from_ref(p)).remove(0));
    let lane = |mask| e.prime().lane(mask, 0);
    lane(a.infinity) == lane(b.infinity) && lane(e.equal(&a.x, &b.x)) && lane(e.equal(&a.y, &b.y))
}

#[test]
fn multiples_on_every_curve() {
    let names = names();
    assert!(names.len() >= 14, "{names:?}");
    for name in names {
        let n = parameters(name);
        let f = Words::new(&n.p).unwrap();
        let over = system(&tower(name), &n, f.clone());
        let (p, q) = generators(name, &over);
        let pair = Pair { p: p.clone(), q: q.clone(), infinite: None };
        let x = &over.final_exponentiation(&over.miller(PairingKind::OptAte, &[pair]));
        let target = over.target();
        assert!(f.lane(over.in_g1(&p), 0) && f.lane(over.in_g2(&q), 0) && f.lane(over.in_gt(x), 0), "{name}");
        for (i, k) in scalars(&n.r, &n.p).into_iter().enumerate() {
            let what = format!("{k} on {name}, seed {SEED:#x}");
            let want = slow(over.g1(), &k, &p);
            assert!(same(over.g1(), &over.g1().mul(&k, &p), &want), "G1, {what}");
            let want_q = slow(over.g2(), &k, &q);
            let power = pow(target, x, &k);
            // every fourth scalar with more bytes too
            let longer: &[usize] = if i % 4 == 0 { &[0, 9] } else { &[0] };
            for more in longer {
                let k = bytes(&k, &n.r, *more);
                assert!(same(over.g1(), &over.mul_g1_secret(&[&k], &p), &want), "secret, G1, {what}");
                assert!(same(over.g2(), &over.mul_g2_secret(&[&k], &q), &want_q), "secret, G2, {what}");
                assert!(f.lane(target.equal(&over.gt_pow_secret(x, &[&k]), &power), 0), "secret, GT, {what}");
            }
            let o = Affine { infinity: f.mask(true), ..p.clone() };
            assert!(
                f.lane(f.is_zero(&over.g1().mul(&k, &o).z), 0)
                    && f.lane(f.is_zero(&over.mul_g1_secret(&[&bytes(&k, &n.r, 0)], &o).z), 0)
            );
        }
        let k = [0x35, 0x7f];
        let want = slow(over.g2(), &0x357fu32.into(), &q);
        assert!(same(over.g2(), &over.mul_g2_secret(&[&k], &q), &want), "a short secret on {name}");
        let o = Affine { infinity: f.mask(true), ..q };
        assert!(f.lane(over.e().is_zero(&over.mul_g2_secret(&[&k], &o).z), 0), "O on {name}");
    }
}

/// Returns points of the curve, one of every order that the cofactor makes easy.
fn outsiders<E>(curve: &Curve<E>, r: &BigUint, h: &BigUint) -> Vec<Affine<E>>
where
    E: Extension,
    E::Prime: Lanes,
{
    let e = curve.field();
    let q = e.prime().modulus().pow(e.degree() as u32);
    let integer = |n: u32| e.element(&(0..e.degree()).map(|i| BigUint::from(n) >> i).collect::<Vec<_>>());
    let is_square = |x: &E::Elem| {
        let power = pow(e, x, &((&q - 1u32) >> 1u32));
        e.prime().lane(e.equal(&power, &e.one()), 0)
    };
    let non_square = (2u32..).map(integer).find(|x| !is_square(x)).unwrap();
    let map = CurveMap::new(curve, &MapMethod::Svdw, &non_square);
    let order = h * r;
    let primes: Vec<u32> = (2..2000).filter(|l| (2..*l).all(|d| l % d != 0) && h % *l == BigUint::ZERO).collect();
    let mut multiples = vec![];
    // points of all orders from the first point
    for (n, primes) in [(3u32, &primes[..]), (5, &[])] {
        let point = curve.normalise(&[map.sum(curve, &[integer(n)])]).remove(0);
        let times = |k: &BigUint| slow(curve, k, &point);
        assert!(e.prime().lane(e.is_zero(&times(&order).z), 0), "the order of the curve");
        multiples.extend([times(&1u32.into()), times(r), times(h), times(&(h + r))]);
        multiples.extend(primes.iter().flat_map(|l| [times(&(&order / l)), times(&(h + &order / l)), times(&(h / l))]));
    }
    curve.normalise(&multiples)
}

/// Multiples by the cofactors, by endomorphisms and by the bits of the cofactors.
#[test]
fn multiples_by_the_cofactors() {
    for name in names() {
        let n = parameters(name);
        let f = Words::new(&n.p).unwrap();
        let over = system(&tower(name), &n, f.clone());
        for p in outsiders(over.g1(), &n.r, &n.cofactors[0]) {
            let want = slow(over.g1(), &n.cofactors[0], &p);
            assert!(same(over.g1(), &over.times_g1_cofactor(&p), &want), "G1 of {name}");
        }
        let points = outsiders(over.g2(), &n.r, &n.cofactors[1]);
        let o = Affine { infinity: f.mask(true), ..points[0].clone() };
        for q in points.iter().chain([&o]) {
            let want = slow(over.g2(), &n.cofactors[1], q);
            assert!(same(over.g2(), &over.times_g2_cofactor(q), &want), "G2 of {name}");
        }
    }
}

#[test]
fn membership_of_points_of_every_order() {
    for name in names() {
        let n = parameters(name);
        let f = Words::new(&n.p).unwrap();
        let over = system(&tower(name), &n, f.clone());
        let (mut inside, mut outside) = (0, 0);
        for p in outsiders(over.g1(), &n.r, &n.cofactors[0]) {
            let member = f.lane(f.is_zero(&slow(over.g1(), &n.r, &p).z), 0);
            assert_eq!(f.lane(over.in_g1(&p), 0), member, "G1 of {name}");
            let cleared = over.g1().normalise(&[over.clear_cofactor_g1(&p)]).remove(0);
            assert!(f.lane(over.in_g1(&cleared), 0), "cleared, {name}");
            (inside, outside) = (inside + usize::from(member), outside + usize::from(!member));
        }
        assert!(
            inside > 1 && (outside > 1 || n.cofactors[0] == 1u32.into()),
            "{name}: {inside} inside, {outside} outside"
        );
        let (mut inside, mut outside) = (0, 0);
        for q in outsiders(over.g2(), &n.r, &n.cofactors[1]) {
            let member = f.lane(over.e().is_zero(&slow(over.g2(), &n.r, &q).z), 0);
            assert_eq!(f.lane(over.in_g2(&q), 0), member, "G2 of {name}");
            let cleared = over.g2().normalise(&[over.clear_cofactor_g2(&q)]).remove(0);
            assert!(f.lane(over.in_g2(&cleared), 0), "cleared, {name}");
            (inside, outside) = (inside + usize::from(member), outside + usize::from(!member));
        }
        assert!(inside > 1 && outside > 1, "{name}: {inside} inside, {outside} outside");
        let o = Affine { infinity: f.mask(true), ..generators(name, &over).0 };
        assert!(f.lane(over.in_g1(&o), 0), "O, {name}");
    }
}

#[test]
fn a_secret_that_splits_leaves_no_trace_in_the_program() {
    let n = parameters("bls12-381");
    let trace = |k: &[u8]| {
        let recorder = Recorder::new(&n.p).unwrap();
        let over = system(&tower("bls12-381"), &n, recorder.clone());
        let infinity = recorder.mask(false);
        let program = recorder.record(|ports| {
            let p = Affine { x: ports.elem(), y: ports.elem(), infinity };
            let [x, y] = [(); 2].map(|()| over.e().compose(&mut || ports.elem()));
            let q = Affine { x, y, infinity };
            let value = over.target().compose(&mut || ports.elem());
            let (p, q) = (over.mul_g1_secret(&[k], &p), over.mul_g2_secret(&[k], &q));
            let power = over.gt_pow_secret(&value, &[k]);
            [p.x, p.y, p.z].iter().for_each(|c| ports.output(c));
            [&q.x, &q.y, &q.z].into_iter().for_each(|c| over.e().coefficients(c, &mut |c| ports.output(c)));
            over.target().coefficients(&power, &mut |c| ports.output(c));
        });
        program.unwrap()
    };
    let zero = trace(&[0; 32]);
    let mut edges = vec![bytes(&n.r, &n.r, 0), bytes(&(&n.r - 1u32), &n.r, 0), vec![0xff; 32]];
    edges.extend((0..3).map(|i| bytes(&Scalars(SEED + i).next(255), &n.r, 0)));
    for k in edges {
        assert!(trace(&k) == zero, "the trace depends on the scalar {k:02x?}, seed {SEED:#x}");
    }
    // the parts of a scalar are as long as those of a scalar that is one byte longer
    assert!(trace(&[0xff; 33]) == zero, "the trace depends on the length");
}

#[test]
fn sums_of_jacobian_points() {
    let n = parameters("bn-254n");
    let f = Words::new(&n.p).unwrap();
    let over = system(&tower("bn-254n"), &n, f.clone());
    let (p, _) = generators("bn-254n", &over);
    let curve = over.g1();
    let multiples: Vec<_> = (0..6u32).map(|k| slow(curve, &k.into(), &p)).collect();
    for (i, a) in multiples.iter().enumerate() {
        for (j, b) in multiples.iter().enumerate() {
            let want = slow(curve, &(i + j).into(), &p);
            assert!(same(curve, &curve.add_jacobian(a, b), &want), "{i}P + {j}P");
            // another representative of bP, and −bP
            let affine = curve.normalise(std::slice::from_ref(b)).remove(0);
            assert!(same(curve, &curve.add_jacobian(a, &curve.to_jacobian(&affine)), &want), "{i}P + {j}P");
            let difference = curve.add_jacobian(a, &curve.to_jacobian(&curve.negate(&affine)));
            let want = if i >= j { slow(curve, &(i - j).into(), &p) } else { slow(curve, &(&n.r + i - j), &p) };
            assert!(same(curve, &difference, &want), "{i}P − {j}P");
        }
    }
}
