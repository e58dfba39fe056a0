//! Pairings of single values: products, checks, prepared arguments, and parts of products.

use super::System;
use crate::backend::{Owned, PrepareError, Side};
use crate::point::{Gt, Miller, Point, Prepared, PreparedLines};
use bilinear_field::CollectVec;
use std::sync::Arc;

impl System {
    /// e(P, Q), P of G1 and Q of G2, raised to the power ([`System::power`]) in use; 1 if P or Q is O. Variable time only in whether one is
    /// O.
    pub fn pair(&self, p: &Point, q: &Point) -> Gt {
        self.pairings(&[[self.argument(Side::P, p), self.argument(Side::Q, q)]]).remove(0)
    }

    /// The product of e(P, Q) over pairs of points, which share the squarings and the final exponentiation; 1 for none. A long product
    /// fills the lanes of vectors; for several threads there is [`Batch::product`](crate::Batch::product). Variable time as [`System::pair`].
    pub fn product(&self, pairs: &[(&Point, &Point)]) -> Gt {
        self.finish(&[&*self.miller_of(pairs)]).remove(0)
    }

    /// Whether that product is 1: so a signature or a proof is verified.
    pub fn check(&self, pairs: &[(&Point, &Point)]) -> bool {
        self.are_one(&[&*self.miller_of(pairs)])[0]
    }

    /// The Miller value of a product.
    fn miller_of(&self, pairs: &[(&Point, &Point)]) -> Arc<[u8]> {
        self.miller_value(
            pairs.iter().map(|(p, q)| [self.argument(Side::P, p), self.argument(Side::Q, q)]).collect_vec(),
        )
    }

    /// e(P, Q) for a prepared argument and the other one. Variable time as [`System::pair`].
    ///
    /// # Panics
    /// Also if `fixed` was prepared for another engine or pairing.
    pub fn pair_with(&self, fixed: &Prepared, other: &Point) -> Gt {
        self.owns_prepared(fixed);
        match (&fixed.lines, self.argument(fixed.side.other(), other)) {
            (Some(lines), Some(other)) => self.pairing_with(lines, other),
            _ => self.gt_one(),
        }
    }

    /// x‖y of both arguments of a pairing, or O.
    pub(crate) fn arguments(&self, p: &Point, q: &Point) -> [Owned; 2] {
        [(Side::P, p), (Side::Q, q)].map(|(side, point)| {
            self.owns_in(self.group(side.group()), point);
            point.bytes.clone()
        })
    }

    /// The argument to fix in generic code: the one that [`System::prepare`] takes on this curve. A symmetric curve takes
    /// either; this is then P.
    pub fn fixed_side(&self) -> Side {
        Side::of(self.backend().prepared_group())
    }

    /// The line coefficients of a fixed argument, P of G1 or Q of G2.
    ///
    /// # Errors
    /// If the pairing in use has lines for the other argument only.
    pub fn prepare(&self, side: Side, point: &Point) -> Result<Prepared, PrepareError> {
        if !self.is_symmetric() && side != self.fixed_side() {
            let curve = self.curve().name().to_owned();
            return Err(PrepareError { curve, pairing: self.pairing(), asked: side, has: self.fixed_side() });
        }
        let lines = self.argument(side, point).map(|bytes| PreparedLines::new(self.backend(), bytes));
        Ok(Prepared {
            curve: self.0.id,
            engines: self.engines(),
            pairing: self.pairing(),
            side,
            lines: lines.map(Arc::new),
        })
    }

    /// Multiplies two parts of one product.
    ///
    /// # Panics
    /// Also if one was computed for another pairing of the curve.
    pub fn join(&self, a: &Miller, b: &Miller) -> Miller {
        self.owns_miller(a);
        self.owns_miller(b);
        self.miller(self.backend().join(&a.bytes, &b.bytes))
    }

    fn argument<'a>(&self, side: Side, p: &'a Point) -> Option<&'a [u8]> {
        self.owns_in(self.group(side.group()), p);
        p.bytes()
    }
}
