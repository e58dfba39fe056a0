//! Schemes on small curves, against plain integers and slow recomputation of their equations.
#![allow(clippy::unwrap_used)]

mod bgn;
mod costly;
mod descriptions;
mod forged;
mod ibe;
mod language;
mod predicate;
mod prime;
mod small;
mod unions;
