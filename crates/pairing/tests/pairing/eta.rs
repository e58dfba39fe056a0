//! η_T over F_2^5 and F_2^7, on all points: the curve compared with chords and tangents, orders, the map, and the
//! pairing's laws. Values of large fields are compared with known answers where bytes are tested
//! (`crates/engine/tests/engine/eta.rs`).

use bilinear_field::binary::Binary;
use bilinear_field::count::Count;
use bilinear_field::{Blank, Field, Lanes, Prime, at, minus, plus};
use bilinear_pairing::booth::{ENTRIES, digits};
use bilinear_pairing::complete_group::CompleteGroup;
use bilinear_pairing::curve::Affine;
use bilinear_pairing::eta::Eta;
use bilinear_pairing::eta::group::Group;
use bilinear_pairing::eta::tower::{self, Over, Quartic};
use bilinear_pairing::eta_t::EtaT;
use bilinear_pairing::unitary_power::Unitary;
use num_bigint::BigUint;

type F = Binary<1>;
/// The coordinates x and y, or O.
type Point = Option<(u64, u64)>;

struct Small {
    f: F,
    m: usize,
    b: bool,
    eta: Eta<1>,
    /// All points, O first.
    points: Vec<Point>,
}

impl Small {
    /// Counts the points, and derives ν from their number.
    fn new(polynomial: u64, b: bool) -> Self {
        let f = F::new(&BigUint::from(polynomial)).unwrap();
        let m = f.degree();
        let group = Group::new(f.clone(), b);
        let on = |x: u64, y: u64| f.lane(group.contains(&elem(&f, x), &elem(&f, y)), 0);
        let all = 0..1u64 << m;
        let pairs = all.clone().flat_map(|x| all.clone().map(move |y| (x, y)));
        let points: Vec<Point> = [None].into_iter().chain(pairs.filter(|(x, y)| on(*x, *y)).map(Some)).collect();
        let half = 1 << m.div_ceil(2);
        let above = points.len() == (1 << m) + half + 1;
        assert!(above || points.len() == (1 << m) + 1 - half, "{m} {b}: {} points", points.len());
        Small { eta: Eta::new(f.clone(), b, above), f, m, b, points }
    }

    fn all() -> Vec<Small> {
        [0b100101, 0b10000011].into_iter().flat_map(|f| [false, true].map(|b| Small::new(f, b))).collect()
    }

    fn affine(&self, p: Point) -> Affine<F> {
        let (x, y) = p.unwrap_or((0, 0));
        Affine { x: elem(&self.f, x), y: elem(&self.f, y), infinity: self.f.mask(p.is_none()) }
    }

    fn plain(&self, p: &Affine<F>) -> Point {
        (!self.f.lane(p.infinity, 0)).then(|| (value(&self.f, &p.x), value(&self.f, &p.y)))
    }

    /// Returns P + Q by chord and tangent.
    fn sum(&self, p: Point, q: Point) -> Point {
        let (Some((x1, y1)), Some((x2, y2))) = (p, q) else { return p.or(q) };
        if x1 == x2 && y1 != y2 {
            return None;
        }
        let f = &self.f;
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(|c| elem(f, c));
        let slope = if value(f, &x1) == value(f, &x2) {
            at!(f; sqr_sum(&x1, &[plus(&f.one())]))
        } else {
            at! {f; dx = add(&x1, &x2); dy = add(&y1, &y2); inverse = inv(&dx); slope = mul(&dy, &inverse);}
            slope
        };
        at! {f;
            x = sqr_sum(&slope, &[plus(&x1), plus(&x2)]);
            across = add(&x1, &x);
            y = mul_sum(&slope, &across, &[plus(&y1), plus(&f.one())]);
        }
        Some((value(f, &x), value(f, &y)))
    }

    fn times(&self, k: usize, p: Point) -> Point {
        (0..k).fold(None, |sum, _| self.sum(sum, p))
    }

