//! The implementation of [`BilinearGroups`] for types A and A1. G1 and G2 are the same group.

use super::final_exp::unitary_part;
use super::{Fq2, MovingAffine, PreparedFunctions, SupersingularPairing, final_exponentiation};
use crate::LineCoefficients;
use crate::bilinear_groups::{BilinearGroups, FixedPair, Groups, Pair, SourcePoint};
use crate::curve::Affine;
use crate::miller::{LoopDigits, LoopPart, miller, miller_part};
use crate::names::PairingKind;
use bilinear_field::tower::Complex;
use bilinear_field::{Field, Lanes, at};
use zeroize::Zeroizing;

/// The number of pairs times bits of q from which on a shared inversion costs less than affine coordinates save. An
/// inversion is worth fewer products of a longer q. Measured on eight lanes: 33 pairs of 512 bits, 16 of 1036, 10 of
/// 2059.
const WORTH: u64 = 20_000;

impl<F: Lanes> SupersingularPairing<F> {
    /// Checks that these types have the pairing.
    ///
    /// # Panics
    /// Panics if the pairing is not Tate's.
    fn only_tate(pairing: PairingKind) {
        assert_eq!(pairing, PairingKind::Tate, "types A and A1 have only the Tate pairing");
    }
}

impl<F: Lanes> BilinearGroups for SupersingularPairing<F> {
    type Mask = F::Mask;
    type Prime = F;
    type Twist = F;
    type Target = Complex<F>;

    fn groups(&self) -> &Groups<F, F, Complex<F>> {
        &self.groups
    }

    fn gt_digits(&self, e: &[u8]) -> Zeroizing<Vec<bool>> {
        self.power_digits(e)
    }

    fn find_tests(&self) {
        self.membership.get_or_init(|| self.membership());
    }

    /// Tests by a pairing if the cofactor is small and the test was found, otherwise by nP = O.
    fn in_g1(&self, p: &Affine<F>) -> F::Mask {
        match self.membership.get() {
            Some(Some(test)) => self.passes(test, p),
            _ => self.is_torsion(&self.groups.order, p),
        }
    }

    fn in_g2(&self, q: &Affine<F>) -> F::Mask {
        self.in_g1(q)
    }

    fn in_gt(&self, x: &Fq2<F>) -> F::Mask {
        self.gt_contains(x)
    }

    fn loops(&self, pairing: PairingKind) -> Vec<LoopDigits> {
        Self::only_tate(pairing);
        vec![self.moving.clone()]
    }

    fn miller_part(&self, pairing: PairingKind, pairs: &[Pair<F>], part: LoopPart) -> Fq2<F> {
        Self::only_tate(pairing);
        miller_part(&mut self.moving(pairs), &self.moving, part).unwrap_or_else(|| self.fq2().one())
    }

    fn miller_affine(&self, pairs: &[Pair<F>]) -> Option<(Fq2<F>, F::Mask)> {
        let mut lines = MovingAffine::new(self, pairs);
        let f = miller(&mut lines, &self.moving).unwrap_or_else(|| self.fq2().one());
        Some((f, lines.undefined()))
    }

    fn many(&self) -> Option<usize> {
        Some(WORTH.div_ceil(self.fq().modulus().bits()) as usize)
    }

    fn prepares_g1(&self, _: PairingKind) -> bool {
        true
    }

    fn prepare(&self, pairing: PairingKind, fixed: &SourcePoint<Self>) -> LineCoefficients<F> {
        Self::only_tate(pairing);
        let (SourcePoint::G1(p) | SourcePoint::G2(p)) = fixed;
        self.functions(p)
    }

    /// The loop over blocks of doublings.
    fn prepared_loops(&self, pairing: PairingKind) -> Vec<LoopDigits> {
        Self::only_tate(pairing);
        vec![self.prepared.clone()]
    }

    fn miller_prepared_part(&self, pairing: PairingKind, pairs: &[FixedPair<'_, Self>], part: LoopPart) -> Fq2<F> {
        Self::only_tate(pairing);
        let pairs = pairs.iter().map(|pair| {
            let (SourcePoint::G1(q) | SourcePoint::G2(q)) = &pair.other;
            (pair.lines, q, pair.infinite)
        });
        let f = miller_part(&mut PreparedFunctions::new(self, pairs), &self.prepared, part);
        f.unwrap_or_else(|| self.fq2().one())
    }

    fn easy_part(&self, f: &Fq2<F>) -> Fq2<F> {
        unitary_part(self, f)
    }

    fn hard_part(&self, g: &Fq2<F>) -> Fq2<F> {
        self.power(g, &self.groups.cofactors[0])
    }

    /// Computes both parts with one inversion.
    fn final_exponentiation(&self, f: &Fq2<F>) -> Fq2<F> {
        final_exponentiation(self, f)
    }

    fn gt_inv(&self, x: &Fq2<F>) -> Fq2<F> {
        at!(self.fq2(); conjugate(x))
    }

    fn gt_square(&self, x: &Fq2<F>) -> Fq2<F> {
        at!(self.fq2(); sqr(x))
    }

    fn gt_pow_secret(&self, x: &Fq2<F>, es: &[&[u8]]) -> Fq2<F> {
        self.power_secret(x, es)
    }
}
