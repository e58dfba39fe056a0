//! The Weil pairings by their definition: functions on C(F_p^12) in affine coordinates, with every vertical line,
//! raised to the whole exponent by square-and-multiply.

use crate::common::Words;
use crate::common::answers::answers;
use crate::common::sextic::parameters;
use bilinear_field::tower::NonResidue;
use bilinear_field::{Extension, Field, Lanes, at, plus, pow};
use bilinear_pairing::bilinear_groups::BilinearGroups;
use bilinear_pairing::curve::Affine;
use bilinear_pairing::names::PairingKind;
use bilinear_pairing::sextic::{Elem, Fpk, SexticPairing, SexticParameters, SexticTower, system};
use bilinear_params::{SexticKind, Twist};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::Signed;

type F = Fpk<Words>;
/// The coordinates x and y in F_p^12; `None` for O.
type Point = Option<(F, F)>;

struct Definition<'a> {
    over: &'a SexticPairing<Words>,
    n: &'a SexticParameters,
}

impl Definition<'_> {
    fn mul(&self, x: &F, y: &F) -> F {
        at!(self.over.target(); mul(x, y))
    }

    fn sub(&self, x: &F, y: &F) -> F {
        at!(self.over.target(); sub(x, y))
    }

    fn inv(&self, x: &F) -> F {
        at!(self.over.target(); inv(x))
    }

    fn equal(&self, x: &F, y: &F) -> bool {
        let f = self.over.fp();
        f.lane(self.over.target().equal(x, y), 0)
    }

    fn power(&self, x: &F, e: &BigUint) -> F {
        pow(self.over.target(), x, e)
    }

    /// Returns R + S, and the value at X of the line through them over the vertical line through the sum.
    fn step(&self, r: &Point, s: &Point, (x, y): &(F, F)) -> (Point, F) {
        let one = self.over.target().one();
        let (Some((xr, yr)), Some((xs, ys))) = (r, s) else { return (r.clone().or_else(|| s.clone()), one) };
        let (top, bottom) = if !self.equal(xr, xs) {
            (self.sub(ys, yr), self.sub(xs, xr))
        } else if self.equal(yr, ys) {
            let square = self.mul(xr, xr);
            at! {self.over.target(); two = add(&square, &square); three = add(&two, &square); twice = add(yr, yr);}
            (three, twice)
        } else {
            // the line is vertical, and the sum O has no vertical line
            return (None, self.sub(x, xr));
        };
        let slope = self.mul(&top, &self.inv(&bottom));
        let sum_x = self.sub(&self.sub(&self.mul(&slope, &slope), xr), xs);
        let sum_y = self.sub(&self.mul(&slope, &self.sub(xr, &sum_x)), yr);
        let line = self.sub(&self.sub(y, yr), &self.mul(&slope, &self.sub(x, xr)));
        let value = self.mul(&line, &self.inv(&self.sub(x, &sum_x)));
        (Some((sum_x, sum_y)), value)
    }

    fn negate(&self, r: &Point) -> Point {
        let zero = self.over.target().zero();
        r.as_ref().map(|(x, y)| (x.clone(), self.sub(&zero, y)))
    }

    /// Returns mR and f_{m,R}(X), of divisor m(R) − (mR) − (m − 1)(O).
    fn miller(&self, m: &BigInt, r: &Point, at: &(F, F)) -> (Point, F) {
        let (mut t, mut f) = (r.clone(), self.over.target().one());
        for bit in (0..m.magnitude().bits() - 1).rev().map(|i| m.magnitude().bit(i)) {
            f = self.mul(&f, &f);
            for other in [Some(t.clone()), bit.then(|| r.clone())].into_iter().flatten() {
                let (sum, value) = self.step(&t, &other, at);
                (t, f) = (sum, self.mul(&f, &value));
            }
        }
        if m.is_negative() {
            // f_{−m} = 1/(f_m·v_{mR})
            f = self.inv(&self.mul(&f, &self.vertical(&t, at)));
            t = self.negate(&t);
        }
        (t, f)
    }

    fn vertical(&self, r: &Point, (x, _): &(F, F)) -> F {
        r.as_ref().map_or_else(|| self.over.target().one(), |(xr, _)| self.sub(x, xr))
    }

    fn times(&self, m: &BigUint, r: &Point) -> Point {
        // any point other than a multiple of R is suitable
        let at = (self.over.target().one(), self.over.target().one());
        self.miller(&BigInt::from_biguint(Sign::Plus, m.clone()), r, &at).0
    }

    /// Returns f_{p,h,R}(X) for the h of the optimal ate pairing.
    fn ate(&self, r: &Point, at: &(F, F)) -> F {
        let [one, two, three] = [1, 2, 3].map(|i| self.times(&(self.n.p.pow(i) % &self.n.r), r));
        match self.n.kind {
            SexticKind::Bls12 => {
                let (t, f) = self.miller(&self.n.u, r, at);
                assert!(t == one, "uR = pR");
                f
            }
            _ => {
                let (t, f) = self.miller(&(6 * &self.n.u + 2), r, at);
                // (sR) + (pR) − (p²R) + (p³R) − 2(O)
                let (sum, first) = self.step(&t, &one, at);
                let (sum, second) = self.step(&sum, &self.negate(&two), at);
                let (sum, third) = self.step(&sum, &three, at);
                assert!(sum.is_none(), "sR + pR − p²R + p³R = O");
                let lines = self.mul(&self.mul(&first, &second), &third);
                self.mul(&self.mul(&f, &lines), &self.inv(&self.vertical(&two, at)))
            }
        }
    }

    /// Returns f_{p²,h,R}(X) for the h of the α-Weil pairing.
    fn short(&self, r: &Point, at: &(F, F)) -> F {
        let (u, two) = (&self.n.u, self.times(&(self.n.p.pow(2) % &self.n.r), r));
        match self.n.kind {
            SexticKind::Bls12 => {
                let (t, f) = self.miller(&(u * u), r, at);
                assert!(t == two, "u²R = p²R");
                f
            }
            _ => {
                let (t, f) = self.miller(&(2 * u + 1), r, at);
                let (s, g) = self.miller(&(6 * u * u + 2 * u), &two, at);
                let (sum, line) = self.step(&t, &s, at);
                assert!(sum.is_none(), "(2u + 1)R + (6u² + 2u)p²R = O");
                self.mul(&self.mul(&f, &g), &line)
            }
        }
    }

    /// Returns f^((p^6 − 1)(p² + 1)).
    fn reduced(&self, f: &F) -> F {
        let p = &self.n.p;
        self.power(f, &((p.pow(6) - 1u32) * (p.pow(2) + 1u32)))
    }
}

