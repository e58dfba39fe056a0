//! Roots in F_p^d, d = 2^n, by norms down to F_p (for d = 2 Adj and Rodríguez-Henríquez, IEEE Trans. Computers 63, 2014,
//! algorithm 8, which goes back to Scott): a ≠ 0 is a square where its norm is, and the root takes a root of the norm
//! and another root in the field of half the degree. Together d powers in F_p of bits(p) bits, and d/2 − 1 inversions
//! (for p ≡ 1 (mod 4) d − 1 inversions, and the squarings of Tonelli and Shanks).

use super::powers::{Powers, Start, conjugate};
use crate::at;
use crate::collect_vec::CollectVec;
use crate::contract::{Field, Prime};
use crate::extension::{Extension, PrimeElem};
use crate::term::{plus, times};
use num_bigint::BigUint;

/// The constants of the method of norms in K_n = F_p^d, d = 2^n, a tower of quadratic extensions K_j = F_p^(2^j). An
/// element of K_j is written as one of K_n.
#[derive(Clone)]
pub(super) struct Norms<F: Extension> {
    frobenius: F::Frobenius,
    /// The roots in F_p, and the start from its non-square.
    base: (Powers<F::Prime>, Start<F::Prime>),
    half: PrimeElem<F>,
    /// The constants of K_1, …, K_n.
    pub(super) levels: Vec<Level<F>>,
}

/// The constants of K_j over K = K_(j − 1).
#[derive(Clone)]
pub(super) struct Level<F: Extension> {
    /// An element ρ of K_j with ρ^(|K|) = −ρ. Its square is the non-square of K.
    root: F::Elem,
    /// 1/ρ and 1/ρ².
    pub(super) inverses: [F::Elem; 2],
    /// The non-square c of K_j and a root of N(c)/ρ²; `None` for K_n, where the caller chooses c.
    non_square: Option<[F::Elem; 2]>,
}

/// A root of a or of a multiple of it.
pub(super) struct Root<F: Extension> {
    root: F::Elem,
    /// Its inverse if that is known.
    inverse: Option<F::Elem>,
    /// Where it is a root of a.
    of_a: F::Mask,
}

/// Returns the coefficient of 1.
fn coefficient<F: Extension>(f: &F, x: &F::Elem) -> PrimeElem<F> {
    let mut found = None;
    f.coefficients(x, &mut |c| found = found.take().or_else(|| Some(c.clone())));
    found.unwrap_or_else(|| f.prime().zero())
}

/// Leaves the code behind it out for fields that are no towers.
#[inline(always)]
fn is_tower<F: Extension>() {
    if !F::TOWER {
        unreachable!("roots in this field take powers");
    }
}

impl<F: Extension> Norms<F> {
    pub(super) fn new(f: &F) -> Self {
        is_tower::<F>();
        let fp = f.prime();
        let half = fp.constant(&((fp.modulus() + 1u32) >> 1u32));
        let mut levels: Vec<Level<F>> = vec![];
        let frobenius = f.frobenius_constants();
        for j in 1..=f.degree().trailing_zeros() {
            // w − w^(|K|) for the root w by which K_j extends K
            let index = 1 << (j - 1);
            let place = (0..=index).map(|i| BigUint::from(u32::from(i == index)));
            let w = f.element(&place.collect_vec());
            at! {f;
                root = sub(&w, &conjugate(f, &frobenius, index, &w));
                inverse = inv(&root);
                square = sqr(&inverse);
            }
            levels.push(Level { root, inverses: [inverse, square], non_square: None });
        }
        at! {f; c = sqr(&levels[0].root);}
        let c = coefficient(f, &c);
        let powers = Powers::new(fp, &c);
        let start = powers.start(fp, &c);
        let mut norms = Norms { frobenius, base: (powers, start), half, levels };
        for j in 1..norms.levels.len() {
            at! {f; c = sqr(&norms.levels[j].root);}
            norms.levels[j - 1].non_square = Some([c.clone(), norms.scale(f, j, &c)]);
        }
        norms
    }

