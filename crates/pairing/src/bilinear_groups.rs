//! What a family of curves offers: e: G1 × G2 → GT with G1 over F_p, G2 over an extension of it (the twist), or both one group.

use crate::LineCoefficients;
use crate::constant_time::{WINDOW, element, masks, window_bits};
use crate::curve::{Affine, Curve, Jacobian};
use crate::digits::{digit, digit_count};
use crate::miller::{LoopDigits, LoopPart};
use crate::names::PairingKind;
use bilinear_field::{Extension, Field, Prime, at};
use num_bigint::BigUint;
use zeroize::Zeroizing;

/// A pair of points of one product; `infinite` marks the lanes where P or Q is O, whose lines then count as 1.
#[derive(Clone)]
pub struct Pair<E: Extension> {
    /// P in G1.
    pub p: Affine<E::Prime>,
    /// Q in G2, on the twist.
    pub q: Affine<E>,
    /// Where P or Q is O; `None` where the caller knows of none.
    pub infinite: Option<E::Mask>,
}

/// A fixed argument, and the other one of each pair.
pub struct FixedPair<'a, A: BilinearGroups + ?Sized> {
    /// The lines of the fixed argument.
    pub lines: &'a LineCoefficients<A::Prime>,
    /// The other argument.
    pub other: SourcePoint<A>,
    /// As in [`Pair`].
    pub infinite: Option<A::Mask>,
}

/// A point of one of the source groups.
#[derive(Clone)]
pub enum SourcePoint<A: BilinearGroups + ?Sized> {
    /// Of G1.
    G1(Affine<A::Prime>),
    /// Of G2.
    G2(Affine<A::Twist>),
}

/// The elements of a family's F_p^k.
pub type TargetOf<A> = <<A as BilinearGroups>::Target as Field>::Elem;

/// A scalar that is not split, as words in two's complement.
pub fn whole(k: &[u8]) -> Zeroizing<Vec<Vec<u64>>> {
    let mut words = vec![0; k.len() / 8 + 1];
    for (i, byte) in k.iter().rev().enumerate() {
        words[i / 8] |= u64::from(*byte) << (8 * (i % 8));
    }
    Zeroizing::new(vec![words])
}

/// A pairing of groups of prime order r, over an engine.
pub trait BilinearGroups: Send + Sync {
    /// The truth values of the lanes.
    type Mask: Copy + Send + Sync;
    /// F_p.
    type Prime: Prime + Field<Mask = Self::Mask>;
    /// The field of G2.
    type Twist: Extension<Prime = Self::Prime> + Field<Mask = Self::Mask>;
    /// F_p^k.
    type Target: Extension<Prime = Self::Prime> + Field<Mask = Self::Mask>;

    /// r.
    fn order(&self) -> &BigUint;
    /// The curve of G1.
    fn g1(&self) -> &Curve<Self::Prime>;
    /// The curve of G2.
    fn g2(&self) -> &Curve<Self::Twist>;
    /// F_p^k.
    fn target(&self) -> &Self::Target;
    /// kP for P in G1 and a secret k per lane, as big-endian bytes of a length that is public. Constant time.
    fn mul_g1_secret(&self, ks: &[&[u8]], p: &Affine<Self::Prime>) -> Jacobian<Self::Prime> {
        self.g1().mul_secret(ks, p)
    }
    /// The same in G2.
    fn mul_g2_secret(&self, ks: &[&[u8]], q: &Affine<Self::Twist>) -> Jacobian<Self::Twist> {
        self.g2().mul_secret(ks, q)
    }

    /// The bits of the digits of [`BilinearGroups::mul_g1_secret`] in the order in which it asks for their masks. Constant time in k.
    fn g1_digits(&self, k: &[u8]) -> Zeroizing<Vec<bool>> {
        window_bits(k)
    }
    /// The same for [`BilinearGroups::mul_g2_secret`].
    fn g2_digits(&self, k: &[u8]) -> Zeroizing<Vec<bool>> {
        window_bits(k)
    }
    /// The same for [`BilinearGroups::gt_pow_secret`].
    fn gt_digits(&self, e: &[u8]) -> Zeroizing<Vec<bool>> {
        window_bits(e)
    }

