//! The factors that follow the loop of an ate pairing.
//!
//! * BN, optimal: l_{sQ,πQ}·l_{sQ+πQ,−π²Q} with s = 6u + 2 (Vercauteren, section IV.B).
//! * BN, R-ate: (f·l_{sQ,Q})^p·f·l_{π((s+1)Q),sQ} (Lee, Lee and Park, section IV).
//! * KSS18, optimal: f_{3,Q}^p·l_{uQ,3πQ}; since uQ + 3πQ = π⁴Q, this line is also the one through uQ and −π⁴Q.
//! * BLS, and the ate pairing: none.

use super::direction::{Direction, PairsOf};
use super::line::Pattern;
use super::product::SparseProduct;
use super::step::Homogeneous;
use super::{E, Elem, Fpk, SexticPairing};
use crate::curve::Affine;
use crate::miller::Lines;
use crate::moving::{Ate, Steps};
use crate::names::PairingKind;
use bilinear_field::{Field, Prime, at};
use bilinear_params::SexticKind;

/// The pairs of a product in the loop of an ate pairing.
type AteLoop<'a, F> = PairsOf<'a, F, Ate>;

impl<F: Prime> SexticPairing<F> {
    /// Returns f times the factors that follow the loop of an ate pairing.
    pub(super) fn corrections(
        &self,
        pairing: PairingKind,
        lines: &mut AteLoop<'_, F>,
        f: SparseProduct<F>,
    ) -> SparseProduct<F> {
        match (self.kind, pairing) {
            (SexticKind::Bn, PairingKind::OptAte) => {
                let f = lines.add_point(f, |_, q| self.psi(&q[0], 1)); // f·l_{sQ,πQ}
                lines.add_point(f, |_, q| self.groups.g2.negate(&self.psi(&q[0], 2))) // times l_{sQ+πQ,−π²Q}
            }
            (SexticKind::Bn, PairingKind::RAte) => self.r_ate(lines, f),
            (SexticKind::Kss18, PairingKind::OptAte) => self.kss18(lines, f),
            (_, PairingKind::RAte) => unreachable!("R-ate is for BN"),
            _ => f,
        }
    }

    /// Raises a factor of f that was computed apart to the power to which the end of the pairing raises f: p + 1 for
    /// R-ate. The other pairings leave it unchanged.
    pub(super) fn closed_factor(
        &self,
        pairing: PairingKind,
        f: SparseProduct<F>,
        pattern: Pattern,
    ) -> SparseProduct<F> {
        if pairing != PairingKind::RAte {
            return f;
        }
        f.map(self.e(), pattern, |f| self.mul(&self.frobenius(f, 1), f)) // f^(p + 1)
    }

    fn r_ate(&self, lines: &mut AteLoop<'_, F>, f: SparseProduct<F>) -> SparseProduct<F> {
        let sq = points(lines); // sQ
        let g = lines.add_point(f.clone(), |_, q| q[0].clone()); // f·l_{sQ,Q}; T = (s + 1)Q
        let f = f.value(self.e(), Ate::pattern(self));
        let power = |g: &Fpk<F>| {
            let g = self.frobenius(g, 1); // (f·l_{sQ,Q})^p
            f.map_or_else(|| g.clone(), |f| self.mul(&g, &f)) // (f·l_{sQ,Q})^p·f
        };
        let f = g.map(self.e(), Ate::pattern(self), power);
        lines.each_point(|_, t, q| q[0] = self.psi(&self.affine(t), 1)); // π((s + 1)Q)
        set_points(lines, sq);
        lines.add_point(f, |_, q| q[0].clone()) // times l_{π((s+1)Q),sQ}
    }

    fn kss18(&self, lines: &mut AteLoop<'_, F>, f: SparseProduct<F>) -> SparseProduct<F> {
        let uq = points(lines); // uQ
        lines.each_point(|steps, t, q| *t = steps.point(&q[0])); // T = Q
        let two = lines.double(SparseProduct::One); // f_{2,Q}
        let three = lines.add_point(two, |_, q| q[0].clone()); // f_{3,Q}
        set_points(lines, uq);
        let three = three.value(self.e(), Ate::pattern(self)).map(|three| self.frobenius(&three, 1)); // f_{3,Q}^p
        let times = |f: &Fpk<F>| three.map_or_else(|| f.clone(), |three| self.mul(f, &three));
        let f = f.map(self.e(), Ate::pattern(self), times); // f·f_{3,Q}^p
        lines.add_point(f, |_, q| self.groups.g2.negate(&self.psi(&q[0], 4))) // times l_{uQ,−π⁴Q}
    }

    /// Converts a running point to affine coordinates.
    fn affine(&self, t: &Homogeneous<Elem<F>>) -> Affine<E<F>> {
        let e = self.e();
        at! {e; i = inv(&t.z); x = mul(&t.x, &i); y = mul(&t.y, &i);}
        Affine { x, y, infinity: e.mask(false) }
    }
}

/// Returns the running points.
fn points<F: Prime>(lines: &mut AteLoop<'_, F>) -> Vec<Homogeneous<Elem<F>>> {
    let mut points = vec![];
    lines.each_point(|_, t, _| points.push(t.clone()));
    points
}

/// Sets the running points.
fn set_points<F: Prime>(lines: &mut AteLoop<'_, F>, points: Vec<Homogeneous<Elem<F>>>) {
    let mut points = points.into_iter();
    lines.each_point(|_, t, _| {
        if let Some(point) = points.next() {
            *t = point;
        }
    });
}