    fn pair(&self, p: Point, q: Point) -> Quartic<F> {
        let (p, q) = (self.affine(p), self.affine(q));
        let value = self.eta.miller(&[(&self.eta.lines(&p), &q)]);
        self.eta.final_exponentiation(&[value]).remove(0)
    }

    fn words(&self, x: &Quartic<F>) -> [u64; 4] {
        [0, 1, 2, 3].map(|i| value(&self.f, &x[i]))
    }
}

fn elem(f: &F, x: u64) -> <F as Field>::Elem {
    f.constant(&BigUint::from(x))
}

fn value(f: &F, x: &<F as Field>::Elem) -> u64 {
    let mut words = [0];
    f.store(&mut words, x, 0);
    words[0]
}

#[test]
fn sums_and_multiples_are_those_of_chords_and_tangents() {
    for small in Small::all() {
        let (group, n) = (small.eta.group(), small.points.len());
        for p in &small.points {
            let twice = group.normalise(&[group.double(&group.to_jacobian(&small.affine(*p)))]).remove(0);
            assert_eq!(small.plain(&twice), small.sum(*p, *p));
            assert_eq!(small.times(n, *p), None, "the order divides {n}");
            for q in &small.points {
                // with a Z other than 1: (P + P) + P + Q
                let p2 = group.double(&group.to_jacobian(&small.affine(*p)));
                let three = group.add(&p2, &small.affine(*p));
                for (left, want) in [(p2, small.sum(*p, *p)), (three, small.times(3, *p))] {
                    let found = group.normalise(&[group.add(&left, &small.affine(*q))]).remove(0);
                    assert_eq!(small.plain(&found), small.sum(want, *q), "m {} b {}", small.m, small.b);
                }
            }
        }
        // P takes every order that occurs
        for (i, p) in small.points.iter().enumerate().skip(1) {
            let p_affine = small.affine(*p);
            let table = group.window(&p_affine);
            for (j, multiple) in table.iter().enumerate() {
                let k = if j < ENTRIES { j + 1 } else { 32 };
                assert_eq!(small.plain(multiple), small.times(k, *p));
            }
            for k in [0, 1, 2, 15, 16, 17, 31, 32, n - 1, n, n + 1, 3 * n + i] {
                let bytes = (k as u64).to_be_bytes();
                let number = BigUint::from(k);
                let sums = [group.mul_secret(&[&bytes], &p_affine), group.msm(&[(&number, p_affine.clone())])];
                for found in group.normalise(&sums) {
                    assert_eq!(small.plain(&found), small.times(k % n, *p), "{k} of {p:?}");
                }
            }
            let other = small.points[1 + (7 * i) % (n - 1)];
            let (k, l) = (BigUint::from(3 * i), BigUint::from(n - 2));
            let sum = group.msm(&[(&k, p_affine.clone()), (&l, small.affine(other))]);
            let want = small.sum(small.times(3 * i % n, *p), small.times(n - 2, other));
            assert_eq!(small.plain(&group.normalise(&[sum]).remove(0)), want);
        }
    }
}

/// Every x that has points gives both, and each point that is reached is the map of two u.
#[test]
fn points_from_x_and_from_u() {
    for small in Small::all() {
        let mut images = std::collections::BTreeMap::new();
        for x in 0..1u64 << small.m {
            let there: Vec<Point> =
                small.points.iter().copied().filter(|p| p.is_some_and(|(own, _)| own == x)).collect();
            let found: Vec<Point> = [false, true]
                .into_iter()
                .filter_map(|odd| {
                    let p = small.plain(&small.eta.point(&elem(&small.f, x), odd)?);
                    assert_eq!(p.map(|(_, y)| y & 1 == 1), Some(odd));
                    Some(p)
                })
                .collect();
            assert_eq!(found.len(), there.len());
            assert!(found.iter().all(|p| there.contains(p)));
            let image = small.plain(&small.eta.map(&elem(&small.f, x)));
            assert!(small.points.contains(&image));
            *images.entry(image).or_insert(0) += 1;
        }
        assert!(images.values().all(|count| *count == 2), "each from two u: {images:?}");
    }
}

