//! Batch verification of many signatures (Ferrara, Green, Hohenberger, Pedersen, CT-RSA 2009, section 3). For random
//! c_i of 128 bits the test is Π e(c_i·X_i, H(m_i)) = e(g, Σ c_i·S_i), with n + 1 Miller loops and one final
//! exponentiation for n signatures. Wrong signatures pass with probability at most 2^−128.
//!
//! To find the wrong signatures, a batch that does not pass is split into sixteenths, and so on. With one wrong
//! signature, n signatures take n + n/16 + … Miller loops. However many are wrong, each signature is in at most
//! ⌈log₁₆ n⌉ batches before it is verified alone.

use super::error::BatchError;
use super::{Bls, Possession, PublicKey, Signature, Variant};
use bilinear_engine::{Group, Point};
use num_bigint::BigUint;
use std::ops::Range;

/// The number of batches into which a failed batch is split, and the number of signatures up to which they are
/// verified one by one.
const SPLIT: usize = 16;

/// A signed message.
#[derive(Clone, Copy, Debug)]
pub struct Signed<'a> {
    /// The public key of the signer.
    pub key: &'a PublicKey,
    /// The message.
    pub message: &'a [u8],
    /// The signature.
    pub signature: &'a Signature,
}

/// An equation to verify: e(X, H) = e(g, S).
struct Claim<'a> {
    key: &'a Point,
    hashed: Point,
    signature: &'a Point,
}

impl Bls {
    /// Returns true if all signatures are valid; true for no signatures. [`Bls::verify_each`] tells which are
    /// invalid.
    ///
    /// # Errors
    /// Returns an error if the operating system provides no randomness.
    pub fn batch_verify(&self, signed: &[Signed<'_>]) -> Result<bool, getrandom::Error> {
        self.all_hold(&self.claims(signed))
    }

    /// Returns which signatures are valid, as [`Bls::verify`] does for each, in much less time if most of them are.
    ///
    /// # Errors
    /// Returns an error if the operating system provides no randomness.
    pub fn verify_each(&self, signed: &[Signed<'_>]) -> Result<Vec<bool>, getrandom::Error> {
        self.each_holds(&self.claims(signed))
    }

    /// Returns which proofs of possession are valid, as [`Bls::verify_possession`] does for each.
    ///
    /// # Errors
    /// Returns an error if the suite has another scheme, or if the operating system provides no randomness.
    pub fn verify_possessions(&self, proofs: &[(&PublicKey, &Possession)]) -> Result<Vec<bool>, BatchError> {
        let keys: Vec<&PublicKey> = proofs.iter().map(|(key, _)| *key).collect();
        let hashed = self.all_keys_hashed(&keys)?;
        let claim = |(i, hashed)| {
            let (key, proof): (&PublicKey, &Possession) = proofs[i];
            Claim { key: &key.0, hashed, signature: &proof.0 }
        };
        Ok(self.each_holds(&hashed.into_iter().enumerate().map(claim).collect::<Vec<_>>())?)
    }

    fn claims<'a>(&self, signed: &[Signed<'a>]) -> Vec<Claim<'a>> {
        let messages: Vec<(&PublicKey, &[u8])> = signed.iter().map(|s| (s.key, s.message)).collect();
        let hashed = self.all_hashed(&messages);
        let claim = |(s, hashed): (&Signed<'a>, Point)| Claim { key: &s.key.0, hashed, signature: &s.signature.0 };
        signed.iter().zip(hashed).map(claim).collect()
    }

    fn each_holds(&self, claims: &[Claim<'_>]) -> Result<Vec<bool>, getrandom::Error> {
        if claims.len() <= SPLIT {
            return Ok(self.one_by_one(claims));
        }
        if self.all_hold(claims)? {
            return Ok(vec![true; claims.len()]);
        }
        let mut verdicts = Vec::with_capacity(claims.len());
        for part in claims.chunks(claims.len().div_ceil(SPLIT)) {
            verdicts.extend(self.each_holds(part)?);
        }
        Ok(verdicts)
    }

    fn one_by_one(&self, claims: &[Claim<'_>]) -> Vec<bool> {
        let pairs = |claim: &Claim<'_>| [self.pair(claim.key, claim.hashed.clone()), self.rhs(claim.signature)];
        let rows: Vec<(Point, Point)> = claims.iter().flat_map(pairs).collect();
        let groups: Vec<Range<usize>> = (0..claims.len()).map(|i| 2 * i..2 * i + 2).collect();
        self.of_known_points().check(&rows, &groups).into_iter().map(|one| one == Ok(true)).collect()
    }

    fn all_hold(&self, claims: &[Claim<'_>]) -> Result<bool, getrandom::Error> {
        let mut random = vec![0; 16 * claims.len()];
        getrandom::fill(&mut random)?;
        // c multiplies the point of G1, where multiplication is cheaper
        let in_g1 = claims.iter().map(|claim| match self.variant {
            Variant::MinPk => claim.key.clone(),
            Variant::MinSig => claim.hashed.clone(),
        });
        let terms: Vec<(&[u8], Point)> = random.chunks(16).zip(in_g1).collect();
        let multiples = self.batch.mul_secret(Group::G1, &terms);
        let pairs = claims.iter().zip(multiples).map(|(claim, multiple)| match self.variant {
            Variant::MinPk => self.pair(&multiple, claim.hashed.clone()),
            Variant::MinSig => self.pair(claim.key, multiple),
        });
        let scaled = |(c, claim): (&[u8], &Claim<'_>)| (BigUint::from_bytes_be(c), claim.signature.clone());
        let signatures: Vec<(BigUint, Point)> = random.chunks(16).zip(claims).map(scaled).collect();
        Ok(self.holds(pairs, &self.batch.msm(self.signature_group(), &signatures)))
    }
}
