//! Encodings of the target group: all coefficients, or those of a point of an algebraic torus.

use crate::backend::{GtEncoding, GtError};
use crate::point::Gt;
use crate::system::System;

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
