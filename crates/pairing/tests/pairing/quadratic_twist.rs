//! Known answers of PBC and PARI for the families with a quadratic twist, costs and a recording.

use crate::common::answers::{Answer, answers};
use crate::common::quadratic_twist::parameters;
use crate::common::{Words, prepared_values, values};
use bilinear_field::count::{Count, Tally};
use bilinear_field::tower::AnyElem;
use bilinear_field::{Extension, Field, Lanes, Prime, at, pow};
use bilinear_pairing::bilinear_groups::{BilinearGroups, Pair};
use bilinear_pairing::curve::Affine;
use bilinear_pairing::names::PairingKind;
use bilinear_pairing::quadratic_twist::{
    Direction, E, Fpk, JacobianZz, Monic, QuadraticTwistPairing, add_step, double_step, system,
};
use bilinear_pairing::{Ate, Line, Tate};
use bilinear_params::QuadraticTwist;
use bilinear_program::{Recorder, Value as Operand};
use num_bigint::BigUint;

const PAIRINGS: [PairingKind; 2] = [PairingKind::Tate, PairingKind::Ate];

fn element<F: Prime>(over: &QuadraticTwistPairing<F>, flat: &[BigUint]) -> Fpk<F> {
    let (c0, c1) = flat.split_at(over.e().degree());
    [over.e().element(c0), over.e().element(c1)]
}

/// Checks everything about one curve that has known values. The answers tell whether rQ = O.
fn reproduces<F: Lanes>(f: &F, parameters: &QuadraticTwist, answers: &[(Answer, bool)]) {
    let over = system(parameters, f.clone());
    let (e, target) = (over.e(), over.target());
    let equal = |x: &Fpk<F>, y: &Fpk<F>| f.lane(target.equal(x, y), 0);
    let pairs: Vec<_> = answers.iter().map(|(a, _)| a.pair(e)).collect();
    for (pair, (_, in_g2)) in pairs.iter().zip(answers) {
        assert!(f.lane(over.g1().contains(&pair.p), 0), "P on C");
        assert!(f.lane(over.g2().contains(&pair.q), 0), "Q on C'");
        assert!(f.lane(over.in_g1(&pair.p), 0), "P in G1");
        assert_eq!(f.lane(over.in_g2(&pair.q), 0), *in_g2, "Q in G2");
    }
    for pairing in PAIRINGS {
        // the ate pairing depends on more than the coset of Q
        let known = |in_g2: bool| pairing == PairingKind::Tate || in_g2;
        let (pairs, answers): (Vec<_>, Vec<_>) =
            pairs.iter().cloned().zip(answers.iter()).filter(|(_, (_, in_g2))| known(*in_g2)).unzip();
        let ones = vec![1; pairs.len()];
        let singles = values(&over, pairing, &pairs, &ones);
        let mut product = target.one();
        for (x, (a, _)) in singles.iter().zip(&answers) {
            let answer = if pairing == PairingKind::Tate { Some(a.tate.clone()) } else { a.value("ate") };
            if let Some(answer) = answer {
                assert!(equal(x, &element(&over, &answer)), "{pairing:?}");
            }
            assert!(f.lane(over.in_gt(x), 0), "the value is in GT");
            product = at!(target; mul(&product, x));
        }
        assert!(equal(&values(&over, pairing, &pairs, &[pairs.len()])[0], &product), "product, {pairing:?}");
        for (x, y) in prepared_values(&over, pairing, &pairs, &ones).iter().zip(&singles) {
            assert!(equal(x, y), "prepared, {pairing:?}");
        }
        let sizes = [2, 0, pairs.len() - 2];
        let parts = [values(&over, pairing, &pairs, &sizes), prepared_values(&over, pairing, &pairs, &sizes)];
        for part in parts {
            at! {target; whole = mul(&part[0], &part[2]);}
            assert!(equal(&part[1], &target.one()) && equal(&whole, &product), "products of sizes {sizes:?}");
        }
        // a pair with an O counts as 1
        let mut with_o = pairs[..2].to_vec();
        with_o[0].infinite = Some(f.mask(true));
        with_o[0].q = Affine { x: e.zero(), y: e.zero(), infinity: f.mask(true) };
        with_o[1].infinite = Some(f.mask(false));
        for product in [values(&over, pairing, &with_o, &[2]), prepared_values(&over, pairing, &with_o, &[2])] {
            assert!(equal(&product[0], &singles[1]), "a pair with an O, {pairing:?}");
        }
        bilinear(f, &over, pairing, &pairs[0], &singles[0]);
    }
    refuses(f, &over, parameters, &pairs, &element(&over, &answers[0].0.tate));
}

