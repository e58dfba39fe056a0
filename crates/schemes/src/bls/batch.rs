//! Many signatures at once (Ferrara, Green, Hohenberger, Pedersen, CT-RSA 2009, section 3): for random c_i of 128 bits
//! Π e(c_i·X_i, H(m_i)) = e(g, Σ c_i·S_i), with n + 1 Miller loops and one final exponentiation for n signatures. Wrong signatures
//! pass with probability 2^−128 at most.

use super::{Bls, PublicKey, Signature, Variant};
use bilinear_engine::Point;
use num_bigint::BigUint;

/// A signed message.
#[derive(Clone, Copy, Debug)]
pub struct Signed<'a> {
    /// Whose signature it is.
    pub key: &'a PublicKey,
    /// The message.
    pub message: &'a [u8],
    /// The signature.
    pub signature: &'a Signature,
}

impl Bls {
    /// Whether all signatures are right: true for none. Where it is false, [`Bls::verify`] tells which are wrong.
    ///
    /// # Errors
    /// If the operating system has no randomness.
    pub fn batch_verify(&self, signed: &[Signed<'_>]) -> Result<bool, getrandom::Error> {
        let mut random = vec![0; 16 * signed.len()];
        getrandom::fill(&mut random)?;
        let mut signatures = Vec::with_capacity(signed.len());
        let mut pairs: Vec<(Point, Point)> = Vec::with_capacity(signed.len() + 1);
        for (Signed { key, message, signature }, c) in signed.iter().zip(random.chunks(16)) {
            let c = BigUint::from_bytes_be(c);
            signatures.push((c.clone(), signature.0.clone()));
            let hashed = self.hashed(Some(key), message);
            // c goes to the point of G1, where multiplication is cheaper
            pairs.push(match self.variant {
                Variant::MinPk => self.pair(&self.system.mul(&c, &key.0), hashed),
                Variant::MinSig => self.pair(&key.0, self.system.mul(&c, &hashed)),
            });
        }
        Ok(self.holds(pairs, &self.system.combination(self.signature_group(), &signatures)))
    }
}
