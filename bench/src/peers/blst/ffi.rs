//! Safe calls of hashing and multiplication in blst's C interface: its safe interface has them only within signatures.
//! Points are returned serialised, which includes their inversion, as ours do.
#![allow(unsafe_code)]

use blst::{
    blst_hash_to_g1, blst_hash_to_g2, blst_p1, blst_p1_affine, blst_p1_from_affine, blst_p1_mult, blst_p1_serialize,
    blst_p2, blst_p2_affine, blst_p2_from_affine, blst_p2_mult, blst_p2_serialize,
};

/// The number of bits of the group's order.
const BITS: usize = 255;

/// A scalar in little-endian bytes.
pub(super) type Scalar = [u8; 32];

/// Hashes a message to G1.
pub(super) fn hash_to_g1(message: &[u8], dst: &[u8]) -> [u8; 96] {
    let (mut p, mut out, none) = (blst_p1::default(), [0; 96], [0u8; 0]);
    // SAFETY: each pointer refers to as many bytes as its length says; a serialised point of G1 takes 96 bytes
    unsafe {
        blst_hash_to_g1(&mut p, message.as_ptr(), message.len(), dst.as_ptr(), dst.len(), none.as_ptr(), 0);
        blst_p1_serialize(out.as_mut_ptr(), &p);
    }
    out
}

/// Hashes a message to G2.
pub(super) fn hash_to_g2(message: &[u8], dst: &[u8]) -> [u8; 192] {
    let (mut q, mut out, none) = (blst_p2::default(), [0; 192], [0u8; 0]);
    // SAFETY: as for G1; a serialised point of G2 takes 192 bytes
    unsafe {
        blst_hash_to_g2(&mut q, message.as_ptr(), message.len(), dst.as_ptr(), dst.len(), none.as_ptr(), 0);
        blst_p2_serialize(out.as_mut_ptr(), &q);
    }
    out
}

/// Computes kP in G1.
pub(super) fn multiple_in_g1(k: &Scalar, p: &blst_p1_affine) -> [u8; 96] {
    let (mut point, mut multiple, mut out) = (blst_p1::default(), blst_p1::default(), [0; 96]);
    // SAFETY: k has the 32 bytes that 255 bits take, and `out` has the 96 bytes of a serialised point
    unsafe {
        blst_p1_from_affine(&mut point, p);
        blst_p1_mult(&mut multiple, &point, k.as_ptr(), BITS);
        blst_p1_serialize(out.as_mut_ptr(), &multiple);
    }
    out
}

/// Computes kQ in G2.
pub(super) fn multiple_in_g2(k: &Scalar, q: &blst_p2_affine) -> [u8; 192] {
    let (mut point, mut multiple, mut out) = (blst_p2::default(), blst_p2::default(), [0; 192]);
    // SAFETY: k has the 32 bytes that 255 bits take, and `out` has the 192 bytes of a serialised point
    unsafe {
        blst_p2_from_affine(&mut point, q);
        blst_p2_mult(&mut multiple, &point, k.as_ptr(), BITS);
        blst_p2_serialize(out.as_mut_ptr(), &multiple);
    }
    out
}
