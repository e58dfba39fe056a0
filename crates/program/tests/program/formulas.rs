//! Formulas that use every operation.
#![allow(unreachable_pub)]

use crate::common::{Formula, Values, flat};
use bilinear_field::tower::{Complex, Cubic, Quadratic, RootPlus};
use bilinear_field::{Blank, Field, MAX_TERMS, Prime, at, minus, plus, times};
use num_bigint::BigUint;

/// F_p^12 = F_p(i)(v)(w), v³ = 1 + i, w² = v.
pub type Fp12<F> = Quadratic<Cubic<Complex<F>, RootPlus>, RootPlus>;

pub fn fp12<F: Field>(base: F) -> Fp12<F> {
    Quadratic::new(Cubic::new(Complex::complex(base), RootPlus(1)), RootPlus(0))
}

/// An element of F_p^12 from its coefficients.
pub fn element<E: Clone>(from: &[E]) -> [[[E; 2]; 3]; 2] {
    std::array::from_fn(|i| std::array::from_fn(|j| std::array::from_fn(|k| from[6 * i + 2 * j + k].clone())))
}

/// Every operation of the contract, once and then on results of others.
pub struct Everything;

impl Formula for Everything {
    const INPUTS: [usize; 3] = [6, 2, 2];

    fn run<F: Prime>(&self, f: &F, given: &Values<F>) -> Values<F> {
        let [a, b, c, d, x, y] = &given.elems[..] else { panic!("six elements") };
        let [m0, m1] = given.masks[..] else { panic!("two truth values") };
        let [u, v] = &given.uniforms[..] else { panic!("two residues") };
        let k = f.constant(&BigUint::from(77u32));
        at! {f;
            product = mul(a, b); square = sqr(c);
            mul_sum = mul_sum(a, &k, &[times(3, c), minus(d), times(-2, u)]);
            sqr_sum = sqr_sum(b, &[times(-5, x), plus(&k)]);
            w0 = mul_wide(a, c); w1 = sqr_wide(d); w2 = mul_wide(&k, v);
            lin = lin(&[plus(&w0), times(-3, &w1), times(2, &w2)]);
            reduced = reduce(&[plus(&lin), times(2, &w1)]);
            constant = mul_wide(&k, &k); beside = reduce(&[plus(&w0), minus(&constant)]);
            sum2 = add(a, b); difference = sub(c, d);
            long = sum(&[times(5, a), times(-7, b), plus(c), minus(&k), times(12, u)]);
            three_plus = three_and_two(a, x, false); three_minus = three_and_two(b, y, true);
            negative = neg(x); closed = mul(&sum2, &difference);
        }
        let [mut z, mut s]: [[F::Elem; 2]; 2] = Blank::blank();
        let [mut zw, mut sw]: [[F::Wide; 2]; 2] = Blank::blank();
        f.complex_mul(&mut z, &[a.clone(), b.clone()], &[c.clone(), d.clone()]);
        f.complex_sqr(&mut s, &z);
        f.complex_mul_wide(&mut zw, &z, &[x.clone(), y.clone()]);
        f.complex_sqr_wide(&mut sw, &[x.clone(), y.clone()]);
        at! {f; re = reduce(&[plus(&zw[0]), minus(&sw[0])]); im = reduce(&[plus(&zw[1]), plus(&sw[1])]);}
        // operations that passes fuse: sums that only a product or a square reads, and a reduction that only a triple reads
        at! {f; s0 = add(a, c); s1 = add(b, d); t0 = add(c, x); t1 = add(d, y); q0 = add(a, x); q1 = add(b, y);}
        let [mut pw, mut qw]: [[F::Wide; 2]; 2] = Blank::blank();
        f.complex_mul_wide(&mut pw, &[s0, s1], &[t0, t1]);
        f.complex_sqr_wide(&mut qw, &[q0, q1]);
        at! {f;
            r0 = reduce(&[plus(&pw[0]), minus(&qw[1])]); fused_plus = three_and_two(&r0, a, false);
            r1 = reduce(&[plus(&pw[1]), plus(&qw[0])]); fused_minus = three_and_two(&r1, y, true);
        }
        // Karatsuba's cross terms, and a product that only a sum reads
        at! {f;
            h0 = add(&z[0], a); h1 = add(&z[1], b); g0 = add(&s[0], c); g1 = add(&s[1], d);
            k0 = add(&z[0], x); k1 = add(&z[1], y); l0 = add(&s[0], a); l1 = add(&s[1], b);
        }
        let [mut hw, mut kw, mut lw]: [[F::Wide; 2]; 3] = Blank::blank();
        f.complex_mul_wide(&mut hw, &[h0, h1], &[g0, g1]);
        f.complex_sqr_wide(&mut kw, &[k0, k1]);
        f.complex_mul_wide(&mut lw, &[l0, l1], &[c.clone(), d.clone()]);
        at! {f;
            cross0 = reduce(&[plus(&hw[0]), minus(&zw[0]), minus(&sw[0])]);
            cross1 = reduce(&[times(2, &hw[1]), times(-2, &zw[1]), times(-2, &sw[1]), plus(&w1)]);
            both0 = lin(&[plus(&kw[0]), minus(&zw[0]), plus(&sw[1]), minus(&sw[0])]);
            both1 = lin(&[plus(&kw[1]), minus(&zw[1]), plus(&sw[0]), minus(&sw[1])]);
            added0 = reduce(&[plus(&both0), plus(&both1)]); added1 = reduce(&[plus(&both0), minus(&both1)]);
            other0 = reduce(&[plus(&lw[0]), minus(&w1)]); other1 = reduce(&[plus(&lw[1])]);
        }
        let crosses = [cross0, cross1, added0, added1, other0, other1];
        let (zero, odd) = (f.is_zero(a), f.is_odd(&product));
        let [truth, untruth] = [true, false].map(|value| f.mask(value));
        let mut masks = vec![zero, odd, f.and(m0, odd), f.not(m1), f.or(f.and(m0, m1), zero), m0, f.equal(a, b)];
        masks.extend([truth, untruth, f.and(m1, truth), f.and(untruth, m1), f.is_odd(&k)]);
        at! {f;
            chosen = select(m0, a, &k); other = select(f.and(odd, m1), &closed, &s[0]);
            inverse = inv(&other); last = mul_sum(&inverse, &chosen, &[minus(&re), times(64, &im)]);
        }
        let [z0, z1] = z;
        let [s0, s1] = s;
        let some = [product, square, mul_sum, sqr_sum, reduced, long, three_plus, three_minus, negative, closed];
        let more = [z0, z1, s0, s1, re, im, chosen, other, inverse, last, k, beside, fused_plus, fused_minus];
        Values { elems: some.into_iter().chain(more).chain(crosses).collect(), masks, uniforms: vec![] }
    }
}