    /// Returns a root of N(c)/ρ² for a non-square c of K_j.
    pub(super) fn scale(&self, f: &F, j: usize, c: &F::Elem) -> F::Elem {
        at! {f; norm = mul(c, &self.conjugate(f, j, c)); ratio = mul(&norm, &self.levels[j - 1].inverses[1]);}
        self.root(f, j - 1, &ratio).root
    }

    /// Returns x^(|K|) for x in K_j.
    fn conjugate(&self, f: &F, j: usize, x: &F::Elem) -> F::Elem {
        conjugate(f, &self.frobenius, 1 << (j - 1), x)
    }

    /// Returns the root in K_j of a, or of the multiple of a by the non-square.
    fn root(&self, f: &F, j: usize, a: &F::Elem) -> Root<F> {
        is_tower::<F>();
        if let Some(level) = j.checked_sub(1) {
            let [c, scale] = self.levels[level].non_square.as_ref().unwrap_or_else(|| unreachable!("below K_n"));
            let (root, of_a) = self.either(f, j, a, c, scale);
            return Root { root, inverse: None, of_a };
        }
        let (powers, c) = &self.base;
        let (start, of_a) = powers.start_of_either(f.prime(), &coefficient(f, a), c);
        let embed = |x: &PrimeElem<F>| at!(f; scale(&f.one(), x));
        // zr = t = 1 where s = 1
        let inverse = (powers.two_adicity == 1).then(|| embed(&start[0]));
        Root { root: embed(&powers.finish(f.prime(), &start)), inverse, of_a }
    }

    /// Returns the root in K_j of N(a), and the mask of the lanes where a is a square. Elsewhere it is that of ρ²N(a).
    pub(super) fn norm_root(&self, f: &F, j: usize, a: &F::Elem) -> (F::Elem, F::Mask) {
        is_tower::<F>();
        at! {f; norm = mul(a, &self.conjugate(f, j, a));}
        let Root { root, of_a, .. } = self.root(f, j - 1, &norm);
        (root, of_a)
    }

    /// Returns the root in K_j of a or ca, and the mask of the lanes where it is that of a, for a root of N(c)/ρ².
    pub(super) fn either(&self, f: &F, j: usize, a: &F::Elem, c: &F::Elem, scale: &F::Elem) -> (F::Elem, F::Mask) {
        let (s, square) = self.norm_root(f, j, a);
        at! {f;
            ca = mul(c, a);
            scaled = mul(&s, scale);
            chosen = select(square, a, &ca);
            root = select(square, &s, &scaled);
        }
        (self.finish(f, j, &chosen, &root), square)
    }

    /// Returns a root of a square a of K_j for s² = N(a). With the conjugate ā and D = a − ā, T = a + ā + 2s and
    /// T' = T − 4s are in K and TT' = D², so that for v² = T or T', ((v + D/v)/2)² = a.
    ///
    /// * Where w² = T: v = w.
    /// * Where w² = ρ²T: v = Dρ/w and D/v = w/ρ.
    /// * T = 0 means D = 0: then T' serves, for −s.
    pub(super) fn finish(&self, f: &F, j: usize, a: &F::Elem, s: &F::Elem) -> F::Elem {
        is_tower::<F>();
        let Level { root: rho, inverses: [inverse, _], .. } = &self.levels[j - 1];
        let conjugate = self.conjugate(f, j, a);
        at! {f;
            d = sub(a, &conjugate);
            trace = sum(&[plus(a), plus(&conjugate), times(2, s)]);
            other = sum(&[plus(a), plus(&conjugate), times(-2, s)]);
            t = select(f.is_zero(&trace), &other, &trace);
        }
        let Root { root: w, inverse: one_over_w, of_a } = self.root(f, j - 1, &t);
        let one_over_w = one_over_w.unwrap_or_else(|| at!(f; inv(&w)));
        at! {f;
            d_over_w = mul(&d, &one_over_w);
            v = mul(&d_over_w, rho);             // Dρ/w
            d_over_v = mul(&w, inverse);         // w/ρ
            x = select(of_a, &w, &v);
            y = select(of_a, &d_over_w, &d_over_v);
            twice = sum(&[plus(&x), plus(&y)]);
            out = scale(&twice, &self.half);
        }
        out
    }
}
