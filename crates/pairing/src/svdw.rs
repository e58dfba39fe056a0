//! The map of Shallue and van de Woestijne (ANTS 2006) to any short Weierstrass curve over any field, in the form of
//! RFC 9380, section 6.6.1 and appendix F.1. No branch depends on a value.
//!
//! The RFC takes roots of g(x1), g(x2) and g(x3). The first two decide: with w² = x3 − Z and
//! h = x1² + Zx1 + Z² + a, where x1 + x2 = −Z and w²h = −g(Z),
//!
//! * g(x) = g(Z) + (x − Z)h = h(x − x3) for x = x1 and x2, and
//! * g(x3) = w²(x3 − x1)(x3 − x2) = (w/h)²·g(x1)·g(x2), w/h = −w³/g(Z).
//!
//! So one root, of g(x1), g(x2) or their product, serves. For p ≡ 3 (mod 4) each element of F_p takes two powers, and
//! each element of F_p² three powers in F_p; several elements take one inversion.

use crate::curve::{Affine, CoefficientA, Curve};
use bilinear_field::{CollectVec, Extension, Field, Lanes, Prime, SquareRoot, at, minus, plus, times};
use num_bigint::BigUint;

/// The number from which on Z is not searched in the prime field of an extension.
const COUNTERS: u32 = 128;

/// The constants of the map to one curve.
#[derive(Clone)]
pub struct SvdwMap<E: Extension> {
    z: E::Elem,
    /// The constants g(Z), −Z/2, √(−g(Z)(3Z² + 4a)) of sign 0, −4g(Z)/(3Z² + 4a).
    c: [E::Elem; 4],
    /// The constant 8c3/(3Z² + 4a)², which is ±w/h divided by ((1 + u²·g(Z))/(1 − u²·g(Z)))³.
    kappa: E::Elem,
    /// A root of g(Z) if there is one.
    root_at_z: E::Elem,
    root: SquareRoot<E>,
}

/// Returns the sign of x as RFC 9380, section 4.1, defines it: true where the first non-zero coefficient is odd.
pub fn sign<E: Extension>(e: &E, x: &E::Elem) -> E::Mask {
    let f = e.prime();
    // whether the first non-zero coefficient so far is odd, and whether all so far are 0
    let mut state: Option<(E::Mask, E::Mask)> = None;
    e.coefficients(x, &mut |c| {
        let (odd, zero) = (f.is_odd(c), f.is_zero(c));
        state = Some(state.map_or((odd, zero), |(sign, zeros)| (f.or(sign, f.and(zeros, odd)), f.and(zeros, zero))));
    });
    state.map_or_else(|| f.mask(false), |(sign, _)| sign)
}

/// Returns y where its sign is the wanted one, else −y.
pub fn with_sign<E: Extension>(e: &E, y: &E::Elem, wanted: E::Mask) -> E::Elem {
    let own = sign(e, y);
    let flip = e.or(e.and(own, e.not(wanted)), e.and(e.not(own), wanted));
    at! {e; minus_y = neg(y); out = select(flip, &minus_y, y);}
    out
}

