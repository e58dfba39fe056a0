//! The interface of a family of curves: e: G1 × G2 → GT with G1 over F_p and G2 over an extension of F_p (the twist),
//! or with one group as both.

use crate::LineCoefficients;
use crate::booth::digit_bits;
use crate::constant_time::{WINDOW, element, masks, split_bits, window_bits};
use crate::curve::{Affine, Curve, Jacobian};
use crate::digits::{digit, digit_count};
use crate::miller::{LoopDigits, LoopPart};
use crate::names::PairingKind;
use crate::split::Split;
use bilinear_field::{CollectVec, Extension, Field, Prime, at};
use num_bigint::BigUint;
use zeroize::Zeroizing;

/// A pair of points of a product. `infinite` marks the lanes where P or Q is O; the lines of the pair count as 1
/// there.
#[derive(Clone)]
pub struct Pair<E: Extension> {
    /// The point P in G1.
    pub p: Affine<E::Prime>,
    /// The point Q in G2, on the twist.
    pub q: Affine<E>,
    /// The lanes where P or Q is O; `None` if the caller knows of no such lane.
    pub infinite: Option<E::Mask>,
}

/// A prepared argument and the other argument of its pair.
pub struct FixedPair<'a, A: BilinearGroups + ?Sized> {
    /// The lines of the prepared argument.
    pub lines: &'a LineCoefficients<A::Prime>,
    /// The other argument.
    pub other: SourcePoint<A>,
    /// The lanes where P or Q is O, as in [`Pair`].
    pub infinite: Option<A::Mask>,
}

/// A point of one of the source groups.
#[derive(Clone)]
pub enum SourcePoint<A: BilinearGroups + ?Sized> {
    /// A point of G1.
    G1(Affine<A::Prime>),
    /// A point of G2.
    G2(Affine<A::Twist>),
}

/// An element of a family's F_p^k.
pub type TargetOf<A> = <<A as BilinearGroups>::Target as Field>::Elem;

/// The groups of a pairing, over curves C over F_p and C' over the field of the twist.
#[derive(Clone)]
pub struct Groups<P: Field, T: Field, K> {
    /// The order r of the groups.
    pub order: BigUint,
    /// The curve of G1.
    pub g1: Curve<P>,
    /// The curve of G2.
    pub g2: Curve<T>,
    /// The field F_p^k.
    pub target: K,
    /// The indices of G1 and G2 in the groups of points of their curves.
    pub cofactors: [BigUint; 2],
}

/// Returns a scalar as a single part that is not split, as words in two's complement.
pub fn whole(k: &[u8]) -> Zeroizing<Vec<Vec<u64>>> {
    let mut words = vec![0; k.len() / 8 + 1];
    for (i, byte) in k.iter().rev().enumerate() {
        words[i / 8] |= u64::from(*byte) << (8 * (i % 8));
    }
    Zeroizing::new(vec![words])
}

/// A pairing of groups of prime order r, over an engine.
pub trait BilinearGroups: Send + Sync {
    /// A mask over the lanes.
    type Mask: Copy + Send + Sync;
    /// The field F_p.
    type Prime: Prime + Field<Mask = Self::Mask>;
    /// The field of G2.
    type Twist: Extension<Prime = Self::Prime> + Field<Mask = Self::Mask>;
    /// The field F_p^k.
    type Target: Extension<Prime = Self::Prime> + Field<Mask = Self::Mask>;

    /// The groups.
    fn groups(&self) -> &Groups<Self::Prime, Self::Twist, Self::Target>;
    /// The order r of the groups.
    fn order(&self) -> &BigUint {
        &self.groups().order
    }
    /// The curve of G1.
    fn g1(&self) -> &Curve<Self::Prime> {
        &self.groups().g1
    }
    /// The curve of G2.
    fn g2(&self) -> &Curve<Self::Twist> {
        &self.groups().g2
    }
    /// The field F_p^k.
    fn target(&self) -> &Self::Target {
        &self.groups().target
    }
    /// The decomposition of scalars of G1; `None` if they are not split.
    fn g1_split(&self) -> Option<&Split> {
        None
    }
    /// The decomposition of scalars of G2, and of exponents in GT; `None` if they are not split.
    fn g2_split(&self) -> Option<&Split> {
        None
    }
    /// Returns the i-th image of P under the automorphism of [`BilinearGroups::g1_split`]; P is the image of i = 0.
    fn g1_image(&self, p: &Affine<Self::Prime>, _i: usize) -> Affine<Self::Prime> {
        p.clone()
    }
    /// Returns the i-th image of Q under the automorphism of [`BilinearGroups::g2_split`]; Q is the image of i = 0.
    fn g2_image(&self, q: &Affine<Self::Twist>, _i: usize) -> Affine<Self::Twist> {
        q.clone()
    }

