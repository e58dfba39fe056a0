//! Additions by the chord alone, for public digits, and for secret ones where P and Q never have the same x. If they have
//! the same x, the chord between them has no slope. Then, and where P is O, the formulas give Z = 0, and further
//! additions and doublings keep Z = 0. So a result with Z ≠ 0 was computed correctly throughout, and no step needs a
//! selection: 8M + 3S.
//!
//! Multiples by public digits take the Edwards form instead where the curve has one.

use crate::curve::{Affine, CoefficientA, Curve, Jacobian};
use bilinear_field::{CollectVec, Extension, Field, at};

impl<F: Field> Curve<F> {
    /// Returns 2^n·P for n = `doublings`, or 2^n·P + Q for Q from [`Curve::odd_summands`]: one step of a multiple by
    /// public digits. P is given by the coordinates of a summand and 1, or by what this function returned. Additions are
    /// by the chord, or complete in the Edwards form.
    pub fn advance(&self, p: [F::Elem; 3], doublings: usize, q: Option<[F::Elem; 2]>) -> [F::Elem; 3] {
        if let Some(edwards) = self.edwards() {
            return edwards.advance(p, doublings, q);
        }
        let [x, y, z] = p;
        let p = (0..doublings).fold(Jacobian { x, y, z }, |p, _| self.double(&p));
        let infinity = self.field().mask(false);
        let Jacobian { x, y, z } =
            q.map_or_else(|| p.clone(), |[x, y]| self.add_by_chord(&p, &Affine { x, y, infinity }));
        [x, y, z]
    }

    /// Converts a result of [`Curve::advance`] to Jacobian coordinates. Z = 0 where it is O or some chord had no slope.
    pub fn advanced_to_jacobian(&self, [x, y, z]: [F::Elem; 3]) -> Jacobian<F> {
        match self.edwards() {
            Some(edwards) => edwards.advanced_to_jacobian([x, y, z]),
            None => Jacobian { x, y, z },
        }
    }

    /// Returns P + Q for an affine Q other than O. Z = 0 where P is O or ±Q.
    pub fn add_by_chord(&self, p: &Jacobian<F>, q: &Affine<F>) -> Jacobian<F> {
        self.field().routine("addition by the chord", || self.chord(p, q).0)
    }

    /// Returns P + Q by the chord, and H, the factor by which Z grows.
    fn chord(&self, p: &Jacobian<F>, q: &Affine<F>) -> (Jacobian<F>, F::Elem) {
        let [_, h, r] = self.differences(p, q);
        (self.along(p, [&h, &r], |hhh| hhh), h)
    }
}

impl<E: Extension> Curve<E> {
    /// Returns the odd multiples P, 3P, 5P, … of a P other than O, `count` of them, in the form in which
    /// [`Curve::advance`] adds them, then those of its other images, and Z. These are x, y and Z of
    /// [`Curve::odd_multiples_by_chords`], or v and u of the Edwards form and Z = 1. −P differs from P in the second
    /// coordinate.
    pub fn odd_summands(
        &self,
        p: &Affine<E>,
        (count, alone): (usize, bool),
        images: impl Fn(&Affine<E>) -> Vec<Affine<E>>,
    ) -> (Vec<[E::Elem; 2]>, E::Elem) {
        if let Some(edwards) = self.edwards() {
            return (edwards.odd_summands(p, count), self.field().one());
        }
        let (multiples, z) = self.odd_multiples_by_chords(p, count, alone);
        let of_each = multiples.iter().map(images).collect_vec();
        let of_image = |i: usize| of_each.iter().map(move |p| [p[i].x.clone(), p[i].y.clone()]);
        ((0..of_each.first().map_or(0, Vec::len)).flat_map(of_image).collect_vec(), z)
    }

    /// Returns the odd multiples P, 3P, 5P, … of a P other than O, `count` of them, and a Z in F_p. The multiples are
    /// given by x and y on the curve with bZ⁶ in place of b, so that (x/Z², y/Z³) is the multiple. Z = 0 where an
    /// intermediate multiple is O. Otherwise Z = 1 if `alone` is false or if a is not 0.
    ///
    /// For a = 0 the formulas do not depend on b, and 2P is affine on a curve of this form. There the Z of each
    /// multiple is the product of the H_j so far, so the later H_j bring every multiple to the last Z (Longa and
    /// Miri, PKC 2008), at 4M + 1S a multiple. The product of the last Z and its other conjugates is in F_p, so that
    /// automorphisms leave it unchanged. No inversion is needed if `alone` is true.
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
        // the factor that brings the last multiple's Z to the common one
        let (mut scale, mut common) = (conjugates(e, &last), last.clone());
        if let Some(scale) = &scale {
            common = at!(e; mul(&last, scale));
        }
        if !alone {
            at! {e; inverse = inv(&common);}
            scale = Some(scale.map_or_else(|| inverse.clone(), |scale| at!(e; mul(&scale, &inverse))));
            common = at!(e; select(e.is_zero(&common), &e.zero(), &e.one()));
        }
        let mut out = vec![];
        for i in (0..count).rev() {
            let Jacobian { x, y, .. } = multiples[i].clone();
            let own = Affine { x, y, infinity: p.infinity };
            out.push(scale.as_ref().map_or_else(|| own.clone(), |scale| self.scaled(&own, scale)));
            if i > 0 {
                scale = Some(scale.map_or_else(|| steps[i - 1].clone(), |scale| at!(e; mul(&scale, &steps[i - 1]))));
            }
        }
        out.reverse();
        (out, common)
    }

    /// Returns (xz², yz³) for P = (x, y).
    fn scaled(&self, p: &Affine<E>, z: &E::Elem) -> Affine<E> {
        self.field().routine("scaling", || {
            at! {self.field(); zz = sqr(z); zzz = mul(&zz, z); x = mul(&p.x, &zz); y = mul(&p.y, &zzz);}
            Affine { x, y, infinity: p.infinity }
        })
    }
}

/// Returns the product of the conjugates of z over F_p other than z itself; `None` if the field is F_p.
fn conjugates<E: Extension>(e: &E, z: &E::Elem) -> Option<E::Elem> {
    let constants = e.frobenius_constants();
    let next = |x: &E::Elem| at!(e; frobenius(x, &constants));
    std::iter::successors(Some(next(z)), |x| Some(next(x)))
        .take(e.degree() - 1)
        .reduce(|product, power| at!(e; mul(&product, &power)))
}
