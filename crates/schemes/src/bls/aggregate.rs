//! The draft's `AggregateVerify` and `FastAggregateVerify` on input that comes in parts. `AggregateVerify` keeps the
//! product of the Miller loops so far and, in the basic scheme, 32 bytes of each message. `FastAggregateVerify` keeps
//! the sum of the keys.

use super::error::{ProofOfPossessionError, RepeatedMessageError};
use super::{Bls, PublicKey, Scheme, Signature};
use bilinear_engine::{MillerValue, Point};
use sha2::{Digest, Sha256};
use std::collections::HashMap;

/// The verifier of an aggregate signature over keys and messages.
pub struct AggregateVerifier {
    bls: Bls,
    /// The product Π e(X_i, H(m_i)) before the final exponentiation; `None` before the first message.
    product: Option<MillerValue>,
    /// The index of the first occurrence of each message, by the message's hash.
    seen: HashMap<[u8; 32], usize>,
    /// The number of messages so far.
    messages: usize,
    /// Whether a message that must not repeat has occurred twice.
    repeated: bool,
}

/// The verifier of an aggregate signature over one message.
#[derive(Clone)]
pub struct FastAggregateVerifier {
    bls: Bls,
    /// The sum of the keys; `None` before the first key.
    sum: Option<Point>,
}

impl Bls {
    /// Creates a verifier of an aggregate over one message, whose keys come in parts. The caller has verified their
    /// proofs of possession.
    ///
    /// # Errors
    /// Returns an error if the suite has another scheme.
    pub fn fast_aggregate_verifier(&self) -> Result<FastAggregateVerifier, ProofOfPossessionError> {
        self.needs_possession()?;
        Ok(FastAggregateVerifier { bls: self.clone(), sum: None })
    }

    /// Creates a verifier of an aggregate whose keys and messages come in parts.
    pub fn aggregate_verifier(&self) -> AggregateVerifier {
        AggregateVerifier { bls: self.clone(), product: None, seen: HashMap::new(), messages: 0, repeated: false }
    }
}

impl AggregateVerifier {
    /// Adds further keys, each with the message that it has signed.
    ///
    /// # Errors
    /// Returns an error if a message has occurred before, in the basic scheme; from then on nothing verifies.
    pub fn add(&mut self, signed: &[(&PublicKey, &[u8])]) -> Result<(), RepeatedMessageError> {
        if self.bls.scheme() == Scheme::Basic {
            for (second, (_, message)) in (self.messages..).zip(signed) {
                let first = *self.seen.entry(Sha256::digest(message).into()).or_insert(second);
                if first != second {
                    self.repeated = true;
                    return Err(RepeatedMessageError { first, second });
                }
            }
        }
        self.messages += signed.len();
        let hashed = signed.iter().zip(self.bls.all_hashed(signed));
        let pairs: Vec<(Point, Point)> = hashed.map(|((key, _), hashed)| self.bls.pair(&key.0, hashed)).collect();
        if !pairs.is_empty() {
            self.product = Some(self.with(&pairs));
        }
        Ok(())
    }

    /// Returns true if the signature is the aggregate over all messages so far; false if there are none.
    pub fn verify(&self, signature: &Signature) -> bool {
        self.product.is_some()
            && !self.repeated
            && self.bls.batch.final_exponentiation_is_one(&[self.with(&[self.bls.rhs(&signature.0)])]) == [true]
    }

    /// Returns the product with further pairs.
    fn with(&self, pairs: &[(Point, Point)]) -> MillerValue {
        let made = self.bls.of_known_points().miller(pairs, std::slice::from_ref(&(0..pairs.len()))).remove(0);
        let made = made.unwrap_or_else(|e| unreachable!("points that were read: {e}"));
        self.product.as_ref().map_or_else(|| made.clone(), |product| self.bls.system().miller_mul(product, &made))
    }
}

impl FastAggregateVerifier {
    /// Adds further keys.
    pub fn add(&mut self, keys: &[PublicKey]) {
        let system = self.bls.system();
        let sum = self.sum.take().into_iter().chain(keys.iter().map(|key| key.0.clone()));
        self.sum = sum.reduce(|sum, key| system.add(&sum, &key));
    }

    /// Returns true if the signature is that of all keys so far on this message; false if there are no keys, or if
    /// they cancel.
    pub fn verify(&self, message: &[u8], signature: &Signature) -> bool {
        let Some(key) = self.sum.as_ref().filter(|key| !key.is_infinity()) else { return false };
        self.bls.holds([self.bls.pair(key, self.bls.hashed(None, message))], &signature.0)
    }
}
