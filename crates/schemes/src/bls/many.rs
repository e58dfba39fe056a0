//! Signing and decoding of many values at once: in lanes, where there are any, and on all threads.

use super::error::PublicKeyError;
use super::{Bls, Possession, PublicKey, Scheme, SecretKey, Signature};
use bilinear_engine::{Encoding, Group, Point, PointError, PointRef};

impl Bls {
    /// Signs each message, as [`Bls::sign`] does. Constant time in the key.
    pub fn sign_all(&self, key: &SecretKey, messages: &[&[u8]]) -> Vec<Signature> {
        let public = (self.scheme == Scheme::MessageAugmentation).then(|| self.public_key(key));
        let hashed = self.all_messages_hashed(messages.iter().map(|message| (public.as_ref(), *message)));
        let terms: Vec<(&[u8], Point)> = hashed.into_iter().map(|hashed| (key.bytes(), hashed)).collect();
        self.batch.mul_secret(self.signature_group(), &terms).into_iter().map(Signature).collect()
    }

    /// Decodes public keys, each as [`Bls::read_public_key`] does.
    pub fn read_public_keys(&self, keys: &[&[u8]]) -> Vec<Result<PublicKey, PublicKeyError>> {
        self.read_all(self.key_group(), keys).into_iter().map(|point| PublicKey::of(point?)).collect()
    }

    /// Decodes signatures, each as [`Bls::read_signature`] does.
    pub fn read_signatures(&self, signatures: &[&[u8]]) -> Vec<Result<Signature, PointError>> {
        self.read_all(self.signature_group(), signatures).into_iter().map(|point| point.map(Signature)).collect()
    }

    /// Decodes proofs of possession, each as [`Bls::read_possession`] does.
    pub fn read_possessions(&self, proofs: &[&[u8]]) -> Vec<Result<Possession, PointError>> {
        self.read_all(self.signature_group(), proofs).into_iter().map(|point| point.map(Possession)).collect()
    }

    fn read_all(&self, group: Group, points: &[&[u8]]) -> Vec<Result<Point, PointError>> {
        let points: Vec<PointRef<'_>> = points.iter().map(|bytes| PointRef::Encoded(Encoding::Zcash, bytes)).collect();
        self.batch.decode(group, &points)
    }
}
