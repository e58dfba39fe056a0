//! What people do with pairings.
//!
//! * [`bls`]: BLS signatures, by the IRTF's draft.

pub mod bls;
