//! η_T over F_3^5 and F_3^7 compared with a slow reference (`slow.rs`): all points, the group, orders, the map,
//! values of the Tate pairing by its definition, and the laws. Values of large fields are compared with known answers
//! where bytes are tested (`crates/engine/tests/engine/eta3.rs`).

mod slow;

use bilinear_field::count::Count;
use bilinear_field::ternary::Ternary;
use bilinear_field::{Field, Lanes, Prime};
use bilinear_pairing::booth::digits;
use bilinear_pairing::curve::Affine;
use bilinear_pairing::eta_t::EtaT;
use bilinear_pairing::eta3::Eta3;
use bilinear_pairing::eta3::tower::{Six, Tower};
use bilinear_pairing::unitary_power::Unitary;
use num_bigint::BigUint;
use slow::{Large, Point, Slow};

type F = Ternary<2>;

struct Small {
    f: F,
    slow: Slow,
    eta: Eta3<2>,
    tower: Tower<F>,
    /// All points, O first.
    points: Vec<Point<u64>>,
}

impl Small {
    /// Counts the points, and derives s from their number.
    fn new(m: u32, tail: u64, b: u64) -> Self {
        let f = F::new(&BigUint::from(3u64.pow(m) + tail)).unwrap();
        let slow = Slow::new(m, tail, b);
        let points = slow.points();
        let (q, half) = (3usize.pow(m), 3usize.pow(m.div_ceil(2)));
        let above = points.len() == q + half + 1;
        assert!(above || points.len() == q + 1 - half, "{m} {b}: {} points", points.len());
        Small { eta: Eta3::new(f.clone(), b == 1, above), tower: Tower::new(f.clone(), b == 1), f, slow, points }
    }

    /// x^5 − x + 1 and x^7 + x^2 − 1.
    fn all() -> Vec<Small> {
        [(5, 2 * 3 + 1), (7, 9 + 2)].into_iter().flat_map(|(m, f)| [1, 2].map(|b| Small::new(m, f, b))).collect()
    }

    fn elem(&self, x: u64) -> <F as Field>::Elem {
        self.f.constant(&BigUint::from(x))
    }

    fn plain(&self, x: &<F as Field>::Elem) -> u64 {
        let mut words = [0];
        self.f.store(&mut words, x, 0);
        words[0]
    }

    fn affine(&self, p: Point<u64>) -> Affine<F> {
        let (x, y) = p.unwrap_or((0, 0));
        Affine { x: self.elem(x), y: self.elem(y), infinity: self.f.mask(p.is_none()) }
    }

    fn point(&self, p: &Affine<F>) -> Point<u64> {
        (!self.f.lane(p.infinity, 0)).then(|| (self.plain(&p.x), self.plain(&p.y)))
    }

    fn pair(&self, p: Point<u64>, q: Point<u64>) -> Six<F> {
        let (p, q) = (self.affine(p), self.affine(q));
        let value = self.eta.miller(&[(&self.eta.lines(&p), &q)]);
        self.eta.final_exponentiation(&[value]).remove(0)
    }

    fn large(&self, x: &Six<F>) -> Large {
        std::array::from_fn(|i| self.plain(&x[i / 2][i % 2]))
    }

    fn of_large(&self, x: &Large) -> Six<F> {
        std::array::from_fn(|i| std::array::from_fn(|j| self.elem(x[2 * i + j])))
    }
}

struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 16
    }
}

/// Doublings, sums and multiples on the curve in characteristic 3, on all points.
#[test]
fn the_group_is_that_of_chords_and_tangents() {
    for small in Small::all() {
        let (curve, n) = (small.eta.group(), small.points.len());
        let step = if small.slow.m > 5 { 61 } else { 1 };
        for (i, p) in small.points.iter().enumerate() {
            let own = small.affine(*p);
            assert!(small.f.lane(curve.contains(&own), 0));
            if i % step != 0 {
                continue;
            }
            assert_eq!(small.slow.times(n, *p), None, "the order divides {n}");
            let doubled = curve.double(&curve.to_jacobian(&own));
            for (j, q) in small.points.iter().enumerate().skip(i % 7).step_by(7).chain([(i, p)]) {
                let found = curve.normalise(&[curve.add(&doubled, &small.affine(*q))]).remove(0);
                let want = small.slow.sum(small.slow.times(2, *p), *q);
                assert_eq!(small.point(&found), want, "m {} b {}: {i} {j}", small.slow.m, small.slow.b);
            }
            for k in [0, 1, 2, 3, 31, n - 1, n, n + 1, 5 * n + i] {
                let found = curve.normalise(&[curve.mul(&BigUint::from(k), &own)]).remove(0);
                assert_eq!(small.point(&found), small.slow.times(k % n, *p), "{k} of {p:?}");
            }
        }
    }
}

/// Every x that has points gives both, and each point that is reached is the map of three u.
#[test]
fn points_from_x_and_from_u() {
    for small in Small::all() {
        let mut images = std::collections::BTreeMap::new();
        for x in 0..small.slow.q() {
            let there: Vec<Point<u64>> =
                small.points.iter().copied().filter(|p| p.is_some_and(|(own, _)| own == x)).collect();
            let found: Vec<Point<u64>> = [false, true]
                .into_iter()
                .filter_map(|upper| {
                    let p = small.point(&small.eta.point(&small.elem(x), upper)?);
                    let (_, y) = p.unwrap();
                    assert!(y == 0 || upper == (y > small.slow.sub(0, y)));
                    Some(p)
                })
                .collect();
            assert!(found.iter().all(|p| there.contains(p)) && found.is_empty() == there.is_empty());
            assert!(there.len() != 2 || found[0] != found[1]);
            let image = small.point(&small.eta.map(&small.elem(x)));
            assert!(small.points.contains(&image));
            assert_eq!(image.unwrap().0 % 3, x % 3, "the lowest coefficient is that of u");
            *images.entry(image).or_insert(0) += 1;
        }
        assert!(images.values().all(|count| *count == 3), "each from three u: {images:?}");
    }
}

