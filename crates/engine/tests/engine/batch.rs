//! Batches, products and prepared arguments: PBC's values in PBC's bytes, one outcome for every row, in order.

use crate::common::{pbc, points, system};
use bilinear_engine::{
    Batch, Engine, Group, Gt, Point, PointError, PointRef, Prepared, PreparedRows, Row, RowError, Side, System,
    Validate,
};
use bilinear_params::Curve;
use std::num::NonZeroUsize;

fn threads(system: &System, n: usize) -> Batch {
    Batch::new(system.clone()).threads(NonZeroUsize::new(n).unwrap()).unwrap()
}

fn prepare(system: &System, p: &Point) -> Prepared {
    system.prepare(Side::P, p).unwrap()
}

#[test]
fn pbc_values_in_every_way_to_compute_them() {
    let files = [
        ("pbc/a.param", "a512.jsonl"),
        ("pbc/a1-1024.param", "a1-1024.jsonl"),
        ("pbc/a1-3p-1536.param", "a1-3p-1536.jsonl"),
        ("pbc/a1-2048.param", "a1-2048.jsonl"),
        ("a1-2x512-friendly", "a1-2x512-friendly.jsonl"),
        ("a1-2x1024-friendly", "a1-2x1024-friendly.jsonl"),
    ];
    for (params, file) in files {
        let system = system(params);
        let answers = pbc(&system, file);
        let rows: Vec<_> = answers.iter().map(|[p, q, _]| (PointRef::Bytes(p), PointRef::Bytes(q))).collect();
        let batch = threads(&system, 2);
        let values = batch.pair(&rows);
        assert_eq!(values.len(), 10);
        for (value, [.., e]) in values.iter().zip(&answers) {
            assert_eq!(value.as_ref().unwrap().bytes(), &e[..], "{file}");
        }
        // one row at a time, and with a prepared argument
        let p = system.decode(Group::G1, rows[3].0, Validate::Subgroup).unwrap();
        let q = system.decode(Group::G1, rows[3].1, Validate::Subgroup).unwrap();
        assert_eq!(system.pair(&p, &q).bytes(), &answers[3][2][..]);
        assert_eq!(batch.pair_prepared(&prepare(&system, &p), &[rows[3].1])[0], values[3]);
        // products of unequal size, one of them empty, and the same with prepared arguments
        let rows = &rows[..6];
        let groups = [0..2, 2..2, 2..3, 3..6];
        let want: Vec<Gt> = groups
            .iter()
            .map(|g| values[g.clone()].iter().fold(system.gt_one(), |x, y| system.gt_mul(&x, y.as_ref().unwrap())))
            .collect();
        let products: Vec<Gt> = batch.product(rows, &groups).into_iter().map(Result::unwrap).collect();
        assert_eq!(products, want, "{file}");
        let fixed: Vec<_> = rows
            .iter()
            .map(|(p, _)| prepare(&system, &system.decode(Group::G1, *p, Validate::OnCurve).unwrap()))
            .collect();
        let qs: Vec<_> = rows.iter().map(|(_, q)| *q).collect();
        let groups = groups.map(|rows| PreparedRows { first_prepared: rows.start, rows });
        let products: Vec<Gt> = batch.product_prepared(&fixed, &qs, &groups).into_iter().map(Result::unwrap).collect();
        assert_eq!(products, want, "{file}, prepared");
    }
}

#[test]
fn engines_agree() {
    let curve = Curve::named("a1-4x256").unwrap();
    // without engines for BN primes only and for short fields only
    let engines = Engine::available().filter(|engine| engine.suits(curve.family().field()));
    let best = System::new(&curve).unwrap();
    let systems = engines.map(|engine| best.on(engine).unwrap()).collect::<Vec<_>>();
    let (p, q) = (points(&systems[0], "p", 1), points(&systems[0], "q", 1));
    let rows = [(p[0].as_ref(), q[0].as_ref())];
    let values: Vec<Gt> = systems
        .iter()
        .map(|s| Batch::new(s.clone()).validate(Validate::OnCurve).pair(&rows)[0].clone().unwrap())
        .collect();
    assert!(values.iter().all(|v| *v == values[0]));
    assert_eq!(systems[1].hash_to_curve(Group::G1, b"p 0", b"BILINEAR-TEST").unwrap(), p[0]);
}

