//! Multiples, powers, maps and memberships of many values at a time against one value at a time on words, by double-and-add and
//! square-and-multiply: another point, scalar and element a lane, O among them, scalars that are 0, the order, and above it.

use crate::common::lanes::{Work, in_lanes};
use crate::common::sextic::{LANES_FOR, Visit, Words, parameters, visit};
use crate::common::{self, TestCurve};
use bilinear_field::mont::Mont;
use bilinear_field::tower::Complex;
use bilinear_field::{Extension, Field, Lanes, Prime, pow};
use bilinear_pairing::bilinear_groups::BilinearGroups;
use bilinear_pairing::curve::{Affine, Curve, Jacobian};
use bilinear_pairing::sextic::{SexticParameters, SexticTower, system};
use bilinear_pairing::supersingular::SupersingularPairing;
use bilinear_pairing::svdw::{sign, with_sign};
use bilinear_pairing::to_curve::{CurveMap, MapMethod};
use bilinear_pairing::{degree_one, quadratic_twist};
use bilinear_params::{Curve as Description, Family};
use num_bigint::BigUint;

const LANES: usize = 8;

/// x and y, coefficient by coefficient; `None` for O.
type Point = Option<[Vec<BigUint>; 2]>;

/// The element with these coefficients, one a lane.
fn load<E>(e: &E, lanes: &[Vec<BigUint>]) -> E::Elem
where
    E: Extension,
    E::Prime: Lanes,
{
    let mut coefficients = 0..E::DEGREE;
    e.compose(&mut || {
        let i = coefficients.next().unwrap();
        let words: Vec<Vec<u64>> = lanes.iter().map(|x| x[i].to_u64_digits()).collect();
        let mut out = e.prime().zero();
        e.prime().load(&mut out, &words.iter().map(|w| &w[..]).collect::<Vec<_>>());
        out
    })
}

/// The coefficients of the lanes.
fn store<E>(e: &E, x: &E::Elem) -> Vec<Vec<BigUint>>
where
    E: Extension,
    E::Prime: Lanes,
{
    let mut out = vec![vec![]; E::Prime::LANES];
    e.coefficients(x, &mut |c| {
        let (f, len) = (e.prime(), e.prime().word_len());
        let mut words = vec![0; E::Prime::LANES * len];
        f.store_all(&mut words, c);
        for (lane, own) in out.iter_mut().enumerate() {
            let value = f.value(c, lane);
            let mut digits = value.to_u64_digits();
            digits.resize(len, 0);
            assert_eq!(words[lane * len..(lane + 1) * len], digits, "all lanes at once");
            own.push(value);
        }
    });
    out
}

fn load_points<E>(curve: &Curve<E>, points: &[Point]) -> Affine<E>
where
    E: Extension,
    E::Prime: Lanes,
{
    let zero = vec![BigUint::ZERO; E::DEGREE];
    let side = |i: usize| points.iter().map(|p| p.as_ref().map_or(zero.clone(), |p| p[i].clone())).collect::<Vec<_>>();
    Affine {
        x: load(curve.field(), &side(0)),
        y: load(curve.field(), &side(1)),
        infinity: curve.field().mask_from(&points.iter().map(Option::is_none).collect::<Vec<_>>()),
    }
}

fn store_affine<E>(e: &E, p: &Affine<E>) -> Vec<Point>
where
    E: Extension,
    E::Prime: Lanes,
{
    let infinite = |lane: usize| e.prime().lane(p.infinity, lane);
    let coordinates = store(e, &p.x).into_iter().zip(store(e, &p.y)).enumerate();
    coordinates.map(|(lane, (x, y))| (!infinite(lane)).then_some([x, y])).collect()
}

fn store_points<E>(curve: &Curve<E>, p: &Jacobian<E>) -> Vec<Point>
where
    E: Extension,
    E::Prime: Lanes,
{
    store_affine(curve.field(), &curve.normalise(std::slice::from_ref(p))[0])
}

/// kP from the top bit down.
fn slow<E>(curve: &Curve<E>, k: &BigUint, p: &Point) -> Point
where
    E: Extension,
    E::Prime: Lanes,
{
    let p = load_points(curve, std::slice::from_ref(p));
    let step = |acc: Jacobian<E>, i| {
        let double = curve.double(&acc);
        if k.bit(i) { curve.add(&double, &p) } else { double }
    };
    store_points(curve, &(0..k.bits()).rev().fold(curve.infinity(), step)).remove(0)
}

/// One a lane, of several lengths.
fn scalars(r: &BigUint) -> Vec<Vec<u8>> {
    let len = r.bits().div_ceil(8) as usize;
    let padded = |k: &BigUint| {
        let k = k.to_bytes_be();
        [vec![0; len.saturating_sub(k.len())], k].concat()
    };
    let long = vec![0xa7; len + 9];
    let some = (r * 0x9e37_79b9u32) >> 33u32;
    vec![vec![], padded(&(r - 1u32)), padded(&1u32.into()), padded(&some), padded(r), vec![0; len], long, vec![2, 0x35]]
}

