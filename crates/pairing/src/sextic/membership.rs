//! Membership tests for G1, G2 and GT by one short relation each, and their proof for the curve at hand.
//!
//! An endomorphism α with characteristic polynomial χ that satisfies f(α)Q = O also satisfies ρQ = O for the
//! resultant ρ of f and χ, which is a combination of both. So if gcd(ρ, #E) = r, f(α)Q = O holds for no point outside
//! the group of order r (El Housni, Guillevic, Piellard, AFRICACRYPT 2022, section 3; Dai, Lin, Zhao, Zhou, Designs,
//! Codes and Cryptography 91, 2023). The gcd is computed when a system is made. If it is not r, the test is rQ = O
//! instead.
//!
//! * G1: φ(x, y) = (βx, y), χ = X² + X + 1, and the shortest a + bλ ≡ 0 (mod r), or u^i ≡ ±λ^(±1) where the family has it (Scott,
//!   ePrint 2021/1130): whichever takes fewer products.
//! * G2: ψ, χ = X² − tX + p, and the family's relation Σ (a_i·u + b_i)p^i ≡ 0 (mod r), with one multiplication by u.
//! * GT: the p-power, on the cyclotomic subgroup of order Φ_k(p), and the same relation.

use super::family;
use super::{E, Fpk, SexticPairing, SexticParameters, seed};
use crate::cost_model::CostModel;
use crate::curve::{Affine, CoefficientA, Curve, Jacobian};
use crate::msm::Digits;
use bilinear_field::count::Count;
use bilinear_field::{CollectVec, Extension, Field, Prime, at};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Zero};

/// The automorphism φ(x, y) = (βx, y) of C, which is multiplication by λ on G1.
#[derive(Clone, Debug)]
pub(super) struct Automorphism {
    /// A primitive cube root β of 1 in F_p.
    pub(super) beta: BigUint,
    lambda: BigUint,
    /// The a and b of the shortest relation a + bλ ≡ 0 (mod r).
    relation: [BigInt; 2],
}

impl Automorphism {
    /// Finds the β that belongs to λ. The endomorphisms of C are Z[ω]: φ is ω, √−3 is 2ω + 1, and the p-power is
    /// π = (t + V√−3)/2 with 4p = t² + 3V². On the tangent at O, φ is β and π is 0; on G1, φ is λ and π is 1. So
    /// t + V(2β + 1) ≡ 0 (mod p) and t + V(2λ + 1) ≡ 2 (mod r) for the same sign of V.
    pub(super) fn new(n: &SexticParameters) -> Self {
        let SexticParameters { p, r, t, .. } = n;
        let (root, lambda) = (cube_root_of_one(p), cube_root_of_one(r));
        let square: BigInt = (BigInt::from(p << 2u32) - t * t) / 3u32; // V²
        let size = square.sqrt(); // |V|
        // whether t + v(2ω + 1) ≡ 2π (mod m)
        let agrees = |v: &BigInt, omega: &BigUint, twice_pi: i32, m: &BigUint| {
            ((t + v * BigInt::from(omega * 2u32 + 1u32) - twice_pi) % BigInt::from(m.clone())).is_zero()
        };
        let v = if agrees(&size, &lambda, 2, r) { size } else { -size };
        let beta = if agrees(&v, &root, 0, p) { root } else { &root * &root % p };
        Automorphism { beta, relation: shortest(r, &lambda), lambda }
    }

    /// Returns the shortest relation in terms of −φ.
    pub(super) fn minus_phi(&self) -> Vec<BigInt> {
        let [a, b] = &self.relation;
        vec![a.clone(), -b]
    }

    /// Returns the β' for which (x, y) ↦ (β'x, ±y) is multiplication by m on G1, and whether the sign is minus;
    /// `None` if there is no such β'.
    pub(super) fn acting_as(&self, n: &SexticParameters, m: &BigInt) -> Option<(BigUint, bool)> {
        let squares = [(&self.beta, &self.lambda)].map(|(b, l)| [(b.clone(), l.clone()), (b * b % &n.p, l * l % &n.r)]);
        let r = BigInt::from(n.r.clone());
        let is = |lambda: &BigUint, sign: i32| ((m - sign * BigInt::from(lambda.clone())) % &r).is_zero();
        let found = |(beta, lambda): (BigUint, BigUint)| {
            [false, true].into_iter().find(|minus| is(&lambda, if *minus { -1 } else { 1 })).map(|minus| (beta, minus))
        };
        squares.into_iter().flatten().find_map(found)
    }
}

