//! Pairings of single values: products, checks, prepared arguments, and parts of products.

use super::System;
use crate::backend::{Owned, PrepareError, Side};
use crate::point::{Gt, MillerValue, Point, Prepared, PreparedLines};
use bilinear_field::CollectVec;
use std::sync::Arc;

impl System {
    /// Computes e(P, Q), P of G1 and Q of G2, raised to the power in use ([`System::power`]); 1 if P or Q is O. The
    /// only variation in time is whether P or Q is O.
    pub fn pair(&self, p: &Point, q: &Point) -> Gt {
        self.pairings(&[[self.argument(Side::P, p), self.argument(Side::Q, q)]]).remove(0)
    }

    /// Computes the product of e(P, Q) over pairs of points, which share the squarings and the final exponentiation;
    /// 1 for no pairs. A long product fills the lanes of vectors; [`Batch::product`](crate::Batch::product) uses
    /// several threads. Time varies as in [`System::pair`].
    pub fn product(&self, pairs: &[(&Point, &Point)]) -> Gt {
        self.final_exponentiation(&[&*self.miller_of(pairs)]).remove(0)
    }

    /// Returns true if the product of e(P, Q) over these pairs is 1. Signatures and proofs are verified this way.
    pub fn check(&self, pairs: &[(&Point, &Point)]) -> bool {
        self.are_one(&[&*self.miller_of(pairs)])[0]
    }

    /// Computes the Miller value of a product.
    fn miller_of(&self, pairs: &[(&Point, &Point)]) -> Arc<[u8]> {
        self.miller_value(
            pairs.iter().map(|(p, q)| [self.argument(Side::P, p), self.argument(Side::Q, q)]).collect_vec(),
        )
    }

    /// Computes e(P, Q) of a prepared argument and the other argument. Time varies as in [`System::pair`].
    ///
    /// # Panics
    /// Also panics if `fixed` was prepared for another engine or pairing.
    pub fn pair_prepared(&self, fixed: &Prepared, other: &Point) -> Gt {
        self.owns_prepared(fixed);
        match (&fixed.lines, self.argument(fixed.side.other(), other)) {
            (Some(lines), Some(other)) => self.pairing_with(lines, other),
            _ => self.gt_one(),
        }
    }

    /// The encodings x‖y of both arguments of a pairing, each `None` for O.
    pub(crate) fn arguments(&self, p: &Point, q: &Point) -> [Owned; 2] {
        [(Side::P, p), (Side::Q, q)].map(|(side, point)| {
            self.owns_in(self.group(side.group()), point);
            point.bytes.clone()
        })
    }

    /// The argument that generic code should fix: the one that [`System::prepare`] accepts on this curve. A symmetric
    /// curve accepts either argument; P is returned then.
    pub fn fixed_side(&self) -> Side {
        Side::of(self.backend().prepared_group())
    }

    /// Computes the line coefficients of a fixed argument, P of G1 or Q of G2.
    ///
    /// # Errors
    /// Returns an error if the pairing in use has lines for the other argument only.
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
    /// Also panics if a part was computed for another pairing of the curve.
    pub fn miller_mul(&self, a: &MillerValue, b: &MillerValue) -> MillerValue {
        self.miller(self.backend().join(self.raw_miller(a), self.raw_miller(b)))
    }

    fn argument<'a>(&self, side: Side, p: &'a Point) -> Option<&'a [u8]> {
        self.owns_in(self.group(side.group()), p);
        p.bytes()
    }
}