/// Lane i of a multiplication of eight points by eight scalars is k_i·P_i, whatever the company.
fn multiples<E, S>(
    what: &str,
    (wide, single): (&Curve<E>, &Curve<S>),
    points: &[Point],
    r: &BigUint,
    multiple: impl Fn(&[&[u8]], &Affine<E>) -> Jacobian<E>,
) where
    E: Extension,
    S: Extension,
    E::Prime: Lanes,
    S::Prime: Lanes,
{
    let mut ks = scalars(r);
    for round in 0..3 {
        let own: Vec<&[u8]> = ks.iter().map(|k| &k[..]).collect();
        let got = store_points(wide, &multiple(&own, &load_points(wide, points)));
        for (lane, (k, p)) in ks.iter().zip(points).enumerate() {
            let want = slow(single, &BigUint::from_bytes_be(k), p);
            assert_eq!(got[lane], want, "{what}: {k:02x?} in lane {lane}, round {round}");
        }
        let few = store_points(wide, &multiple(&own[..3], &load_points(wide, &points[..3])));
        assert_eq!(few[..3], got[..3], "{what}: three lanes, round {round}");
        ks.rotate_left(3);
    }
}

/// A non-square.
fn non_square<E: Extension>(e: &E) -> Vec<BigUint>
where
    E::Prime: Lanes,
{
    let q = e.prime().modulus().pow(E::DEGREE as u32);
    let integer = |n: u32| (0..E::DEGREE).map(|i| BigUint::from(n) >> i).collect::<Vec<_>>();
    let is_square = |x: &Vec<BigUint>| {
        let mut power = e.zero();
        pow(e, &mut power, &e.element(x), &((&q - 1u32) >> 1u32));
        e.prime().lane(e.equal(&power, &e.one()), 0)
    };
    (2u32..).map(integer).find(|x| !is_square(x)).unwrap()
}

/// Eight elements at a time lead to the points of one at a time; some of these.
fn maps<E, S>(what: &str, (wide, single): (&Curve<E>, &Curve<S>)) -> Vec<Point>
where
    E: Extension,
    S: Extension,
    E::Prime: Lanes,
    S::Prime: Lanes,
{
    let (e, s) = (wide.field(), single.field());
    let p = s.prime().modulus();
    let element = |i: u32| {
        let coefficient =
            |j: usize| if i.is_multiple_of(3) { BigUint::from(i) } else { (p >> i) - BigUint::from(i << j) };
        (0..E::DEGREE).map(|j| if i == 6 && j > 0 { BigUint::ZERO } else { coefficient(j) }).collect::<Vec<_>>()
    };
    let us: Vec<Vec<BigUint>> = (0..LANES as u32).map(element).collect();
    let aside = non_square(s);
    let maps = (
        CurveMap::new(wide, &MapMethod::Svdw, &e.element(&aside)),
        CurveMap::new(single, &MapMethod::Svdw, &s.element(&aside)),
    );
    let got = store_affine(e, &wide.normalise(&[maps.0.sum(wide, &[load(e, &us)])])[0]);
    let one =
        |u: &Vec<BigUint>| store_affine(s, &single.normalise(&[maps.1.sum(single, &[s.element(u)])])[0]).remove(0);
    assert_eq!(got, us.iter().map(one).collect::<Vec<_>>(), "{what}: the map");
    let (x, odd) = (load(e, &us), us.iter().enumerate().map(|(i, _)| i % 2 == 0).collect::<Vec<_>>());
    let signs = |x: &E::Elem| {
        let mask = sign(e, x);
        (0..LANES).map(|lane| e.prime().lane(mask, lane)).collect::<Vec<_>>()
    };
    let own = |u: &Vec<BigUint>| u.iter().find(|c| **c != BigUint::ZERO).is_some_and(|c| c.bit(0));
    assert_eq!(signs(&x), us.iter().map(own).collect::<Vec<_>>(), "{what}: signs");
    let signed = with_sign(e, &x, e.mask_from(&odd));
    // 0 has one sign
    assert_eq!(signs(&signed)[1..], odd[1..], "{what}: signs");
    got
}

/// Points of a group: multiples of one, and O.
fn members<S>(curve: &Curve<S>, cofactor: &BigUint, points: &[Point]) -> Vec<Point>
where
    S: Extension,
    S::Prime: Lanes,
{
    let generator = points.iter().map(|p| slow(curve, cofactor, p)).find(Option::is_some).unwrap();
    (0..LANES as u32).map(|i| if i == 3 { None } else { slow(curve, &(i * i + 1).into(), &generator) }).collect()
}

