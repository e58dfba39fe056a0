//! The fingerprint of a curve, which identifies its groups whatever its name.
//!
//! SHA-256 over a tag, which names version and family, and the defining integers. An unsigned integer is its length in
//! bytes (eight bytes, big endian) and its bytes, big endian; a signed one has a byte 0 or 1 (negative) before
//! that; an optional value has a byte 0 (missing) or 1 before it.

use num_bigint::{BigInt, BigUint, Sign};
use sha2::{Digest, Sha256};

use crate::{Binary, DegreeOne, Family, QuadraticTwist, Sextic, Supersingular, Ternary, Twist};

/// Computes the fingerprint as 64 hexadecimal digits.
pub(crate) fn of(family: &Family) -> String {
    let mut hash = Sha256::new();
    hash.update(format!("bilinear curve v1: {}\0", family.name()));
    match family {
        Family::Supersingular(s) => supersingular(&mut hash, s),
        Family::Sextic(s) => sextic(&mut hash, s),
        Family::QuadraticTwist(s) => quadratic(&mut hash, s),
        Family::DegreeOne(s) => degree_one(&mut hash, s),
        Family::Binary(s) => binary(&mut hash, s),
        Family::Ternary(s) => ternary(&mut hash, s),
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn supersingular(hash: &mut Sha256, s: &Supersingular) {
    unsigned(hash, s.q());
    unsigned(hash, s.order());
}

/// Hashes the seed; b; the twist's type; beta, and a and c of xi, as residues.
fn sextic(hash: &mut Sha256, s: &Sextic) {
    signed(hash, s.u());
    optional(hash, s.b(), unsigned);
    optional(hash, s.twist(), |hash, twist| hash.update(if twist == Twist::D { b"D" } else { b"M" }));
    optional(hash, s.tower(), |hash, tower| {
        unsigned(hash, &tower.beta_mod(s.p()));
        tower.xi_mod(s.p()).iter().flatten().for_each(|part| unsigned(hash, part));
    });
}

fn quadratic(hash: &mut Sha256, s: &QuadraticTwist) {
    for value in [s.q(), s.n(), s.r(), s.a(), s.b(), s.nqr()].into_iter().chain(s.coefficients()) {
        unsigned(hash, value);
    }
}

fn degree_one(hash: &mut Sha256, s: &DegreeOne) {
    for value in [s.q(), s.r(), s.a(), s.b()] {
        unsigned(hash, value);
    }
}

/// Hashes the field's polynomial, the constant, and the order.
fn binary(hash: &mut Sha256, s: &Binary) {
    for value in [&s.polynomial(), &BigUint::from(u8::from(s.b())), s.r()] {
        unsigned(hash, value);
    }
}

/// Hashes the field's polynomial, 1 for b = 1 and 0 for −1, and the order.
fn ternary(hash: &mut Sha256, s: &Ternary) {
    for value in [&s.polynomial(), &BigUint::from(u8::from(s.b())), s.r()] {
        unsigned(hash, value);
    }
}

fn unsigned(hash: &mut Sha256, value: &BigUint) {
    let bytes = value.to_bytes_be();
    hash.update((bytes.len() as u64).to_be_bytes());
    hash.update(bytes);
}

fn signed(hash: &mut Sha256, value: &BigInt) {
    hash.update([u8::from(value.sign() == Sign::Minus)]);
    unsigned(hash, value.magnitude());
}

fn optional<T>(hash: &mut Sha256, value: Option<T>, write: impl FnOnce(&mut Sha256, T)) {
    hash.update([u8::from(value.is_some())]);
    if let Some(value) = value {
        write(hash, value);
    }
}