fn check(name: &str, file: &str, tower: &SexticTower) {
    let n = parameters(name);
    let f = Words::new(&n.p).unwrap();
    let over = system(tower, &n, f.clone());
    let answer = answers(&format!("oracle/{file}.jsonl")).remove(1);
    let e = over.e();
    let pair = answer.pair(e);
    let (Affine { x: qx, y: qy, .. }, [px, py]) = (&pair.q, answer.p);

    // P and Q on C(F_p^12)
    let embed = |place: [usize; 2], x: &Elem<Words>| {
        let mut out = over.target().zero();
        out[place[0]][place[1]] = x.clone();
        out
    };
    let definition = Definition { over: &over, n: &n };
    let p = (embed([0, 0], &e.element(&[px])), embed([0, 0], &e.element(&[py])));
    // (xw², yw³), or (x/w², y/w³) = (xw⁴/ξ, yw³/ξ)
    let mut xi = e.zero();
    tower.xi(e).sum(e, &mut xi, &[], &[plus(&e.one())]);
    let q = match n.twist {
        Twist::D => (embed([0, 1], qx), embed([1, 1], qy)),
        Twist::M => {
            at! {e; i = inv(&xi); x = mul(qx, &i); y = mul(qy, &i);}
            (embed([0, 2], &x), embed([1, 1], &y))
        }
    };
    let next = definition.times(&(&n.p % &n.r), &Some(p.clone())).unwrap(); // pP
    let quotient = |value: &dyn Fn(&Point, &(F, F)) -> F, p: &(F, F)| {
        let below = value(&Some(q.clone()), p);
        definition.mul(&value(&Some(p.clone()), &q), &definition.inv(&below))
    };
    let ate = |r: &Point, at: &(F, F)| definition.ate(r, at);
    let beta = definition.mul(&definition.power(&quotient(&ate, &p), &n.p), &quotient(&ate, &next));
    let alpha = quotient(&|r, at| definition.short(r, at), &p);
    for (pairing, value) in [(PairingKind::BetaWeil, beta), (PairingKind::AlphaWeil, alpha)] {
        let found = over.reduced(pairing, &over.miller(pairing, std::slice::from_ref(&pair)));
        assert!(!definition.equal(&found, &over.target().one()));
        assert!(definition.equal(&found, &definition.reduced(&value)), "{name}, {pairing}");
        assert!(f.lane(over.in_gt(&found), 0), "{name}, {pairing}");
    }
}

#[test]
fn weil_pairings_are_those_of_the_definition() {
    check("bn-254n", "BN254N", &SexticTower::quadratic(-1, 1));
    check("alt-bn128", "alt_bn128", &SexticTower::quadratic(-1, 9));
    check("bls12-381", "BLS12_381", &SexticTower::quadratic(-1, 1));
}
