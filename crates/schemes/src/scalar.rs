//! Secret numbers, and arithmetic on them modulo the public order n of the groups, in constant time except for their
//! lengths.
//!
//! A uniform residue modulo a prime p of b bits is drawn as an integer of b + 128 bits: its distance from uniform is
//! at most 2^−128. Multiplying a point by it takes less time than by a residue modulo n = p·q·r.

use bilinear_engine::BigUint;
use bilinear_field::memcheck;
use crypto_bigint::modular::{BoxedMontyForm, BoxedMontyParams};
use crypto_bigint::{BoxedUint, Odd, Resize};
use hkdf::Hkdf;
use sha2::Sha256;
use std::fmt;
use zeroize::Zeroizing;

/// The number of bytes by which a drawn number is longer than the prime.
const MARGIN: usize = 16;

/// A secret number, big-endian, of a public length. Zeroized when dropped and never printed.
#[derive(Clone)]
pub struct Scalar(Zeroizing<Vec<u8>>);

impl Scalar {
    /// Creates the number with these big-endian bytes.
    pub fn new(bytes: &[u8]) -> Scalar {
        Scalar(Zeroizing::new(bytes.to_vec()))
    }

    /// The number of bytes, independent of the value.
    pub fn byte_len(&self) -> usize {
        self.0.len()
    }

    /// The number of bytes drawn for a residue modulo a number of `bits` bits.
    pub(crate) fn random_len(bits: usize) -> usize {
        bits.div_ceil(8) + MARGIN
    }

    /// Draws a number that is uniform modulo any number of `bits` bits.
    pub(crate) fn random(bits: usize) -> Result<Scalar, getrandom::Error> {
        let mut bytes = Zeroizing::new(vec![0; Scalar::random_len(bits)]);
        getrandom::fill(&mut bytes)?;
        // marks the bytes as secret in the tests of constant time
        bytes.iter_mut().for_each(memcheck::hide);
        Ok(Scalar(bytes))
    }

    /// Derives a number from a seed: a different one for each label and index.
    pub(crate) fn derived(seed: &[u8], label: &str, index: usize, bits: usize) -> Scalar {
        let mut bytes = Zeroizing::new(vec![0; Scalar::random_len(bits)]);
        let info = [label.as_bytes(), b" ", &(index as u64).to_be_bytes()].concat();
        Hkdf::<Sha256>::new(None, seed)
            .expand(&info, &mut bytes)
            .unwrap_or_else(|e| unreachable!("255 blocks are enough: {e}"));
        Scalar(bytes)
    }
}

impl From<u64> for Scalar {
    fn from(x: u64) -> Scalar {
        Scalar::new(&x.to_be_bytes())
    }
}

impl From<&BigUint> for Scalar {
    fn from(x: &BigUint) -> Scalar {
        Scalar::new(&x.to_bytes_be())
    }
}

impl AsRef<[u8]> for Scalar {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scalar(…)")
    }
}

/// The ring Z/n for an odd n.
pub(crate) struct Ring {
    n: BoxedMontyParams,
    /// The number of bytes of n.
    len: usize,
    /// The number of bytes of a [`BoxedUint`] that holds a residue.
    width: usize,
    /// The residue 2^(8·width) mod n.
    radix: BoxedMontyForm,
}

impl Ring {
    pub(crate) fn new(order: &BigUint) -> Ring {
        let len = order.bits().div_ceil(8) as usize;
        let width = len.next_multiple_of(8);
        let boxed = |x: &BigUint| BoxedUint::from_be_slice_vartime(&x.to_bytes_be()).resize_unchecked(8 * width as u32);
        let odd = Odd::new(boxed(order)).into_option().unwrap_or_else(|| unreachable!("orders are odd"));
        let n = BoxedMontyParams::new_vartime(odd);
        let radix = BoxedMontyForm::new(boxed(&((BigUint::from(1u8) << (8 * width)) % order)), &n);
        Ring { n, len, width, radix }
    }

    /// The number of bytes of n.
    pub(crate) fn byte_len(&self) -> usize {
        self.len
    }

    /// Computes a·b mod n, in as many bytes as a·b takes, or as n takes if that is fewer.
    pub(crate) fn product(&self, a: &Scalar, b: &Scalar) -> Scalar {
        let product = Zeroizing::new(&*self.form(a) * &*self.form(b));
        self.bytes(&product, a.byte_len() + b.byte_len())
    }

    /// Computes a·b + 1 mod n, in as many bytes as the product takes. They suffice: a·b + 1 is below 2^(8i + 8j) for
    /// a below 2^8i and b below 2^8j.
    pub(crate) fn product_and_one(&self, a: &Scalar, b: &Scalar) -> Scalar {
        let product = Zeroizing::new(&*self.form(a) * &*self.form(b));
        let sum = Zeroizing::new(&*product + &BoxedMontyForm::one(&self.n));
        self.bytes(&sum, a.byte_len() + b.byte_len())
    }

