//! Subgroup membership by a Tate pairing (Koshelev, "Subgroup membership testing on elliptic curves via the Tate pairing",
//! J. Cryptographic Engineering 2023), for groups with a small cofactor such as type A1.
//!
//! E(F_q) is cyclic of order q + 1 = h·n, so P has order dividing n exactly if P ∈ hE(F_q). For a point S of order h over F_q²
//! whose reduced pairing τ_h(S, ·) = f_{h,S}(·)^((q² − 1)/h) takes a value of exact order h on a generator G of E(F_q),
//! τ_h(S, P) = 1 says just that.
//!
//! S is half of A + φ(A), for A of order h in E(F_q) and the distortion map φ. E(F_q) and its image have O and (0, 0) in common, so
//! that A and φ(A) generate half of the h-torsion, and A + φ(A), of order h/2, is a double. Its half is no sum of multiples of the
//! two as 4 divides h, so A and S generate the h-torsion. τ_h(·, G) takes it onto the h-th roots of 1, since G, of the largest order
//! in E(F_q²), is no multiple of a prime factor of h there; it takes A to 1, since f_{h,A}(G) is in F_q. So τ_h(S, G) has order h.
//! (φ(A) in place of S would miss a factor of 2.)
//!
//! Denominators are kept, since S is no distorted point: f = a/b, and a·conj(b) differs from it by a factor in F_q, which the exponent
//! q − 1 removes.
//!
//! Cost: a Miller loop over h, of a dozen bits, and the Lucas sequence of n: 1M + 1S + 2R per bit, a sixth of nP. If P meets a
//! multiple of S, a value is 0 and the test fails, rightly: the order of such a P divides h.

use super::{Fq2, SupersingularPairing};
use crate::curve::{Affine, CoefficientA, Curve};
use crate::miller::{Lines, LoopDigits, miller};
use bilinear_field::tower::Complex;
use bilinear_field::{Blank, Field, Lanes, Prime, SquareRoot, at, minus, plus, pow, times};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

/// Cofactors beyond this many bits are better served by nP.
const MAX_COFACTOR_BITS: u64 = 32;
/// How many abscissas are tried for points.
const CANDIDATES: u32 = 400;

/// A line in the Miller loop over h: a sloped one y − λx − c, or a vertical one x − c.
#[derive(Clone, Debug)]
struct FixedLine<E> {
    lambda: Option<[E; 2]>,
    c: [E; 2],
}

/// A doubling or an addition: f is multiplied by line/(x − below).
#[derive(Clone, Debug)]
struct Fraction<E> {
    line: FixedLine<E>,
    below: Option<[E; 2]>,
}

/// The lines of f_{h,S}, in the order of the loop.
#[derive(Clone, Debug)]
pub struct MembershipTest<E> {
    length: LoopDigits,
    lines: Vec<Fraction<E>>,
}

/// The lines of f_{h,S} at P: f = a/b.
struct FixedLines<'a, F: Prime> {
    system: &'a SupersingularPairing<F>,
    lines: std::slice::Iter<'a, Fraction<F::Elem>>,
    p: &'a Affine<F>,
}

impl<F: Prime> FixedLines<'_, F> {
    /// f times the next line.
    fn next(&mut self, [a, b]: [Fq2<F>; 2]) -> [Fq2<F>; 2] {
        let (f, fq2, mut factor) = (self.system.fq(), self.system.fq2(), Fq2::<F>::blank());
        let Some(Fraction { line, below }) = self.lines.next() else { return [a, b] };
        line.at(f, &mut factor, self.p);
        at! {fq2; numerator = mul(&a, &factor);}
        let Some(c) = below else { return [numerator, b] };
        FixedLine { lambda: None, c: c.clone() }.at(f, &mut factor, self.p);
        at! {fq2; denominator = mul(&b, &factor);}
        [numerator, denominator]
    }
}

impl<F: Prime> Lines for FixedLines<'_, F> {
    type Value = [Fq2<F>; 2];

    fn one(&self) -> [Fq2<F>; 2] {
        [self.system.fq2().one(), self.system.fq2().one()]
    }

    fn start(&mut self, _: i8) -> [Fq2<F>; 2] {
        self.one()
    }

    fn square(&self, [a, b]: [Fq2<F>; 2]) -> [Fq2<F>; 2] {
        at! {self.system.fq2(); aa = sqr(&a); bb = sqr(&b);}
        [aa, bb]
    }

    fn double(&mut self, f: [Fq2<F>; 2]) -> [Fq2<F>; 2] {
        self.next(f)
    }

    fn add(&mut self, _: i8, f: [Fq2<F>; 2]) -> [Fq2<F>; 2] {
        self.next(f)
    }
}

