//! Prepared lines: a fixed first argument, such as a decryption key (the "pairing preprocessing" of PBC; Scott, Pairing 2007).
//!
//! A line through multiples of P, divided by its coefficient of i·yQ, is i + λ·u + c·v with u = xQ/yQ and v = 1/yQ, where
//! λ and c depend on P alone. A doubling then costs 4M + 3R beside the squaring of f: 2M + 1R for r = λu + cv and 2M + 2R
//! for f·(r + i). Where an addition follows, the product of both lines is prepared instead, a quadratic form and a linear
//! one: (r1 + i)(r2 + i) = (λ1λ2·u² + (λ1c2 + λ2c1)·uv + c1c2·v² − 1) + ((λ1 + λ2)·u + (c1 + c2)·v)·i, 5M + 2R, and 3M + 2R for
//! f times that: two reductions fewer than one line after the other.

use super::step::Running;
use super::{Fq2, Supersingular};
use crate::curve::Affine;
use crate::miller::{Lines, Loop};
use bilinear_field::tower::Complex;
use bilinear_field::{Field, Prime, at, minus, plus, times};

/// λ and c of one line.
#[derive(Clone, Debug)]
struct Line<E> {
    lambda: E,
    c: E,
}

/// The lines of one step of the loop.
#[derive(Clone, Debug)]
enum Step<E> {
    /// A doubling: λ·u + c·v + i.
    Doubling(Line<E>),
    /// A doubling and an addition: the coefficients of u², uv, v² in the real part and of u, v in the imaginary one.
    Both { re: [E; 3], im: [E; 2] },
}

/// The lines of the Miller loop over n for one P, in the order of use.
#[derive(Clone, Debug)]
pub struct Prepared<E> {
    steps: Vec<Step<E>>,
}

/// u = xQ/yQ, v = 1/yQ and their quadratic monomials: the form in which prepared lines take Q.
#[derive(Clone, Debug)]
pub struct Reciprocal<E> {
    linear: [E; 2],
    /// u², uv, v².
    quadratic: [E; 3],
}

impl<F: Prime> Supersingular<F> {
    /// Prepares P ≠ O of order n: about 1.3·bits(n) lines, one inversion. Takes somewhat longer than a pairing.
    pub fn prepare(&self, p: &Affine<F>) -> Prepared<F::Elem> {
        let f = self.fq();
        let Loop { digits, closes } = self.prepared_loop();
        let mut minus_y = f.zero();
        f.neg(&mut minus_y, &p.y);
        let mut t = Running { x: p.x.clone(), y: p.y.clone(), z: f.one() };
        let (mut lines, mut denominators, mut additions) = (vec![], vec![], vec![]);
        for (i, d) in digits.iter().enumerate().skip(1) {
            let (line, m) = tangent(f, &mut t);
            lines.push(line);
            denominators.push(m);
            let last = i + 1 == digits.len();
            let adds = *d != 0 && !(last && *closes);
            if adds {
                let y = if *d > 0 { &p.y } else { &minus_y };
                let (line, m) = chord(f, &mut t, &p.x, y);
                lines.push(line);
                denominators.push(m);
            }
            additions.push(adds);
        }
        f.inv_many(&mut denominators);
        let mut lines = lines.iter().zip(&denominators).map(|(line, i)| {
            at! {f; lambda = mul(&line.lambda, i); c = mul(&line.c, i);}
            Line { lambda, c }
        });
        let mut steps = Vec::with_capacity(additions.len());
        for adds in additions {
            // one line for the doubling, one more for an addition
            let (Some(first), second) = (lines.next(), if adds { lines.next() } else { None }) else { break };
            steps.push(match second {
                Some(second) => both(f, &first, &second),
                None => Step::Doubling(first),
            });
        }
        Prepared { steps }
    }