/// Forms of as many terms as are allowed, with coefficients of every weight that engines treat separately.
pub struct Longest;

impl Formula for Longest {
    const INPUTS: [usize; 3] = [MAX_TERMS, 0, 0];

    fn run<F: Prime>(&self, f: &F, given: &Values<F>) -> Values<F> {
        let xs = &given.elems;
        let coefficients = || [3, -3, 5, -5, 1, -1, 9].into_iter().cycle();
        let terms: Vec<_> = coefficients().zip(xs).map(|(c, x)| times(c, x)).collect();
        let products: Vec<F::Wide> = xs.iter().zip(xs.iter().rev()).map(|(x, y)| at!(f; mul_wide(x, y))).collect();
        let wide_terms: Vec<_> = coefficients().zip(&products).map(|(c, w)| times(c, w)).collect();
        at! {f;
            sum = sum(&terms); product = mul_sum(&xs[0], &xs[1], &terms); square = sqr_sum(&xs[2], &terms);
            lin = lin(&wide_terms); again = reduce(&[plus(&lin)]); reduced = reduce(&wide_terms);
        }
        Values { elems: vec![sum, product, square, again, reduced], ..Values::default() }
    }
}

/// Two constants as a number of F_p(i), halves of which one is constant, and values with two partners and more.
pub struct Partners;

impl Formula for Partners {
    const INPUTS: [usize; 3] = [5, 0, 0];

    fn run<F: Prime>(&self, f: &F, given: &Values<F>) -> Values<F> {
        let [a, b, c, d, e] = &given.elems[..] else { panic!("five elements") };
        let [k, l] = [9u32, 13].map(|n| f.constant(&n.into()));
        let mut elems = vec![];
        let mul = |x: [&F::Elem; 2], y: [&F::Elem; 2]| at!(f; complex_mul(&x.map(Clone::clone), &y.map(Clone::clone)));
        let sqr = |x: [&F::Elem; 2]| at!(f; complex_sqr(&x.map(Clone::clone)));
        elems.extend(mul([a, b], [c, d]));
        elems.extend(mul([a, c], [b, d]));
        elems.extend(mul([b, a], [a, b]));
        elems.extend(mul([a, a], [e, &k]));
        elems.extend(mul([&k, &l], [a, b]));
        elems.extend(mul([&l, e], [&l, &k]));
        elems.extend(sqr([b, c]));
        // the conjugate of a product, times the product
        let z = mul([a, e], [b, c]);
        at! {f; minus_im = neg(&z[1]);}
        elems.extend(mul([&z[0], &minus_im], [&z[0], &z[1]]));
        elems.extend(mul([&z[1], &z[0]], [&minus_im, b]));
        // the same products in named steps, so that pairs pass between routines
        let mut pair = z;
        for i in 0..4 {
            let next = f.routine("turn", || mul([&pair[1], &pair[0]], [&pair[0], e]));
            let other = f.routine("cross", || mul([&pair[0], &next[0]], [&next[1], &pair[1]]));
            let own = f.routine("double", || sqr([&other[0], &other[0]]));
            elems.extend(own);
            pair = if i % 2 == 0 { [next[0].clone(), other[1].clone()] } else { [other[0].clone(), next[1].clone()] };
        }
        elems.extend(pair);
        Values { elems, ..Values::default() }
    }
}

