//! The group law compared with textbook affine formulas on big integers, on every kind of pair of points.

use crate::common::answers::answers;
use crate::common::{Words, affine, curve, mapped};
use bilinear_field::{Field, Lanes, Prime, pow};
use bilinear_pairing::bilinear_groups::BilinearGroups;
use bilinear_pairing::booth;
use bilinear_pairing::complete_group::CompleteGroup;
use bilinear_pairing::curve::{Affine, CoefficientA, Curve, Jacobian};
use bilinear_pairing::supersingular::SupersingularPairing;
use num_bigint::BigUint;
use num_traits::{One, Zero};

type Point = Option<[BigUint; 2]>;

/// The curve y² = x³ + ax + b over F_p with textbook arithmetic.
struct Textbook {
    p: BigUint,
    a: BigUint,
    b: BigUint,
}

impl Textbook {
    fn inv(&self, x: &BigUint) -> BigUint {
        x.modpow(&(&self.p - 2u32), &self.p)
    }

    fn add(&self, s: &Point, t: &Point) -> Point {
        let (Some([x1, y1]), Some([x2, y2])) = (s, t) else { return if s.is_none() { t.clone() } else { s.clone() } };
        let p = &self.p;
        let slope = if x1 == x2 {
            if ((y1 + y2) % p).is_zero() {
                return None;
            }
            (x1 * x1 * 3u32 + &self.a) * self.inv(&(y1 * 2u32 % p))
        } else {
            (p + y2 - y1) * self.inv(&((p + x2 - x1) % p))
        } % p;
        let x = (&slope * &slope + p + p - x1 - x2) % p;
        let y = (slope * (p + x1 - &x) + p - y1) % p;
        Some([x, y])
    }

    fn mul(&self, k: &BigUint, t: &Point) -> Point {
        (0..k.bits()).rev().fold(None, |acc, i| {
            let double = self.add(&acc, &acc);
            if k.bit(i) { self.add(&double, t) } else { double }
        })
    }

    /// Returns every point of a small curve.
    fn points(&self) -> Vec<Point> {
        let p: u32 = self.p.clone().try_into().unwrap();
        let on = |x: u32, y: u32| {
            (BigUint::from(y) * y) % &self.p == (BigUint::from(x).pow(3) + &self.a * x + &self.b) % &self.p
        };
        let affine = (0..p).flat_map(|x| (0..p).filter(move |y| on(x, *y)).map(move |y| Some([x.into(), y.into()])));
        std::iter::once(None).chain(affine).collect()
    }
}

fn load(f: &Words, t: &Point) -> Affine<Words> {
    match t {
        Some(xy) => affine(f, xy),
        None => Affine { infinity: f.mask_from(&[true]), ..affine(f, &[BigUint::zero(), BigUint::zero()]) },
    }
}

fn store(f: &Words, curve: &Curve<Words>, t: &Jacobian<Words>) -> Point {
    let t = &curve.normalise(std::slice::from_ref(t))[0];
    (!f.lane(t.infinity, 0)).then(|| [f.value(&t.x, 0), f.value(&t.y, 0)])
}

/// Checks that odd multiples by chords are right where Z is not 0, and that Z is not 0 where every chord has a slope.
fn odd_multiples(f: &Words, curve: &Curve<Words>, slow: &Textbook, s: &Point, (count, alone): (usize, bool)) {
    let Some(_) = s else { return };
    let (multiples, z) = curve.odd_multiples_by_chords(&load(f, s), count, alone);
    let want: Vec<Point> = (0..count as u32).map(|i| slow.mul(&(2 * i + 1).into(), s)).collect();
    let double = slow.add(s, s);
    let x = |p: &Point| p.as_ref().map(|[x, _]| x.clone());
    let meets = want[..count - 1].iter().any(|p| p.is_none() || double.is_none() || x(p) == x(&double));
    assert_eq!(f.value(&z, 0).is_zero(), meets, "{count} of {s:?} on {}", slow.p);
    for (own, want) in multiples.iter().zip(&want).filter(|_| !meets) {
        let own = Jacobian { x: own.x, y: own.y, z };
        assert_eq!(store(f, curve, &own), *want, "{count} of {s:?} on {}, alone: {alone}", slow.p);
    }
}

