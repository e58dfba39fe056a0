//! Rows of points outside the group, as somebody can make them who has no key.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::encoding::{Writer, curve_id};
use crate::predicate::Searches;
use bilinear_engine::params::Curve;

/// A batch that checks less.
fn on_curve(name: &str) -> Batch {
    Batch::new(System::new(&Curve::named(name).unwrap()).unwrap()).on_this_thread().validate(Validate::Curve)
}

/// A token of random points.
fn token(system: &System, scheme: Scheme) -> Token {
    let (length, places) = (1, vec![0]);
    let points = scheme.meets(length, &places).iter().map(|_| system.random(scheme.token_group()).unwrap()).collect();
    Token { scheme, curve: curve_id(system), id: [7; 16], length, places, points }
}

/// Points of the curve without a part in the group, (0, 0) and others of small order among them: n²·P for points P of small x.
fn outside(system: &System) -> Vec<Point> {
    let x = |x: u8| [vec![0; system.compressed_len(Group::G1) - 2], vec![x, 0]].concat();
    let decoded = |i| system.decode(Group::G1, PointRef::Bytes(&x(i)), Validate::Curve).ok();
    let n = system.order();
    (0..40).filter_map(decoded).map(|p| system.mul(&(n * n), &p)).filter(|p| !p.is_infinity()).take(3).collect()
}

/// A row of this point alone, with a message under the key 1.
fn forged(system: &System, token: &Token, point: &Point) -> Vec<u8> {
    let mut writer = Writer::new(Kind::Ciphertext, token.scheme.byte(), &token.curve, 0);
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

/// What a row of this point gives, by each way to search.
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
            let count = search.meets.len();
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
    let reason = Reason::Point(PointError::NotInSubgroup);
    for point in points {
        let refused = DecodeError { what: Kind::Ciphertext, at: BEFORE, reason };
        assert_eq!(opened(&batch, &tokens, &point), vec![Err(refused); 4]);
    }
}
