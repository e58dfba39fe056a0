//! Encoded points of types A and A1: x‖y, or PBC's compressed form x‖sign, told apart by their length.

use super::Symmetric;
use crate::error::PointError;
use crate::residues::{Parsed, load};
use crate::seam::{Encoded, Owned};
use crate::validate::Validate;
use bilinear_field::{Lanes, at, sqrt_3mod4};
use bilinear_pairing::curve::Affine;
use bilinear_pairing::svdw::with_signs;
use std::sync::Arc;

impl<F: Lanes> Symmetric<F> {
    /// y of the given parity over each lane's x, where it exists.
    fn decompress(&self, x: &F::Elem) -> (F::Elem, F::Mask) {
        let f = self.fq();
        let (mut g, mut y) = (f.zero(), f.zero());
        self.system.curve().right_side(&mut g, x);
        sqrt_3mod4(f, &mut y, &g);
        at! {f; yy = sqr(&y);}
        let exists = f.equal(&yy, &g);
        (y, exists)
    }

    /// Decodes up to LANES points at once.
    pub(super) fn decode_vector(&self, points: &[Encoded<'_>], validate: Validate) -> Vec<Result<Owned, PointError>> {
        let f = self.fq();
        let parsed: Vec<Result<Parsed<'_>, PointError>> = points.iter().map(|p| Parsed::new(f, self.len, *p)).collect();
        let good = || parsed.iter().map(|p| p.as_ref().ok().copied());
        let (x, mut y) = (load(f, good().map(|p| p?.x())), load(f, good().map(|p| p?.y())));
        let odd: Vec<Option<bool>> = good().map(|p| p?.odd()).collect();
        let compressed: Vec<bool> = odd.iter().map(Option::is_some).collect();
        let mut exists = f.mask(true);
        if compressed.contains(&true) {
            let (root, found) = self.decompress(&x);
            let root = with_signs(f, &root, &odd.iter().map(|odd| odd.unwrap_or(false)).collect::<Vec<_>>());
            let mask = f.mask_from(&compressed);
            at! {f; chosen = select(mask, &root, &y);}
            y = chosen;
            exists = f.either(found, f.not(mask));
        }
        let infinity = f.mask_from(&good().map(|p| p.and_then(Parsed::x).is_none()).collect::<Vec<_>>());
        let p = Affine { x, y, infinity };
        let on_curve = f.both(exists, self.system.curve().contains(&p));
        let somewhere = (0..points.len()).any(|lane| f.lane(on_curve, lane));
        let in_group = match validate {
            // nothing is left to ask of a vector of points off the curve
            Validate::Subgroup if somewhere => match &self.membership {
                Some(test) => self.system.passes(test, &p),
                None => self.system.killed_by(self.system.order(), &p),
            },
            _ => f.mask(true),
        };
        // only y that were not given have to be stored
        let rooted = compressed.contains(&true).then(|| self.store_two(&p.x, &p.y, points.len()));
        let finish = |(lane, parsed): (usize, Result<Parsed<'_>, PointError>)| match parsed? {
            Parsed::Infinity => Ok(None),
            _ if !f.lane(on_curve, lane) => Err(PointError::NotOnCurve),
            _ if !f.lane(in_group, lane) => Err(PointError::NotInSubgroup),
            Parsed::Full(..) => Ok(points[lane].map(Arc::from)),
            Parsed::Compressed(..) => Ok(rooted.as_ref().map(|points| points[lane].clone())),
        };
        parsed.into_iter().enumerate().map(finish).collect()
    }
}