impl<F: Prime> SupersingularPairing<F> {
    /// Where P is in the group of order n: τ_h(S, P) = 1, or P = O.
    pub fn passes(&self, test: &MembershipTest<F::Elem>, p: &Affine<F>) -> F::Mask {
        let (f, fq2) = (self.fq(), self.fq2());
        let [a, b] = miller(&mut FixedLines { system: self, lines: test.lines.iter(), p }, &test.length);
        at! {fq2; conjugate = conjugate(&b); w = mul(&a, &conjugate);} // w = f·norm(b)
        at! {f;
            ww0 = sqr_wide(&w[0]);
            ww1 = sqr_wide(&w[1]);
            norm = reduce(&[plus(&ww0), plus(&ww1)]);
            re = reduce(&[plus(&ww0), minus(&ww1)]);
            inverse = inv(&norm);
            g0 = mul(&re, &inverse);                  // Re(g) of g = w^(q − 1) = conj(w)²/norm(w), which has norm 1
            two = sum(&[times(2, &f.one())]);
        }
        // g^n = 1 exactly if V_n(2·Re(g)) = 2
        let trace = self.lucas(&g0, self.order()).0;
        f.either(p.infinity, f.equal(&trace, &two))
    }
}

impl<E: Clone + Blank> FixedLine<E> {
    /// The line's value at P.
    fn at<F: Prime<Elem = E>>(&self, f: &F, out: &mut Fq2<F>, p: &Affine<F>) {
        let [re, im] = out;
        match &self.lambda {
            Some(lambda) => {
                at! {f; l0 = mul(&lambda[0], &p.x); l1 = mul(&lambda[1], &p.x);}
                f.sum(re, &[plus(&p.y), minus(&l0), minus(&self.c[0])]);
                f.sum(im, &[minus(&l1), minus(&self.c[1])]);
            }
            None => {
                f.sum(re, &[plus(&p.x), minus(&self.c[0])]);
                f.sum(im, &[minus(&self.c[1])]);
            }
        }
    }
}

impl<F: Lanes> SupersingularPairing<F> {
    /// Finds S and the lines of f_{h,S}; `None` where the cofactor is so large that nP is faster (type A), or no multiple of 4.
    pub fn membership(&self) -> Option<MembershipTest<F::Elem>> {
        let (h, fq) = (self.cofactor(), self.fq());
        if h.bits() > MAX_COFACTOR_BITS || h.trailing_zeros()? < 2 {
            return None;
        }
        let Affine { x, y, infinity } = self.point_of_order_h()?;
        at! {fq; minus_x = neg(&x);}
        let distorted = Affine { x: [minus_x, fq.zero()], y: [fq.zero(), y.clone()], infinity };
        let own = Affine { x: [x, fq.zero()], y: [y, fq.zero()], infinity };
        let curve = Curve::new(self.fq2().clone(), CoefficientA::One, self.fq2().zero());
        let sum = curve.normalise(&[curve.add(&curve.to_jacobian(&own), &distorted)]).remove(0);
        lines(&curve, &half(&curve, &sum), h)
    }

    /// nP of order h. x is no square, as it would be if P were a double: so no factor of 2 is missing.
    fn point_of_order_h(&self) -> Option<Affine<F>> {
        let (fq, h) = (self.fq(), self.cofactor());
        let primes = prime_factors(h.to_u64()?);
        let exponent = fq.modulus() >> 1u32;
        at! {fq; minus_one = neg(&fq.one());}
        (1..CANDIDATES).find_map(|i| {
            let point = self.map().point(self.curve(), &fq.constant(&BigUint::from(i)));
            let mut symbol = fq.zero();
            pow(fq, &mut symbol, &point.x, &exponent);
            if !fq.lane(fq.equal(&symbol, &minus_one), 0) {
                return None;
            }
            let part = self.curve().normalise(&[self.curve().mul(self.order(), &point)]).remove(0);
            primes.iter().all(|l| !fq.lane(self.is_torsion(&(h / l), &part), 0)).then_some(part)
        })
    }
}

/// The distinct primes that divide h.
fn prime_factors(mut h: u64) -> Vec<u64> {
    let mut out = vec![];
    let mut l = 2;
    while l * l <= h {
        if h.is_multiple_of(l) {
            out.push(l);
            while h.is_multiple_of(l) {
                h /= l;
            }
        }
        l += 1;
    }
    if h > 1 {
        out.push(h);
    }
    out
}