/// Checks e(3P, Q) = e(P, 3Q) = e(P, Q)³ and e(−P, Q) = 1/e(P, Q).
fn bilinear<F: Lanes, A: BilinearGroups<Prime = F, Mask = F::Mask>>(
    f: &F,
    over: &A,
    pairing: PairingKind,
    pair: &Pair<A::Twist>,
    value: &<A::Target as Field>::Elem,
) {
    let target = over.target();
    let three = BigUint::from(3u32);
    let g1 = |p| Pair { p, ..pair.clone() };
    let tripled = [
        g1(over.g1().normalise(&[over.g1().mul(&three, &pair.p)]).remove(0)),
        Pair { q: over.g2().normalise(&[over.g2().mul(&three, &pair.q)]).remove(0), ..pair.clone() },
        g1(over.g1().negate(&pair.p)),
    ];
    at! {target; cube = mul(&over.gt_square(value), value); unit = mul(&over.gt_inv(value), value);}
    let found = values(over, pairing, &tripled, &[1, 1, 1]);
    for (x, want) in found.iter().zip([&cube, &pow(target, value, &three), &over.gt_inv(value)]) {
        assert!(f.lane(target.equal(x, want), 0), "bilinear, {pairing:?}");
    }
    assert!(f.lane(target.equal(&unit, &target.one()), 0), "inverse");
    let order = pow(target, value, over.order());
    assert!(f.lane(target.equal(&order, &target.one()), 0), "order");
    assert!(!f.lane(target.equal(value, &target.one()), 0), "degenerate");
}

/// Checks that elements outside the groups are refused.
fn refuses<F: Lanes>(
    f: &F,
    over: &QuadraticTwistPairing<F>,
    parameters: &QuadraticTwist,
    pairs: &[Pair<E<F>>],
    value: &Fpk<F>,
) {
    let (e, target) = (over.e(), over.target());
    // elements of norm 1, and of an order that divides Φ_k(p), that are not (p^k − 1)/r-th powers
    let x = [pairs[0].q.x.clone(), pairs[0].q.y.clone()];
    at! {target; conjugate = conjugate(&x); inverse = inv(&x); unitary = mul(&conjugate, &inverse);}
    at! {e; minus_one = neg(&e.one());}
    let power = pow(target, &unitary, &(parameters.q() + 1u32));
    for x in [target.zero(), x, unitary.clone(), [minus_one, e.zero()]] {
        assert!(!f.lane(over.in_gt(&x), 0), "not in GT");
    }
    let in_gt = f.lane(over.in_gt(&power), 0);
    assert!(!in_gt, "of an order that divides Φ_k(p)");
    at! {target; product = mul(&power, value);}
    assert!(!f.lane(over.in_gt(&product), 0), "a value and a factor of another order");
    assert!(f.lane(over.in_gt(&target.one()), 0), "1 is in GT");
    let o = Affine { x: f.zero(), y: f.zero(), infinity: f.mask(true) };
    assert!(f.lane(over.in_g1(&o), 0), "O is in G1");
    let o = Affine { x: e.zero(), y: e.zero(), infinity: f.mask(true) };
    assert!(f.lane(over.in_g2(&o), 0), "O is in G2");
    // points of C that are not in G1, if there are any
    let root = square_root(f);
    let mut outside = 0;
    for x in (1u32..40).map(|x| f.constant(&x.into())) {
        let (right, mut y) = (over.g1().rhs(&x), f.zero());
        if f.lane(root.root(f, &mut y, &right), 0) {
            let p = Affine { x, y, infinity: f.mask(false) };
            let in_order = f.lane(f.is_zero(&over.g1().mul(over.order(), &p).z), 0);
            assert_eq!(f.lane(over.in_g1(&p), 0), in_order, "membership of G1");
            outside += usize::from(!in_order);
        }
    }
    assert_eq!(outside > 0, *parameters.h() > BigUint::from(1u32), "points outside G1");
}

fn square_root<F: Lanes>(f: &F) -> bilinear_field::SquareRoot<F> {
    let p = f.modulus();
    let non_square = (2u32..).map(BigUint::from).find(|x| x.modpow(&(p >> 1u32), p) != BigUint::from(1u32));
    bilinear_field::SquareRoot::new(f, &f.constant(&non_square.unwrap()))
}

/// Checks a curve on words.
fn check(name: &str, files: &[&str]) {
    let parameters = parameters(name);
    let read = |file: &&str| {
        let (answers, is_pari) = (answers(file), file.starts_with("oracle"));
        assert!(answers.len() > 3 && answers.iter().all(|a| a.value("ate").is_some() == is_pari), "{file}");
        let in_g2 = is_pari || file.contains("rtors");
        answers.into_iter().map(move |a| (a, in_g2))
    };
    let answers: Vec<(Answer, bool)> = files.iter().flat_map(read).collect();
    reproduces(&Words::new(parameters.q()).unwrap(), &parameters, &answers);
}