    /// u, v and their monomials for many Q: one inversion, 7 products each. O gives zeros.
    pub fn reciprocals(&self, points: &[Affine<F>]) -> Vec<Reciprocal<F::Elem>> {
        let f = self.fq();
        let mut inverses: Vec<F::Elem> = points.iter().map(|q| q.y.clone()).collect();
        f.inv_many(&mut inverses);
        points
            .iter()
            .zip(inverses)
            .map(|(q, v)| {
                at! {f; u = mul(&q.x, &v); uu = sqr(&u); uv = mul(&u, &v); vv = sqr(&v);}
                Reciprocal { linear: [u, v], quadratic: [uu, uv, vv] }
            })
            .collect()
    }
}

/// The product of the lines of a doubling and an addition.
fn both<F: Prime>(f: &F, first: &Line<F::Elem>, second: &Line<F::Elem>) -> Step<F::Elem> {
    at! {f;
        uu = mul(&first.lambda, &second.lambda);
        vv = mul(&first.c, &second.c);
        cross1 = mul_wide(&first.lambda, &second.c);
        cross2 = mul_wide(&second.lambda, &first.c);
        uv = reduce(&[plus(&cross1), plus(&cross2)]);
        u = sum(&[plus(&first.lambda), plus(&second.lambda)]);
        v = sum(&[plus(&first.c), plus(&second.c)]);
    }
    Step::Both { re: [uu, uv, vv], im: [u, v] }
}

/// T ← 2T and the tangent (3X² + Z²)Z·xQ + X(X² − Z²) + 2YZ·yQ·i as (λ·m, c·m, m).
fn tangent<F: Prime>(f: &F, t: &mut Running<F::Elem>) -> (Line<F::Elem>, F::Elem) {
    at! {f;
        a = sqr(&t.x);
        b = sqr(&t.y);
        cc = sqr(&t.z);
        u = sub(&a, &cc);
        v = add(&a, &cc);
        w = sum(&[times(3, &a), plus(&cc)]);
        lambda = mul(&w, &t.z);
        c = mul(&t.x, &u);
        yz = mul(&t.y, &t.z);
        m = sum(&[times(2, &yz)]);
        uy = mul(&u, &t.y);
        uy2 = sum(&[times(2, &uy)]);
        uu = sqr(&u);
        vv = sqr(&v);
        e = sum(&[times(2, &vv), minus(&uu)]);
        y = mul(&e, &uy2);
        z = sum(&[times(4, &b)]);
    }
    *t = Running { x: uu, y, z };
    (Line { lambda, c }, m)
}

/// T ← T + P and the chord D·xQ + D·x2 − G·y2 + G·yQ·i as (λ·m, c·m, m).
fn chord<F: Prime>(f: &F, t: &mut Running<F::Elem>, x2: &F::Elem, y2: &F::Elem) -> (Line<F::Elem>, F::Elem) {
    at! {f;
        cc = sqr(&t.z);
        xz = mul(x2, &t.z);
        h = sub(&t.x, &xz);
        s = add(&t.x, &xz);
        g = mul(&t.z, &h);
        yc = mul(y2, &cc);
        lambda = sub(&t.y, &yc);
        dx = mul_wide(&lambda, x2);
        gy = mul_wide(&g, y2);
        c = reduce(&[plus(&dx), minus(&gy)]);
        hg = mul(&h, &g);
        dd = sqr_wide(&lambda);
        shg = mul_wide(&s, &hg);
        x = reduce(&[plus(&dd), minus(&shg)]);
        z = sqr(&g);
        xz3 = mul(x2, &z);
        e = sub(&xz3, &x);
        dg = mul(&lambda, &g);
        zz = sqr(&z);
        dge = mul_wide(&dg, &e);
        yzz = mul_wide(y2, &zz);
        y = reduce(&[plus(&dge), minus(&yzz)]);
    }
    *t = Running { x, y, z };
    (Line { lambda, c }, g)
}

/// One prepared P meeting one Q.
struct Evaluation<'a, F: Prime> {
    prepared: &'a Prepared<F::Elem>,
    q: &'a Reciprocal<F::Elem>,
    infinite: Option<F::Mask>,
    product: usize,
}

