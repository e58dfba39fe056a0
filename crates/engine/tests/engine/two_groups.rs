//! Two different groups: the public interface on every asymmetric curve.

use crate::common::system;
use bilinear_engine::{
    Batch, FactorsError, FileError, Group, Options, PairingKind, Point, PointError, PointRef, Power, PreparedRows,
    Side, System, Validate, Values,
};
use bilinear_params::{Curve, Description, Factors};
use num_bigint::BigUint;

const CURVE: &str = "alt-bn128";

fn asymmetric() -> System {
    system(CURVE)
}

/// Returns the points 1 to n times the generator.
fn points(s: &System, group: Group, n: u32) -> Vec<Point> {
    (1..=n).map(|k| s.mul(&k.into(), &s.generator(group))).collect()
}

/// Returns a point of the twist that is not in G2.
fn outside(s: &System) -> Point {
    let short = |x: u8| [vec![0; s.compressed_len(Group::G2) - 2], vec![x, 0]].concat();
    (1..=255)
        .filter_map(|x| s.decode(Group::G2, PointRef::Bytes(&short(x)), Validate::OnCurve).ok())
        .find(|q| s.decode(Group::G2, q.as_ref(), Validate::Subgroup) == Err(PointError::NotInSubgroup))
        .unwrap()
}

#[test]
fn every_point_knows_its_group() {
    let s = asymmetric();
    assert!(!s.is_symmetric());
    for group in Group::ALL {
        let (p, len) = (s.generator(group), s.point_len(group));
        let mut drawn = 0;
        let made = [
            s.infinity(group),
            s.hash_to_curve(group, b"m", b"T").unwrap(),
            s.random(group).unwrap(),
            s.random_point(group, &mut |bytes| {
                drawn += 1;
                bytes.fill(drawn);
            }),
            s.add(&p, &p),
            s.neg(&p),
            s.mul(&2u32.into(), &p),
            s.mul_secret(&[2], &p),
        ];
        for point in &made {
            assert_eq!((point.group(), point.bytes().map_or(len, <[u8]>::len)), (group, len));
        }
        assert_eq!((&made[4], &made[4]), (&made[6], &made[7]));
        let short = s.compressed(&p).unwrap();
        assert_eq!(short.len(), s.compressed_len(group));
        assert_eq!(s.decode(group, PointRef::Bytes(&short), Validate::Subgroup), Ok(p.clone()));
        assert_eq!(Batch::new(s.clone()).decode(group, &[PointRef::Bytes(&short)]), [Ok(p)]);
    }
    assert_ne!(s.infinity(Group::G1), s.infinity(Group::G2));
    let error = s.decode(Group::G2, PointRef::Bytes(&[0; 4]), Validate::Subgroup).unwrap_err();
    assert_eq!(error.to_string(), "a point takes 128 bytes (x and y), or 65 compressed, not 4");
}

#[test]
fn rows_take_their_points_from_both_groups() {
    let s = asymmetric();
    let (p, q) = (points(&s, Group::G1, 4), points(&s, Group::G2, 4));
    let e = s.pair(&p[0], &q[0]);
    assert_eq!(s.pair(&p[2], &q[3]), s.gt_pow(&e, &BigUint::from(12u32)));
    let batch = Batch::new(s.clone());
    let mut rows: Vec<_> = p.iter().zip(&q).map(|(p, q)| (p.as_ref(), q.as_ref())).collect();
    let values: Vec<_> = p.iter().zip(&q).map(|(p, q)| Ok(s.pair(p, q))).collect();
    assert_eq!(batch.pair(&rows), values);
    // a point of the wrong group gives a length error in its own column
    rows[1] = (q[0].as_ref(), q[1].as_ref());
    rows[2] = (p[0].as_ref(), p[1].as_ref());
    let sides: Vec<_> = batch.pair(&rows).iter().map(|r| r.as_ref().err().map(|e| (e.row, e.side))).collect();
    assert_eq!(sides, [None, Some((1, Side::P)), Some((2, Side::Q)), None]);
    let minus = s.neg(&p[3]);
    let rows = [(p[3].clone(), q[1].clone()), (minus, q[1].clone()), (p[0].clone(), q[0].clone())];
    assert_eq!(batch.check(&rows, &[0..2, 0..3, 2..2]), [Ok(true), Ok(false), Ok(true)]);
}

