//! Sums of multiples and of points against sums of the numbers behind the points: P = mG, so Σ k·P = (Σ km)·G. Words
//! without lanes compute the right side in constant time, without buckets and without images under automorphisms.

use crate::common::system;
use bilinear_engine::{Batch, Engine, Group, Point, PointRef, System, Validate};
use num_bigint::BigUint;

struct Rng(u64);

impl Rng {
    /// Returns a number below n ≤ 2^31.
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// The terms of a sum.
struct Terms {
    reference: System,
    group: Group,
    order: BigUint,
    /// The scalar, the point, and the number behind the point.
    terms: Vec<(BigUint, Point, BigUint)>,
}

impl Terms {
    fn new(name: &str, group: Group, count: usize, rng: &mut Rng) -> Self {
        let reference = system(name).on(Engine::Portable).unwrap();
        let (order, generator) = (reference.order().clone(), system(name).generator(group));
        let short = |rng: &mut Rng| BigUint::from(rng.below(1 << 30) as u32);
        let long = |rng: &mut Rng| (0..order.bits() / 30 + 1).fold(BigUint::ZERO, |x, _| (x << 30u32) + short(rng));
        // few points, so that buckets contain a point twice and with its negative, and scalars of every kind
        let numbers: Vec<BigUint> = (0..count.div_ceil(3)).map(|_| long(rng) % &order).collect();
        let own: Vec<(Vec<u8>, Point)> = numbers.iter().map(|m| (m.to_bytes_be(), generator.clone())).collect();
        let points = Batch::new(reference.clone()).on_this_thread().mul_secret(group, &own);
        let term = |i: usize, rng: &mut Rng| {
            let at = rng.below(numbers.len());
            let (p, m) = match i % 11 {
                3 => (reference.neg(&points[at]), &order - &numbers[at]),
                7 => (reference.infinity(group), BigUint::ZERO),
                _ => (points[at].clone(), numbers[at].clone()),
            };
            let k = match i % 13 {
                0 => BigUint::ZERO,
                1 => BigUint::from(1u32),
                2 => &order - 1u32,
                3 => order.clone(),
                4 => &order + short(rng),
                5 => &order * long(rng) + 1u32,
                6 => BigUint::from(1u32) << rng.below(order.bits() as usize),
                7 => short(rng),
                _ => long(rng) % &order,
            };
            (k, p, m)
        };
        let terms = (0..count).map(|i| term(i, rng)).collect();
        Terms { reference, group, order, terms }
    }

    /// Returns the first terms, whose points are known to be in the group, or only on the curve.
    fn given(&self, s: &System, count: usize, known: Validate) -> Vec<(BigUint, Point)> {
        let point = |p: &Point| match p.bytes() {
            Some(bytes) if known == Validate::OnCurve => s.decode(self.group, PointRef::Bytes(bytes), known).unwrap(),
            _ => p.clone(),
        };
        self.terms[..count].iter().map(|(k, p, _)| (k.clone(), point(p))).collect()
    }

