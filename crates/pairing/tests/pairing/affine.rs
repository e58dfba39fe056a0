//! Lines in affine coordinates compared with those in coordinates of weight (1, 2), which are checked against PBC's
//! values: the pairings are the same, for any points.

use crate::common::{BITS, TestCurve, Words, curves, mapped, products};
use bilinear_field::{Engine, EngineError, Field, Job, Lanes, Margin, at, dispatch};
use bilinear_pairing::bilinear_groups::{BilinearGroups, Pair};
use bilinear_pairing::curve::Affine;
use bilinear_pairing::names::PairingKind;
use bilinear_pairing::supersingular::{Fq2, SupersingularPairing};
use num_bigint::BigUint;

/// A margin that is sufficient for F_p².
const MARGIN: Margin = Margin { spare: 4, carries: false, lazy_sums: false, more_words: false };

/// Computes reduced pairings in coordinates of weight (1, 2), lane by lane.
fn want<F: Lanes>(system: &SupersingularPairing<F>, pairs: &[Pair<F>]) -> Fq2<F> {
    system.final_exponentiation(&system.miller(PairingKind::Tate, pairs))
}

/// Computes reduced pairings in affine coordinates, and the mask of the lanes where they are undefined.
fn got<F: Lanes>(system: &SupersingularPairing<F>, pairs: &[Pair<F>]) -> (Fq2<F>, F::Mask) {
    let (f, undefined) = system.miller_affine(pairs).unwrap();
    (system.final_exponentiation(&f), undefined)
}

/// Returns a point in each lane, from x = first, first + 1, …
fn points<F: Lanes>(system: &SupersingularPairing<F>, first: u64) -> Affine<F> {
    let words: Vec<[u64; 1]> = (0..F::LANES as u64).map(|lane| [first + lane]).collect();
    let mut x = system.fq().zero();
    system.fq().load(&mut x, &words.iter().map(|w| &w[..]).collect::<Vec<_>>());
    mapped(system, &x)
}

/// Sets one lane of P to `special`.
fn put<F: Lanes>(f: &F, p: &mut Affine<F>, special: &Affine<F>, lane: usize) {
    let here = f.mask_from(&(0..F::LANES).map(|l| l == lane).collect::<Vec<_>>());
    for (c, s) in [(&mut p.x, &special.x), (&mut p.y, &special.y)] {
        *c = at!(f; select(here, s, c));
    }
}

/// Returns the points (0, 0) of order 2, and (±1, y) of order 4.
fn small_orders<F: Lanes>(system: &SupersingularPairing<F>) -> [Affine<F>; 2] {
    let f = system.fq();
    let (two, four) = (mapped(system, &f.zero()), mapped(system, &f.one()));
    for (order, p) in [(2u32, &two), (4, &four)] {
        let killed = |k: u32| f.lane(system.is_torsion(&k.into(), p), 0);
        assert!(killed(order) && !killed(order / 2), "a point of order {order}");
    }
    [two, four]
}

struct Agrees<'a>(&'a TestCurve);

