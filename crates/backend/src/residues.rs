//! Residues as bytes, one a lane: big-endian, ⌈bits(p)/8⌉ bytes each.

use crate::error::{GtError, PointError};
use crate::seam::Encoded;
use bilinear_field::Lanes;
use bilinear_pairing::encode::{check_residue, residue_bytes, residue_words};
use num_bigint::BigUint;

/// Loads checked residues; `None` and missing lanes become 0.
///
/// # Panics
/// If there are more than lanes.
pub(crate) fn load<'a, F: Lanes>(f: &F, lanes: impl Iterator<Item = Option<&'a [u8]>>) -> F::Elem {
    load_with(f, lanes, |words, bytes| {
        if let Some(bytes) = bytes {
            residue_words(words, bytes);
        }
    })
}

/// Loads integers below p; missing lanes become 0.
///
/// # Panics
/// If there are more than lanes.
pub(crate) fn load_integers<'a, F: Lanes>(f: &F, lanes: impl Iterator<Item = &'a BigUint>) -> F::Elem {
    load_with(f, lanes, |words, x| words.iter_mut().zip(x.iter_u64_digits()).for_each(|(word, digit)| *word = digit))
}

/// `words` sets those of one lane, 0 until then.
fn load_with<T, F: Lanes>(f: &F, lanes: impl Iterator<Item = T>, words: impl Fn(&mut [u64], T)) -> F::Elem {
    let len = f.word_len();
    let mut all = vec![0; F::LANES * len];
    for (lane, value) in lanes.enumerate() {
        words(&mut all[lane * len..(lane + 1) * len], value);
    }
    let mut out = f.zero();
    f.load(&mut out, &all.chunks(len).collect::<Vec<_>>());
    out
}

/// Writes the residues of the first lanes, each to its own place.
pub(crate) fn store<'a, F: Lanes>(f: &F, places: impl Iterator<Item = &'a mut [u8]>, x: &F::Elem) {
    let len = f.word_len();
    let mut words = vec![0; F::LANES * len];
    f.store_all(&mut words, x);
    places.zip(words.chunks(len)).for_each(|(place, own)| residue_bytes(place, own));
}

/// Every coefficient of an element of the target group is below p.
pub(crate) fn check_coefficients<F: Lanes>(f: &F, bytes: &[u8]) -> Result<(), GtError> {
    for (coefficient, chunk) in bytes.chunks(f.byte_len()).enumerate() {
        check_residue(f.modulus(), chunk).map_err(|reason| GtError::Coefficient { coefficient, reason })?;
    }
    Ok(())
}

/// Checks up to LANES elements of the target group of `len` bytes: length and coefficients of each, then all at once whether they
/// are in the group.
pub(crate) fn check_elements<F: Lanes>(
    f: &F,
    len: usize,
    values: &[&[u8]],
    contains: impl FnOnce(&[&[u8]]) -> F::Mask,
) -> Vec<Result<(), GtError>> {
    let check = |bytes: &&[u8]| match bytes.len() {
        given if given != len => Err(GtError::Length { given, wanted: len }),
        _ => check_coefficients(f, bytes),
    };
    let checked: Vec<Result<(), GtError>> = values.iter().map(check).collect();
    if checked.iter().all(Result::is_err) {
        return checked;
    }
    let zero = vec![0; len];
    let lanes: Vec<&[u8]> = values.iter().zip(&checked).map(|(x, c)| if c.is_ok() { *x } else { &zero }).collect();
    let member = contains(&lanes);
    let in_group = |lane| if f.lane(member, lane) { Ok(()) } else { Err(GtError::NotInGroup) };
    checked.into_iter().enumerate().map(|(lane, checked)| checked.and_then(|()| in_group(lane))).collect()
}

/// A point whose coordinates are below p, before the curve is asked: x‖y, or x‖sign, told apart by their length.
#[derive(Clone, Copy)]
pub(crate) enum Parsed<'a> {
    Infinity,
    /// x and y.
    Full(&'a [u8], &'a [u8]),
    /// x, and whether y is odd.
    Compressed(&'a [u8], bool),
}

impl<'a> Parsed<'a> {
    /// A point with coordinates of `len` bytes.
    pub(crate) fn new<F: Lanes>(f: &F, len: usize, point: Encoded<'a>) -> Result<Self, PointError> {
        let Some(bytes) = point else { return Ok(Parsed::Infinity) };
        let (given, full, compressed) = (bytes.len(), 2 * len, len + 1);
        if given != full && given != compressed {
            return Err(PointError::Length { given, full, compressed });
        }
        let canonical = |part: &[u8], name| {
            let residue = |chunk| check_residue(f.modulus(), chunk).is_ok();
            if part.chunks(f.byte_len()).all(residue) { Ok(()) } else { Err(PointError::NotCanonical(name)) }
        };
        let (x, rest) = bytes.split_at(len);
        canonical(x, 'x')?;
        match rest {
            // a y of one byte cannot be told from a sign: fields of 8 bits have no use here
            [sign] if given == compressed => match sign {
                0 | 1 => Ok(Parsed::Compressed(x, *sign == 1)),
                other => Err(PointError::Sign(*other)),
            },
            y => canonical(y, 'y').map(|()| Parsed::Full(x, y)),
        }
    }

    /// x, unless it is O.
    pub(crate) fn x(self) -> Option<&'a [u8]> {
        match self {
            Parsed::Full(x, _) | Parsed::Compressed(x, _) => Some(x),
            Parsed::Infinity => None,
        }
    }

    /// y, where it is given.
    pub(crate) fn y(self) -> Option<&'a [u8]> {
        if let Parsed::Full(_, y) = self { Some(y) } else { None }
    }

    /// The parity of y, where that is given instead.
    pub(crate) fn odd(self) -> Option<bool> {
        if let Parsed::Compressed(_, odd) = self { Some(odd) } else { None }
    }
}
