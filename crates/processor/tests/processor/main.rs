//! Tests of the crate through its public interface.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]

mod assembly;
mod compiled;
mod data;
mod execution;
mod hostile;
mod manual;
mod pairings;
mod random;