/// Points on the curve but outside the group are accepted only where that was requested.
#[test]
fn points_are_checked_for_what_they_are_not_known_to_be() {
    let s = asymmetric();
    let p = s.generator(Group::G1);
    let q = outside(&s);
    let batch = Batch::new(s.clone()).on_this_thread();
    let on_curve = batch.clone().validate(Validate::OnCurve);
    let outcome = |batch: &Batch, q: &Point| batch.pair(&[(p.as_ref(), q.as_ref())]).remove(0).map_err(|e| e.reason);
    assert_eq!(outcome(&batch, &q), Err(PointError::NotInSubgroup));
    assert!(outcome(&on_curve, &q).is_ok());
    // a point of another curve, whose encodings have the same length, is treated as its bytes
    let stranger = system("bn-254n").generator(Group::G2);
    assert_eq!(stranger.bytes().unwrap().len(), s.point_len(Group::G2));
    assert_eq!(outcome(&on_curve, &stranger), Err(PointError::NotOnCurve));
    // known and unknown points side by side, with bytes among them
    let known = points(&s, Group::G1, 3);
    let bytes = known[1].bytes().unwrap();
    let row = [known[0].as_ref(), PointRef::Bytes(bytes), PointRef::Infinity, PointRef::Bytes(&[1]), known[2].as_ref()];
    let length = PointError::Length { given: 1, full: 64, compressed: 33 };
    let want =
        [Ok(known[0].clone()), Ok(known[1].clone()), Ok(s.infinity(Group::G1)), Err(length), Ok(known[2].clone())];
    assert_eq!(batch.decode(Group::G1, &row), want);
    // an error names its row
    let q = s.generator(Group::G2);
    let error = batch.pair(&[(p.as_ref(), q.as_ref()), (PointRef::Bytes(&[1]), q.as_ref())]).remove(1).unwrap_err();
    assert_eq!(error.to_string(), "row 1, p: a point takes 64 bytes (x and y), or 33 compressed, not 1");
}

#[test]
fn the_second_argument_is_the_fixed_one() {
    let s = asymmetric();
    let (p, q) = (points(&s, Group::G1, 3), points(&s, Group::G2, 3));
    assert_eq!(s.fixed_side(), Side::Q);
    let error = s.prepare(Side::P, &p[0]).err().unwrap().to_string();
    assert_eq!(error, "curve alt-bn128: the optate pairing cannot be prepared for a fixed p, only for a fixed q");
    let fixed: Vec<_> = q.iter().map(|q| s.prepare(Side::Q, q).unwrap()).collect();
    assert_eq!(fixed[0].side(), Side::Q);
    let rows = [p[0].as_ref(), PointRef::Infinity, p[1].as_ref(), q[0].as_ref()];
    let batch = Batch::new(s.clone());
    let values = batch.pair_prepared(&fixed[2], &rows);
    assert_eq!(values[..3], [Ok(s.pair(&p[0], &q[2])), Ok(s.gt_one()), Ok(s.pair(&p[1], &q[2]))]);
    let error = values[3].as_ref().unwrap_err();
    assert_eq!((error.row, error.side), (3, Side::P));
    let products = batch.product_prepared(&fixed, &rows[..3], &[PreparedRows { rows: 0..3, first_prepared: 0 }]);
    assert_eq!(products, [Ok(s.gt_mul(&s.pair(&p[0], &q[0]), &s.pair(&p[1], &q[2])))]);
    let groups = [PreparedRows { rows: 0..3, first_prepared: 0 }, PreparedRows { rows: 1..2, first_prepared: 0 }];
    assert_eq!(batch.check_prepared(&fixed, &rows[..3], &groups), [Ok(false), Ok(true)]);
}

