//! Square roots in any F_q = F_p^d, q odd, without branches on values.
//!
//! * In F_p² for p ≡ 3 (mod 4) by the norm (Adj and Rodríguez-Henríquez, IEEE Trans. Computers 63, 2014, algorithm 8, which goes
//!   back to Scott): two powers in F_p of bits(p) bits.
//! * Elsewhere by Tonelli and Shanks (RFC 9380, appendix I.4): with q − 1 = 2^s·m, m odd, one power of bits(q) − s bits, then
//!   s(s − 1)/2 squarings. For q ≡ 3 (mod 4), s = 1 and the root is a^((q + 1)/4).

use crate::at;
use crate::contract::{Field, Prime};
use crate::exponent::pow;
use crate::extension::{Extension, PrimeElem};
use crate::term::{minus, plus};
use num_bigint::BigUint;
use num_traits::One;

/// The constants for square roots in a field.
#[derive(Clone)]
pub struct SquareRoot<F: Extension>(Method<F>);

#[derive(Clone)]
enum Method<F: Extension> {
    Powers(Powers<F>),
    Norm(Norm<F>),
}

/// A non-square c, for roots of multiples by c.
#[derive(Clone)]
pub struct NonSquare<F: Extension> {
    c: F::Elem,
    method: ByMethod<F>,
}

#[derive(Clone)]
enum ByMethod<F: Extension> {
    /// c^((m + 1)/2) and c^m.
    Powers([F::Elem; 2]),
    /// A root of −N(c).
    Norm(PrimeElem<F>),
}

impl<F: Extension> SquareRoot<F> {
    /// Computes the constants for a field and one of its non-squares.
    pub fn new(f: &F, non_square: &F::Elem) -> Self {
        let p = f.prime().modulus();
        let by_norm = f.degree() == 2 && p.bit(0) && p.bit(1);
        SquareRoot(if by_norm { Method::Norm(Norm::new(f)) } else { Method::Powers(Powers::new(f, non_square)) })
    }

    /// Computes out with out² = a where a is a square; returns the mask of those lanes.
    pub fn root(&self, f: &F, out: &mut F::Elem, a: &F::Elem) -> F::Mask {
        match &self.0 {
            Method::Powers(method) => {
                let start = method.start(f, a);
                method.finish(f, out, start);
            }
            Method::Norm(method) => {
                let ([a0, a1], s, _) = method.norm(f, a);
                method.finish(f, out, [a0, a1], &s);
            }
        }
        at! {f; square = sqr(out);}
        f.equal(&square, a)
    }

    /// Computes the constants that [`SquareRoot::root_of_either`] needs for a non-square.
    pub fn non_square(&self, f: &F, c: &F::Elem) -> NonSquare<F> {
        let method = match &self.0 {
            Method::Powers(method) => ByMethod::Powers(method.start(f, c)),
            Method::Norm(method) => ByMethod::Norm(method.norm(f, c).1),
        };
        NonSquare { c: c.clone(), method }
    }

    /// Computes the root of whichever of a and ca is a square; both are if a = 0. Returns the mask of the lanes where
    /// it is a. Costs little more than one [`SquareRoot::root`].
    ///
    /// # Panics
    /// Panics if c was made for the roots of another field.
    pub fn root_of_either(&self, f: &F, out: &mut F::Elem, a: &F::Elem, c: &NonSquare<F>) -> F::Mask {
        match (&self.0, &c.method) {
            (Method::Powers(method), ByMethod::Powers([cz, ct])) => {
                let [z, t] = method.start(f, a);
                let square = f.or(method.is_square(f, &t), f.is_zero(a));
                at! {f; z1 = mul(&z, cz); t1 = mul(&t, ct); z2 = select(square, &z, &z1); t2 = select(square, &t, &t1);}
                method.finish(f, out, [z2, t2]);
                square
            }
            (Method::Norm(method), ByMethod::Norm(root)) => {
                let (_, s, square) = method.norm(f, a);
                at! {f.prime(); s1 = mul(&s, root); s2 = select(square, &s, &s1);}
                at! {f; ca = mul(&c.c, a); chosen = select(square, a, &ca);}
                method.finish(f, out, coefficients(f, &chosen), &s2);
                square
            }
            _ => unreachable!("a non-square of another field"),
        }
    }