/// Where eight points at a time are in a group.
fn memberships<E, S>(
    what: &str,
    (wide, single): (&Curve<E>, &Curve<S>),
    points: &[Point],
    r: &BigUint,
    contains: impl Fn(&Affine<E>) -> E::Mask,
) where
    E: Extension,
    S: Extension,
    E::Prime: Lanes,
    S::Prime: Lanes,
{
    let mask = contains(&load_points(wide, points));
    for (lane, p) in points.iter().enumerate() {
        let member = slow(single, r, p).is_none();
        assert_eq!(wide.field().prime().lane(mask, lane), member, "{what}: membership in lane {lane}");
    }
}

/// Everything in the groups of a pairing.
fn agree<A: BilinearGroups, B: BilinearGroups>(name: &str, wide: &A, single: &B)
where
    A::Prime: Lanes,
    B::Prime: Lanes,
{
    assert_eq!(A::Prime::LANES, LANES);
    let r = single.order();
    let (what, curves) = (format!("G1 of {name}"), (wide.g1(), single.g1()));
    let anywhere = maps(&what, curves);
    let points = members(curves.1, single.g1_cofactor(), &anywhere);
    multiples(&what, curves, &points, r, |ks, p| wide.mul_g1_secret(ks, p));
    multiples(&what, curves, &anywhere, r, |ks, p| curves.0.mul_secret(ks, p));
    let mixed = [&points[..5], &anywhere[..3]].concat();
    memberships(&what, curves, &mixed, r, |p| wide.in_g1(p));

    let (what, curves) = (format!("G2 of {name}"), (wide.g2(), single.g2()));
    let anywhere = maps(&what, curves);
    let points = members(curves.1, single.g2_cofactor(), &anywhere);
    multiples(&what, curves, &points, r, |ks, q| wide.mul_g2_secret(ks, q));
    let mixed = [&points[..5], &anywhere[..3]].concat();
    memberships(&what, curves, &mixed, r, |q| wide.in_g2(q));

    let target = single.target();
    let power = |x: &Vec<BigUint>, e: &BigUint| {
        let mut out = target.zero();
        pow(target, &mut out, &target.element(x), e);
        store(target, &out).remove(0)
    };
    let k = B::Target::DEGREE as u32;
    let some: Vec<BigUint> = (0..k).map(|i| (i * i + 2).into()).collect();
    let x = power(&some, &((single.g1().field().modulus().pow(k) - 1u32) / r));
    let one = store(target, &target.one()).remove(0);
    assert_ne!(x, one, "GT of {name}");
    let xs: Vec<Vec<BigUint>> = (0..LANES as u32).map(|i| power(&x, &(i * i).into())).collect();
    let mut es = scalars(r);
    for round in 0..2 {
        let own: Vec<&[u8]> = es.iter().map(|e| &e[..]).collect();
        let got = store(wide.target(), &wide.gt_pow_secret(&load(wide.target(), &xs), &own));
        for (lane, (x, e)) in xs.iter().zip(&es).enumerate() {
            let want = power(x, &BigUint::from_bytes_be(e));
            assert_eq!(got[lane], want, "GT of {name}: {e:02x?} in lane {lane}, round {round}");
        }
        es.rotate_left(3);
    }
    let mixed = [&xs[..5], &[some, vec![BigUint::ZERO; k as usize], one.clone()]].concat();
    let mask = wide.in_gt(&load(wide.target(), &mixed));
    for (lane, x) in mixed.iter().enumerate() {
        assert_eq!(wide.g1().field().lane(mask, lane), power(x, r) == one, "GT of {name}: membership in lane {lane}");
    }
}

struct Sextics;

impl Visit for Sextics {
    fn visit<S: SexticTower>(&self, name: &str, shape: S) {
        let n = parameters(name);
        in_lanes::<LANES_FOR>(&n.p, Sextic { name, shape, n: &n });
    }
}

struct Sextic<'a, S> {
    name: &'a str,
    shape: S,
    n: &'a SexticParameters,
}

impl<S: SexticTower> Work for Sextic<'_, S> {
    fn run<F: Lanes + 'static>(self, f: F) {
        let Sextic { name, shape, n } = self;
        agree(name, &system(&shape, n, f), &system(&shape, n, Words::new(&n.p).unwrap()));
    }
}

#[test]
fn sextic_twists() {
    ["alt-bn128", "bls12-377", "bls12-381", "kss18-508", "bls24-477", "f"]
        .iter()
        .for_each(|name| visit(name, &Sextics));
}

#[test]
fn quadratic_twists() {
    let n = common::quadratic_twist::parameters("d-159");
    in_lanes::<5>(&n.p, Quadratic(&n));
}

