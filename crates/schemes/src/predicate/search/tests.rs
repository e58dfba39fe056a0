//! Rows of points outside the group, which anyone can make without a key.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::encoding::{Writer, curve_id};
use crate::predicate::Searches;
use bilinear_engine::params::{Curve, Family};
use bilinear_engine::{BigUint, Engine, Options};

/// A batch that checks points less thoroughly.
fn on_curve(name: &str) -> Batch {
    Batch::new(System::new(&Curve::named(name).unwrap()).unwrap()).on_this_thread().validate(Validate::OnCurve)
}

/// Creates a token of random points.
fn token(system: &System, scheme: Scheme) -> Token {
    let (length, places) = (1, vec![0]);
    let points =
        scheme.paired_points(length, &places).iter().map(|_| system.random(scheme.token_group()).unwrap()).collect();
    Token { scheme, curve: curve_id(system), id: [7; 16], length, places, points }
}

/// Points of the curve without a part in the group: n²·P for points P of small x, (0, 0) and others of small order
/// among them.
fn outside(system: &System) -> Vec<Point> {
    let x = |x: u8| [vec![0; system.compressed_len(Group::G1) - 2], vec![x, 0]].concat();
    let decoded = |i| system.decode(Group::G1, PointRef::Bytes(&x(i)), Validate::OnCurve).ok();
    let n = system.order();
    (0..40).filter_map(decoded).map(|p| system.mul(&(n * n), &p)).filter(|p| !p.is_infinity()).take(2).collect()
}

/// Creates a row that consists of this point alone, with a message under the key 1.
fn forged(system: &System, token: &Token, point: &Point) -> Vec<u8> {
    let mut writer = Writer::new(ObjectKind::Ciphertext, token.scheme.byte(), &token.curve, 0);
    writer.raw(&token.id).u16(token.length);
    for _ in 0..token.scheme.row_points(token.length) {
        writer.point(point);
    }
    if token.scheme.has_message() {
        let message = b"message";
        writer.u32(message.len() + sealed::TAG);
        let sealed = sealed::seal(system.gt_one().bytes(), writer.so_far(), message);
        writer.raw(&sealed);
    }
    writer.finish().to_vec()
}

/// Searches a row of this point in each possible way, and returns the results.
fn opened(batch: &Batch, tokens: &[Token; 2], point: &Point) -> Vec<Opened> {
    let row = forged(batch.system(), &tokens[0], point);
    let alone = [Search::new, Search::unprepared].map(|search| search(batch.clone(), &tokens[0]).unwrap());
    let alone = alone.iter().map(|search| search.open(&[&row]));
    let together = Searches::new(batch.clone(), tokens).unwrap().open(&[&row]);
    alone.chain(together).flatten().collect()
}

#[test]
fn a_product_of_1_is_no_match() {
    for (name, scheme) in [
        ("bls12-381", Scheme::DualSpaces),
        ("bls12-381", Scheme::Matrices),
        ("a-512", Scheme::DualSpaces),
        ("a1-2x512", Scheme::HiddenVector),
        ("a1-3x342", Scheme::InnerProduct),
    ] {
        let batch = on_curve(name);
        let tokens = [0, 1].map(|_| token(batch.system(), scheme));
        let search = Search::new(batch.clone(), &tokens[0]).unwrap();
        for point in outside(batch.system()) {
            let count = search.paired_points.len();
            let products = search.products(&vec![point.as_ref(); count], std::slice::from_ref(&(0..count)));
            assert_eq!(products, [Ok(batch.system().gt_one())], "{name}, {scheme}");
            assert_eq!(opened(&batch, &tokens, &point), vec![Ok(None); 4], "{name}, {scheme}");
        }
    }
}

#[test]
fn rows_without_messages_are_checked_in_full() {
    let batch = on_curve("a1-3x342");
    let tokens = [0, 1].map(|_| token(batch.system(), Scheme::InnerProductOnly));
    let points = outside(batch.system());
    assert!(points[0].bytes().unwrap().iter().all(|byte| *byte == 0));
    let reason = DecodeErrorReason::Point(PointError::NotInSubgroup);
    for point in points {
        let refused = DecodeError { what: ObjectKind::Ciphertext, at: BEFORE, reason };
        assert_eq!(opened(&batch, &tokens, &point), vec![Err(refused); 4]);
    }
}

