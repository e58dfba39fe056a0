//! Tests of the crate over its interface.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

mod assembly;
mod data;
mod execution;
mod hostile;
mod random;
