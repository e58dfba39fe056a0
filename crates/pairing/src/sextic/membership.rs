//! Membership of G1, G2 and GT by one short relation each, and the proof for the curve at hand.
//!
//! An endomorphism α with characteristic polynomial χ that satisfies f(α)Q = O also satisfies ρQ = O for the resultant ρ
//! of f and χ, which is a combination of both; so if gcd(ρ, #E) = r, f(α)Q = O holds for no point outside the group of
//! order r (El Housni, Guillevic, Piellard, AFRICACRYPT 2022, section 3; Dai, Lin, Zhao, Zhou, IEEE Trans. Information
//! Theory 69, 2023). The gcd is computed when a system is made; where it is not r, rQ = O is asked instead.
//!
//! * G1: φ(x, y) = (βx, y), χ = X² + X + 1, and the shortest a + bλ ≡ 0 (mod r).
//! * G2: ψ, χ = X² − tX + p, and the family's relation Σ (a_i·u + b_i)p^i ≡ 0 (mod r).
//! * GT: the p-power, on the cyclotomic subgroup of order Φ_k(p), and the same relation.

use super::{Fpk, Parameters, Sextic};
use crate::curve::Affine;
use bilinear_field::tower::NonResidue;
use bilinear_field::{Extension, Field, at};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Zero};

/// φ(x, y) = (βx, y) on C, which is multiplication by λ on G1.
#[derive(Clone, Debug)]
pub(super) struct Automorphism {
    /// β, a primitive cube root of 1 in F_p.
    pub(super) beta: BigUint,
    /// a and b of the shortest a + bλ ≡ 0 (mod r).
    relation: [BigInt; 2],
}

impl Automorphism {
    /// `eigenvalue(β, λ)` tells whether φ is multiplication by λ on G1 for this β.
    pub(super) fn new(n: &Parameters, eigenvalue: impl Fn(&BigUint, &BigUint) -> bool) -> Self {
        let (mut beta, lambda) = (cube_root_of_one(&n.p), cube_root_of_one(&n.r));
        if !eigenvalue(&beta, &lambda) {
            // the other root
            beta = &beta * &beta % &n.p;
        }
        Automorphism { beta, relation: shortest(&n.r, &lambda) }
    }

    /// The same relation in terms of −φ.
    pub(super) fn turn(&self) -> Vec<BigInt> {
        let [a, b] = &self.relation;
        vec![a.clone(), -b]
    }
}

/// A vector of length about √r in the lattice of (a, b) with a + bλ ≡ 0 (mod r): Lagrange and Gauss.
fn shortest(r: &BigUint, lambda: &BigUint) -> [BigInt; 2] {
    let (mut v, mut w) = ([BigInt::from(r.clone()), BigInt::zero()], [-BigInt::from(lambda.clone()), BigInt::one()]);
    // the form a² − ab + b² is the norm of a + bφ
    let dot = |x: &[BigInt; 2], y: &[BigInt; 2]| -> BigInt {
        2 * (&x[0] * &y[0] + &x[1] * &y[1]) - &x[0] * &y[1] - &x[1] * &y[0]
    };
    loop {
        if dot(&v, &v) < dot(&w, &w) {
            std::mem::swap(&mut v, &mut w);
        }
        let norm: BigInt = dot(&w, &w);
        // the nearest integer
        let twice: BigInt = dot(&v, &w) * 2;
        let q = (twice + &norm).div_floor(&(&norm * 2));
        if q.is_zero() {
            return w;
        }
        v = [&v[0] - &q * &w[0], &v[1] - &q * &w[1]];
    }
}

/// A primitive cube root of 1 modulo a prime ≡ 1 (mod 3).
fn cube_root_of_one(p: &BigUint) -> BigUint {
    let third = (p - 1u32) / 3u32;
    let mut g = BigUint::from(2u32);
    loop {
        let root = g.modpow(&third, p);
        if !root.is_one() {
            return root;
        }
        g += 1u32;
    }
}