impl<E> SvdwMap<E>
where
    E: Extension,
    E::Prime: Lanes,
{
    /// Creates the map to a curve, given a non-square of its field. Z is that of RFC 9380, appendix H.1: the first of 1,
    /// −1, 2, −2, … that serves. If none below 128 serves in an extension, the search starts again at
    /// the first root g above the prime field, with g, −g, g + 1, −(g + 1), ….
    pub fn new(curve: &Curve<E>, non_square: &E::Elem) -> Self {
        let e = curve.field();
        let f = e.prime();
        let root = SquareRoot::new(e, non_square);
        let counters = if e.degree() == 1 { u32::MAX } else { COUNTERS };
        let candidates = (1..counters).map(|n| [n, 0]).chain((0..).map(|n| [n, 1]));
        let mut four_a = e.zero();
        match curve.a() {
            CoefficientA::Zero => {}
            CoefficientA::One => four_a = e.element(&[4u32.into()]),
            CoefficientA::Other(a) => e.sum(&mut four_a, &[times(4, a)]),
        }
        let half = e.element(&[(f.modulus() + 1u32) >> 1u32]);
        for [n, g] in candidates {
            let positive = e.element(&[BigUint::from(n), BigUint::from(g)]);
            at! {e; negative = neg(&positive);}
            for z in [positive, negative] {
                let gz = curve.rhs(&z);
                at! {e;
                    zz = sqr(&z);
                    slope = sum(&[times(3, &zz), plus(&four_a)]); // 3Z² + 4a
                    half_z = mul(&z, &half);
                    c2 = neg(&half_z);                            // −Z/2
                    product = mul(&gz, &slope);
                    radicand = neg(&product);                     // −g(Z)(3Z² + 4a)
                    inverse = inv(&slope);
                    quotient = mul(&gz, &inverse);
                    c4 = sum(&[times(-4, &quotient)]);            // −4g(Z)/(3Z² + 4a)
                }
                let g_half = curve.rhs(&c2);
                let (mut c3, mut root_at_z, mut scratch) = (e.zero(), e.zero(), e.zero());
                let usable = !f.lane(e.is_zero(&product), 0) && f.lane(root.root(e, &mut c3, &radicand), 0);
                let is_square = |x: &E::Elem, y: &mut E::Elem| f.lane(root.root(e, y, x), 0);
                if usable && (is_square(&gz, &mut root_at_z) || is_square(&g_half, &mut scratch)) {
                    let c3 = with_sign(e, &c3, e.mask(false));
                    at! {e; square = sqr(&inverse); quotient = mul(&square, &c3); kappa = sum(&[times(8, &quotient)]);}
                    return SvdwMap { z, c: [gz, c2, c3, c4], kappa, root_at_z, root };
                }
            }
        }
        unreachable!("some Z serves: a quarter of them do")
    }

    /// Maps each u to a point of the curve, which is never O.
    pub fn points(&self, curve: &Curve<E>, us: &[E::Elem]) -> Vec<Affine<E>> {
        let e = curve.field();
        let scaled = |u: &E::Elem| {
            at! {e; uu = sqr(u); t1 = mul(&uu, &self.c[0]);}
            t1
        };
        let t1s: Vec<E::Elem> = us.iter().map(scaled).collect_vec();
        let denominator = |t1: &E::Elem| {
            at! {e; square = sqr(t1); denominator = sum(&[plus(&e.one()), minus(&square)]);}
            denominator
        };
        let mut inverses: Vec<E::Elem> = t1s.iter().map(denominator).collect_vec();
        e.inv_many(&mut inverses);
        us.iter().zip(&t1s).zip(&inverses).map(|((u, t1), t3)| self.over(curve, u, t1, t3)).collect_vec()
    }

    /// Maps u to a point of the curve, given t1 = u²·g(Z) and t3 = 1/(1 − t1²), which is 0 where the denominator is 0:
    /// there x1 = x2 = c2 and x3 = Z.
    fn over(&self, curve: &Curve<E>, u: &E::Elem, t1: &E::Elem, t3: &E::Elem) -> Affine<E> {
        let e = curve.field();
        let [_, c2, c3, c4] = &self.c;
        let one = e.one();
        at! {e;
            t2 = sum(&[plus(&one), plus(t1)]);    // 1 + u²·g(Z)
            t5 = sum(&[plus(&one), minus(t1)]);   // 1 − u²·g(Z)
            t6 = mul(u, &t5);
            t7 = mul(&t6, t3);                    // u/(1 + u²·g(Z))
            t4 = mul(&t7, c3);                    // c3·u/(1 + u²·g(Z))
            x1 = sum(&[plus(c2), minus(&t4)]);    // c2 − t4
            x2 = sum(&[plus(c2), plus(&t4)]);     // c2 + t4
            t8 = sqr(&t2);
            t9 = mul(&t8, t3);                    // (1 + u²·g(Z))/(1 − u²·g(Z))
            t10 = sqr(&t9);
            t11 = mul(&t10, c4);
            x3 = sum(&[plus(&t11), plus(&self.z)]); // c4·((1 + u²·g(Z))/(1 − u²·g(Z)))² + Z
        }
        let (g1, g2, mut root) = (curve.rhs(&x1), curve.rhs(&x2), e.zero());
        let [first, second] = self.root.root_of_first(e, &mut root, [&g1, &g2]);
        at! {e;
            t12 = mul(&t10, &t9);
            t13 = mul(&t12, &self.kappa);         // ±w/h
            t14 = mul(&root, &t13);               // w/h·√(g(x1)·g(x2)) = ±√g(x3)
            y3 = select(e.is_zero(t3), &self.root_at_z, &t14);
            y = select(e.or(first, second), &root, &y3);
            x23 = select(second, &x2, &x3);
            x = select(first, &x1, &x23);
        }
        let y = with_sign(e, &y, sign(e, u));
        Affine { x, y, infinity: e.mask(false) }
    }
}
