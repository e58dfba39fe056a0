//! Encoded points of types A and A1: x‖y, or PBC's compressed form x‖sign, told apart by their length.

use super::Symmetric;
use crate::error::PointError;
use crate::seam::{Encoded, Owned};
use crate::validate::Validate;
use bilinear_field::{Lanes, at, sqrt_3mod4};
use bilinear_pairing::curve::Affine;
use bilinear_pairing::encode::{ResidueError, residue_from_bytes};
use bilinear_pairing::svdw::with_signs;
use std::sync::Arc;

/// A decoded point before the curve is asked: the words of x, and of y or its parity.
enum Parsed {
    Infinity,
    Full(Vec<u64>, Vec<u64>),
    Compressed(Vec<u64>, bool),
}

impl<F: Lanes> Symmetric<F> {
    fn parse(&self, p: Encoded<'_>) -> Result<Parsed, PointError> {
        let Some(bytes) = p else { return Ok(Parsed::Infinity) };
        let (full, compressed) = (2 * self.len, self.len + 1);
        if bytes.len() != full && bytes.len() != compressed {
            return Err(PointError::Length { given: bytes.len(), full, compressed });
        }
        let (x, rest) = bytes.split_at(self.len);
        let residue = |bytes, name| {
            residue_from_bytes(self.fq().modulus(), bytes).map_err(|_: ResidueError| PointError::NotCanonical(name))
        };
        let x = residue(x, 'x')?;
        match rest {
            // a one-byte y cannot be told from a sign: fields of 8 bits have no use here
            [sign] if bytes.len() == compressed => match sign {
                0 | 1 => Ok(Parsed::Compressed(x, *sign == 1)),
                other => Err(PointError::Sign(*other)),
            },
            y => Ok(Parsed::Full(x, residue(y, 'y')?)),
        }
    }

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
        let parsed: Vec<Result<Parsed, PointError>> = points.iter().map(|p| self.parse(*p)).collect();
        let empty = Vec::new();
        let part = |i: usize| {
            let pick = |p: &Result<Parsed, PointError>| match (p, i) {
                (Ok(Parsed::Full(x, _) | Parsed::Compressed(x, _)), 0) => x.clone(),
                (Ok(Parsed::Full(_, y)), 1) => y.clone(),
                _ => empty.clone(),
            };
            self.load_words(&parsed.iter().map(pick).collect::<Vec<_>>())
        };
        let (x, mut y) = (part(0), part(1));
        let odd: Vec<bool> = parsed.iter().map(|p| matches!(p, Ok(Parsed::Compressed(_, true)))).collect();
        let compressed: Vec<bool> = parsed.iter().map(|p| matches!(p, Ok(Parsed::Compressed(..)))).collect();
        let mut exists = f.mask(true);
        if compressed.contains(&true) {
            let (root, found) = self.decompress(&x);
            let root = with_signs(f, &root, &odd);
            let mask = f.mask_from(&compressed);
            at! {f; chosen = select(mask, &root, &y);}
            y = chosen;
            exists = f.either(found, f.not(mask));
        }
        let infinity = f.mask_from(
            &parsed.iter().map(|p| !matches!(p, Ok(Parsed::Full(..) | Parsed::Compressed(..)))).collect::<Vec<_>>(),
        );
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
        let finish = |(lane, parsed): (usize, Result<Parsed, PointError>)| match parsed? {
            Parsed::Infinity => Ok(None),
            _ if !f.lane(on_curve, lane) => Err(PointError::NotOnCurve),
            _ if !f.lane(in_group, lane) => Err(PointError::NotInSubgroup),
            Parsed::Full(..) => Ok(points[lane].map(Arc::from)),
            Parsed::Compressed(..) => Ok(rooted.as_ref().map(|points| points[lane].clone())),
        };
        parsed.into_iter().enumerate().map(finish).collect()
    }
}