/// Prepared arguments of several products, as a source of lines.
pub struct PreparedLines<'a, F: Prime> {
    system: &'a Supersingular<F>,
    pairs: Vec<Evaluation<'a, F>>,
    /// The next step.
    next: usize,
}

impl<'a, F: Prime> PreparedLines<'a, F> {
    /// No pairs yet.
    pub fn new(system: &'a Supersingular<F>) -> Self {
        PreparedLines { system, pairs: vec![], next: 0 }
    }

    /// Adds e(P, Q) to a product; `infinite` as in [`Pair`](super::Pair).
    pub fn push(
        &mut self,
        prepared: &'a Prepared<F::Elem>,
        q: &'a Reciprocal<F::Elem>,
        infinite: Option<F::Mask>,
        product: usize,
    ) {
        self.pairs.push(Evaluation { prepared, q, infinite, product });
    }

    /// Multiplies the lines of the next step into the accumulators.
    fn step(&mut self, acc: &mut [Fq2<F>]) {
        let (f, fq2) = (self.system.fq(), self.system.fq2());
        for pair in &self.pairs {
            let a = &mut acc[pair.product];
            let mut out = fq2.zero();
            match &pair.prepared.steps[self.next] {
                Step::Doubling(line) => monic(f, &mut out, a, line, pair.q),
                Step::Both { re, im } => dense(fq2, &mut out, a, re, im, pair.q),
            }
            match pair.infinite {
                None => *a = out,
                Some(mask) => {
                    at! {fq2; kept = select(mask, a, &out);}
                    *a = kept;
                }
            }
        }
        self.next += 1;
    }
}

/// out = a·(r + i), r = λu + cv: 4M + 3R.
#[inline]
fn monic<F: Prime>(f: &F, out: &mut Fq2<F>, a: &Fq2<F>, line: &Line<F::Elem>, q: &Reciprocal<F::Elem>) {
    at! {f;
        lu = mul_wide(&line.lambda, &q.linear[0]);
        cv = mul_wide(&line.c, &q.linear[1]);
        r = reduce(&[plus(&lu), plus(&cv)]);
        a0r = mul(&a[0], &r);
        a1r = mul(&a[1], &r);
    }
    f.sub(&mut out[0], &a0r, &a[1]);
    // closed: the next pair of the product subtracts it
    f.sum(&mut out[1], &[plus(&a[0]), plus(&a1r)]);
}

/// out = a·(re + im·i) for the product of two lines: 8M + 4R.
#[inline]
fn dense<F: Prime>(
    fq2: &Complex<F>,
    out: &mut Fq2<F>,
    a: &Fq2<F>,
    re: &[F::Elem; 3],
    im: &[F::Elem; 2],
    q: &Reciprocal<F::Elem>,
) {
    let f = fq2.base();
    at! {f;
        uu = mul_wide(&re[0], &q.quadratic[0]);
        uv = mul_wide(&re[1], &q.quadratic[1]);
        vv = mul_wide(&re[2], &q.quadratic[2]);
        form = reduce(&[plus(&uu), plus(&uv), plus(&vv)]);
        real = sub(&form, &f.one());
        lu = mul_wide(&im[0], &q.linear[0]);
        cv = mul_wide(&im[1], &q.linear[1]);
        imaginary = reduce(&[plus(&lu), plus(&cv)]);
    }
    fq2.mul(out, a, &[real, imaginary]);
}

impl<F: Prime> Lines for PreparedLines<'_, F> {
    type Target = Complex<F>;

    fn target(&self) -> &Complex<F> {
        self.system.fq2()
    }

    /// The prepared loop is a NAF: d = 1.
    fn start(&mut self, _: i8, acc: &mut [Fq2<F>]) {
        acc.fill(self.system.fq2().one());
        self.next = 0;
    }

    /// The line of an addition that follows is in it.
    fn double(&mut self, acc: &mut [Fq2<F>]) {
        self.step(acc);
    }

    fn join(&mut self, _: i8, _: &mut [Fq2<F>]) {}

    fn add(&mut self, _: i8, _: &mut [Fq2<F>]) {}
}
