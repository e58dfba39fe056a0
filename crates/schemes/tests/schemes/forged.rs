//! Points outside the group in keys, tokens and rows.

use crate::small::{batch, named, outside, resealed};
use bilinear_engine::{Batch, Group, PointError, Validate};
use bilinear_schemes::predicate::{DecodeErrorReason, Pattern, PublicKey, Scheme, SecretKey, Token, setup};
use bilinear_schemes::{bgn, ibe};

const REFUSED: DecodeErrorReason = DecodeErrorReason::Point(PointError::NotInSubgroup);

/// Returns bytes in which a point outside the group replaces the one at an offset.
fn forged(batch: &Batch, bytes: &[u8], group: Group, at: usize) -> Vec<u8> {
    let point = outside(batch.system(), group);
    let point = point.bytes().unwrap();
    let mut bytes = bytes.to_vec();
    bytes[at..at + point.len()].copy_from_slice(point);
    resealed(bytes)
}

/// Keys and tokens are checked in full even if rows are not.
#[test]
fn keys_and_tokens_are_checked_in_full() {
    for (scheme, batch) in [
        (Scheme::InnerProductOnly, batch(3)),
        (Scheme::HiddenVector, batch(2)),
        (Scheme::DualSpaces, named("a-512")),
        (Scheme::DualSpaces, named("bls12-381")),
        (Scheme::Matrices, named("d-159")),
    ] {
        let batch = batch.validate(Validate::OnCurve);
        let (public, secret) = setup(&batch, scheme, 1).unwrap();
        let (group, pattern) = match scheme {
            Scheme::HiddenVector => (Group::G1, Pattern::HiddenVector(vec![Some(1.into())])),
            _ if scheme.primes() == 1 => (Group::G2, Pattern::InnerProduct(vec![1.into()])),
            _ => (Group::G1, Pattern::InnerProduct(vec![1.into()])),
        };
        let token = secret.token(&batch, &pattern).unwrap().to_bytes();
        let (token, before) = (forged(&batch, &token, group, 23 + 20 + 2), 23 + 2 + 2 * scheme.primes());
        assert_eq!(Token::from_bytes(&batch, &token).unwrap_err().reason, REFUSED, "{scheme}");
        let public = forged(&batch, &public.to_bytes(), Group::G1, before);
        assert_eq!(PublicKey::from_bytes(&batch, &public).unwrap_err().reason, REFUSED, "{scheme}");
        // over a prime order a secret key has no points
        if scheme.primes() > 1 {
            let secret = forged(&batch, &secret.to_bytes(), Group::G1, before + 16 + 32);
            assert_eq!(SecretKey::from_bytes(&batch, &secret).unwrap_err().reason, REFUSED, "{scheme}");
        }
    }
    let two = batch(2).validate(Validate::OnCurve);
    let (public, secret) = bgn::setup(&two).unwrap();
    let public = forged(&two, &public.to_bytes(), Group::G1, 23 + 2);
    assert_eq!(bgn::PublicKey::from_bytes(&two, &public).unwrap_err().reason, REFUSED);
    let secret = forged(&two, &secret.to_bytes(), Group::G1, 23 + 16);
    assert_eq!(bgn::SecretKey::from_bytes(&two, &secret).unwrap_err().reason, REFUSED);
    let one = named("bls12-381").validate(Validate::OnCurve);
    let (public, master) = ibe::setup(&one).unwrap();
    let public = forged(&one, &public.to_bytes(), Group::G1, 23);
    assert_eq!(ibe::PublicKey::from_bytes(&one, &public).unwrap_err().reason, REFUSED);
    let user = forged(&one, &master.extract(&one, b"ann").unwrap().to_bytes(), Group::G2, 23 + 16);
    assert_eq!(ibe::PrivateKey::from_bytes(&one, &user).unwrap_err().reason, REFUSED);
}