    /// Computes the root of the first square among a, b and ab, of which one is a square. Returns the masks of the
    /// lanes where a is a square and where b is. Costs one power in F_p more than [`SquareRoot::root`] in F_p² for
    /// p ≡ 3 (mod 4), and one power in the field elsewhere.
    pub fn root_of_first(&self, f: &F, out: &mut F::Elem, [a, b]: [&F::Elem; 2]) -> [F::Mask; 2] {
        match &self.0 {
            Method::Powers(method) => {
                let [[za, ta], [zb, tb]] = [a, b].map(|x| method.start(f, x));
                let squares = [(a, &ta), (b, &tb)].map(|(x, t)| f.or(method.is_square(f, t), f.is_zero(x)));
                at! {f; zab = mul(&za, &zb); tab = mul(&ta, &tb);}
                let chosen = [[&za, &zb, &zab], [&ta, &tb, &tab]].map(|of| first(f, squares, of));
                method.finish(f, out, chosen);
                squares
            }
            Method::Norm(method) => {
                let [(_, sa, a_square), (_, sb, b_square)] = [a, b].map(|x| method.norm(f, x));
                let squares = [a_square, b_square];
                at! {f.prime(); sab = mul(&sa, &sb);} // s² = N(a)·N(b) where neither is a square
                at! {f; ab = mul(a, b);}
                let s = first(f.prime(), squares, [&sa, &sb, &sab]);
                method.finish(f, out, coefficients(f, &first(f, squares, [a, b, &ab])), &s);
                squares
            }
        }
    }
}

/// Returns x where the first mask is set, else y where the second is, else z.
fn first<F: Field>(f: &F, masks: [F::Mask; 2], [x, y, z]: [&F::Elem; 3]) -> F::Elem {
    at! {f; rest = select(masks[1], y, z); out = select(masks[0], x, &rest);}
    out
}

/// The constants of the method of Tonelli and Shanks.
#[derive(Clone)]
struct Powers<F: Extension> {
    /// The two-adicity s.
    two_adicity: u64,
    /// The exponent (m − 1)/2.
    exponent: BigUint,
    /// z^m for a non-square z: an element of order 2^s.
    root_of_one: F::Elem,
}

impl<F: Extension> Powers<F> {
    fn new(f: &F, non_square: &F::Elem) -> Self {
        let order = f.prime().modulus().pow(f.degree() as u32) - 1u32;
        let two_adicity = order.trailing_zeros().unwrap_or(0);
        let odd = order >> two_adicity;
        let mut root_of_one = f.zero();
        pow(f, &mut root_of_one, non_square, &odd);
        Powers { two_adicity, exponent: (odd - BigUint::one()) >> 1u32, root_of_one }
    }

    /// Computes z = a^((m + 1)/2) and t = a^m: z² = a·t.
    fn start(&self, f: &F, a: &F::Elem) -> [F::Elem; 2] {
        let mut power = f.zero();
        pow(f, &mut power, a, &self.exponent);
        at! {f; z = mul(&power, a); t = mul(&z, &power);} // a^((m + 1)/2), a^m
        [z, t]
    }

    /// Returns the mask of the lanes where a ≠ 0 is a square: t^(2^(s − 1)) = 1.
    fn is_square(&self, f: &F, t: &F::Elem) -> F::Mask {
        f.equal(&squared(f, t, self.two_adicity - 1), &f.one())
    }

    /// Multiplies z and t by powers of the root of 1 and of its square until t = 1.
    fn finish(&self, f: &F, out: &mut F::Elem, [mut z, mut t]: [F::Elem; 2]) {
        let (mut c, one) = (self.root_of_one.clone(), f.one());
        for i in (2..=self.two_adicity).rev() {
            // t has order dividing 2^(i − 1); where it is 2^(i − 1), c brings it down
            let lower = f.equal(&squared(f, &t, i - 2), &one);
            at! {f; zc = mul(&z, &c); cc = sqr(&c); tc = mul(&t, &cc); z1 = select(lower, &z, &zc); t1 = select(lower, &t, &tc);}
            (z, t, c) = (z1, t1, cc);
        }
        *out = z;
    }
}

/// Returns x^(2^n).
fn squared<F: Field>(f: &F, x: &F::Elem, n: u64) -> F::Elem {
    let mut power = x.clone();
    for _ in 0..n {
        at! {f; next = sqr(&power);}
        power = next;
    }
    power
}

