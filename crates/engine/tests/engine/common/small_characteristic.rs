//! Curves of small characteristic, and the laws that hold on all of them.

use bilinear_engine::{Batch, BigUint, Curve, Group, Options, Point, PointRef, Research, System};

pub fn options() -> Options {
    Options { research: Some(Research::knowing_it_is_broken()), ..Options::default() }
}

pub fn system(name: &str, options: Options) -> System {
    System::with(&Curve::named(name).unwrap(), options).unwrap()
}

/// Checks bilinearity, sums, edges and secret scalars on two random points, and returns the points.
pub fn laws(name: &str, system: &System) -> [Point; 2] {
    let (p, q) = (system.random(Group::G1).unwrap(), system.random(Group::G2).unwrap());
    let (one, value) = (system.gt_one(), system.pair(&p, &q));
    assert_ne!(value, one, "{name}");
    assert_eq!(system.gt_pow(&value, system.order()), one, "{name}");
    assert!(system.mul(system.order(), &p).is_infinity(), "{name}");
    let (a, b) = (BigUint::from(1_000_003u32), system.order() - 5u32);
    let left = system.pair(&system.mul(&a, &p), &system.mul(&b, &q));
    assert_eq!(left, system.gt_pow(&value, &(&a * &b)), "{name}");
    assert_eq!(system.pair(&q, &p), value, "{name}: symmetric");
    assert_eq!(system.pair(&p, &system.neg(&q)), system.gt_inv(&value), "{name}");
    assert_ne!(system.pair(&p, &p), one, "{name}: of equal arguments");
    assert_eq!(system.pair(&p, &system.infinity(Group::G2)), one, "{name}");
    assert_eq!(system.pair(&system.infinity(Group::G1), &q), one, "{name}");
    // sums
    let sum = system.add(&p, &q);
    assert_eq!(system.pair(&sum, &q), system.gt_mul(&value, &system.pair(&q, &q)), "{name}");
    assert_eq!(system.add(&p, &p), system.mul(&BigUint::from(2u32), &p), "{name}");
    assert!(system.add(&p, &system.neg(&p)).is_infinity(), "{name}");
    let terms = [(a.clone(), p.clone()), (b.clone(), q.clone()), (a.clone(), system.infinity(Group::G1))];
    let want = system.add(&system.mul(&a, &p), &system.mul(&b, &q));
    assert_eq!(system.msm(Group::G1, &terms), want, "{name}");
    // secret scalars
    for k in [vec![], vec![0, 0], vec![31], vec![0xff; 9], b.to_bytes_be(), (system.order() + 1u32).to_bytes_be()] {
        let number = BigUint::from_bytes_be(&k);
        assert_eq!(system.mul_secret(&k, &p), system.mul(&number, &p), "{name} {k:02x?}");
        assert_eq!(system.gt_pow_secret(&value, &k), system.gt_pow(&value, &number), "{name} {k:02x?}");
    }
    [p, q]
}

/// Checks that a batch of any size below n on any of these numbers of threads gives the values of its rows one by one,
/// that products are products, and that an invalid row fails its product only.
pub fn batches_and_products(system: &System, n: usize, threads: &[usize]) {
    let points: Vec<Point> =
        (0..n).map(|i| system.hash_to_curve(Group::G1, &[i as u8], b"SMALL-TEST").unwrap()).collect();
    let pair = |i: usize| (points[i].as_ref(), points[(3 * i + 1) % n].as_ref());
    let single: Vec<_> = (0..n).map(|i| system.pair(&points[i], &points[(3 * i + 1) % n])).collect();
    for threads in threads {
        let batch = Batch::new(system.clone()).threads(std::num::NonZeroUsize::new(*threads).unwrap()).unwrap();
        for count in 0..n {
            let rows: Vec<_> = (0..count).map(pair).collect();
            let found: Vec<_> = batch.pair(&rows).into_iter().map(Result::unwrap).collect();
            assert_eq!(found, single[..count], "{threads}");
            let want = single[..count].iter().fold(system.gt_one(), |product, value| system.gt_mul(&product, value));
            assert_eq!(batch.product(&rows, &[0..count]), [Ok(want)], "{count}");
        }
        let minus = system.neg(&points[0]);
        let rows =
            [pair(0), (minus.as_ref(), points[1].as_ref()), (PointRef::Bytes(&[1, 2]), PointRef::Infinity), pair(1)];
        let checked = batch.check(&rows, &[0..2, 1..3, 3..4]);
        assert_eq!((&checked[0], &checked[2]), (&Ok(true), &Ok(false)));
        assert_eq!(checked[1].as_ref().unwrap_err().row, 2);
    }
}