/// The pairing is symmetric, bilinear and non-degenerate: all values are powers of one value.
#[test]
fn the_pairing_of_all_points() {
    for small in Small::all() {
        let (n, f) = (small.points.len(), &small.f);
        // a point whose multiples are all points
        let generates = |p: &&Point| p.is_some() && (1..n).all(|k| small.times(k, **p).is_some());
        let g = *small.points.iter().find(generates).unwrap();
        let base = small.pair(g, g);
        let mut powers = vec![Over(f).one()];
        while powers.len() < n {
            powers.push(Over(f).mul(&powers[powers.len() - 1], &base));
        }
        assert!(powers[1..].iter().all(|x| small.words(x) != [1, 0, 0, 0]), "of order {n}");
        let multiples: Vec<Point> = (0..n).map(|k| small.times(k, g)).collect();
        for a in 1..n {
            for b in (1..n).step_by(if small.m > 5 { 7 } else { 1 }) {
                let value = small.pair(multiples[a], multiples[b]);
                assert_eq!(
                    small.words(&value),
                    small.words(&powers[a * b % n]),
                    "m {} b {}: {a} {b}",
                    small.m,
                    small.b
                );
            }
        }
        // T = 2^m − N, modulo N
        let tate = small.eta.tate(&base);
        let t = ((1i64 << small.m) - n as i64).rem_euclid(n as i64) as usize;
        assert_eq!(small.words(&tate), small.words(&powers[t]));
        let unitary = small.eta.tower();
        for (e, power) in powers.iter().enumerate() {
            assert!(small.eta.divides_points(power));
            let e64 = (e as u64).to_be_bytes();
            assert_eq!(small.words(&unitary.power(&base, &BigUint::from(e))), small.words(power));
            assert_eq!(small.words(&unitary.power_secret(&base, &digits(f, &[&e64]))), small.words(power));
        }
    }
}

/// For every cut of the loop, the parts multiply to the whole loop, for points of every kind.
#[test]
fn the_loop_in_parts_is_the_whole() {
    for small in Small::all() {
        let (eta, f) = (&small.eta, &small.f);
        let n = eta.steps();
        // every choice of cuts before the steps, except before the first
        for cuts in 0..1usize << (n - 1) {
            let ends = (1..n).filter(|i| cuts >> (i - 1) & 1 == 1).chain([n]);
            let mut first = 0;
            let parts = ends.map(|end| std::mem::replace(&mut first, end)..end);
            let parts: Vec<_> = parts.map(|part| (eta.start(&part), part)).collect();
            for (i, p) in small.points.iter().enumerate().skip(1) {
                for q in [*p, small.times(2, *p), small.points[1 + 5 * i % (small.points.len() - 1)]] {
                    if q.is_none() {
                        continue;
                    }
                    let (p, q) = (small.affine(*p), small.affine(q));
                    let factors = parts.iter().map(|(start, part)| eta.miller_part(part.clone(), start, [&p, &q]));
                    let product = factors.reduce(|product, factor| Over(f).mul(&product, &factor)).unwrap();
                    let whole = eta.miller(&[(&eta.lines(&p), &q)]);
                    assert_eq!(small.words(&product), small.words(&whole), "m {} b {} cuts {cuts:b}", small.m, small.b);
                }
            }
        }
    }
}