/// Checks kP from the tables of P's windows, if no entry is O.
fn fixed_base(f: &Words, curve: &Curve<Words>, p: &Affine<Words>, k: u32, want: &Point) {
    let digits = booth::digits(f, &[&k.to_be_bytes()]);
    let (mut base, mut windows) = (p.clone(), vec![]);
    for digit in digits {
        let multiples = curve.window(&base);
        let table = curve.fixed_table(&base);
        let has_infinity = multiples.iter().any(|p| f.lane(p.infinity, 0));
        assert_eq!(f.lane(table.has_infinity, 0), has_infinity, "a table with O");
        if has_infinity {
            return;
        }
        base = table.next;
        windows.push((table.coordinates, digit));
    }
    let twice = windows.clone().into_iter().chain(windows.clone());
    let (sum, twice) = (curve.fixed_sum(windows.into_iter()), curve.fixed_sum(twice));
    assert_eq!(store(f, curve, &sum), *want, "{k} times a base");
    let [sum] = &curve.normalise(&[sum])[..] else { panic!("one point") };
    assert_eq!(
        store(f, curve, &twice),
        store(f, curve, &curve.double(&curve.to_jacobian(sum))),
        "twice {k} times a base"
    );
}

#[test]
fn every_sum_and_multiple_on_small_curves() {
    // the curve of types A and A1 in both Edwards forms and without, one with a = 0, one with neither; all orders and all
    // exceptional cases occur
    let curves = [(59u32, 1u32, 0u32), (59, 1, 0), (61, 0, 2), (67, 5, 7), (71, 1, 0), (103, 1, 0)];
    for (i, (p, a, b)) in curves.into_iter().enumerate() {
        let slow = Textbook { p: p.into(), a: a.into(), b: b.into() };
        let f = Words::new(&slow.p).unwrap();
        let coefficient = match a {
            0 => CoefficientA::Zero,
            1 => CoefficientA::One,
            _ => CoefficientA::Other(f.constant(&slow.a)),
        };
        let curve = match (i, a) {
            (1.., 1) => Curve::with_edwards_form(f.clone()),
            _ => Curve::new(f.clone(), coefficient, f.constant(&slow.b)),
        };
        let points = slow.points();
        assert!(points.len() > 40);
        for s in &points {
            assert!(f.lane(curve.contains(&load(&f, s)), 0));
            let lifted = curve.to_jacobian(&load(&f, s));
            assert_eq!(store(&f, &curve, &curve.double(&lifted)), slow.add(s, s), "2·{s:?} on {p}");
            for t in &points {
                let sum = curve.add(&lifted, &load(&f, t));
                assert_eq!(store(&f, &curve, &sum), slow.add(s, t), "{s:?} + {t:?} on {p}");
                let Some([x, _]) = t else { continue };
                let sum = store(&f, &curve, &curve.add_by_chord(&lifted, &load(&f, t)));
                let has_slope = s.as_ref().is_some_and(|[own, _]| own != x);
                let want = if has_slope { slow.add(s, t) } else { None };
                assert_eq!(sum, want, "{s:?} + {t:?} by the chord on {p}");
            }
            assert!(curve.odd_multiples_by_chords(&load(&f, s), 0, true).0.is_empty());
            for (count, alone) in [1, 2, 4, 8].into_iter().flat_map(|count| [(count, false), (count, true)]) {
                odd_multiples(&f, &curve, &slow, s, (count, alone));
            }
            for k in [0u32, 1, 2, 3, 15, 16, 17, 31, 64, 100, 255, 1000, 0x1234_5678] {
                let want = slow.mul(&k.into(), s);
                assert_eq!(store(&f, &curve, &curve.mul(&k.into(), &load(&f, s))), want, "{k}·{s:?} on {p}");
                let secret = curve.mul_secret(&[&k.to_be_bytes()], &load(&f, s));
                assert_eq!(store(&f, &curve, &secret), want, "secret {k}·{s:?} on {p}");
                if s.is_some() && want.is_some() {
                    fixed_base(&f, &curve, &load(&f, s), k, &want);
                }
            }
        }
    }
}

