//! Tests of the built command.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod aggregates;
mod checks;
mod columnar;
mod commands;
mod failures;
mod gt;
mod install;
mod keys;
mod known;
mod latency;
mod lengths;
mod memory;
mod pairs;
mod papers;
mod points;
mod processor;
mod products;
mod research;
mod residues;
mod resume;
mod search;
mod searched;
mod signatures;
mod signers;
mod support;
