//! Errors of the scheme, one variant per cause.

use bilinear_engine::PointError;

/// The reason why a secret key cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SecretKeyError {
    /// The input does not have the 32 bytes of a secret key.
    #[error("a secret key takes 32 bytes, not {0}")]
    Length(usize),
    /// The number is 0, which is not a key.
    #[error("the secret key is 0")]
    Zero,
    /// The number is not below the order of the groups.
    #[error("the secret key is not below the order of the groups")]
    NotCanonical,
    /// The text does not have the 64 digits of a secret key.
    #[error("a secret key takes 64 hexadecimal digits, not a text of length {0}")]
    Digits(usize),
    /// The text is not hexadecimal.
    #[error("not hexadecimal")]
    NotHexadecimal,
    /// The key material has fewer than the 32 bytes that the draft demands.
    #[error("at least 32 bytes of key material are needed, not {0}")]
    TooShort(usize),
    /// `key_info` is too long. The draft sets no bound to its length, and HKDF hashes it; this library accepts up to
    /// 65535 bytes.
    #[error("{0} bytes of key information: at most 65535 are allowed")]
    InfoTooLong(usize),
}

/// The reason why bytes are not a public key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PublicKeyError {
    /// The bytes are not the encoding of a point of the group.
    #[error(transparent)]
    Encoding(#[from] PointError),
    /// The key is the point at infinity, under which every message signed with the key 0 verifies.
    #[error("the public key is the point at infinity")]
    Infinity,
}

impl PublicKeyError {
    /// A stable word for the cause, one of [`PointError::CODES`].
    pub fn code(&self) -> &'static str {
        match self {
            PublicKeyError::Encoding(error) => error.code(),
            PublicKeyError::Infinity => PointError::Infinity.code(),
        }
    }
}

/// The error for an aggregate of no signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no signatures: an aggregate needs at least one")]
pub struct EmptyAggregateError;

/// The error for a suite of another scheme: proofs of possession, and operations that rely on them, belong to the
/// proof-of-possession scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("only the proof-of-possession scheme has this operation")]
pub struct ProofOfPossessionError;

/// The reason why many signatures cannot be verified at once.
#[derive(Clone, Copy, Debug, thiserror::Error)]
pub enum BatchError {
    /// The suite's scheme has no proofs of possession to verify.
    #[error(transparent)]
    Scheme(#[from] ProofOfPossessionError),
    /// The operating system provides no randomness.
    #[error(transparent)]
    Randomness(#[from] getrandom::Error),
}

/// The error for a message that occurs twice in an aggregate, which the basic scheme forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("message {second} repeats message {first}: in the basic scheme the messages of an aggregate must differ")]
pub struct RepeatedMessageError {
    /// The index of the first occurrence, from 0.
    pub first: usize,
    /// The index of the repetition, from 0.
    pub second: usize,
}
