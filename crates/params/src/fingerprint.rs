//! The fingerprint of a curve, which identifies its groups whatever its name.
//!
//! SHA-256 over a tag, which names version and family, and the defining integers. An unsigned integer is its length in
//! bytes (eight bytes, big endian) and its bytes, big endian; a signed one has a byte 0 or 1 (negative) before
//! that; an optional value has a byte 0 (missing) or 1 before it.

use num_bigint::{BigInt, BigUint, Sign};
use sha2::{Digest, Sha256};

use crate::{Family, Sextic, Twist};

/// Computes the fingerprint as 64 hexadecimal digits.
pub(crate) fn of(family: &Family) -> String {
    let mut hash = Sha256::new();
    hash.update(format!("bilinear curve v1: {}\0", family.name()));
    // 1 where the constant of the equation is 1
    let bit = |b: bool| BigUint::from(u8::from(b));
    match family {
        Family::Supersingular(s) => integers(&mut hash, [s.q(), s.order()]),
        Family::Sextic(s) => sextic(&mut hash, s),
        Family::QuadraticTwist(s) => {
            integers(&mut hash, [s.q(), s.n(), s.r(), s.a(), s.b(), s.nqr()].into_iter().chain(s.coefficients()));
        }
        Family::DegreeOne(s) => integers(&mut hash, [s.q(), s.r(), s.a(), s.b()]),
        Family::Binary(s) => integers(&mut hash, [&s.polynomial(), &bit(s.b()), s.r()]),
        Family::Ternary(s) => integers(&mut hash, [&s.polynomial(), &bit(s.b()), s.r()]),
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn integers<'a>(hash: &mut Sha256, values: impl IntoIterator<Item = &'a BigUint>) {
    values.into_iter().for_each(|value| unsigned(hash, value));
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