/// Products by the rules s² = s + 1 and t² = t + s, powers by products.
#[test]
fn the_tower_satisfies_its_rules() {
    for small in Small::all() {
        let f = &small.f;
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        let mut random = || -> Quartic<F> {
            [(); 4].map(|()| {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                elem(f, seed >> 20 & ((1 << small.m) - 1))
            })
        };
        // products of the basis elements 1, s, t, st
        let rule = [
            [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]],
            [[0, 1, 0, 0], [1, 1, 0, 0], [0, 0, 0, 1], [0, 0, 1, 1]],
            [[0, 0, 1, 0], [0, 0, 0, 1], [0, 1, 1, 0], [1, 1, 0, 1]],
            [[0, 0, 0, 1], [0, 0, 1, 1], [1, 1, 0, 1], [1, 0, 1, 1]],
        ];
        let by_rule = |a: &Quartic<F>, b: &Quartic<F>| {
            let mut out = [0; 4];
            for (i, x) in a.iter().enumerate() {
                for (j, y) in b.iter().enumerate() {
                    at! {f; product = mul(x, y);}
                    (0..4).filter(|k| rule[i][j][*k] == 1).for_each(|k| out[k] ^= value(f, &product));
                }
            }
            out
        };
        for _ in 0..200 {
            let (a, b) = (random(), random());
            assert_eq!(small.words(&Over(f).mul(&a, &b)), by_rule(&a, &b));
            assert_eq!(small.words(&Over(f).sqr_times(&a, 1)), by_rule(&a, &a));
            let line = [b[0].clone(), b[1].clone(), f.one(), f.zero()];
            let mut product = Blank::blank();
            tower::mul_line(f, &mut product, &a, &[b[0].clone(), b[1].clone()]);
            assert_eq!(small.words(&product), by_rule(&a, &line));
            let (four, mut products) = ([(); 4].map(|()| random()), Blank::blank());
            let lines = [(); 4].map(|()| random()).map(|[g0, g1, ..]| [g0, g1]);
            tower::mul_lines(f, &mut products, &four, &lines, &mut tower::LinesScratch::default());
            for ((own, a), [g0, g1]) in products.iter().zip(&four).zip(&lines) {
                assert_eq!(small.words(own), by_rule(a, &[g0.clone(), g1.clone(), f.one(), f.zero()]));
            }
            let frobenius = Over(f).sqr_times(&a, small.m);
            assert_eq!(small.words(&tower::frobenius(f, &a, small.m)), small.words(&frobenius));
            let conjugate = Over(f).sqr_times(&a, 2 * small.m);
            assert_eq!(small.words(&Over(f).conjugate(&a)), small.words(&conjugate));
            let unitary = tower::unitary(f, &[a.clone(), b.clone(), [(); 4].map(|()| f.zero())]);
            assert_eq!(by_rule(&unitary[0], &a), small.words(&conjugate), "a^(2^2m − 1)·a");
            assert_eq!(small.words(&unitary[2]), [0; 4]);
            at! {f; difference = sum(&[plus(&a[0]), minus(&b[0])]);}
            let same = f.lane(Over(f).equal(&a, &[difference, a[1].clone(), a[2].clone(), a[3].clone()]), 0);
            assert_eq!(same, value(f, &b[0]) == 0);
        }
    }
}

/// The costs that comments state: products, squares and reductions.
#[test]
fn costs() {
    let count = Count::new(&BigUint::from(7u32));
    fn of<T>(count: &Count, work: impl FnOnce() -> T) -> [u64; 3] {
        let t = count.of(work);
        [t.mul, t.sqr, t.reduction]
    }
    let (x, group) = ([(); 4], Group::new(count.clone(), false));
    let point = Affine { x: (), y: (), infinity: () };
    let doubled = group.to_jacobian(&point);
    assert_eq!(of(&count, || Over(&count).mul(&x, &x)), [9, 0, 4]);
    assert_eq!(of(&count, || tower::mul_line(&count, &mut [(); 4], &x, &[(), ()])), [6, 0, 4]);
    assert_eq!(of(&count, || Over(&count).sqr_times(&x, 1)), [0, 4, 4]);
    assert_eq!(of(&count, || tower::frobenius(&count, &x, 3)), [0; 3]);
    assert_eq!(of(&count, || group.double(&doubled)), [1, 7, 8]);
    let addition = of(&count, || group.add(&doubled, &point));
    assert_eq!(addition, [9 + 1, 4 + 7, 13 + 8], "with a doubling");
}
