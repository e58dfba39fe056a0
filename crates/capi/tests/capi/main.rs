//! Tests of the C library: its header, and programs in C that are compiled and run.

#![allow(clippy::unwrap_used)]

mod header;
mod install;
mod toolchain;

mod programs;