    /// Returns kP for P in G1 and a secret k in each lane, given as big-endian bytes of a public length. Constant
    /// time.
    fn mul_g1_secret(&self, ks: &[&[u8]], p: &Affine<Self::Prime>) -> Jacobian<Self::Prime> {
        match self.g1_split() {
            Some(split) => self.g1().mul_secret_split(split, ks, p, |p, i| self.g1_image(p, i)),
            None => self.g1().mul_secret(ks, p),
        }
    }
    /// Returns kQ for Q in G2 and a secret k in each lane, given as big-endian bytes of a public length. Constant
    /// time.
    fn mul_g2_secret(&self, ks: &[&[u8]], q: &Affine<Self::Twist>) -> Jacobian<Self::Twist> {
        match self.g2_split() {
            Some(split) => self.g2().mul_secret_split(split, ks, q, |q, i| self.g2_image(q, i)),
            None => self.g2().mul_secret(ks, q),
        }
    }

    /// Returns the bits of the digits of [`BilinearGroups::mul_g1_secret`], in the order in which it requests their
    /// masks. Constant time in k.
    fn g1_digits(&self, k: &[u8]) -> Zeroizing<Vec<bool>> {
        self.g1_split().map_or_else(|| digit_bits(k), |split| split_bits(split, k))
    }
    /// Returns the bits of the digits of [`BilinearGroups::mul_g2_secret`], in the order in which it requests their
    /// masks. Constant time in k.
    fn g2_digits(&self, k: &[u8]) -> Zeroizing<Vec<bool>> {
        self.g2_split().map_or_else(|| digit_bits(k), |split| split_bits(split, k))
    }
    /// Returns the bits of the digits of [`BilinearGroups::gt_pow_secret`], in the order in which it requests their
    /// masks. Constant time in e.
    fn gt_digits(&self, e: &[u8]) -> Zeroizing<Vec<bool>> {
        self.g2_split().map_or_else(|| window_bits(e), |split| split_bits(split, e))
    }

    /// Returns P and its images under the automorphism by which [`BilinearGroups::decompose_g1`] splits scalars.
    fn g1_images(&self, p: &Affine<Self::Prime>) -> Vec<Affine<Self::Prime>> {
        (0..self.g1_split().map_or(1, Split::dimension)).map(|i| self.g1_image(p, i)).collect_vec()
    }
    /// Returns Q and its images under the automorphism by which [`BilinearGroups::decompose_g2`] splits scalars.
    fn g2_images(&self, q: &Affine<Self::Twist>) -> Vec<Affine<Self::Twist>> {
        (0..self.g2_split().map_or(1, Split::dimension)).map(|i| self.g2_image(q, i)).collect_vec()
    }
    /// Splits k, given in big-endian bytes: returns integers a_i with kP = Σ a_i·P_i for P in G1 and its images P_i,
    /// as words in two's complement.
    fn decompose_g1(&self, k: &[u8]) -> Zeroizing<Vec<Vec<u64>>> {
        self.g1_split().map_or_else(|| whole(k), |split| split.parts(k))
    }
    /// Splits k, given in big-endian bytes: returns integers a_i with kQ = Σ a_i·Q_i for Q in G2 and its images Q_i,
    /// as words in two's complement.
    fn decompose_g2(&self, k: &[u8]) -> Zeroizing<Vec<Vec<u64>>> {
        self.g2_split().map_or_else(|| whole(k), |split| split.parts(k))
    }

    /// Returns x and its powers x^(p^i) by which [`BilinearGroups::decompose_gt`] splits exponents.
    fn gt_frobenius(&self, x: &TargetOf<Self>) -> Vec<TargetOf<Self>> {
        vec![x.clone()]
    }
    /// Splits e, given in big-endian bytes: returns integers a_i with x^e = Π x_i^(a_i) for x in GT and its powers
    /// x_i, as words in two's complement.
    fn decompose_gt(&self, e: &[u8]) -> Zeroizing<Vec<Vec<u64>>> {
        self.decompose_g2(e)
    }

