//! What follows the loop of an ate pairing.
//!
//! * BN, optimal: l_{sQ,πQ}·l_{sQ+πQ,−π²Q} with s = 6u + 2 (Vercauteren, section IV.B).
//! * BN, R-ate: (f·l_{sQ,Q})^p·f·l_{π((s+1)Q),sQ} (Lee, Lee and Park, section IV).
//! * KSS18, optimal: f_{3,Q}^p·l_{uQ,3πQ}; since uQ + 3πQ = π⁴Q, that line also is the one through uQ and −π⁴Q.
//! * BLS, and ate: nothing.

use super::moving::{Ate, Moving};
use super::step::{Running, add_step, chord, double_step};
use super::{Fpk, Kind, Sextic};
use crate::bilinear_groups::Pairing;
use crate::curve::Affine;
use crate::miller::Lines;
use bilinear_field::tower::NonResidue;
use bilinear_field::{Extension, Field, at};

/// Whether something follows.
pub(super) fn has_corrections(kind: Kind, pairing: Pairing) -> bool {
    matches!((kind, pairing), (Kind::Bn, Pairing::OptAte | Pairing::RAte) | (Kind::Kss18, Pairing::OptAte))
}

impl<E: Extension, X: NonResidue<E>> Moving<'_, E, X, Ate> {
    pub(super) fn corrections(&mut self, pairing: Pairing, acc: &mut [Fpk<E>]) {
        match (self.system.kind, pairing) {
            (Kind::Bn, Pairing::OptAte) if const { E::DEGREE == 2 } => {
                let system = self.system;
                self.step("addition step", acc, |start, t, line| {
                    let image = system.psi(start, 1);
                    add_step(system.e(), t, line, [&image.x, &image.y]);
                });
                self.last_chord(acc, 2);
            }
            (Kind::Bn, Pairing::RAte) if const { E::DEGREE == 2 } => self.r_ate(acc),
            (Kind::Kss18, Pairing::OptAte) if const { E::DEGREE == 3 } => self.kss18(acc),
            (_, Pairing::RAte) => unreachable!("R-ate is for BN"),
            _ => {}
        }
    }

    /// The line through T and −ψ^i(Q).
    fn last_chord(&mut self, acc: &mut [Fpk<E>], i: usize) {
        let system = self.system;
        self.step("addition step", acc, |start, t, line| {
            let image = system.g2.negate(&system.psi(start, i));
            chord(system.e(), t, line, [&image.x, &image.y]);
        });
        self.finish(acc);
    }

    fn r_ate(&mut self, acc: &mut [Fpk<E>]) {
        let system = self.system;
        let before = acc.to_vec();
        let points: Vec<Option<Running<E::Elem>>> = self.points();
        // f·l_{sQ,Q}, and (s + 1)Q
        self.step("addition step", acc, |start, t, line| add_step(system.e(), t, line, [&start.x, &start.y]));
        self.finish(acc);
        for (f, before) in acc.iter_mut().zip(&before) {
            at! {system.target; product = mul(&system.frobenius(f, 1), before);}
            *f = product;
        }
        self.move_starts(|next| system.psi(&system.affine(next), 1));
        self.set_points(points);
        self.step("chord", acc, |start, t, line| chord(system.e(), t, line, [&start.x, &start.y]));
        self.finish(acc);
    }

    fn kss18(&mut self, acc: &mut [Fpk<E>]) {
        let system = self.system;
        let points = self.points();
        self.restart();
        // the tangent at Q, and the chord through 2Q and Q
        let triple = self.aside(|lines, acc| {
            lines.step("doubling step", acc, |_, t, line| double_step(system.e(), &system.triple_b_twist, t, line));
            lines.step("chord", acc, |start, t, line| chord(system.e(), t, line, [&start.x, &start.y]));
        });
        self.set_points(points);
        for (f, triple) in acc.iter_mut().zip(&triple) {
            at! {system.target; product = mul(f, &system.frobenius(triple, 1));}
            *f = product;
        }
        self.last_chord(acc, 4);
    }
}

impl<E: Extension, X: NonResidue<E>> Sextic<E, X> {
    /// Affine coordinates.
    fn affine(&self, t: &Running<E::Elem>) -> Affine<E> {
        let e = self.e();
        at! {e; i = inv(&t.z); x = mul(&t.x, &i); y = mul(&t.y, &i);}
        Affine { x, y, infinity: e.mask(false) }
    }
}
