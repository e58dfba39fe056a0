//! The choice between the sources of lines through moving points.

use super::{Fq2, Moving, MovingAffine, Pair, Supersingular};
use crate::miller::miller;
use bilinear_field::{Field, Lanes, Prime};

/// Pairs times bits of q from which on a shared inversion costs less than what affine coordinates save: an inversion is worth
/// fewer products of a longer q. Measured on eight lanes: 33 pairs of 512 bits, 16 of 1036, 10 of 2059.
const WORTH: u64 = 20_000;

/// Pairs, or vectors of pairs, from which on affine coordinates cost less, for a modulus of so many bits.
pub fn many(bits: u64) -> usize {
    WORTH.div_ceil(bits) as usize
}

impl<F: Prime> Supersingular<F> {
    /// Pairs, or vectors of pairs, that [`Supersingular::miller`] takes for many.
    pub fn many(&self) -> usize {
        many(self.fq().modulus().bits())
    }
}

impl<F: Lanes> Supersingular<F> {
    /// The product of f_{n,P}(φ(Q)) over the pairs of each product, up to factors in F_q; products are consecutive runs of
    /// `pairs` of the given sizes.
    ///
    /// Few pairs go by [`Moving`], many by [`MovingAffine`], and where this meets an undefined slope all of them by [`Moving`]
    /// after all: the value is then that of its formulas. Only in this does the time depend on the points: it tells that a
    /// multiple of some P that the loop meets was O, of order 2, or an odd multiple from its table.
    ///
    /// # Panics
    /// If the sizes do not add up to the number of pairs.
    pub fn miller(&self, pairs: &[Pair<F>], sizes: &[usize]) -> Vec<Fq2<F>> {
        let mut acc = vec![self.fq2().one(); sizes.len()];
        if pairs.len() < self.many() || !self.by_slopes(pairs, sizes, &mut acc) {
            miller(&mut Moving::new(self, pairs, sizes), self.moving_loop(), &mut acc);
        }
        acc
    }

    /// Whether every slope was defined.
    fn by_slopes(&self, pairs: &[Pair<F>], sizes: &[usize], acc: &mut [Fq2<F>]) -> bool {
        let mut source = MovingAffine::new(self, pairs, sizes);
        miller(&mut source, self.moving_loop(), acc);
        let undefined = source.undefined();
        !(0..F::LANES).any(|lane| self.fq().lane(undefined, lane))
    }
}