    /// The index of G1 in the group of points of its curve.
    fn g1_cofactor(&self) -> &BigUint {
        &self.groups().cofactors[0]
    }
    /// The index of G2 in the group of points of its curve.
    fn g2_cofactor(&self) -> &BigUint {
        &self.groups().cofactors[1]
    }

    /// Returns the multiple of a point of the curve of G1 by [`BilinearGroups::g1_cofactor`], which is in G1.
    fn times_g1_cofactor(&self, p: &Affine<Self::Prime>) -> Jacobian<Self::Prime> {
        self.g1().mul(self.g1_cofactor(), p)
    }
    /// Returns the multiple of a point of the curve of G2 by [`BilinearGroups::g2_cofactor`], which is in G2.
    fn times_g2_cofactor(&self, q: &Affine<Self::Twist>) -> Jacobian<Self::Twist> {
        self.g2().mul(self.g2_cofactor(), q)
    }

    /// Clears the cofactor: returns a multiple, in G1, of a point of the curve of G1. The factor is 1 − u on BLS12,
    /// which is h_eff of RFC 9380's suites, and [`BilinearGroups::g1_cofactor`] elsewhere. Hashing uses this function
    /// with the map of a suite; with other maps it uses the cofactor, on BLS12 too.
    fn clear_cofactor_g1(&self, p: &Affine<Self::Prime>) -> Jacobian<Self::Prime> {
        self.times_g1_cofactor(p)
    }
    /// Clears the cofactor in G2, as [`BilinearGroups::clear_cofactor_g1`] does in G1. h_eff is 3(u² − 1) times
    /// [`BilinearGroups::g2_cofactor`] here.
    fn clear_cofactor_g2(&self, q: &Affine<Self::Twist>) -> Jacobian<Self::Twist> {
        self.times_g2_cofactor(q)
    }

    /// Prepares the membership tests below, if that takes a search. Without this call they multiply by r.
    fn find_tests(&self) {}
    /// Returns the mask of the lanes where a point of the curve of G1 is in G1.
    fn in_g1(&self, p: &Affine<Self::Prime>) -> Self::Mask;
    /// Returns the mask of the lanes where a point of the curve of G2 is in G2.
    fn in_g2(&self, q: &Affine<Self::Twist>) -> Self::Mask;
    /// Returns the mask of the lanes where an element of F_p^k is in GT.
    fn in_gt(&self, x: &TargetOf<Self>) -> Self::Mask;