#[test]
fn the_map_reaches_every_point_once() {
    // q = 59 ≡ 3 (mod 4): u ↦ (±u, y of u's parity) is a bijection from F_q* to E without O and (0, 0)
    let slow = Textbook { p: 59u32.into(), a: BigUint::one(), b: BigUint::zero() };
    let f = Words::new(&slow.p).unwrap();
    let system = SupersingularPairing::new(f.clone(), &15u32.into(), &4u32.into());
    let mut seen = std::collections::HashSet::new();
    for u in 1..59u32 {
        let point = mapped(&system, &f.constant(&u.into()));
        let (x, y) = (f.value(&point.x, 0), f.value(&point.y, 0));
        assert!(x == BigUint::from(u) || x == BigUint::from(59 - u));
        assert_eq!(y.bit(0), u % 2 == 1, "y has the parity of {u}");
        assert!(slow.points().contains(&Some([x.clone(), y.clone()])));
        seen.insert((x, y));
    }
    assert_eq!(seen.len(), 58);
}

/// Among all elements of F_59², those of order n = 15 are the members. Powers of the elements of norm 1, ±1 among
/// them, agree with square-and-multiply.
#[test]
fn members_of_the_target_group_are_the_elements_of_its_order() {
    let (q, n) = (59u32, BigUint::from(15u32));
    let f = Words::new(&q.into()).unwrap();
    let system = SupersingularPairing::new(f.clone(), &n, &4u32.into());
    let (fq2, mut members, mut unitary) = (system.fq2(), 0, 0);
    let same = |x: &_, y: &_| f.lane(fq2.equal(x, y), 0);
    for (re, im) in (0..q).flat_map(|re| (0..q).map(move |im| (re, im))) {
        let x = [re, im].map(|c| f.constant(&c.into()));
        let power = |e: &BigUint| pow(fq2, &x, e);
        let is_member = f.lane(system.gt_contains(&x), 0);
        assert_eq!(is_member, same(&power(&n), &fq2.one()), "{re} + {im}i");
        members += u32::from(is_member);
        if (re * re + im * im) % q == 1 {
            for e in 0..32u8 {
                let want = power(&e.into());
                assert!(same(&system.power(&x, &e.into()), &want), "({re} + {im}i)^{e}");
                assert!(same(&system.gt_pow_secret(&x, &[&[e]]), &want), "({re} + {im}i)^{e}, secret");
            }
            unitary += 1;
        }
    }
    assert_eq!((members, unitary), (15, q + 1));
}

#[test]
fn subgroups_are_told_apart() {
    let c = curve("a1-2x512", "oracle/A1_2x512.jsonl");
    let f = Words::new(&c.q).unwrap();
    let system = SupersingularPairing::new(f.clone(), &c.order, &c.cofactor);
    let factors = c.factors.unwrap();
    let outside = mapped(&system, &f.constant(&5u32.into()));
    assert!(!f.lane(system.is_torsion(&c.order, &outside), 0), "a point of the whole curve");
    let inside = system.curve().normalise(&[system.curve().mul(&c.cofactor, &outside)]).remove(0);
    assert!(f.lane(system.is_torsion(&c.order, &inside), 0));
    for p in &factors {
        assert!(!f.lane(system.is_torsion(p, &inside), 0), "of full order");
        let part = &system.curve().normalise(&[system.curve().mul(&(&c.order / p), &inside)])[0];
        assert!(f.lane(system.is_torsion(p, part), 0));
        assert!(!f.lane(part.infinity, 0));
    }
    // (0, 0) has order 2: it is on the curve, but outside the group
    let two_torsion = affine(&f, &[BigUint::zero(), BigUint::zero()]);
    assert!(f.lane(system.curve().contains(&two_torsion), 0));
    assert!(!f.lane(system.is_torsion(&c.order, &two_torsion), 0));
    assert!(f.lane(system.is_torsion(&2u32.into(), &two_torsion), 0));
}

