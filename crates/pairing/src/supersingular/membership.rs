//! Subgroup membership by a Tate pairing (Koshelev, "Subgroup membership testing on elliptic curves via the Tate pairing",
//! J. Cryptographic Engineering 2023), for groups with a small cofactor such as type A1.
//!
//! E(F_q) is cyclic of order q + 1 = h·n, n odd, so the order of P divides n exactly if P ∈ hE(F_q). Let S be a point
//! of order h over F_q² whose reduced pairing τ_h(S, ·) = f_{h,S}(·)^((q² − 1)/h) takes a value of exact order h on a
//! generator G of E(F_q). Then τ_h(S, P) = 1 is equivalent to P ∈ hE(F_q).
//!
//! S is half of A + φ(A), for A of order h in E(F_q) and the distortion map φ. E(F_q) and its image have O and (0, 0)
//! in common, so A and φ(A) generate half of the h-torsion, and A + φ(A), of order h/2, is a double. Its half is not
//! a sum of multiples of A and φ(A), as 4 divides h, so A and S generate the h-torsion. τ_h(·, G) maps the h-torsion
//! onto the h-th roots of 1, since G, of the largest order in E(F_q²), is not a multiple of a prime factor of h
//! there. It maps A to 1, since f_{h,A}(G) is in F_q. So τ_h(S, G) has order h. (φ(A) in place of S would miss a
//! factor of 2.)
//!
//! For A = (x, y), A + φ(A) has the abscissa −i(x² + 1)/2x. The order of A has all factors 2 of q + 1, so A is not a
//! double. So x is not a square: if it were, x² + 1 = y²/x, the norm of x ± i, would be a square too, and x would
//! differ from all roots of x³ + x by squares, as it does for doubles alone. Let −x = s². Then S = (t, ts(1 + i)/x)
//! for t = (ys/x − i)/x. For (t + i/x)² = −1 − 1/x² says that t + 1/t = −2i/x. So t³ + t = −2it²/x is the square of
//! this ordinate, and x(2S) = (t² − 1)²/4(t³ + t) is the abscissa above.
//!
//! Denominators are kept, since S is not a distorted point: f = a/b. a·conj(b) differs from f by a factor in F_q,
//! which the exponent q − 1 removes.
//!
//! Cost: a Miller loop over h, of a dozen bits, and the Lucas sequence of n: 1M + 1S + 2R per bit, a sixth of nP. If
//! P meets a multiple of S, a value is 0 and the test fails, as it should: the order of such a P divides h.

use super::final_exp::norm_and_square;
use super::{Fq2, SupersingularPairing};
use crate::curve::Affine;
use crate::legendre::legendre;
use crate::miller::{Lines, LoopDigits, miller};
use bilinear_field::tower::Complex;
use bilinear_field::{Blank, CollectVec, Field, Lanes, Prime, SquareRoot, at, minus, plus, times};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

/// The largest cofactor, in bits, for which the test is worthwhile. For larger cofactors nP is better.
const MAX_COFACTOR_BITS: u64 = 32;
/// The limit on the abscissas tried in the search for points.
const CANDIDATES: u32 = 400;

/// A line in the Miller loop over h: a sloped line y − λx − c, or a vertical line x − c.
#[derive(Clone, Debug)]
struct FixedLine<E> {
    lambda: Option<[E; 2]>,
    c: [E; 2],
}

/// The factor line/(x − below) by which a doubling or an addition multiplies f.
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

/// The lines of f_{h,S}, evaluated at P: f = a/b.
struct FixedLines<'a, F: Prime> {
    system: &'a SupersingularPairing<F>,
    lines: std::slice::Iter<'a, Fraction<F::Elem>>,
    p: &'a Affine<F>,
}

