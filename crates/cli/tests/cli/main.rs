//! Tests of the built command.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod aggregates;
mod checks;
mod columnar;
mod commands;
mod failures;
mod install;
mod keys;
mod lengths;
mod pairs;
mod papers;
mod products;
mod resume;
mod signatures;
mod signers;
mod support;
