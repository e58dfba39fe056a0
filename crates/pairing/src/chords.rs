//! Additions by the chord alone, for public digits. A chord between P and Q with one x has no slope; then, and where P is O, the formulas give
//! Z = 0, which further additions and doublings keep. So what ends with Z ≠ 0 was right all along, and nothing is selected on the way:
//! 8M + 3S.

use crate::curve::{Affine, CoefficientA, Curve, Jacobian};
use bilinear_field::{CollectVec, Extension, Field, at};

impl<F: Field> Curve<F> {
    /// P + Q for an affine Q other than O. Z = 0 where P is O or ±Q.
    pub fn add_by_chord(&self, p: &Jacobian<F>, q: &Affine<F>) -> Jacobian<F> {
        self.field().routine("addition by the chord", || self.chord(p, q).0)
    }

    /// The same, and H, by which Z grows.
    fn chord(&self, p: &Jacobian<F>, q: &Affine<F>) -> (Jacobian<F>, F::Elem) {
        let [_, h, r] = self.differences(p, q);
        (self.along(p, [&h, &r], |hhh| hhh), h)
    }
}

impl<E: Extension> Curve<E> {
    /// x and y of P, 3P, 5P, … on the curve with bZ⁶ in place of b, where (x/Z², y/Z³) is the multiple, and Z in F_p: `count` of them for a P
    /// other than O. Z = 0 where a multiple on the way is O. Z = 1 unless they are `alone`, and where a is not 0.
    ///
    /// For a = 0, whose formulas do not know b, 2P is affine on a curve like this. The Z of the multiples there are the products of the
    /// first H_j, so that the later H_j bring each to the last Z (Longa and Miri, PKC 2008), 4M + 1S a multiple; times the conjugates of
    /// that it is in F_p, where automorphisms leave it. Without an inversion if they are alone.
    pub fn odd_multiples_by_chords(&self, p: &Affine<E>, count: usize, alone: bool) -> (Vec<Affine<E>>, E::Elem) {
        let e = self.field();
        if count < 2 {
            return (vec![p.clone(); count], e.one());
        }
        let double = self.double(&self.to_jacobian(p));
        if !matches!(self.a(), CoefficientA::Zero) {
            let double = self.normalise(&[double]).remove(0);
            // Z = 0 from the beginning where 2P is O
            let first = self.to_jacobian(&Affine { infinity: double.infinity, ..p.clone() });
            let next = |q: &Jacobian<E>| Some(self.add_by_chord(q, &double));
            let above: Vec<Jacobian<E>> = std::iter::successors(next(&first), next).take(count - 1).collect_vec();
            let above = self.normalise(&above);
            at! {e; z = select(above[count - 2].infinity, &e.zero(), &e.one());}
            return (std::iter::once(p.clone()).chain(above).collect_vec(), z);
        }
        // (x, y) ↦ (xZ², yZ³) for the Z of 2P
        let Jacobian { x, y, z } = double;
        let first = self.scaled(p, &z);
        let double = Affine { x, y, infinity: p.infinity };
        let (mut multiples, mut steps) = (vec![self.to_jacobian(&first)], vec![]);
        for i in 1..count {
            let step = || self.chord(&multiples[i - 1], &double);
            let (multiple, h) = e.routine("addition to a table", step);
            multiples.push(multiple);
            steps.push(h);
        }
        at! {e; last = mul(&multiples[count - 1].z, &z);}
        // what brings the last multiple's Z to the common one
        let (mut scale, mut common) = (conjugates(e, &last), last.clone());
        if let Some(scale) = &scale {
            at! {e; norm = mul(&last, scale);}
            common = norm;
        }
        if !alone {
            at! {e; inverse = inv(&common);}
            scale = Some(scale.map_or_else(
                || inverse.clone(),
                |scale| {
                    at! {e; both = mul(&scale, &inverse);}
                    both
                },
            ));
            at! {e; z = select(e.is_zero(&common), &e.zero(), &e.one());}
            common = z;
        }
        let mut out = vec![];
        for i in (0..count).rev() {
            let Jacobian { x, y, .. } = multiples[i].clone();
            let own = Affine { x, y, infinity: p.infinity };
            out.push(scale.as_ref().map_or_else(|| own.clone(), |scale| self.scaled(&own, scale)));
            if i > 0 {
                scale = Some(scale.map_or_else(
                    || steps[i - 1].clone(),
                    |scale| {
                        at! {e; next = mul(&scale, &steps[i - 1]);}
                        next
                    },
                ));
            }
        }
        out.reverse();
        (out, common)
    }

    /// (xz², yz³).
    fn scaled(&self, p: &Affine<E>, z: &E::Elem) -> Affine<E> {
        self.field().routine("scaling", || {
            at! {self.field(); zz = sqr(z); zzz = mul(&zz, z); x = mul(&p.x, &zz); y = mul(&p.y, &zzz);}
            Affine { x, y, infinity: p.infinity }
        })
    }
}

/// The product of the other conjugates of z over F_p; `None` in F_p.
fn conjugates<E: Extension>(e: &E, z: &E::Elem) -> Option<E::Elem> {
    let constants = e.frobenius_constants();
    let next = |x: &E::Elem| {
        at! {e; power = frobenius(x, &constants);}
        power
    };
    std::iter::successors(Some(next(z)), |x| Some(next(x))).take(e.degree() - 1).reduce(|product, power| {
        at! {e; both = mul(&product, &power);}
        both
    })
}