struct Quadratic<'a>(&'a quadratic_twist::QuadraticTwistParameters<3>);

impl Work for Quadratic<'_> {
    fn run<F: Lanes + 'static>(self, f: F) {
        let n = self.0;
        agree("d-159", &quadratic_twist::system(n, f), &quadratic_twist::system(n, Mont::<4>::new(&n.p).unwrap()));
    }
}

#[test]
fn embedding_degree_1() {
    let curve = Description::named("e").unwrap();
    let Family::DegreeOne(s) = curve.family() else { panic!("e has embedding degree 1") };
    let n = degree_one::DegreeOneParameters {
        p: s.q().clone(),
        r: s.r().clone(),
        h: s.h().clone(),
        a: s.a().clone(),
        b: s.b().clone(),
    };
    in_lanes::<21>(&n.p, Unit(&n));
}

struct Unit<'a>(&'a degree_one::DegreeOneParameters);

impl Work for Unit<'_> {
    fn run<F: Lanes + 'static>(self, f: F) {
        agree("e", &degree_one::system(self.0, f), &degree_one::system(self.0, Mont::<17>::new(&self.0.p).unwrap()));
    }
}

/// Types A and A1.
#[test]
fn supersingular() {
    for (name, vectors) in [("a-512", "oracle/A_512.jsonl"), ("a1-2x512", "oracle/A1_2x512.jsonl")] {
        let c = common::curve(name, vectors);
        in_lanes::<21>(&c.q, Symmetric { name, c: &c });
    }
}

struct Symmetric<'a> {
    name: &'a str,
    c: &'a TestCurve,
}

impl Work for Symmetric<'_> {
    fn run<F: Lanes + 'static>(self, f: F) {
        let Symmetric { name, c } = self;
        let wide = SupersingularPairing::new(f.clone(), &c.order, &c.cofactor);
        let single = SupersingularPairing::new(Mont::<17>::new(&c.q).unwrap(), &c.order, &c.cofactor);
        let s = single.fq();
        let curves = (wide.curve(), single.curve());
        let us: Vec<Vec<BigUint>> = (0..LANES as u32).map(|i| vec![BigUint::from(i * i * 0x1_0001)]).collect();
        let mapped = wide.map().point(curves.0, &load(&f, &us));
        let anywhere = store_affine(&f, &mapped);
        for (lane, u) in us.iter().enumerate() {
            let want = single.map().point(curves.1, &s.constant(&u[0]));
            assert_eq!(anywhere[lane], store_affine(s, &want)[0], "the map on {name}, lane {lane}");
        }
        let points = members(curves.1, &c.cofactor, &anywhere[1..]);
        multiples(name, curves, &points, &c.order, |ks, p| curves.0.mul_secret(ks, p));
        let mixed = [&points[..5], &anywhere[..3]].concat();
        memberships(name, curves, &mixed, &c.order, |p| wide.is_torsion(&c.order, p));
        if let Some(test) = wide.membership() {
            memberships(name, curves, &mixed, &c.order, |p| wide.passes(&test, p));
        }

        let (fq2, target): (&Complex<Mont<17>>, _) = (single.fq2(), wide.fq2());
        let power = |x: &Vec<BigUint>, e: &BigUint| {
            let mut out = fq2.zero();
            pow(fq2, &mut out, &fq2.element(x), e);
            store(fq2, &out).remove(0)
        };
        let some: Vec<BigUint> = vec![3u32.into(), 5u32.into()];
        // (q² − 1)/n; of norm 1 and any order: q − 1; −1
        let x = power(&some, &((&c.q - 1u32) * &c.cofactor));
        let minus_one = vec![&c.q - 1u32, BigUint::ZERO];
        let mut xs: Vec<Vec<BigUint>> = (0..5u32).map(|i| power(&x, &(i * i).into())).collect();
        xs.extend([power(&some, &(&c.q - 1u32)), minus_one, x]);
        let mut es = scalars(&c.order);
        for round in 0..3 {
            let own: Vec<&[u8]> = es.iter().map(|e| &e[..]).collect();
            let got = store(target, &wide.gt_pow_secret(&load(target, &xs), &own));
            for (lane, (x, e)) in xs.iter().zip(&es).enumerate() {
                let want = power(x, &BigUint::from_bytes_be(e));
                assert_eq!(got[lane], want, "GT of {name}: {e:02x?} in lane {lane}, round {round}");
            }
            es.rotate_left(3);
        }
        xs[1] = some;
        let member = wide.gt_contains(&load(target, &xs));
        let one = store(fq2, &fq2.one()).remove(0);
        for (lane, x) in xs.iter().enumerate() {
            assert_eq!(f.lane(member, lane), power(x, &c.order) == one, "GT of {name}: membership in lane {lane}");
        }
    }
}
