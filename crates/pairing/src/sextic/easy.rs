//! The easy part f ↦ f^((p^(k/2) − 1)(p^(k/6) + 1)) of the final exponentiation: k = 12, 18, 24 alike, since
//! p^k − 1 = (p^(k/2) − 1)(p^(k/6) + 1)·Φ_k(p).

use super::{Fpk, Sextic};
use bilinear_field::tower::NonResidue;
use bilinear_field::{Extension, Field, at};

impl<E: Extension, X: NonResidue<E>> Sextic<E, X> {
    /// Into the cyclotomic subgroup; one inversion for all.
    pub(super) fn easy_part(&self, acc: &mut [Fpk<E>]) {
        let target = self.target();
        let mut inverses = acc.to_vec();
        target.inv_many(&mut inverses);
        for (f, inverse) in acc.iter_mut().zip(&inverses) {
            // f^(p^(k/2) − 1), then its power p^d + 1
            at! {target; g = mul(&self.conjugate(f), inverse); out = mul(&self.frobenius(&g, E::DEGREE), &g);}
            *f = out;
        }
    }
}