impl<F: Prime> FixedLines<'_, F> {
    /// Returns f times the next line.
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
    /// Returns the mask of the lanes where P is in the group of order n: τ_h(S, P) = 1, or P = O.
    pub fn passes(&self, test: &MembershipTest<F::Elem>, p: &Affine<F>) -> F::Mask {
        let (f, fq2) = (self.fq(), self.fq2());
        let [a, b] = miller(&mut FixedLines { system: self, lines: test.lines.iter(), p }, &test.length);
        at! {fq2; conjugate = conjugate(&b); w = mul(&a, &conjugate);} // w = f·norm(b)
        let [norm, re, _] = norm_and_square(f, &w);
        at! {f;
            inverse = inv(&norm);
            g0 = mul(&re, &inverse);                  // Re(g) of g = w^(q − 1) = conj(w)²/norm(w), which has norm 1
            two = sum(&[times(2, &f.one())]);
        }
        // g^n = 1 exactly if V_n(2·Re(g)) = 2
        let trace = self.lucas(&g0, &self.groups.order).0;
        f.or(p.infinity, f.equal(&trace, &two))
    }
}

impl<E: Clone + Blank> FixedLine<E> {
    /// Computes the value of the line at P.
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
    /// Finds S and the lines of f_{h,S}. Returns `None` if the cofactor is so large that nP is faster (type A), or if
    /// it is not a multiple of 4.
    pub fn membership(&self) -> Option<MembershipTest<F::Elem>> {
        let h = &self.groups.cofactors[0];
        if h.bits() > MAX_COFACTOR_BITS || h.trailing_zeros()? < 2 {
            return None;
        }
        at! {self.fq(); minus_one = neg(&self.fq().one());}
        let roots = SquareRoot::new(self.fq(), &minus_one);
        let s = self.half_of_sum(&roots, &self.point_of_order_h(&roots)?)?;
        lines(self.fq2(), &s, h)
    }

    /// Returns A of order h: a sum of multiples of nR for points R = (−m², y), y² = −m²(m⁴ + 1). Each multiple
    /// contributes the prime powers of h that are in the order of its R and in that of no earlier R. No R misses a
    /// factor 2, since R is not a double: the abscissa of a double would be a square. R exists where m⁴ + 1 is not a
    /// square, as −1 is not one.
    fn point_of_order_h(&self, roots: &SquareRoot<F>) -> Option<Affine<F>> {
        let (fq, curve, h) = (self.fq(), self.curve(), &self.groups.cofactors[0]);
        let mut missing = prime_powers(h.to_u64()?);
        let mut sum = curve.infinity();
        let candidates = (1..CANDIDATES).filter(|m| legendre(u64::from(*m).pow(4) + 1, fq.modulus()) == -1);
        for m in candidates {
            let m = fq.constant(&BigUint::from(m));
            at! {fq;
                mm = sqr(&m);
                m4 = sqr(&mm);
                x = neg(&mm);                                  // −m²
                square = sum(&[minus(&m4), minus(&fq.one())]); // −(m⁴ + 1)
            }
            let Some(root) = self.root(roots, &square) else { continue };
            at! {fq; y = mul(&m, &root);}
            let multiple = |k: &BigUint, p: &Affine<F>| curve.normalise(&[curve.mul(k, p)]).remove(0);
            let part = multiple(&self.groups.order, &Affine { x, y, infinity: fq.mask(false) });
            let found = |[l, _]: &[u64; 2]| !fq.lane(self.is_torsion(&(h / l), &part), 0);
            let (own, others): (Vec<_>, Vec<_>) = missing.into_iter().partition(found);
            let order: BigUint = own.iter().map(|[_, power]| BigUint::from(*power)).product();
            sum = curve.add(&sum, &multiple(&(h / order), &part));
            missing = others;
            if missing.is_empty() {
                return curve.normalise(&[sum]).pop();
            }
        }
        None
    }

    /// Returns S with 2S = ±(A + φ(A)).
    fn half_of_sum(&self, roots: &SquareRoot<F>, Affine { x, y, .. }: &Affine<F>) -> Option<[Fq2<F>; 2]> {
        let fq = self.fq();
        at! {fq; minus_x = neg(x);}
        let s = self.root(roots, &minus_x)?;
        at! {fq;
            inverse = inv(x);
            v = mul(&s, &inverse);               // s/x
            yv = mul(y, &v);
            re = mul(&yv, &inverse);             // ys/x²
            im = neg(&inverse);                  // t = ys/x² − i/x
            less = sum(&[plus(&re), minus(&im)]);
            more = sum(&[plus(&re), plus(&im)]); // (1 + i)t
            y0 = mul(&v, &less);
            y1 = mul(&v, &more);                 // ts(1 + i)/x
        }
        Some([[re, im], [y0, y1]])
    }