    /// Computes the sum of the first terms.
    fn sum(&self, count: usize) -> Point {
        let total: BigUint = self.terms[..count].iter().map(|(k, _, m)| k * m).sum();
        let generator = self.reference.generator(self.group);
        self.reference.mul_secret(&(total % &self.order).to_bytes_be(), &generator)
    }
}

fn seed() -> u64 {
    0x5eed_0018
}

#[test]
fn sums_of_multiples_on_every_family() {
    for name in ["a-512", "a1-2x512", "d-159", "e", "alt-bn128", "bls12-381", "bls24-315", "kss18-508", "bls12-377"] {
        let s = system(name);
        for group in Group::ALL {
            let seed = seed() + name.len() as u64;
            let terms = Terms::new(name, group, 70, &mut Rng(seed));
            for count in [0, 1, 2, 7, 15, 16, 17, 33, 70] {
                let what = format!("{count} terms on {name} {group}, seed {seed:#x}");
                for known in [Validate::Subgroup, Validate::OnCurve] {
                    let given = terms.given(&s, count, known);
                    assert_eq!(s.msm(group, &given), terms.sum(count), "{what}, {known:?}");
                }
            }
        }
    }
}

#[test]
fn sums_of_multiples_on_every_engine() {
    for name in ["bls12-381", "d-159", "bn-254n"] {
        for engine in [Engine::Mont, Engine::Portable, Engine::Rows, Engine::Hmm, Engine::Rns, Engine::Reference] {
            let Ok(s) = system(name).on(engine) else { continue };
            let terms = Terms::new(name, Group::G1, 24, &mut Rng(seed()));
            for known in [Validate::Subgroup, Validate::OnCurve] {
                let given = terms.given(&s, 24, known);
                assert_eq!(s.msm(Group::G1, &given), terms.sum(24), "{name} on {engine}, seed {:#x}", seed());
            }
        }
    }
}

/// Enough terms that buckets need several batches and windows.
#[test]
fn sums_of_many_multiples() {
    for (name, group) in [("bls12-381", Group::G1), ("bls12-381", Group::G2), ("alt-bn128", Group::G1)] {
        let s = system(name);
        let terms = Terms::new(name, group, 2500, &mut Rng(seed()));
        for count in [257, 1000, 2500] {
            let given = terms.given(&s, count, Validate::Subgroup);
            assert_eq!(s.msm(group, &given), terms.sum(count), "{count} on {name} {group}, seed {:#x}", seed());
        }
    }
}

#[test]
fn sums_of_one_point_again_and_again() {
    for name in ["bls12-381", "a-512"] {
        let s = system(name);
        for group in Group::ALL {
            let (p, order) = (s.generator(group), s.order().clone());
            for (k, count) in [(BigUint::from(1u32), 40u32), (&order - 1u32, 40), (&order / 3u32, 41)] {
                let terms = vec![(k.clone(), p.clone()); count as usize];
                assert_eq!(s.msm(group, &terms), s.mul_secret(&(&k * count).to_bytes_be(), &p), "{k} on {name}");
                // with the negatives of all points
                let both: Vec<_> =
                    terms.iter().cloned().chain(terms.iter().map(|(k, p)| (k.clone(), s.neg(p)))).collect();
                assert!(s.msm(group, &both).is_infinity(), "{k} and −{k} on {name}");
            }
        }
    }
}

/// On type A (0, 0) is its own negative: y = 0 has no tangent.
#[test]
fn sums_of_a_point_of_order_two() {
    let s = system("a-512");
    let two = s.decode(Group::G1, PointRef::Bytes(&vec![0; s.point_len(Group::G1)]), Validate::OnCurve).unwrap();
    let g = s.generator(Group::G1);
    for count in [1, 2, 3, 20, 21] {
        let terms: Vec<_> = (0..count).flat_map(|_| [(1u32.into(), two.clone()), (1u32.into(), g.clone())]).collect();
        let rest = s.mul(&BigUint::from(count as u32), &g);
        let want = if count % 2 == 0 { rest } else { s.add(&rest, &two) };
        assert_eq!(s.msm(Group::G1, &terms), want, "{count}");
        let points: Vec<Point> = terms.into_iter().map(|(_, p)| p).collect();
        let batch = Batch::new(s.clone()).on_this_thread();
        assert_eq!(batch.sums(Group::G1, &points, &[0..points.len()]), [want], "{count}");
    }
    assert!(s.add(&two, &two).is_infinity() && s.add(&two, &g) != g);
}

#[test]
fn sums_of_lists_of_points() {
    for name in ["bls12-381", "alt-bn128", "a-512", "d-159"] {
        for s in [system(name), system(name).on(Engine::Mont).unwrap()] {
            for group in Group::ALL {
                let all = Terms::new(name, group, 60, &mut Rng(seed()));
                let points: Vec<Point> = all.terms.iter().map(|(_, p, _)| p.clone()).collect();
                let batch = Batch::new(s.clone()).on_this_thread();
                for lists in [vec![0..0, 0..1, 3..5, 7..8, 2..2], vec![0..60, 5..14, 9..9, 20..21, 30..47]] {
                    let sum = |range: &std::ops::Range<usize>| {
                        let total: BigUint = all.terms[range.clone()].iter().map(|(_, _, m)| m).sum();
                        let generator = all.reference.generator(group);
                        all.reference.mul_secret(&(total % &all.order).to_bytes_be(), &generator)
                    };
                    let want: Vec<Point> = lists.iter().map(sum).collect();
                    assert_eq!(batch.sums(group, &points, &lists), want, "{name} {group}, seed {:#x}", seed());
                }
            }
        }
    }
}