    /// P and its images under the automorphisms by which [`BilinearGroups::g1_parts`] splits scalars.
    fn g1_images(&self, p: &Affine<Self::Prime>) -> Vec<Affine<Self::Prime>> {
        vec![p.clone()]
    }
    /// The same in G2.
    fn g2_images(&self, q: &Affine<Self::Twist>) -> Vec<Affine<Self::Twist>> {
        vec![q.clone()]
    }
    /// Integers a_i with kP = Σ a_i·P_i for P in G1 and its images P_i, as words in two's complement. k is big-endian.
    fn g1_parts(&self, k: &[u8]) -> Zeroizing<Vec<Vec<u64>>> {
        whole(k)
    }
    /// The same in G2.
    fn g2_parts(&self, k: &[u8]) -> Zeroizing<Vec<Vec<u64>>> {
        whole(k)
    }

    /// x and its powers x^(p^i) by which [`BilinearGroups::gt_parts`] splits exponents.
    fn gt_frobenius(&self, x: &TargetOf<Self>) -> Vec<TargetOf<Self>> {
        vec![x.clone()]
    }
    /// The same for x^e = Π x_i^(a_i).
    fn gt_parts(&self, e: &[u8]) -> Zeroizing<Vec<Vec<u64>>> {
        whole(e)
    }

    /// The index of G1 in its curve.
    fn g1_cofactor(&self) -> &BigUint;
    /// The index of G2 in its curve.
    fn g2_cofactor(&self) -> &BigUint;

    /// A multiple of a point of the curve of G1 that is in G1: on BLS12 by 1 − u, the h_eff of RFC 9380's suites, elsewhere by
    /// [`BilinearGroups::g1_cofactor`]. Hashing takes it with the map of a suite; with other maps it takes the cofactor on BLS12 too.
    fn clear_g1(&self, p: &Affine<Self::Prime>) -> Jacobian<Self::Prime> {
        self.g1().mul(self.g1_cofactor(), p)
    }
    /// The same for G2, where h_eff is 3(u² − 1) times [`BilinearGroups::g2_cofactor`].
    fn clear_g2(&self, q: &Affine<Self::Twist>) -> Jacobian<Self::Twist> {
        self.g2().mul(self.g2_cofactor(), q)
    }

    /// Prepares the membership tests below, where that takes a search; without it they multiply by r.
    fn find_tests(&self) {}
    /// Where a point of the curve is in G1.
    fn in_g1(&self, p: &Affine<Self::Prime>) -> Self::Mask;
    /// Where a point of the curve is in G2.
    fn in_g2(&self, q: &Affine<Self::Twist>) -> Self::Mask;
    /// Where an element of F_p^k is in GT.
    fn in_gt(&self, x: &TargetOf<Self>) -> Self::Mask;

