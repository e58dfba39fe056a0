//! Encodings of the target group: all coefficients, or the coefficients of a point of an algebraic torus.

use super::EncodingError;
use crate::backend::{GtEncoding, GtError};
use crate::outcomes::in_place;
use crate::point::Gt;
use crate::system::System;
use bilinear_field::CollectVec;

impl System {
    /// The number of bytes of an element of the target group in an encoding.
    ///
    /// # Errors
    /// Returns an error if the curve has no such encoding.
    pub fn gt_encoded_len(&self, encoding: GtEncoding) -> Result<usize, EncodingError> {
        match encoding.torus() {
            None => Ok(self.gt_len()),
            Some(torus) if self.backend().has_torus(torus) => Ok(self.gt_len() / torus.factor()),
            Some(_) => Err(self.has_no(encoding.name())),
        }
    }

    /// Encodes an element of the target group.
    ///
    /// # Errors
    /// Returns an error if the curve has no such encoding.
    pub fn encode_gt_as(&self, encoding: GtEncoding, x: &Gt) -> Result<Vec<u8>, EncodingError> {
        self.gt_encoded_len(encoding)?;
        Ok(self.encode_gts_as(encoding, std::slice::from_ref(x)).remove(0))
    }

    /// Checks and decodes an element of the target group: length, canonical coefficients, group membership.
    ///
    /// # Errors
    /// Returns the error of the first check that fails, or an error if the curve has no such encoding.
    pub fn decode_gt_as(&self, encoding: GtEncoding, bytes: &[u8]) -> Result<Gt, GtError> {
        self.decode_gts_as(encoding, &[bytes]).remove(0)
    }

    /// Encodes elements of the target group, in lanes where there are enough. The curve must have the encoding.
    pub(crate) fn encode_gts_as(&self, encoding: GtEncoding, values: &[Gt]) -> Vec<Vec<u8>> {
        values.iter().for_each(|x| self.owns(x.curve));
        let raw: Vec<&[u8]> = values.iter().map(Gt::bytes).collect_vec();
        match encoding.torus() {
            None => raw.into_iter().map(<[u8]>::to_vec).collect_vec(),
            Some(torus) => self.backend_for(raw.len()).compress_gt(torus, &raw),
        }
    }

    /// Checks and decodes elements of the target group, in lanes where there are enough.
    pub(crate) fn decode_gts_as(&self, encoding: GtEncoding, values: &[&[u8]]) -> Vec<Result<Gt, GtError>> {
        let Ok(wanted) = self.gt_encoded_len(encoding) else {
            return vec![Err(GtError::Encoding(encoding)); values.len()];
        };
        let Some(torus) = encoding.torus() else { return self.decode_gts(values) };
        let long = values.iter().map(|bytes| match bytes.len() {
            given if given != wanted => Err(GtError::Length { given, wanted }),
            _ => Ok(*bytes),
        });
        let read = in_place(long, |long| self.backend_for(long.len()).decompress_gt(torus, &long));
        read.into_iter().map(|read| read.flatten().map(|bytes| self.gt(bytes))).collect_vec()
    }
}
