//! Where the values of a pair go, whatever their source.

use super::Fq2;
use bilinear_field::tower::Complex;
use bilinear_field::{Field, Prime, at};

/// The product that a pair belongs to, and the lanes in which it has an O.
pub(super) struct Place<M> {
    pub(super) product: usize,
    pub(super) infinite: Option<M>,
}

impl<M: Copy> Place<M> {
    /// f ← f·value, or f where the pair has an O.
    #[inline]
    pub(super) fn absorb<F: Prime<Mask = M>>(&self, fq2: &Complex<F>, acc: &mut [Fq2<F>], value: &Fq2<F>) {
        let f = &mut acc[self.product];
        at! {fq2; product = mul(f, value);}
        match self.infinite {
            None => *f = product,
            Some(mask) => {
                at! {fq2; kept = select(mask, f, &product);}
                *f = kept;
            }
        }
    }

    /// f ← f·f_d for the f_|d| of a table.
    pub(super) fn join<F: Prime<Mask = M>>(&self, fq2: &Complex<F>, acc: &mut [Fq2<F>], d: i8, value: &Fq2<F>) {
        if d > 0 {
            return self.absorb(fq2, acc, value);
        }
        let mut conjugate = fq2.zero();
        fq2.conjugate(&mut conjugate, value);
        self.absorb(fq2, acc, &conjugate);
    }
}

/// The number of each pair's product: products 0, 1, … are consecutive runs of pairs of the given sizes.
///
/// # Panics
/// If the sizes do not add up to the number of pairs.
pub(super) fn products(sizes: &[usize], pairs: usize) -> impl Iterator<Item = usize> {
    assert_eq!(sizes.iter().sum::<usize>(), pairs, "every pair belongs to one product");
    sizes.iter().enumerate().flat_map(|(product, size)| std::iter::repeat_n(product, *size))
}