/// The constants of the norm method in F_p(√β), p ≡ 3 (mod 4).
#[derive(Clone)]
struct Norm<F: Extension> {
    beta: PrimeElem<F>,
    half: PrimeElem<F>,
    /// 1/√−β and √−β, which exist since neither −1 nor β is a square.
    roots: [PrimeElem<F>; 2],
    /// The exponent (p − 3)/4.
    exponent: BigUint,
}

/// Returns the two coefficients of x.
fn coefficients<F: Extension>(f: &F, x: &F::Elem) -> [PrimeElem<F>; 2] {
    let mut list = Vec::with_capacity(2);
    f.coefficients(x, &mut |c| list.push(c.clone()));
    <[PrimeElem<F>; 2]>::try_from(list).unwrap_or_else(|_| unreachable!("a field of degree 2"))
}

/// Returns x0 + x1·√β.
fn compose<F: Extension>(f: &F, coefficients: [PrimeElem<F>; 2]) -> F::Elem {
    let mut rest = coefficients.into_iter();
    f.compose(&mut || rest.next().unwrap_or_else(|| unreachable!("a field of degree 2")))
}

impl<F: Extension> Norm<F> {
    fn new(f: &F) -> Self {
        let fp = f.prime();
        let p = fp.modulus();
        at! {f; square = sqr(&compose(f, [fp.zero(), fp.one()]));}
        let [beta, _] = coefficients(f, &square);
        let exponent = (p - 3u32) >> 2u32;
        at! {fp; negative = neg(&beta);}
        let mut inverse = fp.zero();
        pow(fp, &mut inverse, &negative, &exponent);
        at! {fp; root = mul(&inverse, &negative);}
        Norm { beta, half: fp.constant(&((p + 1u32) >> 1u32)), roots: [inverse, root], exponent }
    }

    /// Returns the coefficients of a, s, and a mask. Where N(a) = a0² − βa1² is a square, which holds where a is a
    /// square, s² = N(a) and the mask is set. Elsewhere s² = −N(a).
    fn norm(&self, f: &F, a: &F::Elem) -> ([PrimeElem<F>; 2], PrimeElem<F>, F::Mask) {
        let (fp, [a0, a1]) = (f.prime(), coefficients(f, a));
        at! {fp; s0 = sqr(&a0); s1 = sqr(&a1); product = mul(&s1, &self.beta); norm = sum(&[plus(&s0), minus(&product)]);}
        let mut power = fp.zero();
        pow(fp, &mut power, &norm, &self.exponent);
        at! {fp; s = mul(&power, &norm); ss = sqr(&s);} // s = N(a)^((p + 1)/4)
        let square = fp.equal(&ss, &norm);
        ([a0, a1], s, square)
    }

    /// Computes x0 + x1·√β with x0² = t = (a0 + s)/2 and 2·x0·x1 = a1 for s² = N(a). With r = t^((p − 3)/4) and x = rt,
    /// x² = ±t.
    ///
    /// * Where x² = t: x0 = x, and 1/x0 = r unless t = 0, where a1 = 0.
    /// * Where x² = −t: (a0 − s)/2 = βa1²/4t is a square and r²t = −1, so that x0 = √−β·a1·r/2 and x1 = −x/√−β.
    /// * t = 0 means s = −a0 and a1 = 0: then t = a0 serves.
    fn finish(&self, f: &F, out: &mut F::Elem, [a0, a1]: [PrimeElem<F>; 2], s: &PrimeElem<F>) {
        let fp = f.prime();
        at! {fp; sum = sum(&[plus(&a0), plus(s)]); halved = mul(&sum, &self.half); t = select(fp.is_zero(&halved), &a0, &halved);}
        let mut r = fp.zero();
        pow(fp, &mut r, &t, &self.exponent);
        let [inverse, root] = &self.roots;
        at! {fp;
            x = mul(&r, &t);                 // x = t^((p + 1)/4)
            xx = sqr(&x);                    // ±t
            halved = mul(&a1, &self.half);
            other = mul(&halved, &r);        // a1·r/2: x1 where x² = t
            even = mul(&other, root);        // √−β·a1·r/2: x0 where x² = −t
            scaled = mul(&x, inverse);
            odd = neg(&scaled);              // −x/√−β: x1 there
        }
        let square = fp.equal(&xx, &t);
        at! {fp; x0 = select(square, &x, &even); x1 = select(square, &other, &odd);}
        *out = compose(f, [x0, x1]);
    }
}