/// Which relations are proven for the curve.
#[derive(Clone, Debug)]
pub(super) struct Tests {
    g1: Option<[BigInt; 2]>,
    g2: bool,
    gt: bool,
}

impl Tests {
    /// Decides by the gcds.
    pub(super) fn new(n: &Parameters, relation: &[(BigInt, usize)], automorphism: &Automorphism) -> Self {
        let gcd_is_r = |rho: BigInt, group: &BigUint| rho.magnitude().gcd(group) == n.r;
        let g1 = {
            let [a, b] = &automorphism.relation;
            let rho = a * a - a * b + b * b;
            gcd_is_r(rho, &(&n.cofactors[0] * &n.r)).then(|| automorphism.relation.clone())
        };
        // f modulo X² − tX + p
        let p = BigInt::from(n.p.clone());
        let (mut c0, mut c1) = (BigInt::zero(), BigInt::zero());
        let highest = relation.iter().map(|(_, i)| *i).max().unwrap_or(0);
        for i in (0..=highest).rev() {
            // (c0 + c1·X)·X = −c1·p + (c0 + c1·t)·X
            (c0, c1) = (-&c1 * &p, &c0 + &c1 * &n.t);
            c0 += relation.iter().filter(|(_, j)| *j == i).map(|(c, _)| c).sum::<BigInt>();
        }
        let rho = &c0 * &c0 + &c0 * &c1 * &n.t + &c1 * &c1 * &p;
        let f_of_p: BigInt = relation.iter().map(|(c, i)| c * p.pow(*i as u32)).sum();
        let d = n.kind.degree() / 6;
        let cyclotomic = n.p.pow(2 * d as u32) + 1u32 - n.p.pow(d as u32);
        Tests { g1, g2: gcd_is_r(rho, &(&n.cofactors[1] * &n.r)), gt: gcd_is_r(f_of_p, &cyclotomic) }
    }
}

impl<E: Extension, X: NonResidue<E>> Sextic<E, X> {
    /// Where a point of C is in G1.
    pub(super) fn is_in_g1(&self, p: &Affine<E::Prime>) -> E::Mask {
        let f = self.fp();
        if self.cofactors[0].is_one() {
            return f.mask(true);
        }
        let multiple = match &self.tests.g1 {
            None => self.g1.mul(&self.order, p),
            Some([a, b]) => self.g1.combination(&[(a.clone(), p.clone()), (-b, self.turn(p))]),
        };
        f.is_zero(&multiple.z)
    }

    /// Where a point of C' is in G2.
    pub(super) fn is_in_g2(&self, q: &Affine<E>) -> E::Mask {
        let multiple = if self.tests.g2 {
            let term = |(c, i): &(BigInt, usize)| (c.clone(), if *i == 0 { q.clone() } else { self.psi(q, *i) });
            self.g2.combination(&self.relation.iter().map(term).collect::<Vec<_>>())
        } else {
            self.g2.mul(&self.order, q)
        };
        self.e().is_zero(&multiple.z)
    }

    /// Where an element of F_p^k is in GT.
    pub(super) fn is_in_gt(&self, x: &Fpk<E>) -> E::Mask {
        let target = self.target();
        let d = E::DEGREE;
        // x^(p^(2d))·x = x^(p^d), the order divides Φ_k(p)
        at! {target; left = mul(&self.frobenius(x, 2 * d), x);}
        let cyclotomic = target.not(target.is_zero(x));
        let cyclotomic = target.both(cyclotomic, target.equal(&left, &self.frobenius(x, d)));
        let power = if self.tests.gt {
            let mut product = target.one();
            for (c, i) in &self.relation {
                let power = self.cyclotomic_pow(x, c);
                let power = if *i == 0 { power } else { self.frobenius(&power, *i) };
                at! {target; next = mul(&product, &power);}
                product = next;
            }
            product
        } else {
            self.cyclotomic_pow(x, &self.order.clone().into())
        };
        target.both(cyclotomic, target.equal(&power, &target.one()))
    }
}
