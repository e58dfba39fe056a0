//! Tests of encodings and, compiled for the host, of the kernels that execute them.
#![allow(clippy::unwrap_used)]

mod batches;
mod bundles;
mod common;
mod driver;
mod encodings;
mod factors;
mod interpret;
mod kernels;
mod shim;
mod sources;
