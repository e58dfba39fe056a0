//! Tests of the built command.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

/// Stands for the library of fuzz targets, whose macro is that of `fuzzed`.
extern crate self as libfuzzer_sys;

mod aggregates;
mod checks;
mod columnar;
mod commands;
mod examples;
mod failures;
mod footers;
mod fuzzed;
mod gt;
mod install;
mod kept;
mod keys;
mod known;
mod latency;
mod lengths;
mod limits;
mod memory;
mod output_files;
mod outputs;
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
mod signatures_resumed;
mod signers;
mod streams;
mod support;
