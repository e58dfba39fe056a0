//! Messages encrypted under a key derived from an element of GT. HKDF-SHA-256 (RFC 5869) produces a stream, which is
//! added to the message, and a key for HMAC-SHA-256 over everything. HKDF's first step is HMAC, with its salt as the
//! key (section 2.2).
//!
//! A key of GT is used once. An element that is not the key opens a message with probability 2^−256 (if HMAC is a
//! random function).

use hkdf::Hkdf;
use sha2::Sha256;
use zeroize::Zeroizing;

/// The number of bytes by which a sealed message is longer than the message.
pub(crate) const TAG: usize = 32;
/// The longest message, in bytes.
pub(crate) const MAX: usize = 1 << 24;
/// The label of the stream that encrypts a message.
const STREAM: &str = "bilinear stream ";
/// The most bytes that one expansion of HKDF produces.
const BLOCK: usize = 255 * 32;

/// Returns the encrypted message and its tag, which authenticates `before` too.
pub(crate) fn seal(key: &[u8], before: &[u8], message: &[u8]) -> Vec<u8> {
    let derived = Hkdf::<Sha256>::new(None, key);
    let mut sealed = message.to_vec();
    add_stream(&derived, STREAM, &mut sealed);
    let tag = tag(&derived, before, &sealed);
    sealed.extend(tag);
    sealed
}

/// Returns the message; `None` if this is not the key.
pub(crate) fn open(key: &[u8], before: &[u8], sealed: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let (message, given) = sealed.split_at_checked(sealed.len().checked_sub(TAG)?)?;
    let derived = Hkdf::<Sha256>::new(None, key);
    let differs = tag(&derived, before, message).iter().zip(given).fold(0, |all, (a, b)| all | (a ^ b));
    if differs != 0 {
        return None;
    }
    let mut message = Zeroizing::new(message.to_vec());
    add_stream(&derived, STREAM, &mut message);
    Some(message)
}

/// Adds the stream of a key to bytes. Each label gives another function of the key.
pub(crate) fn mask(key: &[u8], label: &str, bytes: &mut [u8]) {
    add_stream(&Hkdf::<Sha256>::new(None, key), label, bytes);
}

fn add_stream(derived: &Hkdf<Sha256>, label: &str, bytes: &mut [u8]) {
    for (i, block) in bytes.chunks_mut(BLOCK).enumerate() {
        let mut stream = Zeroizing::new(vec![0; block.len()]);
        expand(derived, &[label.as_bytes(), &(i as u64).to_be_bytes()].concat(), &mut stream);
        block.iter_mut().zip(stream.iter()).for_each(|(byte, other)| *byte ^= other);
    }
}

fn tag(derived: &Hkdf<Sha256>, before: &[u8], sealed: &[u8]) -> [u8; TAG] {
    let mut key = Zeroizing::new([0; 32]);
    expand(derived, b"bilinear tag", &mut key[..]);
    // the length of the first part is authenticated too
    let all = [before, sealed, &(before.len() as u64).to_be_bytes()].concat();
    Hkdf::<Sha256>::extract(Some(&key[..]), &all).0.into()
}

fn expand(derived: &Hkdf<Sha256>, info: &[u8], out: &mut [u8]) {
    derived.expand(info, out).unwrap_or_else(|e| unreachable!("at most 255 blocks: {e}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_what_was_sealed_and_nothing_else() {
        for len in [0, 1, 100, BLOCK, BLOCK + 1, 3 * BLOCK] {
            let message: Vec<u8> = (0..len).map(|i| (7 * i) as u8).collect();
            let sealed = seal(b"key", b"before", &message);
            assert_eq!(sealed.len(), len + TAG);
            assert_eq!(open(b"key", b"before", &sealed).as_deref(), Some(&message));
            assert!(open(b"yek", b"before", &sealed).is_none() && open(b"key", b"beforf", &sealed).is_none());
            for i in (0..sealed.len()).step_by(len / 50 + 1) {
                let mut changed = sealed.clone();
                changed[i] ^= 1;
                assert!(open(b"key", b"before", &changed).is_none(), "byte {i} of {len}");
            }
            assert!(open(b"key", b"before", &sealed[1..]).is_none() && open(b"key", b"", &sealed[..TAG - 1]).is_none());
            // moving the border between the parts must not go unnoticed
            let moved = [b"re", &sealed[..]].concat();
            assert!(open(b"key", b"befo", &moved).is_none());
        }
        let sealed = seal(b"key", b"", &[0; 2 * BLOCK]);
        assert!(sealed[..BLOCK] != sealed[BLOCK..2 * BLOCK]);
        // another label gives another stream
        let mut masked = [[0; 32]; 2];
        masked.iter_mut().zip(["a ", "b "]).for_each(|(bytes, label)| mask(b"key", label, bytes));
        assert!(masked[0] != masked[1] && masked.iter().all(|bytes| bytes[..] != sealed[..32]));
    }
}
