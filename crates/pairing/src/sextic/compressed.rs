//! Compressed elements of the cyclotomic subgroup (Karabina, ePrint 2010/542, section 3): of the coefficients c_j of
//! w^j, only g2 = c1, g3 = c4, g4 = c2, g5 = c5 are kept. The formulas for their squares are those of Granger and
//! Scott, which need no other coefficients:
//!
//! c1' = 6ξ·c2·c5 + 2c1, c4' = 3(c2² + ξc5²) − 2c4, c2' = 3(c1² + ξc4²) − 2c2, c5' = 6·c1·c4 + 2c5.
//!
//! Cost in E: 6S + 4R for a square; 3S + 4M + 4R for the decompression of each element, and one inversion for all.
//! Every result is closed.

use super::cyclotomic::square_pair;
use super::{Elem, Fpk, Target};
use bilinear_field::tower::NonResidue;
use bilinear_field::{Blank, Field, Prime, at, plus, times};

/// A compressed element [c1, c4, c2, c5].
pub(super) type Compressed<F> = [Elem<F>; 4];

/// Compresses f.
pub(super) fn compress<F: Prime>([[_, c2, c4], [c1, _, c5]]: &Fpk<F>) -> Compressed<F> {
    [c1.clone(), c4.clone(), c2.clone(), c5.clone()]
}

/// Computes out = f²: 6S + 4R in E.
pub(super) fn square<F: Prime>(target: &Target<F>, out: &mut Compressed<F>, [c1, c4, c2, c5]: &Compressed<F>) {
    let [o1, o4, o2, o5] = out;
    square_pair(target, [c2, c5], (o4, c4), (o1, c1), true); // c4' = 3(c2² + ξc5²) − 2c4, c1' = 6ξ·c2·c5 + 2c1
    square_pair(target, [c1, c4], (o2, c2), (o5, c5), false); // c2' = 3(c1² + ξc4²) − 2c2, c5' = 6·c1·c4 + 2c5
}

/// Returns the element with these coefficients; c0 and c3 are blank.
pub(super) fn without_c0_c3<F: Prime>([c1, c4, c2, c5]: &Compressed<F>) -> Fpk<F> {
    [[Blank::blank(), c2.clone(), c4.clone()], [c1.clone(), Blank::blank(), c5.clone()]]
}

/// Computes c0 and c3 of elements of the cyclotomic subgroup: 3S + 4M + 4R for each, and one inversion in E for all.
///
/// g1 = c3 = (ξg5² + 3g4² − 2g3)/(4g2), or 2·g4·g5/g3 where g2 = 0; g0 = c0 = (2g1² + g2·g5 − 3·g3·g4)ξ + 1. Where
/// g3 = 0 as well, ξg5² = −3g4², so g4 = g5 = 0, since −3 is a square and ξ is not. Then the element lies in
/// F_p^(k/3), so it is 1, and 1/0 = 0 gives this value.
pub(super) fn decompress<F: Prime>(target: &Target<F>, all: &mut [Fpk<F>]) {
    let (e, xi) = (target.base().base(), target.base().nonresidue());
    let mut inverses = Vec::with_capacity(all.len());
    for [[_, g4, g3], [g2, numerator, g5]] in all.iter_mut() {
        at! {e;
            s4 = sqr_wide(g4);
            s5 = sqr_wide(g5);
            product = mul_wide(g4, g5);
            other = reduce(&[times(2, &product)]);            // 2·g4·g5
        }
        let mut squares = Elem::<F>::blank();
        xi.reduce(e, &mut squares, &[times(3, &s4)], &[plus(&s5)]); // ξg5² + 3g4²
        let zero = e.is_zero(g2);
        at! {e;
            usual = sum(&[plus(&squares), times(-2, g3)]);    // ξg5² + 3g4² − 2g3
            four = sum(&[times(4, g2)]);                      // 4g2
            denominator = select(zero, g3, &four);            // 4g2, or g3 where g2 = 0
        }
        e.select(numerator, zero, &other, &usual); // kept in the place of c3
        inverses.push(denominator);
    }
    e.inv_many(&mut inverses);
    for ([[c0, c2, c4], [c1, c3, c5]], inverse) in all.iter_mut().zip(&inverses) {
        at! {e;
            g1 = mul(c3, inverse);
            s = sqr_wide(&g1);
            p = mul_wide(c1, c5);                             // g2·g5
            q = mul_wide(c4, c2);                             // g3·g4
        }
        let mut product = Elem::<F>::blank();
        xi.reduce(e, &mut product, &[], &[times(2, &s), plus(&p), times(-3, &q)]); // (2g1² + g2·g5 − 3·g3·g4)ξ
        e.sum(c0, &[plus(&product), plus(&e.one())]); // g0
        *c3 = g1;
    }
}
