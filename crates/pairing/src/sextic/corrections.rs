//! What follows the loop of an ate pairing.
//!
//! * BN, optimal: l_{sQ,πQ}·l_{sQ+πQ,−π²Q} with s = 6u + 2 (Vercauteren, section IV.B).
//! * BN, R-ate: (f·l_{sQ,Q})^p·f·l_{π((s+1)Q),sQ} (Lee, Lee and Park, section IV).
//! * KSS18, optimal: f_{3,Q}^p·l_{uQ,3πQ}; since uQ + 3πQ = π⁴Q, that line also is the one through uQ and −π⁴Q.
//! * BLS, and ate: nothing.

use super::moving::{Ate, Moving};
use super::product::Product;
use super::step::{Running, add_step, chord, double_step};
use super::{Kind, Sextic};
use crate::bilinear_groups::Pairing;
use crate::curve::Affine;
use bilinear_field::tower::NonResidue;
use bilinear_field::{Extension, at};

/// Whether something follows.
pub(super) fn has_corrections(kind: Kind, pairing: Pairing) -> bool {
    matches!((kind, pairing), (Kind::Bn, Pairing::OptAte | Pairing::RAte) | (Kind::Kss18, Pairing::OptAte))
}

impl<E: Extension, X: NonResidue<E>> Moving<'_, E, X, Ate> {
    pub(super) fn corrections(&mut self, pairing: Pairing, f: Product<E>) -> Product<E> {
        match (self.system.kind, pairing) {
            (Kind::Bn, Pairing::OptAte) if const { E::DEGREE == 2 } => {
                let system = self.system;
                let f = self.step("addition step", f, |start, t, line| {
                    let image = system.psi(start, 1);
                    add_step(system.e(), t, line, [&image.x, &image.y]);
                });
                self.last_chord(f, 2)
            }
            (Kind::Bn, Pairing::RAte) if const { E::DEGREE == 2 } => self.r_ate(f),
            (Kind::Kss18, Pairing::OptAte) if const { E::DEGREE == 3 } => self.kss18(f),
            (_, Pairing::RAte) => unreachable!("R-ate is for BN"),
            _ => f,
        }
    }

    /// f times the line through T and −ψ^i(Q).
    fn last_chord(&mut self, f: Product<E>, i: usize) -> Product<E> {
        let system = self.system;
        self.step("addition step", f, |start, t, line| {
            let image = system.g2.negate(&system.psi(start, i));
            chord(system.e(), t, line, [&image.x, &image.y]);
        })
    }

    fn r_ate(&mut self, f: Product<E>) -> Product<E> {
        let system = self.system;
        let points = self.points();
        // g = f·l_{sQ,Q}, and (s + 1)Q
        let g = self.step("addition step", f.clone(), |start, t, line| {
            add_step(system.e(), t, line, [&start.x, &start.y]);
        });
        // g^p·f
        let f = self.value(f);
        let f = self.map(g, |g| f.map_or_else(|| system.frobenius(g, 1), |f| system.mul(&system.frobenius(g, 1), &f)));
        self.move_starts(|next| system.psi(&system.affine(next), 1));
        self.set_points(points);
        self.step("chord", f, |start, t, line| chord(system.e(), t, line, [&start.x, &start.y]))
    }

    fn kss18(&mut self, f: Product<E>) -> Product<E> {
        let system = self.system;
        let points = self.points();
        self.restart();
        // f_{3,Q}: the tangent at Q, and the chord through 2Q and Q
        let two = self.step("doubling step", Product::One, |_, t, line| {
            double_step(system.e(), &system.triple_b_twist, t, line);
        });
        let three = self.step("chord", two, |start, t, line| chord(system.e(), t, line, [&start.x, &start.y]));
        self.set_points(points);
        // f·f_{3,Q}^p
        let three = self.value(three).map(|three| system.frobenius(&three, 1));
        let f = self.map(f, |f| three.map_or_else(|| f.clone(), |three| system.mul(f, &three)));
        self.last_chord(f, 4)
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
