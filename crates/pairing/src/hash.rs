//! Hashing to field elements: `expand_message_xmd` with SHA-256 and `hash_to_field` of RFC 9380, sections 5.2 and 5.3.

use num_bigint::BigUint;
use sha2::{Digest, Sha256};

/// The output length and the block length of SHA-256, in bytes.
const DIGEST: usize = 32;
const BLOCK: usize = 64;
/// The security parameter k of `hash_to_field`, in bits.
const SECURITY: u64 = 128;

/// The reason why a message cannot be hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HashError {
    /// The tag is empty, which RFC 9380, section 3.1, forbids.
    #[error("the domain separation tag is empty: RFC 9380 requires at least one byte")]
    EmptyTag,
    /// The output would take more than 255 digests.
    #[error("{0} bytes were requested: expand_message_xmd with SHA-256 gives at most 8160")]
    TooLong(usize),
}

/// Expands a message and a domain separation tag to `len` uniform bytes (RFC 9380, section 5.3.1). Tags longer than
/// 255 bytes are hashed first (section 5.3.3).
///
/// # Errors
/// Returns an error if the tag is empty or if more than 8160 bytes are requested.
pub fn expand_message_xmd(message: &[u8], dst: &[u8], len: usize) -> Result<Vec<u8>, HashError> {
    if dst.is_empty() {
        return Err(HashError::EmptyTag);
    }
    let blocks = len.div_ceil(DIGEST);
    if blocks > 255 {
        return Err(HashError::TooLong(len));
    }
    let long = (dst.len() > 255).then(|| Sha256::new().chain_update(b"H2C-OVERSIZE-DST-").chain_update(dst).finalize());
    let dst = long.as_ref().map_or(dst, |digest| &digest[..]);
    let suffix = [dst, &[dst.len() as u8]].concat();
    let first = Sha256::new()
        .chain_update([0; BLOCK])
        .chain_update(message)
        .chain_update((len as u16).to_be_bytes())
        .chain_update([0])
        .chain_update(&suffix)
        .finalize();
    let mut out = Vec::with_capacity(blocks * DIGEST);
    let mut previous = [0; DIGEST];
    for i in 1..=blocks {
        // b_i = H((b_0 xor b_(i−1)) ‖ i ‖ tag); b_1 is computed from b_0 alone
        let mixed: Vec<u8> = first.iter().zip(previous).map(|(a, b)| a ^ b).collect();
        previous = Sha256::new().chain_update(mixed).chain_update([i as u8]).chain_update(&suffix).finalize().into();
        out.extend(previous);
    }
    out.truncate(len);
    Ok(out)
}

/// Hashes a message to `count` elements of F_p, each statistically uniform: ⌈(bits(p) + 128)/8⌉ expanded bytes, read
/// as a big-endian integer, modulo p. The elements are the coefficients of elements of an extension, one after the
/// other.
///
/// # Errors
/// Returns an error in the cases of [`expand_message_xmd`].
pub fn hash_to_field(message: &[u8], dst: &[u8], p: &BigUint, count: usize) -> Result<Vec<BigUint>, HashError> {
    let len = (p.bits() + SECURITY).div_ceil(8) as usize;
    let uniform = expand_message_xmd(message, dst, count * len)?;
    Ok(uniform.chunks(len).map(|bytes| BigUint::from_bytes_be(bytes) % p).collect())
}