/// The cofactor of G1; on type E, of all points of order r.
fn cofactor(curve: &Curve) -> &BigUint {
    match curve.family() {
        Family::Supersingular(s) => s.cofactor(),
        Family::Sextic(s) => s.h1(),
        Family::QuadraticTwist(s) => s.h(),
        Family::DegreeOne(s) => s.h(),
        _ => unreachable!("a curve for research"),
    }
}

/// The multiples of a point outside the group that have small prime orders.
fn of_small_order(system: &System, point: &Point) -> Vec<Point> {
    let multiple = |prime: u8| {
        let mut others = cofactor(system.curve()).clone();
        while (&others % prime).bits() == 0 {
            others /= prime;
        }
        let mut point = system.mul(&others, point);
        loop {
            let next = system.mul(&prime.into(), &point);
            if next.is_infinity() {
                return (!point.is_infinity()).then_some(point);
            }
            point = next;
        }
    };
    [2, 3, 5, 7, 11, 13].into_iter().filter_map(multiple).collect()
}

/// The longest fields of the next test in bits. Longer ones have the same formulas.
const MAX_BITS: u64 = 1100;

/// Adds points outside the group, some of small order, to the points of rows, on every shipped curve over a short field
/// that has such points, and with every kind of pairing. The products stay the same, or they change and such rows are
/// rejected.
#[test]
fn parts_outside_the_group_change_nothing_or_are_refused() {
    let more = [
        ("d-159", PairingKind::Ate),
        ("e", PairingKind::Weil),
        ("bls12-381", PairingKind::Ate),
        ("bls12-381", PairingKind::Tate),
        ("bls12-381", PairingKind::BetaWeil),
        ("bls12-381", PairingKind::AlphaWeil),
    ];
    let is_short = |name: &&str| Curve::named(name).unwrap().family().field().bits() <= MAX_BITS;
    let own = Curve::names().filter(is_short).map(|name| (name, None));
    let (mut same, mut refused) = (vec![], vec![]);
    for (name, pairing) in own.chain(more.map(|(name, pairing)| (name, Some(pairing)))) {
        let options = Options { engine: Some(Engine::Mont), pairing, ..Options::default() };
        let system = System::with(&Curve::named(name).unwrap(), options).unwrap();
        let large = outside(&system);
        if large.is_empty() {
            assert_eq!(cofactor(system.curve()), &BigUint::from(1u8), "{name}");
            continue;
        }
        let small = large.iter().flat_map(|point| of_small_order(&system, point));
        let outside: Vec<Point> = small.chain(large.iter().cloned()).collect();
        let scheme = if system.curve().family().name() == "a1" { Scheme::HiddenVector } else { Scheme::DualSpaces };
        let token = token(&system, scheme);
        let batch = Batch::new(system.clone()).on_this_thread().validate(Validate::OnCurve);
        let row: Vec<Point> = token.points.iter().map(|_| system.random(Group::G1).unwrap()).collect();
        let moved = |by: &Point| row.iter().map(|point| system.add(point, by)).collect();
        let rows: Vec<Vec<Point>> = std::iter::once(row.clone()).chain(outside.iter().map(moved)).collect();
        let points: Vec<PointRef<'_>> = rows.iter().flatten().map(Point::as_ref).collect();
        let groups: Vec<Range<usize>> = (0..rows.len()).map(|i| i * row.len()..(i + 1) * row.len()).collect();
        for prepare in [Search::new, Search::unprepared] {
            let search = prepare(batch.clone(), &token).unwrap();
            let found = search.products(&points, &groups);
            let unchecked = Search { batch: batch.clone(), ..search }.products(&points, &groups);
            assert!(unchecked[0].is_ok() && found[0] == unchecked[0], "{name}, {pairing:?}");
            let changed = unchecked[1..].iter().any(|value| *value != unchecked[0]);
            assert_eq!(needs_group(&system, scheme), changed, "{name}, {pairing:?}");
            let is_right = |value: &Result<Gt, RowError>| match value {
                Ok(value) => !changed && Ok(value) == found[0].as_ref(),
                Err(error) => changed && error.reason == PointError::NotInSubgroup,
            };
            assert!(found[1..].iter().all(is_right), "{name}, {pairing:?}");
        }
        if needs_group(&system, scheme) { &mut refused } else { &mut same }.push(name);
    }
    assert!(["d-159", "e", "bls12-381"].iter().all(|name| refused.contains(name)), "{refused:?}");
    assert!(["a-512", "a1-2x512", "bls12-381", "bls24-509"].iter().all(|name| same.contains(name)), "{same:?}");
}
