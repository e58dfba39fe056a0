//! The easy part f ↦ f^((p^(k/2) − 1)(p^(k/6) + 1)) of the final exponentiation, for k = 12, 18, 24 and 48, since
//! p^k − 1 = (p^(k/2) − 1)(p^(k/6) + 1)·Φ_k(p) (Scott et al., Pairing 2009, section 4). It takes one inversion.

use super::{Fpk, SexticPairing};
use bilinear_field::tower::NonResidue;
use bilinear_field::{Blank, Extension, Field, Prime, at, minus, plus};

impl<F: Prime> SexticPairing<F> {
    /// Raises f to the easy part, into the cyclotomic subgroup. For f = a + bw, w² = v, f^(p^(k/2) − 1) =
    /// (a − bw)/(a + bw) = (a² + vb² − 2ab·w)/(a² − vb²) takes 3 squarings, 2 products and an inversion in F_p^(k/2).
    pub(super) fn easy_power(&self, [a, b]: &Fpk<F>) -> Fpk<F> {
        let target = &self.groups.target;
        let (half, v) = (target.base(), target.nonresidue());
        at! {half; aa = sqr_wide(a); bb = sqr_wide(b); sum = add(a, b); ss = sqr_wide(&sum);} // a², b², (a + b)²
        let (mut norm, mut numerator) = (Blank::blank(), Fpk::<F>::blank());
        v.reduce(half, &mut norm, &[plus(&aa)], &[minus(&bb)]); // a² − vb²
        v.reduce(half, &mut numerator[0], &[plus(&aa)], &[plus(&bb)]); // a² + vb²
        half.reduce(&mut numerator[1], &[plus(&aa), plus(&bb), minus(&ss)]); // −2ab
        at! {half; inverse = inv(&norm); g0 = mul(&numerator[0], &inverse); g1 = mul(&numerator[1], &inverse);}
        let g = [g0, g1]; // f^(p^(k/2) − 1)
        self.mul(&self.frobenius(&g, self.e().degree()), &g) // g^(p^(k/6) + 1)
    }
}
