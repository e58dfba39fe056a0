//! Known answers of PBC and PARI for embedding degree 1, and costs.

use crate::common::answers::{Answer, answers};
use crate::common::{self, Words, affine};
use bilinear_field::count::{Count, Tally};
use bilinear_field::{Field, Lanes, Prime, at, pow};
use bilinear_pairing::bilinear_groups::{BilinearGroups, FixedPair, Pair, SourcePoint};
use bilinear_pairing::curve::Affine;
use bilinear_pairing::degree_one::{DegreeOnePairing, system};
use bilinear_pairing::names::PairingKind;
use bilinear_params::{Curve, DegreeOne, Description, Family};
use num_bigint::BigUint;

fn parameters(curve: &Curve) -> DegreeOne {
    let Family::DegreeOne(s) = curve.family() else { panic!("{} has embedding degree 1", curve.name()) };
    s.clone()
}

fn engine() -> (Words, DegreeOnePairing<Words>) {
    let parameters = parameters(&Curve::named("e").unwrap());
    let f = Words::new(parameters.q()).unwrap();
    let over = system(&parameters, f.clone());
    (f, over)
}

#[test]
fn known_answers() {
    let (f, over) = engine();
    let files = ["oracle/E_PBC.jsonl", "oracle/E_PBC_self.jsonl", "pbc/e.jsonl"];
    let answers: Vec<Answer> = files.into_iter().flat_map(answers).collect();
    assert!(answers.len() > 15);
    let pairs: Vec<_> = answers.iter().map(|a| a.pair(&f)).collect();
    let ones = vec![1; pairs.len()];
    let found = common::values(&over, PairingKind::Tate, &pairs, &ones);
    let mut product = f.one();
    for ((x, a), pair) in found.iter().zip(&answers).zip(&pairs) {
        assert_eq!(f.value(x, 0), a.tate[0]);
        assert!(f.lane(over.in_gt(x), 0), "the value is in GT");
        assert!(f.lane(over.in_g1(&pair.p), 0) && f.lane(over.in_g2(&pair.q), 0), "membership");
        assert!(f.lane(over.g1().contains(&pair.p), 0) && f.lane(over.g2().contains(&pair.q), 0), "on C");
        product = at!(f; mul(&product, x));
    }
    for (x, a) in common::prepared_values(&over, PairingKind::Tate, &pairs, &ones).iter().zip(&answers) {
        assert_eq!(f.value(x, 0), a.tate[0], "prepared");
    }
    let want = f.value(&product, 0);
    for part in [
        common::values(&over, PairingKind::Tate, &pairs, &[3, 0, pairs.len() - 3]),
        common::prepared_values(&over, PairingKind::Tate, &pairs, &[3, 0, pairs.len() - 3]),
    ] {
        let mut whole = f.zero();
        f.mul(&mut whole, &part[0], &part[2]);
        assert_eq!(f.value(&whole, 0), want, "products");
        assert_eq!(f.value(&part[1], 0), BigUint::from(1u32), "the empty product");
    }
    // a pair with an O counts as 1
    let mut with_o = pairs[..2].to_vec();
    with_o[0].infinite = Some(f.mask(true));
    with_o[0].q = Affine { x: f.zero(), y: f.zero(), infinity: f.mask(true) };
    with_o[1].infinite = Some(f.mask(false));
    for product in [
        common::values(&over, PairingKind::Tate, &with_o, &[2]),
        common::prepared_values(&over, PairingKind::Tate, &with_o, &[2]),
    ] {
        assert_eq!(f.value(&product[0], 0), answers[1].tate[0], "a pair with an O");
    }
}

#[test]
fn known_answers_of_the_weil_pairing() {
    let (f, over) = engine();
    let answers: Vec<(BigUint, Answer)> =
        answers("oracle/E_PBC.jsonl").into_iter().filter_map(|a| Some((a.value("weil")?.remove(0), a))).collect();
    assert_eq!(answers.len(), 5);
    let pairs: Vec<_> = answers.iter().map(|(_, a)| a.pair(&f)).collect();
    let ones = vec![1; pairs.len()];
    for found in [
        common::values(&over, PairingKind::Weil, &pairs, &ones),
        common::prepared_values(&over, PairingKind::Weil, &pairs, &ones),
    ] {
        for (x, (weil, _)) in found.iter().zip(&answers) {
            assert_eq!(f.value(x, 0), *weil);
        }
    }
    // products; a pair with an O counts as 1
    let mut with_o = pairs[..3].to_vec();
    with_o.iter_mut().for_each(|pair| pair.infinite = Some(f.mask(false)));
    with_o[0].infinite = Some(f.mask(true));
    with_o[0].p = Affine { x: f.zero(), y: f.zero(), infinity: f.mask(true) };
    let want = &answers[1].0 * &answers[2].0 % f.modulus();
    for found in [
        common::values(&over, PairingKind::Weil, &with_o, &[3, 0]),
        common::prepared_values(&over, PairingKind::Weil, &with_o, &[3, 0]),
    ] {
        assert_eq!([0, 1].map(|i| f.value(&found[i], 0)), [want.clone(), BigUint::from(1u32)]);
    }
}

