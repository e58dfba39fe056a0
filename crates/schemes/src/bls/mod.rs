//! BLS signatures on BLS12-381 (Boneh, Lynn, Shacham, ASIACRYPT 2001) as draft-irtf-cfrg-bls-signature-05 defines
//! them: both variants, the three schemes against rogue keys, aggregation, and batches.
//!
//! A signature of m under the secret key x is xH(m). With the public key X = x·g it is valid if e(X, H(m)) = e(g,
//! xH(m)), or the same with the arguments exchanged: the public key lies in G1 and the signature in G2, or the other
//! way round ([`Variant`]).
//!
//! ```
//! use bilinear_schemes::bls::{Bls, Scheme, SecretKey, Variant};
//!
//! let bls = Bls::new(Variant::MinPk, Scheme::ProofOfPossession)?;
//! let keys: Vec<SecretKey> = (0..2).map(|i| SecretKey::generate(&[i; 32], b"")).collect::<Result<_, _>>()?;
//! let publics: Vec<_> = keys.iter().map(|key| bls.public_key(key)).collect();
//! let signatures: Vec<_> = keys.iter().map(|key| bls.sign(key, b"message")).collect();
//! assert!(bls.verify(&publics[0], b"message", &signatures[0]));
//! let both = bls.aggregate(&signatures)?;
//! assert!(bls.fast_aggregate_verify(&publics, b"message", &both)?);
//! assert_eq!(bls.read_signature(&bls.signature_bytes(&both))?, both);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Constant time: [`Bls::public_key`], [`Bls::sign`], [`Bls::sign_all`] and [`Bls::prove_possession`] in the secret
//! key, where timing may reveal the messages; [`SecretKey::generate`] in its input, except if a key is 0, which
//! happens once in 2^255 keys; the decoding and encoding of secret keys. Verification, the decoding of anything else
//! and aggregation process public values in variable time.

mod aggregate;
mod batch;
mod error;
mod many;
mod secret;

pub use aggregate::{AggregateVerifier, FastAggregateVerifier};
pub use batch::Signed;
pub use error::{
    BatchError, EmptyAggregateError, ProofOfPossessionError, PublicKeyError, RepeatedMessageError, SecretKeyError,
};
pub use secret::SecretKey;

use bilinear_engine::{
    Batch, Encoding, Group, HashError, Options, Point, PointError, System, SystemError, ThreadsError, Validate,
};
use bilinear_params::Curve;
use std::borrow::Cow;
use std::num::NonZeroUsize;

/// The groups of public keys and signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Public keys in G1 (48 bytes), signatures in G2 (96 bytes): Ethereum's choice.
    MinPk,
    /// Public keys in G2 (96 bytes), signatures in G1 (48 bytes).
    MinSig,
}

/// The defence against the rogue-key attack on aggregates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// The messages of an aggregate must differ (section 3.1).
    Basic,
    /// The signer's public key is prepended to each message (section 3.2).
    MessageAugmentation,
    /// Every public key comes with a signature on itself (section 3.3).
    ProofOfPossession,
}

/// A public key: a point of the group of order r other than O.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey(Point);

impl PublicKey {
    fn of(point: Point) -> Result<PublicKey, PublicKeyError> {
        if point.is_infinity() { Err(PublicKeyError::Infinity) } else { Ok(PublicKey(point)) }
    }
}

/// A signature, of one message or an aggregate: a point of the group of order r.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature(Point);

/// A proof of possession: its maker has the secret key of a public key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Possession(Point);

/// A ciphersuite of the draft's section 4.2. Cheap to clone.
#[derive(Clone)]
pub struct Bls {
    batch: Batch,
    variant: Variant,
    scheme: Scheme,
}

impl Bls {
    /// Creates the suite on the best engine of this processor.
    ///
    /// # Errors
    /// Returns an error if the engine does not compute with the curve.
    pub fn new(variant: Variant, scheme: Scheme) -> Result<Bls, SystemError> {
        Bls::with(variant, scheme, Options::default())
    }

    /// Creates the suite on a chosen engine.
    ///
    /// # Errors
    /// Returns an error as [`Bls::new`] does.
    pub fn with(variant: Variant, scheme: Scheme, options: Options) -> Result<Bls, SystemError> {
        let curve = Curve::named("bls12-381").unwrap_or_else(|e| unreachable!("a shipped curve: {e}"));
        Ok(Bls { batch: Batch::new(System::with(&curve, options)?).on_this_thread(), variant, scheme })
    }

    /// Spreads operations on many signatures over this many threads.
    ///
    /// # Errors
    /// Returns an error as [`Batch::threads`] does.
    pub fn threads(mut self, threads: NonZeroUsize) -> Result<Bls, ThreadsError> {
        self.batch = self.batch.threads(threads)?;
        Ok(self)
    }

    /// The curve and engine of the suite.
    pub fn system(&self) -> &System {
        self.batch.system()
    }

    /// The variant of the suite.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The scheme of the suite.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The name of the suite, which is also the domain separation tag of its messages.
    pub fn dst(&self) -> String {
        self.tag_of("SIG")
    }