/// The pairing is symmetric, bilinear and non-degenerate: all values are powers of one value, which is a power of the
/// Tate pairing by its definition.
#[test]
fn the_pairing_of_all_points() {
    for small in Small::all() {
        let (n, tower) = (small.points.len(), &small.tower);
        let is_one = |x: &Six<F>| small.large(x) == [1, 0, 0, 0, 0, 0];
        // a point whose multiples are all points
        let order = |p: Point<u64>| (1..=n).find(|k| n.is_multiple_of(*k) && small.slow.times(*k, p).is_none());
        let g = *small.points.iter().find(|p| order(**p) == Some(n)).unwrap();
        let base = small.pair(g, g);
        let mut powers = vec![tower.one()];
        while powers.len() < n {
            powers.push(tower.mul(&powers[powers.len() - 1], &base));
        }
        assert!(powers[1..].iter().all(|x| !is_one(x)), "of order {n}");
        let multiples: Vec<Point<u64>> = (0..n).map(|k| small.slow.times(k, g)).collect();
        let (rows, columns) = if small.slow.m > 5 { (29, 31) } else { (1, 3) };
        for a in (1..n).step_by(rows) {
            for b in (1 + a % columns..n).step_by(columns) {
                let value = small.large(&small.pair(multiples[a], multiples[b]));
                let want = small.large(&powers[(a as u64 * b as u64 % n as u64) as usize]);
                assert_eq!(value, want, "m {} b {}: {a} {b}", small.slow.m, small.slow.b);
            }
        }
        // by the definition, on few pairs: these loops are slow
        for (a, b) in [(1, 1), (1, 2), (n - 1, 7), (n / 2, n / 3)] {
            let tate = small.eta.tate(&small.pair(multiples[a], multiples[b]));
            assert_eq!(small.large(&tate), small.slow.tate(n, multiples[a], multiples[b]), "{a} {b}");
        }
        for (e, power) in powers.iter().enumerate().step_by(rows) {
            assert!(small.eta.divides_points(power));
            let e64 = (e as u64).to_be_bytes();
            assert_eq!(small.large(&tower.power(&base, &BigUint::from(e))), small.large(power));
            assert_eq!(small.large(&tower.power_secret(&base, &digits(&small.f, &[&e64]))), small.large(power));
        }
    }
}

#[test]
fn the_loop_in_parts_is_the_whole() {
    for small in Small::all() {
        let (eta, n) = (&small.eta, small.eta.steps());
        for cuts in 0..1usize << (n - 1) {
            let ends = (1..n).filter(|i| cuts >> (i - 1) & 1 == 1).chain([n]);
            let mut first = 0;
            let parts: Vec<_> = ends.map(|end| std::mem::replace(&mut first, end)..end).collect();
            for (i, p) in small.points.iter().enumerate().skip(1).step_by(7) {
                let q = small.points[1 + 5 * i % (small.points.len() - 1)];
                for q in [*p, q] {
                    let (p, q) = (small.affine(*p), small.affine(q));
                    let factors = parts.iter().map(|part| eta.miller_part(part.clone(), &(), [&p, &q]));
                    let product = factors.reduce(|product, factor| eta.tower().mul(&product, &factor)).unwrap();
                    let whole = eta.miller(&[(&eta.lines(&p), &q)]);
                    assert_eq!(small.large(&product), small.large(&whole), "cuts {cuts:b}");
                }
            }
        }
    }
}

/// Products by the rules of σ and ρ, powers by products.
#[test]
fn the_tower_satisfies_its_rules() {
    for small in Small::all() {
        let (f, slow, tower) = (&small.f, &small.slow, &small.tower);
        let mut rng = Rng(0x3333_9e37_79b9 + u64::from(slow.m));
        for _ in 0..40 {
            let [a, b]: [Large; 2] = [(); 2].map(|()| [(); 6].map(|()| rng.next() % slow.q()));
            let (x, y) = (small.of_large(&a), small.of_large(&b));
            assert_eq!(small.large(&tower.mul(&x, &y)), slow.product(&a, &b), "{a:?} {b:?}");
            let cube = slow.product(&a, &slow.product(&a, &a));
            assert_eq!(small.large(&tower.cubed(&x, 1)), cube);
            let q = BigUint::from(slow.q());
            assert_eq!(small.large(&tower.frobenius(&x, slow.m as usize)), slow.power(&a, &q));
            assert_eq!(small.large(&tower.conjugate(&x)), slow.power(&a, &q.pow(3)));
            let unitary = tower.unitary(&[x.clone(), y, small.of_large(&[0; 6])]);
            assert_eq!(slow.product(&small.large(&unitary[0]), &a), slow.power(&a, &q.pow(3)), "a^(3^3m − 1)·a");
            assert_eq!(small.large(&unitary[2]), [0; 6]);
            let same = f.lane(tower.equal(&x, &small.of_large(&b)), 0);
            assert_eq!(same, a == b);
            let chosen = tower.select(f.mask(true), &x, &unitary[1]);
            assert!(f.lane(tower.equal(&chosen, &x), 0));
        }
    }
}

/// The costs that comments state: products.
#[test]
fn costs() {
    let count = Count::new(&BigUint::from(7u32));
    let tower = Tower::new(count.clone(), true);
    let x = [[(); 2]; 3];
    let products = count.of(|| tower.mul(&x, &x));
    assert_eq!([products.mul, products.reduction], [15, 15]);
}