/// (a·b)^−1·a² + conj(a)·b in F_p^12.
pub struct Tower;

impl Formula for Tower {
    const INPUTS: [usize; 3] = [24, 0, 0];

    fn run<F: Prime>(&self, f: &F, given: &Values<F>) -> Values<F> {
        let t = fp12(f.clone());
        let (a, b) = (element(&given.elems[..12]), element(&given.elems[12..]));
        at! {t;
            ab = mul(&a, &b); i = inv(&ab); s = sqr(&a); first = mul(&i, &s);
            conjugate = conjugate(&a); second = mul(&conjugate, &b); out = sum(&[plus(&first), plus(&second)]);
        }
        let elems = [flat::<F>(&out), flat::<F>(&i)].concat();
        Values { elems, masks: vec![t.is_zero(&a), t.equal(&a, &b)], uniforms: vec![] }
    }
}

/// A product in F_p^12.
pub struct Product;

impl Formula for Product {
    const INPUTS: [usize; 3] = [24, 0, 0];

    fn run<F: Prime>(&self, f: &F, given: &Values<F>) -> Values<F> {
        let t = fp12(f.clone());
        at! {t; out = mul(&element(&given.elems[..12]), &element(&given.elems[12..]));}
        Values { elems: flat::<F>(&out), ..Values::default() }
    }
}

/// A loop like Miller's: a point that moves, a line through it, an accumulator that squares; named steps.
pub struct Loop(pub usize);

impl Formula for Loop {
    const INPUTS: [usize; 3] = [5, 0, 0];

    fn run<F: Prime>(&self, f: &F, given: &Values<F>) -> Values<F> {
        let [x, y, z, qx, qy] = &given.elems[..] else { panic!("five elements") };
        let (mut t, mut acc) = ([x.clone(), y.clone(), z.clone()], [qx.clone(), qy.clone()]);
        let e = Complex::complex(f.clone());
        for _ in 0..self.0 {
            let line = f.routine("doubling step", || {
                let [x, y, z] = &t;
                at! {f;
                    xx = sqr(x); yy = sqr(y); zz = sqr(z); yyyy = sqr(&yy); xy = mul(x, &yy);
                    m = sqr_sum(&zz, &[times(3, &xx)]); x3 = sqr_sum(&m, &[times(-8, &xy)]);
                    d = sum(&[times(4, &xy), minus(&x3)]); y3 = mul_sum(&m, &d, &[times(-8, &yyyy)]);
                    yz = mul(y, z); z3 = add(&yz, &yz);
                    q = mul_sum(&zz, qx, &[plus(x)]); re = mul_sum(&m, &q, &[times(-2, &yy)]);
                    s = mul(&z3, &zz); im = mul(&s, qy);
                }
                t = [x3, y3, z3];
                [re, im]
            });
            acc = f.routine("accumulate", || {
                at! {e; square = sqr(&acc); next = mul(&square, &line);}
                next
            });
        }
        Values { elems: acc.into_iter().chain(t).collect(), ..Values::default() }
    }
}

/// Inversions, alone and many at a time, of zeros as well. Values live on between them, and the inverted values pass
/// through routines.
pub struct Inversions;

impl Formula for Inversions {
    const INPUTS: [usize; 3] = [6, 1, 1];

    fn run<F: Prime>(&self, f: &F, given: &Values<F>) -> Values<F> {
        let mut xs = given.elems.clone();
        let (mut elems, mut masks) = (vec![], vec![given.masks[0]]);
        for round in 0..4 {
            at! {f; first = inv(&xs[round]); again = inv(&first);}
            masks.push(f.equal(&again, &xs[round]));
            let mut wide = F::Wide::blank();
            f.mul_wide(&mut wide, &xs[0], &xs[5]);
            f.inv_many(&mut xs);
            at! {f; late = reduce(&[plus(&wide)]); chosen = select(given.masks[0], &late, &given.uniforms[0]);}
            elems.extend([first, late]);
            xs = f.routine("mix", || {
                let rotated = (0..6)
                    .map(|i| at!(f; mul_sum(&xs[i], &xs[(i + 1) % 6], &[plus(&chosen), minus(&xs[(i + 2) % 6])])));
                rotated.collect()
            });
        }
        elems.extend(xs);
        Values { elems, masks, uniforms: vec![] }
    }
}