#[test]
fn every_row_has_its_outcome() {
    let system = system("a-512");
    let good = points(&system, "row", 40);
    let (full, half) = (system.point_len(Group::G1), system.point_len(Group::G1) / 2);
    let bytes = |i: usize| good[i].bytes().unwrap().to_vec();
    let mut off_curve = bytes(0);
    off_curve[full - 1] ^= 1;
    let mut not_canonical = bytes(1);
    not_canonical[..half].fill(0xff);
    // (0, 0) has order 2
    let outside = vec![0; full];
    let bad: [(usize, Side, Vec<u8>, PointError); 5] = [
        (3, Side::P, bytes(3)[..full - 1].to_vec(), PointError::Length { given: full - 1, full, compressed: half + 1 }),
        (8, Side::Q, not_canonical, PointError::NotCanonical('x')),
        (9, Side::P, off_curve, PointError::NotOnCurve),
        (20, Side::Q, outside, PointError::NotInSubgroup),
        (39, Side::Q, vec![], PointError::Length { given: 0, full, compressed: half + 1 }),
    ];
    let mut rows: Vec<_> = (0..40).map(|i| (good[i].as_ref(), good[39 - i].as_ref())).collect();
    for (row, side, bytes, _) in &bad {
        let place = if *side == Side::P { &mut rows[*row].0 } else { &mut rows[*row].1 };
        *place = PointRef::Bytes(bytes);
    }
    rows[30].0 = PointRef::Infinity;
    rows[31].1 = PointRef::Infinity;
    let one = system.gt_one();
    let want: Vec<Result<Gt, RowError>> = (0..40)
        .map(|row| match bad.iter().find(|b| b.0 == row) {
            Some((_, side, _, reason)) => Err(RowError { row, side: *side, reason: *reason }),
            None if row == 30 || row == 31 => Ok(one.clone()),
            None => Ok(system.pair(&good[row], &good[39 - row])),
        })
        .collect();
    for n in [1, 2, 3] {
        assert_eq!(threads(&system, n).pair(&rows), want, "{n} threads");
    }
    assert_eq!(Batch::new(system.clone()).stream(rows.iter().copied()).collect::<Vec<_>>(), want, "streamed");
    // an invalid row fails its own product only
    let products = threads(&system, 2).product(&rows, &[0..3, 2..6, 29..33]);
    assert!(products[0].is_ok());
    assert_eq!(products[1], Err(RowError { row: 3, side: Side::P, reason: bad[0].3 }));
    let rest = [29, 32].map(|i| want[i].clone().unwrap());
    assert_eq!(products[2], Ok(system.gt_mul(&rest[0], &rest[1])), "O counts as 1");
    // the subgroup is not checked if the caller vouches for it
    assert!(Batch::new(system.clone()).validate(Validate::OnCurve).pair(&rows[20..21])[0].is_ok());
    assert_eq!(bad[4].3.code(), "length");
    assert_eq!(
        want[8].as_ref().unwrap_err().to_string(),
        "row 8, q: coordinate x is not canonical: it is not below the field's modulus"
    );
}