#[test]
fn pairings_of_p_with_its_multiples() {
    let (f, over) = engine();
    let a = answers("oracle/E_PBC_self.jsonl").remove(0);
    assert_eq!(a.p.clone().map(|x| vec![x]), a.q);
    let p = affine(&f, &a.p);
    // intermediate values of the loop for r = 2^159 + 2^135 + 1, and their neighbours and inverses
    let two_to = |e: u32| BigUint::from(1u32) << e;
    let mut multiples: Vec<BigUint> = (1u32..6).map(BigUint::from).collect();
    multiples.extend([two_to(24), two_to(24) + 1u32, two_to(25) + 2u32, (two_to(24) + 1u32) << 134u32]);
    multiples.extend(multiples.clone().iter().map(|k| over.order() - k));
    let points: Vec<_> = multiples.iter().map(|k| over.g1().mul(k, &p)).collect();
    let pairs: Vec<_> =
        over.g1().normalise(&points).into_iter().map(|q| Pair { p: p.clone(), q, infinite: None }).collect();
    let ones = vec![1; pairs.len()];
    let own = f.constant(&a.tate[0]);
    for found in [
        common::values(&over, PairingKind::Weil, &pairs, &ones),
        common::prepared_values(&over, PairingKind::Weil, &pairs, &ones),
    ] {
        assert!(found.iter().all(|x| f.lane(f.equal(x, &f.one()), 0)), "Weil's pairing of P and a multiple of it is 1");
    }
    for found in [
        common::values(&over, PairingKind::Tate, &pairs, &ones),
        common::prepared_values(&over, PairingKind::Tate, &pairs, &ones),
    ] {
        for (k, x) in multiples.iter().zip(&found) {
            let want = pow(&f, &own, k);
            assert!(f.lane(f.equal(x, &want), 0), "e(P, {k}·P)");
        }
    }
    // and symmetric: e(kP, P) = e(P, P)^k
    let swapped: Vec<_> = pairs.iter().map(|x| Pair { p: x.q.clone(), q: x.p.clone(), infinite: None }).collect();
    for (k, x) in multiples.iter().zip(common::values(&over, PairingKind::Tate, &swapped, &ones)) {
        assert!(f.lane(f.equal(&x, &pow(&f, &own, k)), 0), "e({k}·P, P)");
    }
    let mut one = f.zero();
    f.mul(&mut one, &over.gt_inv(&own), &own);
    assert!(f.lane(f.equal(&one, &f.one()), 0), "inverse");
    assert!(f.lane(f.equal(&over.gt_square(&own), &pow(&f, &own, &2u32.into())), 0), "square");
}

#[test]
fn what_is_not_in_the_groups() {
    let (f, over) = engine();
    let a = answers("pbc/e.jsonl").remove(0);
    let minus_one = f.constant(&(f.modulus() - 1u32));
    for x in [f.zero(), minus_one, f.constant(&2u32.into())] {
        assert!(!f.lane(over.in_gt(&x), 0), "not in GT");
    }
    assert!(f.lane(over.in_gt(&f.one()), 0), "1");
    let o = Affine { x: f.zero(), y: f.zero(), infinity: f.mask(true) };
    assert!(f.lane(over.in_g1(&o), 0), "O");
    // y² = x³ + ax + b' has another order: the point is on another curve and has another order
    let off = affine(&f, &[a.p[0].clone(), &a.p[1] + 1u32]);
    assert!(!f.lane(over.g1().contains(&off), 0) && !f.lane(over.in_g1(&off), 0));
    // neither call panics, whatever its value
    common::values(&over, PairingKind::Tate, &[Pair { p: off.clone(), q: off, infinite: None }], &[1]);
}

