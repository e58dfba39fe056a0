//! Elements of GT in fewer coefficients, as points of the algebraic tori T2 and T6 (Rubin and Silverberg,
//! "Torus-based cryptography", CRYPTO 2003; for pairings Naehrig, Barreto and Schwabe, "On compressible pairings and
//! their computation", AFRICACRYPT 2008).
//!
//! F_p^k = F_p^(k/2)(s), s² in F_p^(k/2). The p^(k/2)-power takes s to −s, and an x of norm 1 over F_p^(k/2), other
//! than −1, is
//!
//! > x = (1 + cs)/(1 − cs),  cs = (x − 1)/(x + 1),
//!
//! for exactly one c in F_p^(k/2). This c is the point of T2, with k/2 coefficients; x = 1 gives c = 0. GT has odd
//! order, so −1 is not in it.
//!
//! Where F_p^k = E(w), w^6 = ξ in E = F_p^(k/6), and s = w, an x ≠ 1 also has norm 1 over F_p^(k/3). Let
//! m = 1/c = a0 + a1·w² + a2·w⁴, so that x = (m + w)/(m − w). Then the product of the three conjugates of m + w over F_p^(k/3),
//! on which w ↦ ωw for a cube root ω of 1, is even in w, whence
//!
//! > a0·a1 = ξ·a2² + 1/3.
//!
//! a1 = 0 would make −1/(3ξ) a square in E; but −3 is a square (p ≡ 1 mod 3) and ξ is not. So (a1, a2) determines x:
//! this pair is the point of T6, with k/3 coefficients. x = 1 gives (0, 0); the other pairs (0, a2) belong to no
//! element.
//!
//! Both maps are bijections, so every element has one encoding. Each direction takes an inversion in F_p;
//! decompression from T6 takes two.

use bilinear_field::{Extension, Field, Prime, PrimeElem, at, minus, plus};
use num_bigint::BigUint;

/// The torus on which an element of GT is represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Torus {
    /// T2 over F_p^(k/2), for every F_p^k that is quadratic over F_p^(k/2).
    Two,
    /// T6 over F_p^(k/6), for F_p^k = E(w), w^6 = ξ in E, with coefficients in the order 1, w², w⁴, w, w³, w⁵ over E.
    Six,
}

impl Torus {
    /// Both tori.
    pub const ALL: [Torus; 2] = [Torus::Two, Torus::Six];

    /// The factor by which the number of coefficients shrinks: 2 or 3.
    pub fn factor(self) -> usize {
        match self {
            Torus::Two => 2,
            Torus::Six => 3,
        }
    }

    /// Compresses an element of GT: returns its coefficients over F_p on the torus.
    pub fn compress<T: Extension>(self, f: &T, x: &T::Elem) -> Vec<PrimeElem<T>> {
        let one = f.one();
        at! {f; below = sub(x, &one); above = sum(&[plus(x), plus(&one)]);} // x − 1, x + 1
        match self {
            Torus::Two => {
                at! {f; inverse = inv(&above); cs = mul(&below, &inverse);} // cs = (x − 1)/(x + 1)
                list(f, &cs).split_off(f.degree() / 2)
            }
            Torus::Six => {
                // 1/0 = 0: 1 becomes (0, 0)
                at! {f;
                    closed = sum(&[plus(&below)]);
                    inverse = inv(&closed);
                    quotient = mul(&above, &inverse);  // (x + 1)/(x − 1) = m/w
                    m = mul(&quotient, &root(f));      // m = a0 + a1·w² + a2·w⁴
                }
                let d = f.degree() / 6;
                list(f, &m)[d..3 * d].to_vec()
            }
        }
    }

    /// Decompresses coefficients to an element, with the mask of the lanes where they belong to one. The element then
    /// has norm 1 over F_p^(k/2), and for T6 over F_p^(k/3) as well; it need not be in GT. A wrong number of
    /// coefficients belongs to no element.
    pub fn decompress<T: Extension>(self, f: &T, coefficients: &[PrimeElem<T>]) -> (T::Elem, T::Mask) {
        let (one, d) = (f.one(), f.degree() / 6);
        if coefficients.len() != f.degree() / self.factor() {
            return (one, f.mask(false));
        }
        match self {
            Torus::Two => {
                let cs = place(f, coefficients, f.degree() / 2);
                (cayley(f, &one, &cs), f.mask(true)) // (1 + cs)/(1 − cs)
            }
            Torus::Six => {
                let (a1, a2) = coefficients.split_at(d);
                let inverse_of_3 = f.prime().constant(&third(f.prime()));
                at! {f;
                    third = scale(&one, &inverse_of_3);
                    xi_square = mul(&place(f, a2, d), &place(f, a2, 2 * d)); // (a2·w²)(a2·w⁴) = ξ·a2²
                    product = sum(&[plus(&xi_square), plus(&third)]);        // a0·a1 = ξ·a2² + 1/3
                    inverse = inv(&place(f, a1, 0));
                    a0 = mul(&product, &inverse);
                    m = sum(&[plus(&a0), plus(&place(f, a1, d)), plus(&place(f, a2, 2 * d))]);
                }
                let x = cayley(f, &m, &root(f)); // (m + w)/(m − w)
                let (is_one, no_a2) = (f.is_zero(&place(f, a1, 0)), f.is_zero(&place(f, a2, 0)));
                at! {f; out = select(is_one, &one, &x);}
                (out, f.or(f.not(is_one), no_a2))
            }
        }
    }
}

/// Returns (m + n)/(m − n).
fn cayley<T: Extension>(f: &T, m: &T::Elem, n: &T::Elem) -> T::Elem {
    at! {f;
        above = sum(&[plus(m), plus(n)]);
        below = sum(&[plus(m), minus(n)]);
        inverse = inv(&below);
        x = mul(&above, &inverse);
    }
    x
}

/// Returns w.
fn root<T: Extension>(f: &T) -> T::Elem {
    place(f, &[f.prime().one()], f.degree() / 2)
}

/// Returns the element with these coefficients from index n on, and 0 elsewhere.
fn place<T: Extension>(f: &T, coefficients: &[PrimeElem<T>], n: usize) -> T::Elem {
    let mut index = 0..f.degree();
    f.compose(&mut || {
        let given = index.next().and_then(|i| i.checked_sub(n)).and_then(|i| coefficients.get(i));
        given.cloned().unwrap_or_else(|| f.prime().zero())
    })
}

/// Returns the coefficients of x over F_p.
fn list<T: Extension>(f: &T, x: &T::Elem) -> Vec<PrimeElem<T>> {
    let mut out = Vec::with_capacity(f.degree());
    f.coefficients(x, &mut |c| out.push(c.clone()));
    out
}

/// Returns 1/3 modulo p ≡ 1 (mod 3): 3·(2p + 1)/3 = 2p + 1.
fn third<F: Prime>(f: &F) -> BigUint {
    (f.modulus() * 2u32 + 1u32) / 3u32
}
