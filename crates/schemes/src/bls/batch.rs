//! Many signatures at once (Ferrara, Green, Hohenberger, Pedersen, CT-RSA 2009, section 3): for random c_i of 128 bits
//! Π e(c_i·X_i, H(m_i)) = e(g, Σ c_i·S_i), with n + 1 Miller loops and one final exponentiation for n signatures. Wrong signatures
//! pass with probability 2^−128 at most.

use super::{Bls, PublicKey, Signature, Variant};
use bilinear_engine::{Batch, Group, Point};
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
        let keys: Vec<(&PublicKey, &[u8])> = signed.iter().map(|s| (s.key, s.message)).collect();
        let hashed = self.all_hashed(&keys);
        // c goes to the point of G1, where multiplication is cheaper
        let in_g1 = signed.iter().zip(&hashed).map(|(signed, hashed)| match self.variant {
            Variant::MinPk => signed.key.0.clone(),
            Variant::MinSig => hashed.clone(),
        });
        let terms: Vec<(&[u8], Point)> = random.chunks(16).zip(in_g1).collect();
        let multiples = Batch::new(self.system.clone()).multiples(Group::G1, &terms);
        let pairs = signed.iter().zip(hashed).zip(multiples).map(|((signed, hashed), multiple)| match self.variant {
            Variant::MinPk => self.pair(&multiple, hashed),
            Variant::MinSig => self.pair(&signed.key.0, multiple),
        });
        let scaled = |(c, signed): (&[u8], &Signed<'_>)| (BigUint::from_bytes_be(c), signed.signature.0.clone());
        let signatures: Vec<(BigUint, Point)> = random.chunks(16).zip(signed).map(scaled).collect();
        Ok(self.holds(pairs, &self.system.combination(self.signature_group(), &signatures)))
    }
}