impl Job for Agrees<'_> {
    type Output = ();
    const ENGINES: &'static [Engine] = &[Engine::Mont, Engine::Ifma];
    const WORDS: &'static [usize] = &[17];
    const LIMBS: &'static [usize] = &[21];
    fn margin(&self) -> Margin {
        MARGIN
    }
    fn run<F: Lanes + 'static>(self, f: F) {
        let curve = self.0;
        let system = SupersingularPairing::new(f.clone(), &curve.order, &curve.cofactor);
        let o = || Affine { x: f.zero(), y: f.zero(), infinity: f.mask(true) };
        // points as they come, so not in the group; points in the group; points of a prime order that divides n
        let mut ps: Vec<Affine<F>> = (0..2).map(|i| points(&system, 2 + 20 * i)).collect();
        ps.push(system.curve().normalise(&[system.curve().mul(&curve.cofactor, &ps[0])]).remove(0));
        if let Some(factors) = &curve.factors {
            let p = system.curve().mul(&(&curve.order / &factors[0]), &ps[2]);
            ps.push(system.curve().normalise(&[p]).remove(0));
        }
        let pair =
            |(i, p): (usize, &Affine<F>)| Pair { p: p.clone(), q: points(&system, 50 + 20 * i as u64), infinite: None };
        let mut pairs: Vec<Pair<F>> = ps.iter().enumerate().map(pair).collect();
        // O in one lane of P, in all of Q
        let mut p = points(&system, 200);
        let first = f.mask_from(&[true]);
        put(&f, &mut p, &o(), 0);
        pairs.push(Pair { p, q: points(&system, 220), infinite: Some(first) });
        pairs.push(Pair { p: points(&system, 240), q: o(), infinite: Some(f.mask(true)) });
        for product in products(&pairs, &[2, 0, pairs.len() - 3, 1]) {
            let (value, undefined) = got(&system, product);
            let same = system.fq2().equal(&value, &want(&system, product));
            for lane in 0..F::LANES {
                assert!(!f.lane(undefined, lane), "{}: every slope is defined, lane {lane}", curve.name);
                assert!(f.lane(same, lane), "{}, lane {lane}", curve.name);
            }
        }
        // points of order 2 and 4 have vertical tangents: only their lane is affected
        for special in small_orders(&system) {
            let lane = F::LANES / 2;
            let mut pairs = vec![Pair { p: points(&system, 300), q: points(&system, 320), infinite: None }];
            put(&f, &mut pairs[0].p, &special, lane);
            let (value, undefined) = got(&system, &pairs);
            let same = system.fq2().equal(&value, &want(&system, &pairs));
            for l in 0..F::LANES {
                assert_eq!(f.lane(undefined, l), l == lane, "{}: a vertical tangent in lane {lane}", curve.name);
                assert!(l == lane || f.lane(same, l), "{}, lane {l} beside a vertical tangent", curve.name);
            }
            // unless the pair counts as 1
            pairs[0].infinite = Some(f.mask(true));
            let (value, undefined) = got(&system, &pairs);
            assert!(!f.lane(undefined, lane) && f.lane(system.fq2().equal(&value, &system.fq2().one()), lane));
        }
    }
}

#[test]
fn every_curve_agrees() {
    for curve in curves().into_iter().filter(|curve| curve.q.bits() <= BITS) {
        dispatch(Engine::Mont, &curve.q, Agrees(&curve)).unwrap();
        match dispatch(Engine::Ifma, &curve.q, Agrees(&curve)) {
            Ok(()) | Err(EngineError::Unavailable(_)) => {}
            Err(reason) => panic!("{reason}"),
        }
    }
}

/// Checks every pair of points of a curve so small that all exceptional cases occur.
fn exhaust<F: Lanes + 'static>(f: F, order: u32, cofactor: u32) {
    let system = SupersingularPairing::new(f.clone(), &order.into(), &cofactor.into());
    let q: u32 = f.modulus().clone().try_into().unwrap();
    let element = |x: u32| f.constant(&BigUint::from(x));
    let on = |x: u32, y: u32| (u64::from(x).pow(3) + u64::from(x)) % u64::from(q) == u64::from(y).pow(2) % u64::from(q);
    let points: Vec<[u32; 2]> = (0..q).flat_map(|x| (0..q).map(move |y| [x, y])).filter(|[x, y]| on(*x, *y)).collect();
    assert_eq!(points.len() as u32, q, "all but O");
    let affine = |[x, y]: [u32; 2]| Affine { x: element(x), y: element(y), infinity: f.mask(false) };
    let (mut defined, mut undefined) = (0, 0);
    for p in &points {
        for q in &points {
            let pairs = [Pair { p: affine(*p), q: affine(*q), infinite: None }];
            let (value, zero) = got(&system, &pairs);
            if f.lane(zero, 0) {
                undefined += 1;
            } else {
                defined += 1;
                assert!(f.lane(system.fq2().equal(&value, &want(&system, &pairs)), 0), "e({p:?}, {q:?}), n = {order}");
            }
        }
    }
    assert!(defined > 0 && undefined > 0, "n = {order}: {defined} pairs are defined, {undefined} are not");
}

#[test]
fn every_pair_of_a_small_curve_agrees() {
    for (q, order, cofactor) in [(59u32, 15u32, 4u32), (83, 21, 4), (103, 13, 8)] {
        let q = BigUint::from(q);
        exhaust(Words::new(&q).unwrap(), order, cofactor);
    }
}