/// Half of P ≠ (0, 0), which is a double. For r_j² = x − e_j, e_j the roots of x³ + x, with r_1·r_2·r_3 = y, the line through
/// −P of slope r_1 + r_2 + r_3 meets the curve twice at x + r_1·r_2 + r_1·r_3 + r_2·r_3 (Knapp, *Elliptic Curves*, theorem 4.2).
fn half<F: Lanes>(curve: &Curve<Complex<F>>, p: &Affine<Complex<F>>) -> Affine<Complex<F>> {
    let fq2 = curve.field();
    let fq = fq2.base();
    let root_of = SquareRoot::by_norm(fq2);
    let root = |x: &Fq2<F>| {
        let mut root = fq2.zero();
        root_of.root(fq2, &mut root, x);
        root
    };
    let i = [fq.zero(), fq.one()];
    at! {fq2; less = sum(&[plus(&p.x), minus(&i)]); more = sum(&[plus(&p.x), plus(&i)]);}
    let other = if fq.lane(fq2.is_zero(&less), 0) { more } else { less };
    let (r1, r2) = (root(&p.x), root(&other));
    at! {fq2;
        r12 = mul(&r1, &r2);
        inverse = inv(&r12);
        r3 = mul(&p.y, &inverse);
        r13 = mul(&r1, &r3);
        r23 = mul(&r2, &r3);
        x = sum(&[plus(&p.x), plus(&r12), plus(&r13), plus(&r23)]);
        s12 = sum(&[plus(&r1), plus(&r2)]);
        s13 = sum(&[plus(&r1), plus(&r3)]);
        s23 = sum(&[plus(&r2), plus(&r3)]);
        product = mul(&s12, &s13);
        y = mul(&product, &s23);
    }
    Affine { x, y, infinity: p.infinity }
}

/// The lines of f_{h,S}, in affine coordinates; `None` if S has a smaller order than h.
fn lines<F: Lanes>(curve: &Curve<Complex<F>>, s: &Affine<Complex<F>>, h: &BigUint) -> Option<MembershipTest<F::Elem>> {
    let length = LoopDigits { digits: (0..h.bits()).rev().map(|i| i8::from(h.bit(i))).collect(), closes: false };
    let mut multiples = Multiples { curve, s, t: s.clone(), lines: vec![], early: false };
    miller(&mut multiples, &length);
    let Multiples { t, lines, early, .. } = multiples;
    let whole = curve.field().base().lane(t.infinity, 0) && !early;
    whole.then_some(MembershipTest { length, lines })
}

/// T = mS and the lines on the way.
struct Multiples<'a, F: Prime> {
    curve: &'a Curve<Complex<F>>,
    s: &'a Affine<Complex<F>>,
    t: Affine<Complex<F>>,
    lines: Vec<Fraction<F::Elem>>,
    /// Whether T was O in the middle of the loop, or S is.
    early: bool,
}

impl<F: Lanes> Multiples<'_, F> {
    /// T ← T + R for R = T or S, and the line.
    fn step(&mut self, doubling: bool) {
        let (curve, fq2) = (self.curve, self.curve.field());
        let lane = |mask| fq2.base().lane(mask, 0);
        let (t, r) = (&self.t, if doubling { &self.t } else { self.s });
        self.early |= lane(t.infinity) || lane(r.infinity);
        let sum = curve.normalise(&[curve.add(&curve.to_jacobian(t), r)]).remove(0);
        let (line, below) = if lane(sum.infinity) {
            (FixedLine { lambda: None, c: t.x.clone() }, None)
        } else {
            (sloped(fq2, t, r, doubling), Some(sum.x.clone()))
        };
        self.lines.push(Fraction { line, below });
        self.t = sum;
    }
}

impl<F: Lanes> Lines for Multiples<'_, F> {
    type Value = ();

    fn one(&self) {}

    fn start(&mut self, _: i8) {}

    fn square(&self, (): ()) {}

    fn double(&mut self, (): ()) {
        self.step(true);
    }

    fn add(&mut self, _: i8, (): ()) {
        self.step(false);
    }
}

/// The tangent at T, or the chord through T and S.
fn sloped<F: Lanes>(
    fq2: &Complex<F>,
    t: &Affine<Complex<F>>,
    s: &Affine<Complex<F>>,
    tangent: bool,
) -> FixedLine<F::Elem> {
    let (mut top, mut bottom) = (fq2.zero(), fq2.zero());
    if tangent {
        at! {fq2; xx = sqr(&t.x);}
        fq2.sum(&mut top, &[times(3, &xx), plus(&fq2.one())]);
        fq2.sum(&mut bottom, &[times(2, &t.y)]);
    } else {
        fq2.sum(&mut top, &[plus(&t.y), minus(&s.y)]);
        fq2.sum(&mut bottom, &[plus(&t.x), minus(&s.x)]);
    }
    at! {fq2; inverse = inv(&bottom); lambda = mul(&top, &inverse); lx = mul(&lambda, &t.x); c = sum(&[plus(&t.y), minus(&lx)]);}
    FixedLine { lambda: Some(lambda), c }
}
