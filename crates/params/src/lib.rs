//! Typed descriptions of pairing-friendly curves.
//!
//! A curve is data: one TOML file with its primary parameters, from which everything else is computed on load and
//! checked. This crate holds the shipped curves ([`Curve::named`]), reads TOML and PBC `.param` files
//! ([`Description`]), writes TOML, generates fresh parameters ([`generate::Generator`]), keeps the secret factors of
//! a composite order apart from the public curve ([`Factors`]) and estimates security ([`security`]).
//!
//! The crate has no field or curve arithmetic beyond what it takes to complete a description and to check that it
//! is consistent.
//!
//! A [`Curve`] can only be created through these checks, so every value of the type satisfies them:
//!
//! * a field characteristic has at most [`MAX_FIELD_BITS`] bits; coefficients and coordinates are below it;
//! * supersingular curves (types A, A1): `q + 1 = order * cofactor`, `q = 3 mod 4`, the order is odd and prime to the
//!   cofactor; public factors are distinct and multiply to the order;
//! * sextic twists (BN, BLS12, BLS24, BLS48, KSS18): p, r, t and the cofactors are what the family's polynomials give for u;
//! * quadratic twists (types D, G): `n = h r` within Hasse's interval, r divides the k-th cyclotomic polynomial at q;
//! * embedding degree 1 (type E): `q = h r^2 + 1`, and r does not divide h;
//! * over F_2^m: m is a prime above 3, and h divides `2^m +- 2^((m + 1)/2) + 1`; for genus 2 the prime is 1 modulo 6, and h divides
//!   `2^2m + 2^m + 1 +- (2^((3m + 1)/2) + 2^((m + 1)/2))`; over F_3^m m is prime to 6, and h divides `3^m +- 3^((m + 1)/2) + 1`;
//! * the curve is not singular, and a generator, if present, lies on its curve;
//! * for a description that a user loads, the field characteristic, a prime order and all known factors are
//!   (Baillie-PSW) primes, and the extension fields are fields: non-residues are non-residues, polynomials irreducible.
//!   Shipped curves pass the same tests when this crate is tested, and skip them at run time.
//!
//! Only curve arithmetic shows whether a curve with these coefficients has the stated order. This is checked when a
//! user loads a curve. With a sextic twist, generators must have order r. For types D, G and E, the order of the
//! curve times a point must be O (for type E also h r times a point), and generators must have order r.

mod binary;
mod binary_field;
mod curve;
mod degree_one;
mod description;
mod error;
mod extension;
mod factors;
mod family;
mod fingerprint;
pub mod generate;
mod integer;
mod nearest;
mod origin;
mod pbc;
mod points;
pub mod private;
mod quadratic;
pub mod security;
mod sextic;
mod shipped;
mod solinas;
mod square_roots;
mod suite;
mod supersingular;
mod ternary;
mod text;
mod toml_reader;
mod toml_writer;
mod weierstrass;
mod weil;

pub use binary::{Binary, Genus};
pub use crypto_bigint::BoxedUint;
pub use curve::{Curve, is_name};
pub use degree_one::DegreeOne;
pub use description::Description;
pub use error::Error;
pub use factors::Factors;
pub use family::{Family, Layout};
pub use integer::{MAX_FIELD_BITS, MAX_FILE_BYTES};
pub use origin::Location;
pub use quadratic::{QuadraticKind, QuadraticTwist};
pub use sextic::{MAX_COMPLETED_BITS, MAX_TWIST_BITS, Sextic, SexticKind, Tower, Twist};
pub use solinas::Solinas;
pub use suite::Suite;
pub use supersingular::{Supersingular, SupersingularKind};
pub use ternary::Ternary;