    fn tag_of(&self, purpose: &str) -> String {
        let group = if self.variant == Variant::MinPk { "G2" } else { "G1" };
        let scheme = match self.scheme {
            Scheme::Basic => "NUL",
            Scheme::MessageAugmentation => "AUG",
            Scheme::ProofOfPossession => "POP",
        };
        format!("BLS_{purpose}_BLS12381{group}_XMD:SHA-256_SSWU_RO_{scheme}_")
    }

    fn key_group(&self) -> Group {
        if self.variant == Variant::MinPk { Group::G1 } else { Group::G2 }
    }

    fn signature_group(&self) -> Group {
        self.key_group().other()
    }

    /// Computes a public key: the draft's `SkToPk`. Constant time.
    pub fn public_key(&self, key: &SecretKey) -> PublicKey {
        PublicKey(self.system().mul_secret(key.bytes(), &self.system().generator(self.key_group())))
    }

    /// Signs a message: the draft's `Sign`. Constant time in the key.
    pub fn sign(&self, key: &SecretKey, message: &[u8]) -> Signature {
        let hashed = match self.scheme {
            Scheme::MessageAugmentation => self.hashed(Some(&self.public_key(key)), message),
            _ => self.hashed(None, message),
        };
        Signature(self.system().mul_secret(key.bytes(), &hashed))
    }

    /// Verifies a signature: the draft's `Verify`.
    pub fn verify(&self, key: &PublicKey, message: &[u8], signature: &Signature) -> bool {
        self.holds([self.pair(&key.0, self.hashed(Some(key), message))], &signature.0)
    }

    /// Aggregates signatures: the draft's `Aggregate`.
    ///
    /// # Errors
    /// Returns an error if there are no signatures.
    pub fn aggregate(&self, signatures: &[Signature]) -> Result<Signature, EmptyAggregateError> {
        let (first, rest) = signatures.split_first().ok_or(EmptyAggregateError)?;
        Ok(Signature(rest.iter().fold(first.0.clone(), |sum, s| self.system().add(&sum, &s.0))))
    }

    /// Verifies an aggregate in which each key signed its own message: the draft's `AggregateVerify`. Returns false
    /// for no messages, and in the basic scheme if two messages are equal. [`Bls::aggregate_verifier`] accepts keys
    /// and messages in parts.
    pub fn aggregate_verify(&self, signed: &[(&PublicKey, &[u8])], signature: &Signature) -> bool {
        let mut verifier = self.aggregate_verifier();
        verifier.add(signed).is_ok() && verifier.verify(signature)
    }

    /// Verifies an aggregate in which each key signed the one message: the draft's `FastAggregateVerify`. Each key
    /// came with a proof of possession, which the caller has verified. Returns false for no keys.
    /// [`Bls::fast_aggregate_verifier`] accepts keys in parts.
    ///
    /// # Errors
    /// Returns an error if the suite has another scheme.
    pub fn fast_aggregate_verify(
        &self,
        keys: &[PublicKey],
        message: &[u8],
        signature: &Signature,
    ) -> Result<bool, ProofOfPossessionError> {
        let mut verifier = self.fast_aggregate_verifier()?;
        verifier.add(keys);
        Ok(verifier.verify(message, signature))
    }

    /// Creates a proof of possession: the draft's `PopProve`. Constant time.
    ///
    /// # Errors
    /// Returns an error if the suite has another scheme.
    pub fn prove_possession(&self, key: &SecretKey) -> Result<Possession, ProofOfPossessionError> {
        let hashed = self.hashed_key(&self.public_key(key))?;
        Ok(Possession(self.system().mul_secret(key.bytes(), &hashed)))
    }

    /// Verifies a proof of possession: the draft's `PopVerify`.
    ///
    /// # Errors
    /// Returns an error if the suite has another scheme.
    pub fn verify_possession(&self, key: &PublicKey, proof: &Possession) -> Result<bool, ProofOfPossessionError> {
        Ok(self.holds([self.pair(&key.0, self.hashed_key(key)?)], &proof.0))
    }

    /// Encodes a public key in compressed form, 48 or 96 bytes.
    pub fn public_key_bytes(&self, key: &PublicKey) -> Vec<u8> {
        self.bytes(&key.0)
    }

    /// Decodes and checks a public key: the draft's `KeyValidate`. It must be a canonical point of the group other
    /// than O.
    ///
    /// # Errors
    /// Returns an error if the bytes are not such a point.
    pub fn read_public_key(&self, bytes: &[u8]) -> Result<PublicKey, PublicKeyError> {
        PublicKey::of(self.read(self.key_group(), bytes)?)
    }

    /// Encodes a signature in compressed form, 96 or 48 bytes.
    pub fn signature_bytes(&self, signature: &Signature) -> Vec<u8> {
        self.bytes(&signature.0)
    }

