//! Prepared lines: a fixed first argument, such as a decryption key (the "pairing preprocessing" of PBC; Scott, Pairing 2007).
//!
//! A line through multiples of P, divided by its coefficient of i·yQ, is i + λ·u + c·v with u = xQ/yQ and v = 1/yQ, where
//! λ and c depend on P alone. A step then costs 4M + 3R beside the squaring of f: 2M + 1R for r = λu + cv and 2M + 2R for
//! f·(r + i).

use super::step::Running;
use super::{Fq2, Supersingular};
use crate::curve::Affine;
use crate::miller::{Lines, Loop};
use bilinear_field::tower::Complex;
use bilinear_field::{Field, Prime, at, minus, plus, times};

/// λ and c of one line.
#[derive(Clone, Debug)]
struct Coefficients<E> {
    lambda: E,
    c: E,
}

/// The lines of the Miller loop over n for one P, in the order of use.
#[derive(Clone, Debug)]
pub struct Prepared<E> {
    lines: Vec<Coefficients<E>>,
}

/// u = xQ/yQ and v = 1/yQ: the form in which prepared lines take Q.
#[derive(Clone, Debug)]
pub struct Reciprocal<E> {
    u: E,
    v: E,
}

impl<F: Prime> Supersingular<F> {
    /// Prepares P ≠ O of order n: about 1.3·bits(n) lines of two field elements, one inversion. Takes about as long as a pairing.
    pub fn prepare(&self, p: &Affine<F>) -> Prepared<F::Elem> {
        let f = self.fq();
        let Loop { digits, closes } = self.prepared_loop();
        let mut minus_y = f.zero();
        f.neg(&mut minus_y, &p.y);
        let mut t = Running { x: p.x.clone(), y: p.y.clone(), z: f.one() };
        let (mut lines, mut denominators) = (vec![], vec![]);
        for (i, d) in digits.iter().enumerate().skip(1) {
            let (line, m) = tangent(f, &mut t);
            lines.push(line);
            denominators.push(m);
            let last = i + 1 == digits.len();
            if *d != 0 && !(last && *closes) {
                let y = if *d > 0 { &p.y } else { &minus_y };
                let (line, m) = chord(f, &mut t, &p.x, y);
                lines.push(line);
                denominators.push(m);
            }
        }
        f.inv_many(&mut denominators);
        for (line, i) in lines.iter_mut().zip(&denominators) {
            at! {f; lambda = mul(&line.lambda, i); c = mul(&line.c, i);}
            *line = Coefficients { lambda, c };
        }
        Prepared { lines }
    }

    /// u and v for many Q: one inversion, 4 products each. O gives u = v = 0.
    pub fn reciprocals(&self, points: &[Affine<F>]) -> Vec<Reciprocal<F::Elem>> {
        let f = self.fq();
        let mut inverses: Vec<F::Elem> = points.iter().map(|q| q.y.clone()).collect();
        f.inv_many(&mut inverses);
        points
            .iter()
            .zip(inverses)
            .map(|(q, v)| {
                at! {f; u = mul(&q.x, &v);}
                Reciprocal { u, v }
            })
            .collect()
    }
}

/// T ← 2T and the tangent (3X² + Z²)Z·xQ + X(X² − Z²) + 2YZ·yQ·i as (λ·m, c·m, m).
fn tangent<F: Prime>(f: &F, t: &mut Running<F::Elem>) -> (Coefficients<F::Elem>, F::Elem) {
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
    (Coefficients { lambda, c }, m)
}

/// T ← T + P and the chord D·xQ + D·x2 − G·y2 + G·yQ·i as (λ·m, c·m, m).
fn chord<F: Prime>(f: &F, t: &mut Running<F::Elem>, x2: &F::Elem, y2: &F::Elem) -> (Coefficients<F::Elem>, F::Elem) {
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
    (Coefficients { lambda, c }, g)
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
    /// The next line.
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

    /// f ← f·(r + i) for the next line of every pair, r = λu + cv.
    fn step(&mut self, acc: &mut [Fq2<F>]) {
        let (f, fq2) = (self.system.fq(), self.system.fq2());
        for pair in &self.pairs {
            let line = &pair.prepared.lines[self.next];
            let [a0, a1] = &mut acc[pair.product];
            at! {f;
                lu = mul_wide(&line.lambda, &pair.q.u);
                cv = mul_wide(&line.c, &pair.q.v);
                r = reduce(&[plus(&lu), plus(&cv)]);
                a0r = mul(a0, &r);
                a1r = mul(a1, &r);
                // closed: at a nonzero digit the next step subtracts it without a squaring between
                re = sub(&a0r, a1);
                im = sum(&[plus(a0), plus(&a1r)]);
            }
            match pair.infinite {
                None => (*a0, *a1) = (re, im),
                Some(mask) => {
                    let old = [a0.clone(), a1.clone()];
                    at! {fq2; kept = select(mask, &old, &[re, im]);}
                    acc[pair.product] = kept;
                }
            }
        }
        self.next += 1;
    }
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

    fn double(&mut self, acc: &mut [Fq2<F>]) {
        self.step(acc);
    }

    fn join(&mut self, _: i8, _: &mut [Fq2<F>]) {}

    fn add(&mut self, _: i8, acc: &mut [Fq2<F>]) {
        self.step(acc);
    }
}
