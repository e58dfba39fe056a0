//! Where the values of pairs go, whatever their source: the accumulators of their products.

use super::Fq2;
use crate::alternating::Alternating;
use bilinear_field::tower::Complex;
use bilinear_field::{Blank, Field, Prime, at};

/// The product that a pair belongs to, and the lanes in which it has an O.
pub(super) struct Place<M> {
    pub(super) product: usize,
    pub(super) infinite: Option<M>,
}

/// The accumulators f of several products, beside the places of the caller.
#[derive(Default)]
pub(super) struct Products<T>(Vec<Alternating<[T; 2]>>);

impl<T: Clone + Blank> Products<T> {
    /// f ← 1 for as many products as there are places.
    pub(super) fn start<F: Prime<Elem = T>>(&mut self, fq2: &Complex<F>, acc: &mut [Fq2<F>]) {
        acc.fill(fq2.one());
        self.0.resize_with(acc.len(), Alternating::default);
        self.0.iter_mut().for_each(Alternating::restart);
    }

    /// f ← f².
    pub(super) fn square<F: Prime<Elem = T>>(&mut self, fq2: &Complex<F>, acc: &mut [Fq2<F>]) {
        for (product, f) in self.0.iter_mut().zip(acc) {
            product.update(f, |out, f| fq2.sqr(out, f));
        }
    }

    /// f ← f·value for the product of a pair, or f where the pair has an O.
    #[inline]
    pub(super) fn absorb<F: Prime<Elem = T>>(
        &mut self,
        fq2: &Complex<F>,
        acc: &mut [Fq2<F>],
        place: &Place<F::Mask>,
        value: &Fq2<F>,
    ) {
        self.0[place.product].update(&mut acc[place.product], |out, f| match place.infinite {
            None => fq2.mul(out, f, value),
            Some(mask) => {
                at! {fq2; product = mul(f, value);}
                fq2.select(out, mask, f, &product);
            }
        });
    }

    /// f ← f·f_d for the f_|d| of a table.
    pub(super) fn join<F: Prime<Elem = T>>(
        &mut self,
        fq2: &Complex<F>,
        acc: &mut [Fq2<F>],
        place: &Place<F::Mask>,
        (d, value): (i8, &Fq2<F>),
    ) {
        if d > 0 {
            return self.absorb(fq2, acc, place, value);
        }
        let mut conjugate = Fq2::<F>::blank();
        fq2.conjugate(&mut conjugate, value);
        self.absorb(fq2, acc, place, &conjugate);
    }

    /// Brings every f to the place of the caller.
    pub(super) fn finish(&mut self, acc: &mut [[T; 2]]) {
        for (product, f) in self.0.iter_mut().zip(acc) {
            product.finish(f);
        }
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
