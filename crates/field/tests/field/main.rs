//! Tests of the field and its towers.
#![allow(clippy::unwrap_used)]

mod any_tower;
mod binary;
mod common;
mod conformance;
mod dense;
mod hmm;
#[cfg(target_arch = "x86_64")]
mod ifma;
mod roots;
mod symbolic;
mod ternary;
