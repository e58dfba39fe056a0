//! Elements of GT in fewer coefficients: as points of the algebraic tori T2 and T6 (Rubin and Silverberg, "Torus-based
//! cryptography", CRYPTO 2003; for pairings Naehrig, Barreto and Schwabe, "On compressible pairings and their computation",
//! AFRICACRYPT 2008).
//!
//! F_p^k = F_p^(k/2)(s), s² in F_p^(k/2). The p^(k/2)-power turns s into −s, and x of norm 1 over F_p^(k/2), other than −1, is
//!
//! > x = (1 + cs)/(1 − cs),  cs = (x − 1)/(x + 1),
//!
//! for exactly one c in F_p^(k/2). That is T2: k/2 coefficients; 1 is c = 0. GT has an odd order, so that −1 is not in it.
//!
//! Where F_p^k = E(w), w^6 = ξ in E = F_p^(k/6), and s = w, an x ≠ 1 also has norm 1 over F_p^(k/3). With m = 1/c =
//! a0 + a1·w² + a2·w⁴, x = (m + w)/(m − w), the product of the three conjugates of m + w over F_p^(k/3), on which w ↦ ωw for a
//! cube root ω of 1, is even in w, whence
//!
//! > a0·a1 = ξ·a2² + 1/3.
//!
//! a1 = 0 would make −1/(3ξ) a square in E; but −3 is one (p ≡ 1 mod 3), and ξ is none. So (a1, a2) determines x: that is T6, k/3
//! coefficients. 1 is (0, 0); the other pairs (0, a2) belong to no element.
//!
//! Both are bijections, every element has one encoding. An inversion in F_p each way; T6 back: two.

use bilinear_field::{Extension, Field, Prime, PrimeElem, at, minus, plus};
use num_bigint::BigUint;

/// Which torus GT is taken to lie on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Torus {
    /// T2 over F_p^(k/2): for every F_p^k that is quadratic over F_p^(k/2).
    Two,
    /// T6 over F_p^(k/6): for F_p^k = E(w), w^6 = ξ in E, of coefficients in the order 1, w², w⁴, w, w³, w⁵ over E.
    Six,
}

impl Torus {
    /// Both.
    pub const ALL: [Torus; 2] = [Torus::Two, Torus::Six];

    /// How often fewer coefficients there are: 2 or 3.
    pub fn factor(self) -> usize {
        match self {
            Torus::Two => 2,
            Torus::Six => 3,
        }
    }

    /// The coefficients over F_p of an element of GT.
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

    /// The element with as many coefficients, where they belong to one: then it is of norm 1 over F_p^(k/2), for T6 over
    /// F_p^(k/3) as well. That it is in GT is another matter. Any other number of coefficients belongs to none.
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
                (out, f.either(f.not(is_one), no_a2))
            }
        }
    }
}

/// (m + n)/(m − n).
fn cayley<T: Extension>(f: &T, m: &T::Elem, n: &T::Elem) -> T::Elem {
    at! {f;
        above = sum(&[plus(m), plus(n)]);
        below = sum(&[plus(m), minus(n)]);
        inverse = inv(&below);
        x = mul(&above, &inverse);
    }
    x
}

/// w.
fn root<T: Extension>(f: &T) -> T::Elem {
    place(f, &[f.prime().one()], f.degree() / 2)
}

/// The element with these coefficients from the n-th on, and 0 elsewhere.
fn place<T: Extension>(f: &T, coefficients: &[PrimeElem<T>], n: usize) -> T::Elem {
    let mut index = 0..f.degree();
    f.compose(&mut || {
        let given = index.next().and_then(|i| i.checked_sub(n)).and_then(|i| coefficients.get(i));
        given.cloned().unwrap_or_else(|| f.prime().zero())
    })
}

/// The coefficients.
fn list<T: Extension>(f: &T, x: &T::Elem) -> Vec<PrimeElem<T>> {
    let mut out = Vec::with_capacity(f.degree());
    f.coefficients(x, &mut |c| out.push(c.clone()));
    out
}

/// 1/3 modulo p ≡ 1 (mod 3): 3·(2p + 1)/3 = 2p + 1.
fn third<F: Prime>(f: &F) -> BigUint {
    (f.modulus() * 2u32 + 1u32) / 3u32
}
