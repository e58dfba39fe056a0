//! Elements of F_2^m as bytes and integers, for the backends of such curves.

use bilinear_field::binary::Binary;
use bilinear_field::{Field, Lanes, memcheck};
use bilinear_pairing::encode::{residue_bytes, residue_words};
use num_bigint::BigUint;

/// An element.
pub(super) type Elem<const N: usize> = <Binary<N> as Field>::Elem;

/// The element of canonical bytes.
pub(super) fn element<const N: usize>(field: &Binary<N>, bytes: &[u8]) -> Elem<N> {
    let (mut words, mut out) = ([0; N], field.zero());
    residue_words(&mut words, bytes);
    field.load(&mut out, &[&words]);
    out
}

/// The element of an integer below 2^m.
pub(super) fn constant<const N: usize>(field: &Binary<N>, u: &BigUint) -> Elem<N> {
    let (mut words, mut out) = ([0; N], field.zero());
    words.iter_mut().zip(u.iter_u64_digits()).for_each(|(word, digit)| *word = digit);
    field.load(&mut out, &[&words]);
    out
}

/// Writes the bytes of an element.
pub(super) fn write<const N: usize>(field: &Binary<N>, out: &mut [u8], a: &Elem<N>) {
    let mut words = [0; N];
    field.store(&mut words, a, 0);
    // what goes out is public
    memcheck::reveal_all(&mut words);
    residue_bytes(out, &words);
}
