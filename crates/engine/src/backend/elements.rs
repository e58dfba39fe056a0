//! Elements of fields of small characteristic as bytes and integers, for the backends of such curves.

use bilinear_field::CollectVec;
use bilinear_field::{Lanes, memcheck};
use bilinear_pairing::encode::{residue_bytes, residue_words};
use num_bigint::BigUint;

/// Decodes an element from its canonical bytes.
pub(super) fn element<F: Lanes>(field: &F, bytes: &[u8]) -> F::Elem {
    let (mut words, mut out) = (vec![0; field.word_len()], field.zero());
    residue_words(&mut words, bytes);
    field.load(&mut out, &[&words]);
    out
}

/// Creates the element of an integer below the size of the field.
pub(super) fn constant<F: Lanes>(field: &F, u: &BigUint) -> F::Elem {
    let mut out = field.zero();
    field.load(&mut out, &[&u.iter_u64_digits().collect_vec()]);
    out
}

/// Encodes an element.
pub(super) fn write<F: Lanes>(field: &F, out: &mut [u8], a: &F::Elem) {
    let mut words = vec![0; field.word_len()];
    field.store(&mut words, a, 0);
    // outputs are public
    memcheck::reveal_all(&mut words);
    residue_bytes(out, &words);
}
