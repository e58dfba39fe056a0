//! Secret keys: residues modulo r other than 0, and the draft's `KeyGen` (section 2.3).

use super::error::SecretKeyError;
use crate::hex;
use bilinear_field::memcheck;
use crypto_bigint::{CtLt, Encoding, NonZero, U256, U384};
use hkdf::Hkdf;
use sha2::{Digest, Sha256};
use std::fmt;
use zeroize::{Zeroize, Zeroizing};

/// The order of the groups of BLS12-381, r.
const ORDER: U256 = U256::from_be_hex("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001");
/// The order r as a modulus for 48 bytes.
const MODULUS: NonZero<U384> = NonZero::<U384>::new_unwrap(ORDER.resize());
/// The number of bytes reduced to a key, L = ⌈3⌈log2 r⌉/16⌉: the residue is uniform up to 2^−129.
const MATERIAL: usize = 48;

/// A secret key. Zeroized when dropped and never printed.
#[derive(Clone)]
pub struct SecretKey(Zeroizing<[u8; 32]>);

impl SecretKey {
    /// Derives a key from at least 32 bytes that nobody can guess: the draft's `KeyGen`. The optional public
    /// information `info` allows several keys of one secret. Constant time in the secret.
    ///
    /// # Errors
    /// Returns an error for fewer than 32 bytes of secret, or more than 65535 bytes of information.
    pub fn generate(secret: &[u8], info: &[u8]) -> Result<SecretKey, SecretKeyError> {
        if secret.len() < 32 {
            return Err(SecretKeyError::TooShort(secret.len()));
        }
        if info.len() > usize::from(u16::MAX) {
            return Err(SecretKeyError::InfoTooLong(info.len()));
        }
        let material = Zeroizing::new([secret, &[0]].concat());
        let info = [info, &(MATERIAL as u16).to_be_bytes()].concat();
        let mut salt = Sha256::digest(b"BLS-SIG-KEYGEN-SALT-");
        loop {
            let mut okm = Zeroizing::new([0; MATERIAL]);
            let expanded = Hkdf::<Sha256>::new(Some(&salt), &material).expand(&info, &mut okm[..]);
            expanded.unwrap_or_else(|e| unreachable!("48 bytes are two blocks: {e}"));
            let key = reduced(&okm);
            // 0 has probability 2^−255; that the key is not 0 is public
            let mut is_zero = bool::from(U256::from_be_bytes((*key).into()).is_zero());
            memcheck::reveal(&mut is_zero);
            if !is_zero {
                return Ok(SecretKey(key));
            }
            salt = Sha256::digest(salt);
        }
    }

    /// Creates a new key from the operating system's randomness.
    ///
    /// # Errors
    /// Returns an error if the operating system provides no randomness.
    pub fn random() -> Result<SecretKey, getrandom::Error> {
        let mut secret = Zeroizing::new([0; 32]);
        getrandom::fill(&mut secret[..])?;
        Ok(SecretKey::generate(&secret[..], b"").unwrap_or_else(|e| unreachable!("32 bytes are enough: {e}")))
    }

    /// Decodes a key from 32 big-endian bytes. Constant time except for the verdict.
    ///
    /// # Errors
    /// Returns an error if there are more or fewer bytes, or if the number is 0 or not below r.
    pub fn from_bytes(bytes: &[u8]) -> Result<SecretKey, SecretKeyError> {
        let bytes: [u8; 32] = bytes.try_into().map_err(|_| SecretKeyError::Length(bytes.len()))?;
        let key = Zeroizing::new(bytes);
        let mut number = U256::from_be_bytes((*key).into());
        let (mut is_zero, mut is_below) = (bool::from(number.is_zero()), bool::from(number.ct_lt(&ORDER)));
        number.zeroize();
        memcheck::reveal(&mut is_zero);
        memcheck::reveal(&mut is_below);
        match (is_zero, is_below) {
            (true, _) => Err(SecretKeyError::Zero),
            (_, false) => Err(SecretKeyError::NotCanonical),
            _ => Ok(SecretKey(key)),
        }
    }

    /// Encodes the key as 32 big-endian bytes, to be stored.
    pub fn to_bytes(&self) -> Zeroizing<[u8; 32]> {
        self.0.clone()
    }

    /// Decodes a key from 64 hexadecimal digits. Constant time except for the verdict.
    ///
    /// # Errors
    /// Returns an error as [`SecretKey::from_bytes`] does, or if there are more or fewer characters, or one that is
    /// not a digit.
    pub fn from_hex(text: &[u8]) -> Result<SecretKey, SecretKeyError> {
        if text.len() != 64 {
            return Err(SecretKeyError::Digits(text.len()));
        }
        let mut bytes = Zeroizing::new([0; 32]);
        let mut bad = hex::decode(text, &mut bytes[..]);
        memcheck::reveal(&mut bad);
        if bad == 0 { SecretKey::from_bytes(&bytes[..]) } else { Err(SecretKeyError::NotHexadecimal) }
    }

    /// Encodes the key as 64 hexadecimal digits in lower case. Constant time.
    pub fn to_hex(&self) -> Zeroizing<[u8; 64]> {
        let mut text = Zeroizing::new([0; 64]);
        text.iter_mut().zip(hex::encode(&self.0[..])).for_each(|(character, digit)| *character = digit);
        text
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0[..]
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey(…)")
    }
}

/// Reduces 48 big-endian bytes modulo r, to 32 bytes; constant time.
fn reduced(okm: &[u8; MATERIAL]) -> Zeroizing<[u8; 32]> {
    let mut number = U384::from_be_bytes((*okm).into());
    let mut rest = number.rem(&MODULUS);
    let bytes = Zeroizing::new(rest.to_be_bytes());
    number.zeroize();
    rest.zeroize();
    let mut out = Zeroizing::new([0; 32]);
    out.copy_from_slice(&bytes.as_ref()[MATERIAL - 32..]);
    out
}