/// Checks every pair in C(F_p)[r] = ⟨P, Q⟩: e(iP + jQ, kP + lQ) = e(P, P)^ik·e(P, Q)^il·e(Q, P)^jk·e(Q, Q)^jl.
fn in_full(parameters: &DegreeOne, basis: [[u32; 2]; 2], pairing: PairingKind) {
    let f = Words::new(parameters.q()).unwrap();
    let over = system(parameters, f.clone());
    let curve = over.g1();
    let basis = basis.map(|p| affine(&f, &p.map(BigUint::from)));
    let r = u32::try_from(over.order()).unwrap();
    let mut points = vec![];
    for (i, j) in (0..r).flat_map(|i| (0..r).map(move |j| (i, j))) {
        let [p, q] = [(i, 0), (j, 1)].map(|(k, n)| curve.mul(&k.into(), &basis[n]));
        let q = curve.normalise(&[q]).remove(0);
        points.push((i, j, curve.normalise(&[curve.add(&p, &q)]).remove(0)));
    }
    let value = |p: &Affine<_>, q: &Affine<_>| {
        let pair = Pair { p: p.clone(), q: q.clone(), infinite: Some(f.or(p.infinity, q.infinity)) };
        assert!(f.lane(curve.contains(p), 0) && f.lane(over.in_g1(p), 0), "in the group");
        let found = common::values(&over, pairing, std::slice::from_ref(&pair), &[1]).remove(0);
        assert!(f.lane(over.in_gt(&found), 0), "in GT");
        assert!(f.lane(f.equal(&common::prepared_values(&over, pairing, &[pair], &[1])[0], &found), 0), "prepared");
        found
    };
    let table = basis.each_ref().map(|p| basis.each_ref().map(|q| value(p, q)));
    for (i, j, p) in &points {
        for (k, l, q) in &points {
            let mut want = f.one();
            for (x, e) in [(&table[0][0], i * k), (&table[0][1], i * l), (&table[1][0], j * k), (&table[1][1], j * l)] {
                want = at!(f; mul(&want, &pow(&f, x, &e.into())));
            }
            assert!(f.lane(f.equal(&value(p, q), &want), 0), "{pairing}: e({i}P + {j}Q, {k}P + {l}Q), r = {r}");
        }
    }
    if pairing == PairingKind::Weil {
        assert!((0..2).all(|i| f.lane(f.equal(&table[i][i], &f.one()), 0)), "e(P, P) = 1");
    }
    assert!(table.iter().flatten().any(|x| !f.lane(f.equal(x, &f.one()), 0)), "degenerate");
}

#[test]
fn small_curves_in_full() {
    // the NAFs of 3, 7 and 11 are 10(−1), 100(−1) and 10(−1)0(−1)
    for ([p, r, h, a, b], basis) in [
        ([19, 3, 2, 2, 12], [[2, 9], [3, 8]]),
        ([197, 7, 4, 2, 19], [[10, 60], [72, 80]]),
        ([727, 11, 6, 3, 35], [[2, 7], [9, 8]]),
    ] {
        let text = format!(
            "name = \"small\"\nfamily = \"e\"\n[parameters]\nq = \"{p}\"\nr = \"{r}\"\n\
             h = \"{h}\"\na = \"{a}\"\nb = \"{b}\"\n"
        );
        let parameters = parameters(&Description::from_toml(&text, "small.toml").unwrap().curve);
        for pairing in [PairingKind::Tate, PairingKind::Weil] {
            in_full(&parameters, basis, pairing);
        }
    }
}

#[test]
fn a_pairing_costs_what_its_head_says() {
    let parameters = parameters(&Curve::named("e").unwrap());
    let count = Count::new(parameters.q());
    let over = system(&parameters, count.clone());
    let point = || Affine { x: (), y: (), infinity: () };
    let pair = Pair { p: point(), q: point(), infinite: None };
    let msr = |t: Tally| [t.mul, t.sqr, t.reduction];
    // r = 2^159 + 2^135 + 1: 159 doublings, an addition, and the end. A doubling: the step 8M + 5S + 11R, two squares, and
    // 5M + 4R; the addition 10M + 3S + 11R and 6M + 5R; Q + R 2M + S + 3R and an inversion; the end 2M;
    // the quotient 1M and its inversion
    let cost = count.of(|| over.miller(PairingKind::Tate, std::slice::from_ref(&pair)));
    assert_eq!(cost.inversion, 2);
    assert_eq!(msr(cost), [159 * 13 + 16 + 2 + 2 + 1, 159 * 7 + 3 + 1, 159 * 17 + 16 + 3 + 2 + 1]);
    let prepared = over.prepare(PairingKind::Tate, &SourcePoint::G1(point()));
    let fixed = FixedPair { lines: &prepared, other: SourcePoint::G2(point()), infinite: None };
    let cost = count.of(|| over.miller_prepared(PairingKind::Tate, std::slice::from_ref(&fixed)));
    assert_eq!(msr(cost), [160 * 3 + 2 + 1 + 1, 159 * 2 + 1, 160 * 3 + 159 * 2 + 3 + 1 + 1]);
    // Weil's: two loops of 18M + 7S + 21R a doubling and 20M + 3S + 19R for the addition, each with the end, its point and its quotient
    let cost = count.of(|| over.miller(PairingKind::Weil, std::slice::from_ref(&pair)));
    assert_eq!(cost.inversion, 4);
    let once = [159 * 18 + 20 + 2 + 2 + 1, 159 * 7 + 3 + 1, 159 * 21 + 19 + 3 + 2 + 1];
    assert_eq!(msr(cost), [2 * once[0] + 1, 2 * once[1], 2 * once[2] + 1]);
    let prepared = over.prepare(PairingKind::Weil, &SourcePoint::G1(point()));
    let fixed = FixedPair { lines: &prepared, other: SourcePoint::G2(point()), infinite: None };
    let cost = count.of(|| over.miller_prepared(PairingKind::Weil, std::slice::from_ref(&fixed)));
    let first = [160 * 6 + 2 + 2 + 1, 159 * 2 + 1, 160 * 6 + 159 * 2 + 3 + 2 + 1];
    assert_eq!(msr(cost), [first[0] + once[0] + 1, first[1] + once[1], first[2] + once[2] + 1]);
}