/// More rows than a task takes on a thread, and more than share inversions: 37 vectors of lanes and one row more.
#[test]
fn tasks_of_many_vectors_keep_order() {
    const ROWS: usize = 297;
    for curve in ["bls12-381", "a-512"] {
        let system = system(curve);
        let random = |group, n| (0..n).map(|_| system.random(group).unwrap()).collect::<Vec<Point>>();
        let (p, q) = (random(Group::G1, 3), random(Group::G2, 5));
        let row = |i: usize| (&p[i % 3], &q[i % 5]);
        let value = |(p, q): (&Point, &Point)| system.pair(p, q);
        let values: Vec<Gt> = (0..15).map(|i| value(row(i))).collect();
        let mut rows: Vec<_> = (0..ROWS).map(|i| (row(i).0.as_ref(), row(i).1.as_ref())).collect();
        let mut want: Vec<Result<Gt, RowError>> = (0..ROWS).map(|i| Ok(values[i % 15].clone())).collect();
        rows[290].0 = PointRef::Bytes(&[]);
        for n in [1, 2] {
            let batch = threads(&system, n).validate(Validate::OnCurve);
            let got = batch.pair(&rows);
            assert_eq!(got[290].as_ref().unwrap_err().row, 290, "{curve}");
            want[290] = got[290].clone();
            assert_eq!(got, want, "{curve}, {n} threads");
            let side = system.fixed_side();
            let fixed = system.prepare(side, if side == Side::P { &p[0] } else { &q[0] }).unwrap();
            let others = if side == Side::P { &q } else { &p };
            let alone = others.iter().map(|o| if side == Side::P { value((&p[0], o)) } else { value((o, &q[0])) });
            let alone: Vec<Gt> = alone.collect();
            let others: Vec<_> = (0..ROWS).map(|i| others[i % others.len()].as_ref()).collect();
            for (i, got) in batch.pair_prepared(&fixed, &others).into_iter().enumerate() {
                assert_eq!(got, Ok(alone[i % alone.len()].clone()), "{curve}, {n} threads, row {i}");
            }
        }
    }
}

#[test]
fn parts_of_a_product_join() {
    let system = system("a-512");
    let (p, q) = (points(&system, "p", 5), points(&system, "q", 5));
    let rows: Vec<_> = p.iter().cloned().zip(q).collect();
    let batch = Batch::new(system.clone());
    let parts: Vec<_> = batch.miller(&rows, &[0..2, 2..5]).into_iter().map(Result::unwrap).collect();
    let joined = system.miller_mul(&parts[0], &parts[1]);
    assert_eq!(batch.final_exponentiation(&[joined])[0], batch.product(&rows, &[0..5])[0].clone().unwrap());
    assert!(batch.final_exponentiation(&[]).is_empty() && batch.pair::<(PointRef<'_>, PointRef<'_>)>(&[]).is_empty());
}

#[test]
fn long_products_are_shared_and_keep_their_rows() {
    let system = system("a-512");
    let (p, q) = (points(&system, "p", 2), points(&system, "q", 2));
    let mut rows: Vec<_> = (0..150).map(|i| (p[i % 2].as_ref(), q[i % 2].as_ref())).collect();
    let batch = threads(&system, 2).validate(Validate::OnCurve);
    let [e0, e1] = [0, 1].map(|i| system.pair(&p[i], &q[i]));
    let power = |n: u32| system.gt_mul(&system.gt_pow(&e0, &n.into()), &system.gt_pow(&e1, &n.into()));
    assert_eq!(batch.product(&rows, &[0..150, 10..140]), [Ok(power(75)), Ok(power(65))]);
    let fixed: Vec<_> = (0..150).map(|i| prepare(&system, &p[i % 2])).collect();
    let qs: Vec<_> = rows.iter().map(|r| r.1).collect();
    let groups = [PreparedRows { rows: 0..150, first_prepared: 0 }, PreparedRows { rows: 10..140, first_prepared: 20 }];
    assert_eq!(batch.product_prepared(&fixed, &qs, &groups), [Ok(power(75)), Ok(power(65))]);
    // every number of pieces, and lengths at which the number changes
    for n in [1usize, 2, 15, 16, 17, 18, 32, 33, 40, 48, 49, 63, 64] {
        let want = system.gt_mul(&system.gt_pow(&e0, &n.div_ceil(2).into()), &system.gt_pow(&e1, &(n / 2).into()));
        assert_eq!(batch.product(&rows, &[0..n]), [Ok(want.clone())], "{n} rows");
        let group = PreparedRows { rows: 0..n, first_prepared: 0 };
        assert_eq!(batch.product_prepared(&fixed, &qs, &[group]), [Ok(want)], "{n} rows");
    }
    // the first invalid row of the second part is named
    rows[130].1 = PointRef::Bytes(&[]);
    rows[140].1 = PointRef::Bytes(&[]);
    assert_eq!(batch.product(&rows, &[0..150])[0].as_ref().unwrap_err().row, 130);
}

