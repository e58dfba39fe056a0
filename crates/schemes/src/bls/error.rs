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
