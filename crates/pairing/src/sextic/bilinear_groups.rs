//! The implementation of [`BilinearGroups`] for the families with a sextic twist.

use super::direction::{Direction, PairsOf, SexticSteps};
use super::{E, Fpk, SexticPairing, Target};
use crate::LineCoefficients;
use crate::bilinear_groups::{BilinearGroups, FixedPair, Groups, Pair, SourcePoint};
use crate::curve::{Affine, Jacobian};
use crate::miller::{LoopDigits, LoopPart};
use crate::moving::{Ate, Moving, Tate};
use crate::names::PairingKind;
use crate::split::Split;
use bilinear_field::{CollectVec, Prime};
use num_bigint::BigInt;
use num_traits::One;

impl<F: Prime> BilinearGroups for SexticPairing<F> {
    type Mask = F::Mask;
    type Prime = F;
    type Twist = E<F>;
    type Target = Target<F>;

    fn groups(&self) -> &Groups<F, E<F>, Target<F>> {
        &self.groups
    }

    fn g1_split(&self) -> Option<&Split> {
        Some(&self.split_g1)
    }

    fn g2_split(&self) -> Option<&Split> {
        Some(&self.split)
    }

    fn g1_image(&self, p: &Affine<F>, i: usize) -> Affine<F> {
        if i == 0 { p.clone() } else { self.minus_phi(p) }
    }

    fn g2_image(&self, q: &Affine<E<F>>, i: usize) -> Affine<E<F>> {
        self.psi(q, i)
    }

    fn gt_frobenius(&self, x: &Fpk<F>) -> Vec<Fpk<F>> {
        (0..self.split.dimension()).map(|i| self.frobenius(x, i)).collect_vec()
    }

    fn times_g2_cofactor(&self, q: &Affine<E<F>>) -> Jacobian<E<F>> {
        self.combination(&self.multiples.h2, q)
    }

    fn clear_cofactor_g1(&self, p: &Affine<F>) -> Jacobian<F> {
        self.groups.g1.multiple(&self.multiples.clears_g1, p)
    }

    fn clear_cofactor_g2(&self, q: &Affine<E<F>>) -> Jacobian<E<F>> {
        self.combination(&self.multiples.clears_g2, q)
    }

    fn in_g1(&self, p: &Affine<F>) -> F::Mask {
        self.is_in_g1(p)
    }

    fn in_g2(&self, q: &Affine<E<F>>) -> F::Mask {
        self.is_in_g2(q)
    }

    fn in_gt(&self, x: &Fpk<F>) -> F::Mask {
        self.is_in_gt(x)
    }

    fn loops(&self, pairing: PairingKind) -> Vec<LoopDigits> {
        if pairing.is_weil() { self.weil_loops(pairing) } else { vec![self.length(pairing).length.clone()] }
    }

    fn miller_part(&self, pairing: PairingKind, pairs: &[Pair<E<F>>], part: LoopPart) -> Fpk<F> {
        match pairing {
            PairingKind::BetaWeil | PairingKind::AlphaWeil => self.weil_part(pairing, pairs, part),
            PairingKind::Tate => self.run(pairing, &mut running::<F, Tate>(self, pairs), part),
            _ => self.run(pairing, &mut running::<F, Ate>(self, pairs), part),
        }
    }

    fn prepare(&self, pairing: PairingKind, fixed: &SourcePoint<Self>) -> LineCoefficients<F> {
        match (pairing, fixed) {
            (PairingKind::BetaWeil | PairingKind::AlphaWeil, SourcePoint::G2(q)) => self.prepare_weil(pairing, q),
            (PairingKind::Tate, SourcePoint::G1(p)) => traced::<F, Tate>(self, pairing, p),
            (PairingKind::OptAte | PairingKind::Ate | PairingKind::RAte, SourcePoint::G2(q)) => {
                traced::<F, Ate>(self, pairing, q)
            }
            _ => panic!("a point of the other group cannot be prepared for {pairing:?}"),
        }
    }

    fn miller_prepared_part(&self, pairing: PairingKind, pairs: &[FixedPair<'_, Self>], part: LoopPart) -> Fpk<F> {
        let wrong = || -> ! { panic!("a point of the wrong group for {pairing:?}") };
        if pairing.is_weil() {
            let pairs: Vec<_> = pairs
                .iter()
                .map(|pair| match &pair.other {
                    SourcePoint::G1(p) => (pair.lines, p, pair.infinite),
                    SourcePoint::G2(_) => wrong(),
                })
                .collect_vec();
            self.weil_prepared_part(pairing, &pairs, part)
        } else if pairing == PairingKind::Tate {
            let pairs = pairs.iter().map(|pair| match &pair.other {
                SourcePoint::G2(q) => (pair.lines.reader(), [q.x.clone(), q.y.clone()], pair.infinite),
                SourcePoint::G1(_) => wrong(),
            });
            self.run(pairing, &mut Moving::prepared(SexticSteps::<F, Tate>::new(self), pairs), part)
        } else {
            let pairs = pairs.iter().map(|pair| match &pair.other {
                SourcePoint::G1(p) => (pair.lines.reader(), [p.x.clone(), p.y.clone()], pair.infinite),
                SourcePoint::G2(_) => wrong(),
            });
            self.run(pairing, &mut Moving::prepared(SexticSteps::<F, Ate>::new(self), pairs), part)
        }
    }

    fn easy_part(&self, f: &Fpk<F>) -> Fpk<F> {
        self.easy_power(f)
    }

    fn hard_part(&self, g: &Fpk<F>) -> Fpk<F> {
        self.hard_power(g)
    }

    fn repeated_square(&self, g: &Fpk<F>, n: usize) -> Fpk<F> {
        self.cyclotomic_pow(g, &(BigInt::one() << n))
    }

    fn gt_inv(&self, x: &Fpk<F>) -> Fpk<F> {
        self.conjugate(x)
    }

    fn gt_pow_secret(&self, x: &Fpk<F>, es: &[&[u8]]) -> Fpk<F> {
        self.secret_power_in_gt(x, es)
    }

    fn gt_square(&self, x: &Fpk<F>) -> Fpk<F> {
        self.cyclotomic_square(x)
    }
}

/// Creates the source of lines for pairs of points that vary.
fn running<'a, F: Prime, D: Direction<F>>(system: &'a SexticPairing<F>, pairs: &[Pair<E<F>>]) -> PairsOf<'a, F, D> {
    let pairs = pairs.iter().map(|pair| {
        let (start, other) = D::split(pair);
        (vec![start.clone()], [other.x.clone(), other.y.clone()], pair.infinite)
    });
    Moving::new(SexticSteps::new(system), pairs)
}

/// Computes the lines of one point.
fn traced<F: Prime, D: Direction<F>>(
    system: &SexticPairing<F>,
    pairing: PairingKind,
    point: &Affine<D::Field>,
) -> LineCoefficients<F> {
    let mut pairs = PairsOf::<F, D>::traced(SexticSteps::new(system), point);
    system.run(pairing, &mut pairs, system.whole(pairing));
    let mut lines = LineCoefficients::new();
    for line in pairs.into_lines() {
        [&line.x, &line.y, &line.c].into_iter().for_each(|x| lines.push(D::field(system), x));
    }
    lines.complete()
}
