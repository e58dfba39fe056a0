//! What can go wrong, one variant a cause.

use bilinear_engine::PointError;

/// Why there is no secret key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SecretKeyError {
    /// A secret key has 32 bytes.
    #[error("{0} bytes: a secret key takes 32")]
    Length(usize),
    /// 0 is no key.
    #[error("the secret key is 0")]
    Zero,
    /// Keys are residues modulo the order of the groups.
    #[error("the secret key is not below the order of the groups")]
    NotCanonical,
    /// A secret key as text has 64 digits.
    #[error("{0} characters: a secret key takes 64 hexadecimal digits")]
    Digits(usize),
    /// A text is not hexadecimal.
    #[error("not hexadecimal")]
    NotHexadecimal,
    /// The draft asks for at least 32 bytes of key material.
    #[error("{0} bytes of key material: at least 32 are needed")]
    TooShort(usize),
    /// The draft gives the length of `key_info` no bound; HKDF hashes it, and we stop at 65535 bytes.
    #[error("{0} bytes of key information: at most 65535")]
    InfoTooLong(usize),
}

/// Why bytes are no public key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PublicKeyError {
    /// They are not the encoding of a point of the group.
    #[error(transparent)]
    Encoding(#[from] PointError),
    /// The point at infinity, under which everything that anybody signs with 0 verifies.
    #[error("the public key is the point at infinity")]
    Infinity,
}

/// There is nothing to aggregate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no signatures: an aggregate has at least one")]
pub struct Empty;

/// Proofs of possession, and what relies on them, belong to the scheme of that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("only the proof-of-possession scheme has this operation")]
pub struct NoSuchScheme;

/// Why many signatures cannot be verified at once.
#[derive(Clone, Copy, Debug, thiserror::Error)]
pub enum BatchError {
    /// The suite's scheme does not have what is to be verified.
    #[error(transparent)]
    Scheme(#[from] NoSuchScheme),
    /// The operating system has no randomness.
    #[error(transparent)]
    Randomness(#[from] getrandom::Error),
}

/// A message of an aggregate is there twice, counted from 0, which the basic scheme forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("message {second} is message {first} again: in the basic scheme the messages of an aggregate differ")]
pub struct RepeatedMessage {
    /// Where it was first.
    pub first: usize,
    /// Where it is again.
    pub second: usize,
}