    /// Computes c + Σ a·b mod n.
    pub(crate) fn sum<'a>(
        &self,
        c: Option<&Scalar>,
        terms: impl IntoIterator<Item = (&'a Scalar, &'a Scalar)>,
    ) -> Scalar {
        let start = c.map_or_else(|| Zeroizing::new(BoxedMontyForm::zero(&self.n)), |c| self.form(c));
        let sum = terms.into_iter().fold(start, |sum, (a, b)| {
            let product = Zeroizing::new(&*self.form(a) * &*self.form(b));
            Zeroizing::new(&*sum + &*product)
        });
        self.bytes(&sum, self.len)
    }

    /// Computes a mod n.
    pub(crate) fn reduced(&self, a: &Scalar) -> Scalar {
        self.bytes(&self.form(a), self.len)
    }

    /// Computes 1/a mod n for a prime n, by Fermat; 0 for 0.
    pub(crate) fn inverse(&self, a: &Scalar) -> Scalar {
        let exponent = self.n.modulus().as_ref().wrapping_sub(BoxedUint::from(2u8));
        self.bytes(&Zeroizing::new(self.form(a).pow(&exponent)), self.len)
    }

    /// Computes −a mod n.
    pub(crate) fn negative(&self, a: &Scalar) -> Scalar {
        self.bytes(&Zeroizing::new(-&*self.form(a)), self.len)
    }

    /// Converts a number of any length to a residue, `width` bytes at a time.
    fn form(&self, a: &Scalar) -> Zeroizing<BoxedMontyForm> {
        let bytes = a.as_ref();
        let (first, rest) = bytes.split_at(bytes.len() % self.width);
        let digits = std::iter::once(first).chain(rest.chunks(self.width));
        digits.fold(Zeroizing::new(BoxedMontyForm::zero(&self.n)), |sum, digit| {
            let mut padded = Zeroizing::new(vec![0; self.width]);
            padded[self.width - digit.len()..].copy_from_slice(digit);
            let digit = BoxedUint::from_be_slice(&padded, 8 * self.width as u32);
            let digit = Zeroizing::new(digit.unwrap_or_else(|e| unreachable!("as many bytes as it holds: {e:?}")));
            let digit = Zeroizing::new(BoxedMontyForm::new((*digit).clone(), &self.n));
            let shifted = Zeroizing::new(&*sum * &self.radix);
            Zeroizing::new(&*shifted + &*digit)
        })
    }

    /// Returns a residue in `most` bytes, or in as many as n has if that is fewer.
    fn bytes(&self, a: &BoxedMontyForm, most: usize) -> Scalar {
        let all = Zeroizing::new(Zeroizing::new(a.retrieve()).to_be_bytes().into_vec());
        Scalar::new(&all[all.len() - most.min(self.len)..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with plain big integers, on short and long numbers and on edge cases.
    #[test]
    fn residues_are_those_of_big_integers() {
        let n = BigUint::parse_bytes(b"9cfd1a2b8e0d0f5b9a8d7c6b5a4f3e2d1c0b0a0908070605040302010fffffff", 16)
            .unwrap_or_default();
        let ring = Ring::new(&n);
        let number = |x: &Scalar| BigUint::from_bytes_be(x.as_ref());
        let values: Vec<Scalar> = [0u8, 1, 7, 255]
            .iter()
            .flat_map(|byte| [1, 8, 31, 32, 33, 48, 64, 70].map(|len| Scalar::new(&vec![*byte; len])))
            .chain([Scalar::from(&(&n - 1u8)), Scalar::from(&n), Scalar::from(&(&n + 1u8))])
            .collect();
        for a in &values {
            assert_eq!(number(&ring.negative(a)), (&n - number(a) % &n) % &n);
            assert_eq!((number(&ring.reduced(a)), ring.reduced(a).byte_len()), (number(a) % &n, 32));
            // this power is the inverse where n is prime
            assert_eq!(number(&ring.inverse(a)), number(a).modpow(&(&n - 2u8), &n));
            for b in &values {
                let product = ring.product(a, b);
                assert_eq!(number(&product), number(a) * number(b) % &n);
                assert_eq!(product.byte_len(), (a.byte_len() + b.byte_len()).min(32));
                assert_eq!(number(&ring.product_and_one(a, b)), (number(a) * number(b) + 1u8) % &n);
                assert_eq!(
                    number(&ring.sum(Some(a), [(a, b), (b, b)])),
                    (number(a) + (number(a) + number(b)) * number(b)) % &n
                );
            }
        }
    }
}