/// A range that lies outside the rows fails its own product only.
#[test]
fn ranges_outside_of_the_rows_are_errors() {
    let system = system("a-512");
    let (p, q) = (points(&system, "p", 3), points(&system, "q", 3));
    let rows: Vec<_> = p.iter().cloned().zip(q.iter().cloned()).collect();
    let error =
        |row, side, start, end, count| Err(RowError { row, side, reason: PointError::Range { start, end, count } });
    #[allow(clippy::reversed_empty_ranges)]
    let groups = [0..2, 2..4, 3..3, 4..4, 2..1, 0..usize::MAX, 1..3];
    let good = [system.pair(&p[0], &q[0]), system.pair(&p[1], &q[1]), system.pair(&p[2], &q[2])];
    let product = |i: usize| Ok(system.gt_mul(&good[i], &good[i + 1]));
    let side = Side::P;
    let want = [
        product(0),
        error(2, side, 2, 4, 3),
        Ok(system.gt_one()),
        error(4, side, 4, 4, 3),
        error(2, side, 2, 1, 3),
        error(0, side, 0, usize::MAX, 3),
        product(1),
    ];
    for n in [1, 2] {
        let batch = threads(&system, n);
        assert_eq!(batch.product(&rows, &groups), want);
        let checks = batch.check(&rows, &groups);
        assert!(checks.iter().zip(&want).all(|(check, want)| check.is_ok() == want.is_ok()));
        assert_eq!(checks[2], Ok(true));
        let words = "row 2, p: the range 2..4 of a product does not lie within 0..3, the range of the points";
        assert_eq!(want[1].as_ref().unwrap_err().to_string(), words);
        // the same for prepared arguments
        let fixed: Vec<_> = p[..2].iter().map(|p| prepare(&system, p)).collect();
        let others: Vec<_> = q.iter().map(Point::as_ref).collect();
        let group = |rows, first_prepared| PreparedRows { rows, first_prepared };
        let groups = [group(0..2, 0), group(0..3, 0), group(1..2, usize::MAX), group(2..4, 0), group(3..3, 2)];
        let with = batch.product_prepared(&fixed, &others, &groups);
        assert_eq!(with[0], product(0));
        assert_eq!(with[1], error(0, Side::P, 0, 3, 2));
        assert_eq!(with[2], error(1, Side::P, usize::MAX, usize::MAX, 2));
        assert_eq!(with[3], error(2, Side::Q, 2, 4, 3));
        assert_eq!(with[4], Ok(system.gt_one()));
    }
}

#[test]
fn a_batch_uses_all_processors_by_default() {
    let system = system("a-512");
    let all = std::thread::available_parallelism().unwrap().get();
    let batch = Batch::new(system.clone());
    assert_eq!(batch.thread_count(), all);
    assert_eq!(batch.clone().on_this_thread().thread_count(), 1);
    assert_eq!(threads(&system, 3).thread_count(), 3);
    let names = std::sync::Mutex::new(std::collections::HashSet::new());
    struct Spy<'a>(&'a Point, &'a std::sync::Mutex<std::collections::HashSet<Option<String>>>);
    impl Row for Spy<'_> {
        fn p(&self) -> PointRef<'_> {
            self.1.lock().unwrap().insert(std::thread::current().name().map(str::to_owned));
            self.0.as_ref()
        }
        fn q(&self) -> PointRef<'_> {
            self.0.as_ref()
        }
    }
    let p = &points(&system, "p", 1)[0];
    let rows: Vec<Spy<'_>> = (0..16 * all).map(|_| Spy(p, &names)).collect();
    assert!(batch.pair(&rows).iter().all(Result::is_ok));
    let own = |names: &std::collections::HashSet<Option<String>>| {
        names.iter().all(|name| name.as_ref().is_some_and(|name| name.starts_with("bilinear-")))
    };
    assert_eq!(own(&names.lock().unwrap()), all > 1, "the batch's own threads");
    names.lock().unwrap().clear();
    assert!(batch.on_this_thread().pair(&rows).iter().all(Result::is_ok));
    assert!(!own(&names.lock().unwrap()), "the calling thread");
}