/// The membership test for G1.
#[derive(Clone, Debug)]
pub(super) enum G1Test<C> {
    /// The test (a + bφ)P = O, by the digits of a and −b.
    Pair([Digits; 2]),
    /// The test u^i·P = (βx, ±y).
    Power {
        /// The exponent i.
        i: u32,
        /// The cube root β.
        beta: C,
        /// Whether y is negated.
        minus: bool,
    },
}

/// Returns aP + bQ from the digits of a and b.
fn pair_of<F: Field>(curve: &Curve<F>, pair: &[Digits; 2], points: [&Affine<F>; 2]) -> Jacobian<F> {
    let tables = curve.odd_tables(points.into_iter().zip(pair).map(|(p, digits)| (p, digits.table())));
    curve.interleaved(&pair.iter().cloned().zip(tables).collect_vec())
}

/// Returns u^i·P for i > 0.
fn power_of_u<F: Field>(curve: &Curve<F>, [u, naf]: &[Digits; 2], i: u32, p: &Affine<F>) -> Jacobian<F> {
    (1..i).fold(curve.multiple(u, p), |multiple, _| curve.mul_jacobian(naf, &multiple))
}

/// Returns a vector of length about √r in the lattice of (a, b) with a + bλ ≡ 0 (mod r), by the reduction of Lagrange
/// and Gauss.
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

/// Returns a primitive cube root of 1 modulo a prime ≡ 1 (mod 3).
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

/// The relations that are proven for the curve.
#[derive(Clone, Debug)]
pub(super) struct SexticTests<C> {
    g1: Option<G1Test<C>>,
    g2: bool,
    gt: bool,
}

impl<C> SexticTests<C> {
    /// Decides by the gcds which relations are proven, and chooses between the tests for G1 by the products that they
    /// take.
    pub(super) fn new(
        n: &SexticParameters,
        relation: &[(BigInt, usize)],
        automorphism: &Automorphism,
        cost_model: CostModel,
        constant: impl Fn(&BigUint) -> C,
    ) -> Self {
        let gcd_is_r = |rho: BigInt, group: &BigUint| rho.magnitude().gcd(group) == n.r;
        let curve_order = &n.cofactors[0] * &n.r;
        let [a, b] = &automorphism.relation;
        let pair = gcd_is_r(a * a - a * b + b * b, &curve_order).then(|| [a, &-b].map(Digits::lightest));
        let power = family::sixth_root(n.kind).and_then(|i| {
            let m = n.u.pow(i);
            let (beta, minus) = automorphism.acting_as(n, &m)?;
            // m² ± m + 1 is the norm of m − α for an α of order 6 or 3
            let rho = if minus { &m * &m - &m + 1 } else { &m * &m + &m + 1 };
            gcd_is_r(rho, &curve_order).then(|| G1Test::Power { i, beta: constant(&beta), minus })
        });
        let g1 = match (pair, power) {
            (Some(pair), Some(G1Test::Power { i, .. })) if !power_is_lighter(n, &pair, i, cost_model) => {
                Some(G1Test::Pair(pair))
            }
            (_, Some(power)) => Some(power),
            (pair, None) => pair.map(G1Test::Pair),
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
        let d = n.kind.twist_degree();
        let cyclotomic = n.p.pow(2 * d) + 1u32 - n.p.pow(d);
        SexticTests { g1, g2: gcd_is_r(rho, &(&n.cofactors[1] * &n.r)), gt: gcd_is_r(f_of_p, &cyclotomic) }
    }
}

impl<F: Prime> SexticPairing<F> {
    /// Returns the mask of the lanes where a point of C is in G1.
    pub(super) fn is_in_g1(&self, p: &Affine<F>) -> F::Mask {
        let f = self.fp();
        if self.groups.cofactors[0].is_one() {
            return f.mask(true);
        }
        let multiple = match &self.tests.g1 {
            None => self.groups.g1.mul(&self.groups.order, p),
            Some(G1Test::Pair(pair)) => pair_of(&self.groups.g1, pair, [p, &self.minus_phi(p)]),
            Some(G1Test::Power { i, beta, minus }) => {
                at! {f; x = mul(beta, &p.x);}
                let image = Affine { x, y: p.y.clone(), infinity: p.infinity };
                let image = if *minus { self.groups.g1.negate(&image) } else { image };
                return self.groups.g1.equal(&power_of_u(&self.groups.g1, &self.seed, *i, p), &image);
            }
        };
        f.is_zero(&multiple.z)
    }