    /// The pairings that the family has, its own first.
    fn pairings(&self) -> &'static [PairingKind];
    /// The digits of a pairing's Miller loops, where points vary: one loop, but for the Weil pairings.
    ///
    /// # Panics
    /// If the family does not have the pairing.
    fn loops(&self, pairing: PairingKind) -> Vec<LoopDigits>;
    /// What some steps of a loop contribute to the product of f(P, Q) over the pairs: with s steps behind these in their loop, the value
    /// to the power 2^s is a factor of the product.
    ///
    /// # Panics
    /// If the family does not have the pairing, or it has no such steps.
    fn miller_part(&self, pairing: PairingKind, pairs: &[Pair<Self::Twist>], part: LoopPart) -> TargetOf<Self>;
    /// The product of f(P, Q) over the pairs, before the final exponentiation; 1 for none.
    ///
    /// # Panics
    /// If the family does not have the pairing.
    fn miller(&self, pairing: PairingKind, pairs: &[Pair<Self::Twist>]) -> TargetOf<Self> {
        product(self.target(), &self.loops(pairing), |part| self.miller_part(pairing, pairs, part))
    }
    /// The same in affine coordinates, with an inversion a step that all pairs share, and where some slope was undefined: the values
    /// of these lanes mean nothing. `None` where the family has no such loop.
    fn miller_affine(&self, _pairs: &[Pair<Self::Twist>]) -> Option<(TargetOf<Self>, Self::Mask)> {
        None
    }
    /// Pairs, or vectors of pairs, from which on [`BilinearGroups::miller_affine`] costs less, where there is such a number.
    fn many(&self) -> Option<usize> {
        None
    }
    /// Whether the lines of a pairing come from P.
    fn prepares_g1(&self, pairing: PairingKind) -> bool {
        pairing == PairingKind::Tate
    }
    /// The lines, for [`BilinearGroups::miller_prepared`], of a point other than O, the same in every lane, of the group that
    /// [`BilinearGroups::prepares_g1`] tells.
    ///
    /// # Panics
    /// If it is of the other group.
    fn prepare(&self, pairing: PairingKind, fixed: &SourcePoint<Self>) -> LineCoefficients<Self::Prime>;
    /// The digits of a pairing's loops over prepared arguments.
    ///
    /// # Panics
    /// If the family does not have the pairing.
    fn prepared_loops(&self, pairing: PairingKind) -> Vec<LoopDigits> {
        self.loops(pairing)
    }
    /// As [`BilinearGroups::miller_part`], of the loops of [`BilinearGroups::prepared_loops`].
    ///
    /// # Panics
    /// As there, or if a point is of the wrong group.
    fn miller_prepared_part(
        &self,
        pairing: PairingKind,
        pairs: &[FixedPair<'_, Self>],
        part: LoopPart,
    ) -> TargetOf<Self>;
    /// As [`BilinearGroups::miller`].
    ///
    /// # Panics
    /// As there, or if a point is of the wrong group.
    fn miller_prepared(&self, pairing: PairingKind, pairs: &[FixedPair<'_, Self>]) -> TargetOf<Self> {
        product(self.target(), &self.prepared_loops(pairing), |part| self.miller_prepared_part(pairing, pairs, part))
    }
    /// The first part of the final exponentiation, for f ≠ 0: into the cyclotomic subgroup, where squares cost less.
    fn easy_part(&self, f: &TargetOf<Self>) -> TargetOf<Self>;
    /// The rest of it.
    fn hard_part(&self, g: &TargetOf<Self>) -> TargetOf<Self>;
    /// The final exponentiation of a value of [`BilinearGroups::miller`].
    fn reduced(&self, pairing: PairingKind, f: &TargetOf<Self>) -> TargetOf<Self> {
        if pairing.is_weil() { self.easy_part(f) } else { self.final_exponentiation(f) }
    }
    /// f^((p^k − 1)/r) for f ≠ 0, or the multiple of that power to which the system is set.
    fn final_exponentiation(&self, f: &TargetOf<Self>) -> TargetOf<Self> {
        self.hard_part(&self.easy_part(f))
    }
    /// g^(2^n) for g from [`BilinearGroups::easy_part`].
    fn repeated_square(&self, g: &TargetOf<Self>, n: usize) -> TargetOf<Self> {
        let fp = self.g1().field();
        (0..n).fold(g.clone(), |g, _| fp.routine("square", || self.gt_square(&g)))
    }
    /// 1/x for x in GT.
    fn gt_inv(&self, x: &TargetOf<Self>) -> TargetOf<Self>;
    /// x² for x in GT, or from [`BilinearGroups::easy_part`].
    fn gt_square(&self, x: &TargetOf<Self>) -> TargetOf<Self>;

    /// x^e for x in GT and a secret e per lane, as big-endian bytes of a length that is public: fixed windows (of 4 bits where
    /// nothing splits e), every table entry read at every step. Constant time.
    fn gt_pow_secret(&self, x: &TargetOf<Self>, es: &[&[u8]]) -> TargetOf<Self> {
        let target = self.target();
        let mut table = vec![target.one(), x.clone()];
        for i in 2..1 << WINDOW {
            at! {target; next = mul(&table[i - 1], x);}
            table.push(next);
        }
        let mut acc = target.one();
        for i in (0..digit_count(es, WINDOW)).rev() {
            for _ in 0..WINDOW {
                acc = self.gt_square(&acc);
            }
            let digit = masks(target, es.iter().map(|e| digit(e, WINDOW, i)), WINDOW);
            at! {target; next = mul(&acc, &element(target, &table, &digit));}
            acc = next;
        }
        acc
    }
}

/// The product of what whole loops contribute.
fn product<F: Field>(target: &F, loops: &[LoopDigits], of: impl Fn(LoopPart) -> F::Elem) -> F::Elem {
    let parts = loops.iter().enumerate().map(|(number, length)| LoopPart::whole(number, length));
    let product = parts.map(of).reduce(|f, g| {
        at! {target; product = mul(&f, &g);}
        product
    });
    product.unwrap_or_else(|| target.one())
}