    /// Returns a square root in F_q, or `None` for a non-square.
    fn root(&self, roots: &SquareRoot<F>, square: &F::Elem) -> Option<F::Elem> {
        let (fq, mut root) = (self.fq(), self.fq().zero());
        let found = roots.root(fq, &mut root, square);
        fq.lane(found, 0).then_some(root)
    }
}

/// Returns the primes that divide h, each with the highest power of it that does.
fn prime_powers(mut h: u64) -> Vec<[u64; 2]> {
    let mut out = vec![];
    let mut l = 2;
    while l * l <= h {
        let mut power = 1;
        while h.is_multiple_of(l) {
            h /= l;
            power *= l;
        }
        if power > 1 {
            out.push([l, power]);
        }
        l += 1;
    }
    if h > 1 {
        out.push([h, h]);
    }
    out
}

/// Computes the lines of f_{h,S} in affine coordinates; returns `None` if the order of S is less than h.
fn lines<F: Lanes>(fq2: &Complex<F>, s: &[Fq2<F>; 2], h: &BigUint) -> Option<MembershipTest<F::Elem>> {
    let length = LoopDigits { digits: (0..h.bits()).rev().map(|i| i8::from(h.bit(i))).collect_vec(), closes: false };
    let mut multiples = Multiples { fq2, s, t: Some(s.clone()), lines: vec![], early: false };
    miller(&mut multiples, &length);
    let Multiples { t, lines, early, .. } = multiples;
    (t.is_none() && !early).then_some(MembershipTest { length, lines })
}

/// The running point T = mS, and the lines computed so far.
struct Multiples<'a, F: Prime> {
    fq2: &'a Complex<F>,
    s: &'a [Fq2<F>; 2],
    /// The point T; `None` for O.
    t: Option<[Fq2<F>; 2]>,
    lines: Vec<Fraction<F::Elem>>,
    /// Whether T was O before the end of the loop.
    early: bool,
}

impl<F: Lanes> Multiples<'_, F> {
    /// Sets T ← T + R for R = T or S, and stores the line. m stays below the order of S, so additions never meet
    /// T = S, and they meet T = −S only at the end.
    fn step(&mut self, doubling: bool) {
        let fq2 = self.fq2;
        let Some([x, y]) = self.t.take() else {
            self.early = true;
            return;
        };
        let (mut top, mut bottom) = (fq2.zero(), fq2.zero());
        let other = if doubling {
            at! {fq2; xx = sqr(&x);}
            fq2.sum(&mut top, &[times(3, &xx), plus(&fq2.one())]);
            fq2.sum(&mut bottom, &[times(2, &y)]);
            &x
        } else {
            let [x_s, y_s] = self.s;
            fq2.sum(&mut top, &[plus(&y), minus(y_s)]);
            fq2.sum(&mut bottom, &[plus(&x), minus(x_s)]);
            x_s
        };
        if fq2.base().lane(fq2.is_zero(&bottom), 0) {
            self.lines.push(Fraction { line: FixedLine { lambda: None, c: x }, below: None });
            return;
        }
        at! {fq2;
            inverse = inv(&bottom);
            lambda = mul(&top, &inverse);
            lx = mul(&lambda, &x);
            c = sum(&[plus(&y), minus(&lx)]);                      // the line is y − λx − c
            square = sqr(&lambda);
            x3 = sum(&[plus(&square), minus(&x), minus(other)]);
            lx3 = mul(&lambda, &x3);
            y3 = sum(&[minus(&lx3), minus(&c)]);
        }
        self.lines.push(Fraction { line: FixedLine { lambda: Some(lambda), c }, below: Some(x3.clone()) });
        self.t = Some([x3, y3]);
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