    /// Returns the mask of the lanes where a point of C' is in G2: with T = uQ, where Σ a_i·ψ^i(T) + b_i·ψ^i(Q) = O.
    pub(super) fn is_in_g2(&self, q: &Affine<E<F>>) -> F::Mask {
        let g2 = &self.groups.g2;
        if !self.tests.g2 {
            return self.e().is_zero(&g2.mul(&self.groups.order, q).z);
        }
        let (relation, last) = (family::relation(self.kind), family::unit(self.kind));
        let t = g2.multiple(&self.seed[0], q); // T = uQ
        let mut sum: Option<Jacobian<E<F>>> = None;
        for (i, (a, _)) in relation.iter().enumerate().filter(|(_, (a, _))| *a != 0) {
            let term = g2.mul_jacobian(&Digits::new(&(*a).into(), 2), &self.psi_jacobian(&t, i)); // a_i·ψ^i(T)
            sum = Some(sum.map_or_else(|| term.clone(), |sum| g2.add_jacobian(&sum, &term)));
        }
        let sum = sum.unwrap_or_else(|| g2.infinity());
        let others = relation.iter().enumerate().filter(|(i, (_, b))| *i != last && *b != 0);
        let sum = others.fold(sum, |sum, (i, (_, b))| g2.add_small(sum, *b, &self.psi(q, i)));
        // the last term, b = ±1, is on the other side of the equation
        let image = self.psi(q, last);
        let other = if relation[last].1 < 0 { image } else { g2.negate(&image) };
        g2.equal(&sum, &other)
    }

    /// Returns the mask of the lanes where an element of F_p^k is in GT.
    pub(super) fn is_in_gt(&self, x: &Fpk<F>) -> F::Mask {
        let target = &self.groups.target;
        let d = self.e().degree();
        // the order of x must divide Φ_k(p) = p^(2d) − p^d + 1
        at! {target; left = mul(&self.frobenius(x, 2 * d), x);} // x^(p^(2d) + 1)
        let cyclotomic = target.not(target.is_zero(x));
        let cyclotomic = target.and(cyclotomic, target.equal(&left, &self.frobenius(x, d)));
        if !self.tests.gt {
            let power = self.cyclotomic_pow(x, &self.groups.order.clone().into());
            return target.and(cyclotomic, target.equal(&power, &target.one()));
        }
        // Π y^(a_i·p^i)·x^(b_i·p^i) without the last power of x
        let y = &self.pow_u(x); // x^u
        let (relation, last) = (family::relation(self.kind), family::unit(self.kind));
        let mut product = None;
        for (i, (a, b)) in relation.iter().enumerate() {
            let b = if i == last { 0 } else { *b };
            for (base, n) in [(y, *a), (x, b)].into_iter().filter(|(_, n)| *n != 0) {
                let power = self.frobenius(&self.cyclotomic_pow(base, &n.into()), i);
                product = self.mul_some(product, Some(&power));
            }
        }
        let other = self.frobenius(x, last);
        let other = if relation[last].1 < 0 { other } else { self.conjugate(&other) };
        target.and(cyclotomic, target.equal(&product.unwrap_or_else(|| target.one()), &other))
    }
}

/// Returns true if the test by a power of u takes fewer products than the test by the pair.
fn power_is_lighter(n: &SexticParameters, pair: &[Digits; 2], i: u32, cost_model: CostModel) -> bool {
    let count = Count::new(&n.p);
    let curve = Curve::new(count.clone(), CoefficientA::Zero, ());
    let p = Affine { x: (), y: (), infinity: () };
    let pair = cost_model.of(count.of(|| pair_of(&curve, pair, [&p, &p])));
    pair > cost_model.of(count.of(|| power_of_u(&curve, &seed(&n.u), i, &p)))
}
