//! The cyclotomic subgroup of F_p^k, of order Φ_k(p), k = 6d: inversion is conjugation, squaring costs 9 squarings in E.

use super::{Fpk, Sextic};
use crate::digits::wnaf;
use bilinear_field::tower::NonResidue;
use bilinear_field::{Extension, Field, at, plus, times};
use num_bigint::BigInt;
use num_traits::Signed;

impl<E: Extension, X: NonResidue<E>> Sextic<E, X> {
    /// f² for f in the cyclotomic subgroup: 9S + 6R in E (Granger and Scott, PKC 2010, section 3.2).
    ///
    /// With c_j the coefficient of w^j and pairs (a, b) = (c0, c3), (c1, c4), (c2, c5) of F_p^(k/3) = E(w³):
    /// c0' = 3(c0² + ξc3²) − 2c0, c3' = 6·c0·c3 + 2c3, c1' = 6ξ·c2·c5 + 2c1, c4' = 3(c2² + ξc5²) − 2c4,
    /// c2' = 3(c1² + ξc4²) − 2c2, c5' = 6·c1·c4 + 2c5.
    pub fn cyclotomic_square(&self, out: &mut Fpk<E>, f: &Fpk<E>) {
        let cubic = self.target().base();
        let (e, xi) = (cubic.base(), cubic.nonresidue());
        let [[c0, c2, c4], [c1, c3, c5]] = f;
        let [[o0, o2, o4], [o1, o3, o5]] = out;
        // 3(a² + ξb²) − 2x to `even`, 3(2ab) or 3ξ(2ab) plus 2y to `odd`
        let pair =
            |[a, b]: [&E::Elem; 2], even: &mut E::Elem, x: &E::Elem, odd: &mut E::Elem, y: &E::Elem, by_xi: bool| {
                at! {e; aa = sqr_wide(a); bb = sqr_wide(b); sum = add(a, b); ss = sqr_wide(&sum);}
                let (mut p, mut q) = (e.zero(), e.zero());
                xi.reduce(e, &mut p, &[times(3, &aa)], &[times(3, &bb)]);
                let product = [times(3, &ss), times(-3, &aa), times(-3, &bb)];
                if by_xi {
                    xi.reduce(e, &mut q, &[], &product)
                } else {
                    e.reduce(&mut q, &product)
                }
                e.sum(even, &[plus(&p), times(-2, x)]);
                e.sum(odd, &[plus(&q), times(2, y)]);
            };
        pair([c0, c3], o0, c0, o3, c3, false);
        pair([c2, c5], o4, c4, o1, c1, true);
        pair([c1, c4], o2, c2, o5, c5, false);
    }

    /// f^e for f in the cyclotomic subgroup and a public e, by the NAF of e.
    pub fn cyclotomic_pow(&self, f: &Fpk<E>, e: &BigInt) -> Fpk<E> {
        let target = self.target();
        let inverse = self.conjugate(f);
        let mut out = target.one();
        let mut scratch = target.zero();
        for (i, d) in wnaf(e.magnitude(), 2).into_iter().enumerate() {
            if i == 0 {
                out.clone_from(f);
                continue;
            }
            self.cyclotomic_square(&mut scratch, &out);
            std::mem::swap(&mut out, &mut scratch);
            if d != 0 {
                target.mul(&mut scratch, &out, if d > 0 { f } else { &inverse });
                std::mem::swap(&mut out, &mut scratch);
            }
        }
        if e.is_negative() { self.conjugate(&out) } else { out }
    }
}
