//! Residues as bytes: big-endian, ⌈bits(p)/8⌉ bytes each.

use crate::backend::error::{GtError, PointError};
use crate::backend::interface::Encoded;
use bilinear_pairing::encode::check_residue;
use num_bigint::BigUint;

/// Checks that every coefficient of an element of the target group, a residue of `len` bytes, is below p.
pub(crate) fn check_coefficients(p: &BigUint, len: usize, bytes: &[u8]) -> Result<(), GtError> {
    for (coefficient, chunk) in bytes.chunks(len).enumerate() {
        check_residue(p, chunk).map_err(|reason| GtError::Coefficient { coefficient, reason })?;
    }
    Ok(())
}

/// A point whose coordinates are below p, not yet checked against the curve: x‖y, or x‖sign, told apart by their
/// length.
#[derive(Clone, Copy)]
pub(crate) enum Parsed<'a> {
    Infinity,
    /// A point in full: x‖y.
    Full(&'a [u8]),
    /// A compressed point: x, and whether y is odd.
    Compressed(&'a [u8], bool),
}

impl<'a> Parsed<'a> {
    /// Parses a point with coordinates of `len` bytes, each made of residues of `residue` bytes modulo p.
    pub(crate) fn new(p: &BigUint, residue: usize, len: usize, point: Encoded<'a>) -> Result<Self, PointError> {
        let Some(bytes) = point else { return Ok(Parsed::Infinity) };
        let (given, full, compressed) = (bytes.len(), 2 * len, len + 1);
        if given != full && given != compressed {
            return Err(PointError::Length { given, full, compressed });
        }
        let canonical = |part: &[u8], name| {
            let good = part.chunks(residue).all(|chunk| check_residue(p, chunk).is_ok());
            if good { Ok(()) } else { Err(PointError::NotCanonical(name)) }
        };
        let (x, rest) = bytes.split_at(len);
        canonical(x, 'x')?;
        match rest {
            // a y of one byte is not a sign
            [sign] if full != compressed => match sign {
                0 | 1 => Ok(Parsed::Compressed(x, *sign == 1)),
                other => Err(PointError::Sign(*other)),
            },
            y => canonical(y, 'y').map(|()| Parsed::Full(bytes)),
        }
    }
}
