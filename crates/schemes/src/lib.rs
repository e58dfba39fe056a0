//! What people do with pairings.
//!
//! * [`bls`]: BLS signatures, by the IRTF's draft.
//! * [`bgn`]: encrypted numbers that can be added, and multiplied once.
//! * [`ibe`]: identity-based encryption.
//! * [`predicate`]: rows that a token tells a predicate of, and nothing else: inner products and hidden vectors, over composite and
//!   prime orders.

mod combine;
mod encoding;
mod hex;
mod scalar;
mod sealed;

pub mod bgn;
pub mod bls;
pub mod ibe;
pub mod predicate;
