//! The implementation of [`BilinearGroups`] for the families with a quadratic twist.

use super::direction::{Direction, QuadraticSteps};
use super::{E, Fpk, QuadraticTwistPairing, Target};
use crate::LineCoefficients;
use crate::bilinear_groups::{BilinearGroups, FixedPair, Groups, Pair, SourcePoint};
use crate::curve::Affine;
use crate::miller::{LoopDigits, LoopPart, miller};
use crate::moving::{Ate, Moving, Tate};
use crate::names::PairingKind;
use bilinear_field::{CollectVec, Field, Prime, at};

impl<F: Prime> BilinearGroups for QuadraticTwistPairing<F> {
    type Mask = F::Mask;
    type Prime = F;
    type Twist = E<F>;
    type Target = Target<F>;

    fn groups(&self) -> &Groups<F, E<F>, Target<F>> {
        &self.groups
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
        vec![self.length(pairing).0]
    }

    fn miller_part(&self, pairing: PairingKind, pairs: &[Pair<E<F>>], part: LoopPart) -> Fpk<F> {
        match pairing {
            PairingKind::Tate => self.run(pairing, running::<F, Tate>(self, pairs), part),
            _ => self.run(pairing, running::<F, Ate>(self, pairs), part),
        }
    }

    fn prepare(&self, pairing: PairingKind, fixed: &SourcePoint<Self>) -> LineCoefficients<F> {
        match (pairing, fixed) {
            (PairingKind::Tate, SourcePoint::G1(p)) => traced::<F, Tate>(self, pairing, p),
            (PairingKind::Ate, SourcePoint::G2(q)) => traced::<F, Ate>(self, pairing, q),
            _ => panic!("a point of the other group cannot be prepared for {pairing:?}"),
        }
    }

    fn miller_prepared_part(&self, pairing: PairingKind, pairs: &[FixedPair<'_, Self>], part: LoopPart) -> Fpk<F> {
        let wrong = || -> ! { panic!("a point of the wrong group for {pairing:?}") };
        if pairing == PairingKind::Tate {
            let others = pairs.iter().map(|pair| if let SourcePoint::G2(q) = &pair.other { q } else { wrong() });
            self.run(pairing, prepared::<F, Tate>(self, pairs, others.collect_vec()), part)
        } else {
            let others = pairs.iter().map(|pair| if let SourcePoint::G1(p) = &pair.other { p } else { wrong() });
            self.run(pairing, prepared::<F, Ate>(self, pairs, others.collect_vec()), part)
        }
    }

    fn easy_part(&self, f: &Fpk<F>) -> Fpk<F> {
        self.easy_power(f)
    }

    fn hard_part(&self, g: &Fpk<F>) -> Fpk<F> {
        self.unitary_pow(g, &self.hard)
    }

    fn gt_inv(&self, x: &Fpk<F>) -> Fpk<F> {
        self.conjugate(x)
    }

    fn gt_square(&self, x: &Fpk<F>) -> Fpk<F> {
        self.unitary_square(x)
    }
}

/// The pairs of a product in a loop of this direction.
pub(super) type PairsOf<'a, F, D> = Moving<QuadraticSteps<'a, F, D>>;

/// Creates the source of lines for pairs of points that vary.
fn running<'a, F: Prime, D: Direction<F>>(
    system: &'a QuadraticTwistPairing<F>,
    pairs: &[Pair<E<F>>],
) -> PairsOf<'a, F, D> {
    let (starts, others): (Vec<_>, Vec<_>) = pairs.iter().map(D::split).unzip();
    let pairs = starts.into_iter().zip(D::at(system, &others)).zip(pairs);
    let pairs = pairs.map(|((start, at), pair)| (vec![start.clone()], at, pair.infinite));
    Moving::new(QuadraticSteps::new(system), pairs)
}

/// Creates the source of lines for prepared arguments and the other points.
fn prepared<'a, F: Prime, D: Direction<F>>(
    system: &'a QuadraticTwistPairing<F>,
    pairs: &'a [FixedPair<'_, QuadraticTwistPairing<F>>],
    others: Vec<&Affine<D::Other>>,
) -> PairsOf<'a, F, D> {
    let pairs = pairs.iter().zip(D::at(system, &others)).map(|(pair, at)| (pair.lines.reader(), at, pair.infinite));
    Moving::prepared(QuadraticSteps::new(system), pairs)
}

/// Computes the lines of one point, divided by their coefficients of y, with one inversion.
fn traced<F: Prime, D: Direction<F>>(
    system: &QuadraticTwistPairing<F>,
    pairing: PairingKind,
    point: &Affine<D::Field>,
) -> LineCoefficients<F> {
    let field = D::field(system);
    let mut pairs = PairsOf::<F, D>::traced(QuadraticSteps::new(system), point);
    miller(&mut pairs, &system.length(pairing).0);
    let traced = pairs.into_lines();
    let mut inverses: Vec<_> = traced.iter().map(|line| line.y.clone()).collect_vec();
    field.inv_many(&mut inverses);
    let mut lines = LineCoefficients::new();
    for (line, i) in traced.iter().zip(&inverses) {
        at! {field; x = mul(&line.x, i); c = mul(&line.c, i);}
        lines.push(field, &x);
        lines.push(field, &c);
    }
    lines.complete()
}
