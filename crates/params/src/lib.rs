//! Typed descriptions of pairing-friendly curves.
//!
//! A curve is data: one TOML file with its primary parameters, from which everything else is computed on load and
//! checked. This crate holds the shipped curves ([`Curve::named`]), reads TOML and PBC `.param` files
//! ([`Description`]), writes TOML, generates fresh parameters ([`generate::Generator`]), keeps the secret factors of
//! a composite order apart from the public curve ([`Factors`]) and estimates security ([`security`]).
//!
//! There is no field or curve arithmetic here beyond the big-integer identities that a description has to satisfy.
//! A [`Curve`] can only be made through those checks, so whoever holds one may rely on them:
//!
//! * `q + 1 = order * cofactor`, `q = 3 mod 4`, the order is odd and prime to the cofactor, `q` has at most
//!   [`MAX_FIELD_BITS`] bits;
//! * public factors are distinct and multiply to the order;
//! * a generator, where there is one, has coordinates below `q` and lies on the curve (its order is not checked here);
//! * for a description that a user loads, `q`, a prime order and all known factors are (Baillie-PSW) primes. Shipped
//!   curves pass the same test when this crate is tested, and skip it at run time.

mod curve;
mod description;
mod error;
mod factors;
mod family;
pub mod generate;
mod integer;
mod origin;
pub mod pbc;
pub mod security;
mod shipped;
mod supersingular;
mod toml_reader;
mod toml_writer;

pub use curve::Curve;
pub use description::Description;
pub use error::Error;
pub use factors::Factors;
pub use family::Family;
pub use integer::{MAX_FIELD_BITS, MAX_FILE_BYTES};
pub use origin::At;
pub use supersingular::{Kind, Supersingular};