#[test]
fn curves_of_type_d() {
    check("d-159", &["oracle/D_d159.jsonl", "pbc/d159.jsonl", "pbc/d159-rtors.jsonl"]);
    check("d-179", &["oracle/D_179gen.jsonl"]);
    check("d-277699-175-167", &["oracle/D_d277699-175-167.jsonl"]);
    check("d-278027-190-181", &["oracle/D_d278027-190-181.jsonl"]);
    check("d-105171-196-185", &["oracle/D_d105171-196-185.jsonl"]);
    check("d-201", &["oracle/D_d201.jsonl", "pbc/d201.jsonl", "pbc/d201-rtors.jsonl"]);
    check("d-224", &["oracle/D_d224.jsonl", "pbc/d224.jsonl", "pbc/d224-rtors.jsonl"]);
}

#[test]
fn the_curve_of_type_g() {
    check("g-149", &["oracle/G_g149.jsonl", "pbc/g149.jsonl", "pbc/g149-rtors.jsonl"]);
}

/// Computes the pairing of one pair, as a function of its coordinates.
fn flat_tate<F: Prime>(over: &QuadraticTwistPairing<F>, i: &[F::Elem]) -> Vec<F::Elem> {
    let mask = over.fp().mask(false);
    let e = |i: &[F::Elem]| AnyElem::Dense(i.to_vec());
    let pair = Pair {
        p: Affine { x: i[0].clone(), y: i[1].clone(), infinity: mask },
        q: Affine { x: e(&i[2..5]), y: e(&i[5..8]), infinity: mask },
        infinite: None,
    };
    let [value] = &values(over, PairingKind::Tate, &[pair], &[1])[..] else { panic!("one value") };
    let mut all = vec![];
    over.target().coefficients(value, &mut |c| all.push(c.clone()));
    all
}

#[test]
fn a_recorded_pairing_replays() {
    let parameters = parameters("d-159");
    let recorder = Recorder::new(parameters.q()).unwrap();
    let over = system(&parameters, recorder.clone());
    let program = recorder.record(|ports| {
        let inputs: Vec<_> = (0..8).map(|_| ports.elem()).collect();
        flat_tate(&over, &inputs).iter().for_each(|x| ports.output(x));
    });
    let program = program.unwrap();
    let f = Words::new(parameters.q()).unwrap();
    for a in answers("oracle/D_d159.jsonl") {
        let inputs: Vec<_> = a.p.iter().chain(a.q.iter().flatten()).map(|x| Operand::Elem(f.constant(x))).collect();
        let found: Vec<BigUint> = program.replay(&f, &inputs).iter().map(|x| f.value(x.elem(), 0)).collect();
        assert_eq!(found, a.tate);
    }
}

/// Returns the products, squares and reductions.
fn msr(t: Tally) -> [u64; 3] {
    [t.mul, t.sqr, t.reduction]
}

#[test]
fn steps_and_lines_cost_what_their_heads_say() {
    let parameters = parameters("d-159");
    let count = Count::new(parameters.q());
    let over = system(&parameters, count.clone());
    let (mut t, mut line) = (JacobianZz { x: (), y: (), z: (), zz: () }, Line::default());
    assert_eq!(msr(count.of(|| double_step(&count, &(), &mut t, &mut line))), [8, 5, 11]);
    assert_eq!(msr(count.of(|| add_step(&count, &mut t, &mut line, [&(), &()]))), [10, 3, 11]);
    // d = 3: an unreduced product of E is 9M, a reduction 6M + 5R; ν costs 5M + 5R in a product of F_p^k
    let (f, e) = (over.target().one(), over.e().one());
    let mut out = over.target().zero();
    let monic = Monic { x: (), c: () };
    let work = || Tate::times(&over, &mut out, &f, &line, &[e.clone(), e.clone()]);
    assert_eq!(msr(count.of(work)), [2 * 9 + 13 + 2 * 6, 0, 2 * 5 + 4]);
    let work = || Tate::times_monic(&over, &mut out, &f, &monic, &[e.clone(), e.clone()]);
    assert_eq!(msr(count.of(work)), [2 * 9 + 9 + 2 * 6, 0, 2 * 5 + 3]);
    let (line, monic) = (Line { x: e.clone(), y: e.clone(), c: e.clone() }, Monic { x: e.clone(), c: e });
    let work = || Ate::times(&over, &mut out, &f, &line, &[(), (), ()]);
    assert_eq!(msr(count.of(work)), [3 * 9 + 5 + 2 * 6 + 6, 0, 2 * 5 + 5 + 6]);
    let work = || Ate::times_monic(&over, &mut out, &f, &monic, &[(), (), ()]);
    assert_eq!(msr(count.of(work)), [2 * 9 + 9 + 2 * 6, 0, 2 * 5 + 3]);
    let x = over.target().one();
    assert_eq!(msr(count.of(|| over.gt_square(&x))), [3 + 9 + 2 * 6, 3, 2 * 5]);
    assert_eq!(count.of(|| over.final_exponentiation(&x)).inversion, 1);
}