#[test]
fn membership_by_pairing_agrees_with_multiplication() {
    let vectors = ["oracle/A1_2x512.jsonl", "oracle/A1_3x342.jsonl", "oracle/A1_4x256.jsonl"];
    for (name, vectors) in ["a1-2x512", "a1-3x342", "a1-4x256"].into_iter().zip(vectors) {
        let c = curve(name, vectors);
        let f = Words::new(&c.q).unwrap();
        let system = SupersingularPairing::new(f.clone(), &c.order, &c.cofactor);
        let test = system.membership().unwrap();
        let agree = |p: &Affine<Words>, what: &str| {
            let slow = f.lane(system.is_torsion(&c.order, p), 0);
            assert_eq!(f.lane(system.passes(&test, p), 0), slow, "{name}: {what}");
            slow
        };
        // points of every order that divides h, times an order that divides n
        let l: u64 = c.cofactor.clone().try_into().unwrap();
        // a generator of the whole of E(F_q): n·(l/d) kills it for no d > 1
        let generates = |p: &Affine<Words>| {
            let divisors = (2..=l).filter(|d| l.is_multiple_of(*d));
            divisors.into_iter().all(|d| !f.lane(system.is_torsion(&(&c.order * (l / d)), p), 0))
        };
        let candidates = (2..100u32).map(|x| mapped(&system, &f.constant(&x.into())));
        let point = candidates.into_iter().find(generates).unwrap();
        let times = |k: &BigUint| system.curve().normalise(&[system.curve().mul(k, &point)]).remove(0);
        let mut members = 0;
        for d in (1..=l).filter(|d| l.is_multiple_of(*d)) {
            members += usize::from(agree(&times(&d.into()), &format!("order n·{}", l / d)));
            members += usize::from(agree(&times(&(&c.order * d)), &format!("order {}", l / d)));
        }
        // the only members are the point of order n and O
        assert_eq!(members, 2);
        for a in answers(c.vectors) {
            assert!(agree(&affine(&f, &a.p), "a known point"));
        }
        agree(&affine(&f, &[BigUint::zero(), BigUint::zero()]), "(0, 0)");
    }
    let c = curve("a-512", "oracle/A_512.jsonl");
    let system = SupersingularPairing::new(Words::new(&c.q).unwrap(), &c.order, &c.cofactor);
    assert!(system.membership().is_none(), "with a large cofactor nP is faster");
}

/// Every point of every small curve, for every cofactor that is a multiple of 4 beside an odd order.
#[test]
fn membership_by_pairing_is_right_on_every_point_of_small_curves() {
    let is_prime = |q: &u32| (2..*q).all(|d| !q.is_multiple_of(d));
    let mut tested = 0;
    for q in (19..200u32).filter(|q| q % 4 == 3).filter(is_prime) {
        let f = Words::new(&q.into()).unwrap();
        for h in (4..=q).step_by(4).filter(|h| (q + 1).is_multiple_of(*h) && (q + 1) / h % 2 == 1 && *h <= q / 2) {
            let n = (q + 1) / h;
            let system = SupersingularPairing::new(f.clone(), &n.into(), &h.into());
            let test = system.membership().unwrap_or_else(|| panic!("no test for q = {q}, h = {h}"));
            for p in (0..q).map(|x| mapped(&system, &f.constant(&x.into()))) {
                for p in [p.clone(), system.curve().normalise(&[system.curve().mul(&2u32.into(), &p)]).remove(0)] {
                    let member = f.lane(system.is_torsion(&n.into(), &p), 0);
                    assert_eq!(
                        f.lane(system.passes(&test, &p), 0),
                        member,
                        "q = {q}, h = {h}, x = {}",
                        f.value(&p.x, 0)
                    );
                    tested += 1;
                }
            }
        }
    }
    assert!(tested > 5000, "{tested} points");
}