    /// Returns the digits of a pairing's Miller loops over points that vary. There is one loop, except for the Weil
    /// pairings.
    ///
    /// # Panics
    /// Panics if the family does not have the pairing.
    fn loops(&self, pairing: PairingKind) -> Vec<LoopDigits>;
    /// Returns the contribution of some steps of a loop to the product of f(P, Q) over the pairs. If s steps follow
    /// these in their loop, the returned value to the power 2^s is a factor of the product.
    ///
    /// # Panics
    /// Panics if the family does not have the pairing, or if the pairing has no such steps.
    fn miller_part(&self, pairing: PairingKind, pairs: &[Pair<Self::Twist>], part: LoopPart) -> TargetOf<Self>;
    /// Returns the product of f(P, Q) over the pairs, before the final exponentiation; 1 if there are no pairs.
    ///
    /// # Panics
    /// Panics if the family does not have the pairing.
    fn miller(&self, pairing: PairingKind, pairs: &[Pair<Self::Twist>]) -> TargetOf<Self> {
        product(self.target(), &self.loops(pairing), |part| self.miller_part(pairing, pairs, part))
    }
    /// Computes [`BilinearGroups::miller`] in affine coordinates, with one inversion a step that all pairs share. The
    /// mask marks the lanes where some slope was undefined; their values are meaningless. Returns `None` if the
    /// family has no such loop.
    fn miller_affine(&self, _pairs: &[Pair<Self::Twist>]) -> Option<(TargetOf<Self>, Self::Mask)> {
        None
    }
    /// The number of pairs, or of vectors of pairs, from which on [`BilinearGroups::miller_affine`] costs less;
    /// `None` if there is no such number.
    fn many(&self) -> Option<usize> {
        None
    }
    /// Returns true if the lines of a pairing come from P.
    fn prepares_g1(&self, pairing: PairingKind) -> bool {
        pairing == PairingKind::Tate
    }
    /// Computes the lines of a fixed point for [`BilinearGroups::miller_prepared`]. The point is not O, is the same
    /// in every lane, and belongs to the group that [`BilinearGroups::prepares_g1`] tells.
    ///
    /// # Panics
    /// Panics if the point is of the other group.
    fn prepare(&self, pairing: PairingKind, fixed: &SourcePoint<Self>) -> LineCoefficients<Self::Prime>;
    /// Returns the digits of a pairing's loops over prepared arguments.
    ///
    /// # Panics
    /// Panics if the family does not have the pairing.
    fn prepared_loops(&self, pairing: PairingKind) -> Vec<LoopDigits> {
        self.loops(pairing)
    }
    /// Returns the contribution of some steps of a loop, as [`BilinearGroups::miller_part`] does, for the loops of
    /// [`BilinearGroups::prepared_loops`].
    ///
    /// # Panics
    /// Panics in the cases of [`BilinearGroups::miller_part`], or if a point is of the wrong group.
    fn miller_prepared_part(
        &self,
        pairing: PairingKind,
        pairs: &[FixedPair<'_, Self>],
        part: LoopPart,
    ) -> TargetOf<Self>;
    /// Returns the product of f(P, Q) over pairs with a prepared argument, as [`BilinearGroups::miller`] does.
    ///
    /// # Panics
    /// Panics in the cases of [`BilinearGroups::miller`], or if a point is of the wrong group.
    fn miller_prepared(&self, pairing: PairingKind, pairs: &[FixedPair<'_, Self>]) -> TargetOf<Self> {
        product(self.target(), &self.prepared_loops(pairing), |part| self.miller_prepared_part(pairing, pairs, part))
    }
    /// Computes the easy part of the final exponentiation for f ≠ 0: its value is in the cyclotomic subgroup, where
    /// squares cost less.
    fn easy_part(&self, f: &TargetOf<Self>) -> TargetOf<Self>;
    /// Computes the hard part of the final exponentiation, from a value of [`BilinearGroups::easy_part`].
    fn hard_part(&self, g: &TargetOf<Self>) -> TargetOf<Self>;
    /// Completes a value of [`BilinearGroups::miller`]: applies the final exponentiation of the pairing, which for
    /// Weil pairings is the easy part alone.
    fn reduced(&self, pairing: PairingKind, f: &TargetOf<Self>) -> TargetOf<Self> {
        if pairing.is_weil() { self.easy_part(f) } else { self.final_exponentiation(f) }
    }
    /// Returns f^((p^k − 1)/r) for f ≠ 0, or the multiple of that power to which the system is set.
    fn final_exponentiation(&self, f: &TargetOf<Self>) -> TargetOf<Self> {
        self.hard_part(&self.easy_part(f))
    }
    /// Returns g^(2^n) for g from [`BilinearGroups::easy_part`].
    fn repeated_square(&self, g: &TargetOf<Self>, n: usize) -> TargetOf<Self> {
        let fp = self.g1().field();
        (0..n).fold(g.clone(), |g, _| fp.routine("square", || self.gt_square(&g)))
    }
    /// Returns 1/x for x in GT.
    fn gt_inv(&self, x: &TargetOf<Self>) -> TargetOf<Self>;
    /// Returns x² for x in GT, or for x from [`BilinearGroups::easy_part`].
    fn gt_square(&self, x: &TargetOf<Self>) -> TargetOf<Self>;

    /// Returns x^e for x in GT and a secret e in each lane, given as big-endian bytes of a public length: fixed
    /// windows (of 4 bits if e is not split), with every table entry read at every step. Constant time.
    fn gt_pow_secret(&self, x: &TargetOf<Self>, es: &[&[u8]]) -> TargetOf<Self> {
        let target = self.target();
        let mut table = vec![target.one(), x.clone()];
        for i in 2..1 << WINDOW {
            table.push(at!(target; mul(&table[i - 1], x)));
        }
        let mut acc = target.one();
        for i in (0..digit_count(es, WINDOW)).rev() {
            for _ in 0..WINDOW {
                acc = self.gt_square(&acc);
            }
            let digit = masks(target, es.iter().map(|e| digit(e, WINDOW, i)), WINDOW);
            acc = at!(target; mul(&acc, &element(target, &table, &digit)));
        }
        acc
    }
}

/// Returns the product of the contributions of whole loops.
fn product<F: Field>(target: &F, loops: &[LoopDigits], of: impl Fn(LoopPart) -> F::Elem) -> F::Elem {
    let parts = loops.iter().enumerate().map(|(number, length)| LoopPart::whole(number, length));
    let product = parts.map(of).reduce(|f, g| at!(target; mul(&f, &g)));
    product.unwrap_or_else(|| target.one())
}
