//! The choice between the sources of lines through moving points.

use super::{Fq2, Moving, MovingAffine, Pair, Supersingular};
use crate::miller::miller;
use bilinear_field::{Field, Lanes};

/// Pairs from which on a shared inversion costs less than what affine coordinates save.
pub const SHARED_FROM: usize = 24;

impl<F: Lanes> Supersingular<F> {
    /// Sets each accumulator to the product of f_{n,P}(φ(Q)) over its pairs, up to factors in F_q; products are consecutive
    /// runs of `pairs` of the given sizes.
    ///
    /// Few pairs go by [`Moving`], many by [`MovingAffine`], and where this met an undefined slope all of them by [`Moving`]
    /// after all: its value is then that of the formulas there. This is the only way in which the time depends on the points; it tells that
    /// a point of a small order was among them (or one of the few multiples of P that the loop meets is).
    ///
    /// # Panics
    /// If the sizes do not add up to the number of pairs.
    pub fn miller(&self, pairs: &[Pair<F>], sizes: &[usize]) -> Vec<Fq2<F>> {
        let mut acc = vec![self.fq2().one(); sizes.len()];
        if pairs.len() < SHARED_FROM || !self.by_slopes(pairs, sizes, &mut acc) {
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
