//! Encodings of the target group: all coefficients, or those of a point of an algebraic torus.

use crate::error::GtError;
use crate::options::UnknownName;
use crate::point::Gt;
use crate::system::System;
use bilinear_pairing::torus::Torus;
use std::fmt;
use std::str::FromStr;

/// How an element of the target group is written: coefficients over F_q, each big-endian in ⌈bits(q)/8⌉ bytes.
///
/// | encoding | curves | coefficients | 1 |
/// |---|---|---|---|
/// | `Plain` | all | k: those of x ([`Gt::bytes`]) | 1, 0, … |
/// | `Torus2` | all of even k | k/2: those of c in x = (1 + cs)/(1 − cs), F_q^k = F_q^(k/2)(s) | zeros |
/// | `Torus6` | BN, BLS12, BLS24, BLS48, KSS18 | k/3: those of a1, a2 in x = (m + w)/(m − w), m = a0 + a1·w² + a2·w⁴ | zeros |
///
/// s is i for types A and A1, √v for D and G, w where F_q^k = E(w); coefficients stand in the order of `Plain`. Every element has
/// one encoding, and any other byte string is refused with its reason. −1 is not in the group, whose order is odd, and has none.
/// Rubin and Silverberg (CRYPTO 2003); Naehrig, Barreto and Schwabe (AFRICACRYPT 2008); [`Torus`] has the equations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GtEncoding {
    /// All coefficients.
    #[default]
    Plain,
    /// On T2: half as many.
    Torus2,
    /// On T6: a third.
    Torus6,
}

impl GtEncoding {
    /// All of them.
    pub const ALL: [GtEncoding; 3] = [GtEncoding::Plain, GtEncoding::Torus2, GtEncoding::Torus6];

    /// The name in commands and messages: `plain`, `torus2` or `torus6`.
    pub fn name(self) -> &'static str {
        match self {
            GtEncoding::Plain => "plain",
            GtEncoding::Torus2 => "torus2",
            GtEncoding::Torus6 => "torus6",
        }
    }

    fn torus(self) -> Option<Torus> {
        match self {
            GtEncoding::Plain => None,
            GtEncoding::Torus2 => Some(Torus::Two),
            GtEncoding::Torus6 => Some(Torus::Six),
        }
    }
}

impl fmt::Display for GtEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for GtEncoding {
    type Err = UnknownName;
    fn from_str(name: &str) -> Result<GtEncoding, UnknownName> {
        UnknownName::find("encoding of the target group", name, &GtEncoding::ALL)
    }
}

impl System {
    /// Bytes of an element of the target group.
    ///
    /// # Errors
    /// If the curve has no such encoding.
    pub fn gt_encoded_len(&self, encoding: GtEncoding) -> Result<usize, GtError> {
        match encoding.torus() {
            None => Ok(self.gt_len()),
            Some(torus) if self.backend().has_torus(torus) => Ok(self.gt_len() / torus.factor()),
            Some(_) => Err(GtError::Unsuited(encoding)),
        }
    }

    /// Writes an element of the target group.
    ///
    /// # Errors
    /// If the curve has no such encoding.
    pub fn encode_gt_as(&self, encoding: GtEncoding, x: &Gt) -> Result<Vec<u8>, GtError> {
        self.owns(x.curve);
        self.gt_encoded_len(encoding)?;
        Ok(match encoding.torus() {
            None => x.bytes().to_vec(),
            Some(torus) => self.backend().compress_gt(torus, x.bytes()),
        })
    }

    /// Checks and reads an element of the target group: length, canonical coefficients, the group.
    ///
    /// # Errors
    /// The first of these that fails, or if the curve has no such encoding.
    pub fn decode_gt_as(&self, encoding: GtEncoding, bytes: &[u8]) -> Result<Gt, GtError> {
        let (given, wanted) = (bytes.len(), self.gt_encoded_len(encoding)?);
        let Some(torus) = encoding.torus() else { return self.decode_gt(bytes) };
        if given != wanted {
            return Err(GtError::Length { given, wanted });
        }
        Ok(self.gt(self.backend().decompress_gt(torus, bytes)?))
    }
}