#[test]
fn files_name_their_group() {
    let s = asymmetric();
    for group in Group::ALL {
        let values = points(&s, group, 2);
        for compressed in [false, true] {
            let mut file = s.write_points(group, &values, compressed);
            assert_eq!(s.read_values(&file, Validate::Subgroup), Ok(Values::Points(values.clone())));
            file[11] ^= 3;
            assert!(matches!(s.read_values(&file, Validate::Subgroup), Err(FileError::Length { .. })));
        }
    }
}

#[test]
fn two_groups_of_prime_order_have_no_subgroups() {
    let s = asymmetric();
    let none = FactorsError::PrimeOrder { curve: CURVE.into() };
    let p = s.generator(Group::G2);
    assert_eq!(s.factors().err(), Some(none.clone()));
    assert_eq!(s.subgroup_generators(), Err(none.clone()));
    assert_eq!(s.project(0, &p), Err(none.clone()));
    assert_eq!(s.in_subgroup(0, &p), Err(none.clone()));
    let factors = Factors::public(&Curve::named("a1-2x512").unwrap()).unwrap();
    assert_eq!(s.with_factors(&factors).err(), Some(none));
}

#[test]
#[should_panic(expected = "a point of g2 was handed to curve alt-bn128 where one of g1 is expected")]
fn groups_do_not_mix_in_sums() {
    let s = asymmetric();
    s.add(&s.generator(Group::G1), &s.generator(Group::G2));
}

#[test]
#[should_panic(expected = "a point of g2 was handed to curve alt-bn128 where one of g1 is expected")]
fn arguments_of_the_wrong_group_are_refused() {
    let s = asymmetric();
    s.pair(&s.generator(Group::G2), &s.generator(Group::G2));
}

#[test]
#[should_panic(expected = "a point of g1 was handed to curve alt-bn128 where one of g2 is expected")]
fn a_file_has_points_of_one_group() {
    let s = asymmetric();
    s.write_points(Group::G2, &[s.generator(Group::G1)], false);
}

#[test]
#[should_panic(expected = "a value of the optate pairing was handed to the ate pairing")]
fn pairings_do_not_mix() {
    let s = asymmetric();
    let options = Options { pairing: Some(PairingKind::Ate), ..Options::default() };
    let ate = System::with(&Curve::named(CURVE).unwrap(), options).unwrap();
    let rows = [(s.generator(Group::G1), s.generator(Group::G2))];
    let part = |s: &System| Batch::new(s.clone()).miller(&rows, &[0..1]).remove(0).unwrap();
    ate.miller_mul(&part(&ate), &part(&s));
}

/// The curve of `f.param` with values in PBC's layout, and in that of this library.
fn both_layouts() -> [System; 2] {
    let pbc = Curve::named("f").unwrap().to_toml();
    let nested = pbc.replace("layout = \"pbc\"\n", "");
    [pbc, nested].map(|text| System::new(&Description::from_toml(&text, "test").unwrap().curve).unwrap())
}

#[test]
fn files_say_that_values_have_another_layout() {
    let [pbc, nested] = both_layouts();
    let file = pbc.write_points(Group::G1, &[pbc.generator(Group::G1)], false);
    let error = nested.read_values(&file, Validate::Subgroup).unwrap_err();
    assert_eq!(error.to_string(), "the values have another layout than those of curve f");
}

#[test]
#[should_panic(expected = "a value with another layout was handed to curve f")]
fn layouts_do_not_mix() {
    let [pbc, nested] = both_layouts();
    pbc.neg(&nested.generator(Group::G1));
}

#[test]
fn names_are_read_back() {
    assert!(Group::ALL.iter().all(|g| g.name().parse() == Ok(*g)));
    assert!(PairingKind::ALL.iter().all(|k| k.name().parse() == Ok(*k)));
    assert!(Power::ALL.iter().all(|p| p.name().parse() == Ok(*p)));
    let error = "miller".parse::<PairingKind>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "no pairing is called \"miller\": choose one of optate, ate, rate, tate, betaweil, alphaweil, weil, etat, opteta"
    );
    assert_eq!("G1".parse::<Group>(), Ok(Group::G1));
    assert_eq!("OptAte".parse::<PairingKind>(), Ok(PairingKind::OptAte));
    assert!("g3".parse::<Group>().is_err());
}