    /// Decodes a signature: a canonical point of the group. O is accepted, which no single key produces, but keys
    /// that cancel do.
    ///
    /// # Errors
    /// Returns an error if the bytes are not such a point.
    pub fn read_signature(&self, bytes: &[u8]) -> Result<Signature, PointError> {
        self.read(self.signature_group(), bytes).map(Signature)
    }

    /// Encodes a proof of possession in compressed form, 96 or 48 bytes.
    pub fn possession_bytes(&self, proof: &Possession) -> Vec<u8> {
        self.bytes(&proof.0)
    }

    /// Decodes a proof of possession.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a canonical point of the group.
    pub fn read_possession(&self, bytes: &[u8]) -> Result<Possession, PointError> {
        self.read(self.signature_group(), bytes).map(Possession)
    }

    fn bytes(&self, point: &Point) -> Vec<u8> {
        self.system()
            .encode_as(Encoding::Zcash, point)
            .unwrap_or_else(|e| unreachable!("BLS12-381 has the encoding: {e}"))
    }

    fn read(&self, group: Group, bytes: &[u8]) -> Result<Point, PointError> {
        self.system().decode_as(group, Encoding::Zcash, bytes, Validate::Subgroup)
    }

    /// Returns H(m), or H(PK ‖ m) if the scheme augments messages and the key is given.
    fn hashed(&self, key: Option<&PublicKey>, message: &[u8]) -> Point {
        let message = self.augmented(key, message);
        not_empty(self.system().hash_to_curve(self.signature_group(), &message, self.dst().as_bytes()))
    }

    /// Returns the hashes of many messages, each with its key.
    fn all_hashed(&self, signed: &[(&PublicKey, &[u8])]) -> Vec<Point> {
        self.all_messages_hashed(signed.iter().map(|(key, message)| (Some(*key), *message)))
    }

    /// Returns the hashes of many messages, each with or without a key.
    fn all_messages_hashed<'a>(&self, messages: impl Iterator<Item = (Option<&'a PublicKey>, &'a [u8])>) -> Vec<Point> {
        let messages: Vec<Cow<'_, [u8]>> = messages.map(|(key, message)| self.augmented(key, message)).collect();
        let messages: Vec<&[u8]> = messages.iter().map(|m| &m[..]).collect();
        not_empty(self.batch.hash_to_curve(self.signature_group(), &messages, self.dst().as_bytes()))
    }

    /// The input of the hash for a message.
    fn augmented<'a>(&self, key: Option<&PublicKey>, message: &'a [u8]) -> Cow<'a, [u8]> {
        match (self.scheme, key) {
            (Scheme::MessageAugmentation, Some(key)) => [&self.public_key_bytes(key)[..], message].concat().into(),
            _ => message.into(),
        }
    }

    fn hashed_key(&self, key: &PublicKey) -> Result<Point, ProofOfPossessionError> {
        Ok(self.all_keys_hashed(&[key])?.remove(0))
    }

    /// Hashes public keys as the messages of proofs of possession.
    fn all_keys_hashed(&self, keys: &[&PublicKey]) -> Result<Vec<Point>, ProofOfPossessionError> {
        self.needs_possession()?;
        let bytes: Vec<Vec<u8>> = keys.iter().map(|key| self.public_key_bytes(key)).collect();
        let bytes: Vec<&[u8]> = bytes.iter().map(Vec::as_slice).collect();
        Ok(not_empty(self.batch.hash_to_curve(self.signature_group(), &bytes, self.tag_of("POP").as_bytes())))
    }

    fn needs_possession(&self) -> Result<(), ProofOfPossessionError> {
        if self.scheme == Scheme::ProofOfPossession { Ok(()) } else { Err(ProofOfPossessionError) }
    }

    /// Returns the arguments (P, Q) for a point of the keys' group and a point of the signatures' group.
    fn pair(&self, key: &Point, other: Point) -> (Point, Point) {
        match self.variant {
            Variant::MinPk => (key.clone(), other),
            Variant::MinSig => (other, key.clone()),
        }
    }

    /// Returns true if Π e(X, H) = e(g, S): one product with −g, one final exponentiation.
    fn holds(&self, pairs: impl IntoIterator<Item = (Point, Point)>, signature: &Point) -> bool {
        let rows: Vec<_> = pairs.into_iter().chain([self.rhs(signature)]).collect();
        let one = self.of_known_points().check(&rows, std::slice::from_ref(&(0..rows.len())));
        matches!(one[..], [Ok(true)])
    }

    /// Returns (−g, S), which moves e(g, S) to the other side of the equation.
    fn rhs(&self, signature: &Point) -> (Point, Point) {
        let minus_g = self.system().neg(&self.system().generator(self.key_group()));
        self.pair(&minus_g, signature.clone())
    }

    /// The batch for points that are known to be in their groups.
    fn of_known_points(&self) -> Batch {
        self.batch.clone().validate(Validate::OnCurve)
    }
}

/// Unwraps a hash: the tags of this module are never empty.
fn not_empty<T>(hashed: Result<T, HashError>) -> T {
    hashed.unwrap_or_else(|e| unreachable!("the tag is not empty: {e}"))
}
