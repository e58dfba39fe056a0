//! Tests of the descriptions of curves.
#![allow(clippy::unwrap_used)]

mod common;
mod complete;
mod hostile;
mod names;
mod pbc_files;
mod quadratic_and_unit;
mod secrets;
mod sextic;
mod shipped;
mod suites;
mod toml_files;