#[test]
fn many_threads_may_share_a_batch() {
    let system = system("a-512");
    let (p, q) = (points(&system, "p", 2), points(&system, "q", 2));
    let want: Vec<_> = (0..2).map(|i| Ok(system.pair(&p[i], &q[i]))).collect();
    let batch = threads(&system, 2);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let rows: Vec<_> = (0..40).map(|i| (p[i % 2].as_ref(), q[i % 2].as_ref())).collect();
                let got = batch.pair(&rows);
                assert!(got.iter().enumerate().all(|(i, v)| *v == want[i % 2]));
            });
        }
    });
}

#[test]
fn a_prepared_infinity_gives_one() {
    let system = system("a-512");
    let q = points(&system, "q", 1);
    let batch = Batch::new(system.clone());
    assert_eq!(
        batch.pair_prepared(&prepare(&system, &system.infinity(Group::G1)), &[q[0].as_ref()])[0],
        Ok(system.gt_one())
    );
    assert_eq!(batch.pair_prepared(&prepare(&system, &q[0]), &[PointRef::Infinity])[0], Ok(system.gt_one()));
}

#[test]
fn either_argument_of_a_symmetric_pairing_can_be_fixed() {
    let system = system("a-512");
    let (p, q) = (points(&system, "p", 1), points(&system, "q", 3));
    let batch = threads(&system, 2);
    let rows = [q[0].as_ref(), PointRef::Bytes(&[1]), q[1].as_ref(), q[2].as_ref()];
    for side in [Side::P, Side::Q] {
        let fixed = system.prepare(side, &p[0]).unwrap();
        assert_eq!(fixed.side(), side);
        let values = batch.pair_prepared(&fixed, &rows);
        for (row, point) in [(0, 0), (2, 1), (3, 2)] {
            assert_eq!(values[row], Ok(system.pair(&p[0], &q[point])));
        }
        let error = values[1].as_ref().unwrap_err();
        assert_eq!((error.row, error.side), (1, side.other()), "the rows hold the other argument");
        let products = batch.product_prepared(&[fixed], &rows[..2], &[PreparedRows { rows: 1..2, first_prepared: 0 }]);
        assert_eq!(products[0].as_ref().unwrap_err(), error);
    }
    assert_eq!(system.fixed_side(), Side::P);
}

#[test]
fn products_are_checked_to_be_one() {
    let system = system("a1-4x256");
    let (p, q) = (points(&system, "p", 2), points(&system, "q", 2));
    let (minus, sum) = (system.neg(&p[0]), system.add(&q[0], &q[1]));
    // e(P, Q + R)·e(−P, Q)·e(−P, R) = 1
    let mut rows =
        vec![(p[0].as_ref(), sum.as_ref()), (minus.as_ref(), q[0].as_ref()), (minus.as_ref(), q[1].as_ref())];
    rows.push((p[1].as_ref(), PointRef::Infinity));
    rows.push((PointRef::Bytes(&[]), q[0].as_ref()));
    let groups = [0..3, 0..2, 3..4, 2..2, 1..5, 0..4];
    let bad = RowError { row: 4, side: Side::P, reason: batch_reason(&system) };
    let want = [Ok(true), Ok(false), Ok(true), Ok(true), Err(bad), Ok(true)];
    for n in [1, 2] {
        let batch = threads(&system, n);
        assert_eq!(batch.check(&rows, &groups), want, "{n} threads");
        let parts: Vec<_> = batch.miller(&rows, &[0..1, 1..3]).into_iter().map(Result::unwrap).collect();
        let joined = system.miller_mul(&parts[0], &parts[1]);
        assert_eq!(
            batch.final_exponentiation_is_one(&[parts[0].clone(), joined, parts[1].clone()]),
            [false, true, false]
        );
    }
}

fn batch_reason(system: &System) -> PointError {
    let (full, compressed) = (system.point_len(Group::G1), system.compressed_len(Group::G1));
    PointError::Length { given: 0, full, compressed }
}
