//! Cryptographic schemes that use pairings.
//!
//! * [`bls`]: BLS signatures, by the IRTF's draft.
//! * [`bgn`]: encrypted numbers that can be added, and multiplied once.
//! * [`ibe`]: identity-based encryption.
//! * [`predicate`]: encrypted rows of which a token reveals whether a predicate holds, and nothing else: inner
//!   products and hidden vectors, over composite and prime orders.

mod combine;
mod encoding;
mod hex;
mod scalar;
mod sealed;

pub mod bgn;
pub mod bls;
pub mod ibe;
pub mod predicate;
